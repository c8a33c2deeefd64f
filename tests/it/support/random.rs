//! What the random tests have in common: numbers, running a program, and running many cases.

use super::cores::on_all_cores;
use super::*;
use hmc::algebra::Base;
use hmc::algebra::facts::analyse::Growth;
use hmc::graph::prefix::PrefixKind;
use std::collections::BTreeMap;

/// xorshift64*.
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) % n
    }
}

/// The executions that are seen, and how often each.
#[derive(Default)]
pub struct Collect(pub BTreeMap<String, usize>);

impl Visitor for Collect {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        *self.0.entry(signature(execution)).or_default() += 1;
        Go::On
    }
    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

/// All executions that exploration finds, and how often each. Where the model keeps exploration from going on, that begins anew, as in `hmc`.
pub fn explored(program: &Program, model: &Model, options: &Options) -> (BTreeMap<String, usize>, Statistics) {
    let explored = |certain| {
        let mut collect = Collect::default();
        let statistics = explore(program, &compiled(program, model, options, certain), options, &mut collect);
        (collect.0, statistics)
    };
    let (found, statistics) = explored(false);
    if statistics.stuck {
        let (found, statistics) = explored(true);
        return (found, Statistics { stuck: true, ..statistics });
    }
    (found, statistics)
}

/// The model, compiled for exploring a program so.
pub fn plan_of(program: &Program, model: &Model, options: &Options) -> Arc<Plan> {
    compiled(program, model, options, false)
}

fn compiled(program: &Program, model: &Model, options: &Options, certain: bool) -> Arc<Plan> {
    let uses = Uses::of(program);
    let holes = options.prefix != Some(PrefixKind::ProgramOrder);
    let present = |b: &Base| uses.present(&b.name, b.sort);
    let late = |b: &Base| b.name == "co";
    let growth = |late, certain| Growth { late, certain, ..Growth::stable(holes) };
    let plan = Plan::compile_for(model, &present, growth(&|_| false, certain));
    if !options.equivalence.leaves_orders_open() {
        return Arc::new(plan);
    }
    Arc::new(plan.leaving_open(Plan::compile_for(model, &present, growth(&late, true))))
}

/// `HMC_RANDOM=FROM,CASES,EVENTS` runs other and larger cases than the default ones.
pub fn all_agree(cases: u64, events: u64, agree: impl Fn(u64, u64) -> bool + Sync) {
    let asked: Vec<u64> =
        std::env::var("HMC_RANDOM").map(|v| v.split(',').filter_map(|n| n.parse().ok()).collect()).unwrap_or_default();
    let (from, cases, events) = match asked[..] {
        [from, cases, events] => (from, cases, events),
        _ => (0, cases, events),
    };
    let seeds: Vec<u64> = (from..from + cases).collect();
    let agreed = on_all_cores(&seeds, |&seed| agree(seed, events));
    let failed: Vec<u64> = seeds.iter().zip(agreed).filter(|(_, agreed)| !agreed).map(|(&seed, _)| seed).collect();
    assert!(failed.is_empty(), "{} of {cases} failed: {:?}", failed.len(), &failed[..failed.len().min(20)]);
}
