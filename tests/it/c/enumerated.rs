//! Exploration against enumeration on every program of `tests/c`, with the flags of each of its runs: the same executions, each once, and the same kinds of errors.
//!
//! Enumeration runs each thread alone and combines the runs, or makes all guesses (`hmc::candidates::enumerate`). Programs that are too much for it are left out and counted; the tests insist on a minimum
//! of programs that were not. Limits are of work, not of time, so that it is always the same programs.

use crate::support::cores::on_all_cores;
use crate::support::is_for_the_kernel_only;
use hmc::candidates::enumerate::{Runs, signature};
use hmc::candidates::{enumerate, traces};
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::{Models, Usable, adapt};
use hmc::explore::completeness::merge::show_each;
use hmc::explore::{self, Execution, Go, Options, Problem, Statistics, Visitor};
use hmc::graph::prefix::PrefixKind;
use hmc::llvm::{self, mapping::Mapping};
use hmc::program::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

/// So many executions are compared at most.
const EXECUTIONS: usize = 2_000;

/// What exploration may do, in events, and enumeration, by threads that run alone and in all.
const EXPLORED: u64 = 1 << 14;
const BY_THREADS: u64 = 1 << 18;
const GUESSED: u64 = 1 << 14;

/// Each program is for all models.
static COMPILATIONS: LazyLock<Arc<llvm::Compilations>> = LazyLock::new(Arc::default);

/// How large graphs get, and how long threads compute on values that they may never have.
const EVENTS: usize = 64;
const LOCAL_STEPS: u64 = 100_000;

/// What is seen of a program.
#[derive(Default)]
struct Seen {
    executions: BTreeMap<String, usize>,
    fails: bool,
    waits: bool,
}

impl Visitor for Seen {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        *self.executions.entry(signature(execution)).or_default() += 1;
        if self.executions.len() > EXECUTIONS { Go::Stop } else { Go::On }
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        match problem {
            // Where `main` does not come to create a thread, there is nothing to enumerate.
            _ if execution.graph.is_empty() => {}
            Problem::Fault(..) => self.fails = true,
            Problem::Stuck(_) => self.waits = true,
        }
        Go::On
    }

    /// Programs that do not end are not compared.
    fn cut(&mut self) -> Go {
        Go::Stop
    }
}

/// A model, as the driver loads it.
struct Checked {
    name: &'static str,
    usable: Arc<Usable>,
    mapping: Mapping,
    header: Option<String>,
}

impl Checked {
    fn new(name: &'static str) -> Checked {
        let models = Models::new(LoadRequest::named(name), Vec::new(), false);
        let Ok(usable) = models.get(None) else { panic!("{name} does not load") };
        let title = usable.model.arch.as_deref().unwrap_or(&usable.model.title);
        let annotations = usable.loaded.bell.iter().flat_map(|bell| bell.annotations()).collect::<BTreeSet<_>>();
        let mapping = Mapping::for_model(Some(title), |annotation| annotations.contains(annotation));
        drop(annotations);
        let header = usable.macros.iter().next().is_some().then(|| llvm::prelude::header(&usable.macros));
        Checked { name, usable, mapping, header }
    }

    fn compiled(&self, file: &Path, flags: &[String]) -> Result<Program, Vec<llvm::Error>> {
        let mut program = llvm::compile(&llvm::CompileRequest {
            path: file.to_owned(),
            clang_args: flags.to_vec(),
            mapping: self.mapping.clone(),
            prelude_header: self.header.clone(),
            compilations: Some(COMPILATIONS.clone()),
            ..Default::default()
        })?;
        adapt(&mut program, &self.usable.model);
        Ok(program)
    }

    /// What enumeration shows, as exploration would. `None`: it came to no end.
    fn enumerated(&self, program: &Program, options: &Options, runs: Runs) -> Option<Seen> {
        let (model, mut seen) = (&self.usable.model, Seen::default());
        let plan = self.usable.plans.get(model, program, &options.equivalence);
        let ends = |all: &Statistics| !all.stopped && all.cut == 0;
        let by_threads = show_each(program, &plan, &mut seen, |shown| {
            traces::explained_within(program, model, options, runs, BY_THREADS, shown)
        });
        if by_threads.is_some_and(|all| ends(&all)) {
            return Some(seen);
        }
        let mut seen = Seen::default();
        let all = show_each(program, &plan, &mut seen, |shown| {
            enumerate::explained_within(program, model, options, runs, GUESSED, shown)
        });
        ends(&all).then_some(seen)
    }

