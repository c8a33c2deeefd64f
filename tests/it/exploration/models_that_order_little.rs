//! Litmus tests under models that order less than any processor. Exchanges and updates without a lock prefix, where nothing orders their halves: what an exchange writes does not
//! depend on what it reads, so that executions may go round through the two, although program order and reads-from have no cycle. And threads that read what they write
//! later. The default search is held against the enumerator.

use crate::support::random::{Rng, all_agree};
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Engine, Settings, check};
use hmc::explore::Equivalence;
use hmc::verdict::{FileResult, Sources, Verdict};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const MODELS: [(&str, &str); 4] = [
    ("herd-sc", "Sequential\ninclude \"cos.cat\"\nacyclic po | rf | fr | co as sc\nempty rmw & (fre; coe) as atom\n"),
    ("reads-from", "Reading\ninclude \"cos.cat\"\nacyclic po & (R * M) | rf as order\n"),
    (
        "coherent",
        "Coherent\ninclude \"cos.cat\"\nacyclic po-loc | rf | fr | co as coherence\nacyclic po | rf as order\n",
    ),
    ("paired", "Paired\ninclude \"cos.cat\"\nacyclic po | rmw | rf | fr | co as sc\n"),
];

fn random_test(rng: &mut Rng) -> String {
    let instructions = [
        "XCHG [x],EAX",
        "XCHG [y],EBX",
        "INC [x]",
        "XADD [x],EAX",
        "LOCK XADD [y],EBX",
        "MOV ECX,[x]",
        "MOV [y],ECX",
        "MOV [x],$2",
    ];
    let threads = 2 + rng.below(2) as usize;
    // What is added to what was read makes the enumerator try many values.
    let lines = if threads == 2 { 1 + rng.below(2) } else { 1 };
    let mut text = String::from("X86 random\n{ x=0; y=0; 0:EAX=1; 0:EBX=2; 1:EAX=3; 1:EBX=4; }\n");
    let row = |cells: Vec<String>| cells.join(" | ") + " ;\n";
    text += &row((0..threads).map(|t| format!("P{t}")).collect());
    for _ in 0..lines {
        text += &row((0..threads).map(|_| instructions[rng.below(8) as usize].to_owned()).collect());
    }
    text + "locations [x; y; 0:EAX; 0:EBX; 0:ECX; 1:EAX; 1:EBX; 1:ECX;]\nexists (x=1)\n"
}

/// What a result says; nothing where it took too long.
fn facts(result: &FileResult) -> Option<String> {
    let FileResult { positive, negative, states, .. } = result;
    let says = format!("{positive:?} {negative:?}\n{}", states.join("\n"));
    (result.verdict != Verdict::Bounded).then_some(says)
}

/// What the default search and the enumerator say.
fn answers(models: &Models, file: &Path) -> [Option<String>; 2] {
    [Engine::Explore, Engine::Enumerate].map(|engine| {
        let settings = Settings { engine, timeout: Some(Duration::from_millis(300)), ..Settings::default() };
        let result = check(file, "model", models, &settings, &Sources::default());
        assert!(result.messages.is_empty(), "{:?}", result.messages);
        facts(&result)
    })
}

fn all_models(folder: &Path) -> Vec<Models> {
    let load = |(name, text): &(&str, &str)| {
        let file = folder.join(format!("{name}.cat"));
        std::fs::write(&file, text).expect("a model to be written");
        Models::new(LoadRequest::named(file.display().to_string()), Vec::new(), false)
    };
    MODELS.iter().map(load).collect()
}

#[test]
fn two_exchanges_may_read_from_each_other_where_nothing_orders_their_halves() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let models = all_models(folder.path());
    let file = folder.path().join("exchanges.litmus");
    let text = "X86 exchanges\n{ y=0; 0:EAX=1; 1:EAX=2; }\nP0 | P1 ;\nXCHG [y],EAX | XCHG [y],EAX ;\nexists (0:EAX=2 /\\ 1:EAX=1)\n";
    std::fs::write(&file, text).expect("a test to be written");
    for (models, (name, _)) in models.iter().zip(MODELS) {
        let [searched, enumerated] = answers(models, &file);
        assert_eq!(searched, enumerated, "{name}");
        assert_eq!(searched.is_some_and(|says| says.starts_with("Some(0)")), name == "paired", "{name}");
    }
}

/// A write that happens because its own thread has read it before.
#[test]
fn a_thread_that_may_read_its_later_write_may_decide_about_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let model = folder.path().join("anything.cat");
    std::fs::write(&model, "Anything\ninclude \"cos.cat\"\nflag ~acyclic po | rf as odd\n")
        .expect("a model to be written");
    let models = Models::new(LoadRequest::named(model.display().to_string()), Vec::new(), false);
    let file = folder.path().join("own.litmus");
    let text = "X86 own\n{ y=0; }\nP0 | P1 ;\nMOV ECX,[y] | MOV [y],$2 ;\nCMP ECX,$0 | ;\nJE L | ;\nMOV [y],$1 | ;\nL: | ;\nexists (0:ECX=1)\n";
    std::fs::write(&file, text).expect("a test to be written");
    let ways = [
        Settings::default(),
        Settings { audit: true, ..Settings::default() },
        Settings { condition_only: true, ..Settings::default() },
        Settings { equivalence: Some(Equivalence::ReadsFrom), ..Settings::default() },
    ];
    for settings in ways {
        let result = check(&file, "anything", &models, &settings, &Sources::default());
        assert_eq!(result.condition.as_deref(), Some("Ok"), "{settings:?}");
    }
}

#[test]
fn the_search_finds_what_the_enumerator_finds() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let models = all_models(folder.path());
    let compared = AtomicU64::new(0);
    all_agree(150, 4, |seed, _| {
        let text = random_test(&mut Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1));
        let file = folder.path().join(format!("{seed}.litmus"));
        std::fs::write(&file, &text).expect("a test to be written");
        models.iter().zip(MODELS).all(|(models, (name, _))| {
            let [searched, enumerated] = answers(models, &file);
            let (Some(searched), Some(enumerated)) = (searched, enumerated) else { return true };
            compared.fetch_add(1, Ordering::Relaxed);
            if searched != enumerated {
                println!("seed {seed} under {name}\n{text}\nby default:\n{searched}\nenumerated:\n{enumerated}");
            }
            searched == enumerated
        })
    });
    let compared = compared.into_inner();
    assert!(compared > 200, "{compared} tests under a model");
}
