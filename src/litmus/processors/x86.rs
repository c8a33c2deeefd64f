//! X86 (32-bit, destination first): registers and instructions (`LITMUS.md` §3.4).
//!
//! Branches make no control dependency, as in the reference; no model of this architecture looks at one.

use super::asm::{Lowering, constant};
use super::operand::{Fault, Instruction, Operand as Arg};
use super::registers::label;
use crate::program::{BinOp, Half, Instr, Join, Operand, UnOp};

/// Registers in the order of printing.
pub const ORDER: [&str; 8] = ["EAX", "EBX", "ECX", "EDX", "ESI", "EDI", "EBP", "ESP"];

/// Instruction names.
pub const MNEMONICS: &[&str] = &[
    "mov", "movl", "xchg", "add", "sub", "and", "or", "xor", "shl", "shr", "sar", "inc", "dec", "neg", "not", "cmp",
    "test", "cmpxchg", "xadd", "jmp", "je", "jne", "jz", "jnz", "jl", "jnl", "jle", "jnle", "jg", "jng", "jge", "jnge",
    "ja", "jna", "jae", "jnae", "jb", "jnb", "jbe", "jnbe", "jc", "jnc", "js", "jns", "cmove", "cmovne", "cmovz",
    "cmovnz", "cmovl", "cmovnl", "cmovle", "cmovnle", "cmovg", "cmovng", "cmovge", "cmovnge", "cmova", "cmovna",
    "cmovae", "cmovnae", "cmovb", "cmovnb", "cmovbe", "cmovnbe", "cmovc", "cmovnc", "cmovs", "cmovns", "mfence",
    "sfence", "lfence", "nop",
];

/// The canonical name of a register.
pub fn canonical_register(name: &str) -> Option<String> {
    let upper = name.to_ascii_uppercase();
    ORDER.contains(&upper.as_str()).then_some(upper)
}

/// A place that an instruction reads or writes.
pub enum Location {
    /// A register, and the bits of it that are meant.
    Register(String, u8),
    /// Memory.
    Memory(Operand),
}

/// A condition as jumps, conditional moves and `set…` spell it, from the flags that [`set_flags`] sets.
pub fn condition(at: &mut Lowering, suffix: &str) -> Option<Operand> {
    let mut flag = |name: &str| at.get(name);
    let (zero, less, below, negative) = (flag("?Z"), flag("?L"), flag("?B"), flag("?N"));
    let (plain, negated) = match suffix {
        "e" | "z" => (zero, false),
        "ne" | "nz" => (zero, true),
        "l" | "nge" => (less, false),
        "ge" | "nl" => (less, true),
        "b" | "nae" | "c" => (below, false),
        "ae" | "nb" | "nc" => (below, true),
        "s" => (negative, false),
        "ns" => (negative, true),
        "le" | "ng" => (at.bin(BinOp::Or, 64, less, zero), false),
        "g" | "nle" => (at.bin(BinOp::Or, 64, less, zero), true),
        "be" | "na" => (at.bin(BinOp::Or, 64, below, zero), false),
        "a" | "nbe" => (at.bin(BinOp::Or, 64, below, zero), true),
        _ => return None,
    };
    Some(if negated { at.bin(BinOp::Eq, 64, plain, constant(0)) } else { plain })
}

/// Sets the flags as a comparison of `a` with `b` does.
pub fn set_flags(at: &mut Lowering, bits: u8, a: Operand, b: Operand) {
    let zero = at.bin(BinOp::Eq, bits, a, b);
    at.set("?Z", zero);
    let less = at.bin(BinOp::SLt, bits, a, b);
    at.set("?L", less);
    let below = at.bin(BinOp::ULt, bits, a, b);
    at.set("?B", below);
    let difference = at.bin(BinOp::Sub, bits, a, b);
    let negative = at.bin(BinOp::SLt, bits, difference, constant(0));
    at.set("?N", negative);
}

