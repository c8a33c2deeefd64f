//! RISC-V: registers and instructions (`LITMUS.md` §3.3).
//!
//! An AMO is one event that reads and writes. The result of a successful store-conditional depends on its write and its
//! address. Acquire and release marks are also taken on plain loads and stores, as the reference does.

use super::asm::{Lowering, constant};
use super::operand::{Fault, Instruction, Operand as Arg};
use crate::program::{BinOp, Half, Instr, Join, Operand, UnOp};

/// Instruction names, without the marks `.aq` and `.rl`.
pub const MNEMONICS: &[&str] = &[
    "lb",
    "lbu",
    "lh",
    "lhu",
    "lw",
    "lwu",
    "ld",
    "sb",
    "sh",
    "sw",
    "sd",
    "lr.w",
    "lr.d",
    "sc.w",
    "sc.d",
    "amoswap.w",
    "amoadd.w",
    "amoand.w",
    "amoor.w",
    "amoxor.w",
    "amomin.w",
    "amomax.w",
    "amominu.w",
    "amomaxu.w",
    "amoswap.d",
    "amoadd.d",
    "amoand.d",
    "amoor.d",
    "amoxor.d",
    "amomin.d",
    "amomax.d",
    "amominu.d",
    "amomaxu.d",
    "li",
    "lui",
    "mv",
    "ori",
    "andi",
    "xori",
    "addi",
    "addiw",
    "slti",
    "sltiu",
    "slli",
    "srli",
    "srai",
    "or",
    "and",
    "xor",
    "add",
    "addw",
    "sub",
    "subw",
    "sll",
    "srl",
    "sra",
    "slt",
    "sltu",
    "mul",
    "neg",
    "not",
    "beq",
    "bne",
    "blt",
    "bge",
    "bltu",
    "bgeu",
    "beqz",
    "bnez",
    "j",
    "nop",
    "fence",
    "fence.tso",
    "fence.i",
];

/// The canonical name of a register, which may be given by its role.
pub fn canonical_register(name: &str) -> Option<String> {
    let numbered =
        |prefix: &str, limit: u8| name.strip_prefix(prefix).and_then(|n| n.parse::<u8>().ok()).filter(|n| *n < limit);
    let number = match name {
        "zero" => 0,
        "ra" => 1,
        "sp" => 2,
        "gp" => 3,
        "tp" => 4,
        "fp" => 8,
        _ => {
            if let Some(n) = numbered("x", 32) {
                n
            } else if let Some(n) = numbered("t", 7) {
                if n < 3 { 5 + n } else { 25 + n }
            } else if let Some(n) = numbered("s", 12) {
                if n < 2 { 8 + n } else { 16 + n }
            } else {
                10 + numbered("a", 8)?
            }
        }
    };
    Some(format!("x{number}"))
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

fn read(at: &mut Lowering, arg: Option<&Arg>) -> Result<Operand, Fault> {
    let name = reg(arg)?;
    Ok(if name == "x0" { constant(0) } else { at.get(&name) })
}

fn write(at: &mut Lowering, name: &str, value: Operand) {
    if name != "x0" {
        at.set(name, value);
    }
}

/// `k(rs)`.
fn address(at: &mut Lowering, args: &[Arg]) -> Result<Operand, Fault> {
    match args {
        [Arg::Based(offset, inner)] if inner.len() == 1 => {
            let offset = match offset.as_deref() {
                None => 0,
                Some(Arg::Immediate(k)) => *k,
                Some(_) => return Err(Fault::form("k(rs)")),
            };
            let base = read(at, inner.first())?;
            Ok(at.offset(64, base, offset))
        }
        _ => Err(Fault::form("k(rs)")),
    }
}

/// Splits the order marks from a mnemonic: the rest, and the tag that they mean.
fn marks(name: &str) -> (&str, &'static [&'static str]) {
    for (suffix, tags) in
        [(".aq.rl", &["AcqRel"][..]), (".aqrl", &["AcqRel"]), (".aq", &["Acq"]), (".rl", &["Rel"]), (".sc", &["Sc"])]
    {
        if let Some(rest) = name.strip_suffix(suffix) {
            return (rest, tags);
        }
    }
    (name, &[])
}

