//! Random C programs that use what a library gives (locks, condition variables, barriers, memory that is allocated, threads that run the same function),
//! under models of C11 and of processors.
//!
//! What exploration says of each is compared with what others say:
//!
//! - a machine with buffers of writes that runs the program step by step (`support/machine.rs`): the last values, whether assertions can fail, and whether
//!   threads can wait for ever, under sc, tso and pso; and, of programs that have no accesses but the strongest, under all models;
//! - the enumerator, where it comes to an end soon: the set of executions, each once;
//! - exploration in which rounds of loops that change nothing are rounds like others, twice at most: the flags that are raised;
//! - exploration up to renaming, up to reads-from, with waits not delayed, with prefixes by dependencies, and by several threads.
//!
//! `HMC_RANDOM=FROM,CASES,EVENTS cargo test --test it random::c::NAME -- --nocapture` runs others.

use crate::support::c::{CProgram, HEADER, random_c};
use crate::support::machine::{Buffers, Outcomes};
use crate::support::random::{Rng, plan_of};
use crate::support::same_with_threads;
use hmc::candidates::enumerate::Runs;
use hmc::candidates::enumerate::{consistent_within, signature};
use hmc::candidates::traces;
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::{Models, Usable, adapt};
use hmc::explore::completeness::merge::show_each;
use hmc::explore::{Equivalence, Execution, Go, Options, Problem, Statistics, Visitor, explore};
use hmc::graph::prefix::PrefixKind;
use hmc::kernel::plan::Plan;
use hmc::llvm::{self, CompileRequest, Mapping};
use hmc::program::Program;
use hmc::program::fault::Fault;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Programs with more executions are left out, and those that take longer.
const EXECUTIONS: usize = 3000;
const TIME: Duration = Duration::from_secs(2);
/// What the machine is not asked about: programs with more states.
const STATES: usize = 60_000;
/// What the enumerator is not asked about: programs that take it more work.
const WORK: u64 = 1 << 17;
/// How many programs clang is given at once: most of its time goes into headers.
const BATCH: u64 = 64;

/// A program, and what clang made of it.
struct Case {
    seed: u64,
    source: CProgram,
    ir: String,
    /// Whether it has no accesses but the strongest.
    strong: bool,
}

impl Case {
    fn text(&self) -> String {
        self.source.text.replace("__K", "")
    }
}

fn cases(from: u64, cases: u64, events: u64, strong: bool) -> Vec<Case> {
    let random = |seed: u64| random_c(&mut Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1), events, strong);
    let sources: Vec<CProgram> = (from..from + cases).map(random).collect();
    let mut text = HEADER.to_owned();
    for (i, source) in sources.iter().enumerate() {
        text += &source.text.replace("__K", &format!("_k{i}_"));
    }
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("random.c");
    assert!(std::fs::write(&path, &text).is_ok());
    let irs = apart(&compiled(&path), sources.len());
    let all = (from..).zip(sources).zip(irs);
    all.map(|((seed, source), ir)| Case { seed, source, ir, strong }).collect()
}

fn compiled(path: &Path) -> String {
    let clang_args = ["-g0", "-w"].map(str::to_owned).to_vec();
    let request = CompileRequest { path: path.to_owned(), clang_args, ..CompileRequest::default() };
    llvm::clang::to_ir(&request, &request.path).unwrap_or_else(|errors| panic!("{}", errors[0])).ir
}

/// The programs of a module, each with the declarations that it needs.
fn apart(ir: &str, count: usize) -> Vec<String> {
    let mut parts = vec![String::new(); count];
    let mut common = String::new();
    let mut declarations = Vec::new();
    let mut inside: Option<usize> = None;
    let owner = |line: &str| -> Option<usize> {
        let name = line[line.find('@')? + 1..].split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        name.rsplit("_k").next()?.strip_suffix('_')?.parse().ok()
    };
    for line in ir.lines() {
        if line.starts_with("define") {
            inside = owner(line);
        }
        if line.starts_with("declare") {
            declarations.push(line);
        } else {
            let part = inside.or_else(|| line.starts_with('@').then(|| owner(line))?);
            let text = part.map_or(&mut common, |part| &mut parts[part]);
            *text += line;
            *text += "\n";
        }
        if line == "}" {
            inside = None;
        }
    }
    let with_declarations = |(i, part): (usize, String)| {
        let part = part.replace(&format!("_k{i}_"), "");
        let is_needed = |line: &&&str| {
            let name = line.split('@').nth(1).and_then(|rest| rest.split('(').next()).unwrap_or_default();
            part.contains(&format!("@{name}("))
        };
        let needed: String = declarations.iter().filter(is_needed).map(|line| format!("{line}\n")).collect();
        format!("{common}{needed}{part}")
    };
    parts.into_iter().enumerate().map(with_declarations).collect()
}

