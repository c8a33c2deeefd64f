//! Which addresses accesses may have, as far as low bits tell, and the objects that they were computed from: `cells[i].turn` and `cells[j].value` never meet, whatever
//! `i` and `j` are, and nothing that is read from memory points to a variable whose address was never written there.
//!
//! A forward analysis of all registers of a thread at once, which does not look at the order of the code. What is said of low bits holds of arithmetic as the
//! threads do it, that wraps around. A pointer is taken to stay within the object that it was made from: where it does not, the program is wrong in itself.
//!
//! Limits: what comes out of memory is not known at all.

use crate::analysis::load_buffering::flat::{At, Flat};
use crate::analysis::load_buffering::follow::{results_of, sets};
use crate::program::{BinOp, Instr, Load, Object, Operand, Program, Reg, Store, UnOp, arith};

/// A number of which the lowest bits are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LowBits {
    /// How many; 64 for a constant.
    known: u32,
    /// What they are; 0 above.
    bits: u64,
}

impl LowBits {
    pub const UNKNOWN: LowBits = LowBits { known: 0, bits: 0 };

    fn new(known: u32, bits: u64) -> LowBits {
        let known = known.min(64);
        LowBits { known, bits: arith::truncate(bits, known as u8) }
    }

    pub fn constant(value: u64) -> LowBits {
        LowBits::new(64, value)
    }

    /// Whether two numbers may be the same.
    pub fn may_equal(self, other: LowBits) -> bool {
        let common = self.known.min(other.known) as u8;
        arith::truncate(self.bits ^ other.bits, common) == 0
    }

    /// Either of two.
    fn or(self, other: LowBits) -> LowBits {
        let agree = (self.bits ^ other.bits).trailing_zeros();
        LowBits::new(self.known.min(other.known).min(agree), self.bits)
    }

    /// The number of low bits that are known to be 0.
    fn zeros(self) -> u32 {
        self.bits.trailing_zeros().min(self.known)
    }

    fn binary(op: BinOp, bits: u8, a: LowBits, b: LowBits) -> LowBits {
        if a.known == 64 && b.known == 64 {
            return arith::binary(op, bits, a.bits, b.bits).map_or(LowBits::UNKNOWN, LowBits::constant);
        }
        let both = a.known.min(b.known);
        let (known, value) = match op {
            BinOp::Add => (both, a.bits.wrapping_add(b.bits)),
            BinOp::Sub => (both, a.bits.wrapping_sub(b.bits)),
            BinOp::Or => (both, a.bits | b.bits),
            BinOp::Xor => (both, a.bits ^ b.bits),
            BinOp::And => (both.max(a.zeros()).max(b.zeros()), a.bits & b.bits),
            // What is not known of one factor is multiplied by what is known of the other.
            BinOp::Mul => ((a.known + b.zeros()).min(b.known + a.zeros()), a.bits.wrapping_mul(b.bits)),
            BinOp::Shl if b.known == 64 && b.bits < u64::from(bits) => (a.known + b.bits as u32, a.bits << b.bits),
            _ => (0, 0),
        };
        LowBits::new(known.min(bits.into()), value)
    }

    fn unary(op: UnOp, bits: u8, a: LowBits) -> LowBits {
        if a.known == 64 {
            return LowBits::constant(arith::unary(op, bits, a.bits));
        }
        let value = match op {
            UnOp::Not => !a.bits,
            UnOp::Neg => a.bits.wrapping_neg(),
            UnOp::Trunc | UnOp::Sext => a.bits,
            _ => return LowBits::UNKNOWN,
        };
        LowBits::new(a.known.min(bits.into()), value)
    }
}

/// Objects that an address may have been computed from, a bit each.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Targets(u128);

impl Targets {
    /// Memory that is no variable: of `main`'s frames, and from the heap.
    const ELSEWHERE: Targets = Targets(1 << 127);
    /// Whatever pointers in memory point to.
    const LOADED: Targets = Targets(1 << 126);
    /// Variables that have no bit of their own.
    const OTHERS: u32 = 125;
    const UNKNOWN: Targets = Targets(u128::MAX);

    /// What an address points to.
    pub fn of(program: &Program, value: u64) -> Targets {
        let is_within = |o: &Object| value >= o.address && value - o.address <= o.bytes.len() as u64;
        // One behind an object may be the next one.
        let objects = program.objects.iter().enumerate().filter(|(_, object)| is_within(object));
        let variables = objects.fold(0, |all, (number, _)| all | 1 << (number as u32).min(Self::OTHERS));
        Targets(if variables == 0 && value >= LEAST_ADDRESS { Self::ELSEWHERE.0 } else { variables })
    }

    pub fn and(self, other: Targets) -> Targets {
        Targets(self.0 | other.0)
    }

    pub fn may_meet(self, other: Targets) -> bool {
        self.0 & other.0 != 0
    }

