//! Integers of 65 to 128 bits: two words, the low one first.
//!
//! Every operation is made of operations on words; the high word has as many bits as are left. In memory they are two accesses, but for atomic ones
//! ([`super::double`]).

use super::code::Code;
use super::{FunctionLowering, Lowered};
use crate::llvm::ir::{Local, Type, TypeId, Value};
use crate::program::fault::Fault;
use crate::program::*;

/// A value of two words.
pub type Words = [Operand; 2];

/// The low half of a word.
const LOW: Operand = Operand::Const(0xffff_ffff);

impl FunctionLowering<'_, '_> {
    /// How many bits a wide integer has.
    pub(super) fn wide(&self, ty: TypeId) -> Option<u8> {
        match self.module.module.types.get(ty) {
            Type::Int(bits @ 65..=128) => Some(*bits as u8),
            _ => None,
        }
    }

    pub(super) fn words(&mut self, ty: TypeId, value: &Value) -> Lowered<Words> {
        match self.operands(ty, value)?[..] {
            [low, high] => Ok([low, high]),
            [low] => Ok([low, Operand::Const(0)]),
            _ => Err("a number is expected here".into()),
        }
    }

    pub(super) fn wide_binary(
        &mut self,
        result: Local,
        op: &str,
        ty: TypeId,
        bits: u8,
        (a, b): (&Value, &Value),
    ) -> Lowered<()> {
        let (a, b) = (self.words(ty, a)?, self.words(ty, b)?);
        let code = &mut self.code();
        let value = match op {
            "shl" | "lshr" | "ashr" => code.shift_words(op, bits, a, b[0]),
            "udiv" => code.divide_words(a, b)[0],
            "urem" => code.divide_words(a, b)[1],
            "sdiv" | "srem" => code.divide_signed_words(op == "srem", bits, a, b),
            _ => code.words(op, bits, a, b).ok_or_else(|| {
                format!("the LLVM instruction `{op}` on numbers of more than 64 bits is not supported")
            })?,
        };
        self.alias(result, value.to_vec());
        Ok(())
    }

    pub(super) fn wide_compare(
        &mut self,
        result: Local,
        predicate: &str,
        ty: TypeId,
        bits: u8,
        (a, b): (&Value, &Value),
    ) -> Lowered<()> {
        let (a, b) = (self.words(ty, a)?, self.words(ty, b)?);
        let src = self.code().compare_words(predicate, bits, a, b);
        let src = src.ok_or_else(|| format!("the comparison `icmp {predicate}` is not supported"))?;
        let dst = self.bool_result(result);
        self.f.push(Instr::Set { dst, src });
        Ok(())
    }

    /// A conversion between whole numbers, of which one is wide.
    pub(super) fn wide_cast(
        &mut self,
        result: Local,
        op: &str,
        from: TypeId,
        value: &Value,
        to: TypeId,
    ) -> Lowered<()> {
        let width = |this: &Self, ty| match this.wide(ty) {
            Some(bits) => Ok(bits),
            None => this.bits(ty),
        };
        let (from_bits, to_bits) = (width(self, from)?, width(self, to)?);
        let [low, high] = self.words(from, value)?;
        let code = &mut self.code();
        let value = match op {
            "trunc" | "ptrtoint" | "inttoptr" | "zext" | "bitcast" if to_bits <= 64 => {
                vec![if to_bits < 64 { code.un(UnOp::Trunc, to_bits, low) } else { low }]
            }
            "trunc" => vec![low, code.un(UnOp::Trunc, to_bits - 64, high)],
            "zext" | "ptrtoint" | "bitcast" => vec![low, high],
            "sext" => {
                let (low, high) = match from_bits {
                    0..64 => {
                        let low = code.un(UnOp::Sext, from_bits, low);
                        (low, code.bin(BinOp::AShr, 64, low, Operand::Const(63)))
                    }
                    64 => (low, code.bin(BinOp::AShr, 64, low, Operand::Const(63))),
                    _ => (low, code.un(UnOp::Sext, from_bits - 64, high)),
                };
                vec![low, if to_bits < 128 { code.un(UnOp::Trunc, to_bits - 64, high) } else { high }]
            }
            _ => return Err(format!("the conversion `{op}` of a number of more than 64 bits is not supported")),
        };
        self.alias(result, value);
        Ok(())
    }
}

