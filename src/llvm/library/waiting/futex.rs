//! Futexes of Linux: `syscall(SYS_futex, …)` as waits.
//!
//! Each address has a queue, a word in which waiters draw tickets and of which a wake-up takes some back, as with condition variables. What the kernel does under the
//! lock of the queue is one read-modify-write here: who waits compares the value when its ticket is drawn, so a wake-up that comes before the ticket comes with
//! what its thread has written before. A wait that finds another value returns at once.
//!
//! A queue is found by its address; where two share one, the program is not run.

use super::clocks::{pass, times_out};
use super::locks::{ONE, ZERO};
use crate::llvm::ir::Order;
use crate::llvm::library::emit::{Emit, arg};
use crate::llvm::library::threads::object;
use crate::llvm::lower::function::code::Code;
use crate::program::*;

/// `SYS_futex` of the machines whose programs are read.
const SYSTEM_CALLS: [u64; 2] = [202, 98];
/// Operations, without the flags behind [`OPERATIONS`].
const WAIT: u64 = 0;
const WAKE: u64 = 1;
const REQUEUE: u64 = 3;
const COMPARE_AND_REQUEUE: u64 = 4;
const WAIT_BITSET: u64 = 9;
const WAKE_BITSET: u64 = 10;
/// `FUTEX_PRIVATE_FLAG` and `FUTEX_CLOCK_REALTIME` say nothing here: there is one process, and a time-out may come at any time.
const OPERATIONS: u64 = 0x7f;
/// `EAGAIN`, `ETIMEDOUT`.
const AGAIN: Operand = Operand::Const(11);
const TIMED_OUT: Operand = Operand::Const(110);
const FAILED: Operand = Operand::Const(u64::MAX);

/// Queues.
const QUEUES: u64 = 4096;
/// Bytes of a queue.
const SIZE: u8 = 8;
/// Bits of the next ticket.
const NEXT_BITS: u64 = 5;
const NEXT: Operand = Operand::Const((1 << NEXT_BITS) - 1);
/// Tickets of a queue in an execution. Each has a bit that is set while its owner waits.
const TICKETS: u64 = 16;
const WAITING: Operand = Operand::Const(((1 << TICKETS) - 1) << NEXT_BITS);
/// Above them: the address of the futex, so that none shares the queue.
const OWNER_BITS: u64 = 64 - NEXT_BITS - TICKETS;
const OWNER: Operand = Operand::Const(((1 << OWNER_BITS) - 1) << (NEXT_BITS + TICKETS));

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "syscall" => |code, args| Some(system_call(code, args)),
        _ => return None,
    })
}

fn system_call(code: &mut Code<'_, '_>, args: &[Operand]) -> Operand {
    let (Operand::Const(number), Operand::Const(operation)) = (arg(args, 0), arg(args, 2)) else {
        return refuse(code, "system calls (`syscall`) of which the number is not a constant are not supported");
    };
    if !SYSTEM_CALLS.contains(&number) {
        return refuse(code, &format!("the system call {number} is not supported; those of futexes are"));
    }
    let (futex, value) = (arg(args, 1), arg(args, 3));
    match operation & OPERATIONS {
        WAIT | WAIT_BITSET => wait(code, futex, value, arg(args, 4)),
        WAKE | WAKE_BITSET => wake(code, futex, value),
        REQUEUE => requeue(code, futex),
        COMPARE_AND_REQUEUE => compare_and_requeue(code, futex, arg(args, 6)),
        other => refuse(code, &format!("the operation {other} of `futex` is not supported")),
    }
}

fn refuse(code: &mut Code<'_, '_>, message: &str) -> Operand {
    code.unsupported(message);
    ZERO
}

