//! The single-threaded parts of a C program: `main` before it creates a thread, and after it has joined them all.
//!
//! Nobody can see the order of these accesses, so they run on plain memory and make no events: what `main` writes first is
//! the initial state, what it reads last is the final state. Memory may be accessed there in any size.

mod ends;
pub mod surviving;

pub use ends::{Choices, End, Marked};

use crate::explore::engine::context::World;
use crate::explore::options::Options;
use crate::graph::event::Kind;
use crate::graph::memory::{Block, Contents, Memory};
use crate::graph::{Graph, Status};
use crate::ids::{FuncId, SpanId, ThreadId};
use crate::program::crash::Surviving;
use crate::program::deps::{DepId, DepTable};
use crate::program::fault::{BadAccess, Fault};
use crate::program::operation::{Done, Operation};
use crate::program::reached::Reached;
use crate::program::thread::{Action, Completion, Context, Identity, Slot, Thread};
use crate::program::{Instr, Operand, Program, Reg, Region, Stop, THREAD_LOCAL_STRIDE};
use crate::relation::bits::Bits;
use rustc_hash::{FxHashMap, FxHashSet};

/// After so many accesses it is asked whether the user wants an end.
const TURNS: u64 = 64;

/// The first thread of a C program when all others have ended: it goes past its joins, which order everything before it.
#[derive(Clone, Debug)]
pub struct Ending {
    /// The thread.
    pub thread: Thread,
    joined: Vec<u64>,
}

impl Ending {
    /// The thread as the graph has it, and the threads that it has joined.
    pub fn new(thread: Thread, joined: Vec<u64>) -> Ending {
        Ending { thread, joined }
    }

    /// Whether the thread has ended.
    pub fn is_over(&self) -> bool {
        self.thread.result.is_some()
    }

    /// Runs the joins; tells whether everybody was joined before anything else was to be decided.
    pub fn join_all(&mut self, world: &mut World<'_>, graph: &Graph) -> bool {
        let lanes = graph.lanes();
        let mut rest: Bits = (1..lanes.len() as u32).filter(|&t| lanes[t as usize].status != Status::Absent).collect();
        // Threads joined by others count as joined when those others are.
        let joins = lanes[1..].iter().filter(|l| l.waits > 0).flat_map(|l| &l.order).map(|&e| graph.event(e));
        let inner = joins.filter(|e| e.kind == Kind::Join).map(|e| e.value);
        self.joined.drain(..).chain(inner).filter_map(|t| u32::try_from(t).ok()).for_each(|t| rest.remove(t));
        loop {
            let mut cx = Context {
                program: world.program,
                deps: &mut world.deps,
                thread: ThreadId(0),
                events: 0,
                unroll: world.options.unroll,
                detect_idle: world.options.detect_idle,
                budget: world.options.max_local_steps,
                go_on: false,
                ways: None,
            };
            let action = world.threads.run(&mut self.thread, &mut cx);
            let (false, Action::Join { thread, .. }) = (rest.is_empty(), action) else { return rest.is_empty() };
            let Some(lane) = lanes.get(thread as usize).filter(|l| l.status == Status::Finished && thread != 0) else {
                return false;
            };
            let value = lane.thread.as_ref().and_then(|t| t.result).map_or(0, |r| r.value);
            if !rest.contains(thread as u32) {
                // Joined before: an error that only the graph can show.
                return false;
            }
            rest.remove(thread as u32);
            self.thread.finish(Completion::of(value, true));
        }
    }
}

/// What [`Ending::join_all`] found before. It depends on where the first thread stands and on what the others returned, so
/// exploration asks the same again and again.
#[derive(Default)]
pub struct Endings {
    known: FxHashMap<Identity, Known>,
}

/// One answer. The thread is kept so that its identity stays its own.
struct Known {
    thread: Thread,
    results: Vec<Option<u64>>,
    ending: Option<Ending>,
}

impl Endings {
    /// How many are kept.
    const MOST: usize = 256;

