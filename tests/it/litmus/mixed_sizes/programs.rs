//! Random straight programs of two threads that access two variables in different sizes.

use crate::support::random::Rng;

/// Bytes of a variable.
pub const SIZE: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Load,
    Store,
    /// Writes and gives what was there.
    Exchange,
    Fence,
}

/// What one instruction does.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub kind: Kind,
    /// `x` or `y`.
    pub variable: usize,
    pub offset: usize,
    pub size: usize,
    /// What is written: the same byte everywhere.
    pub value: u64,
    pub order: Order,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub threads: Vec<Vec<Access>>,
}

pub const VARIABLES: [&str; 2] = ["x", "y"];

/// The order that an access has in C.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    Relaxed,
    Acquire,
    Release,
    Strong,
}

impl Order {
    pub fn c(self) -> &'static str {
        match self {
            Order::Relaxed => "__ATOMIC_RELAXED",
            Order::Acquire => "__ATOMIC_ACQUIRE",
            Order::Release => "__ATOMIC_RELEASE",
            Order::Strong => "__ATOMIC_SEQ_CST",
        }
    }

    pub fn of_load(self) -> &'static str {
        if self == Order::Release { Order::Relaxed.c() } else { self.c() }
    }

    pub fn of_store(self) -> &'static str {
        if self == Order::Acquire { Order::Relaxed.c() } else { self.c() }
    }

    pub fn of_fence(self) -> &'static str {
        if self == Order::Relaxed { Order::Acquire.c() } else { self.c() }
    }
}

impl Access {
    pub fn reads(&self) -> bool {
        matches!(self.kind, Kind::Load | Kind::Exchange)
    }

    pub fn writes(&self) -> bool {
        matches!(self.kind, Kind::Store | Kind::Exchange)
    }

    /// The bytes that it accesses, among those of all variables.
    pub fn bytes(&self) -> std::ops::Range<usize> {
        let first = self.variable * SIZE + self.offset;
        if self.kind == Kind::Fence { first..first } else { first..first + self.size }
    }

    /// The byte that it writes to a place.
    pub fn byte(&self, place: usize) -> u8 {
        (self.value >> (8 * (place - self.bytes().start))) as u8
    }
}

impl Program {
    /// `swaps`: with exchanges.
    pub fn random(rng: &mut Rng, accesses: u64, sizes: &[usize], swaps: bool) -> Program {
        let mut threads = vec![Vec::new(), Vec::new()];
        let widest = sizes.iter().copied().max().unwrap_or(1);
        for written in 1..=accesses.min(8) {
            let size = sizes[rng.below(sizes.len() as u64) as usize];
            let offset = size * rng.below((widest / size) as u64) as usize;
            let kind = match rng.below(if swaps { 10 } else { 9 }) {
                0..4 => Kind::Load,
                4..8 => Kind::Store,
                8 => Kind::Fence,
                _ => Kind::Exchange,
            };
            // Most accesses meet at one variable.
            let variable = usize::from(rng.below(4) == 0);
            let value = (0..size).fold(0, |value, _| value << 8 | written);
            let order = [Order::Relaxed, Order::Acquire, Order::Release, Order::Strong][rng.below(4) as usize];
            threads[rng.below(2) as usize].push(Access { kind, variable, offset, size, value, order });
        }
        Program { threads }
    }
}
