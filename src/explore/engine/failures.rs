//! Failed assertions, and what would have happened without what comes behind them.
//!
//! A thread ends where its assertion fails. It is run on all the same, because a model may forbid what led there only when it sees what comes later: a
//! critical section that the failure would have cut short forbids more once it is closed. What anybody got to only because a thread was run on does not
//! happen: neither the failure of another thread, nor, where program order and reads-from may have a cycle, its own.

use crate::graph::Graph;
use crate::graph::prefix::{PrefixKind, extend};
use crate::ids::ThreadId;
use crate::program::deps::DepTable;
use crate::program::thread::Failure;
use crate::relation::bits::Bits;
use smallvec::SmallVec;
use std::sync::Arc;

/// The failed assertions of an execution, at most one a thread.
pub(crate) struct Failures(SmallVec<[(ThreadId, Arc<Failure>); 1]>);

impl Failures {
    pub fn of(graph: &Graph) -> Failures {
        let lanes = graph.lanes().iter().enumerate();
        Failures(lanes.filter_map(|(t, lane)| Some((ThreadId::at(t), lane.thread.as_ref()?.failed.clone()?))).collect())
    }

    pub fn are_there(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether some thread was run on behind its failure.
    pub fn are_passed(&self, graph: &Graph) -> bool {
        self.0.iter().any(|(t, failure)| graph.lane(*t).order.len() > failure.events as usize)
    }

    /// Those to which threads come when each thread ends with its own.
    pub fn that_happen(&self, graph: &Graph, deps: &DepTable) -> SmallVec<[(ThreadId, Arc<Failure>); 1]> {
        let happens =
            |(t, failure): &&(ThreadId, Arc<Failure>)| !self.is_owed_to_later(graph, deps, *t, failure.events as usize);
        self.0.iter().filter(happens).cloned().collect()
    }

    /// Whether a thread comes to its own failure, or else to where it stands, when each thread ends with its own failure.
    pub fn let_come(&self, graph: &Graph, deps: &DepTable, t: ThreadId) -> bool {
        let own = self.0.iter().find(|(u, _)| *u == t).map(|(_, failure)| failure.events as usize);
        !self.is_owed_to_later(graph, deps, t, own.unwrap_or(graph.lane(t).done))
    }

    /// Whether a thread had its first events only because some thread went on behind its failure.
    fn is_owed_to_later(&self, graph: &Graph, deps: &DepTable, t: ThreadId, events: usize) -> bool {
        if !self.are_there() {
            return false;
        }
        let Some(&last) = graph.lane(t).order[..events].last() else { return false };
        let mut before = Bits::new();
        extend(graph, deps, PrefixKind::ProgramOrder, last, &mut before, &mut Vec::new());
        let is_needed = |(u, failure): &(ThreadId, Arc<Failure>)| {
            graph.lane(*u).order[failure.events as usize..].iter().any(|e| before.contains(e.0))
        };
        self.0.iter().any(is_needed)
    }
}
