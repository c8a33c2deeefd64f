//! What proofs take for granted about executions, of executions of the reference corpus and of `tests/litmus`: facts about events, pairs and
//! ends of pairs, the paths that lie within a letter, and those that no execution has.

use crate::support::left_out::left_out;
use hmc::cat::{LoadRequest, Vocabulary, load};
use hmc::explore::{Execution, Go, Options, Problem, Visitor, explore, plan};
use hmc::graph::view;
use hmc::litmus;
use hmc::questions::paths::alphabet::Alphabet;
use hmc::questions::paths::cube::{Clauses, Cube, Formula};
use hmc::questions::paths::nfa::{Label, Nfa};
use hmc::relation::candidate::{Candidate, Relation};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Folders of tests, and their architecture.
const FOLDERS: [(&str, &str); 8] = [
    ("aarch64", "AArch64"),
    ("arm", "ARM"),
    ("c11", "C"),
    ("mips", "MIPS"),
    ("ppc", "PPC"),
    ("riscv", "RISCV"),
    ("x86", "X86"),
    ("x86_64", "X86_64"),
];

/// Sets and relations of which facts are known.
const SETS: [&str; 26] = [
    "R",
    "W",
    "M",
    "F",
    "IW",
    "Exp",
    "X",
    "EX",
    "RMW",
    "NoRet",
    "Q",
    "A",
    "L",
    "DMB",
    "DMB.SY",
    "DSB.SY",
    "ISB",
    "MFENCE",
    "SYNC",
    "LWSYNC",
    "ISYNC",
    "Fence.rw.rw",
    "ACQ",
    "REL",
    "SC",
    "RLX",
];
const RELATIONS: [&str; 19] = [
    "id",
    "loc",
    "int",
    "ext",
    "po",
    "rf",
    "co",
    "fr",
    "amo",
    "lxsx",
    "addr",
    "data",
    "ctrl",
    "casdep",
    "pick-addr",
    "pick-data",
    "pick-ctrl",
    "same-instance",
    "rf",
];

const FLUSHES: [&str; 4] = ["DC.CVAP", "ClFlush", "ClFlushOpt", "ClWb"];

/// Executions of a test, at most.
const EXECUTIONS: usize = 6;

struct Sample(Vec<Candidate>);

impl Visitor for Sample {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        self.0.push(view::candidate(execution.graph, &execution.world.deps, execution.world.program));
        if self.0.len() < EXECUTIONS { Go::On } else { Go::Stop }
    }

    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

/// An execution with the names of an alphabet: what each event and each pair has.
struct Known {
    events: Vec<u32>,
    of: Vec<Cube>,
    pairs: Vec<Vec<Cube>>,
}

impl Known {
    fn new(candidate: &Candidate, sets: &[(u8, &str)], relations: &[(u8, &str)], alphabet: &Alphabet) -> Known {
        let events: Vec<u32> = candidate.universe.iter().copied().collect();
        let of = |event: u32| {
            let has = |name: &str| candidate.set(name).contains(&event);
            sets.iter().fold(Cube::ANY, |all, (atom, name)| all.and(Cube::literal(*atom, has(name))))
        };
        let relation = |name: &str| -> Relation {
            match name {
                "id" => events.iter().map(|&e| (e, e)).collect(),
                "fr" => {
                    let (rf, co) = (candidate.relation("rf"), candidate.relation("co"));
                    let pairs =
                        rf.iter().flat_map(|(w, r)| co.iter().filter(move |(x, _)| x == w).map(move |(_, y)| (*r, *y)));
                    pairs.filter(|(r, y)| r != y).collect()
                }
                _ => candidate.relation(name),
            }
        };
        let mut pairs = vec![vec![Cube::ANY; events.len()]; events.len()];
        for (atom, name) in relations {
            let members = relation(name);
            let back = alphabet.inverse(Cube::literal(*atom, true)).literals().next().expect("a converse").0;
            for (i, &a) in events.iter().enumerate() {
                for (j, &b) in events.iter().enumerate() {
                    let there = Cube::literal(*atom, members.contains(&(a, b)));
                    pairs[i][j] = pairs[i][j].and(there).and(Cube::literal(back, members.contains(&(b, a))));
                }
            }
        }
        Known { of: events.iter().map(|&event| of(event)).collect(), events, pairs }
    }

    /// The pairs that the paths of an automaton lead over.
    fn paths(&self, nfa: &Nfa) -> BTreeSet<(usize, usize)> {
        let mut all = BTreeSet::new();
        for first in 0..self.events.len() {
            let mut work: Vec<(usize, u32)> = nfa.start.iter().map(|&s| (first, s)).collect();
            let mut seen: BTreeSet<(usize, u32)> = work.iter().copied().collect();
            while let Some((at, state)) = work.pop() {
                if nfa.accept[state as usize] {
                    all.insert((first, at));
                }
                for (label, to) in &nfa.edges[state as usize] {
                    let next: Vec<usize> = match label {
                        Label::Test(formula) => {
                            Some(at).filter(|&at| holds(formula, self.of[at])).into_iter().collect()
                        }
                        Label::Step(cube) => {
                            (0..self.events.len()).filter(|&b| self.pairs[at][b].implies(*cube)).collect()
                        }
                    };
                    work.extend(next.into_iter().map(|b| (b, *to)).filter(|state| seen.insert(*state)));
                }
            }
        }
        all
    }
}

