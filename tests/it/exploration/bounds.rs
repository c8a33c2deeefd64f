//! Bounds on interleavings: what is measured, against every interleaving of each execution; bounded exploration, against all executions with a bound each. `HMC_RANDOM=FROM,CASES,EVENTS` runs other programs.

use crate::support::clang_is_there;
use crate::support::left_out::left_out;
use crate::support::programs::{random_program, random_waits};
use crate::support::random::{Rng, all_agree, plan_of};
use crate::support::sections::{self, Row};
use crate::support::{Order, ordered};
use hmc::candidates::enumerate::signature;
use hmc::explore::bounds::measured::measured;
use hmc::explore::bounds::{Bound, Measure};
use hmc::explore::{Execution, Go, Options, Problem, Visitor, explore};
use hmc::graph::Graph;
use hmc::graph::event::{INIT_THREAD, Kind};
use hmc::graph::prefix::PrefixKind;
use hmc::ids::EventId;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

/// More than any execution here has.
const MUCH: u32 = 64;

/// Executions with what is measured of them, each as often as it is found.
struct Measured {
    bound: Bound,
    naively: bool,
    found: BTreeMap<String, (Option<u32>, usize)>,
    /// Measures that every interleaving contradicts.
    wrong: Vec<String>,
}

impl Measured {
    fn new(bound: Bound, naively: bool) -> Measured {
        Measured { bound, naively, found: BTreeMap::new(), wrong: Vec::new() }
    }
}

