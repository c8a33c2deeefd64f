//! The table of architectures: what each calls its registers, and where its instructions are.

use super::asm::Lowering;
use super::operand::{Fault, Instruction};
use super::{aarch64, arm, mips, ppc, riscv, x86, x86_64};
use crate::litmus::arch::Arch;

impl Arch {
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