/// Where the queue of a futex is, and what stands there of its address.
fn queue(code: &mut Code<'_, '_>, futex: Operand) -> (Operand, Operand) {
    let queues = object(code, "futex queues", u64::from(SIZE) * QUEUES, false);
    let word = code.bin(BinOp::LShr, 64, futex, Operand::Const(2));
    // Objects of the heap begin at multiples of 2^17.
    let high = code.bin(BinOp::LShr, 64, futex, Operand::Const(17));
    let mixed = code.bin(BinOp::Xor, 64, word, high);
    let number = code.bin(BinOp::And, 64, mixed, Operand::Const(QUEUES - 1));
    let distance = code.bin(BinOp::Mul, 64, number, Operand::Const(u64::from(SIZE)));
    let at = code.bin(BinOp::Add, 64, queues, distance);
    let owner = code.bin(BinOp::Shl, 64, word, Operand::Const(NEXT_BITS + TICKETS));
    (at, code.bin(BinOp::And, 64, owner, OWNER))
}

/// Stops where the queue is that of another futex. The result is the word without its owner.
fn of_owner(code: &mut Code<'_, '_>, word: Operand, owner: Operand) -> Operand {
    let known = code.bin(BinOp::And, 64, word, OWNER);
    let other = code.bin(BinOp::Xor, 64, known, owner);
    let is_shared = code.f.reg();
    code.f.push(Instr::Select { dst: is_shared, cond: known, a: other, b: ZERO, on_cond: true });
    let (shared, alone) = (code.f.label(), code.f.label());
    code.inner_branch(Operand::Reg(is_shared), shared, alone);
    code.f.place(shared);
    code.unsupported("two futexes share a queue here, which is not supported");
    code.f.place(alone);
    code.bin(BinOp::AndNot, 64, word, OWNER)
}

/// Sleeps unless another value is there, until it is woken or the time is over.
fn wait(code: &mut Code<'_, '_>, futex: Operand, value: Operand, timeout: Operand) -> Operand {
    code.cx.note("a futex is left only by a wake-up, a time-out or another value (no spurious wake-ups)");
    let result = code.f.reg();
    let [sleeps, late, in_time, done] = [(); 4].map(|()| code.f.label());
    let value = fail_unless_there(code, futex, value, result, done);
    if timeout != ZERO {
        let (timed, sleeping) = (code.f.label(), code.f.label());
        code.inner_branch(timeout, timed, sleeping);
        code.f.place(timed);
        let choice = times_out(code);
        code.inner_branch(choice, late, in_time);
        code.f.place(late);
        pass(code);
        fail(code, result, TIMED_OUT);
        code.jump(done);
        code.f.place(sleeping);
        sleep(code, futex, value, result, Stop::Await);
        code.jump(done);
        code.f.place(in_time);
        // A thread that is neither woken nor late is of no interest: it is late in another execution.
        sleep(code, futex, value, result, Stop::Assume);
        code.jump(done);
    } else {
        code.jump(sleeps);
        code.f.place(sleeps);
        sleep(code, futex, value, result, Stop::Await);
        code.jump(done);
    }
    code.f.place(done);
    Operand::Reg(result)
}

/// Fails with `EAGAIN`, and goes to `done`, unless the futex has this value. Gives the value as a word.
fn fail_unless_there(code: &mut Code<'_, '_>, futex: Operand, value: Operand, result: Reg, done: Label) -> Operand {
    let [equal, differs] = [(); 2].map(|()| code.f.label());
    let value = code.bin(BinOp::And, 64, value, Operand::Const(u64::from(u32::MAX)));
    let seen = code.load_new(futex, 4, Order::Rlx);
    let same = code.bin(BinOp::Eq, 64, seen, value);
    code.inner_branch(same, equal, differs);
    code.f.place(differs);
    fail(code, result, AGAIN);
    code.jump(done);
    code.f.place(equal);
    value
}

