//! Calls that are left by an exception or by `longjmp` ([`crate::llvm::unwinding`] says how), and `setjmp`, to which `longjmp` goes.
//!
//! `setjmp` notes in its buffer who it is: the thread, a number of the running call, and which `setjmp` in the function. What `longjmp` leaves calls with is that; the function that finds
//! itself in it goes on behind that `setjmp`.

use super::function::{FunctionLowering, Lowered};
use crate::llvm::ir::unwinding::RETURNING_TWICE;
use crate::llvm::ir::{Arg, Local, Op, Order, TypeId, Value};
use crate::llvm::library::words::{self, JUMPED, JUMPS, UNWINDING};
use crate::program::*;

/// The function that says whether a type is caught (include/library/exceptions.c).
const CATCHES: &str = "__hmc_catches";
/// How far above the number of a `setjmp` that of its call is.
const CALL_AT: u64 = 8;
/// The same of the thread.
const THREAD_AT: u64 = 40;

/// Where calls of a function go that are left.
#[derive(Default)]
pub struct Leaving {
    exit: Option<Label>,
    /// The register that holds the running call's number, if something comes back twice.
    call: Option<Reg>,
    /// Behind each `setjmp`, and the registers of its result.
    sites: Vec<(Label, Vec<Reg>)>,
}

impl FunctionLowering<'_, '_> {
    /// Leaves the running call.
    fn leave(&mut self) {
        if self.source.name == "main" && !self.jumps_back() {
            words::nobody_lands(&mut self.code(), "`main`");
            return self.f.at(self.span);
        }
        let exit = match self.leaving.exit {
            Some(exit) => exit,
            None => *self.leaving.exit.insert(self.f.label()),
        };
        self.code().jump(exit);
    }

    /// Whether a function has a `setjmp`.
    fn jumps_back(&self) -> bool {
        let mut calls = self.source.blocks.iter().flat_map(|b| &b.instructions);
        calls.any(
            |i| matches!(&i.op, Op::Call { callee: Value::Global(name), .. } if RETURNING_TWICE.contains(&&**name)),
        )
    }

    /// Leaves the running call if the one before is being left.
    pub(in crate::llvm::lower) fn leave_if_unwinding(&mut self) {
        let word = words::read(&mut self.code(), UNWINDING);
        self.leave_if(word);
    }

    fn leave_if(&mut self, cond: Operand) {
        let (leaves, stays) = (self.f.label(), self.f.label());
        self.code().branch(cond, leaves, stays);
        self.f.place(leaves);
        self.leave();
        self.f.place(stays);
    }

    /// `resume`: leaves the running call with what landed.
    pub(in crate::llvm::lower) fn leave_with(&mut self, landed: &Arg) -> Lowered<()> {
        let value = self.operands(landed.ty, &landed.value)?.first().copied();
        self.f.push(Instr::WriteWord { word: UNWINDING, value: value.unwrap_or(Operand::Const(0)) });
        self.leave();
        Ok(())
    }

    /// A landing pad: the exception, and the type that is caught, as a number.
    pub(in crate::llvm::lower) fn land(&mut self, clauses: &[Arg], result: Option<Local>) -> Lowered<()> {
        let landed = words::read(&mut self.code(), UNWINDING);
        // What `longjmp` leaves is left without looking at it.
        let jumps = self.code().bin(BinOp::And, 64, landed, Operand::Const(1));
        self.leave_if(jumps);
        let selector = self.f.reg();
        self.f.push(Instr::Set { dst: selector, src: Operand::Const(0) });
        let mut cleans = false;
        for clause in clauses {
            match &clause.value {
                Value::Int(_) => cleans = true,
                Value::Unsupported(what) => return Err(format!("a {what} is not supported")),
                caught => {
                    let caught = self.pointer(caught)?;
                    let function = self.module.functions.get(CATCHES).copied();
                    let catches = function.ok_or("exceptions are caught without the C++ library's functions")?;
                    let (look, on, dst) = (self.f.label(), self.f.label(), self.f.reg());
                    let mut code = self.code();
                    code.branch(Operand::Reg(selector), on, look);
                    code.f.place(look);
                    code.call(Callee::Direct(catches), vec![landed, caught], Some(dst));
                    code.f.push(Instr::Set { dst: selector, src: Operand::Reg(dst) });
                    code.f.place(on);
                }
            }
        }
        if !cleans {
            let passes = self.code().bin(BinOp::Eq, 64, Operand::Reg(selector), Operand::Const(0));
            self.leave_if(passes);
        }
        self.f.push(Instr::WriteWord { word: UNWINDING, value: Operand::Const(0) });
        if let Some(result) = result {
            self.alias(result, vec![landed, Operand::Reg(selector)]);
        }
        Ok(())
    }

