//! Random programs that crash, on persistent memory of two processors and on disks.
//!
//! What the recovery may find under px86 and parmv8 is held against machines, which know no axioms; what it may find on a disk against all sets of
//! writes, one by one.

mod armv8;
mod disks;
mod px86;

use hmc::algebra::{Model, Sort};
use hmc::cat::{self, LoadRequest, Vocabulary};
use hmc::crash::recovery::{READS, Recovered, Recovery};
use hmc::explore::{Equivalence, Execution, Go, Options, Problem, Visitor, explore, is_untouched_by_reads, plan_for};
use hmc::graph::view;
use hmc::program::crash::Unit;
use hmc::program::*;
use hmc::sequential::End;
use std::collections::BTreeSet;

/// The first line of the memory that survives.
const MEMORY: u64 = 0x10000;

/// How many programs of a kind; `HMC_CRASH_PROGRAMS` says otherwise.
fn programs(usual: u64) -> u64 {
    std::env::var("HMC_CRASH_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// An instruction of a thread on persistent memory: sets of its events are named.
enum Code {
    Store(usize, u64, &'static [&'static str]),
    /// A locked exchange: it writes.
    Exchange(usize, u64),
    /// A read; the thread goes on only if it gives this.
    Expect(usize, u64, &'static [&'static str]),
    Fence(&'static str),
    /// A fence that names a place.
    Flush(&'static str, usize),
}

/// Threads, and the line that each of the variables is in.
struct OnMemory {
    lines: Vec<u64>,
    threads: Vec<Vec<Code>>,
}

fn fence(builder: &mut ProgramBuilder, set: &str, addr: Option<u64>, is_fence: bool) -> Instr {
    Instr::Fence { tags: builder.tag_set([set]), addr: addr.map(Operand::Const), is_fence }
}

/// The program, with a recovery that reads all variables.
fn on_memory(test: &OnMemory) -> Program {
    let mut builder = ProgramBuilder::new("crash", 0x1000);
    let plain = builder.tag_set([]);
    let locked = builder.tag_set(["X"]);
    // Those of one line stand side by side.
    let address = |variable: usize| MEMORY + 64 * test.lines[variable] + 8 * variable as u64;
    let load = |dst, addr, tags, half| {
        Instr::Load(Load { dst, addr: Operand::Const(addr), size: 4, tags, half, unless: None, hidden: false })
    };
    let store = |addr, value, tags, half| {
        let (addr, value) = (Operand::Const(addr), Operand::Const(value));
        Instr::Store(Store { addr, value, size: 4, tags, half, hidden: false })
    };
    let mut entries = Vec::new();
    for (n, thread) in test.threads.iter().enumerate() {
        let mut f = FunctionBuilder::new(format!("P{n}"), 0);
        for step in thread {
            f.next_group();
            match *step {
                Code::Store(at, value, sets) => {
                    let tags = builder.tag_set(sets.iter().copied());
                    f.push(store(address(at), value, tags, Half::None));
                }
                Code::Exchange(at, value) => {
                    let old = f.reg();
                    f.push(load(old, address(at), locked, Half::AmoRead));
                    f.push(store(address(at), value, locked, Half::AmoWrite));
                }
                Code::Expect(at, value, sets) => {
                    let tags = builder.tag_set(sets.iter().copied());
                    let (found, cond) = (f.reg(), f.reg());
                    let (go_on, stop) = (f.label(), f.label());
                    f.push(load(found, address(at), tags, Half::None));
                    let (a, b) = (Operand::Reg(found), Operand::Const(value));
                    f.push(Instr::Bin { dst: cond, op: BinOp::Eq, bits: 32, a, b });
                    let (then, otherwise) = (FunctionBuilder::target(go_on), FunctionBuilder::target(stop));
                    f.push(Instr::Branch { cond: Operand::Reg(cond), then, otherwise, join: Join::Never });
                    f.place(stop);
                    f.push(Instr::Return { value: None });
                    f.place(go_on);
                }
                Code::Fence(set) => f.push(fence(&mut builder, set, None, true)),
                Code::Flush(set, at) => f.push(fence(&mut builder, set, Some(address(at)), false)),
            }
        }
        f.push(Instr::Return { value: None });
        let function = builder.declare(&format!("P{n}"));
        builder.define(function, f.finish());
        entries.push(Entry { function, args: Vec::new(), name: format!("P{n}"), tags: plain });
    }
    let mut f = FunctionBuilder::new("recovery", 0);
    for variable in 0..test.lines.len() {
        let dst = f.reg();
        f.next_group();
        f.push(load(dst, address(variable), plain, Half::None));
    }
    f.push(Instr::Return { value: None });
    let recovery = builder.declare("recovery");
    builder.define(recovery, f.finish());
    let mut program = builder.program;
    let bytes = vec![0; 64 * test.lines.len()];
    let object = |address| Object {
        name: "memory".into(),
        address,
        bytes,
        cells: Vec::new(),
        thread_local: false,
        read_only: false,
    };
    program.objects.push(object(MEMORY));
    program.start = Start::Together(entries);
    program.persistence.memory.push((MEMORY, MEMORY + 64 * test.lines.len() as u64 - 1));
    program.persistence.recovery = Some(recovery);
    program.persistence.units.set(Unit::Line, 64);
    program.persistence.fences_name_places = true;
    program.persistence.is_explored = true;
    prepared(program)
}

/// The same, which knows the tag of what the recovery reads.
fn prepared(mut program: Program) -> Program {
    let tagged = program.with_recovery_reads(READS);
    (program.tags, program.tag_sets) = (tagged.tags, tagged.tag_sets);
    program
}

/// Shown each execution.
struct Each<F: FnMut(&Execution<'_, '_>)>(F);

impl<F: FnMut(&Execution<'_, '_>)> Visitor for Each<F> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        (self.0)(execution);
        Go::On
    }
    fn problem(&mut self, _: &Execution<'_, '_>, problem: &Problem) -> Go {
        panic!("{problem:?}")
    }
}