fn location(at: &mut Lowering, arg: Option<&Arg>) -> Result<Location, Fault> {
    let parts = match arg {
        Some(Arg::Name(name)) => {
            let register = if name.starts_with('%') { Some(name.clone()) } else { canonical_register(name) };
            return register
                .map(|r| Location::Register(r, 32))
                .ok_or_else(|| Fault::Operands(format!("`{name}` is neither a register nor `[memory]`")));
        }
        Some(Arg::Bracket(parts, false) | Arg::Based(None, parts)) => parts.as_slice(),
        _ => return Err(Fault::Operands("expected a register or `[memory]`".to_owned())),
    };
    let mut address = constant(0);
    for part in parts {
        let term = match part {
            Arg::Immediate(k) => constant(*k),
            Arg::Name(name) if name.starts_with('%') => at.get(name),
            Arg::Name(name) => match canonical_register(name) {
                Some(register) => at.get(&register),
                None => at.symbol(name),
            },
            _ => return Err(Fault::form("[x]`, `[EAX]` or `[x+4]")),
        };
        address = match (address, term) {
            (Operand::Const(a), Operand::Const(b)) => Operand::Const(a.wrapping_add(b) & 0xffff_ffff),
            (a, b) => at.bin(BinOp::Add, 32, a, b),
        };
    }
    Ok(Location::Memory(address))
}

fn value(at: &mut Lowering, arg: Option<&Arg>) -> Result<Operand, Fault> {
    if let Some(&Arg::Immediate(k)) = arg {
        return Ok(constant(k & 0xffff_ffff));
    }
    Ok(match location(at, arg)? {
        Location::Register(name, _) => at.get(&name),
        Location::Memory(address) => at.load(address, 4, &[], Half::None),
    })
}

/// Tags of the halves of a locked instruction; `A` is how some model files call them.
pub const LOCKED: &[&str] = &["X", "A"];

/// Translates one instruction.
pub fn lower(at: &mut Lowering, instruction: &Instruction) -> Result<(), Fault> {
    let args = instruction.operands.as_slice();
    let name = instruction.mnemonic.as_str();
    match name {
        "nop" => {}
        "mfence" => at.fence(&["MFENCE", "mfence"]),
        "sfence" => at.fence(&["SFENCE", "sfence"]),
        "lfence" => at.fence(&["LFENCE", "lfence"]),
        "mov" | "movl" => {
            let source = value(at, args.get(1))?;
            match location(at, args.first())? {
                Location::Register(name, _) => at.set(&name, source),
                Location::Memory(address) => at.store(address, source, 4, &[], Half::None),
            }
        }
        "xchg" => exchange(at, args)?,
        "cmp" | "test" => {
            let (a, b) = (value(at, args.first())?, value(at, args.get(1))?);
            if name == "cmp" {
                set_flags(at, 32, a, b);
            } else {
                let both = at.bin(BinOp::And, 32, a, b);
                set_flags(at, 32, both, constant(0));
            }
        }
        "jmp" => {
            let label = at.label(label(args, "jmp label")?);
            at.jump(label);
        }
        "add" | "sub" | "and" | "or" | "xor" | "shl" | "shr" | "sar" | "inc" | "dec" | "neg" | "not" | "xadd" => {
            modify(at, name, args, instruction.locked)?;
        }
        "cmpxchg" => compare_exchange(at, args, instruction.locked)?,
        _ => match (name.strip_prefix("cmov"), name.strip_prefix('j')) {
            (Some(suffix), _) => {
                let cond = condition(at, suffix).ok_or(Fault::Unknown)?;
                let Location::Register(target, _) = location(at, args.first())? else {
                    return Err(Fault::form("cmove EAX,[x]"));
                };
                let (source, old) = (value(at, args.get(1))?, at.get(&target));
                let dst = at.register(&target);
                at.push(Instr::Select { dst, cond, a: source, b: old, on_cond: true });
            }
            (_, Some(suffix)) => {
                let cond = condition(at, suffix).ok_or(Fault::Unknown)?;
                let label = at.label(label(args, "je label")?);
                at.branch(cond, label, Join::NoDependency);
            }
            _ => return Err(Fault::Unknown),
        },
    }
    Ok(())
}

/// `xchg`: locked as soon as it touches memory.
fn exchange(at: &mut Lowering, args: &[Arg]) -> Result<(), Fault> {
    let form = || Fault::form("xchg [x],EAX");
    match (location(at, args.first())?, location(at, args.get(1))?) {
        (Location::Memory(address), Location::Register(name, _))
        | (Location::Register(name, _), Location::Memory(address)) => {
            let new = at.get(&name);
            let old = at.load(address, 4, LOCKED, Half::AmoRead);
            at.store(address, new, 4, LOCKED, Half::AmoWrite);
            at.set(&name, old);
            Ok(())
        }
        (Location::Register(a, _), Location::Register(b, _)) => {
            let (old_a, old_b) = (at.get(&a), at.get(&b));
            let old_a = at.copy(old_a);
            at.set(&a, old_b);
            at.set(&b, old_a);
            Ok(())
        }
        _ => Err(form()),
    }
}

