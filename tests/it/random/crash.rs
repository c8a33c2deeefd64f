//! Random programs that crash, on persistent memory of x86 and on disks.
//!
//! What the recovery may find under px86 is held against a machine: buffers of stores, of which some may be overtaken, and a queue for each line of the
//! cache; a crash leaves what has left the queues. It knows no axioms. What it may find on a disk is held against all sets of writes, one by one: those
//! that have with a write all that persists before it, as the plain evaluator says.

use crate::support::random::Rng;
use hmc::algebra::naive::{Naive, Value};
use hmc::algebra::{Model, Sort};
use hmc::cat::{self, LoadRequest, Vocabulary};
use hmc::crash::recovery::{READS, Recovery};
use hmc::explore::{Equivalence, Execution, Go, Options, Problem, Visitor, explore, plan_for};
use hmc::graph::event::Kind;
use hmc::graph::view;
use hmc::program::crash::Unit;
use hmc::program::*;
use hmc::sequential::End;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// The first line of the memory that survives.
const MEMORY: u64 = 0x10000;

/// How many programs of a kind; `HMC_CRASH_PROGRAMS` says otherwise.
fn programs(usual: u64) -> u64 {
    std::env::var("HMC_CRASH_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(usual)
}

/// An instruction of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Store(usize, u64),
    Stream(usize, u64),
    /// A locked exchange: it writes.
    Exchange(usize, u64),
    /// A read; the thread goes on only if it gives this.
    Expect(usize, u64),
    Flush(usize),
    WeakFlush(usize),
    StoreFence,
    FullFence,
}

/// Threads, and the line that each of the variables is in.
#[derive(Clone, Debug)]
struct Test {
    lines: Vec<u64>,
    threads: Vec<Vec<Step>>,
}

fn random(rng: &mut Rng) -> Test {
    let variables = 2 + rng.below(2) as usize;
    let shares = rng.below(3) == 0;
    let lines = (0..variables as u64).map(|n| if shares && n == 1 { 0 } else { n }).collect();
    let streams = rng.below(3) > 0;
    let mut value = 0;
    let threads = (0..1 + rng.below(2))
        .map(|_| {
            (0..1 + rng.below(4))
                .map(|_| {
                    let at = rng.below(variables as u64) as usize;
                    value += 1;
                    match rng.below(12) {
                        0..4 => Step::Store(at, value),
                        4 if streams => Step::Stream(at, value),
                        4 | 5 => Step::WeakFlush(at),
                        6 => Step::Flush(at),
                        7 => Step::StoreFence,
                        8 => Step::FullFence,
                        9 => Step::Exchange(at, value),
                        _ => Step::Expect(at, if rng.below(2) == 0 { 0 } else { 1 + rng.below(value) }),
                    }
                })
                .collect()
        })
        .collect();
    Test { lines, threads }
}

/// Where a variable is: those of one line stand side by side.
fn address(test: &Test, variable: usize) -> u64 {
    MEMORY + 64 * test.lines[variable] + 8 * variable as u64
}

fn fence(builder: &mut ProgramBuilder, set: &str, addr: Option<u64>, is_fence: bool) -> Instr {
    Instr::Fence { tags: builder.tag_set([set]), addr: addr.map(Operand::Const), is_fence }
}

