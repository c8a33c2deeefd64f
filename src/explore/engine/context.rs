//! What is shared by all graphs of one exploration: the program, interned tables, initial memory.

use crate::explore::options::Options;
use crate::explore::waits::known::{self, Foresight};
use crate::graph::Graph;
use crate::graph::event::{Kind, NO_EVENT};
use crate::graph::memory::{Contents, LocTable, Memory};
use crate::ids::{LocId, SpanId, ThreadId};
use crate::program::deps::DepTable;
use crate::program::fault::BadAccess;
use crate::program::flow::come_to;
use crate::program::operation::Done;
use crate::program::thread::memo::Memo;
use crate::program::thread::{Action, Context, Thread};
use crate::program::{Instr, Pc, Program, Region, Start, THREAD_LOCAL_STRIDE};
use crate::relation::bits::Bits;
use crate::sequential::Marked;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Thread numbers, by creator and the key of the creating event: shared by all tables of an exploration, because the order in which
/// threads run depends on them.
#[derive(Clone, Default)]
pub struct Numbers(Arc<Mutex<Numbered>>);

#[derive(Default)]
struct Numbered {
    numbers: FxHashMap<(ThreadId, u64), ThreadId>,
    depend_on_timing: bool,
}

impl Numbers {
    fn number(&self, first: u32, parent: ThreadId, key: u64, before: usize) -> ThreadId {
        let mut numbered = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = first + numbered.numbers.len() as u32;
        let number = *numbered.numbers.entry((parent, key)).or_insert(ThreadId(next));
        numbered.depend_on_timing |= parent != ThreadId(0) || number.0 != first + before as u32;
        number
    }

    /// Whether another order of exploration could have given other numbers.
    pub fn depend_on_timing(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).depend_on_timing
    }
}

/// Tables of one worker.
pub struct World<'a> {
    /// The program.
    pub program: &'a Program,
    /// Bounds and switches.
    pub options: &'a Options,
    /// Dependency sets.
    pub deps: DepTable,
    /// Locations.
    pub locs: LocTable,
    /// Memory before the first event.
    pub memory: Memory,
    /// Marked operations before the first event.
    pub done: Vec<Done>,
    /// What was told of operations before the first event.
    pub marks: Vec<Marked>,
    /// The first read of memory that was never written, before the first event: address, size, place.
    pub undefined: Option<(u64, u8, SpanId)>,
    /// What `main` chose before the first event, as a number.
    pub chosen: u64,
    /// What threads did from where.
    pub threads: Memo,
    /// Whether they would wait from where.
    pub(in crate::explore) foresight: Foresight,
    /// Values with which threads go on after some reads, whatever these read: by thread and place in its code. None but where one set of events
    /// is looked at after the other ([`crate::candidates::straightline`]).
    pub guesses: FxHashMap<(ThreadId, Pc), u64>,
    /// Thread numbers, as far as these tables know them.
    known: FxHashMap<(ThreadId, u64), ThreadId>,
    numbers: Numbers,
    /// Locations of memory from before the first event that were found to be writable.
    writable: Bits,
    first_threads: u32,
    has_thread_local: bool,
    /// Whether a thread may end the program while others go on or wait: it calls `exit`, or is `main` and does not join them.
    pub(crate) may_end_early: bool,
    /// Whether rounds that try again are to be left out, and code may try again.
    pub(in crate::explore) tries_again: bool,
    /// For each function, whether it calls one that may wait.
    pub(in crate::explore) calls_waits: Vec<bool>,
}

/// See [`World::may_end_early`]. Threads that are detached are not joined; of others it is taken that all are if any are.
fn may_end_early(program: &Program) -> bool {
    let has = |what: fn(&Instr) -> bool| program.functions.iter().any(|f| come_to(&f.code).any(what));
    has(|instr| matches!(instr, Instr::ExitProgram { .. }))
        || program.detaches
        || matches!(program.start, Start::Main(_))
            && !program.persistence.is_explored
            && !has(|instr| matches!(instr, Instr::JoinThread { .. }))
}

