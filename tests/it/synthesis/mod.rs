//! Synthesis: counts and lists on which other programs agree, and a plain synthesiser without any cleverness.

mod command;
mod naive;

use hmc::cat::{self, LoadRequest, Loaded};
use hmc::synth::judge;
use hmc::synth::minimal::Minimality;
use hmc::synth::programs::program::Program;
use hmc::synth::programs::vocabulary::Vocabulary;
use hmc::synth::suite::print::Condition;
use hmc::synth::{Progress, Request, Suite, suite, synthesise};
use std::collections::BTreeMap;
use std::path::Path;

/// TSO and SC as the paper has them.
const TSO: &str = r#""TSO"
include "cos.cat"
acyclic rf | co | fr | po-loc as sc_per_loc
empty rmw & (fr ; co) as rmw_atomicity
let ppo = ([M] ; po ; [M]) \ ((W \ range(rmw)) * (R \ domain(rmw)))
acyclic rfe | co | fr | ppo | [M] ; po ; [F] ; po ; [M] as causality
"#;
/// After the decomposition of a pair its read stays as strong as before.
const TSO_WITH_QUIRK: &str = r#""TSO with the quirk of the published model"
include "cos.cat"
acyclic rf | co | fr | po-loc as sc_per_loc
empty rmw & (fr ; co) as rmw_atomicity
let ppo = ([M] ; po ; [M]) \ ((W \ range(rmw)) * (R \ X))
acyclic rfe | co | fr | ppo | [M] ; po ; [F] ; po ; [M] as causality
"#;
const SC: &str = r#""SC"
include "cos.cat"
acyclic po | rf | co | fr as causality
empty rmw & (fr ; co) as rmw_atomicity
"#;

fn vocabulary(text: &str) -> Vocabulary {
    Vocabulary::parse(text).expect("the lattice is right")
}

fn x86() -> Vocabulary {
    vocabulary(include_str!("../../../cat/x86.lattice"))
}

/// As the published model: the read of a decomposed pair keeps its tag.
fn x86_with_quirk() -> Vocabulary {
    let text = include_str!("../../../cat/x86.lattice");
    vocabulary(&text.replace("decomposed = [\"R\", \"W\"]", "decomposed = [\"R*\", \"W\"]"))
}

fn loaded(model: &str) -> Loaded {
    load(LoadRequest::text("test", model))
}

fn load(request: LoadRequest) -> Loaded {
    let request = LoadRequest { free_orders: true, ..request };
    cat::load(&request, &cat::Vocabulary::new(None)).expect("the model is right")
}

fn run(model: &str, vocabulary: &Vocabulary, size: usize, minimality: Minimality) -> Suite {
    let judge = judge(&loaded(model), vocabulary).expect("the model can be compiled");
    let relaxations = vocabulary.relaxations.clone();
    let request = Request { size, threads: size, addresses: size, minimality, relaxations, workers: 2 };
    synthesise(&judge, vocabulary, &request, &Progress::default())
}

fn counts(suite: &Suite, size: usize) -> Vec<usize> {
    (2..=size).map(|n| suite.tests.iter().filter(|t| t.program.size() == n).count()).collect()
}

/// How many tests of each size are minimal for an axiom.
fn counts_of(found: &Suite, axiom: &str, size: usize) -> Vec<usize> {
    let at = found.axioms.iter().position(|name| name == axiom).expect("the axiom is there");
    let is_for = |t: &&hmc::synth::Test| suite::axioms(t) >> at & 1 == 1;
    (2..=size).map(|n| found.tests.iter().filter(is_for).filter(|t| t.program.size() == n).count()).collect()
}

#[test]
fn tso_has_the_published_counts() {
    let suite = run(TSO_WITH_QUIRK, &x86_with_quirk(), 6, Minimality::Execution);
    assert_eq!(counts(&suite, 6), [3, 5, 10, 8, 26]);
    assert_eq!(counts_of(&suite, "sc_per_loc", 6), [3, 4, 3, 0, 0]);
    assert_eq!(counts_of(&suite, "rmw_atomicity", 6), [0, 1, 3, 0, 0]);
    assert_eq!(counts_of(&suite, "causality", 6), [1, 2, 7, 8, 26]);
    let outcomes = run(TSO_WITH_QUIRK, &x86_with_quirk(), 6, Minimality::Outcome);
    assert_eq!(counts(&outcomes, 6), [3, 5, 8, 13, 34]);
    // Two of the four tests of atomicity are allowed through another coherence order.
    let atomicity = suite.axioms.iter().position(|name| name == "rmw_atomicity").expect("the axiom is there");
    let of_atomicity = suite.tests.iter().filter(|t| suite::axioms(t) >> atomicity & 1 == 1);
    let kept = of_atomicity.filter(|t| outcomes.tests.iter().any(|other| other.program == t.program));
    assert_eq!(kept.count(), 2);
}