/// The program, with a recovery that reads all variables.
fn program(test: &Test) -> Program {
    let mut builder = ProgramBuilder::new("crash", 0x1000);
    let plain = builder.tag_set([]);
    let (streaming, locked) = (builder.tag_set(["NT"]), builder.tag_set(["X"]));
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
        for &step in thread {
            f.next_group();
            match step {
                Step::Store(at, value) => f.push(store(address(test, at), value, plain, Half::None)),
                Step::Stream(at, value) => f.push(store(address(test, at), value, streaming, Half::None)),
                Step::Exchange(at, value) => {
                    let old = f.reg();
                    f.push(load(old, address(test, at), locked, Half::AmoRead));
                    f.push(store(address(test, at), value, locked, Half::AmoWrite));
                }
                Step::Expect(at, value) => {
                    let (found, cond) = (f.reg(), f.reg());
                    let (go_on, stop) = (f.label(), f.label());
                    f.push(load(found, address(test, at), plain, Half::None));
                    let (a, b) = (Operand::Reg(found), Operand::Const(value));
                    f.push(Instr::Bin { dst: cond, op: BinOp::Eq, bits: 32, a, b });
                    let (then, otherwise) = (FunctionBuilder::target(go_on), FunctionBuilder::target(stop));
                    f.push(Instr::Branch { cond: Operand::Reg(cond), then, otherwise, join: Join::Never });
                    f.place(stop);
                    f.push(Instr::Return { value: None });
                    f.place(go_on);
                }
                Step::Flush(at) => f.push(fence(&mut builder, "ClFlush", Some(address(test, at)), false)),
                Step::WeakFlush(at) => f.push(fence(&mut builder, "ClFlushOpt", Some(address(test, at)), false)),
                Step::StoreFence => f.push(fence(&mut builder, "SFENCE", None, true)),
                Step::FullFence => f.push(fence(&mut builder, "MFENCE", None, true)),
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
        f.push(load(dst, address(test, variable), plain, Half::None));
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

/// What the recovery may find, by hmc.
fn found(test: &Test, model: &Model) -> BTreeSet<Vec<u64>> {
    let program = program(test);
    let recovery = Recovery::new(&program, model);
    let mut states = BTreeSet::new();
    each(&program, model, |execution| {
        recovery.explore(execution, &mut |recovered| {
            assert_eq!(recovered.end, End::Finished);
            states.insert(recovered.solo.found.iter().map(|&(_, _, value)| value).collect());
            Go::On
        });
    });
    states
}

/// What is in a thread's buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Buffered {
    Store(usize, u64),
    Stream(usize, u64),
    Flush(u64),
    WeakFlush(u64),
    StoreFence,
}

/// What is in the queue of a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Queued {
    Write(usize, u64),
    /// Something of a thread that its fences wait for.
    Mark(usize),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Machine {
    next: Vec<usize>,
    buffers: Vec<Vec<Buffered>>,
    memory: Vec<u64>,
    queues: BTreeMap<u64, Vec<Queued>>,
    persisted: Vec<u64>,
}

impl Machine {
    fn line(test: &Test, entry: Buffered) -> Option<u64> {
        match entry {
            Buffered::Store(at, _) | Buffered::Stream(at, _) => Some(test.lines[at]),
            Buffered::Flush(line) | Buffered::WeakFlush(line) => Some(line),
            Buffered::StoreFence => None,
        }
    }

    /// Whether an entry of a buffer has to leave it before a later one.
    fn keeps_order(test: &Test, first: Buffered, second: Buffered) -> bool {
        use Buffered::{Flush, Store, StoreFence, Stream, WeakFlush};
        let one_line = Self::line(test, first) == Self::line(test, second);
        match (first, second) {
            (StoreFence, _) | (_, StoreFence) => true,
            (Store(..) | Flush(_), Store(..) | Flush(_)) => true,
            (WeakFlush(_), Flush(_)) => one_line,
            (WeakFlush(_), _) => false,
            (Store(..) | Flush(_) | Stream(..), _) => one_line,
        }
    }

    fn has_mark(&self, thread: usize) -> bool {
        self.queues.values().flatten().any(|&queued| queued == Queued::Mark(thread))
    }

    fn write(&mut self, test: &Test, at: usize, value: u64) {
        self.memory[at] = value;
        self.queues.entry(test.lines[at]).or_default().push(Queued::Write(at, value));
    }

    fn successors(&self, test: &Test) -> Vec<Machine> {
        let mut all = Vec::new();
        let is_clean = |line: u64| self.queues.get(&line).is_none_or(Vec::is_empty);
        for (t, thread) in test.threads.iter().enumerate() {
            if let Some(&step) = thread.get(self.next[t]) {
                let mut next = self.clone();
                next.next[t] += 1;
                let is_idle = self.buffers[t].is_empty() && !self.has_mark(t);
                match step {
                    Step::Store(at, value) => next.buffers[t].push(Buffered::Store(at, value)),
                    Step::Stream(at, value) => next.buffers[t].push(Buffered::Stream(at, value)),
                    Step::Flush(at) => next.buffers[t].push(Buffered::Flush(test.lines[at])),
                    Step::WeakFlush(at) => next.buffers[t].push(Buffered::WeakFlush(test.lines[at])),
                    Step::StoreFence => next.buffers[t].push(Buffered::StoreFence),
                    Step::FullFence if is_idle => {}
                    Step::Exchange(at, value) if is_idle => next.write(test, at, value),
                    Step::FullFence | Step::Exchange(..) => next.next[t] = usize::MAX,
                    Step::Expect(at, value) => {
                        let own = self.buffers[t].iter().rev().find_map(|entry| match entry {
                            Buffered::Store(place, value) | Buffered::Stream(place, value) if *place == at => {
                                Some(*value)
                            }
                            _ => None,
                        });
                        if own.unwrap_or(self.memory[at]) != value {
                            next.next[t] = thread.len();
                        }
                    }
                }
                if next.next[t] != usize::MAX {
                    all.push(next);
                }
            }
            for (n, &entry) in self.buffers[t].iter().enumerate() {
                if self.buffers[t][..n].iter().any(|&first| Self::keeps_order(test, first, entry)) {
                    continue;
                }
                let mut next = self.clone();
                next.buffers[t].remove(n);
                match entry {
                    Buffered::Store(at, value) => next.write(test, at, value),
                    // It goes past the cache: what the cache has of the line is in memory first.
                    Buffered::Stream(at, value) if is_clean(test.lines[at]) => {
                        (next.memory[at], next.persisted[at]) = (value, value);
                    }
                    Buffered::Stream(..) => continue,
                    Buffered::Flush(line) if is_clean(line) => {}
                    Buffered::WeakFlush(line) => next.queues.entry(line).or_default().push(Queued::Mark(t)),
                    Buffered::StoreFence if !self.has_mark(t) => {}
                    Buffered::Flush(_) | Buffered::StoreFence => continue,
                }
                all.push(next);
            }
        }
        for (&line, queue) in &self.queues {
            if let Some(&first) = queue.first() {
                let mut next = self.clone();
                next.queues.entry(line).or_default().remove(0);
                if let Queued::Write(at, value) = first {
                    next.persisted[at] = value;
                }
                all.push(next);
            }
        }
        all
    }
}

/// What a crash may leave, by the machine.
fn left(test: &Test) -> BTreeSet<Vec<u64>> {
    let zeros = vec![0; test.lines.len()];
    let start = Machine {
        next: vec![0; test.threads.len()],
        buffers: vec![Vec::new(); test.threads.len()],
        memory: zeros.clone(),
        queues: BTreeMap::new(),
        persisted: zeros,
    };
    let (mut seen, mut work, mut states) = (HashSet::from([start.clone()]), vec![start], BTreeSet::new());
    while let Some(machine) = work.pop() {
        states.insert(machine.persisted.clone());
        for next in machine.successors(test) {
            if seen.insert(next.clone()) {
                work.push(next);
            }
        }
    }
    states
}

fn model(name: &str, sets: &[&str]) -> Model {
    let mut vocabulary = Vocabulary::default();
    vocabulary.add(sets.iter().copied(), Sort::Set);
    cat::load(&LoadRequest::named(name), &vocabulary).unwrap_or_else(|errors| panic!("{name}: {errors:?}")).model
}

#[test]
fn px86_leaves_what_the_machine_leaves() {
    let model = model("px86", &[]);
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    let mut distinct = 0;
    for n in 0..programs(120) {
        let test = random(&mut rng);
        let (found, left) = (found(&test, &model), left(&test));
        assert_eq!(found, left, "program {n}: {test:?}");
        distinct += usize::from(found.len() > 2);
    }
    assert!(distinct > 20, "most programs leave one state");
}

/// The sets of the events of a disk, for random programs.
const WRITES: [&[&str]; 7] =
    [&["DATA"], &["SIZE", "ALL"], &["SIZE", "GROWN"], &["SIZE", "TRUNC"], &["DIR"], &["JBEGIN"], &["JEND"]];
const FORCES: [&str; 5] = ["FSYNC", "FDATASYNC", "SYNC", "JPOINT", "PBARRIER"];
/// Bytes of an inode, and of a block of it.
const INODE: u64 = 64;
const BLOCK: u64 = 2;

/// A program that writes to two inodes at random, and a recovery that reads some of it.
fn disk_program(rng: &mut Rng) -> Program {
    let mut builder = ProgramBuilder::new("disk", 0x1000);
    let plain = builder.tag_set([]);
    let mut entries = Vec::new();
    let mut places = BTreeSet::new();
    let mut writes = 0;
    for n in 0..1 + rng.below(2) {
        let mut f = FunctionBuilder::new(format!("P{n}"), 0);
        for _ in 0..2 + rng.below(5) {
            let inode = MEMORY + INODE * rng.below(2);
            f.next_group();
            if writes == 9 || rng.below(4) == 0 {
                let force = FORCES[rng.below(5) as usize];
                f.push(fence(&mut builder, force, Some(inode), false));
                continue;
            }
            writes += 1;
            let sets = WRITES[rng.below(7) as usize];
            let offset = match sets[0] {
                "DATA" => rng.below(4),
                "SIZE" => 16,
                "DIR" => 24 + 8 * rng.below(2),
                _ => 40,
            };
            let value = match sets[0] {
                "DIR" => MEMORY + INODE * rng.below(2),
                _ => rng.below(4),
            };
            places.insert(inode + offset);
            let (addr, value) = (Operand::Const(inode + offset), Operand::Const(value));
            let tags = builder.tag_set(sets.iter().copied());
            f.push(Instr::Store(Store {
                addr,
                value,
                size: 4.min(if offset < 4 { 1 } else { 4 }),
                tags,
                half: Half::None,
                hidden: false,
            }));
        }
        f.push(Instr::Return { value: None });
        let function = builder.declare(&format!("P{n}"));
        builder.define(function, f.finish());
        entries.push(Entry { function, args: Vec::new(), name: format!("P{n}"), tags: plain });
    }
    let mut f = FunctionBuilder::new("recovery", 0);
    for &place in &places {
        let dst = f.reg();
        f.next_group();
        let size = if (place - MEMORY) % INODE < 4 { 1 } else { 4 };
        let addr = Operand::Const(place);
        f.push(Instr::Load(Load { dst, addr, size, tags: plain, half: Half::None, unless: None, hidden: false }));
    }
    f.push(Instr::Return { value: None });
    let recovery = builder.declare("recovery");
    builder.define(recovery, f.finish());
    let mut program = builder.program;
    program.objects.push(Object {
        name: "disk".into(),
        address: MEMORY,
        bytes: vec![0; 2 * INODE as usize],
        cells: Vec::new(),
        thread_local: false,
        read_only: false,
    });
    program.start = Start::Together(entries);
    program.persistence.memory.push((MEMORY, MEMORY + 2 * INODE - 1));
    program.persistence.recovery = Some(recovery);
    program.persistence.units.set(Unit::Block, BLOCK);
    program.persistence.units.set(Unit::Inode, INODE);
    program.persistence.fences_name_places = true;
    program.persistence.is_explored = true;
    prepared(program)
}

/// By address, the writes that may be the last ones there: of every set of writes that is closed.
fn closed_sets(execution: &Execution<'_, '_>, model: &Model) -> BTreeSet<Vec<(u64, u32)>> {
    let (graph, world) = (execution.graph, execution.world);
    let candidate = view::candidate(graph, &world.deps, world.program);
    let named = |name: &str| model.checks.iter().find(|check| check.name.as_deref() == Some(name)).expect("a check");
    let mut naive = Naive::new(&model.pool, &candidate);
    let Some(Value::Rel(before)) = naive.value(named("persist-order").expr) else { panic!("no relation") };
    let writes: Vec<_> = graph.ids().filter(|&e| graph.event(e).kind == Kind::Write).collect();
    // What the barrier is behind has survived.
    let barriers: Vec<_> =
        graph.ids().filter(|&e| world.program.tags_of(graph.event(e).tags).any(|tag| tag == "PBARRIER")).collect();
    let is_behind = |write: hmc::ids::EventId| {
        let thread = &graph.lane(graph.event(write).thread).order;
        let at = thread.iter().position(|&e| e == write).expect("in its thread");
        barriers.iter().any(|barrier| thread[at..].contains(barrier))
    };
    let mut all = BTreeSet::new();
    'sets: for set in 0_u32..1 << writes.len() {
        let has = |n: usize| set >> n & 1 == 1;
        for (n, &write) in writes.iter().enumerate() {
            if !has(n) && is_behind(write) {
                continue 'sets;
            }
            for (m, &other) in writes.iter().enumerate() {
                if has(n) && !has(m) && before.contains(&(graph.row(other), graph.row(write))) {
                    continue 'sets;
                }
            }
        }
        let mut state = Vec::new();
        for (loc, place) in graph.places() {
            let is_in = |e: &&hmc::ids::EventId| writes.iter().position(|w| w == *e).is_none_or(has);
            let last = place.co.iter().rev().find(is_in).expect("the initial write");
            state.push((world.locs.get(loc).0, last.0));
        }
        state.sort_unstable();
        all.insert(state);
    }
    all
}

#[test]
fn disks_leave_the_closed_sets_of_writes() {
    let mut sets: Vec<&str> = WRITES.iter().flat_map(|sets| sets.iter().copied()).collect();
    sets.extend(FORCES);
    sets.push("ACK");
    let anything = cat::load(
        &LoadRequest::text("any", "\"any\"\ninclude \"cos.cat\"\nacyclic po | rf | co | fr as sc\n"),
        &Vocabulary::default(),
    );
    let anything = anything.unwrap_or_else(|errors| panic!("{errors:?}")).model;
    for name in ["ext4", "posix", "persevere"] {
        let model = model(&format!("persistency/{name}.cat"), &sets);
        let mut rng = Rng(0x2545_f491_4f6c_dd1d);
        let mut states = 0;
        for n in 0..programs(60) {
            let program = disk_program(&mut rng);
            let recovery = Recovery::new(&program, &model);
            each(&program, &anything, |execution| {
                let mut found = BTreeSet::new();
                recovery.explore(execution, &mut |recovered| {
                    let graph = recovered.graph;
                    let reads = graph.lane(recovered.thread).order.iter().map(|&read| {
                        let event = graph.event(read);
                        (execution.world.locs.get(event.loc).0, event.rf.0)
                    });
                    let mut state: Vec<(u64, u32)> = reads.collect();
                    state.sort_unstable();
                    found.insert(state);
                    Go::On
                });
                let closed = closed_sets(execution, &model);
                assert_eq!(found, closed, "{name}, program {n}:\n{program}");
                states += found.len();
            });
        }
        assert!(states > 200, "{name}: {states}");
    }
}
