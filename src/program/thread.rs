//! The thread interpreter: runs local instructions, stops at each one that the execution graph must decide, tracks
//! dependencies, and notices idle loop iterations.
//!
//! A [`Thread`] is a value: cloning it (a reference count and a few words) is a snapshot, and running a thread from a
//! snapshot again is how exploration backtracks. Only the top frame is copied, and only when it is written after a
//! snapshot was taken.
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

use super::arith;
use super::deps::{DepId, DepTable};
use super::fault::Fault;
use super::instr::*;
use super::{InstructionOrder, Program};
use crate::ids::{FuncId, SpanId, TagSetId, ThreadId};
use smallvec::SmallVec;
use std::sync::Arc;

/// A register: a value and what it depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Slot {
    /// The bit pattern.
    pub value: u64,
    /// The events that it depends on.
    pub deps: DepId,
}

/// One visit of a loop head.
#[derive(Clone, Debug)]
struct Visit {
    index: u32,
    count: u32,
    outer: u64,
    path: u64,
    effects: u32,
    events: u32,
    live: SmallVec<[u64; 4]>,
}

/// A call frame.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub func: FuncId,
    /// The next instruction.
    pub pc: Pc,
    /// Its registers.
    pub regs: SmallVec<[Slot; 8]>,
    local: Vec<u8>,
    local_deps: DepId,
    ret_to: Option<Reg>,
    path: u64,
    loops: SmallVec<[Visit; 1]>,
    /// Open branches: where each control dependency ends, and on what it depends.
    branches: SmallVec<[(Join, DepId); 2]>,
    /// All control dependencies in force, callers' included.
    ctrl: DepId,
    /// Those that were in force at the call.
    ctrl_at_call: DepId,
    /// Whether arrival at `pc` has been dealt with.
    arrived: bool,
    caller: Option<Arc<Frame>>,
}

/// A running thread.
#[derive(Clone, Debug)]
pub struct Thread {
    top: Arc<Frame>,
    effects: u32,
    /// The read that the next store-exclusive would pair with.
    pub exclusive: Option<u32>,
    /// The last store-exclusive.
    pub stored: Option<u32>,
    /// Set when the thread has ended: its result.
    pub result: Option<Slot>,
    /// The first assertion that failed, when the thread was told to go on after one.
    pub failed: Option<Arc<Failure>>,
    /// What let the thread get here at all: the exits of loops and the end of waits.
    reached: DepId,
}

/// A failed assertion that a thread went on after.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// Where.
    pub span: SpanId,
    /// What.
    pub message: String,
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
    /// Whether a failed assertion is only noted, in [`Thread::failed`], and the thread goes on.
    pub go_on: bool,
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
}

/// What a load reads as when it does not find the expected value, with operands resolved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Otherwise {
    /// The value that decides.
    pub expected: u64,
    /// Tags when another value is read.
    pub tags: TagSetId,
    /// Half when another value is read.
    pub half: Half,
}

/// What a thread at a synchronising instruction waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitsFor {
    /// The end of this thread.
    End(u64),
    /// So many arrivals at a barrier, in the round that it is in.
    Arrivals { barrier: u64, count: u64 },
}

