//! What the values and addresses of a litmus test's events are computed from: values out of thin air.
//!
//! A dependency is not yet a computation. What a branch decides is not computed from its condition, and `x ^ x` is 0 whatever `x` is. So dependencies and
//! reads-from may form a cycle in which every value is certain: each thread writes 1 if it reads 1. Whether such an execution is allowed is for the model to say. An
//! execution in which a value is *computed* from itself has nothing that says which value that is; it is none of any model.
//!
//! Where values are only copied in a circle, and nothing is computed of them or decided by them, any value will do: such an execution counts once, with the
//! initial value of the first location on the circle. The reference tool prints a symbol there.
//!
//! Each thread is run once more on the values that its events have, its registers noting the reads that they are computed from.

use crate::explore::engine::context::World;
use crate::graph::Graph;
use crate::graph::event::Kind;
use crate::ids::{EventId, ThreadId};
use crate::program::{BinOp, Function, Instr, Operand, Start, UnOp, arith};
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use xxhash_rust::xxh3::Xxh3Default;

/// So many instructions of a thread are run. Litmus tests are short, and come to their events one after the other.
const MOST_STEPS: usize = 1 << 20;

/// Reads, each once.
pub(crate) type Reads = SmallVec<[EventId; 4]>;

/// What an event is computed from.
#[derive(Clone)]
pub(crate) struct Origin {
    pub event: EventId,
    /// Reads that its address is computed from, or its value.
    pub from: Reads,
    /// The value of a write is that of this read, and its address is certain.
    pub copied: Option<EventId>,
}

/// What events are computed from.
#[derive(Clone, Default)]
pub(crate) struct Origins {
    pub events: Vec<Origin>,
    /// Reads of which something is computed that is no copy, or by which it is decided where a thread goes.
    used: Reads,
}

/// What is certain of the values of an execution.
pub(crate) enum Values {
    Certain,
    /// All but those of these events, which are copied in circles; with the values that they get.
    Copied(Vec<(EventId, u64)>),
    /// One is computed from itself.
    Circular,
}

/// A register.
#[derive(Clone, Default)]
struct Slot {
    value: u64,
    /// What it is computed from.
    from: Reads,
    /// The read whose value it is, and how many bits that has.
    copied: Option<(EventId, u8)>,
    /// The same number for what is computed in the same way from the same.
    name: u64,
}

impl Slot {
    fn constant(value: u64) -> Slot {
        Slot { value, from: Reads::new(), copied: None, name: name_of(&("constant", value)) }
    }

    /// A result; of what does not depend on anything that was read, the value is its name.
    fn computed(value: u64, from: Reads, how: &impl Hash) -> Slot {
        if from.is_empty() { Slot::constant(value) } else { Slot { value, from, copied: None, name: name_of(how) } }
    }
}

fn name_of(how: &impl Hash) -> u64 {
    let mut hasher = Xxh3Default::new();
    how.hash(&mut hasher);
    hasher.finish()
}

fn with(mut reads: Reads, others: &Reads) -> Reads {
    others.iter().for_each(|other| {
        if !reads.contains(other) {
            reads.push(*other);
        }
    });
    reads
}

/// What the events of a thread are computed from. `None`: the thread does what threads of litmus tests do not.
pub(crate) fn origins_in(world: &World<'_>, graph: &Graph, t: ThreadId) -> Option<Origins> {
    let Start::Together(entries) = &world.program.start else { return None };
    let entry = entries.get(t.index())?;
    let function = world.program.functions.get(entry.function.index())?;
    let order = &graph.lanes().get(t.index())?.order;
    let size = (function.regs as usize).max(entry.args.len());
    let regs = vec![Slot::constant(0); size];
    let mut run = Run { function, graph, order, passed: 0, regs, all: Origins::default() };
    run.regs.iter_mut().zip(&entry.args).for_each(|(slot, &value)| *slot = Slot::constant(value));
    let mut pc = Some(0);
    for _ in 0..MOST_STEPS {
        match pc {
            Some(at) => pc = run.step(at)?,
            None => return Some(run.all),
        }
    }
    None
}

/// The same of all threads.
pub(crate) fn origins(world: &World<'_>, graph: &Graph) -> Option<Origins> {
    let mut all = Origins::default();
    for t in 0..graph.lanes().len() {
        let of_thread = origins_in(world, graph, ThreadId::at(t))?;
        all.events.extend(of_thread.events);
        all.used.extend(of_thread.used);
    }
    Some(all)
}

/// A thread that runs again.
struct Run<'a> {
    function: &'a Function,
    graph: &'a Graph,
    order: &'a [EventId],
    passed: usize,
    regs: Vec<Slot>,
    all: Origins,
}

