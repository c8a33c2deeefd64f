//! Arithmetic of the register machine: pure functions on 64-bit patterns.

use super::instr::{BinOp, UnOp};

/// Keeps the low `bits` bits.
#[inline]
pub fn truncate(value: u64, bits: u8) -> u64 {
    if bits >= 64 { value } else { value & ((1 << bits) - 1) }
}

/// Sign-extends from `bits` bits.
#[inline]
pub fn sign_extend(value: u64, bits: u8) -> i64 {
    if bits == 0 || bits >= 64 {
        return value as i64;
    }
    let shift = 64 - u32::from(bits);
    ((value << shift) as i64) >> shift
}

/// `a op b` on the low `bits` bits; `None` for a division by zero (or the overflowing signed division).
pub fn binary(op: BinOp, bits: u8, a: u64, b: u64) -> Option<u64> {
    use BinOp::*;
    let (ua, ub) = (truncate(a, bits), truncate(b, bits));
    let (sa, sb) = (sign_extend(a, bits), sign_extend(b, bits));
    let value = match op {
        Add => ua.wrapping_add(ub),
        Sub => ua.wrapping_sub(ub),
        Mul => ua.wrapping_mul(ub),
        UDiv => ua.checked_div(ub)?,
        URem => ua.checked_rem(ub)?,
        SDiv => sa.checked_div(sb)? as u64,
        SRem => sa.checked_rem(sb)? as u64,
        And => ua & ub,
        Or => ua | ub,
        Xor => ua ^ ub,
        AndNot => ua & !ub,
        Shl => {
            if ub >= u64::from(bits) {
                0
            } else {
                ua << ub
            }
        }
        LShr => {
            if ub >= u64::from(bits) {
                0
            } else {
                ua >> ub
            }
        }
        AShr => (sa >> ub.min(63)) as u64,
        Eq => u64::from(ua == ub),
        Ne => u64::from(ua != ub),
        ULt => u64::from(ua < ub),
        ULe => u64::from(ua <= ub),
        UGt => u64::from(ua > ub),
        UGe => u64::from(ua >= ub),
        SLt => u64::from(sa < sb),
        SLe => u64::from(sa <= sb),
        SGt => u64::from(sa > sb),
        SGe => u64::from(sa >= sb),
        SMin => sa.min(sb) as u64,
        SMax => sa.max(sb) as u64,
        UMin => ua.min(ub),
        UMax => ua.max(ub),
        FAdd | FSub | FMul | FDiv | FRem | FEq | FNe | FLt | FLe | FGt | FGe | FUno => float(op, bits, a, b),
    };
    Some(truncate(value, bits))
}

fn float(op: BinOp, bits: u8, a: u64, b: u64) -> u64 {
    let (x, y) = (to_float(a, bits), to_float(b, bits));
    match op {
        BinOp::FAdd => from_float(x + y, bits),
        BinOp::FSub => from_float(x - y, bits),
        BinOp::FMul => from_float(x * y, bits),
        BinOp::FDiv => from_float(x / y, bits),
        BinOp::FRem => from_float(x % y, bits),
        BinOp::FEq => u64::from(x == y),
        BinOp::FNe => u64::from(x != y),
        BinOp::FLt => u64::from(x < y),
        BinOp::FLe => u64::from(x <= y),
        BinOp::FGt => u64::from(x > y),
        BinOp::FGe => u64::from(x >= y),
        _ => u64::from(x.is_nan() || y.is_nan()),
    }
}

/// The number that a pattern of 32 or 64 bits stands for. (A 32-bit operation done in 64 bits and rounded once gives the
/// same result for the four basic operations.)
fn to_float(value: u64, bits: u8) -> f64 {
    if bits == 32 { f64::from(f32::from_bits(value as u32)) } else { f64::from_bits(value) }
}

fn from_float(value: f64, bits: u8) -> u64 {
    if bits == 32 { u64::from((value as f32).to_bits()) } else { value.to_bits() }
}

/// `op a` at width `bits`.
pub fn unary(op: UnOp, bits: u8, a: u64) -> u64 {
    let ua = truncate(a, bits);
    match op {
        UnOp::Not => truncate(!ua, bits),
        UnOp::Neg => truncate(ua.wrapping_neg(), bits),
        UnOp::Trunc => ua,
        UnOp::Sext => sign_extend(a, bits) as u64,
        UnOp::PopCount => u64::from(ua.count_ones()),
        UnOp::Clz => u64::from(ua.leading_zeros()).saturating_sub(64 - u64::from(bits)),
        UnOp::Ctz => u64::from(ua.trailing_zeros()).min(u64::from(bits)),
        UnOp::ByteSwap => ua.swap_bytes() >> (64 - u32::from(bits.clamp(8, 64))),
        UnOp::BitReverse => ua.reverse_bits() >> (64 - u32::from(bits.clamp(1, 64))),
        UnOp::FNeg => from_float(-to_float(a, bits), bits),
        UnOp::FExt => f64::from(f32::from_bits(a as u32)).to_bits(),
        UnOp::FTrunc => u64::from((f64::from_bits(a) as f32).to_bits()),
        UnOp::SToF => from_float(a as i64 as f64, bits),
        UnOp::UToF => from_float(a as f64, bits),
        UnOp::FToS => to_float(a, bits) as i64 as u64,
        UnOp::FToU => to_float(a, bits) as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_wraps_at_its_width() {
        assert_eq!(binary(BinOp::Add, 8, 255, 1), Some(0));
        assert_eq!(binary(BinOp::SLt, 32, 0xffff_ffff, 0), Some(1));
        assert_eq!(binary(BinOp::ULt, 32, 0xffff_ffff, 0), Some(0));
        assert_eq!(binary(BinOp::Shl, 32, 1, 32), Some(0));
        assert_eq!(binary(BinOp::UDiv, 32, 1, 0), None);
        assert_eq!(binary(BinOp::SDiv, 64, i64::MIN as u64, u64::MAX), None);
        assert_eq!(unary(UnOp::Sext, 8, 0x80), 0xffff_ffff_ffff_ff80);
        assert_eq!(unary(UnOp::Clz, 32, 1), 31);
        assert_eq!(unary(UnOp::Ctz, 16, 0), 16);
    }
}
