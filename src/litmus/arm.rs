//! ARM (32-bit, v7 and the v8 acquire/release forms): registers and instructions (`LITMUS.md` §3.5).
//!
//! Conditional execution is there for `EQ` and `NE`, as a choice of the result for moves and as a jump for accesses.

use super::asm::{Lowering, constant};
use super::operand::{Fault, Instruction, Operand as Arg};
use crate::program::{BinOp, Half, Instr, Join, Operand, UnOp};

/// Instruction names.
pub const MNEMONICS: &[&str] = &[
    "ldr", "ldrb", "ldrh", "str", "strb", "strh", "ldrex", "strex", "lda", "stl", "ldaex", "stlex", "mov", "mvn",
    "add", "adds", "sub", "subs", "and", "ands", "eor", "eors", "orr", "orrs", "bic", "lsl", "lsr", "asr", "mul",
    "cmp", "tst", "b", "beq", "bne", "dmb", "dsb", "isb", "nop", "moveq", "movne", "ldreq", "ldrne", "streq", "strne",
];

/// The canonical name of a register.
pub fn canonical_register(name: &str) -> Option<String> {
    let upper = name.to_ascii_uppercase();
    let number = match upper.as_str() {
        "SP" => 13,
        "LR" => 14,
        "PC" => 15,
        _ => upper.strip_prefix('R')?.parse::<u8>().ok().filter(|n| *n <= 15)?,
    };
    Some(format!("R{number}"))
}

fn reg(arg: Option<&Arg>) -> Result<String, Fault> {
    match arg {
        Some(Arg::Name(name)) if name.starts_with('%') => Ok(name.clone()),
        Some(Arg::Name(name)) => {
            canonical_register(name).ok_or_else(|| Fault::Operands(format!("`{name}` is not a register")))
        }
        _ => Err(Fault::Operands("expected a register".to_owned())),
    }
}

fn flexible(at: &mut Lowering, args: &[Arg]) -> Result<Operand, Fault> {
    let value = match args.first() {
        Some(&Arg::Immediate(k)) => constant(k & 0xffff_ffff),
        other => at.get(&reg(other)?),
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
    let base_name = reg(parts.first())?;
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
    for (suffix, taken) in [("eq", BinOp::Ne), ("ne", BinOp::Eq)] {
        if let Some(stem @ ("mov" | "ldr" | "str" | "add" | "sub" | "eor" | "and" | "orr")) = name.strip_suffix(suffix)
        {
            return conditional(at, stem, args, taken);
        }
    }
    unconditional(at, name, args)
}

/// An instruction that is skipped when flag Z (compared with zero by `skip`, inverted) says so.
fn conditional(at: &mut Lowering, stem: &str, args: &[Arg], keep: BinOp) -> Result<(), Fault> {
    let zero = at.get("?Z");
    let cond = at.bin(keep, 32, zero, constant(0));
    if stem == "mov" {
        let target = reg(args.first())?;
        let value = flexible(at, args.get(1..).unwrap_or_default())?;
        let old = at.get(&target);
        let dst = at.register(&target);
        at.push(Instr::Select { dst, cond, a: value, b: old, on_cond: true });
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
        "b" | "beq" | "bne" => branch(at, name, args),
        "cmp" | "tst" => {
            let left = at.get(&reg(args.first())?);
            let right = flexible(at, args.get(1..).unwrap_or_default())?;
            let value = at.bin(if name == "cmp" { BinOp::Sub } else { BinOp::And }, 32, left, right);
            set_zero(at, value);
            Ok(())
        }
        "mov" | "mvn" => {
            let target = reg(args.first())?;
            let mut value = flexible(at, args.get(1..).unwrap_or_default())?;
            if name == "mvn" {
                value = at.un(UnOp::Not, 32, value);
            }
            at.set(&target, value);
            Ok(())
        }
        _ => match access(at, name, args) {
            Some(done) => done,
            None => arithmetic(at, name, args),
        },
    }
}

fn set_zero(at: &mut Lowering, value: Operand) {
    let zero = at.bin(BinOp::Eq, 32, value, constant(0));
    at.set("?Z", zero);
}

fn barrier(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let upper = name.to_ascii_uppercase();
    let tag = match args {
        [] => upper,
        [Arg::Name(option)] => match option.to_ascii_uppercase().as_str() {
            "SY" => upper,
            option @ ("ISH" | "ST" | "ISHST") => format!("{upper}.{option}"),
            option => return Err(Fault::Operands(format!("`{option}` is not a barrier domain"))),
        },
        _ => return Err(Fault::form("DMB")),
    };
    at.fence(&[&tag]);
    Ok(())
}

fn branch(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let [Arg::Name(label)] = args else { return Err(Fault::form("BNE label")) };
    let label = at.label(label);
    if name == "b" {
        at.jump(label);
        return Ok(());
    }
    let zero = at.get("?Z");
    let op = if name == "beq" { BinOp::Ne } else { BinOp::Eq };
    let cond = at.bin(op, 32, zero, constant(0));
    at.branch(cond, label, Join::Never);
    Ok(())
}

fn access(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    let (is_load, tags, exclusive, size): (bool, &[&str], bool, u8) = match name {
        "ldr" => (true, &[], false, 4),
        "ldrb" => (true, &[], false, 1),
        "ldrh" => (true, &[], false, 2),
        "lda" => (true, &["A"], false, 4),
        "ldrex" => (true, &["EX"], true, 4),
        "ldaex" => (true, &["EX", "A"], true, 4),
        "str" => (false, &[], false, 4),
        "strb" => (false, &[], false, 1),
        "strh" => (false, &[], false, 2),
        "stl" => (false, &["L"], false, 4),
        "strex" => (false, &["EX"], true, 4),
        "stlex" => (false, &["EX", "L"], true, 4),
        _ => return None,
    };
    let mut lower = || {
        let first = reg(args.first())?;
        if is_load {
            let address = address(at, args.get(1..).unwrap_or_default())?;
            if exclusive {
                at.reserve(address, size);
            }
            let value = at.load(address, size, tags, if exclusive { Half::ExRead } else { Half::None });
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
        let source = reg(args.get(1))?;
        let value = at.get(&source);
        let address = address(at, args.get(2..).unwrap_or_default())?;
        let zero = at.zero_from(&[value, address]);
        at.store_exclusive(address, value, size, tags, |at, success| {
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
        "sub" => BinOp::Sub,
        "and" => BinOp::And,
        "eor" => BinOp::Xor,
        "orr" => BinOp::Or,
        "bic" => BinOp::AndNot,
        "lsl" => BinOp::Shl,
        "lsr" => BinOp::LShr,
        "asr" => BinOp::AShr,
        "mul" => BinOp::Mul,
        _ => return Err(Fault::Unknown),
    };
    let target = reg(args.first())?;
    let left = at.get(&reg(args.get(1))?);
    let right = flexible(at, args.get(2..).unwrap_or_default())?;
    let value = at.bin(op, 32, left, right);
    if set_flags {
        set_zero(at, value);
    }
    at.set(&target, value);
    Ok(())
}
