//! ARM (32-bit, v7 and the v8 acquire/release forms): registers and instructions (`LITMUS.md` §3.5).
//!
//! Every instruction may be executed under a condition: a choice of the result for moves, a jump for all others.

use super::asm::{Lowering, constant};
use super::flags::{condition, flags};
use super::operand::{Fault, Instruction, Operand as Arg};
use super::registers::{call, jump_through, label, read, reg};
use crate::program::{BinOp, Half, Instr, Join, Operand, UnOp};

/// Instruction names.
pub const MNEMONICS: &[&str] = &[
    "ldr", "ldrb", "ldrh", "ldrsb", "ldrsh", "str", "strb", "strh", "ldrex", "ldrexb", "ldrexh", "strex", "strexb",
    "strexh", "lda", "ldab", "ldah", "stl", "stlb", "stlh", "ldaex", "ldaexb", "ldaexh", "stlex", "stlexb", "stlexh",
    "mov", "movw", "movt", "mvn", "add", "adds", "sub", "subs", "rsb", "and", "ands", "eor", "eors", "orr", "orrs",
    "bic", "bics", "lsl", "lsls", "lsr", "lsrs", "asr", "asrs", "mul", "muls", "cmp", "cmn", "tst", "teq", "b", "bl",
    "bx", "blx", "dmb", "dsb", "isb", "nop", "cbz", "cbnz", "ldrd", "strd", "ldm", "ldmia", "ldmib", "ldmda", "ldmdb",
    "stm", "stmia", "stmib", "stmda", "stmdb", "push", "pop", "clrex", "xor",
];

/// Instructions that make or use code addresses.
pub const CODE: &[&str] = &["bl", "bx", "blx"];

/// The canonical name of a register.
pub fn canonical_register(name: &str) -> Option<String> {
    let upper = name.to_ascii_uppercase();
    let number = match upper.as_str() {
        "FP" => 11,
        "IP" => 12,
        "SP" => 13,
        "LR" => 14,
        "PC" => 15,
        _ => upper.strip_prefix('R')?.parse::<u8>().ok().filter(|n| *n <= 15)?,
    };
    Some(format!("R{number}"))
}

fn flexible(at: &mut Lowering, args: &[Arg]) -> Result<Operand, Fault> {
    let value = match args.first() {
        Some(&Arg::Immediate(k)) => constant(k & 0xffff_ffff),
        other => read(at, other)?,
    };
    match args.get(1..).unwrap_or_default() {
        [] => Ok(value),
        [Arg::Modifier(kind, Some(amount @ 0..32))] => {
            let op = match kind.as_str() {
                "LSL" => BinOp::Shl,
                "LSR" => BinOp::LShr,
                "ASR" => BinOp::AShr,
                _ => return Err(Fault::Operands(format!("`{kind}` is not a shift"))),
            };
            Ok(at.bin(op, 32, value, constant(*amount)))
        }
        _ => Err(Fault::Operands("too many operands".to_owned())),
    }
}

fn address(at: &mut Lowering, args: &[Arg]) -> Result<Operand, Fault> {
    let form = || Fault::form("[Rn]`, `[Rn,#k]`, `[Rn,Rm]`, `[Rn,#k]!` or `[Rn],#k");
    let Some(Arg::Bracket(parts, pre)) = args.first() else { return Err(form()) };
    let base_name = reg(at, parts.first())?;
    let base = at.get(&base_name);
    match (&parts[1..], &args[1..]) {
        ([], []) if !pre => Ok(base),
        ([Arg::Immediate(k)], []) => {
            let address = at.offset(32, base, *k);
            if *pre {
                let address = at.copy(address);
                at.set(&base_name, address);
                return Ok(address);
            }
            Ok(address)
        }
        ([], [Arg::Immediate(k)]) if !pre => {
            let address = at.copy(base);
            let next = at.offset(32, address, *k);
            at.set(&base_name, next);
            Ok(address)
        }
        (index, []) if !pre && !index.is_empty() => {
            let index = flexible(at, index)?;
            Ok(at.bin(BinOp::Add, 32, base, index))
        }
        _ => Err(form()),
    }
}

