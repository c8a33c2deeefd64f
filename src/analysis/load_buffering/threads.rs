//! The threads of a program: what each kind of thread reads and writes, and who may read what whom.

use crate::analysis::interchangeable::{Creations, creations};
use crate::analysis::load_buffering::addresses::{Known, LowBits, Registers, Targets};
use crate::analysis::load_buffering::flat::{At, Flat};
use crate::analysis::load_buffering::follow::{State, follow};
use crate::analysis::load_buffering::proof::pairs_between;
use crate::analysis::load_buffering::query::{Label, labels};
use crate::analysis::load_buffering::values::{Value, Values, created};
use crate::ids::{FuncId, TagSetId};
use crate::program::deps::DepTable;
use crate::program::thread::Action;
use crate::program::{Instr, Operand, Program, Start, arith};
use crate::sequential::{Choices, End, Limits, Solo};
use smallvec::SmallVec;

/// Places in the code, for each read, that are followed at most.
const MOST_WORK: usize = 400_000;

/// Threads that run one function with more arguments than this are looked at together.
const MOST_ARGUMENTS: usize = 8;

/// Pairs of a write and a read of which it is asked one by one whether they may be part of a cycle.
const MOST_READINGS: usize = 4096;

/// Ways in which `main` can begin that are looked at, to know how many threads there are.
const MOST_BEGINNINGS: usize = 16;
/// What `main` does before it creates a thread is followed until there are so many objects.
const MOST_BLOCKS: usize = 1 << 14;

/// A read or a write in the code of a thread.
pub(super) struct Access {
    pub at: At,
    pub labels: SmallVec<[Label; 2]>,
    /// Where, if that is known never to change, and how many bytes.
    place: Option<Value>,
    /// Where it may be.
    address: LowBits,
    targets: Targets,
    size: u8,
    /// Of a write: what it writes, if that is known never to change.
    pub value: Option<u64>,
    /// Of a read: what it has read wherever a write of its thread comes behind it, if that is known. A lock goes on only when it was free.
    pub takes: Option<u64>,
    /// Its number among the reads, or among the writes, of all threads.
    pub number: usize,
    /// Of a read: what is certain of what comes later, before the thread comes by again and after.
    pub followed: [Vec<Option<State>>; 2],
    /// The same by ways: one of these is certain.
    pub ways: [Vec<SmallVec<[State; 1]>>; 2],
}

impl Access {
    /// Whether two accesses, of whichever threads, may be to one location.
    pub fn may_meet(&self, other: &Access) -> bool {
        self.size == other.size && self.address.may_equal(other.address) && self.targets.may_meet(other.targets)
    }

    /// Whether a read may read a write, where a write of its own thread comes behind it.
    pub fn may_read(&self, write: &Access) -> bool {
        let differ = self.takes.zip(write.value).is_some_and(|(takes, value)| takes != value);
        self.may_meet(write) && !differ
    }

    /// Its address and size, if that is the same whoever comes by.
    pub fn known_place(&self) -> Option<(u64, u8)> {
        match self.place? {
            Value::Const(address) => Some((address, self.size)),
            Value::Fixed(_) => None,
        }
    }

    /// Whether two accesses of a thread certainly are.
    pub fn is_at(&self, other: &Access) -> bool {
        self.place.is_some() && self.place == other.place && self.size == other.size
    }
}

/// All threads that run one function.
pub(super) struct Code<'p> {
    pub flat: Flat<'p>,
    pub tags: TagSetId,
    pub loads: Vec<Access>,
    pub stores: Vec<Access>,
    /// Whether there may be more than one.
    pub many: bool,
    /// How many there are at most; more than matters where that is not known.
    pub instances: usize,
}

impl Code<'_> {
    pub fn accesses(&self) -> impl Iterator<Item = &Access> {
        self.loads.iter().chain(&self.stores)
    }
}

/// The threads of a program.
pub(super) struct Threads<'p> {
    pub code: Vec<Code<'p>>,
    /// Whether one thread may read something before it makes another one go on that then writes.
    pub synchronise: bool,
    program: &'p Program,
    /// What they write to memory that may be an address.
    written: Targets,
}

