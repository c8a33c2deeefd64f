//! Threads: identity, ending, those of C++.

use super::emit::own_function;
use super::emit::{Emit, SUCCESS, arg};
use super::{creation, handlers, specific, words};
use crate::ids::FuncId;
use crate::llvm::ir::Order;
use crate::llvm::lower::function::code::Code;
use crate::program::thread::MAIN;
use crate::program::*;

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "pthread_self" | "thrd_current" | "gettid" => |code, _| {
            let [me, dst] = [(); 2].map(|()| code.f.reg());
            code.f.push(Instr::ThreadSelf { dst: me });
            let (cond, main) = (Operand::Reg(me), Operand::Const(MAIN));
            code.f.push(Instr::Select { dst, cond, a: cond, b: main, on_cond: true });
            Some(Operand::Reg(dst))
        },
        "__VERIFIER_tid" => |code, _| {
            let dst = code.f.reg();
            code.f.push(Instr::ThreadSelf { dst });
            Some(Operand::Reg(dst))
        },
        "pthread_equal" | "thrd_equal" => |code, args| Some(code.bin(BinOp::Eq, 64, arg(args, 0), arg(args, 1))),
        "pthread_exit" | "thrd_exit" => |code, args| {
            handlers::refuse_exit_of_main(code);
            specific::end_thread(code);
            code.f.push(Instr::ExitThread { value: arg(args, 0) });
            SUCCESS
        },
        // std::thread: a pointer to the state, whose third virtual function is what to run.
        "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE" => |code, args| {
            let state = code.load_new(arg(args, 1), 8, Order::Na);
            code.store(arg(args, 1), Operand::Const(0), 8, Order::Na);
            let function = Code::function_address(run_state(code));
            let (dst, arg_of_thread) = (code.f.reg(), creation::given(code, state));
            code.f.push(Instr::Spawn { dst, function, arg: arg_of_thread });
            code.store(arg(args, 0), Operand::Reg(dst), 8, Order::Na);
            None
        },
        "_ZNSt6thread4joinEv" => |code, args| {
            let thread = code.load_new(arg(args, 0), 8, Order::Na);
            code.f.push(Instr::JoinThread { dst: None, thread });
            creation::joined(code, thread);
            code.store(arg(args, 0), Operand::Const(0), 8, Order::Na);
            None
        },
        "_ZNSt6thread6detachEv" => |code, args| {
            code.store(arg(args, 0), Operand::Const(0), 8, Order::Na);
            None
        },
        "_ZNSt6thread6_StateD2Ev" => |_, _| None,
        "__errno_location" => |code, _| Some(object(code, "errno", 4, true)),
        _ => return None,
    })
}

/// The function that a C++ thread starts in.
fn run_state(code: &mut Code<'_, '_>) -> FuncId {
    own_function(code, "std::thread", 1, |code| {
        let state = creation::taken(code, Operand::Reg(0));
        let table = code.load_new(state, 8, Order::Na);
        let slot = code.offset(table, 16);
        let run = code.load_new(slot, 8, Order::Na);
        code.call(Callee::Indirect(run), vec![state], None);
        words::end_if_unwinding(code);
        // The thread owns the state: what it was given is destroyed before anybody sees it end.
        let slot = code.offset(table, 8);
        let destroy = code.load_new(slot, 8, Order::Na);
        code.call(Callee::Indirect(destroy), vec![state], None);
        specific::end_thread(code);
    })
}

/// An object of the library, made when it is first used.
pub(super) fn object(code: &mut Code<'_, '_>, name: &str, size: u64, thread_local: bool) -> Operand {
    // Not by its name among those of the program, which may have a variable that is called so.
    if let Some(&(_, address)) = code.cx.own_objects.iter().find(|(known, _)| known == name) {
        return Operand::Const(address);
    }
    let bytes = vec![0; size as usize];
    let object = Object { name: name.into(), address: 0, bytes, cells: Vec::new(), thread_local, read_only: false };
    let address = code.cx.builder.object(object, 8);
    code.cx.own_objects.push((name.to_owned(), address));
    Operand::Const(address)
}
