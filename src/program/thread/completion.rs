//! What completes an action of a thread.

use std::hash::{Hash, Hasher};

/// What the end of an instruction does to its thread. (Threads carry one each: it is kept to two words.)
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Completion {
    /// What the destination gets.
    pub value: u64,
    /// What the thread calls the event.
    pub event: u32,
    /// Whether the value depends on the event.
    pub depends: bool,
    /// Whether everything later in the thread does.
    pub lasting: bool,
    /// Whether something changed that an idle iteration must not change.
    pub effect: bool,
    /// What becomes of the thread's exclusive accesses.
    pub exclusive: Exclusive,
}

impl Completion {
    /// The instruction gives a value on which nothing depends.
    pub fn of(value: u64, effect: bool) -> Completion {
        Completion { value, event: 0, depends: false, lasting: false, effect, exclusive: Exclusive::Keep }
    }
}

impl Hash for Completion {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let flags = u64::from(self.depends) | u64::from(self.lasting) << 1 | u64::from(self.effect) << 2;
        state.write_u64(self.value);
        state.write_u64(u64::from(self.event) | flags << 32 | (self.exclusive as u64) << 35);
    }
}

/// How an event changes which exclusive accesses pair up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exclusive {
    /// Not at all.
    Keep,
    /// It is a load-exclusive.
    Load,
    /// It is a store-exclusive.
    Store,
}
