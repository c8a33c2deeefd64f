//! Functions that wait.
//!
//! - [`locks`]: mutexes, spin locks, reader-writer locks, barriers.
//! - [`conditions`], [`semaphores`], [`futex`].
//! - [`once`]: what is done once, by the thread that comes first.
//! - [`clocks`]: time, and timed waits; [`timed`]: those for reader-writer locks.

pub mod clocks;
pub mod conditions;
pub mod futex;
pub mod locks;
pub mod once;
pub mod semaphores;
pub mod timed;