fn each(program: &Program, model: &Model, see: impl FnMut(&Execution<'_, '_>)) {
    let equivalence = Equivalence::ReadsFromAndCoherence;
    let plan = plan_for(model, program, &equivalence);
    let options = Options { equivalence, ..Options::default() };
    explore(program, &plan, &options, &mut Each(see));
}

/// What the recovery may find of each variable, by hmc.
fn found(test: &OnMemory, model: &Model) -> BTreeSet<Vec<u64>> {
    let program = on_memory(test);
    let recovery = Recovery::new(&program, model);
    let mut states = BTreeSet::new();
    each(&program, model, |execution| {
        recovery.explore(execution, &mut |recovered| {
            assert_eq!(recovered.end, End::Finished);
            takes_no_part(recovered, execution, model);
            states.insert(recovered.solo.found.iter().map(|&(_, _, value)| value).collect());
            Go::On
        });
    });
    states
}

fn model(name: &str, sets: &[&str]) -> Model {
    let mut vocabulary = Vocabulary::default();
    vocabulary.add(sets.iter().copied(), Sort::Set);
    cat::load(&LoadRequest::named(name), &vocabulary).unwrap_or_else(|errors| panic!("{name}: {errors:?}")).model
}

/// What the plan of a recovery takes for granted: none of its reads is in what they take no part in.
fn takes_no_part(recovered: &Recovered<'_>, execution: &Execution<'_, '_>, model: &Model) {
    let (graph, program) = (recovered.graph, recovered.program);
    let tags = program.persistence.reads.expect("tags");
    let candidate = view::candidate(graph, &execution.world.deps, program);
    let reads: Vec<u32> = graph.lane(recovered.thread).order.iter().map(|&read| graph.row(read)).collect();
    for base in model.pool.bases().iter().filter(|base| is_untouched_by_reads(base, program, tags)) {
        let set = candidate.sets.get(&base.name).filter(|_| base.sort == Sort::Set);
        let relation = candidate.relations.get(&base.name).filter(|_| base.sort == Sort::Rel);
        let is_in = |read: &u32| {
            set.is_some_and(|set| set.contains(read))
                || relation.is_some_and(|pairs| pairs.iter().any(|(x, y)| x == read || y == read))
        };
        assert!(!reads.iter().any(is_in), "{}", base.name);
    }
}
