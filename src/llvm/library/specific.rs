//! Thread-specific data, and the destructors that a thread calls when it ends.
//!
//! In a program that may register destructors, threads begin in a function that calls theirs and then [`END`]: so what a destructor does comes before anybody sees
//! the thread end. So they do where accesses order them (`creation`). Keys are not used again once they are deleted.

use super::emit::{Emit, SUCCESS, arg};
use super::emit::{define, own_function};
use super::threads::object;
use super::{creation, words};
use crate::ids::FuncId;
use crate::llvm::ir::Order;
use crate::llvm::lower::function::code::{Code, Context, Uses};
use crate::program::*;

/// What registers destructors, as its second argument.
pub const REGISTERING: [&str; 2] = ["pthread_key_create", "tss_create"];

/// The function that calls the destructors of a thread.
const END: &str = "the end of a thread";
/// Where a thread begins whose function is not known before the program runs.
const START: &str = "thread";
/// Number of keys.
const KEYS: u64 = 16;
/// `PTHREAD_DESTRUCTOR_ITERATIONS`: how often a thread looks again for values that destructors have set.
const ROUNDS: Operand = Operand::Const(4);
/// The key that stands for the local variables of Rust, in a program that has some: keys count on from the next one.
const OF_RUST: u64 = 0;
/// Where destructors are.
const DESTRUCTORS: &str = "thread-specific destructors";
const ZERO: Operand = Operand::Const(0);
const ONE: Operand = Operand::Const(1);

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "pthread_key_create" | "tss_create" => |code, args| {
            let next = object(code, "thread-specific keys", 8, false);
            let number = code.f.reg();
            code.rmw(number, next, 4, Order::Rlx, |code, old| code.bin(BinOp::Add, 32, old, ONE));
            let first = if code.cx.run_at_end.is_some() { OF_RUST + 1 } else { 0 };
            let number = code.bin(BinOp::Add, 32, Operand::Reg(number), Operand::Const(first));
            let cond = code.bin(BinOp::ULt, 64, number, Operand::Const(KEYS));
            code.f
                .push(Instr::Assert { cond, message: format!("more than {KEYS} keys of thread-specific data").into() });
            if code.cx.uses.destructors {
                let at = destructor(code, number);
                code.store(at, arg(args, 1), 8, Order::Rel);
            }
            code.store(arg(args, 0), number, 4, Order::Na);
            SUCCESS
        },
        "pthread_key_delete" | "tss_delete" => |code, args| {
            if code.cx.uses.destructors {
                let at = destructor(code, arg(args, 0));
                code.store(at, ZERO, 8, Order::Rlx);
            }
            SUCCESS
        },
        "pthread_getspecific" | "tss_get" => |code, args| {
            let at = slot(code, arg(args, 0));
            Some(code.load_new(at, 8, Order::Na))
        },
        "pthread_setspecific" | "tss_set" => |code, args| {
            let at = slot(code, arg(args, 0));
            code.store(at, arg(args, 1), 8, Order::Na);
            if code.cx.uses.destructors {
                let slots = slots(code);
                let (before, own) = (code.load_new(slots, 8, Order::Na), code.offset(arg(args, 0), 1));
                let most = code.bin(BinOp::UMax, 64, before, own);
                code.store(slots, most, 8, Order::Na);
            }
            SUCCESS
        },
        _ => return None,
    })
}

/// Has the running thread call a function of Rust's standard library at its end, which runs the destructors of its local variables.
///
/// It stands where the destructor of a key would, from the beginning: no thread writes it.
pub fn run_at_end(code: &mut Code<'_, '_>) {
    let Some(run) = code.cx.run_at_end else {
        return code.unsupported("the function that runs the destructors of a thread's local variables is not there");
    };
    let key = Operand::Const(OF_RUST);
    destructor(code, key);
    let table = code.cx.own_objects.iter().find(|(name, _)| name == DESTRUCTORS).map(|&(_, address)| address);
    let objects = &mut code.cx.builder.program.objects;
    if let Some(table) = objects.iter_mut().find(|object| Some(object.address) == table) {
        let at = 8 * OF_RUST as usize;
        table.bytes[at..at + 8].copy_from_slice(&ProgramBuilder::function_address(run).to_le_bytes());
    }
    let at = slot(code, key);
    code.store(at, ONE, 8, Order::Na);
    let slots = slots(code);
    let before = code.load_new(slots, 8, Order::Na);
    let most = code.bin(BinOp::UMax, 64, before, ONE);
    code.store(slots, most, 8, Order::Na);
}

/// What a thread does last: calls its destructors, in a program that may have some, and tells that it has ended.
pub fn end_thread(code: &mut Code<'_, '_>) {
    if code.cx.uses.destructors {
        let end = own_function(code, END, 0, call_destructors);
        code.call(Callee::Direct(end), Vec::new(), None);
    }
    creation::ended(code);
}

