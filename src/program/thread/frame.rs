//! Call frames: registers, control dependencies in force, and visits of loop heads.

use super::action::Action;
use super::context::{Context, Slot};
use super::selected::Selected;
use super::words::Words;
use crate::ids::FuncId;
use crate::program::deps::{DepId, DepTable};
use crate::program::instr::{Join, Operand, Pc, Reg};
use crate::program::{Function, Program};
use smallvec::SmallVec;
use std::sync::Arc;

/// One visit of a loop head.
#[derive(Debug)]
struct Visit {
    index: u32,
    count: u32,
    outer: u64,
    path: u64,
    effects: u32,
    events: u32,
    live: SmallVec<[u64; 4]>,
    earlier: Earlier,
}

/// An earlier visit without an effect since: rounds may come back to it together that are not idle one by one.
#[derive(Clone, Copy, Debug)]
struct Earlier {
    /// Of the values of its live registers.
    hash: u64,
    events: u32,
    count: u32,
    /// After so many visits another one takes its place, and stays twice as long: it need not be one that is come back to.
    stays: u32,
}

impl Earlier {
    fn new(hash: u64, events: u32, count: u32) -> Earlier {
        Earlier { hash, events, count, stays: FIRST_STAY }
    }

    /// The next visit has come, with no effect since or with one.
    fn pass(&mut self, hash: u64, events: u32, count: u32, has_effect: bool) {
        if has_effect {
            *self = Earlier::new(hash, events, count);
        } else if count - self.count >= self.stays {
            *self = Earlier { hash, events, count, stays: self.stays.saturating_mul(2) };
        }
    }
}

/// How many visits the first one is compared with.
const FIRST_STAY: u32 = 8;

impl Clone for Visit {
    #[inline(always)]
    fn clone(&self) -> Visit {
        Visit { live: SmallVec::from_slice(&self.live), ..*self }
    }
}

/// A branch, or several, whose ways have not met yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// Where they meet.
    pub join: Join,
    /// On what the condition depends, for control.
    pub deps: DepId,
    /// Whether what the thread does on the way depends on it.
    pub controls: bool,
    /// What differs there, by its number in the function.
    pub meeting: Option<u32>,
}

/// A call frame.
#[derive(Debug)]
pub struct Frame {
    /// The function.
    pub func: FuncId,
    /// The next instruction.
    pub pc: Pc,
    /// Its registers. (Most functions have twelve at most, clang's optimiser being off.)
    pub regs: SmallVec<[Slot; 12]>,
    /// Frame-private memory.
    pub(super) local: Vec<u8>,
    /// What each [`CELL`] bytes of it depend on; empty while nothing does on anything.
    pub(super) local_deps: Vec<DepId>,
    pub(super) ret_to: Option<Reg>,
    path: u64,
    loops: SmallVec<[Visit; 1]>,
    /// Open branches.
    pub(super) branches: SmallVec<[Open; 2]>,
    /// All control dependencies in force, callers' included.
    pub(super) ctrl: DepId,
    /// Those that were in force at the call.
    ctrl_at_call: DepId,
    /// Whether arrival at `pc` has been dealt with.
    arrived: bool,
    /// The number of frames below.
    pub(super) depth: u32,
    pub(super) caller: Option<Arc<Frame>>,
}

/// What an operand stands for.
#[inline]
pub(super) fn resolved(regs: &[Slot], operand: Operand) -> Slot {
    match operand {
        Operand::Reg(r) => regs[r as usize],
        Operand::Const(value) => Slot { value, deps: DepId::NONE },
    }
}

#[inline]
pub(super) fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^ (x >> 32)
}

/// Derived code would copy registers one by one; frames are copied at nearly every event.
impl Clone for Frame {
    #[inline(always)]
    fn clone(&self) -> Frame {
        let mut loops = SmallVec::new();
        self.loops.iter().for_each(|visit| loops.push(visit.clone()));
        Frame {
            regs: SmallVec::from_slice(&self.regs),
            local: self.local.clone(),
            local_deps: self.local_deps.clone(),
            loops,
            branches: SmallVec::from_slice(&self.branches),
            caller: self.caller.clone(),
            ..*self
        }
    }
}

impl Frame {
    pub(super) fn new(program: &Program, func: FuncId, args: &[Slot], ctrl: DepId, path: u64) -> Frame {
        let function = &program.functions[func.index()];
        let mut regs = SmallVec::from_elem(Slot::default(), (function.regs as usize).max(args.len()));
        regs[..args.len()].copy_from_slice(args);
        Frame {
            func,
            pc: 0,
            regs,
            local: vec![0; function.local_bytes as usize],
            local_deps: Vec::new(),
            ret_to: None,
            path,
            loops: SmallVec::new(),
            branches: SmallVec::new(),
            ctrl,
            ctrl_at_call: ctrl,
            arrived: false,
            depth: 0,
            caller: None,
        }
    }

    #[inline]
    pub(super) fn get(&self, operand: Operand) -> Slot {
        resolved(&self.regs, operand)
    }

    /// Whether the thread may come again to where the frame stands: from where it is called from, too.
    pub(super) fn repeats(&self, program: &Program) -> bool {
        let frames = || std::iter::successors(Some(self), |frame| frame.caller.as_deref());
        let is_in_loop = |frame: &Frame| {
            program.functions[frame.func.index()].depth_at.get(frame.pc as usize).is_some_and(|&depth| depth > 0)
        };
        let calls_itself = |(i, frame): (usize, &Frame)| frames().skip(i + 1).any(|caller| caller.func == frame.func);
        frames().any(is_in_loop) || frames().enumerate().any(calls_itself)
    }