impl Code<'_, '_> {
    /// Arithmetic on two words but for shifts and division.
    pub(super) fn words(&mut self, op: &str, bits: u8, a: Words, b: Words) -> Option<Words> {
        let upper = bits - 64;
        let mut each = |op| [self.bin(op, 64, a[0], b[0]), self.bin(op, upper, a[1], b[1])];
        Some(match op {
            "and" => each(BinOp::And),
            "or" => each(BinOp::Or),
            "xor" => each(BinOp::Xor),
            "add" => {
                let [low, high] = each(BinOp::Add);
                let carry = self.bin(BinOp::ULt, 64, low, a[0]);
                [low, self.bin(BinOp::Add, upper, high, carry)]
            }
            "sub" => {
                let [low, high] = each(BinOp::Sub);
                let borrow = self.bin(BinOp::ULt, 64, a[0], b[0]);
                [low, self.bin(BinOp::Sub, upper, high, borrow)]
            }
            "mul" => {
                let low = self.bin(BinOp::Mul, 64, a[0], b[0]);
                let carried = self.upper_product(a[0], b[0]);
                let (left, right) = (self.bin(BinOp::Mul, 64, a[0], b[1]), self.bin(BinOp::Mul, 64, a[1], b[0]));
                let crossed = self.bin(BinOp::Add, 64, left, right);
                [low, self.bin(BinOp::Add, upper, carried, crossed)]
            }
            _ => return None,
        })
    }

    /// The upper word of the product of two words, by halves of words.
    fn upper_product(&mut self, a: Operand, b: Operand) -> Operand {
        let half = Operand::Const(32);
        let [(a0, a1), (b0, b1)] = [a, b].map(|word| {
            let low = self.bin(BinOp::And, 64, word, LOW);
            (low, self.bin(BinOp::LShr, 64, word, half))
        });
        let lowest = self.bin(BinOp::Mul, 64, a0, b0);
        let carry = self.bin(BinOp::LShr, 64, lowest, half);
        let crossed = self.bin(BinOp::Mul, 64, a1, b0);
        let crossed = self.bin(BinOp::Add, 64, crossed, carry);
        let (low, high) = (self.bin(BinOp::And, 64, crossed, LOW), self.bin(BinOp::LShr, 64, crossed, half));
        let other = self.bin(BinOp::Mul, 64, a0, b1);
        let other = self.bin(BinOp::Add, 64, other, low);
        let carry = self.bin(BinOp::LShr, 64, other, half);
        let highest = self.bin(BinOp::Mul, 64, a1, b1);
        let sum = self.bin(BinOp::Add, 64, highest, high);
        self.bin(BinOp::Add, 64, sum, carry)
    }

    /// A shift by less than `bits`.
    fn shift_words(&mut self, op: &str, bits: u8, [low, high]: Words, by: Operand) -> Words {
        let upper = bits - 64;
        let inside = self.bin(BinOp::And, 64, by, Operand::Const(63));
        let is_none = self.bin(BinOp::Eq, 64, inside, Operand::Const(0));
        let rest = self.bin(BinOp::Sub, 64, Operand::Const(64), inside);
        let crosses = self.bin(BinOp::UGe, 64, by, Operand::Const(64));
        let zero = Operand::Const(0);
        if op == "shl" {
            let moved = self.bin(BinOp::Shl, 64, low, inside);
            let carried = self.bin(BinOp::LShr, 64, low, rest);
            let carried = self.select(is_none, zero, carried);
            let kept = self.bin(BinOp::Shl, 64, high, inside);
            let both = self.bin(BinOp::Or, 64, kept, carried);
            let high = self.select(crosses, moved, both);
            let high = if upper < 64 { self.un(UnOp::Trunc, upper, high) } else { high };
            return [self.select(crosses, zero, moved), high];
        }
        let (high, shift) = match op {
            "ashr" if upper < 64 => (self.un(UnOp::Sext, upper, high), BinOp::AShr),
            "ashr" => (high, BinOp::AShr),
            _ => (high, BinOp::LShr),
        };
        let moved = self.bin(shift, 64, high, inside);
        let carried = self.bin(BinOp::Shl, 64, high, rest);
        let carried = self.select(is_none, zero, carried);
        let kept = self.bin(BinOp::LShr, 64, low, inside);
        let both = self.bin(BinOp::Or, 64, kept, carried);
        let sign = if shift == BinOp::AShr { self.bin(BinOp::AShr, 64, high, Operand::Const(63)) } else { zero };
        let low = self.select(crosses, moved, both);
        let high = self.select(crosses, sign, moved);
        [low, if upper < 64 { self.un(UnOp::Trunc, upper, high) } else { high }]
    }

