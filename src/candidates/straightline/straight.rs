//! Which programs have the same events in every execution, once the values of some reads are fixed.
//!
//! Each thread is walked with what is known of its registers: a read gives something unknown, `x ^ x` is 0 all the same.
//! Where something unknown would matter (where the thread accesses memory, which way it takes, what its values depend on), the reads
//! that it comes from are *guessed*: the walk begins anew, and goes on from each of them with every value that may be read there, one after the
//! other. These are the initial values and those that the walks see written, until no more turn up; other walks, that only look for values, go both
//! ways at every branch, because an execution may go a way for a value that is written only because it does. The values of a `Choose` (a
//! store-exclusive that may fail) are walked one after the other, too. Each combination is a set of events of its own.
//! A thread that waits (for a lock) is taken to have got what it waits for.
//!
//! A value may be missed only where the walk is wrong about a program; so what is found here is not relied on: the search
//! compares the values with those that are written (`assign`).

use crate::graph::memory::Memory;
use crate::ids::ThreadId;
use crate::program::rounds::is_stop;
use crate::program::{BinOp, Entry, Half, Instr, Join, Load, Operand, Pc, Program, Start, Store, arith};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// So many instructions are walked before the program is left to ordinary exploration.
const MAX_STEPS: usize = 20_000;
/// So many sets of events a program may have by its choices.
const MAX_COMBINATIONS: usize = 256;
/// So many a program may have by what some reads read.
pub(super) const MAX_GUESSES: usize = 64;

/// A read that decides which events there are, with the values that it may read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Guessed {
    pub thread: ThreadId,
    pub pc: Pc,
    pub values: Vec<u64>,
}

/// The reads that have to be guessed so that the events of a program are certain but for its choices. `None`: it is left to
/// ordinary exploration.
pub(super) fn guessed(program: &Program) -> Option<Vec<Guessed>> {
    let Start::Together(entries) = &program.start else { return None };
    if program.objects.iter().any(|object| object.thread_local) {
        return None;
    }
    let mut walk = Walk::new(program);
    loop {
        walk.again = false;
        for follows in [true, false] {
            walk.follows = follows;
            let mut combinations = 1usize;
            for (t, entry) in entries.iter().enumerate() {
                combinations = combinations.saturating_mul(walk.paths(ThreadId::at(t), entry)?);
                if follows && combinations > MAX_COMBINATIONS {
                    return None;
                }
            }
            // Without guesses no branch depends on what is read.
            if walk.guessed.is_empty() {
                break;
            }
        }
        if !walk.again {
            break;
        }
    }
    let product = walk.guessed.values().fold(1usize, |all, values| all.saturating_mul(values.len()));
    let guessed = walk.guessed.into_iter();
    let guessed = guessed.map(|((thread, pc), values)| Guessed { thread, pc, values: values.into_iter().collect() });
    (product <= MAX_GUESSES).then(|| guessed.collect())
}

/// Reads that something depends on, as a set of numbers into [`Walk::reads`].
type Reads = u64;

/// Stands for what cannot be guessed.
const NOT_TO_BE_GUESSED: u32 = 63;

/// What is known of a register: its value, or else what it comes from.
type Known = Result<u64, Reads>;

/// What is known of a thread that stands before an instruction.
struct Standing {
    pc: Pc,
    known: Vec<Known>,
}

/// How a thread goes on after an instruction.
enum Next {
    /// To this place.
    Go(Pc),
    /// In no further way.
    End,
    /// Not at all: it stops there in every execution.
    Stop,
    /// The walk has to begin anew.
    Again,
}

