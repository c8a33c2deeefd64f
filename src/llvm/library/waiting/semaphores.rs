//! Semaphores of POSIX: a word that is counted down by who waits, and up by who posts.
//!
//! A post is a release, a wait that succeeds is an acquire, as in glibc; one that finds 0 orders nothing. No wait is interrupted by a signal (`EINTR`).

use super::clocks::timed;
use super::locks::{DESTROYED, ONE, ZERO, take};
use crate::llvm::ir::Order;
use crate::llvm::library::emit::{Emit, SUCCESS, arg};
use crate::llvm::library::threads::object;
use crate::llvm::lower::function::code::{Code, CompareAndSwap};
use crate::program::operation::{Operation, Primitive};
use crate::program::*;

/// `EAGAIN`.
const AGAIN: Operand = Operand::Const(11);
/// `ETIMEDOUT`.
const TIMED_OUT: Operand = Operand::Const(110);
/// Posts that count on from here stay below `SEM_VALUE_MAX` in any execution that can be looked at.
const MOST: u64 = 0x3fff_ffff;

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "sem_init" => |code, args| {
            refuse_many(code, arg(args, 2));
            code.f.mark(Operation::Initialise(Primitive::Semaphore));
            code.store(arg(args, 0), arg(args, 2), 4, Order::Na);
            SUCCESS
        },
        "sem_destroy" => |code, args| {
            code.f.mark(Operation::Destroy(Primitive::Semaphore));
            code.store(arg(args, 0), DESTROYED, 4, Order::Na);
            SUCCESS
        },
        "sem_post" => |code, args| {
            let old = code.f.reg();
            take(code, Operation::Use, Primitive::Semaphore);
            code.rmw(old, arg(args, 0), 4, Order::Rel, |code, old| code.bin(BinOp::Add, 32, old, ONE));
            SUCCESS
        },
        "sem_wait" => |code, args| {
            wait(code, arg(args, 0), Stop::Await);
            SUCCESS
        },
        "sem_trywait" => |code, args| Some(try_wait(code, arg(args, 0))),
        "sem_timedwait" | "sem_clockwait" => |code, args| Some(timed_wait(code, arg(args, 0))),
        "sem_getvalue" => |code, args| {
            let value = look(code, arg(args, 0));
            code.store(arg(args, 1), value, 4, Order::Na);
            SUCCESS
        },
        "sem_open" | "sem_close" | "sem_unlink" => |code, _| {
            code.unsupported("semaphores with a name (`sem_open`) are not supported: use `sem_init`");
            SUCCESS
        },
        _ => return None,
    })
}

/// Stops where a semaphore begins with so large a value that it may overflow.
fn refuse_many(code: &mut Code<'_, '_>, value: Operand) {
    if matches!(value, Operand::Const(value) if value <= MOST) {
        return;
    }
    let (fits, too_large) = (code.f.label(), code.f.label());
    let small = code.bin(BinOp::ULe, 32, value, Operand::Const(MOST));
    code.inner_branch(small, fits, too_large);
    code.f.place(too_large);
    code.unsupported(format!("semaphores that begin with a value of more than {MOST} are not supported"));
    code.f.place(fits);
}

/// The value of a semaphore, which orders nothing.
fn look(code: &mut Code<'_, '_>, semaphore: Operand) -> Operand {
    code.f.mark(Operation::Look(Primitive::Semaphore));
    code.load_new(semaphore, 4, Order::Rlx)
}

/// Counts down; where the value is 0, the thread stops for the reason given.
fn wait(code: &mut Code<'_, '_>, semaphore: Operand, why: Stop) {
    let old = code.f.reg();
    take(code, Operation::Use, Primitive::Semaphore);
    code.rmw(old, semaphore, 4, Order::Acq, |code, old| {
        code.f.push(Instr::StopUnless { cond: old, why });
        code.bin(BinOp::Sub, 32, old, ONE)
    });
}

fn try_wait(code: &mut Code<'_, '_>, semaphore: Operand) -> Operand {
    let result = code.f.reg();
    let seen = look(code, semaphore);
    failed_if_empty(code, result, seen);
    let (some, done) = (code.f.label(), code.f.label());
    code.branch(seen, some, done);
    code.f.place(some);
    let (new, old) = (code.bin(BinOp::Sub, 32, seen, ONE), code.f.reg());
    let (success, failure) = (Order::Acq, Order::Rlx);
    take(code, Operation::Use, Primitive::Semaphore);
    let ok =
        code.compare_and_swap(old, &CompareAndSwap { addr: semaphore, size: 4, expected: seen, new, success, failure });
    // Where others came in between it would try again, and see what is seen in another execution at once.
    let empty = failed_if_empty(code, result, Operand::Reg(old));
    let cond = code.bin(BinOp::Or, 32, ok, empty);
    code.f.push(Instr::StopUnless { cond, why: Stop::Assume });
    code.f.place(done);
    set_error(code, Operand::Reg(result), AGAIN);
    Operand::Reg(result)
}

/// Gives -1 where the value of a semaphore is 0, else 0. Says whether it is.
fn failed_if_empty(code: &mut Code<'_, '_>, result: Reg, value: Operand) -> Operand {
    let empty = code.bin(BinOp::Eq, 32, value, ZERO);
    code.f.push(Instr::Un { dst: result, op: UnOp::Neg, bits: 32, a: empty });
    empty
}

/// Waits, or finds the value 0 and times out.
fn timed_wait(code: &mut Code<'_, '_>, semaphore: Operand) -> Operand {
    let result = code.f.reg();
    timed(
        code,
        |code| {
            let value = look(code, semaphore);
            let empty = failed_if_empty(code, result, value);
            code.f.push(Instr::StopUnless { cond: empty, why: Stop::Assume });
        },
        |code| {
            wait(code, semaphore, Stop::Assume);
            code.f.push(Instr::Set { dst: result, src: ZERO });
        },
    );
    set_error(code, Operand::Reg(result), TIMED_OUT);
    Operand::Reg(result)
}

/// Sets `errno` where a call failed, in a program that looks at it.
fn set_error(code: &mut Code<'_, '_>, failed: Operand, error: Operand) {
    if code.cx.uses.errno {
        let (set, done) = (code.f.label(), code.f.label());
        code.inner_branch(failed, set, done);
        code.f.place(set);
        let errno = object(code, "errno", 4, true);
        code.store(errno, error, 4, Order::Na);
        code.f.place(done);
    }
}
