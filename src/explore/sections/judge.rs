//! Whether some order of the sections makes a graph consistent.
//!
//! The checker at hand knows the graph with its witness order, and mostly accepts what is added. Where it does not, or an order has an open section before others, another checker is shown the whole graph with the order
//! that is tried: its *shadow*, in which each open section that others come behind ends where its thread stands. The search goes on with that checker until it goes back.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::{Orders, Undo};
use crate::explore::engine::search::Search;
use crate::graph::Graph;
use crate::graph::event::{Event, Kind};
use crate::graph::sections::Section;
use crate::ids::EventId;

/// What is asked of a graph with an order that its checker accepts.
pub(super) type Accept<'u, 'a, 'p, J> = dyn FnMut(&mut Search<'a, 'p, J>) -> bool + 'u;

/// The key of a release that is still to come, which no event of a thread has.
const STILL_TO_COME: u64 = u64::MAX;

impl<'a, 'p, J: Checker> Search<'a, 'p, J> {
    /// Whether the graph with an event that was just added is consistent under some order; then it has that.
    pub(in crate::explore) fn has_witness(&mut self, added: EventId) -> bool {
        if self.knows_graph() {
            self.send(added);
            if self.checker().is_consistent() {
                return true;
            }
        }
        let before = self.lock_orders();
        let found = self.find_lock_orders(&mut |_| true);
        if found {
            // Until what was added is taken back.
            self.level += 1;
            self.trail.push(Undo::Orders(before));
        } else {
            self.set_orders(&before);
        }
        found
    }

    /// Has the graph take orders that its checker finds consistent, one after another until one is accepted; and then those that it had.
    pub(in crate::explore) fn with_lock_orders(&mut self, accept: &mut Accept<'_, 'a, 'p, J>) -> bool {
        if accept(self) {
            return true;
        }
        let before = self.lock_orders();
        let found = self.find_lock_orders(accept);
        self.set_orders(&before);
        found
    }

    /// Whether a restriction of a graph, the one at hand, has its orders as far as they are older than a stamp, and no checker knows more.
    pub(in crate::explore) fn keeps_lock_orders(&self, original: &Graph, stamp: u32) -> bool {
        let is_older = |e: EventId| self.graph.event(e).stamp < stamp;
        let reads = |loc| self.graph.place(loc).map_or(&[][..], |place| &place.reads);
        let keeps = |loc| {
            let mut older = reads(loc).iter().filter(|&&r| is_older(r));
            older.all(|&r| original.event(r).rf == self.graph.event(r).rf)
        };
        !self.sections.are_witnessed() || !self.sections.has_shadow(self.level) && self.graph.locks().all(keeps)
    }

    /// Whether the checker at hand can take over what is added to the graph as it is.
    pub(super) fn knows_graph(&self) -> bool {
        !self.sections.has_shadow(self.level) && !self.graph.has_open_before_others()
    }

    /// The orders that the graph has.
    pub(super) fn lock_orders(&self) -> Orders {
        let order = |loc| self.graph.place(loc).map_or_else(Vec::new, |place| place.co[1..].to_vec());
        self.graph.locks().map(|loc| (loc, order(loc))).collect()
    }

    /// Has the graph take orders; whether it is consistent with them and accepted. The checker of the next level knows it then.
    pub(super) fn try_lock_orders(&mut self, orders: &Orders, accept: &mut Accept<'_, 'a, 'p, J>) -> bool {
        self.set_orders(orders);
        let shadow = self.graph.has_open_before_others().then(|| self.shadow(self.graph.clone()));
        let has_shadow = shadow.is_some();
        match shadow {
            Some(shadow) => {
                let original = std::mem::replace(&mut self.graph, shadow);
                self.enter_level();
                self.graph = original;
            }
            None => self.enter_level(),
        }
        self.sections.set_shadow(self.level, has_shadow);
        let is_accepted = self.checker().is_consistent() && accept(self);
        self.level -= 1;
        is_accepted
    }

    /// Whether the model allows a graph that is made of the one at hand.
    fn allows_shadow(&mut self, graph: Graph) -> bool {
        self.ask_of(graph, |search| search.checker().is_consistent())
    }

    /// Whether the graph is consistent as far as no order of sections plays a part.
    pub(super) fn is_allowed_without_orders(&mut self) -> bool {
        let graph = self.apart(None);
        self.allows_shadow(graph)
    }

    /// Whether it is as far as no order plays a part but that of these two sections of one lock.
    pub(super) fn is_allowed_in_order(&mut self, first: &Section, second: &Section) -> bool {
        let graph = self.apart(Some((first, second)));
        let graph = self.shadow(graph);
        self.allows_shadow(graph)
    }

    /// The graph with locks of their own for all sections, but for two.
    pub(super) fn apart(&self, together: Option<(&Section, &Section)>) -> Graph {
        let mut graph = self.graph.clone();
        graph.forget_clocks();
        let is_together = |section: &Section| together.is_some_and(|(a, b)| [a.read, b.read].contains(&section.read));
        let locks: Vec<_> = graph.locks().collect();
        for loc in locks {
            let sections = graph.sections(loc);
            for section in sections.iter().filter(|section| !is_together(section)) {
                let unused = graph.unused_location();
                graph.move_section(section, unused);
            }
        }
        if let Some((first, second)) = together {
            let order: Vec<EventId> = first.writes().chain(second.writes()).collect();
            graph.set_coherence(first.loc, &order);
        }
        graph
    }

    /// A graph with the releases that are still to come of open sections that others come behind.
    fn shadow(&self, mut graph: Graph) -> Graph {
        graph.forget_clocks();
        let locks: Vec<_> = graph.locks().collect();
        for loc in locks {
            let sections = graph.sections(loc);
            for section in sections.iter().rev().skip(1).filter(|section| section.is_open()) {
                let Some(write) = section.write else { continue };
                let Some(release) = self.release_to_come(section, write) else { continue };
                let (co, at) = (graph.co_index(write) + 1, graph.lane(section.thread).order.len());
                graph.add(release, co, at);
            }
        }
        graph
    }

    pub(super) fn release_to_come(&self, section: &Section, write: EventId) -> Option<Event> {
        let taken = self.graph.event(section.read);
        let frame = taken.before.as_ref()?.frame();
        let release = self.sections.locks.as_ref()?.taken_by(frame.func, frame.pc)?;
        let span = self.graph.event(write).span;
        Some(Event {
            kind: Kind::Write,
            thread: section.thread,
            key: STILL_TO_COME,
            group: STILL_TO_COME,
            span,
            value: release.value,
            tags: release.tags,
            hidden: release.hidden,
            ..Event::init(section.loc, Some(release.value))
        })
    }
}
