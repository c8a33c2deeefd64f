//! Waits and assumptions delayed and given up, against plain exploration, on random programs whose waits look at several locations, and on such with locks; and a search that makes every revisit, against the same.
//!
//! Compared are the complete executions, which assertions can fail, and which threads can wait for ever.

use crate::support::programs::load_unless;
use crate::support::random::*;
use crate::support::*;
use hmc::algebra::Model;
use hmc::algebra::places::over_parts;
use hmc::candidates::enumerate::signature;
use hmc::explore::{Execution, Go, Options, Problem, Visitor, explore};
use hmc::graph::base_relations::uses::Uses;
use hmc::graph::prefix::PrefixKind;
use hmc::ids::FuncId;
use hmc::kernel::plan::Plan;
use hmc::program::cuts::{self, Cut};
use hmc::program::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

fn compared(f: &mut FunctionBuilder, rng: &mut Rng, value: Operand) -> (Operand, String) {
    let op = [BinOp::Ne, BinOp::Eq, BinOp::ULt, BinOp::UGe][rng.below(4) as usize];
    let bound = rng.below(3);
    let dst = f.reg();
    f.push(Instr::Bin { dst, op, bits: 32, a: value, b: Operand::Const(bound) });
    (Operand::Reg(dst), format!("{op:?} {bound}"))
}

/// An assertion about a value, now and then; its text.
fn asserted(f: &mut FunctionBuilder, rng: &mut Rng, value: Operand) -> String {
    if rng.below(3) > 0 {
        return String::new();
    }
    let (cond, what) = compared(f, rng, value);
    f.push(Instr::Assert { cond, message: what.clone().into() });
    format!(" assert {what};")
}

fn branch(f: &mut FunctionBuilder, cond: Operand, then: Label, otherwise: Label) {
    let (then, otherwise) = (FunctionBuilder::target(then), FunctionBuilder::target(otherwise));
    f.push(Instr::Branch { cond, then, otherwise, join: Join::Merge });
}

/// A random program of 2 or 3 threads, and its text.
fn random_spins(rng: &mut Rng, events: u64) -> (Program, String) {
    let mut b = Builder::new();
    let vars: Vec<Operand> = (0..3).map(|i| b.var(&format!("x{i}"))).collect();
    let threads = 2 + rng.below(2);
    let mut text = String::new();
    for t in 0..threads {
        let n = 1 + rng.below(events / threads);
        text += &format!("P{t}:\n");
        b.thread(|f| {
            let mut last = None;
            for _ in 0..n {
                let [v, w] = [(); 2].map(|()| rng.below(vars.len() as u64) as usize);
                match rng.below(14) {
                    0 => {
                        last = Some(load(f, vars[v], Half::None));
                        text += &format!("  r = x{v}\n");
                    }
                    1..=4 => {
                        let value = rng.below(3);
                        store(f, vars[v], Operand::Const(value), Half::None);
                        text += &format!("  x{v} = {value}\n");
                    }
                    5 => {
                        increment(f, vars[v]);
                        text += &format!("  x{v}++\n");
                    }
                    6 | 7 => {
                        // Two locations decide whether the loop goes round; the second is looked at only when the first says so.
                        let (head, second, out) = (f.label(), f.label(), f.label());
                        f.place(head);
                        let one = load(f, vars[v], Half::None);
                        let early = asserted(f, rng, one);
                        let (go, first) = compared(f, rng, one);
                        branch(f, go, second, out);
                        f.place(second);
                        let other = load(f, vars[w], Half::None);
                        let (go, then) = compared(f, rng, other);
                        let either = if rng.below(2) == 0 { one } else { other };
                        let late = asserted(f, rng, either);
                        branch(f, go, head, out);
                        f.place(out);
                        text += &format!("  while (x{v}{early} {first} && x{w} {then}){late};\n");
                    }
                    8 | 9 => {
                        // What stands between the read and the way back can be a fence.
                        let (head, out) = (f.label(), f.label());
                        f.place(head);
                        let value = load(f, vars[v], Half::None);
                        f.push(Instr::Fence { tags: Default::default(), addr: None, is_fence: true });
                        let (go, what) = compared(f, rng, value);
                        let late = asserted(f, rng, value);
                        branch(f, go, head, out);
                        f.place(out);
                        text += &format!("  while (x{v} {what}) fence;{late}\n");
                    }
                    10 => {
                        let value = load(f, vars[v], Half::None);
                        let early = asserted(f, rng, value);
                        let (cond, what) = compared(f, rng, value);
                        f.push(Instr::StopUnless { cond, why: Stop::Assume });
                        text += &format!("  x{v}{early} assume {what}\n");
                    }
                    11 => {
                        let value = rng.below(3);
                        last = Some(load(f, vars[v], Half::AmoRead));
                        store(f, vars[v], Operand::Const(value), Half::AmoWrite);
                        text += &format!("  r = xchg x{v} {value}\n");
                    }
                    12 => {
                        let value = rng.below(3);
                        last = Some(load(f, vars[v], Half::ExRead));
                        f.next_group();
                        exclusive_store(f, vars[v], Operand::Const(value), [0, 1]);
                        text += &format!("  r = ldx x{v}; stx x{v} = {value}\n");
                    }
                    _ => {
                        let Some(value) = last else { continue };
                        let (cond, what) = compared(f, rng, value);
                        f.push(Instr::Assert { cond, message: what.clone().into() });
                        text += &format!("  assert r {what}\n");
                    }
                }
            }
        });
    }
    (b.finish(), text)
}

