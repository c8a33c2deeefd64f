//! Persistent memory as libraries offer it: `pmem_persist` and its kin, an allocator, the flush of a public suite of tests.
//!
//! A flush here, and the fence that waits for flushes, are what the processor of the model has for it: their events are in the sets of all processors, and
//! each model sees its own.

use super::emit::{Emit, SUCCESS, arg, own_function};
use super::persistent::{force, is_seen};
use super::texts::strings;
use crate::ids::FuncId;
use crate::llvm::lower::function::code::Code;
use crate::llvm::lower::globals::LINE;
use crate::program::crash::Lines;
use crate::program::*;

/// A flush that a fence waits for.
const FLUSH: [&str; 2] = ["ClWb", "DC.CVAP"];
/// The fence that waits for flushes.
const DRAIN: [&str; 2] = ["SFENCE", "DSB.SY"];
/// Each of so many threads may allocate so many bytes, in objects that begin a line each.
const THREADS: u64 = 8;
const ROOM: u64 = 4096;
const MEMORY: &str = "persistent memory";
/// The word in which a thread keeps how much it has allocated.
const USED: u8 = 13;

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "pmem_flush" => |code, args| {
            flush(code, args);
            SUCCESS
        },
        "pmem_drain" => |code, _| {
            drain(code);
            SUCCESS
        },
        "pmem_persist" | "pmem_msync" => |code, args| {
            flush(code, args);
            drain(code);
            SUCCESS
        },
        "pmem_memcpy_persist" | "pmem_memmove_persist" => |code, args| {
            write(code, args, "memmove");
            drain(code);
            Some(arg(args, 0))
        },
        "pmem_memset_persist" => |code, args| {
            write(code, args, "memset");
            drain(code);
            Some(arg(args, 0))
        },
        "pmem_memcpy_nodrain" | "pmem_memmove_nodrain" => |code, args| {
            write(code, args, "memmove");
            Some(arg(args, 0))
        },
        "pmem_memset_nodrain" => |code, args| {
            write(code, args, "memset");
            Some(arg(args, 0))
        },
        "pmem_is_pmem" => |_, _| Some(Operand::Const(1)),
        "__VERIFIER_clflush" => |code, args| {
            force(code, &["ClFlush"], Some(arg(args, 0)));
            SUCCESS
        },
        "__VERIFIER_palloc" | "hmc_palloc" => |code, args| {
            if !is_seen(code) {
                return SUCCESS;
            }
            let dst = code.f.reg();
            let allocate = own_function(code, "hmc_palloc", 1, allocate);
            code.call(Callee::Direct(allocate), vec![arg(args, 0)], Some(dst));
            Some(Operand::Reg(dst))
        },
        _ => return None,
    })
}

/// Flushes all lines of a block.
fn flush(code: &mut Code<'_, '_>, args: &[Operand]) {
    if is_seen(code) {
        let flush = flush_of_lines(code);
        code.call(Callee::Direct(flush), vec![arg(args, 0), arg(args, 1)], None);
    }
}

fn flush_of_lines(code: &mut Code<'_, '_>) -> FuncId {
    own_function(code, "pmem_flush", 2, |code| {
        let at = code.f.reg();
        let (head, line, done) = (code.f.label(), code.f.label(), code.f.label());
        let end = code.bin(BinOp::Add, 64, Operand::Reg(0), Operand::Reg(1));
        let line_size = if code.cx.uses.lines == Lines::Place { 1 } else { LINE };
        let first = code.bin(BinOp::And, 64, Operand::Reg(0), Operand::Const(!(line_size - 1)));
        code.f.push(Instr::Set { dst: at, src: first });
        code.f.place(head);
        let more = code.bin(BinOp::ULt, 64, Operand::Reg(at), end);
        code.inner_branch(more, line, done);
        code.f.place(line);
        force(code, &FLUSH, Some(Operand::Reg(at)));
        code.f.push(Instr::Bin {
            dst: at,
            op: BinOp::Add,
            bits: 64,
            a: Operand::Reg(at),
            b: Operand::Const(line_size),
        });
        code.jump(head);
        code.f.place(done);
        code.f.push(Instr::Return { value: None });
    })
}

fn drain(code: &mut Code<'_, '_>) {
    if is_seen(code) {
        code.fence_tags(&DRAIN.map(str::to_owned));
    }
}

/// Writes a block by a function of the library, and flushes it. Libraries may use non-temporal stores: behind the fence that is the same.
fn write(code: &mut Code<'_, '_>, args: &[Operand], name: &str) {
    if let Some(write) = strings::find(name) {
        write(code, args);
    }
    flush(code, &[arg(args, 0), arg(args, 2)]);
}

/// Gives a block of persistent memory, which is zero. Each thread has memory of its own, so no event tells who was first.
fn allocate(code: &mut Code<'_, '_>) {
    let known = code.cx.own_objects.iter().find(|(name, _)| name == MEMORY).map(|&(_, address)| address);
    let base = known.unwrap_or_else(|| {
        let object = Object {
            name: MEMORY.to_owned(),
            address: 0,
            bytes: vec![0; (THREADS * ROOM) as usize],
            cells: Vec::new(),
            thread_local: false,
            read_only: false,
        };
        let address = code.cx.builder.object(object, LINE);
        code.cx.builder.program.persistence.memory.push((address, address + THREADS * ROOM - 1));
        code.cx.own_objects.push((MEMORY.to_owned(), address));
        address
    });
    let (me, used) = (code.f.reg(), code.f.reg());
    code.f.push(Instr::ThreadSelf { dst: me });
    code.f.push(Instr::ReadWord { dst: used, word: USED });
    let size = code.offset(Operand::Reg(0), LINE - 1);
    let size = code.bin(BinOp::And, 64, size, Operand::Const(!(LINE - 1)));
    let next = code.bin(BinOp::Add, 64, Operand::Reg(used), size);
    code.f.push(Instr::WriteWord { word: USED, value: next });
    let fits = code.bin(BinOp::ULe, 64, next, Operand::Const(ROOM));
    let known = code.bin(BinOp::ULt, 64, Operand::Reg(me), Operand::Const(THREADS));
    let both = code.bin(BinOp::And, 64, fits, known);
    let (room, none) = (code.f.label(), code.f.label());
    code.inner_branch(both, room, none);
    code.f.place(none);
    code.unsupported(format!(
        "more than {ROOM} bytes of persistent memory for a thread, or more than {THREADS} threads"
    ));
    code.f.place(room);
    let own = code.bin(BinOp::Mul, 64, Operand::Reg(me), Operand::Const(ROOM));
    let at = code.bin(BinOp::Add, 64, own, Operand::Reg(used));
    let at = code.bin(BinOp::Add, 64, at, Operand::Const(base));
    code.f.push(Instr::Return { value: Some(at) });
}
