//! However many threads explore a program, they see the same executions in the same order, count the same, and end at the same
//! first violation.

use crate::support::programs::*;
use crate::support::random::*;
use crate::support::*;
use hmc::candidates::straightline;
use hmc::cat::{self, LoadRequest, Vocabulary};
use hmc::explore::parallel::parts::Split;
use hmc::explore::parallel::spare::Spare;
use hmc::explore::parallel::team::explore_shared;
use hmc::explore::progress::descents::estimate;
use hmc::explore::progress::forecast::Forecast;
use hmc::explore::{Execution, Go, Nobody, Options, Problem, Visitor, explore, plan, plan_complete};
use hmc::llvm::{self, mapping::Mapping};
use hmc::program::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

fn counters(threads: usize) -> Program {
    let mut b = Builder::new();
    let x = b.var("x");
    for _ in 0..threads {
        b.thread(|f| increment(f, x));
    }
    b.finish()
}

fn stores_and_loads(threads: usize) -> Program {
    let mut b = Builder::new();
    let vars: Vec<Operand> = (0..threads).map(|i| b.var(&format!("x{i}"))).collect();
    for t in 0..threads {
        b.thread(|f| {
            store(f, vars[t], Operand::Const(1), Half::None);
            let v = load(f, vars[(t + 1) % threads], Half::None);
            store(f, vars[(t + 2) % threads], v, Half::None);
        });
    }
    b.finish()
}

/// A thread that reads from no memory if it has read 1, and eight that read what another one writes.
fn error_above_many() -> Program {
    let mut b = Builder::new();
    let [x, y] = ["x", "y"].map(|name| b.var(name));
    b.thread(|f| {
        let cond = load(f, x, Half::None);
        let (wrong, end) = (f.label(), f.label());
        let (then, otherwise) = (FunctionBuilder::target(wrong), FunctionBuilder::target(end));
        f.push(Instr::Branch { cond, then, otherwise, join: Join::Never });
        f.place(wrong);
        load(f, Operand::Const(16), Half::None);
        f.place(end);
    });
    b.thread(|f| store(f, x, Operand::Const(1), Half::None));
    b.thread(|f| store(f, y, Operand::Const(1), Half::None));
    for _ in 0..8 {
        b.thread(|f| {
            load(f, y, Half::None);
        });
    }
    b.finish()
}

/// Whoever walks to where its part begins comes by the error again.
#[test]
fn an_error_on_the_way_to_a_part_is_shown_once() {
    let program = error_above_many();
    for sc in [true, false] {
        same_with_threads(&program, &plan(&model(sc), &program), &Options::default(), "an error above many");
    }
}

#[test]
fn built_programs() {
    for (what, program) in [("counters", counters(5)), ("stores and loads", stores_and_loads(4))] {
        for sc in [true, false] {
            same_with_threads(&program, &plan(&model(sc), &program), &Options::default(), what);
        }
    }
}

/// Needs the kernel's macros.
fn is_kernel_code(path: &Path) -> bool {
    path.file_stem().and_then(|s| s.to_str()).is_some_and(|s| s.starts_with("lkmm"))
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "c") && !is_kernel_code(&path) {
            out.push(path);
        }
    }
}

#[test]
fn c_programs() {
    let mut programs = Vec::new();
    for folder in ["correct/counting", "correct/shapes", "wrong/shapes", "wrong/mutex", "pairs/liveness", "pairs/race"]
    {
        files(&Path::new("tests/c").join(folder), &mut programs);
    }
    programs.retain(|path| !crate::support::is_for_the_kernel_only(path));
    for name in ["sc", "rc11"] {
        let model = cat::load(&LoadRequest::named(name), &Vocabulary::default()).expect("a bundled model loads").model;
        for path in &programs {
            let request = llvm::CompileRequest {
                path: path.clone(),
                clang_args: vec!["-DN=2".into()],
                mapping: Mapping::for_arch(model.arch.as_deref()),
                ..Default::default()
            };
            let program = match llvm::compile(&request) {
                Ok(program) => program,
                Err(errors) if errors.iter().any(|e| e.kind == llvm::ErrorKind::ClangMissing) => {
                    println!("no clang from 15 on: C programs not compared");
                    return;
                }
                Err(errors) => panic!("{}: {errors:?}", path.display()),
            };
            let options = Options { unroll: Some(3), ..Options::default() };
            let what = format!("{} under {name}", path.display());
            same_with_threads(&program, &plan(&model, &program), &options, &what);
        }
    }
}

/// Counts, up to a limit.
struct Up(usize);

impl Visitor for Up {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { Go::Stop } else { Go::On }
    }

    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

/// Programs whose events are known beforehand, exclusive stores that may fail and branches on what was read among them: neither too small to be
/// divided, nor large.
#[test]
fn programs_with_fixed_events() {
    const LARGEST: usize = 3000;
    let compared = AtomicU64::new(0);
    all_agree(600, 16, |seed, events| {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let (program, text) = match seed % 2 {
            0 => random_program(&mut rng, events, false),
            _ => random_straight(&mut rng, events, false),
        };
        let (model, options) = (ordered([Order::Coherent, Order::Tso][seed as usize / 2 % 2]), Options::default());
        let plan = plan_complete(&model, &program);
        let Some(shape) = straightline::shape(&program, &options) else { return true };
        let mut left = Up(LARGEST);
        let counted = straightline::explore(&program, &shape, &plan, &options, &mut left);
        if left.0 > 0 && counted.is_some_and(|counted| counted.events > 1000) {
            let what = format!("seed {seed}\n{text}");
            assert!(same_search_with_threads(&program, &plan, &options, &what).is_some());
            compared.fetch_add(1, Ordering::Relaxed);
        }
        true
    });
    println!("{} programs compared", compared.load(Ordering::Relaxed));
    assert!(compared.load(Ordering::Relaxed) > 20);
}