    /// Quotient and remainder, bit by bit as on paper.
    fn divide_words(&mut self, a: Words, b: Words) -> [Words; 2] {
        let (zero, one) = (Operand::Const(0), Operand::Const(1));
        let divisor = self.bin(BinOp::Or, 64, b[0], b[1]);
        let cond = self.bin(BinOp::Ne, 64, divisor, zero);
        self.f.push(Instr::Check { cond, fault: Box::new(Fault::Division) });
        let registers = [(); 5].map(|()| self.f.reg());
        let [quotient, remainder] = [[registers[0], registers[1]], [registers[2], registers[3]]];
        let left = registers[4];
        let starts = [a[0], a[1], zero, zero, Operand::Const(128)];
        for (dst, src) in registers.into_iter().zip(starts) {
            self.f.push(Instr::Set { dst, src });
        }
        let (round, done) = (self.f.label(), self.f.label());
        self.f.place(round);
        let [q, r] = [quotient, remainder].map(|words| words.map(Operand::Reg));
        let next = self.bin(BinOp::LShr, 64, q[1], Operand::Const(63));
        let shifted = self.shift_words("shl", 128, r, one);
        let shifted = [self.bin(BinOp::Or, 64, shifted[0], next), shifted[1]];
        let fits = self.compare_words("uge", 128, shifted, b).unwrap_or(zero);
        let less = self.words("sub", 128, shifted, b).unwrap_or(shifted);
        let rest = [0, 1].map(|i| self.select(fits, less[i], shifted[i]));
        let doubled = self.shift_words("shl", 128, q, one);
        let doubled = [self.bin(BinOp::Or, 64, doubled[0], fits), doubled[1]];
        let rounds = self.bin(BinOp::Sub, 64, Operand::Reg(left), one);
        let values = [doubled[0], doubled[1], rest[0], rest[1], rounds];
        for (dst, src) in registers.into_iter().zip(values) {
            self.f.push(Instr::Set { dst, src });
        }
        self.inner_branch(Operand::Reg(left), round, done);
        self.f.place(done);
        [q, r]
    }

    /// Rounds towards zero; the remainder has the sign of the dividend.
    fn divide_signed_words(&mut self, remainder: bool, bits: u8, a: Words, b: Words) -> Words {
        let upper = bits - 64;
        let mut absolute = |words: Words| {
            let high = if upper < 64 { self.un(UnOp::Sext, upper, words[1]) } else { words[1] };
            let sign = self.bin(BinOp::LShr, 64, high, Operand::Const(63));
            (sign, self.negate_if(sign, [words[0], high]))
        };
        let ((a_sign, a), (b_sign, b)) = (absolute(a), absolute(b));
        let [quotient, rest] = self.divide_words(a, b);
        let (value, sign) = match remainder {
            true => (rest, a_sign),
            false => (quotient, self.bin(BinOp::Xor, 64, a_sign, b_sign)),
        };
        let [low, high] = self.negate_if(sign, value);
        [low, if upper < 64 { self.un(UnOp::Trunc, upper, high) } else { high }]
    }

    fn negate_if(&mut self, cond: Operand, words: Words) -> Words {
        let negative = self.words("sub", 128, [Operand::Const(0); 2], words).unwrap_or(words);
        [0, 1].map(|i| self.select(cond, negative[i], words[i]))
    }

    fn select(&mut self, cond: Operand, a: Operand, b: Operand) -> Operand {
        let dst = self.f.reg();
        self.f.push(Instr::Select { dst, cond, a, b, on_cond: true });
        Operand::Reg(dst)
    }

    /// A comparison of two words with two; none for a predicate that is not known.
    pub(super) fn compare_words(&mut self, predicate: &str, bits: u8, a: Words, b: Words) -> Option<Operand> {
        let upper = bits - 64;
        let same_high = self.bin(BinOp::Eq, upper, a[1], b[1]);
        if let "eq" | "ne" = predicate {
            let same_low = self.bin(BinOp::Eq, 64, a[0], b[0]);
            let same = self.bin(BinOp::And, 1, same_low, same_high);
            return Some(if predicate == "eq" { same } else { self.un(UnOp::Not, 1, same) });
        }
        let (high, low) = match predicate {
            "ult" => (BinOp::ULt, BinOp::ULt),
            "ule" => (BinOp::ULt, BinOp::ULe),
            "ugt" => (BinOp::UGt, BinOp::UGt),
            "uge" => (BinOp::UGt, BinOp::UGe),
            "slt" => (BinOp::SLt, BinOp::ULt),
            "sle" => (BinOp::SLt, BinOp::ULe),
            "sgt" => (BinOp::SGt, BinOp::UGt),
            "sge" => (BinOp::SGt, BinOp::UGe),
            _ => return None,
        };
        let by_high = self.bin(high, upper, a[1], b[1]);
        let by_low = self.bin(low, 64, a[0], b[0]);
        let by_low = self.bin(BinOp::And, 1, same_high, by_low);
        Some(self.bin(BinOp::Or, 1, by_high, by_low))
    }
}
