//! Rounds that only try a compare-and-swap again are left out, against exploration of all rounds, on random programs of threads that compare and swap in loops, under orders of our own and bundled models.
//!
//! Compared are the final values of memory, with what threads have read of it, the assertions that can fail, and the threads that can wait for ever; and no execution is found twice.

use crate::support::parts::same_in_parts;
use crate::support::random::*;
use crate::support::*;
use hmc::candidates::enumerate::signature;
use hmc::cat::{LoadRequest, Vocabulary};
use hmc::explore::{Equivalence, Execution, Go, Options, Problem, Visitor, explore, plan_for};
use hmc::graph::base_relations::uses::Uses;
use hmc::graph::prefix::PrefixKind;
use hmc::ids::TagSetId;
use hmc::kernel::plan::Plan;
use hmc::program::*;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

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

/// What the accesses of a model's programs carry.
struct Words {
    model: &'static str,
    loads: &'static [&'static [&'static str]],
    stores: &'static [&'static [&'static str]],
    fences: &'static [&'static [&'static str]],
    /// The read and the write of a compare-and-swap, and a read that fails.
    swaps: &'static [[&'static [&'static str]; 3]],
}

/// Of models that look at no tags.
const NONE: Words = Words { model: "", loads: &[&[]], stores: &[&[]], fences: &[&[]], swaps: &[[&[], &[], &[]]] };

const TSO: Words = Words {
    model: "tso",
    loads: &[&["A", "RLX"]],
    stores: &[&["A", "RLX"], &["A", "SC"]],
    fences: &[&["SC"]],
    swaps: &[[&["A", "RMW", "RLX"], &["A", "RMW", "RLX"], &["A", "RMW", "RLX"]]],
};

const IMM: Words = Words {
    model: "imm",
    loads: &[&["A", "RLX"], &["A", "ACQ"]],
    stores: &[&["A", "RLX"], &["A", "REL"]],
    fences: &[&["SC"], &["ACQ"], &["REL"]],
    swaps: &[
        [&["A", "RMW", "ACQ"], &["A", "RMW", "REL"], &["A", "RLX"]],
        [&["A", "RMW", "ACQ"], &["A", "RMW", "RLX"], &["A", "ACQ"]],
    ],
};

const AARCH64: Words = Words {
    model: "aarch64",
    loads: &[&[], &["A"], &["Q"]],
    stores: &[&[], &["L"]],
    fences: &[&["DMB.SY"], &["DMB.LD"]],
    swaps: &[[&["X"], &["X"], &["X"]], [&["X", "A"], &["X", "L"], &["X", "A"]]],
};

const LKMM: Words = Words {
    model: "lkmm",
    loads: &[&["ONCE"], &["ACQUIRE"]],
    stores: &[&["ONCE"], &["RELEASE"]],
    fences: &[&["MB"], &["RMB"]],
    swaps: &[
        [&["RMW", "ONCE"], &["RMW", "ONCE"], &["RMW", "ONCE"]],
        [&["RMW", "ACQUIRE"], &["RMW", "ACQUIRE"], &["ACQUIRE"]],
        [&["RMW", "MB"], &["RMW", "MB"], &["RMW", "MB"]],
    ],
};

/// The same as numbers.
struct Tags {
    loads: Vec<TagSetId>,
    stores: Vec<TagSetId>,
    fences: Vec<TagSetId>,
    swaps: Vec<[TagSetId; 3]>,
}

impl Tags {
    fn new(b: &mut Builder, words: &Words) -> Tags {
        let mut tags = |set: &&[&str]| -> TagSetId {
            b.program.program.intern_tags(&set.iter().map(|tag| (*tag).to_owned()).collect::<Vec<_>>())
        };
        Tags {
            loads: words.loads.iter().map(&mut tags).collect(),
            stores: words.stores.iter().map(&mut tags).collect(),
            fences: words.fences.iter().map(&mut tags).collect(),
            swaps: words.swaps.iter().map(|halves| [0, 1, 2].map(|i| tags(&halves[i]))).collect(),
        }
    }
}

fn any<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.below(all.len() as u64) as usize]
}

fn load_with(f: &mut FunctionBuilder, dst: Reg, addr: Operand, tags: TagSetId) {
    f.push(Instr::Load(Load { dst, addr, size: 4, tags, half: Half::None, unless: None, hidden: false }));
    f.next_group();
}

fn store_with(f: &mut FunctionBuilder, addr: Operand, value: Operand, tags: TagSetId) {
    f.push(Instr::Store(Store { addr, value, size: 4, tags, half: Half::None, hidden: false }));
    f.next_group();
}

fn fence_with(f: &mut FunctionBuilder, tags: TagSetId) {
    f.push(Instr::Fence { tags, addr: None, is_fence: true });
    f.next_group();
}

/// Swaps `x` from what a register holds to a value made of that; if it fails, the register gets what it finds and the thread goes to `failed`.
fn swap(
    f: &mut FunctionBuilder,
    x: Operand,
    held: Reg,
    (op, by): (BinOp, u64),
    failed: Label,
    [tags, written, failing]: [TagSetId; 3],
) {
    let [found, new, ok] = [f.reg(), f.reg(), f.reg()];
    let expected = Operand::Reg(held);
    let unless = Some(Unless { expected, tags: failing, half: Half::None });
    f.push(Instr::Bin { dst: new, op, bits: 32, a: expected, b: Operand::Const(by) });
    f.push(Instr::Load(Load { dst: found, addr: x, size: 4, tags, half: Half::AmoRead, unless, hidden: false }));
    f.push(Instr::Bin { dst: ok, op: BinOp::Eq, bits: 32, a: Operand::Reg(found), b: expected });
    let (yes, both, done) = (f.label(), f.label(), f.label());
    branch(f, Operand::Reg(ok), yes, both);
    f.place(yes);
    let value = Operand::Reg(new);
    f.push(Instr::Store(Store { addr: x, value, size: 4, tags: written, half: Half::AmoWrite, hidden: false }));
    f.place(both);
    f.next_group();
    let (a, b) = (expected, Operand::Reg(found));
    f.push(Instr::Select { dst: held, cond: Operand::Reg(ok), a, b, on_cond: false });
    branch(f, Operand::Reg(ok), done, failed);
    f.place(done);
}

/// A random program of 2 or 3 threads, and its text.
fn random_swaps(rng: &mut Rng, events: u64, words: &Words) -> (Program, String) {
    let mut b = Builder::new();
    let tags = Tags::new(&mut b, words);
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
                match rng.below(9) {
                    8 => {
                        // It looks at another place, and reads the first again as long as that is small.
                        let (head, held, out) = (f.label(), f.reg(), f.label());
                        let (seen, is_large) = (f.reg(), f.reg());
                        load_with(f, held, x, any(rng, &tags.loads));
                        f.place(head);
                        load_with(f, seen, vars[1 - v], any(rng, &tags.loads));
                        let (a, b) = match rng.below(3) {
                            0 => (Operand::Reg(held), Operand::Reg(seen)),
                            1 => (Operand::Const(20), Operand::Reg(seen)),
                            _ => (Operand::Const(2), Operand::Reg(held)),
                        };
                        f.push(Instr::Bin { dst: is_large, op: BinOp::ULt, bits: 32, a, b });
                        let again = f.label();
                        branch(f, Operand::Reg(is_large), out, again);
                        f.place(again);
                        if rng.below(3) == 0 {
                            swap(f, x, held, how, head, any(rng, &tags.swaps));
                        } else {
                            load_with(f, held, x, any(rng, &tags.loads));
                            f.push(Instr::Jump(FunctionBuilder::target(head)));
                        }
                        f.place(out);
                        last = Some(Operand::Reg(held));
                        text += &format!("  r = x{v}; while (!({a:?} < {b:?}, s = x{})) r = x{v} or swap\n", 1 - v);
                    }
                    0 | 1 => {
                        let value = 20 + rng.below(40);
                        store_with(f, x, Operand::Const(value), any(rng, &tags.stores));
                        text += &format!("  x{v} = {value}\n");
                    }
                    2 => {
                        let dst = f.reg();
                        load_with(f, dst, x, any(rng, &tags.loads));
                        last = Some(Operand::Reg(dst));
                        text += &format!("  r = x{v}\n");
                    }
                    3 => {
                        fence_with(f, any(rng, &tags.fences));
                        text += "  fence\n";
                    }
                    4 => {
                        // Nothing that was found is used again.
                        let (head, held) = (f.label(), f.reg());
                        f.place(head);
                        load_with(f, held, x, any(rng, &tags.loads));
                        swap(f, x, held, how, head, any(rng, &tags.swaps));
                        last = Some(Operand::Reg(held));
                        text += &format!("  do r = x{v}; while (!cas(x{v}, r, {how:?}))\n");
                    }
                    _ => {
                        let (head, held, out, side) = (f.label(), f.reg(), f.label(), f.reg());
                        let guess = rng.below(4);
                        match guess {
                            3 => f.push(Instr::Set { dst: held, src: Operand::Const(rng.below(2)) }),
                            _ => {
                                load_with(f, held, x, any(rng, &tags.loads));
                            }
                        }
                        // The same of many values, but it depends on the one that was read.
                        let by = Operand::Const(rng.below(2) * 64);
                        f.push(Instr::Bin { dst: side, op: BinOp::And, bits: 32, a: Operand::Reg(held), b: by });
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
                                fence_with(f, any(rng, &tags.fences));
                            }
                            _ => {}
                        }
                        swap(f, x, held, how, head, any(rng, &tags.swaps));
                        f.place(out);
                        last = Some(Operand::Reg(held));
                        if rng.below(3) == 0 {
                            let other = vars[rng.below(vars.len() as u64) as usize];
                            store_with(f, other, Operand::Reg(side), any(rng, &tags.stores));
                            text += &format!("  (what depends on the first read is written to {other:?})\n");
                        }
                        text += &format!("  r = x{v} ({guess}); while (!cas(x{v}, &r, {how:?})) ({special})\n");
                    }
                }
            }
            if let Some(last) = last {
                store_with(f, kept[t as usize], last, tags.stores[0]);
                text += "  kept = r\n";
            }
        });
    }
    (b.finish(), text)
}

