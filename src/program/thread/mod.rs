//! The thread interpreter: runs local instructions, stops at each one that the execution graph must decide, tracks
//! dependencies, and notices idle loop iterations.
//!
//! A [`Thread`] is a value: cloning it (a reference count) is a [`Snapshot`], and running a thread from a snapshot again is how
//! exploration backtracks. Only the running frame is copied, and only when it is written after a snapshot was taken. What the end of an
//! instruction brings is kept beside the snapshot and put into the copy that the next run makes. What a
//! thread does from a snapshot is always the same, so exploration remembers it ([`memo`]) and mostly runs nothing.
//!
//! **Identity.** Every event gets a key made of the calls and loop iterations around it and of its place in the code, not
//! of how many events came before it. So an event keeps its identity when an earlier, independent part of its thread is
//! run again with other values (exploration with dependency prefixes does that).
//!
//! **Idle iterations.** At a loop head, when since the last visit the thread has had no effect (no write that changed a
//! value, no allocation, no thread creation) and all registers that are still live hold the same values, the iteration
//! was idle: the thread would do the same again until something that it read changes. It reports [`Action::Idle`]. A
//! read-modify-write that stores the value that it read counts as no effect; leaving out such failed attempts can hide
//! only executions in which a *failed* attempt publishes something. Frame-private memory that was written counts as an effect.

mod action;
mod frame;
pub mod memo;
mod run;
mod selected;
mod ways;
mod words;

pub use action::{Action, Otherwise};
pub use frame::Frame;
pub use ways::Ways;

use self::frame::{Open, mix};
use self::selected::Selected;
use self::words::Words;
use super::deps::{DepId, DepTable};
use super::fault::Fault;
use super::flow::defines;
use super::instr::{FUNCTION_BASE, Instr, Join, Operand, Pc, Reg};
use super::{InstructionOrder, Program};
use crate::ids::{FuncId, SpanId, ThreadId};
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A register: a value and what it depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Slot {
    /// The bit pattern.
    pub value: u64,
    /// The events that it depends on.
    pub deps: DepId,
}

/// A running thread: what is in it is read, and changed, through [`State`], which is that of the last instruction at which it stopped.
#[derive(Clone, Debug)]
pub struct Thread {
    at: Snapshot,
    /// How the instruction at which it stopped has ended, if it has: [`Thread::run`] goes on from there.
    ended: Option<Completion>,
}

/// A thread that stands at an instruction.
#[derive(Clone, Debug)]
pub struct Snapshot(Arc<State>);

/// What tells threads apart, while they live: where they stopped, and how the instruction there has ended. Two that differ may still stand at the
/// same place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Identity(usize, Option<Completion>);

impl Hash for Identity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_usize(self.0);
        if let Some(completion) = &self.1 {
            completion.hash(state);
        }
    }
}

/// What a running thread consists of.
#[derive(Debug)]
pub struct State {
    /// The running frame. It is written after nearly every event: beside the rest, both are copied in one go.
    top: Frame,
    effects: u32,
    /// The read that the next store-exclusive would pair with.
    pub exclusive: Option<u32>,
    /// The last store-exclusive.
    pub stored: Option<u32>,
    /// Set when the thread has ended: its result.
    pub result: Option<Slot>,
    /// The first assertion that failed, when the thread was told to go on after one.
    pub failed: Option<Arc<Failure>>,
    /// What let the thread get here at all: the end of waits.
    reached: DepId,
    /// What the thread has assumed to get here, and found behind loops that may wait.
    supposed: DepId,
    /// What the action at which it stands depends on for control.
    here: DepId,
    /// Memory of which branches selected the contents.
    memory: Selected,
    /// What it keeps outside of memory.
    words: Words,
}

/// Written where it is to stand: derived code would put the frame together elsewhere first.
impl Clone for State {
    #[inline(always)]
    fn clone(&self) -> State {
        State {
            top: self.top.clone(),
            failed: self.failed.clone(),
            memory: self.memory.clone(),
            words: self.words.clone(),
            ..*self
        }
    }
}

/// A failed assertion that a thread went on after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Where.
    pub span: SpanId,
    /// What.
    pub message: String,
    /// Events that the thread had had by then.
    pub events: u32,
}

