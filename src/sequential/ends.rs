//! How single-threaded parts end, what is chosen in them, and what they tell.

use crate::ids::SpanId;
use crate::program::Mark;
use crate::program::fault::Fault;

/// The choices made by `nondet` calls of a single-threaded part, enumerated like an odometer.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    taken: Vec<(usize, usize)>,
    next: usize,
}

impl Choices {
    pub(super) fn pick(&mut self, alternatives: usize) -> usize {
        if self.next == self.taken.len() {
            self.taken.push((0, alternatives));
        }
        self.next += 1;
        self.taken[self.next - 1].0
    }

    /// A number for this combination among those of the program.
    pub fn name(&self) -> u64 {
        self.taken.iter().fold(0, |name, &(i, n)| name.wrapping_mul(n as u64 + 1).wrapping_add(i as u64))
    }

    /// Goes to the next combination; `false` when all were taken.
    pub fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((i, n)) = self.taken.pop() {
            if i + 1 < n {
                self.taken.push((i + 1, n));
                return true;
            }
        }
        false
    }
}

/// How a single-threaded part ended.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// At the creation of a thread.
    Spawn,
    /// The thread (or the program) ended.
    Finished,
    /// It waits for something that nobody can change.
    Stuck,
    /// An assumption failed.
    Assumed,
    /// A bound was reached, or the user wants an end.
    Cut,
    /// An error.
    Fault(Fault),
    /// Before the first event that plays a part after a crash, or behind the barrier.
    Survives,
    /// A recovery: at a read of memory that survives, of which it is open what it holds.
    Asks(u64, u8),
    /// A recovery: at a choice among these values.
    Chooses(Box<[u64]>),
}

/// What a single-threaded part told of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Marked {
    /// What it is.
    pub mark: Mark,
    /// The value told.
    pub value: u64,
    /// Where.
    pub span: SpanId,
}