/// Where a thread stopped.
#[derive(Clone, PartialEq, Debug)]
pub enum Action {
    /// A read: to be completed with a value.
    Read {
        addr: u64,
        size: u8,
        tags: TagSetId,
        half: Half,
        otherwise: Option<Otherwise>,
        hidden: bool,
        addr_deps: DepId,
    },
    /// A write.
    Write {
        addr: u64,
        size: u8,
        value: u64,
        tags: TagSetId,
        half: Half,
        hidden: bool,
        addr_deps: DepId,
        data_deps: DepId,
    },
    /// A fence or another event without a value.
    Fence { tags: TagSetId, addr: Option<u64>, is_fence: bool, addr_deps: DepId },
    /// To be completed with one of the values.
    Choose { values: Box<[u64]> },
    /// Creates a thread: to be completed with its number.
    Spawn { function: FuncId, arg: Slot },
    /// Reaches a barrier.
    Arrive { barrier: u64, deps: DepId },
    /// Waits for the others of a barrier's round: to be completed with 1 in one thread, else 0.
    Depart { barrier: u64, count: u64, deps: DepId },
    /// Waits for a thread: to be completed with its result.
    Join { thread: u64, deps: DepId },
    /// New memory: to be completed with its address.
    Alloc { size: u64, region: Region, deps: DepId },
    /// The end of memory's life; `None` is the end of a frame's stack memory (which has no events of its own).
    Free { addr: u64, deps: DepId },
    /// The thread has ended.
    Finished,
    /// A condition that stops the thread does not hold; what it depends on.
    Stopped { why: Stop, deps: DepId },
    /// A loop iteration was idle; the thread's events from this number on are what it waits for.
    Idle { since: u32 },
    /// A bound was reached.
    Cut,
    /// The program ends here.
    Exit,
    /// A finding.
    Fault(Fault),
}

const MAX_DEPTH: usize = 4096;

#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ b.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^ (x >> 32)
}

impl Frame {
    fn new(program: &Program, func: FuncId, args: &[Slot], ctrl: DepId, path: u64) -> Frame {
        let function = &program.functions[func.index()];
        let mut regs = SmallVec::from_elem(Slot::default(), (function.regs as usize).max(args.len()));
        regs[..args.len()].copy_from_slice(args);
        Frame {
            func,
            pc: 0,
            regs,
            local: vec![0; function.local_bytes as usize],
            local_deps: DepId::NONE,
            ret_to: None,
            path,
            loops: SmallVec::new(),
            branches: SmallVec::new(),
            ctrl,
            ctrl_at_call: ctrl,
            arrived: false,
            caller: None,
        }
    }

    fn get(&self, operand: Operand) -> Slot {
        match operand {
            Operand::Reg(r) => self.regs[r as usize],
            Operand::Const(value) => Slot { value, deps: DepId::NONE },
        }
    }

    fn current_path(&self) -> u64 {
        self.loops.last().map_or(self.path, |v| v.path)
    }

    fn go(&mut self, pc: Pc) {
        self.pc = pc;
        self.arrived = false;
    }
}

impl Thread {
    /// A thread about to enter `func`.
    pub fn start(program: &Program, func: FuncId, args: &[Slot], ctrl: DepId) -> Thread {
        Thread {
            top: Arc::new(Frame::new(program, func, args, ctrl, 0)),
            effects: 0,
            exclusive: None,
            stored: None,
            result: None,
            failed: None,
            reached: DepId::NONE,
        }
    }

    /// The frame that is running (the outermost one, once the thread has ended).
    pub fn frame(&self) -> &Frame {
        &self.top
    }

