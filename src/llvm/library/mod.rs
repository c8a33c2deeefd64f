//! The library: what functions without a body in the program do.
//!
//! A library function is written into the code of its caller, so that its events carry the caller's source position. Locks
//! and the like are built from atomic accesses with C11 orders, so they go through the mapping of the model as the program's
//! own accesses do, and no event of theirs is special.
//!
//! - [`waiting`]: locks, condition variables, semaphores, and whatever else waits.
//! - [`threads`]: everything about threads except creating and joining them (these may write to private variables: see
//!   [`super::lower::function::calls`]); [`creation`]: what these two are to models that do not read what they order.
//! - [`emit`]: how effects are written.
//! - [`specific`]: thread-specific data and its destructors. [`handlers`]: ending the program, and what runs then.
//! - [`texts`]: blocks, texts, numbers, sorting, output.
//! - [`persistent`]: what a disk or persistent memory is told: flushes, forces, acknowledgements; [`pmem`]: what libraries offer for such memory.
//! - [`allocation`]: memory. [`process`]: aborting, choices, and what is told of the machine.
//! - [`ignored`]: what has no effect here, and why.
//! - [`words`]: what a thread keeps of its processor.
//! - [`rust`]: what is replaced of Rust's standard library.
//! - [`kernel`]: the operations that the macros of a model's `.def` file are made of.

pub mod allocation;
pub mod creation;
pub mod emit;
pub mod handlers;
pub mod ignored;
pub mod kernel;
pub mod persistent;
pub mod pmem;
pub mod process;
pub mod rust;
pub mod specific;
pub mod texts;
pub mod threads;
pub mod waiting;
pub mod words;

use super::ir::Module;
use super::ir::unwinding::RETURNING_TWICE;
use emit::Emit;
use texts::{numbers, printing, sorting, strings};
use waiting::{clocks, conditions, futex, locks, once, semaphores, timed};

/// The library function of a name.
pub fn find(name: &str) -> Option<Emit> {
    let rooms = [
        locks::find,
        timed::find,
        conditions::find,
        semaphores::find,
        once::find,
        threads::find,
        specific::find,
        strings::find,
        sorting::find,
        numbers::find,
        handlers::find,
        clocks::find,
        ignored::function,
        futex::find,
        allocation::find,
        process::find,
        rust::find,
        words::find,
        persistent::find,
        pmem::find,
    ];
    rooms.iter().find_map(|find| find(name))
}

/// Whether a function is known that the program does not define.
pub fn knows(name: &str) -> bool {
    // These are lowered where they are called.
    const OTHERS: [&str; 11] = [
        "__hmc_wrong",
        "__hmc_unsupported",
        "pthread_create",
        "thrd_create",
        "pthread_join",
        "thrd_join",
        "__assert_fail",
        "__assert",
        "hmc_choose_below",
        "hmc_observe",
        persistent::NAME,
    ];
    OTHERS.contains(&name)
        || RETURNING_TWICE.contains(&name)
        || find(name).is_some()
        || kernel::find(name).is_some()
        || printing::is_output(name)
}

/// What a function without a body does with an argument that points to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointerUse {
    /// It may keep it, or access it: the variable must be in memory.
    Escapes,
    /// It does not look at it.
    Ignored,
    /// It writes a scalar of this many bytes there.
    Writes(u64),
    /// It copies or fills the block that its third argument gives the length of.
    Block,
    /// It is the list of further arguments.
    Varargs,
}

/// What the named function of the library does with its `n`-th argument.
pub fn pointer_use(module: &Module, name: &str, n: usize) -> PointerUse {
    match (name, n) {
        // A thread's name is a `long`.
        ("pthread_create" | "thrd_create", 0) => PointerUse::Writes(u64::from(module.long_bits() / 8)),
        ("pthread_join", 1) => PointerUse::Writes(8),
        ("thrd_join", 1) => PointerUse::Writes(4),
        ("memcpy" | "memmove", 0 | 1) | ("memset", 0) => PointerUse::Block,
        ("pthread_create", 1) => PointerUse::Ignored,
        _ => match name.strip_prefix("llvm.") {
            Some(n2) if n2.starts_with("memcpy") || n2.starts_with("memmove") => PointerUse::Block,
            Some(n2) if n2.starts_with("memset") && n == 0 => PointerUse::Block,
            Some(n2) if n2.starts_with("lifetime") || n2.starts_with("dbg") || n2.starts_with("va_end") => {
                PointerUse::Ignored
            }
            Some(n2) if n2.starts_with("va_start") || n2.starts_with("va_copy") => PointerUse::Varargs,
            _ if printing::is_output(name) || ignored::function(name).is_some() => PointerUse::Ignored,
            _ => PointerUse::Escapes,
        },
    }
}
