//! What an execution comes to.

use super::bound::Bound;
use super::interleavings::{Interleavings, Order};
use crate::explore::visitor::Execution;

/// The number of preemptions, or of rounds, of a complete execution. `None`: more than the bound, or no interleaving is a linearization.
pub fn measured(bound: Bound, execution: &Execution<'_, '_>) -> Option<u32> {
    let Execution { graph, world, all_joined, .. } = *execution;
    let whole: Vec<usize> = graph.lanes().iter().map(|lane| lane.order.len()).collect();
    let of = |order| Interleavings::of(graph, world.program, &whole, order, all_joined);
    // Where no interleaving explains what is read, sources only are before what reads them.
    let all = of(Order::Memory);
    if all.exist() { all.least(bound) } else { of(Order::Sources).least(bound) }
}
