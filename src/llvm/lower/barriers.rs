//! Whether a module looks at which thread is told to be the one that serves for all at a barrier.
//!
//! Mostly it does not. Then threads that meet at a barrier do nothing there but meet, and that is one execution.

use super::operands;
use crate::llvm::ir::{Function, Module, Op, Value};

/// Whether something uses what a call of `pthread_barrier_wait` returns, or there are calls through pointers that may be such.
pub(super) fn tell_one(module: &Module) -> bool {
    module.uses_library(WAIT) && module.functions.iter().any(looks)
}

const WAIT: &str = "pthread_barrier_wait";

fn looks(function: &Function) -> bool {
    let instructions = || function.blocks.iter().flat_map(|block| &block.instructions);
    let is_wait = |value: &Value| matches!(value, Value::Global(name) if name == WAIT);
    let results: Vec<_> = instructions()
        .filter(|i| matches!(&i.op, Op::Call { callee, .. } if is_wait(callee)))
        .filter_map(|i| i.result)
        .collect();
    instructions().any(|i| {
        let mut found = false;
        operands(&i.op, &mut |value| match value {
            Value::Local(local) => found |= results.contains(local),
            // Not as what is called, where it is looked at above.
            value => found |= is_wait(value) && !matches!(&i.op, Op::Call { callee, .. } if is_wait(callee)),
        });
        found
    })
}
