//! Calls of functions that write output. Nothing is printed, but the texts that would be are read, and output is taken to succeed.

use super::{FunctionLowering, Lowered};
use crate::llvm::ir::{Arg, Local};
use crate::llvm::library::texts::{printing, strings};
use crate::program::*;

impl<'m> FunctionLowering<'_, 'm> {
    pub(in crate::llvm::lower) fn output(&mut self, name: &str, args: &'m [Arg], result: Option<Local>) -> Lowered<()> {
        let format = printing::format(name).and_then(|at| Some((at, self.text(&args.get(at)?.value).ok()?)));
        if format.as_ref().is_some_and(|(_, format)| printing::writes(format)) {
            return Err(format!("`%n` in a format of `{name}` is not supported: how long the output is, is not known"));
        }
        let texts: Vec<usize> = match (name, &format) {
            ("puts" | "puts_unlocked" | "fputs", _) => vec![0],
            (_, Some((at, format))) => printing::texts(format).into_iter().map(|n| at + 1 + n).collect(),
            _ => Vec::new(),
        };
        for text in texts.into_iter().filter_map(|n| args.get(n)) {
            // A constant is there; nobody else can reach a variable that is not in memory.
            if self.text(&text.value).is_err() && self.promotion.private(&text.value).is_none() {
                let address = self.operand(text.ty, &text.value)?;
                strings::length(&mut self.code(), address);
            }
        }
        let Some(result) = result.filter(|result| self.last_use.contains_key(result)) else { return Ok(()) };
        let value = match (name, args) {
            ("putchar" | "putchar_unlocked" | "putc" | "fputc", [character, ..]) => {
                let character = self.operand(character.ty, &character.value)?;
                self.code().un(UnOp::Trunc, 8, character)
            }
            ("fwrite", [_, size, count, _]) => {
                let (size, count) = (self.operand(size.ty, &size.value)?, self.operand(count.ty, &count.value)?);
                let dst = self.f.reg();
                self.f.push(Instr::Select { dst, cond: size, a: count, b: Operand::Const(0), on_cond: true });
                Operand::Reg(dst)
            }
            // Any number that is not negative.
            ("puts" | "puts_unlocked" | "fputs", _) => Operand::Const(1),
            ("fflush" | "setvbuf", _) => Operand::Const(0),
            _ => match format {
                Some((_, format)) if !format.contains('%') => Operand::Const(format.len() as u64),
                _ => return Err(format!("how long the output of `{name}` is, which is used here, is not known")),
            },
        };
        self.module.cx.note("output always succeeds");
        self.set_result(Some(result), Some(value))
    }
}
