//! Where the ways of a branch meet, and what differs there.

use super::arith;
use super::instr::{BinOp, Operand, Pc, Reg, UnOp};

/// How to compute an address from registers.
#[derive(Clone, PartialEq, Debug)]
pub enum Address {
    /// This value.
    Is(Operand),
    /// Of two.
    Bin(BinOp, u8, Box<(Address, Address)>),
    /// Of one.
    Un(UnOp, u8, Box<Address>),
}

impl Address {
    /// Its value, given those of registers.
    pub fn value(&self, get: &impl Fn(Operand) -> u64) -> Option<u64> {
        Some(match self {
            Address::Is(operand) => get(*operand),
            Address::Bin(op, bits, both) => arith::binary(*op, *bits, both.0.value(get)?, both.1.value(get)?)?,
            Address::Un(op, bits, of) => arith::unary(*op, *bits, of.value(get)?),
        })
    }
}

/// Where the ways of a branch, or of a call through a pointer, meet, and what differs there.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Meeting {
    /// The branch.
    pub branch: Pc,
    /// Where its ways meet; `None`: where the function is left.
    pub at: Option<Pc>,
    /// Whether everything behind it depends on it, since the thread may end on one of the ways. (Of calls; a branch says so itself.)
    pub lasts: bool,
    /// Registers.
    pub registers: Box<[Reg]>,
    /// Frame-private memory: first and last offset.
    pub locals: Box<[(u32, u32)]>,
    /// Plain memory.
    pub memory: Box<[Address]>,
    /// Which of the scalars that the function returns, where it is left.
    pub results: u64,
}

impl Meeting {
    pub(super) fn differs(&self) -> bool {
        !(self.registers.is_empty() && self.locals.is_empty() && self.memory.is_empty()) || self.results != 0
    }
}
