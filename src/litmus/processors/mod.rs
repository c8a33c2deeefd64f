//! Registers and instructions: one file or folder an architecture.
//!
//! - [`arch`]: the table of architectures.
//! - [`operand`], [`registers`], [`flags`]: operands and condition flags.
//! - [`asm`]: what all translations share.

pub mod aarch64;
pub mod arch;
pub mod arm;
pub mod asm;
pub mod flags;
pub mod mips;
pub mod operand;
pub mod ppc;
mod ppc_conditions;
pub mod registers;
pub mod riscv;
pub mod x86;
pub mod x86_64;
