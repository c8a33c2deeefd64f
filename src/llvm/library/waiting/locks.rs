//! Locks and the like, built from atomic accesses.
//!
//! The objects are laid out in the memory that the headers give them: the first word is the state; a mutex's kind is where
//! glibc has it, so that static initialisers work. A thread that cannot go on waits (`Stop::Await`) instead of spinning.
//!
//! A timed wait may time out whatever the time is: in one kind of executions it does, in the other it gets what it waits for. A thread that gets
//! neither is of no interest, so it stops as at an assumption, and no timed wait is taken for one that lasts for ever.

use super::clocks::timed;
use crate::llvm::ir::Order;
use crate::llvm::library::creation;
use crate::llvm::library::emit::{Emit, INVALID, SUCCESS, arg};
use crate::llvm::lower::function::code::{Code, CompareAndSwap};
use crate::program::fault::Fault;
use crate::program::operation::{Operation, Primitive};
use crate::program::*;

/// `EBUSY`.
const BUSY: Operand = Operand::Const(16);
/// `EDEADLK`.
const DEADLOCK: Operand = Operand::Const(35);
/// `EPERM`.
const NOT_PERMITTED: Operand = Operand::Const(1);
/// `ETIMEDOUT`.
pub(in crate::llvm::library) const TIMED_OUT: Operand = Operand::Const(110);
/// `thrd_timedout` (glibc).
pub(in crate::llvm::library) const THRD_TIMED_OUT: Operand = Operand::Const(4);
/// `thrd_busy` (glibc).
const THRD_BUSY: Operand = Operand::Const(1);
pub(in crate::llvm::library) const ZERO: Operand = Operand::Const(0);
pub(in crate::llvm::library) const ONE: Operand = Operand::Const(1);
/// Offset of a mutex's depth, owner and kind.
const DEPTH: u64 = 4;
const OWNER: u64 = 8;
const KIND: u64 = 16;
/// The kind that may be locked again by its owner, and the one that gives an error then.
const RECURSIVE: Operand = ONE;
const CHECKING: Operand = Operand::Const(2);
/// Bytes of a `pthread_mutex_t` that initialisation writes.
const MUTEX_WORDS: [u64; 4] = [0, DEPTH, OWNER, KIND];
/// State of what was destroyed.
pub(in crate::llvm::library) const DESTROYED: Operand = Operand::Const(0x4000_0000);
/// State of a reader-writer lock that a writer holds.
pub(super) const WRITER: Operand = Operand::Const(0x8000_0000);
/// `PTHREAD_BARRIER_SERIAL_THREAD`, as a 32-bit pattern.
const SERIAL: u64 = 0xffff_ffff;
/// Where a barrier, which begins with the number of its threads, has the numbers that threads draw which have met.
const BARRIER_NUMBERS: u64 = 8;

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "pthread_mutex_init" => mutex_init,
        "mtx_init" => |code, args| {
            // Bit 0 of the type asks for recursion.
            let recursive = code.bin(BinOp::And, 32, arg(args, 1), ONE);
            init_words(code, arg(args, 0), recursive, Primitive::PlainMutex);
            SUCCESS
        },
        "pthread_mutexattr_init" => |code, args| {
            code.store(arg(args, 0), ZERO, 4, Order::Na);
            SUCCESS
        },
        "pthread_mutexattr_settype" => |code, args| {
            code.store(arg(args, 0), arg(args, 1), 4, Order::Na);
            SUCCESS
        },
        "pthread_mutex_destroy" => |code, args| destroy(code, args, Primitive::Mutex),
        "mtx_destroy" => |code, args| destroy(code, args, Primitive::PlainMutex),
        "pthread_spin_destroy" => |code, args| destroy(code, args, Primitive::Spin),
        "pthread_rwlock_destroy" => |code, args| destroy(code, args, Primitive::ReaderWriter),
        "pthread_barrier_destroy" => |code, args| destroy(code, args, Primitive::Barrier),
        "pthread_mutex_lock" => |code, args| Some(lock(code, Mutex::posix(args), Stop::Await)),
        "mtx_lock" => |code, args| Some(lock(code, Mutex::plain(args), Stop::Await)),
        "pthread_mutex_timedlock" | "pthread_mutex_clocklock" => {
            |code, args| Some(timed_lock(code, Mutex::posix(args), TIMED_OUT))
        }
        "mtx_timedlock" => |code, args| Some(timed_lock(code, Mutex::plain(args), THRD_TIMED_OUT)),
        "pthread_mutex_trylock" => |code, args| Some(try_lock(code, Mutex::posix(args), BUSY)),
        "mtx_trylock" => |code, args| Some(try_lock(code, Mutex::plain(args), THRD_BUSY)),
        "pthread_mutex_unlock" => |code, args| Some(unlock(code, Mutex::posix(args))),
        "mtx_unlock" => |code, args| Some(unlock(code, Mutex::plain(args))),
        "pthread_spin_init" => |code, args| initialise(code, args, Primitive::Spin),
        "pthread_spin_lock" => |code, args| {
            take(code, Operation::Acquire, Primitive::Spin);
            code.acquire_when(arg(args, 0), 4, ZERO, ONE);
            SUCCESS
        },
        "pthread_spin_trylock" => |code, args| {
            take(code, Operation::Acquire, Primitive::Spin);
            Some(try_simple(code, arg(args, 0), BUSY))
        },
        "pthread_spin_unlock" => |code, args| {
            code.f.mark(Operation::Release(Primitive::Spin));
            code.store(arg(args, 0), ZERO, 4, Order::Rel);
            SUCCESS
        },
        "pthread_rwlock_init" => |code, args| initialise(code, args, Primitive::ReaderWriter),
        "pthread_rwlock_wrlock" => |code, args| {
            take(code, Operation::Acquire, Primitive::ReaderWriter);
            code.acquire_when(arg(args, 0), 4, ZERO, WRITER);
            SUCCESS
        },
        "pthread_rwlock_rdlock" => read_lock,
        "pthread_rwlock_trywrlock" => |code, args| {
            take(code, Operation::Acquire, Primitive::ReaderWriter);
            Some(try_set(code, arg(args, 0), WRITER, BUSY))
        },
        "pthread_rwlock_tryrdlock" => try_read_lock,
        "pthread_rwlock_unlock" => rw_unlock,
        "pthread_barrier_init" => |code, args| {
            if arg(args, 2) == ZERO {
                return Some(Operand::Const(INVALID));
            }
            code.f.mark(Operation::Initialise(Primitive::Barrier));
            code.store(arg(args, 0), arg(args, 2), 4, Order::Na);
            if code.cx.uses.serial_threads {
                let numbers = code.offset(arg(args, 0), BARRIER_NUMBERS);
                code.store(numbers, ZERO, 4, Order::Na);
            }
            SUCCESS
        },
        "pthread_barrier_wait" => barrier,
        _ => return None,
    })
}

