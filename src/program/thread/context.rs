//! What the interpreter works on: registers, places of events, and what it needs besides the thread.

use super::ways::Ways;
use crate::ids::{SpanId, ThreadId};
use crate::program::Program;
use crate::program::deps::{DepId, DepTable};

/// A register: a value and what it depends on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Slot {
    /// The bit pattern.
    pub value: u64,
    /// The events that it depends on.
    pub deps: DepId,
}

/// What the interpreter needs besides the thread.
pub struct Context<'a> {
    /// The program.
    pub program: &'a Program,
    /// Dependency sets.
    pub deps: &'a mut DepTable,
    /// The running thread.
    pub thread: ThreadId,
    /// Events that the thread has had so far.
    pub events: u32,
    /// How many times a loop may go round.
    pub unroll: Option<u32>,
    /// Whether idle iterations are to be noticed.
    pub detect_idle: bool,
    /// Local instructions left before the thread is cut.
    pub budget: u64,
    /// Whether a failed assertion is only noted, in `failed`, and the thread goes on.
    pub go_on: bool,
    /// The ways that the thread goes wherever what it has read leads it on, if these are chosen for it.
    pub ways: Option<&'a Ways>,
}

/// An event's place: identity within its thread, instruction instance, source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Identity within the thread.
    pub key: u64,
    /// Identity of the instruction instance within the thread.
    pub group: u64,
    /// Source position.
    pub span: SpanId,
    /// Identity, within the thread, of the access of which the instruction makes a part; 0 where it makes a whole one.
    pub access: u64,
    /// Whether more parts of that access come behind it.
    pub goes_on: bool,
}

/// What `main` is called by the program, which calls other threads by their numbers: 0 is no thread's name, as in the usual libraries.
pub const MAIN: u64 = 1 << 20;

/// The number of the thread that the program calls so; of none for 0.
pub(in crate::program) fn thread_called(name: u64) -> u64 {
    match name {
        MAIN => 0,
        0 => u64::MAX,
        number => number,
    }
}

/// What a thread at a synchronising instruction waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WaitsFor {
    /// The end of this thread.
    End(u64),
    /// So many arrivals at a barrier, in the round that it is in.
    Arrivals { barrier: u64, count: u64 },
}
