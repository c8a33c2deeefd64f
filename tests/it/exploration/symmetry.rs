//! Exploration up to renaming of interchangeable threads against exploration of everything: of the executions that differ in names only,
//! one, and it stands for as many as there are.

use crate::support::random::{Rng, all_agree};
use crate::support::*;
use hmc::algebra::facts::analyse::Growth;
use hmc::algebra::{Base, Model};
use hmc::explore::{Equivalence, Execution, Go, Nobody, Options, Problem, Statistics, Visitor, explore};
use hmc::graph::base_relations::uses::Uses;
use hmc::graph::event::{Kind, NO_EVENT, NO_LOC};
use hmc::graph::prefix::PrefixKind;
use hmc::ids::EventId;
use hmc::kernel::plan::Plan;
use hmc::program::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Random code, and its text.
fn body(rng: &mut Rng, f: &mut FunctionBuilder, vars: &[Operand], length: u64) -> String {
    let mut text = String::new();
    let mut known: Vec<Operand> = Vec::new();
    for _ in 0..length {
        let v = rng.below(vars.len() as u64) as usize;
        let x = vars[v];
        let value = match known.last() {
            Some(&r) if rng.below(2) == 0 => r,
            _ => Operand::Const(1 + rng.below(3)),
        };
        match rng.below(14) {
            0..=3 => {
                known.push(load(f, x, Half::None));
                text += &format!("  r{} = x{v}\n", known.len() - 1);
            }
            4..=7 => {
                store(f, x, value, Half::None);
                text += &format!("  x{v} = {value:?}\n");
            }
            8 => {
                f.push(Instr::Fence { tags: Default::default(), addr: None, is_fence: true });
                f.next_group();
                text += "  fence\n";
            }
            9 => {
                increment(f, x);
                text += &format!("  x{v}++\n");
            }
            10 => {
                let dst = f.reg();
                f.push(Instr::Choose { dst, values: Box::new([1, 2]) });
                known.push(Operand::Reg(dst));
                text += &format!("  r{} = 1 or 2\n", known.len() - 1);
            }
            11 => {
                let (head, out) = (f.label(), f.label());
                f.place(head);
                let seen = load(f, x, Half::None);
                let go = f.reg();
                let op = [BinOp::UGe, BinOp::ULt][rng.below(2) as usize];
                f.push(Instr::Bin { dst: go, op, bits: 32, a: seen, b: Operand::Const(1) });
                let (then, otherwise) = (FunctionBuilder::target(head), FunctionBuilder::target(out));
                f.push(Instr::Branch { cond: Operand::Reg(go), then, otherwise, join: Join::Merge });
                f.place(out);
                text += &format!("  while (x{v} {op:?} 1);\n");
            }
            _ => {
                let Some(&seen) = known.last() else { continue };
                let (inside, end) = (f.label(), f.label());
                let (then, otherwise) = (FunctionBuilder::target(inside), FunctionBuilder::target(end));
                f.push(Instr::Branch { cond: seen, then, otherwise, join: Join::Merge });
                f.place(inside);
                store(f, x, value, Half::None);
                f.place(end);
                text += &format!("  if r{} x{v} = {value:?}\n", known.len() - 1);
            }
        }
    }
    text
}

/// A random program of one or two groups of threads with the same code, and others, all in random order; which group each thread is of; text.
fn random_program(rng: &mut Rng, events: u64) -> (Program, Vec<usize>, String) {
    let mut b = Builder::new();
    let vars: Vec<Operand> = (0..2 + rng.below(2)).map(|i| b.var(&format!("x{i}"))).collect();
    let sizes: &[usize] = [&[2][..], &[3], &[2, 1], &[3, 1], &[2, 2], &[2, 1, 1], &[4], &[3, 2]][rng.below(8) as usize];
    let threads: usize = sizes.iter().sum();
    let mut owner: Vec<usize> = sizes.iter().enumerate().flat_map(|(g, &n)| vec![g; n]).collect();
    for i in (1..threads).rev() {
        owner.swap(i, rng.below(i as u64 + 1) as usize);
    }
    let mut text = String::new();
    let (mut functions, mut codes) = (Vec::new(), Vec::new());
    for (g, _) in sizes.iter().enumerate() {
        let name = format!("T{g}");
        let mut f = FunctionBuilder::new(&name, 0);
        let length = 1 + rng.below((events / threads as u64).max(1) + 1);
        let code = body(rng, &mut f, &vars, length);
        text += &format!("{name}:\n{code}");
        // What is the same by chance belongs together.
        if let Some(same) = codes.iter().position(|c| *c == code) {
            owner.iter_mut().filter(|o| **o == g).for_each(|o| *o = same);
        }
        codes.push(code);
        let id = b.program.declare(&name);
        b.program.define(id, f.finish());
        functions.push(id);
    }
    for &g in &owner {
        let name = format!("P{}", b.entries.len());
        b.entries.push(Entry { function: functions[g], args: vec![], name, tags: Default::default() });
    }
    text += &format!("threads run {owner:?}\n");
    (b.finish(), owner, text)
}

