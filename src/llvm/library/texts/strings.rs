//! Blocks and texts in memory: loops of ordinary accesses, for texts one a byte.

use crate::llvm::ir::Order;
use crate::llvm::library::{Emit, arg};
use crate::llvm::lower::function::code::Code;
use crate::program::operation::Operation;
use crate::program::*;

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "strlen" => |code, args| Some(length(code, arg(args, 0))),
        "strcmp" => |code, args| Some(compare(code, args, None, true)),
        "strncmp" => |code, args| Some(compare(code, args, Some(arg(args, 2)), true)),
        "memcmp" | "bcmp" => |code, args| Some(compare(code, args, Some(arg(args, 2)), false)),
        "stpcpy" => |code, args| {
            let len = length(code, arg(args, 1));
            let whole = code.offset(len, 1);
            copy_loop(code, arg(args, 0), arg(args, 1), whole, &[]);
            Some(code.bin(BinOp::Add, 64, arg(args, 0), len))
        },
        "strcpy" => |code, args| {
            let len = length(code, arg(args, 1));
            let len = code.offset(len, 1);
            copy_loop(code, arg(args, 0), arg(args, 1), len, &[]);
            Some(arg(args, 0))
        },
        "strcat" => |code, args| {
            let end = length(code, arg(args, 0));
            let to = code.bin(BinOp::Add, 64, arg(args, 0), end);
            let len = length(code, arg(args, 1));
            let len = code.offset(len, 1);
            copy_loop(code, to, arg(args, 1), len, &[]);
            Some(arg(args, 0))
        },
        "strnlen" => |code, args| Some(length_within(code, arg(args, 0), Some(arg(args, 1)))),
        "strncpy" => |code, args| {
            let (to, limit) = (arg(args, 0), arg(args, 2));
            let len = length_within(code, arg(args, 1), Some(limit));
            copy_loop(code, to, arg(args, 1), len, &[]);
            let rest = code.bin(BinOp::Sub, 64, limit, len);
            let behind = code.bin(BinOp::Add, 64, to, len);
            fill_loop(code, behind, Operand::Const(0), rest, &[]);
            Some(to)
        },
        "strncat" => |code, args| {
            let end = length(code, arg(args, 0));
            let to = code.bin(BinOp::Add, 64, arg(args, 0), end);
            let len = length_within(code, arg(args, 1), Some(arg(args, 2)));
            copy_loop(code, to, arg(args, 1), len, &[]);
            let behind = code.bin(BinOp::Add, 64, to, len);
            code.store(behind, Operand::Const(0), 1, Order::Na);
            Some(arg(args, 0))
        },
        "memcpy" => |code, args| {
            copy_loop(code, arg(args, 0), arg(args, 1), arg(args, 2), units(8));
            Some(arg(args, 0))
        },
        "memmove" => |code, args| {
            move_loop(code, arg(args, 0), arg(args, 1), arg(args, 2), units(8));
            Some(arg(args, 0))
        },
        "memset" => |code, args| {
            fill_loop(code, arg(args, 0), arg(args, 1), arg(args, 2), units(8));
            Some(arg(args, 0))
        },
        "bzero" => |code, args| {
            fill_loop(code, arg(args, 0), Operand::Const(0), arg(args, 1), units(8));
            None
        },
        // `std::_Hash_bytes` of libstdc++: the block, its length, and what to begin with.
        "_ZSt11_Hash_bytesPKvmm" => |code, args| Some(hash(code, arg(args, 0), arg(args, 1), arg(args, 2))),
        "strchr" => |code, args| Some(find_byte(code, arg(args, 0), arg(args, 1))),
        "strrchr" => |code, args| Some(find_last_byte(code, arg(args, 0), arg(args, 1))),
        "memchr" => |code, args| Some(find_byte_within(code, arg(args, 0), arg(args, 1), arg(args, 2))),
        _ => return None,
    })
}

