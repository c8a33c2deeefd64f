//! Condition variables of POSIX, C11 and C++: a word in which waiters draw tickets, and of which signals take some back.
//!
//! The low bits are the next ticket; above them, each ticket has a bit that is set while its owner waits. All changes are read-modify-writes, so a signal knows
//! who waits. It wakes one of them, whichever, or all (the others may see it as a spurious wake-up); that it wakes several and not all is not looked at.
//!
//! Where a thread comes by a wait once only, it may end without a signal: such a wake-up is one of a thread that never waited. In loops it does not happen, which
//! mostly look at their condition again; a note says so. A wait that times out has never waited either.

use super::clocks::{pass, times_out};
use super::locks::{DESTROYED, Mutex, ONE, THRD_TIMED_OUT, TIMED_OUT, ZERO, lock, take, unlock};
use crate::llvm::ir::Order;
use crate::llvm::library::{Emit, SUCCESS, arg};
use crate::llvm::lower::function::code::Code;
use crate::program::operation::{Operation, Primitive};
use crate::program::*;

/// Bytes of a condition variable's state: glibc's begins with a member of this size, and a static initialiser of a local one writes members whole.
const SIZE: u8 = 8;
/// Bits of the next ticket.
const NEXT_BITS: u64 = 6;
/// How many tickets there are: each has two of the other bits.
const TICKETS: u64 = (64 - NEXT_BITS) / 2;
/// The next ticket in the word.
const NEXT: Operand = Operand::Const((1 << NEXT_BITS) - 1);
/// The tickets that wait.
const WAITING: Operand = Operand::Const(((1 << TICKETS) - 1) << NEXT_BITS);
/// What each change keeps but for what it changes.
const KEPT: u64 = (1 << (NEXT_BITS + TICKETS)) - 1;
/// The tickets that the last change has woken are so many bits further up than those that wait.
const WOKEN: Operand = Operand::Const(TICKETS);

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "pthread_cond_init" | "_ZNSt18condition_variableC1Ev" | "_ZNSt18condition_variableC2Ev" => {
            |code, args| set(code, Condition::posix(args), Operation::Initialise, ZERO)
        }
        "cnd_init" => |code, args| set(code, Condition::plain(args), Operation::Initialise, ZERO),
        "pthread_cond_destroy" | "_ZNSt18condition_variableD1Ev" | "_ZNSt18condition_variableD2Ev" => {
            |code, args| set(code, Condition::posix(args), Operation::Destroy, DESTROYED)
        }
        "cnd_destroy" => |code, args| set(code, Condition::plain(args), Operation::Destroy, DESTROYED),
        "pthread_cond_wait" => |code, args| Some(wait(code, Condition::posix(args), arg(args, 1), None)),
        "cnd_wait" => |code, args| Some(wait(code, Condition::plain(args), arg(args, 1), None)),
        "pthread_cond_timedwait" | "pthread_cond_clockwait" => {
            |code, args| Some(wait(code, Condition::posix(args), arg(args, 1), Some(TIMED_OUT)))
        }
        "cnd_timedwait" => |code, args| Some(wait(code, Condition::plain(args), arg(args, 1), Some(THRD_TIMED_OUT))),
        // The lock begins with a pointer to the mutex.
        "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE" => |code, args| {
            let mutex = code.load_new(arg(args, 1), 8, Order::Na);
            wait(code, Condition::posix(args), mutex, None);
            None
        },
        "pthread_cond_signal" | "_ZNSt18condition_variable10notify_oneEv" => {
            |code, args| signal(code, Condition::posix(args), wake_one_or_all)
        }
        "cnd_signal" => |code, args| signal(code, Condition::plain(args), wake_one_or_all),
        "pthread_cond_broadcast" | "_ZNSt18condition_variable10notify_allEv" => {
            |code, args| signal(code, Condition::posix(args), wake_all)
        }
        "cnd_broadcast" => |code, args| signal(code, Condition::plain(args), wake_all),
        _ => return None,
    })
}

