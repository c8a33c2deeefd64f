//! Accesses of different sizes to one place: programs of `../shared/cases` in which they meet in memory that is not shared, litmus tests with the
//! answers of other tools and of machines that know no axioms, and random programs against machines and an evaluator of single bytes.
//!
//! `HMC_RANDOM=0,2000,6` runs 2,000 random programs of up to six accesses.

mod archs;
mod bytes;
mod cases;
mod cut;
mod global_order;
mod machines;
mod programs;
mod rows;

use crate::support::clang_is_there;
use crate::support::random::{Rng, all_agree};
use archs::Arch;
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Engine, Settings, check};
use hmc::explore::Equivalence;
use hmc::llvm::Compilations;
use hmc::verdict::outcomes::Observe;
use hmc::verdict::{FileResult, Sources, Verdict};
use programs::Program;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A final state: what is looked at, with its value.
type State = BTreeMap<String, u64>;

fn models(name: &str) -> Models {
    Models::new(LoadRequest::named(name), Vec::new(), false)
}

fn settings(engine: Engine) -> Settings {
    let equivalence = Some(Equivalence::ReadsFromAndCoherence);
    let timeout = Some(Duration::from_secs(60));
    Settings { engine, timeout, equivalence, observe: Observe::All, ..Settings::default() }
}

fn answer(file: &Path, model: &str, models: &Models, engine: Engine) -> FileResult {
    check(file, model, models, &settings(engine), &Sources::default())
}

/// The texts of one program, each compiled once.
struct Texts {
    folder: tempfile::TempDir,
    compilations: Arc<Compilations>,
}

impl Texts {
    fn new() -> Texts {
        Texts { folder: tempfile::tempdir().expect("a temporary folder"), compilations: Arc::default() }
    }

    /// The file of a text. Models of C share it.
    fn file(&self, arch: Arch, text: &str) -> PathBuf {
        let file = self.folder.path().join(if arch.is_c() { format!("{arch:?}.c") } else { "test.litmus".to_owned() });
        std::fs::write(&file, text).expect("a test to be written");
        file
    }
}

/// A state as reports write it: `0:X1=5; [x]=2;`.
fn state(text: &str) -> State {
    let items = text.split(';').map(str::trim).filter(|item| !item.is_empty());
    let pair = |item: &str| {
        let (name, value) = item.split_once('=').unwrap_or_else(|| panic!("a value is expected: {item}"));
        let value: i128 = value.trim().parse().unwrap_or_else(|_| panic!("a number is expected: {item}"));
        (name.trim().trim_matches(['[', ']']).to_owned(), value as u64)
    };
    items.map(pair).collect()
}

fn states(result: &FileResult) -> BTreeSet<State> {
    result.states.iter().map(|text| state(text)).collect()
}

fn rng(seed: u64) -> Rng {
    Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
}

/// Whether what hmc finds, by exploration and by enumeration, is what another way finds.
fn agrees(
    seed: u64,
    texts: &Texts,
    program: &Program,
    arch: Arch,
    (model, loaded): (&str, &Models),
    (states_of_other, count): (BTreeSet<State>, Option<u64>),
) -> bool {
    let text = archs::text(program, arch);
    let file = texts.file(arch, &text);
    [Engine::Explore, Engine::Enumerate].into_iter().all(|engine| {
        let settings = Settings { compilations: Some(texts.compilations.clone()), ..settings(engine) };
        let result = check(&file, model, loaded, &settings, &Sources::default());
        // Of some programs there are too many candidates for a minute.
        if engine == Engine::Enumerate && result.verdict == Verdict::Bounded {
            return true;
        }
        let found = states(&result);
        let counted = match arch.is_c() {
            true => result.executions.complete,
            false => result.positive.unwrap_or(0) + result.negative.unwrap_or(0),
        };
        let is_same = found == states_of_other && count.is_none_or(|count| count == counted);
        if !is_same {
            let why: Vec<&str> = result.messages.iter().map(|m| m.message.as_str()).collect();
            println!("seed {seed} under {model} ({engine:?}), {why:?}\n{text}");
            println!("only in hmc: {:?}", found.difference(&states_of_other).collect::<Vec<_>>());
            println!("only elsewhere: {:?}", states_of_other.difference(&found).collect::<Vec<_>>());
            println!("executions: {counted}, elsewhere {count:?}");
        }
        is_same
    })
}