/// A mutex as an argument.
#[derive(Clone, Copy)]
pub(in crate::llvm::library) struct Mutex {
    /// Its address.
    pub at: Operand,
    /// Of which library.
    pub kind: Primitive,
}

impl Mutex {
    fn posix(args: &[Operand]) -> Mutex {
        Mutex { at: arg(args, 0), kind: Primitive::Mutex }
    }

    fn plain(args: &[Operand]) -> Mutex {
        Mutex { at: arg(args, 0), kind: Primitive::PlainMutex }
    }
}

/// Marks the load and the store of what takes or uses an object: that it looks there is misuse, too, where it never gets through.
pub(in crate::llvm::library) fn take(
    code: &mut Code<'_, '_>,
    operation: fn(Primitive) -> Operation,
    primitive: Primitive,
) {
    code.f.mark(Operation::Look(primitive));
    code.f.mark(operation(primitive));
}

fn initialise(code: &mut Code<'_, '_>, args: &[Operand], primitive: Primitive) -> Option<Operand> {
    code.f.mark(Operation::Initialise(primitive));
    code.store(arg(args, 0), ZERO, 4, Order::Na);
    SUCCESS
}

fn destroy(code: &mut Code<'_, '_>, args: &[Operand], primitive: Primitive) -> Option<Operand> {
    code.f.mark(Operation::Destroy(primitive));
    code.store(arg(args, 0), DESTROYED, 4, Order::Na);
    SUCCESS
}

fn mutex_init(code: &mut Code<'_, '_>, args: &[Operand]) -> Option<Operand> {
    let (mutex, attributes) = (arg(args, 0), arg(args, 1));
    if !code.cx.uses.mutex_kinds || attributes == ZERO {
        init_words(code, mutex, ZERO, Primitive::Mutex);
        return SUCCESS;
    }
    let kind = code.f.reg();
    code.f.push(Instr::Set { dst: kind, src: ZERO });
    let (given, done) = (code.f.label(), code.f.label());
    code.inner_branch(attributes, given, done);
    code.f.place(given);
    code.load(kind, attributes, 4, Order::Na);
    code.f.place(done);
    init_words(code, mutex, Operand::Reg(kind), Primitive::Mutex);
    SUCCESS
}

