//! `hmc_observe`: values that a program shows. Each thread keeps those of its last call at a place in memory of its own, so nothing orders or races.

use super::{FunctionLowering, Lowered};
use crate::llvm::ir::{Arg, Order};
use crate::program::*;

/// Bytes of a word.
const WORD: u64 = 8;

impl<'m> FunctionLowering<'_, 'm> {
    pub(in crate::llvm::lower) fn show(&mut self, args: &'m [Arg]) -> Lowered<()> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let bits =
                self.module.module.types.scalar_bits(arg.ty).ok_or("`hmc_observe` takes numbers and pointers")?;
            let value = self.operand(arg.ty, &arg.value)?;
            values.push(if bits < 64 { self.code().un(UnOp::Sext, bits, value) } else { value });
        }
        let address = self.shown_at(values.len() as u32);
        let mut code = self.code();
        for (i, value) in (1..).zip(values) {
            code.store(Operand::Const(address + WORD * i), value, WORD as u8, Order::Na);
        }
        code.store(Operand::Const(address), Operand::Const(1), WORD as u8, Order::Na);
        Ok(())
    }

    /// The memory of the call at this place in the source, which may have been copied.
    fn shown_at(&mut self, values: u32) -> u64 {
        let span = self.span;
        let program = &mut self.module.cx.builder.program;
        let place = program.span(span);
        let name = format!("observe@{}:{}", place.line, place.column);
        if let Some(known) = program.shown.iter().find(|shown| shown.name == name && shown.values == values) {
            return known.address;
        }
        let bytes = vec![0; (WORD * (1 + u64::from(values))) as usize];
        let object =
            Object { name: name.clone(), address: 0, bytes, cells: Vec::new(), thread_local: true, read_only: false };
        let address = self.module.cx.builder.object(object, WORD);
        self.module.cx.builder.program.shown.push(Shown { name, address, values });
        address
    }
}