impl<'p> Threads<'p> {
    /// `None`: not known.
    pub fn of(program: &'p Program) -> Option<Threads<'p>> {
        let written = Targets::default();
        let mut threads = Threads { code: Vec::new(), synchronise: false, program, written };
        match &program.start {
            Start::Together(entries) => {
                for entry in entries {
                    let flat = Flat::new(program, entry.function)?;
                    if (0..flat.len()).any(|at| matches!(flat.instr(at), Instr::Spawn { .. })) {
                        return None;
                    }
                    threads.add(flat, entry.tags, 1, (false, Known::UNKNOWN))?;
                }
            }
            Start::Main(main) => threads.add_created(program, *main)?,
        }
        let escaped = Targets::escaping(program, threads.written);
        for code in &mut threads.code {
            for access in code.loads.iter_mut().chain(&mut code.stores) {
                access.targets = access.targets.loading(escaped);
            }
        }
        // Joins in `main`, which stands last, were looked at; other joins, and barriers, are taken to let anything follow anything.
        let last = threads.code.len().saturating_sub(1);
        let waits = |number: usize, code: &Code<'_>| {
            (0..code.flat.len()).any(|at| match code.flat.instr(at) {
                Instr::Arrive { .. } => true,
                Instr::JoinThread { .. } => number != last || matches!(program.start, Start::Together(_)),
                _ => false,
            })
        };
        threads.synchronise |= threads.code.iter().enumerate().any(|(number, code)| waits(number, code));
        Some(threads)
    }

    /// `main`, and what it creates.
    fn add_created(&mut self, program: &'p Program, main: FuncId) -> Option<()> {
        let mut flat = Flat::new(program, main)?;
        flat.prune();
        let is_spawn = |at: &At| matches!(flat.instr(*at), Instr::Spawn { .. });
        let live = flat.live();
        let spawns: Vec<At> = (0..flat.len()).filter(|at| live[*at] && is_spawn(at)).collect();
        let joins = (0..flat.len()).filter(|&at| live[at] && matches!(flat.instr(at), Instr::JoinThread { .. }));
        // What `main` does before it creates a thread makes no events.
        let (parallel, joined) = (flat.reachable(spawns.iter().copied()), flat.reachable(joins));
        let has =
            |what: fn(&Instr) -> bool, where_: &[bool]| (0..flat.len()).any(|at| where_[at] && what(flat.instr(at)));
        let reads = (0..flat.len()).filter(|&at| parallel[at] && matches!(flat.instr(at), Instr::Load(_)));
        let read = flat.reachable(reads);
        self.synchronise = has(|i| matches!(i, Instr::Spawn { .. }), &joined)
            || has(|i| matches!(i, Instr::Spawn { .. }), &read)
            || has(|i| matches!(i, Instr::Store(_)), &joined);
        let mut values = Values::new(&flat);
        let registers = Registers::new(program, &flat, Known::UNKNOWN);
        let mut functions: Vec<(FuncId, bool, Known)> = Vec::new();
        for &at in &spawns {
            let Instr::Spawn { function, arg, .. } = flat.instr(at) else { continue };
            let repeated = flat.reachable([at])[at];
            let given = registers.of(at, *arg);
            for function in created(program, &mut values, at, *function) {
                match functions.iter_mut().find(|f| f.0 == function) {
                    Some((_, many, all)) => (*many, *all) = (true, all.or(given)),
                    None => functions.push((function, repeated, given)),
                }
            }
        }
        let born = Born::of(program, &flat);
        for (function, many, given) in functions {
            let known: Vec<(u64, usize)> = born.with_arguments(function);
            if known.is_empty() || known.len() > MOST_ARGUMENTS {
                let instances = born.count(function).unwrap_or(if many { usize::MAX } else { 1 });
                self.add_thread(Flat::new(program, function)?, instances, given)?;
            } else {
                for (argument, instances) in known {
                    self.add_thread(Flat::with_argument(program, function, argument)?, instances, given)?;
                }
            }
        }
        self.add_where(flat, TagSetId(0), 1, (true, Known::UNKNOWN), &parallel)
    }

    /// Threads that `main` creates. Those that create threads are not looked at.
    fn add_thread(&mut self, mut flat: Flat<'p>, instances: usize, given: Known) -> Option<()> {
        flat.prune();
        if (0..flat.len()).any(|at| matches!(flat.instr(at), Instr::Spawn { .. })) {
            return None;
        }
        self.add(flat, TagSetId(0), instances, (true, given))
    }

    fn add(&mut self, flat: Flat<'p>, tags: TagSetId, instances: usize, code: (bool, Known)) -> Option<()> {
        let live = flat.live();
        self.add_where(flat, tags, instances, code, &live)
    }

