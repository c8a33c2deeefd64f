//! Staging means what the language says: on random executions, every definition and check of every model has the same value
//! staged (by the plain evaluator of the algebra) and unstaged (by the reference evaluator).

use hmc::algebra::Role;
use hmc::algebra::naive::{Naive, Value};
use hmc::cat::reference::{Options, run};
use hmc::cat::{LoadRequest, Loaded, Vocabulary, load};
use hmc::kernel::candidate::{Candidate, EventSet, Relation};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A source of numbers from a list of them.
struct Dice<'d>(&'d [u32], usize);

impl Dice<'_> {
    fn roll(&mut self, sides: usize) -> usize {
        self.1 += 1;
        self.0[self.1 % self.0.len()] as usize % sides.max(1)
    }
}

/// A random execution: well formed as to threads, locations, reads-from and coherence; tags and dependencies at random.
fn execution(dice: &mut Dice<'_>, vocabulary: &Vocabulary, locks: bool) -> Candidate {
    let (locations, threads) = (1 + dice.roll(2) as u32, 2 + dice.roll(2) as u32);
    let length = locations + 3 + dice.roll(5) as u32;
    let mut c = Candidate { universe: (0..length).collect(), ..Candidate::default() };
    // (thread, location, kind): initial writes are threads of their own, fences have no location.
    let events: Vec<(u32, Option<u32>, &str)> = (0..length)
        .map(|e| {
            if e < locations {
                return (threads + e, Some(e), "W");
            }
            let kind = ["R", "W", "R", "W", "F", "LKR", "LKW", "UL", "LF", "RU"][dice.roll(if locks { 10 } else { 5 })];
            (dice.roll(threads as usize) as u32, (kind != "F").then(|| dice.roll(locations as usize) as u32), kind)
        })
        .collect();
    let of = |e: u32| events[e as usize];
    let kind = |k: &str| (0..length).filter(|e| of(*e).2 == k).collect::<EventSet>();
    for name in ["R", "W", "F", "LKR", "LKW", "UL", "LF", "RU"] {
        c.sets.insert(name.into(), kind(name));
    }
    c.sets.insert("M".into(), &kind("R") | &kind("W"));
    c.sets.insert("IW".into(), (0..locations).collect());
    let all: Vec<(u32, u32)> = (0..length).flat_map(|a| (0..length).map(move |b| (a, b))).collect();
    let rel = |keep: &dyn Fn(u32, u32) -> bool| all.iter().copied().filter(|(a, b)| keep(*a, *b)).collect::<Relation>();
    c.locations = (0..length).filter_map(|e| Some((e, of(e).1?))).collect();
    c.relations.insert("po".into(), rel(&|a, b| a < b && of(a).0 == of(b).0));
    c.relations.insert("int".into(), rel(&|a, b| of(a).0 == of(b).0 && of(a).0 < threads));
    c.relations.insert("ext".into(), rel(&|a, b| of(a).0 != of(b).0 && (of(a).0 < threads || of(b).0 < threads)));
    c.relations.insert("loc".into(), rel(&|a, b| of(a).1.is_some() && of(a).1 == of(b).1));
    // Coherence: a random order of the writes of each location, the initial one first.
    let writes = |l: u32| (0..length).filter(move |e| of(*e).1 == Some(l) && ["W", "LKW", "UL"].contains(&of(*e).2));
    let (mut co, mut last) = (Relation::new(), EventSet::new());
    for l in 0..locations {
        let mut order: Vec<u32> = vec![l];
        for w in writes(l).filter(|w| *w >= locations) {
            order.insert(1 + dice.roll(order.len()), w);
        }
        for (i, a) in order.iter().enumerate() {
            co.extend(order[i + 1..].iter().map(|b| (*a, *b)));
        }
        last.extend(order.last());
    }
    c.relations.insert("co".into(), co);
    c.sets.insert("FW".into(), &last & &kind("W"));
    for (name, kinds) in [("rf", &["R"][..]), ("rf-lock", &["LKR", "LF", "RU"][..])] {
        let edges = (0..length).filter(|e| kinds.contains(&of(*e).2)).filter_map(|e| {
            let sources: Vec<u32> = writes(of(e).1?).collect();
            Some((sources[dice.roll(sources.len())], e))
        });
        c.relations.insert(name.into(), edges.collect());
    }
    let po: Vec<(u32, u32)> = c.relations["po"].iter().copied().collect();
    for name in ["addr", "data", "ctrl", "amo", "lxsx", "thread-sync"] {
        let edges = po.iter().copied().filter(|_| dice.roll(4) == 0).collect();
        c.relations.insert(name.into(), edges);
    }
    c.relations.insert("si".into(), rel(&|a, b| a == b && of(a).1.is_some()));
    c.values = (0..length).map(|e| (e, dice.roll(3) as u64)).collect();
    for (name, sort) in vocabulary.names() {
        if sort == hmc::algebra::Sort::Set && !c.sets.contains_key(name) {
            let events = c.universe.iter().copied().filter(|_| dice.roll(3) == 0).collect();
            c.sets.insert(name.into(), events);
        }
    }
    c
}

