//! Creating and joining threads as accesses, for models that do not read what these order.
//!
//! A creation is then a store that releases, to memory of its own, of what the thread is given; the thread begins with a load of it that acquires. Its last event is a
//! store that releases, to memory of its own, which is loaded with acquire wherever it has been joined. The mapping says what these are, as for all
//! accesses. The loads have one source each: creating and joining order the store before the load under every model.

use super::threads::object;
use crate::llvm::ir::Order;
use crate::llvm::lower::function::code::Code;
use crate::program::thread::MAIN;
use crate::program::*;

/// The memory that tells which threads have ended.
const END: &str = "end of thread";
/// Threads that have memory of their own there. An execution has no room for the events of as many.
const THREADS: u64 = 1024;

/// What a thread is given, as its creator hands it over.
pub(super) fn given(code: &mut Code<'_, '_>, arg: Operand) -> Operand {
    if !code.cx.uses.accesses_order_threads {
        return arg;
    }
    let (block, size) = (code.f.reg(), Operand::Const(8));
    // Nothing frees it, so it is no memory of the heap, where it would have leaked.
    code.f.push(Instr::Alloc { dst: block, size, region: Region::Stack, name: "creation".into() });
    code.store(Operand::Reg(block), arg, 8, Order::Rel);
    Operand::Reg(block)
}

/// What a thread is given, as it takes it over.
pub(super) fn taken(code: &mut Code<'_, '_>, given: Operand) -> Operand {
    match code.cx.uses.accesses_order_threads {
        true => code.load_new(given, 8, Order::Acq),
        false => given,
    }
}

/// Comes last in a thread.
pub(super) fn ended(code: &mut Code<'_, '_>) {
    if code.cx.uses.accesses_order_threads {
        let me = code.f.reg();
        code.f.push(Instr::ThreadSelf { dst: me });
        let end = end_of(code, Operand::Reg(me));
        code.store(end, Operand::Const(1), 8, Order::Rel);
    }
}

/// Comes behind a join with a thread.
pub fn joined(code: &mut Code<'_, '_>, thread: Operand) {
    if code.cx.uses.accesses_order_threads {
        let end = end_of(code, thread);
        code.load_new(end, 8, Order::Acq);
    }
}

/// Says of a barrier that it is no access, where the model would have to see one.
pub(super) fn note_barrier(code: &mut Code<'_, '_>) {
    if code.cx.uses.accesses_order_threads {
        code.cx.note("the model does not read `thread-sync`, so it sees no order at barriers: a race between what is before a barrier and what is behind it may be none");
    }
}

/// Where it stands that a thread has ended. `main` has a name of its own, and the number 0.
fn end_of(code: &mut Code<'_, '_>, thread: Operand) -> Operand {
    const { assert!(MAIN.is_multiple_of(THREADS)) };
    let ends = object(code, END, 8 * THREADS, false);
    let number = code.bin(BinOp::And, 64, thread, Operand::Const(THREADS - 1));
    let distance = code.bin(BinOp::Mul, 64, number, Operand::Const(8));
    code.bin(BinOp::Add, 64, ends, distance)
}