    fn add_where(
        &mut self,
        flat: Flat<'p>,
        tags: TagSetId,
        instances: usize,
        (translated, given): (bool, Known),
        counts: &[bool],
    ) -> Option<()> {
        let (mut values, registers) = (Values::new(&flat), Registers::new(self.program, &flat, given));
        self.written = self.written.and(registers.escaping());
        let (mut loads, mut stores) = (Vec::new(), Vec::new());
        let (before, written) = (self.loads().count(), self.stores().count());
        let is_known = |operand: Operand| translated || matches!(operand, Operand::Const(_));
        for at in (0..flat.len()).filter(|&at| counts[at]) {
            let mut access = |address: Operand, size, number| {
                let known = if is_known(address) { registers.of(at, address) } else { Known::UNKNOWN };
                Access {
                    at,
                    labels: labels(flat.instr(at), tags),
                    place: values.of(at, address).filter(|_| is_known(address)),
                    address: known.low,
                    targets: known.targets,
                    size,
                    value: None,
                    takes: None,
                    number,
                    followed: [Vec::new(), Vec::new()],
                    ways: [Vec::new(), Vec::new()],
                }
            };
            match flat.instr(at) {
                Instr::Load(load) => {
                    let read = access(load.addr, load.size, before + loads.len());
                    let expected = load.unless.map(|unless| unless.expected);
                    let takes = expected.and_then(|expected| constant(&mut values, at, expected, load.size));
                    loads.push(Access { takes: takes.filter(|_| expected.is_some_and(is_known)), ..read });
                }
                Instr::Store(store) => {
                    let write = access(store.addr, store.size, written + stores.len());
                    let value = constant(&mut values, at, store.value, store.size);
                    stores.push(Access { value: value.filter(|_| is_known(store.value)), ..write });
                }
                _ => {}
            }
        }
        if loads.len() * flat.len() > MOST_WORK {
            return None;
        }
        for load in &mut loads {
            if let Instr::Load(crate::program::Load { dst, .. }) = flat.instr(load.at) {
                let found = follow(&flat, load.at, *dst);
                (load.followed, load.ways) = (found.states, found.ways);
            }
        }
        let mut code = Code { flat, tags, loads, stores, many: instances > 1, instances };
        let takes: Vec<bool> = code.loads.iter().map(|read| has_taken(&code, read)).collect();
        for (read, _) in code.loads.iter_mut().zip(takes).filter(|(_, takes)| !takes) {
            read.takes = None;
        }
        self.code.push(code);
        Some(())
    }

    pub fn loads(&self) -> impl Iterator<Item = &Access> {
        self.code.iter().flat_map(|code| &code.loads)
    }

    pub fn stores(&self) -> impl Iterator<Item = &Access> {
        self.code.iter().flat_map(|code| &code.stores)
    }

    /// Whether a path of reads-from and program order through other threads may lead from a write back to a read of its thread.
    pub fn may_close<'a>(&'a self, own: usize, read: &Access, write: &'a Access) -> bool {
        self.leads_back(own, read, vec![(own, write)])
    }

    /// Whether that a thread reads what another one has written may be part of a cycle of reads-from and program order, each thread's accesses being given with its
    /// number.
    pub fn may_be_read_in_cycle(&self, (from, write): (usize, &Access), (to, read): (usize, &Access)) -> bool {
        let comes_before = |first: &Access, second: &Access| first.followed.iter().any(|s| s[second.at].is_some());
        let later: Vec<(usize, &Access)> =
            self.code[to].stores.iter().filter(|store| comes_before(read, store)).map(|store| (to, store)).collect();
        let mut earlier = self.code[from].loads.iter().filter(|load| comes_before(load, write));
        self.synchronise
            || self.loads().count() * self.stores().count() > MOST_READINGS
            || read.may_read(write)
                && !later.is_empty()
                && earlier.any(|first| self.leads_back(from, first, later.clone()))
    }

    /// Whether a path of reads-from and program order may lead from one of these writes, given with the numbers of their threads, to a read of a thread that it has not
    /// come through.
    fn leads_back<'a>(&'a self, own: usize, read: &Access, mut work: Vec<(usize, &'a Access)>) -> bool {
        let mut seen = vec![false; self.stores().count()];
        // Who makes others go on need not write.
        let may_read =
            |read: &Access, write| if self.synchronise { read.may_meet(write) } else { read.may_read(write) };
        while let Some((of, write)) = work.pop() {
            for (number, code) in self.code.iter().enumerate() {
                // Each thread need be visited once only.
                if number == of && !code.many {
                    continue;
                }
                if number == own && may_read(read, write) {
                    return true;
                }
                if number == own && !code.many {
                    continue;
                }
                for source in code.loads.iter().filter(|load| may_read(load, write)) {
                    let later = self.code.iter().enumerate().flat_map(|(n, c)| c.stores.iter().map(move |s| (n, s)));
                    for (n, store) in later {
                        let follows = self.synchronise
                            || n == number && source.followed.iter().any(|states| states[store.at].is_some());
                        if follows && !std::mem::replace(&mut seen[store.number], true) {
                            work.push((n, store));
                        }
                    }
                }
            }
        }
        false
    }
}

