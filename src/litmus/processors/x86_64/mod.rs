//! X86_64 (AT&T syntax, source first): registers and instructions (`LITMUS.md` §3.4).
//!
//! Writing 8 or 16 bits of a register keeps the rest of it, writing 32 clears the upper half. Not here: vectors, calls.
//! [`operands`]: registers, memory and constants.

mod operands;

use super::asm::{Lowering, constant};
use super::operand::{Fault, Instruction, Operand as Arg};
use super::registers::label;
use super::x86::{LOCKED, Location, changed, condition, set_flags, swap_if_equal};
use crate::program::{BinOp, Half, Instr, Join, Operand, UnOp};
use operands::{location, read, size, write_register};

/// Registers in the order of printing.
pub const ORDER: [&str; 18] = [
    "rip", "cs", "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
    "r15",
];

/// Instruction names, without the suffix for size.
pub const MNEMONICS: &[&str] = &[
    "mov",
    "movb",
    "movw",
    "movl",
    "movq",
    "movnti",
    "movzbl",
    "movzwl",
    "movzbq",
    "movsbl",
    "movswl",
    "movslq",
    "lea",
    "leaq",
    "imul",
    "imull",
    "xchg",
    "xchgl",
    "add",
    "addl",
    "sub",
    "and",
    "or",
    "xor",
    "shl",
    "shr",
    "sar",
    "inc",
    "dec",
    "neg",
    "not",
    "cmp",
    "cmpl",
    "test",
    "cmpxchg",
    "cmpxchgl",
    "xadd",
    "jmp",
    "je",
    "jne",
    "jz",
    "jnz",
    "jl",
    "jnl",
    "jle",
    "jnle",
    "jg",
    "jng",
    "jge",
    "jnge",
    "ja",
    "jna",
    "jae",
    "jnae",
    "jb",
    "jnb",
    "jbe",
    "jnbe",
    "jc",
    "jnc",
    "js",
    "jns",
    "cmove",
    "cmovne",
    "cmovz",
    "cmovnz",
    "cmovl",
    "cmovnl",
    "cmovle",
    "cmovnle",
    "cmovg",
    "cmovng",
    "cmovge",
    "cmovnge",
    "cmova",
    "cmovna",
    "cmovae",
    "cmovnae",
    "cmovb",
    "cmovnb",
    "cmovbe",
    "cmovnbe",
    "cmovc",
    "cmovnc",
    "cmovs",
    "cmovns",
    "sete",
    "setne",
    "setz",
    "setnz",
    "setl",
    "setnl",
    "setle",
    "setnle",
    "setg",
    "setng",
    "setge",
    "setnge",
    "seta",
    "setna",
    "setae",
    "setnae",
    "setb",
    "setnb",
    "setbe",
    "setnbe",
    "setc",
    "setnc",
    "sets",
    "setns",
    "jlt",
    "jgt",
    "uxch",
    "mfence",
    "sfence",
    "lfence",
    "nop",
    "nopl",
    "nopw",
    "endbr64",
    "ret",
    "retq",
    "movntil",
    "movntiq",
    "clflush",
    "clflushopt",
    "clwb",
];

/// Instructions that need the places of code.
pub const CODE: &[&str] = &["ret", "retq"];

/// A view of a register.
#[derive(Clone, Copy, Debug)]
pub struct View {
    /// The 64-bit register.
    pub name: &'static str,
    /// How many low bits are meant.
    pub bits: u8,
}

/// The register that a name without `%` means.
pub fn register(name: &str) -> Option<View> {
    let name = name.to_ascii_lowercase();
    let full = |n: &str| ORDER.iter().copied().find(|r| *r == n);
    if let Some(name) = full(&name) {
        return Some(View { name, bits: 64 });
    }
    if name.starts_with('r') {
        let (stem, bits) = match name.strip_suffix(['d', 'w', 'b']) {
            Some(stem) => (
                stem,
                if name.ends_with('d') {
                    32
                } else if name.ends_with('w') {
                    16
                } else {
                    8
                },
            ),
            None => return None,
        };
        return full(stem)
            .filter(|_| stem[1..].starts_with(|c: char| c.is_ascii_digit()))
            .map(|name| View { name, bits });
    }
    if let Some(stem) = name.strip_prefix('e') {
        return full(&format!("r{stem}")).map(|name| View { name, bits: 32 });
    }
    if let Some(stem) = name.strip_suffix('l') {
        let wide = full(&format!("r{stem}x")).or_else(|| full(&format!("r{stem}")));
        return wide.map(|name| View { name, bits: 8 });
    }
    full(&format!("r{name}")).map(|name| View { name, bits: 16 })
}

