//! What a thread keeps of the processor on which it runs, outside of memory: its number, whether interrupts are off, whether ordinary accesses
//! are marked. Programs that stand for an operating system ask for it; no event reads or writes it.

use super::Emit;
use crate::llvm::lower::function::code::{Code, MARKED};
use crate::program::*;

/// Has ordinary accesses of the running thread be relaxed ones while its argument is not 0.
pub const MARKING: &str = "__hmc_mark_plain";

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        MARKING => |code, args| {
            code.f.push(Instr::WriteWord { word: MARKED, value: super::arg(args, 0) });
            super::SUCCESS
        },
        "__hmc_word" => |code, args| match word(code, args) {
            Some(word) => Some(read(code, word)),
            None => super::SUCCESS,
        },
        "__hmc_set_word" => |code, args| {
            if let Some(word) = word(code, args) {
                code.f.push(Instr::WriteWord { word, value: super::arg(args, 1) });
            }
            super::SUCCESS
        },
        _ => return None,
    })
}

fn read(code: &mut Code<'_, '_>, word: u8) -> Operand {
    let dst = code.f.reg();
    code.f.push(Instr::ReadWord { dst, word });
    Operand::Reg(dst)
}

/// The word that a call names: a constant.
fn word(code: &mut Code<'_, '_>, args: &[Operand]) -> Option<u8> {
    match args.first() {
        Some(&Operand::Const(word)) if word < WORDS as u64 => Some(word as u8),
        _ => {
            code.unsupported(format!("`__hmc_word` needs a constant below {WORDS}"));
            None
        }
    }
}