/// A number that depends on all of a block, as that of Fowler, Noll and Vo, by words where the length is known to be one of whole words.
fn hash(code: &mut Code<'_, '_>, block: Operand, len: Operand, seed: Operand) -> Operand {
    const PRIME: Operand = Operand::Const(0x100_0000_01b3);
    let unit = if matches!(len, Operand::Const(len) if len.is_multiple_of(8)) { 8 } else { 1 };
    let hash = code.f.reg();
    code.f.push(Instr::Set { dst: hash, src: seed });
    for_each(code, len, u64::from(unit), |code, i| {
        let at = code.bin(BinOp::Add, 64, block, i);
        let part = code.load_new(at, unit, Order::Na);
        let mixed = code.bin(BinOp::Xor, 64, Operand::Reg(hash), part);
        code.f.push(Instr::Bin { dst: hash, op: BinOp::Mul, bits: 64, a: mixed, b: PRIME });
    });
    Operand::Reg(hash)
}

/// A loop over `i` from 0 in steps while `i < len`.
pub fn for_each(code: &mut Code<'_, '_>, len: Operand, step: u64, body: impl FnOnce(&mut Code<'_, '_>, Operand)) {
    let i = code.f.reg();
    code.f.push(Instr::Set { dst: i, src: Operand::Const(0) });
    let (head, inside, done) = (code.f.label(), code.f.label(), code.f.label());
    code.f.place(head);
    let more = code.bin(BinOp::ULt, 64, Operand::Reg(i), len);
    code.branch(more, inside, done);
    code.f.place(inside);
    body(code, Operand::Reg(i));
    code.f.push(Instr::Bin { dst: i, op: BinOp::Add, bits: 64, a: Operand::Reg(i), b: Operand::Const(step) });
    code.jump(head);
    code.f.place(done);
}

/// As [`for_each`], from the last step to the first.
fn for_each_back(code: &mut Code<'_, '_>, len: Operand, step: u64, body: impl FnOnce(&mut Code<'_, '_>, Operand)) {
    let i = code.f.reg();
    code.f.push(Instr::Set { dst: i, src: len });
    let (head, inside, done) = (code.f.label(), code.f.label(), code.f.label());
    code.f.place(head);
    code.branch(Operand::Reg(i), inside, done);
    code.f.place(inside);
    code.f.push(Instr::Bin { dst: i, op: BinOp::Sub, bits: 64, a: Operand::Reg(i), b: Operand::Const(step) });
    body(code, Operand::Reg(i));
    code.jump(head);
    code.f.place(done);
}

/// The units besides bytes in which a block may be accessed whose address is likely to be a multiple of `align`. Objects are mostly copied
/// in the units in which they are accessed otherwise, and an access of another size would be a mixed-size one.
pub fn units(align: u64) -> &'static [u8] {
    match align {
        0 | 1 => &[],
        2 | 3 => &[2],
        4..=7 => &[4],
        _ => &[8, 4],
    }
}

/// Runs `body` with the first of the units that the addresses and the length are multiples of, or with single bytes.
pub fn by_unit(code: &mut Code<'_, '_>, operands: &[Operand], units: &[u8], body: impl Fn(&mut Code<'_, '_>, u8)) {
    let all = operands.iter().copied().reduce(|a, b| code.bin(BinOp::Or, 64, a, b)).unwrap_or(Operand::Const(0));
    let done = code.f.label();
    for &unit in units {
        let rest = code.bin(BinOp::And, 64, all, Operand::Const(u64::from(unit) - 1));
        let (fits, next) = (code.f.label(), code.f.label());
        code.inner_branch(rest, next, fits);
        code.f.place(fits);
        body(code, unit);
        code.jump(done);
        code.f.place(next);
    }
    body(code, 1);
    code.f.place(done);
}

/// Copies forwards, unit by unit.
pub fn copy_loop(code: &mut Code<'_, '_>, to: Operand, from: Operand, len: Operand, units: &[u8]) {
    by_unit(code, &[to, from, len], units, |code, unit| {
        for_each(code, len, u64::from(unit), |code, i| copy_unit(code, to, from, i, unit));
    });
}