/// What the interpreter needs besides the thread.
pub struct Context<'a> {
    /// The program.
    pub program: &'a Program,
    /// Dependency sets.
    pub deps: &'a mut DepTable,
    /// The running thread.
    pub thread: ThreadId,
    /// Events that the thread has had so far.
    pub events: u32,
    /// How many times a loop may go round.
    pub unroll: Option<u32>,
    /// Whether idle iterations are to be noticed.
    pub detect_idle: bool,
    /// Local instructions left before the thread is cut.
    pub budget: u64,
    /// Whether a failed assertion is only noted, in `failed`, and the thread goes on.
    pub go_on: bool,
    /// The ways that the thread goes wherever what it has read leads it on, if these are chosen for it.
    pub ways: Option<&'a Ways>,
}

/// An event's place: identity within its thread, instruction instance, source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Identity within the thread.
    pub key: u64,
    /// Identity of the instruction instance within the thread.
    pub group: u64,
    /// Source position.
    pub span: SpanId,
    /// Identity, within the thread, of the access of which the instruction makes a part; 0 where it makes a whole one.
    pub access: u64,
}

/// What `main` is called by the program, which calls other threads by their numbers: 0 is no thread's name, as in the usual libraries.
pub const MAIN: u64 = 1 << 20;

/// The number of the thread that the program calls so; of none for 0.
pub(super) fn thread_called(name: u64) -> u64 {
    match name {
        MAIN => 0,
        0 => u64::MAX,
        number => number,
    }
}

/// What a thread at a synchronising instruction waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitsFor {
    /// The end of this thread.
    End(u64),
    /// So many arrivals at a barrier, in the round that it is in.
    Arrivals { barrier: u64, count: u64 },
}

/// What the end of an instruction does to its thread. (Threads carry one each: it is kept to two words.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Completion {
    /// What the destination gets.
    pub value: u64,
    /// What the thread calls the event.
    pub event: u32,
    /// Whether the value depends on the event.
    pub depends: bool,
    /// Whether everything later in the thread does.
    pub lasting: bool,
    /// Whether something changed that an idle iteration must not change.
    pub effect: bool,
    /// What becomes of the thread's exclusive accesses.
    pub exclusive: Exclusive,
}

impl Completion {
    /// The instruction gives a value on which nothing depends.
    pub fn of(value: u64, effect: bool) -> Completion {
        Completion { value, event: 0, depends: false, lasting: false, effect, exclusive: Exclusive::Keep }
    }
}

impl Hash for Completion {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let flags = u64::from(self.depends) | u64::from(self.lasting) << 1 | u64::from(self.effect) << 2;
        state.write_u64(self.value);
        state.write_u64(u64::from(self.event) | flags << 32 | (self.exclusive as u64) << 35);
    }
}

/// How an event changes which exclusive accesses pair up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exclusive {
    /// Not at all.
    Keep,
    /// It is a load-exclusive.
    Load,
    /// It is a store-exclusive.
    Store,
}

impl Deref for Snapshot {
    type Target = State;

    fn deref(&self) -> &State {
        &self.0
    }
}

impl Deref for Thread {
    type Target = State;

    fn deref(&self) -> &State {
        &self.at
    }
}

impl DerefMut for Thread {
    fn deref_mut(&mut self) -> &mut State {
        debug_assert!(self.ended.is_none(), "what an instruction brings comes before what is changed behind it");
        Arc::make_mut(&mut self.at.0)
    }
}

impl From<Snapshot> for Thread {
    fn from(at: Snapshot) -> Thread {
        Thread { at, ended: None }
    }
}

impl Thread {
    /// A thread about to enter `func`.
    pub fn start(program: &Program, func: FuncId, args: &[Slot], ctrl: DepId) -> Thread {
        Thread::from(Snapshot(Arc::new(State {
            top: Frame::new(program, func, args, ctrl, 0),
            effects: 0,
            exclusive: None,
            stored: None,
            result: None,
            failed: None,
            reached: DepId::NONE,
            supposed: DepId::NONE,
            here: ctrl,
            memory: Selected::default(),
            words: Words::default(),
        })))
    }

    /// The same, sharing no memory with this one. Snapshots count who holds them, and workers that hold the same ones would wait for each other
    /// at each copy of a graph.
    pub fn apart(&self) -> Thread {
        let mut thread = self.clone();
        let mut frame = &mut Arc::make_mut(&mut thread.at.0).top;
        while let Some(caller) = &mut frame.caller {
            frame = Arc::make_mut(caller);
        }
        thread
    }

    /// See [`Identity`].
    pub fn identity(&self) -> Identity {
        Identity(Arc::as_ptr(&self.at.0) as usize, self.ended)
    }