/// What exploration says of a program.
#[derive(Clone, Default)]
struct Seen {
    /// Where the values are that are told, and how long.
    told: Vec<(u64, u8)>,
    /// The executions with their flags, and how often each was seen.
    executions: BTreeMap<String, usize>,
    /// Executions at whose end `main` finds something wrong.
    bad_ends: BTreeSet<String>,
    ends: BTreeSet<Vec<i64>>,
    /// The flags that some execution raises, those that do not end among them.
    raised: BTreeSet<usize>,
    fails: bool,
    stuck: bool,
    /// Threads wait for ever, and not `main` alone at its end.
    waits: bool,
    /// Other faults, which no program has.
    faults: BTreeSet<String>,
    statistics: Statistics,
}

impl Seen {
    fn may_miss(&self) -> bool {
        self.statistics.circular || self.statistics.suspected
    }

    /// Whether an execution that ends raises a flag.
    fn has_flags(&self) -> bool {
        self.executions.keys().any(|text| !text.ends_with("[]"))
    }

    fn problems(&self) -> (bool, bool) {
        (self.fails, self.stuck)
    }

    /// The last values of variables, without what threads returned.
    fn memory(&self) -> BTreeSet<&[i64]> {
        self.ends.iter().map(|end| &end[..CProgram::VARIABLES]).collect()
    }
}

impl Visitor for Seen {
    fn complete(&mut self, x: &Execution<'_, '_>) -> Go {
        let mut flags = x.flags.to_vec();
        flags.sort_unstable();
        self.raised.extend(&flags);
        *self.executions.entry(format!("{}\n{flags:?}", signature(x))).or_default() += 1;
        let value = |&(address, size): &(u64, u8)| {
            let write = || x.world.locs.find(address, size).and_then(|loc| x.graph.last_write(loc));
            let value = match x.last {
                Some(alone) => alone.memory.read(address, size).value,
                None => write().map_or(x.world.memory.read(address, size).value, |w| x.graph.event(w).value),
            };
            i64::from(value as i32)
        };
        self.ends.insert(self.told.iter().map(value).collect());
        if self.executions.len() > EXECUTIONS { Go::Stop } else { Go::On }
    }

    fn unfinished(&mut self, x: &Execution<'_, '_>) -> Go {
        self.raised.extend(x.flags);
        Go::On
    }

    fn problem(&mut self, x: &Execution<'_, '_>, problem: &Problem) -> Go {
        if x.all_joined {
            self.bad_ends.insert(signature(x));
        }
        match problem {
            Problem::Stuck(_) => {
                self.stuck = true;
                self.waits |= !x.all_joined;
            }
            Problem::Fault(_, _, Fault::Assertion(_)) => self.fails = true,
            Problem::Fault(_, _, fault) => {
                self.faults.insert(format!("{fault:?}"));
            }
        }
        Go::On
    }
}

/// What was compared.
#[derive(Clone, Copy, Default, Debug)]
struct Counts {
    programs: u64,
    /// Left out.
    too_many: u64,
    executions: u64,
    with_machine: u64,
    enumerated: u64,
    by_threads: u64,
    waits_by_threads: u64,
    /// Programs with several executions, with assertions that can fail, with threads that can wait for ever, and with flags of the model.
    several: u64,
    failing: u64,
    stuck: u64,
    flagged: u64,
    /// Programs with flags in executions that do not end only.
    in_rounds: u64,
    /// Programs whose threads are interchangeable, and those of which exploration says that executions may be missing.
    renamed: u64,
    may_miss: u64,
}

