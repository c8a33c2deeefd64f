//! Known numbers of executions, on programs and models built by hand.

use hmc::algebra::{Check, Model, Predicate, Role, Sort};
use hmc::explore::{Execution, Go, Options, Problem, Statistics, Visitor, explore};
use hmc::graph::feed;
use hmc::kernel::plan::Plan;
use hmc::program::*;
use std::sync::Arc;

struct Count;

impl Visitor for Count {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        Go::On
    }
    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

fn require(model: &mut Model, predicate: Predicate, expr: hmc::algebra::ExprId) {
    model.checks.push(Check { name: None, role: Role::Require, predicate, negated: false, expr, place: (0, 0..0) });
}

/// Coherence and atomicity, and sequential consistency when `sc`.
fn model(sc: bool) -> Model {
    let mut m = Model::default();
    let p = &mut m.pool;
    let [po, loc, rf, co, amo, ext] = ["po", "loc", "rf", "co", "amo", "ext"].map(|n| p.base(n, Sort::Rel));
    let inv = p.inverse(rf);
    let fr = p.seq([inv, co]);
    let id = p.id();
    let fr = p.diff(fr, id);
    let poloc = p.inter(Sort::Rel, [po, loc]);
    let order = if sc { po } else { poloc };
    let all = p.union(Sort::Rel, [order, rf, co, fr]);
    let fre = p.inter(Sort::Rel, [fr, ext]);
    let coe = p.inter(Sort::Rel, [co, ext]);
    let between = p.seq([fre, coe]);
    let atom = p.inter(Sort::Rel, [amo, between]);
    require(&mut m, Predicate::Acyclic, all);
    require(&mut m, Predicate::Empty, atom);
    m
}

fn run(program: &Program, model: &Model) -> Statistics {
    let holes = true;
    let plan = Plan::compile(model, &|b| feed::present(program, &b.name, b.sort), holes);
    explore(program, &Arc::new(plan), &Options::default(), &mut Count)
}

struct Builder {
    program: ProgramBuilder,
    entries: Vec<Entry>,
}

impl Builder {
    fn new() -> Self {
        Builder { program: ProgramBuilder::new("test", 0x1000_0000), entries: Vec::new() }
    }
    fn var(&mut self, name: &str) -> Operand {
        let cells = vec![Cell { offset: 0, size: 4, path: String::new() }];
        let o =
            Object { name: name.into(), address: 0, bytes: vec![0; 4], cells, thread_local: false, read_only: false };
        Operand::Const(self.program.object(o, 8))
    }
    fn thread(&mut self, body: impl FnOnce(&mut FunctionBuilder)) {
        let name = format!("P{}", self.entries.len());
        let mut f = FunctionBuilder::new(&name, 0);
        body(&mut f);
        let id = self.program.declare(&name);
        self.program.define(id, f.finish());
        self.entries.push(Entry { function: id, args: vec![], name, tags: Default::default() });
    }
    fn finish(mut self) -> Program {
        self.program.program.start = Start::Together(self.entries);
        self.program.program.order = InstructionOrder::DataFlow;
        self.program.program
    }
}

fn load(f: &mut FunctionBuilder, addr: Operand, half: Half) -> Operand {
    let dst = f.reg();
    f.push(Instr::Load(Load { dst, addr, size: 4, tags: Default::default(), half, unless: None, hidden: false }));
    if half == Half::None {
        f.next_group();
    }
    Operand::Reg(dst)
}

fn store(f: &mut FunctionBuilder, addr: Operand, value: Operand, half: Half) {
    f.push(Instr::Store(Store { addr, value, size: 4, tags: Default::default(), half, hidden: false }));
    f.next_group();
}

fn add(f: &mut FunctionBuilder, a: Operand, b: u64) -> Operand {
    let dst = f.reg();
    f.push(Instr::Bin { dst, op: BinOp::Add, bits: 32, a, b: Operand::Const(b) });
    Operand::Reg(dst)
}

fn increment(f: &mut FunctionBuilder, x: Operand) {
    let old = load(f, x, Half::AmoRead);
    let new = add(f, old, 1);
    store(f, x, new, Half::AmoWrite);
}

fn ainc(n: usize, rounds: usize) -> Program {
    let mut b = Builder::new();
    let xs: Vec<Operand> = (0..rounds).map(|i| b.var(&format!("x{i}"))).collect();
    for _ in 0..n {
        b.thread(|f| xs.iter().for_each(|&x| increment(f, x)));
    }
    b.finish()
}

fn readers(n: usize, writer_last: bool) -> Program {
    let mut b = Builder::new();
    let x = b.var("x");
    let writer = |b: &mut Builder| b.thread(|f| store(f, x, Operand::Const(1), Half::None));
    if !writer_last {
        writer(&mut b);
    }
    for _ in 0..n {
        b.thread(|f| {
            load(f, x, Half::None);
        });
    }
    if writer_last {
        writer(&mut b);
    }
    b.finish()
}

fn load_buffering(data: [bool; 2]) -> Program {
    let mut b = Builder::new();
    let (x, y) = (b.var("x"), b.var("y"));
    for (i, (from, to)) in [(x, y), (y, x)].into_iter().enumerate() {
        b.thread(|f| {
            let v = load(f, from, Half::None);
            let v = if data[i] { v } else { Operand::Const(1) };
            store(f, to, v, Half::None);
        });
    }
    b.finish()
}

fn store_buffering() -> Program {
    let mut b = Builder::new();
    let (x, y) = (b.var("x"), b.var("y"));
    for (to, from) in [(x, y), (y, x)] {
        b.thread(|f| {
            store(f, to, Operand::Const(1), Half::None);
            load(f, from, Half::None);
        });
    }
    b.finish()
}

fn counts(program: &Program, model: &Model) -> (u64, u64) {
    let s = run(program, model);
    (s.complete, s.blocked)
}

#[test]
fn store_buffering_has_3_executions_under_sc_and_4_without() {
    assert_eq!(counts(&store_buffering(), &model(true)), (3, 0));
    assert_eq!(counts(&store_buffering(), &model(false)), (4, 0));
}

#[test]
fn readers_double_with_each_thread() {
    for n in 1..8 {
        for last in [false, true] {
            assert_eq!(counts(&readers(n, last), &model(true)), (1 << n, 0), "{n} {last}");
            assert_eq!(counts(&readers(n, last), &model(false)), (1 << n, 0), "{n} {last}");
        }
    }
}

#[test]
fn atomic_increments_come_in_every_order() {
    for (n, factorial) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120)] {
        assert_eq!(counts(&ainc(n, 1), &model(true)), (factorial, 0), "{n}");
        assert_eq!(counts(&ainc(n, 1), &model(false)), (factorial, 0), "{n}");
    }
    assert_eq!(counts(&ainc(2, 2), &model(false)), (4, 0));
    assert_eq!(counts(&ainc(3, 2), &model(false)), (36, 0));
}

#[test]
fn load_buffering_needs_dependencies_to_be_forbidden() {
    assert_eq!(counts(&load_buffering([false, false]), &model(true)), (3, 0));
    assert_eq!(counts(&load_buffering([false, false]), &model(false)), (4, 0));
    assert_eq!(counts(&load_buffering([true, false]), &model(false)), (4, 0));
    assert_eq!(counts(&load_buffering([true, true]), &model(false)), (3, 0));
}
