//! Whether a module may register destructors of thread-specific data.
//!
//! Programs that do not need no code that looks for values when a thread ends, and fewer events.

use crate::llvm::ir::{Module, Op, Value};
use crate::llvm::library::rust::runtime::RUN;
use crate::llvm::library::specific::REGISTERING;
use crate::llvm::rust::names;

/// Whether a function is the one that runs the destructors of a thread's local variables in Rust.
pub(super) fn runs_those_of_rust(name: &str) -> bool {
    names::path(name).is_some_and(|path| path == RUN)
}

/// Whether a key may have a destructor: one is given, or what registers one is called through a pointer.
pub(super) fn may_be(module: &Module) -> bool {
    let instructions = module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions);
    let mut given = instructions.filter_map(|i| match &i.op {
        Op::Call { callee, args, .. } => {
            module.library_callee(callee).filter(|name| REGISTERING.contains(name)).and(args.get(1)).map(|a| &a.value)
        }
        _ => None,
    });
    let is_called = given.clone().next().is_some();
    let is_pointed_to = REGISTERING.iter().any(|name| module.uses_library(name)) && !is_called;
    let of_rust = module.functions.iter().any(|f| runs_those_of_rust(&f.name));
    is_pointed_to || of_rust || given.any(|destructor| !matches!(destructor, Value::Zero))
}