/// Translates one instruction.
pub fn lower(at: &mut Lowering, instruction: &Instruction) -> Result<(), Fault> {
    let name = instruction.mnemonic.as_str();
    let args = instruction.operands.as_slice();
    match name {
        "nop" => return Ok(()),
        "fence" => return fence(at, args),
        "fence.tso" => {
            at.fence(&["Fence.tso"]);
            return Ok(());
        }
        "fence.i" => {
            at.fence(&["Fence.i"]);
            return Ok(());
        }
        "beq" | "bne" | "blt" | "bge" | "bltu" | "bgeu" | "beqz" | "bnez" | "j" => return branch(at, name, args),
        _ => {}
    }
    let (stem, tags) = marks(name);
    if let Some(done) =
        access(at, stem, tags, args).or_else(|| exclusive(at, stem, tags, args)).or_else(|| amo(at, stem, tags, args))
    {
        return done;
    }
    arithmetic(at, name, args)
}

fn fence(at: &mut Lowering, args: &[Arg]) -> Result<(), Fault> {
    let side = |arg: &Arg| match arg {
        Arg::Name(letters) => {
            if letters.is_empty() || !letters.chars().all(|c| "iorw".contains(c)) {
                return None;
            }
            let reads = letters.contains(['r', 'i']);
            let writes = letters.contains(['w', 'o']);
            Some(if reads && writes {
                "rw"
            } else if reads {
                "r"
            } else {
                "w"
            })
        }
        _ => None,
    };
    let tag = match args {
        [] => "Fence.rw.rw".to_owned(),
        [p, s] => match (side(p), side(s)) {
            (Some(p), Some(s)) => format!("Fence.{p}.{s}"),
            _ => return Err(Fault::form("fence rw,rw")),
        },
        _ => return Err(Fault::form("fence rw,rw")),
    };
    at.fence(&[&tag]);
    Ok(())
}

fn branch(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let Some((Arg::Name(label), operands)) = args.split_last() else { return Err(Fault::form("bne a,b,label")) };
    let wanted = match name {
        "j" => 0,
        "beqz" | "bnez" => 1,
        _ => 2,
    };
    if operands.len() != wanted {
        return Err(Fault::form("bne a,b,label"));
    }
    let label = at.label(label);
    if wanted == 0 {
        at.jump(label);
        return Ok(());
    }
    let a = read(at, operands.first())?;
    let b = if wanted == 2 { read(at, operands.get(1))? } else { constant(0) };
    let op = match name {
        "beq" | "beqz" => BinOp::Eq,
        "bne" | "bnez" => BinOp::Ne,
        "blt" => BinOp::SLt,
        "bge" => BinOp::SGe,
        "bltu" => BinOp::ULt,
        _ => BinOp::UGe,
    };
    let cond = at.bin(op, 64, a, b);
    at.branch(cond, label, Join::Never);
    Ok(())
}

fn access(at: &mut Lowering, stem: &str, tags: &[&str], args: &[Arg]) -> Option<Result<(), Fault>> {
    let (size, is_load, signed) = match stem {
        "lb" => (1, true, true),
        "lbu" => (1, true, false),
        "lh" => (2, true, true),
        "lhu" => (2, true, false),
        "lw" => (4, true, true),
        "lwu" => (4, true, false),
        "ld" => (8, true, false),
        "sb" => (1, false, false),
        "sh" => (2, false, false),
        "sw" => (4, false, false),
        "sd" => (8, false, false),
        _ => return None,
    };
    let mut lower = || {
        let register = reg(args.first())?;
        let address = address(at, args.get(1..).unwrap_or_default())?;
        if is_load {
            let mut value = at.load(address, size, tags, Half::None);
            if signed {
                value = at.un(UnOp::Sext, size * 8, value);
            }
            write(at, &register, value);
        } else {
            let value = read(at, args.first())?;
            at.store(address, value, size, tags, Half::None);
        }
        Ok(())
    };
    Some(lower())
}

fn width(suffix: &str) -> Option<u8> {
    match suffix {
        ".w" => Some(4),
        ".d" => Some(8),
        _ => None,
    }
}

fn exclusive(at: &mut Lowering, stem: &str, tags: &[&str], args: &[Arg]) -> Option<Result<(), Fault>> {
    let tags: Vec<&str> = std::iter::once("EX").chain(tags.iter().copied()).collect();
    if let Some(size) = stem.strip_prefix("lr").and_then(width) {
        let mut lower = || {
            let target = reg(args.first())?;
            let address = address(at, args.get(1..).unwrap_or_default())?;
            at.reserve(address, size);
            let mut value = at.load(address, size, &tags, Half::ExRead);
            if size == 4 {
                value = at.un(UnOp::Sext, 32, value);
            }
            write(at, &target, value);
            Ok(())
        };
        return Some(lower());
    }
    let size = stem.strip_prefix("sc").and_then(width)?;
    let mut lower = || {
        let target = reg(args.first())?;
        let value = read(at, args.get(1))?;
        let address = address(at, args.get(2..).unwrap_or_default())?;
        let address = at.copy(address);
        let zero = at.zero_from(&[address]);
        at.store_exclusive(address, value, size, &tags, |at, success| {
            if success && target != "x0" {
                let dst = at.register(&target);
                at.push(Instr::SetStatus { dst, src: zero });
            } else {
                write(at, &target, constant(i64::from(!success)));
            }
        });
        Ok(())
    };
    Some(lower())
}

