//! What calls of functions do, whoever calls: whether they may end the thread, and which plain memory they may write.

use super::ends;
use super::ways::Ways;
use crate::ids::FuncId;
use crate::program::instr::{Callee, Instr, Operand};
use crate::program::meeting::Address;
use crate::program::{Function, Program};

/// So many places in memory are known of a function at most.
const MOST_WRITES: usize = 32;
/// So often calls are followed into further calls.
const ROUNDS: usize = 4;

/// See the module.
#[derive(Clone, Debug, Default)]
pub(super) struct Summary {
    /// The thread may end in it.
    pub may_end: bool,
    /// Plain memory that it may write, by its parameters.
    pub writes: Vec<Address>,
    /// How many scalars it returns.
    pub results: u32,
    /// What it returns, if that is always the same.
    pub constant: Option<u64>,
}

/// Of all functions.
pub(super) fn of_all(program: &Program) -> Vec<Summary> {
    let mut summaries: Vec<Summary> = program.functions.iter().map(own).collect();
    let callers = callers(program);
    let mut ending: Vec<usize> = (0..summaries.len()).filter(|&f| summaries[f].may_end).collect();
    while let Some(f) = ending.pop() {
        for &caller in &callers[f] {
            if !std::mem::replace(&mut summaries[caller].may_end, true) {
                ending.push(caller);
            }
        }
    }
    // A function is looked at again where one has changed that it calls.
    let mut due = vec![true; summaries.len()];
    for _ in 0..ROUNDS {
        let mut grown = false;
        for f in 0..program.functions.len() {
            if !std::mem::take(&mut due[f]) {
                continue;
            }
            let mut writes = Ways::new(program, FuncId::at(f), &summaries).writes();
            writes.truncate(MOST_WRITES);
            if writes != summaries[f].writes {
                grown |= writes.len() > summaries[f].writes.len();
                callers[f].iter().for_each(|&caller| due[caller] = true);
                summaries[f].writes = writes;
            }
        }
        if !grown {
            break;
        }
    }
    summaries
}

/// The functions that may call each.
fn callers(program: &Program) -> Vec<Vec<usize>> {
    let mut callers = vec![Vec::new(); program.functions.len()];
    for (f, function) in program.functions.iter().enumerate() {
        let code = function.code.iter().enumerate();
        for callee in code.flat_map(|(pc, instr)| callees(program, FuncId::at(f), pc, instr)) {
            if callers[callee.index()].last() != Some(&f) {
                callers[callee.index()].push(f);
            }
        }
    }
    callers
}

fn own(function: &Function) -> Summary {
    let results = function.code.iter().map(|instr| match instr {
        Instr::ReturnMany { values } => values.len() as u32,
        _ => 1,
    });
    let mut returned = function.code.iter().filter_map(|instr| match instr {
        Instr::Return { value } => Some(*value),
        Instr::ReturnMany { .. } => Some(None),
        _ => None,
    });
    // The builder closes every function with a return of nothing, which mostly nobody comes to.
    let constant = match returned.next() {
        Some(Some(Operand::Const(value))) => {
            returned.all(|other| matches!(other, None | Some(Operand::Const(_)) if other.is_none_or(|o| o == Operand::Const(value)))).then_some(value)
        }
        _ => None,
    };
    Summary {
        may_end: function.code.iter().any(ends),
        writes: Vec::new(),
        results: results.max().unwrap_or(1),
        constant,
    }
}

/// The functions that an instruction may call.
pub(super) fn callees(program: &Program, of: FuncId, pc: usize, instr: &Instr) -> Vec<FuncId> {
    match instr {
        Instr::Call { callee: Callee::Direct(func), .. } => vec![*func],
        Instr::Call { callee: Callee::Indirect(_), .. } => program.pointers().targets(of, pc as u32).to_vec(),
        _ => Vec::new(),
    }
}