    /// `setjmp`: goes on with 0, and from behind it again whenever `longjmp` comes here.
    pub(in crate::llvm::lower) fn comes_back_twice(
        &mut self,
        ret: TypeId,
        buffer: &Arg,
        result: Option<Local>,
    ) -> Lowered<()> {
        let at = self.pointer(&buffer.value)?;
        let registers = result.map(|result| self.result(result, ret)).transpose()?.unwrap_or_default();
        let call = self.number_of_call();
        let site = self.leaving.sites.len() as u64;
        let mut code = self.code();
        let own = code.bin(BinOp::Or, 64, Operand::Reg(call), Operand::Const(site << 1 | 1));
        code.store(at, own, 8, Order::Na);
        let behind = code.f.label();
        registers.iter().for_each(|&dst| code.f.push(Instr::Set { dst, src: Operand::Const(0) }));
        code.f.place(behind);
        self.leaving.sites.push((behind, registers));
        Ok(())
    }

    /// A number that no other call has that runs.
    fn number_of_call(&mut self) -> Reg {
        let call = match self.leaving.call {
            Some(call) => call,
            None => *self.leaving.call.insert(self.f.reg()),
        };
        let (first, on) = (self.f.label(), self.f.label());
        let mut code = self.code();
        code.inner_branch(Operand::Reg(call), on, first);
        code.f.place(first);
        let before = words::read(&mut code, JUMPS);
        let number = code.bin(BinOp::Add, 64, before, Operand::Const(1));
        code.f.push(Instr::WriteWord { word: JUMPS, value: number });
        let thread = code.f.reg();
        code.f.push(Instr::ThreadSelf { dst: thread });
        let thread = code.bin(BinOp::Shl, 64, Operand::Reg(thread), Operand::Const(THREAD_AT));
        let number = code.bin(BinOp::Shl, 64, number, Operand::Const(CALL_AT));
        code.f.push(Instr::Bin { dst: call, op: BinOp::Or, bits: 64, a: thread, b: number });
        code.f.place(on);
        call
    }

    /// Where calls are left: goes on behind the `setjmp` that is meant, or returns.
    pub(in crate::llvm::lower) fn write_exit(&mut self) {
        let Some(exit) = self.leaving.exit else { return };
        self.f.place(exit);
        let Leaving { sites, call, .. } = std::mem::take(&mut self.leaving);
        if let Some(call) = call {
            let goes = words::read(&mut self.code(), UNWINDING);
            for (site, (behind, registers)) in sites.into_iter().enumerate() {
                let (here, next) = (self.f.label(), self.f.label());
                let mut code = self.code();
                let own = code.bin(BinOp::Or, 64, Operand::Reg(call), Operand::Const((site as u64) << 1 | 1));
                let is_meant = code.bin(BinOp::Eq, 64, goes, own);
                code.branch(is_meant, here, next);
                code.f.place(here);
                code.f.push(Instr::WriteWord { word: UNWINDING, value: Operand::Const(0) });
                let value = words::read(&mut code, JUMPED);
                registers.iter().for_each(|&dst| code.f.push(Instr::Set { dst, src: value }));
                code.jump(behind);
                code.f.place(next);
            }
        }
        match self.source.name.as_str() {
            "main" => words::nobody_lands(&mut self.code(), "`main`"),
            _ => {
                self.end_variables();
                self.f.push(Instr::Return { value: None });
            }
        }
    }
}