/// A model, as the driver loads it.
struct Checked {
    name: &'static str,
    usable: Arc<Usable>,
    mapping: Mapping,
    counts: Counts,
}

impl Checked {
    fn new(name: &'static str) -> Checked {
        let models = Models::new(LoadRequest::named(name), Vec::new(), false);
        let Ok(usable) = models.get(None) else { panic!("{name} does not load") };
        let title = usable.model.arch.as_deref().unwrap_or(&usable.model.title);
        let annotations = usable.loaded.bell.iter().flat_map(|b| b.annotations()).collect::<BTreeSet<_>>();
        let mapping = Mapping::for_model(Some(title), |a| annotations.contains(a));
        drop(annotations);
        Checked { name, usable, mapping, counts: Counts::default() }
    }

    /// How late the machine's writes must be to be one of this model, if it can be.
    fn buffers(&self, strong: bool) -> Option<Buffers> {
        match self.name {
            "sc" => Some(Buffers::None),
            "tso" => Some(Buffers::One),
            "pso" => Some(Buffers::Each),
            // It has operations of its own; what it says of those of C11 is not what C11 says.
            "lkmm" => None,
            _ => strong.then_some(Buffers::None),
        }
    }

    fn plan(&self, program: &Program, options: &Options) -> Arc<Plan> {
        match options.prefix {
            None => self.usable.plans.get(&self.usable.model, program, &options.equivalence),
            Some(_) => plan_of(program, &self.usable.model, options),
        }
    }

    /// As the driver explores it; `None` where there is too much.
    fn explored(&self, case: &Case, program: &Program, options: &Options) -> Option<Seen> {
        let address = |name: &str| program.objects.iter().find(|o| o.name == name).map_or(0, |o| o.address);
        let told = case.source.told.iter().map(|&(name, at)| (address(name) + at, 4)).collect();
        let empty = Seen { told, ..Seen::default() };
        let explored = |plan| {
            let mut seen = empty.clone();
            let options = Options { deadline: Some(Instant::now() + TIME), ..options.clone() };
            seen.statistics = explore(program, &plan, &options, &mut seen);
            (!seen.statistics.stopped).then_some(seen)
        };
        let seen = explored(self.plan(program, options))?;
        match seen.statistics.stuck {
            true => explored(self.usable.plans.get_certain(&self.usable.model, program, &options.equivalence)),
            false => Some(seen),
        }
    }

    /// What the enumerator finds, and whether that is all.
    fn enumerated(&self, program: &Program) -> Option<(BTreeMap<String, usize>, bool)> {
        let mut seen = Seen::default();
        let statistics = consistent_within(program, &self.usable.model, &Options::default(), WORK, &mut seen);
        (!statistics.stopped).then_some((seen.executions, statistics.cut == 0))
    }

    /// The same by threads that run alone, if these come to an end.
    fn found_by_threads(&self, program: &Program) -> Option<(BTreeMap<String, usize>, bool)> {
        let (model, options, mut seen) = (&self.usable.model, Options::default(), Seen::default());
        let statistics = traces::consistent_within(program, model, &options, WORK, &mut seen)?;
        (!statistics.stopped).then_some((seen.executions, statistics.cut == 0))
    }

    /// Whether threads can wait for ever, as threads that run alone tell, if these come to an end.
    fn waits_by_threads(&self, program: &Program) -> Option<bool> {
        let options = Options { prefix: Some(PrefixKind::Dependencies), ..Options::default() };
        let (plan, mut seen) = (self.plan(program, &options), Seen::default());
        let waiting = |shown: &mut dyn Visitor| {
            traces::explained_within(program, &self.usable.model, &options, Runs::Waiting, WORK, shown)
        };
        let all = show_each(program, &plan, &mut seen, waiting);
        all.filter(|all| !all.stopped && all.cut == 0).map(|_| seen.waits)
    }