/// A random program of 2 or 3 threads that take up to three locks, one in another or hand over hand, and read and write meanwhile; its text. Threads may wait for each other for ever.
fn random_locks(rng: &mut Rng, events: u64) -> (Program, String) {
    let mut b = Builder::new();
    let locks: Vec<Operand> = (0..1 + rng.below(3)).map(|i| b.var(&format!("l{i}"))).collect();
    let vars: Vec<Operand> = (0..2).map(|i| b.var(&format!("x{i}"))).collect();
    let threads = 2 + rng.below(2);
    let mut text = String::new();
    for t in 0..threads {
        text += &format!("P{t}:\n");
        b.thread(|f| {
            let mut held: Vec<usize> = Vec::new();
            for _ in 0..1 + rng.below(events / threads) {
                let [l, v] = [locks.len(), vars.len()].map(|n| rng.below(n as u64) as usize);
                match rng.below(10) {
                    0..=3 if !held.contains(&l) => {
                        let old = load_unless(f, locks[l], 0);
                        let cond = f.reg();
                        f.push(Instr::Bin { dst: cond, op: BinOp::Eq, bits: 32, a: old, b: Operand::Const(0) });
                        let why = if rng.below(8) == 0 { Stop::Assume } else { Stop::Await };
                        f.push(Instr::StopUnless { cond: Operand::Reg(cond), why });
                        store(f, locks[l], Operand::Const(1), Half::AmoWrite);
                        f.next_group();
                        held.push(l);
                        text += &format!("  lock l{l} ({why:?})\n");
                    }
                    4..=6 if !held.is_empty() => {
                        let l = held.remove(rng.below(held.len() as u64) as usize);
                        store(f, locks[l], Operand::Const(0), Half::None);
                        text += &format!("  unlock l{l}\n");
                    }
                    7 => {
                        let value = load(f, vars[v], Half::None);
                        text += &format!("  r = x{v};{}\n", asserted(f, rng, value));
                    }
                    8 => {
                        let value = rng.below(3);
                        store(f, vars[v], Operand::Const(value), Half::None);
                        text += &format!("  x{v} = {value}\n");
                    }
                    9 => {
                        increment(f, vars[v]);
                        f.next_group();
                        text += &format!("  x{v}++\n");
                    }
                    _ => {}
                }
            }
            // Some locks stay taken.
            for l in held.into_iter().filter(|_| rng.below(6) > 0) {
                store(f, locks[l], Operand::Const(0), Half::None);
                text += &format!("  unlock l{l}\n");
            }
        });
    }
    (b.finish(), text)
}