impl Visitor for Measured {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let name = signature(execution);
        let measured = measured(self.bound, execution);
        if self.naively {
            let naive = naive(execution.graph, self.bound.measure).filter(|&n| n <= self.bound.most);
            if naive != measured {
                self.wrong.push(format!("{naive:?}, not {measured:?}:\n{name}"));
            }
        }
        if let Some(measured) = measured {
            self.found.entry(name).or_insert((Some(measured), 0)).1 += 1;
        }
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

/// The least number over all interleavings, tried one after another. Each pair of events that is ordered is looked at by itself.
fn naive(graph: &Graph, measure: Measure) -> Option<u32> {
    let least = |with_memory| {
        let mut best = None;
        let done = vec![0; graph.lanes().len()];
        each_interleaving(graph, measure, with_memory, done, None, 0, &mut best);
        best
    };
    least(true).or_else(|| least(false))
}

fn each_interleaving(
    graph: &Graph,
    measure: Measure,
    with_memory: bool,
    done: Vec<usize>,
    last: Option<usize>,
    cost: u32,
    best: &mut Option<u32>,
) {
    if best.is_some_and(|best| best <= cost) {
        return;
    }
    let lanes = graph.lanes();
    if lanes.iter().zip(&done).all(|(lane, &done)| lane.order.len() == done) {
        *best = Some(cost);
        return;
    }
    for t in 0..lanes.len() {
        let Some(&next) = lanes[t].order.get(done[t]) else { continue };
        let open = lanes.iter().zip(&done).flat_map(|(lane, &done)| &lane.order[done..]);
        if open.into_iter().any(|&e| e != next && precedes(graph, e, next, with_memory)) {
            continue;
        }
        let more = match (measure, last) {
            (_, None) => 0,
            (Measure::Preemptions, Some(u)) => u32::from(u != t && done[u] < lanes[u].order.len()),
            (Measure::Rounds, Some(u)) => u32::from(t < u),
        };
        let mut then = done.clone();
        then[t] += 1;
        each_interleaving(graph, measure, with_memory, then, Some(t), cost + more, best);
    }
}

/// Whether an event comes before another by what is read, and, with memory, by coherence and what is overwritten.
fn precedes(graph: &Graph, a: EventId, b: EventId, with_memory: bool) -> bool {
    let (x, y) = (graph.event(a), graph.event(b));
    if x.thread == y.thread {
        let at = |e| graph.lane(x.thread).order.iter().position(|&other| other == e);
        return at(a) < at(b);
    }
    if y.kind == Kind::Read && y.rf == a {
        return true;
    }
    if !with_memory || x.loc != y.loc || y.kind != Kind::Write {
        return false;
    }
    let place = |e: EventId| if graph.event(e).thread == INIT_THREAD { 0 } else { graph.co_index(e) };
    match x.kind {
        Kind::Write => place(a) < place(b),
        Kind::Read => place(x.rf) < place(b),
        _ => false,
    }
}

/// How many graphs were left.
static LEFT: AtomicU64 = AtomicU64::new(0);

fn agree(seed: u64, events: u64, order: Order, prefix: PrefixKind) -> bool {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (program, text) = match seed % 3 {
        0 => random_waits(&mut rng, events),
        _ => random_program(&mut rng, events, false),
    };
    let model = ordered(order);
    let mut same = true;
    for measure in [Measure::Preemptions, Measure::Rounds] {
        let run = |most: u32, naively: bool| {
            let bound = Bound { measure, most };
            let pruned = Some(bound).filter(|_| !naively);
            let options = Options { prefix: Some(prefix), bound: pruned, ..Options::default() };
            let mut seen = Measured::new(bound, naively);
            let statistics = explore(&program, &plan_of(&program, &model, &options), &options, &mut seen);
            LEFT.fetch_add(statistics.out_of_bounds, Ordering::Relaxed);
            seen
        };
        let all = run(MUCH, true);
        if !all.wrong.is_empty() {
            println!("seed {seed} {order:?} {measure:?}\n{text}{}", all.wrong[0]);
            same = false;
        }
        let most = all.found.values().filter_map(|(n, _)| *n).max().unwrap_or(0);
        for bound in 0..=most {
            let expected: BTreeMap<_, _> = all.found.iter().filter(|(_, (n, _))| *n <= Some(bound)).collect();
            let found = run(bound, false).found;
            if !found.iter().eq(expected.iter().map(|(name, n)| (*name, *n))) {
                let lost = expected.keys().find(|name| !found.contains_key(**name));
                println!("seed {seed} {order:?} {measure:?} {bound}\n{text}{} of {}", found.len(), expected.len());
                println!("lost: {lost:?}");
                same = false;
            }
        }
    }
    same
}

#[test]
fn executions_within_a_bound_are_found_once_under_sc() {
    all_agree(600, 8, |seed, events| agree(seed, events, Order::Sc, PrefixKind::ProgramOrder));
    assert!(LEFT.load(Ordering::Relaxed) > 100, "graphs are left: {LEFT:?}");
}

#[test]
fn executions_within_a_bound_are_found_once_under_weaker_models() {
    all_agree(300, 8, |seed, events| {
        agree(seed, events, Order::Tso, PrefixKind::ProgramOrder)
            && agree(seed, events, Order::Coherent, PrefixKind::Dependencies)
            && agree(seed, events, Order::Dependent, PrefixKind::Dependencies)
    });
}

/// The counts of a bounded run, a list a file.
fn at_most(model: &str, bound: &str, files: &[PathBuf]) -> Vec<Vec<u64>> {
    let mut hmc = Command::new(env!("CARGO_BIN_EXE_hmc"));
    hmc.args(["--cat", model, "--no-race", "--format", "json", "--bound", bound]).args(files);
    let output = hmc.output().expect("hmc can be started");
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"));
    let results = report["results"].as_array().expect("results");
    results
        .iter()
        .map(|result| {
            assert_eq!(result["verdict"], "bounded", "{result}");
            let counts = result["bounded"]["at_most"].as_array().expect("counts");
            counts.iter().map(|n| n.as_u64().expect("a number")).collect()
        })
        .collect()
}

/// The rows about bounds, with the programs of GenMC's repository: `HMC_GENMC_TESTS` names its folder `tests`.
#[test]
fn counts_are_those_of_the_table() {
    let (Some(rows), true) = (sections::rows("bound"), clang_is_there()) else { return };
    let Some(tests) = std::env::var_os("HMC_GENMC_TESTS").map(PathBuf::from) else {
        left_out("HMC_GENMC_TESTS is not set: the rows about bounds are not checked");
        return;
    };
    for Row { name, note, .. } in rows {
        let folder = tests.join("correct").join(&name).join("variants");
        let files = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        // The order in which threads are created counts where rounds do: that of the first variant is the one of the table.
        let file = files.map(|entry| entry.expect("an entry").path()).min().expect("a variant");
        for (part, what) in note.split(';').zip(["context", "round"]) {
            let (_, counts) = part.split_once(':').expect("counts");
            let wanted: Vec<u64> = counts.split_whitespace().map(|n| n.parse().expect("a number")).collect();
            for most in [wanted.len() - 1, wanted.len() / 2] {
                let found = at_most("sc", &format!("{what}={most}"), std::slice::from_ref(&file));
                let wanted: Vec<u64> = (0..=most).map(|n| wanted[n.min(wanted.len() - 1)]).collect();
                assert_eq!(found[0], wanted, "{name} {what}={most}");
            }
        }
    }
}

/// Programs with locks: what a bound leaves is what plain exploration has within it.
#[test]
fn locks_are_waited_at_and_nothing_is_lost() {
    if !clang_is_there() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bounds-of-sections");
    let files = sections::random_files(&folder, 40);
    for model in ["sc", "rc11"] {
        for what in ["context", "round"] {
            let all = at_most(model, &format!("{what}={MUCH}"), &files);
            for most in 0..3 {
                let within = at_most(model, &format!("{what}={most}"), &files);
                for ((file, all), within) in files.iter().zip(&all).zip(within) {
                    assert_eq!(within, all[..=most], "{model} {what}={most} {}", file.display());
                }
            }
        }
    }
}

#[test]
fn a_thread_that_waits_for_a_lock_is_not_preempted() {
    if !clang_is_there() {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bounds-known");
    // Two threads, one lock, in both orders; two sections each, of which two orders switch where a thread stands before a lock that is free.
    let known =
        [("L0 Wx U0 | L0 Wx U0", vec![2, 2, 2, 2]), ("L0 Wx U0 L0 Wx U0 | L0 Wx U0 L0 Wx U0", vec![2, 4, 6, 6])];
    for (n, (text, counts)) in known.into_iter().enumerate() {
        let file = sections::write(&folder, &format!("known{n}"), text);
        assert_eq!(at_most("sc", "context=3", &[file]), [counts], "{text}");
    }
}
