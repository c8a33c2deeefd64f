//! How litmus tests are run: all candidates, also those that exploration leaves out; retry loops of exclusives without a bound; other loops with one.

use crate::support::random::Rng;
use hmc::candidates::enumerate::consistent_within;
use hmc::candidates::straightline;
use hmc::candidates::traces;
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::{Models, Usable, adapt};
use hmc::driver::{Engine, Settings, check};
use hmc::explore::{Execution, Go, Options, Problem, ThinAir, Visitor, explore, plan, plan_complete};
use hmc::litmus::{Source, Test, parse};
use hmc::program::rounds::{self, Rounds};
use hmc::verdict::{FileResult, Sources, Verdict};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const COHERENCE: &str = "\"coherence only\"\ninclude \"cos.cat\"\nacyclic po-loc | rf | co | fr as uniproc\n";

fn cases() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/litmus");
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: {} is not there", folder.display());
    None
}

fn run_file(file: &Path, model: &str, settings: &Settings) -> FileResult {
    let models = Models::new(LoadRequest::named(model), Vec::new(), false);
    check(file, model, &models, settings, &Sources::default())
}

/// A test under a model: bundled, or the text of one.
fn run(text: &str, model: &str, settings: &Settings) -> FileResult {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("test.litmus");
    std::fs::write(&file, text).expect("a test to be written");
    let own = folder.path().join("own.cat");
    std::fs::write(&own, model).expect("a model to be written");
    let name = if model.contains('\n') { own.display().to_string() } else { model.to_owned() };
    run_file(&file, &name, settings)
}

fn states(result: &FileResult) -> BTreeSet<String> {
    result.states.iter().map(|state| format!("{state:?}")).collect()
}

/// The same with plain accesses, which need no macros.
fn plain(text: &str) -> String {
    let text = text.replace("READ_ONCE(*x)", "*x").replace("READ_ONCE(*y)", "*y");
    let writes = [("x", "1"), ("y", "1"), ("x", "a"), ("y", "a"), ("y", "a & 1")];
    writes.iter().fold(text, |text, (to, value)| {
        text.replace(&format!("WRITE_ONCE(*{to}, {value})"), &format!("*{to} = {value}"))
    })
}

/// What a test says under a model, which has to be the same by both engines, and with a picture.
fn observed(text: &str, model: &str) -> String {
    let result = run(text, model, &Settings::default());
    assert_eq!(result.verdict, Verdict::Holds, "{:?} {:?}", result.messages, result.notes);
    assert!(result.notes.is_empty(), "{:?}", result.notes);
    for settings in [
        Settings { engine: Engine::Enumerate, ..Settings::default() },
        Settings { witness: true, ..Settings::default() },
    ] {
        let other = run(text, model, &settings);
        assert_eq!(result.observation, other.observation, "{text}");
        assert_eq!((result.positive, result.negative), (other.positive, other.negative), "{text}");
        assert_eq!(states(&result), states(&other), "{text}");
    }
    let answer = run(text, model, &Settings { condition_only: true, ..Settings::default() });
    assert_eq!(answer.condition, result.condition, "{text}");
    result.observation.unwrap_or_default()
}

#[test]
fn shared_cases_say_what_the_model_says() {
    let Some(folder) = cases() else { return };
    let uniproc = folder.join("uniproc.cat").display().to_string();
    for (name, model, expected) in [
        ("oota-lb-ctrls", "c11", "Sometimes"),
        ("oota-lb-ctrls", uniproc.as_str(), "Sometimes"),
        ("oota-lb-ctrls", "rc11", "Never"),
        ("oota-lkmm-plain", "lkmm", "Sometimes"),
        ("llsc-retry", "aarch64", "Always"),
        ("big-loop", "rc11", "Always"),
    ] {
        let start = Instant::now();
        let result = run_file(&folder.join(format!("{name}.litmus")), model, &Settings::default());
        let observation = result.observation.as_deref().unwrap_or_default();
        assert!(observation.starts_with(expected), "{name} under {model}: {observation:?} {:?}", result.notes);
        assert_eq!(result.verdict, Verdict::Holds, "{name} under {model}");
        assert!(start.elapsed() < Duration::from_secs(20), "{name} under {model} took {:?}", start.elapsed());
    }
}

