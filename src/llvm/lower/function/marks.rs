//! Calls that a specification speaks of.

use super::FunctionLowering;
use crate::llvm::ir::{self};
use crate::program::*;

impl<'l, 'm> FunctionLowering<'l, 'm> {
    /// The function's place among the operations that are marked.
    pub(super) fn marked(&self) -> Option<u32> {
        let source = self.source;
        let shown = source.debug.and_then(|d| self.module.module.metadata.name(d));
        let is_it = |name: &String| *name == source.name || shown == Some(name);
        self.module.cx.builder.program.operations.iter().position(is_it).map(|at| at as u32)
    }

    pub(super) fn mark(&mut self, operation: u32, told: Told, value: Operand) {
        self.f.next_group();
        self.f.push(Instr::Mark { mark: Mark { operation, told }, value });
    }

    /// Tells that an operation begins, and its arguments.
    pub(super) fn mark_call(&mut self) {
        let Some(operation) = self.marked() else { return };
        self.mark(operation, Told::Call, Operand::Const(0));
        for param in &self.source.params {
            let is_pointer = matches!(self.module.module.types.get(param.ty), ir::Type::Ptr);
            let told = if is_pointer { Told::Address } else { Told::Number };
            for value in self.values[&param.local].clone() {
                self.mark(operation, told, value);
            }
        }
    }

    /// Tells that it has ended, and its result.
    pub(super) fn mark_return(&mut self, values: &[Operand]) {
        let Some(operation) = self.marked() else { return };
        for &value in values {
            self.mark(operation, Told::Result, value);
        }
        self.mark(operation, Told::Return, Operand::Const(0));
    }
}
