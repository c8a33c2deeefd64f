//! Reads of variables that nothing was written to, of those that are kept in registers or in memory that is private to the frame.
//!
//! Data flow tells, byte by byte, what is written on every way to a read. Only the variables of other reads are watched while the program runs: each of their
//! scalars has a flag, an array has a second one of flags, and the read is an error where no flag is set. So most functions need none.
//!
//! Only what the program itself declares is looked at: a compiler's own variables (the result of a function that forgets to return one) may be read as they
//! are. Block copies carry the flags along, as they do in memory; what is copied from memory counts as written.
//!
//! Limits: variables of more than [`MAX_SIZE`] bytes; and a variable of a loop's body is new in the first round only.

use super::promote::{Inside, Promotion};
use crate::llvm::ir::{Function, Instruction, Local, Module, Op, Value};
use crate::llvm::library::{PointerUse, pointer_use};
use crate::llvm::lower::operands;
use rustc_hash::{FxHashMap, FxHashSet};

/// Largest variable that is looked at.
const MAX_SIZE: u64 = 1 << 10;
/// Most scalars of a value in registers.
const MAX_LEAVES: usize = 64;

/// Which reads may come before every write.
#[derive(Debug, Default)]
pub struct Unset {
    /// By block and position.
    pub reads: FxHashSet<(usize, usize)>,
    /// The variables that are watched for them.
    pub watched: FxHashSet<Local>,
}

/// Bytes of a variable: from where, when that is constant, and how many.
#[derive(Clone, Copy)]
struct Part {
    inside: Inside,
    size: u64,
}

/// What an instruction does to variables.
enum Effect {
    Writes(Part),
    Reads(Part),
    /// To, and from.
    Copies(Part, Part),
}

/// The bytes that are certainly written, one bit each.
type Bits = Vec<u64>;

struct Flow<'m> {
    module: &'m Module,
    promotion: &'m Promotion,
    used: FxHashSet<Local>,
    /// Names of locals.
    locals: &'m [String],
    /// Where the bits of a variable begin, and how many there are.
    places: FxHashMap<Local, (usize, u64)>,
    bits: usize,
}

/// Looks for such reads in a function.
pub fn find<'m>(function: &'m Function, module: &'m Module, promotion: &'m Promotion) -> Unset {
    let mut flow = Flow {
        module,
        promotion,
        used: FxHashSet::default(),
        locals: &function.locals,
        places: FxHashMap::default(),
        bits: 0,
    };
    for instruction in function.blocks.iter().flat_map(|block| &block.instructions) {
        flow.note(instruction);
    }
    let mut unset = Unset::default();
    if flow.bits == 0 {
        return unset;
    }
    let effects: Vec<Vec<(usize, Effect)>> =
        function.blocks.iter().map(|block| flow.effects(&block.instructions)).collect();
    let before = flow.solve(function, &effects);
    for (block, (effects, mut written)) in effects.iter().zip(before).enumerate() {
        for (at, effect) in effects {
            if let Effect::Reads(part) = effect
                && !flow.is_written(&written, *part)
            {
                unset.reads.insert((block, *at));
                unset.watched.insert(part.inside.variable);
            }
            flow.apply(effect, &mut written);
        }
    }
    // What is copied into a watched variable is watched, too.
    loop {
        let known = unset.watched.len();
        for effect in effects.iter().flatten() {
            if let (_, Effect::Copies(to, from)) = effect
                && unset.watched.contains(&to.inside.variable)
            {
                unset.watched.insert(from.inside.variable);
            }
        }
        if unset.watched.len() == known {
            return unset;
        }
    }
}