    /// The same, when pointers in memory point to these.
    pub fn loading(self, escaped: Targets) -> Targets {
        match self.0 & Self::LOADED.0 {
            0 => self,
            _ => Targets(self.0 & !Self::LOADED.0).and(escaped),
        }
    }

    /// What pointers in memory may point to: those that are there from the start, and those that threads write.
    pub fn escaping(program: &Program, written: Targets) -> Targets {
        let words = program.objects.iter().flat_map(|object| {
            let at_each = (0..object.bytes.len()).step_by(4).filter_map(|at| object.bytes.get(at..at + 8));
            at_each.map(|bytes| program.number(bytes))
        });
        let there = words.filter(|&word| word >= LEAST_ADDRESS).map(|word| Targets::of(program, word));
        let all = there.fold(written, Targets::and);
        Targets(all.0 & !Self::LOADED.0).and(Self::ELSEWHERE).and(Targets(1 << Self::OTHERS))
    }
}

/// Smaller numbers are no addresses.
const LEAST_ADDRESS: u64 = 1 << 12;

/// What is known of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub low: LowBits,
    pub targets: Targets,
}

impl Known {
    pub const UNKNOWN: Known = Known { low: LowBits::UNKNOWN, targets: Targets::UNKNOWN };

    /// Either of two.
    pub fn or(self, other: Known) -> Known {
        Known { low: self.low.or(other.low), targets: self.targets.and(other.targets) }
    }
}

/// What is known of the registers of a thread. Only for code in which a register is never read before it is set ([`crate::analysis::load_buffering::values::Values`]).
pub(super) struct Registers<'f, 'p> {
    flat: &'f Flat<'p>,
    program: &'p Program,
    /// `None`: never set.
    known: Vec<Option<Known>>,
}

