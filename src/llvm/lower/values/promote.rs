//! Which locals are registers, which are private memory, and which are shared memory.
//!
//! At `-O0` clang keeps every variable in an `alloca`. A variable whose address goes nowhere cannot be seen by another
//! thread: its scalars become registers when they are always accessed whole at constant offsets, otherwise frame-private
//! memory. Everything else stays memory with events. An address that is stored once into another such variable and only
//! loaded from there (a pointer parameter of an inlined function) is followed through it.
//!
//! A read of such a variable that was never written gives 0, and is found by [`super::unset`].

use crate::llvm::ir::{Function, Local, Module, Op, TypeId, Types, Value};
use crate::llvm::library;
use crate::llvm::lower::operands;
use crate::llvm::lower::values::pieces::cover;
use rustc_hash::{FxHashMap, FxHashSet};

/// Largest number of registers that one variable becomes.
const MAX_REGISTERS: usize = 64;
/// Largest variable that becomes frame-private memory.
const MAX_PRIVATE: u64 = 1 << 16;
/// Rounds of following addresses through variables.
const MAX_ROUNDS: usize = 16;

/// Where a variable lives.
#[derive(Clone, PartialEq, Debug)]
pub enum Home {
    /// One register for each scalar: offset and size, sorted.
    Registers(Vec<(u64, u64)>),
    /// Frame-private memory.
    Private,
    /// Memory with events.
    Memory,
}

/// An address inside a variable: which one, and the offset when it is constant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Inside {
    /// The `alloca`.
    pub variable: Local,
    /// Byte offset.
    pub offset: Option<u64>,
}

/// The outcome.
#[derive(Debug, Default)]
pub struct Promotion {
    /// Every fixed-size `alloca` with its type and home.
    pub homes: FxHashMap<Local, (TypeId, Home)>,
    /// Addresses inside variables.
    pub inside: FxHashMap<Local, Inside>,
}

impl Promotion {
    /// The variable that an address points into, when it is not in shared memory.
    pub fn private(&self, address: &Value) -> Option<(Inside, TypeId, &Home)> {
        let Value::Local(local) = address else { return None };
        let inside = self.inside.get(local)?;
        match self.homes.get(&inside.variable)? {
            (_, Home::Memory) => None,
            (ty, home) => Some((*inside, *ty, home)),
        }
    }
}

/// The constant offset of a chain of indices, if it is one.
pub fn constant_offset(types: &Types, source: TypeId, indices: &[(TypeId, Value)]) -> Option<u64> {
    let constant = |(ty, value): &(TypeId, Value)| match value {
        Value::Int(n) => {
            let bits = u32::from(types.scalar_bits(*ty)?);
            Some(((*n << (64 - bits)) as i64 >> (64 - bits)) as u64)
        }
        Value::Zero => Some(0),
        _ => None,
    };
    let (first, rest) = indices.split_first()?;
    let mut offset = types.size(source).wrapping_mul(constant(first)?);
    let mut ty = source;
    for index in rest {
        let (at, element) = types.element(ty, constant(index)?)?;
        offset = offset.wrapping_add(at);
        ty = element;
    }
    Some(offset)
}

