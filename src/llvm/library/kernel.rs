//! The internal operations that the macros of a model's `.def` file are made of, as calls that the generated header makes.
//!
//! Every call's first argument is the text of the tags. Tags are attached as written to both halves of a read-modify-write;
//! the older, lower-case vocabulary (`mb`, `acquire`, `release`, `once`) is expanded as the tools of its time did: a full
//! barrier becomes fences around the operation, an acquire is on the read half only, a release on the write half only.

use super::persistent;
use crate::ids::TagSetId;
use crate::llvm::lower::function::code::Code;
use crate::llvm::lower::function::memory::access_size;
use crate::program::operation::{self, Operation};
use crate::program::*;

/// A fence of the model.
pub const FENCE: &str = "__hmc_fence";

/// Writes an operation's effect; the operands are the arguments behind the tags.
pub type Primitive = fn(&mut Code<'_, '_>, &str, &[Operand]) -> Result<Option<Operand>, String>;

const ZERO: Operand = Operand::Const(0);
const ONE: Operand = Operand::Const(1);
/// The sets of every half of a read-modify-write.
const UPDATE: &[&str] = &["RMW", "X"];
/// The set of every lock event.
const LOCK: &[&str] = &["LK"];
/// A lock is a word that is 1 when it is held.
const LOCK_SIZE: u8 = 4;

/// The operation of a name.
pub fn find(name: &str) -> Option<Primitive> {
    Some(match name.strip_prefix("__hmc_")? {
        "load" => load,
        "store" => store,
        "fence" => |code, tags, _| {
            fence(code, tags);
            Ok(None)
        },
        // A sentence beside the verdict, where the program comes to it.
        "note" => |code, text, _| {
            code.cx.note(text);
            Ok(None)
        },
        // A fence where the program has fences with the tags that come first.
        "reader" => |code, tags, _| {
            if let Some((other, tags)) = tags.split_once(' ')
                && code.cx.fences.iter().any(|used| used == other)
            {
                fence(code, tags);
            }
            Ok(None)
        },
        "disk_store" => persistent::store,
        "disk_load" => persistent::load,
        "disk_force" => persistent::force_at,
        "xchg" => |code, tags, args| update(code, tags, args, |_, _, _, new| Ok(new), Gives::Old),
        "atomic_op" => {
            |code, tags, args| operation(code, if tags.is_empty() { "noreturn" } else { tags }, args, Gives::Old)
        }
        "atomic_fetch_op" => |code, tags, args| operation(code, tags, args, Gives::Old),
        "atomic_op_return" => |code, tags, args| operation(code, tags, args, Gives::New),
        "cmpxchg" => compare_exchange,
        "atomic_add_unless" => add_unless,
        "lock" => |code, _, args| {
            let old = lock_read(code, args, "LKR");
            let cond = code.bin(BinOp::Eq, 64, old, ZERO);
            code.f.push(Instr::StopUnless { cond, why: Stop::Await });
            lock_write(code, args);
            Ok(None)
        },
        "trylock" => |code, _, args| {
            let old = lock_read(code, args, "LF");
            let free = code.bin(BinOp::Eq, 64, old, ZERO);
            let (take, done) = (code.f.label(), code.f.label());
            code.inner_branch(free, take, done);
            code.f.place(take);
            lock_write(code, args);
            code.f.place(done);
            Ok(Some(free))
        },
        "islocked" => |code, _, args| {
            let (unlocked, locked) = (set(code, "RU", LOCK), set(code, "RL", LOCK));
            code.f.next_group();
            let dst = code.f.reg();
            let unless = Some(Unless { expected: ZERO, tags: locked, half: Half::None });
            let addr = first(args);
            code.f.push(Instr::Load(Load {
                dst,
                addr,
                size: LOCK_SIZE,
                tags: unlocked,
                half: Half::None,
                unless,
                hidden: true,
            }));
            Ok(Some(code.bin(BinOp::Ne, 64, Operand::Reg(dst), ZERO)))
        },
        "unlock" => |code, _, args| {
            let tags = set(code, "UL", LOCK);
            code.f.mark(Operation::Release(operation::Primitive::Lock));
            code.f.next_group();
            let addr = first(args);
            code.f.push(Instr::Store(Store {
                addr,
                value: ZERO,
                size: LOCK_SIZE,
                tags,
                half: Half::None,
                hidden: true,
            }));
            Ok(None)
        },
        "srcu" => |code, tags, args| {
            let tags = set(code, tags, &[]);
            code.f.next_group();
            code.f.push(Instr::Fence { tags, addr: Some(first(args)), is_fence: false });
            Ok(Some(ZERO))
        },
        _ => return None,
    })
}

