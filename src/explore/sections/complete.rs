//! Complete executions: shown once, with an order that raises what flags some order does.
//!
//! Where a flag can only lose by what an order adds, races for one, the checker is first asked about the execution with no more of an order than what is forced: what it does not raise there no order does. Else, and where it raises one there,
//! the orders are tried until one raises all of these; so such executions cost as much as if each order were explored.
//!
//! Whether memory may be freed, or not be there yet, when it is accessed depends on the order, too. That is told of the order that is shown only, so exploration begins anew where such memory is shared.

use crate::explore::checker::consistency::Checker;
use crate::explore::checker::same_thread::bare;
use crate::explore::engine::ending::Ending;
use crate::explore::engine::frames::Orders;
use crate::explore::engine::search::Search;
use crate::explore::sections::forced::Forced;
use crate::graph::event::{Event, Kind};
use crate::graph::sections::Section;
use crate::graph::{Graph, Lane};
use crate::ids::{EventId, ThreadId};
use rustc_hash::FxHashSet;

/// Orders, and the flags that an execution raises with them.
type Raising = (Orders, Vec<usize>);

impl<J: Checker> Search<'_, '_, J> {
    /// Shows the execution at hand, if some order makes it consistent.
    pub(in crate::explore) fn complete_with_witness(&mut self, ending: Option<&Ending>) {
        if !self.graph.holders().is_empty() {
            // What is left of `main` runs alone, and may wait in it.
            self.misjudge_sections();
            return;
        }
        let Some(forced) = self.forced_order() else { return };
        if self.graph.ids().any(|e| self.is_of_shared_memory(self.graph.event(e))) {
            self.misjudge_sections();
            return;
        }
        if forced.is_total() && self.knows_graph() {
            // There is no other one.
            if self.checker().is_consistent_when_complete() {
                self.show_complete(ending);
            }
            return;
        }
        let possible = self.flags_of_any_order(&forced);
        let mut raised: FxHashSet<usize> = FxHashSet::default();
        let mut most: Option<Raising> = None;
        self.with_lock_orders(&mut |search| {
            if !search.checker().is_consistent_when_complete() {
                return false;
            }
            let mut flags = Vec::new();
            search.checker().flags(&mut flags);
            raised.extend(&flags);
            if most.as_ref().is_none_or(|(_, most)| most.len() < flags.len()) {
                most = Some((search.lock_orders(), flags));
            }
            possible.as_ref().is_some_and(|possible| raised.len() >= possible.len())
        });
        let Some((orders, flags)) = most.filter(|_| !self.must_stop()) else { return };
        if flags.len() < raised.len() {
            // No one execution shows them all.
            self.misjudge_sections();
            return;
        }
        let before = self.lock_orders();
        if orders == before && self.knows_graph() {
            self.show_complete(ending);
            return;
        }
        self.try_lock_orders(&orders, &mut |search| {
            search.show_complete(ending);
            true
        });
        self.set_orders(&before);
    }

    /// The flags that some order may raise, where that is known.
    fn flags_of_any_order(&mut self, forced: &Forced) -> Option<Vec<usize>> {
        if !self.judges.checkers[0].has_flags() {
            return Some(Vec::new());
        }
        if !self.judges.checkers[0].flags_lose() || !self.orders_reach_far() {
            return None;
        }
        let graph = self.apart(None);
        let original = std::mem::replace(&mut self.graph, graph);
        self.enter_level();
        let sections = &forced.sections;
        for (i, j) in (0..sections.len()).flat_map(|i| (0..sections.len()).map(move |j| (i, j))) {
            if forced.comes_before(i, j)
                && let Some(release) = sections[i].release
            {
                let rows = [release, sections[j].read].map(|e| self.graph.row(e));
                let is_own = sections[i].thread == sections[j].thread;
                self.checker().read_besides(rows[0], rows[1], is_own);
            }
        }
        let mut flags = Vec::new();
        self.checker().flags(&mut flags);
        self.level -= 1;
        self.graph = original;
        Some(flags)
    }

