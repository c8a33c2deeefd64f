//! The types that initial states declare, and how a value of such a type is read, compared and printed.

/// A scalar type: size and signedness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// Bytes: 1, 2, 4 or 8.
    pub size: u8,
    /// Whether numbers are printed with a sign.
    pub signed: bool,
    /// Whether the test said so. What nothing was said about is a signed 32-bit integer when it is printed, and takes
    /// the size of its accesses in memory.
    pub declared: bool,
}

impl Type {
    /// What is not declared.
    pub const DEFAULT: Type = Type { size: 4, signed: true, declared: false };

    /// A pointer of `size` bytes. Numbers in it are printed with a sign, as the reference tool does.
    pub fn pointer(size: u8) -> Type {
        Type { size, signed: true, declared: true }
    }

    /// The type that a list of words names, or nothing when it is not a known one.
    pub fn named(words: &[String], pointer: u8) -> Option<Type> {
        let mut kept: Vec<&str> = Vec::new();
        for word in words {
            if !matches!(word.as_str(), "const" | "volatile" | "_Atomic" | "static" | "extern") {
                kept.push(word);
            }
        }
        let plain = kept.iter().copied().find(|w| !matches!(*w, "unsigned" | "signed" | "int")).unwrap_or("int");
        let unsigned = kept.contains(&"unsigned");
        let (size, signed) = match plain {
            "char" | "int8_t" | "atomic_char" | "s8" => (1, true),
            "uint8_t" | "bool" | "_Bool" | "u8" | "atomic_bool" => (1, false),
            "short" | "int16_t" | "s16" => (2, true),
            "uint16_t" | "u16" => (2, false),
            "int" | "long" | "int32_t" | "atomic_t" | "atomic_int" | "spinlock_t" | "mtx_t" | "atomic_flag" | "s32"
            | "raw_spinlock_t" => (4, true),
            "uint32_t" | "atomic_uint" | "u32" => (4, false),
            "int64_t" | "s64" | "atomic64_t" => (8, true),
            "uint64_t" | "u64" => (8, false),
            "intptr_t" => (pointer, true),
            "uintptr_t" | "size_t" => (pointer, false),
            "struct" | "union" => (4, true),
            _ => return None,
        };
        Some(Type { size, signed: signed && !unsigned, declared: true })
    }

    /// The low bits of `value` that the type keeps.
    pub fn truncate(self, value: u64) -> u64 {
        if self.size >= 8 { value } else { value & ((1 << (8 * u32::from(self.size))) - 1) }
    }

    /// The number that a pattern stands for.
    pub fn number(self, value: u64) -> i128 {
        let unused = 64 - 8 * u32::from(self.size.min(8));
        if self.signed { i128::from(((value << unused) as i64) >> unused) } else { i128::from(self.truncate(value)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str) -> Option<Type> {
        Type::named(&text.split(' ').map(str::to_owned).collect::<Vec<_>>(), 8)
    }

    #[test]
    fn numbers_follow_their_type() {
        assert_eq!(Type::DEFAULT.number(0x1_0000_0001), 1);
        assert_eq!(Type::DEFAULT.number(u64::MAX), -1);
        assert_eq!(named("uint64_t").unwrap().number(u64::MAX), u64::MAX.into());
        assert_eq!(named("int8_t").unwrap().number(200), -56);
        assert_eq!(named("volatile unsigned int").unwrap().number(u64::MAX), 0xffff_ffff);
        assert_eq!(named("long").unwrap().size, 4);
        assert_eq!(named("frob_t"), None);
    }
}
