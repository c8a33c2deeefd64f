//! Exploration against enumeration on the project's own C programs and litmus shapes: the same set of executions, each once.
//!
//! Programs for which the enumerator would need too many graphs are left out and counted; the test insists on a minimum
//! of programs that were not.

use crate::support::is_for_the_kernel_only;
use hmc::algebra::{Model, Sort, naive};
use hmc::candidates::enumerate::{Coverage, enumerate, signature};
use hmc::cat;
use hmc::driver::inputs::models::{Models, adapt};
use hmc::explore::{self, Execution, Go, Options, Problem, Visitor};
use hmc::graph::base_relations::names;
use hmc::graph::view;
use hmc::llvm::{self, mapping::Mapping};
use hmc::program::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

const LIMIT: u64 = 600;

fn model(name: &str) -> Model {
    let mut vocabulary = cat::vocabulary::Vocabulary::new(None);
    vocabulary.add(names::BASE_SETS, Sort::Set);
    vocabulary.add(names::BASE_RELATIONS, Sort::Rel);
    cat::load(&cat::LoadRequest::named(name), &vocabulary).expect("a bundled model loads").model
}

#[derive(Default)]
struct Collect(BTreeMap<String, usize>);

impl Visitor for Collect {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        *self.0.entry(signature(execution)).or_default() += 1;
        Go::On
    }
    fn problem(&mut self, execution: &Execution<'_, '_>, _: &Problem) -> Go {
        // An error at the end of `main`, behind the last event: the graph is complete, and the enumerator has it.
        if execution.last.is_some() {
            *self.0.entry(signature(execution)).or_default() += 1;
        }
        Go::On
    }
}

/// Executions may be missing only where exploration says so. `None`: more candidates than the enumerator may make.
fn agree(program: &Program, model: &Model, what: &str, limit: u64) -> Option<()> {
    let options = Options { unroll: Some(3), ..Options::default() };
    let mut expected = BTreeSet::new();
    let coverage = enumerate(program, &options, limit, &mut |x| {
        let candidate = view::candidate(x.graph, &x.world.deps, program);
        if naive::judge(model, &candidate).violated.is_empty() {
            expected.insert(signature(x));
        }
    });
    if coverage == Coverage::Limit {
        return None;
    }
    let mut found = Collect::default();
    let statistics = explore::explore(program, &explore::plan(model, program), &options, &mut found);
    let may_miss = statistics.circular || statistics.suspected;
    for (execution, times) in &found.0 {
        assert_eq!(*times, 1, "{what}: found more than once:\n{execution}");
        assert!(expected.contains(execution), "{what}: not an execution of the model:\n{execution}");
    }
    for execution in &expected {
        assert!(found.0.contains_key(execution) || may_miss, "{what}: lost:\n{execution}");
    }
    Some(())
}

fn files(folder: &Path, extension: &str, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, extension, out);
        } else if path.extension().is_some_and(|e| e == extension) {
            out.push(path);
        }
    }
}

/// `None`: there is no clang.
fn compiled(path: &Path, model: &Model) -> Option<Program> {
    let mut program = mapped(path, Mapping::for_arch(model.arch.as_deref()), None)?;
    adapt(&mut program, model);
    Some(program)
}

fn mapped(path: &Path, mapping: Mapping, prelude_header: Option<String>) -> Option<Program> {
    let clang_args = vec!["-DN=2".into()];
    let request =
        llvm::CompileRequest { path: path.to_owned(), clang_args, mapping, prelude_header, ..Default::default() };
    match llvm::compile(&request) {
        Ok(program) => Some(program),
        Err(errors) if errors.iter().any(|e| e.kind == llvm::ErrorKind::ClangMissing) => {
            println!("no clang from 15 on: C programs not compared");
            None
        }
        Err(errors) => panic!("{}: {errors:?}", path.display()),
    }
}

/// Models of which executions of few events have a form that costs less, with fences, locked instructions and branches in the program.
#[test]
fn executions_of_few_events_are_judged_in_the_leaner_form() {
    for name in ["sc", "tso", "pso", "rc11", "c11", "imm", "aarch64", "riscv"] {
        let model = model(name);
        for file in ["correct/counting/readers.c", "bench/peterson_loop.c", "bench/rwlock_threads.c"] {
            let Some(program) = compiled(&Path::new("tests/c").join(file), &model) else { return };
            let plan = explore::plan(&model, &program);
            // Where executions grow at their ends only, what C11 says of release sequences prunes, and that has no such form.
            let says_more = name == "c11" && plan.implies_porf_acyclic();
            assert!(says_more || plan.small_form().is_some(), "{file} under {name}");
        }
    }
    // No access is plain, so that what the model says of plain accesses is gone.
    let model = model("lkmm");
    for file in ["correct/counting/readers.c", "correct/counting/ainc.c", "bench/fib.c"] {
        let kernel = Mapping::for_model(None, |annotation| annotation == "ONCE");
        let Some(program) = mapped(&Path::new("tests/c").join(file), kernel, None) else { return };
        assert!(explore::plan(&model, &program).small_form().is_some(), "{file} under lkmm");
    }
}