/// Branches decide that 1 is written; a model that knows only coherence does not mind that they decide it in a circle.
const BRANCHES: &str = "C branches\n{ }\n\
    P0(int *x, int *y) { int a = READ_ONCE(*x); if (a == 1) WRITE_ONCE(*y, 1); }\n\
    P1(int *x, int *y) { int a = READ_ONCE(*y); if (a == 1) WRITE_ONCE(*x, 1); }\nexists (0:a=1 /\\ 1:a=1)\n";

#[test]
fn what_goes_round_is_for_the_model_to_forbid() {
    assert!(observed(&plain(BRANCHES), COHERENCE).starts_with("Sometimes"));
    assert!(observed(BRANCHES, "lkmm").starts_with("Never"));
    assert!(observed(&plain(BRANCHES), "sc").starts_with("Never"));
}

/// One of the values is copied: it is what the other thread writes, because it is written.
#[test]
fn a_value_on_the_way_round_may_be_copied_if_another_is_certain() {
    let text = BRANCHES.replace("if (a == 1) WRITE_ONCE(*x, 1);", "WRITE_ONCE(*x, a);");
    assert!(observed(&plain(&text), COHERENCE).starts_with("Sometimes"));
}

/// No value is certain: each thread writes what it reads, and one more.
#[test]
fn values_do_not_come_from_themselves() {
    let copies = "C copies\n{ }\n\
        P0(int *x, int *y) { int a = READ_ONCE(*x); WRITE_ONCE(*y, a & 1); }\n\
        P1(int *x, int *y) { int a = READ_ONCE(*y); WRITE_ONCE(*x, a); }\nexists (0:a=1)\n";
    let observation = observed(&plain(copies), COHERENCE);
    assert!(observation.starts_with("Never"), "{observation}");
    let explained = run(&plain(copies), COHERENCE, &Settings { explain: true, ..Settings::default() });
    let explanation = explained.explanation.expect("an explanation of what nothing satisfies");
    assert!(explanation.all_seen && explanation.candidates == 0);
}

/// What is computed of a value and gives 0 whatever it is is no copy.
#[test]
fn false_dependencies_make_no_values() {
    let text = "AArch64 zero\n{ 0:X1=x; 0:X3=y; 1:X1=y; 1:X3=x; }\n P0 | P1 ;\n LDR W0,[X1] | LDR W0,[X1] ;\n \
        EOR W2,W0,W0 | EOR W2,W0,W0 ;\n ADD W2,W2,#1 | ADD W2,W2,#1 ;\n STR W2,[X3] | STR W2,[X3] ;\n\
        exists (0:X0=1 /\\ 1:X0=1)\n";
    assert!(observed(&plain(text), COHERENCE).starts_with("Sometimes"));
    assert!(observed(text, "aarch64").starts_with("Never"));
}

/// A value goes through memory of its own thread that a branch decides: the kernel's model does not order that.
#[test]
fn what_a_branch_writes_and_the_same_thread_reads_orders_nothing_in_the_kernel() {
    let thread = |n: u32, from: &str, to: &str| {
        format!(
            "P{n}(int *x, int *y, int *z{n}) {{ int a = READ_ONCE(*{from}); if (a == 1) WRITE_ONCE(*z{n}, 1); \
            int b = READ_ONCE(*z{n}); WRITE_ONCE(*{to}, b); }}\n"
        )
    };
    let (first, second) = (thread(0, "x", "y"), thread(1, "y", "x"));
    let text = format!("C through\n{{ }}\n{first}{second}exists (0:a=1 /\\ 1:a=1)\n");
    assert!(observed(&text, "lkmm").starts_with("Sometimes"));
}

/// Two loops that wait for each other: they end if each has ended.
#[test]
fn waits_may_end_each_other_where_the_model_lets_them() {
    let text = "C waits\n{ }\n\
        P0(int *x, int *y) { int a = READ_ONCE(*x); while (a == 0) a = READ_ONCE(*x); WRITE_ONCE(*y, 1); }\n\
        P1(int *x, int *y) { int a = READ_ONCE(*y); while (a == 0) a = READ_ONCE(*y); WRITE_ONCE(*x, 1); }\n\
        exists (0:a=1)\n";
    assert!(observed(&plain(text), COHERENCE).starts_with("Always"));
}

