//! Which programs have the same events in every execution, whatever their reads read.
//!
//! Each thread is walked once with what is known of its registers: a read gives something unknown, `x ^ x` is 0 all the same.
//! The walk goes on as long as nothing that matters is unknown: where the thread accesses memory, which way it takes
//! (both targets of an undecided branch must be the same place), what its values depend on. The values of a `Choose` (a
//! store-exclusive that may fail) are walked one after the other; each is a set of events of its own. A thread that waits (for a lock)
//! is taken to have got what it waits for.

use crate::program::{Entry, Instr, Operand, Pc, Program, Start, arith};

/// So many instructions are walked before the program is left to ordinary exploration.
const MAX_STEPS: usize = 20_000;
/// So many sets of events a program may have, one for each combination of choices.
const MAX_COMBINATIONS: usize = 256;

/// Whether the events of a program are certain but for its choices.
pub(super) fn is_straight(program: &Program) -> bool {
    let Start::Together(entries) = &program.start else { return false };
    let mut steps = 0;
    let mut combinations = 1usize;
    !program.objects.iter().any(|object| object.thread_local)
        && entries.iter().all(|entry| {
            combinations = combinations.saturating_mul(paths(program, entry, &mut steps).unwrap_or(usize::MAX));
            combinations <= MAX_COMBINATIONS
        })
}

/// What is known of a thread that stands before an instruction.
struct Standing {
    pc: Pc,
    known: Vec<Option<u64>>,
}

/// In how many ways a thread can run, by its choices. `None`: that depends on what it reads, or nobody knows.
fn paths(program: &Program, entry: &Entry, steps: &mut usize) -> Option<usize> {
    let function = program.functions.get(entry.function.index())?;
    let mut known = vec![Some(0); (function.regs as usize).max(entry.args.len())];
    known.iter_mut().zip(&entry.args).for_each(|(slot, &value)| *slot = Some(value));
    let mut open = vec![Standing { pc: 0, known }];
    let mut ends = 0;
    while let Some(Standing { mut pc, mut known }) = open.pop() {
        loop {
            *steps += 1;
            if *steps > MAX_STEPS || ends + open.len() > MAX_COMBINATIONS {
                return None;
            }
            let get = |operand: Operand| value(&known, operand);
            let mut next = pc + 1;
            let set = match function.code.get(pc as usize)? {
                Instr::Set { dst, src } | Instr::SetStatus { dst, src } => Some((*dst, get(*src))),
                Instr::Bin { dst, op, bits, a, b } => Some((*dst, binary(*op, *bits, *a, *b, &known)?)),
                Instr::Un { dst, op, bits, a } => Some((*dst, get(*a).map(|a| arith::unary(*op, *bits, a)))),
                // Which operand is taken decides what the result depends on.
                Instr::Select { dst, cond, a, b, on_cond } => match (get(*cond), a, b) {
                    (Some(cond), ..) => Some((*dst, get(if cond != 0 { *a } else { *b }))),
                    (None, Operand::Const(_), Operand::Const(_)) if *on_cond => Some((*dst, None)),
                    _ => return None,
                },
                Instr::Load(load) if load.unless.is_none() => {
                    get(load.addr)?;
                    Some((load.dst, None))
                }
                Instr::Store(store) => {
                    get(store.addr)?;
                    None
                }
                Instr::Fence { addr, .. } => {
                    if let Some(addr) = addr {
                        get(*addr)?;
                    }
                    None
                }
                Instr::Choose { dst, values } => {
                    let (last, others) = values.split_last()?;
                    for &other in others {
                        let mut known = known.clone();
                        *known.get_mut(*dst as usize)? = Some(other);
                        open.push(Standing { pc: next, known });
                    }
                    Some((*dst, Some(*last)))
                }
                Instr::Jump(to) => {
                    next = *to;
                    None
                }
                Instr::Branch { cond, then, otherwise, .. } => {
                    let (then, otherwise) = (landing(&function.code, *then)?, landing(&function.code, *otherwise)?);
                    next = match get(*cond) {
                        Some(0) => otherwise,
                        Some(_) => then,
                        None if then == otherwise => then,
                        None => return None,
                    };
                    None
                }
                // In a complete execution the condition holds: those in which it does not are left out when their values are known.
                Instr::StopUnless { cond, .. } if get(*cond) != Some(0) => None,
                Instr::Return { .. } => {
                    ends += 1;
                    break;
                }
                _ => return None,
            };
            if let Some((dst, value)) = set {
                *known.get_mut(dst as usize)? = value;
            }
            // Loops are left to ordinary exploration, which bounds them.
            if next <= pc {
                return None;
            }
            pc = next;
        }
    }
    Some(ends)
}

fn value(known: &[Option<u64>], operand: Operand) -> Option<u64> {
    match operand {
        Operand::Const(value) => Some(value),
        Operand::Reg(register) => known.get(register as usize).copied().flatten(),
    }
}

/// What is known of a result; `None` if the operation may have none.
fn binary(op: crate::program::BinOp, bits: u8, a: Operand, b: Operand, known: &[Option<u64>]) -> Option<Option<u64>> {
    use crate::program::BinOp::{And, Mul, SDiv, SRem, Sub, UDiv, URem, Xor};
    let (x, y) = (value(known, a), value(known, b));
    match (op, x, y) {
        (_, Some(x), Some(y)) => arith::binary(op, bits, x, y).map(Some),
        (UDiv | URem | SDiv | SRem, ..) => None,
        (Xor | Sub, ..) if a == b => Some(Some(0)),
        (And | Mul, Some(0), _) | (And | Mul, _, Some(0)) => Some(Some(0)),
        _ => Some(None),
    }
}

/// Where a jump to an instruction ends up, past unconditional jumps forward.
fn landing(code: &[Instr], mut pc: Pc) -> Option<Pc> {
    while let Instr::Jump(to) = code.get(pc as usize)? {
        if *to <= pc {
            return None;
        }
        pc = *to;
    }
    Some(pc)
}