/// A thread that writes a location often does not try each place among its earlier writes, nor does one that reads what it has passed: two accesses tell that these
/// are forbidden, also where the checks that forbid it are weaker forms of others and say more in executions that grow at their ends only (C11). Nor is the
/// model asked about the ten reads that would leave the receiver waiting for what has come already.
#[test]
fn long_threads_try_nothing_that_a_few_accesses_forbid() {
    let mut all = Vec::new();
    for name in ["sc", "tso", "rc11", "c11", "imm", "aarch64", "lkmm"] {
        let model = model(name);
        // By the kernel's model accesses are plain that are not mapped to its own, and rounds are looked at in which these may race.
        let mapping = Mapping::for_model(model.arch.as_deref(), |annotation| name == "lkmm" && annotation == "ONCE");
        let Some(program) = mapped(Path::new("tests/c/bench/mp.c"), mapping, None) else { return };
        let plan = explore::plan(&model, &program);
        let found = explore::explore(&program, &plan, &Options::default(), &mut explore::Nobody);
        all.push((name, found.complete, found.events));
    }
    assert_eq!(all, all.iter().map(|&(name, ..)| (name, 1, 24)).collect::<Vec<_>>());
}

/// Programs small enough for the enumerator, for the most part.
fn small_programs() -> Vec<PathBuf> {
    let mut programs = Vec::new();
    for folder in ["correct/counting", "correct/shapes", "wrong/shapes", "wrong/mutex"] {
        files(&Path::new("tests/c").join(folder), "c", &mut programs);
    }
    programs
}

/// The number of those that were small enough. `None`: there is no clang.
fn agree_on(
    programs: &[PathBuf],
    name: &str,
    model: &Model,
    compile: &dyn Fn(&Path) -> Option<Program>,
) -> Option<usize> {
    let mut compared = 0;
    for path in programs {
        let program = compile(path)?;
        let start = std::time::Instant::now();
        let what = format!("{} under {name}", path.display());
        let agreed = agree(&program, model, &what, LIMIT);
        let end = if agreed.is_some() { "compared" } else { "too large for the enumerator" };
        compared += usize::from(agreed.is_some());
        println!("{what}: {end}, {:.1} s", start.elapsed().as_secs_f64());
    }
    Some(compared)
}

#[test]
fn c_programs() {
    let programs: Vec<PathBuf> = small_programs().into_iter().filter(|path| !is_for_the_kernel_only(path)).collect();
    let mut compared = 0;
    for name in ["sc", "rc11", "imm"] {
        let model = model(name);
        let Some(more) = agree_on(&programs, name, &model, &|path| compiled(path, &model)) else { return };
        compared += more;
    }
    assert!(compared >= 20, "only {compared} programs were small enough");
}

/// What only the kernel has, from the macros that come with its model.
#[test]
fn programs_of_the_kernel() {
    let programs: Vec<PathBuf> = small_programs().into_iter().filter(|path| is_for_the_kernel_only(path)).collect();
    let models = Models::new(cat::LoadRequest::named("lkmm"), Vec::new(), false);
    let Ok(usable) = models.get(None) else { panic!("lkmm does not load") };
    let mapping = Mapping::for_model(None, |annotation| annotation == "ONCE");
    let header = llvm::prelude::header(&usable.macros);
    let compile = |path: &Path| mapped(path, mapping.clone(), Some(header.clone()));
    let Some(compared) = agree_on(&programs, "lkmm", &usable.model, &compile) else { return };
    assert!(compared >= 1, "no program was small enough");
}

/// What some accesses forbid by themselves is asked of the model once for all that look the same to it; these do not: they differ in their memory order, in the
/// order in which the writes stand in their thread, in what an exchange that fails is.
#[test]
fn accesses_that_look_different_to_the_model_are_told_apart() {
    let folder = Path::new("tests/c/correct/counting");
    for (name, file) in [
        ("atomic_if_seq_cst.cat", "increments_of_two_orders.c"),
        ("looks_back_in_program_order.cat", "writes_in_either_order.c"),
        ("coherent_if_seq_cst.cat", "exchange_that_fails.c"),
    ] {
        let model = model(&folder.join(name).to_string_lossy());
        let Some(program) = compiled(&folder.join(file), &model) else { return };
        assert!(agree(&program, &model, file, 1 << 16).is_some(), "{file}: too large for the enumerator");
    }
}