#[test]
fn machines_without_axioms_reach_the_same_states() {
    let loaded = ["sc", "tso", "pso"].map(|name| (name, models(name)));
    let riscv = models("riscv");
    all_agree(60, 5, |seed, accesses| {
        let program = Program::random(&mut rng(seed), accesses, &[1, 2, 4], true);
        let texts = Texts::new();
        let order = [machines::Order::Interleaved, machines::Order::Queue, machines::Order::Places];
        let agree = |((name, models), order): (&(&str, Models), machines::Order)| {
            let expected = machines::states(&program, order);
            agrees(seed, &texts, &program, Arch::X86_64, (name, models), (expected, None))
        };
        let sayable = Arch::RiscV.sayable(&program);
        let expected = global_order::states(&sayable);
        loaded.iter().zip(order).all(agree)
            && agrees(seed, &texts, &sayable, Arch::RiscV, ("riscv", &riscv), (expected, None))
    });
}

/// The bundled models, each with the language of its programs.
const MODELS: [(&str, Arch); 16] = [
    ("sc", Arch::X86_64),
    ("tso", Arch::X86_64),
    ("pso", Arch::X86_64),
    ("x86tso", Arch::X86_64),
    ("x86tso-mixed", Arch::X86_64),
    ("aarch64", Arch::AArch64),
    ("riscv", Arch::RiscV),
    ("power", Arch::Ppc),
    ("armv7", Arch::Arm),
    ("mips", Arch::Mips),
    ("ra", Arch::C),
    ("rc11", Arch::C),
    ("rc20", Arch::C),
    ("c11", Arch::C),
    ("imm", Arch::C),
    ("lkmm", Arch::Kernel),
];

/// `HMC_MODELS=tso,rc11` looks at some models only, `HMC_CANDIDATES=300` leaves out programs with more candidates.
#[test]
fn single_bytes_have_the_same_states_and_as_many_executions() {
    let asked = std::env::var("HMC_MODELS").unwrap_or_default();
    let most = std::env::var("HMC_CANDIDATES").ok().and_then(|n| n.parse().ok()).unwrap_or(bytes::MOST);
    let is_asked = |name: &str| asked.is_empty() || asked.split(',').any(|other| other == name);
    let is_there = |arch: Arch| !arch.is_c() || clang_is_there();
    let usable = MODELS.into_iter().filter(|&(name, arch)| is_asked(name) && is_there(arch));
    let loaded: Vec<_> = usable.map(|(name, arch)| (name, arch, models(name))).collect();
    let compared: Vec<AtomicU64> = loaded.iter().map(|_| AtomicU64::new(0)).collect();
    all_agree(40, 4, |seed, accesses| {
        let program = Program::random(&mut rng(seed), accesses, &[1, 2], true);
        let texts = Texts::new();
        loaded.iter().zip(&compared).all(|((name, arch, models), compared)| {
            let program = arch.sayable(&program);
            let usable = models.get((!arch.is_c()).then(|| arch.name())).unwrap_or_else(|(why, _)| {
                panic!("{name} cannot be loaded: {:?}", why.iter().map(|m| &m.message).collect::<Vec<_>>())
            });
            let Some(expected) = bytes::executions(&program, *arch, &usable.model, most) else { return true };
            compared.fetch_add(1, Ordering::Relaxed);
            agrees(seed, &texts, &program, *arch, (name, models), expected)
        })
    });
    for ((name, ..), compared) in loaded.iter().zip(&compared) {
        println!("{name}: {} programs", compared.load(Ordering::Relaxed));
    }
}

/// What an atomic operation writes depends on what it reads: inside of one event, and so between none of its parts.
#[test]
fn an_update_in_parts_does_not_depend_on_itself() {
    let text = "RISCV t\n{ uint32_t x=3; 0:x5=x; 0:x6=16; 1:x5=x; 1:x6=1; }\n P0 | P1 ;\n amoadd.w x7,x6,(x5) | sh x6,2(x5) ;\nlocations [0:x7; x;]\nforall (true)\n";
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("test.litmus");
    std::fs::write(&file, text).expect("a test to be written");
    for model in ["riscv", "sc"] {
        for engine in [Engine::Explore, Engine::Enumerate] {
            let found = states(&answer(&file, model, &models(model), engine));
            let expected = ["0:x7=3; x=65555;", "0:x7=65539; x=65555;"].map(state);
            assert_eq!(found, BTreeSet::from(expected), "{model} {engine:?}");
        }
    }
}
