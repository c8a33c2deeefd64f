//! Errors of the program under test that show in one thread.

/// Why an address cannot be accessed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum BadAccess {
    /// Address 0 or close to it.
    Null,
    /// No object there.
    Wild,
    /// Starts inside an object and runs over its end.
    OutOfBounds,
    /// The object's life has ended.
    Freed,
    /// The function whose variable it was has returned.
    Returned,
    /// Not at a multiple of the size.
    Misaligned,
    /// A write to constant memory.
    ReadOnly,
    /// Overlaps a location of another size.
    MixedSize,
    /// `free` of something that was not allocated, or not its start.
    NotAllocated,
    /// `free` of memory that is free.
    DoubleFree,
}

/// An error of the program.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum Fault {
    /// `assert` or a like check failed.
    Assertion(String),
    /// Division by zero or overflowing signed division.
    Division,
    /// A call through a value that is no function.
    BadCall(u64),
    /// An access outside a frame-private array.
    LocalBounds,
    /// An access beyond the end of this frame-private array.
    LocalOverrun(String),
    /// A read of this variable, which nothing was written to.
    Uninitialised(String),
    /// A bad memory access: what, at which address, how many bytes, whether a write.
    Memory(BadAccess, u64, u8, bool),
    /// Signed arithmetic whose result does not fit.
    Overflow(&'static str),
    /// The program ends with another code than 0.
    ExitCode,
    /// A lock or the like is used as it must not be.
    Lock(&'static str),
    /// A join with something that is no thread.
    BadJoin(u64),
    /// Something that hmc cannot run.
    Unsupported(String),
    /// The stack of calls grew past its limit.
    StackOverflow,
}

impl Fault {
    /// Whether it says something about hmc rather than about the program.
    pub fn is_unsupported(&self) -> bool {
        matches!(self, Fault::Unsupported(_) | Fault::StackOverflow | Fault::Memory(BadAccess::MixedSize, ..))
    }
}
