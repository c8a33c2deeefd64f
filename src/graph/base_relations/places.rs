//! Relations between events by where they are: in one line of the cache, in one block or inode of a disk.

use super::edges::{Around, Ends};
use super::names::PlaceName;
use super::rows::Rows;
use crate::graph::event::{Event, NO_EVENT};
use crate::graph::{EventId, Graph};
use crate::program::crash::{Unit, Units};

/// Adds the edges of one relation between an event and the events that were sent.
pub(super) fn edges(around: Around<'_>, id: EventId, name: PlaceName, ends: &mut Ends<impl Rows>) {
    let Around { event, row, graph, units, sent, .. } = around;
    if graph.address(event) != 0 {
        for other in graph.ids() {
            let y = graph.event(other);
            if graph.address(y) == 0 || other != id && !sent.has(other) {
                continue;
            }
            if relates(graph, units, name, event, y) {
                ends.targets.insert(graph.row(other));
            }
            if other != id && relates(graph, units, name, y, event) {
                ends.sources.insert(graph.row(other));
            }
        }
    }
    if event.partner != NO_EVENT && row != id.0 {
        // The two halves are one event, which is at one place.
        ends.sources.remove(row);
    }
}

fn relates(graph: &Graph, units: Units, name: PlaceName, x: &Event, y: &Event) -> bool {
    let in_one = |unit, at, to| units.of(unit, at).is_some() && units.of(unit, at) == units.of(unit, to);
    let (at, to) = (graph.address(x), graph.address(y));
    match name {
        PlaceName::Same(unit) => in_one(unit, at, to),
        PlaceName::Below => y.kind.writes() && in_one(Unit::Inode, at, to) && units.offset(Unit::Inode, at) < y.value,
        PlaceName::PointsTo => x.kind.writes() && in_one(Unit::Inode, x.value, to),
    }
}
