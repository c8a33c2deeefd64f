//! Condition variables of POSIX, C11 and C++: a word that signals count up, and waiters wait for another value of.
//!
//! Deviations: a signal wakes every waiter of a condition variable (the others see it as a spurious wake-up, which the
//! standards allow), and spurious wake-ups without a signal do not happen.

use super::clocks::{pass, times_out};
use super::locks::{DESTROYED, ONE, THRD_TIMED_OUT, TIMED_OUT, ZERO, lock, unlock};
use super::{Emit, SUCCESS, arg};
use crate::llvm::ir::Order;
use crate::llvm::lower::code::Code;
use crate::program::operation::{Operation, Primitive};
use crate::program::*;

/// Bytes of a condition variable's state: glibc's begins with a member of this size, and a static initialiser of a local one writes members whole.
const SIZE: u8 = 8;

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "pthread_cond_init" | "cnd_init" | "_ZNSt18condition_variableC1Ev" | "_ZNSt18condition_variableC2Ev" => {
            |code, args| {
                code.f.mark(Operation::Initialise(Primitive::Condition));
                code.store(arg(args, 0), ZERO, SIZE, Order::Na);
                SUCCESS
            }
        }
        "pthread_cond_destroy" | "cnd_destroy" | "_ZNSt18condition_variableD1Ev" | "_ZNSt18condition_variableD2Ev" => {
            |code, args| {
                code.f.mark(Operation::Destroy(Primitive::Condition));
                code.store(arg(args, 0), DESTROYED, SIZE, Order::Na);
                SUCCESS
            }
        }
        "pthread_cond_wait" | "cnd_wait" => |code, args| Some(wait(code, arg(args, 0), arg(args, 1), None)),
        "pthread_cond_timedwait" | "pthread_cond_clockwait" => {
            |code, args| Some(wait(code, arg(args, 0), arg(args, 1), Some(TIMED_OUT)))
        }
        "cnd_timedwait" => |code, args| Some(wait(code, arg(args, 0), arg(args, 1), Some(THRD_TIMED_OUT))),
        // The lock begins with a pointer to the mutex.
        "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE" => |code, args| {
            let mutex = code.load_new(arg(args, 1), 8, Order::Na);
            wait(code, arg(args, 0), mutex, None);
            None
        },
        "pthread_cond_signal"
        | "pthread_cond_broadcast"
        | "cnd_signal"
        | "cnd_broadcast"
        | "_ZNSt18condition_variable10notify_oneEv"
        | "_ZNSt18condition_variable10notify_allEv" => |code, args| {
            let old = code.f.reg();
            code.rmw(old, arg(args, 0), SIZE, Order::Rel, |code, old| code.bin(BinOp::Add, 64, old, ONE));
            SUCCESS
        },
        _ => return None,
    })
}

/// Waits for a signal, or, when that may time out, gives `timed_out`. The result is the function's.
fn wait(code: &mut Code<'_, '_>, condition: Operand, mutex: Operand, timed_out: Option<Operand>) -> Operand {
    code.cx.note("a signal wakes all waiters of a condition variable; waits end only by signals");
    let before = code.load_new(condition, SIZE, Order::Rlx);
    let result = code.f.reg();
    let refused = unlock(code, mutex);
    code.f.push(Instr::Set { dst: result, src: refused });
    let (released, done) = (code.f.label(), code.f.label());
    if refused != ZERO {
        code.inner_branch(refused, done, released);
    }
    code.f.place(released);
    let again = code.f.label();
    if let Some(timed_out) = timed_out {
        let (late, in_time) = (code.f.label(), code.f.label());
        let choice = times_out(code);
        code.inner_branch(choice, late, in_time);
        code.f.place(late);
        pass(code);
        code.f.push(Instr::Set { dst: result, src: timed_out });
        code.jump(again);
        code.f.place(in_time);
    }
    let now = code.load_new(condition, SIZE, Order::Acq);
    let cond = code.bin(BinOp::Ne, 64, now, before);
    let why = if timed_out.is_some() { Stop::Assume } else { Stop::Await };
    code.f.push(Instr::StopUnless { cond, why });
    if timed_out.is_some() {
        may_pass(code);
    }
    code.f.place(again);
    lock(code, mutex, Stop::Await);
    code.f.place(done);
    Operand::Reg(result)
}

/// A thread that is woken in time may look at the clock when the time is over: what C++ calls a time-out is that.
fn may_pass(code: &mut Code<'_, '_>) {
    if code.cx.uses.clocks {
        let (late, done) = (code.f.label(), code.f.label());
        let choice = times_out(code);
        code.inner_branch(choice, late, done);
        code.f.place(late);
        pass(code);
        code.f.place(done);
    }
}
