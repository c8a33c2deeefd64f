//! What hmc adds to every model, and what bundled models say beside published ones, on the inputs and models of `../shared` and on programs of `tests/c`.

use crate::support::cores::on_all_cores;
use crate::support::random::{Rng, all_agree};
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Engine, Settings, check};
use hmc::explore::Equivalence;
use hmc::llvm::Compilations;
use hmc::verdict::{FileResult, Sources, Verdict};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Models that programs in C are judged by, below `../shared/models`. The others have no atomicity of two events, or are for other languages.
const FOR_PROGRAMS: [&str; 28] = [
    "dartagnan/aarch64.cat",
    "dartagnan/arm.cat",
    "dartagnan/c11.cat",
    "dartagnan/c11-orig.cat",
    "dartagnan/c11-partialsc.cat",
    "dartagnan/imm.cat",
    "dartagnan/linux-kernel.cat",
    "dartagnan/power.cat",
    "dartagnan/rc11.cat",
    "dartagnan/riscv.cat",
    "dartagnan/riscv-orig.cat",
    "dartagnan/sc.cat",
    "dartagnan/svcomp.cat",
    "dartagnan/tso.cat",
    "dartagnan/vmm.cat",
    "herd/aarch64.cat",
    "herd/aarch32.cat",
    "herd/arm.cat",
    "herd/mips.cat",
    "herd/ppc.cat",
    "herd/rc11.cat",
    "herd/riscv.cat",
    "herd/riscv-tso.cat",
    "herd/sc.cat",
    "herd/tso.cat",
    "herd/x86tso.cat",
    "herd/x86tso-mixed.cat",
    "linux-kernel/linux-kernel.cat",
];
/// The bundled ones.
const BUNDLED: [&str; 16] = [
    "sc",
    "tso",
    "pso",
    "ra",
    "rc11",
    "rc20",
    "c11",
    "imm",
    "lkmm",
    "aarch64",
    "armv7",
    "power",
    "riscv",
    "mips",
    "x86tso",
    "x86tso-mixed",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn shared(path: &str) -> Option<PathBuf> {
    let path = root().join("../shared").join(path);
    if !path.exists() {
        crate::support::left_out::left_out(&format!("{} is not there", path.display()));
        return None;
    }
    Some(path)
}

fn models(name: &str) -> Models {
    Models::new(LoadRequest::named(name), Vec::new(), false)
}

fn result(file: &Path, model: &str, settings: &Settings) -> FileResult {
    check(file, model, &models(model), settings, &Sources::default())
}

fn counted(result: &FileResult) -> (Option<&str>, Option<u64>, Option<u64>) {
    (result.observation.as_deref(), result.positive, result.negative)
}

#[test]
fn a_model_without_atomicity_allows_lost_updates() {
    let Some(folder) = shared("cases/litmus") else { return };
    let model = folder.join("noatom.cat").display().to_string();
    for name in ["lost-update", "lost-update-x86", "lost-update-a64"] {
        let file = folder.join(format!("{name}.litmus"));
        for engine in [Engine::Explore, Engine::Enumerate] {
            for audit in [false, true] {
                let settings = Settings { engine, audit, ..Settings::default() };
                let result = result(&file, &model, &settings);
                assert_eq!(counted(&result), (Some("Sometimes"), Some(2), Some(4)), "{name}, {settings:?}");
            }
        }
    }
}

/// A program that is right because creating and joining threads orders what they do.
fn is_ordered(file: &Path, models: impl Iterator<Item = String>, executions: u64) {
    let all: Vec<String> = models.collect();
    let wrong: Vec<String> = on_all_cores(&all, |model| {
        let result = result(file, model, &Settings { keep_going: true, ..Settings::default() });
        let flags: Vec<&str> = result.flags.iter().map(|flag| flag.name.as_str()).collect();
        let is_right = result.verdict == Verdict::Holds && flags.is_empty() && result.executions.complete == executions;
        (!is_right).then(|| {
            let messages: Vec<&str> = result.messages.iter().map(|message| message.message.as_str()).collect();
            let finding = result.violation.map(|finding| finding.message);
            let complete = result.executions.complete;
            format!("{model}: {:?}, {complete} executions, {flags:?}, {finding:?}, {messages:?}", result.verdict)
        })
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(wrong.is_empty(), "{}: {wrong:#?}", file.display());
}

#[test]
fn creating_and_joining_threads_orders_them_under_published_models() {
    let (Some(case), Some(published)) = (shared("cases/c/create_in_turn.c"), shared("models")) else { return };
    let paths = || FOR_PROGRAMS.iter().map(|name| published.join(name).display().to_string());
    is_ordered(&case, paths(), 1);
    is_ordered(&root().join("tests/c/pairs/race/created_in_turn.c"), paths(), 2);
}

#[test]
fn creating_and_joining_threads_orders_them_under_bundled_models() {
    let Some(case) = shared("cases/c/create_in_turn.c") else { return };
    is_ordered(&case, BUNDLED.iter().map(|name| (*name).to_owned()), 1);
}

/// A bundled model, as if it knew nothing of threads.
fn without_threads(name: &str, folder: &Path) -> String {
    for (file, what) in [(format!("{name}.cat"), "model"), ("herding-checks.cat".to_owned(), "library")] {
        let text = std::fs::read_to_string(root().join("cat").join(&file))
            .unwrap_or_else(|e| panic!("the {what} {file}: {e}"));
        let edited = text.replace("try thread-sync with 0", "0");
        std::fs::write(folder.join(file), edited).expect("a model to be written");
    }
    folder.join(format!("{name}.cat")).display().to_string()
}

/// Accesses order threads as `thread-sync` does: the same executions, verdict and flags, with a model that reads it and with the same one without it.
#[test]
fn accesses_order_threads_as_the_relation_does() {
    let folders = ["pairs/race", "pairs/threads", "correct/counting"];
    let files =
        folders.iter().flat_map(|f| std::fs::read_dir(root().join("tests/c").join(f)).expect("a folder")).flatten();
    let mut programs: Vec<PathBuf> = files.map(|file| file.path()).collect();
    programs.retain(|path| {
        let is_program = path.extension().is_some_and(|e| e == "c" || e == "cpp");
        // A barrier is no access; programs of the kernel are for one model only.
        is_program && {
            let text = std::fs::read_to_string(path).unwrap_or_default();
            !text.contains("barrier_wait") && !crate::support::is_for_the_kernel_only(path)
        }
    });
    programs.sort();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let names = ["tso", "rc11", "c11", "power"];
    let models = names.map(|name| [name.to_owned(), without_threads(name, folder.path())].map(|name| models(&name)));
    let (compared, compilations) = (AtomicUsize::new(0), Arc::<Compilations>::default());
    let wrong: Vec<Vec<String>> = on_all_cores(&programs, |file| {
        let mut wrong = Vec::new();
        for clang_args in [Vec::new(), vec!["-DWRONG".to_owned()]] {
            for (name, pair) in names.iter().zip(&models) {
                // By default, what is not told apart depends on who writes a location, as the code shows it.
                let (timeout, equivalence) = (Some(Duration::from_millis(700)), Some(Equivalence::default()));
                let settings = Settings {
                    timeout,
                    equivalence,
                    keep_going: true,
                    clang_args: clang_args.clone(),
                    compilations: Some(compilations.clone()),
                    ..Settings::default()
                };
                let [with, without] = pair.each_ref().map(|models| {
                    let result = check(file, name, models, &settings, &Sources::default());
                    let flags: Vec<(String, u64)> =
                        result.flags.iter().map(|f| (f.name.clone(), f.executions)).collect();
                    let kinds =
                        result.violation.iter().chain(&result.more_violations).map(|finding| finding.kind.clone());
                    let kinds: BTreeSet<String> = kinds.collect();
                    // A search that was cut counts what it came to; some programs need arguments for clang.
                    (!result.open && result.verdict != Verdict::Error).then_some((
                        result.verdict,
                        result.executions.complete,
                        flags,
                        kinds,
                    ))
                });
                let (Some(with), Some(without)) = (with, without) else { continue };
                compared.fetch_add(1, Ordering::Relaxed);
                if with != without {
                    wrong.push(format!("{} {clang_args:?} under {name}: {with:?}, {without:?}", file.display()));
                }
            }
        }
        wrong
    });
    let (wrong, compared) = (wrong.concat(), compared.into_inner());
    println!("{compared} runs compared");
    assert!(wrong.is_empty() && compared > 40, "{compared} compared, {wrong:#?}");
}

/// A flag that is no finding names its events all the same.
#[test]
fn a_flag_names_its_events() {
    let Some(model) = shared("models/dartagnan/rc11.cat") else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("racy.c");
    let text = "#include <pthread.h>\nint x;\nvoid *f(void *a) { x = 1; return a; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); return 0; }\n";
    std::fs::write(&file, text).expect("a program to be written");
    let result = result(&file, &model.display().to_string(), &Settings::default());
    let [flag] = &result.flags[..] else { panic!("{:?}", result.flags) };
    assert_eq!(flag.name, "racy");
    let [one, other] = &flag.events[..] else { panic!("{:?}", flag.events) };
    assert!(one.starts_with("W[NA] x = ") && other.starts_with("W[NA] x = ") && one != other, "{:?}", flag.events);
}

#[test]
fn barriers_and_picked_values_order_as_in_the_current_model_of_armv8() {
    let Some(folder) = shared("cases/litmus") else { return };
    for name in ["dsb-st", "pick-lob"] {
        for engine in [Engine::Explore, Engine::Enumerate] {
            let result =
                result(&folder.join(format!("{name}.litmus")), "aarch64", &Settings { engine, ..Settings::default() });
            assert_eq!(counted(&result), (Some("Never"), Some(0), Some(3)), "{name}");
        }
    }
}

fn armv8_tests() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        ["corpus/aarch64", "cases/litmus", "mixed/litmus"].iter().filter_map(|f| shared(f)).collect();
    folders.extend(["tests/litmus/aarch64", "tests/shapes"].map(|folder| root().join(folder)));
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder")).flatten();
    let mut tests: Vec<PathBuf> = files.map(|file| file.path()).collect();
    tests.retain(|path| {
        let text = std::fs::read_to_string(path).unwrap_or_default();
        path.extension().is_some_and(|e| e == "litmus") && text.starts_with("AArch64")
    });
    tests.sort();
    tests
}

/// The bundled model says what the published one says, of every test of Armv8 that is here. Tests that neither can answer are left out.
#[test]
fn the_bundled_model_of_armv8_says_what_the_published_one_says() {
    let Some(published) = shared("models/herd/aarch64.cat") else { return };
    let (own, published) = (models("aarch64"), models(&published.display().to_string()));
    let tests = armv8_tests();
    let settings = Settings { timeout: Some(Duration::from_secs(20)), ..Settings::default() };
    let results = on_all_cores(&tests, |file| {
        [&own, &published].map(|models| {
            let result = check(file, "model", models, &settings, &Sources::default());
            let is_answered = !matches!(result.verdict, Verdict::Error | Verdict::Unsupported | Verdict::Bounded);
            is_answered.then_some((result.observation, result.positive, result.negative, result.states))
        })
    });
    let answered = results.iter().filter(|[own, _]| own.is_some()).count();
    println!("{answered} of {} tests answered", tests.len());
    assert!(answered > 400, "{answered} of {} tests answered", tests.len());
    let differs = |(_, [own, published]): &(&PathBuf, &[Option<_>; 2])| own != published;
    let wrong: Vec<&PathBuf> = tests.iter().zip(&results).filter(differs).map(|(file, _)| file).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// A read, a way from it through conditions, atomic instructions, and values that are written and read back, and a write.
fn random_way(rng: &mut Rng) -> Vec<String> {
    let mut lines = vec!["LDR W10,[X0]".to_owned()];
    let (mut value, mut next) = (10, 20);
    let mut new = || {
        next += 1;
        next
    };
    let pick = |rng: &mut Rng, names: &[&'static str]| names[rng.below(names.len() as u64) as usize];
    for _ in 0..1 + rng.below(3) {
        let [a, b, c] = [(); 3].map(|()| new());
        let orders = pick(rng, &["", "A", "L", "AL"]);
        let load = pick(rng, &["LDR", "LDAR", "LDAPR"]);
        let (step, seen): (Vec<String>, u64) = match rng.below(9) {
            0 | 1 => (
                vec![
                    format!("CMP W{value},#1"),
                    format!("MOV W{a},#1"),
                    format!("MOV W{b},#2"),
                    format!("CSEL W{c},W{a},W{b},EQ"),
                ],
                c,
            ),
            2 | 3 => (vec![format!("STR W{value},[X2]"), format!("{load} W{a},[X2]")], a),
            4 => (vec![format!("LDADD{orders} W{value},W{a},[X2]"), format!("{load} W{b},[X2]")], b),
            5 => (vec![format!("SWP{orders} W{value},W{a},[X2]"), format!("{load} W{b},[X2]")], pick_of(rng, [a, b])),
            6 => (
                vec![
                    format!("MOV W{a},W{value}"),
                    format!("MOV W{b},#3"),
                    format!("CAS{orders} W{a},W{b},[X2]"),
                    format!("{load} W{c},[X2]"),
                ],
                pick_of(rng, [a, c]),
            ),
            7 => (vec![format!("CBNZ W{value},LC{a}"), format!("LC{a}:")], value),
            _ => (vec![format!("EOR W{a},W{value},W{value}"), format!("LDR W{b},[X2,W{a},SXTW]")], b),
        };
        lines.extend(step);
        value = seen;
        if rng.below(5) == 0 {
            lines.push(pick(rng, &["ISB", "DSB ST", "DMB LD"]).to_owned());
        }
    }
    let written = new();
    lines.extend(match rng.below(3) {
        0 => vec![format!("EOR W{written},W{value},W{value}"), format!("ADD W{written},W{written},#1")],
        _ => vec![format!("MOV W{written},#1")],
    });
    lines.push(format!("{} W{written},[X1]", pick(rng, &["STR", "STR", "STLR"])));
    lines
}

fn pick_of(rng: &mut Rng, registers: [u64; 2]) -> u64 {
    registers[rng.below(2) as usize]
}

fn random_test(seed: u64) -> String {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut way = random_way(&mut rng);
    let back = ["LDAR W10,[X1]", "DMB SY", "MOV W11,#1", "STR W11,[X0]"];
    let lines = way.len().max(back.len());
    way.resize(lines, String::new());
    let rows = way.iter().enumerate().map(|(i, line)| format!("{line} | {} ;\n", back.get(i).unwrap_or(&"")));
    let registers = "0:X0=x; 0:X1=y; 0:X2=z; 1:X0=x; 1:X1=y;";
    let rows: String = rows.collect();
    format!("AArch64 way{seed}\n{{ {registers} }}\nP0 | P1 ;\n{rows}exists (0:X10=1 /\\ 1:X10=1)\n")
}

/// So many random tests are made.
const RANDOM_WAYS: u64 = 150;

/// The same of random tests about what is picked, computed by atomic instructions, and read back.
#[test]
fn what_is_picked_and_read_back_orders_as_in_the_published_model() {
    let Some(published) = shared("models/herd/aarch64.cat") else { return };
    let (own, published) = (models("aarch64"), models(&published.display().to_string()));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let never = AtomicUsize::new(0);
    all_agree(RANDOM_WAYS, 0, |seed, _| {
        let text = random_test(seed);
        let file = folder.path().join(format!("{seed}.litmus"));
        std::fs::write(&file, &text).expect("a test to be written");
        let [own, published] = [&own, &published].map(|models| {
            let result = check(&file, "model", models, &Settings::default(), &Sources::default());
            assert!(result.messages.is_empty(), "{text}\n{:?}", result.messages);
            (result.observation, result.states)
        });
        never.fetch_add(usize::from(own.0.as_deref() == Some("Never")), Ordering::Relaxed);
        if own != published {
            println!("seed {seed}\n{text}\nhere: {own:?}\npublished: {published:?}");
        }
        own == published
    });
    let never = never.into_inner() as u64;
    assert!((RANDOM_WAYS / 10..RANDOM_WAYS * 9 / 10).contains(&never), "{never} tests of {RANDOM_WAYS} are forbidden");
}
