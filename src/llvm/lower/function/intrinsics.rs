//! LLVM's own functions, by name.

use super::{FunctionLowering, Lowered};
use crate::llvm::ir::{Arg, Local, Order, Value};
use crate::llvm::library::{ignored, persistent};
use crate::program::*;

impl<'m> FunctionLowering<'_, 'm> {
    pub(in crate::llvm::lower) fn intrinsic(
        &mut self,
        name: &str,
        args: &'m [Arg],
        result: Option<Local>,
    ) -> Lowered<()> {
        let base = name.trim_start_matches("llvm.");
        let is = |prefix: &str| base == prefix || base.strip_prefix(prefix).is_some_and(|r| r.starts_with('.'));
        match args {
            [to, from, len, ..] if is("memcpy") || is("memmove") || is("memcpy.inline") => {
                return self.copy(to, from, &len.value, is("memmove"));
            }
            [to, byte, len, ..] if is("memset") || is("memset.inline") => {
                return self.fill(to, byte, &len.value);
            }
            [list] if is("va_start") => return self.start_varargs(&list.value),
            [to, from] if is("va_copy") => {
                let (to, from) = (self.place(&to.value)?, self.place(&from.value)?);
                return self.copy_pieces(to, from, &[(0, 4), (4, 4), (8, 8), (16, 8)], None);
            }
            [same, ..]
                if ["expect", "threadlocal.address", "annotation", "ptr.annotation", "launder.invariant.group"]
                    .iter()
                    .chain(&["strip.invariant.group", "expect.with.probability", "ssa.copy", "eh.typeid.for"])
                    .any(|n| is(n)) =>
            {
                let operands = self.operands(same.ty, &same.value)?;
                if let Some(result) = result {
                    self.alias(result, operands);
                }
                return Ok(());
            }
            _ => {}
        }
        if let ([place], Some(flush)) = (args, persistent::flush_of_intrinsic(base))
            && self.module.cx.uses.persists
        {
            let address = self.pointer(&place.value)?;
            self.note_access(&place.value);
            persistent::force(&mut self.code(), &[flush], Some(address));
            return Ok(());
        }
        if let Some(effect) = ignored::intrinsic(base) {
            let value = effect(&mut self.code(), &[]);
            return self.set_result(result, value);
        }
        if is("trap") || is("debugtrap") || is("ubsantrap") {
            self.f.push(Instr::Fail { message: "the program traps".into(), unsupported: false });
            return Ok(());
        }
        let fence = match base {
            "x86.sse2.mfence" => Some(Order::Sc),
            "x86.sse2.lfence" => Some(Order::Acq),
            "x86.sse.sfence" => Some(Order::Rel),
            _ => None,
        };
        if let Some(order) = fence {
            self.code().fence(order);
            if base == "x86.sse.sfence" {
                persistent::store_fence(&mut self.code());
            }
            return Ok(());
        }
        if is("objectsize") {
            return self.set_result(result, Some(Operand::Const(u64::MAX)));
        }
        let Some(result) = result else { return Err(format!("the LLVM function `{name}` is not supported")) };
        self.computing(base, name, args, result)
    }

    fn computing(&mut self, base: &str, name: &str, args: &'m [Arg], result: Local) -> Lowered<()> {
        let operands = args.iter().map(|a| self.operand(a.ty, &a.value)).collect::<Lowered<Vec<_>>>()?;
        let bits = args.first().map_or(Ok(64), |a| self.bits(a.ty))?;
        let word = base.split('.').next().unwrap_or("");
        let mut code = self.code();
        let value = match (word, operands.as_slice()) {
            ("smax", &[a, b]) => code.bin(BinOp::SMax, bits, a, b),
            ("smin", &[a, b]) => code.bin(BinOp::SMin, bits, a, b),
            ("umax", &[a, b]) => code.bin(BinOp::UMax, bits, a, b),
            ("umin", &[a, b]) => code.bin(BinOp::UMin, bits, a, b),
            ("ptrmask", &[a, b]) => code.bin(BinOp::And, bits, a, b),
            ("ctpop", &[a]) => code.un(UnOp::PopCount, bits, a),
            ("ctlz", &[a, _]) => code.un(UnOp::Clz, bits, a),
            ("cttz", &[a, _]) => code.un(UnOp::Ctz, bits, a),
            ("bswap", &[a]) => code.un(UnOp::ByteSwap, bits, a),
            ("bitreverse", &[a]) => code.un(UnOp::BitReverse, bits, a),
            ("abs", &[a, _]) => {
                let negated = code.un(UnOp::Neg, bits, a);
                code.bin(BinOp::SMax, bits, a, negated)
            }
            ("fabs", &[a]) => {
                code.bin(BinOp::And, bits, a, Operand::Const(crate::llvm::lower::globals::mask(u64::MAX, bits - 1)))
            }
            // Signalling or quiet: `isnan`.
            ("is", &[a, Operand::Const(3)]) if base.starts_with("is.fpclass.") => code.bin(BinOp::FUno, bits, a, a),
            // Only this one may be rounded twice.
            ("fmuladd", &[a, b, c]) => {
                let product = code.bin(BinOp::FMul, bits, a, b);
                code.bin(BinOp::FAdd, bits, product, c)
            }
            ("minnum", &[a, b]) => {
                let less = code.bin(BinOp::FLt, bits, a, b);
                chosen_number(&mut code, bits, less, a, b)
            }
            ("maxnum", &[a, b]) => {
                let more = code.bin(BinOp::FGt, bits, a, b);
                chosen_number(&mut code, bits, more, a, b)
            }
            ("fshl" | "fshr", &[a, b, by]) => {
                let by = code.bin(BinOp::URem, bits, by, Operand::Const(u64::from(bits)));
                let other = code.bin(BinOp::Sub, bits, Operand::Const(u64::from(bits)), by);
                let (left, right) = if word == "fshl" { (by, other) } else { (other, by) };
                let (high, low) = (code.bin(BinOp::Shl, bits, a, left), code.bin(BinOp::LShr, bits, b, right));
                let both = code.bin(BinOp::Or, bits, high, low);
                // A shift by the whole width is not defined: a rotation by zero is one of the operands.
                let dst = code.f.reg();
                let whole = if word == "fshl" { a } else { b };
                code.f.push(Instr::Select { dst, cond: by, a: both, b: whole, on_cond: true });
                Operand::Reg(dst)
            }
            ("usub", &[a, b]) if base.starts_with("usub.sat") => {
                let less = code.bin(BinOp::ULt, bits, a, b);
                let (difference, dst) = (code.bin(BinOp::Sub, bits, a, b), code.f.reg());
                let none = Operand::Const(0);
                code.f.push(Instr::Select { dst, cond: less, a: none, b: difference, on_cond: true });
                Operand::Reg(dst)
            }
            ("uadd", &[a, b]) if base.starts_with("uadd.sat") => {
                let (sum, dst) = (code.bin(BinOp::Add, bits, a, b), code.f.reg());
                let less = code.bin(BinOp::ULt, bits, sum, a);
                let most = Operand::Const(crate::llvm::lower::globals::mask(u64::MAX, bits));
                code.f.push(Instr::Select { dst, cond: less, a: most, b: sum, on_cond: true });
                Operand::Reg(dst)
            }
            // -1, 0 or 1, in the bits of the result.
            ("ucmp" | "scmp", &[a, b]) => {
                let op = if word == "ucmp" { BinOp::ULt } else { BinOp::SLt };
                let (less, more) = (code.bin(op, bits, a, b), code.bin(op, bits, b, a));
                let difference = code.bin(BinOp::Sub, 64, more, less);
                let result_bits = base.split(".i").nth(1).and_then(|digits| digits.parse().ok()).unwrap_or(8);
                code.un(UnOp::Trunc, result_bits, difference)
            }
            ("sadd" | "uadd" | "ssub" | "usub" | "smul" | "umul", &[a, b]) if base.contains(".with.overflow") => {
                let (value, overflow) = with_overflow(&mut code, word, bits, a, b)
                    .ok_or_else(|| format!("the LLVM function `{name}` is not supported"))?;
                self.alias(result, vec![value, overflow]);
                return Ok(());
            }
            _ => {
                return Err(format!("the LLVM function `{name}` is not supported"));
            }
        };
        self.alias(result, vec![value]);
        Ok(())
    }

    /// Puts the further arguments into memory and makes the list point there. The layout is that of x86-64, whose list has two
    /// offsets into saved registers, here at their ends, then a pointer to the arguments in memory; other targets, where a list
    /// is that pointer alone, are told by the list's type being one pointer.
    fn start_varargs(&mut self, list: &Value) -> Lowered<()> {
        let registers = self.varargs.clone();
        let area = self.f.reg();
        let size = Operand::Const(8 * registers.len().max(1) as u64);
        self.f.push(Instr::Alloc { dst: area, size, region: Region::Stack, name: "arguments".into() });
        for (i, register) in registers.into_iter().enumerate() {
            let mut code = self.code();
            let at = code.offset(Operand::Reg(area), 8 * i as u64);
            code.store(at, Operand::Reg(register), 8, Order::Na);
        }
        let pointer_only = self.pointee(list).is_some_and(|(ty, _)| self.module.module.types.size(ty) == 8);
        let place = self.place(list)?;
        if pointer_only {
            return self.write(place, 0, 8, Operand::Reg(area), Order::Na);
        }
        self.write(place, 0, 4, Operand::Const(48), Order::Na)?;
        self.write(place, 4, 4, Operand::Const(304), Order::Na)?;
        self.write(place, 8, 8, Operand::Reg(area), Order::Na)?;
        self.write(place, 16, 8, Operand::Const(0), Order::Na)
    }
}

