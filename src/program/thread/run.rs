//! The interpreter loop.

use super::action::{Action, is_visible, visible};
use super::context::{Context, Slot};
use super::frame::{Frame, Open, mix, resolved};
use super::selected::selection;
use super::state::{Failure, State, function_at, pointed_to};
use crate::ids::FuncId;
use crate::program::arith;
use crate::program::deps::DepId;
use crate::program::fault::Fault;
use crate::program::instr::*;
use smallvec::SmallVec;
use std::sync::Arc;

/// How many calls may be open.
const MAX_DEPTH: u32 = 4096;

impl Context<'_> {
    /// Whether the thread goes on from an instruction as if its condition held.
    #[inline]
    fn goes(&self, cond: Slot) -> bool {
        let held = cond.value != 0;
        match self.ways {
            Some(ways) if cond.deps != DepId::NONE => ways.go(held),
            _ => held,
        }
    }

    /// The function that a call through a pointer runs.
    fn called(&self, frame: &Frame, pointer: Operand) -> Result<FuncId, Fault> {
        let Slot { value, deps } = frame.get(pointer);
        let way = self.ways.filter(|_| deps != DepId::NONE).and_then(|ways| {
            let functions = self.program.pointers().targets(frame.func, frame.pc);
            ways.pick(functions, function_at(self.program, value))
        });
        way.map_or_else(|| pointed_to(self.program, frame, pointer), Ok)
    }

    /// Whether what has to hold of a value is not looked at: where ways are chosen, other values may be read than these.
    fn overlooks(&self, cond: Slot) -> bool {
        self.ways.is_some() && cond.deps != DepId::NONE
    }
}

impl State {
    /// The action at which the thread stands, if it has come to one.
    pub(super) fn stands_at(&self, cx: &Context<'_>) -> Option<Action> {
        if self.result.is_some() {
            return Some(Action::Finished);
        }
        let frame = self.frame();
        let instr = cx.program.functions[frame.func.index()].code.get(frame.pc as usize)?;
        if frame.has_moved() || !is_visible(instr) {
            return None;
        }
        Some(visible(instr, frame, cx.program, cx.deps))
    }

