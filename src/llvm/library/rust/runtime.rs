//! What begins and ends a Rust program and its threads, where its memory comes from, and what it prints.

use crate::llvm::ir::Order;
use crate::llvm::library::texts::strings;
use crate::llvm::library::waiting::locks::ZERO;
use crate::llvm::library::{Emit, SUCCESS, arg, specific};
use crate::llvm::lower::function::code::Code;
use crate::program::*;

/// Has a thread run [`RUN`] at its end.
pub const ENABLE: &str = "std::sys::thread_local::guard::key::enable";
/// Runs the destructors of a thread's local variables.
pub const RUN: &str = "std::sys::thread_local::guard::key::enable::run";

/// A function that is replaced.
pub struct Row {
    /// Its path.
    pub path: &'static str,
    /// What is done instead, and why that is right.
    pub why: &'static str,
    /// The same as code.
    pub effect: Emit,
}

const NOTHING: Emit = |_, _| SUCCESS;
const PRINTED: Emit = |code, _| {
    code.cx.note("what the program prints is not computed, and printing it succeeds");
    SUCCESS
};

/// All of them.
pub const TABLE: &[Row] = &[
    Row {
        path: "std::rt::lang_start_internal",
        why: "The user's `main` is called, and nothing else: signals, names and the stack guard say nothing about it.",
        effect: |code, args| {
            // The table of a closure: its destructor, size, alignment, then `call_once`, `call_mut` and `call`.
            const CALL: u64 = 40;
            let slot = code.offset(arg(args, 1), CALL);
            let main = code.load_new(slot, 8, Order::Na);
            let dst = code.f.reg();
            code.call(Callee::Indirect(main), vec![arg(args, 0)], Some(dst));
            Some(code.un(UnOp::Sext, 32, Operand::Reg(dst)))
        },
    },
    Row {
        path: "std::sys::pal::unix::stack_overflow::imp::make_handler",
        why: "No signal is delivered, so there is no stack for its handler.",
        effect: NOTHING,
    },
    Row {
        path: "std::sys::pal::unix::stack_overflow::imp::drop_handler",
        why: "There is no handler.",
        effect: NOTHING,
    },
    Row {
        path: "std::sys::pal::unix::stack_overflow::thread_info::set_current_info",
        why: "Only the handler of a stack overflow asks for it.",
        effect: NOTHING,
    },
    Row {
        path: ENABLE,
        why: "The destructors of a thread's local variables run at its end, without a key that all threads share.",
        effect: |code, _| {
            specific::run_at_end(code);
            SUCCESS
        },
    },
    Row {
        path: "std::thread::spawnhook::run_spawn_hooks",
        why: "Hooks are unstable; there are none.",
        effect: |code, args| {
            // The result is in memory: no hooks, no functions for the child (an empty vector).
            for (at, value) in [(0, ZERO), (8, Operand::Const(8)), (16, ZERO), (24, ZERO)] {
                let field = code.offset(arg(args, 0), at);
                code.store(field, value, 8, Order::Na);
            }
            SUCCESS
        },
    },
    Row { path: "<std::thread::spawnhook::ChildSpawnHooks>::run", why: "There are no hooks.", effect: NOTHING },
    Row {
        path: "std::env::_var_os",
        why: "No environment variable is set.",
        effect: |code, args| {
            // `None` is where the capacity of the string would be.
            code.store(arg(args, 0), Operand::Const(1 << 63), 8, Order::Na);
            SUCCESS
        },
    },
    Row {
        path: "std::sys::random::linux::getrandom",
        why: "Bytes that are always the same, for the keys of hash maps.",
        effect: |code, args| {
            code.cx.note("random bytes are always the same, and with them the order of a hash map");
            strings::fill_loop(code, arg(args, 0), ZERO, arg(args, 1), strings::units(8));
            SUCCESS
        },
    },
    Row {
        path: "__rustc::__rust_alloc",
        why: "Memory of the heap.",
        effect: |code, args| Some(allocate(code, arg(args, 0), Region::Heap)),
    },
    Row {
        path: "__rustc::__rust_alloc_zeroed",
        why: "Memory of the heap.",
        effect: |code, args| Some(allocate(code, arg(args, 0), Region::ZeroedHeap)),
    },
    Row {
        path: "__rustc::__rust_dealloc",
        why: "The memory's end.",
        effect: |code, args| {
            free(code, arg(args, 0));
            SUCCESS
        },
    },
    Row {
        path: "__rustc::__rust_realloc",
        why: "New memory, the old contents, the old memory's end.",
        effect: |code, args| {
            let (old, size, new_size) = (arg(args, 0), arg(args, 1), arg(args, 3));
            let new = allocate(code, new_size, Region::Heap);
            let len = code.bin(BinOp::UMin, 64, size, new_size);
            strings::copy_loop(code, new, old, len, strings::units(8));
            free(code, old);
            Some(new)
        },
    },
    Row {
        path: "__rustc::__rust_no_alloc_shim_is_unstable_v2",
        why: "It has the linker look for an allocator.",
        effect: NOTHING,
    },
    Row {
        path: "std::panicking::panic_count::is_zero_slow_path",
        why: "A thread that has panicked does nothing more.",
        effect: |_, _| Some(Operand::Const(1)),
    },
    Row {
        path: "<std::sys::stdio::unix::Stderr as std::io::Write>::write_fmt",
        why: "What is printed changes nothing.",
        effect: PRINTED,
    },
    Row { path: "std::io::stdio::_print", why: "What is printed changes nothing.", effect: PRINTED },
    Row { path: "std::io::stdio::_eprint", why: "What is printed changes nothing.", effect: PRINTED },
];

/// What is done instead of a function.
pub fn find(path: &str) -> Option<Emit> {
    TABLE.iter().find(|row| row.path == path).map(|row| row.effect)
}

fn allocate(code: &mut Code<'_, '_>, size: Operand, region: Region) -> Operand {
    let dst = code.f.reg();
    code.f.push(Instr::Alloc { dst, size, region, name: "heap".into() });
    Operand::Reg(dst)
}

fn free(code: &mut Code<'_, '_>, addr: Operand) {
    code.f.next_group();
    code.f.push(Instr::Free { addr, stack: false });
}

#[cfg(test)]
mod tests {
    use super::TABLE;

    #[test]
    fn every_function_is_described() {
        let page = include_str!("../../../../docs/rust.md");
        for row in TABLE {
            assert!(row.why.ends_with('.') && row.why.split(' ').count() < 25, "{}", row.path);
            assert!(page.contains(&format!("`{}`", row.path)), "{} is not in docs/rust.md", row.path);
        }
    }
}