fn options(without_retries: bool) -> Options {
    Options { prefix: Some(PrefixKind::ProgramOrder), without_retries, unroll: Some(6), ..Options::default() }
}

fn seen(program: &Program, plan: &Arc<Plan>, without_retries: bool) -> Seen {
    let options = Options { max_work: 200_000, ..options(without_retries) };
    let mut seen = Seen::default();
    let statistics = explore(program, plan, &options, &mut seen);
    seen.recurs = statistics.recurs;
    if statistics.stopped || statistics.cut > 0 {
        seen.complete = u64::MAX;
    }
    seen
}

/// The plan of one of our own models.
fn plan_of(program: &Program, order: Order) -> Arc<Plan> {
    let uses = Uses::of(program);
    Arc::new(Plan::compile(&ordered(order), &|b| uses.present(&b.name, b.sort), false))
}

/// Compares one program, if its plan keeps program order; counts those where fewer executions stand for all.
fn agree(seed: u64, words: &Words, events: u64, plan: &dyn Fn(&Program) -> Arc<Plan>, reduced: &AtomicU64) -> bool {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (program, text) = random_swaps(&mut rng, events, words);
    let plan = plan(&program);
    if !plan.implies_porf_acyclic() {
        return true;
    }
    let (all, few) = (seen(&program, &plan, false), seen(&program, &plan, true));
    if few.recurs {
        return true;
    }
    if all.complete == u64::MAX {
        // Too many to compare, or a loop that goes on for ever.
        return true;
    }
    reduced.fetch_add(u64::from(few.complete < all.complete), Ordering::Relaxed);
    if all.ends == few.ends && !all.twice && !few.twice && few.complete <= all.complete {
        return true;
    }
    println!(
        "seed {seed} {}\n{text}{} executions and {}, twice {}",
        words.model, all.complete, few.complete, few.twice
    );
    println!("lost {:?}", all.ends.states.difference(&few.ends.states).collect::<Vec<_>>());
    println!("new {:?}", few.ends.states.difference(&all.ends.states).collect::<Vec<_>>());
    println!("problems {:?}\n   found {:?}", all.ends.problems, few.ends.problems);
    false
}