    /// What exploration says of a program, if there is not too much, and what is wrong with that.
    fn compare(&mut self, case: &Case) -> (Option<Seen>, String) {
        let mut program = llvm::compile_ir(&case.ir, "random.ll", &self.mapping)
            .unwrap_or_else(|errors| panic!("seed {}: {}\n{}", case.seed, errors[0], case.text()));
        adapt(&mut program, &self.usable.model);
        self.counts.programs += 1;
        let Some(seen) = self.explored(case, &program, &Options::default()) else {
            self.counts.too_many += 1;
            return (None, String::new());
        };
        let (found, counts) = (&seen.executions, &mut self.counts);
        let flagged = seen.has_flags();
        counts.executions += found.len() as u64;
        counts.several += u64::from(found.len() > 1);
        counts.failing += u64::from(seen.fails);
        counts.stuck += u64::from(seen.stuck);
        counts.flagged += u64::from(flagged);
        counts.may_miss += u64::from(seen.may_miss());
        let mut wrong = String::new();
        if let Some((twice, _)) = found.iter().find(|(_, n)| **n > 1) {
            wrong += &format!("twice:\n{twice}\n");
        }
        if !seen.faults.is_empty() {
            wrong += &format!("faults {:?}\n", seen.faults);
        }
        if case.strong && flagged && matches!(self.name, "rc11" | "c11") {
            wrong += "a race\n";
        }
        wrong += &self.compare_machine(case, &seen);
        let (enumerated, by_threads) = (self.enumerated(&program), self.found_by_threads(&program));
        self.counts.enumerated += u64::from(enumerated.is_some());
        self.counts.by_threads += u64::from(by_threads.is_some());
        for (how, expected) in [("enumerator", enumerated), ("threads alone", by_threads)] {
            let Some((expected, is_all)) = expected else { continue };
            let ends_well = |text: &&String| !seen.bad_ends.contains(&without_flags(text));
            if !seen.may_miss() {
                wrong += &difference(&format!("lost ({how})"), expected.keys().filter(ends_well), found);
            }
            if is_all {
                wrong += &difference(&format!("wrong ({how})"), found.keys(), &expected);
            }
        }
        if let Some(waits) = self.waits_by_threads(&program) {
            self.counts.waits_by_threads += 1;
            if waits != seen.waits && !(waits && seen.may_miss()) {
                wrong += &format!("threads wait for ever: {}, by threads alone {waits}\n", seen.waits);
            }
        }
        wrong += &self.compare_ways(case, &program, &seen);
        (Some(seen), wrong)
    }

    fn compare_machine(&mut self, case: &Case, seen: &Seen) -> String {
        let machine = &case.source.machine;
        let outcomes = self.buffers(case.strong).and_then(|buffers| machine.outcomes(buffers, STATES));
        let Some(Outcomes { ends, failures, stuck }) = outcomes else { return String::new() };
        self.counts.with_machine += 1;
        let mut wrong = String::new();
        let lost: Vec<_> = ends.difference(&seen.ends).filter(|_| !seen.may_miss()).collect();
        let bad: Vec<_> = seen.ends.difference(&ends).collect();
        if !lost.is_empty() || !bad.is_empty() {
            wrong += &format!("the machine ends with {lost:?} too, and never with {bad:?}\n");
        }
        if seen.problems() != (!failures.is_empty(), stuck) && !seen.may_miss() {
            wrong += &format!("the machine fails {failures:?}, is stuck {stuck}; explored: {:?}\n", seen.problems());
        }
        wrong
    }

