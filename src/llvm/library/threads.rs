//! Threads: identity, ending, thread-specific data.

use super::{Emit, SUCCESS, arg};
use crate::ids::FuncId;
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
            super::handlers::refuse_exit_of_main(code);
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
        // std::thread: a pointer to the state, whose third virtual function is what to run.
        "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE" => |code, args| {
            let state = code.load_new(arg(args, 1), 8, Order::Na);
            code.store(arg(args, 1), Operand::Const(0), 8, Order::Na);
            let function = Code::function_address(run_state(code));
            let dst = code.f.reg();
            code.f.push(Instr::Spawn { dst, function, arg: state });
            code.store(arg(args, 0), Operand::Reg(dst), 8, Order::Na);
            None
        },
        "_ZNSt6thread4joinEv" => |code, args| {
            let thread = code.load_new(arg(args, 0), 8, Order::Na);
            code.f.push(Instr::JoinThread { dst: None, thread });
            code.store(arg(args, 0), Operand::Const(0), 8, Order::Na);
            None
        },
        "_ZNSt6thread6detachEv" => |code, args| {
            code.store(arg(args, 0), Operand::Const(0), 8, Order::Na);
            None
        },
        "_ZNSt6thread6_StateD2Ev" => |_, _| None,
        "_ZNSt6thread20hardware_concurrencyEv" => |_, _| Some(Operand::Const(2)),
        "__errno_location" => |code, _| Some(object(code, "errno", 4, true)),
        _ => return None,
    })
}

fn slot(code: &mut Code<'_, '_>, key: Operand) -> Operand {
    let base = object(code, "thread-specific data", 8 * KEYS, true);
    let offset = code.bin(BinOp::Mul, 64, key, Operand::Const(8));
    code.bin(BinOp::Add, 64, base, offset)
}

/// The function that a C++ thread starts in.
fn run_state(code: &mut Code<'_, '_>) -> FuncId {
    const NAME: &str = "std::thread";
    let functions = &code.cx.builder.program.functions;
    if let Some(known) = functions.iter().position(|f| f.name == NAME) {
        return FuncId::at(known);
    }
    let id = code.cx.builder.declare(NAME);
    let mut f = FunctionBuilder::new(NAME, 1);
    let mut inner = Code { f: &mut f, cx: code.cx };
    let table = inner.load_new(Operand::Reg(0), 8, Order::Na);
    let slot = inner.offset(table, 16);
    let run = inner.load_new(slot, 8, Order::Na);
    inner.call(Callee::Indirect(run), vec![Operand::Reg(0)], None);
    // The thread owns the state: what it was given is destroyed before anybody sees it end.
    let slot = inner.offset(table, 8);
    let destroy = inner.load_new(slot, 8, Order::Na);
    inner.call(Callee::Indirect(destroy), vec![Operand::Reg(0)], None);
    let body = f.finish();
    code.cx.builder.define(id, body);
    id
}

/// An object of the library, made when it is first used.
pub(super) fn object(code: &mut Code<'_, '_>, name: &str, size: u64, thread_local: bool) -> Operand {
    let builder = &mut code.cx.builder;
    if let Some(found) = builder.program.objects.iter().find(|o| o.name == name) {
        return Operand::Const(found.address);
    }
    let bytes = vec![0; size as usize];
    let object = Object { name: name.into(), address: 0, bytes, cells: Vec::new(), thread_local, read_only: false };
    Operand::Const(builder.object(object, 8))
}
