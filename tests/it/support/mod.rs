//! What the exploration tests build programs and models with.
#![allow(dead_code)]

pub mod c;
pub mod cores;
pub mod cycles;
pub mod endless;
pub mod helpers;
pub mod ir;
pub mod left_out;
pub mod linux_tree;
pub mod machine;
pub mod named;
pub mod parts;
pub mod programs;
pub mod random;
pub mod sections;

use hmc::algebra::{Check, ExprId, Model, Predicate, Role, Sort};
use hmc::candidates::enumerate::signature;
use hmc::candidates::straightline;
use hmc::explore::parallel::parts::Split;
use hmc::explore::parallel::spare::Spare;
use hmc::explore::parallel::team::explore_shared;
use hmc::explore::{Execution, Go, Nobody, Options, Problem, Statistics, Visitor, explore};
use hmc::graph::Status;
use hmc::graph::base_relations::uses::Uses;
use hmc::kernel::plan::Plan;
use hmc::program::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

/// Whether a rustc is there.
pub fn rustc_is_there() -> bool {
    let found = Command::new("rustc").arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        eprintln!("notice: no rustc is installed; Rust programs are not checked");
    }
    found
}

/// Whether a clang from version 15 on is there, under its own or a versioned name.
pub fn clang_is_there() -> bool {
    let names = std::iter::once("clang".to_owned()).chain((15..40).map(|version| format!("clang-{version}")));
    names.into_iter().any(|name| {
        let Ok(output) = Command::new(name).arg("-dumpversion").output() else { return false };
        let version = String::from_utf8_lossy(&output.stdout).into_owned();
        version.split('.').next().and_then(|major| major.trim().parse::<u32>().ok()).is_some_and(|major| major >= 15)
    })
}

/// Whether a C program is run under the kernel's model only, so that it may call what no other model declares.
pub fn is_for_the_kernel_only(path: &Path) -> bool {
    let text = std::fs::read_to_string(path).expect("a program of tests/c");
    text.lines().filter(|line| line.starts_with("// hmc: ")).all(|run| run.contains("--cat lkmm"))
}

pub fn require(model: &mut Model, predicate: Predicate, expr: ExprId) {
    model.checks.push(Check { name: None, role: Role::Require, predicate, negated: false, expr, place: (0, 0..0) });
}

/// Coherence and atomicity, and sequential consistency when `sc`.
pub fn model(sc: bool) -> Model {
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

pub fn run(program: &Program, model: &Model) -> Statistics {
    let holes = true;
    let uses = Uses::of(program);
    let plan = Plan::compile(model, &|b| uses.present(&b.name, b.sort), holes);
    explore(program, &Arc::new(plan), &Options::default(), &mut Nobody)
}

/// Builds small litmus-like programs.
pub struct Builder {
    pub program: ProgramBuilder,
    pub entries: Vec<Entry>,
}

impl Builder {
    pub fn new() -> Self {
        Builder { program: ProgramBuilder::new("test", 0x1000_0000), entries: Vec::new() }
    }
    pub fn var(&mut self, name: &str) -> Operand {
        self.var_from(name, 0)
    }
    /// A variable with an initial value.
    pub fn var_from(&mut self, name: &str, value: u32) -> Operand {
        let cells = vec![Cell { offset: 0, size: 4, path: String::new() }];
        let bytes = value.to_le_bytes().to_vec();
        let o = Object { name: name.into(), address: 0, bytes, cells, thread_local: false, read_only: false };
        Operand::Const(self.program.object(o, 8))
    }
    pub fn thread(&mut self, body: impl FnOnce(&mut FunctionBuilder)) {
        let name = format!("P{}", self.entries.len());
        let mut f = FunctionBuilder::new(&name, 0);
        body(&mut f);
        let id = self.program.declare(&name);
        self.program.define(id, f.finish());
        self.entries.push(Entry { function: id, args: vec![], name, tags: Default::default() });
    }
    pub fn finish(mut self) -> Program {
        self.program.program.start = Start::Together(self.entries);
        self.program.program.order = InstructionOrder::DataFlow;
        self.program.program
    }
}

pub fn load(f: &mut FunctionBuilder, addr: Operand, half: Half) -> Operand {
    let dst = f.reg();
    f.push(Instr::Load(Load { dst, addr, size: 4, tags: Default::default(), half, unless: None, hidden: false }));
    if half == Half::None {
        f.next_group();
    }
    Operand::Reg(dst)
}

pub fn store(f: &mut FunctionBuilder, addr: Operand, value: Operand, half: Half) {
    f.push(Instr::Store(Store { addr, value, size: 4, tags: Default::default(), half, hidden: false }));
    f.next_group();
}

/// The store of an exclusive pair, which may fail. `values`: 0 and 1 in canonical order, 0 where it fails.
pub fn exclusive_store(f: &mut FunctionBuilder, addr: Operand, value: Operand, values: [u64; 2]) {
    let choice = f.reg();
    f.push(Instr::Choose { dst: choice, values: Box::new(values) });
    let (yes, no) = (f.label(), f.label());
    let (then, otherwise) = (FunctionBuilder::target(yes), FunctionBuilder::target(no));
    f.push(Instr::Branch { cond: Operand::Reg(choice), then, otherwise, join: Join::NoDependency });
    f.place(yes);
    store(f, addr, value, Half::ExWrite);
    f.place(no);
}

pub fn add(f: &mut FunctionBuilder, a: Operand, b: u64) -> Operand {
    let dst = f.reg();
    f.push(Instr::Bin { dst, op: BinOp::Add, bits: 32, a, b: Operand::Const(b) });
    Operand::Reg(dst)
}

pub fn increment(f: &mut FunctionBuilder, x: Operand) {
    let old = load(f, x, Half::AmoRead);
    let new = add(f, old, 1);
    store(f, x, new, Half::AmoWrite);
}

/// Preserved program order of the models below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// All of it.
    Sc,
    /// All but write to read.
    Tso,
    /// Coherence only.
    Coherent,
    /// Dependencies (of writes only where control or a pick makes them), and what fences put between.
    Dependent,
}

