//! Locks that a thread takes as soon as they are free: it waits until then, and does not go on without them.

use crate::graph::Graph;
use crate::graph::event::{Event, Kind};
use crate::program::operation::Operation;
use crate::program::{Instr, Program, Stop};

/// What a write takes, if its thread waits between the halves of the read-modify-write until it can.
pub fn waited_for(graph: &Graph, program: &Program, write: &Event) -> Option<Operation> {
    if write.kind != Kind::Write || !graph.contains(write.partner) {
        return None;
    }
    let taken = operation(program, write).filter(|o| matches!(o, Operation::Acquire(_) | Operation::Share(_)))?;
    let (first, last) = (graph.event(write.partner).before.as_ref()?.frame(), write.before.as_ref()?.frame());
    let code = &program.functions[first.func.index()].code;
    let between = code.get(first.pc as usize..=last.pc as usize).filter(|_| first.func == last.func)?;
    between.iter().any(|i| matches!(i, Instr::StopUnless { why: Stop::Await, .. })).then_some(taken)
}

/// What an event is marked with.
pub fn operation(program: &Program, event: &Event) -> Option<Operation> {
    let frame = event.before.as_ref()?.frame();
    program.operation_at(frame.func, frame.pc)
}
