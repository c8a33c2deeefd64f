//! A C program as a tree: what is generated, and what text and steps are made of.

use crate::support::machine::Value;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    Var(usize),
    /// `a[register & 1]`
    Element(usize),
    /// What the first mutex guards, or the reader-writer lock.
    Guarded(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Order {
    Plain,
    Relaxed,
    /// Acquire or release.
    Half,
    Full,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Load(usize, Place, Order),
    Store(Place, Value, Order),
    Update(usize, Place, &'static str, Value, Order),
    /// The last says whether it is a weak one.
    Cas(usize, Place, i64, Value, Order, bool),
    Fence(&'static str),
    If(Value, Vec<Stmt>, Vec<Stmt>),
    /// Calls one of two functions through a pointer, which is in a table or not; they store the value in these variables.
    Call(Value, [usize; 2], Value, Order, bool),
    Times(i64, Vec<Stmt>),
    /// Until it is (or is not) that.
    Spin(Place, Order, bool, i64),
    /// `while (a == k || b == l);`, or `&&`.
    SpinTwo(Place, i64, Place, i64, bool, [Order; 2]),
    /// `while (a == k) if (b == l) break;`
    Peek(Place, i64, Place, i64, [Order; 2]),
    SpinLocked(Place, Vec<Stmt>),
    CasLoop(Place),
    /// The unlock happens if the value is there and not 0.
    Locked(usize, Vec<Stmt>, Option<Value>),
    TryLocked(usize, usize, Vec<Stmt>),
    ReadLocked(Vec<Stmt>),
    WriteLocked(Vec<Stmt>),
    TryRead(usize, Vec<Stmt>),
    TryWrite(usize, Vec<Stmt>),
    /// Under the first lock, waits while the variable has the value, once or in a loop.
    Wait(Place, i64, bool, Vec<Stmt>),
    /// Sets the variable, and signals, inside or behind the lock or without it.
    Notify(Place, Value, u64, bool),
    /// Adds one to what a lock guards.
    Count(usize),
    Barrier,
    Once,
    Publish(usize, Value, Order),
    Push(usize, Value),
    Follow(usize, Order, bool),
    SetLocal(Value),
    GetLocal(usize),
    Choose(usize),
    Assume(Value),
    Assert(Value, usize),
}

/// A whole program. Its `main` creates the threads, joins them, and looks at variables.
pub struct Program {
    pub threads: usize,
    /// What each thread runs, or one for all of them.
    pub bodies: Vec<Vec<Stmt>>,
    /// Whether functions look at an argument, which is the number of the thread.
    pub takes: bool,
    /// Whether threads return what they have read.
    pub returns: bool,
    /// What `main` does while they run.
    pub between: Vec<Stmt>,
    /// Whether it does that behind the first join, or before it.
    pub between_joins: bool,
    pub joins_backwards: bool,
    /// What `main` does in the end.
    pub last: Vec<Stmt>,
    /// The first mutex (or all of them) can be locked again by its owner.
    pub recursive: bool,
    /// Threads, mutexes and condition variables of C11 instead of POSIX.
    pub c11: bool,
    /// Only accesses of the strongest kind.
    pub strong: bool,
    pub pointers: bool,
    pub local: bool,
    pub barrier: bool,
}

impl Program {
    /// Whether all threads run the same function.
    pub fn is_same(&self) -> bool {
        self.bodies.len() < self.threads
    }

    /// What a thread runs.
    pub fn body(&self, thread: usize) -> &[Stmt] {
        &self.bodies[if self.is_same() { 0 } else { thread }]
    }

    /// The threads in the order in which they are joined.
    pub fn joins(&self) -> Vec<usize> {
        match self.joins_backwards {
            true => (0..self.threads).rev().collect(),
            false => (0..self.threads).collect(),
        }
    }
}