    /// Other ways to explore, one or two for each program.
    fn compare_ways(&mut self, case: &Case, program: &Program, seen: &Seen) -> String {
        let mut wrong = String::new();
        let options = Options::default();
        let by_program_order = matches!(self.name, "sc" | "tso" | "pso" | "rc11");
        if case.seed.is_multiple_of(2)
            && let Some(once) = self.explored(case, program, &Options { symmetry: true, ..options.clone() })
        {
            self.counts.renamed += u64::from(once.statistics.renamed > 0);
            let says = |s: &Seen| (s.statistics.in_all, s.problems());
            if says(&once) != says(seen) || once.memory() != seen.memory() {
                wrong += &format!("up to renaming {:?} instead of {:?}\n", says(&once), says(seen));
            }
        }
        // What these two report of an execution can depend on coherence.
        let counts_coherence = matches!(self.name, "c11" | "lkmm");
        if case.seed % 4 == 1 && !counts_coherence && (by_program_order || !seen.may_miss()) {
            let options = Options { equivalence: Equivalence::ReadsFrom, ..options.clone() };
            if let Some(found) = self.explored(case, program, &options).filter(|f| by_program_order || !f.may_miss()) {
                let problems = found.problems();
                let (expected, found) = (without_coherence(&seen.executions), without_coherence(&found.executions));
                wrong += &difference("lost up to reads-from", expected.keys(), &found);
                wrong += &difference("wrong up to reads-from", found.keys(), &expected);
                if problems != seen.problems() {
                    wrong += &format!("up to reads-from {problems:?} instead of {:?}\n", seen.problems());
                }
            }
        }
        if case.seed % 4 == 3 && by_program_order {
            let options = Options { prefix: Some(PrefixKind::Dependencies), ..options.clone() };
            if let Some(found) = self.explored(case, program, &options).filter(|found| !found.may_miss()) {
                let (found, problems) = (&found.executions, found.problems());
                wrong += &difference("lost by dependencies", seen.executions.keys(), found);
                wrong += &difference("wrong by dependencies", found.keys(), &seen.executions);
                if found.values().any(|&n| n > 1) || problems != seen.problems() {
                    wrong += &format!("by dependencies twice, or {problems:?} instead of {:?}\n", seen.problems());
                }
            }
        }
        if case.seed.is_multiple_of(3)
            && let Some(plain) = self.explored(case, program, &Options { delay_waits: false, ..options.clone() })
        {
            let says = |s: &Seen| (s.executions.len(), s.problems(), s.raised.clone());
            if plain.executions != seen.executions || says(&plain) != says(seen) {
                wrong += &format!("waits not delayed {:?} instead of {:?}\n", says(&plain), says(seen));
            }
        }
        // Rounds that change nothing are rounds like others here.
        let unrolled = Options { detect_idle: false, delay_waits: false, unroll: Some(2), ..options.clone() };
        if !case.strong
            && case.seed % 4 < 2
            && let Some(unrolled) = self.explored(case, program, &unrolled)
        {
            self.counts.in_rounds += u64::from(!seen.raised.is_empty() && !seen.has_flags());
            let missed: Vec<_> = unrolled.raised.difference(&seen.raised).collect();
            if !missed.is_empty() && !seen.may_miss() {
                wrong += &format!("unrolled loops raise {missed:?} too\n");
            }
        }
        if case.seed % 5 == 2 && seen.executions.len() < 64 {
            let plan = self.plan(program, &options);
            same_with_threads(program, &plan, &options, &format!("seed {} under {}", case.seed, self.name));
        }
        wrong
    }
}

/// The executions that are missing, as text.
fn difference<'a>(what: &str, all: impl Iterator<Item = &'a String>, found: &BTreeMap<String, usize>) -> String {
    let missing: Vec<_> = all.filter(|text| !found.contains_key(*text)).collect();
    missing.first().map_or(String::new(), |one| format!("{} {what}:\n{one}\n", missing.len()))
}

fn without_coherence(executions: &BTreeMap<String, usize>) -> BTreeMap<String, usize> {
    let without = |text: &String| text.lines().filter(|l| !l.starts_with("co ")).collect::<Vec<_>>().join("\n");
    executions.keys().map(|text| (without(text), 1)).collect()
}

fn without_flags(text: &str) -> String {
    text.rsplit_once('\n').map_or(String::new(), |(text, _)| text.to_owned())
}

/// The same without the tags of events: a compare-and-swap that fails has others where that empties a buffer.
fn bare(text: &str) -> String {
    let untagged = |line: &str| line.split_once(" TagSetId").map_or(line, |(line, _)| line).to_owned();
    without_flags(text).lines().map(untagged).collect::<Vec<_>>().join("\n")
}

/// Whether a model allows all that another one does.
fn is_weaker(model: &str, other: &str) -> bool {
    matches!((other, model), ("sc", "tso" | "pso") | ("tso", "pso"))
}

