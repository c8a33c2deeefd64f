//! Arithmetic, comparisons, conversions, and structure values.

use super::{FunctionLowering, Lowered};
use crate::llvm::ir::{Local, Op, TypeId, Value};
use crate::program::fault::Fault;
use crate::program::*;

impl<'m> FunctionLowering<'_, 'm> {
    /// Any instruction that is not control flow.
    pub fn operation(&mut self, op: &'m Op, result: Option<Local>) -> Lowered<()> {
        match (op, result) {
            (Op::Call { ret, callee, args }, _) => self.call(*ret, callee, args, result),
            (Op::Store { ty, value, ptr, order, volatile, streams }, _) => {
                let order = self.volatile_order(*order, *volatile);
                if *streams && self.module.cx.uses.persists {
                    self.module.cx.besides = vec!["NT".to_owned()];
                }
                let stored = self.store(*ty, value, ptr, order);
                self.module.cx.besides.clear();
                stored
            }
            (Op::Fence { order }, _) => {
                // A fence against signal handlers orders nothing between threads.
                if let Some(order) = order {
                    self.code().fence(*order);
                }
                Ok(())
            }
            (Op::Load { ty, ptr, order, volatile }, Some(result)) => {
                let order = self.volatile_order(*order, *volatile);
                self.load(result, *ty, ptr, order)
            }
            (Op::CmpXchg { .. }, Some(result)) => self.cmpxchg(op, result),
            (Op::AtomicRmw { op, ty, ptr, value, order }, result) => {
                self.atomicrmw(op, *ty, ptr, value, *order, result)
            }
            (Op::Alloca { ty, count }, Some(result)) => self.alloca(result, *ty, count.as_ref()),
            (Op::Gep { source, base, indices }, Some(result)) => self.gep(result, *source, base, indices),
            (Op::Bin { op, signed, ty, a, b }, Some(result)) => {
                if *signed && self.module.cx.uses.checks.overflow && self.wide(*ty).is_none() {
                    self.check_overflow(op, *ty, a, b)?;
                }
                self.binary(result, op, *ty, a, b)
            }
            (Op::Compare { float, predicate, ty, a, b }, Some(result)) => {
                self.compare(result, *float, predicate, *ty, a, b)
            }
            (Op::FNeg { ty, a }, Some(result)) => {
                let bits = self.bits(*ty)?;
                let a = self.operand(*ty, a)?;
                let dst = self.scalar_result(result, *ty)?;
                self.f.push(Instr::Un { dst, op: UnOp::FNeg, bits, a });
                Ok(())
            }
            (Op::Cast { op, from, value, to }, Some(result)) => self.cast(result, op, *from, value, *to),
            (Op::Select { cond, ty, a, b, .. }, Some(result)) => {
                let cond = self.pointer(cond)?;
                let (a, b) = (self.operands(*ty, a)?, self.operands(*ty, b)?);
                let registers = self.result(result, *ty)?;
                for ((dst, a), b) in registers.into_iter().zip(a).zip(b) {
                    self.f.push(Instr::Select { dst, cond, a, b, on_cond: true });
                }
                Ok(())
            }
            (Op::ExtractValue { ty, value, path }, Some(result)) => {
                let (first, n) = self.part(*ty, path)?;
                let operands = self.operands(*ty, value)?;
                let part = operands.get(first..first + n).ok_or("a part that the value does not have")?.to_vec();
                self.alias(result, part);
                Ok(())
            }
            (Op::InsertValue { ty, value, part_ty, part, path }, Some(result)) => {
                let (first, n) = self.part(*ty, path)?;
                let mut operands = self.operands(*ty, value)?;
                let part = self.operands(*part_ty, part)?;
                operands.get_mut(first..first + n).ok_or("a part that the value does not have")?.copy_from_slice(&part);
                self.alias(result, operands);
                Ok(())
            }
            (Op::Freeze { ty, value }, Some(result)) => {
                let operands = self.operands(*ty, value)?;
                self.alias(result, operands);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Position and number of the scalars that a path selects.
    fn part(&self, ty: TypeId, path: &[u32]) -> Lowered<(usize, usize)> {
        let types = &self.module.module.types;
        let found = types
            .leaf_path(ty, path)
            .and_then(|(first, part)| Some((first, types.leaves(part, crate::llvm::ir::types::MAX_LEAVES)?.len())));
        found.ok_or_else(|| format!("parts of a value of type {} are not supported", types.name(ty)))
    }

    /// Width of a scalar type.
    pub fn bits(&self, ty: TypeId) -> Lowered<u8> {
        let types = &self.module.module.types;
        types.scalar_bits(ty).ok_or_else(|| format!("values of type {} are not supported", types.name(ty)))
    }

    fn binary(&mut self, result: Local, op: &str, ty: TypeId, a: &Value, b: &Value) -> Lowered<()> {
        if let Some(bits) = self.wide(ty) {
            return self.wide_binary(result, op, ty, bits, (a, b));
        }
        let bits = self.bits(ty)?;
        let (a, b) = (self.operand(ty, a)?, self.operand(ty, b)?);
        let op = match op {
            "add" => BinOp::Add,
            "sub" => BinOp::Sub,
            "mul" => BinOp::Mul,
            "udiv" => BinOp::UDiv,
            "sdiv" => BinOp::SDiv,
            "urem" => BinOp::URem,
            "srem" => BinOp::SRem,
            "shl" => BinOp::Shl,
            "lshr" => BinOp::LShr,
            "ashr" => BinOp::AShr,
            "and" => BinOp::And,
            "or" => BinOp::Or,
            "xor" => BinOp::Xor,
            "fadd" => BinOp::FAdd,
            "fsub" => BinOp::FSub,
            "fmul" => BinOp::FMul,
            "fdiv" => BinOp::FDiv,
            "frem" => BinOp::FRem,
            _ => return Err(format!("the LLVM instruction `{op}` is not supported")),
        };
        if matches!(op, BinOp::SDiv | BinOp::SRem) && bits < 64 {
            // The only quotient that does not fit; in 64 bits the interpreter sees it itself.
            let mut code = self.code();
            let smallest = code.bin(BinOp::Ne, bits, a, Operand::Const(1 << (bits - 1)));
            let minus_one = code.bin(BinOp::Ne, bits, b, Operand::Const(u64::MAX));
            let cond = code.bin(BinOp::Or, 1, smallest, minus_one);
            code.f.push(Instr::Check { cond, fault: Box::new(Fault::Division) });
        }
        let dst = self.scalar_result(result, ty)?;
        self.f.push(Instr::Bin { dst, op, bits, a, b });
        Ok(())
    }

    /// A finding when signed arithmetic does not fit: it is done in 64 bits and compared with what fits.
    fn check_overflow(&mut self, op: &str, ty: TypeId, a: &Value, b: &Value) -> Lowered<()> {
        let (op, what) = match op {
            "add" => (BinOp::Add, "signed addition overflows"),
            "sub" => (BinOp::Sub, "signed subtraction overflows"),
            "mul" => (BinOp::Mul, "signed multiplication overflows"),
            _ => return Ok(()),
        };
        let bits = self.bits(ty)?;
        let (a, b) = (self.operand(ty, a)?, self.operand(ty, b)?);
        let mut code = self.code();
        let (a, b) = (code.un(UnOp::Sext, bits, a), code.un(UnOp::Sext, bits, b));
        let result = code.bin(op, 64, a, b);
        let cond = match op {
            _ if bits <= 32 => {
                let fitting = code.un(UnOp::Sext, bits, result);
                code.bin(BinOp::Eq, 64, fitting, result)
            }
            BinOp::Mul => {
                let is_zero = code.bin(BinOp::Eq, 64, b, Operand::Const(0));
                let divisor = code.bin(BinOp::Or, 64, b, is_zero);
                let back = code.bin(BinOp::SDiv, 64, result, divisor);
                let same = code.bin(BinOp::Eq, 64, back, a);
                code.bin(BinOp::Or, 1, is_zero, same)
            }
            _ => {
                // The sign of the result differs from that of both operands (of a and of what is added).
                let added = if op == BinOp::Sub { code.un(UnOp::Not, 64, b) } else { b };
                let (left, right) = (code.bin(BinOp::Xor, 64, a, result), code.bin(BinOp::Xor, 64, added, result));
                let both = code.bin(BinOp::And, 64, left, right);
                code.bin(BinOp::SGe, 64, both, Operand::Const(0))
            }
        };
        code.f.push(Instr::Check { cond, fault: Box::new(Fault::Overflow(what)) });
        Ok(())
    }

    fn compare(
        &mut self,
        result: Local,
        float: bool,
        predicate: &str,
        ty: TypeId,
        a: &Value,
        b: &Value,
    ) -> Lowered<()> {
        if let Some(bits) = self.wide(ty) {
            return self.wide_compare(result, predicate, ty, bits, (a, b));
        }
        let bits = self.bits(ty)?;
        let (a, b) = (self.operand(ty, a)?, self.operand(ty, b)?);
        let dst = self.bool_result(result);
        if !float {
            let op = match predicate {
                "eq" => BinOp::Eq,
                "ne" => BinOp::Ne,
                "ult" => BinOp::ULt,
                "ule" => BinOp::ULe,
                "ugt" => BinOp::UGt,
                "uge" => BinOp::UGe,
                "slt" => BinOp::SLt,
                "sle" => BinOp::SLe,
                "sgt" => BinOp::SGt,
                "sge" => BinOp::SGe,
                _ => return Err(format!("the comparison `icmp {predicate}` is not supported")),
            };
            self.f.push(Instr::Bin { dst, op, bits, a, b });
            return Ok(());
        }
        let ordered = |code: &str| match code {
            "eq" => Some(BinOp::FEq),
            "lt" => Some(BinOp::FLt),
            "le" => Some(BinOp::FLe),
            "gt" => Some(BinOp::FGt),
            "ge" => Some(BinOp::FGe),
            _ => None,
        };
        let mut code = self.code();
        let value = match (predicate.get(..1), predicate.get(1..).and_then(ordered)) {
            _ if predicate == "true" => Operand::Const(1),
            _ if predicate == "false" => Operand::Const(0),
            _ if predicate == "uno" => code.bin(BinOp::FUno, bits, a, b),
            _ if predicate == "ord" => {
                let unordered = code.bin(BinOp::FUno, bits, a, b);
                code.un(UnOp::Not, 1, unordered)
            }
            _ if predicate == "une" => code.bin(BinOp::FNe, bits, a, b),
            _ if predicate == "one" => {
                let (below, above) = (code.bin(BinOp::FLt, bits, a, b), code.bin(BinOp::FGt, bits, a, b));
                code.bin(BinOp::Or, 1, below, above)
            }
            (Some("o"), Some(op)) => code.bin(op, bits, a, b),
            (Some("u"), Some(op)) => {
                let (value, unordered) = (code.bin(op, bits, a, b), code.bin(BinOp::FUno, bits, a, b));
                code.bin(BinOp::Or, 1, value, unordered)
            }
            _ => return Err(format!("the comparison `fcmp {predicate}` is not supported")),
        };
        self.f.push(Instr::Set { dst, src: value });
        Ok(())
    }

    /// The register of a result of type `i1`.
    pub fn bool_result(&mut self, result: Local) -> Reg {
        if let Some([Operand::Reg(reg)]) = self.values.get(&result).map(Vec::as_slice) {
            return *reg;
        }
        let reg = self.f.reg();
        self.values.insert(result, vec![Operand::Reg(reg)]);
        reg
    }

    fn cast(&mut self, result: Local, op: &str, from: TypeId, value: &Value, to: TypeId) -> Lowered<()> {
        if matches!(op, "bitcast" | "addrspacecast") && self.promotion.private(&Value::Local(result)).is_some() {
            self.carry_offset(result, value);
            return Ok(());
        }
        if self.wide(from).is_some() || self.wide(to).is_some() {
            return self.wide_cast(result, op, from, value, to);
        }
        let (from_bits, to_bits) = (self.bits(from)?, self.bits(to)?);
        let a = self.operand(from, value)?;
        let same =
            matches!(op, "bitcast" | "addrspacecast" | "zext" | "inttoptr") || to_bits >= from_bits && op == "ptrtoint";
        if same && to_bits >= from_bits {
            self.alias(result, vec![a]);
            return Ok(());
        }
        let dst = self.scalar_result(result, to)?;
        let mut code = self.code();
        let wide = match op {
            "trunc" | "ptrtoint" | "inttoptr" => {
                self.f.push(Instr::Un { dst, op: UnOp::Trunc, bits: to_bits, a });
                return Ok(());
            }
            "sext" if to_bits == 64 => {
                self.f.push(Instr::Un { dst, op: UnOp::Sext, bits: from_bits, a });
                return Ok(());
            }
            "sext" => code.un(UnOp::Sext, from_bits, a),
            "fptosi" => {
                let a = if from_bits == 32 { code.un(UnOp::FExt, 32, a) } else { a };
                code.un(UnOp::FToS, 64, a)
            }
            "fptoui" => {
                let a = if from_bits == 32 { code.un(UnOp::FExt, 32, a) } else { a };
                code.un(UnOp::FToU, 64, a)
            }
            "sitofp" => {
                let a = if from_bits < 64 { code.un(UnOp::Sext, from_bits, a) } else { a };
                self.f.push(Instr::Un { dst, op: UnOp::SToF, bits: to_bits, a });
                return Ok(());
            }
            "uitofp" => {
                self.f.push(Instr::Un { dst, op: UnOp::UToF, bits: to_bits, a });
                return Ok(());
            }
            "fpext" => {
                self.f.push(Instr::Un { dst, op: UnOp::FExt, bits: 32, a });
                return Ok(());
            }
            "fptrunc" => {
                self.f.push(Instr::Un { dst, op: UnOp::FTrunc, bits: 64, a });
                return Ok(());
            }
            _ => return Err(format!("the conversion `{op}` is not supported")),
        };
        if to_bits < 64 {
            self.f.push(Instr::Un { dst, op: UnOp::Trunc, bits: to_bits, a: wide });
        } else {
            self.f.push(Instr::Set { dst, src: wide });
        }
        Ok(())
    }
}