fn init_words(code: &mut Code<'_, '_>, mutex: Operand, kind: Operand, primitive: Primitive) {
    code.f.mark(Operation::Initialise(primitive));
    if !code.cx.uses.mutex_kinds {
        code.store(mutex, ZERO, 4, Order::Na);
        return;
    }
    for word in MUTEX_WORDS {
        let at = code.offset(mutex, word);
        code.store(at, if word == KIND { kind } else { ZERO }, 4, Order::Na);
    }
}

/// Runs `held` when the mutex is of another kind than the default and this thread holds it, else `free`.
fn by_owner(
    code: &mut Code<'_, '_>,
    mutex: Operand,
    held: impl FnOnce(&mut Code<'_, '_>, Operand),
    free: impl FnOnce(&mut Code<'_, '_>, Operand),
) {
    let me = code.f.reg();
    code.f.push(Instr::ThreadSelf { dst: me });
    let me = code.offset(Operand::Reg(me), 1);
    let owner_at = code.offset(mutex, OWNER);
    // Only the owner itself can read its own number here, so the order does not matter.
    let owner = code.load_new(owner_at, 4, Order::Rlx);
    let mine = code.bin(BinOp::Eq, 32, owner, me);
    let (is_mine, is_not, done) = (code.f.label(), code.f.label(), code.f.label());
    code.inner_branch(mine, is_mine, is_not);
    code.f.place(is_mine);
    held(code, me);
    code.jump(done);
    code.f.place(is_not);
    free(code, me);
    code.f.place(done);
}

fn add_to_depth(code: &mut Code<'_, '_>, mutex: Operand, by: u64) -> Operand {
    let at = code.offset(mutex, DEPTH);
    let depth = code.load_new(at, 4, Order::Na);
    let depth = code.bin(BinOp::Add, 32, depth, Operand::Const(by));
    code.store(at, depth, 4, Order::Na);
    depth
}

fn enter(code: &mut Code<'_, '_>, mutex: Operand, me: Operand) {
    let (owner, depth) = (code.offset(mutex, OWNER), code.offset(mutex, DEPTH));
    code.store(owner, me, 4, Order::Rlx);
    code.store(depth, ONE, 4, Order::Na);
}

fn load_kind(code: &mut Code<'_, '_>, mutex: Operand) -> Operand {
    let at = code.offset(mutex, KIND);
    code.load_new(at, 4, Order::Na)
}

/// Locks a mutex; where that must wait, the thread stops for the reason given. The result is the function's.
pub(in crate::llvm::library) fn lock(code: &mut Code<'_, '_>, mutex: Mutex, why: Stop) -> Operand {
    let Mutex { at: mutex, kind: primitive } = mutex;
    if !code.cx.uses.mutex_kinds {
        take(code, Operation::Acquire, primitive);
        code.acquire_or_stop(mutex, 4, ZERO, ONE, why);
        return ZERO;
    }
    let result = code.f.reg();
    code.f.push(Instr::Set { dst: result, src: ZERO });
    by_owner(
        code,
        mutex,
        |code, _| {
            let kind = load_kind(code, mutex);
            // A mutex of the default kind that its owner locks again waits for ever.
            let cond = code.bin(BinOp::Ne, 32, kind, ZERO);
            code.f.push(Instr::StopUnless { cond, why });
            if !code.cx.uses.checking_mutexes {
                add_to_depth(code, mutex, 1);
                return;
            }
            let checks = code.bin(BinOp::Eq, 32, kind, CHECKING);
            let (refused, again, done) = (code.f.label(), code.f.label(), code.f.label());
            code.inner_branch(checks, refused, again);
            code.f.place(refused);
            code.f.push(Instr::Set { dst: result, src: DEADLOCK });
            code.jump(done);
            code.f.place(again);
            add_to_depth(code, mutex, 1);
            code.f.place(done);
        },
        |code, me| {
            take(code, Operation::Acquire, primitive);
            code.acquire_or_stop(mutex, 4, ZERO, ONE, why);
            enter(code, mutex, me);
        },
    );
    Operand::Reg(result)
}

