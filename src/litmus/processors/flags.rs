//! The flags N, Z, C and V of the ARM architectures: four registers, so that a condition depends on those only that it mentions.

use super::asm::{Lowering, constant};
use crate::program::{BinOp, Operand, UnOp};

/// The value of a condition, from the flags that it mentions only.
pub fn condition(at: &mut Lowering, name: &str) -> Option<Operand> {
    let mut flag = |f: &str| at.get(f);
    let plain = match name {
        "eq" => flag("?Z"),
        "cs" | "hs" => flag("?C"),
        "mi" => flag("?N"),
        "vs" => flag("?V"),
        "al" => constant(1),
        "ne" | "cc" | "lo" | "pl" | "vc" | "ge" | "lt" | "gt" | "le" | "hi" | "ls" => constant(0),
        _ => return None,
    };
    if plain != constant(0) {
        return Some(plain);
    }
    let (n, z, c, v) = (flag("?N"), flag("?Z"), flag("?C"), flag("?V"));
    Some(match name {
        "ne" => at.bin(BinOp::Eq, 64, z, constant(0)),
        "cc" | "lo" => at.bin(BinOp::Eq, 64, c, constant(0)),
        "pl" => at.bin(BinOp::Eq, 64, n, constant(0)),
        "vc" => at.bin(BinOp::Eq, 64, v, constant(0)),
        "ge" => at.bin(BinOp::Eq, 64, n, v),
        "lt" => at.bin(BinOp::Ne, 64, n, v),
        "gt" | "le" => {
            let less = at.bin(BinOp::Ne, 64, n, v);
            let le = at.bin(BinOp::Or, 64, less, z);
            if name == "le" { le } else { at.bin(BinOp::Eq, 64, le, constant(0)) }
        }
        _ => {
            let below = at.bin(BinOp::Eq, 64, c, constant(0));
            let ls = at.bin(BinOp::Or, 64, below, z);
            if name == "ls" { ls } else { at.bin(BinOp::Eq, 64, ls, constant(0)) }
        }
    })
}

/// Sets the flags as an addition (`op` is `Add`), a subtraction or a logical operation does.
pub fn flags(at: &mut Lowering, op: BinOp, bits: u8, a: Operand, b: Operand, result: Operand) {
    let negative = at.bin(BinOp::SLt, bits, result, constant(0));
    at.set("?N", negative);
    let zero = at.bin(BinOp::Eq, bits, result, constant(0));
    at.set("?Z", zero);
    let (carry, overflow) = match op {
        BinOp::Add | BinOp::Sub => {
            let carry =
                if op == BinOp::Sub { at.bin(BinOp::UGe, bits, a, b) } else { at.bin(BinOp::ULt, bits, result, a) };
            let sides = at.bin(BinOp::Xor, bits, a, b);
            let sides = if op == BinOp::Sub { sides } else { at.un(UnOp::Not, bits, sides) };
            let changed = at.bin(BinOp::Xor, bits, a, result);
            let both = at.bin(BinOp::And, bits, sides, changed);
            (carry, at.bin(BinOp::SLt, bits, both, constant(0)))
        }
        _ => (constant(0), constant(0)),
    };
    at.set("?C", carry);
    at.set("?V", overflow);
}
