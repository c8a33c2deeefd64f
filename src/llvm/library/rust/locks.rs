//! Locks of Rust's standard library that are not free: the thread waits until they are, and takes them.
//!
//! The library spins, says in the lock that somebody waits, and sleeps at its futex; who unlocks wakes then. Here a thread that waits says nothing, so that nobody is woken, and goes
//! on when the lock is free. What the lock orders is the same: an acquire that reads from the release of whoever has held it.

use crate::llvm::ir::Order;
use crate::llvm::library::waiting::locks::{ONE, ZERO, take};
use crate::llvm::library::{Emit, arg};
use crate::llvm::lower::function::code::Code;
use crate::program::operation::{Operation, Primitive};
use crate::program::*;

/// The bits of a reader-writer lock that count readers; all set when a writer has it.
const READERS: Operand = Operand::Const((1 << 30) - 1);
/// More readers than this there cannot be.
const MOST_READERS: Operand = Operand::Const((1 << 30) - 3);

/// What is done instead of a function.
pub fn find(path: &str) -> Option<Emit> {
    Some(match path {
        "<std::sys::sync::mutex::futex::Mutex>::lock_contended" => |code, args| {
            code.acquire_when(arg(args, 0), 4, ZERO, ONE);
            None
        },
        "<std::sys::sync::rwlock::futex::RwLock>::read_contended" => |code, args| {
            when(code, arg(args, 0), |code, old| {
                let readers = code.bin(BinOp::And, 32, old, READERS);
                (code.bin(BinOp::ULe, 32, readers, MOST_READERS), code.bin(BinOp::Add, 32, old, ONE))
            });
            None
        },
        "<std::sys::sync::rwlock::futex::RwLock>::write_contended" => |code, args| {
            when(code, arg(args, 0), |code, old| {
                let readers = code.bin(BinOp::And, 32, old, READERS);
                (code.bin(BinOp::Eq, 32, readers, ZERO), code.bin(BinOp::Or, 32, old, READERS))
            });
            None
        },
        _ => return None,
    })
}

/// A read-modify-write of a reader-writer lock that waits for a condition. `update` gives that, and what is written.
fn when(code: &mut Code<'_, '_>, lock: Operand, update: impl FnOnce(&mut Code<'_, '_>, Operand) -> (Operand, Operand)) {
    let old = code.f.reg();
    take(code, Operation::Use, Primitive::ReaderWriter);
    code.rmw(old, lock, 4, Order::Acq, |code, old| {
        let (cond, new) = update(code, old);
        code.f.push(Instr::StopUnless { cond, why: Stop::Await });
        new
    });
}