impl Flow<'_> {
    /// Notes the variables that are declared, and the values that are used.
    fn note(&mut self, instruction: &Instruction) {
        if !matches!(instruction.op, Op::Declare { .. }) {
            operands(&instruction.op, &mut |value| {
                if let Value::Local(local) = value {
                    self.used.insert(*local);
                }
            });
        }
        if let Op::Declare { address: address @ Value::Local(local), .. } = &instruction.op
            && let Some((_, ty, _)) = self.promotion.private(address)
            && !self.places.contains_key(local)
        {
            let size = self.module.types.size(ty);
            if size <= MAX_SIZE {
                self.places.insert(*local, (self.bits, size));
                self.bits += size as usize;
            }
        }
    }

    fn inside(&self, address: &Value) -> Option<Inside> {
        self.promotion.private(address).map(|(inside, ..)| inside).filter(|i| self.places.contains_key(&i.variable))
    }

    fn effects(&self, instructions: &[Instruction]) -> Vec<(usize, Effect)> {
        let mut out = Vec::new();
        for (at, instruction) in instructions.iter().enumerate() {
            self.effects_of(instruction, &mut |effect| out.push((at, effect)));
        }
        out
    }

    fn effects_of(&self, instruction: &Instruction, put: &mut dyn FnMut(Effect)) {
        let types = &self.module.types;
        let at = |inside: Inside, by: u64, size: u64| Part {
            inside: Inside { offset: inside.offset.map(|o| o.wrapping_add(by)), ..inside },
            size,
        };
        match &instruction.op {
            Op::Store { ty, ptr, .. } => {
                let (Some(inside), Some(leaves)) = (self.inside(ptr), types.leaves(*ty, MAX_LEAVES)) else { return };
                leaves.iter().for_each(|leaf| put(Effect::Writes(at(inside, leaf.offset, leaf.size))));
            }
            Op::Load { ty, ptr, .. } => {
                let (Some(inside), Some(leaves)) = (self.inside(ptr), types.leaves(*ty, MAX_LEAVES)) else { return };
                // Structures are copied with what nobody set; the unit around a bit-field is read before the first of its fields is written; an address
                // of a variable is carried by another one without a read.
                if let ([leaf], Some(result)) = (&leaves[..], instruction.result)
                    && self.used.contains(&result)
                    && !self.locals[result as usize].starts_with("bf.")
                    && self.promotion.private(&Value::Local(result)).is_none()
                {
                    put(Effect::Reads(at(inside, leaf.offset, leaf.size)));
                }
            }
            Op::Call { callee, args, .. } => {
                let Some(name) = self.module.library_callee(callee) else { return };
                for (i, arg) in args.iter().enumerate() {
                    let Some(inside) = self.inside(&arg.value) else { continue };
                    let whole =
                        || Part { inside: Inside { offset: Some(0), ..inside }, size: self.places[&inside.variable].1 };
                    match pointer_use(self.module, name, i) {
                        PointerUse::Writes(size) => put(Effect::Writes(at(inside, 0, size))),
                        PointerUse::Varargs => put(Effect::Writes(whole())),
                        PointerUse::Block if i == 0 => {
                            let size = match args.get(2).map(|len| &len.value) {
                                Some(Value::Int(len)) => *len,
                                _ => 0,
                            };
                            let from = args.get(1).and_then(|from| self.inside(&from.value));
                            put(match from {
                                Some(from) if !name.contains("memset") => {
                                    Effect::Copies(at(inside, 0, size), at(from, 0, size))
                                }
                                _ => Effect::Writes(at(inside, 0, size)),
                            });
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    /// What is written on every way to each block.
    fn solve(&self, function: &Function, effects: &[Vec<(usize, Effect)>]) -> Vec<Bits> {
        let index: FxHashMap<Local, usize> = function.blocks.iter().enumerate().map(|(i, b)| (b.label, i)).collect();
        let words = self.bits.div_ceil(64);
        let mut before: Vec<Bits> = vec![vec![u64::MAX; words]; function.blocks.len()];
        if let Some(entry) = before.first_mut() {
            entry.fill(0);
        }
        let mut open: Vec<usize> = (0..function.blocks.len()).rev().collect();
        while let Some(block) = open.pop() {
            let mut written = before[block].clone();
            effects[block].iter().for_each(|(_, effect)| self.apply(effect, &mut written));
            let Some(last) = function.blocks[block].instructions.last() else { continue };
            for next in successors(&last.op).into_iter().filter_map(|label| index.get(&label).copied()) {
                let mut changed = false;
                for (all, word) in before[next].iter_mut().zip(&written) {
                    changed |= *all & !word != 0;
                    *all &= word;
                }
                if changed && !open.contains(&next) {
                    open.push(next);
                }
            }
        }
        before
    }

    /// The bits of a part whose place is known.
    fn range(&self, part: Part) -> std::ops::Range<usize> {
        match (self.places.get(&part.inside.variable), part.inside.offset) {
            (Some(&(start, size)), Some(offset)) => {
                let [from, to] = [offset, offset.saturating_add(part.size)].map(|at| start + at.min(size) as usize);
                from..to
            }
            _ => 0..0,
        }
    }

    fn is_written(&self, written: &Bits, part: Part) -> bool {
        let whole = Part { inside: Inside { offset: Some(0), ..part.inside }, size: MAX_SIZE };
        let mut bits = self.range(if part.inside.offset.is_some() { part } else { whole });
        bits.all(|bit| get(written, bit))
    }

    fn apply(&self, effect: &Effect, written: &mut Bits) {
        match effect {
            Effect::Writes(part) => self.range(*part).for_each(|bit| set(written, bit, true)),
            Effect::Reads(_) => {}
            Effect::Copies(to, from) => {
                let known: Vec<bool> = self.range(*from).map(|bit| get(written, bit)).collect();
                self.range(*to).zip(known).for_each(|(bit, known)| set(written, bit, known));
            }
        }
    }
}

fn get(bits: &Bits, bit: usize) -> bool {
    bits[bit / 64] >> (bit % 64) & 1 == 1
}

fn set(bits: &mut Bits, bit: usize, to: bool) {
    let mask = 1 << (bit % 64);
    bits[bit / 64] = if to { bits[bit / 64] | mask } else { bits[bit / 64] & !mask };
}

fn successors(op: &Op) -> Vec<Local> {
    match op {
        Op::Branch { to } => vec![*to],
        Op::CondBranch { then, otherwise, .. } => vec![*then, *otherwise],
        Op::Switch { default, cases, .. } => cases.iter().map(|(_, to)| *to).chain([*default]).collect(),
        _ => Vec::new(),
    }
}
