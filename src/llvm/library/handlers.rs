//! Functions that are registered to run when the program ends.
//!
//! They stand in a table of the library, as pairs of a function and its argument. What registers and what runs them is atomic, since several threads may do so.

use super::{Emit, SUCCESS, arg, threads};
use crate::llvm::ir::Order;
use crate::llvm::lower::function::code::Code;
use crate::program::*;

/// What registers such functions.
pub const REGISTERING: [&str; 2] = ["atexit", "__cxa_atexit"];
/// The function that runs them, and the destructors, in a program that has some.
pub const END: &str = "the end of the program";

/// There is room for so many.
const MOST: u64 = 32;
/// Where the table says whether a thread has begun to end the program, and where its entries begin; before that comes their number.
const BEGUN: u64 = 8;
const ENTRIES: u64 = 16;
/// Bytes of a function with its argument.
const ENTRY: u64 = 16;

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "atexit" => |code, args| {
            register(code, arg(args, 0), Operand::Const(0));
            SUCCESS
        },
        "__cxa_atexit" => |code, args| {
            register(code, arg(args, 0), arg(args, 1));
            SUCCESS
        },
        "exit" => |code, args| {
            code.check_exit_code(arg(args, 0));
            if let Some(end) = end(code) {
                code.call(Callee::Direct(end), Vec::new(), None);
            }
            code.f.push(Instr::ExitProgram { code: arg(args, 0) });
            SUCCESS
        },
        "_exit" | "_Exit" | "quick_exit" => |code, args| {
            code.check_exit_code(arg(args, 0));
            code.f.push(Instr::ExitProgram { code: arg(args, 0) });
            SUCCESS
        },
        _ => return None,
    })
}

/// The function that runs what there is to run at the end, if there may be something.
fn end(code: &Code<'_, '_>) -> Option<crate::ids::FuncId> {
    let functions = &code.cx.builder.program.functions;
    functions.iter().position(|f| f.name == END).map(crate::ids::FuncId::at)
}

/// Says that it is not modelled when `main` ends by `pthread_exit` in a program that has something to run at its end: the last thread to end would run it.
pub fn refuse_exit_of_main(code: &mut Code<'_, '_>) {
    if end(code).is_none() {
        return;
    }
    let me = code.f.reg();
    code.f.push(Instr::ThreadSelf { dst: me });
    let (other, main) = (code.f.label(), code.f.label());
    code.inner_branch(Operand::Reg(me), other, main);
    code.f.place(main);
    code.unsupported(
        "`main` ends by `pthread_exit` while functions are to run at the end of the program: let it return",
    );
    code.f.place(other);
}

fn table(code: &mut Code<'_, '_>) -> Operand {
    threads::object(code, "exit handlers", ENTRIES + MOST * ENTRY, false)
}

fn entry(code: &mut Code<'_, '_>, table: Operand, number: Operand) -> Operand {
    let offset = code.bin(BinOp::Mul, 64, number, Operand::Const(ENTRY));
    let first = code.offset(table, ENTRIES);
    code.bin(BinOp::Add, 64, first, offset)
}

fn register(code: &mut Code<'_, '_>, function: Operand, argument: Operand) {
    let table = table(code);
    let number = code.f.reg();
    code.rmw(number, table, 8, Order::AcqRel, |code, old| code.bin(BinOp::Add, 64, old, Operand::Const(1)));
    let number = Operand::Reg(number);
    let (fits, full) = (code.f.label(), code.f.label());
    let has_room = code.bin(BinOp::ULt, 64, number, Operand::Const(MOST));
    code.inner_branch(has_room, fits, full);
    code.f.place(full);
    code.unsupported(format!("more than {MOST} functions are registered to run at the end of the program"));
    code.f.place(fits);
    let at = entry(code, table, number);
    let argument_at = code.offset(at, 8);
    code.store(argument_at, argument, 8, Order::Rlx);
    code.store(at, function, 8, Order::Rel);
}

/// Calls what was registered, the last first; what these register comes next. One thread does so: another one that ends the program, too, waits for that.
pub fn run_all(code: &mut Code<'_, '_>) {
    let table = table(code);
    let begun_at = code.offset(table, BEGUN);
    let begun = code.f.reg();
    code.rmw(begun, begun_at, 8, Order::AcqRel, |_, _| Operand::Const(1));
    let cond = code.bin(BinOp::Eq, 64, Operand::Reg(begun), Operand::Const(0));
    code.f.push(Instr::StopUnless { cond, why: Stop::Await });
    let (head, more, call, done) = (code.f.label(), code.f.label(), code.f.label(), code.f.label());
    code.f.place(head);
    let number = code.load_new(table, 8, Order::Acq);
    code.branch(number, more, done);
    code.f.place(more);
    let last = code.bin(BinOp::Sub, 64, number, Operand::Const(1));
    code.store(table, last, 8, Order::Rlx);
    let at = entry(code, table, last);
    let function = code.load_new(at, 8, Order::Acq);
    // A thread may be about to write it.
    code.branch(function, call, head);
    code.f.place(call);
    let argument_at = code.offset(at, 8);
    let argument = code.load_new(argument_at, 8, Order::Rlx);
    code.call(Callee::Indirect(function), vec![argument], None);
    code.jump(head);
    code.f.place(done);
}