    /// The frames from the running one outwards.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        std::iter::successors(Some(&*self.top), |f| f.caller.as_deref())
    }

    /// Control dependencies in force.
    pub fn ctrl(&self) -> DepId {
        self.top.ctrl
    }

    /// What let the thread get here at all: everything on which the exit of a loop or the end of a wait has depended so far.
    /// A control dependency ends where branches meet, but nothing after a loop happens when the loop is not left. So this is no
    /// dependency to a model, yet an event cannot be kept without it.
    pub fn reached(&self) -> DepId {
        self.reached
    }

    /// Adds a dependency that everything later in the thread has (a join, a creation).
    pub fn depend_on(&mut self, deps: DepId, table: &mut DepTable) {
        // Callers must see it too: it is pushed as a branch that never ends.
        let frame = Arc::make_mut(&mut self.top);
        frame.branches.push((Join::Never, deps));
        frame.ctrl = table.union(frame.ctrl, deps);
    }

    /// The place of the instruction at which the thread stands.
    pub fn place(&self, program: &Program) -> Place {
        let frame = &*self.top;
        let function = &program.functions[frame.func.index()];
        let pc = frame.pc as usize;
        let path = frame.current_path();
        let here = u64::from(frame.func.0) << 32;
        Place {
            key: mix(path, here | u64::from(frame.pc)),
            group: mix(path, !(here | u64::from(function.group.get(pc).copied().unwrap_or(0)))),
            span: function.spans.get(pc).copied().unwrap_or_default(),
        }
    }

    /// What other threads must do before it can go on, when it stands at such an instruction.
    pub fn waits_for(&self, program: &Program) -> Option<WaitsFor> {
        let frame = &*self.top;
        if self.result.is_some() {
            return None;
        }
        match program.functions[frame.func.index()].code.get(frame.pc as usize)? {
            Instr::JoinThread { thread, .. } => Some(WaitsFor::End(frame.get(*thread).value)),
            Instr::Depart { barrier, count, .. } => {
                Some(WaitsFor::Arrivals { barrier: frame.get(*barrier).value, count: frame.get(*count).value })
            }
            _ => None,
        }
    }

    /// Completes the instruction at which the thread stands, giving its destination a value.
    pub fn complete(&mut self, program: &Program, result: Slot) {
        let frame = Arc::make_mut(&mut self.top);
        let dst = match &program.functions[frame.func.index()].code[frame.pc as usize] {
            Instr::JoinThread { dst, .. } => *dst,
            instr => super::flow::defines(instr),
        };
        if let Some(dst) = dst {
            frame.regs[dst as usize] = result;
        }
        let next = frame.pc + 1;
        frame.go(next);
    }

    /// Notes that something changed that an idle iteration must not change.
    pub fn had_effect(&mut self) {
        self.effects += 1;
    }

    /// Runs to the next instruction that needs a decision.
    pub fn run(&mut self, cx: &mut Context<'_>) -> Action {
        if self.result.is_some() {
            return Action::Finished;
        }
        loop {
            if let Some(action) = self.arrive(cx) {
                return action;
            }
            if cx.budget == 0 {
                return Action::Cut;
            }
            cx.budget -= 1;
            let frame = Arc::make_mut(&mut self.top);
            let program = cx.program;
            let instr = &program.functions[frame.func.index()].code[frame.pc as usize];
            match instr {
                Instr::Set { dst, src } => {
                    frame.regs[*dst as usize] = frame.get(*src);
                }
                Instr::SetStatus { dst, src } => {
                    let mut slot = frame.get(*src);
                    if let Some(store) = self.stored {
                        let store = cx.deps.singleton(store);
                        slot.deps = cx.deps.union(slot.deps, store);
                    }
                    frame.regs[*dst as usize] = slot;
                }
                Instr::Bin { dst, op, bits, a, b } => {
                    let (x, y) = (frame.get(*a), frame.get(*b));
                    let Some(value) = arith::binary(*op, *bits, x.value, y.value) else {
                        return Action::Fault(Fault::Division);
                    };
                    frame.regs[*dst as usize] = Slot { value, deps: cx.deps.union(x.deps, y.deps) };
                }
                Instr::Un { dst, op, bits, a } => {
                    let x = frame.get(*a);
                    frame.regs[*dst as usize] = Slot { value: arith::unary(*op, *bits, x.value), deps: x.deps };
                }
                Instr::Select { dst, cond, a, b, on_cond } => {
                    let c = frame.get(*cond);
                    let mut chosen = frame.get(if c.value != 0 { *a } else { *b });
                    if *on_cond {
                        chosen.deps = cx.deps.union(chosen.deps, c.deps);
                    }
                    frame.regs[*dst as usize] = chosen;
                }
                Instr::Jump(to) => {
                    frame.go(*to);
                    continue;
                }
                Instr::Branch { cond, then, otherwise, join } => {
                    let c = frame.get(*cond);
                    if c.deps != DepId::NONE && !matches!(join, Join::NoDependency) {
                        match frame.branches.iter_mut().find(|(j, _)| j == join) {
                            Some((_, deps)) => *deps = cx.deps.union(*deps, c.deps),
                            None => frame.branches.push((*join, c.deps)),
                        }
                        frame.ctrl = cx.deps.union(frame.ctrl, c.deps);
                    }
                    let to = if c.value != 0 { *then } else { *otherwise };
                    let depth_at = &program.functions[frame.func.index()].depth_at;
                    let depth = |pc: Pc| depth_at.get(pc as usize).copied().unwrap_or(0);
                    if depth(to) < depth(frame.pc) {
                        let decided = cx.deps.union(frame.ctrl, c.deps);
                        self.reached = cx.deps.union(self.reached, decided);
                    }
                    frame.go(to);
                    continue;
                }
                Instr::Call { callee, args, dst } => {
                    let func = match callee {
                        Callee::Direct(func) => *func,
                        Callee::Indirect(f) => {
                            let target = frame.get(*f).value;
                            match function_at(program, target) {
                                Some(func) => func,
                                None => return Action::Fault(Fault::BadCall(target)),
                            }
                        }
                    };
                    let values: Vec<Slot> = args.iter().map(|a| frame.get(*a)).collect();
                    let path =
                        mix(frame.current_path(), 0xca11 ^ u64::from(frame.pc) ^ (u64::from(frame.func.0) << 32));
                    let mut callee = Frame::new(program, func, &values, frame.ctrl, path);
                    callee.ret_to = *dst;
                    callee.caller = Some(self.top.clone());
                    self.top = Arc::new(callee);
                    if self.frames().take(MAX_DEPTH + 1).count() > MAX_DEPTH {
                        return Action::Fault(Fault::StackOverflow);
                    }
                    continue;
                }
                Instr::Return { value } => {
                    let result = value.map_or(Slot::default(), |v| frame.get(v));
                    if let Some(done) = self.leave(cx, &[result]) {
                        return done;
                    }
                    continue;
                }
                Instr::ReturnMany { values } => {
                    let results: Vec<Slot> = values.iter().map(|&v| frame.get(v)).collect();
                    if let Some(done) = self.leave(cx, &results) {
                        return done;
                    }
                    continue;
                }
                Instr::ThreadSelf { dst } => {
                    frame.regs[*dst as usize] = Slot { value: u64::from(cx.thread.0), deps: DepId::NONE };
                }
                Instr::LocalLoad { dst, offset, size } => {
                    let at = frame.get(*offset);
                    let Some(bytes) = local_range(&frame.local, at.value, *size) else {
                        return Action::Fault(Fault::LocalBounds);
                    };
                    let mut word = [0; 8];
                    word[..bytes.len()].copy_from_slice(&frame.local[bytes]);
                    let deps = cx.deps.union(at.deps, frame.local_deps);
                    frame.regs[*dst as usize] = Slot { value: u64::from_le_bytes(word), deps };
                }
                Instr::LocalStore { offset, value, size } => {
                    let (at, v) = (frame.get(*offset), frame.get(*value));
                    let Some(bytes) = local_range(&frame.local, at.value, *size) else {
                        return Action::Fault(Fault::LocalBounds);
                    };
                    let word = v.value.to_le_bytes();
                    let new = &word[..bytes.len()];
                    let changed = frame.local[bytes.clone()] != *new;
                    frame.local[bytes].copy_from_slice(new);
                    let deps = cx.deps.union(at.deps, v.deps);
                    frame.local_deps = cx.deps.union(frame.local_deps, deps);
                    self.effects += u32::from(changed);
                }
                Instr::StopUnless { cond, why } => {
                    let c = frame.get(*cond);
                    if c.value == 0 {
                        return Action::Stopped { why: *why, deps: c.deps };
                    }
                    if *why == Stop::Await {
                        self.reached = cx.deps.union(self.reached, c.deps);
                    }
                }
                Instr::Assert { cond, message } => {
                    if frame.get(*cond).value == 0 {
                        let message = message.to_string();
                        if !cx.go_on {
                            return Action::Fault(Fault::Assertion(message));
                        }
                        if self.failed.is_none() {
                            let spans = &cx.program.functions[frame.func.index()].spans;
                            let span = spans.get(frame.pc as usize).copied().unwrap_or_default();
                            self.failed = Some(Arc::new(Failure { span, message }));
                        }
                    }
                }
                Instr::Fail { message, unsupported } => {
                    let message = message.to_string();
                    return Action::Fault(match unsupported {
                        true => Fault::Unsupported(message),
                        false => Fault::Assertion(message),
                    });
                }
                Instr::ExitThread { value } => {
                    let result = frame.get(*value);
                    while let Some(caller) = self.top.caller.clone() {
                        self.top = caller;
                    }
                    if let Some(done) = self.leave(cx, &[result]) {
                        return done;
                    }
                    continue;
                }
                Instr::ExitProgram { .. } => return Action::Exit,
                _ => return visible(instr, frame, program),
            }
            let frame = Arc::make_mut(&mut self.top);
            let next = frame.pc + 1;
            frame.go(next);
        }
    }

    /// Deals with arrival at an instruction: ends control dependencies, counts loop iterations.
    fn arrive(&mut self, cx: &mut Context<'_>) -> Option<Action> {
        if self.top.arrived {
            return None;
        }
        let effects = self.effects;
        let frame = Arc::make_mut(&mut self.top);
        let function = &cx.program.functions[frame.func.index()];
        let pc = frame.pc;
        if frame.branches.iter().any(|(join, _)| *join == Join::At(pc)) {
            frame.branches.retain(|(join, _)| *join != Join::At(pc));
            let mut ctrl = frame.ctrl_at_call;
            for (_, deps) in &frame.branches {
                ctrl = cx.deps.union(ctrl, *deps);
            }
            frame.ctrl = ctrl;
        }
        let depth = usize::from(function.depth_at.get(pc as usize).copied().unwrap_or(0));
        frame.loops.truncate(depth);
        let head = function.head_at.get(pc as usize).copied().unwrap_or(0);
        if head != 0 {
            let index = head - 1;
            let live = &function.loops[index as usize].live;
            let values = || live.iter().map(|&r| frame.regs[r as usize].value);
            match frame.loops.last() {
                Some(visit) if visit.index == index => {
                    let same = cx.detect_idle && visit.effects == effects && visit.live.iter().copied().eq(values());
                    if same {
                        return Some(Action::Idle { since: visit.events });
                    }
                    if cx.unroll.is_some_and(|bound| visit.count >= bound) {
                        return Some(Action::Cut);
                    }
                    let live = values().collect();
                    if let Some(visit) = frame.loops.last_mut() {
                        visit.count += 1;
                        visit.path = mix(visit.outer, (u64::from(index) << 32) | u64::from(visit.count));
                        visit.effects = effects;
                        visit.events = cx.events;
                        visit.live = live;
                    }
                }
                _ => {
                    frame.loops.truncate(depth.saturating_sub(1));
                    let outer = frame.current_path();
                    let live = live.iter().map(|&r| frame.regs[r as usize].value).collect();
                    let path = mix(outer, u64::from(index) << 32);
                    frame.loops.push(Visit { index, count: 0, outer, path, effects, events: cx.events, live });
                }
            }
        }
        frame.arrived = true;
        None
    }

    /// Leaves the top frame with the scalars of its result; tells when that ends the thread.
    fn leave(&mut self, cx: &mut Context<'_>, results: &[Slot]) -> Option<Action> {
        let Some(caller) = self.top.caller.clone() else {
            self.result = Some(results.first().copied().unwrap_or_default());
            return Some(Action::Finished);
        };
        let ret_to = self.top.ret_to;
        let lasting: Vec<DepId> =
            self.top.branches.iter().filter(|(join, _)| *join == Join::Never).map(|(_, deps)| *deps).collect();
        self.top = caller;
        let frame = Arc::make_mut(&mut self.top);
        if let Some(dst) = ret_to {
            let registers = frame.regs.iter_mut().skip(dst as usize);
            registers.zip(results).for_each(|(register, &result)| *register = result);
        }
        for deps in lasting {
            frame.branches.push((Join::Never, deps));
            frame.ctrl = cx.deps.union(frame.ctrl, deps);
        }
        let next = frame.pc + 1;
        frame.go(next);
        None
    }
}