    /// Whether sections in between change nothing of how one section orders accesses with those of another one: of each two accesses that may be in a race.
    fn orders_reach_far(&mut self) -> bool {
        let mut pairs: Vec<[EventId; 2]> = Vec::new();
        for (_, place) in self.graph.places().filter(|(_, place)| !place.witnessed) {
            for (at, &w) in place.co.iter().enumerate().skip(1) {
                let others = place.co[at + 1..].iter().chain(&place.reads).copied();
                let of_others = others.filter(|&e| self.graph.event(e).thread != self.graph.event(w).thread);
                pairs.extend(of_others.flat_map(|e| [[w, e], [e, w]]));
            }
        }
        let Some(section) = self.graph.locks().find_map(|loc| self.graph.sections(loc).first().copied()) else {
            return true;
        };
        pairs.into_iter().all(|pair| self.reaches_over_section(&section, pair))
    }

    /// Whether two accesses raise no flag that come before a section and behind another one, with a section between these.
    fn reaches_over_section(&mut self, section: &Section, accesses: [EventId; 2]) -> bool {
        let seen = |e: EventId| {
            let event = self.graph.event(e);
            (event.kind == Kind::Read, event.tags, event.half, event.hidden, self.graph.lane(event.thread).tags)
        };
        let key = accesses.map(seen);
        if let Some(&known) = self.sections.reaching.get(&key) {
            return known;
        }
        let Some(graph) = self.three_sections(section, accesses) else { return false };
        let reaches = !self.raises_flags(graph);
        self.sections.reaching.insert(key, reaches);
        reaches
    }

    /// The graph of these: an access, a section behind it in its thread, a section of another thread, and one of a third with the other access behind it.
    fn three_sections(&self, section: &Section, accesses: [EventId; 2]) -> Option<Graph> {
        let mut graph = Graph::default();
        let data = self.graph.event(accesses[0]).loc;
        graph.add_init(section.loc, Some(0));
        let init = graph.add_init(data, Some(0));
        graph.set_witnessed(section.loc);
        let release = self.release_to_come(section, section.write?)?;
        for (t, access) in [Some(accesses[0]), None, Some(accesses[1])].into_iter().enumerate() {
            let thread = ThreadId::at(t);
            let tags = self.graph.lane(access.map_or(section.thread, |e| self.graph.event(e).thread)).tags;
            *graph.lane_mut(thread) = Lane { tags, ..Lane::default() };
            let add = |graph: &mut Graph, event: &Event| {
                let co = graph.place(event.loc).map_or(0, |place| place.co.len());
                let at = graph.lane(thread).order.len();
                graph.add(Event { thread, ..bare(event) }, co, at)
            };
            let add_access = |graph: &mut Graph, access: EventId| {
                let id = add(graph, self.graph.event(access));
                if self.graph.event(access).kind == Kind::Read {
                    graph.event_mut(id).rf = init;
                }
            };
            if let Some(first) = access.filter(|_| t == 0) {
                add_access(&mut graph, first);
            }
            let read = add(&mut graph, self.graph.event(section.read));
            let co = graph.place(section.loc)?.co.len();
            let at = graph.lane(thread).order.len();
            let write = Event { thread, partner: read, ..bare(self.graph.event(section.write?)) };
            graph.add(write, co, at);
            add(&mut graph, &release);
            if let Some(second) = access.filter(|_| t == 2) {
                add_access(&mut graph, second);
            }
        }
        Some(graph)
    }

    /// Whether an event allocates or frees memory that another thread accesses, or accesses memory that another one has freed.
    pub(super) fn is_of_shared_memory(&self, event: &Event) -> bool {
        let events = || self.graph.ids().map(|e: EventId| self.graph.event(e));
        let is_accessed_by_others = |start: u64, size: u64| {
            events().any(|other| {
                let is_access = matches!(other.kind, Kind::Read | Kind::Write) && other.thread != event.thread;
                is_access && (start..start.saturating_add(size.max(1))).contains(&self.world.locs.get(other.loc).0)
            })
        };
        let size_of = |start: u64| {
            let made = events().find(|event| matches!(event.kind, Kind::Alloc(_)) && event.value == start);
            made.map(|made| made.size).or_else(|| Some(self.world.memory.block_at(start)?.bytes.len() as u64))
        };
        match event.kind {
            Kind::Alloc(_) => is_accessed_by_others(event.value, event.size),
            Kind::Free if event.value != 0 => {
                size_of(event.value).is_none_or(|size| is_accessed_by_others(event.value, size))
            }
            Kind::Read | Kind::Write if self.graph.has_frees() => {
                let start = self.world.object_start(&self.graph, self.world.locs.get(event.loc).0);
                let frees = |other: &Event| other.kind == Kind::Free && Some(other.value) == start;
                events().any(|other| frees(other) && other.thread != event.thread)
            }
            _ => false,
        }
    }
}