    /// What was found for such a graph, if that is known.
    pub fn get(&self, graph: &Graph, thread: &Thread) -> Option<&Option<Ending>> {
        let Known { results: known, ending, .. } = self.known.get(&thread.identity())?;
        (known.iter().copied().eq(results(graph)) && Self::is_plain(graph)).then_some(ending)
    }

    /// Notes what was found; nothing when other threads than the first join some.
    pub fn insert(&mut self, graph: &Graph, thread: Thread, ending: Option<Ending>) {
        if self.known.len() >= Self::MOST {
            self.known.clear();
        }
        if Self::is_plain(graph) {
            let known = Known { results: results(graph).collect(), ending, thread };
            self.known.insert(known.thread.identity(), known);
        }
    }

    fn is_plain(graph: &Graph) -> bool {
        graph.lanes()[1..].iter().all(|l| l.waits == 0)
    }
}

fn results(graph: &Graph) -> impl Iterator<Item = Option<u64>> {
    graph.lanes()[1..].iter().map(|lane| match lane.status {
        Status::Absent => None,
        _ => Some(lane.thread.as_ref().and_then(|t| t.result).map_or(0, |r| r.value)),
    })
}

/// A thread running alone on plain memory.
#[derive(Clone, Debug)]
pub struct Solo {
    /// The thread.
    pub thread: Thread,
    /// Memory.
    pub memory: Memory,
    /// Marked operations, in order.
    pub done: Vec<Done>,
    /// What it told of operations, in order.
    pub marks: Vec<Marked>,
    /// The first read of memory that was never written: address, size, place.
    pub undefined: Option<(u64, u8, SpanId)>,
    /// Addresses and sizes of what was read, if anybody wants to know.
    pub reads: Option<FxHashSet<(u64, u64)>>,
    /// The instructions that were run, if anybody wants to know.
    pub reached: Option<Reached>,
    /// With more objects it is cut.
    pub most_blocks: usize,
    /// What was chosen on the way here, as a number.
    pub chosen: u64,
    /// What it does with memory that survives a crash.
    pub surviving: Surviving,
    /// Addresses and sizes of memory that survives, of which it is open what they hold.
    pub open: Vec<(u64, u8)>,
    /// What it has read of memory that survives a crash, once that has come: addresses, sizes, values.
    pub found: Vec<(u64, u8, u64)>,
    /// Which bytes are undefined that block copies have read and not yet written, by depth of the frame and register.
    copied: FxHashMap<(usize, Reg), u8>,
}

impl Solo {
    /// `main`, before its first instruction.
    pub fn start(program: &Program, main: FuncId) -> Solo {
        let mut memory = Memory::of(program);
        for object in program.objects.iter().filter(|o| o.thread_local) {
            let world_address = object.address + THREAD_LOCAL_STRIDE;
            memory.add(Block {
                address: world_address,
                bytes: object.bytes.clone(),
                defined: Vec::new(),
                freed: false,
                read_only: false,
                heap: false,
                stack: false,
                made: SpanId::default(),
                name: object.name.clone(),
            });
        }
        let params = program.functions[main.index()].params as usize;
        let thread = Thread::start(program, main, &vec![Slot::default(); params], DepId::NONE);
        Solo { surviving: Surviving::at_start(program), ..Solo::on(thread, memory) }
    }

    /// A thread that nothing is known of yet, on some memory.
    pub fn on(thread: Thread, memory: Memory) -> Solo {
        Solo {
            thread,
            memory,
            done: Vec::new(),
            marks: Vec::new(),
            undefined: None,
            reads: None,
            reached: None,
            most_blocks: usize::MAX,
            chosen: 0,
            surviving: Surviving::Plain,
            open: Vec::new(),
            found: Vec::new(),
            copied: FxHashMap::default(),
        }
    }

    /// The last thread of a graph, on the memory that the graph leaves.
    pub fn last(world: &World<'_>, graph: &Graph, thread: Thread) -> Solo {
        let mut memory = world.memory.clone();
        for e in graph.ids().map(|e| graph.event(e)) {
            if let Kind::Alloc(region) = e.kind {
                memory.add(block(e.value, e.size, region, e.span));
            }
        }
        for (loc, place) in graph.places() {
            if let Some(&last) = place.co.last().filter(|_| place.co.len() > 1) {
                let (address, size) = world.locs.get(loc);
                memory.write(address, size, Some(graph.event(last).value).into());
            }
        }
        for e in graph.ids().map(|e| graph.event(e)) {
            if e.kind == Kind::Free
                && let Some(block) = memory.block_at_mut(e.value)
            {
                block.freed = true;
            }
        }
        Solo { chosen: world.chosen, ..Solo::on(thread, memory) }
    }

