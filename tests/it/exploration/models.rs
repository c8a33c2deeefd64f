//! Exploration against enumeration under random models, among them such as do not let an execution go on, or are not monotone.

use crate::support::programs::{random_program, random_straight};
use crate::support::random::{Rng, all_agree, explored};
use crate::support::{Order, ordered, require};
use hmc::algebra::{BaseId, ExprId, Model, Pool, Predicate, Sort, naive, text};
use hmc::candidates::enumerate::{Coverage, enumerate, signature};
use hmc::cat::{LoadRequest, Vocabulary, load};
use hmc::explore::Options;
use hmc::graph::prefix::PrefixKind;
use hmc::graph::view;
use hmc::kernel::plan::Plan;
use hmc::program::Program;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// A random relation. With `wild`, differences may have anything on their right side.
fn relation(p: &mut Pool, rng: &mut Rng, depth: u32, wild: bool) -> ExprId {
    if depth == 0 || rng.below(4) == 0 {
        let names = ["po", "rf", "co", "rf", "co", "po", "loc", "ext", "addr", "data", "ctrl", "amo"];
        return match rng.below(14) as usize {
            n if n < names.len() => p.base(names[n], Sort::Rel),
            _ => {
                let [rf, co] = ["rf", "co"].map(|n| p.base(n, Sort::Rel));
                let back = p.inverse(rf);
                p.seq([back, co])
            }
        };
    }
    let a = relation(p, rng, depth - 1, wild);
    match rng.below(9) {
        0 => {
            let b = relation(p, rng, depth - 1, wild);
            p.union(Sort::Rel, [a, b])
        }
        1 => {
            let b = relation(p, rng, depth - 1, wild);
            p.inter(Sort::Rel, [a, b])
        }
        2..=4 => {
            let b = relation(p, rng, depth - 1, wild);
            p.seq([a, b])
        }
        5 => p.plus(a),
        6 => p.inverse(a),
        7 => {
            let set = p.base(["R", "W", "F"][rng.below(3) as usize], Sort::Set);
            let set = p.id_on(set);
            if rng.below(2) == 0 { p.seq([set, a]) } else { p.seq([a, set]) }
        }
        _ => {
            let b = if wild { relation(p, rng, depth - 1, wild) } else { p.base("loc", Sort::Rel) };
            p.diff(a, b)
        }
    }
}

/// Coherence and atomicity, perhaps no cycles of program order and reads-from, and a random check.
fn random_model(rng: &mut Rng, acyclic: bool, wild: bool) -> Model {
    let mut m = ordered(Order::Coherent);
    if acyclic {
        let [po, rf] = ["po", "rf"].map(|n| m.pool.base(n, Sort::Rel));
        let both = m.pool.union(Sort::Rel, [po, rf]);
        require(&mut m, Predicate::Acyclic, both);
    }
    let condition = relation(&mut m.pool, rng, 3, wild);
    let predicate = [Predicate::Acyclic, Predicate::Irreflexive, Predicate::Empty][rng.below(3) as usize];
    require(&mut m, predicate, condition);
    m
}

fn enumerated(program: &Program, model: &Model) -> Option<BTreeSet<String>> {
    let mut found = BTreeSet::new();
    let all = enumerate(program, &Options::default(), 1 << 16, &mut |x| {
        let candidate = view::candidate(x.graph, &x.world.deps, program);
        if naive::judge(model, &candidate).violated.is_empty() {
            found.insert(signature(x));
        }
    });
    (all == Coverage::All).then_some(found)
}

/// How often something came up that the test is about.
#[derive(Default)]
struct Seen {
    stuck: AtomicU64,
    executions: AtomicU64,
}

impl Seen {
    /// Checks that the cases say something, unless they were chosen by hand.
    fn enough(&self, stuck: u64) {
        if std::env::var_os("HMC_RANDOM").is_none() {
            let [found, executions] = [&self.stuck, &self.executions].map(|n| n.load(Ordering::Relaxed));
            assert!(found > stuck, "too few models that do not let an execution go on: {found}");
            assert!(executions > 1000, "too few executions: {executions}");
        }
    }
}

fn compare(seed: u64, events: u64, prefix: PrefixKind, wild: bool, seen: &Seen) -> bool {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let model = random_model(&mut rng, prefix == PrefixKind::ProgramOrder, wild);
    let (program, program_text) = match rng.below(2) {
        0 => random_program(&mut rng, events, false),
        _ => random_straight(&mut rng, events, false),
    };
    let Some(expected) = enumerated(&program, &model) else { return true };
    let (found, statistics) = explored(&program, &model, &Options { prefix: Some(prefix), ..Options::default() });
    seen.stuck.fetch_add(u64::from(statistics.stuck), Ordering::Relaxed);
    seen.executions.fetch_add(expected.len() as u64, Ordering::Relaxed);
    let once = found.values().all(|&n| n == 1);
    if once && found.keys().eq(&expected) {
        return true;
    }
    let check = model.checks.last().expect("the random check");
    let names = |base| model.pool.bases()[BaseId::index(base)].name.clone();
    let condition = text::definitions(&model.pool, &[check.expr], &names).unwrap_or_default();
    println!("seed {seed} {prefix:?} {:?} {}\n{condition}\n{program_text}", check.predicate, text::name(check.expr));
    println!("{} expected, {} found, stuck: {}, each once: {once}", expected.len(), found.len(), statistics.stuck);
    expected.iter().filter(|s| !found.contains_key(*s)).take(1).for_each(|s| println!("lost:\n{s}"));
    false
}

#[test]
fn program_order_prefixes() {
    let seen = Seen::default();
    all_agree(3000, 7, |seed, events| compare(seed, events, PrefixKind::ProgramOrder, seed % 4 == 0, &seen));
    seen.enough(50);
}

/// Models that reject the store of an exclusive pair, which is tried before its failing.
#[test]
fn exclusive_stores_that_a_model_rejects() {
    let seen = Seen::default();
    for seed in [11_224, 15_840, 19_181, 24_076] {
        assert!(compare(seed, 8, PrefixKind::ProgramOrder, seed % 4 == 0, &seen), "seed {seed}");
    }
    assert_eq!(seen.stuck.into_inner(), 4);
}

#[test]
fn dependency_prefixes() {
    let seen = Seen::default();
    all_agree(1500, 7, |seed, events| compare(seed, events, PrefixKind::Dependencies, seed % 4 == 0, &seen));
    seen.enough(20);
}

/// An event that is added as the last of its thread and of its location meets no cycle of coherence: so exploration may prune by it wherever accesses of
/// different sizes meet. In the kernel's model what is read of a lock belongs to reads-from.
#[test]
fn coherence_lets_executions_go_on() {
    for name in ["tso", "pso", "rc11", "imm", "aarch64", "power", "riscv", "lkmm"] {
        let loaded = load(&LoadRequest::named(name), &Vocabulary::default()).expect("a bundled model");
        let plan = Plan::compile(&loaded.model, &|_| true, true);
        let is_coherence = |name: &Option<String>| {
            matches!(name.as_deref(), Some("coherence" | "internal" | "sc-per-location" | "uniproc"))
        };
        let checks = loaded.model.checks.iter().zip(plan.checks());
        let of_coherence: Vec<bool> =
            checks.filter(|(check, _)| is_coherence(&check.name)).map(|(_, info)| info.lets_go_on).collect();
        assert!(!of_coherence.is_empty() && of_coherence.iter().all(|&lets| lets), "{name}: {of_coherence:?}");
    }
}
