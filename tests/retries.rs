//! Rounds that only try a compare-and-swap again are left out, against exploration of all rounds, on random programs of threads that compare and swap in loops.
//!
//! Compared are the final values of memory, with what threads have read of it, the assertions that can fail, and the threads that can wait for ever; and no execution is found twice.

mod support;

use hmc::candidates::enumerate::signature;
use hmc::explore::{Execution, Go, Options, Problem, Visitor, explore};
use hmc::graph::prefix::PrefixKind;
use hmc::graph::uses::Uses;
use hmc::kernel::plan::Plan;
use hmc::program::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use support::random::*;
use support::*;

/// Values that memory can hold at the end, and what goes wrong.
#[derive(Default, PartialEq, Debug)]
struct Ends {
    states: BTreeSet<Vec<u64>>,
    problems: BTreeSet<String>,
}

#[derive(Default)]
struct Seen {
    ends: Ends,
    found: BTreeSet<String>,
    twice: bool,
    complete: u64,
    recurs: bool,
}

impl Visitor for Seen {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let graph = execution.graph;
        let mut all: Vec<(u64, u64)> = graph
            .places()
            .filter_map(|(loc, place)| Some((execution.world.locs.get(loc).0, graph.event(*place.co.last()?).value)))
            .collect();
        all.sort_unstable();
        self.ends.states.insert(all.into_iter().map(|(_, value)| value).collect());
        self.twice |= !self.found.insert(signature(execution));
        self.complete += 1;
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, problem: &Problem) -> Go {
        self.ends.problems.insert(match problem {
            Problem::Fault(thread, _, fault) => format!("{thread:?} {fault:?}"),
            Problem::Stuck(threads) => format!("{threads:?} for ever"),
        });
        Go::On
    }
}

fn branch(f: &mut FunctionBuilder, cond: Operand, then: Label, otherwise: Label) {
    let (then, otherwise) = (FunctionBuilder::target(then), FunctionBuilder::target(otherwise));
    f.push(Instr::Branch { cond, then, otherwise, join: Join::NoDependency });
}

/// Swaps `x` from what a register holds to a value made of that; if it fails, the register gets what it finds and the thread goes to `failed`.
fn swap(f: &mut FunctionBuilder, x: Operand, held: Reg, (op, by): (BinOp, u64), failed: Label) {
    let [found, new, ok] = [f.reg(), f.reg(), f.reg()];
    let expected = Operand::Reg(held);
    let unless = Some(Unless { expected, tags: Default::default(), half: Half::None });
    f.push(Instr::Bin { dst: new, op, bits: 32, a: expected, b: Operand::Const(by) });
    let tags = Default::default();
    f.push(Instr::Load(Load { dst: found, addr: x, size: 4, tags, half: Half::AmoRead, unless, hidden: false }));
    f.push(Instr::Bin { dst: ok, op: BinOp::Eq, bits: 32, a: Operand::Reg(found), b: expected });
    let (yes, both, done) = (f.label(), f.label(), f.label());
    branch(f, Operand::Reg(ok), yes, both);
    f.place(yes);
    store(f, x, Operand::Reg(new), Half::AmoWrite);
    f.place(both);
    f.next_group();
    let (a, b) = (expected, Operand::Reg(found));
    f.push(Instr::Select { dst: held, cond: Operand::Reg(ok), a, b, on_cond: false });
    branch(f, Operand::Reg(ok), done, failed);
    f.place(done);
}