/// All ways to rename threads with the same code.
fn renamings(owner: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for &g in owner {
        let mut longer = Vec::new();
        for names in all {
            for (name, &other) in owner.iter().enumerate() {
                if other == g && !names.contains(&name) {
                    longer.push(names.iter().copied().chain([name]).collect());
                }
            }
        }
        all = longer;
    }
    all
}

/// A name for an execution in which the threads have other names.
fn renamed(x: &Execution<'_, '_>, names: &[usize]) -> String {
    let graph = x.graph;
    let name = |e: EventId| {
        if e == NO_EVENT {
            return "-".to_owned();
        }
        let event = graph.event(e);
        match event.kind {
            Kind::Init => format!("init{:x}", x.world.locs.get(event.loc).0),
            _ => format!("{}:{:x}", names[event.thread.index()], event.key),
        }
    };
    let mut lines = Vec::new();
    for (t, lane) in graph.lanes().iter().enumerate() {
        for (i, &e) in lane.order.iter().enumerate() {
            let event = graph.event(e);
            let loc = if event.loc == NO_LOC { 0 } else { x.world.locs.get(event.loc).0 };
            let t = names[t];
            lines.push(format!("{t}.{i} {} {:?} {loc:x} {} {}", name(e), event.kind, event.value, name(event.rf)));
        }
    }
    for (loc, place) in graph.places().filter(|(_, p)| p.co.len() > 1 && !p.unordered) {
        let order: Vec<String> = place.co.iter().map(|&w| name(w)).collect();
        lines.push(format!("co {:x} {}", x.world.locs.get(loc).0, order.join(" ")));
    }
    lines.sort();
    lines.join("\n")
}

/// For each execution up to renaming: how often it was seen, under how many names, and for how many it stood.
#[derive(Default)]
struct Classes {
    renamings: Vec<Vec<usize>>,
    found: BTreeMap<String, (usize, BTreeSet<String>, u64)>,
    problems: BTreeSet<String>,
    seen: usize,
}

/// Programs with more executions are left out.
const MOST: usize = 600;

impl Classes {
    fn class(&self, x: &Execution<'_, '_>) -> Option<String> {
        self.renamings.iter().map(|names| renamed(x, names)).min()
    }
}

impl Visitor for Classes {
    fn complete(&mut self, x: &Execution<'_, '_>) -> Go {
        let own: Vec<usize> = (0..x.graph.lanes().len()).collect();
        let class = self.class(x).unwrap_or_default();
        let entry = self.found.entry(class).or_default();
        entry.0 += 1;
        entry.1.insert(renamed(x, &own));
        entry.2 += x.stands_for;
        self.seen += 1;
        if self.seen > MOST { Go::Stop } else { Go::On }
    }
    fn problem(&mut self, x: &Execution<'_, '_>, problem: &Problem) -> Go {
        if let Problem::Stuck(_) = problem {
            self.problems.extend(self.class(x));
        }
        Go::On
    }
}

fn classes(program: &Program, owner: &[usize], model: &Model, options: &Options) -> (Classes, Statistics) {
    let mut classes = Classes { renamings: renamings(owner), ..Classes::default() };
    let statistics = explore(program, &plan(program, model), options, &mut classes);
    (classes, statistics)
}

fn compare(seed: u64, order: Order, events: u64) -> bool {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (program, owner, text) = random_program(&mut rng, events);
    let told_apart = Equivalence::ReadsFromAndCoherence;
    let where_read = Equivalence::WhereRead(unread(&program).into());
    [told_apart, where_read].into_iter().all(|equivalence| {
        let options = Options { equivalence, observed: Some(Arc::from([])), ..reduced() };
        compare_with((&program, &owner, &text), seed, order, &options)
    })
}

