//! Which addresses accesses may have, as far as low bits tell: `cells[i].turn` and `cells[j].value` never meet, whatever `i` and `j` are.
//!
//! A forward analysis of all registers of a thread at once, which does not look at the order of the code. What is said holds of arithmetic as the
//! threads do it, that wraps around; it takes no pointer to stay within its object.
//!
//! Limits: what comes out of memory, or into the thread as its argument, is not known at all.

use super::flat::{At, Flat};
use super::follow::{result_of, sets};
use crate::program::{BinOp, Instr, Operand, Reg, UnOp, arith};

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

/// What is known of the registers of a thread. Only for code in which a register is never read before it is set ([`super::flat::Values`]).
pub(super) struct Registers<'f, 'p> {
    flat: &'f Flat<'p>,
    /// `None`: never set.
    known: Vec<Option<LowBits>>,
}

impl<'f, 'p> Registers<'f, 'p> {
    pub fn new(flat: &'f Flat<'p>) -> Self {
        let count = flat.calls.last().map_or(0, |c| c.regs + c.count);
        let mut registers = Registers { flat, known: vec![None; count] };
        if let Some(call) = flat.calls.first() {
            (0..call.function.params as usize).for_each(|i| registers.known[call.regs + i] = Some(LowBits::UNKNOWN));
        }
        let mut changed = true;
        while changed {
            changed = false;
            (0..flat.len()).for_each(|at| changed |= registers.pass(at));
        }
        registers
    }

    /// What is known of an operand at a node.
    pub fn of(&self, at: At, operand: Operand) -> LowBits {
        self.get(at, operand).unwrap_or(LowBits::UNKNOWN)
    }

    fn get(&self, at: At, operand: Operand) -> Option<LowBits> {
        match operand {
            Operand::Const(value) => Some(LowBits::constant(value)),
            Operand::Reg(reg) => self.known.get(self.flat.reg(at, reg)).copied().flatten(),
        }
    }

    fn add(&mut self, reg: usize, more: Option<LowBits>) -> bool {
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
                let value = on(self, *a).zip(on(self, *b)).map(|(a, b)| LowBits::binary(*op, *bits, a, b));
                set(self, *dst, value)
            }
            Instr::Un { dst, op, bits, a } => {
                let value = on(self, *a).map(|a| LowBits::unary(*op, *bits, a));
                set(self, *dst, value)
            }
            Instr::Select { dst, a, b, .. } => {
                let [a, b] = [on(self, *a), on(self, *b)];
                set(self, *dst, a) | set(self, *dst, b)
            }
            Instr::Call { args, .. } => {
                let Some(callee) = flat.callee(at) else { return false };
                args.iter().enumerate().fold(false, |changed, (i, &arg)| {
                    let value = on(self, arg);
                    self.add(callee.regs + i, value) || changed
                })
            }
            Instr::Return { value: Some(value) } => self.leave(at, &[*value]),
            Instr::ReturnMany { values } => self.leave(at, values),
            _ => {
                let mut changed = false;
                sets(flat, at, &mut |reg| changed |= self.add(reg, Some(LowBits::UNKNOWN)));
                changed
            }
        }
    }

    fn leave(&mut self, at: At, values: &[Operand]) -> bool {
        let Some(dst) = result_of(self.flat, self.flat.call(at)) else { return false };
        values.iter().enumerate().fold(false, |changed, (i, &value)| {
            let value = self.get(at, value);
            self.add(dst + i, value) || changed
        })
    }
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