/// Splits the size suffix from a mnemonic.
fn sized(name: &str) -> (&str, Option<u8>) {
    const STEMS: [&str; 20] = [
        "mov", "xchg", "add", "sub", "and", "or", "xor", "shl", "shr", "sar", "inc", "dec", "neg", "not", "cmp",
        "test", "cmpxchg", "xadd", "uxch", "imul",
    ];
    if STEMS.contains(&name) {
        return (name, None);
    }
    for (suffix, size) in [('b', 1), ('w', 2), ('l', 4), ('q', 8)] {
        if let Some(stem) = name.strip_suffix(suffix)
            && STEMS.contains(&stem)
        {
            return (stem, Some(size));
        }
    }
    (name, None)
}

/// Translates one instruction.
pub fn lower(at: &mut Lowering, instruction: &Instruction) -> Result<(), Fault> {
    let args = instruction.operands.as_slice();
    match instruction.mnemonic.as_str() {
        "nop" | "nopl" | "nopw" | "endbr64" => return Ok(()),
        "ret" | "retq" => {
            at.leave();
            return Ok(());
        }
        "clflush" | "clflushopt" | "clwb" => return flush(at, &instruction.mnemonic, args),
        "mfence" => {
            at.fence(&["MFENCE", "mfence"]);
            return Ok(());
        }
        "sfence" => {
            at.fence(&["SFENCE", "sfence"]);
            return Ok(());
        }
        "lfence" => {
            at.fence(&["LFENCE", "lfence"]);
            return Ok(());
        }
        "movnti" | "movntil" | "movntiq" => {
            let suffix = instruction.mnemonic.strip_prefix("movnti").and_then(|suffix| match suffix {
                "l" => Some(4),
                "q" => Some(8),
                _ => None,
            });
            return store(at, args, size(args, suffix)?, &["NT"]);
        }
        "lea" | "leaq" | "leal" => return address_of(at, args),
        name if name.starts_with('j') => return jump(at, name, args),
        name => {
            if let Some(suffix) = name.strip_prefix("cmov") {
                return conditional_move(at, suffix, args);
            }
            if let Some(suffix) = name.strip_prefix("set") {
                let cond = condition(at, suffix).ok_or(Fault::Unknown)?;
                return match location(at, args.first())? {
                    Location::Register(target, 8) => {
                        write_register(at, &target, 1, cond);
                        Ok(())
                    }
                    Location::Memory(address) => {
                        at.store(address, cond, 1, &[], Half::None);
                        Ok(())
                    }
                    Location::Register(..) => Err(Fault::form("sete %al")),
                };
            }
            if let Some(done) = widen(at, name, args) {
                return done;
            }
        }
    }
    let (name, suffix) = sized(&instruction.mnemonic);
    let locked = instruction.locked;
    match name {
        "mov" => store(at, args, size(args, suffix)?, &[]),
        "xchg" => exchange(at, args, size(args, suffix)?, LOCKED),
        // The reference tool's exchange without a lock.
        "uxch" => exchange(at, args, size(args, suffix)?, &[]),
        "cmp" | "test" => {
            let size = size(args, suffix)?;
            let (b, a) = (read(at, args.first(), size)?, read(at, args.get(1), size)?);
            if name == "cmp" {
                set_flags(at, size * 8, a, b);
            } else {
                let both = at.bin(BinOp::And, size * 8, a, b);
                set_flags(at, size * 8, both, constant(0));
            }
            Ok(())
        }
        "imul" => multiply(at, args, size(args, suffix)?),
        "cmpxchg" => {
            let size = size(args, suffix)?;
            let new = read(at, args.first(), size)?;
            let Location::Memory(address) = location(at, args.get(1))? else {
                return Err(Fault::form("cmpxchgl %ebx,(x)"));
            };
            let whole = at.get("rax");
            let expected = at.un(UnOp::Trunc, size * 8, whole);
            let old = swap_if_equal(at, address, size, expected, new, locked);
            set_flags(at, size * 8, expected, old);
            write_register(at, "rax", size, old);
            Ok(())
        }
        "add" | "sub" | "and" | "or" | "xor" | "shl" | "shr" | "sar" | "inc" | "dec" | "neg" | "not" | "xadd" => {
            modify(at, name, args, size(args, suffix)?, locked)
        }
        _ => Err(Fault::Unknown),
    }
}