/// Decides for all variables of a function.
pub fn promote(function: &Function, module: &Module) -> Promotion {
    let types = &module.types;
    let mut out = Promotion::default();
    let instructions = || function.blocks.iter().flat_map(|b| &b.instructions);
    for instruction in instructions() {
        if let (Some(result), Op::Alloca { ty, count }) = (instruction.result, &instruction.op)
            && matches!(count, None | Some(Value::Int(1)))
        {
            out.homes.insert(result, (*ty, Home::Memory));
            out.inside.insert(result, Inside { variable: result, offset: Some(0) });
        }
    }
    let carriers = find_addresses(function, types, &mut out);
    let mut escaped: FxHashSet<Local> = FxHashSet::default();
    let mut accesses: FxHashMap<Local, Vec<(Option<u64>, u64)>> = FxHashMap::default();
    for instruction in instructions() {
        let mut access = |inside: Inside, from: u64, size: u64| {
            let offset = inside.offset.map(|o| o.wrapping_add(from));
            accesses.entry(inside.variable).or_default().push((offset, size));
        };
        let at = |value: &Value| match value {
            Value::Local(local) => out.inside.get(local).copied(),
            _ => None,
        };
        let mut excused: Vec<&Value> = Vec::new();
        match &instruction.op {
            Op::Load { ptr, ty, .. } | Op::Store { ptr, ty, .. } => {
                if let (Some(inside), Some(leaves)) = (at(ptr), types.leaves(*ty, MAX_REGISTERS)) {
                    leaves.iter().for_each(|leaf| access(inside, leaf.offset, leaf.size));
                    excused.push(ptr);
                }
                if let Op::Store { ptr: Value::Local(carrier), value, .. } = &instruction.op
                    && carriers.contains(carrier)
                {
                    excused.push(value);
                }
            }
            Op::Gep { base, .. } => excused.push(base),
            Op::Cast { op, value, .. } if op == "bitcast" || op == "addrspacecast" => excused.push(value),
            Op::Declare { address, .. } => excused.push(address),
            Op::Call { callee, args, .. } => {
                let name = module.library_callee(callee);
                let used = |i| name.map_or(library::PointerUse::Escapes, |name| library::pointer_use(module, name, i));
                for (i, arg) in args.iter().enumerate() {
                    match (at(&arg.value), used(i)) {
                        (None, _) | (_, library::PointerUse::Escapes) => {}
                        (_, library::PointerUse::Ignored) => excused.push(&arg.value),
                        (Some(inside), library::PointerUse::Writes(size)) => {
                            access(inside, 0, size);
                            excused.push(&arg.value);
                        }
                        (Some(inside), library::PointerUse::Varargs) => {
                            [(0, 4), (4, 4), (8, 8), (16, 8)]
                                .into_iter()
                                .for_each(|(at, size)| access(inside, at, size));
                            excused.push(&arg.value);
                        }
                        (Some(inside), library::PointerUse::Block) => {
                            if let Some(Value::Int(len)) = args.get(2).map(|a| &a.value) {
                                let of = |inside: Inside| {
                                    block_accesses(types, out.homes[&inside.variable].0, inside, *len, MAX_REGISTERS)
                                };
                                let mine = of(inside);
                                // A copy between variables of different layouts has no registers to go by.
                                let other = [1, 0].get(i).and_then(|&i| at(&args.get(i)?.value));
                                if other.is_some_and(|other| behind(other, of(other)) != behind(inside, mine.clone())) {
                                    access(Inside { offset: None, ..inside }, 0, *len);
                                }
                                for (offset, size) in mine {
                                    access(Inside { offset, ..inside }, 0, size);
                                }
                                excused.push(&arg.value);
                            }
                        }
                    }
                }
            }
            _ => {}
        }
        operands(&instruction.op, &mut |value| {
            if let Some(inside) = at(value)
                && !excused.iter().any(|e| std::ptr::eq(*e, value))
            {
                escaped.insert(inside.variable);
            }
        });
    }
    for (variable, (ty, home)) in &mut out.homes {
        let mine = accesses.get(variable).map(Vec::as_slice).unwrap_or_default();
        *home = if escaped.contains(variable) { Home::Memory } else { choose(types.size(*ty), mine) };
    }
    out
}

