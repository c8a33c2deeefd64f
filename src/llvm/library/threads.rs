//! Threads: identity, ending, thread-specific data.

use super::{Emit, SUCCESS, arg};
use crate::llvm::ir::Order;
use crate::llvm::lower::code::Code;
use crate::program::*;

/// Number of thread-specific data keys.
const KEYS: u64 = 16;

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "pthread_self" | "thrd_current" | "gettid" => |code, _| {
            let dst = code.f.reg();
            code.f.push(Instr::ThreadSelf { dst });
            Some(Operand::Reg(dst))
        },
        "pthread_equal" | "thrd_equal" => |code, args| Some(code.bin(BinOp::Eq, 64, arg(args, 0), arg(args, 1))),
        "pthread_exit" | "thrd_exit" => |code, args| {
            code.f.push(Instr::ExitThread { value: arg(args, 0) });
            SUCCESS
        },
        "pthread_key_create" | "tss_create" => |code, args| {
            code.cx.note("destructors of thread-specific data are not called");
            let next = object(code, "thread-specific keys", 8, false);
            let number = code.f.reg();
            code.rmw(number, next, 4, Order::Rlx, |code, old| code.bin(BinOp::Add, 32, old, Operand::Const(1)));
            let cond = code.bin(BinOp::ULt, 64, Operand::Reg(number), Operand::Const(KEYS));
            code.f
                .push(Instr::Assert { cond, message: format!("more than {KEYS} keys of thread-specific data").into() });
            code.store(arg(args, 0), Operand::Reg(number), 4, Order::Na);
            SUCCESS
        },
        "pthread_key_delete" | "tss_delete" => |_, _| SUCCESS,
        "pthread_getspecific" | "tss_get" => |code, args| {
            let at = slot(code, arg(args, 0));
            Some(code.load_new(at, 8, Order::Na))
        },
        "pthread_setspecific" | "tss_set" => |code, args| {
            let at = slot(code, arg(args, 0));
            code.store(at, arg(args, 1), 8, Order::Na);
            SUCCESS
        },
        "__errno_location" => |code, _| Some(object(code, "errno", 4, true)),
        _ => return None,
    })
}

fn slot(code: &mut Code<'_, '_>, key: Operand) -> Operand {
    let base = object(code, "thread-specific data", 8 * KEYS, true);
    let offset = code.bin(BinOp::Mul, 64, key, Operand::Const(8));
    code.bin(BinOp::Add, 64, base, offset)
}

/// An object of the library, made when it is first used.
fn object(code: &mut Code<'_, '_>, name: &str, size: u64, thread_local: bool) -> Operand {
    let builder = &mut code.cx.builder;
    if let Some(found) = builder.program.objects.iter().find(|o| o.name == name) {
        return Operand::Const(found.address);
    }
    let bytes = vec![0; size as usize];
    let object = Object { name: name.into(), address: 0, bytes, cells: Vec::new(), thread_local, read_only: false };
    Operand::Const(builder.object(object, 8))
}
