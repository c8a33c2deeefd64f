//! What branches decide beyond the instructions on their ways: the registers, and the memory that no other thread uses at the time, that hold different
//! values where the ways meet. A thread that uses such a value depends on the condition, which a compiler that keeps the meaning of a program keeps
//! (`docs/deviations.md`, *Dependencies of C programs*).
//!
//! For each branch, values are followed along its ways as terms (`terms`) up to where these meet (`ways`); what has the same term on all of them carries
//! nothing. A call through a pointer is a branch whose ways are the functions that it may run. The interpreter does the rest, for the conditions that depend
//! on something: [`crate::program::thread`].
//!
//! A branch on one of whose ways the thread may end (it aborts, an assertion fails) decides about everything behind it.

mod summary;
mod terms;
mod ways;

use super::Program;
use super::flow::{self, Successors, successors};
use super::instr::*;
use crate::ids::FuncId;
use crate::program::meeting::Meeting;
use summary::Summary;
use ways::Ways;

/// Fills [`Function::meetings`] of all functions, and makes the branches last that decide whether their thread ends.
pub fn analyse(program: &mut Program) {
    let summaries = summary::of_all(program);
    let all: Vec<Found> = (0..program.functions.len()).map(|f| found(program, FuncId::at(f), &summaries)).collect();
    for (function, found) in program.functions.iter_mut().zip(all) {
        for pc in found.lasting {
            if let Instr::Branch { join, .. } = &mut function.code[pc as usize] {
                *join = Join::Never;
            }
        }
        function.meetings = found.meetings;
        flow::find_arrivals(function);
    }
}

/// What is found of a function.
#[derive(Default)]
struct Found {
    lasting: Vec<Pc>,
    meetings: Vec<Meeting>,
}

fn found(program: &Program, id: FuncId, summaries: &[Summary]) -> Found {
    let function = &program.functions[id.index()];
    let mut found = Found::default();
    let decides = |instr: &Instr| {
        matches!(instr, Instr::Branch { .. } | Instr::Call { callee: Callee::Indirect(Operand::Reg(_)), .. })
    };
    if !function.code.iter().any(decides) {
        return found;
    }
    let merges = flow::merge_points(function);
    let mut ways = Ways::new(program, id, summaries);
    for (pc, instr) in function.code.iter().enumerate() {
        let at = merges[pc];
        let pc = pc as Pc;
        match instr {
            Instr::Branch { join: Join::Never, .. } => {}
            Instr::Branch { then, otherwise, .. } if then == otherwise => {}
            Instr::Branch { join, .. } => {
                if *join != Join::NoDependency && ways.may_end(pc, at) {
                    found.lasting.push(pc);
                    continue;
                }
                let meeting = ways.meeting(pc, at);
                if meeting.differs() {
                    found.meetings.push(meeting);
                }
            }
            Instr::Call { callee: Callee::Indirect(Operand::Reg(_)), .. } => found.meetings.push(ways.called(pc)),
            _ => {}
        }
    }
    found
}

/// Whether a thread may end at an instruction, as the program says.
fn ends(instr: &Instr) -> bool {
    match instr {
        Instr::Fail { message, unsupported } => !unsupported && **message != *UNREACHABLE,
        Instr::Panic { .. } | Instr::ExitThread { .. } | Instr::ExitProgram { .. } => true,
        // Behind assertions and assumptions.
        Instr::Branch { join: Join::Never, .. } => true,
        _ => false,
    }
}

/// Where each instruction of a function leads to.
fn all_successors(code: &[Instr]) -> Vec<Successors> {
    (0..code.len()).map(|pc| successors(code, pc as Pc)).collect()
}