/// Translates one instruction.
pub fn lower(at: &mut Lowering, instruction: &Instruction) -> Result<(), Fault> {
    let name = instruction.mnemonic.as_str();
    let args = instruction.operands.as_slice();
    if MNEMONICS.contains(&name) {
        return unconditional(at, name, args);
    }
    let stem = name.len().checked_sub(2).and_then(|n| Some((name.get(..n)?, name.get(n..)?)));
    match stem {
        Some((stem, suffix)) if MNEMONICS.contains(&stem) => {
            let cond = condition(at, suffix).ok_or(Fault::Unknown)?;
            conditional(at, stem, args, cond)
        }
        _ => Err(Fault::Unknown),
    }
}

/// An instruction that is skipped when the condition does not hold.
fn conditional(at: &mut Lowering, stem: &str, args: &[Arg], cond: Operand) -> Result<(), Fault> {
    if stem == "mov" {
        let target = reg(at, args.first())?;
        let value = flexible(at, args.get(1..).unwrap_or_default())?;
        let old = at.get(&target);
        let dst = at.register(&target);
        at.push(Instr::Select { dst, cond, a: value, b: old, on_cond: true });
        return Ok(());
    }
    if stem == "b" {
        let target = at.label(label(args, "BNE label")?);
        at.branch(cond, target, Join::Never);
        return Ok(());
    }
    let (run, skip) = (at.function.label(), at.function.label());
    at.branch(cond, run, Join::Never);
    at.jump(skip);
    at.function.place(run);
    unconditional(at, stem, args)?;
    at.function.place(skip);
    Ok(())
}

fn unconditional(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    match name {
        "nop" => Ok(()),
        "isb" => {
            at.fence(&["ISB"]);
            Ok(())
        }
        "dmb" | "dsb" => barrier(at, name, args),
        "b" => {
            let target = at.label(label(args, "B label")?);
            at.jump(target);
            Ok(())
        }
        "bl" => {
            call(at, "R14", label(args, "BL label")?);
            Ok(())
        }
        "bx" | "blx" => {
            let [target] = args else { return Err(Fault::form("BX Rm")) };
            let target = reg(at, Some(target))?;
            jump_through(at, &target, (name == "blx").then_some("R14"), target == "R14");
            Ok(())
        }
        "cmp" | "cmn" | "tst" | "teq" => {
            let left = read(at, args.first())?;
            let right = flexible(at, args.get(1..).unwrap_or_default())?;
            let op = match name {
                "cmp" => BinOp::Sub,
                "cmn" => BinOp::Add,
                "tst" => BinOp::And,
                _ => BinOp::Xor,
            };
            let value = at.bin(op, 32, left, right);
            flags(at, op, 32, left, right, value);
            Ok(())
        }
        "movw" | "movt" => half_word(at, name, args),
        "mov" | "mvn" => {
            let target = reg(at, args.first())?;
            let mut value = flexible(at, args.get(1..).unwrap_or_default())?;
            if name == "mvn" {
                value = at.un(UnOp::Not, 32, value);
            }
            at.set(&target, value);
            Ok(())
        }
        "clrex" => {
            at.clear_reservation();
            Ok(())
        }
        "cbz" | "cbnz" => {
            let [_, Arg::Name(target)] = args else { return Err(Fault::form("CBZ Rn,label")) };
            let value = read(at, args.first())?;
            let op = if name == "cbz" { BinOp::Eq } else { BinOp::Ne };
            let cond = at.bin(op, 32, value, constant(0));
            let target = at.label(target);
            at.branch(cond, target, Join::Never);
            Ok(())
        }
        "ldrd" | "strd" => double(at, name, args),
        _ => match multiple(at, name, args).or_else(|| access(at, name, args)) {
            Some(done) => done,
            None => arithmetic(at, name, args),
        },
    }
}

