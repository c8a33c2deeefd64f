//! Operations of `std::atomic`: their order is an argument, a constant at the user's place.
//!
//! What a compiler puts in always (most of libstdc++'s operations) stores the constant in a variable of its own that is named like the parameter; what it
//! calls gets it as its last argument, or its last two.

use super::strength::Kind;
use crate::llvm::ir::{Function, Module, Op, Order, Value};

/// The parameters of libstdc++ that are orders.
const PARAMETERS: [(&str, bool); 3] = [("__m.addr", false), ("__m1.addr", false), ("__m2.addr", true)];
/// The type of such a parameter in the linker's name of a function.
const MANGLED: &str = "St12memory_order";
/// The values of `std::memory_order`, in order.
const VALUES: [Order; 6] = [Order::Rlx, Order::Con, Order::Acq, Order::Rel, Order::AcqRel, Order::Sc];

/// What an instruction is that hands over an order: kinds and orders, and the debug information of the place.
pub fn strengths(module: &Module, function: &Function, op: &Op, debug: Option<u32>) -> Vec<(Kind, Order, Option<u32>)> {
    match op {
        Op::Store { value: Value::Int(value), ptr: Value::Local(local), order: Order::Na, .. } => {
            let name = function.locals.get(*local as usize).map_or("", String::as_str);
            let parameter = PARAMETERS.iter().find(|(start, _)| name.starts_with(start));
            let found = parameter.and_then(|(_, is_failure)| {
                // The store itself has no place, what reads the parameter has.
                let debug = function.blocks.iter().flat_map(|block| &block.instructions).find_map(|instruction| {
                    let reads = matches!(&instruction.op, Op::Load { ptr: Value::Local(read), .. } if read == local);
                    instruction.debug.filter(|_| reads)
                })?;
                module.metadata.inlined_at(debug)?;
                let kind = kind(module.metadata.function_name(debug)?, *is_failure)?;
                Some((kind, order(*value)?, Some(debug)))
            });
            found.into_iter().collect()
        }
        Op::Call { callee: Value::Global(name), args, .. } if name.contains(MANGLED) => {
            let orders = orders(name).min(args.len());
            let of = |back: usize| match args[args.len() - back].value {
                Value::Int(value) => order(value),
                _ => None,
            };
            // In the linker's name, the function's own stands behind its length.
            let is_failure = |back: usize| orders == 2 && back == 1;
            let found = (1..=orders).filter_map(|back| Some((kind_of_call(name, is_failure(back))?, of(back)?, debug)));
            found.collect()
        }
        _ => Vec::new(),
    }
}

/// Whether an atomic instruction stands in a function of the library that was put in and chooses it by the order handed over: the order changes there.
pub fn is_in_one(module: &Module, function: &Function, op: &Op, debug: Option<u32>) -> bool {
    let is_instruction = match op {
        Op::Load { order, .. } | Op::Store { order, .. } => *order != Order::Na,
        Op::AtomicRmw { .. } | Op::CmpXchg { .. } | Op::Fence { .. } => true,
        _ => false,
    };
    let inlined = debug.filter(|_| is_instruction).and_then(|debug| module.metadata.inlined_at(debug));
    let Some(inlined) = inlined else { return false };
    let all = || function.blocks.iter().flat_map(|block| &block.instructions);
    all().any(|instruction| {
        let Op::Load { ptr: Value::Local(local), .. } = &instruction.op else { return false };
        let name = function.locals.get(*local as usize).map_or("", String::as_str);
        PARAMETERS.iter().any(|(start, _)| name.starts_with(start))
            && instruction.debug.and_then(|debug| module.metadata.inlined_at(debug)) == Some(inlined)
    })
}

/// Whether an operation hands over an order, as those above do.
pub fn hands_over(op: &Op) -> bool {
    match op {
        Op::Store { order, .. } => *order == Order::Na,
        Op::Call { callee: Value::Global(name), .. } => name.contains(MANGLED),
        _ => false,
    }
}

/// Hands over another order.
pub fn change(op: &mut Op, kind: Kind, to: Order) {
    let new = Value::Int(VALUES.iter().position(|&order| order == to).unwrap_or(0) as u64);
    match op {
        Op::Store { value, order: Order::Na, .. } => *value = new,
        Op::Call { callee: Value::Global(name), args, .. } => {
            let back = if orders(name) == 2 && kind != Kind::Failure { 2 } else { 1 };
            if let Some(at) = args.len().checked_sub(back) {
                args[at].value = new;
            }
        }
        _ => {}
    }
}

/// How many orders a function takes.
fn orders(name: &str) -> usize {
    let behind = name.rsplit(MANGLED).next().unwrap_or_default();
    if behind.starts_with('S') { 2 } else { 1 }
}

fn order(value: u64) -> Option<Order> {
    VALUES.get(value as usize).copied()
}

/// What a function of the library is, by its name.
fn kind(name: &str, is_failure: bool) -> Option<Kind> {
    Some(match name {
        "load" | "test" => Kind::Load,
        "store" | "clear" => Kind::Store,
        "atomic_thread_fence" => Kind::Fence,
        _ if is_failure => Kind::Failure,
        "exchange" | "test_and_set" => Kind::Update,
        _ if name.starts_with("fetch_") || name.starts_with("compare_exchange_") => Kind::Update,
        _ => return None,
    })
}

fn kind_of_call(name: &str, is_failure: bool) -> Option<Kind> {
    const NAMES: [&str; 14] = [
        "4load",
        "4test",
        "5store",
        "5clear",
        "19atomic_thread_fence",
        "8exchange",
        "12test_and_set",
        "9fetch_add",
        "9fetch_sub",
        "9fetch_and",
        "8fetch_or",
        "9fetch_xor",
        "21compare_exchange_weak",
        "23compare_exchange_strong",
    ];
    let own = NAMES.iter().find(|own| name.contains(**own))?;
    kind(own.trim_start_matches(|c: char| c.is_ascii_digit()), is_failure)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_library() {
        let store = "_ZNSt6atomicI1SE5storeES0_St12memory_order";
        assert_eq!((kind_of_call(store, false), orders(store)), (Some(Kind::Store), 1));
        let swap = "_ZNSt13__atomic_baseIiE23compare_exchange_strongERiiSt12memory_orderS2_";
        assert_eq!((kind_of_call(swap, true), orders(swap)), (Some(Kind::Failure), 2));
        assert_eq!(kind_of_call(swap, false), Some(Kind::Update));
        assert_eq!(kind_of_call("_ZStanSt12memory_orderSt23__memory_order_modifier", false), None);
    }
}
