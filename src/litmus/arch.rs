//! Architectures that litmus tests are written for.

/// An architecture that litmus tests are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Arch {
    AArch64,
    Arm,
    Ppc,
    RiscV,
    X86,
    X86_64,
    Mips,
    C,
}

impl Arch {
    /// All of them.
    pub const ALL: [Arch; 8] =
        [Arch::AArch64, Arch::Arm, Arch::Ppc, Arch::RiscV, Arch::X86, Arch::X86_64, Arch::Mips, Arch::C];

    /// The architecture that a header names.
    pub fn from_header(word: &str) -> Option<Arch> {
        Arch::ALL.into_iter().find(|a| a.name() == word).or(match word {
            "CPP" => Some(Arch::C),
            "RISC-V" | "RiscV" => Some(Arch::RiscV),
            _ => None,
        })
    }

    /// Its name, as headers spell it.
    pub fn name(self) -> &'static str {
        match self {
            Arch::AArch64 => "AArch64",
            Arch::Arm => "ARM",
            Arch::Ppc => "PPC",
            Arch::RiscV => "RISCV",
            Arch::X86 => "X86",
            Arch::X86_64 => "X86_64",
            Arch::Mips => "MIPS",
            Arch::C => "C",
        }
    }

    /// Whether the first byte of a number is its most significant one.
    pub fn is_big_endian(self) -> bool {
        matches!(self, Arch::Ppc | Arch::Mips)
    }

    /// Bytes of a pointer.
    pub fn pointer_size(self) -> u8 {
        match self {
            Arch::Arm | Arch::X86 | Arch::C => 4,
            _ => 8,
        }
    }

    /// The register that is always zero, where there is one with a name of its own.
    pub fn zero_register(self) -> Option<&'static str> {
        match self {
            Arch::RiscV => Some("x0"),
            Arch::Mips => Some("$0"),
            Arch::AArch64 => Some("XZR"),
            _ => None,
        }
    }

    /// Whether an instruction makes the address of a label.
    pub fn names_code(self, mnemonic: &str) -> bool {
        matches!((self, mnemonic), (Arch::AArch64, "adr") | (Arch::RiscV, "la" | "lla"))
    }
}