    /// Runs to the end of the single-threaded part.
    pub fn run(&mut self, program: &Program, options: &Options, deps: &mut DepTable, choices: &mut Choices) -> End {
        let local = program.objects.iter().any(|o| o.thread_local);
        let translate = |address: u64| match program.object_at(address) {
            Some(object) if local && object.thread_local => address + THREAD_LOCAL_STRIDE,
            _ => address,
        };
        let mut budget = options.max_local_steps;
        for turn in 1_u64.. {
            // Nothing else sees a loop without end that writes or allocates.
            if turn % TURNS == 0 && options.should_stop() {
                break;
            }
            let mut cx = Context {
                program,
                deps: &mut *deps,
                thread: ThreadId(0),
                events: 0,
                unroll: None,
                detect_idle: options.detect_idle,
                budget,
                go_on: false,
                ways: None,
            };
            let action = match &mut self.reached {
                Some(reached) => reached.run(&mut self.thread, &mut cx),
                None => self.thread.run(&mut cx),
            };
            budget = cx.budget.saturating_sub(1);
            if let Some(end) = self.at_surviving(program, deps, &action) {
                return end;
            }
            let value = match action {
                Action::Read { addr, size, .. } => {
                    let addr = translate(addr);
                    if let Err(bad) = check(&self.memory, program, addr, size, false) {
                        return End::Fault(Fault::Memory(bad, addr, size, false));
                    }
                    if let Some(reads) = &mut self.reads {
                        reads.insert((addr, u64::from(size)));
                    }
                    let contents = self.memory.read(addr, size);
                    self.note_found(program, addr, size, contents.value);
                    self.note_read(program, addr, size, contents);
                    contents.value
                }
                Action::Write { addr, size, value, .. } => {
                    let addr = translate(addr);
                    if let Err(bad) = check(&self.memory, program, addr, size, true) {
                        return End::Fault(Fault::Memory(bad, addr, size, true));
                    }
                    let mut contents = Contents { value, undefined: 0 };
                    let before = self.memory.read(addr, size);
                    match self.operation(program) {
                        Some(Operation::Paste) => contents.undefined = self.pasted(program),
                        Some(operation) => self.note(program, operation, addr, Contents { value, ..before }),
                        None => {}
                    }
                    if before != contents {
                        self.thread.had_effect();
                    }
                    self.memory.write(addr, size, contents);
                    0
                }
                Action::Fence { .. } => 0,
                Action::Mark { mark, value } => {
                    self.marks.push(Marked { mark, value, span: self.thread.place(program).span });
                    0
                }
                Action::Choose { values } => {
                    self.thread.had_effect();
                    values.get(choices.pick(values.len())).copied().unwrap_or(0)
                }
                Action::Alloc { size, region, .. } => {
                    self.thread.had_effect();
                    if self.memory.blocks().len() >= self.most_blocks {
                        return End::Cut;
                    }
                    if let Err(fault) = World::check_size(size) {
                        return End::Fault(fault);
                    }
                    let mut address = World::allocation_address(ThreadId(0), self.thread.place(program).key);
                    while !self.memory.is_free(address, size) {
                        address += 1 << 17;
                    }
                    let mut block = block(address, size, region, self.thread.place(program).span);
                    if let (Region::Stack, Some(Instr::Alloc { name, .. })) = (region, self.instruction(program)) {
                        block.name = name.to_string();
                    }
                    self.memory.add(block);
                    address
                }
                Action::Free { addr, stack: true, .. } => {
                    if let Some(block) = self.memory.block_at_mut(addr) {
                        block.freed = true;
                    }
                    0
                }
                Action::Free { addr, .. } => {
                    self.thread.had_effect();
                    match self.free(addr) {
                        Ok(()) => 0,
                        Err(bad) => return End::Fault(Fault::Memory(bad, addr, 0, true)),
                    }
                }
                Action::Arrive { .. } | Action::Depart { count: 1, .. } => 0,
                Action::Depart { .. } => return End::Stuck,
                Action::Spawn { .. } => return End::Spawn,
                Action::Join { thread, .. } => return End::Fault(Fault::BadJoin(thread)),
                Action::Finished | Action::Exit => return End::Finished,
                Action::Stopped { why: Stop::Assume, .. } => return End::Assumed,
                Action::Stopped { why: Stop::Await, .. } | Action::Idle { .. } => return End::Stuck,
                Action::Cut => return End::Cut,
                Action::Fault(fault) => return End::Fault(fault),
            };
            self.thread.complete(program, deps, Slot { value, deps: DepId::NONE });
        }
        End::Cut
    }

