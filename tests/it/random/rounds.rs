//! What is wrong in rounds of loops that change nothing, on random programs whose threads look at plain variables while they wait for each other.
//!
//! Such rounds are in no complete execution. The flags that exploration tells of are compared with those of executions in which they are rounds like others (twice
//! at most; what its limits are is counted), and with waits not delayed; and several threads have to count what one counts.

use crate::support::random::{Rng, all_agree};
use crate::support::same_with_threads;
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::{Models, Usable, adapt};
use hmc::explore::{Execution, Go, Options, Problem, Visitor, explore};
use hmc::llvm::{self, CompileRequest, Mapping};
use hmc::program::Program;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Statements of a thread that looks at plain variables while it waits.
fn waiting(rng: &mut Rng, text: &mut String) {
    let order = ["memory_order_acquire", "memory_order_relaxed"][rng.below(2) as usize];
    let (flag, op, k) = (rng.below(2), ["==", "!="][rng.below(2) as usize], rng.below(2));
    *text += &format!("  while (atomic_load_explicit(&f{flag}, {order}) {op} {k}) {{\n");
    for _ in 0..1 + rng.below(2) {
        let leave = ["break", "return 0"][rng.below(2) as usize];
        let what = match rng.below(4) {
            0 => format!("atomic_load_explicit(&f{}, {order}) == {}", rng.below(2), rng.below(3)),
            1 => "p0 == p1".to_owned(),
            _ => format!("p{} == {}", rng.below(2), 1 + rng.below(3)),
        };
        *text += &format!("    if ({what}) {leave};\n");
    }
    text.push_str("  }\n");
}

fn random_rounds(rng: &mut Rng) -> String {
    let mut text =
        "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int f0, f1;\nstatic int p0, p1;\n".to_owned();
    let threads = 2 + u64::from(rng.below(4) == 0);
    for t in 0..threads {
        text += &format!("static void *t{t}(void *arg) {{\n");
        for _ in 0..1 + rng.below(3) {
            let (v, k) = (rng.below(2), 1 + rng.below(2));
            let order = ["memory_order_release", "memory_order_release", "memory_order_relaxed"][rng.below(3) as usize];
            match rng.below(5) {
                0 => text += &format!("  p{v} = {k};\n"),
                1 | 2 => {
                    if rng.below(2) == 0 {
                        text += &format!("  p{v} = {k};\n");
                    }
                    text += &format!("  atomic_store_explicit(&f{}, {}, {order});\n", rng.below(2), rng.below(3));
                }
                _ => waiting(rng, &mut text),
            }
        }
        text.push_str("  return 0;\n}\n");
    }
    text.push_str("int main(void) {\n  pthread_t t[3];\n");
    (0..threads).for_each(|t| text += &format!("  pthread_create(&t[{t}], 0, t{t}, 0);\n"));
    (0..threads).for_each(|t| text += &format!("  pthread_join(t[{t}], 0);\n"));
    text + "  return 0;\n}\n"
}

/// The flags that are raised, and those that executions which end raise.
#[derive(Default)]
struct Raised {
    by_any: BTreeSet<usize>,
    by_complete: BTreeSet<usize>,
}

impl Visitor for Raised {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        self.by_complete.extend(execution.flags);
        self.by_any.extend(execution.flags);
        Go::On
    }

    fn unfinished(&mut self, execution: &Execution<'_, '_>) -> Go {
        self.by_any.extend(execution.flags);
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

struct Loaded {
    usable: Arc<Usable>,
    mapping: Mapping,
}

impl Loaded {
    fn new(name: &'static str) -> Loaded {
        let models = Models::new(LoadRequest::named(name), Vec::new(), false);
        let Ok(usable) = models.get(None) else { panic!("{name} does not load") };
        let title = usable.model.arch.as_deref().unwrap_or(&usable.model.title).to_owned();
        Loaded { usable, mapping: Mapping::for_arch(Some(&title)) }
    }

    fn raised(&self, program: &Program, options: &Options) -> Raised {
        let plan = self.usable.plans.get(&self.usable.model, program, &options.equivalence);
        let mut raised = Raised::default();
        explore(program, &plan, options, &mut raised);
        raised
    }
}

/// How often flags are raised in rounds only, and how often one is missed that a round and something that its own thread causes behind the loop raise together: the
/// limit that `src/explore/waits/partial_executions.rs` names.
#[derive(Default)]
struct Counts {
    in_rounds: AtomicU64,
    missed: AtomicU64,
}

/// Compares under some models.
fn compare(seed: u64, models: &[Loaded], counts: &Counts) -> bool {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let text = random_rounds(&mut rng);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rounds.c");
    std::fs::write(&path, &text).expect("a file");
    let clang_args = ["-g0", "-w"].map(str::to_owned).to_vec();
    let request = CompileRequest { path, clang_args, ..CompileRequest::default() };
    let compiled = llvm::clang::to_ir(&request, &request.path).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let ir = compiled.ir;
    let options = Options::default();
    models.iter().all(|model| {
        let mut program =
            llvm::compile_ir(&ir, "rounds.ll", &model.mapping).unwrap_or_else(|errors| panic!("{}", errors[0]));
        adapt(&mut program, &model.usable.model);
        let found = model.raised(&program, &options);
        let at_once = model.raised(&program, &Options { delay_waits: false, ..options.clone() });
        let unrolled = Options { detect_idle: false, delay_waits: false, unroll: Some(2), ..options.clone() };
        let unrolled = model.raised(&program, &unrolled);
        let (same, missed) = (found.by_any == at_once.by_any, !unrolled.by_any.is_subset(&found.by_any));
        counts.in_rounds.fetch_add(u64::from(found.by_any != found.by_complete), Ordering::Relaxed);
        counts.missed.fetch_add(u64::from(missed), Ordering::Relaxed);
        if !same || missed {
            let all = [&found, &at_once, &unrolled].map(|raised| &raised.by_any);
            println!("seed {seed} under {}: found, not delayed, unrolled {all:?}\n{text}", model.usable.model.title);
        }
        if seed.is_multiple_of(5) {
            let plan = model.usable.plans.get(&model.usable.model, &program, &options.equivalence);
            same_with_threads(&program, &plan, &options, &format!("seed {seed}"));
        }
        same
    })
}

#[test]
fn races_in_rounds() {
    let models = ["rc11", "c11"].map(Loaded::new);
    let counts = Counts::default();
    all_agree(150, 0, |seed, _| compare(seed, &models, &counts));
    let (in_rounds, missed) = (counts.in_rounds.into_inner(), counts.missed.into_inner());
    println!("{in_rounds} with flags in rounds only, {missed} with others");
    assert!(in_rounds >= 5, "{in_rounds}: too few look at what rounds do");
    assert!(missed * 100 <= in_rounds, "{missed}: too many are missed");
}

/// Seeds that lost a race once: the write that is the last that anybody does overtook what the thread had read before the plain read (1924); a wait was overtaken, and given up with what
/// its round raced with (the others).
#[test]
fn rounds_that_are_overtaken() {
    let models = ["rc11", "c11"].map(Loaded::new);
    let counts = Counts::default();
    for seed in [1924, 12484, 12495, 12688, 12736, 12767] {
        assert!(compare(seed, &models, &counts), "seed {seed}");
    }
    assert_eq!((counts.in_rounds.into_inner(), counts.missed.into_inner()), (11, 0));
}
