//! Every bundled model on random executions that grow event by event: the kernel against the plain evaluator, on the partial
//! executions, the complete ones, and after undoing; with and without the tags that make rare parts of a model matter.

#[path = "../../../benches/kernel/workload.rs"]
mod workload;

use hmc::algebra::naive::judge;
use hmc::algebra::{Base, Model, Role};
use hmc::cat::{LoadRequest, Vocabulary, load};
use hmc::kernel::plan::{Kind, Plan};
use hmc::kernel::session::Session;
use std::sync::Arc;
use workload::{Form, Rng, grow, present};

const MODELS: [&str; 16] = [
    "sc",
    "tso",
    "pso",
    "ra",
    "rc11",
    "c11",
    "imm",
    "armv7",
    "arm",
    "aarch64",
    "power",
    "riscv",
    "mips",
    "x86tso",
    "x86tso-mixed",
    "lkmm",
];

fn model(name: &str) -> Model {
    match load(&LoadRequest::named(name), &Vocabulary::default()) {
        Ok(loaded) => loaded.model,
        Err(errors) => panic!("{name}: {:?}", errors.diagnostics),
    }
}

fn run(name: &str, executions: usize, all_tags: bool) {
    let model = model(name);
    let here = |base: &Base| present(base, all_tags);
    let plan = Arc::new(Plan::compile(&model, &here, false));
    let mut session = Session::new(plan.clone());
    let mut rng = Rng(0x1234_5678 + executions as u64);
    let mut flags = Vec::new();
    for n in 0..executions {
        let form = Form {
            threads: 1 + rng.below(3),
            locations: 1 + rng.below(2),
            events: 3 + rng.below(9),
            wandering: 20 + rng.below(80),
            fences: rng.below(50),
            tags: 5 + rng.below(60),
        };
        let mut execution = grow(&plan, &mut session, &mut rng, form);
        // `grow` opened a frame for each event after the initial writes: walk back through them.
        for undone in 0..3 {
            let candidate = execution.candidate(&plan);
            let expected = judge(&model, &candidate);
            let context = || format!("{name}, execution {n}, {undone} events undone: {execution:?}");
            let violated = session.violated_final();
            assert_eq!(violated.is_some(), !expected.violated.is_empty(), "{}: {violated:?} {expected:?}", context());
            assert!(
                violated.is_none_or(|i| expected.violated.contains(&i)),
                "{}: {violated:?} {expected:?}",
                context()
            );
            let pruning = |i: &usize| plan.checks()[*i].kind == Kind::Prune;
            assert_eq!(session.violated_partial().is_some(), expected.violated.iter().any(pruning), "{}", context());
            if violated.is_none() {
                flags.clear();
                session.flags(&mut flags);
                assert_eq!(flags, expected.fired, "{}", context());
            }
            let Some(last) = execution.events.pop() else { break };
            if last.kind == workload::Kind::Init {
                break;
            }
            let gone = execution.events.len();
            execution.co.iter_mut().for_each(|order| order.retain(|&w| w != gone));
            session.pop();
        }
    }
}

#[test]
fn ordinary_executions() {
    for name in MODELS {
        run(name, 60, false);
    }
}

#[test]
fn executions_with_every_tag() {
    for name in MODELS {
        run(name, 40, true);
    }
}

/// Which models let exploration take program order for granted, and which checks prune.
#[test]
fn analysis_of_the_bundled_models() {
    for (name, porf) in [
        ("sc", true),
        ("tso", true),
        ("pso", true),
        ("x86tso", true),
        ("ra", true),
        ("rc11", true),
        ("imm", false),
        ("armv7", false),
        ("aarch64", false),
        ("power", false),
        ("riscv", false),
        ("lkmm", false),
    ] {
        let model = model(name);
        for holes in [false, true] {
            let plan = Plan::compile(&model, &|base| present(base, false), holes);
            assert_eq!(plan.implies_porf_acyclic(), porf, "{name}");
            for (check, info) in model.checks.iter().zip(plan.checks()) {
                let decided = check.role != Role::Require || info.kind != Kind::FinalOnly;
                assert!(decided, "{name}: {:?} does not prune: {}", check.name, info.reason);
            }
        }
    }
}