fn first(args: &[Operand]) -> Operand {
    args.first().copied().unwrap_or(ZERO)
}

/// The event sets that comma-separated annotations mean (the first letter in upper case), and more sets by name.
fn set(code: &mut Code<'_, '_>, annotations: &str, more: &[&str]) -> TagSetId {
    let annotations = annotations.split(',').map(str::trim).filter(|a| !a.is_empty());
    let capitalised = annotations.map(|annotation| {
        let mut letters = annotation.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    });
    let names: Vec<String> = capitalised.chain(more.iter().map(|m| (*m).to_owned())).collect();
    code.cx.builder.tag_set(names.iter().map(String::as_str))
}

fn fence(code: &mut Code<'_, '_>, tags: &str) {
    let tags = set(code, tags, &[]);
    code.f.next_group();
    code.f.push(Instr::Fence { tags, addr: None, is_fence: true });
}

/// Size, address and the rest of the arguments.
fn location(args: &[Operand]) -> Result<(u8, Operand, &[Operand]), String> {
    match args {
        [Operand::Const(size), address, rest @ ..] => Ok((access_size(*size)?, *address, rest)),
        _ => Err("a primitive of the model is called without a constant size".into()),
    }
}

fn load(code: &mut Code<'_, '_>, tags: &str, args: &[Operand]) -> Result<Option<Operand>, String> {
    let (size, addr, _) = location(args)?;
    // In the older vocabulary a dereference is a read and a fence that carries the address dependency.
    let dereference = matches!(tags, "deref" | "lderef");
    let tag_set = set(code, if dereference { "once" } else { tags }, &[]);
    code.f.next_group();
    let dst = code.f.reg();
    let half = Half::None;
    code.f.push(Instr::Load(Load { dst, addr, size, tags: tag_set, half, unless: None, hidden: false }));
    if dereference {
        fence(code, "rb_dep");
    }
    Ok(Some(Operand::Reg(dst)))
}

fn store(code: &mut Code<'_, '_>, tags: &str, args: &[Operand]) -> Result<Option<Operand>, String> {
    let (size, addr, rest) = location(args)?;
    let value = code.un(UnOp::Trunc, size * 8, first(rest));
    let tags = set(code, tags, &[]);
    code.f.next_group();
    code.f.push(Instr::Store(Store { addr, value, size, tags, half: Half::None, hidden: false }));
    Ok(None)
}

