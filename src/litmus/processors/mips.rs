//! MIPS: registers and instructions (`LITMUS.md` §3.5). A store-conditional gives 1 for success. Branches have no delay slot.

use super::asm::{Lowering, constant};
use super::operand::{Fault, Instruction, Operand as Arg};
use super::registers::{based, call, compare_and_branch, jump_through, label, read, reg, write};
use crate::program::{BinOp, Half, Operand, UnOp};

/// Instruction names.
pub const MNEMONICS: &[&str] = &[
    "lb", "lbu", "lh", "lhu", "lw", "ld", "sb", "sh", "sw", "sd", "ll", "sc", "sync", "li", "lui", "ori", "xori",
    "andi", "or", "xor", "and", "nor", "add", "addu", "sub", "subu", "addi", "addiu", "dadd", "daddu", "daddiu",
    "dsll", "sll", "srl", "sra", "slt", "slti", "sltu", "dext", "move", "beq", "bne", "blez", "bgtz", "bltz", "bgez",
    "beqz", "bnez", "b", "j", "nop", "lwu", "lld", "scd", "not", "neg", "negu", "dsub", "dsubu", "daddi", "dsrl",
    "dsra", "sltiu", "sllv", "srlv", "srav", "mul", "jr", "jal", "jalr", "subi", "subiu",
];

/// Instructions that make or use code addresses.
pub const CODE: &[&str] = &["jal", "jalr", "jr"];

/// Roles of registers, by their numbers.
const ROLES: [&str; 32] = [
    "zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "s0", "s1", "s2",
    "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra",
];

/// The canonical name of a register, `$4`, also written `r4`, `$a0` or `a0`. The ABI of 64 bits has four more for arguments.
pub fn canonical_register(name: &str) -> Option<String> {
    let bare = name.strip_prefix('$').unwrap_or(name);
    let number = if bare.len() < name.len() { bare.parse::<u8>().ok() } else { None };
    let number = number.or_else(|| name.strip_prefix('r')?.parse().ok()).filter(|n| *n < 32);
    let role = || ROLES.iter().position(|role| *role == bare).map(|n| n as u8);
    match number.or_else(role) {
        Some(number) => Some(format!("${number}")),
        None => ["a4", "a5", "a6", "a7"].contains(&bare).then(|| format!("${bare}")),
    }
}

/// Translates one instruction.
pub fn lower(at: &mut Lowering, instruction: &Instruction) -> Result<(), Fault> {
    let name = instruction.mnemonic.as_str();
    let args = instruction.operands.as_slice();
    match name {
        "nop" => Ok(()),
        "sync" => {
            at.fence(&["SYNC", "sync"]);
            Ok(())
        }
        "beq" | "bne" | "blez" | "bgtz" | "bltz" | "bgez" | "beqz" | "bnez" | "b" | "j" => branch(at, name, args),
        "jal" => {
            call(at, "$31", label(args, "jal label")?);
            Ok(())
        }
        "jr" | "jalr" => {
            let [target] = args else { return Err(Fault::form("jr rs")) };
            let target = reg(at, Some(target))?;
            jump_through(at, &target, (name == "jalr").then_some("$31"), name == "jr" && target == "$31");
            Ok(())
        }
        _ => access(at, name, args).unwrap_or_else(|| arithmetic(at, name, args)),
    }
}

fn branch(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let form = || Fault::form("bne a,b,label");
    let Some((Arg::Name(label), operands)) = args.split_last() else { return Err(form()) };
    let (op, wanted) = match name {
        "beq" => (BinOp::Eq, 2),
        "bne" => (BinOp::Ne, 2),
        "beqz" => (BinOp::Eq, 1),
        "bnez" => (BinOp::Ne, 1),
        "blez" => (BinOp::SLe, 1),
        "bgtz" => (BinOp::SGt, 1),
        "bltz" => (BinOp::SLt, 1),
        "bgez" => (BinOp::SGe, 1),
        _ => (BinOp::Eq, 0),
    };
    compare_and_branch(at, op, operands, wanted, label).ok_or_else(form)?
}