/// Finds addresses inside variables; returns the variables that only carry one such address.
fn find_addresses(function: &Function, types: &Types, out: &mut Promotion) -> FxHashSet<Local> {
    let instructions = || function.blocks.iter().flat_map(|b| &b.instructions);
    // Variables that are only loaded from and stored to, with the number of stores.
    let mut stores: FxHashMap<Local, (u32, Option<Local>)> = out.homes.keys().map(|&v| (v, (0, None))).collect();
    for instruction in instructions() {
        let direct = match &instruction.op {
            Op::Load { ptr, .. } => Some(ptr),
            Op::Store { ptr, value, .. } => {
                if let Value::Local(p) = ptr
                    && let Some((count, last)) = stores.get_mut(p)
                {
                    *count += 1;
                    *last = if let Value::Local(v) = value { Some(*v) } else { None };
                }
                Some(ptr)
            }
            Op::Declare { address, .. } => Some(address),
            _ => None,
        };
        operands(&instruction.op, &mut |value| {
            if let (Value::Local(local), false) = (value, direct.is_some_and(|d| std::ptr::eq(d, value))) {
                stores.remove(local);
            }
        });
    }
    stores.retain(|_, (count, value)| *count == 1 && value.is_some());
    let mut carriers = FxHashSet::default();
    for _ in 0..MAX_ROUNDS {
        let before = out.inside.len();
        for instruction in instructions() {
            let Some(result) = instruction.result else { continue };
            if out.inside.contains_key(&result) {
                continue;
            }
            let at = |value: &Value| match value {
                Value::Local(local) => out.inside.get(local).copied(),
                _ => None,
            };
            let found = match &instruction.op {
                Op::Gep { source, base, indices } => at(base).map(|inside| Inside {
                    offset: match (inside.offset, constant_offset(types, *source, indices)) {
                        (Some(a), Some(b)) => Some(a.wrapping_add(b)),
                        _ => None,
                    },
                    ..inside
                }),
                Op::Cast { op, value, .. } if op == "bitcast" || op == "addrspacecast" => at(value),
                Op::Load { ptr: Value::Local(carrier), .. } => match stores.get(carrier) {
                    Some((_, Some(value))) => {
                        let inside = out.inside.get(value).copied().filter(|i| i.offset.is_some());
                        if inside.is_some() {
                            carriers.insert(*carrier);
                        }
                        inside
                    }
                    _ => None,
                },
                _ => None,
            };
            if let Some(inside) = found {
                out.inside.insert(result, inside);
            }
        }
        if out.inside.len() == before {
            break;
        }
    }
    carriers
}

/// The accesses of a block copy or fill of `len` bytes inside a variable: its scalars, when they fit, and what is between them.
pub fn block_accesses(types: &Types, ty: TypeId, inside: Inside, len: u64, limit: usize) -> Vec<(Option<u64>, u64)> {
    let Some(from) = inside.offset else { return vec![(None, len)] };
    let to = from.saturating_add(len);
    if to > types.size(ty) {
        return vec![(Some(from), len)];
    }
    let whole = types.leaves(ty, limit).and_then(|leaves| {
        let mut touched = leaves.iter().filter(|l| l.offset < to && l.offset + l.size > from);
        let fits = touched.all(|l| l.offset >= from && l.offset + l.size <= to);
        fits.then(|| cover(&leaves, from, to).into_iter().map(|(at, size)| (Some(at), size)).collect())
    });
    whole.unwrap_or_else(|| vec![(Some(from), len)])
}

/// The same accesses, by their offsets in the block.
fn behind(inside: Inside, accesses: Vec<(Option<u64>, u64)>) -> Vec<(Option<u64>, u64)> {
    let from = inside.offset.unwrap_or(0);
    accesses.into_iter().map(|(at, size)| (at.map(|at| at - from), size)).collect()
}

fn choose(size: u64, accesses: &[(Option<u64>, u64)]) -> Home {
    let mut cells: Vec<(u64, u64)> = Vec::new();
    let mut whole = true;
    for &(offset, len) in accesses {
        match offset {
            Some(offset) if offset.checked_add(len).is_none_or(|end| end > size) => return Home::Memory,
            Some(offset) if matches!(len, 1 | 2 | 4 | 8) => cells.push((offset, len)),
            _ => whole = false,
        }
    }
    cells.sort_unstable();
    cells.dedup();
    let disjoint = cells.windows(2).all(|w| w[0].0 + w[0].1 <= w[1].0);
    if whole && disjoint && cells.len() <= MAX_REGISTERS {
        Home::Registers(cells)
    } else if size <= MAX_PRIVATE {
        Home::Private
    } else {
        Home::Memory
    }
}