#[test]
fn final_states_are_those_of_all_rounds() {
    for order in [Order::Sc, Order::Tso] {
        let plan = |program: &Program| plan_of(program, order);
        let reduced = AtomicU64::new(0);
        all_agree(600, 10, |seed, events| agree(seed, &NONE, events, &plan, &reduced));
        println!("{order:?}: fewer executions of {reduced:?} programs");
    }
}

/// A failed attempt has other tags than the read before it, and dependencies count.
#[test]
fn final_states_are_those_of_all_rounds_under_bundled_models() {
    for words in [&TSO, &IMM, &AARCH64, &LKMM] {
        let loaded = hmc::cat::load(&LoadRequest::named(words.model), &Vocabulary::default());
        let Ok(loaded) = loaded else { panic!("{} does not load", words.model) };
        let plan = |program: &Program| plan_for(&loaded.model, program, &Equivalence::default());
        let reduced = AtomicU64::new(0);
        all_agree(300, 8, |seed, events| agree(seed, words, events, &plan, &reduced));
        println!("{}: fewer executions of {reduced:?} programs", words.model);
        assert!(std::env::var("HMC_RANDOM").is_ok() || reduced.into_inner() > 0, "nothing was left out");
    }
}

/// In parts that are searched apart it is known as well when exploration has to begin anew.
#[test]
fn rounds_are_left_out_in_parts() {
    let (parts, anew) = (AtomicU64::default(), AtomicU64::default());
    all_agree(120, 7, |seed, events| {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let (program, text) = random_swaps(&mut rng, events, &NONE);
        let plan = plan_of(&program, [Order::Sc, Order::Tso][seed as usize % 2]);
        let few = seen(&program, &plan, true);
        let most = if few.recurs { seen(&program, &plan, false).complete } else { few.complete };
        if most < 1000 {
            let found = same_in_parts(&program, &plan, &options(true), seed, &format!("{seed}\n{text}"));
            parts.fetch_add(found[0] as u64, Ordering::Relaxed);
            anew.fetch_add(u64::from(few.recurs), Ordering::Relaxed);
        }
        true
    });
    println!("{parts:?} parts, {anew:?} programs anew");
    assert!(std::env::var("HMC_RANDOM").is_ok() || parts.into_inner() > 0 && anew.into_inner() > 0);
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
                swap(f, x, held, (BinOp::Add, 1), head, [TagSetId::default(); 3]);
            });
        }
        let program = b.finish();
        let few = seen(&program, &plan_of(&program, Order::Sc), true);
        assert_eq!((few.complete, few.ends.states.len()), (orders, 1), "{threads} threads");
    }
}
