//! Architectures: what each calls its registers, how wide they are, and where its instructions are.

use super::asm::Lowering;
use super::operand::{Fault, Instruction};
use super::{aarch64, arm, mips, ppc, riscv, x86, x86_64};

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

    /// The canonical name of a register, or nothing when there is none of that name. Symbolic registers (`%x`) keep their name.
    pub fn register(self, name: &str) -> Option<String> {
        match self {
            Arch::X86_64 => x86_64::register(name.trim_start_matches('%')).map(|r| r.name.to_owned()),
            _ if name.starts_with('%') => Some(name.to_owned()),
            Arch::AArch64 => aarch64::canonical_register(name),
            Arch::Arm => arm::canonical_register(name),
            Arch::Ppc => ppc::canonical_register(name),
            Arch::RiscV => riscv::canonical_register(name),
            Arch::X86 => x86::canonical_register(name),
            Arch::Mips => mips::canonical_register(name),
            Arch::C => Some(name.to_owned()),
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

    /// Where a register stands among those of its thread when states are printed: by number where registers have
    /// numbers, then by name.
    pub fn register_rank(self, name: &str) -> (u32, u32) {
        if self == Arch::C {
            return (0, 0);
        }
        let fixed: &[&str] = match self {
            Arch::X86 => &x86::ORDER,
            Arch::X86_64 => &x86_64::ORDER,
            _ => &[],
        };
        if let Some(i) = fixed.iter().position(|r| *r == name) {
            return (0, i as u32);
        }
        if self == Arch::AArch64 && name == "XZR" {
            return (0, 0);
        }
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        match digits.parse() {
            Ok(number) if !name.starts_with('%') => (1, number),
            _ => (2, 0),
        }
    }

    /// Instruction names, for suggestions.
    pub fn mnemonics(self) -> Vec<&'static str> {
        match self {
            Arch::AArch64 => aarch64::MNEMONICS.to_vec(),
            Arch::Arm => arm::MNEMONICS.to_vec(),
            Arch::Ppc => ppc::MNEMONICS.to_vec(),
            Arch::RiscV => riscv::MNEMONICS.to_vec(),
            Arch::X86 => x86::MNEMONICS.to_vec(),
            Arch::X86_64 => x86_64::MNEMONICS.to_vec(),
            Arch::Mips => mips::MNEMONICS.to_vec(),
            Arch::C => Vec::new(),
        }
    }

    /// Instructions that make or use addresses of code.
    pub fn code_mnemonics(self) -> &'static [&'static str] {
        match self {
            Arch::AArch64 => aarch64::CODE,
            Arch::Arm => arm::CODE,
            Arch::Ppc => ppc::CODE,
            Arch::RiscV => riscv::CODE,
            Arch::Mips => mips::CODE,
            Arch::X86_64 => x86_64::CODE,
            Arch::X86 | Arch::C => &[],
        }
    }

    /// Whether an instruction makes the address of a label.
    pub fn names_code(self, mnemonic: &str) -> bool {
        matches!((self, mnemonic), (Arch::AArch64, "adr") | (Arch::RiscV, "la" | "lla"))
    }

    /// Translates one instruction.
    pub fn lower(self, at: &mut Lowering, instruction: &Instruction) -> Result<(), Fault> {
        match self {
            Arch::AArch64 => aarch64::lower(at, instruction),
            Arch::Arm => arm::lower(at, instruction),
            Arch::Ppc => ppc::lower(at, instruction),
            Arch::RiscV => riscv::lower(at, instruction),
            Arch::X86 => x86::lower(at, instruction),
            Arch::X86_64 => x86_64::lower(at, instruction),
            Arch::Mips => mips::lower(at, instruction),
            Arch::C => Err(Fault::Unknown),
        }
    }
}
