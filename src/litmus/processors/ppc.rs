//! Power: registers and instructions (`LITMUS.md` §3.2).
//!
//! A condition-register field is a 4-bit value: less 8, greater 4, equal 2. Jumps through `lr` and `ctr` go to labels and behind calls.

use super::asm::{Lowering, constant};
use super::operand::{Fault, Instruction, Operand as Arg};
use super::ppc_conditions::conditions;
use super::registers::{call, jump_through, label, read, reg};
use crate::program::{BinOp, Half, Join, Operand, UnOp};

/// Instruction names.
pub const MNEMONICS: &[&str] = &[
    "lwz", "lwzx", "lwzu", "lbz", "lbzx", "lhz", "lhzx", "ld", "ldx", "ldu", "lwa", "lwax", "stw", "stwx", "stwu",
    "stb", "stbx", "sth", "sthx", "std", "stdx", "stdu", "lwarx", "ldarx", "stwcx.", "stdcx.", "li", "lis", "mr",
    "addi", "addis", "add", "add.", "sub", "subf", "or", "or.", "ori", "and", "and.", "andi.", "xor", "xor.", "xori",
    "mullw", "neg", "nor", "slw", "srw", "sraw", "sld", "srd", "extsw", "clrldi", "cmpw", "cmpwi", "cmplw", "cmplwi",
    "cmpd", "cmpdi", "b", "beq", "bne", "blt", "ble", "bgt", "bge", "sync", "hwsync", "lwsync", "eieio", "isync",
    "nop", "lwzux", "lbzu", "lbzux", "lhzu", "lhzux", "lha", "lhax", "lhau", "ldux", "lwaux", "stwux", "stbu", "stbux",
    "sthu", "sthux", "stdux", "lbarx", "lharx", "stbcx.", "sthcx.", "subi", "not", "extsb", "extsh", "slwi", "srwi",
    "sldi", "srdi", "rlwinm", "rlwimi", "srawi", "isel", "mfcr", "nand", "eqv", "andc", "mulli", "mulld", "cmpld",
    "cmpldi", "bnl", "bng", "bdnz", "bl", "blr", "blrl", "bctr", "bctrl", "mtlr", "mflr", "mtctr", "mfctr", "sradi",
    "mfocrf", "mtcrf", "mtocrf", "crmove", "crnot", "crclr", "crset", "crand", "cror", "crxor", "crnand", "crnor",
    "creqv", "crandc", "crorc",
];

/// Instructions that make or use code addresses.
pub const CODE: &[&str] = &["bl", "blr", "blrl", "bctr", "bctrl", "mtlr", "mtctr"];

/// The canonical name of a register.
pub fn canonical_register(name: &str) -> Option<String> {
    let number =
        |prefix: &str, limit: u8| name.strip_prefix(prefix).and_then(|n| n.parse::<u8>().ok()).filter(|n| *n < limit);
    if let Some(n) = number("r", 32) {
        return Some(format!("r{n}"));
    }
    number("cr", 8).map(|n| format!("cr{n}")).or_else(|| matches!(name, "lr" | "ctr").then(|| name.to_owned()))
}

/// A register used as the first of two bases, or of a sum with a constant: `r0` there is the constant zero.
pub(super) fn base(at: &mut Lowering, arg: Option<&Arg>) -> Result<(String, Operand), Fault> {
    match arg {
        Some(Arg::Immediate(0)) => Ok(("r0".to_owned(), constant(0))),
        other => {
            let name = reg(at, other)?;
            let value = if name == "r0" { constant(0) } else { at.get(&name) };
            Ok((name, value))
        }
    }
}