/// Tags of the halves of a read-modify-write, and whether fences stand around it.
fn halves(tags: &str) -> (&str, &str, bool) {
    match tags {
        "mb" => ("once", "once", true),
        "acquire" => ("acquire", "once", false),
        "release" => ("once", "release", false),
        "noreturn" => ("noreturn", "once", false),
        _ => (tags, tags, false),
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Gives {
    Old,
    New,
}

fn update(
    code: &mut Code<'_, '_>,
    tags: &str,
    args: &[Operand],
    new: impl FnOnce(&mut Code<'_, '_>, u8, Operand, Operand) -> Result<Operand, String>,
    gives: Gives,
) -> Result<Option<Operand>, String> {
    let (size, addr, rest) = location(args)?;
    let (read, write, fences) = halves(tags);
    if fences {
        fence(code, "mb");
    }
    let operand = code.un(UnOp::Trunc, size * 8, first(rest));
    let tags = set(code, read, UPDATE);
    code.f.next_group();
    let dst = code.f.reg();
    let half = Half::AmoRead;
    code.f.push(Instr::Load(Load { dst, addr, size, tags, half, unless: None, hidden: false }));
    let value = new(code, size * 8, Operand::Reg(dst), operand)?;
    let tags = set(code, write, UPDATE);
    code.f.push(Instr::Store(Store { addr, value, size, tags, half: Half::AmoWrite, hidden: false }));
    if fences {
        fence(code, "mb");
    }
    Ok(Some(if gives == Gives::Old { Operand::Reg(dst) } else { value }))
}

/// Arguments: size, address, value, operation (a character).
fn operation(code: &mut Code<'_, '_>, tags: &str, args: &[Operand], gives: Gives) -> Result<Option<Operand>, String> {
    let Some(&Operand::Const(op)) = args.get(3) else {
        return Err("the operation of a primitive of the model is not constant".into());
    };
    let op = match u8::try_from(op) {
        Ok(b'+') => BinOp::Add,
        Ok(b'-') => BinOp::Sub,
        Ok(b'&') => BinOp::And,
        Ok(b'|') => BinOp::Or,
        Ok(b'^') => BinOp::Xor,
        Ok(b'~') => BinOp::AndNot,
        _ => return Err("the operation of a primitive of the model is not known".into()),
    };
    update(code, tags, args, |code, bits, old, operand| Ok(code.bin(op, bits, old, operand)), gives)
}

/// Arguments: size, address, expected value, new value.
fn compare_exchange(code: &mut Code<'_, '_>, tags: &str, args: &[Operand]) -> Result<Option<Operand>, String> {
    let (size, addr, rest) = location(args)?;
    let &[expected, new] = rest else { return Err("a compare-and-exchange of the model takes two values".into()) };
    let (read, write, fences) = halves(tags);
    let expected = code.un(UnOp::Trunc, size * 8, expected);
    let value = code.un(UnOp::Trunc, size * 8, new);
    let dst = code.f.reg();
    let (success, done) = (code.f.label(), code.f.label());
    if fences {
        // Only a successful exchange has the fences: which it will be is known after the read, so the fence before is emitted
        // in every case; it is wrong only in being too strong on failure.
        code.cx
            .note("a failing compare-and-exchange of the older vocabulary has the fence in front of a successful one");
        fence(code, "mb");
    }
    let tag_set = set(code, read, UPDATE);
    let failing = set(code, if fences || read != write { "once" } else { read }, UPDATE);
    code.f.next_group();
    let unless = Some(Unless { expected, tags: failing, half: Half::None });
    code.f.push(Instr::Load(Load { dst, addr, size, tags: tag_set, half: Half::AmoRead, unless, hidden: false }));
    let ok = code.bin(BinOp::Eq, 64, Operand::Reg(dst), expected);
    code.inner_branch(ok, success, done);
    code.f.place(success);
    let tags = set(code, write, UPDATE);
    code.f.push(Instr::Store(Store { addr, value, size, tags, half: Half::AmoWrite, hidden: false }));
    if fences {
        fence(code, "mb");
    }
    code.f.place(done);
    Ok(Some(Operand::Reg(dst)))
}

/// Arguments: size, address, what to add, unless the value is this.
fn add_unless(code: &mut Code<'_, '_>, tags: &str, args: &[Operand]) -> Result<Option<Operand>, String> {
    let (size, addr, rest) = location(args)?;
    let &[add, unless] = rest else { return Err("an addition of the model takes two values".into()) };
    let bits = size * 8;
    let (read, write, fences) = match tags {
        _ if tags.chars().any(char::is_uppercase) => (tags, tags, false),
        _ => ("once", "once", true),
    };
    let unless = code.un(UnOp::Trunc, bits, unless);
    let seen = code.f.reg();
    let (go, done) = (code.f.label(), code.f.label());
    if fences {
        fence(code, "mb");
    }
    let tag_set = set(code, read, UPDATE);
    code.f.next_group();
    code.f.push(Instr::Load(Load {
        dst: seen,
        addr,
        size,
        tags: tag_set,
        half: Half::AmoRead,
        unless: None,
        hidden: false,
    }));
    let ok = code.bin(BinOp::Ne, 64, Operand::Reg(seen), unless);
    code.inner_branch(ok, go, done);
    code.f.place(go);
    let value = code.bin(BinOp::Add, bits, Operand::Reg(seen), add);
    let tags = set(code, write, UPDATE);
    code.f.push(Instr::Store(Store { addr, value, size, tags, half: Half::AmoWrite, hidden: false }));
    if fences {
        fence(code, "mb");
    }
    code.f.place(done);
    Ok(Some(ok))
}

/// The read half of taking a lock; `otherwise` is the tag of finding it held.
fn lock_read(code: &mut Code<'_, '_>, args: &[Operand], otherwise: &str) -> Operand {
    let (tags, failing) = (set(code, "LKR", LOCK), set(code, otherwise, LOCK));
    code.f.next_group();
    let dst = code.f.reg();
    let unless = Some(Unless { expected: ZERO, tags: failing, half: Half::None });
    let (addr, half) = (first(args), Half::AmoRead);
    code.f.push(Instr::Load(Load { dst, addr, size: LOCK_SIZE, tags, half, unless, hidden: true }));
    Operand::Reg(dst)
}

fn lock_write(code: &mut Code<'_, '_>, args: &[Operand]) {
    code.f.mark(Operation::Acquire(operation::Primitive::Lock));
    let tags = set(code, "LKW", LOCK);
    let (addr, half) = (first(args), Half::AmoWrite);
    code.f.push(Instr::Store(Store { addr, value: ONE, size: LOCK_SIZE, tags, half, hidden: true }));
}
