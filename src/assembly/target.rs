//! The processors whose assembly is read: names, registers of the calling convention, and how a text tells which it is for.

use crate::litmus::Arch;

/// A processor, as compilers name it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// `aarch64`
    AArch64,
    /// `riscv64`
    RiscV64,
    /// `powerpc64le`
    PowerPc64Le,
    /// `x86_64`
    X86_64,
}

impl Target {
    /// All of them.
    pub const ALL: [Target; 4] = [Target::AArch64, Target::RiscV64, Target::PowerPc64Le, Target::X86_64];

    /// Its name, as it stands first in a compiler's triple.
    pub fn name(self) -> &'static str {
        match self {
            Target::AArch64 => "aarch64",
            Target::RiscV64 => "riscv64",
            Target::PowerPc64Le => "powerpc64le",
            Target::X86_64 => "x86_64",
        }
    }

    /// The one of that name.
    pub fn named(name: &str) -> Option<Target> {
        let same = |target: &Target| target.name() == name;
        let others = match name {
            "arm64" => Some(Target::AArch64),
            "riscv" => Some(Target::RiscV64),
            "ppc64le" | "power" => Some(Target::PowerPc64Le),
            "x86-64" | "amd64" => Some(Target::X86_64),
            _ => None,
        };
        Target::ALL.into_iter().find(same).or(others)
    }

    /// The architecture of its litmus tests.
    pub fn arch(self) -> Arch {
        match self {
            Target::AArch64 => Arch::AArch64,
            Target::RiscV64 => Arch::RiscV,
            Target::PowerPc64Le => Arch::Ppc,
            Target::X86_64 => Arch::X86_64,
        }
    }

    /// What begins a comment up to the end of the line, wherever it stands.
    pub fn comments(self) -> &'static [&'static str] {
        match self {
            Target::AArch64 => &["//"],
            Target::RiscV64 | Target::PowerPc64Le | Target::X86_64 => &["#"],
        }
    }

    /// The register of the first argument.
    pub fn argument(self) -> &'static str {
        match self {
            Target::AArch64 => "X0",
            Target::RiscV64 => "a0",
            Target::PowerPc64Le => "r3",
            Target::X86_64 => "rdi",
        }
    }

    /// The register that points to the stack.
    pub fn stack_pointer(self) -> &'static str {
        match self {
            Target::AArch64 => "SP",
            Target::RiscV64 => "sp",
            Target::PowerPc64Le => "r1",
            Target::X86_64 => "rsp",
        }
    }

    /// Whether `.align n` means a multiple of 2ⁿ, not of n.
    pub fn aligns_by_powers(self) -> bool {
        self != Target::X86_64
    }

    /// The processor that a text is written for: as a comment says (`litmus: target NAME`), else by its instructions and directives.
    pub fn of(text: &str) -> Option<Target> {
        let said = text.lines().find_map(|line| line.split_once("litmus: target ")?.1.split_whitespace().next());
        if let Some(name) = said {
            return Target::named(name);
        }
        text.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            let first = words.next()?;
            let rest = &line[line.find(first)? + first.len()..];
            match first {
                ".abiversion" | ".machine" | ".localentry" | "blr" => return Some(Target::PowerPc64Le),
                ".attribute" | ".option" | "lui" | "auipc" => return Some(Target::RiscV64),
                _ if first.starts_with(['.', '#', '/']) || first.ends_with(':') => return None,
                _ => {}
            }
            if is_x86(rest) {
                return Some(Target::X86_64);
            }
            let mut names = rest.split(|c: char| !c.is_ascii_alphanumeric());
            let is_arm = |name: &str| matches!(name.split_at_checked(1), Some(("x" | "w", n)) if n.parse::<u8>().is_ok_and(|n| n < 31)) || matches!(name, "wzr" | "xzr");
            let is_riscv = |name: &str| {
                name == "ra" || matches!(name.split_at_checked(1), Some(("a" | "s" | "t", n)) if n.parse::<u8>().is_ok_and(|n| n < 12))
            };
            names.find_map(|name| match name {
                _ if is_arm(name) => Some(Target::AArch64),
                _ if is_riscv(name) => Some(Target::RiscV64),
                _ => None,
            })
        })
    }
}

/// Whether operands name a register as x86 does.
fn is_x86(operands: &str) -> bool {
    operands.split('%').skip(1).any(|rest| {
        let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
        Arch::X86_64.register(&name).is_some() || name == "rip"
    })
}

#[cfg(test)]
mod tests {
    use super::Target;

    #[test]
    fn a_text_tells_its_processor() {
        let of = |text: &str| Target::of(text).map(Target::name);
        assert_eq!(of("\t.text\nP0:\n\tmovl $1, x(%rip)\n"), Some("x86_64"));
        assert_eq!(of("P0: // c\n\tadrp x8, x\n"), Some("aarch64"));
        assert_eq!(of("# c\nP0:\n\tlw a5,%lo(x)(a0)\n"), Some("riscv64"));
        assert_eq!(of("P0:\n\tli 9,1\n\tblr\n"), Some("powerpc64le"));
        assert_eq!(of("\t.text\n"), None);
        assert!(Target::ALL.iter().all(|&target| Target::named(target.name()) == Some(target)));
    }
}