/// Compares all definitions and checks of a model on an execution.
fn agree(loaded: &Loaded, candidate: &Candidate) -> Result<(), String> {
    let options = Options { through: true, definitions: true, ..Options::default() };
    let branches = run(loaded, candidate, &options).map_err(|e| e.message)?;
    let [branch] = &branches[..] else { return Err(format!("{} branches", branches.len())) };
    let mut naive = Naive::new(&loaded.model.pool, candidate);
    let mut failed: BTreeSet<(u32, usize)> = BTreeSet::new();
    let mut flags: BTreeSet<String> = BTreeSet::new();
    for check in &loaded.model.checks {
        let holds = naive.holds(check).unwrap_or(false);
        match check.role {
            Role::Require if !holds => {
                failed.insert((check.place.0, check.place.1.start));
            }
            Role::Flag if holds => flags.extend(check.name.clone()),
            _ => {}
        }
    }
    let expected: BTreeSet<(u32, usize)> = branch.failed.iter().map(|f| (f.span.file, f.span.range().start)).collect();
    // A choice that has nothing to choose, and a recursion whose test fails, end the run at once: what follows has no value.
    if !branch.complete {
        return expected.is_subset(&failed).then_some(()).ok_or(format!("{expected:?} not in {failed:?}"));
    }
    if expected != failed {
        return Err(format!("checks at {expected:?} fail, staged {failed:?}"));
    }
    if branch.flags != flags {
        return Err(format!("flags {:?}, staged {flags:?}", branch.flags));
    }
    for (name, expr) in &loaded.model.definitions {
        match naive.value(*expr) {
            Some(Value::Set(set)) => match branch.sets.get(name) {
                Some(expected) if *expected != set => return Err(format!("{name}: {expected:?}, staged {set:?}")),
                _ => {}
            },
            Some(Value::Rel(rel)) => match branch.relations.get(name) {
                Some(expected) if *expected != rel => return Err(format!("{name}: {expected:?}, staged {rel:?}")),
                _ => {}
            },
            None => return Err(format!("{name} has no value")),
        }
    }
    Ok(())
}

fn models() -> Vec<PathBuf> {
    let own = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cat")).to_owned();
    let published = Path::new("/work/shared/models");
    let directories = [own, published.join("linux-kernel"), published.join("dartagnan")];
    let files = directories.iter().filter_map(|d| std::fs::read_dir(d).ok()).flatten().flatten().map(|e| e.path());
    let mut files: Vec<PathBuf> = files.filter(|p| p.extension().is_some_and(|e| e == "cat")).collect();
    files.sort();
    files
}

#[test]
fn every_model_on_random_executions() {
    let mut checked = 0;
    for path in models() {
        // Fragments that do not load by themselves are covered by the models that include them.
        let Ok(loaded) = load(&LoadRequest::named(path.display().to_string()), &Vocabulary::default()) else {
            continue;
        };
        checked += 1;
        // Lock events only for models that know them.
        let library = |name: &str| name == "stdlib.cat";
        let locks = loaded.sources.files().iter().any(|f| !library(&f.name) && f.text.contains("LKW"));
        let mut runner = TestRunner::new(Config { cases: 40, failure_persistence: None, ..Config::default() });
        let dice = proptest::collection::vec(any::<u32>(), 64);
        let outcome = runner.run(&dice, |numbers| {
            let candidate = execution(&mut Dice(&numbers, 0), &loaded.vocabulary, locks);
            agree(&loaded, &candidate).map_err(|e| TestCaseError::fail(format!("{e}\non {candidate:?}")))
        });
        assert!(outcome.is_ok(), "{}: {}", path.display(), outcome.err().map(|e| e.to_string()).unwrap_or_default());
    }
    assert!(checked > 15, "{checked}");
}

