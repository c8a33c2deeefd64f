//! Power: registers and instructions (`LITMUS.md` §3.2).
//!
//! A condition-register field is a 4-bit value: less 8, greater 4, equal 2. Not here: jumps through `lr` and `ctr`.

use super::asm::{Lowering, constant};
use super::operand::{Fault, Instruction, Operand as Arg};
use crate::program::{BinOp, Half, Join, Operand, UnOp};

/// Instruction names.
pub const MNEMONICS: &[&str] = &[
    "lwz", "lwzx", "lwzu", "lbz", "lbzx", "lhz", "lhzx", "ld", "ldx", "ldu", "lwa", "lwax", "stw", "stwx", "stwu",
    "stb", "stbx", "sth", "sthx", "std", "stdx", "stdu", "lwarx", "ldarx", "stwcx.", "stdcx.", "li", "lis", "mr",
    "addi", "addis", "add", "add.", "sub", "subf", "or", "or.", "ori", "and", "and.", "andi.", "xor", "xor.", "xori",
    "mullw", "neg", "nor", "slw", "srw", "sraw", "sld", "srd", "extsw", "clrldi", "cmpw", "cmpwi", "cmplw", "cmplwi",
    "cmpd", "cmpdi", "b", "beq", "bne", "blt", "ble", "bgt", "bge", "sync", "hwsync", "lwsync", "eieio", "isync",
    "nop",
];