/// `a` where it is preferred or `b` is not a number, else `b`.
fn chosen_number(
    code: &mut super::code::Code<'_, '_>,
    bits: u8,
    preferred: Operand,
    a: Operand,
    b: Operand,
) -> Operand {
    let no_number = code.bin(BinOp::FUno, bits, b, b);
    let cond = code.bin(BinOp::Or, 64, preferred, no_number);
    let dst = code.f.reg();
    code.f.push(Instr::Select { dst, cond, a, b, on_cond: true });
    Operand::Reg(dst)
}

/// Sum, difference or product with an overflow flag; `None` for the one that is not computed (a signed 64-bit product).
fn with_overflow(
    code: &mut super::code::Code<'_, '_>,
    word: &str,
    bits: u8,
    a: Operand,
    b: Operand,
) -> Option<(Operand, Operand)> {
    let op = match &word[1..] {
        "add" => BinOp::Add,
        "sub" => BinOp::Sub,
        _ => BinOp::Mul,
    };
    let signed = word.starts_with('s');
    let value = code.bin(op, bits, a, b);
    if bits <= 32 {
        // The exact result fits into 64 bits: compare it with the truncated one.
        let extend = |code: &mut super::code::Code<'_, '_>, x| if signed { code.un(UnOp::Sext, bits, x) } else { x };
        let (wide_a, wide_b, wide_value) = (extend(code, a), extend(code, b), extend(code, value));
        let exact = code.bin(op, 64, wide_a, wide_b);
        return Some((value, code.bin(BinOp::Ne, 64, exact, wide_value)));
    }
    let overflow = match (op, signed) {
        (BinOp::Add, false) => code.bin(BinOp::ULt, bits, value, a),
        (BinOp::Sub, false) => code.bin(BinOp::ULt, bits, a, b),
        (BinOp::Mul, false) => {
            let divisor = code.bin(BinOp::UMax, bits, a, Operand::Const(1));
            let quotient = code.bin(BinOp::UDiv, bits, value, divisor);
            let differs = code.bin(BinOp::Ne, bits, quotient, b);
            let nonzero = code.bin(BinOp::Ne, bits, a, Operand::Const(0));
            code.bin(BinOp::And, 1, differs, nonzero)
        }
        (BinOp::Add, true) => {
            let (x, y) = (code.bin(BinOp::Xor, bits, a, value), code.bin(BinOp::Xor, bits, b, value));
            let both = code.bin(BinOp::And, bits, x, y);
            code.bin(BinOp::LShr, bits, both, Operand::Const(u64::from(bits) - 1))
        }
        (BinOp::Sub, true) => {
            let (x, y) = (code.bin(BinOp::Xor, bits, a, b), code.bin(BinOp::Xor, bits, a, value));
            let both = code.bin(BinOp::And, bits, x, y);
            code.bin(BinOp::LShr, bits, both, Operand::Const(u64::from(bits) - 1))
        }
        _ => return None,
    };
    Some((value, overflow))
}
