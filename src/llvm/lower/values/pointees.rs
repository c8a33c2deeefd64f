//! Guesses at what a pointer points to, for pointers to objects of which nothing is known: by the indices that it was computed with, and by what is done with it.
//!
//! LLVM's pointers have no types. Which accesses a block copy is made of is guessed from these types, and nothing else.

use super::promote::constant_offset;
use crate::llvm::ir::{Function, Local, Module, Op, TypeId, Types, Value};
use rustc_hash::FxHashSet;

/// How many calls a pointer is followed through.
const MAX_CALLS: u32 = 3;

/// The type of what is likely to be at an address, and the offset in it, where there are at least `len` bytes of it.
pub(in crate::llvm::lower) fn likely(
    module: &Module,
    function: &Function,
    address: &Value,
    len: u64,
) -> Option<(TypeId, u64)> {
    let Value::Local(local) = *address else { return None };
    let types = &module.types;
    let element = instructions(function).find_map(|i| match &i.op {
        Op::Gep { source, indices, .. } if i.result == Some(local) => Some(element(types, *source, indices)),
        _ => None,
    });
    match element {
        Some(element) => element.filter(|&ty| types.size(ty) >= len && types.size(ty) > 1).map(|ty| (ty, 0)),
        None => {
            let mut found = Found::default();
            uses(module, function, local, MAX_CALLS, &mut found);
            // A class begins with the one that it is derived from.
            let enough = found.structures.into_iter().filter(|&ty| types.size(ty) >= len);
            enough.min_by_key(|&ty| types.size(ty)).map(|ty| (ty, 0))
        }
    }
}

fn instructions(function: &Function) -> impl Iterator<Item = &crate::llvm::ir::Instruction> {
    function.blocks.iter().flat_map(|b| &b.instructions)
}

/// What indices lead to.
fn element(types: &Types, source: TypeId, indices: &[(TypeId, Value)]) -> Option<TypeId> {
    indices.iter().skip(1).try_fold(source, |ty, (_, index)| match index {
        Value::Int(n) => Some(types.element(ty, *n)?.1),
        // The elements of an array are all alike, and only they have indices that are not constant.
        _ => Some(types.element(ty, 0)?.1),
    })
}

/// What is found about a pointer.
#[derive(Default)]
struct Found {
    /// The structures at whose beginnings it is used to point.
    structures: Vec<TypeId>,
    /// The parameters that it has been followed to: the function's place in the module, and the local.
    followed: FxHashSet<(usize, Local)>,
}

/// Looks for the structures into which a pointer is used to point.
fn uses(module: &Module, function: &Function, pointer: Local, calls: u32, found: &mut Found) {
    // The variables that it is kept in.
    let kept: FxHashSet<Local> = instructions(function)
        .filter_map(|i| match &i.op {
            Op::Store { value: Value::Local(value), ptr: Value::Local(variable), .. } if *value == pointer => {
                Some(*variable)
            }
            Op::Load { ptr: Value::Local(variable), .. } if i.result == Some(pointer) => Some(*variable),
            _ => None,
        })
        .collect();
    let same: FxHashSet<Local> = instructions(function)
        .filter_map(|i| match &i.op {
            Op::Load { ptr: Value::Local(variable), .. } if kept.contains(variable) => i.result,
            _ => None,
        })
        .chain([pointer])
        .collect();
    let is_same = |value: &Value| matches!(value, Value::Local(local) if same.contains(local));
    for instruction in instructions(function) {
        match &instruction.op {
            Op::Gep { source, base, indices } if is_same(base) => {
                let into = indices
                    .first()
                    .and_then(|first| constant_offset(&module.types, *source, std::slice::from_ref(first)));
                if into == Some(0) && module.types.name(*source).starts_with('%') {
                    found.structures.push(*source);
                }
            }
            Op::Call { callee: Value::Global(name), args, .. } if calls > 0 => {
                let Some(&index) = module.function_index.get(name.as_str()) else { continue };
                let callee = &module.functions[index];
                for (_, param) in args.iter().zip(&callee.params).filter(|(arg, _)| is_same(&arg.value)) {
                    if found.followed.insert((index, param.local)) {
                        uses(module, callee, param.local, calls - 1, found);
                    }
                }
            }
            _ => {}
        }
    }
}