/// A model with coherence, atomicity, and one global order.
pub fn ordered(order: Order) -> Model {
    let mut m = Model::default();
    let p = &mut m.pool;
    let [po, loc, rf, co, amo, ext, addr, data, ctrl, lxsx] =
        ["po", "loc", "rf", "co", "amo", "ext", "addr", "data", "ctrl", "lxsx"].map(|n| p.base(n, Sort::Rel));
    let picks = ["pick-addr", "pick-data", "pick-ctrl"].map(|n| p.base(n, Sort::Rel));
    let [r, w, f] = ["R", "W", "F"].map(|n| p.base(n, Sort::Set));
    let inv = p.inverse(rf);
    let fr = p.seq([inv, co]);
    let id = p.id();
    let fr = p.diff(fr, id);
    let poloc = p.inter(Sort::Rel, [po, loc]);
    let [rfe, coe, fre] = [rf, co, fr].map(|x| p.inter(Sort::Rel, [x, ext]));
    let fences = p.id_on(f);
    let fenced = p.seq([po, fences, po]);
    let com = p.union(Sort::Rel, [rf, co, fr]);
    let coherence = p.union(Sort::Rel, [poloc, com]);
    let global = match order {
        Order::Sc => p.union(Sort::Rel, [po, com]),
        Order::Tso => {
            let wr = p.product(w, r);
            let kept = p.diff(po, wr);
            p.union(Sort::Rel, [kept, fenced, rfe, co, fr])
        }
        Order::Coherent => coherence,
        Order::Dependent => {
            let to_write = p.id_on(w);
            let to_writes = p.union(Sort::Rel, [ctrl, picks[0], picks[1], picks[2]]);
            let to_writes = p.seq([to_writes, to_write]);
            p.union(Sort::Rel, [addr, data, to_writes, fenced, rfe, coe, fre])
        }
    };
    let between = p.seq([fre, coe]);
    let rmw = p.union(Sort::Rel, [amo, lxsx]);
    let atom = p.inter(Sort::Rel, [rmw, between]);
    require(&mut m, Predicate::Acyclic, coherence);
    require(&mut m, Predicate::Acyclic, global);
    require(&mut m, Predicate::Empty, atom);
    m
}

/// What was seen, in order, as text. Ends the search at the first execution whose text `stops` accepts.
pub struct Listed {
    pub seen: Vec<String>,
    stops: fn(&str) -> bool,
}

impl Listed {
    pub fn new(stops: fn(&str) -> bool) -> Listed {
        Listed { seen: Vec::new(), stops }
    }

    fn add(&mut self, text: String) -> Go {
        let go = if (self.stops)(&text) { Go::Stop } else { Go::On };
        self.seen.push(text);
        go
    }
}

impl Visitor for Listed {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        self.add(signature(execution))
    }
    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        self.add(format!("{problem:?}\n{}", signature(execution)))
    }
}

impl Split for Listed {
    fn fork(&self) -> Self {
        Listed::new(self.stops)
    }
    fn join(&mut self, later: Self) -> Go {
        let stops = later.seen.last().is_some_and(|text| (self.stops)(text));
        self.seen.extend(later.seen);
        if stops { Go::Stop } else { Go::On }
    }
    fn recorded(&self) -> Option<Value> {
        Some(Value::from(self.seen.clone()))
    }
    fn restored(&self, record: &Value) -> Result<Self, String> {
        let seen = serde_json::from_value(record.clone()).map_err(|e| e.to_string())?;
        Ok(Listed { seen, stops: self.stops })
    }
}

