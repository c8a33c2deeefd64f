//! Litmus tests from random cycles (`crate::support::cycles`), for every architecture. Each is answered in several ways: as `hmc` does by
//! default (tests whose events are always the same are searched, not explored), by exploration with every execution judged again, up to
//! reads-from, by looking for one witness, and by enumeration. They agree on the states.
//!
//! `HMC_RANDOM=0,2000,7` runs 2,000 of up to seven accesses.

use crate::support::cycles::{ARCHITECTURES, Generated, random_test};
use crate::support::random::{Rng, all_agree};
use hmc::candidates::straightline;
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Engine, Settings, check};
use hmc::explore::{Equivalence, Options};
use hmc::verdict::{FileResult, Sources, Verdict};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

/// How many tests of an architecture were made, and of how many what is true.
#[derive(Default, Debug)]
struct Tally {
    tests: usize,
    /// Events are the same in every execution.
    straight: usize,
    /// The time limit ended the default way.
    unanswered: usize,
    /// The enumerator came to an end.
    enumerated: usize,
    /// The cycle's outcome is allowed.
    allowed: usize,
}

/// What must be the same in all answers.
fn facts(result: &FileResult, counts: bool) -> String {
    let messages: Vec<&str> = result.messages.iter().map(|m| m.message.as_str()).collect();
    let FileResult { kind, observation, positive, negative, states, flags, .. } = result;
    let flags: Vec<_> = flags.iter().map(|f| (&f.name, f.undefined)).collect();
    let counts = counts.then_some((positive, negative));
    format!("{kind:?} {observation:?} {counts:?} {flags:?} {messages:?}\n{}", states.join("\n"))
}

/// Whether the time limit ended a search. A loop that was cut at its bound is cut there in every way.
fn is_cut_short(result: &FileResult) -> bool {
    result.verdict == Verdict::Bounded && result.notes.iter().any(|note| note.starts_with("the time limit"))
}

fn compare(models: &Models, model: &str, test: &Generated, seed: u64, file: &Path, tally: &mut Tally) -> bool {
    let brief = Settings { timeout: Some(Duration::from_secs(5)), ..Settings::default() };
    // Loops of exclusive pairs that go round without a bound have no end for the enumerator.
    let base = if test.retries { Settings { unroll: Some(2), ..brief } } else { brief };
    let answer = |settings: &Settings| check(file, model, models, settings, &Sources::default());
    let default = answer(&base);
    let explored = answer(&Settings { audit: true, ..base.clone() });
    let up_to_reads = answer(&Settings { equivalence: Some(Equivalence::ReadsFrom), ..base.clone() });
    let two = Some(Duration::from_secs(2));
    let enumerated = answer(&Settings { engine: Engine::Enumerate, timeout: two, ..base.clone() });
    let mut same = true;
    let mut differs = |how: &str, one: &str, other: &str| {
        println!("seed {seed} under {model}: {how}\n{}\nby default:\n{one}\n{how}:\n{other}\n", test.text);
        same = false;
    };
    if is_cut_short(&default) {
        tally.unanswered += 1;
        return true;
    }
    if default.log.is_none() {
        let why: Vec<&str> = default.messages.iter().map(|m| m.message.as_str()).collect();
        differs("no answer", &why.join("; "), &default.notes.join("; "));
        return false;
    }
    tally.allowed += usize::from(default.positive > Some(0));
    tally.enumerated += usize::from(!is_cut_short(&enumerated));
    for (how, other, counts) in
        [("explored", &explored, true), ("up to reads-from", &up_to_reads, false), ("enumerated", &enumerated, true)]
    {
        if !is_cut_short(other) && facts(&default, counts) != facts(other, counts) {
            differs(how, &facts(&default, counts), &facts(other, counts));
        }
    }
    let decided = answer(&Settings { condition_only: true, ..base });
    if !is_cut_short(&decided) && !default.partial && decided.condition != default.condition {
        differs("one witness", &format!("{:?}", default.condition), &format!("{:?}", decided.condition));
    }
    same
}

#[test]
fn all_ways_to_answer_a_test_from_a_cycle_agree() {
    let loaded: BTreeMap<&str, Models> = ["aarch64", "power", "riscv", "armv7", "mips", "x86tso-mixed", "rc11", "c11"]
        .map(|name| (name, Models::new(LoadRequest::named(name), Vec::new(), false)))
        .into();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let tallies: Mutex<BTreeMap<&str, Tally>> = Mutex::default();
    all_agree(140, 6, |seed, accesses| {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let architecture = ARCHITECTURES[seed as usize % ARCHITECTURES.len()];
        let test = random_test(&mut rng, architecture, accesses);
        let file = folder.path().join(format!("{seed}.litmus"));
        std::fs::write(&file, &test.text).expect("a test to be written");
        if let Some(kept) = std::env::var_os("HMC_CYCLES") {
            let _ = std::fs::write(Path::new(&kept).join(format!("{seed}.litmus")), &test.text);
        }
        let mut tally = Tally { tests: 1, ..Tally::default() };
        let parsed = hmc::litmus::parse(&test.text, "generated", &Default::default()).ok();
        tally.straight =
            usize::from(parsed.is_some_and(|p| straightline::shape(&p.program, &Options::default()).is_some()));
        let agree = test.models.iter().all(|model| compare(&loaded[model], model, &test, seed, &file, &mut tally));
        let mut tallies = tallies.lock().expect("tallies");
        let all = tallies.entry(architecture).or_default();
        all.tests += 1;
        all.straight += tally.straight;
        all.unanswered += tally.unanswered;
        all.enumerated += tally.enumerated;
        all.allowed += tally.allowed;
        agree
    });
    for (architecture, tally) in tallies.lock().expect("tallies").iter() {
        println!("{architecture}: {tally:?}");
        // What is compared is not nothing.
        assert!(tally.enumerated * 4 > tally.tests, "{architecture}: {tally:?}");
        assert!(tally.allowed > 0, "{architecture}: {tally:?}");
    }
}
