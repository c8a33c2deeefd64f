//! Exclusive accesses and single-instruction atomics.
//!
//! Compare-and-swap follows the architecture's own freedom: a success may take its result from memory or from the
//! register that was compared, a failure may write back what it read; each is an execution of its own.

use super::operands::*;
use crate::litmus::processors::asm::{Lowering, constant};
use crate::litmus::processors::operand::{Fault, Operand as Arg};
use crate::program::{BinOp, Half, Instr, Join, Operand, UnOp};

pub(super) fn exclusive(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    let (stem, is_load, tags): (&str, bool, &[&str]) = [
        ("ldaxp", true, &["EX", "A"][..]),
        ("ldaxr", true, &["EX", "A"]),
        ("ldxp", true, &["EX"]),
        ("ldxr", true, &["EX"]),
        ("stlxp", false, &["EX", "L"]),
        ("stlxr", false, &["EX", "L"]),
        ("stxp", false, &["EX"]),
        ("stxr", false, &["EX"]),
    ]
    .into_iter()
    .find(|(stem, ..)| name.starts_with(stem))?;
    let count = if stem.ends_with('p') { 2 } else { 1 };
    let suffix = &name[stem.len()..];
    if !matches!((count, suffix), (_, "") | (1, "b" | "h")) {
        return None;
    }
    Some(if is_load { load(at, args, count, suffix, tags) } else { store(at, args, count, suffix, tags) })
}

/// `count` operands that are registers of one size, from the first on.
fn registers(args: &[Arg], count: usize) -> Result<Vec<Register>, Fault> {
    let all = (0..count).map(|i| reg(args.get(i))).collect::<Result<Vec<_>, _>>()?;
    match all.windows(2).all(|pair| pair[0].bits == pair[1].bits) {
        true => Ok(all),
        false => Err(Fault::Operands("the registers differ in size".to_owned())),
    }
}

/// The addresses of `count` neighbouring places of one size.
fn places(at: &mut Lowering, args: &[Arg], count: usize, size: u8) -> Result<Vec<Operand>, Fault> {
    let first = address(at, args)?;
    let first = at.copy(first);
    Ok((0..count)
        .map(|i| match i {
            0 => first,
            _ => at.offset(64, first, i as i64 * i64::from(size)),
        })
        .collect())
}

fn load(at: &mut Lowering, args: &[Arg], count: usize, suffix: &str, tags: &[&str]) -> Result<(), Fault> {
    let targets = registers(args, count)?;
    let size = size_of(suffix, &targets[0]).ok_or(Fault::Unknown)?;
    let places = places(at, args.get(count..).unwrap_or_default(), count, size)?;
    at.reserve(places[0], size * count as u8);
    let values: Vec<Operand> = places.iter().map(|&place| at.load(place, size, tags, Half::ExRead)).collect();
    targets.iter().zip(values).for_each(|(target, value)| write(at, target, value));
    Ok(())
}

fn store(at: &mut Lowering, args: &[Arg], count: usize, suffix: &str, tags: &[&str]) -> Result<(), Fault> {
    let status = reg(args.first())?;
    let sources = registers(args.get(1..).unwrap_or_default(), count)?;
    let size = size_of(suffix, &sources[0]).ok_or(Fault::Unknown)?;
    let values: Vec<Operand> = sources.iter().map(|source| read(at, source)).collect();
    let first = address(at, args.get(1 + count..).unwrap_or_default())?;
    at.store_exclusive(first, &values, size, tags, |at, success| {
        write(at, &status, constant(i64::from(!success)));
    });
    Ok(())
}

/// Suffixes of single-instruction atomics: acquire, release, access size.
fn atomic_suffix(suffix: &str) -> Option<(bool, bool, &str)> {
    let (order, size) = match suffix.strip_suffix(['b', 'h']) {
        Some(rest) => (rest, &suffix[rest.len()..]),
        None => (suffix, ""),
    };
    match order {
        "" => Some((false, false, size)),
        "a" => Some((true, false, size)),
        "l" => Some((false, true, size)),
        "al" => Some((true, true, size)),
        _ => None,
    }
}

pub(super) fn atomic(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    const OPERATIONS: [(&str, BinOp); 8] = [
        ("add", BinOp::Add),
        ("eor", BinOp::Xor),
        ("set", BinOp::Or),
        ("clr", BinOp::AndNot),
        ("smax", BinOp::SMax),
        ("smin", BinOp::SMin),
        ("umax", BinOp::UMax),
        ("umin", BinOp::UMin),
    ];
    if let Some(suffix) = name.strip_prefix("swp").and_then(atomic_suffix) {
        return Some(exchange(at, args, suffix, None, false));
    }
    if let Some((_, _, "")) = name.strip_prefix("casp").and_then(atomic_suffix) {
        return name.strip_prefix("casp").and_then(atomic_suffix).map(|s| compare_and_swap(at, args, s, 2));
    }
    if let Some(suffix) = name.strip_prefix("cas").and_then(atomic_suffix) {
        return Some(compare_and_swap(at, args, suffix, 1));
    }
    let (is_store, rest) = match (name.strip_prefix("ld"), name.strip_prefix("st")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        _ => return None,
    };
    let (op, suffix) =
        OPERATIONS.iter().find_map(|(stem, op)| Some((*op, atomic_suffix(rest.strip_prefix(stem)?)?)))?;
    Some(exchange(at, args, suffix, Some(op), is_store))
}