/// Copies unit by unit, backwards where the target begins inside the source.
pub fn move_loop(code: &mut Code<'_, '_>, to: Operand, from: Operand, len: Operand, units: &[u8]) {
    let distance = code.bin(BinOp::Sub, 64, to, from);
    let overwrites = code.bin(BinOp::ULt, 64, distance, len);
    let (back, forth, done) = (code.f.label(), code.f.label(), code.f.label());
    code.inner_branch(overwrites, back, forth);
    code.f.place(back);
    by_unit(code, &[to, from, len], units, |code, unit| {
        for_each_back(code, len, u64::from(unit), |code, i| copy_unit(code, to, from, i, unit));
    });
    code.jump(done);
    code.f.place(forth);
    copy_loop(code, to, from, len, units);
    code.f.place(done);
}

fn copy_unit(code: &mut Code<'_, '_>, to: Operand, from: Operand, at: Operand, unit: u8) {
    let (source, target) = (code.bin(BinOp::Add, 64, from, at), code.bin(BinOp::Add, 64, to, at));
    code.f.mark(Operation::Copy);
    let value = code.load_new(source, unit, Order::Na);
    code.f.mark(Operation::Paste);
    code.store(target, value, unit, Order::Na);
}

/// Fills unit by unit.
pub fn fill_loop(code: &mut Code<'_, '_>, to: Operand, byte: Operand, len: Operand, units: &[u8]) {
    let byte = code.un(UnOp::Trunc, 8, byte);
    let word = code.bin(BinOp::Mul, 64, byte, Operand::Const(0x0101_0101_0101_0101));
    by_unit(code, &[to, len], units, |code, unit| {
        let value = code.un(UnOp::Trunc, unit * 8, word);
        for_each(code, len, u64::from(unit), |code, i| {
            let target = code.bin(BinOp::Add, 64, to, i);
            code.store(target, value, unit, Order::Na);
        });
    });
}

/// `strlen`.
pub fn length(code: &mut Code<'_, '_>, text: Operand) -> Operand {
    length_within(code, text, None)
}

/// `strnlen`.
fn length_within(code: &mut Code<'_, '_>, text: Operand, limit: Option<Operand>) -> Operand {
    let i = code.f.reg();
    code.f.push(Instr::Set { dst: i, src: Operand::Const(0) });
    let (head, look, inside, done) = (code.f.label(), code.f.label(), code.f.label(), code.f.label());
    code.f.place(head);
    if let Some(limit) = limit {
        let more = code.bin(BinOp::ULt, 64, Operand::Reg(i), limit);
        code.branch(more, look, done);
    }
    code.f.place(look);
    let at = code.bin(BinOp::Add, 64, text, Operand::Reg(i));
    let byte = code.load_new(at, 1, Order::Na);
    code.branch(byte, inside, done);
    code.f.place(inside);
    code.f.push(Instr::Bin { dst: i, op: BinOp::Add, bits: 64, a: Operand::Reg(i), b: Operand::Const(1) });
    code.jump(head);
    code.f.place(done);
    Operand::Reg(i)
}

/// The difference of the first bytes that differ, within a limit, up to the end of a text.
fn compare(code: &mut Code<'_, '_>, args: &[Operand], limit: Option<Operand>, text: bool) -> Operand {
    let (a, b) = (arg(args, 0), arg(args, 1));
    let (i, result) = (code.f.reg(), code.f.reg());
    code.f.push(Instr::Set { dst: i, src: Operand::Const(0) });
    code.f.push(Instr::Set { dst: result, src: Operand::Const(0) });
    let (head, inside, next, done) = (code.f.label(), code.f.label(), code.f.label(), code.f.label());
    code.f.place(head);
    if let Some(limit) = limit {
        let more = code.bin(BinOp::ULt, 64, Operand::Reg(i), limit);
        code.branch(more, inside, done);
    }
    code.f.place(inside);
    let (at_a, at_b) = (code.bin(BinOp::Add, 64, a, Operand::Reg(i)), code.bin(BinOp::Add, 64, b, Operand::Reg(i)));
    // Structures are compared with the bytes between their members.
    let mut byte = |at: Operand| {
        if !text {
            code.f.mark(Operation::Copy);
        }
        code.load_new(at, 1, Order::Na)
    };
    let (x, y) = (byte(at_a), byte(at_b));
    code.f.push(Instr::Bin { dst: result, op: BinOp::Sub, bits: 32, a: x, b: y });
    let same = code.f.label();
    code.branch(Operand::Reg(result), done, same);
    code.f.place(same);
    if text {
        code.branch(x, next, done);
    }
    code.f.place(next);
    code.f.push(Instr::Bin { dst: i, op: BinOp::Add, bits: 64, a: Operand::Reg(i), b: Operand::Const(1) });
    code.jump(head);
    code.f.place(done);
    Operand::Reg(result)
}