/// The canonical name of a register.
pub fn canonical_register(name: &str) -> Option<String> {
    let number =
        |prefix: &str, limit: u8| name.strip_prefix(prefix).and_then(|n| n.parse::<u8>().ok()).filter(|n| *n < limit);
    if let Some(n) = number("r", 32) {
        return Some(format!("r{n}"));
    }
    number("cr", 8).map(|n| format!("cr{n}")).or_else(|| matches!(name, "lr" | "ctr").then(|| name.to_owned()))
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

/// A register used as the first base of an address: `r0` there is the constant zero.
fn base(at: &mut Lowering, arg: Option<&Arg>) -> Result<(String, Operand), Fault> {
    match arg {
        Some(Arg::Immediate(0)) => Ok(("r0".to_owned(), constant(0))),
        other => {
            let name = reg(other)?;
            let value = if name == "r0" { constant(0) } else { at.get(&name) };
            Ok((name, value))
        }
    }
}

/// The address of `k(ra)` (also written `k,ra`) or, for the indexed forms, `ra,rb`; and the name of the base register.
fn address(at: &mut Lowering, args: &[Arg], indexed: bool) -> Result<(String, Operand), Fault> {
    match args {
        [Arg::Based(offset, inner)] if !indexed && inner.len() == 1 => {
            let offset = match offset.as_deref() {
                None => 0,
                Some(Arg::Immediate(k)) => *k,
                Some(_) => return Err(Fault::form("k(ra)")),
            };
            let (name, value) = base(at, inner.first())?;
            Ok((name, at.offset(64, value, offset)))
        }
        [Arg::Immediate(offset), a @ Arg::Name(_)] if !indexed => {
            let (name, value) = base(at, Some(a))?;
            Ok((name, at.offset(64, value, *offset)))
        }
        [a, b] if indexed => {
            let (name, value) = base(at, Some(a))?;
            let index = at.get(&reg(Some(b))?);
            if value == constant(0) {
                return Ok((name, index));
            }
            Ok((name, at.bin(BinOp::Add, 64, value, index)))
        }
        _ if indexed => Err(Fault::form("ra,rb")),
        _ => Err(Fault::form("k(ra)")),
    }
}

/// Translates one instruction.
pub fn lower(at: &mut Lowering, instruction: &Instruction) -> Result<(), Fault> {
    let name = instruction.mnemonic.as_str();
    let args = instruction.operands.as_slice();
    match name {
        "nop" => Ok(()),
        "sync" | "hwsync" => fence(at, &["SYNC", "sync"]),
        "lwsync" => fence(at, &["LWSYNC", "lwsync"]),
        "eieio" => fence(at, &["EIEIO", "eieio"]),
        "isync" => fence(at, &["ISYNC", "isync"]),
        "b" | "beq" | "bne" | "blt" | "ble" | "bgt" | "bge" => branch(at, name, args),
        "cmpw" | "cmpwi" | "cmplw" | "cmplwi" | "cmpd" | "cmpdi" => compare(at, name, args),
        "blr" | "bl" | "bctr" | "mtlr" | "mflr" | "mtctr" => {
            Err(Fault::Unsupported("jumps through registers are not supported".to_owned()))
        }
        _ => match access(at, name, args) {
            Some(done) => done,
            None => arithmetic(at, name, args),
        },
    }
}

/// The tag in lower case is how some model files call the same fence.
fn fence(at: &mut Lowering, tags: &[&str]) -> Result<(), Fault> {
    at.fence(tags);
    Ok(())
}

fn access(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    if let Some((size, is_load)) = match name {
        "lwarx" => Some((4, true)),
        "ldarx" => Some((8, true)),
        "stwcx." => Some((4, false)),
        "stdcx." => Some((8, false)),
        _ => None,
    } {
        return Some(exclusive(at, args, size, is_load));
    }
    let (stem, indexed) = match name.strip_suffix('x') {
        Some(stem) => (stem, true),
        None => (name, false),
    };
    let (stem, update) = match stem.strip_suffix('u') {
        Some(stem) => (stem, true),
        None => (stem, false),
    };
    let (size, is_load, signed) = match stem {
        "lbz" => (1, true, false),
        "lhz" => (2, true, false),
        "lwz" => (4, true, false),
        "lwa" => (4, true, true),
        "ld" => (8, true, false),
        "stb" => (1, false, false),
        "sth" => (2, false, false),
        "stw" => (4, false, false),
        "std" => (8, false, false),
        _ => return None,
    };
    let mut lower = || {
        let register = reg(args.first())?;
        let stored = at.get(&register);
        let (base, address) = address(at, args.get(1..).unwrap_or_default(), indexed)?;
        if update {
            let address = at.copy(address);
            at.set(&base, address);
        }
        if is_load {
            let mut value = at.load(address, size, &[], Half::None);
            if signed {
                value = at.un(UnOp::Sext, 32, value);
            }
            at.set(&register, value);
        } else {
            at.store(address, stored, size, &[], Half::None);
        }
        Ok(())
    };
    Some(lower())
}

/// The outcome of a store-conditional depends on its data and its address, not on the write.
fn exclusive(at: &mut Lowering, args: &[Arg], size: u8, is_load: bool) -> Result<(), Fault> {
    let register = reg(args.first())?;
    let (_, address) = address(at, args.get(1..).unwrap_or_default(), true)?;
    if is_load {
        at.reserve(address, size);
        let value = at.load(address, size, &["EX"], Half::ExRead);
        at.set(&register, value);
        return Ok(());
    }
    let value = at.get(&register);
    let zero = at.zero_from(&[value, address]);
    at.store_exclusive(address, value, size, &["EX"], |at, success| {
        let outcome = at.bin(BinOp::Or, 64, zero, constant(if success { 2 } else { 0 }));
        at.set("cr0", outcome);
    });
    Ok(())
}

/// Less, greater or equal, as a field of the condition register.
fn ordering(at: &mut Lowering, bits: u8, signed: bool, a: Operand, b: Operand) -> Operand {
    let (less, greater) = if signed { (BinOp::SLt, BinOp::SGt) } else { (BinOp::ULt, BinOp::UGt) };
    let mut field = constant(0);
    for (op, weight) in [(less, 3), (greater, 2), (BinOp::Eq, 1)] {
        let bit = at.bin(op, bits, a, b);
        let bit = at.bin(BinOp::Shl, 64, bit, constant(weight));
        field = at.bin(BinOp::Or, 64, field, bit);
    }
    field
}

fn compare(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let (field, rest) = match args {
        [Arg::Name(field), rest @ ..] if rest.len() == 2 => (field.as_str(), rest),
        _ => ("cr0", args),
    };
    if !matches!(canonical_register(field), Some(r) if r.starts_with("cr")) {
        return Err(Fault::Operands(format!("`{field}` is not a condition register")));
    }
    let [a, b] = rest else { return Err(Fault::form("cmpw ra,rb")) };
    let a = at.get(&reg(Some(a))?);
    let b = match b {
        Arg::Immediate(k) => constant(*k),
        other => at.get(&reg(Some(other))?),
    };
    let bits = if name.contains('d') { 64 } else { 32 };
    let value = ordering(at, bits, !name.starts_with("cmpl"), a, b);
    at.set(field, value);
    Ok(())
}

fn branch(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let (field, label) = match args {
        [Arg::Name(label)] => ("cr0", label),
        [Arg::Name(field), Arg::Name(label)] if name != "b" && field.starts_with("cr") => (field.as_str(), label),
        _ => return Err(Fault::form("beq label")),
    };
    let label = at.label(label);
    let (mask, set) = match name {
        "beq" => (2, true),
        "bne" => (2, false),
        "blt" => (8, true),
        "bge" => (8, false),
        "bgt" => (4, true),
        "ble" => (4, false),
        _ => {
            at.jump(label);
            return Ok(());
        }
    };
    let value = at.get(field);
    let masked = at.bin(BinOp::And, 64, value, constant(mask));
    let cond = at.bin(if set { BinOp::Ne } else { BinOp::Eq }, 64, masked, constant(0));
    at.branch(cond, label, Join::Never);
    Ok(())
}

fn arithmetic(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let (stem, record) = match name.strip_suffix('.') {
        Some(stem) => (stem, true),
        None => (name, false),
    };
    let target = || reg(args.first());
    let value = match stem {
        "li" | "lis" => match args {
            [_, Arg::Immediate(k)] => constant(if stem == "li" { *k } else { k.wrapping_shl(16) }),
            _ => return Err(Fault::form("li rd,k")),
        },
        "mr" => at.get(&reg(args.get(1))?),
        "neg" | "extsw" => {
            let source = at.get(&reg(args.get(1))?);
            if stem == "neg" { at.un(UnOp::Neg, 64, source) } else { at.un(UnOp::Sext, 32, source) }
        }
        "addi" | "addis" => {
            let (_, a) = base(at, args.get(1))?;
            let Some(&Arg::Immediate(k)) = args.get(2) else { return Err(Fault::form("addi rd,ra,k")) };
            let k = if stem == "addis" { k.wrapping_shl(16) } else { k };
            at.bin(BinOp::Add, 64, a, constant(k))
        }
        "clrldi" => {
            let source = at.get(&reg(args.get(1))?);
            let Some(&Arg::Immediate(k @ 0..64)) = args.get(2) else { return Err(Fault::form("clrldi rd,ra,k")) };
            at.bin(BinOp::And, 64, source, Operand::Const(u64::MAX >> k))
        }
        _ => binary(at, stem, args)?,
    };
    if args.len() > 3 {
        return Err(Fault::Operands("too many operands".to_owned()));
    }
    if record {
        let field = ordering(at, 64, true, value, constant(0));
        at.set("cr0", field);
    }
    at.set(&target()?, value);
    Ok(())
}

fn binary(at: &mut Lowering, stem: &str, args: &[Arg]) -> Result<Operand, Fault> {
    let (op, bits, immediate) = match stem {
        "add" => (BinOp::Add, 64, false),
        "sub" | "subf" => (BinOp::Sub, 64, false),
        "or" => (BinOp::Or, 64, false),
        "ori" => (BinOp::Or, 64, true),
        "and" => (BinOp::And, 64, false),
        "andi" => (BinOp::And, 64, true),
        "xor" => (BinOp::Xor, 64, false),
        "xori" => (BinOp::Xor, 64, true),
        "nor" => (BinOp::Or, 64, false),
        "mullw" | "mulld" => (BinOp::Mul, 64, false),
        "slw" => (BinOp::Shl, 32, false),
        "srw" => (BinOp::LShr, 32, false),
        "sraw" => (BinOp::AShr, 32, false),
        "sld" => (BinOp::Shl, 64, false),
        "srd" => (BinOp::LShr, 64, false),
        _ => return Err(Fault::Unknown),
    };
    let mut a = at.get(&reg(args.get(1))?);
    let mut b = match args.get(2) {
        Some(&Arg::Immediate(k)) if immediate => constant(k),
        other if !immediate => at.get(&reg(other)?),
        _ => return Err(Fault::form("ori rd,ra,k")),
    };
    if stem == "subf" {
        std::mem::swap(&mut a, &mut b);
    }
    let value = at.bin(op, bits, a, b);
    Ok(match stem {
        "nor" => at.un(UnOp::Not, 64, value),
        "sraw" => at.un(UnOp::Sext, 32, value),
        _ => value,
    })
}
