//! The edges of an event that comes after everything else: at the end of its thread, behind all writes of its location, read by nobody. Everything else was
//! sent. Most events are like that when they are added.
//!
//! Only symmetric relations lead from them to older events, and mostly the sets of rows that the graph keeps say what leads to them. What is rare is left to
//! [`super::edges`], which finds the edges of any event; debug builds, and so the tests, compare the two.
//!
//! In executions of few events only.

use super::edges::{Among, Around, Ends, dependency, edges, is_ordered_within};
use super::names::RelName;
use super::rows::{Rows, Words};
use crate::graph::event::{INIT_THREAD, Kind, NO_EVENT};
use crate::graph::sync::is_free;
use crate::graph::{EventId, Place};
use crate::program::Half;
use crate::relation::bits::Bits;

/// See the module.
pub(in crate::graph) struct Newest<'a> {
    around: Around<'a>,
    id: EventId,
    /// Its location, if it has one.
    place: Option<&'a Place>,
    /// The rows of its thread.
    own: &'a Bits,
}

/// The sources of an event's edges in one relation, and whether they are its targets as well.
pub(in crate::graph) struct Sources<const N: usize> {
    pub rows: Words<N>,
    pub both: bool,
}

impl<'a> Newest<'a> {
    /// The event, if it is one of these.
    #[inline]
    pub fn of(around: Around<'a>, id: EventId) -> Option<Newest<'a>> {
        let Around { event, graph, sent, .. } = around;
        let place = graph.place(event.loc);
        let (own, is_last) = match event.thread {
            INIT_THREAD => (graph.init_rows(), true),
            thread => {
                let lane = graph.lane(thread);
                (&lane.rows, lane.order.last() == Some(&id) && lane.done == lane.order.len())
            }
        };
        let is_unread = |place: &Place| place.reads.iter().all(|&read| graph.event(read).rf != id);
        let is_behind = || place.is_some_and(|place| place.co.last() == Some(&id) && is_unread(place));
        let is_newest = matches!(sent, Among::All) && is_last && (!event.kind.writes() || is_behind());
        is_newest.then_some(Newest { around, id, place, own })
    }

    /// The sources of its edges in a relation. `None`: they are to be found as those of any event.
    #[inline]
    pub fn sources<const N: usize>(&self, name: RelName) -> Option<Sources<N>> {
        let Around { event, row, graph, .. } = self.around;
        let is_initial = event.thread == INIT_THREAD;
        let mut both = false;
        let mut rows = Words::default();
        match name {
            RelName::Po if !is_initial => rows = self.program_order(),
            RelName::Int if !is_initial => (rows, both) = (Words::of(self.own), true),
            RelName::SameInstance if !is_initial => (rows, both) = (self.instruction(), true),
            RelName::Ext => {
                (rows, both) = (Words::of(graph.rows()), true);
                rows.subtract(self.own);
            }
            RelName::Loc => {
                both = true;
                rows = self.place.map_or(rows, |place| Words::of(&place.rows));
            }
            RelName::Rf | RelName::RfLock => {
                let is_meant = event.hidden == (name == RelName::RfLock);
                if event.kind == Kind::Read && is_meant && event.rf != NO_EVENT {
                    rows = Words::one(graph.row(event.rf));
                }
            }
            RelName::Co => {
                if let Some(place) = self.place.filter(|_| event.kind.writes()) {
                    rows = Words::of(&place.writes);
                    rows.remove(row);
                }
            }
            RelName::Addr => dependency(self.around, event.addr_deps, &mut rows),
            RelName::Data | RelName::Compared => {
                if (event.kind == Kind::Read) == (name == RelName::Compared) {
                    dependency(self.around, event.data_deps, &mut rows);
                }
            }
            RelName::Ctrl => dependency(self.around, event.ctrl_deps, &mut rows),
            RelName::Amo | RelName::Lxsx => {
                let half = if name == RelName::Amo { Half::AmoWrite } else { Half::ExWrite };
                if event.half == half && !event.hidden && event.partner != NO_EVENT {
                    rows = Words::one(graph.row(event.partner));
                }
            }
            RelName::ThreadSync if !is_initial && is_free(graph, event.thread) => {}
            _ => return None,
        }
        debug_assert!(self.has(name, &rows, both), "an event that comes last has the edges of any event: {name:?}");
        Some(Sources { rows, both })
    }

    /// What is before it in its thread and belongs to the same instruction, the last first.
    #[inline]
    fn before_in_instruction(&self) -> impl Iterator<Item = EventId> {
        let Around { event, graph, .. } = self.around;
        let before = graph.lane(event.thread).order.iter().rev().skip(1).copied();
        before.take_while(|&other| graph.event(other).group == event.group)
    }

    /// What belongs to the same instruction.
    #[inline]
    fn instruction<const N: usize>(&self) -> Words<N> {
        let Around { row, graph, .. } = self.around;
        let mut rows = Words::one(row);
        let seen = self.before_in_instruction().filter(|&other| graph.event(other).kind.in_model());
        seen.for_each(|other| rows.insert(graph.row(other)));
        rows
    }

    /// What is before it in its thread, but for what belongs to the same instruction and is not ordered within that.
    #[inline]
    fn program_order<const N: usize>(&self) -> Words<N> {
        let Around { row, graph, .. } = self.around;
        let mut rows = Words::of(self.own);
        rows.remove(row);
        self.before_in_instruction().for_each(|other| rows.remove(graph.row(other)));
        for other in self.before_in_instruction() {
            let is_seen = graph.event(other).kind.in_model() && graph.row(other) != row;
            if is_seen && is_ordered_within(self.around, other, self.id) {
                rows.insert(graph.row(other));
            }
        }
        rows
    }

    /// Leaves of some rows at the other ends of its edges only those of the same location, of the same thread, or of other threads.
    #[inline]
    pub fn confine<const N: usize>(&self, within: RelName, rows: &mut Words<N>) {
        match (within, self.place) {
            (RelName::Ext, _) => rows.subtract(self.own),
            (RelName::Int, _) if self.around.event.thread != INIT_THREAD => rows.limit(self.own),
            (RelName::Loc, Some(place)) => rows.limit(&place.rows),
            _ => rows.clear(),
        }
    }

    /// Whether these are the edges that are found of any event.
    fn has<const N: usize>(&self, name: RelName, rows: &Words<N>, both: bool) -> bool {
        let mut ends = Ends::<Words<N>>::default();
        edges(self.around, self.id, name, &mut ends);
        let targets = if both { *rows } else { Words::default() };
        (ends.sources, ends.targets) == (*rows, targets)
    }
}