/// Retry loops of four architectures: two threads that increment a location.
#[test]
fn retry_loops_try_until_they_succeed() {
    let aarch64 = "AArch64 inc\n{ 0:X0=x; 1:X0=x; }\n P0 | P1 ;\n L0: | L1: ;\n LDXR W1,[X0] | LDAXR W1,[X0] ;\n \
        ADD W1,W1,#1 | ADD W1,W1,#1 ;\n STXR W4,W1,[X0] | STLXR W4,W1,[X0] ;\n CBNZ W4,L0 | CBNZ W4,L1 ;\nforall ([x]=2)\n";
    let ppc = "PPC inc\n{ 0:r1=x; 1:r1=x; }\n P0 | P1 ;\n L0: | L1: ;\n lwarx r2,0,r1 | lwarx r2,0,r1 ;\n \
        addi r2,r2,1 | addi r2,r2,1 ;\n stwcx. r2,0,r1 | stwcx. r2,0,r1 ;\n bne L0 | bne L1 ;\nforall (x=2)\n";
    let riscv = "RISCV inc\n{ 0:x5=x; 1:x5=x; }\n P0 | P1 ;\n L0: | L1: ;\n lr.w x6,0(x5) | lr.w x6,0(x5) ;\n \
        addi x6,x6,1 | addi x6,x6,1 ;\n sc.w x7,x6,0(x5) | sc.w x7,x6,0(x5) ;\n bne x7,x0,L0 | bne x7,x0,L1 ;\nforall (x=2)\n";
    let arm = "ARM inc\n{ 0:R0=x; 1:R0=x; }\n P0 | P1 ;\n L0: | L1: ;\n LDREX R1,[R0] | LDAEX R1,[R0] ;\n \
        ADD R1,R1,#1 | ADD R1,R1,#1 ;\n STREX R2,R1,[R0] | STLEX R2,R1,[R0] ;\n CMP R2,#0 | CMP R2,#0 ;\n BNE L0 | BNE L1 ;\nforall (x=2)\n";
    for (text, model) in [(aarch64, "aarch64"), (ppc, "power"), (riscv, "riscv"), (arm, "armv7")] {
        let result = run(text, model, &Settings::default());
        assert_eq!(
            result.observation.as_deref().map(|o| o.starts_with("Always")),
            Some(true),
            "{text}{:?}",
            result.messages
        );
        assert_eq!((result.verdict, result.partial, result.notes.len()), (Verdict::Holds, false, 0), "{text}");
    }
}

/// A lock of exclusives: one loop waits, and tries again.
#[test]
fn a_lock_of_exclusives_needs_no_bound() {
    let lock = |n: u32| {
        format!(
            "LA{n}: ; LDAXR W1,[X0] ; CBNZ W1,LA{n} ; STXR W2,W3,[X0] ; CBNZ W2,LA{n} ; LDR W5,[X6] ; ADD W5,W5,#1 ; STR W5,[X6] ; STLR WZR,[X0]"
        )
    };
    let columns: Vec<Vec<String>> =
        (0..2).map(|n| lock(n).split(';').map(|line| line.trim().to_owned()).collect()).collect();
    let rows = columns[0].iter().zip(&columns[1]).map(|(a, b)| format!(" {a} | {b} ;\n")).collect::<String>();
    let start = "{ 0:X0=l; 0:X3=1; 0:X6=c; 1:X0=l; 1:X3=1; 1:X6=c; }";
    let text = format!("AArch64 lock\n{start}\n P0 | P1 ;\n{rows}forall ([c]=2 /\\ [l]=0)\n");
    assert!(observed(&text, "aarch64").starts_with("Always"));
}

/// Each round counts, so there is no end: the reference tool's bound, and its mark.
#[test]
fn loops_that_do_something_are_followed_for_two_rounds() {
    let text = "C counts\n{ }\n\
        P0(int *x, int *y) { int a = READ_ONCE(*x); int n = 0; while (a == 0) { n = n + 1; a = READ_ONCE(*x); } }\n\
        P1(int *x) { WRITE_ONCE(*x, 1); }\nexists (0:n=9)\n";
    let result = run(text, "lkmm", &Settings::default());
    let seen: Vec<String> = result.states.iter().map(|state| format!("{state:?}")).collect();
    assert_eq!(seen.len(), 3, "{seen:?}");
    let log = result.log_text().expect("a log");
    assert!(log.contains("\nLoop No\n"), "{log}");
    let longer = run(text, "lkmm", &Settings { unroll: Some(4), ..Settings::default() });
    assert_eq!(longer.states.len(), 5);
}

