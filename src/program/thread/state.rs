//! The state of a thread.

use super::completion::{Completion, Exclusive};
use super::context::{Place, Slot, WaitsFor, thread_called};
use super::frame::{Frame, Open, mix};
use super::selected::Selected;
use super::words::Words;
use crate::ids::{FuncId, SpanId};
use crate::program::Program;
use crate::program::deps::{DepId, DepTable};
use crate::program::fault::Fault;
use crate::program::flow::defines;
use crate::program::instr::{FUNCTION_BASE, Instr, Join, Operand, Part, Piece};
use std::sync::Arc;

/// What a running thread consists of.
#[derive(Debug)]
pub struct State {
    /// The running frame. It is written after nearly every event: beside the rest, both are copied in one go.
    pub(super) top: Frame,
    pub(super) effects: u32,
    /// The read that the next store-exclusive would pair with.
    pub exclusive: Option<u32>,
    /// The last store-exclusive.
    pub stored: Option<u32>,
    /// Set when the thread has ended: its result.
    pub result: Option<Slot>,
    /// The first assertion that failed, when the thread was told to go on after one.
    pub failed: Option<Arc<Failure>>,
    /// What let the thread get here at all: the end of waits.
    pub(super) reached: DepId,
    /// What the thread has assumed to get here, and found behind loops that may wait.
    pub(super) supposed: DepId,
    /// What the action at which it stands depends on for control.
    pub(super) here: DepId,
    /// Memory of which branches selected the contents.
    pub(super) memory: Selected,
    /// What it keeps outside of memory.
    pub(super) words: Words,
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
        let part = function.parts.get(pc).copied().unwrap_or_default();
        Place {
            key: mix(path, here | u64::from(frame.pc)),
            group: mix(path, !(here | u64::from(function.group.get(pc).copied().unwrap_or(0)))),
            span: function
                .spans
                .get(pc)
                .copied()
                .filter(|span| *span != SpanId::default())
                .unwrap_or_else(|| self.told_place(program)),
            access: match part.access {
                0 => 0,
                access => mix(path, (1 << 63) | here | u64::from(access)) | 1,
            },
            goes_on: part.access != 0 && !is_last(part, &function.code[pc]),
        }
    }

    /// The place that a message tells where the thread stands, if it stands nowhere in the source.
    fn told_place(&self, program: &Program) -> SpanId {
        let frame = &self.top;
        let Some(Instr::Panic { message }) = program.functions[frame.func.index()].code.get(frame.pc as usize) else {
            return SpanId::default();
        };
        let place = message.iter().find_map(|piece| match piece {
            Piece::Place(place) => Some(frame.get(*place).value),
            _ => None,
        });
        place.map_or_else(SpanId::default, |number| SpanId(number as u32))
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
    pub(super) fn finish(&mut self, program: &Program, table: &mut DepTable, completion: Completion) {
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

/// Whether an instruction makes the last part of an access.
fn is_last(part: Part, instr: &Instr) -> bool {
    match instr {
        Instr::Load(load) => part.offset + load.size == part.whole,
        Instr::Store(store) => part.offset + store.size == part.whole,
        _ => false,
    }
}

/// The function that a pointer leads to from where a frame stands. What nobody would expect there is not run ([`super::pointers`]).
pub(super) fn pointed_to(program: &Program, frame: &Frame, pointer: Operand) -> Result<FuncId, Fault> {
    let value = frame.get(pointer).value;
    let function = function_at(program, value).ok_or(Fault::BadCall(value))?;
    if matches!(pointer, Operand::Const(_)) || program.pointers().may_lead(frame.func, frame.pc, function) {
        return Ok(function);
    }
    let name = &program.functions[function.index()].name;
    Err(Fault::Unsupported(format!("`{name}` runs through a pointer that was not made from its address")))
}

/// The function that a function pointer's value stands for.
pub fn function_at(program: &Program, value: u64) -> Option<FuncId> {
    let offset = value.checked_sub(FUNCTION_BASE)?;
    (offset % 16 == 0 && offset / 16 < program.functions.len() as u64).then_some(FuncId((offset / 16) as u32))
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