/// Locks a mutex, or finds it locked and gives `timed_out`.
fn timed_lock(code: &mut Code<'_, '_>, whole: Mutex, timed_out: Operand) -> Operand {
    let mutex = whole.at;
    let result = code.f.reg();
    timed(
        code,
        |code| {
            let is_locked = |code: &mut Code<'_, '_>| {
                code.f.mark(Operation::Look(whole.kind));
                let word = code.load_new(mutex, 4, Order::Rlx);
                code.f.push(Instr::StopUnless { cond: word, why: Stop::Assume });
            };
            if code.cx.uses.mutex_kinds {
                by_owner(
                    code,
                    mutex,
                    |code, _| {
                        let kind = load_kind(code, mutex);
                        let cond = code.bin(BinOp::Eq, 32, kind, ZERO);
                        code.f.push(Instr::StopUnless { cond, why: Stop::Assume });
                    },
                    |code, _| is_locked(code),
                );
            } else {
                is_locked(code);
            }
            code.f.push(Instr::Set { dst: result, src: timed_out });
        },
        |code| {
            let value = lock(code, whole, Stop::Assume);
            code.f.push(Instr::Set { dst: result, src: value });
        },
    );
    Operand::Reg(result)
}

/// Unlocks a mutex. The result is the function's.
pub(in crate::llvm::library) fn unlock(code: &mut Code<'_, '_>, mutex: Mutex) -> Operand {
    let Mutex { at: mutex, kind: primitive } = mutex;
    if !code.cx.uses.mutex_kinds {
        code.f.mark(Operation::Release(primitive));
        code.store(mutex, ZERO, 4, Order::Rel);
        return ZERO;
    }
    let result = code.f.reg();
    code.f.push(Instr::Set { dst: result, src: ZERO });
    let me = code.f.reg();
    code.f.push(Instr::ThreadSelf { dst: me });
    let me = code.offset(Operand::Reg(me), 1);
    let owner_at = code.offset(mutex, OWNER);
    let owner = code.load_new(owner_at, 4, Order::Rlx);
    let mine = code.bin(BinOp::Eq, 32, owner, me);
    let fault = Box::new(Fault::Lock("unlock of a mutex that this thread has not locked"));
    let done = code.f.label();
    if code.cx.uses.checking_mutexes {
        let (held, other) = (code.f.label(), code.f.label());
        code.inner_branch(mine, held, other);
        code.f.place(other);
        let kind = load_kind(code, mutex);
        let cond = code.bin(BinOp::Eq, 32, kind, CHECKING);
        code.f.push(Instr::Check { cond, fault });
        code.f.push(Instr::Set { dst: result, src: NOT_PERMITTED });
        code.jump(done);
        code.f.place(held);
    } else {
        code.f.push(Instr::Check { cond: mine, fault });
    }
    let depth = add_to_depth(code, mutex, u64::MAX);
    let last = code.f.label();
    code.inner_branch(depth, done, last);
    code.f.place(last);
    let owner = code.offset(mutex, OWNER);
    code.store(owner, ZERO, 4, Order::Rlx);
    code.f.mark(Operation::Release(primitive));
    code.store(mutex, ZERO, 4, Order::Rel);
    code.f.place(done);
    Operand::Reg(result)
}

/// Sets a word that is 0, or gives `busy`.
fn try_set(code: &mut Code<'_, '_>, word: Operand, value: Operand, busy: Operand) -> Operand {
    let old = code.f.reg();
    let cas =
        CompareAndSwap { addr: word, size: 4, expected: ZERO, new: value, success: Order::Acq, failure: Order::Rlx };
    let ok = code.compare_and_swap(old, &cas);
    let result = code.f.reg();
    code.f.push(Instr::Select { dst: result, cond: ok, a: ZERO, b: busy, on_cond: true });
    Operand::Reg(result)
}

fn try_simple(code: &mut Code<'_, '_>, word: Operand, busy: Operand) -> Operand {
    try_set(code, word, ONE, busy)
}

fn try_lock(code: &mut Code<'_, '_>, mutex: Mutex, busy: Operand) -> Operand {
    let Mutex { at: mutex, kind: primitive } = mutex;
    if !code.cx.uses.mutex_kinds {
        take(code, Operation::Acquire, primitive);
        return try_simple(code, mutex, busy);
    }
    let result = code.f.reg();
    by_owner(
        code,
        mutex,
        |code, _| {
            let kind = load_kind(code, mutex);
            // Only a recursive mutex is locked again.
            let recursive = code.bin(BinOp::Eq, 32, kind, RECURSIVE);
            code.f.push(Instr::Set { dst: result, src: busy });
            let (again, done) = (code.f.label(), code.f.label());
            code.inner_branch(recursive, again, done);
            code.f.place(again);
            add_to_depth(code, mutex, 1);
            code.f.push(Instr::Set { dst: result, src: ZERO });
            code.f.place(done);
        },
        |code, me| {
            take(code, Operation::Acquire, primitive);
            let value = try_simple(code, mutex, busy);
            code.f.push(Instr::Set { dst: result, src: value });
            let (failed, locked) = (code.f.label(), code.f.label());
            code.inner_branch(value, failed, locked);
            code.f.place(locked);
            enter(code, mutex, me);
            code.f.place(failed);
        },
    );
    Operand::Reg(result)
}