/// The value of an operand of an access, if it is known never to change.
fn constant(values: &mut Values<'_, '_>, at: At, operand: Operand, size: u8) -> Option<u64> {
    match values.of(at, operand)? {
        Value::Const(value) => Some(arith::truncate(value, size.saturating_mul(8))),
        Value::Fixed(_) => None,
    }
}

/// Whether a read has found what it expected wherever a write of its thread comes behind it.
fn has_taken(code: &Code<'_>, read: &Access) -> bool {
    let pairs = code.stores.iter().flat_map(|write| pairs_between(code, read, write));
    pairs.into_iter().all(|pair| pair.halves || pair.has_written())
}

/// The threads that `main` creates, where it is known to do so in one go: how many at most, by function and argument, and by function alone.
#[derive(Default)]
struct Born {
    alike: Vec<((FuncId, u64), usize)>,
    all: Vec<(FuncId, usize)>,
}

impl Born {
    /// Nothing where that is not known of `main`, whose code this is.
    fn of(program: &Program, main: &Flat<'_>) -> Born {
        let (limits, mut choices) = (Limits::default(), Choices::default());
        let mut born = Born::default();
        let Start::Main(id) = program.start else { return born };
        for _ in 0..MOST_BEGINNINGS {
            let mut first = Solo::start(program, id);
            first.most_blocks = MOST_BLOCKS;
            match first.run(program, &limits, &mut DepTable::default(), &mut choices) {
                End::Spawn => {
                    let created = creations(program, &first, &limits);
                    if !creates_no_more(main, &created) {
                        return Born::default();
                    }
                    count_most(&mut born.alike, &created.born);
                    let functions: Vec<FuncId> = created.born.iter().map(|&(function, _)| function).collect();
                    count_most(&mut born.all, &functions);
                }
                // Then it goes on as a thread, and what it creates later depends on others.
                End::Cut | End::Survives | End::Asks(..) | End::Chooses(_) => return Born::default(),
                End::Finished | End::Stuck | End::Assumed | End::Fault(_) => {}
            }
            if !choices.advance() {
                return born;
            }
        }
        Born::default()
    }

    /// The arguments with which threads are created that run a function, and how many of each.
    fn with_arguments(&self, function: FuncId) -> Vec<(u64, usize)> {
        let alike = self.alike.iter().filter(|((of, _), _)| *of == function);
        alike.map(|&((_, argument), count)| (argument, count)).collect()
    }

    fn count(&self, function: FuncId) -> Option<usize> {
        self.all.iter().find(|(of, _)| *of == function).map(|&(_, count)| count)
    }
}

/// Raises what is known of how many there are of each kind to as many as there are now.
fn count_most<T: Copy + PartialEq>(most: &mut Vec<(T, usize)>, now: &[T]) {
    for &kind in now {
        let count = now.iter().filter(|&&other| other == kind).count();
        match most.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, most)) => *most = count.max(*most),
            None => most.push((kind, count)),
        }
    }
}

/// Whether `main` creates no threads after those that it creates in one go.
fn creates_no_more(main: &Flat<'_>, created: &Creations) -> bool {
    match created.next {
        Action::Finished | Action::Exit => true,
        Action::Spawn { .. } => false,
        _ => main.place(&created.thread).is_some_and(|at| {
            let later = main.reachable([at]);
            (0..main.len()).all(|at| !later[at] || !matches!(main.instr(at), Instr::Spawn { .. }))
        }),
    }
}
