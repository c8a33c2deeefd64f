//! `qsort` and `bsearch`.
//!
//! C leaves open how often and in which order the elements are compared, and where elements go that are equal. Here they keep their order.

use super::strings::{by_unit, units};
use crate::llvm::ir::Order;
use crate::llvm::library::{Emit, arg};
use crate::llvm::lower::function::code::Code;
use crate::program::*;

const ZERO: Operand = Operand::Const(0);
const ONE: Operand = Operand::Const(1);

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "qsort" => |code, args| {
            sort(code, arg(args, 0), arg(args, 1), arg(args, 2), arg(args, 3));
            None
        },
        "bsearch" => {
            |code, args| Some(search(code, arg(args, 0), arg(args, 1), arg(args, 2), arg(args, 3), arg(args, 4)))
        }
        _ => return None,
    })
}

/// What the program's function gives for two elements.
fn compare(code: &mut Code<'_, '_>, function: Operand, a: Operand, b: Operand) -> Operand {
    let result = code.f.reg();
    code.call(Callee::Indirect(function), vec![a, b], Some(result));
    Operand::Reg(result)
}

fn element(code: &mut Code<'_, '_>, base: Operand, number: Operand, size: Operand) -> Operand {
    let offset = code.bin(BinOp::Mul, 64, number, size);
    code.bin(BinOp::Add, 64, base, offset)
}

/// Moves each element down to its place among those before it.
fn sort(code: &mut Code<'_, '_>, base: Operand, count: Operand, size: Operand, function: Operand) {
    let (next, at) = (code.f.reg(), code.f.reg());
    code.f.push(Instr::Set { dst: next, src: ONE });
    let [elements, begin, look, inside, swap, placed, done] = std::array::from_fn(|_| code.f.label());
    code.f.place(elements);
    let more = code.bin(BinOp::ULt, 64, Operand::Reg(next), count);
    code.branch(more, begin, done);
    code.f.place(begin);
    code.f.push(Instr::Set { dst: at, src: Operand::Reg(next) });
    code.f.place(look);
    code.branch(Operand::Reg(at), inside, placed);
    code.f.place(inside);
    let upper = element(code, base, Operand::Reg(at), size);
    let lower = code.bin(BinOp::Sub, 64, upper, size);
    let order = compare(code, function, lower, upper);
    let larger = code.bin(BinOp::SLt, 32, ZERO, order);
    code.branch(larger, swap, placed);
    code.f.place(swap);
    exchange(code, lower, upper, size);
    code.f.push(Instr::Bin { dst: at, op: BinOp::Sub, bits: 64, a: Operand::Reg(at), b: ONE });
    code.jump(look);
    code.f.place(placed);
    code.f.push(Instr::Bin { dst: next, op: BinOp::Add, bits: 64, a: Operand::Reg(next), b: ONE });
    code.jump(elements);
    code.f.place(done);
}

fn exchange(code: &mut Code<'_, '_>, a: Operand, b: Operand, size: Operand) {
    by_unit(code, &[a, b, size], units(8), |code, unit| {
        super::strings::for_each(code, size, u64::from(unit), |code, i| {
            let (at_a, at_b) = (code.bin(BinOp::Add, 64, a, i), code.bin(BinOp::Add, 64, b, i));
            let (x, y) = (code.load_new(at_a, unit, Order::Na), code.load_new(at_b, unit, Order::Na));
            code.store(at_a, y, unit, Order::Na);
            code.store(at_b, x, unit, Order::Na);
        });
    });
}

/// Halves the part in which the key may be, as glibc does.
fn search(
    code: &mut Code<'_, '_>,
    key: Operand,
    base: Operand,
    count: Operand,
    size: Operand,
    function: Operand,
) -> Operand {
    let [from, to, result] = std::array::from_fn(|_| code.f.reg());
    for (dst, src) in [(from, ZERO), (to, count), (result, ZERO)] {
        code.f.push(Instr::Set { dst, src });
    }
    let [head, inside, other, below, above, found, done] = std::array::from_fn(|_| code.f.label());
    code.f.place(head);
    let more = code.bin(BinOp::ULt, 64, Operand::Reg(from), Operand::Reg(to));
    code.branch(more, inside, done);
    code.f.place(inside);
    let sum = code.bin(BinOp::Add, 64, Operand::Reg(from), Operand::Reg(to));
    let middle = code.bin(BinOp::UDiv, 64, sum, Operand::Const(2));
    let at = element(code, base, middle, size);
    let order = compare(code, function, key, at);
    code.branch(order, other, found);
    code.f.place(other);
    let less = code.bin(BinOp::SLt, 32, order, ZERO);
    code.branch(less, below, above);
    code.f.place(below);
    code.f.push(Instr::Set { dst: to, src: middle });
    code.jump(head);
    code.f.place(above);
    code.f.push(Instr::Bin { dst: from, op: BinOp::Add, bits: 64, a: middle, b: ONE });
    code.jump(head);
    code.f.place(found);
    code.f.push(Instr::Set { dst: result, src: at });
    code.f.place(done);
    Operand::Reg(result)
}