/// What a stronger model allows and a weaker one does not.
fn only_stronger(model: &str, seen: &Seen, others: &[(&str, Seen)]) -> String {
    let mut wrong = String::new();
    for (name, stronger) in others.iter().filter(|(name, _)| is_weaker(model, name)) {
        let allowed = seen.executions.keys().map(|text| (bare(text), 1)).collect();
        let all: Vec<String> = stronger.executions.keys().map(|text| bare(text)).collect();
        wrong += &difference(&format!("allowed by {name} only"), all.iter(), &allowed);
    }
    wrong
}

/// Compares so many programs of each kind under some models, and says what was compared, so that nobody takes nothing for agreement.
fn agree(names: &[&'static str], default: u64) {
    let mut models: Vec<Checked> = names.iter().map(|name| Checked::new(name)).collect();
    let asked: Vec<u64> =
        std::env::var("HMC_RANDOM").map(|v| v.split(',').filter_map(|n| n.parse().ok()).collect()).unwrap_or_default();
    let (from, count, events) = match asked[..] {
        [from, count, events] => (from, count, events),
        _ => (0, default, 10),
    };
    let mut failed = Vec::new();
    for start in (from..from + count).step_by(BATCH as usize) {
        let size = BATCH.min(from + count - start);
        for case in [false, true].into_iter().flat_map(|strong| cases(start, size, events, strong)) {
            let mut others = Vec::new();
            for model in &mut models {
                let (seen, mut wrong) = model.compare(&case);
                if let Some(seen) = seen {
                    wrong += &only_stronger(model.name, &seen, &others);
                    others.push((model.name, seen));
                }
                if !wrong.is_empty() {
                    println!(
                        "seed {} under {}, strong: {}\n{}\n{wrong}",
                        case.seed,
                        model.name,
                        case.strong,
                        case.text()
                    );
                    failed.push((case.seed, case.strong));
                }
            }
        }
    }
    models.iter().for_each(|model| println!("{}: {:?}", model.name, model.counts));
    assert!(failed.is_empty(), "{} failed: {:?}", failed.len(), &failed[..failed.len().min(20)]);
    if !asked.is_empty() {
        return;
    }
    for Checked { name, counts, .. } in &models {
        let Counts {
            programs,
            too_many,
            executions,
            with_machine,
            enumerated,
            by_threads,
            several,
            failing,
            stuck,
            ..
        } = *counts;
        assert!(too_many * 10 < programs, "{name}: too many are left out");
        assert!(several * 5 > programs * 2 && executions > programs * 7, "{name}: too few have several executions");
        assert!(enumerated * 5 > programs * 2, "{name}: too few are enumerated");
        assert!(by_threads * 5 > programs * 2, "{name}: too few are found by threads alone");
        assert!(failing * 20 > programs && stuck * 60 > programs, "{name}: too few have problems");
        assert!(*name == "lkmm" || with_machine * 5 > programs * 2, "{name}: the machine is asked too rarely");
        assert!(counts.renamed * 100 > programs, "{name}: too few have interchangeable threads");
    }
}

macro_rules! models {
    ($($test:ident $names:expr, $cases:literal)*) => {
        $(#[test]
        fn $test() {
            agree(&$names, $cases);
        })*
    };
}

models! {
    models_of_c11 ["sc", "tso", "pso", "rc11", "c11"], 48
    imm ["imm"], 48
    aarch64 ["aarch64"], 48
    power ["power"], 48
    riscv ["riscv"], 48
    lkmm ["lkmm"], 48
}

/// Where a thread that stops in vain comes by a place where none was before, its read is looked at all the same. It was counted then, and which place is new
/// to a worker depends on the others.
#[test]
fn what_other_workers_have_passed_changes_no_counts() {
    let mut c11 = Checked::new("c11");
    let found = cases(700047, 1, 14, true);
    for _ in 0..20 {
        let (seen, wrong) = c11.compare(&found[0]);
        assert!(seen.is_some_and(|seen| seen.executions.len() > 1) && wrong.is_empty(), "{wrong}");
    }
}