/// Panics unless several threads see what one sees, in the same order, and count the same, also when the search ends early.
pub fn same_with_threads(program: &Program, plan: &Arc<Plan>, options: &Options, what: &str) {
    let alone = |seen: &mut Listed| Some(explore(program, plan, options, seen));
    same(what, options, &alone, &|options, seen| Some(explore_shared(program, plan, options, seen)));
}

/// The same of the search for programs whose events are known beforehand, if that is one: how many executions it saw.
pub fn same_search_with_threads(program: &Program, plan: &Arc<Plan>, options: &Options, what: &str) -> Option<usize> {
    let shape = straightline::shape(program, options)?;
    let alone = |seen: &mut Listed| straightline::explore(program, &shape, plan, options, seen);
    same(what, options, &alone, &|options, seen| straightline::explore_shared(program, &shape, plan, options, seen))
}

/// How many executions a search by one thread saw; panics unless one by several does the same.
fn same(
    what: &str,
    options: &Options,
    alone: &dyn Fn(&mut Listed) -> Option<Statistics>,
    together: &dyn Fn(&Options, &mut Listed) -> Option<Statistics>,
) -> Option<usize> {
    let now_and_then: fn(&str) -> bool =
        |text| text.bytes().fold(7u32, |h, b| h.wrapping_mul(31) ^ u32::from(b)) % 16 == 0;
    // Of a search that was stopped nobody asks what it missed: another part may have noticed something before the one that stopped it ended. Nor how many
    // revisits it would have tried: those of a part are looked up before it ends.
    let counts = |s: Option<Statistics>| {
        s.map(|s| match s.stopped {
            true => Statistics { circular: false, unproved: false, revisitable: 0, ..s },
            false => s,
        })
    };
    let mut seen = 0;
    for stops in [now_and_then, (|_| false) as fn(&str) -> bool] {
        let mut by_one = Listed::new(stops);
        let counted = counts(alone(&mut by_one));
        for helpers in [0, 1, 3] {
            let options = Options { spare: Arc::new(Spare::new(helpers)), ..options.clone() };
            let mut by_all = Listed::new(stops);
            let statistics = counts(together(&options, &mut by_all));
            assert_eq!(counted, statistics, "{what}: {helpers} helpers count something else");
            // What was seen of a program that suits the search no more is worth nothing.
            assert!(counted.is_none() || by_one.seen == by_all.seen, "{what}: {helpers} helpers see something else");
        }
        counted?;
        seen = by_one.seen.len();
    }
    Some(seen)
}

/// The locations that a program writes and does not read.
pub fn unread(program: &Program) -> Vec<u64> {
    let code = || program.functions.iter().flat_map(|f| &f.code);
    let mut read = BTreeSet::new();
    for instr in code() {
        match instr {
            Instr::Load(Load { addr: Operand::Const(address), .. }) => read.insert(*address),
            // The address of a load that depends on what was read.
            Instr::Bin { op: BinOp::Add, a: Operand::Const(address), .. } => read.insert(*address),
            _ => false,
        };
    }
    let written = code().filter_map(|instr| match instr {
        Instr::Store(Store { addr: Operand::Const(address), .. }) => Some(*address),
        _ => None,
    });
    written.filter(|address| !read.contains(address)).collect::<BTreeSet<_>>().into_iter().collect()
}

/// What is told apart where some locations' coherence is not: of these orders the last writes (`all`) or nothing.
pub fn without_coherence(signature: &str, is_open: &dyn Fn(u64) -> bool, all: bool) -> String {
    let last = |line: &str| match line.strip_prefix("co ").map(|rest| rest.split(' ').collect::<Vec<_>>()) {
        Some(words) if u64::from_str_radix(words[0], 16).is_ok_and(is_open) => {
            all.then(|| format!("last {} {}", words[0], words[words.len() - 1]))
        }
        _ => Some(line.to_owned()),
    };
    signature.lines().filter_map(last).collect::<Vec<_>>().join("\n")
}

/// Whether all threads have come to their ends. Where `main` has returned, others need not; the enumerator knows only executions in which they have.
pub fn is_whole(execution: &Execution<'_, '_>) -> bool {
    let mut lanes = execution.graph.lanes().iter().enumerate();
    let ended = |status: &Status| matches!(status, Status::Absent | Status::Finished | Status::Exited);
    lanes.all(|(t, lane)| ended(&lane.status) || t == 0 && execution.all_joined)
}
