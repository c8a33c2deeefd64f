//! Every bundled model on random programs: exploration against enumeration. The programs are textual LLVM IR that goes the way of a C
//! program: read, lowered with the compilation mapping of the model's architecture, explored with the plan that the driver would take. The
//! enumerator builds all candidates, which the plain evaluator filters with the model as it was loaded. The two *sets* of executions
//! (events, reads-from, coherence, flags raised) are the same, and nothing comes twice.
//!
//! `HMC_RANDOM=FROM,CASES,EVENTS cargo test --test it random::bundled::NAME -- --nocapture` runs others.

use crate::support::ir::{Source, Words, random_creators, random_rings, random_source};
use crate::support::random::*;
use crate::support::{is_whole, unread, without_coherence};
use hmc::algebra::naive::Naive;
use hmc::algebra::{Check, Role};
use hmc::candidates::enumerate::{Coverage, enumerate, signature};
use hmc::candidates::straightline;
use hmc::candidates::traces;
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::{Models, Usable, adapt};
use hmc::explore::completeness::merge::show_others;
use hmc::explore::{Equivalence, Execution, Go, Options, Problem, Statistics, Visitor, explore};
use hmc::graph::view;
use hmc::llvm::{self, Mapping};
use hmc::program::{Entry, Program, Start};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

/// Programs with more candidates are left out.
const CANDIDATES: u64 = 1 << 12;
/// What running threads alone may take.
const BY_THREADS: u64 = 1 << 17;

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    /// Programs of which all candidates were enumerated.
    compared: u64,
    /// Their executions.
    executions: u64,
    /// Of the programs that were compared, those that go the way of programs whose events are known beforehand, too.
    fixed: u64,
    /// Those of which exploration says that executions that decide about themselves may be missing; whose code leaves room for such executions; and
    /// where some are.
    circular: u64,
    suspected: u64,
    missing: u64,
    /// Those whose threads were run alone.
    by_threads: u64,
    /// Those that exploration began anew, with the certain checks only.
    anew: u64,
    /// Those of which an execution was found again and passed over, or might have been.
    again: u64,
    /// Those that have fewer executions where the coherence of what no thread reads is not told apart.
    fewer: u64,
}

/// Models that share a mapping, each as the driver loads it.
struct Group {
    models: Vec<(&'static str, Arc<Usable>, Mutex<Counts>)>,
    mapping: Mapping,
    words: Words,
    left_out: AtomicU64,
}

impl Group {
    fn new(names: &[&'static str]) -> Group {
        let mut mappings = Vec::new();
        let mut words = Words::Standard;
        let load = |&name: &&'static str| {
            let models = Models::new(LoadRequest::named(name), Vec::new(), false);
            let Ok(usable) = models.get(None) else { panic!("{name} does not load") };
            assert!(!usable.loaded.dynamic, "{name} is judged execution by execution");
            let title = usable.model.arch.as_deref().unwrap_or(&usable.model.title);
            let annotations = usable.loaded.bell.iter().flat_map(|b| b.annotations()).collect::<BTreeSet<_>>();
            mappings.push(Mapping::for_model(Some(title), |a| annotations.contains(a)));
            if usable.macros.iter().next().is_some() {
                words = Words::Kernel;
            }
            drop(annotations);
            (name, usable, Mutex::default())
        };
        let models = names.iter().map(load).collect();
        let Some(mapping) = mappings.pop() else { panic!("no model") };
        assert!(mappings.iter().all(|other| *other == mapping), "{names:?} have different mappings");
        Group { models, mapping, words, left_out: AtomicU64::default() }
    }