/// Makes a random program of about so many events, and its text.
type Make = fn(&mut Rng, u64) -> (Program, String);

#[derive(Default, PartialEq)]
struct Seen {
    complete: BTreeMap<String, usize>,
    problems: BTreeSet<String>,
}

impl Visitor for Seen {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        *self.complete.entry(signature(execution)).or_default() += 1;
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, problem: &Problem) -> Go {
        self.problems.insert(match problem {
            Problem::Fault(thread, _, fault) => format!("{thread:?} {fault:?}"),
            Problem::Stuck(threads) => format!("{threads:?} for ever"),
        });
        Go::On
    }
}

/// How waits are explored: what revisits keep, whether waits are delayed, and whether every revisit is made.
type Way = (PrefixKind, bool, bool);

/// What is found, and whether executions may be missing that decide about themselves.
fn seen(program: &Program, model: &Model, (prefix, delay_waits, every_revisit): Way) -> (Seen, bool) {
    let options = Options { prefix: Some(prefix), delay_waits, every_revisit, ..Options::default() };
    let uses = Uses::of(program);
    let plan = Plan::compile(model, &|b| uses.present(&b.name, b.sort), prefix == PrefixKind::Dependencies);
    let mut seen = Seen::default();
    let statistics = explore(program, &Arc::new(plan), &options, &mut seen);
    (seen, statistics.circular || statistics.suspected)
}

/// Whether all ways agree; with `asks_every`, that in which every revisit is made among them.
fn compare(make: Make, seed: u64, order: Order, events: u64, asks_every: bool) -> bool {
    use PrefixKind::{Dependencies, ProgramOrder};
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (program, text) = make(&mut rng, events);
    let model = ordered(order);
    let is_simple = matches!(order, Order::Sc | Order::Tso);
    let simple: Way = (if is_simple { ProgramOrder } else { Dependencies }, false, false);
    let (expected, may_miss) = seen(&program, &model, simple);
    let others = [(ProgramOrder, true, false), (Dependencies, true, false), (Dependencies, true, true)];
    let is_same = |way: &Way| {
        let (found, another_may_miss) = seen(&program, &model, *way);
        // One may find what decides about itself where the other one does not, and says so.
        let is_excused = way.2 && !is_simple && (may_miss || another_may_miss);
        if found == expected || is_excused {
            return true;
        }
        println!("seed {seed} {order:?}, {way:?}\n{text}");
        let lost: Vec<_> = expected.complete.keys().filter(|s| !found.complete.contains_key(*s)).collect();
        println!("{} expected, {} lost", expected.complete.len(), lost.len());
        println!("problems {:?}\n   found {:?}", expected.problems, found.problems);
        lost.iter().take(1).for_each(|s| println!("lost:\n{s}"));
        let other = found.complete.iter().find(|(s, n)| expected.complete.get(*s) != Some(n));
        other.iter().for_each(|(s, n)| println!("{n} times:\n{s}"));
        false
    };
    others.iter().skip(usize::from(!is_simple)).filter(|way| asks_every || !way.2).all(is_same)
}