    fn operation(&self, program: &Program) -> Option<Operation> {
        let frame = self.thread.frame();
        program.operation_at(frame.func, frame.pc)
    }

    /// Notes an operation, with the value that it reads or writes, and what of the memory was not written before.
    fn note(&mut self, program: &Program, operation: Operation, address: u64, contents: Contents) {
        let span = self.thread.place(program).span;
        let (value, undefined) = (contents.value, contents.is_undefined());
        self.done.push(Done { operation, thread: ThreadId(0), address, value, undefined, span });
    }

    fn note_read(&mut self, program: &Program, address: u64, size: u8, contents: Contents) {
        match (self.operation(program), self.instruction(program)) {
            // Of an access that is cut, other parts may be defined.
            (None, _) if contents.is_undefined() && !self.is_part(program) => {
                let span = self.thread.place(program).span;
                self.undefined.get_or_insert((address, size, span));
            }
            (None, _) => {}
            (Some(Operation::Copy), Some(Instr::Load(load))) => {
                let register = (self.thread.frames().count(), load.dst);
                match contents.undefined {
                    0 => self.copied.remove(&register),
                    undefined => self.copied.insert(register, undefined),
                };
            }
            (Some(operation), _) => self.note(program, operation, address, contents),
        }
    }

    /// Which bytes are undefined of what a block copy writes now.
    fn pasted(&self, program: &Program) -> u8 {
        let Some(Instr::Store(store)) = self.instruction(program) else { return 0 };
        let Operand::Reg(register) = store.value else { return 0 };
        self.copied.get(&(self.thread.frames().count(), register)).copied().unwrap_or(0)
    }

    fn is_part(&self, program: &Program) -> bool {
        let frame = self.thread.frame();
        program.part_at(frame.func, frame.pc).access != 0
    }

    fn instruction<'p>(&self, program: &'p Program) -> Option<&'p Instr> {
        let frame = self.thread.frame();
        program.functions[frame.func.index()].code.get(frame.pc as usize)
    }

    fn free(&mut self, address: u64) -> Result<(), BadAccess> {
        if address == 0 {
            return Ok(());
        }
        let block = self.memory.block_at_mut(address).ok_or(BadAccess::NotAllocated)?;
        if !block.heap || block.address != address {
            return Err(BadAccess::NotAllocated);
        }
        if block.freed {
            return Err(BadAccess::DoubleFree);
        }
        block.freed = true;
        Ok(())
    }
}

fn check(memory: &Memory, program: &Program, address: u64, size: u8, write: bool) -> Result<(), BadAccess> {
    memory.check(address, size, write)?;
    match program.aligned && size > 1 && !address.is_multiple_of(u64::from(size)) {
        true => Err(BadAccess::Misaligned),
        false => Ok(()),
    }
}

fn block(address: u64, size: u64, region: Region, made: SpanId) -> Block {
    let size = size as usize;
    Block {
        address,
        bytes: vec![0; size],
        defined: if region == Region::ZeroedHeap { Vec::new() } else { vec![false; size] },
        freed: false,
        read_only: false,
        heap: region != Region::Stack,
        stack: region == Region::Stack,
        made,
        name: String::new(),
    }
}