    /// The program. Of four, one creates its threads in `main`; those of the others start together, which makes fewer events.
    fn program(&self, source: &Source, seed: u64) -> Program {
        let mut program = match llvm::compile_ir(&source.ir, "random.ll", &self.mapping) {
            Ok(program) => program,
            Err(errors) => panic!("seed {seed}: {}\n{}", errors[0], source.ir),
        };
        if !seed.is_multiple_of(4) && !source.works {
            let entries = (0..source.threads).filter_map(|t| {
                let name = format!("P{t}");
                let function = program.functions.iter().position(|f| f.name == name)?;
                Some(Entry { function: hmc::ids::FuncId::at(function), args: vec![0], name, tags: Default::default() })
            });
            program.start = Start::Together(entries.collect());
        }
        self.models.iter().for_each(|(_, usable, _)| adapt(&mut program, &usable.model));
        program
    }

    /// All executions of each model, unless there are too many candidates.
    fn enumerated(&self, program: &Program) -> Option<Vec<BTreeSet<String>>> {
        let mut found = vec![BTreeSet::new(); self.models.len()];
        let all = enumerate(program, &Options::default(), CANDIDATES, &mut |x| {
            let candidate = view::candidate(x.graph, &x.world.deps, program);
            for ((_, usable, _), found) in self.models.iter().zip(&mut found) {
                let mut naive = Naive::new(&usable.model.pool, &candidate);
                let mut required = usable.model.checks.iter().filter(|c| c.role.rejects());
                if required.all(|check| naive.holds(check) == Some(true)) {
                    let fires = |check: &Check| match (check.role, naive.holds(check)) {
                        (Role::Flag, holds) => holds == Some(true),
                        (Role::Undefined | Role::Assert, holds) => holds == Some(false),
                        (Role::Settle, holds) => holds.is_none(),
                        (Role::Require | Role::When, _) => false,
                    };
                    let checks = usable.model.checks.iter().map(fires).enumerate();
                    let flags = checks.filter(|(_, fires)| *fires).map(|(number, _)| number).collect();
                    found.insert(with_flags(signature(x), flags));
                }
            }
        });
        (all == Coverage::All).then_some(found)
    }

    fn compare(&self, seed: u64, events: u64) -> bool {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        self.compare_source(seed, &random_source(&mut rng, events, self.words))
    }

