//! Calls: to functions of the program, through pointers, to the library, and to the primitives of the model.

use super::{FunctionLowering, Lowered};
use crate::llvm::ir::unwinding::{COMES_BACK, LANDS, LEAVES, LEAVING, RESUMES, RETURNING_TWICE, UNWINDS};
use crate::llvm::ir::{Arg, Local, Order, Type, TypeId, Value, types::MAX_LEAVES};
use crate::llvm::library::texts::printing;
use crate::llvm::library::{self, creation, kernel, persistent, specific, words};
use crate::llvm::lower::no_body;
use crate::program::*;

impl<'m> FunctionLowering<'_, 'm> {
    pub(in crate::llvm::lower) fn call(
        &mut self,
        ret: TypeId,
        callee: &'m Value,
        args: &'m [Arg],
        result: Option<Local>,
    ) -> Lowered<()> {
        match callee {
            Value::Global(name) if name.starts_with("llvm.") => self.intrinsic(name, args, result),
            Value::Global(name) => self.named_call(name, ret, args, result),
            Value::Asm(template, constraints) => self.inline_asm(template, constraints, ret, args, result),
            _ => {
                let target = self.pointer(callee)?;
                let operands = self.arguments(args)?;
                self.plain_call(Callee::Indirect(target), operands, ret, result)
            }
        }
    }

    fn named_call(&mut self, name: &'m str, ret: TypeId, args: &'m [Arg], result: Option<Local>) -> Lowered<()> {
        let module = self.module.module;
        if LEAVING.contains(&name) {
            let value = Operand::Const(u64::from(self.span.0));
            self.f.push(Instr::WriteWord { word: words::LEFT_AT, value });
        }
        if let Some(function) = module.definition(name) {
            let id = self.module.functions[function.name.as_str()];
            let operands = self.arguments(args)?;
            return self.plain_call(Callee::Direct(id), operands, ret, result);
        }
        if let Some((_, aliased)) = module.aliases.iter().find(|(alias, _)| alias == name) {
            return self.call(ret, aliased, args, result);
        }
        if self.module.is_absent(name) {
            let operands = self.arguments(args)?;
            return self.plain_call(Callee::Indirect(Operand::Const(0)), operands, ret, result);
        }
        if self.special(name, ret, args, result)? {
            return Ok(());
        }
        if let Some(primitive) = kernel::find(name) {
            let operands = args.iter().skip(1).map(|a| self.operand(a.ty, &a.value)).collect::<Lowered<Vec<_>>>()?;
            // Behind the tags: the size and the address, or only the address of a lock.
            if let Some(address) = args.iter().skip(1).find(|a| matches!(self.module.module.types.get(a.ty), Type::Ptr))
            {
                self.note_access(&address.value);
            }
            let tags = args.first().map(|a| self.text(&a.value)).transpose()?.unwrap_or_default();
            let value = primitive(&mut self.code(), &tags, &operands)?;
            return self.set_result(result, value);
        }
        if printing::is_output(name) {
            return self.output(name, args, result);
        }
        if let Some(emit) = library::find(name) {
            let operands = self.arguments(args)?;
            if matches!(name, "pthread_exit" | "thrd_exit") {
                self.end_variables();
            }
            let value = emit(&mut self.code(), &operands);
            return self.set_result(result, value);
        }
        Err(no_body(name))
    }

    fn arguments(&mut self, args: &[Arg]) -> Lowered<Vec<Operand>> {
        let mut out = Vec::with_capacity(args.len());
        for arg in args {
            if self.promotion.private(&arg.value).is_some() {
                // Only a library function that does not look at the argument is given such an address.
                out.push(Operand::Const(0));
            } else {
                out.extend(self.operands(arg.ty, &arg.value)?);
            }
        }
        Ok(out)
    }

    fn plain_call(&mut self, callee: Callee, args: Vec<Operand>, ret: TypeId, result: Option<Local>) -> Lowered<()> {
        let void = matches!(self.module.module.types.get(ret), Type::Void);
        let leaves = self.module.module.types.leaves(ret, MAX_LEAVES).map_or(0, |l| l.len());
        let mut registers = match result {
            Some(result) if !void => self.result(result, ret)?,
            _ => Vec::new(),
        };
        // A function's several results go to consecutive registers.
        if registers.len() < leaves || registers.windows(2).any(|w| w[1] != w[0] + 1) {
            let fresh = (0..leaves).map(|_| self.f.reg()).collect();
            let wanted = std::mem::replace(&mut registers, fresh);
            self.code().call(callee, args, registers.first().copied());
            for (dst, src) in wanted.into_iter().zip(registers) {
                self.f.push(Instr::Set { dst, src: Operand::Reg(src) });
            }
            return Ok(());
        }
        let dst = registers.first().copied();
        self.code().call(callee, args, dst);
        Ok(())
    }

    /// Gives a call's result a value.
    pub(in crate::llvm::lower) fn set_result(&mut self, result: Option<Local>, value: Option<Operand>) -> Lowered<()> {
        if let Some(result) = result {
            self.alias(result, vec![value.unwrap_or(Operand::Const(0))]);
        }
        Ok(())
    }

    /// The text that an argument points to, which must be a constant of the program.
    pub(in crate::llvm::lower) fn text(&self, value: &Value) -> Lowered<String> {
        let not_constant = "the first argument of a primitive of the model must be a text constant";
        let name = match value {
            Value::Global(name) => name,
            Value::Expr(expr) => match &**expr {
                crate::llvm::ir::ConstExpr::Gep { base: Value::Global(name), .. } => name,
                _ => return Err(not_constant.into()),
            },
            _ => return Err(not_constant.into()),
        };
        let bytes = self.module.texts.get(name.as_str()).ok_or(not_constant)?;
        Ok(String::from_utf8_lossy(bytes.strip_suffix(b"\0").unwrap_or(bytes)).into_owned())
    }

    /// Calls that write through a pointer to a variable that may be private, and calls whose arguments must be constants.
    fn special(&mut self, name: &str, ret: TypeId, args: &'m [Arg], result: Option<Local>) -> Lowered<bool> {
        match (name, args) {
            ("pthread_create" | "thrd_create", [thread, rest @ ..]) => {
                let (function, arg) = match (name, rest) {
                    ("pthread_create", [_, function, arg]) | ("thrd_create", [function, arg]) => (function, arg),
                    _ => return Err(format!("`{name}` takes other arguments")),
                };
                let (function, arg) = (self.pointer(&function.value)?, self.operand(arg.ty, &arg.value)?);
                let dst = specific::spawn(&mut self.code(), function, arg);
                let place = self.place(&thread.value)?;
                let size = u64::from(self.module.module.long_bits() / 8);
                self.write(place, 0, size, Operand::Reg(dst), Order::Na)?;
                self.set_result(result, Some(Operand::Const(0)))?;
            }
            ("pthread_join" | "thrd_join", [thread, out]) => {
                let thread = self.operand(thread.ty, &thread.value)?;
                if matches!(out.value, Value::Zero) {
                    self.f.push(Instr::JoinThread { dst: None, thread });
                    creation::joined(&mut self.code(), thread);
                } else {
                    let dst = self.f.reg();
                    self.f.push(Instr::JoinThread { dst: Some(dst), thread });
                    creation::joined(&mut self.code(), thread);
                    let place = self.place(&out.value)?;
                    let size = if name == "thrd_join" { 4 } else { 8 };
                    self.write(place, 0, size, Operand::Reg(dst), Order::Na)?;
                }
                self.set_result(result, Some(Operand::Const(0)))?;
            }
            ("__assert_fail" | "__assert", [text, ..]) => {
                let text = self.text(&text.value).unwrap_or_else(|_| "?".into());
                self.f.push(Instr::Fail { message: format!("assertion `{text}` failed").into(), unsupported: false });
            }
            ("__hmc_wrong" | "__hmc_unsupported", [text]) => {
                let message = self.text(&text.value)?.into();
                self.f.push(Instr::Fail { message, unsupported: name == "__hmc_unsupported" });
            }
            ("hmc_observe", values) => self.show(values)?,
            (UNWINDS, []) => {
                let word = words::read(&mut self.code(), words::UNWINDING);
                let unwinds = self.code().bin(BinOp::Ne, 64, word, Operand::Const(0));
                self.set_result(result, Some(unwinds))?;
            }
            (LEAVES, []) => self.leave_if_unwinding(),
            (COMES_BACK, []) => {
                self.f.push(Instr::WriteWord { word: words::UNWINDING, value: Operand::Const(0) });
            }
            (LANDS, clauses) => self.land(clauses, result)?,
            (RESUMES, [landed]) => self.leave_with(landed)?,
            (_, [buffer, ..]) if RETURNING_TWICE.contains(&name) => self.comes_back_twice(ret, buffer, result)?,
            (persistent::NAME, [text]) => {
                let address = self.pointer(&text.value)?;
                let number = self.number_of_text(address);
                self.set_result(result, Some(number))?;
            }
            ("hmc_choose_below", [limit]) => match self.module.constant(&limit.value, 0) {
                Some(limit @ 1..=64) => {
                    let dst = self.f.reg();
                    self.f.push(Instr::Choose { dst, values: (0..limit).collect() });
                    self.set_result(result, Some(Operand::Reg(dst)))?;
                }
                _ => return Err("`hmc_choose_below` needs a constant between 1 and 64".into()),
            },
            ("memcpy" | "memmove" | "memset", [to, from, len]) => {
                match name {
                    "memset" => self.fill(to, from, &len.value)?,
                    _ => self.copy(to, from, &len.value, name == "memmove")?,
                }
                // The result is the destination; a private one is only reached by its own name.
                if let Some(result) = result
                    && self.promotion.private(&to.value).is_none()
                {
                    let to = self.pointer(&to.value)?;
                    self.alias(result, vec![to]);
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }
}
