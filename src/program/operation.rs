//! What single instructions are to the user of a library, where that is more than the access itself: taking a lock,
//! initialising a mutex, copying a block. Front ends mark instructions with it (see [`super::FunctionBuilder::mark`]); neither the
//! interpreter nor a model looks at it. What is said about misuse comes from it.

use crate::ids::{SpanId, ThreadId};

/// The kind of an object of the thread library.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Primitive {
    /// A lock of the model's own primitives.
    Lock,
    /// A mutex of POSIX.
    Mutex,
    /// A mutex of `<threads.h>`.
    PlainMutex,
    /// A spin lock.
    Spin,
    /// A reader-writer lock.
    ReaderWriter,
    /// A condition variable of POSIX.
    Condition,
    /// A condition variable of `<threads.h>`.
    PlainCondition,
    /// A barrier.
    Barrier,
    /// A semaphore.
    Semaphore,
}

impl Primitive {
    /// As in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Primitive::Lock => "lock",
            Primitive::Mutex | Primitive::PlainMutex => "mutex",
            Primitive::Spin => "spin lock",
            Primitive::ReaderWriter => "reader-writer lock",
            Primitive::Condition | Primitive::PlainCondition => "condition variable",
            Primitive::Barrier => "barrier",
            Primitive::Semaphore => "semaphore",
        }
    }

    /// Whether an object of this kind may begin its life as zero memory. Those of the others have no static initialiser.
    pub fn begins_as_zero(self) -> bool {
        matches!(self, Primitive::Lock | Primitive::Mutex | Primitive::ReaderWriter | Primitive::Condition)
    }

    /// Whether it is a condition variable.
    pub fn is_condition(self) -> bool {
        matches!(self, Primitive::Condition | Primitive::PlainCondition)
    }
}

/// What an instruction does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Operation {
    /// A store that initialises an object.
    Initialise(Primitive),
    /// A store that ends the life of an object.
    Destroy(Primitive),
    /// A store that takes a lock for one thread.
    Acquire(Primitive),
    /// A store that takes a lock that several threads may hold together.
    Share(Primitive),
    /// A store that gives a lock back that was taken in either way.
    Release(Primitive),
    /// A store that uses an object which nobody holds.
    Use(Primitive),
    /// A load that looks at the state of an object, whatever comes of that.
    Look(Primitive),
    /// A load of a block copy, which may copy what was never written.
    Copy,
    /// A store of a block copy: it writes what a `Copy` before it has put into the register, and nothing else puts something there.
    Paste,
}

impl Operation {
    /// Whether it is a load; the others are stores.
    pub fn is_load(self) -> bool {
        matches!(self, Operation::Look(_) | Operation::Copy)
    }
}

/// An operation of a single-threaded part of a program, which makes no events.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Done {
    /// What.
    pub operation: Operation,
    /// By whom.
    pub thread: ThreadId,
    /// On the object at this address.
    pub address: u64,
    /// The value read or written.
    pub value: u64,
    /// Whether nothing was written there before.
    pub undefined: bool,
    /// Where.
    pub span: SpanId,
}
