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
mod completion;
mod context;
mod frame;
pub mod memo;
mod run;
mod selected;
mod state;
mod ways;
mod words;

pub use action::{Action, Otherwise};
pub use completion::{Completion, Exclusive};
pub use context::{Context, MAIN, Place, Slot, WaitsFor};
pub use frame::Frame;
pub use state::{Failure, State, function_at};
pub use ways::Ways;

use self::selected::Selected;
use self::words::Words;
use super::deps::DepId;
use super::flow::defines;
use super::instr::{Pc, Reg};
use super::{InstructionOrder, Program};
use crate::ids::FuncId;
use std::hash::{Hash, Hasher};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

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

/// Whether `po` relates two events of one instruction instance, the first depending on which the second does or not.
pub fn ordered_within(order: InstructionOrder, depends: bool) -> bool {
    order == InstructionOrder::DataFlow && depends
}