/// `SWP` (without an operation), `LDADD` and its like, `STADD` and its like.
fn exchange(
    at: &mut Lowering,
    args: &[Arg],
    (acquire, release, suffix): (bool, bool, &str),
    op: Option<BinOp>,
    is_store: bool,
) -> Result<(), Fault> {
    let source = reg(args.first())?;
    let (target, place) =
        if is_store { (Register { name: None, bits: source.bits }, 1) } else { (reg(args.get(1))?, 2) };
    let size = size_of(suffix, &source).ok_or(Fault::Unknown)?;
    let address = address(at, args.get(place..).unwrap_or_default())?;
    let address = at.copy(address);
    let operand = read(at, &source);
    let read_tags: &[&str] = match (target.name.is_none(), acquire) {
        (true, _) => &["X", "NoRet"],
        (false, true) => &["X", "A"],
        (false, false) => &["X"],
    };
    let old = at.load(address, size, read_tags, Half::AmoRead);
    let new = match op {
        Some(op) => at.bin(op, size * 8, old, operand),
        None => operand,
    };
    at.store(address, new, size, if release { &["X", "L"] } else { &["X"] }, Half::AmoWrite);
    write(at, &target, old);
    Ok(())
}

/// `CAS` (one register) and `CASP` (two neighbouring ones).
fn compare_and_swap(
    at: &mut Lowering,
    args: &[Arg],
    (acquire, release, suffix): (bool, bool, &str),
    count: usize,
) -> Result<(), Fault> {
    let mut compared = registers(args, 2 * count)?;
    let source = compared.split_off(count);
    let size = size_of(suffix, &source[0]).ok_or(Fault::Unknown)?;
    let places = places(at, args.get(2 * count..).unwrap_or_default(), count, size)?;
    let new: Vec<Operand> = source.iter().map(|r| read(at, r)).collect();
    let mut expected = Vec::new();
    for r in &compared {
        let value = read(at, r);
        expected.push(at.un(UnOp::Trunc, size * 8, value));
    }
    // Without a result the read is none for barriers, as with the other atomics.
    let read_tags: &[&str] = match (compared.iter().all(|r| r.name.is_none()), acquire) {
        (true, _) => &["X", "NoRet"],
        (false, true) => &["X", "A"],
        (false, false) => &["X"],
    };
    let write_tags: &[&str] = if release { &["X", "L"] } else { &["X"] };
    let [success, write_back, from_register, done] = [(); 4].map(|()| at.function.label());
    let old: Vec<Operand> = places.iter().map(|&place| at.load(place, size, read_tags, Half::AmoRead)).collect();
    let mut equal = at.bin(BinOp::Eq, size * 8, old[0], expected[0]);
    for (&old, &expected) in old.iter().zip(&expected).skip(1) {
        let next = at.bin(BinOp::Eq, size * 8, old, expected);
        equal = at.bin(BinOp::And, 64, equal, next);
    }
    let store_all = |at: &mut Lowering, values: &[Operand]| {
        let all = places.iter().zip(values);
        all.for_each(|(&place, &value)| at.store(place, value, size, write_tags, Half::AmoWrite));
    };
    let result = |at: &mut Lowering, values: &[Operand]| {
        compared.iter().zip(values).for_each(|(register, &value)| write(at, register, value));
    };
    // The comparison controls the write, and nothing after the instruction.
    at.branch(equal, success, Join::Merge);
    // A failure may write back what it read.
    let choice = at.temporary();
    at.push(Instr::Choose { dst: choice, values: Box::new([1, 0]) });
    at.branch(Operand::Reg(choice), write_back, Join::NoDependency);
    result(at, &old);
    at.jump(done);
    at.function.place(write_back);
    store_all(at, &old);
    result(at, &old);
    at.jump(done);
    at.function.place(success);
    store_all(at, &new);
    let choice = at.temporary();
    at.push(Instr::Choose { dst: choice, values: Box::new([0, 1]) });
    at.branch(Operand::Reg(choice), from_register, Join::NoDependency);
    result(at, &old);
    at.jump(done);
    at.function.place(from_register);
    // What was compared decided that the registers keep their values.
    let kept: Vec<Operand> = expected
        .iter()
        .map(|&value| {
            let dst = at.temporary();
            at.push(Instr::Select { dst, cond: equal, a: value, b: value, on_cond: false });
            Operand::Reg(dst)
        })
        .collect();
    result(at, &kept);
    at.function.place(done);
    Ok(())
}