fn access(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    let (size, is_load, signed) = match name {
        "lb" => (1, true, true),
        "lbu" => (1, true, false),
        "lh" => (2, true, true),
        "lhu" => (2, true, false),
        "lw" | "ll" => (4, true, true),
        "lwu" => (4, true, false),
        "ld" | "lld" => (8, true, false),
        "sb" => (1, false, false),
        "sh" => (2, false, false),
        "sw" | "sc" => (4, false, false),
        "sd" | "scd" => (8, false, false),
        _ => return None,
    };
    let exclusive = matches!(name, "ll" | "lld" | "sc" | "scd");
    let tags: &[&str] = if exclusive { &["EX"] } else { &[] };
    let mut lower = || {
        let register = reg(at, args.first())?;
        let value = read(at, args.first())?;
        let address = based(at, args.get(1..).unwrap_or_default())?;
        if is_load {
            if exclusive {
                at.reserve(address, size);
            }
            let mut value = at.load(address, size, tags, if exclusive { Half::ExRead } else { Half::None });
            if signed {
                value = at.un(UnOp::Sext, size * 8, value);
            }
            write(at, &register, value);
        } else if exclusive {
            let value = at.copy(value);
            let zero = at.zero_from(&[value, address]);
            at.store_exclusive(address, &[value], size, tags, |at, success| {
                let status = at.bin(BinOp::Or, 64, zero, constant(i64::from(success)));
                write(at, &register, status);
            });
        } else {
            at.store(address, value, size, tags, Half::None);
        }
        Ok(())
    };
    Some(lower())
}

fn arithmetic(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let value = match name {
        "li" | "lui" => match args {
            [_, Arg::Immediate(k)] => constant(if name == "li" { *k } else { i64::from(k.wrapping_shl(16) as i32) }),
            _ => return Err(Fault::form("li rd,k")),
        },
        "move" => read(at, args.get(1))?,
        "not" | "neg" | "negu" => {
            let source = read(at, args.get(1))?;
            let value =
                at.un(if name == "not" { UnOp::Not } else { UnOp::Neg }, if name == "not" { 64 } else { 32 }, source);
            if name == "not" { value } else { at.un(UnOp::Sext, 32, value) }
        }
        "dext" => match args {
            [_, source, Arg::Immediate(position @ 0..64), Arg::Immediate(width @ 1..=64)] => {
                let source = read(at, Some(source))?;
                let shifted = at.bin(BinOp::LShr, 64, source, constant(*position));
                at.bin(BinOp::And, 64, shifted, Operand::Const(u64::MAX >> (64 - width)))
            }
            _ => return Err(Fault::form("dext rd,rs,position,width")),
        },
        _ => {
            let (op, bits) = operation(name).ok_or(Fault::Unknown)?;
            let a = read(at, args.get(1))?;
            let b = match args.get(2) {
                // Constants of 16 bits have a sign where numbers are meant, and none where bits are.
                Some(&Arg::Immediate(k)) => constant(if is_signed(name) { i64::from(k as i16) } else { k }),
                other => read(at, other)?,
            };
            // Of an amount in a register the low bits count.
            let b = if name.ends_with('v') { at.bin(BinOp::And, 64, b, constant(31)) } else { b };
            let value = at.bin(op, bits, a, b);
            match name {
                "nor" => at.un(UnOp::Not, 64, value),
                _ if bits == 32 => at.un(UnOp::Sext, 32, value),
                _ => value,
            }
        }
    };
    let target = reg(at, args.first())?;
    write(at, &target, value);
    Ok(())
}

/// Whether a constant operand is a number of 16 bits with a sign.
fn is_signed(name: &str) -> bool {
    matches!(name, "addi" | "addiu" | "daddi" | "daddiu" | "subi" | "subiu" | "slti" | "sltiu")
}

fn operation(name: &str) -> Option<(BinOp, u8)> {
    Some(match name {
        "or" | "ori" | "nor" => (BinOp::Or, 64),
        "xor" | "xori" => (BinOp::Xor, 64),
        "and" | "andi" => (BinOp::And, 64),
        "add" | "addu" | "addi" | "addiu" => (BinOp::Add, 32),
        "sub" | "subu" | "subi" | "subiu" => (BinOp::Sub, 32),
        "dadd" | "daddu" | "daddi" | "daddiu" => (BinOp::Add, 64),
        "dsub" | "dsubu" => (BinOp::Sub, 64),
        "sll" | "sllv" => (BinOp::Shl, 32),
        "srl" | "srlv" => (BinOp::LShr, 32),
        "sra" | "srav" => (BinOp::AShr, 32),
        "mul" => (BinOp::Mul, 32),
        "dsll" => (BinOp::Shl, 64),
        "dsrl" => (BinOp::LShr, 64),
        "dsra" => (BinOp::AShr, 64),
        "slt" | "slti" => (BinOp::SLt, 64),
        "sltu" | "sltiu" => (BinOp::ULt, 64),
        _ => return None,
    })
}