/// What the walks have seen.
struct Walk<'p> {
    program: &'p Program,
    memory: Option<Memory>,
    steps: usize,
    /// Places of reads of which something depends, by their number.
    reads: Vec<(ThreadId, Pc)>,
    guessed: BTreeMap<(ThreadId, Pc), BTreeSet<u64>>,
    /// What is written, by address and size: values, and what unknown ones come from.
    written: FxHashMap<(u64, u8), (BTreeSet<u64>, Reads)>,
    /// Whether something turned up that earlier walks did not know.
    again: bool,
    /// Whether the thread goes where the values lead it at a branch, and not both ways.
    follows: bool,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program) -> Self {
        Walk {
            program,
            memory: None,
            steps: 0,
            reads: Vec::new(),
            guessed: BTreeMap::new(),
            written: FxHashMap::default(),
            again: false,
            follows: true,
        }
    }

    /// In how many ways a thread can run, by its choices and by what is guessed. `None`: nobody knows.
    fn paths(&mut self, t: ThreadId, entry: &Entry) -> Option<usize> {
        let function = self.program.functions.get(entry.function.index())?;
        let mut known = vec![Ok(0); (function.regs as usize).max(entry.args.len())];
        known.iter_mut().zip(&entry.args).for_each(|(slot, &value)| *slot = Ok(value));
        let mut open = vec![Standing { pc: 0, known }];
        let mut ends = 0;
        while let Some(mut at) = open.pop() {
            loop {
                self.steps += 1;
                if self.steps > MAX_STEPS || ends + open.len() > MAX_COMBINATIONS {
                    return None;
                }
                match self.step(t, function.code.as_slice(), &mut at, &mut open)? {
                    // Loops are left to ordinary exploration, which bounds them.
                    Next::Go(next) if next <= at.pc => return None,
                    Next::Go(next) => at.pc = next,
                    Next::End => {
                        ends += 1;
                        break;
                    }
                    Next::Stop => break,
                    Next::Again => {
                        self.again = true;
                        return Some(1);
                    }
                }
            }
        }
        Some(ends)
    }

    /// One instruction. Other ways to go on from it are left `open`.
    fn step(&mut self, t: ThreadId, code: &[Instr], at: &mut Standing, open: &mut Vec<Standing>) -> Option<Next> {
        let get = |operand: Operand| value(&at.known, operand);
        let mut next = at.pc + 1;
        let set = match code.get(at.pc as usize)? {
            Instr::Set { dst, src } | Instr::SetStatus { dst, src } => (*dst, get(*src)),
            Instr::Bin { dst, op, bits, a, b } => (*dst, binary(*op, *bits, *a, *b, &at.known)?),
            Instr::Un { dst, op, bits, a } => (*dst, get(*a).map(|a| arith::unary(*op, *bits, a))),
            // Which operand is taken decides what the result depends on.
            Instr::Select { dst, cond, a, b, on_cond } => match (get(*cond), a, b) {
                (Ok(_), ..) if !self.follows && !on_cond => {
                    let mut known = at.known.clone();
                    *known.get_mut(*dst as usize)? = get(*b);
                    open.push(Standing { pc: next, known });
                    (*dst, get(*a))
                }
                (Ok(cond), ..) => (*dst, get(if cond != 0 { *a } else { *b })),
                (Err(reads), Operand::Const(_), Operand::Const(_)) if *on_cond => (*dst, Err(reads)),
                (Err(reads), ..) => return self.guess(reads),
            },
            Instr::Load(load) if load.unless.is_none() => match get(load.addr) {
                Ok(address) => match self.load(t, at.pc, load, address) {
                    Ok(None) => (load.dst, Err(self.number(t, at.pc, load))),
                    Ok(Some(values)) => return at.fork(load.dst, &values, open),
                    Err(reads) => return self.guess(reads),
                },
                Err(reads) => return self.guess(reads),
            },
            Instr::Store(store) => match get(store.addr) {
                Ok(address) => {
                    self.store(store, address, get(store.value));
                    return Some(Next::Go(next));
                }
                Err(reads) => return self.guess(reads),
            },
            Instr::Fence { addr, .. } => match addr.map_or(Ok(0), get) {
                Ok(_) => return Some(Next::Go(next)),
                Err(reads) => return self.guess(reads),
            },
            Instr::Choose { dst, values } => return at.fork(*dst, values, open),
            Instr::Jump(to) => return Some(Next::Go(*to)),
            Instr::Branch { cond, then, otherwise, join } => {
                let (then, otherwise) = (landing(code, *then)?, landing(code, *otherwise)?);
                next = match get(*cond) {
                    Ok(_) if !self.follows => {
                        open.push(Standing { pc: otherwise, known: at.known.clone() });
                        then
                    }
                    Ok(0) => otherwise,
                    Ok(_) => then,
                    Err(_) if then == otherwise => then,
                    // Nothing would say what the events behind it depend on.
                    Err(_) if *join == Join::NoDependency => return None,
                    Err(reads) => return self.guess(reads),
                };
                return Some(Next::Go(next));
            }
            stop if is_stop(stop) => return Some(Next::Stop),
            // In a complete execution the condition holds: those in which it does not are left out when their values are known.
            Instr::StopUnless { cond, .. } if !self.follows || get(*cond) != Ok(0) => return Some(Next::Go(next)),
            Instr::Return { .. } => return Some(Next::End),
            _ => return None,
        };
        *at.known.get_mut(set.0 as usize)? = set.1;
        Some(Next::Go(next))
    }

    /// The number of a read, as a set.
    fn number(&mut self, t: ThreadId, pc: Pc, load: &Load) -> Reads {
        let at = self.reads.iter().position(|read| *read == (t, pc)).unwrap_or_else(|| {
            self.reads.push((t, pc));
            self.reads.len() - 1
        });
        let guessable = load.half == Half::None && !load.hidden;
        1 << if guessable { at.min(NOT_TO_BE_GUESSED as usize) as u32 } else { NOT_TO_BE_GUESSED }
    }

    /// Has reads guessed from now on.
    fn guess(&mut self, reads: Reads) -> Option<Next> {
        if reads >> NOT_TO_BE_GUESSED != 0 {
            return None;
        }
        for (_, &place) in self.reads.iter().enumerate().filter(|(i, _)| reads >> i & 1 == 1) {
            self.guessed.entry(place).or_default();
        }
        Some(Next::Again)
    }

    /// The values of a read that is guessed; nothing when it is not. An error: other reads have to be guessed first.
    fn load(&mut self, t: ThreadId, pc: Pc, load: &Load, address: u64) -> Result<Option<Vec<u64>>, Reads> {
        let Some(values) = self.guessed.get_mut(&(t, pc)) else { return Ok(None) };
        let memory = self.memory.get_or_insert_with(|| Memory::of(self.program));
        let mut here = BTreeSet::from([memory.read(address, load.size).value]);
        match self.written.get(&(address, load.size)) {
            Some((_, reads)) if *reads != 0 => return Err(*reads),
            Some((written, _)) => here.extend(written),
            None => {}
        }
        let known = values.len();
        values.extend(&here);
        self.again |= values.len() > known;
        // More are refused in the end.
        Ok(Some(here.into_iter().take(MAX_GUESSES + 1).collect()))
    }

    fn store(&mut self, store: &Store, address: u64, value: Known) {
        let (values, reads) = self.written.entry((address, store.size)).or_default();
        let new = match value {
            Ok(value) => values.insert(arith::truncate(value, store.size * 8)),
            Err(from) => std::mem::replace(reads, *reads | from) != *reads,
        };
        self.again |= new && !self.guessed.is_empty();
    }
}