    /// Runs to the next instruction that needs a decision.
    pub(super) fn run(&mut self, cx: &mut Context<'_>) -> Action {
        if self.result.is_some() {
            return Action::Finished;
        }
        let program = cx.program;
        let mut frame = &mut self.top;
        let mut function = &program.functions[frame.func.index()];
        loop {
            if frame.has_moved()
                && let Some(action) = frame.arrive(function, self.effects, &self.words, &mut self.memory, cx)
            {
                return action;
            }
            if cx.budget == 0 {
                return Action::Cut;
            }
            cx.budget -= 1;
            let instr = &function.code[frame.pc as usize];
            match instr {
                Instr::Set { dst, src } => {
                    let regs = &mut frame.regs[..];
                    regs[*dst as usize] = resolved(regs, *src);
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
                    let regs = &mut frame.regs[..];
                    let (x, y) = (resolved(regs, *a), resolved(regs, *b));
                    let Some(value) = arith::binary(*op, *bits, x.value, y.value) else {
                        return Action::Fault(Fault::Division);
                    };
                    regs[*dst as usize] = Slot { value, deps: cx.deps.union(x.deps, y.deps) };
                }
                Instr::Un { dst, op, bits, a } => {
                    let regs = &mut frame.regs[..];
                    let x = resolved(regs, *a);
                    regs[*dst as usize] = Slot { value: arith::unary(*op, *bits, x.value), deps: x.deps };
                }
                Instr::Select { dst, cond, a, b, on_cond } => {
                    let c = frame.get(*cond);
                    let mut chosen = frame.get(if cx.goes(c) { *a } else { *b });
                    chosen.deps = match *on_cond {
                        true if program.selects => cx.deps.selected(chosen.deps, c.deps),
                        true => cx.deps.union(chosen.deps, c.deps),
                        false => cx.deps.picked(chosen.deps, c.deps),
                    };
                    frame.regs[*dst as usize] = chosen;
                }
                Instr::Jump(to) => {
                    frame.go(*to);
                    continue;
                }
                Instr::Branch { cond, then, otherwise, join } => {
                    let c = frame.get(*cond);
                    if c.deps != DepId::NONE {
                        frame.open(function, *join, c.deps, cx);
                    }
                    let to = if cx.goes(c) { *then } else { *otherwise };
                    let may_idle = &program.functions[frame.func.index()].may_idle_at;
                    let leaves = |pc: &Pc| !may_idle.get(*pc as usize).is_some_and(|&may| may);
                    if c.deps != DepId::NONE && !leaves(&frame.pc) && leaves(&to) {
                        let deps = cx.deps.control(c.deps);
                        self.supposed = cx.deps.union(self.supposed, deps);
                    }
                    frame.go(to);
                    continue;
                }
                Instr::Call { callee, args, dst } => {
                    let func = match callee {
                        Callee::Direct(func) => *func,
                        Callee::Indirect(f) => match cx.called(frame, *f) {
                            Ok(func) => func,
                            Err(fault) => return Action::Fault(fault),
                        },
                    };
                    if frame.depth >= MAX_DEPTH {
                        return Action::Fault(Fault::StackOverflow);
                    }
                    if let Callee::Indirect(pointer) = callee
                        && !function.meetings.is_empty()
                    {
                        frame.open_call(function, frame.get(*pointer).deps, cx);
                    }
                    let values: SmallVec<[Slot; 8]> = args.iter().map(|a| frame.get(*a)).collect();
                    let path =
                        mix(frame.current_path(), 0xca11 ^ u64::from(frame.pc) ^ (u64::from(frame.func.0) << 32));
                    let mut callee = Frame::new(program, func, &values, frame.ctrl, path);
                    callee.ret_to = *dst;
                    callee.depth = frame.depth + 1;
                    let caller = std::mem::replace(frame, callee);
                    frame.caller = Some(Arc::new(caller));
                    function = &program.functions[frame.func.index()];
                    continue;
                }
                Instr::Return { value } => {
                    let result = value.map_or(Slot::default(), |v| frame.get(v));
                    if let Some(done) = self.leave(cx, &mut [result]) {
                        return done;
                    }
                    frame = &mut self.top;
                    function = &program.functions[frame.func.index()];
                    continue;
                }
                Instr::ReturnMany { values } => {
                    let mut results: SmallVec<[Slot; 8]> = values.iter().map(|&v| frame.get(v)).collect();
                    if let Some(done) = self.leave(cx, &mut results) {
                        return done;
                    }
                    frame = &mut self.top;
                    function = &program.functions[frame.func.index()];
                    continue;
                }
                Instr::ThreadSelf { dst } => {
                    frame.regs[*dst as usize] = Slot { value: u64::from(cx.thread.0), deps: DepId::NONE };
                }
                Instr::ReadWord { dst, word } => {
                    frame.regs[*dst as usize] = self.words.get(*word);
                }
                Instr::WriteWord { word, value } => {
                    let value = frame.get(*value);
                    // Whether it is written depends on what led here.
                    let deps = cx.deps.union(value.deps, frame.ctrl);
                    self.words.set(*word, Slot { deps, ..value });
                }
                Instr::Repeats { dst } => {
                    let value = u64::from(frame.repeats(program));
                    frame.regs[*dst as usize] = Slot { value, deps: DepId::NONE };
                }
                Instr::LocalLoad { dst, offset, size } => {
                    let at = frame.get(*offset);
                    let Some(bytes) = local_range(&frame.local, at.value, *size) else {
                        return Action::Fault(Fault::LocalBounds);
                    };
                    let local_bytes = bytes.clone();
                    let mut word = [0; 8];
                    word[..bytes.len()].copy_from_slice(&frame.local[bytes]);
                    let local = frame.local_deps(local_bytes, cx.deps);
                    let deps = cx.deps.union(at.deps, local);
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
                    frame.local[bytes.clone()].copy_from_slice(new);
                    frame.write_local(function, bytes, [at.deps, v.deps], cx);
                    self.effects += u32::from(changed);
                }
                Instr::StopUnless { cond, why } => {
                    let c = frame.get(*cond);
                    // What comes behind a wait depends on what ends it, so nobody needs to see it before.
                    let held = if *why == Stop::Await { c.value != 0 } else { cx.goes(c) };
                    if !held {
                        return Action::Stopped { why: *why, deps: cx.deps.control(c.deps) };
                    }
                    let passed = match why {
                        Stop::Await => &mut self.reached,
                        Stop::Assume => &mut self.supposed,
                    };
                    *passed = cx.deps.union(*passed, cx.deps.control(c.deps));
                }
                Instr::Assert { cond, message } => {
                    let c = frame.get(*cond);
                    if c.value == 0 && !cx.overlooks(c) {
                        let message = message.to_string();
                        if !cx.go_on {
                            return Action::Fault(Fault::Assertion(message));
                        }
                        if self.failed.is_none() {
                            let spans = &cx.program.functions[frame.func.index()].spans;
                            let span = spans.get(frame.pc as usize).copied().unwrap_or_default();
                            self.failed = Some(Arc::new(Failure { span, message, events: cx.events }));
                        }
                    }
                }
                Instr::Check { cond, fault } => {
                    let c = frame.get(*cond);
                    if c.value == 0 && !cx.overlooks(c) {
                        return Action::Fault((**fault).clone());
                    }
                }
                Instr::Fail { message, unsupported } => {
                    let message = message.to_string();
                    return Action::Fault(match unsupported {
                        true => Fault::Unsupported(message),
                        false => Fault::Assertion(message),
                    });
                }
                Instr::Panic { message } => {
                    let shown = |piece: &Piece| piece.shown(|operand| frame.get(operand).value);
                    return Action::Fault(Fault::Assertion(message.iter().map(shown).collect()));
                }
                Instr::ExitThread { value } => {
                    let result = frame.get(*value);
                    while let Some(caller) = self.top.caller.take() {
                        self.top = Arc::unwrap_or_clone(caller);
                    }
                    if let Some(done) = self.leave(cx, &mut [result]) {
                        return done;
                    }
                    frame = &mut self.top;
                    function = &program.functions[frame.func.index()];
                    continue;
                }
                Instr::ExitProgram { .. } => return Action::Exit,
                _ => {
                    let selection = selection(instr, frame, cx.deps);
                    self.here = cx.deps.union(frame.ctrl, selection);
                    return visible(instr, frame, program, cx.deps);
                }
            }
            frame.go_on(function);
        }
    }

