//! `--condition-only` leaves out what cannot change the answer: the answer is that of a run that looks at every execution.
//!
//! Held against each other on the reference corpus (where it is there), on the tests of this repository, and on random programs.

use crate::support::*;
use hmc::algebra::Model;
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Settings, check};
use hmc::explore::{Execution, Go, Options, Problem, Visitor, explore, plan};
use hmc::program::*;
use hmc::verdict::Sources;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path());
    let mut all: Vec<PathBuf> = entries.filter(|p| p.extension().is_some_and(|e| e == "litmus")).collect();
    all.sort();
    all
}

/// The answers of both ways, for every test of a folder.
fn same_answers(folder: &Path, model: &str) {
    let models = Models::new(LoadRequest::named(model), Vec::new(), false);
    let full = Settings { timeout: Some(Duration::from_secs(20)), ..Settings::default() };
    let quick = Settings { condition_only: true, ..full.clone() };
    let sources = Sources::default();
    for file in files(folder) {
        let [full, quick] = [&full, &quick].map(|settings| check(&file, model, &models, settings, &sources));
        // Without an answer in time there is nothing to compare.
        if full.condition.is_some() {
            assert_eq!(full.condition, quick.condition, "{} under {model}", file.display());
        }
    }
}

#[test]
fn the_corpus_gets_the_same_answers() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    if !corpus.is_dir() {
        crate::support::left_out::left_out(&format!("{} is not there", corpus.display()));
        return;
    }
    let folders = [
        ("aarch64", "aarch64"),
        ("arm", "armv7"),
        ("c11", "rc11"),
        ("ppc", "power"),
        ("riscv", "riscv"),
        ("x86", "x86tso"),
        ("x86_64", "x86tso-mixed"),
    ];
    std::thread::scope(|scope| {
        scope.spawn(|| same_answers(&corpus.join("lkmm"), "lkmm"));
        for (folder, model) in folders {
            same_answers(&corpus.join(folder), model);
        }
    });
}

/// Looks for an execution whose observed registers end with these values.
struct Wanted {
    values: Vec<(u32, u32, u64)>,
    prunes: bool,
    found: bool,
    seen: BTreeSet<Vec<u64>>,
}

fn ends(registers: &[(u32, u32)], execution: &Execution<'_, '_>) -> Vec<u64> {
    let value = |&(t, r): &(u32, u32)| {
        let lane = &execution.graph.lanes()[t as usize];
        lane.thread.as_ref().and_then(|thread| thread.frame().regs.get(r as usize)).map_or(0, |slot| slot.value)
    };
    registers.iter().map(value).collect()
}

impl Visitor for Wanted {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let registers: Vec<(u32, u32)> = self.values.iter().map(|&(t, r, _)| (t, r)).collect();
        let end = ends(&registers, execution);
        self.found |= end.iter().zip(&self.values).all(|(value, wanted)| *value == wanted.2);
        self.seen.insert(end);
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }

    fn rules_out(&self, value: &dyn Fn(u32, u32) -> Option<u64>) -> bool {
        self.prunes && self.values.iter().any(|&(t, r, wanted)| value(t, r).is_some_and(|value| value != wanted))
    }
}

/// xorshift64*.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }
}

/// Straight threads with loads and stores, some of them of values that were read; and the registers that are loaded.
fn random_program(rng: &mut Rng) -> (Program, Vec<(u32, u32)>) {
    let mut b = Builder::new();
    let vars: Vec<Operand> = (0..2 + rng.below(2)).map(|i| b.var(&format!("x{i}"))).collect();
    let mut registers = Vec::new();
    for t in 0..2 + rng.below(3) as u32 {
        let only_writes = rng.below(4) == 0;
        b.thread(|f| {
            let mut last = None;
            for _ in 0..1 + rng.below(3) {
                let x = vars[rng.below(vars.len() as u64) as usize];
                if !only_writes && rng.below(2) == 0 {
                    let loaded = load(f, x, Half::None);
                    if let Operand::Reg(register) = loaded {
                        registers.push((t, register));
                    }
                    last = Some(loaded);
                } else {
                    let value = last.filter(|_| rng.below(2) == 0).unwrap_or(Operand::Const(1 + rng.below(2)));
                    store(f, x, value, Half::None);
                }
            }
        });
    }
    (b.finish(), registers)
}

fn answers(program: &Program, model: &Model, values: &[(u32, u32, u64)], prunes: bool) -> Wanted {
    let options = Options { prune: prunes, ..Options::default() };
    let mut wanted = Wanted { values: values.to_vec(), prunes, found: false, seen: BTreeSet::new() };
    explore(program, &plan(model, program), &options, &mut wanted);
    wanted
}

#[test]
fn random_programs_get_the_same_answers() {
    let models = [Order::Sc, Order::Tso, Order::Coherent, Order::Dependent].map(|order| (order, ordered(order)));
    for seed in 1..=137 {
        let mut rng = Rng(seed * 0x9e37_79b9 + 1);
        let (program, registers) = random_program(&mut rng);
        for (order, model) in &models {
            let open: Vec<(u32, u32, u64)> = registers.iter().map(|&(t, r)| (t, r, u64::MAX)).collect();
            let reachable = answers(&program, model, &open, false).seen;
            for _ in 0..4 {
                let target: Vec<(u32, u32, u64)> = registers.iter().map(|&(t, r)| (t, r, rng.below(3))).collect();
                let expected = reachable.contains(&target.iter().map(|v| v.2).collect::<Vec<_>>());
                let found = answers(&program, model, &target, true).found;
                assert_eq!(found, expected, "seed {seed}, {order:?}, {target:?}");
            }
            for end in reachable {
                let target: Vec<_> = registers.iter().zip(&end).map(|(&(t, r), &v)| (t, r, v)).collect();
                assert!(answers(&program, model, &target, true).found, "seed {seed}, {order:?}, {target:?}");
            }
        }
    }
}
