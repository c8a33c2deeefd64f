//! What is done once: `pthread_once`, `call_once` of C and C++, and local variables of C++ that are initialised when they are first met.
//!
//! Such a thing has a word that is 0 when nobody has begun, 1 when some thread is at it, and 2 when it is done. Who finds another one at it waits until it
//! is done, in the read that finds this out.

use crate::llvm::ir::Order;
use crate::llvm::library::emit::{Emit, SUCCESS, arg};
use crate::llvm::library::threads::object;
use crate::llvm::lower::function::code::{Code, CompareAndSwap};
use crate::program::*;

const NOT_BEGUN: Operand = Operand::Const(0);
const BEGUN: Operand = Operand::Const(1);
const DONE: Operand = Operand::Const(2);

/// Where the guard of a local variable has its word: compilers read the byte before it, which is 1 when the variable is initialised.
const GUARD_WORD: u64 = 1;

/// Where libstdc++ has what the running thread is to call once.
const CALL: [&str; 2] = ["std::__once_call", "__once_call"];

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "pthread_once" | "call_once" => |code, args| {
            let (control, function) = (arg(args, 0), arg(args, 1));
            begin(code, control, 4, |code| {
                code.call(Callee::Indirect(function), Vec::new(), None);
                code.store(control, DONE, 4, Order::Rel);
            });
            SUCCESS
        },
        "__once_proxy" => |code, _| {
            let known = code.cx.builder.program.objects.iter().find(|o| CALL.contains(&&*o.name));
            let call = match known {
                Some(object) => Operand::Const(object.address),
                None => object(code, CALL[0], 8, true),
            };
            let function = code.load_new(call, 8, Order::Na);
            code.call(Callee::Indirect(function), Vec::new(), None);
            None
        },
        "__cxa_guard_acquire" => |code, args| {
            let is_first = code.f.reg();
            code.f.push(Instr::Set { dst: is_first, src: NOT_BEGUN });
            let word = code.offset(arg(args, 0), GUARD_WORD);
            begin(code, word, 1, |code| code.f.push(Instr::Set { dst: is_first, src: Operand::Const(1) }));
            Some(Operand::Reg(is_first))
        },
        "__cxa_guard_release" => |code, args| {
            code.store(arg(args, 0), Operand::Const(1), 1, Order::Rel);
            let word = code.offset(arg(args, 0), GUARD_WORD);
            code.store(word, DONE, 1, Order::Rel);
            None
        },
        "__cxa_guard_abort" => |code, _| {
            code.unsupported("exceptions are not supported: the initialisation of a local variable ends by one");
            None
        },
        _ => return None,
    })
}

/// Runs `first` in the thread that comes first; others go on when that has come to an end.
fn begin(code: &mut Code<'_, '_>, word: Operand, size: u8, first: impl FnOnce(&mut Code<'_, '_>)) {
    let old = code.f.reg();
    let (expected, new) = (NOT_BEGUN, BEGUN);
    let cas = CompareAndSwap { addr: word, size, expected, new, success: Order::Acq, failure: Order::Acq };
    let is_first = code.compare_and_swap(old, &cas);
    let (run, other, done) = (code.f.label(), code.f.label(), code.f.label());
    code.branch(is_first, run, other);
    code.f.place(other);
    let cond = code.bin(BinOp::Eq, 64, Operand::Reg(old), DONE);
    code.f.push(Instr::StopUnless { cond, why: Stop::Await });
    code.jump(done);
    code.f.place(run);
    first(code);
    code.f.place(done);
}
