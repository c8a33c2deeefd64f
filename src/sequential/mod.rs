//! The single-threaded parts of a C program: `main` before it creates a thread, and after it has joined them all.
//!
//! Nobody can see the order of these accesses, so they run on plain memory and make no events: what `main` writes first is
//! the initial state, what it reads last is the final state. Memory may be accessed there in any size.

mod ends;
pub mod surviving;

pub use ends::{Choices, End, Marked};

use crate::clock::Instant;
use crate::graph::memory::{self, Block, Contents, Memory};
use crate::ids::{FuncId, SpanId, ThreadId};
use crate::program::crash::Surviving;
use crate::program::deps::{DepId, DepTable};
use crate::program::fault::{BadAccess, Fault};
use crate::program::operation::{Done, Operation};
use crate::program::reached::Reached;
use crate::program::thread::{Action, Context, Slot, Thread};
use crate::program::{Instr, Operand, Program, Reg, Region, Stop, THREAD_LOCAL_STRIDE};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicBool, Ordering};

/// After so many accesses it is asked whether the user wants an end.
const TURNS: u64 = 64;

/// How far a thread runs by itself.
#[derive(Clone, Copy, Debug)]
pub struct Limits<'a> {
    /// Bound on the rounds of a loop.
    pub unroll: Option<u32>,
    /// Whether a round that changes nothing ends in waiting.
    pub detect_idle: bool,
    /// Instructions without an access that a thread runs at most.
    pub local_steps: u64,
    /// When it is to end.
    pub deadline: Option<Instant>,
    /// Set by a user who wants an end.
    pub interrupt: Option<&'a AtomicBool>,
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Limits { unroll: None, detect_idle: true, local_steps: 50_000_000, deadline: None, interrupt: None }
    }
}

impl Limits<'_> {
    /// Whether the user, or the time that was given, wants an end.
    pub fn should_stop(&self) -> bool {
        self.interrupt.is_some_and(|interrupt| interrupt.load(Ordering::Relaxed))
            || self.deadline.is_some_and(|end| Instant::now() >= end)
    }
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
    /// Of an access in parts whose parts so far were never written: where it begins, and how many bytes these are.
    undefined_until: Option<(u64, u8)>,
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
            undefined_until: None,
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

    /// Runs to the end of the single-threaded part.
    pub fn run(&mut self, program: &Program, limits: &Limits<'_>, deps: &mut DepTable, choices: &mut Choices) -> End {
        let local = program.objects.iter().any(|o| o.thread_local);
        let translate = |address: u64| match program.object_at(address) {
            Some(object) if local && object.thread_local => address + THREAD_LOCAL_STRIDE,
            _ => address,
        };
        let mut budget = limits.local_steps;
        for turn in 1_u64.. {
            // Nothing else sees a loop without end that writes or allocates.
            if turn % TURNS == 0 && limits.should_stop() {
                break;
            }
            let mut cx = Context {
                program,
                deps: &mut *deps,
                thread: ThreadId(0),
                events: 0,
                unroll: None,
                detect_idle: limits.detect_idle,
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
                    if let Err(fault) = self.check(program, addr, size, false) {
                        return End::Fault(fault);
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
                    if let Err(fault) = self.check(program, addr, size, true) {
                        return End::Fault(fault);
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
                    if let Err(fault) = memory::check_size(size) {
                        return End::Fault(fault);
                    }
                    let mut address = memory::allocation_address(ThreadId(0), self.thread.place(program).key);
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

    fn check(&self, program: &Program, address: u64, size: u8, write: bool) -> Result<(), Fault> {
        self.memory.check(address, size, write).map_err(|bad| Fault::Memory(bad, address, size, write))?;
        match program.misaligned(self.thread.frame(), address, size) {
            Some((before, whole)) => {
                Err(Fault::Memory(BadAccess::Misaligned, address.wrapping_sub(before.into()), whole, write))
            }
            None => Ok(()),
        }
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
            (None, _) if contents.is_undefined() => self.note_undefined(program, address, size),
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

    /// Notes a read of what was never written. Of an access that is cut, each part has to be one, the last as well.
    fn note_undefined(&mut self, program: &Program, address: u64, size: u8) {
        let place = self.thread.place(program);
        let frame = self.thread.frame();
        let part = program.part_at(frame.func, frame.pc);
        let (address, whole) = match part.access {
            0 => (address, size),
            _ => (address.wrapping_sub(part.offset.into()), part.whole),
        };
        let is_next = part.offset == 0 || self.undefined_until == Some((address, part.offset));
        let until = part.offset + size;
        self.undefined_until = is_next.then_some((address, until));
        if is_next && (part.access == 0 || until == whole) {
            self.undefined.get_or_insert((address, whole, place.span));
        }
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

/// Memory as it is when it was just made.
pub(crate) fn block(address: u64, size: u64, region: Region, made: SpanId) -> Block {
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