fn compare_with(
    (program, owner, text): (&Program, &[usize], &str),
    seed: u64,
    order: Order,
    options: &Options,
) -> bool {
    let model = ordered(order);
    let (all, counted) = classes(program, owner, &model, &Options { symmetry: false, ..options.clone() });
    if counted.stopped {
        return true;
    }
    let (once, reduced) = classes(program, owner, &model, options);
    let lost: Vec<_> = all.found.keys().filter(|c| !once.found.contains_key(*c)).collect();
    let wrong: Vec<_> = once.found.keys().filter(|c| !all.found.contains_key(*c)).collect();
    let twice: Vec<_> = once.found.iter().filter(|(_, seen)| seen.0 > 1).map(|x| x.0).collect();
    let size = |c: &String| all.found.get(c).map_or(0, |seen| seen.1.len() as u64);
    let miscounted: Vec<_> = once.found.iter().filter(|(c, seen)| seen.2 != size(c)).map(|x| x.0).collect();
    let same_total = reduced.in_all == counted.complete && counted.in_all == counted.complete;
    let same_problems = all.problems == once.problems;
    if [&lost, &wrong, &twice, &miscounted].iter().all(|l| l.is_empty()) && same_total && same_problems {
        return true;
    }
    println!("seed {seed} {order:?} {:?}\n{text}", options.equivalence);
    let counts = [lost.len(), wrong.len(), twice.len(), miscounted.len()];
    println!(
        "{} classes; [lost, wrong, twice, miscounted] {counts:?}; totals {} {}; problems {} {}",
        all.found.len(),
        counted.complete,
        reduced.in_all,
        all.problems.len(),
        once.problems.len()
    );
    for (what, one) in [("lost", lost.first()), ("twice", twice.first()), ("miscounted", miscounted.first())] {
        if let Some(one) = one {
            println!("{what}:\n{one}");
        }
    }
    false
}

fn many(order: Order, cases: u64, events: u64) {
    all_agree(cases, events, |seed, events| compare(seed, order, events));
}

#[test]
fn sequential_consistency() {
    many(Order::Sc, 700, 7);
}

#[test]
fn total_store_order() {
    many(Order::Tso, 700, 7);
}

#[test]
fn coherence_only() {
    many(Order::Coherent, 700, 7);
}

#[test]
fn dependencies_and_fences() {
    many(Order::Dependent, 500, 7);
}

fn plan(program: &Program, model: &Model) -> Arc<Plan> {
    let uses = Uses::of(program);
    let present = |b: &Base| uses.present(&b.name, b.sort);
    let late = |b: &Base| b.name == "co";
    let open = Growth { late: &late, certain: true, ..Growth::stable(false) };
    let open = Plan::compile_for(model, &present, open);
    Arc::new(Plan::compile(model, &present, false).leaving_open(open))
}

fn reduced() -> Options {
    Options { prefix: Some(PrefixKind::ProgramOrder), symmetry: true, ..Options::default() }
}

/// Executions up to renaming, in all, and how many threads can be renamed.
fn counts(program: &Program, sc: bool, options: &Options) -> (u64, u64, usize) {
    let counted = explore(program, &plan(program, &model(sc)), options, &mut Nobody);
    (counted.complete, counted.in_all, counted.renamed)
}

/// So many threads with the same code, after and before others.
fn copies(
    n: usize,
    before: Option<&str>,
    code: impl Fn(&mut FunctionBuilder, &[Operand]),
    after: Option<&str>,
) -> Program {
    let mut b = Builder::new();
    let vars = [b.var("x"), b.var("y")];
    let writer = |b: &mut Builder, name: Option<&str>| {
        if name.is_some() {
            b.thread(|f| store(f, vars[0], Operand::Const(7), Half::None));
        }
    };
    writer(&mut b, before);
    (0..n).for_each(|_| b.thread(|f| code(f, &vars)));
    writer(&mut b, after);
    b.finish()
}

#[test]
fn known_numbers() {
    let mut factorial = 1;
    for n in 2..7u64 {
        factorial *= n;
        for sc in [true, false] {
            let twice = copies(n as usize, None, |f, v| v.iter().for_each(|&x| increment(f, x)), None);
            let once = copies(n as usize, None, |f, v| increment(f, v[0]), None);
            assert_eq!(counts(&once, sc, &reduced()), (1, factorial, n as usize));
            let read = |f: &mut FunctionBuilder, v: &[Operand]| {
                load(f, v[0], Half::None);
            };
            for (before, after) in [(Some("writer"), None), (None, Some("writer"))] {
                let readers = copies(n as usize, before, read, after);
                assert_eq!(counts(&readers, sc, &reduced()), (n + 1, 1 << n, n as usize));
            }
            if n < 5 && !sc {
                assert_eq!(counts(&twice, sc, &reduced()), (factorial, factorial * factorial, n as usize));
            }
        }
    }
}