#[test]
fn tso_without_the_quirk_has_more() {
    assert_eq!(counts(&run(TSO, &x86(), 6, Minimality::Execution), 6), [3, 5, 10, 8, 27]);
    assert_eq!(counts(&run(TSO, &x86(), 6, Minimality::Outcome), 6), [3, 5, 8, 13, 35]);
}

#[test]
fn sc_has_the_published_counts() {
    assert_eq!(counts(&run(SC, &x86(), 5, Minimality::Execution), 5), [3, 5, 12, 15]);
    assert_eq!(counts(&run(SC, &x86(), 5, Minimality::Outcome), 5), [3, 5, 10, 20]);
}

/// The lists of `../shared/synthesis`: program for program and, where they say so, axiom for axiom.
#[test]
fn the_lists_are_those_of_others() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/synthesis");
    if !shared.is_dir() {
        eprintln!("left out: ../shared/synthesis is absent");
        return;
    }
    let (execution, outcome) = (Minimality::Execution, Minimality::Outcome);
    let lists = [
        ("tso-exec.tsv", TSO_WITH_QUIRK, x86_with_quirk(), 6, execution),
        ("tsofix-exec.tsv", TSO, x86(), 5, execution),
        ("tsofix-outcome.tsv", TSO, x86(), 5, outcome),
        ("sc-exec.tsv", SC, x86(), 5, execution),
        ("sc-outcome.tsv", SC, x86(), 5, outcome),
    ];
    for (file, model, vocabulary, size, minimality) in lists {
        let text = std::fs::read_to_string(shared.join(file)).expect("it can be read");
        let row = |line: &str| {
            let columns: Vec<&str> = line.split('\t').collect();
            // Their tokens: a write of a pair is a `W`, a fence an `F`.
            let words = columns[1].split(' ').scan(false, |half, word| {
                let is_half = std::mem::replace(half, word.starts_with("R*"));
                Some(match word {
                    "F" => "mfence".to_owned(),
                    _ if is_half => word.replacen('W', "W*", 1),
                    _ => word.to_owned(),
                })
            });
            let program = Program::parse(&words.collect::<Vec<_>>().join(" "), &vocabulary).expect("a program");
            let mut axioms: Vec<String> = columns[2].split(',').map(str::to_owned).collect();
            axioms.sort();
            (program.canonical().text(&vocabulary), axioms)
        };
        let theirs: BTreeMap<String, Vec<String>> = text.lines().map(row).collect();
        let suite = run(model, &vocabulary, size, minimality);
        let ours: BTreeMap<String, Vec<String>> = suite::entries(&suite, &vocabulary, &[], Condition::Exists)
            .expect("there are registers enough")
            .into_iter()
            .map(|mut entry| {
                entry.axioms.sort();
                (entry.program, entry.axioms)
            })
            .collect();
        if minimality == execution {
            assert_eq!(ours, theirs, "{file}");
        } else {
            assert!(ours.keys().eq(theirs.keys()), "{file}");
        }
    }
}

/// A program is found in canonical form, and once.
#[test]
fn programs_are_canonical() {
    let vocabulary = x86();
    for test in run(TSO, &vocabulary, 5, Minimality::Outcome).tests {
        assert_eq!(test.program.canonical(), test.program);
        let text = test.program.text(&vocabulary);
        assert_eq!(Program::parse(&text, &vocabulary), Ok(test.program), "{text}");
    }
}

/// The same suite by the plain synthesiser, for both definitions.
fn the_plain_synthesiser_agrees(name: &str, loaded: &Loaded, vocabulary: &Vocabulary, size: usize) {
    let judge = judge(loaded, vocabulary).expect("the model can be compiled");
    for minimality in [Minimality::Outcome, Minimality::Execution] {
        let relaxations = vocabulary.relaxations.clone();
        let request = Request { size, threads: size, addresses: size, minimality, relaxations, workers: 2 };
        let suite = synthesise(&judge, vocabulary, &request, &Progress::default());
        let mut ours: Vec<String> = suite.tests.iter().map(|t| naive::normal(&t.program)).collect();
        ours.sort();
        assert_eq!(ours, naive::suite(loaded, vocabulary, size, minimality), "{name} {minimality:?}");
    }
}