/// `imull (x),%eax`, `imull $3,(x),%eax`. Of the flags compilers use none behind it.
fn multiply(at: &mut Lowering, args: &[Arg], size: u8) -> Result<(), Fault> {
    let [.., last] = args else { return Err(Fault::form("imull (x),%eax")) };
    let (first, second) = match args {
        [first, second] | [first @ Arg::Immediate(_), second, _] => (first, second),
        _ => return Err(Fault::form("imull (x),%eax")),
    };
    let Location::Register(target, _) = location(at, Some(last))? else { return Err(Fault::form("imull (x),%eax")) };
    let (a, b) = (read(at, Some(first), size)?, read(at, Some(second), size)?);
    let product = at.bin(BinOp::Mul, size * 8, a, b);
    write_register(at, &target, size, product);
    Ok(())
}

fn jump(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let cond = match name.strip_prefix('j') {
        Some("mp") => None,
        // The reference tool's names for less and greater.
        Some("lt") => condition(at, "l"),
        Some("gt") => condition(at, "g"),
        suffix => Some(condition(at, suffix.unwrap_or_default()).ok_or(Fault::Unknown)?),
    };
    let label = at.label(label(args, "je label")?);
    match cond {
        Some(cond) => at.branch(cond, label, Join::NoDependency),
        None => at.jump(label),
    }
    Ok(())
}

/// `cmovl (x),%eax`, with or without a suffix for size.
fn conditional_move(at: &mut Lowering, suffix: &str, args: &[Arg]) -> Result<(), Fault> {
    let size = size(args, None)?;
    let last = match size {
        8 => 'q',
        4 => 'l',
        _ => 'w',
    };
    let cond = match condition(at, suffix) {
        Some(cond) => cond,
        None => suffix.strip_suffix(last).and_then(|s| condition(at, s)).ok_or(Fault::Unknown)?,
    };
    let Location::Register(target, _) = location(at, args.get(1))? else { return Err(Fault::form("cmovel (x),%eax")) };
    let source = read(at, args.first(), size)?;
    let old = at.get(&target);
    let dst = at.temporary();
    at.push(Instr::Select { dst, cond, a: source, b: old, on_cond: true });
    write_register(at, &target, size, Operand::Reg(dst));
    Ok(())
}

/// `movzbl (x),%eax`, `movslq %eax,%rbx`: a move that widens.
fn widen(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    let (signed, sizes) = match (name.strip_prefix("movz"), name.strip_prefix("movs")) {
        (Some(sizes), _) => (false, sizes),
        (_, Some(sizes)) => (true, sizes),
        _ => return None,
    };
    let bytes = |letter: u8| match letter {
        b'b' => Some(1),
        b'w' => Some(2),
        b'l' => Some(4),
        b'q' => Some(8),
        _ => None,
    };
    let &[from, to] = sizes.as_bytes() else { return None };
    let (from, to): (u8, u8) = (bytes(from)?, bytes(to)?);
    let lower = || {
        let Location::Register(target, _) = location(at, args.get(1))? else {
            return Err(Fault::form("movzbl (x),%eax"));
        };
        let value = read(at, args.first(), from)?;
        let value = at.un(if signed { UnOp::Sext } else { UnOp::Trunc }, from * 8, value);
        write_register(at, &target, to, value);
        Ok(())
    };
    (from < to).then(lower)
}