/// `strchr`.
fn find_byte(code: &mut Code<'_, '_>, text: Operand, wanted: Operand) -> Operand {
    let wanted = code.un(UnOp::Trunc, 8, wanted);
    let (at, result) = (code.f.reg(), code.f.reg());
    code.f.push(Instr::Set { dst: at, src: text });
    let (head, other, next, found, done) =
        (code.f.label(), code.f.label(), code.f.label(), code.f.label(), code.f.label());
    code.f.place(head);
    let byte = code.load_new(Operand::Reg(at), 1, Order::Na);
    let hit = code.bin(BinOp::Eq, 8, byte, wanted);
    code.branch(hit, found, other);
    code.f.place(other);
    code.f.push(Instr::Set { dst: result, src: Operand::Const(0) });
    code.branch(byte, next, done);
    code.f.place(next);
    code.f.push(Instr::Bin { dst: at, op: BinOp::Add, bits: 64, a: Operand::Reg(at), b: Operand::Const(1) });
    code.jump(head);
    code.f.place(found);
    code.f.push(Instr::Set { dst: result, src: Operand::Reg(at) });
    code.f.place(done);
    Operand::Reg(result)
}

/// `strrchr`.
fn find_last_byte(code: &mut Code<'_, '_>, text: Operand, wanted: Operand) -> Operand {
    let wanted = code.un(UnOp::Trunc, 8, wanted);
    let (at, result) = (code.f.reg(), code.f.reg());
    code.f.push(Instr::Set { dst: at, src: text });
    code.f.push(Instr::Set { dst: result, src: Operand::Const(0) });
    let (head, next, done) = (code.f.label(), code.f.label(), code.f.label());
    code.f.place(head);
    let byte = code.load_new(Operand::Reg(at), 1, Order::Na);
    let cond = code.bin(BinOp::Eq, 8, byte, wanted);
    let (a, b) = (Operand::Reg(at), Operand::Reg(result));
    code.f.push(Instr::Select { dst: result, cond, a, b, on_cond: true });
    code.branch(byte, next, done);
    code.f.place(next);
    code.f.push(Instr::Bin { dst: at, op: BinOp::Add, bits: 64, a: Operand::Reg(at), b: Operand::Const(1) });
    code.jump(head);
    code.f.place(done);
    Operand::Reg(result)
}

/// `memchr`: as if it read no further than to the byte that it finds.
fn find_byte_within(code: &mut Code<'_, '_>, block: Operand, wanted: Operand, len: Operand) -> Operand {
    let wanted = code.un(UnOp::Trunc, 8, wanted);
    let (i, result) = (code.f.reg(), code.f.reg());
    code.f.push(Instr::Set { dst: i, src: Operand::Const(0) });
    code.f.push(Instr::Set { dst: result, src: Operand::Const(0) });
    let (head, inside, next, found, done) =
        (code.f.label(), code.f.label(), code.f.label(), code.f.label(), code.f.label());
    code.f.place(head);
    let more = code.bin(BinOp::ULt, 64, Operand::Reg(i), len);
    code.branch(more, inside, done);
    code.f.place(inside);
    let at = code.bin(BinOp::Add, 64, block, Operand::Reg(i));
    let byte = code.load_new(at, 1, Order::Na);
    let hit = code.bin(BinOp::Eq, 8, byte, wanted);
    code.branch(hit, found, next);
    code.f.place(next);
    code.f.push(Instr::Bin { dst: i, op: BinOp::Add, bits: 64, a: Operand::Reg(i), b: Operand::Const(1) });
    code.jump(head);
    code.f.place(found);
    code.f.push(Instr::Set { dst: result, src: at });
    code.f.place(done);
    Operand::Reg(result)
}