/// A random expression of the wanted kind, as text.
fn expression(dice: &mut Dice<'_>, depth: usize, relation: bool, unknowns: &[&str]) -> String {
    let sub = |dice: &mut Dice<'_>, relation| expression(dice, depth.saturating_sub(1), relation, unknowns);
    if depth == 0 {
        if relation && !unknowns.is_empty() && dice.roll(2) == 0 {
            return unknowns[dice.roll(unknowns.len())].to_owned();
        }
        let relations = ["po", "rf", "co", "loc", "int", "ext", "id", "addr", "data", "fr", "0", "{}"];
        let sets = ["R", "W", "M", "F", "IW", "A", "_", "{}", "emptyset"];
        return if relation { relations[dice.roll(relations.len())] } else { sets[dice.roll(sets.len())] }.to_owned();
    }
    if !relation {
        return match dice.roll(8) {
            0 => format!("({} | {})", sub(dice, false), sub(dice, false)),
            1 => format!("({} & {})", sub(dice, false), sub(dice, false)),
            2 => format!("({} \\ {})", sub(dice, false), sub(dice, false)),
            3 => format!("(~{})", sub(dice, false)),
            4 => format!("domain({})", sub(dice, true)),
            5 => format!("range({})", sub(dice, true)),
            6 => format!("(let s = {} in s \\ ({}))", sub(dice, false), sub(dice, false)),
            _ => sub(dice, false),
        };
    }
    match dice.roll(18) {
        0 | 1 => format!("({} | {})", sub(dice, true), sub(dice, true)),
        2 => format!("({} & {})", sub(dice, true), sub(dice, true)),
        3 => format!("({} \\ {})", sub(dice, true), sub(dice, true)),
        4..=6 => format!("({} ; {})", sub(dice, true), sub(dice, true)),
        7 => format!("(~{})", sub(dice, true)),
        8 => format!("({}+)", sub(dice, true)),
        9 => format!("({}*)", sub(dice, true)),
        10 => format!("({}?)", sub(dice, true)),
        11 => format!("({}^-1)", sub(dice, true)),
        12 => format!("[{}]", sub(dice, false)),
        13 => format!("({} * {})", sub(dice, false), sub(dice, false)),
        14 => format!("different-values({})", sub(dice, true)),
        15 => format!("fencerel({})", sub(dice, false)),
        16 => format!("f({}, {})", sub(dice, true), sub(dice, true)),
        _ => format!("(if \"v\" then {} else {})", sub(dice, true), sub(dice, true)),
    }
}

/// A random model: definitions, a recursion that need not be monotone, checks.
fn model(dice: &mut Dice<'_>) -> String {
    let mut text = "include \"cos.cat\"\nlet f(x, y) = x \\ (y ; x)\n".to_owned();
    for i in 0..3 {
        text += &format!("let d{i} = {}\n", expression(dice, 4, true, &[]));
    }
    let unknowns = ["p", "q"];
    let monotone = dice.roll(2) == 0;
    let (p, q) = (expression(dice, 2, true, &unknowns), expression(dice, 2, true, &unknowns));
    if monotone {
        let keep = |e: String| {
            if e.contains('~') || e.contains('\\') || e.contains("f(") || e.contains("different") {
                "q".into()
            } else {
                e
            }
        };
        text += &format!("let rec p = po | {}\nand q = rf | {}\n", keep(p), keep(q));
    } else {
        // The loop of the language ends on every one of these: the left operand is fixed.
        text += &format!("let rec p = po \\ ({p})\nand q = q | (rf \\ ({q}))\n");
    }
    text += &format!("let e = {}\n", expression(dice, 3, true, &["d0", "d1", "d2", "p", "q"]));
    text + "acyclic d0 as a\nempty d1 as b\nirreflexive d2 as c\nflag ~empty e as d\nflag acyclic (p | q) as g\n"
}

#[test]
fn random_models_on_random_executions() {
    let cases = std::env::var("HMC_CASES").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
    let mut runner = TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let dice = proptest::collection::vec(any::<u32>(), 300);
    let outcome = runner.run(&dice, |numbers| {
        let mut dice = Dice(&numbers, 0);
        let text = model(&mut dice);
        let loaded = match load(&LoadRequest::text("random.cat", &text), &Vocabulary::default()) {
            Ok(loaded) => loaded,
            Err(errors) => return Err(TestCaseError::fail(format!("{text}\n{:?}", errors.diagnostics))),
        };
        for _ in 0..4 {
            let candidate = execution(&mut dice, &loaded.vocabulary, false);
            agree(&loaded, &candidate).map_err(|e| TestCaseError::fail(format!("{e}\n{text}\non {candidate:?}")))?;
        }
        Ok(())
    });
    assert!(outcome.is_ok(), "{}", outcome.err().map(|e| e.to_string()).unwrap_or_default());
}
