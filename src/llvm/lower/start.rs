//! What runs before `main` and behind it: constructors and the dynamic initialisation of C++, and functions registered to run at the end.
//!
//! A program that has such functions begins in one that calls them around `main`. The C library calls what was registered last first, then the
//! destructors, of which those with the highest priority number come first: the reverse of the constructors' order.

use super::Lowering;
use super::function::code::Code;
use crate::ids::FuncId;
use crate::llvm::ir::Value;
use crate::llvm::library::handlers;
use crate::program::{Callee, FunctionBuilder, Instr, Operand};

/// The functions to call, and the one that ends the program, once their bodies can be written.
pub(super) struct Around {
    before: Vec<FuncId>,
    behind: Vec<FuncId>,
    end: Option<FuncId>,
}

impl Around {
    /// Looks for such functions. An error says what is not understood.
    pub(super) fn of(lowering: &mut Lowering<'_>) -> Result<Around, String> {
        let before = listed(lowering, "llvm.global_ctors")?;
        let mut behind = listed(lowering, "llvm.global_dtors")?;
        behind.reverse();
        let registers = handlers::REGISTERING.iter().any(|name| lowering.module.uses_library(name));
        let has_end = registers || !behind.is_empty();
        // Declared before the calls of `exit` are lowered, which look for it.
        let end = has_end.then(|| lowering.cx.builder.declare(handlers::END));
        Ok(Around { before, behind, end })
    }

    /// Writes the functions; gives back the one that the program begins in.
    pub(super) fn write(self, lowering: &mut Lowering<'_>, main: FuncId, params: usize) -> FuncId {
        if let Some(end) = self.end {
            let mut f = FunctionBuilder::new(handlers::END, 0);
            let mut code = Code { f: &mut f, cx: &mut lowering.cx };
            handlers::run_all(&mut code);
            for function in self.behind {
                code.call(Callee::Direct(function), Vec::new(), None);
            }
            code.f.push(Instr::Return { value: None });
            lowering.cx.builder.define(end, f.finish_tidy());
        }
        if self.end.is_none() && self.before.is_empty() {
            return main;
        }
        // To the user, this is `main` as well.
        let first = lowering.cx.builder.declare("main");
        let mut f = FunctionBuilder::new("main", 0);
        let mut code = Code { f: &mut f, cx: &mut lowering.cx };
        for function in self.before {
            code.call(Callee::Direct(function), Vec::new(), None);
        }
        code.call(Callee::Direct(main), vec![Operand::Const(0); params], None);
        if let Some(end) = self.end {
            code.call(Callee::Direct(end), Vec::new(), None);
        }
        code.f.push(Instr::Return { value: None });
        lowering.cx.builder.define(first, f.finish_tidy());
        first
    }
}

/// The functions in one of LLVM's lists, those with the lowest priority number first.
fn listed(lowering: &mut Lowering<'_>, list: &str) -> Result<Vec<FuncId>, String> {
    let module = lowering.module;
    let Some(global) = module.globals.iter().find(|g| g.name == list) else { return Ok(Vec::new()) };
    let unknown = || format!("`{list}` is not the list of functions that it should be");
    let mut found = Vec::new();
    match &global.init {
        Some(Value::Aggregate(entries)) => {
            for (_, entry) in entries {
                let Value::Aggregate(parts) = entry else { return Err(unknown()) };
                match &parts[..] {
                    [(_, priority), (_, Value::Global(name)), ..] => {
                        let priority = lowering.constant(priority, 0).ok_or_else(unknown)?;
                        found.push((priority, lowering.function(name)));
                    }
                    _ => return Err(unknown()),
                }
            }
        }
        None | Some(Value::Zero) => {}
        Some(_) => return Err(unknown()),
    }
    found.sort_by_key(|&(priority, _)| priority);
    Ok(found.into_iter().map(|(_, function)| function).collect())
}
