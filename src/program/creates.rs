//! Where code may lead to the creation of a thread: in its function, in what that calls, or in its callers.
//!
//! A thread that goes on alone when all others have ended need not be explored, as long as it stays alone.
//!
//! Limits: every branch may be taken; so a loop that creates threads and waits for them may always create more.

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
        let functions = 0..program.functions.len();
        let mut creates = vec![false; program.functions.len()];
        loop {
            let creates_some = |f| creating(program, FuncId::at(f), &creates).contains(&true);
            let more: Vec<bool> = functions.clone().map(creates_some).collect();
            if more == creates {
                break;
            }
            creates = more;
        }
        let leads = |f| if creates[f] { leading(program, FuncId::at(f), &creates) } else { Vec::new() };
        Creates { at: functions.map(leads).collect() }
    }

    /// Whether a thread may create another one from where it stands.
    pub fn may(&self, thread: &Thread) -> bool {
        let from = |func: FuncId, pc: Pc| self.at[func.index()].get(pc as usize).is_some_and(|&leads| leads);
        // A caller goes on behind its call.
        from(thread.frame().func, thread.next()) || thread.frames().skip(1).any(|frame| from(frame.func, frame.pc + 1))
    }
}

/// Which instructions of a function create a thread or call what does, as far as that is known.
fn creating(program: &Program, function: FuncId, creates: &[bool]) -> Vec<bool> {
    let is_one = |(pc, instr): (usize, &Instr)| match instr {
        Instr::Spawn { .. } => true,
        Instr::Call { callee: Callee::Direct(callee), .. } => creates[callee.index()],
        Instr::Call { callee: Callee::Indirect(_), .. } => {
            program.pointers().targets(function, pc as Pc).iter().any(|target| creates[target.index()])
        }
        _ => false,
    };
    program.functions[function.index()].code.iter().enumerate().map(is_one).collect()
}

/// The places of a function from which such an instruction can be come to.
fn leading(program: &Program, function: FuncId, creates: &[bool]) -> Vec<bool> {
    let code = &program.functions[function.index()].code;
    let mut leads = creating(program, function, creates);
    let successors: Vec<Successors> = (0..code.len()).map(|pc| successors(code, pc as Pc)).collect();
    lead_to(&mut leads, &successors, |_| true);
    leads
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::deps::DepId;
    use crate::program::{FunctionBuilder, Operand, ProgramBuilder};

    /// Whether `main`, which calls one of two functions through a pointer, may create a thread: the second one does.
    fn may_create(called: usize) -> bool {
        let mut program = ProgramBuilder::new("test", 0x1000);
        let [quiet, creator, main] = ["quiet", "creator", "main"].map(|name| program.declare(name));
        let address = |function| Operand::Const(ProgramBuilder::function_address(function));
        let mut f = FunctionBuilder::new("creator", 0);
        let dst = f.reg();
        f.push(Instr::Spawn { dst, function: address(quiet), arg: Operand::Const(0) });
        program.define(creator, f.finish());
        program.define(quiet, FunctionBuilder::new("quiet", 0).finish());
        let mut f = FunctionBuilder::new("main", 0);
        let pointer = f.reg();
        f.push(Instr::Set { dst: pointer, src: address([quiet, creator][called]) });
        f.push(Instr::Call { callee: Callee::Indirect(Operand::Reg(pointer)), args: [].into(), dst: None });
        program.define(main, f.finish());
        let program = program.program;
        program.creates().may(&Thread::start(&program, main, &[], DepId::NONE))
    }

    #[test]
    fn a_call_through_a_pointer_leads_where_the_pointer_may() {
        assert_eq!([0, 1].map(may_create), [false, true]);
    }
}
