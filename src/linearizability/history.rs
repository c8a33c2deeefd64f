//! Calls, and what orders them.

/// The most calls of one object.
pub const MOST_CALLS: usize = 64;

/// A set of calls, by bit.
pub type Calls = u64;

/// An argument of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Argument {
    /// A number.
    Number(u64),
    /// An address; and what the call has last stored there, if it has.
    Address(u64, Option<u64>),
}

/// A call of an operation.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub struct Call {
    /// The place of its operation in the specification.
    pub operation: usize,
    /// Its arguments, but for the object.
    pub arguments: Vec<Argument>,
    /// The address of the object, if there is one.
    pub object: Option<u64>,
    /// The parts of its result; nothing while it has not returned.
    pub result: Option<Vec<u64>>,
}

impl Call {
    /// The numbers that it takes.
    pub fn takes(&self) -> impl Iterator<Item = u64> {
        self.arguments.iter().filter_map(|argument| match argument {
            Argument::Number(value) => Some(*value),
            Argument::Address(..) => None,
        })
    }

    /// The values that it gives: its result, and what it stores through pointers.
    pub fn gives(&self) -> impl Iterator<Item = u64> {
        let stored = self.arguments.iter().filter_map(|argument| match argument {
            Argument::Address(_, stored) => *stored,
            Argument::Number(_) => None,
        });
        self.result.iter().flatten().copied().chain(stored)
    }
}

/// The calls of one object in one execution.
#[derive(Clone, PartialEq, Eq, Debug, Default, Hash)]
pub struct History {
    /// The calls.
    pub calls: Vec<Call>,
    /// For each call, those that have returned before it was called.
    pub before: Vec<Calls>,
    /// For each call, those whose begin is ordered before its end: what they did is seen by whoever has called it.
    pub sees: Vec<Calls>,
}

impl History {
    /// The calls that have returned.
    pub fn returned(&self) -> Calls {
        let has = |(at, call): (usize, &Call)| if call.result.is_some() { 1 << at } else { 0 };
        self.calls.iter().enumerate().map(has).sum()
    }
}