    fn compare_source(&self, seed: u64, source: &Source) -> bool {
        let program = self.program(source, seed);
        let Some(expected) = self.enumerated(&program) else {
            self.left_out.fetch_add(1, Ordering::Relaxed);
            return true;
        };
        let mut same = true;
        for ((name, usable, counts), expected) in self.models.iter().zip(&expected) {
            let problems = compare(usable, &program, expected, counts);
            if !problems.is_empty() {
                println!("seed {seed} under {name}\n{}\n{problems}", source.text);
                same = false;
            }
        }
        same
    }
}

/// An execution with the flags that it raises, as text.
fn with_flags(signature: String, mut flags: Vec<usize>) -> String {
    flags.sort_unstable();
    format!("{signature}\nflags {flags:?}")
}

/// The executions that are found, with their flags, and how often each.
#[derive(Default)]
struct Seen(BTreeMap<String, usize>);

impl Visitor for Seen {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        if is_whole(execution) {
            *self.0.entry(with_flags(signature(execution), execution.flags.to_vec())).or_default() += 1;
        }
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

/// As the driver explores a program.
fn explored(usable: &Usable, program: &Program, options: &Options) -> (BTreeMap<String, usize>, Statistics) {
    let explored = |plan| {
        let mut collect = Seen::default();
        let statistics = explore(program, &plan, options, &mut collect);
        (collect.0, statistics)
    };
    let Usable { plans, model, .. } = usable;
    let (found, statistics) = explored(plans.get(model, program, &options.equivalence));
    if statistics.stuck {
        let (found, again) = explored(plans.get_certain(model, program, &options.equivalence));
        return (found, Statistics { stuck: true, ..again });
    }
    (found, statistics)
}

/// What is found by threads that run alone, if that comes to an end.
fn by_threads(usable: &Usable, program: &Program) -> Option<BTreeMap<String, usize>> {
    let mut collect = Seen::default();
    let all = traces::consistent_within(program, &usable.model, &Options::default(), BY_THREADS, &mut collect)?;
    (!all.stopped && all.cut == 0).then_some(collect.0)
}

/// What exploration has found, and what is shown besides that of what is found by threads that run alone, if that comes to an end.
fn with_others(usable: &Usable, program: &Program, found: &BTreeMap<String, usize>) -> Option<BTreeMap<String, usize>> {
    let (options, mut collect) = (Options::default(), Seen::default());
    let plan = usable.plans.get(&usable.model, program, &options.equivalence);
    let by_threads =
        |shown: &mut dyn Visitor| traces::consistent_within(program, &usable.model, &options, BY_THREADS, shown);
    let (all, others) = show_others(program, &plan, &options, &mut collect, by_threads)?;
    let all = all.filter(|all| !all.stopped && all.cut == 0)?;
    assert!(collect.0.values().sum::<usize>() as u64 <= others.counted.graphs && others.counted.graphs <= all.graphs);
    found.iter().for_each(|(signature, n)| *collect.0.entry(signature.clone()).or_default() += n);
    Some(collect.0)
}

/// The same, and what is expected then, where the coherence of locations that no thread reads is not told apart; if there are such locations, and flags do not
/// depend on coherence.
fn explored_where_read(
    usable: &Usable,
    program: &Program,
    expected: &BTreeSet<String>,
) -> Option<(BTreeMap<String, usize>, BTreeSet<String>)> {
    let unread = unread(program);
    let plan = usable.plans.get(&usable.model, program, &Equivalence::default());
    if unread.is_empty() || plan.reported().iter().any(|base| base.name == "co") {
        return None;
    }
    let equivalence = Equivalence::WhereRead(unread.clone().into());
    // What `main` looks at in the end is read.
    let looks = matches!(program.start, Start::Together(_));
    let observed = (!looks).then(|| Arc::from([]));
    let (found, statistics) = explored(usable, program, &Options { equivalence, observed, ..Options::default() });
    if statistics.misjudged || statistics.circular || statistics.suspected {
        return None;
    }
    let projected = |signature: &String| without_coherence(signature, &|address| unread.contains(&address), looks);
    let mut classes: BTreeMap<String, usize> = BTreeMap::new();
    found.iter().for_each(|(signature, n)| *classes.entry(projected(signature)).or_default() += n);
    let all: Vec<String> = expected.iter().map(projected).collect();
    // Where the end of `main` looks at a location through a pointer, each write that may be the last is an execution of its own.
    for (class, n) in classes.iter_mut().filter(|_| !looks) {
        if *n <= all.iter().filter(|other| *other == class).count() {
            *n = 1;
        }
    }
    Some((classes, all.into_iter().collect()))
}

/// An execution with its events by number in their thread: an engine that takes loops without idle rounds apart sees the instructions at other places.
fn by_number(signature: &str) -> String {
    let mut names: Vec<(String, String)> = Vec::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for line in signature.lines() {
        let mut words = line.split(' ');
        if let (Some(thread), Some(name)) = (words.next(), words.next())
            && name.starts_with(&format!("{thread}:"))
        {
            let count = counts.entry(thread.to_owned()).or_default();
            *count += 1;
            names.push((name.to_owned(), format!("{thread}#{count}")));
        }
    }
    let renamed =
        |word: &str| names.iter().find(|(name, _)| name == word).map_or(word.to_owned(), |(_, new)| new.clone());
    let lines = signature.lines().map(|line| line.split(' ').map(renamed).collect::<Vec<_>>().join(" "));
    lines.collect::<Vec<_>>().join("\n")
}

/// The same for a program whose events are known beforehand.
fn searched(usable: &Usable, program: &Program) -> Option<BTreeMap<String, usize>> {
    let options = Options::default();
    let shape = straightline::shape(program, &options)?;
    let mut collect = Seen::default();
    let plan = usable.plans.get_complete(&usable.model, program);
    straightline::explore(program, &shape, &plan, &options, &mut collect)?;
    Some(collect.0)
}

/// What is wrong with the executions that are found, as text.
fn compare(usable: &Usable, program: &Program, expected: &BTreeSet<String>, counts: &Mutex<Counts>) -> String {
    let (found, statistics) = explored(usable, program, &Options::default());
    let where_read = explored_where_read(usable, program, expected);
    let fixed = searched(usable, program);
    let by_threads = by_threads(usable, program);
    let with_others = (!statistics.stuck).then(|| with_others(usable, program, &found)).flatten();
    let complete = found.keys().eq(expected);
    let mut counts = counts.lock().expect("no test panics with it");
    counts.compared += 1;
    counts.executions += expected.len() as u64;
    counts.fixed += u64::from(fixed.is_some());
    counts.by_threads += u64::from(by_threads.is_some());
    let may_miss = statistics.circular || statistics.suspected;
    counts.circular += u64::from(statistics.circular);
    counts.suspected += u64::from(statistics.suspected);
    counts.missing += u64::from(may_miss && !complete);
    counts.anew += u64::from(statistics.stuck);
    counts.again += u64::from(statistics.twofold);
    counts.fewer += u64::from(where_read.as_ref().is_some_and(|(_, classes)| classes.len() < expected.len()));
    drop(counts);
    let mut problems = String::new();
    let where_read = where_read.as_ref().map(|(found, expected)| (found, expected));
    let numbered: BTreeSet<String> = expected.iter().map(|signature| by_number(signature)).collect();
    let fixed = fixed.map(|found| {
        let mut renamed: BTreeMap<String, usize> = BTreeMap::new();
        found.iter().for_each(|(signature, n)| *renamed.entry(by_number(signature)).or_default() += n);
        renamed
    });
    let found = [
        ("explored", Some((&found, expected)), may_miss),
        ("searched", fixed.as_ref().map(|found| (found, &numbered)), false),
        ("explored where read", where_read, false),
        ("found by threads alone", by_threads.as_ref().map(|found| (found, expected)), false),
        ("explored or shown besides", with_others.as_ref().map(|found| (found, expected)), false),
    ];
    for (how, found, may_miss) in found {
        let Some((found, expected)) = found else { continue };
        let twice: Vec<_> = found.iter().filter(|(_, n)| **n > 1).map(|(s, _)| s).collect();
        let lost: Vec<_> = expected.iter().filter(|s| !may_miss && !found.contains_key(*s)).collect();
        let wrong: Vec<_> = found.keys().filter(|s| !expected.contains(*s)).collect();
        for (what, all) in [("twice", twice), ("lost", lost), ("wrong", wrong)] {
            if let Some(one) = all.first() {
                problems += &format!("{how}: of {} executions {} {what}:\n{one}\n", expected.len(), all.len());
            }
        }
    }
    problems
}

/// Says what was compared, also when something failed.
impl Drop for Group {
    fn drop(&mut self) {
        println!("{} programs have too many candidates", self.left_out.load(Ordering::Relaxed));
        self.models
            .iter()
            .filter_map(|(name, _, counts)| Some((name, counts.lock().ok()?)))
            .for_each(|(name, counts)| println!("{name}: {:?}", *counts));
    }
}

fn agree(names: &[&'static str], cases: u64) {
    let group = Group::new(names);
    all_agree(cases, 6, |seed, events| group.compare(seed, events));
    // Threads that both can read from what comes later in the other, in several ways: what one pair of accesses may not do another one may, where
    // a fence, a dependency or an order is missing.
    all_agree(cases / 2, 6, |seed, _| {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        group.compare_source(seed, &random_rings(&mut rng, group.words))
    });
    // What is before the creation of a thread, and what is behind its end.
    all_agree(cases / 2, 6, |seed, _| {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        group.compare_source(seed, &random_creators(&mut rng, group.words))
    });
    for (name, _, counts) in &group.models {
        let counts = counts.lock().expect("no test panics with it");
        assert!(counts.by_threads * 2 > counts.compared, "{name}: few are found by threads alone: {counts:?}");
        assert!(counts.again * 200 <= counts.compared, "{name}: found again: {counts:?}");
        assert!(counts.compared < 200 || counts.fewer > 0, "{name}: no writes that no thread reads: {counts:?}");
    }
}

macro_rules! models {
    ($($test:ident $names:expr, $cases:literal)*) => {
        $(#[test]
        fn $test() {
            agree(&$names, $cases);
        })*

        const MODELS: &[&[&str]] = &[$(&$names),*];
    };
}

models! {
    models_of_c11 ["sc", "ra", "c11", "rc11", "rc20"], 200
    models_with_buffers ["tso", "pso"], 200
    imm ["imm"], 200
    x86 ["x86tso", "x86tso-mixed", "px86"], 200
    aarch64 ["aarch64", "parmv8"], 200
    arm ["arm", "armv7"], 200
    mips ["mips"], 200
    power ["power", "ppc"], 200
    riscv ["riscv"], 200
    lkmm ["lkmm"], 200
}

/// Where what a compare-and-swap compares with is a dependency.
#[test]
fn imm_with_comparisons_of_what_was_read() {
    let mut group = Group::new(&["imm"]);
    group.words = Words::Comparing;
    all_agree(500, 6, |seed, events| group.compare(seed, events));
    all_agree(250, 6, |seed, _| {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        group.compare_source(seed, &random_rings(&mut rng, group.words))
    });
}

/// A read-modify-write behind which nothing is kept writes when all holes are filled: it may revisit a read, and a revisit is made from a
/// graph without holes (`y = 1; xchg(y, 2)` reads what another thread writes after something else, and is read by a third one).
#[test]
fn holes_are_filled_before_the_last_read_modify_write_of_a_thread_ends() {
    assert!(Group::new(&["c11"]).compare(8280, 6));
    assert!(Group::new(&["lkmm"]).compare(25693, 6));
}

/// A write happens only in executions in which it takes part in deciding that: behind a loop that waits for it (12985), or because what is computed from it
/// decides what another thread writes, through no dependency (16278).
#[test]
fn executions_whose_writes_happen_in_no_other_are_noticed() {
    for seed in [12985, 16278] {
        assert!(Group::new(&["lkmm"]).compare(seed, 6), "seed {seed}");
    }
}

/// Exploration meets the two locations in another order than the enumerator does: an initial write once was named by the number of its location.
#[test]
fn executions_have_one_name_however_they_are_found() {
    for (model, seed) in [("aarch64", 91_000_566_u64), ("arm", 91_000_170)] {
        let group = Group::new(&[model]);
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        assert!(group.compare_source(seed, &random_creators(&mut rng, group.words)), "seed {seed}");
    }
}

/// What is suspected because of the code alone is found by running threads alone, and a note says so.
#[test]
fn a_note_says_that_executions_were_found_whose_writes_happen_in_no_other() {
    for seed in [12985_u64, 16278] {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let source = random_source(&mut rng, 6, Words::Kernel);
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("decides-{seed}.ll"));
        // A compare-and-swap that acquires when it fails would order what makes the circle.
        let ir = source.ir.replace("release acquire", "release monotonic");
        assert!(std::fs::write(&file, ir).is_ok());
        let output = Command::new(env!("CARGO_BIN_EXE_hmc"))
            .env("COLUMNS", "1000")
            .args(["--cat", "lkmm", "--dependencies", "syntactic", "--keep-going"])
            .arg(&file)
            .output();
        let said = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
        assert!(said.contains("found by running each thread alone"), "seed {seed}: {said}");
    }
}

#[test]
fn no_bundled_model_is_forgotten() {
    for name in hmc::cat::library::embedded_names() {
        let Some(name) = name.strip_suffix(".cat") else { continue };
        let loaded = hmc::cat::load(&LoadRequest::named(name), &hmc::cat::Vocabulary::default());
        let is_model = loaded.is_ok_and(|loaded| !loaded.model.title.starts_with("Library:"));
        // SCC chooses orders and PTX has scopes: `tests/synthesis` is about them.
        let is_elsewhere = ["scc", "ptx"].contains(&name);
        assert!(!is_model || is_elsewhere || MODELS.concat().contains(&name), "{name} has no test here");
    }
}