/// A random program of 2 or 3 threads, and its text.
fn random_swaps(rng: &mut Rng, events: u64) -> (Program, String) {
    let mut b = Builder::new();
    let vars: Vec<Operand> = (0..2).map(|i| b.var(&format!("x{i}"))).collect();
    let kept: Vec<Operand> = (0..3).map(|i| b.var(&format!("kept{i}"))).collect();
    let threads = 2 + rng.below(2);
    let mut text = String::new();
    for t in 0..threads {
        text += &format!("P{t}:\n");
        b.thread(|f| {
            let mut last = None;
            for _ in 0..1 + rng.below(events / threads) {
                let v = rng.below(vars.len() as u64) as usize;
                let x = vars[v];
                // Mostly no value comes twice.
                let how = [(BinOp::Add, 1), (BinOp::Add, 10), (BinOp::Add, 3), (BinOp::Xor, 1)][rng.below(4) as usize];
                match rng.below(8) {
                    0 | 1 => {
                        let value = 20 + rng.below(40);
                        store(f, x, Operand::Const(value), Half::None);
                        text += &format!("  x{v} = {value}\n");
                    }
                    2 => {
                        last = Some(load(f, x, Half::None));
                        text += &format!("  r = x{v}\n");
                    }
                    3 => {
                        f.push(Instr::Fence { tags: Default::default(), addr: None, is_fence: true });
                        f.next_group();
                        text += "  fence\n";
                    }
                    4 => {
                        // Nothing that was found is used again.
                        let (head, held) = (f.label(), f.reg());
                        f.place(head);
                        f.push(Instr::Load(Load {
                            dst: held,
                            addr: x,
                            size: 4,
                            tags: Default::default(),
                            half: Half::None,
                            unless: None,
                            hidden: false,
                        }));
                        f.next_group();
                        swap(f, x, held, how, head);
                        last = Some(Operand::Reg(held));
                        text += &format!("  do r = x{v}; while (!cas(x{v}, r, {how:?}))\n");
                    }
                    _ => {
                        let (head, held, out) = (f.label(), f.reg(), f.label());
                        let guess = rng.below(4);
                        match guess {
                            3 => f.push(Instr::Set { dst: held, src: Operand::Const(rng.below(2)) }),
                            _ => {
                                let first = load(f, x, Half::None);
                                f.push(Instr::Set { dst: held, src: first });
                            }
                        }
                        f.place(head);
                        let special = rng.below(6);
                        match special {
                            0 => {
                                // The loop ends at a value.
                                let go = f.reg();
                                f.push(Instr::Bin {
                                    dst: go,
                                    op: BinOp::ULt,
                                    bits: 32,
                                    a: Operand::Reg(held),
                                    b: Operand::Const(2),
                                });
                                let on = f.label();
                                branch(f, Operand::Reg(go), on, out);
                                f.place(on);
                            }
                            1 => {
                                let small = f.reg();
                                f.push(Instr::Bin {
                                    dst: small,
                                    op: BinOp::ULt,
                                    bits: 32,
                                    a: Operand::Reg(held),
                                    b: Operand::Const(2),
                                });
                                f.push(Instr::Assert { cond: Operand::Reg(small), message: "small".into() });
                            }
                            2 => {
                                f.push(Instr::Fence { tags: Default::default(), addr: None, is_fence: true });
                                f.next_group();
                            }
                            _ => {}
                        }
                        swap(f, x, held, how, head);
                        f.place(out);
                        last = Some(Operand::Reg(held));
                        text += &format!("  r = x{v} ({guess}); while (!cas(x{v}, &r, {how:?})) ({special})\n");
                    }
                }
            }
            if let Some(last) = last {
                store(f, kept[t as usize], last, Half::None);
                text += "  kept = r\n";
            }
        });
    }
    (b.finish(), text)
}

fn seen(program: &Program, order: Order, without_retries: bool) -> Seen {
    let options = Options {
        prefix: Some(PrefixKind::ProgramOrder),
        without_retries,
        unroll: Some(6),
        max_work: 200_000,
        ..Options::default()
    };
    let uses = Uses::of(program);
    let plan = Plan::compile(&ordered(order), &|b| uses.present(&b.name, b.sort), false);
    let mut seen = Seen::default();
    let statistics = explore(program, &Arc::new(plan), &options, &mut seen);
    seen.recurs = statistics.recurs;
    if statistics.stopped || statistics.cut > 0 {
        seen.complete = u64::MAX;
    }
    seen
}

fn agree(seed: u64, order: Order, events: u64) -> bool {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (program, text) = random_swaps(&mut rng, events);
    let (all, few) = (seen(&program, order, false), seen(&program, order, true));
    if few.recurs {
        return true;
    }
    if all.complete == u64::MAX {
        // Too many to compare, or a loop that goes on for ever.
        return true;
    }
    if all.ends == few.ends && !all.twice && !few.twice && few.complete <= all.complete {
        return true;
    }
    println!("seed {seed} {order:?}\n{text}{} executions and {}, twice {}", all.complete, few.complete, few.twice);
    println!("lost {:?}", all.ends.states.difference(&few.ends.states).collect::<Vec<_>>());
    println!("new {:?}", few.ends.states.difference(&all.ends.states).collect::<Vec<_>>());
    println!("problems {:?}\n   found {:?}", all.ends.problems, few.ends.problems);
    false
}

#[test]
fn final_states_are_those_of_all_rounds() {
    for order in [Order::Sc, Order::Tso] {
        all_agree(600, 10, |seed, events| agree(seed, order, events));
    }
}

/// N threads that add by compare-and-swap add in N! orders.
#[test]
fn each_order_of_additions_once() {
    for (threads, orders) in [(2, 2), (3, 6), (4, 24), (5, 120)] {
        let mut b = Builder::new();
        let x = b.var("x");
        for _ in 0..threads {
            b.thread(|f| {
                let (head, held) = (f.label(), f.reg());
                let first = load(f, x, Half::None);
                f.push(Instr::Set { dst: held, src: first });
                f.place(head);
                swap(f, x, held, (BinOp::Add, 1), head);
            });
        }
        let few = seen(&b.finish(), Order::Sc, true);
        assert_eq!((few.complete, few.ends.states.len()), (orders, 1), "{threads} threads");
    }
}
