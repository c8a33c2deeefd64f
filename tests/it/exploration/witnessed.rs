//! Critical sections whose order is witnessed, against exploration of all orders, on random programs with locks (nested, too), plain and other accesses, and branches, under an order of our own and bundled models.
//!
//! Compared are the executions without what is read of locks, and the flags that some order raises; and none is found twice.

use crate::support::random::*;
use crate::support::*;
use hmc::cat::{LoadRequest, Vocabulary};
use hmc::explore::{Equivalence, Execution, Go, Options, Problem, Visitor, explore, plan_for};
use hmc::graph::base_relations::uses::Uses;
use hmc::graph::event::{INIT_THREAD, NO_EVENT, NO_LOC};
use hmc::ids::{EventId, TagSetId};
use hmc::kernel::plan::Plan;
use hmc::program::operation::{Operation, Primitive};
use hmc::program::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Executions without what is read of locks, each with how often it was found and its flags.
#[derive(Default)]
struct Seen {
    locks: Vec<u64>,
    found: BTreeMap<String, (u64, BTreeSet<usize>)>,
    problems: u64,
}

impl Visitor for Seen {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let (graph, world) = (execution.graph, execution.world);
        let name = |e: EventId| match graph.event(e).thread {
            _ if e == NO_EVENT => String::new(),
            INIT_THREAD => "init".to_owned(),
            thread => format!("{}.{}", thread.0, graph.event(e).key),
        };
        let mut text = String::new();
        for lane in graph.lanes() {
            for event in lane.order.iter().map(|&e| graph.event(e)) {
                let address = if event.loc == NO_LOC { 0 } else { world.locs.get(event.loc).0 };
                let source =
                    if self.locks.contains(&address) || event.rf == NO_EVENT { String::new() } else { name(event.rf) };
                text += &format!("{:x}@{address:x}={}<{source} ", event.key, event.value);
            }
            text += "| ";
        }
        let mut orders: Vec<(u64, Vec<String>)> = Vec::new();
        for (loc, place) in graph.places() {
            orders.push((world.locs.get(loc).0, place.co.iter().map(|&w| name(w)).collect()));
        }
        orders.retain(|(address, _)| !self.locks.contains(address));
        orders.sort();
        let (count, flags) = self.found.entry(format!("{text}{orders:?}")).or_default();
        *count += 1;
        flags.extend(execution.flags);
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        self.problems += 1;
        Go::On
    }
}