impl<'f, 'p> Registers<'f, 'p> {
    /// What is known of the thread's argument is used where that is not a number.
    pub fn new(program: &'p Program, flat: &'f Flat<'p>, argument: Known) -> Self {
        let mut registers = Registers { flat, program, known: vec![None; flat.registers()] };
        if let Some(call) = flat.calls.first() {
            for i in 0..call.function.params as usize {
                let given = flat.parameter(i).map(|value| registers.constant(value));
                let otherwise = if i == 0 { argument } else { Known::UNKNOWN };
                registers.known[call.regs + i] = Some(given.unwrap_or(otherwise));
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            (0..flat.len()).for_each(|at| changed |= registers.pass(at));
        }
        registers
    }

    /// What is known of an operand at a node.
    pub fn of(&self, at: At, operand: Operand) -> Known {
        self.get(at, operand).unwrap_or(Known::UNKNOWN)
    }

    /// What the thread writes to memory, gives to threads that it creates, or ends with.
    pub fn escaping(&self) -> Targets {
        (0..self.flat.len()).fold(Targets::default(), |all, at| {
            let value = match self.flat.instr(at) {
                Instr::Store(Store { value, .. })
                | Instr::LocalStore { value, .. }
                | Instr::WriteWord { value, .. }
                | Instr::ExitThread { value } => *value,
                Instr::Spawn { arg, .. } => *arg,
                Instr::Return { value: Some(value) } => *value,
                _ => return all,
            };
            all.and(self.get(at, value).map_or(Targets::default(), |known| known.targets))
        })
    }

    fn constant(&self, value: u64) -> Known {
        Known { low: LowBits::constant(value), targets: Targets::of(self.program, value) }
    }

    fn get(&self, at: At, operand: Operand) -> Option<Known> {
        match operand {
            Operand::Const(value) => Some(self.constant(value)),
            Operand::Reg(reg) => self.known.get(self.flat.reg(at, reg)).copied().flatten(),
        }
    }

    fn add(&mut self, reg: usize, more: Option<Known>) -> bool {
        let (Some(known), Some(more)) = (self.known.get_mut(reg), more) else { return false };
        let now = known.map_or(more, |known| known.or(more));
        known.replace(now) != Some(now)
    }

    /// Adds what an instruction sets; whether that is anything new.
    fn pass(&mut self, at: At) -> bool {
        let flat = self.flat;
        let on = |registers: &Self, operand: Operand| registers.get(at, operand);
        let set = |registers: &mut Self, reg: Reg, value| registers.add(flat.reg(at, reg), value);
        match flat.instr(at) {
            Instr::Set { dst, src } | Instr::SetStatus { dst, src } => {
                let value = on(self, *src);
                set(self, *dst, value)
            }
            Instr::Bin { dst, op, bits, a, b } => {
                let value = on(self, *a).zip(on(self, *b)).map(|(a, b)| Known {
                    low: LowBits::binary(*op, *bits, a.low, b.low),
                    targets: a.targets.and(b.targets).and(assembled(*op, *bits, a.low, b.low)),
                });
                set(self, *dst, value)
            }
            Instr::Un { dst, op, bits, a } => {
                let value = on(self, *a).map(|a| Known { low: LowBits::unary(*op, *bits, a.low), ..a });
                set(self, *dst, value)
            }
            Instr::Select { dst, a, b, .. } => {
                let [a, b] = [on(self, *a), on(self, *b)];
                set(self, *dst, a) | set(self, *dst, b)
            }
            Instr::Call { args, .. } => {
                flat.callees(at).fold(false, |changed, callee| {
                    // What is not given is 0.
                    let missing = (args.len()..callee.function.params as usize).map(|_| Operand::Const(0));
                    let given = args.iter().copied().chain(missing).enumerate();
                    given.fold(changed, |changed, (i, arg)| {
                        let value = on(self, arg);
                        self.add(callee.regs + i, value) || changed
                    })
                })
            }
            Instr::Return { value: Some(value) } => self.leave(at, &[*value]),
            Instr::ReturnMany { values } => self.leave(at, values),
            instr => {
                let targets = match instr {
                    // A small part of a pointer is none: see `assembled`.
                    Instr::Load(Load { size, .. }) | Instr::LocalLoad { size, .. } if *size <= HALF => {
                        Targets::default()
                    }
                    Instr::Load(_) | Instr::LocalLoad { .. } | Instr::JoinThread { .. } => Targets::LOADED,
                    Instr::Alloc { .. } => Targets::ELSEWHERE,
                    Instr::Choose { values, .. } => {
                        values.iter().fold(Targets::default(), |all, &v| all.and(Targets::of(self.program, v)))
                    }
                    // What is put there may be the address of anything.
                    Instr::ReadWord { .. } => Targets::UNKNOWN,
                    Instr::ThreadSelf { .. }
                    | Instr::Repeats { .. }
                    | Instr::ChooseBit { .. }
                    | Instr::Spawn { .. } => Targets::default(),
                    _ => Targets::UNKNOWN,
                };
                let mut changed = false;
                sets(flat, at, &mut |reg| changed |= self.add(reg, Some(Known { low: LowBits::UNKNOWN, targets })));
                changed
            }
        }
    }

    fn leave(&mut self, at: At, values: &[Operand]) -> bool {
        let results = results_of(self.flat, self.flat.call(at));
        results.zip(values).fold(false, |changed, (dst, &value)| {
            let value = self.get(at, value);
            self.add(dst, value) || changed
        })
    }
}

/// Bytes of half a pointer.
const HALF: u8 = 4;

/// What a pointer may lead to that is put together from parts: the part that is read last is longer than half of it, or shifted into its upper half.
fn assembled(op: BinOp, bits: u8, a: LowBits, b: LowBits) -> Targets {
    const UPPER: u64 = 8 * HALF as u64;
    let is_upper = match op {
        BinOp::Shl => a.known < 64 && (b.known < 64 || b.bits >= UPPER),
        BinOp::Mul => u64::from(a.zeros() + b.zeros()) >= UPPER,
        _ => false,
    };
    if is_upper && u64::from(bits) > UPPER { Targets::LOADED } else { Targets::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn abstraction() -> impl Strategy<Value = (LowBits, u64)> {
        let known = prop_oneof![0..=8u32, Just(64)];
        (known, any::<u64>(), 0..16u64, any::<bool>()).prop_map(|(known, wide, small, is_small)| {
            let value = if is_small { small } else { wide };
            (LowBits::new(known, value), value)
        })
    }

    /// Whether what is known of a number holds of it.
    fn holds(known: LowBits, value: u64) -> bool {
        known.may_equal(LowBits::constant(value))
    }

    proptest! {
        #[test]
        fn what_is_known_of_a_result_holds(
            (a, x) in abstraction(),
            (b, y) in abstraction(),
            op in prop::sample::select(vec![
                BinOp::Add, BinOp::Sub, BinOp::Mul, BinOp::And, BinOp::Or, BinOp::Xor, BinOp::Shl, BinOp::LShr, BinOp::URem, BinOp::AndNot,
            ]),
            bits in prop::sample::select(vec![8, 16, 32, 64u8]),
        ) {
            if let Some(value) = arith::binary(op, bits, x, y) {
                prop_assert!(holds(LowBits::binary(op, bits, a, b), value));
            }
            for op in [UnOp::Not, UnOp::Neg, UnOp::Trunc, UnOp::Sext, UnOp::Clz, UnOp::ByteSwap] {
                prop_assert!(holds(LowBits::unary(op, bits, a), arith::unary(op, bits, x)));
            }
            prop_assert!(holds(a.or(b), x) && holds(a.or(b), y));
        }
    }

    #[test]
    fn fields_of_elements_of_an_array_do_not_meet() {
        let index = LowBits::UNKNOWN;
        let element = LowBits::binary(BinOp::Mul, 64, index, LowBits::constant(8));
        let field = |offset: u64| LowBits::binary(BinOp::Add, 64, element, LowBits::constant(0x1000 + offset));
        assert!(!field(0).may_equal(field(4)));
        assert!(field(0).may_equal(field(8)));
    }
}