    /// Whether nobody else holds the snapshot from which it goes on: it is run in place then.
    fn is_alone(&self) -> bool {
        Arc::strong_count(&self.at.0) == 1
    }

    /// Where it stopped, whatever has become of the instruction there.
    pub fn snapshot(&self) -> &Snapshot {
        &self.at
    }

    /// The instruction at which it stands has ended.
    pub fn finish(&mut self, completion: Completion) {
        debug_assert!(self.ended.is_none(), "an instruction ends once");
        self.ended = Some(completion);
    }

    /// Where the running function goes on: the instruction at which the thread stands, or the one behind it when that has ended.
    pub fn next(&self) -> Pc {
        self.frame().pc + Pc::from(self.ended.is_some())
    }

    /// A register of the running function, and the event on which it depends, if its thread has just come past that.
    pub fn register(&self, program: &Program, register: Reg) -> Option<(Slot, Option<u32>)> {
        let frame = self.frame();
        if let Some(Completion { value, event, depends, .. }) = self.ended
            && defines(&program.functions[frame.func.index()].code[frame.pc as usize]) == Some(register)
        {
            return Some((Slot { value, deps: DepId::NONE }, depends.then_some(event)));
        }
        frame.regs.get(register as usize).map(|&slot| (slot, None))
    }

    /// What it waits for: see [`State::waits_for`]. Nothing that is known before it runs on, when its instruction has ended.
    pub fn waits_for(&self, program: &Program) -> Option<WaitsFor> {
        if self.ended.is_some() { None } else { self.at.waits_for(program) }
    }

    /// Runs to the next instruction that needs a decision.
    pub fn run(&mut self, cx: &mut Context<'_>) -> Action {
        if let Some(action) = self.stands_at(cx) {
            return action;
        }
        let state = Arc::make_mut(&mut self.at.0);
        if let Some(completion) = self.ended.take() {
            state.finish(cx.program, cx.deps, completion);
        }
        state.run(cx)
    }

    /// The action at which it stands already, so that nothing has to run.
    fn stands_at(&self, cx: &Context<'_>) -> Option<Action> {
        if self.ended.is_some() { None } else { self.at.stands_at(cx) }
    }
}

impl State {
    /// The frame that is running (the outermost one, once the thread has ended).
    pub fn frame(&self) -> &Frame {
        &self.top
    }