/// The same of programs in which each access but those of locks has two parts.
fn compare_in_parts(make: Make, seed: u64, order: Order, events: u64) -> bool {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (mut program, text) = make(&mut rng, events);
    let code = || program.functions.iter().flat_map(|function| &function.code);
    let taken = |instr: &Instr| match instr {
        Instr::Load(load) if load.unless.is_some() => Some(load.addr),
        _ => None,
    };
    let locks: Vec<Operand> = code().filter_map(taken).collect();
    let is_lock = |function: FuncId, pc: Pc| match &program.functions[function.index()].code[pc as usize] {
        Instr::Load(load) => locks.contains(&load.addr),
        Instr::Store(store) => locks.contains(&store.addr),
        _ => false,
    };
    let in_two = |cut: &Cut| matches!(cut, Cut::Access(function, pc, 2) if !is_lock(*function, *pc));
    let cuts = cuts::everywhere(&program).into_iter().filter(in_two).collect();
    cuts::cut(&mut program, &cuts);
    let model = over_parts(&ordered(order), false);
    let [expected, found] =
        [false, true].map(|delay_waits| seen(&program, &model, (PrefixKind::ProgramOrder, delay_waits, false)).0);
    if found != expected {
        println!("seed {seed} {order:?}, in parts\n{text}");
        println!("{} expected, {} found", expected.complete.len(), found.complete.len());
        println!("problems {:?}\n   found {:?}", expected.problems, found.problems);
    }
    found == expected
}

#[test]
fn accesses_in_parts() {
    for order in [Order::Sc, Order::Tso] {
        all_agree(300, 12, |seed, events| compare_in_parts(random_locks, seed, order, events));
        all_agree(300, 7, |seed, events| compare_in_parts(random_spins, seed, order, events));
    }
}

/// Many programs, of which some are asked about every revisit: that takes long where loops go round.
fn all_compared(cases: u64, order: Order) {
    all_agree(cases, 12, |seed, events| compare(random_spins, seed, order, events, seed.is_multiple_of(8)));
}

#[test]
fn locks() {
    for order in [Order::Sc, Order::Tso] {
        all_agree(600, 15, |seed, events| compare(random_locks, seed, order, events, false));
    }
}

#[test]
fn sequential_consistency() {
    all_compared(1000, Order::Sc);
}

#[test]
fn total_store_order() {
    all_compared(1000, Order::Tso);
}

#[test]
fn dependencies_and_fences() {
    all_compared(500, Order::Dependent);
}

#[test]
fn coherence_only() {
    all_compared(500, Order::Coherent);
}

/// Exploration gives a thread up that waits in vain, since revisits that would wake it are made from another graph. Where every revisit is made, they may be made from this one alone: threads that wait for ever
/// were lost.
#[test]
fn a_wait_in_vain_goes_on_where_every_revisit_is_made() {
    for order in [Order::Coherent, Order::Dependent] {
        assert!(compare(random_spins, 125818, order, 9, true), "{order:?}");
    }
}

/// A thread goes on after a failed assertion; what another one gets to by that is no failure of the program's.
#[test]
fn each_failure_that_owes_nothing_to_another_one() {
    let mut b = Builder::new();
    let x = b.var("x");
    let fails = |f: &mut FunctionBuilder, cond: Operand, message: &str| {
        f.push(Instr::Assert { cond, message: message.into() });
    };
    b.thread(|f| {
        fails(f, Operand::Const(0), "first");
        store(f, x, Operand::Const(1), Half::None);
    });
    b.thread(|f| {
        let seen = load(f, x, Half::None);
        let same = f.reg();
        f.push(Instr::Bin { dst: same, op: BinOp::Ne, bits: 32, a: seen, b: Operand::Const(1) });
        fails(f, Operand::Reg(same), "of the first");
    });
    b.thread(|f| fails(f, Operand::Const(0), "by itself"));
    let program = b.finish();
    let uses = Uses::of(&program);
    for (order, prefix) in [(Order::Sc, PrefixKind::ProgramOrder), (Order::Coherent, PrefixKind::Dependencies)] {
        let plan =
            Plan::compile(&ordered(order), &|b| uses.present(&b.name, b.sort), prefix == PrefixKind::Dependencies);
        let mut seen = Seen::default();
        explore(&program, &Arc::new(plan), &Options { prefix: Some(prefix), ..Options::default() }, &mut seen);
        let expected = ["ThreadId(0) Assertion(\"first\")", "ThreadId(2) Assertion(\"by itself\")"];
        assert_eq!(seen.problems, expected.map(str::to_owned).into());
    }
}
