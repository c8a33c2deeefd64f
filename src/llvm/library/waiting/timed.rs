//! Reader-writer locks with a time limit. As with other timed waits, in one kind of executions the time is over while the lock is held, in the other the thread gets it.

use super::clocks;
use super::locks::{TIMED_OUT, WRITER, ZERO, read_lock_or_stop, take};
use crate::llvm::ir::Order;
use crate::llvm::library::emit::{Emit, arg};
use crate::llvm::lower::function::code::Code;
use crate::program::operation::{Operation, Primitive};
use crate::program::*;

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "pthread_rwlock_timedwrlock" | "pthread_rwlock_clockwrlock" => |code, args| {
            let lock = arg(args, 0);
            Some(timed(code, lock, BinOp::Ne, ZERO, |code| {
                take(code, Operation::Acquire, Primitive::ReaderWriter);
                code.acquire_or_stop(lock, 4, ZERO, WRITER, Stop::Assume);
            }))
        },
        "pthread_rwlock_timedrdlock" | "pthread_rwlock_clockrdlock" => |code, args| {
            let lock = arg(args, 0);
            Some(timed(code, lock, BinOp::Eq, WRITER, |code| read_lock_or_stop(code, lock, Stop::Assume)))
        },
        _ => return None,
    })
}

/// Takes a lock in time, or finds it in a state in which it cannot be taken.
fn timed(
    code: &mut Code<'_, '_>,
    lock: Operand,
    compares: BinOp,
    with: Operand,
    acquire: impl FnOnce(&mut Code<'_, '_>),
) -> Operand {
    let result = code.f.reg();
    clocks::timed(
        code,
        |code| {
            code.f.mark(Operation::Look(Primitive::ReaderWriter));
            let word = code.load_new(lock, 4, Order::Rlx);
            let cond = code.bin(compares, 32, word, with);
            code.f.push(Instr::StopUnless { cond, why: Stop::Assume });
            code.f.push(Instr::Set { dst: result, src: TIMED_OUT });
        },
        |code| {
            acquire(code);
            code.f.push(Instr::Set { dst: result, src: ZERO });
        },
    );
    Operand::Reg(result)
}
