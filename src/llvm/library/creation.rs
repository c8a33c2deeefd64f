//! Creating and joining threads as accesses, for models that do not read what these order.
//!
//! A creation is then a store that releases, to memory of its own, of what the thread is given; the thread begins with a load of it that acquires. Its last event is a
//! store that releases, to memory of its own, which is loaded with acquire wherever it has been joined. The mapping says what these are, as for all
//! accesses. The loads have one source each: creating and joining order the store before the load under every model.

use super::threads::object;
use crate::llvm::ir::Order;
use crate::llvm::lower::code::Code;
use crate::program::thread::MAIN;
use crate::program::*;

/// The memory that tells that a thread has ended, one a thread.
const END: &str = "end of thread";

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
        let end = object(code, END, 8, true);
        code.store(end, Operand::Const(1), 8, Order::Rel);
    }
}

/// Comes behind a join with a thread.
pub fn joined(code: &mut Code<'_, '_>, thread: Operand) {
    if !code.cx.uses.accesses_order_threads {
        return;
    }
    let Operand::Const(first) = object(code, END, 8, true) else { return };
    let is_main = code.bin(BinOp::Eq, 64, thread, Operand::Const(MAIN));
    let number = code.f.reg();
    code.f.push(Instr::Select { dst: number, cond: is_main, a: Operand::Const(0), b: thread, on_cond: true });
    let distance = code.bin(BinOp::Mul, 64, Operand::Reg(number), Operand::Const(THREAD_LOCAL_STRIDE));
    let end = code.offset(distance, first.wrapping_add(THREAD_LOCAL_STRIDE));
    code.load_new(end, 8, Order::Acq);
}
