//! Goes to a restriction of the graph, where a revisit or a question about one goes on, and back.

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::Choice;
use crate::explore::engine::search::Search;
use crate::graph::Graph;
use crate::graph::event::{Event, NO_EVENT};
use crate::ids::EventId;
use crate::program::Start;
use crate::relation::bits::Bits;

impl<J: Checker> Search<'_, '_, J> {
    /// Shows the whole graph to a checker of its own.
    pub(in crate::explore) fn enter_level(&mut self) {
        self.level += 1;
        if self.judges.checkers.len() == self.level {
            let another = self.judges.checkers[0].another();
            self.judges.checkers.push(another);
        }
        self.sections.set_shadow(self.level, false);
        self.judges.checkers[self.level].load(&self.graph, &self.world.deps);
    }

    /// Goes to a checker of its own that knows nothing of the graph: whoever asks shows it to another one first.
    pub(in crate::explore) fn enter_unknown(&mut self) {
        let graph = std::mem::take(&mut self.graph);
        self.enter_level();
        self.graph = graph;
        self.sections.set_shadow(self.level, true);
    }

    /// Shows a checker the graph at hand, a restriction of the one before in which everything that is older than this stamp is as it was: the same checker
    /// if it can be done in place, else one of its own. Which it is. A trial of what keeps little is shown to another one, too.
    pub(in crate::explore) fn enter_restriction(&mut self, stamp: u32) -> bool {
        let checker = &mut self.judges.checkers[self.level];
        let is_apart = self.filling.lookahead.is_some() && checker.is_far_from(&self.graph);
        let in_place = !is_apart && checker.revisit(&self.graph, &self.world.deps, stamp);
        if !in_place {
            self.enter_level();
        }
        in_place
    }

    /// Goes back to the graph before a revisit; `level`: of the checker that knew the restricted graph.
    pub(in crate::explore) fn leave_revisit(&mut self, original: Graph, in_place: bool, level: usize) {
        self.graph = original;
        self.level = level;
        self.leave_restriction(in_place);
    }

    /// Goes back to what was known of the graph before [`Self::enter_restriction`].
    pub(in crate::explore) fn leave_restriction(&mut self, in_place: bool) {
        if in_place {
            self.checker().put_back();
        } else {
            self.level -= 1;
        }
    }

    /// Makes `r` read from the write `event` in a restricted copy of the graph, and opens the choice of its position there.
    pub(in crate::explore) fn revisit(&mut self, event: Event, r: EventId, keep: &Bits) {
        if self.only_waits_behind(&event, r) {
            self.evict(event, r, keep.clone());
            return;
        }
        let lane = self.graph.lane(event.thread);
        let passed = &lane.order[..lane.done];
        // When something before the write is deleted or runs again, the interpreter comes to the write later.
        let intact = passed.iter().all(|&e| keep.contains(e.0) && e != r);
        let at = (!intact).then(|| passed.iter().filter(|e| keep.contains(e.0)).count());
        let together = matches!(self.world.program.start, Start::Together(_));
        let deleted = self.graph.ids().filter(|e| !keep.contains(e.0)).map(|e| self.graph.event(e).stamp).min();
        let original = Box::new(self.graph.clone());
        self.graph.restrict(keep, r, &|loc| together || loc == event.loc);
        self.forget_evictions(self.graph.event(r).stamp);
        let read = self.graph.event_mut(r);
        (read.rf, read.is_first) = (NO_EVENT, false);
        read.read_value(event.value);
        let stamp = deleted.map_or(read.stamp, |deleted| read.stamp.min(deleted));
        // The write's thread stands before the write again, or before what must be filled in first.
        let is_as_it_was = self.keeps_lock_orders(&original, stamp);
        let in_place = self.timed(|search| {
            if !is_as_it_was {
                search.enter_unknown();
            }
            is_as_it_was && search.enter_restriction(stamp)
        });
        self.push_frame(Choice::Revisit { original, in_place });
        let (least, next) = self.positions(&event, at);
        self.push_frame(Choice::Position { event: Box::new(event), next, least, reader: r, at, revisits: None });
    }
}