/// The number of rounds is certain: no bound is needed.
#[test]
fn loops_that_count_to_a_number_have_no_bound() {
    let text = "AArch64 counts\n{ 0:X1=x; 1:X1=x; }\n P0 | P1 ;\n MOV W0,#0 | LDR W2,[X1] ;\n L0: | ;\n ADD W0,W0,#1 | ;\n \
        STR W0,[X1] | ;\n CMP W0,#5 | ;\n B.NE L0 | ;\nexists (1:X2=5)\n";
    let result = run(text, "aarch64", &Settings::default());
    assert_eq!(result.states.len(), 6);
    assert_eq!((result.verdict, result.partial), (Verdict::Holds, false));
    assert!(result.log_text().is_some_and(|log| !log.contains("Loop ")));
}

/// Values that are only copied in a circle are any values: there is one such execution.
#[test]
fn copies_in_a_circle_count_once() {
    let text = "C copied\n{ x=7; y=5; }\n\
        P0(int *x, int *y) { int a = READ_ONCE(*x); WRITE_ONCE(*y, a); }\n\
        P1(int *x, int *y) { int a = READ_ONCE(*y); WRITE_ONCE(*x, a); }\n\
        locations [0:a; 1:a; x; y;]\nforall (0:a=7 \\/ 0:a=5)\n";
    let result = run(&plain(text), COHERENCE, &Settings::default());
    assert_eq!((result.positive, result.negative), (Some(4), Some(0)), "{:?}", result.states);
    assert!(observed(&plain(text), COHERENCE).starts_with("Always"));
}

/// More than is enumerated in a moment: what was not looked at is said.
#[test]
fn what_is_too_much_to_enumerate_is_said() {
    let counts = "int i = 0; while (i < 6) { int a = *c; *c = a + i; i = i + 1; }";
    let thread = |n: u32, from: &str, to: &str| {
        format!("P{n}(int *x, int *y, int *c) {{ int r = *{from}; if (r == 1) *{to} = 1; {counts} }}\n")
    };
    let (first, second) = (thread(0, "x", "y"), thread(1, "y", "x"));
    let text = format!("C much\n{{ }}\n{first}{second}exists (0:r=1)\n");
    let settings = Settings { timeout: Some(Duration::from_secs(60)), ..Settings::default() };
    let result = run(&text, COHERENCE, &settings);
    let is_said = |note: &String| note.contains("form a cycle") || note.contains("time limit");
    assert!(result.notes.iter().any(is_said), "{:?} {:?}", result.observation, result.notes);
}

/// The last values that a test looks at, of each execution.
struct Ends<'t> {
    test: &'t Test,
    states: BTreeSet<Vec<u64>>,
}

impl Visitor for Ends<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let (graph, world) = (execution.graph, execution.world);
        let value = |source: &Source| match *source {
            Source::Memory { address, size } => {
                let last = world.locs.find(address, size).and_then(|loc| graph.last_write(loc));
                last.map_or_else(|| world.memory.read(address, size).value, |write| graph.event(write).value)
            }
            Source::Register { thread, register } => {
                let thread = graph.lanes()[thread as usize].thread.as_ref().expect("a thread that has ended");
                thread.register(world.program, register).map_or(0, |(slot, _)| slot.value)
            }
        };
        self.states.insert(self.test.context.watches.iter().map(|watch| value(&watch.source)).collect());
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

/// One to three instructions, or a retry loop, of a thread of a random test. Registers: the number of the step.
fn random_step(rng: &mut Rng, n: usize, thread: usize) -> Vec<String> {
    let location = ["X20", "X21"][rng.below(2) as usize];
    let (acquire, release) = (["", "A"][rng.below(2) as usize], ["", "L"][rng.below(2) as usize]);
    let (old, new, status) = (2 * n, 2 * n + 1, 10 + n);
    let label = format!("L{thread}{n}");
    match rng.below(6) {
        0 => vec![format!("MOV W{new},#{}", n + 1), format!("STR W{new},[{location}]")],
        1 => vec![format!("LDR W{old},[{location}]")],
        2 => vec![format!("LDXR W{old},[{location}]"), format!("STXR W{status},W{old},[{location}]")],
        3 => vec![format!("{label}: LDXR W{old},[{location}]"), format!("CBZ W{old},{label}")],
        _ => vec![
            format!("{label}: LD{acquire}XR W{old},[{location}]"),
            format!("ADD W{new},W{old},#{}", n + 1),
            format!("ST{release}XR W{status},W{new},[{location}]"),
            format!("CBNZ W{status},{label}"),
        ],
    }
}