impl Run<'_> {
    /// Runs an instruction; where the thread goes on, if it does. The outer `None`: the thread has no such event, or the instruction is not known here.
    fn step(&mut self, pc: usize) -> Option<Option<usize>> {
        let mut next = pc + 1;
        match self.function.code.get(pc)? {
            Instr::Set { dst, src } | Instr::SetStatus { dst, src } => {
                let slot = self.get(*src);
                self.set(*dst, slot)?;
            }
            Instr::Bin { dst, op, bits, a, b } => {
                let (a, b) = (self.get(*a), self.get(*b));
                let value = arith::binary(*op, *bits, a.value, b.value)?;
                let is_zero = |slot: &Slot| slot.from.is_empty() && slot.value == 0;
                let is_certain = match op {
                    BinOp::Xor | BinOp::Sub | BinOp::Eq | BinOp::Ne => a.name == b.name,
                    BinOp::And | BinOp::Mul => is_zero(&a) || is_zero(&b),
                    _ => false,
                };
                let from = if is_certain { Reads::new() } else { with(a.from, &b.from) };
                self.note_use(&from);
                self.set(*dst, Slot::computed(value, from, &(op, bits, a.name, b.name)))?;
            }
            Instr::Un { dst, op, bits, a } => {
                let a = self.get(*a);
                let value = arith::unary(*op, *bits, a.value);
                if *op == UnOp::Trunc && a.copied.is_some_and(|(_, size)| size <= *bits) {
                    self.set(*dst, a)?;
                } else {
                    self.note_use(&a.from);
                    self.set(*dst, Slot::computed(value, a.from, &(op, bits, a.name)))?;
                }
            }
            Instr::Select { dst, cond, a, b, .. } => {
                let cond = self.get(*cond);
                self.note_use(&cond.from);
                let slot = self.get(if cond.value != 0 { *a } else { *b });
                self.set(*dst, slot)?;
            }
            Instr::Load(load) => {
                let address = self.get(load.addr).from;
                self.note_use(&address);
                let Some(read) = self.event(Kind::Read, address, None)? else { return Some(None) };
                let compared = load.unless.map(|unless| self.get(unless.expected).from);
                if let Some(compared) = compared {
                    self.note_use(&with(compared, &Reads::from_slice(&[read])));
                }
                let value = self.graph.event(read).value;
                let mut slot = Slot::computed(value, Reads::from_slice(&[read]), &("read", read.0));
                slot.copied = Some((read, load.size.saturating_mul(8)));
                self.set(load.dst, slot)?;
            }
            Instr::Store(store) => {
                let (address, value) = (self.get(store.addr).from, self.get(store.value));
                self.note_use(&address);
                let is_copy = |&(_, bits): &(EventId, u8)| address.is_empty() && bits <= store.size.saturating_mul(8);
                let copied = value.copied.filter(is_copy).map(|(read, _)| read);
                if self.event(Kind::Write, with(address, &value.from), copied)?.is_none() {
                    return Some(None);
                }
            }
            Instr::Fence { addr, .. } => {
                let address = addr.map_or(Reads::new(), |addr| self.get(addr).from);
                self.note_use(&address);
                if self.event(Kind::Fence, address, None)?.is_none() {
                    return Some(None);
                }
            }
            Instr::Choose { dst, .. } => {
                let Some(choice) = self.event(Kind::Choose, Reads::new(), None)? else { return Some(None) };
                self.set(*dst, Slot::constant(self.graph.event(choice).value))?;
            }
            Instr::Jump(to) => next = *to as usize,
            Instr::Branch { cond, then, otherwise, .. } => {
                let cond = self.get(*cond);
                if then != otherwise {
                    self.note_use(&cond.from);
                }
                next = if cond.value != 0 { *then } else { *otherwise } as usize;
            }
            Instr::StopUnless { cond, .. } => {
                let cond = self.get(*cond);
                self.note_use(&cond.from);
                if cond.value == 0 {
                    return Some(None);
                }
            }
            Instr::Return { .. } => return Some(None),
            _ => return None,
        }
        Some(Some(next))
    }

    fn get(&self, operand: Operand) -> Slot {
        match operand {
            Operand::Const(value) => Slot::constant(value),
            Operand::Reg(register) => self.regs.get(register as usize).cloned().unwrap_or_default(),
        }
    }

    fn set(&mut self, register: u32, slot: Slot) -> Option<()> {
        *self.regs.get_mut(register as usize)? = slot;
        Some(())
    }

    fn note_use(&mut self, reads: &Reads) {
        self.all.used = with(std::mem::take(&mut self.all.used), reads);
    }

    /// The thread's next event; the inner `None`: it has no more. The outer one: it has another one.
    fn event(&mut self, kind: Kind, from: Reads, copied: Option<EventId>) -> Option<Option<EventId>> {
        let Some(&event) = self.order.get(self.passed) else { return Some(None) };
        self.passed += 1;
        self.all.events.push(Origin { event, from, copied });
        (self.graph.event(event).kind == kind).then_some(Some(event))
    }
}

/// What is certain of the values of a complete execution whose events have these origins.
pub(crate) fn values(world: &World<'_>, graph: &Graph, origins: &Origins) -> Values {
    let source = |e: EventId| Some(graph.event(e).rf).filter(|_| graph.event(e).kind == Kind::Read);
    let mut left: BTreeMap<EventId, &Origin> = origins.events.iter().map(|origin| (origin.event, origin)).collect();
    loop {
        let before = left.len();
        for origin in &origins.events {
            let mut needs = origin.from.iter().copied().chain(source(origin.event));
            if !needs.any(|other| left.contains_key(&other)) {
                left.remove(&origin.event);
            }
        }
        if left.is_empty() {
            return Values::Certain;
        }
        if left.len() == before {
            break;
        }
    }
    // Each of those that are left has its value from one other: all ways back from them end in circles of copies.
    let origin_of = |e: EventId| source(e).or_else(|| left.get(&e).and_then(|origin| origin.copied));
    let is_only_copied = |origin: &&Origin| graph.event(origin.event).kind == Kind::Read || origin.copied.is_some();
    if origins.used.iter().any(|read| left.contains_key(read)) || !left.values().all(is_only_copied) {
        return Values::Circular;
    }
    let value_of = |e: EventId| {
        let mut at = e;
        // As many steps as there are events lead onto the circle, and as many more round it.
        for _ in 0..left.len() {
            at = origin_of(at)?;
        }
        let round = std::iter::successors(Some(at), |&e| origin_of(e)).take(left.len());
        let first = round.map(|e| graph.event(e).loc).min_by_key(|&loc| world.locs.get(loc).0)?;
        graph.place(first).map(|place| (e, graph.event(place.init).value))
    };
    left.keys().map(|&e| value_of(e)).collect::<Option<_>>().map_or(Values::Circular, Values::Copied)
}
