//! Absolute values, and numbers in texts.

use crate::llvm::ir::Order;
use crate::llvm::library::{Emit, SUCCESS, arg};
use crate::llvm::lower::function::code::Code;
use crate::program::*;

/// Digits that fit into 64 bits whatever they are.
const MOST_DIGITS: u64 = 18;

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "abs" => |code, args| Some(absolute(code, 32, arg(args, 0))),
        "labs" | "llabs" | "imaxabs" => |code, args| Some(absolute(code, 64, arg(args, 0))),
        "atoi" => |code, args| {
            let (number, _) = decimal(code, arg(args, 0));
            Some(code.un(UnOp::Trunc, 32, number))
        },
        "atol" | "atoll" => |code, args| Some(decimal(code, arg(args, 0)).0),
        "strtol" | "strtoul" | "strtoll" | "strtoull" => |code, args| {
            if arg(args, 2) != Operand::Const(10) {
                code.unsupported("numbers are read from texts with a constant base of 10 only");
                return SUCCESS;
            }
            let (number, end) = decimal(code, arg(args, 0));
            let (wanted, done) = (code.f.label(), code.f.label());
            code.inner_branch(arg(args, 1), wanted, done);
            code.f.place(wanted);
            code.store(arg(args, 1), end, 8, Order::Na);
            code.f.place(done);
            Some(number)
        },
        _ => return None,
    })
}

fn absolute(code: &mut Code<'_, '_>, bits: u8, value: Operand) -> Operand {
    let negated = code.un(UnOp::Neg, bits, value);
    code.bin(BinOp::SMax, bits, value, negated)
}

/// The decimal number at the beginning of a text, behind white space and a sign, and where it ends: at the text itself if there is none.
fn decimal(code: &mut Code<'_, '_>, text: Operand) -> (Operand, Operand) {
    let [at, number, sign, digits, end] = [(); 5].map(|()| code.f.reg());
    for (dst, src) in [(at, text), (number, ZERO), (sign, ZERO), (digits, ZERO), (end, text)] {
        code.f.push(Instr::Set { dst, src });
    }
    let [space, word, signed, head, digit, fits, too_long, done] = [(); 8].map(|()| code.f.label());
    let advance = |code: &mut Code<'_, '_>, reg: Reg| {
        code.f.push(Instr::Bin { dst: reg, op: BinOp::Add, bits: 64, a: Operand::Reg(reg), b: Operand::Const(1) });
    };
    code.f.place(space);
    let byte = code.load_new(Operand::Reg(at), 1, Order::Na);
    // Tab to carriage return.
    let distance = code.bin(BinOp::Sub, 8, byte, Operand::Const(9));
    let control = code.bin(BinOp::ULt, 8, distance, Operand::Const(5));
    let blank = code.bin(BinOp::Eq, 8, byte, Operand::Const(u64::from(b' ')));
    let either = code.bin(BinOp::Or, 8, control, blank);
    let skip = code.f.label();
    code.branch(either, skip, word);
    code.f.place(skip);
    advance(code, at);
    code.jump(space);
    code.f.place(word);
    let minus = code.bin(BinOp::Eq, 8, byte, Operand::Const(u64::from(b'-')));
    let plus = code.bin(BinOp::Eq, 8, byte, Operand::Const(u64::from(b'+')));
    code.f.push(Instr::Set { dst: sign, src: minus });
    let either = code.bin(BinOp::Or, 8, minus, plus);
    code.branch(either, signed, head);
    code.f.place(signed);
    advance(code, at);
    code.f.place(head);
    let byte = code.load_new(Operand::Reg(at), 1, Order::Na);
    let value = code.bin(BinOp::Sub, 8, byte, Operand::Const(u64::from(b'0')));
    let is_digit = code.bin(BinOp::ULt, 8, value, Operand::Const(10));
    code.branch(is_digit, digit, done);
    code.f.place(digit);
    advance(code, digits);
    let short = code.bin(BinOp::ULe, 64, Operand::Reg(digits), Operand::Const(MOST_DIGITS));
    code.branch(short, fits, too_long);
    code.f.place(too_long);
    code.unsupported(format!("a number of more than {MOST_DIGITS} digits is read from a text"));
    code.f.place(fits);
    let tenfold = code.bin(BinOp::Mul, 64, Operand::Reg(number), Operand::Const(10));
    code.f.push(Instr::Bin { dst: number, op: BinOp::Add, bits: 64, a: tenfold, b: value });
    advance(code, at);
    code.f.push(Instr::Set { dst: end, src: Operand::Reg(at) });
    code.jump(head);
    code.f.place(done);
    let negated = code.un(UnOp::Neg, 64, Operand::Reg(number));
    let result = code.f.reg();
    let (cond, a, b) = (Operand::Reg(sign), negated, Operand::Reg(number));
    code.f.push(Instr::Select { dst: result, cond, a, b, on_cond: true });
    (Operand::Reg(result), Operand::Reg(end))
}

const ZERO: Operand = Operand::Const(0);