/// Bundled models and their architectures, for sizes that the plain synthesiser comes to the end of.
fn bundled(models: &[(&str, &str, usize)]) {
    for (model, lattice, size) in models {
        let lattice = std::fs::read_to_string(format!("cat/{lattice}.lattice")).expect("a bundled lattice");
        the_plain_synthesiser_agrees(model, &load(LoadRequest::named(*model)), &vocabulary(&lattice), *size);
    }
}

#[test]
fn the_plain_synthesiser_agrees_on_models_of_x86() {
    bundled(&[("sc", "x86", 4), ("tso", "x86", 4), ("x86tso", "x86", 4), ("pso", "x86", 4)]);
}

#[test]
fn the_plain_synthesiser_agrees_on_models_with_dependencies() {
    bundled(&[("power", "power", 3), ("aarch64", "aarch64", 3), ("armv7", "armv7", 3), ("riscv", "riscv", 3)]);
}

#[test]
fn the_plain_synthesiser_agrees_on_models_of_languages() {
    bundled(&[("lkmm", "lkmm", 3), ("scc", "scc", 3)]);
    // Seven accesses and a fence: with all of them it would take a minute.
    let vocabulary = part_of_c11(&["Uacq", "Urel", "Uacqrel", "Usc", "Facq", "Frel", "Facqrel"]);
    for model in ["rc11", "c11"] {
        the_plain_synthesiser_agrees(model, &load(LoadRequest::named(model)), &vocabulary, 3);
    }
}

/// A small architecture with dependencies, two fences, orders and pairs.
const SMALL: &str = r#"
arch = "AArch64"
relaxations = ["RI", "DRMW", "DF", "DMO", "RD"]
dependencies = ["addr", "data", "ctrl"]
[[token]]
name = "R"
kind = "read"
[[token]]
name = "RA"
kind = "read"
tags = ["A"]
weaker = ["R"]
[[token]]
name = "W"
kind = "write"
[[token]]
name = "F"
kind = "fence"
tags = ["DMB.SY"]
weaker = ["L"]
[[token]]
name = "L"
kind = "fence"
tags = ["ISB"]
[[token]]
name = "R*"
kind = "read"
tags = ["X"]
alone = false
[[token]]
name = "W*"
kind = "write"
tags = ["X"]
alone = false
[[pair]]
read = "R*"
write = "W*"
relation = "amo"
decomposed = ["R", "W"]
"#;

/// Models put together at random: parts that are monotone and parts that are not, recursion, chosen orders.
#[test]
fn the_plain_synthesiser_agrees_on_random_models() {
    const PARTS: [&str; 16] = [
        "po-loc",
        "[R] ; po ; [M]",
        "[M] ; po ; [W]",
        "po ; [DMB.SY] ; po",
        "[A] ; po",
        "addr | data",
        "addr ; po",
        "ctrl ; [W]",
        "ctrl ; [ISB] ; po",
        "(addr | data)+ ; rfi",
        "po \\ (W * R)",
        "po-loc \\ (po-loc ; [DMB.SY] ; po-loc)",
        "data \\ (rf ; po-loc)",
        "[X] ; po ; [A]",
        "s",
        "[W] ; loc ; [A]",
    ];
    let vocabulary = vocabulary(SMALL);
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for _ in 0..12 {
        let mut part = || PARTS[random(PARTS.len())];
        let (a, b, c) = (part(), part(), part());
        let communication = ["rf | co | fr", "rfe | co | fr", "rfe | fre"][random(3)];
        let chosen = ["let s = 0", "with s from linearisations(F, 0)", "with s from linearisations(F, po ; rf ; po)"];
        let model = format!(
            "\"random\"\ninclude \"cos.cat\"\n{}\nlet rec p = {a} | {b} | p ; p\nacyclic {communication} | p as first\n\
             empty rmw & (fre ; coe) as second\nirreflexive fr ; {c} ; rf as third\n",
            chosen[random(3)]
        );
        the_plain_synthesiser_agrees(&model, &loaded(&model), &vocabulary, 3);
    }
}

