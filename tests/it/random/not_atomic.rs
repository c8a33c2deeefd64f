//! Models without an axiom of atomicity: a write may come between the halves of a read-modify-write, be these two events or one. Exploration and the search
//! for programs with fixed events, with all kinds of prefixes, find what the enumerator and the plain evaluator find, each execution once.

use crate::support::programs::{random_program, random_straight};
use crate::support::random::{Collect, Rng, all_agree, explored};
use crate::support::{Order, ordered, require};
use hmc::algebra::{Model, Predicate, Sort, naive};
use hmc::candidates::enumerate::{Coverage, enumerate, signature};
use hmc::candidates::straightline;
use hmc::explore::{Options, plan_complete};
use hmc::graph::prefix::PrefixKind;
use hmc::graph::view;
use hmc::program::{Half, Instr, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// Executions that a model with atomicity rejects.
static TORN: AtomicU64 = AtomicU64::new(0);

/// A model without its last check, that of atomicity.
fn torn(order: Order) -> Model {
    let mut model = ordered(order);
    model.checks.pop();
    model
}

/// Nothing but that program order and reads-from have no cycle.
fn reads_from_only() -> Model {
    let mut model = Model::default();
    let [po, rf] = ["po", "rf"].map(|name| model.pool.base(name, Sort::Rel));
    let both = model.pool.union(Sort::Rel, [po, rf]);
    require(&mut model, Predicate::Acyclic, both);
    model
}

/// The program with each read-modify-write of one instruction as one event.
fn fused(mut program: Program) -> Program {
    let fuse = |half: &mut Half| match half {
        Half::AmoRead => *half = Half::FusedRead,
        Half::AmoWrite => *half = Half::FusedWrite,
        _ => {}
    };
    for instr in program.functions.iter_mut().flat_map(|function| &mut function.code) {
        match instr {
            Instr::Load(load) => fuse(&mut load.half),
            Instr::Store(store) => fuse(&mut store.half),
            _ => {}
        }
    }
    program
}

/// The executions that the plain evaluator accepts among all candidates, unless there are too many of these.
fn enumerated(program: &Program, model: &Model, atomic: &Model) -> Option<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let all = enumerate(program, &Options::default(), 1 << 19, &mut |x| {
        let candidate = view::candidate(x.graph, &x.world.deps, program);
        if naive::judge(model, &candidate).violated.is_empty() {
            found.insert(signature(x));
            let is_torn = !naive::judge(atomic, &candidate).violated.is_empty();
            TORN.fetch_add(u64::from(is_torn), Ordering::Relaxed);
        }
    });
    (all == Coverage::All).then_some(found)
}

fn same(what: &str, text: &str, expected: &BTreeSet<String>, found: &BTreeMap<String, usize>) -> bool {
    if found.values().all(|&n| n == 1) && found.keys().eq(expected) {
        return true;
    }
    println!("{what}\n{text}\n{} expected, {} found", expected.len(), found.len());
    expected.iter().filter(|s| !found.contains_key(*s)).take(1).for_each(|s| println!("lost:\n{s}"));
    found.keys().filter(|s| !expected.contains(*s)).take(1).for_each(|s| println!("wrong:\n{s}"));
    found.iter().filter(|(_, n)| **n > 1).take(1).for_each(|(s, _)| println!("twice:\n{s}"));
    false
}

fn compare(seed: u64, events: u64) -> bool {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (program, text) = match seed % 2 {
        0 => random_program(&mut rng, events, false),
        _ => random_straight(&mut rng, events, true),
    };
    let (program, halves) =
        if (seed / 2).is_multiple_of(2) { (program, "two events") } else { (fused(program), "one event") };
    let (by_program_order, by_dependencies) = (Some(PrefixKind::ProgramOrder), Some(PrefixKind::Dependencies));
    let models = [
        ("reads-from", reads_from_only(), ordered(Order::Sc), by_program_order),
        ("reads-from", reads_from_only(), ordered(Order::Sc), by_dependencies),
        ("sc", torn(Order::Sc), ordered(Order::Sc), by_program_order),
        ("tso", torn(Order::Tso), ordered(Order::Tso), by_dependencies),
        ("coherent", torn(Order::Coherent), ordered(Order::Coherent), by_dependencies),
    ];
    models.iter().all(|(name, model, atomic, prefix)| {
        let Some(expected) = enumerated(&program, model, atomic) else { return true };
        let what = format!("seed {seed} under {name}, {halves}, {prefix:?}");
        let options = Options { prefix: *prefix, ..Options::default() };
        let (found, statistics) = explored(&program, model, &options);
        let mut agrees = same(&what, &text, &expected, &found) && !statistics.twofold;
        let options = Options::default();
        if let Some(shape) = straightline::shape(&program, &options) {
            let mut collect = Collect::default();
            let plan = plan_complete(model, &program);
            let is_answered = straightline::explore(&program, &shape, &plan, &options, &mut collect).is_some();
            agrees &= !is_answered || same(&format!("{what}, fixed events"), &text, &expected, &collect.0);
        }
        agrees
    })
}

#[test]
fn what_is_not_atomic_is_found_by_all() {
    all_agree(250, 6, compare);
    let torn = TORN.load(Ordering::Relaxed);
    println!("{torn} executions that a model with atomicity rejects");
    assert!(torn > 1000, "{torn} executions that a model with atomicity rejects");
}