/// `leaq 4(%rax),%rbx`
fn address_of(at: &mut Lowering, args: &[Arg]) -> Result<(), Fault> {
    let (Location::Memory(address), Location::Register(target, bits)) =
        (location(at, args.first())?, location(at, args.get(1))?)
    else {
        return Err(Fault::form("leaq 4(%rax),%rbx"));
    };
    write_register(at, &target, bits / 8, address);
    Ok(())
}

fn store(at: &mut Lowering, args: &[Arg], size: u8, tags: &[&str]) -> Result<(), Fault> {
    let value = read(at, args.first(), size)?;
    match location(at, args.get(1))? {
        Location::Register(name, _) => write_register(at, &name, size, value),
        Location::Memory(address) => at.store(address, value, size, tags, Half::None),
    }
    Ok(())
}

/// A flush of the line of an address: an event there that neither reads nor writes.
fn flush(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let Location::Memory(address) = location(at, args.first())? else { return Err(Fault::form("clflush (x)")) };
    let tag = match name {
        "clflush" => "ClFlush",
        "clflushopt" => "ClFlushOpt",
        _ => "ClWb",
    };
    let tags = at.builder.tag_set([tag]);
    at.push(Instr::Fence { tags, addr: Some(address), is_fence: false });
    Ok(())
}

/// `xchg`: locked as soon as it touches memory.
fn exchange(at: &mut Lowering, args: &[Arg], size: u8, tags: &[&str]) -> Result<(), Fault> {
    let halves = if tags.is_empty() { [Half::None; 2] } else { [Half::AmoRead, Half::AmoWrite] };
    match (location(at, args.first())?, location(at, args.get(1))?) {
        (Location::Memory(address), Location::Register(name, _))
        | (Location::Register(name, _), Location::Memory(address)) => {
            let new = at.get(&name);
            let old = at.load(address, size, tags, halves[0]);
            if tags.is_empty() {
                // No dependency orders the two accesses: program order does, between instructions.
                at.function.next_group();
            }
            at.store(address, new, size, tags, halves[1]);
            write_register(at, &name, size, old);
            Ok(())
        }
        (Location::Register(a, _), Location::Register(b, _)) => {
            let (old_a, old_b) = (at.get(&a), at.get(&b));
            let (old_a, old_b) = (at.copy(old_a), at.copy(old_b));
            write_register(at, &a, size, old_b);
            write_register(at, &b, size, old_a);
            Ok(())
        }
        _ => Err(Fault::form("xchgl %eax,(x)")),
    }
}

fn modify(at: &mut Lowering, name: &str, args: &[Arg], size: u8, locked: bool) -> Result<(), Fault> {
    let unary = matches!(name, "inc" | "dec" | "neg" | "not");
    let bits = size * 8;
    let operand = if unary { constant(0) } else { read(at, args.first(), size)? };
    let new = match location(at, args.get(usize::from(!unary)))? {
        Location::Register(register, _) => {
            let old = at.get(&register);
            let old = at.copy(old);
            let new = changed(at, name, bits, old, operand);
            if name == "xadd"
                && let Location::Register(source, _) = location(at, args.first())?
            {
                write_register(at, &source, size, old);
            }
            write_register(at, &register, size, new);
            new
        }
        Location::Memory(address) => {
            let (tags, halves) =
                if locked { (LOCKED, [Half::AmoRead, Half::AmoWrite]) } else { (&[][..], [Half::None, Half::None]) };
            let old = at.load(address, size, tags, halves[0]);
            let new = changed(at, name, bits, old, operand);
            at.store(address, new, size, tags, halves[1]);
            if name == "xadd"
                && let Location::Register(register, _) = location(at, args.first())?
            {
                write_register(at, &register, size, old);
            }
            new
        }
    };
    if name != "not" {
        set_flags(at, bits, new, constant(0));
    }
    Ok(())
}
