//! A search that only runs the threads, to see which events there are.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::search::Search;
use crate::graph::Graph;
use crate::ids::EventId;
use crate::program::deps::DepTable;

/// Why a search ends before it has seen everything.
pub(super) enum Ended {
    /// A time limit or an interrupt wants it, or nobody wants to know any more.
    Stopped,
    /// The visitor wants it.
    Sated,
    /// The program is not what it was taken for.
    Unsuitable,
}

/// A search that only runs the threads, to see which events there are.
pub(super) type Threads<'a, 'p> = Search<'a, 'p, Anything>;

/// Allows every graph.
pub(super) struct Anything;

impl Checker for Anything {
    fn another(&self) -> Self {
        Anything
    }

    fn load(&mut self, _: &Graph, _: &DepTable) {}

    fn push(&mut self) {}

    fn pop(&mut self) {}

    fn add(&mut self, _: &Graph, _: &DepTable, _: EventId) {}

    fn is_consistent(&mut self) -> bool {
        true
    }

    fn is_consistent_when_complete(&mut self) -> bool {
        true
    }
}