fn amo(at: &mut Lowering, stem: &str, tags: &[&str], args: &[Arg]) -> Option<Result<(), Fault>> {
    let rest = stem.strip_prefix("amo")?;
    let (operation, suffix) = rest.split_at(rest.find('.')?);
    let size = width(suffix)?;
    let op = match operation {
        "swap" => None,
        "add" => Some(BinOp::Add),
        "and" => Some(BinOp::And),
        "or" => Some(BinOp::Or),
        "xor" => Some(BinOp::Xor),
        "min" => Some(BinOp::SMin),
        "max" => Some(BinOp::SMax),
        "minu" => Some(BinOp::UMin),
        "maxu" => Some(BinOp::UMax),
        _ => return None,
    };
    let tags: Vec<&str> = std::iter::once("X").chain(tags.iter().copied()).collect();
    let mut lower = || {
        let target = reg(args.first())?;
        let operand = read(at, args.get(1))?;
        let address = address(at, args.get(2..).unwrap_or_default())?;
        let address = at.copy(address);
        let old = at.load(address, size, &tags, Half::FusedRead);
        let new = match op {
            Some(op) => at.bin(op, size * 8, old, operand),
            None => operand,
        };
        at.store(address, new, size, &tags, Half::FusedWrite);
        let result = if size == 4 { at.un(UnOp::Sext, 32, old) } else { old };
        write(at, &target, result);
        Ok(())
    };
    Some(lower())
}

fn arithmetic(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let target = |args: &[Arg]| reg(args.first());
    let value = match name {
        "li" | "lui" => match args {
            [_, Arg::Immediate(k)] => constant(if name == "li" { *k } else { k.wrapping_shl(12) }),
            _ => return Err(Fault::form("li rd,k")),
        },
        "mv" => read(at, args.get(1))?,
        "neg" | "not" => {
            let source = read(at, args.get(1))?;
            at.un(if name == "neg" { UnOp::Neg } else { UnOp::Not }, 64, source)
        }
        _ => {
            let (op, bits, immediate) = operation(name).ok_or(Fault::Unknown)?;
            let a = read(at, args.get(1))?;
            let b = match args.get(2) {
                Some(&Arg::Immediate(k)) if immediate => constant(k),
                other if !immediate => read(at, other)?,
                _ => return Err(Fault::form("ori rd,rs,k")),
            };
            if args.len() > 3 {
                return Err(Fault::Operands("too many operands".to_owned()));
            }
            let value = at.bin(op, bits, a, b);
            if bits == 32 { at.un(UnOp::Sext, 32, value) } else { value }
        }
    };
    write(at, &target(args)?, value);
    Ok(())
}

fn operation(name: &str) -> Option<(BinOp, u8, bool)> {
    Some(match name {
        "ori" => (BinOp::Or, 64, true),
        "andi" => (BinOp::And, 64, true),
        "xori" => (BinOp::Xor, 64, true),
        "addi" => (BinOp::Add, 64, true),
        "addiw" => (BinOp::Add, 32, true),
        "slti" => (BinOp::SLt, 64, true),
        "sltiu" => (BinOp::ULt, 64, true),
        "slli" => (BinOp::Shl, 64, true),
        "srli" => (BinOp::LShr, 64, true),
        "srai" => (BinOp::AShr, 64, true),
        "or" => (BinOp::Or, 64, false),
        "and" => (BinOp::And, 64, false),
        "xor" => (BinOp::Xor, 64, false),
        "add" => (BinOp::Add, 64, false),
        "addw" => (BinOp::Add, 32, false),
        "sub" => (BinOp::Sub, 64, false),
        "subw" => (BinOp::Sub, 32, false),
        "sll" => (BinOp::Shl, 64, false),
        "srl" => (BinOp::LShr, 64, false),
        "sra" => (BinOp::AShr, 64, false),
        "slt" => (BinOp::SLt, 64, false),
        "sltu" => (BinOp::ULt, 64, false),
        "mul" => (BinOp::Mul, 64, false),
        _ => return None,
    })
}
