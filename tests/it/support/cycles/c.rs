//! C, with the names of `<stdatomic.h>`.

use super::cycle::{Access, Action, Cycle, Dependency, Means, Offer, Order};
use super::dialect::{condition, location};

pub struct C;

/// The models that tests of C are run under.
pub const MODELS: &[&str] = &["rc11", "c11"];

impl Offer for C {
    fn fences(&self) -> &'static [&'static str] {
        &["acquire", "release", "acq_rel", "seq_cst"]
    }
    fn dependencies(&self) -> &'static [Dependency] {
        &[Dependency::Data, Dependency::Control]
    }
    fn orders(&self, action: Action, means: Means) -> &'static [Order] {
        match (action, means) {
            (Action::Read, Means::Instruction) => &[Order::Relaxed, Order::Acquire, Order::Total, Order::Plain],
            (Action::Write, Means::Instruction) => &[Order::Relaxed, Order::Release, Order::Total, Order::Plain],
            (_, Means::Atomic) | (Action::Update, Means::Compare) => {
                &[Order::Relaxed, Order::Acquire, Order::Release, Order::Both, Order::Total]
            }
            _ => &[],
        }
    }
}

fn named(order: Order) -> &'static str {
    match order {
        Order::Plain | Order::Relaxed => "memory_order_relaxed",
        Order::Acquire | Order::AcquirePc => "memory_order_acquire",
        Order::Release => "memory_order_release",
        Order::Both => "memory_order_acq_rel",
        Order::Total => "memory_order_seq_cst",
    }
}

/// The whole test.
pub fn text(cycle: &Cycle) -> String {
    let parameters: Vec<String> = (0..cycle.locations).map(|n| format!("atomic_int *{}", location(n))).collect();
    let parameters = parameters.join(", ");
    let compares = cycle.accesses().any(|access| access.means == Means::Compare);
    let mut text = format!("C generated\n\"{}\"\n{{ ", cycle.name());
    let mut shown = Vec::new();
    let mut threads = String::new();
    for (t, accesses) in cycle.threads.iter().enumerate() {
        let expected = if compares { format!(", int *e{t}") } else { String::new() };
        threads += &format!("P{t}({parameters}{expected}) {{\n");
        let (mut last, mut open) = (None::<String>, 0);
        for (i, access) in accesses.iter().enumerate() {
            let mut value = access.written.to_string();
            match (access.dependency, &last) {
                (Some(Dependency::Control), Some(from)) => {
                    threads += &format!("    if ({from} == {}) {{\n", accesses[i - 1].found);
                    open += 1;
                }
                (Some(_), Some(from)) => value = format!("({from} ^ {from}) + {value}"),
                _ => {}
            }
            if let Some(fence) = access.fence {
                threads += &format!("    atomic_thread_fence(memory_order_{});\n", C.fences()[fence]);
            }
            let line = statement(access, t, i, &value);
            threads += &format!("    {line}\n");
            if access.action != Action::Write {
                let register = format!("r{i}");
                shown.push((format!("{t}:{register}"), (access.means != Means::Compare).then_some(access.found)));
                last = Some(register);
            }
        }
        threads += &format!("    {}\n}}\n\n", "}".repeat(open));
    }
    if compares {
        (0..cycle.threads.len()).for_each(|t| text += &format!("int e{t} = 0; "));
    }
    text + "}\n\n" + &threads + &condition(cycle, &shown)
}

/// An access as a statement.
fn statement(access: &Access, thread: usize, i: usize, value: &str) -> String {
    let (x, order) = (location(access.location), named(access.order));
    match (access.means, access.action) {
        (Means::Compare, _) => {
            let failure = match access.order {
                Order::Total => "memory_order_seq_cst",
                Order::Acquire | Order::Both => "memory_order_acquire",
                _ => "memory_order_relaxed",
            };
            format!(
                "*e{thread} = {}; int r{i} = atomic_compare_exchange_strong_explicit({x}, e{thread}, {value}, {order}, {failure});",
                access.found
            )
        }
        (Means::Atomic, Action::Read) => format!("int r{i} = atomic_fetch_add_explicit({x}, 0, {order});"),
        (Means::Atomic, Action::Update) if access.increments => {
            format!("int r{i} = atomic_fetch_add_explicit({x}, 1, {order});")
        }
        (Means::Atomic, Action::Update) => format!("int r{i} = atomic_exchange_explicit({x}, {value}, {order});"),
        (Means::Atomic, Action::Write) => format!("int w{i} = atomic_exchange_explicit({x}, {value}, {order});"),
        (_, Action::Read) if access.order == Order::Plain => format!("int r{i} = *{x};"),
        (_, Action::Read) => format!("int r{i} = atomic_load_explicit({x}, {order});"),
        _ if access.order == Order::Plain => format!("*{x} = {value};"),
        _ => format!("atomic_store_explicit({x}, {value}, {order});"),
    }
}