fn random_test(rng: &mut Rng) -> String {
    let columns: Vec<Vec<String>> = (0..2)
        .map(|thread| {
            let steps = 1 + rng.below(2) as usize;
            (0..steps).flat_map(|n| random_step(rng, n, thread)).collect()
        })
        .collect();
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0);
    let cell = |column: &Vec<String>, row: usize| column.get(row).cloned().unwrap_or_default();
    let rows: String =
        (0..rows).map(|row| format!(" {} | {} ;\n", cell(&columns[0], row), cell(&columns[1], row))).collect();
    format!(
        "AArch64 random\n{{ 0:X20=x; 0:X21=y; 1:X20=x; 1:X21=y; }}\n P0 | P1 ;\n{rows}locations [0:X0; 0:X1; 0:X2; 1:X0; 1:X1; 1:X2; x; y;]\nexists (true)\n"
    )
}

/// As much as the enumerator does for a test; one with more candidates is not compared.
const WORK: u64 = 100_000;

/// The states of a test by each way of running it; of the program as it is written, with failing rounds, as well.
fn compare(text: &str, usable: &Usable) -> Vec<(&'static str, Option<BTreeSet<Vec<u64>>>)> {
    let mut test = parse(text, "random.litmus", &Default::default()).expect("a test");
    adapt(&mut test.program, &usable.model);
    let options = Options { thin_air: ThinAir::Values, ..Options::default() };
    let states = |run: &mut dyn FnMut(&mut Ends<'_>) -> bool| {
        let mut ends = Ends { test: &test, states: BTreeSet::new() };
        run(&mut ends).then_some(ends.states)
    };
    let model = &usable.model;
    let written = Options { unroll: Some(1), detect_idle: false, ..options.clone() };
    let expected = states(&mut |ends| !consistent_within(&test.program, model, &written, WORK, ends).stopped);
    let mut program = test.program.clone();
    rounds::leave_out(&mut program, Rounds::Retries);
    let program = &program;
    let fixed = states(&mut |ends| {
        let shape = straightline::shape(program, &options);
        shape.is_some_and(|shape| {
            straightline::explore(program, &shape, &plan_complete(model, program), &options, ends).is_some()
        })
    });
    let explored = states(&mut |ends| !explore(program, &plan(model, program), &options, ends).stopped);
    let enumerated = states(&mut |ends| !consistent_within(program, model, &options, WORK, ends).stopped);
    let by_threads = states(&mut |ends| {
        traces::consistent_within(program, model, &options, WORK, ends).is_some_and(|all| !all.stopped)
    });
    vec![
        ("written", expected),
        ("straight", fixed),
        ("explored", explored),
        ("enumerated", enumerated),
        ("by threads", by_threads),
    ]
}

/// Random tests with retry loops, spins and exclusives: all ways of running them give the states of the code as it is written, with one round more of each loop.
#[test]
fn random_retry_loops_have_the_states_of_their_rounds() {
    let models = Models::new(LoadRequest::named("aarch64"), Vec::new(), false);
    let usable: Arc<Usable> = models.get(Some("AArch64")).expect("a bundled model");
    let seeds = 150;
    let (mut straight, mut compared) = (0, 0);
    for seed in 0..seeds {
        let text = random_test(&mut Rng(0x9e37_79b9_u64.wrapping_mul(seed + 1) | 1));
        let all = compare(&text, &usable);
        straight += u64::from(all[1].1.is_some());
        let Some(expected) = &all[0].1 else { continue };
        compared += 1;
        for (way, found) in &all[1..] {
            assert!(
                found.as_ref().is_none_or(|found| found == expected),
                "seed {seed}, {way}: {found:?}, not {expected:?}\n{text}"
            );
        }
    }
    assert!(straight > 0, "none of {seeds} is straight");
    assert!(compared * 3 > seeds, "{compared} of {seeds} have no more candidates than are looked at");
}
