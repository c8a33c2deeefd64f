//! What all library functions are written with.

use crate::ids::FuncId;
use crate::llvm::lower::function::code::Code;
use crate::program::{FunctionBuilder, Operand};

/// Writes a library function's effect; the operands are its arguments.
pub type Emit = fn(&mut Code<'_, '_>, &[Operand]) -> Option<Operand>;

/// An argument; 0 when a program without a prototype passes too few.
pub fn arg(args: &[Operand], n: usize) -> Operand {
    args.get(n).copied().unwrap_or(Operand::Const(0))
}

/// The error of an argument that makes no sense.
pub const INVALID: u64 = 22;

/// The usual result of a function that cannot fail.
pub const SUCCESS: Option<Operand> = Some(Operand::Const(0));

/// A function of the library, written when it is first used.
pub fn own_function(code: &mut Code<'_, '_>, name: &str, params: u32, body: impl FnOnce(&mut Code<'_, '_>)) -> FuncId {
    match code.cx.own_functions.iter().find(|(known, _)| known == name) {
        Some(&(_, id)) => id,
        None => {
            let id = define(code, name, params, body);
            code.cx.own_functions.push((name.to_owned(), id));
            id
        }
    }
}

/// A new function of the library.
pub fn define(code: &mut Code<'_, '_>, name: &str, params: u32, body: impl FnOnce(&mut Code<'_, '_>)) -> FuncId {
    let id = code.cx.builder.declare(name);
    let mut f = FunctionBuilder::new(name, params);
    body(&mut Code { f: &mut f, cx: code.cx });
    code.cx.builder.define(id, f.finish_tidy());
    id
}