/// Draws a ticket, and waits until it is taken back.
fn sleep(code: &mut Code<'_, '_>, futex: Operand, value: Operand, result: Reg, why: Stop) {
    let (at, owner) = queue(code, futex);
    let (old, ticket) = (code.f.reg(), code.f.reg());
    code.rmw(old, at, SIZE, Order::AcqRel, |code, old| {
        let word = of_owner(code, old, owner);
        let next = code.bin(BinOp::And, 64, word, NEXT);
        let (some, none) = (code.f.label(), code.f.label());
        let is_one = code.bin(BinOp::ULt, 64, next, Operand::Const(TICKETS));
        code.inner_branch(is_one, some, none);
        code.f.place(none);
        code.unsupported(format!("more than {TICKETS} waits at a futex in an execution are not supported"));
        code.f.place(some);
        let by = code.bin(BinOp::Add, 64, next, Operand::Const(NEXT_BITS));
        code.f.push(Instr::Bin { dst: ticket, op: BinOp::Shl, bits: 64, a: ONE, b: by });
        let with = code.bin(BinOp::Or, 64, word, Operand::Reg(ticket));
        let counted = code.bin(BinOp::Add, 64, with, ONE);
        code.bin(BinOp::Or, 64, counted, owner)
    });
    // What was written before a wake-up that came first is seen now; the wait that finds it is one that has drawn no ticket.
    let seen = code.load_new(futex, 4, Order::Rlx);
    let same = code.bin(BinOp::Eq, 64, seen, value);
    code.f.push(Instr::StopUnless { cond: same, why: Stop::Assume });
    let now = code.load_new(at, SIZE, Order::Acq);
    let waits = code.bin(BinOp::And, 64, now, Operand::Reg(ticket));
    let woken = code.bin(BinOp::Eq, 64, waits, ZERO);
    code.f.push(Instr::StopUnless { cond: woken, why });
    code.f.push(Instr::Set { dst: result, src: ZERO });
}

/// Wakes so many of those who wait: all, or one, whichever. The result is how many.
fn wake(code: &mut Code<'_, '_>, futex: Operand, count: Operand) -> Operand {
    let (at, owner) = queue(code, futex);
    let (old, woken) = (code.f.reg(), code.f.reg());
    let count = code.bin(BinOp::And, 64, count, Operand::Const(u64::from(u32::MAX)));
    code.rmw(old, at, SIZE, Order::AcqRel, |code, old| {
        let word = of_owner(code, old, owner);
        let waiting = code.bin(BinOp::And, 64, word, WAITING);
        code.f.push(Instr::Set { dst: woken, src: waiting });
        let (several, done) = (code.f.label(), code.f.label());
        let number = code.un(UnOp::PopCount, 64, waiting);
        let too_many = code.bin(BinOp::ULt, 64, count, number);
        code.inner_branch(too_many, several, done);
        code.f.place(several);
        let is_one = code.bin(BinOp::Eq, 64, count, ONE);
        let (one, other) = (code.f.label(), code.f.label());
        code.inner_branch(is_one, one, other);
        code.f.place(other);
        code.unsupported("a wake-up of more than one, but not all, that wait at a futex is not supported");
        code.f.place(one);
        code.f.push(Instr::ChooseBit { dst: woken, of: waiting });
        code.f.place(done);
        let left = code.bin(BinOp::AndNot, 64, word, Operand::Reg(woken));
        code.bin(BinOp::Or, 64, left, owner)
    });
    code.un(UnOp::PopCount, 64, Operand::Reg(woken))
}

/// Who is sent to another queue may be woken there at once: as if all were woken. That one sleeps there for ever is not found.
fn requeue(code: &mut Code<'_, '_>, futex: Operand) -> Operand {
    code.cx.note("FUTEX_REQUEUE wakes all that wait: none is left asleep at the other futex");
    wake(code, futex, Operand::Const(u64::from(u32::MAX)))
}

/// The same if a value is there.
fn compare_and_requeue(code: &mut Code<'_, '_>, futex: Operand, value: Operand) -> Operand {
    let result = code.f.reg();
    let done = code.f.label();
    fail_unless_there(code, futex, value, result, done);
    let woken = requeue(code, futex);
    code.f.push(Instr::Set { dst: result, src: woken });
    code.jump(done);
    code.f.place(done);
    Operand::Reg(result)
}

/// What a system call that fails gives, and where the reason is.
fn fail(code: &mut Code<'_, '_>, result: Reg, error: Operand) {
    if code.cx.uses.errno {
        let errno = object(code, "errno", 4, true);
        code.store(errno, error, 4, Order::Na);
    }
    code.f.push(Instr::Set { dst: result, src: FAILED });
}
