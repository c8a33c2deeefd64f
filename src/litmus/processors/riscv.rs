//! RISC-V: registers and instructions (`LITMUS.md` §3.3).
//!
//! An AMO is one event that reads and writes. The result of a successful store-conditional depends on its write and its
//! address. Acquire and release marks are also taken on plain loads and stores, as the reference does.

use super::asm::{Lowering, constant};
use super::operand::{Fault, Instruction, Operand as Arg};
use super::registers::{based, call, compare_and_branch, jump_through, label, read, reg, write};
use crate::program::{BinOp, Half, Instr, UnOp};

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
    "slliw",
    "srliw",
    "sraiw",
    "sllw",
    "srlw",
    "sraw",
    "mulw",
    "negw",
    "sext.w",
    "seqz",
    "snez",
    "sltz",
    "sgtz",
    "bgt",
    "ble",
    "bgtu",
    "bleu",
    "blez",
    "bgez",
    "bltz",
    "bgtz",
    "jal",
    "jalr",
    "jr",
    "ret",
    "la",
    "lla",
];

/// Instructions that make or use code addresses.
pub const CODE: &[&str] = &["jal", "jalr", "jr", "ret", "la", "lla"];

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
        "jal" | "jalr" | "jr" | "ret" => return jump(at, name, args),
        "j" | "beq" | "bne" | "blt" | "bge" | "bltu" | "bgeu" | "bgt" | "ble" | "bgtu" | "bleu" | "beqz" | "bnez"
        | "blez" | "bgez" | "bltz" | "bgtz" => return branch(at, name, args),
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

/// `jal label`, `jal rd,label`, `jalr rs`, `jalr rd,rs`, `jalr rd,0(rs)`, `jr rs`, `ret`.
fn jump(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    if name == "jal" {
        let (link, target) = match args {
            [link @ Arg::Name(_), target] => (reg(at, Some(link))?, std::slice::from_ref(target)),
            _ => ("x1".to_owned(), args),
        };
        call(at, &link, label(target, "jal rd,label")?);
        return Ok(());
    }
    let (link, target) = match (name, args) {
        ("ret", []) => (None, "x1".to_owned()),
        ("jr", [target]) => (None, reg(at, Some(target))?),
        ("jalr", [target @ Arg::Name(_)]) => (Some("x1".to_owned()), reg(at, Some(target))?),
        ("jalr", [link, Arg::Based(None, inner)]) if inner.len() == 1 => {
            (Some(reg(at, Some(link))?), reg(at, inner.first())?)
        }
        ("jalr", [link, target] | [link, target, Arg::Immediate(0)]) => {
            let target = match target {
                Arg::Based(Some(offset), inner) if **offset == Arg::Immediate(0) && inner.len() == 1 => &inner[0],
                other => other,
            };
            (Some(reg(at, Some(link))?), reg(at, Some(target))?)
        }
        _ => return Err(Fault::form("jalr rd,rs")),
    };
    jump_through(at, &target, link.as_deref(), name == "ret");
    Ok(())
}

fn branch(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let form = || Fault::form("bne a,b,label");
    let Some((Arg::Name(label), operands)) = args.split_last() else { return Err(form()) };
    let (op, wanted) = match name {
        "beq" => (BinOp::Eq, 2),
        "bne" => (BinOp::Ne, 2),
        "blt" => (BinOp::SLt, 2),
        "bge" => (BinOp::SGe, 2),
        "bltu" => (BinOp::ULt, 2),
        "bgeu" => (BinOp::UGe, 2),
        "bgt" => (BinOp::SGt, 2),
        "ble" => (BinOp::SLe, 2),
        "bgtu" => (BinOp::UGt, 2),
        "bleu" => (BinOp::ULe, 2),
        "beqz" => (BinOp::Eq, 1),
        "bnez" => (BinOp::Ne, 1),
        "blez" => (BinOp::SLe, 1),
        "bgez" => (BinOp::SGe, 1),
        "bltz" => (BinOp::SLt, 1),
        "bgtz" => (BinOp::SGt, 1),
        _ => (BinOp::Eq, 0),
    };
    compare_and_branch(at, op, operands, wanted, label).ok_or_else(form)?
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
        let register = reg(at, args.first())?;
        let address = based(at, args.get(1..).unwrap_or_default())?;
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
            let target = reg(at, args.first())?;
            let address = based(at, args.get(1..).unwrap_or_default())?;
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
        let target = reg(at, args.first())?;
        let value = read(at, args.get(1))?;
        let address = based(at, args.get(2..).unwrap_or_default())?;
        let address = at.copy(address);
        let zero = at.zero_from(&[address]);
        at.store_exclusive(address, &[value], size, &tags, |at, success| {
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
        let target = reg(at, args.first())?;
        let operand = read(at, args.get(1))?;
        let address = based(at, args.get(2..).unwrap_or_default())?;
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
    let value = match name {
        "li" | "lui" => match args {
            [_, Arg::Immediate(k)] => constant(if name == "li" { *k } else { i64::from(k.wrapping_shl(12) as i32) }),
            _ => return Err(Fault::form("li rd,k")),
        },
        "la" | "lla" => match args {
            [_, Arg::Name(name)] if at.has_label(name) => at.label_address(name),
            [_, Arg::Name(name)] => at.symbol(name),
            _ => return Err(Fault::form("la rd,name")),
        },
        "mv" => read(at, args.get(1))?,
        "neg" | "not" => {
            let source = read(at, args.get(1))?;
            at.un(if name == "neg" { UnOp::Neg } else { UnOp::Not }, 64, source)
        }
        "sext.w" => {
            let source = read(at, args.get(1))?;
            at.un(UnOp::Sext, 32, source)
        }
        "negw" => {
            let source = read(at, args.get(1))?;
            let value = at.un(UnOp::Neg, 32, source);
            at.un(UnOp::Sext, 32, value)
        }
        "seqz" | "snez" | "sltz" | "sgtz" => {
            let source = read(at, args.get(1))?;
            let op = match name {
                "seqz" => BinOp::Eq,
                "snez" => BinOp::Ne,
                "sltz" => BinOp::SLt,
                _ => BinOp::SGt,
            };
            at.bin(op, 64, source, constant(0))
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
            let b = match op {
                BinOp::Shl | BinOp::LShr | BinOp::AShr => at.bin(BinOp::And, 64, b, constant(i64::from(bits) - 1)),
                _ => b,
            };
            let value = at.bin(op, bits, a, b);
            if bits == 32 { at.un(UnOp::Sext, 32, value) } else { value }
        }
    };
    let target = reg(at, args.first())?;
    write(at, &target, value);
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
        "mulw" => (BinOp::Mul, 32, false),
        "slliw" => (BinOp::Shl, 32, true),
        "srliw" => (BinOp::LShr, 32, true),
        "sraiw" => (BinOp::AShr, 32, true),
        "sllw" => (BinOp::Shl, 32, false),
        "srlw" => (BinOp::LShr, 32, false),
        "sraw" => (BinOp::AShr, 32, false),
        _ => return None,
    })
}