fn read_lock(code: &mut Code<'_, '_>, args: &[Operand]) -> Option<Operand> {
    read_lock_or_stop(code, arg(args, 0), Stop::Await);
    SUCCESS
}

pub(super) fn read_lock_or_stop(code: &mut Code<'_, '_>, lock: Operand, why: Stop) {
    let old = code.f.reg();
    take(code, Operation::Share, Primitive::ReaderWriter);
    code.rmw(old, lock, 4, Order::Acq, |code, old| {
        let cond = code.bin(BinOp::Ne, 32, old, WRITER);
        code.f.push(Instr::StopUnless { cond, why });
        code.bin(BinOp::Add, 32, old, ONE)
    });
}

fn try_read_lock(code: &mut Code<'_, '_>, args: &[Operand]) -> Option<Operand> {
    let lock = arg(args, 0);
    let result = code.f.reg();
    code.f.push(Instr::Set { dst: result, src: BUSY });
    code.f.mark(Operation::Look(Primitive::ReaderWriter));
    let seen = code.load_new(lock, 4, Order::Rlx);
    let writer = code.bin(BinOp::Eq, 32, seen, WRITER);
    let (free, done) = (code.f.label(), code.f.label());
    code.branch(writer, done, free);
    code.f.place(free);
    let new = code.bin(BinOp::Add, 32, seen, ONE);
    let old = code.f.reg();
    let cas = CompareAndSwap { addr: lock, size: 4, expected: seen, new, success: Order::Acq, failure: Order::Rlx };
    take(code, Operation::Share, Primitive::ReaderWriter);
    let ok = code.compare_and_swap(old, &cas);
    // Where other readers came in between it would try again, and see what is seen in another execution at once.
    let writer = code.bin(BinOp::Eq, 32, Operand::Reg(old), WRITER);
    let cond = code.bin(BinOp::Or, 32, ok, writer);
    code.f.push(Instr::StopUnless { cond, why: Stop::Assume });
    code.f.push(Instr::Select { dst: result, cond: ok, a: ZERO, b: BUSY, on_cond: true });
    code.f.place(done);
    Some(Operand::Reg(result))
}

fn rw_unlock(code: &mut Code<'_, '_>, args: &[Operand]) -> Option<Operand> {
    let old = code.f.reg();
    take(code, Operation::Release, Primitive::ReaderWriter);
    code.rmw(old, arg(args, 0), 4, Order::Rel, |code, old| {
        let writer = code.bin(BinOp::Eq, 32, old, WRITER);
        let fewer = code.bin(BinOp::Sub, 32, old, ONE);
        let dst = code.f.reg();
        code.f.push(Instr::Select { dst, cond: writer, a: ZERO, b: fewer, on_cond: true });
        Operand::Reg(dst)
    });
    SUCCESS
}

/// The order in which threads arrive is no part of an execution. Which of them is told to be the one that serves for all is, where the program looks: they
/// draw numbers when they have met.
fn barrier(code: &mut Code<'_, '_>, args: &[Operand]) -> Option<Operand> {
    let barrier = arg(args, 0);
    code.f.mark(Operation::Look(Primitive::Barrier));
    let count = code.load_new(barrier, 4, Order::Na);
    creation::note_barrier(code);
    let drawn = code.cx.uses.serial_threads.then(|| {
        // One step with the arrival, whose order it is: see `explore::bounds::interleavings`.
        let (numbers, drawn) = (code.offset(barrier, BARRIER_NUMBERS), code.f.reg());
        code.rmw(drawn, numbers, 4, Order::Rlx, |code, drawn| code.bin(BinOp::Add, 32, drawn, ONE));
        Operand::Reg(drawn)
    });
    code.f.push(Instr::Arrive { barrier });
    code.f.push(Instr::Depart { barrier, count });
    let Some(drawn) = drawn else { return SUCCESS };
    let place = code.bin(BinOp::URem, 32, drawn, count);
    let cond = code.bin(BinOp::Eq, 32, place, ZERO);
    let result = code.f.reg();
    code.f.push(Instr::Select { dst: result, cond, a: Operand::Const(SERIAL), b: ZERO, on_cond: true });
    Some(Operand::Reg(result))
}