/// Starts a thread; gives back its number.
pub fn spawn(code: &mut Code<'_, '_>, function: Operand, arg: Operand) -> Reg {
    let Uses { destructors, accesses_order_threads, unwinds, .. } = code.cx.uses;
    let (function, arg) = match function {
        _ if !destructors && !accesses_order_threads && !unwinds => (function, arg),
        Operand::Const(address) if address >= FUNCTION_BASE => {
            let id = FuncId::at(((address - FUNCTION_BASE) / 16) as usize);
            let start = Code::function_address(start_of(code, id));
            (start, creation::given(code, arg))
        }
        _ => {
            let block = code.f.reg();
            let (size, name) = (Operand::Const(16), "start of a thread".into());
            code.f.push(Instr::Alloc { dst: block, size, region: Region::Heap, name });
            let block = Operand::Reg(block);
            code.store(block, function, 8, Order::Na);
            let arg_at = code.offset(block, 8);
            code.store(arg_at, arg, 8, Order::Na);
            let start = own_function(code, START, 1, |code| {
                let block = creation::taken(code, Operand::Reg(0));
                let (function, arg_at) = (code.load_new(block, 8, Order::Na), code.offset(block, 8));
                let arg = code.load_new(arg_at, 8, Order::Na);
                code.f.push(Instr::Free { addr: block, stack: false });
                run(code, Callee::Indirect(function), arg);
            });
            (Code::function_address(start), creation::given(code, block))
        }
    };
    let dst = code.f.reg();
    code.f.push(Instr::Spawn { dst, function, arg });
    dst
}

/// Gives the functions in which threads begin the names of those that they call, which is what the user knows.
pub fn name_starts(cx: &mut Context<'_>) {
    let functions = &mut cx.builder.program.functions;
    for (function, start) in &cx.starts {
        functions[start.index()].name = functions[function.index()].name.clone();
    }
}

/// The function in which a thread begins that runs this one.
fn start_of(code: &mut Code<'_, '_>, function: FuncId) -> FuncId {
    if let Some(&start) = code.cx.starts.get(&function) {
        return start;
    }
    let start = define(code, START, 1, |code| {
        let arg = creation::taken(code, Operand::Reg(0));
        run(code, Callee::Direct(function), arg);
    });
    code.cx.starts.insert(function, start);
    start
}

fn run(code: &mut Code<'_, '_>, function: Callee, arg: Operand) {
    let result = code.f.reg();
    code.call(function, vec![arg], Some(result));
    words::end_if_unwinding(code);
    end_thread(code);
    code.f.push(Instr::Return { value: Some(Operand::Reg(result)) });
}

/// As long as a thread has values whose keys have destructors: takes them away, and calls these.
fn call_destructors(code: &mut Code<'_, '_>) {
    let (round, key, again) = (code.f.reg(), code.f.reg(), code.f.reg());
    let set = |code: &mut Code<'_, '_>, dst: Reg, src: Operand| code.f.push(Instr::Set { dst, src });
    let [rounds, slots_of_round, keys, inside, held, call, next, behind, another, done] =
        std::array::from_fn(|_| code.f.label());
    set(code, round, ZERO);
    code.f.place(rounds);
    let more = code.bin(BinOp::ULt, 64, Operand::Reg(round), ROUNDS);
    code.branch(more, slots_of_round, done);
    code.f.place(slots_of_round);
    set(code, key, ZERO);
    set(code, again, ZERO);
    let slots_at = slots(code);
    let count = code.load_new(slots_at, 8, Order::Na);
    code.f.place(keys);
    let more = code.bin(BinOp::ULt, 64, Operand::Reg(key), count);
    code.branch(more, inside, behind);
    code.f.place(inside);
    let value_at = slot(code, Operand::Reg(key));
    let value = code.load_new(value_at, 8, Order::Na);
    code.branch(value, held, next);
    code.f.place(held);
    let destructor_at = destructor(code, Operand::Reg(key));
    let function = code.load_new(destructor_at, 8, Order::Acq);
    code.branch(function, call, next);
    code.f.place(call);
    code.store(value_at, ZERO, 8, Order::Na);
    code.call(Callee::Indirect(function), vec![value], None);
    set(code, again, ONE);
    code.f.place(next);
    code.f.push(Instr::Bin { dst: key, op: BinOp::Add, bits: 64, a: Operand::Reg(key), b: ONE });
    code.jump(keys);
    code.f.place(behind);
    code.branch(Operand::Reg(again), another, done);
    code.f.place(another);
    code.f.push(Instr::Bin { dst: round, op: BinOp::Add, bits: 64, a: Operand::Reg(round), b: ONE });
    code.jump(rounds);
    code.f.place(done);
    code.f.push(Instr::Return { value: None });
}

/// Where the running thread has the value of a key.
fn slot(code: &mut Code<'_, '_>, key: Operand) -> Operand {
    entry(code, "thread-specific data", true, key)
}

/// Where the running thread has the number of slots that may hold a value, so that few are looked at.
fn slots(code: &mut Code<'_, '_>) -> Operand {
    object(code, "thread-specific slots", 8, true)
}

/// Where the destructor of a key is.
fn destructor(code: &mut Code<'_, '_>, key: Operand) -> Operand {
    entry(code, DESTRUCTORS, false, key)
}

fn entry(code: &mut Code<'_, '_>, table: &str, thread_local: bool, key: Operand) -> Operand {
    let base = object(code, table, 8 * KEYS, thread_local);
    let offset = code.bin(BinOp::Mul, 64, key, Operand::Const(8));
    code.bin(BinOp::Add, 64, base, offset)
}
