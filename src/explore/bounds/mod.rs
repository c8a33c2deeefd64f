//! Bounds on interleavings: executions that some interleaving shows with few preemptions, or in few rounds.
//!
//! A *preemption* is a switch away from a thread that could go on: not one that has ended, or waits at a join, a lock or a barrier. In a *round* each thread in turn, by number, runs as far as it can;
//! rounds count beyond the first. The bound of an execution is the least number over all interleavings that are its linearizations.
//!
//! - [`bound`]: what is asked for.
//! - [`interleavings`]: what comes before what in every linearization, and which steps a thread waits at.
//! - [`preemptions`], [`rounds`]: the two measures.
//! - [`pruning`]: graphs from which no execution within the bound is reached (Marmanis, Kokologiannakis, Vafeiadis, TACAS 2023, have a slack in its place).
//!
//! `docs/bounds.md` has the definition and argues that nothing within the bound is lost.

pub mod bound;
pub mod interleavings;
pub mod preemptions;
pub mod pruning;
pub mod rounds;

pub use bound::{Bound, Measure};

use crate::explore::visitor::Execution;
use crate::graph::Graph;
use crate::program::Program;
use interleavings::{Interleavings, Order};

impl Bound {
    /// Of a complete execution. `None`: more than the bound, or no interleaving is a linearization.
    pub fn measured(self, execution: &Execution<'_, '_>) -> Option<u32> {
        let Execution { graph, world, all_joined, .. } = *execution;
        let whole: Vec<usize> = graph.lanes().iter().map(|lane| lane.order.len()).collect();
        let of = |order| Interleavings::of(graph, world.program, &whole, order, all_joined);
        // Where no interleaving explains what is read, sources only are before what reads them.
        let all = of(Order::Memory);
        if all.exist() { self.least(&all) } else { self.least(&of(Order::Sources)) }
    }

    /// The least number, if it is not above the bound and there are interleavings.
    fn least(self, interleavings: &Interleavings) -> Option<u32> {
        match self.measure {
            Measure::Preemptions => preemptions::least(interleavings, self.most),
            Measure::Rounds => rounds::least(interleavings).filter(|&rounds| rounds <= self.most),
        }
    }

    /// Whether every execution that is reached from a graph is beyond the bound. `in_order`: every execution under the model has an interleaving that explains what is read.
    pub fn is_out_of_reach(self, graph: &Graph, program: &Program, in_order: bool) -> bool {
        let settled = pruning::settled(graph);
        let order = if in_order { Order::Memory } else { Order::Sources };
        let interleavings = Interleavings::of(graph, program, &settled, order, false);
        interleavings.exist() && self.least(&interleavings).is_none()
    }
}