/// A condition variable as an argument.
#[derive(Clone, Copy)]
struct Condition {
    /// Its address.
    at: Operand,
    /// Of which library.
    kind: Primitive,
}

impl Condition {
    fn posix(args: &[Operand]) -> Condition {
        Condition { at: arg(args, 0), kind: Primitive::Condition }
    }

    fn plain(args: &[Operand]) -> Condition {
        Condition { at: arg(args, 0), kind: Primitive::PlainCondition }
    }

    /// The mutex that is used with it.
    fn mutex(self, at: Operand) -> Mutex {
        let kind = if self.kind == Primitive::Condition { Primitive::Mutex } else { Primitive::PlainMutex };
        Mutex { at, kind }
    }
}

/// Gives it a state that looks at no other.
fn set(
    code: &mut Code<'_, '_>,
    condition: Condition,
    operation: fn(Primitive) -> Operation,
    state: Operand,
) -> Option<Operand> {
    code.f.mark(operation(condition.kind));
    code.store(condition.at, state, SIZE, Order::Na);
    SUCCESS
}

/// What a wake-up makes of the word, given the old one.
type Wake = fn(&mut Code<'_, '_>, Operand) -> Operand;

fn signal(code: &mut Code<'_, '_>, condition: Condition, wake: Wake) -> Option<Operand> {
    let old = code.f.reg();
    take(code, Operation::Use, condition.kind);
    code.rmw(old, condition.at, SIZE, Order::Rel, wake);
    SUCCESS
}

/// The word behind a signal: it wakes all who wait, or one of them, whichever.
fn wake_one_or_all(code: &mut Code<'_, '_>, old: Operand) -> Operand {
    let waiting = code.bin(BinOp::And, 64, old, WAITING);
    let woken = code.f.reg();
    code.f.push(Instr::Set { dst: woken, src: waiting });
    let [several, one, done] = [(); 3].map(|()| code.f.label());
    let all_but_lowest = code.bin(BinOp::Sub, 64, waiting, ONE);
    let others = code.bin(BinOp::And, 64, waiting, all_but_lowest);
    code.inner_branch(others, several, done);
    code.f.place(several);
    // One choice, and the write right behind it. No ticket has the lowest bit: it stands for all.
    let (of, chosen) = (code.bin(BinOp::Or, 64, waiting, ONE), code.f.reg());
    code.f.push(Instr::ChooseBit { dst: chosen, of });
    let all = code.bin(BinOp::Eq, 64, Operand::Reg(chosen), ONE);
    code.inner_branch(all, done, one);
    code.f.place(one);
    code.f.push(Instr::Bin { dst: woken, op: BinOp::And, bits: 64, a: waiting, b: Operand::Reg(chosen) });
    code.f.place(done);
    wake(code, old, Operand::Reg(woken))
}

/// The word behind a broadcast.
fn wake_all(code: &mut Code<'_, '_>, old: Operand) -> Operand {
    let waiting = code.bin(BinOp::And, 64, old, WAITING);
    wake(code, old, waiting)
}

/// The word when some of those who wait are woken.
fn wake(code: &mut Code<'_, '_>, old: Operand, woken: Operand) -> Operand {
    let same = code.bin(BinOp::And, 64, old, Operand::Const(KEPT));
    let left = code.bin(BinOp::AndNot, 64, same, woken);
    let marks = code.bin(BinOp::Shl, 64, woken, WOKEN);
    code.bin(BinOp::Or, 64, left, marks)
}