fn holds(formula: &Formula, event: Cube) -> bool {
    formula.of(event).expect("every name is known")
}

fn clause_holds(clauses: &Clauses, cube: Cube) -> Option<String> {
    let fails = |clause: &&hmc::questions::paths::cube::Clause| {
        clause.some & cube.holds == 0 && clause.or_not & !cube.holds == 0
    };
    clauses.0.iter().find(fails).map(|clause| format!("{clause:?}"))
}

/// What an execution says otherwise.
fn wrong(known: &Known, alphabet: &Alphabet) -> Option<String> {
    for (i, &event) in known.of.iter().enumerate() {
        if let Some(clause) = clause_holds(&alphabet.events, event) {
            return Some(format!("event {i}: {clause}"));
        }
        for (j, &pair) in known.pairs[i].iter().enumerate() {
            if let Some(clause) = clause_holds(&alphabet.pairs, pair) {
                return Some(format!("pair {i} {j}: {clause}"));
            }
            let (source, target) = alphabet.ends_of(pair);
            if !event.implies(source) || !known.of[j].implies(target) {
                return Some(format!("the ends of {i} {j}: {source:?} {target:?}"));
            }
        }
    }
    for (&(atom, holds), paths) in &alphabet.within {
        let literal = Cube::literal(atom, holds);
        if let Some((a, b)) = known.paths(paths).into_iter().find(|(a, b)| !known.pairs[*a][*b].implies(literal)) {
            return Some(format!("{a} {b} is not within {} {holds}", alphabet.pair_name(atom)));
        }
    }
    for paths in &alphabet.loops {
        if let Some((a, b)) = known.paths(paths).into_iter().find(|(a, b)| a != b) {
            return Some(format!("{a} {b} is no loop"));
        }
    }
    for impossible in &alphabet.impossible {
        if known.paths(&impossible.path).into_iter().any(|(a, b)| a == b || !impossible.closed) {
            return Some(format!("an execution has {:?}", impossible.path));
        }
    }
    None
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut all: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "litmus")).collect();
    all.sort();
    all
}

#[test]
fn every_execution_is_as_proofs_take_it_for_granted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join("../shared/corpus").is_dir() {
        left_out("Questions (there is no ../shared/corpus): facts about executions, of the reference corpus");
    }
    for (folder, arch) in FOLDERS {
        let vocabulary = Vocabulary::new(Some(arch));
        let text = "include \"cos.cat\"\nacyclic po-loc | rf | co | fr";
        let coherent = load(&LoadRequest::text("coherence.cat", text), &vocabulary).expect("loads");
        let mut alphabet = Alphabet::new(Some(arch)).expect("few names");
        let sets: Vec<(u8, &str)> = SETS.iter().map(|name| (alphabet.event(name).expect("few"), *name)).collect();
        let relations: Vec<(u8, &str)> =
            RELATIONS.iter().map(|name| (alphabet.pair(name).expect("few"), *name)).collect();
        let of_models = alphabet.with_coherence();
        let (mut executions, mut apart) = (0, 0);
        for file in files(&root.join("tests/litmus").join(folder))
            .into_iter()
            .chain(files(&root.join("../shared/corpus").join(folder)))
        {
            let text = std::fs::read_to_string(&file).expect("a test");
            let Ok(test) = litmus::parse(&text, "test", &litmus::Options::default()) else { continue };
            let mut sample = Sample(Vec::new());
            explore(&test.program, &plan(&coherent.model, &test.program), &Options::default(), &mut sample);
            for candidate in &sample.0 {
                // Accesses of several locations or sizes are not asked about.
                if candidate.relation("si").iter().any(|(a, b)| a != b) {
                    apart += 1;
                    continue;
                }
                // Nor are flushes, which are of a location, too.
                if FLUSHES.iter().any(|name| !candidate.set(name).is_empty()) {
                    continue;
                }
                let same: BTreeSet<u32> = candidate.relation("si").into_iter().map(|(a, _)| a).collect();
                assert_eq!(same, candidate.set("M"), "{}", file.display());
                executions += 1;
                let known = Known::new(candidate, &sets, &relations, &alphabet);
                for alphabet in [&alphabet, &of_models] {
                    if let Some(wrong) = wrong(&known, alphabet) {
                        panic!("{}: {wrong}\n{candidate:?}", file.display());
                    }
                }
            }
        }
        assert!(executions > 5 && apart * 2 < executions, "{folder}: {executions} {apart}");
    }
}