/// `LDRD R2,R3,[R1]`, also without the second register, which is the next one: two accesses of a word.
fn double(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let form = || Fault::form("LDRD Rd,Rd2,[Rn]");
    let first = reg(at, args.first())?;
    let (second, rest) = match args {
        [_, second @ Arg::Name(_), rest @ ..] => (reg(at, Some(second))?, rest),
        [_, rest @ ..] => (next_register(&first).ok_or_else(form)?, rest),
        [] => return Err(form()),
    };
    let low = address(at, rest)?;
    transfer(at, name == "ldrd", low, &[first, second]);
    Ok(())
}

fn next_register(name: &str) -> Option<String> {
    canonical_register(&format!("R{}", name.strip_prefix('R')?.parse::<u8>().ok()? + 1))
}

/// Words side by side, unordered among themselves. All addresses and values are those before the instruction.
fn transfer(at: &mut Lowering, is_load: bool, low: Operand, registers: &[String]) {
    let low = at.copy(low);
    let mut loaded = Vec::new();
    for (i, register) in registers.iter().enumerate() {
        let place = at.offset(32, low, 4 * i as i64);
        if is_load {
            loaded.push(at.load(place, 4, &[], Half::None));
        } else {
            let value = at.get(register);
            at.store(place, value, 4, &[], Half::None);
        }
    }
    for (register, value) in registers.iter().zip(loaded) {
        at.set(register, value);
    }
}

/// `LDM Rn{!},{…}`, `STM`, with the address going up or down, before or after; `PUSH` and `POP` are those of the stack. The
/// lowest register is at the lowest address.
fn multiple(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    let (is_load, mode) = match name {
        "push" => (false, "db"),
        "pop" => (true, "ia"),
        _ => (name.starts_with("ldm"), name.strip_prefix("ldm").or_else(|| name.strip_prefix("stm"))?),
    };
    let mut lower = || {
        let (base, update, list) = match args {
            [Arg::List(list)] if matches!(name, "push" | "pop") => ("R13".to_owned(), true, list),
            [Arg::Bracket(base, true), Arg::List(list)] => (reg(at, base.first())?, true, list),
            [base @ Arg::Name(_), Arg::List(list)] => (reg(at, Some(base))?, false, list),
            _ => return Err(Fault::form("LDM Rn,{R1,R2}` or `PUSH {R4,LR}")),
        };
        let mut numbers = Vec::new();
        for (first, last) in list {
            let number = |at: &mut Lowering, arg| -> Result<u8, Fault> {
                let name = reg(at, Some(arg))?;
                let number = name.strip_prefix('R').and_then(|n| n.parse().ok());
                number.ok_or_else(|| Fault::Operands(format!("`{name}` has no number")))
            };
            numbers.extend(number(at, first)?..=number(at, last)?);
        }
        numbers.sort_unstable();
        numbers.dedup();
        if is_load && numbers.contains(&15) {
            return Err(Fault::Unsupported(format!("`{name}` of PC is a jump, which is not supported")));
        }
        let registers: Vec<String> = numbers.iter().map(|n| format!("R{n}")).collect();
        let bytes = 4 * registers.len() as i64;
        let old = at.get(&base);
        let old = at.copy(old);
        let down = mode.starts_with('d');
        let low = match mode {
            "ib" => 4,
            "db" => -bytes,
            "da" => 4 - bytes,
            _ => 0,
        };
        let low = at.offset(32, old, low);
        let after = at.offset(32, old, if down { -bytes } else { bytes });
        transfer(at, is_load, low, &registers);
        // A base that is loaded keeps what was loaded.
        if update && !(is_load && registers.contains(&base)) {
            at.set(&base, after);
        }
        Ok(())
    };
    Some(lower())
}

/// `MOVW` sets the lower half and clears the upper one; `MOVT` sets the upper half only.
fn half_word(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let [_, Arg::Immediate(k @ 0..0x1_0000)] = args else { return Err(Fault::form("MOVW Rd,#k")) };
    let target = reg(at, args.first())?;
    let value = if name == "movw" {
        constant(*k)
    } else {
        let old = at.get(&target);
        let low = at.bin(BinOp::And, 32, old, constant(0xffff));
        at.bin(BinOp::Or, 32, low, constant(k << 16))
    };
    at.set(&target, value);
    Ok(())
}