/// Three writes of x, a thread that writes y where it reads one of them, seven readers of y.
fn many_readers() -> Program {
    let mut b = Builder::new();
    let [x, y] = ["x", "y"].map(|name| b.var(name));
    for value in 1..4 {
        b.thread(|f| store(f, x, Operand::Const(value), Half::None));
    }
    b.thread(|f| {
        let cond = load(f, x, Half::None);
        let (set, skip) = (f.label(), f.label());
        let (then, otherwise) = (FunctionBuilder::target(set), FunctionBuilder::target(skip));
        f.push(Instr::Branch { cond, then, otherwise, join: Join::Never });
        f.place(set);
        store(f, y, Operand::Const(1), Half::None);
        f.place(skip);
    });
    for _ in 0..7 {
        b.thread(|f| {
            load(f, y, Half::None);
        });
    }
    b.finish()
}

/// Six orders of the writes of x, and four sources of its read; with one of three, seven readers of y have two sources each.
const MANY: usize = 6 * (1 + 3 * 128);

/// Sets of events that come after others, and what is left of choices in them, in one part.
#[test]
fn sets_of_events_and_choices_are_divided() {
    let (program, model) = (many_readers(), ordered(Order::Coherent));
    let plan = plan_complete(&model, &program);
    assert_eq!(same_search_with_threads(&program, &plan, &Options::default(), "many readers"), Some(MANY));
}

/// That a program is not what it was taken for is noticed by all or by none: two threads hand each other what they read, while others
/// make the search long.
#[test]
fn values_that_depend_on_themselves_end_the_search_of_all() {
    let mut b = Builder::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| b.var(name));
    for (from, to) in [(x, y), (y, x)] {
        b.thread(|f| {
            let value = load(f, from, Half::None);
            store(f, to, value, Half::None);
        });
    }
    b.thread(|f| store(f, x, Operand::Const(5), Half::None));
    b.thread(|f| store(f, z, Operand::Const(1), Half::None));
    for _ in 0..9 {
        b.thread(|f| {
            load(f, z, Half::None);
        });
    }
    let (program, model) = (b.finish(), ordered(Order::Coherent));
    let plan = plan_complete(&model, &program);
    assert!(straightline::shape(&program, &Options::default()).is_some());
    assert_eq!(same_search_with_threads(&program, &plan, &Options::default(), "handed on"), None);
}

/// Takes its time.
struct Slow;

impl Visitor for Slow {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        std::thread::sleep(Duration::from_millis(1));
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

impl Split for Slow {
    fn fork(&self) -> Self {
        Slow
    }

    fn join(&mut self, _: Self) -> Go {
        Go::On
    }
}

/// How many executions there will be is said while the search runs.
#[test]
fn programs_with_fixed_events_are_estimated() {
    let (program, model) = (many_readers(), ordered(Order::Coherent));
    let forecast = Arc::new(Forecast::default());
    let options = Options { forecast: Some(forecast.clone()), ..Options::default() };
    let shape = straightline::shape(&program, &options).expect("a program whose events are known beforehand");
    let counted = straightline::explore_shared(&program, &shape, &plan_complete(&model, &program), &options, &mut Slow);
    assert_eq!(counted.map(|counted| counted.complete), Some(MANY as u64));
    let found = forecast.get().expect("an estimate");
    assert!((found.executions - MANY as f64).abs() <= 4.0 * found.spread, "{found:?}");
    assert!(found.spread < MANY as f64, "{found:?}");
}

/// What is expected of the parts of a search is at last what they find together, however many work on them.
#[test]
fn in_the_end_what_is_found_is_expected() {
    for program in [counters(7), stores_and_loads(5)] {
        let plan = plan(&model(false), &program);
        for helpers in [0, 1, 3] {
            let forecast = Arc::new(Forecast::default());
            let spare = Arc::new(Spare::new(helpers));
            let options = Options { forecast: Some(forecast.clone()), spare, ..Options::default() };
            let complete = explore_shared(&program, &plan, &options, &mut Nobody).complete as f64;
            let found = forecast.get().expect("an estimate");
            let is_near = (found.executions - complete).abs() < 0.1 * complete;
            assert!(complete > 1000.0 && is_near, "{found:?} for {complete}, {helpers} helpers");
        }
    }
}

#[test]
fn estimates() {
    for program in [counters(5), stores_and_loads(4)] {
        let plan = plan(&model(false), &program);
        let complete = explore(&program, &plan, &Options::default(), &mut Nobody).complete as f64;
        let found = estimate(&program, &plan, &Options::default(), 3000).expect("a program with a beginning");
        assert!(
            (found.executions - complete).abs() <= 4.0 * found.spread + 0.01 * complete,
            "{found:?} for {complete}"
        );
        assert!(found.spread < complete, "{found:?} for {complete}");
    }
}