    /// What is wrong with what exploration says of a program. `None`: nothing was compared.
    fn compare(&self, program: &Program) -> Option<String> {
        let options = Options {
            prefix: Some(PrefixKind::Dependencies),
            max_work: EXPLORED,
            max_events: EVENTS,
            max_local_steps: LOCAL_STEPS,
            ..Options::default()
        };
        let plan = self.usable.plans.get(&self.usable.model, program, &options.equivalence);
        let mut found = Seen::default();
        let explored = explore::explore(program, &plan, &options, &mut found);
        if explored.stopped || explored.cut > 0 || explored.stuck {
            return None;
        }
        let expected = self.enumerated(program, &options, Runs::Ended)?;
        let may_miss = explored.circular || explored.suspected;
        let mut wrong = String::new();
        // An execution comes once for all that `main` chooses while it is alone.
        for (execution, times) in &found.executions {
            let expected = expected.executions.get(execution).copied().unwrap_or_default();
            if *times != expected {
                wrong += &format!("found {times} times, by enumeration {expected} times:\n{execution}\n");
            }
        }
        for execution in expected.executions.keys().filter(|execution| !found.executions.contains_key(*execution)) {
            if !may_miss {
                wrong += &format!("lost:\n{execution}\n");
            }
        }
        // A thread that joins what is no thread waits for it, to the enumerator.
        if let Some(waiting) = self.enumerated(program, &options, Runs::Waiting) {
            let errors =
                [(found.fails, expected.fails || waiting.fails), (found.waits, expected.waits || waiting.waits)];
            for ((found, expected), what) in errors.into_iter().zip(["fails", "waits for ever"]) {
                if found != expected && !may_miss {
                    wrong += &format!("a thread {what}: {found}, by enumeration {expected}\n");
                }
            }
        }
        Some(wrong)
    }
}

/// Each program with the flags of each of its runs.
fn runs() -> Vec<(PathBuf, Vec<String>)> {
    let mut runs = BTreeSet::new();
    let mut folders = vec![PathBuf::from("tests/c")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                for run in text.lines().filter_map(|line| line.strip_prefix("// hmc: ")) {
                    let command = run.split("=>").next().unwrap_or_default();
                    let flags = command.split_once(" -- ").map_or("", |(_, flags)| flags);
                    runs.insert((path.clone(), flags.split_whitespace().map(str::to_owned).collect()));
                }
            }
        }
    }
    runs.into_iter().collect()
}

/// What came of a program.
enum Outcome {
    Compared(String),
    TooLarge,
    /// It is there to show that something is unsupported, or not for this model.
    NotCompiled,
    NoClang,
}

fn check(name: &'static str, least: usize) {
    let checked = Checked::new(name);
    let runs: Vec<_> = runs().into_iter().filter(|(file, _)| name == "lkmm" || !is_for_the_kernel_only(file)).collect();
    let outcomes = on_all_cores(&runs, |(file, flags)| match checked.compiled(file, flags) {
        Ok(program) => checked.compare(&program).map_or(Outcome::TooLarge, Outcome::Compared),
        Err(errors) if errors.iter().any(|e| e.kind == llvm::ErrorKind::ClangMissing) => Outcome::NoClang,
        Err(_) => Outcome::NotCompiled,
    });
    if outcomes.iter().any(|outcome| matches!(outcome, Outcome::NoClang)) {
        println!("no clang from 15 on: C programs not compared");
        return;
    }
    let (mut compared, mut wrong) = (0, String::new());
    for ((file, flags), outcome) in runs.iter().zip(&outcomes) {
        let Outcome::Compared(found) = outcome else { continue };
        compared += 1;
        if !found.is_empty() {
            wrong += &format!("{} {} under {}:\n{found}", file.display(), flags.join(" "), checked.name);
        }
    }
    let too_large = outcomes.iter().filter(|outcome| matches!(outcome, Outcome::TooLarge)).count();
    println!("{name}: {compared} programs compared, {too_large} too large");
    assert!(wrong.is_empty(), "{wrong}");
    assert!(compared >= least, "only {compared} programs were small enough");
}

#[test]
fn under_sc() {
    check("sc", 340);
}

#[test]
fn under_c11() {
    check("c11", 340);
}

#[test]
fn under_imm() {
    check("imm", 340);
}

#[test]
fn under_lkmm() {
    check("lkmm", 380);
}