    /// Whether two frames of one function have come to a loop's head with the same values, each after so many events and none since: all that comes is the same then, but for how often the loop has gone
    /// round.
    pub(super) fn came_round_like(&self, events: u32, other: &Frame, others: u32) -> bool {
        let (Some(own), Some(visit)) = (self.loops.last(), other.loops.last()) else { return false };
        let is_same_caller = match (&self.caller, &other.caller) {
            (None, None) => true,
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            _ => false,
        };
        (own.index, &own.live, own.outer) == (visit.index, &visit.live, visit.outer)
            && (own.events, visit.events) == (events, others)
            && (self.func, self.pc, &self.local) == (other.func, other.pc, &other.local)
            && is_same_caller
    }

    /// Whether, where it has come round a loop like another frame, all that is live depends at least on what it depends on there; on this event where the other one depends on that one.
    pub(super) fn depends_like(
        &self,
        own: u32,
        other: &Frame,
        others: u32,
        program: &Program,
        table: &DepTable,
    ) -> bool {
        let Some(visit) = self.loops.last() else { return false };
        let covers = |one: DepId, two: DepId| table.covers(one, own, two, others);
        let live = &program.functions[self.func.index()].loops[visit.index as usize].live;
        let is_open = |open: &Open| {
            let is_same =
                |own: &&Open| (own.join, own.controls, own.meeting) == (open.join, open.controls, open.meeting);
            self.branches.iter().filter(is_same).any(|own| covers(own.deps, open.deps))
        };
        let cell = |cells: &[DepId], at: usize| cells.get(at).copied().unwrap_or(DepId::NONE);
        live.iter().all(|&r| covers(self.regs[r as usize].deps, other.regs[r as usize].deps))
            && covers(self.ctrl, other.ctrl)
            && other.branches.iter().all(is_open)
            && (0..other.local_deps.len()).all(|at| covers(cell(&self.local_deps, at), cell(&other.local_deps, at)))
    }

    pub(super) fn current_path(&self) -> u64 {
        self.loops.last().map_or(self.path, |v| v.path)
    }

    pub(super) fn go(&mut self, pc: Pc) {
        self.pc = pc;
        self.arrived = false;
    }

    /// Goes on to the instruction behind: unless something may have to be done on arrival there, that has been dealt with.
    #[inline]
    pub(super) fn go_on(&mut self, function: &Function) {
        self.pc += 1;
        self.arrived = !function.arrivals[self.pc as usize];
    }

    /// Whether arrival at the next instruction is yet to be dealt with.
    #[inline]
    pub(super) fn has_moved(&self) -> bool {
        !self.arrived
    }

    /// Deals with arrival at an instruction: ends control dependencies, counts loop iterations.
    #[inline]
    pub(super) fn arrive(
        &mut self,
        function: &Function,
        effects: u32,
        words: &Words,
        memory: &mut Selected,
        cx: &mut Context<'_>,
    ) -> Option<Action> {
        let pc = self.pc;
        if !self.branches.is_empty() {
            self.join(function, memory, cx);
        }
        let depth = usize::from(function.depth_at.get(pc as usize).copied().unwrap_or(0));
        if self.loops.len() > depth {
            self.loops.truncate(depth);
        }
        let head = function.head_at.get(pc as usize).copied().unwrap_or(0);
        if head != 0
            && let Some(action) = self.visit(head - 1, depth, effects, words, cx)
        {
            return Some(action);
        }
        self.arrived = true;
        None
    }

    /// Ends the control dependencies that end at the next instruction.
    fn join(&mut self, function: &Function, memory: &mut Selected, cx: &mut Context<'_>) {
        let here = Join::At(self.pc);
        if self.branches.iter().any(|open| open.join == here) {
            for at in 0..self.branches.len() {
                let open = self.branches[at];
                if open.join == here {
                    self.select(function, open, memory, cx);
                }
            }
            self.branches.retain(|open| open.join != here);
            let mut ctrl = self.ctrl_at_call;
            for open in self.branches.iter().filter(|open| open.controls) {
                ctrl = cx.deps.union(ctrl, open.deps);
            }
            self.ctrl = ctrl;
        }
    }

    /// Visits the head of a loop.
    fn visit(&mut self, index: u32, depth: usize, effects: u32, words: &Words, cx: &Context<'_>) -> Option<Action> {
        let live = &cx.program.functions[self.func.index()].loops[index as usize].live;
        let values = live.iter().map(|&r| self.regs[r as usize].value).chain(words.values());
        let hash = values.clone().fold(0, mix);
        match self.loops.last_mut() {
            Some(visit) if visit.index == index => {
                if cx.detect_idle && visit.effects == effects {
                    if visit.live.iter().copied().eq(values.clone()) {
                        return Some(Action::Idle { since: visit.events });
                    }
                    if visit.earlier.hash == hash {
                        return Some(Action::Idle { since: visit.earlier.events });
                    }
                }
                if cx.unroll.is_some_and(|bound| visit.count >= bound) {
                    return Some(Action::Cut);
                }
                visit.count += 1;
                visit.earlier.pass(hash, cx.events, visit.count, visit.effects != effects);
                visit.path = mix(visit.outer, (u64::from(index) << 32) | u64::from(visit.count));
                visit.effects = effects;
                visit.events = cx.events;
                visit.live.clear();
                visit.live.extend(values);
            }
            _ => {
                let live = values.collect();
                self.loops.truncate(depth.saturating_sub(1));
                let outer = self.current_path();
                let path = mix(outer, u64::from(index) << 32);
                let earlier = Earlier::new(hash, cx.events, 0);
                self.loops.push(Visit { index, count: 0, outer, path, effects, events: cx.events, live, earlier });
            }
        }
        None
    }
}