/// What the accesses of a model's programs carry.
struct Words {
    model: &'static str,
    loads: &'static [&'static [&'static str]],
    stores: &'static [&'static [&'static str]],
    fences: &'static [&'static [&'static str]],
    /// The read and the write of an acquisition, a read that finds the lock taken, a release.
    lock: [&'static [&'static str]; 4],
    hidden: bool,
}

const NONE: Words = Words { model: "", loads: &[&[]], stores: &[&[]], fences: &[&[]], lock: [&[]; 4], hidden: false };

const SC: Words = Words { model: "sc", ..NONE };

const TSO: Words = Words {
    model: "tso",
    loads: &[&["A", "RLX"]],
    stores: &[&["A", "RLX"], &["A", "SC"]],
    fences: &[&["SC"]],
    lock: [&["A", "RMW", "ACQ"], &["A", "RMW", "RLX"], &["A", "RLX"], &["A", "REL"]],
    hidden: false,
};

const RC11: Words = Words {
    model: "rc11",
    loads: &[&["NA"], &["A", "RLX"], &["A", "RLX"], &["A", "ACQ"]],
    stores: &[&["NA"], &["A", "RLX"], &["A", "RLX"], &["A", "REL"]],
    fences: &[&["SC"], &["ACQ"], &["REL"]],
    ..TSO
};

const C11: Words = Words { model: "c11", ..RC11 };

const IMM: Words = Words { model: "imm", ..RC11 };

const AARCH64: Words = Words {
    model: "aarch64",
    loads: &[&[], &["Q"]],
    stores: &[&[], &["L"]],
    fences: &[&["DMB.SY"], &["DMB.LD"]],
    lock: [&["X", "A"], &["X"], &["X", "A"], &["L"]],
    hidden: false,
};

const LKMM: Words = Words {
    model: "lkmm",
    loads: &[&["ONCE"], &["ACQUIRE"]],
    stores: &[&["ONCE"], &["RELEASE"]],
    fences: &[&["MB"], &["RMB"], &["WMB"]],
    lock: [&["LKR", "LK"], &["LKW", "LK"], &["LF", "LK"], &["UL", "LK"]],
    hidden: true,
};

/// A thread, as words: `L0`, `U0`, `Rx`, `Wx`, `F`, and `Ix`: go on to the next word only if `x` is not 0.
fn random_thread(rng: &mut Rng, sections: u64) -> Vec<String> {
    let access = |rng: &mut Rng, out: &mut Vec<String>| {
        let name = ["x", "y", "z"][rng.below(3) as usize];
        match rng.below(12) {
            0..6 => out.push(format!("R{name}")),
            6..10 => out.push(format!("W{name}")),
            10 => out.push("F".to_owned()),
            _ => {
                out.push(format!("I{name}"));
                out.push(format!("W{}", ["x", "y"][rng.below(2) as usize]));
            }
        }
    };
    let some =
        |rng: &mut Rng, out: &mut Vec<String>, most: u64| (0..rng.below(most + 1)).for_each(|_| access(rng, out));
    let mut out = Vec::new();
    for _ in 0..1 + rng.below(sections) {
        some(rng, &mut out, 1);
        let lock = rng.below(2);
        out.push(format!("L{lock}"));
        some(rng, &mut out, 2);
        if lock == 0 && rng.below(3) == 0 {
            out.push("L1".to_owned());
            some(rng, &mut out, 1);
            out.push("U1".to_owned());
        }
        out.push(format!("U{lock}"));
    }
    if rng.below(3) == 0 {
        some(rng, &mut out, 1);
    }
    out
}

/// The program of threads, with locks that are taken as in C, and the addresses of these.
fn program_of(threads: &[Vec<String>], words: &Words, rng: &mut Rng) -> (Program, Vec<u64>) {
    let mut b = Builder::new();
    let mut number = |set: &[&str]| -> TagSetId {
        b.program.program.intern_tags(&set.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>())
    };
    let mut all = |sets: &[&[&str]]| -> Vec<TagSetId> { sets.iter().map(|set| number(set)).collect() };
    let (loads, stores, fences, lock) = (all(words.loads), all(words.stores), all(words.fences), all(&words.lock));
    let variables: Vec<Operand> = ["x", "y", "z", "m0", "m1"].map(|name| b.var(name)).to_vec();
    let hidden = words.hidden;
    let mut value = 0;
    for thread in threads {
        b.thread(|f| {
            let mut skipped: Option<Label> = None;
            for word in thread {
                let addr = match &word[1..] {
                    "x" => variables[0],
                    "y" => variables[1],
                    "z" => variables[2],
                    "0" => variables[3],
                    _ => variables[4],
                };
                let any = |rng: &mut Rng, all: &[TagSetId]| all[rng.below(all.len() as u64) as usize];
                let after = skipped.take();
                match &word[..1] {
                    "L" => {
                        let (dst, free) = (f.reg(), f.reg());
                        let unless = Some(Unless { expected: Operand::Const(0), tags: lock[2], half: Half::None });
                        f.mark(Operation::Acquire(Primitive::Mutex));
                        f.push(Instr::Load(Load {
                            dst,
                            addr,
                            size: 4,
                            tags: lock[0],
                            half: Half::AmoRead,
                            unless,
                            hidden,
                        }));
                        let (a, b) = (Operand::Reg(dst), Operand::Const(0));
                        f.push(Instr::Bin { dst: free, op: BinOp::Eq, bits: 32, a, b });
                        f.push(Instr::StopUnless { cond: Operand::Reg(free), why: Stop::Await });
                        let (value, half) = (Operand::Const(1), Half::AmoWrite);
                        f.push(Instr::Store(Store { addr, value, size: 4, tags: lock[1], half, hidden }));
                    }
                    "U" => {
                        f.mark(Operation::Release(Primitive::Mutex));
                        let (value, half) = (Operand::Const(0), Half::None);
                        f.push(Instr::Store(Store { addr, value, size: 4, tags: lock[3], half, hidden }));
                    }
                    "F" => f.push(Instr::Fence { tags: any(rng, &fences), addr: None, is_fence: true }),
                    "W" => {
                        value += 1;
                        let (value, tags, half) = (Operand::Const(value), any(rng, &stores), Half::None);
                        f.push(Instr::Store(Store { addr, value, size: 4, tags, half, hidden: false }));
                    }
                    _ => {
                        let (dst, tags, half) = (f.reg(), any(rng, &loads), Half::None);
                        f.push(Instr::Load(Load { dst, addr, size: 4, tags, half, unless: None, hidden: false }));
                        if word.starts_with('I') {
                            let (then, otherwise) = (f.label(), f.label());
                            let cond = Operand::Reg(dst);
                            f.push(Instr::Branch {
                                cond,
                                then: FunctionBuilder::target(then),
                                otherwise: FunctionBuilder::target(otherwise),
                                join: Join::NoDependency,
                            });
                            f.place(then);
                            skipped = Some(otherwise);
                        }
                    }
                }
                f.next_group();
                after.into_iter().for_each(|label| f.place(label));
            }
        });
    }
    let locks =
        variables[3..].iter().filter_map(|v| if let Operand::Const(address) = v { Some(*address) } else { None });
    (b.finish(), locks.collect())
}

fn seen(program: &Program, plan: &Arc<Plan>, locks: &[u64], witness_sections: bool) -> Option<Seen> {
    let options = Options { witness_sections, delay_waits: !witness_sections, max_work: 400_000, ..Options::default() };
    let mut seen = Seen { locks: locks.to_vec(), ..Seen::default() };
    let statistics = explore(program, plan, &options, &mut seen);
    assert!(!witness_sections || statistics.blocked == 0, "nobody waits");
    (!statistics.stopped).then_some(seen)
}

/// How many programs were compared, and of how many fewer executions stand for all.
#[derive(Default)]
struct Compared {
    programs: AtomicU64,
    reduced: AtomicU64,
}

impl Compared {
    fn say(&self, model: &str) {
        println!("{model}: {:?} programs compared, fewer executions of {:?}", self.programs, self.reduced);
    }
}

/// Compares one program, if its plan keeps program order.
fn agree(seed: u64, words: &Words, most: u64, plan: &dyn Fn(&Program) -> Arc<Plan>, compared: &Compared) -> bool {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let count = 2 + rng.below(most - 1);
    let threads: Vec<Vec<String>> =
        (0..count).map(|_| random_thread(&mut rng, if count == 2 { 2 } else { 1 })).collect();
    let (program, locks) = program_of(&threads, words, &mut rng);
    let plan = plan(&program);
    if !plan.implies_porf_acyclic() {
        return true;
    }
    let (Some(all), few) = (seen(&program, &plan, &locks, false), seen(&program, &plan, &locks, true)) else {
        return true;
    };
    let Some(few) = few else {
        println!("seed {seed} {}: the search was stopped\n{threads:?}", words.model);
        return false;
    };
    let is_once = few.found.values().all(|(count, _)| *count == 1);
    let flags = |seen: &Seen| {
        seen.found.iter().map(|(key, (_, flags))| (key.clone(), flags.clone())).collect::<BTreeMap<_, _>>()
    };
    compared.programs.fetch_add(1, Ordering::Relaxed);
    compared.reduced.fetch_add(u64::from(all.found.values().any(|(count, _)| *count > 1)), Ordering::Relaxed);
    if flags(&all) == flags(&few) && is_once && few.problems == all.problems {
        return true;
    }
    let (all, few) = (flags(&all), flags(&few));
    println!("seed {seed} {}: {} and {}, once {is_once}\n{threads:?}", words.model, all.len(), few.len());
    all.iter().filter(|(key, flags)| few.get(*key) != Some(flags)).for_each(|other| println!("lost {other:?}"));
    few.keys().filter(|key| !all.contains_key(*key)).for_each(|key| println!("new {key}"));
    false
}

#[test]
fn executions_are_those_of_all_orders_under_an_order_of_our_own() {
    let model = ordered(Order::Sc);
    let plan = |program: &Program| {
        let uses = Uses::of(program);
        Arc::new(Plan::compile(&model, &|b| uses.present(&b.name, b.sort), false))
    };
    let compared = Compared::default();
    all_agree(150, 3, |seed, most| agree(seed, &NONE, most, &plan, &compared));
    compared.say("an order of our own");
    assert!(std::env::var("HMC_RANDOM").is_ok() || compared.reduced.into_inner() > 0, "nothing was left out");
}

#[test]
fn executions_are_those_of_all_orders_under_bundled_models() {
    for words in [&SC, &TSO, &RC11, &C11, &IMM, &AARCH64, &LKMM] {
        let loaded = hmc::cat::load(&LoadRequest::named(words.model), &Vocabulary::default());
        let Ok(loaded) = loaded else { panic!("{} does not load", words.model) };
        let plan = |program: &Program| plan_for(&loaded.model, program, &Equivalence::default());
        let compared = Compared::default();
        all_agree(120, 3, |seed, most| agree(seed, words, most, &plan, &compared));
        compared.say(words.model);
        let is_any_reduced = compared.reduced.into_inner() > 0;
        assert!(std::env::var("HMC_RANDOM").is_ok() || is_any_reduced, "nothing was left out");
    }
}

#[test]
fn readers_under_one_lock_are_one_execution() {
    let threads = vec![["L0", "Rx", "U0"].map(str::to_owned).to_vec(); 20];
    let loaded = hmc::cat::load(&LoadRequest::named("rc11"), &Vocabulary::default());
    let Ok(loaded) = loaded else { panic!("rc11 does not load") };
    let (program, locks) = program_of(&threads, &RC11, &mut Rng(1));
    let plan = plan_for(&loaded.model, &program, &Equivalence::default());
    let found = seen(&program, &plan, &locks, true).map(|seen| seen.found);
    assert_eq!(found.map(|found| found.values().map(|(count, _)| *count).collect::<Vec<_>>()), Some(vec![1]));
}