    /// The frames from the running one outwards.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        std::iter::successors(Some(&self.top), |f| f.caller.as_deref())
    }

    /// Appends what decides, but for loops that are bounded, what the thread does from where it stands: the code, and values.
    pub fn describe(&self, out: &mut Vec<u8>) {
        out.extend([u8::from(self.exclusive.is_some()), u8::from(self.stored.is_some())]);
        self.words.values().for_each(|value| out.extend(value.to_le_bytes()));
        for frame in self.frames() {
            out.extend(frame.func.0.to_le_bytes());
            out.extend(frame.pc.to_le_bytes());
            frame.regs.iter().for_each(|register| out.extend(register.value.to_le_bytes()));
            out.extend(&frame.local);
        }
    }

    /// Whether two threads, or one on two ways, have come to the head of a loop with the same values, each after so many events and none since.
    pub fn came_round_like(&self, events: u32, other: &State, others: u32) -> bool {
        self.top.came_round_like(events, &other.top, others)
    }

    /// Whether, where a thread has come round a loop like another one, all depends at least on what it depends on there; on this event of it where the other one depends on that one of its own.
    pub fn depends_like(&self, own: u32, other: &State, others: u32, program: &Program, deps: &DepTable) -> bool {
        self.top.depends_like(own, &other.top, others, program, deps)
            && self.memory.covers(own, &other.memory, others, deps)
            && self.words.covers(own, &other.words, others, deps)
    }

    /// What the action at which it stands depends on for control: branches in force, and what selected the values that it uses.
    pub fn ctrl(&self) -> DepId {
        self.here
    }

    /// What let the thread get here at all: everything on which the end of a wait has depended so far. No dependency to a model,
    /// yet an event cannot be kept without it.
    pub fn reached(&self) -> DepId {
        self.reached
    }

    /// Everything on which the assumptions that the thread has passed have depended, and the exits of loops that may wait. No dependency to a model either, and
    /// an execution may be its own reason in this way.
    pub fn supposed(&self) -> DepId {
        self.supposed
    }

    /// Adds a dependency that everything later in the thread has (a join, a creation).
    pub fn depend_on(&mut self, deps: DepId, table: &mut DepTable) {
        // Callers must see it too: it is pushed as a branch that never ends.
        let frame = &mut self.top;
        frame.branches.push(Open { join: Join::Never, deps, controls: true, meeting: None });
        frame.ctrl = table.union(frame.ctrl, deps);
    }

    /// Whether its outermost function has returned; a thread that has ended otherwise was told to.
    pub fn has_returned(&self, program: &Program) -> bool {
        let frame = &self.top;
        let instr = program.functions[frame.func.index()].code.get(frame.pc as usize);
        self.result.is_some() && matches!(instr, Some(Instr::Return { .. } | Instr::ReturnMany { .. }))
    }

    /// The place of the instruction at which the thread stands.
    pub fn place(&self, program: &Program) -> Place {
        let frame = &self.top;
        let function = &program.functions[frame.func.index()];
        let pc = frame.pc as usize;
        let path = frame.current_path();
        let here = u64::from(frame.func.0) << 32;
        Place {
            key: mix(path, here | u64::from(frame.pc)),
            group: mix(path, !(here | u64::from(function.group.get(pc).copied().unwrap_or(0)))),
            span: function.spans.get(pc).copied().unwrap_or_default(),
            access: match function.parts.get(pc) {
                Some(part) if part.access != 0 => mix(path, (1 << 63) | here | u64::from(part.access)) | 1,
                _ => 0,
            },
        }
    }

    /// What other threads must do before it can go on, when it stands at such an instruction.
    pub fn waits_for(&self, program: &Program) -> Option<WaitsFor> {
        let frame = &self.top;
        if self.result.is_some() {
            return None;
        }
        match program.functions[frame.func.index()].code.get(frame.pc as usize)? {
            Instr::JoinThread { thread, .. } => Some(WaitsFor::End(thread_called(frame.get(*thread).value))),
            Instr::Depart { barrier, count, .. } => {
                Some(WaitsFor::Arrivals { barrier: frame.get(*barrier).value, count: frame.get(*count).value })
            }
            _ => None,
        }
    }

    /// Completes the instruction at which the thread stands, giving its destination a value.
    pub fn complete(&mut self, program: &Program, table: &mut DepTable, mut result: Slot) {
        let frame = &mut self.top;
        let selection = self.memory.pass(program, frame, result.value, table);
        result.deps = table.union(result.deps, selection);
        if let Some(dst) = defines(&program.functions[frame.func.index()].code[frame.pc as usize]) {
            frame.regs[dst as usize] = result;
        }
        let next = frame.pc + 1;
        frame.go(next);
    }

    /// Ends the instruction at which the thread stands.
    fn finish(&mut self, program: &Program, table: &mut DepTable, completion: Completion) {
        let Completion { value, event, depends, lasting, effect, exclusive } = completion;
        match exclusive {
            Exclusive::Keep => {}
            Exclusive::Load => self.exclusive = Some(event),
            Exclusive::Store => (self.exclusive, self.stored) = (None, Some(event)),
        }
        if effect {
            self.had_effect();
        }
        let deps = if depends || lasting { table.singleton(event) } else { DepId::NONE };
        self.complete(program, table, Slot { value, deps: if depends { deps } else { DepId::NONE } });
        if lasting {
            self.depend_on(deps, table);
        }
    }

    /// Notes that something changed that an idle iteration must not change.
    pub fn had_effect(&mut self) {
        self.effects += 1;
    }
}

/// The function that a function pointer's value stands for.
pub fn function_at(program: &Program, value: u64) -> Option<FuncId> {
    let offset = value.checked_sub(FUNCTION_BASE)?;
    (offset % 16 == 0 && offset / 16 < program.functions.len() as u64).then_some(FuncId((offset / 16) as u32))
}

/// The function that a pointer leads to from where a frame stands. What nobody would expect there is not run ([`super::pointers`]).
fn pointed_to(program: &Program, frame: &Frame, pointer: Operand) -> Result<FuncId, Fault> {
    let value = frame.get(pointer).value;
    let function = function_at(program, value).ok_or(Fault::BadCall(value))?;
    if matches!(pointer, Operand::Const(_)) || program.pointers().may_lead(frame.func, frame.pc, function) {
        return Ok(function);
    }
    let name = &program.functions[function.index()].name;
    Err(Fault::Unsupported(format!("`{name}` runs through a pointer that was not made from its address")))
}

/// Whether `po` relates two events of one instruction instance, the first depending on which the second does or not.
pub fn ordered_within(order: InstructionOrder, depends: bool) -> bool {
    order == InstructionOrder::DataFlow && depends
}