/// Threads that only write what no thread reads are the same under any name; but each may be the last.
#[test]
fn writes_that_nobody_reads() {
    for n in 2..6 {
        let both = |f: &mut FunctionBuilder, v: &[Operand]| {
            store(f, v[0], Operand::Const(1), Half::None);
            increment(f, v[1]);
        };
        let program = copies(n as usize, None, both, None);
        let where_read = Equivalence::WhereRead(unread(&program).into());
        let nobody_looks = Options { equivalence: where_read, observed: Some(Arc::from([])), ..reduced() };
        let factorial = (1..=n).product();
        assert_eq!(counts(&program, true, &nobody_looks), (1, factorial, n as usize));
        let one_looks = Options { observed: None, ..nobody_looks };
        let alone = Options { symmetry: false, ..one_looks.clone() };
        let in_all = counts(&program, true, &one_looks).1;
        assert_eq!(in_all, counts(&program, true, &alone).0);
    }
}

/// Where symmetry cannot be used, everything is explored.
#[test]
fn falls_back() {
    let program = copies(4, None, |f, v| increment(f, v[0]), None);
    for options in [
        Options { symmetry: false, ..reduced() },
        Options { prefix: Some(PrefixKind::Dependencies), ..reduced() },
        Options { equivalence: Equivalence::ReadsFrom, ..reduced() },
    ] {
        assert_eq!(counts(&program, false, &options), (24, 24, 0));
    }
}

#[test]
fn any_number_of_threads() {
    for seed in 0..60 {
        let (program, _, text) = random_program(&mut Rng(seed * 77 + 1), 6);
        let model = ordered([Order::Sc, Order::Tso, Order::Coherent][seed as usize % 3]);
        same_with_threads(&program, &plan(&program, &model), &reduced(), &text);
    }
}

/// A program whose `main` creates threads that increment a counter, does something after each creation, and joins some of them.
fn created(
    code: impl Fn(&mut FunctionBuilder),
    after_each: impl Fn(&mut FunctionBuilder, u64, Operand) -> Option<Operand>,
    joined: usize,
) -> Program {
    let mut b = Builder::new();
    let x = b.var("x");
    let mut thread = FunctionBuilder::new("thread", 1);
    code(&mut thread);
    increment(&mut thread, x);
    let id = b.program.declare("thread");
    b.program.define(id, thread.finish());
    let mut main = FunctionBuilder::new("main", 0);
    let mut numbers = Vec::new();
    for i in 0..4 {
        let dst = main.reg();
        let arg = after_each(&mut main, i, Operand::Const(0)).unwrap_or(Operand::Const(0));
        main.push(Instr::Spawn { dst, function: Operand::Const(FUNCTION_BASE + 16 * u64::from(id.0)), arg });
        after_each(&mut main, i, Operand::Reg(dst));
        numbers.push(Operand::Reg(dst));
    }
    for &thread in &numbers[..joined] {
        main.push(Instr::JoinThread { dst: None, thread });
    }
    let main_id = b.program.declare("main");
    b.program.define(main_id, main.finish());
    let mut program = b.finish();
    program.start = Start::Main(main_id);
    program
}

#[test]
fn threads_that_something_tells_apart() {
    let nothing = |_: &mut FunctionBuilder, _, _| None;
    let plain = |_: &mut FunctionBuilder| {};
    let asks = |f: &mut FunctionBuilder| {
        let dst = f.reg();
        f.push(Instr::ThreadSelf { dst });
    };
    let allocates = |f: &mut FunctionBuilder| {
        let dst = f.reg();
        let region = Region::Heap;
        f.push(Instr::Alloc { dst, size: Operand::Const(8), region, name: "own".into() });
    };
    assert_eq!(counts(&created(plain, nothing, 4), false, &reduced()), (1, 24, 4), "all joined");
    assert_eq!(counts(&created(plain, nothing, 0), false, &reduced()), (1, 24, 4), "none joined");
    assert_eq!(counts(&created(plain, nothing, 2), false, &reduced()), (24, 24, 0), "two joined");
    assert_eq!(counts(&created(asks, nothing, 4), false, &reduced()), (24, 24, 0), "identity");
    assert_eq!(counts(&created(allocates, nothing, 4), false, &reduced()), (24, 24, 0), "memory");
    let fences = |f: &mut FunctionBuilder, _, value| {
        if matches!(value, Operand::Reg(_)) {
            f.push(Instr::Fence { tags: Default::default(), addr: None, is_fence: true });
        }
        None
    };
    assert_eq!(counts(&created(plain, fences, 4), false, &reduced()), (24, 24, 0), "events between");
    let other_arguments = |_: &mut FunctionBuilder, i, _| Some(Operand::Const(i));
    assert_eq!(counts(&created(plain, other_arguments, 4), false, &reduced()), (24, 24, 0), "arguments");
    let looks = |f: &mut FunctionBuilder, _, value| {
        if matches!(value, Operand::Reg(_)) {
            f.push(Instr::Assert { cond: value, message: "a number".into() });
        }
        None
    };
    assert_eq!(counts(&created(plain, looks, 4), false, &reduced()), (24, 24, 0), "numbers");
}