/// What an operation that changes its destination makes of the old value and the other operand.
pub fn changed(at: &mut Lowering, name: &str, bits: u8, old: Operand, operand: Operand) -> Operand {
    match name {
        "add" | "xadd" => at.bin(BinOp::Add, bits, old, operand),
        "sub" => at.bin(BinOp::Sub, bits, old, operand),
        "and" => at.bin(BinOp::And, bits, old, operand),
        "or" => at.bin(BinOp::Or, bits, old, operand),
        "xor" => at.bin(BinOp::Xor, bits, old, operand),
        "shl" | "shr" | "sar" => {
            let op = match name {
                "shl" => BinOp::Shl,
                "shr" => BinOp::LShr,
                _ => BinOp::AShr,
            };
            let amount = at.bin(BinOp::And, 64, operand, constant(if bits == 64 { 63 } else { 31 }));
            at.bin(op, bits, old, amount)
        }
        "inc" => at.bin(BinOp::Add, bits, old, constant(1)),
        "dec" => at.bin(BinOp::Sub, bits, old, constant(1)),
        "neg" => at.un(UnOp::Neg, bits, old),
        _ => at.un(UnOp::Not, bits, old),
    }
}

/// `xadd`: the register that was added gets the old value.
fn added_to(at: &mut Lowering, args: &[Arg], old: Operand) {
    if let Some(Arg::Name(register)) = args.get(1)
        && let Some(register) = canonical_register(register)
    {
        at.set(&register, old);
    }
}

fn modify(at: &mut Lowering, name: &str, args: &[Arg], locked: bool) -> Result<(), Fault> {
    let unary = matches!(name, "inc" | "dec" | "neg" | "not");
    let operand = if unary { constant(0) } else { value(at, args.get(1))? };
    let new = match location(at, args.first())? {
        Location::Register(register, _) => {
            let old = at.get(&register);
            let old = at.copy(old);
            let new = changed(at, name, 32, old, operand);
            if name == "xadd" {
                added_to(at, args, old);
            }
            at.set(&register, new);
            new
        }
        Location::Memory(address) => {
            let (tags, halves) =
                if locked { (LOCKED, [Half::AmoRead, Half::AmoWrite]) } else { (&[][..], [Half::None, Half::None]) };
            let old = at.load(address, 4, tags, halves[0]);
            let new = changed(at, name, 32, old, operand);
            at.store(address, new, 4, tags, halves[1]);
            if name == "xadd" {
                added_to(at, args, old);
            }
            new
        }
    };
    if name != "not" {
        set_flags(at, 32, new, constant(0));
    }
    Ok(())
}

fn compare_exchange(at: &mut Lowering, args: &[Arg], locked: bool) -> Result<(), Fault> {
    let Location::Memory(address) = location(at, args.first())? else { return Err(Fault::form("cmpxchg [x],EBX")) };
    let new = value(at, args.get(1))?;
    let expected = at.get("EAX");
    let old = swap_if_equal(at, address, 4, expected, new, locked);
    set_flags(at, 32, expected, old);
    at.set("EAX", old);
    Ok(())
}

/// The memory part of a compare-and-exchange; gives the value read.
pub fn swap_if_equal(
    at: &mut Lowering,
    address: Operand,
    size: u8,
    expected: Operand,
    new: Operand,
    locked: bool,
) -> Operand {
    let tags = if locked { LOCKED } else { &[] };
    let (read, write) = if locked { (Half::AmoRead, Half::AmoWrite) } else { (Half::None, Half::None) };
    let expected = at.un(UnOp::Trunc, size * 8, expected);
    let old = at.load_unless(address, size, tags, read, Some((expected, tags, Half::None)));
    let differs = at.bin(BinOp::Ne, size * 8, old, expected);
    let done = at.function.label();
    at.branch(differs, done, Join::NoDependency);
    at.store(address, new, size, tags, write);
    at.function.place(done);
    old
}