impl Standing {
    /// Goes on with the last of some values in a register; the others are left `open`.
    fn fork(&mut self, dst: u32, values: &[u64], open: &mut Vec<Standing>) -> Option<Next> {
        let (&last, others) = values.split_last()?;
        let next = self.pc + 1;
        for &other in others {
            let mut known = self.known.clone();
            *known.get_mut(dst as usize)? = Ok(other);
            open.push(Standing { pc: next, known });
        }
        *self.known.get_mut(dst as usize)? = Ok(last);
        Some(Next::Go(next))
    }
}

fn value(known: &[Known], operand: Operand) -> Known {
    match operand {
        Operand::Const(value) => Ok(value),
        Operand::Reg(register) => known.get(register as usize).copied().unwrap_or(Err(1 << NOT_TO_BE_GUESSED)),
    }
}

/// What is known of a result; `None` if the operation may have none.
fn binary(op: BinOp, bits: u8, a: Operand, b: Operand, known: &[Known]) -> Option<Known> {
    use BinOp::{And, Mul, SDiv, SRem, Sub, UDiv, URem, Xor};
    let (x, y) = (value(known, a), value(known, b));
    match (op, x, y) {
        (_, Ok(x), Ok(y)) => arith::binary(op, bits, x, y).map(Ok),
        (UDiv | URem | SDiv | SRem, ..) => None,
        (Xor | Sub, ..) if a == b => Some(Ok(0)),
        (And | Mul, Ok(0), _) | (And | Mul, _, Ok(0)) => Some(Ok(0)),
        _ => Some(Err(x.err().unwrap_or(0) | y.err().unwrap_or(0))),
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
