//! Accesses of different sizes to one place: programs of `../shared/cases` in which they meet in memory that is not shared, litmus tests with the
//! answers of other tools and of machines that know no axioms, and random programs against two machines and an evaluator of single bytes.
//!
//! `HMC_RANDOM=0,2000,6` runs 2,000 random programs of up to six accesses.

mod bytes;
mod cases;
mod machines;
mod programs;
mod rows;

use crate::support::random::{Rng, all_agree};
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Engine, Settings, check};
use hmc::verdict::{FileResult, Sources};
use programs::{Arch, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

/// A final state: what is looked at, with its value.
type State = BTreeMap<String, u64>;

fn models(name: &str) -> Models {
    Models::new(LoadRequest::named(name), Vec::new(), false)
}

fn answer(file: &Path, model: &str, models: &Models, engine: Engine) -> FileResult {
    let settings = Settings { engine, timeout: Some(Duration::from_secs(60)), ..Settings::default() };
    check(file, model, models, &settings, &Sources::default())
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
    program: &Program,
    arch: Arch,
    (model, loaded): (&str, &Models),
    (states_of_other, count): (BTreeSet<State>, Option<u64>),
) -> bool {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("test.litmus");
    let text = program.text(arch);
    std::fs::write(&file, &text).expect("a test to be written");
    [Engine::Explore, Engine::Enumerate].into_iter().all(|engine| {
        let result = answer(&file, model, loaded, engine);
        let found = states(&result);
        let counted = result.positive.unwrap_or(0) + result.negative.unwrap_or(0);
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
    all_agree(60, 5, |seed, accesses| {
        let program = Program::random(&mut rng(seed), accesses, &[1, 2, 4], true);
        let order = [machines::Order::Interleaved, machines::Order::Queue, machines::Order::Places];
        loaded.iter().zip(order).all(|((name, models), order)| {
            let expected = machines::states(&program, order);
            agrees(seed, &program, Arch::X86_64, (name, models), (expected, None))
        })
    });
}

#[test]
fn single_bytes_have_the_same_states_and_as_many_executions() {
    let loaded = [("sc", Arch::X86_64), ("tso", Arch::X86_64), ("aarch64", Arch::AArch64), ("ra", Arch::AArch64)];
    let loaded = loaded.map(|(name, arch)| (name, arch, models(name)));
    all_agree(60, 4, |seed, accesses| {
        let program = Program::random(&mut rng(seed), accesses, &[1, 2], false);
        loaded.iter().all(|(name, arch, models)| {
            let usable = models.get(Some(arch.name())).unwrap_or_else(|_| panic!("{name} can be loaded"));
            let Some(expected) = bytes::executions(&program, *arch, &usable.model) else { return true };
            agrees(seed, &program, *arch, (name, models), expected)
        })
    });
}