/// The base of `k(ra)`: a register, `r0` as well, which the manual takes for zero there and the reference tool reads. No test has
/// an address that is a constant.
fn displaced(at: &mut Lowering, arg: Option<&Arg>) -> Result<(String, Operand), Fault> {
    match arg {
        Some(Arg::Immediate(_)) => base(at, arg),
        other => {
            let name = reg(at, other)?;
            let value = at.get(&name);
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
            let (name, value) = displaced(at, inner.first())?;
            Ok((name, at.offset(64, value, offset)))
        }
        [Arg::Immediate(offset), a @ Arg::Name(_)] if !indexed => {
            let (name, value) = displaced(at, Some(a))?;
            Ok((name, at.offset(64, value, *offset)))
        }
        [a, b] if indexed => {
            let (name, value) = base(at, Some(a))?;
            let index = read(at, Some(b))?;
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
        "b" | "beq" | "bne" | "blt" | "ble" | "bgt" | "bge" | "bnl" | "bng" => branch(at, name, args),
        "bl" => {
            call(at, "lr", label(args, "bl label")?);
            Ok(())
        }
        "blr" | "blrl" | "bctr" | "bctrl" => {
            let target = if name.starts_with("blr") { "lr" } else { "ctr" };
            jump_through(at, target, name.ends_with("rl").then_some("lr"), name == "blr");
            Ok(())
        }
        "bdnz" => {
            let count = at.get("ctr");
            let count = at.bin(BinOp::Sub, 64, count, constant(1));
            at.set("ctr", count);
            let label = at.label(label(args, "bdnz label")?);
            let cond = at.bin(BinOp::Ne, 64, count, constant(0));
            at.branch(cond, label, Join::Never);
            Ok(())
        }
        "mtlr" | "mtctr" => {
            let value = read(at, args.first())?;
            at.set(&name[2..], value);
            Ok(())
        }
        "mflr" | "mfctr" => {
            let target = reg(at, args.first())?;
            let value = at.get(&name[2..]);
            at.set(&target, value);
            Ok(())
        }
        "cmpw" | "cmpwi" | "cmplw" | "cmplwi" | "cmpd" | "cmpdi" | "cmpld" | "cmpldi" => compare(at, name, args),
        _ => match access(at, name, args) {
            Some(done) => done,
            None => conditions(at, name, args).unwrap_or_else(|| arithmetic(at, name, args)),
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
        "lbarx" => Some((1, true)),
        "lharx" => Some((2, true)),
        "stbcx." => Some((1, false)),
        "sthcx." => Some((2, false)),
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
        "lha" => (2, true, true),
        "lwa" => (4, true, true),
        "ld" => (8, true, false),
        "stb" => (1, false, false),
        "sth" => (2, false, false),
        "stw" => (4, false, false),
        "std" => (8, false, false),
        _ => return None,
    };
    let mut lower = || {
        let register = reg(at, args.first())?;
        let stored = at.get(&register);
        let (base, address) = address(at, args.get(1..).unwrap_or_default(), indexed)?;
        if update {
            let address = at.copy(address);
            at.set(&base, address);
        }
        if is_load {
            let mut value = at.load(address, size, &[], Half::None);
            if signed {
                value = at.un(UnOp::Sext, size * 8, value);
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
    let register = reg(at, args.first())?;
    let (_, address) = address(at, args.get(1..).unwrap_or_default(), true)?;
    if is_load {
        at.reserve(address, size);
        let value = at.load(address, size, &["EX"], Half::ExRead);
        at.set(&register, value);
        return Ok(());
    }
    let value = at.get(&register);
    let zero = at.zero_from(&[value, address]);
    at.store_exclusive(address, &[value], size, &["EX"], |at, success| {
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
    let a = read(at, Some(a))?;
    let b = match b {
        Arg::Immediate(k) => constant(*k),
        other => read(at, Some(other))?,
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
        "bge" | "bnl" => (8, false),
        "bgt" => (4, true),
        "ble" | "bng" => (4, false),
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
    let value = match stem {
        "li" | "lis" => match args {
            [_, Arg::Immediate(k)] => constant(if stem == "li" { *k } else { k.wrapping_shl(16) }),
            _ => return Err(Fault::form("li rd,k")),
        },
        "mr" => read(at, args.get(1))?,
        "neg" | "not" | "extsb" | "extsh" | "extsw" => {
            let source = read(at, args.get(1))?;
            match stem {
                "neg" => at.un(UnOp::Neg, 64, source),
                "not" => at.un(UnOp::Not, 64, source),
                "extsb" => at.un(UnOp::Sext, 8, source),
                "extsh" => at.un(UnOp::Sext, 16, source),
                _ => at.un(UnOp::Sext, 32, source),
            }
        }
        "slwi" | "srwi" | "sldi" | "srdi" => {
            let source = read(at, args.get(1))?;
            let bits: u8 = if stem.ends_with("wi") { 32 } else { 64 };
            let Some(&Arg::Immediate(k)) = args.get(2).filter(|k| matches!(k, Arg::Immediate(0..64))) else {
                return Err(Fault::form("slwi rd,ra,k"));
            };
            at.bin(if stem.starts_with("sl") { BinOp::Shl } else { BinOp::LShr }, bits, source, constant(k))
        }
        "rlwinm" | "rlwimi" => return rotate_and_mask(at, stem, args, record),
        "srawi" => {
            let source = read(at, args.get(1))?;
            let Some(&Arg::Immediate(k @ 0..32)) = args.get(2) else { return Err(Fault::form("srawi rd,ra,k")) };
            let value = at.bin(BinOp::AShr, 32, source, constant(k));
            at.un(UnOp::Sext, 32, value)
        }
        "sradi" => {
            let source = read(at, args.get(1))?;
            let Some(&Arg::Immediate(k @ 0..64)) = args.get(2) else { return Err(Fault::form("sradi rd,ra,k")) };
            at.bin(BinOp::AShr, 64, source, constant(k))
        }
        "addi" | "addis" | "subi" => {
            let (_, a) = base(at, args.get(1))?;
            let Some(&Arg::Immediate(k)) = args.get(2) else { return Err(Fault::form("addi rd,ra,k")) };
            let k = if stem == "subi" { k.wrapping_neg() } else { k };
            let k = if stem == "addis" { k.wrapping_shl(16) } else { k };
            at.bin(BinOp::Add, 64, a, constant(k))
        }
        "clrldi" => {
            let source = read(at, args.get(1))?;
            let Some(&Arg::Immediate(k @ 0..64)) = args.get(2) else { return Err(Fault::form("clrldi rd,ra,k")) };
            at.bin(BinOp::And, 64, source, Operand::Const(u64::MAX >> k))
        }
        _ => binary(at, stem, args)?,
    };
    if args.len() > 3 {
        return Err(Fault::Operands("too many operands".to_owned()));
    }
    finish(at, args, value, record)
}

/// Sets the target, and the first field of the condition register when the instruction says so.
fn finish(at: &mut Lowering, args: &[Arg], value: Operand, record: bool) -> Result<(), Fault> {
    if record {
        let field = ordering(at, 64, true, value, constant(0));
        at.set("cr0", field);
    }
    let target = reg(at, args.first())?;
    at.set(&target, value);
    Ok(())
}

/// `rlwinm rd,rs,shift,first,last`: rotates 32 bits to the left and keeps bits `first` to `last`, counted from the left. `rlwimi`
/// puts these bits into `rd`, whose others stay. The rotated word stands in both halves, and a mask that wraps around covers the
/// upper half.
fn rotate_and_mask(at: &mut Lowering, stem: &str, args: &[Arg], record: bool) -> Result<(), Fault> {
    let [_, source, Arg::Immediate(shift @ 0..32), Arg::Immediate(first @ 0..32), Arg::Immediate(last @ 0..32)] = args
    else {
        return Err(Fault::form("rlwinm rd,rs,shift,first,last"));
    };
    let source = read(at, Some(source))?;
    let left = at.bin(BinOp::Shl, 32, source, constant(*shift));
    let right = at.bin(BinOp::LShr, 32, source, constant((32 - shift) % 32));
    let rotated = if *shift == 0 { left } else { at.bin(BinOp::Or, 32, left, right) };
    let from = |bit: i64| 0xffff_ffff_u64 >> bit;
    let up_to = |bit: i64| u64::MAX << (31 - bit);
    let wraps = first > last;
    let mask = if wraps { !0xffff_ffff | from(*first) | up_to(*last) } else { from(*first) & up_to(*last) };
    let rotated = if wraps {
        let upper = at.bin(BinOp::Shl, 64, rotated, constant(32));
        at.bin(BinOp::Or, 64, upper, rotated)
    } else {
        rotated
    };
    let mut value = at.bin(BinOp::And, 64, rotated, Operand::Const(mask));
    if stem == "rlwimi" {
        let old = read(at, args.first())?;
        let kept = at.bin(BinOp::And, 64, old, Operand::Const(!mask));
        value = at.bin(BinOp::Or, 64, kept, value);
    }
    finish(at, args, value, record)
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
        "nand" => (BinOp::And, 64, false),
        "eqv" => (BinOp::Xor, 64, false),
        "andc" => (BinOp::AndNot, 64, false),
        "mullw" | "mulld" => (BinOp::Mul, 64, false),
        "mulli" => (BinOp::Mul, 64, true),
        "slw" => (BinOp::Shl, 32, false),
        "srw" => (BinOp::LShr, 32, false),
        "sraw" => (BinOp::AShr, 32, false),
        "sld" => (BinOp::Shl, 64, false),
        "srd" => (BinOp::LShr, 64, false),
        _ => return Err(Fault::Unknown),
    };
    let mut a = read(at, args.get(1))?;
    let mut b = match args.get(2) {
        Some(&Arg::Immediate(k)) if immediate => constant(k),
        other if !immediate => read(at, other)?,
        _ => return Err(Fault::form("ori rd,ra,k")),
    };
    if stem == "subf" {
        std::mem::swap(&mut a, &mut b);
    }
    match stem {
        // The product of the low words, with their signs.
        "mullw" => [a, b] = [a, b].map(|word| at.un(UnOp::Sext, 32, word)),
        // The amount has one bit more than it needs.
        "slw" | "srw" | "sraw" => b = at.bin(BinOp::And, 64, b, constant(63)),
        "sld" | "srd" => b = at.bin(BinOp::And, 64, b, constant(127)),
        _ => {}
    }
    let value = at.bin(op, bits, a, b);
    Ok(match stem {
        "nor" | "nand" | "eqv" => at.un(UnOp::Not, 64, value),
        "sraw" => at.un(UnOp::Sext, 32, value),
        _ => value,
    })
}