    /// Leaves the top frame with the scalars of its result; tells when that ends the thread.
    fn leave(&mut self, cx: &mut Context<'_>, results: &mut [Slot]) -> Option<Action> {
        let function = &cx.program.functions[self.top.func.index()];
        if !function.meetings.is_empty() {
            self.top.select_results(function, results, &mut self.memory, cx);
        }
        let Some(caller) = self.top.caller.take() else {
            self.result = Some(results.first().copied().unwrap_or_default());
            return Some(Action::Finished);
        };
        let ret_to = self.top.ret_to;
        let lasting: SmallVec<[DepId; 4]> =
            self.top.branches.iter().filter(|open| open.join == Join::Never).map(|open| open.deps).collect();
        self.top = Arc::unwrap_or_clone(caller);
        let frame = &mut self.top;
        if let Some(dst) = ret_to {
            let registers = frame.regs.iter_mut().skip(dst as usize);
            registers.zip(results).for_each(|(register, result)| *register = *result);
        }
        for deps in lasting {
            frame.branches.push(Open { join: Join::Never, deps, controls: true, meeting: None });
            frame.ctrl = cx.deps.union(frame.ctrl, deps);
        }
        let next = frame.pc + 1;
        frame.go(next);
        None
    }
}

fn local_range(local: &[u8], offset: u64, size: u8) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(offset).ok()?;
    let end = start.checked_add(usize::from(size))?;
    (end <= local.len()).then_some(start..end)
}