fn barrier(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let upper = name.to_ascii_uppercase();
    let tag = match args {
        [] => upper,
        [Arg::Name(option)] => match option.to_ascii_uppercase().as_str() {
            "SY" => upper,
            option @ ("ISH" | "ST" | "ISHST" | "OSH" | "OSHST" | "NSH" | "NSHST") => format!("{upper}.{option}"),
            option => return Err(Fault::Operands(format!("`{option}` is not a barrier domain"))),
        },
        _ => return Err(Fault::form("DMB")),
    };
    at.fence(&[&tag]);
    Ok(())
}

fn access(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    let (stem, size) = match name {
        "ldrsb" | "ldrsh" => (&name[..3], if name.ends_with('b') { 1 } else { 2 }),
        _ => match name.strip_suffix(['b', 'h']) {
            Some(stem) => (stem, if name.ends_with('b') { 1 } else { 2 }),
            None => (name, 4),
        },
    };
    let (is_load, tags, exclusive): (bool, &[&str], bool) = match stem {
        "ldr" => (true, &[], false),
        "lda" => (true, &["A"], false),
        "ldrex" => (true, &["EX"], true),
        "ldaex" => (true, &["EX", "A"], true),
        "str" => (false, &[], false),
        "stl" => (false, &["L"], false),
        "strex" => (false, &["EX"], true),
        "stlex" => (false, &["EX", "L"], true),
        _ => return None,
    };
    let mut lower = || {
        let first = reg(at, args.first())?;
        if is_load {
            let address = address(at, args.get(1..).unwrap_or_default())?;
            if exclusive {
                at.reserve(address, size);
            }
            let mut value = at.load(address, size, tags, if exclusive { Half::ExRead } else { Half::None });
            if name.starts_with("ldrs") {
                value = at.un(UnOp::Sext, size * 8, value);
                value = at.un(UnOp::Trunc, 32, value);
            }
            at.set(&first, value);
            return Ok(());
        }
        if !exclusive {
            let value = at.get(&first);
            let address = address(at, args.get(1..).unwrap_or_default())?;
            at.store(address, value, size, tags, Half::None);
            return Ok(());
        }
        // The status depends on the data and on the address, not on the write.
        let source = reg(at, args.get(1))?;
        let value = at.get(&source);
        let address = address(at, args.get(2..).unwrap_or_default())?;
        let zero = at.zero_from(&[value, address]);
        at.store_exclusive(address, &[value], size, tags, |at, success| {
            let status = at.bin(BinOp::Or, 32, zero, constant(i64::from(!success)));
            at.set(&first, status);
        });
        Ok(())
    };
    Some(lower())
}

fn arithmetic(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let (stem, set_flags) = match name.strip_suffix('s') {
        Some(stem) => (stem, true),
        None => (name, false),
    };
    let op = match stem {
        "add" => BinOp::Add,
        "sub" | "rsb" => BinOp::Sub,
        "and" => BinOp::And,
        "eor" | "xor" => BinOp::Xor,
        "orr" => BinOp::Or,
        "bic" => BinOp::AndNot,
        "lsl" => BinOp::Shl,
        "lsr" => BinOp::LShr,
        "asr" => BinOp::AShr,
        "mul" => BinOp::Mul,
        _ => return Err(Fault::Unknown),
    };
    let target = reg(at, args.first())?;
    let mut left = read(at, args.get(1))?;
    let mut right = flexible(at, args.get(2..).unwrap_or_default())?;
    if stem == "rsb" {
        std::mem::swap(&mut left, &mut right);
    }
    let value = at.bin(op, 32, left, right);
    if set_flags {
        flags(at, op, 32, left, right, value);
    }
    at.set(&target, value);
    Ok(())
}
