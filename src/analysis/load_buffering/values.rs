//! Values of a thread's registers that are the same whenever it comes by.

use crate::analysis::load_buffering::flat::{At, Flat};
use crate::ids::FuncId;
use crate::program::thread::function_at;
use crate::program::{Instr, Operand, Program, arith};
use rustc_hash::FxHashMap;

/// A value that is the same whenever a thread comes by: a constant, or something computed from its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Value {
    Const(u64),
    /// The number of an expression.
    Fixed(u32),
}

/// Registers that are set at one place in the code, to something that never changes while the thread runs.
///
/// Only for code in which a register is never read before it is set, as that of translated C is.
pub(super) struct Values<'f, 'p> {
    flat: &'f Flat<'p>,
    /// The places that set each register; entry of the function counts for parameters.
    set_at: Vec<Vec<At>>,
    known: FxHashMap<usize, Option<Value>>,
    numbers: FxHashMap<Term, u32>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Term {
    Argument(usize),
    Binary(u32, u8, Value, Value),
    Unary(u32, u8, Value),
}

impl<'f, 'p> Values<'f, 'p> {
    pub fn new(flat: &'f Flat<'p>) -> Self {
        let mut set_at = vec![Vec::new(); flat.registers()];
        for at in 0..flat.len() {
            crate::analysis::load_buffering::follow::sets(flat, at, &mut |reg| set_at[reg].push(at));
        }
        Values { flat, set_at, known: FxHashMap::default(), numbers: FxHashMap::default() }
    }

    /// The same while calls are still being written out: what they give back may be anything.
    pub fn so_far(flat: &'f Flat<'p>, program: &Program) -> Self {
        let mut values = Values::new(flat);
        let results = |instr: &Instr| match instr {
            Instr::ReturnMany { values } => values.len(),
            _ => 1,
        };
        let most = program.functions.iter().flat_map(|f| &f.code).map(results).max().unwrap_or(1);
        for at in (0..flat.len()).filter(|&at| !flat.is_written_out(at)) {
            if let Instr::Call { dst: Some(dst), .. } = flat.instr(at) {
                flat.results(at, *dst).take(most).for_each(|reg| values.set_at[reg].push(at));
            }
        }
        values
    }

    /// The value of an operand at a node, if it is known never to change.
    pub fn of(&mut self, at: At, operand: Operand) -> Option<Value> {
        match operand {
            Operand::Const(value) => Some(Value::Const(value)),
            Operand::Reg(reg) => self.register(self.flat.reg(at, reg)),
        }
    }

    fn register(&mut self, reg: usize) -> Option<Value> {
        if let Some(&known) = self.known.get(&reg) {
            return known;
        }
        // What depends on itself changes.
        self.known.insert(reg, None);
        let value = self.compute(reg);
        self.known.insert(reg, value);
        value
    }

    fn compute(&mut self, reg: usize) -> Option<Value> {
        let flat = self.flat;
        let call = flat.calls.iter().rev().find(|c| c.regs <= reg)?;
        let own = reg - call.regs;
        let places = self.set_at.get(reg)?.clone();
        match (&places[..], call.caller) {
            ([], None) if own < call.function.params as usize => match flat.parameter(own) {
                Some(value) => Some(Value::Const(value)),
                None => Some(self.number(Term::Argument(own))),
            },
            (&[at], _) => match flat.instr(at) {
                Instr::Call { args, .. } if flat.callees(at).any(|c| c.start == call.start) => {
                    self.of(at, *args.get(own)?)
                }
                Instr::Set { src, .. } => self.of(at, *src),
                Instr::Bin { op, bits, a, b, .. } => match (self.of(at, *a)?, self.of(at, *b)?) {
                    (Value::Const(a), Value::Const(b)) => arith::binary(*op, *bits, a, b).map(Value::Const),
                    (a, b) => Some(self.number(Term::Binary(*op as u32, *bits, a, b))),
                },
                Instr::Un { op, bits, a, .. } => match self.of(at, *a)? {
                    Value::Const(a) => Some(Value::Const(arith::unary(*op, *bits, a))),
                    a => Some(self.number(Term::Unary(*op as u32, *bits, a))),
                },
                Instr::Select { cond, a, b, .. } => match self.of(at, *cond)? {
                    Value::Const(value) => self.of(at, if value != 0 { *a } else { *b }),
                    Value::Fixed(_) => None,
                },
                _ => None,
            },
            _ => None,
        }
    }

    fn number(&mut self, term: Term) -> Value {
        let next = self.numbers.len() as u32;
        Value::Fixed(*self.numbers.entry(term).or_insert(next))
    }
}

/// The functions of which a thread may run one that is created here.
pub(super) fn created(program: &Program, values: &mut Values<'_, '_>, at: At, pointer: Operand) -> Vec<FuncId> {
    match values.of(at, pointer) {
        Some(Value::Const(value)) => function_at(program, value).into_iter().collect(),
        _ => values.flat.pointed_to(program, at).to_vec(),
    }
}
