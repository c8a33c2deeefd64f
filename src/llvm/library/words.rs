//! What a thread keeps of the processor on which it runs, outside of memory: its number, whether interrupts are off, whether ordinary accesses
//! are marked. Programs that stand for an operating system ask for it; no event reads or writes it.

use super::emit::{Emit, SUCCESS, arg};
use crate::ids::SpanId;
use crate::llvm::ir::Order;
use crate::llvm::lower::function::code::{Code, MARKED};
use crate::program::*;

/// The word that says whether a thread is leaving calls: 0, or the address of the exception, or, odd, where `longjmp` goes.
pub const UNWINDING: u8 = 10;
/// Where the thread began to leave calls the last time: the number of a place.
pub const LEFT_AT: u8 = 9;
/// The value that `longjmp` brings.
pub const JUMPED: u8 = 12;
/// How many calls with a `setjmp` the thread has made.
pub const JUMPS: u8 = 13;

/// Has ordinary accesses of the running thread be relaxed ones while its argument is not 0.
pub const MARKING: &str = "__hmc_mark_plain";

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        MARKING => |code, args| {
            code.f.push(Instr::WriteWord { word: MARKED, value: arg(args, 0) });
            SUCCESS
        },
        "__hmc_word" => |code, args| match word(code, args) {
            Some(word) => Some(read(code, word)),
            None => SUCCESS,
        },
        "__hmc_set_word" => |code, args| {
            if let Some(word) = word(code, args) {
                code.f.push(Instr::WriteWord { word, value: arg(args, 1) });
            }
            SUCCESS
        },
        "longjmp" | "_longjmp" | "siglongjmp" | "__longjmp_chk" => |code, args| {
            let to = code.load_new(arg(args, 0), 8, Order::Na);
            let is_set = code.bin(BinOp::And, 64, to, Operand::Const(1));
            code.assert(is_set, "`longjmp` goes to a buffer that no `setjmp` has filled");
            let given = code.un(UnOp::Trunc, 32, arg(args, 1));
            let value = code.bin(BinOp::UMax, 32, given, Operand::Const(1));
            code.f.push(Instr::WriteWord { word: JUMPED, value });
            code.f.push(Instr::WriteWord { word: UNWINDING, value: to });
            SUCCESS
        },
        _ => return None,
    })
}

/// Says that a function is left, and that nobody lands.
pub fn nobody_lands(code: &mut Code<'_, '_>, function: &str) {
    let goes = read(code, UNWINDING);
    let is_jump = code.bin(BinOp::And, 64, goes, Operand::Const(1));
    let place = read(code, LEFT_AT);
    let (jump, exception) = (code.f.label(), code.f.label());
    code.inner_branch(is_jump, jump, exception);
    code.f.at(SpanId::default());
    for (label, text) in [
        (jump, "`longjmp` goes to a function that has returned, or that another thread runs".to_owned()),
        (exception, format!("the program aborts: an exception leaves {function}, and nobody catches it")),
    ] {
        code.f.place(label);
        let message = Box::new([Piece::Text(text.into()), Piece::Place(place)]);
        code.f.push(Instr::Panic { message });
    }
}

/// What the function that a thread begins in does when it is left.
pub fn end_if_unwinding(code: &mut Code<'_, '_>) {
    if !code.cx.uses.unwinds {
        return;
    }
    let (leaves, stays) = (code.f.label(), code.f.label());
    let word = read(code, UNWINDING);
    code.inner_branch(word, leaves, stays);
    code.f.place(leaves);
    nobody_lands(code, "the function of its thread");
    code.f.place(stays);
}

/// The value of a word.
pub fn read(code: &mut Code<'_, '_>, word: u8) -> Operand {
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
