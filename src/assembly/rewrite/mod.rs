//! Instructions of compiled code in the spelling of litmus tests: addresses of variables are registers with initial values (`%x`), calls and returns are told apart
//! from jumps.
//!
//! The upper part of an address stands for the whole address, the lower part for the distance from the variable's beginning: what compilers add up is the
//! same, and no dependency is made or lost, because an address depends on no read.

mod aarch64;
pub mod context;
mod powerpc;
mod riscv;
mod x86;

use super::target::Target;
pub use context::{Context, Refusal, Step};

/// What an instruction comes to.
pub fn step(cx: &mut Context<'_>, mnemonic: &str, operands: &[String]) -> Result<Step, Refusal> {
    match cx.unit.target {
        Target::AArch64 => aarch64::step(cx, mnemonic, operands),
        Target::RiscV64 => riscv::step(cx, mnemonic, operands),
        Target::PowerPc64Le => powerpc::step(cx, mnemonic, operands),
        Target::X86_64 => x86::step(cx, mnemonic, operands),
    }
}

/// An unconditional jump.
pub fn jump(target: Target, label: &str) -> String {
    let mnemonic = match target {
        Target::AArch64 | Target::PowerPc64Le => "b",
        Target::RiscV64 => "j",
        Target::X86_64 => "jmp",
    };
    format!("{mnemonic} {label}")
}