/// Draws a ticket; `ticket` gets its bit.
fn draw(code: &mut Code<'_, '_>, condition: Condition, ticket: Reg) {
    let old = code.f.reg();
    take(code, Operation::Use, condition.kind);
    code.rmw(old, condition.at, SIZE, Order::Rlx, |code, old| {
        let next = code.bin(BinOp::And, 64, old, NEXT);
        let (some, none) = (code.f.label(), code.f.label());
        let is_one = code.bin(BinOp::ULt, 64, next, Operand::Const(TICKETS));
        code.inner_branch(is_one, some, none);
        code.f.place(none);
        code.unsupported(format!(
            "more than {TICKETS} waits at a condition variable in an execution are not supported"
        ));
        code.f.place(some);
        let at = code.bin(BinOp::Add, 64, next, Operand::Const(NEXT_BITS));
        code.f.push(Instr::Bin { dst: ticket, op: BinOp::Shl, bits: 64, a: ONE, b: at });
        let same = code.bin(BinOp::And, 64, old, Operand::Const(KEPT));
        let after = code.bin(BinOp::Or, 64, same, Operand::Reg(ticket));
        code.bin(BinOp::Add, 64, after, ONE)
    });
}

/// Gives a ticket back.
fn give_back(code: &mut Code<'_, '_>, condition: Operand, ticket: Operand) {
    let old = code.f.reg();
    code.rmw(old, condition, SIZE, Order::Rlx, |code, old| code.bin(BinOp::AndNot, 64, old, ticket));
}

/// Waits for a signal, or, when that may time out, gives `timed_out`. The result is the function's.
fn wait(code: &mut Code<'_, '_>, condition: Condition, mutex: Operand, timed_out: Option<Operand>) -> Operand {
    let mutex = condition.mutex(mutex);
    code.cx.note("a wait at a condition variable in a loop ends only by a signal (no spurious wake-ups)");
    let late = timed_out.map(|_| times_out(code));
    let ticket = draw_unless(code, condition, late);
    let result = code.f.reg();
    let [waits, passes, awake, done] = [(); 4].map(|()| code.f.label());
    let refused = unlock(code, mutex);
    code.f.push(Instr::Set { dst: result, src: refused });
    if refused != ZERO {
        let (refusal, unlocked) = (code.f.label(), code.f.label());
        code.inner_branch(refused, refusal, unlocked);
        code.f.place(refusal);
        give_back(code, condition.at, ticket);
        code.jump(done);
        code.f.place(unlocked);
    }
    code.inner_branch(ticket, waits, passes);
    code.f.place(waits);
    // Whoever has woken all may destroy it at once, so this look at it is none that counts.
    let now = code.load_new(condition.at, SIZE, Order::Acq);
    let [waits_on, woken] =
        [ticket, code.bin(BinOp::Shl, 64, ticket, WOKEN)].map(|bit| code.bin(BinOp::And, 64, now, bit));
    // Who was woken by an earlier change sees that one in another execution.
    let cond = code.bin(BinOp::Or, 64, waits_on, woken);
    code.f.push(Instr::StopUnless { cond, why: Stop::Assume });
    let why = if timed_out.is_some() { Stop::Assume } else { Stop::Await };
    code.f.push(Instr::StopUnless { cond: woken, why });
    if timed_out.is_some() {
        may_pass(code);
    }
    code.jump(awake);
    code.f.place(passes);
    if let (Some(late), Some(timed_out)) = (late, timed_out) {
        let is_late = code.f.label();
        code.inner_branch(late, is_late, awake);
        code.f.place(is_late);
        pass(code);
        code.f.push(Instr::Set { dst: result, src: timed_out });
    }
    code.f.place(awake);
    lock(code, mutex, Stop::Await);
    code.f.place(done);
    Operand::Reg(result)
}

/// Draws a ticket, or none where the wait is late, or may end by itself and does. The result is its bit, or 0.
fn draw_unless(code: &mut Code<'_, '_>, condition: Condition, late: Option<Operand>) -> Operand {
    let ticket = code.f.reg();
    let [begins, in_time, done] = [(); 3].map(|()| code.f.label());
    code.f.push(Instr::Set { dst: ticket, src: ZERO });
    if let Some(late) = late {
        code.inner_branch(late, done, in_time);
    }
    code.f.place(in_time);
    let spurious = code.may_once();
    code.inner_branch(spurious, done, begins);
    code.f.place(begins);
    draw(code, condition, ticket);
    code.f.place(done);
    Operand::Reg(ticket)
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
