//! Register operands and `k(rs)` addresses of the architectures whose registers have one width.

use super::asm::{Lowering, constant};
use super::operand::{Fault, Operand as Arg};
use crate::program::{BinOp, Join, Operand};

/// The canonical name of a register operand.
pub fn reg(at: &Lowering, arg: Option<&Arg>) -> Result<String, Fault> {
    match arg {
        Some(Arg::Name(name)) => {
            at.arch.register(name).ok_or_else(|| Fault::Operands(format!("`{name}` is not a register")))
        }
        _ => Err(Fault::Operands("expected a register".to_owned())),
    }
}

/// Its value.
pub fn read(at: &mut Lowering, arg: Option<&Arg>) -> Result<Operand, Fault> {
    let name = reg(at, arg)?;
    Ok(if at.arch.zero_register() == Some(&name) { constant(0) } else { at.get(&name) })
}

/// Assigns to a register; the one that is always zero stays so.
pub fn write(at: &mut Lowering, name: &str, value: Operand) {
    if at.arch.zero_register() != Some(name) {
        at.set(name, value);
    }
}

/// The address `k(rs)`, of 64 bits.
pub fn based(at: &mut Lowering, args: &[Arg]) -> Result<Operand, Fault> {
    match args {
        [Arg::Based(offset, inner)] if inner.len() == 1 => {
            let offset = match offset.as_deref() {
                None => 0,
                Some(Arg::Immediate(k)) => *k,
                Some(_) => return Err(Fault::form("k(rs)")),
            };
            let base = read(at, inner.first())?;
            Ok(at.offset(64, base, offset))
        }
        _ => Err(Fault::form("k(rs)")),
    }
}

/// A conditional jump on `wanted` operands, the second of them zero when there is only one; unconditional when there is none. Nothing
/// when there are more or fewer.
pub fn compare_and_branch(
    at: &mut Lowering,
    op: BinOp,
    operands: &[Arg],
    wanted: usize,
    label: &str,
) -> Option<Result<(), Fault>> {
    if operands.len() != wanted {
        return None;
    }
    let mut branch = || {
        let label = at.label(label);
        if wanted == 0 {
            at.jump(label);
            return Ok(());
        }
        let a = read(at, operands.first())?;
        let b = if wanted == 2 { read(at, operands.get(1))? } else { constant(0) };
        let cond = at.bin(op, 64, a, b);
        at.branch(cond, label, Join::Never);
        Ok(())
    };
    Some(branch())
}

/// The only operand, which is a label.
pub fn label<'a>(args: &'a [Arg], form: &str) -> Result<&'a str, Fault> {
    match args {
        [Arg::Name(label)] => Ok(label),
        _ => Err(Fault::form(form)),
    }
}

/// A call: the link register gets the address of the next instruction.
pub fn call(at: &mut Lowering, link: &str, name: &str) {
    let back = at.next_address();
    write(at, link, back);
    let label = at.label(name);
    at.jump(label);
}

/// A jump to the address in a register; a call when there is a link register.
pub fn jump_through(at: &mut Lowering, target: &str, link: Option<&str>, may_end: bool) {
    let value = at.get(target);
    let value = at.copy(value);
    if let Some(link) = link {
        let back = at.next_address();
        write(at, link, back);
    }
    at.jump_to_address(value, may_end);
}
