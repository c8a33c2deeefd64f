//! Whether a mutex of a module may be of another kind than the default, and whether of the one that checks for errors.
//!
//! Mutexes that all are of the default kind need no owner and no depth: fewer accesses, so fewer executions. Kinds come from attributes, from
//! initialisers, and from code that writes into a mutex. What tells a mutex is the name of its type, which every header of glibc gives it.
//!
//! Not noticed: a kind that is written into memory by its offset, or copied there from memory that is no mutex.

use crate::llvm::ir::{Module, Op, TypeId, Types, Value};

/// Functions that set a kind.
const SETTERS: [&str; 2] = ["pthread_mutexattr_settype", "mtx_init"];

/// The union that programs name, and the structure in it that has the kind.
const UNION: &str = "pthread_mutex_t";
const STRUCTURE: &str = "__pthread_mutex_s";

/// Whether attributes, initialisers or assignments give mutexes a kind.
pub(super) fn have_kinds(module: &Module) -> bool {
    let is_set = SETTERS.iter().any(|name| module.uses_library(name));
    is_set || has_initialiser(module) || writes(module)
}

fn has_initialiser(module: &Module) -> bool {
    module.globals.iter().any(|g| g.init.as_ref().is_some_and(|init| sets(&module.types, g.ty, init)))
}

/// Whether one may be of the kind that checks for errors, or of one that is not known.
pub(super) fn may_check(module: &Module) -> bool {
    let instructions = module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions);
    let mut set = instructions.filter_map(|i| match &i.op {
        Op::Call { callee, args, .. } if module.library_callee(callee) == Some(SETTERS[0]) => {
            args.get(1).map(|a| &a.value)
        }
        _ => None,
    });
    let is_other = |kind: &Value| matches!(kind, Value::Zero | Value::Int(0 | 1));
    let is_called = set.clone().next().is_some();
    let is_pointed_to = module.uses_library(SETTERS[0]) && !is_called;
    is_pointed_to || set.any(|kind| !is_other(kind)) || has_initialiser(module) || writes(module)
}

/// Whether a constant of a type has a mutex in it that is not all zero.
fn sets(types: &Types, ty: TypeId, value: &Value) -> bool {
    match value {
        Value::Zero | Value::Undef => false,
        _ if is_mutex(types, ty) => true,
        Value::Aggregate(parts) => parts.iter().any(|(ty, part)| sets(types, *ty, part)),
        _ => false,
    }
}

/// Whether code addresses the inside of a mutex, as an initialiser of a local one does.
fn writes(module: &Module) -> bool {
    let mut instructions = module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions);
    instructions.any(|i| matches!(&i.op, Op::Gep { source, .. } if is_mutex(&module.types, *source)))
}

fn is_mutex(types: &Types, ty: TypeId) -> bool {
    let name = types.name(ty);
    name.contains(UNION) || name.contains(STRUCTURE)
}