impl<'a> World<'a> {
    /// Tables for a program whose first `threads` threads exist from the start.
    pub fn new(program: &'a Program, options: &'a Options, memory: Memory, threads: u32) -> World<'a> {
        World {
            program,
            options,
            deps: DepTable::default(),
            locs: LocTable::default(),
            memory,
            done: Vec::new(),
            marks: Vec::new(),
            undefined: None,
            chosen: 0,
            threads: Memo::default(),
            foresight: Foresight::default(),
            guesses: FxHashMap::default(),
            known: FxHashMap::default(),
            numbers: Numbers::default(),
            writable: Bits::new(),
            first_threads: threads,
            has_thread_local: program.objects.iter().any(|o| o.thread_local),
            may_end_early: may_end_early(program),
            calls_waits: known::calls_waits(program),
            tries_again: options.without_retries && known::tries_again(program),
        }
    }

    /// Tables that say the same of locations, threads and dependencies, for graphs of these.
    pub(in crate::explore) fn another(&self) -> World<'a> {
        World {
            deps: self.deps.clone(),
            locs: self.locs.clone(),
            done: self.done.clone(),
            marks: self.marks.clone(),
            undefined: self.undefined,
            chosen: self.chosen,
            known: self.known.clone(),
            numbers: self.numbers.clone(),
            ..World::new(self.program, self.options, self.memory.clone(), self.first_threads)
        }
    }

    /// Uses these numbers, which other tables use too.
    pub fn share_numbers(&mut self, numbers: &Numbers) {
        self.numbers = numbers.clone();
    }

    /// Whether a thread may create another one from where it stands.
    pub fn may_create(&self, thread: &Thread) -> bool {
        self.program.creates().may(thread)
    }

    /// The number of the thread that an event creates, the creator having created so many before.
    pub fn child(&mut self, parent: ThreadId, key: u64, before: usize) -> ThreadId {
        let (numbers, first) = (&self.numbers, self.first_threads);
        *self.known.entry((parent, key)).or_insert_with(|| numbers.number(first, parent, key, before))
    }

    /// Runs a thread that has had so many events to the next one.
    pub fn interpret(&mut self, t: ThreadId, thread: &mut Thread, events: u32) -> Action {
        let mut cx = context(self.program, self.options, &mut self.deps, t, events);
        self.threads.run(thread, &mut cx)
    }

    /// What a thread that has had so many events does next, and where it stands then; it is not run, but will be soon.
    pub fn foresee(&mut self, t: ThreadId, thread: &Thread, events: u32) -> (Thread, Action) {
        let mut cx = context(self.program, self.options, &mut self.deps, t, events);
        self.threads.look_ahead(thread, &mut cx)
    }

    /// The address that `address` stands for in `thread`: thread-local objects have one instance a thread.
    pub fn translate(&self, thread: ThreadId, address: u64) -> u64 {
        if !self.has_thread_local {
            return address;
        }
        let local = self
            .program
            .objects
            .iter()
            .any(|o| o.thread_local && address >= o.address && address - o.address < o.bytes.len().max(1) as u64);
        if local { address + THREAD_LOCAL_STRIDE * (u64::from(thread.0) + 1) } else { address }
    }

    fn thread_local(&self, address: u64, size: u8) -> Option<Result<Option<u64>, BadAccess>> {
        if !self.has_thread_local || address < THREAD_LOCAL_STRIDE {
            return None;
        }
        let base = address % THREAD_LOCAL_STRIDE;
        let object = self
            .program
            .objects
            .iter()
            .find(|o| o.thread_local && base >= o.address && base - o.address < o.bytes.len() as u64)?;
        let start = (base - object.address) as usize;
        let Some(bytes) = object.bytes.get(start..start + usize::from(size)) else {
            return Some(Err(BadAccess::OutOfBounds));
        };
        let mut word = [0; 8];
        word[..bytes.len()].copy_from_slice(bytes);
        Some(Ok(Some(u64::from_le_bytes(word))))
    }

    /// The location of an access, and what its memory holds at the start.
    pub fn resolve(
        &mut self,
        graph: &Graph,
        address: u64,
        size: u8,
        write: bool,
    ) -> Result<(LocId, Contents), BadAccess> {
        let loc = self.locs.intern(address, size);
        if graph.place(loc).is_some() && (!write || self.writable.contains(loc.0)) {
            return Ok((loc, Contents::UNDEFINED));
        }
        let contents = self.initial_contents(graph, address, size, write)?;
        if write && self.memory.block_at(address).is_some() {
            self.writable.insert(loc.0);
        }
        if self.locs.overlapping(loc).iter().any(|&other| graph.place(other).is_some()) {
            return Err(BadAccess::MixedSize);
        }
        Ok((loc, contents))
    }

    fn initial_contents(&self, graph: &Graph, address: u64, size: u8, write: bool) -> Result<Contents, BadAccess> {
        // The instances of the first thread are in memory.
        if self.memory.block_at(address).is_none()
            && let Some(found) = self.thread_local(address, size)
        {
            return found.map(Contents::from);
        }
        let bad = match self.memory.check(address, size, write) {
            Ok(_) => return Ok(self.memory.read(address, size)),
            Err(bad) => bad,
        };
        for lane in graph.lanes() {
            for &e in &lane.order {
                let event = graph.event(e);
                if let Kind::Alloc(region) = event.kind {
                    let Some(offset) = address.checked_sub(event.value) else { continue };
                    if offset < event.size.max(1) {
                        return match offset + u64::from(size) <= event.size {
                            true => Ok((region == Region::ZeroedHeap).then_some(0).into()),
                            false => Err(BadAccess::OutOfBounds),
                        };
                    }
                }
            }
        }
        Err(bad)
    }

    /// The first address of the object that contains `address`.
    pub fn object_start(&self, graph: &Graph, address: u64) -> Option<u64> {
        if let Some(block) = self.memory.block_at(address) {
            return Some(block.address);
        }
        graph.ids().map(|e| graph.event(e)).find_map(|e| {
            let inside = matches!(e.kind, Kind::Alloc(_)) && address >= e.value && address - e.value < e.size.max(1);
            inside.then_some(e.value)
        })
    }

    fn region(&self, graph: &Graph, address: u64) -> Option<(u64, Region)> {
        graph.ids().map(|e| graph.event(e)).find_map(|e| match e.kind {
            Kind::Alloc(region) if address >= e.value && address - e.value < e.size.max(1) => Some((e.value, region)),
            _ => None,
        })
    }

    /// Whether `address` is the start of memory that may be freed.
    pub fn is_heap(&self, graph: &Graph, address: u64) -> bool {
        if let Some(block) = self.memory.block_at(address) {
            return block.heap && block.address == address;
        }
        self.region(graph, address).is_some_and(|(start, region)| start == address && region != Region::Stack)
    }

    /// Whether `address` is in a variable of a function.
    pub fn is_stack(&self, graph: &Graph, address: u64) -> bool {
        match self.memory.block_at(address) {
            Some(block) => block.stack,
            None => self.region(graph, address).is_some_and(|(_, region)| region == Region::Stack),
        }
    }

    /// As [`Program::misaligned`], of the access at which a thread stands.
    pub fn misaligned(&self, graph: &Graph, t: ThreadId, address: u64, size: u8) -> Option<(u8, u8)> {
        self.program.misaligned(graph.lane(t).thread.as_ref()?.frame(), address, size)
    }

    /// Whether a thread that has ended was `main`, and has returned. (By `pthread_exit` it leaves the program to the others.)
    pub fn ends_program(&self, graph: &Graph, t: ThreadId) -> bool {
        let returned = |thread: &Thread| thread.has_returned(self.program);
        // What others would still have done need not have survived: a crash finds no more where `main` ends them.
        let is_main = t.0 == 0 && matches!(self.program.start, Start::Main(_)) && !self.program.persistence.is_explored;
        is_main && graph.lane(t).thread.as_ref().is_some_and(returned)
    }

    /// Whether a thread number names a thread of the graph: one that was created, or `main`.
    pub fn is_thread(&self, graph: &Graph, number: u64) -> bool {
        let is_main = number == 0 && matches!(self.program.start, Start::Main(_));
        is_main || graph.lanes().get(number as usize).is_some_and(|l| l.spawn != NO_EVENT)
    }
}

/// What a thread that has had so many events is run in.
fn context<'a>(
    program: &'a Program,
    options: &Options,
    deps: &'a mut DepTable,
    thread: ThreadId,
    events: u32,
) -> Context<'a> {
    Context {
        program,
        deps,
        thread,
        events,
        unroll: options.unroll,
        detect_idle: options.detect_idle,
        budget: options.max_local_steps,
        go_on: true,
        ways: None,
    }
}