/// The function that a function pointer's value stands for.
pub fn function_at(program: &Program, value: u64) -> Option<FuncId> {
    let offset = value.checked_sub(FUNCTION_BASE)?;
    (offset % 16 == 0 && offset / 16 < program.functions.len() as u64).then_some(FuncId((offset / 16) as u32))
}

fn local_range(local: &[u8], offset: u64, size: u8) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::from(size))?;
    (end <= local.len()).then_some(start..end)
}

/// The action of an instruction that the execution graph must decide.
fn visible(instr: &Instr, frame: &Frame, program: &Program) -> Action {
    match instr {
        Instr::Load(load) => {
            let addr = frame.get(load.addr);
            Action::Read {
                addr: addr.value,
                size: load.size,
                tags: load.tags,
                half: load.half,
                otherwise: load.unless.map(|u| Otherwise {
                    expected: arith::truncate(frame.get(u.expected).value, load.size * 8),
                    tags: u.tags,
                    half: u.half,
                }),
                hidden: load.hidden,
                addr_deps: addr.deps,
            }
        }
        Instr::Store(store) => {
            let (addr, value) = (frame.get(store.addr), frame.get(store.value));
            Action::Write {
                addr: addr.value,
                size: store.size,
                value: arith::truncate(value.value, store.size * 8),
                tags: store.tags,
                half: store.half,
                hidden: store.hidden,
                addr_deps: addr.deps,
                data_deps: value.deps,
            }
        }
        Instr::Fence { tags, addr, is_fence } => {
            let addr = addr.map(|a| frame.get(a));
            Action::Fence {
                tags: *tags,
                addr: addr.map(|a| a.value),
                is_fence: *is_fence,
                addr_deps: addr.map_or(DepId::NONE, |a| a.deps),
            }
        }
        Instr::Choose { values, .. } => Action::Choose { values: values.clone() },
        Instr::Spawn { function, arg, .. } => {
            let target = frame.get(*function).value;
            match function_at(program, target) {
                Some(function) => Action::Spawn { function, arg: frame.get(*arg) },
                None => Action::Fault(Fault::BadCall(target)),
            }
        }
        Instr::JoinThread { thread, .. } => {
            let thread = frame.get(*thread);
            Action::Join { thread: thread.value, deps: thread.deps }
        }
        Instr::Arrive { barrier } => {
            let barrier = frame.get(*barrier);
            Action::Arrive { barrier: barrier.value, deps: barrier.deps }
        }
        Instr::Depart { barrier, count, .. } => {
            let barrier = frame.get(*barrier);
            Action::Depart { barrier: barrier.value, count: frame.get(*count).value, deps: barrier.deps }
        }
        Instr::Alloc { size, region, .. } => {
            let size = frame.get(*size);
            Action::Alloc { size: size.value, region: *region, deps: size.deps }
        }
        Instr::Free { addr } => {
            let addr = frame.get(*addr);
            Action::Free { addr: addr.value, deps: addr.deps }
        }
        _ => Action::Fault(Fault::Unsupported("an instruction that the interpreter does not know".into())),
    }
}

/// Whether `po` relates two events of one instruction instance, the first depending on which the second does or not.
pub fn ordered_within(order: InstructionOrder, depends: bool) -> bool {
    order == InstructionOrder::DataFlow && depends
}
