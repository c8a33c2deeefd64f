//! Where code may lead to the creation of a thread: in its function, in what that calls, or in its callers.
//!
//! A thread that goes on alone when all others have ended need not be explored, as long as it stays alone.
//!
//! Limits: every branch may be taken, and an indirect call may call any function; so a loop that creates threads and waits for them may always create more.

use super::flow::{Successors, lead_to, successors};
use super::thread::Thread;
use super::{Callee, Instr, Pc, Program};
use crate::ids::FuncId;
use std::sync::OnceLock;

/// See the module.
#[derive(Debug)]
pub struct Creates {
    /// For each function, the instructions from which one that creates a thread, or calls a function that may, can be come to. Empty for functions
    /// without.
    at: Vec<Vec<bool>>,
}

/// That of a program, once somebody has asked. A copy of the program is asked anew: copies are made to be changed.
#[derive(Default, Debug)]
pub(super) struct Known(OnceLock<Creates>);

impl Clone for Known {
    fn clone(&self) -> Known {
        Known::default()
    }
}

impl Program {
    /// Where its code may lead to the creation of a thread. Its functions do not change from now on.
    pub fn creates(&self) -> &Creates {
        self.creates.0.get_or_init(|| Creates::of(self))
    }
}

impl Creates {
    /// Looks at all functions of a program.
    fn of(program: &Program) -> Creates {
        let functions = &program.functions;
        let mut creates = vec![false; functions.len()];
        loop {
            let more: Vec<bool> =
                functions.iter().map(|function| function.code.iter().any(|i| creates_in(i, &creates))).collect();
            if more == creates {
                break;
            }
            creates = more;
        }
        let leads = |(function, &creates_some): (&super::Function, &bool)| {
            if creates_some { leading(&function.code, &creates) } else { Vec::new() }
        };
        Creates { at: functions.iter().zip(&creates).map(leads).collect() }
    }

    /// Whether a thread may create another one from where it stands.
    pub fn may(&self, thread: &Thread) -> bool {
        let from = |func: FuncId, pc: Pc| self.at[func.index()].get(pc as usize).is_some_and(|&leads| leads);
        // A caller goes on behind its call.
        from(thread.frame().func, thread.next()) || thread.frames().skip(1).any(|frame| from(frame.func, frame.pc + 1))
    }
}

/// Whether an instruction creates a thread or calls what does, as far as that is known.
fn creates_in(instr: &Instr, creates: &[bool]) -> bool {
    match instr {
        Instr::Spawn { .. } => true,
        Instr::Call { callee: Callee::Direct(callee), .. } => creates[callee.index()],
        Instr::Call { callee: Callee::Indirect(_), .. } => creates.contains(&true),
        _ => false,
    }
}

/// The places of a function from which such an instruction can be come to.
fn leading(code: &[Instr], creates: &[bool]) -> Vec<bool> {
    let mut leads: Vec<bool> = code.iter().map(|instr| creates_in(instr, creates)).collect();
    let successors: Vec<Successors> = (0..code.len()).map(|pc| successors(code, pc as Pc)).collect();
    lead_to(&mut leads, &successors, |_| true);
    leads
}