/// The axioms of C11 without seq_cst, as M. Batty and others have them.
const C11: &str = r#""C11"
include "cos.cat"
let mo = co
let Acquiring = ACQ | ACQ_REL & (R | F)
let Releasing = REL | ACQ_REL & (W | F)
let same-sequence = int | (_ * (R & W))
let rs = (mo & same-sequence) \ ((mo \ same-sequence) ; mo)
let sw = ext & ([Releasing] ; ([F] ; po)? ; [W \ IW] ; rs? ; rf ; [R] ; (po ; [F])? ; [Acquiring])
let hb = (po | sw)+
"#;

/// The vocabulary of C11 without some tokens.
fn part_of_c11(left_out: &[&str]) -> Vocabulary {
    let text = include_str!("../../../cat/c11.lattice");
    let (tokens, printing) = text.split_once("[printing]").expect("a table");
    let is_left_out = |block: &&str| left_out.iter().any(|name| block.contains(&format!("\nname = \"{name}\"\n")));
    let kept: Vec<&str> = tokens.split("[[token]]").filter(|block| !is_left_out(block)).collect();
    let mut text = format!("{}[printing]{printing}", kept.join("[[token]]"));
    // Nothing is relaxed to what is left out.
    for name in left_out {
        text = text.replace(&format!("weaker = [\"{name}\"]\n"), "");
    }
    vocabulary(&text)
}

/// Facts of the paper: nothing is minimal for happens-before, and one axiom says what four say, but for atomicity.
#[test]
fn four_axioms_of_c11_are_one() {
    let vocabulary = part_of_c11(&["Rsc", "Wsc", "Usc", "Fsc", "Uacq", "Urel", "Uacqrel"]);
    let four = format!(
        "{C11}irreflexive hb as Hb\nirreflexive (rf^-1)? ; mo ; rf? ; hb as Coh\nirreflexive rf ; hb as Rf\n\
         irreflexive rf | mo ; mo ; rf^-1 | mo ; rf as Rmw\n"
    );
    let one = format!(
        "{C11}irreflexive (rf | mo | fr)* ; hb as Combined\nirreflexive rf | mo ; mo ; rf^-1 | mo ; rf as Rmw\n"
    );
    let [four, one] = [four, one].map(|model| run(&model, &vocabulary, 4, Minimality::Execution));
    assert_eq!(counts_of(&four, "Hb", 4), [0, 0, 0]);
    let [four, one] = [four, one].map(|suite| {
        let atomicity = suite.axioms.iter().position(|name| name == "Rmw").expect("the axiom is there");
        let of_order = suite.tests.iter().filter(|t| suite::axioms(t) & !(1 << atomicity) != 0);
        of_order.map(|t| t.program.text(&vocabulary)).collect::<Vec<_>>()
    });
    assert_eq!(four, one);
}

/// Tests that the paper names.
#[test]
fn power_has_the_tests_that_need_dependencies() {
    let text = include_str!("../../../cat/power.lattice");
    // Between two writes eieio does what lwsync does; without it lwsync is the weakest.
    let (before, after) = text.split_once("[[token]]\nname = \"eieio\"").expect("a token");
    let after = after.split_once("[[token]]").expect("another token").1;
    let text = format!("{before}[[token]]{after}").replace("weaker = [\"eieio\"]\n", "");
    let power = vocabulary(&text);
    let loaded = load(LoadRequest::named("power"));
    let judge = judge(&loaded, &power).expect("the model can be compiled");
    let minimal = |text: &str| {
        let program = Program::parse(text, &power).expect("a program");
        let layout = hmc::synth::minimal::frame::Layout::new(&program, &power);
        let outcomes =
            hmc::synth::minimal::Search::run(&layout, &power, &judge, Minimality::Outcome, &power.relaxations);
        !outcomes.is_empty()
    };
    // PPOAA with lwsync, LB with address dependencies and a write after each, WRC with lwsync and an address dependency.
    assert!(minimal("Ry Wz<addr1 Rz Rx<addr1 | Wx lwsync Wy"));
    assert!(minimal("Rx Wy<addr1 Wz | Rz Wa<addr1 Wx"));
    assert!(minimal("Rx lwsync Wy | Ry Rx<addr1 | Wx"));
    assert!(!minimal("Rx Wy<addr1 Wz | Rz Wx"));
}

/// Two arrangements of the threads of WWC are one test.
#[test]
fn wwc_is_found_once() {
    let suite = run(TSO, &x86(), 5, Minimality::Outcome);
    let wwc = suite::entries(&suite, &x86(), &[], Condition::Exists).expect("there are registers enough");
    assert_eq!(wwc.iter().filter(|entry| entry.name.starts_with("WWC")).count(), 1);
}
