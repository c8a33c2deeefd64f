//! Holes: what a revisit by dependencies must fill again, and the small searches that say whether it can be.
//!
//! A revisit that keeps an event without what precedes it in its thread leaves holes. Two things are then decided by
//! searching ahead, always for the first way only and without showing anything:
//!
//! - *What a write needs.* A flag that is set in a branch, or the exit of a loop, can decide whether an event happens though no
//!   dependency leads to it. When the holes cannot be filled so that everything kept happens, what was in them is kept too (`needs`).
//! - *What was maximal.* The last choice of an event that fills a hole may lead nowhere; maximal is the last that leads to the
//!   revisiting write, and lets the holes behind it be filled (`maximal`).

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::{Choice, Step};
use crate::explore::engine::search::{LARGE, Search};
use crate::explore::holes::known::{Goal, Question};
use crate::explore::revisit::condition;
use crate::graph::event::{Event, NO_EVENT};
use crate::graph::prefix::{PrefixKind, least_prefix};
use crate::graph::{Graph, Lane, Status};
use crate::ids::EventId;
use crate::program::deps::DepId;
use crate::program::thread::Action;
use crate::relation::bits::Bits;

impl<J: Checker> Search<'_, '_, J> {
    /// Notices a write that `r` could read only if the write took part in deciding that it happens itself: what comes before it
    /// cannot be filled in unless `r` has read it already. Exploration does not find such executions. Where it is not known that the write
    /// needs `r` at all (`fills`), there must be one. Where `r` cannot read the write even while the holes are open, there is nothing to miss.
    pub(in crate::explore) fn notice_circle(&mut self, event: &Event, r: EventId, candidates: &[Bits], fills: bool) {
        if self.filling.lookahead.is_none() && !self.statistics.circular {
            // Asked first, because it is cheaper than to fill holes.
            if candidates.first().is_some_and(|keep| !self.can_begin(event, r, keep)) {
                return;
            }
            let possible = candidates.iter().any(|keep| self.is_possible(event, r, keep))
                || fills && !candidates.iter().any(|keep| self.is_filled(event, r, keep));
            self.statistics.circular = !possible && !self.stop;
        }
    }

    /// Notices a read that a write needs only because of an exchange, which writes the same whatever it reads (the read of the exchange, or what that needs), or
    /// because something was supposed. Where the model does not order such a read before this write, it can read this write. Exploration does not find such executions.
    pub(in crate::explore) fn notice_weak_need(&mut self, event: &Event, needed: &Bits) {
        if self.kind != PrefixKind::Dependencies || self.filling.lookahead.is_some() || self.statistics.circular {
            return;
        }
        let graph = &self.graph;
        let is_weak = |e: &Event| graph.is_exchange(e) || e.supposed != DepId::NONE;
        if !is_weak(event) && !needed.iter().any(|e| is_weak(graph.event(EventId(e)))) {
            return;
        }
        let reads = graph.place(event.loc).map_or(&[][..], |place| &place.reads);
        let reads: Vec<EventId> =
            reads.iter().copied().filter(|r| needed.contains(r.0) && *r != event.partner).collect();
        if reads.is_empty() {
            return;
        }
        let mut least = Bits::new();
        least_prefix(&self.graph, &self.world.deps, event, &mut least, &mut self.scratch.work);
        for r in reads.into_iter().filter(|r| !least.contains(r.0)) {
            let keep = condition::kept(&self.graph, needed, r);
            let is_missing = self.may_read_later(r, event) && self.can_begin(event, r, &keep);
            self.statistics.circular |= is_missing && !self.stop;
        }
    }

    /// Whether a revisit that keeps this leaves holes that can be filled, and there is a graph from which it is maximal.
    pub(in crate::explore) fn is_possible(&mut self, event: &Event, r: EventId, keep: &Bits) -> bool {
        let key = self.fingerprint(event, r, keep);
        self.answer(key.clone(), Question::Filled, |search| search.can_be_filled(event, r, keep))
            && self.answer(key, Question::Reached, |search| search.has_maximal_graph(event, r, keep))
    }

    /// Whether a revisit that keeps this leaves holes that can be filled.
    pub(in crate::explore) fn is_filled(&mut self, event: &Event, r: EventId, keep: &Bits) -> bool {
        let key = self.fingerprint(event, r, keep);
        self.answer(key, Question::Filled, |search| search.can_be_filled(event, r, keep))
    }

    /// What is known, or else found out.
    pub(in crate::explore) fn answer(
        &mut self,
        key: Box<[u32]>,
        question: Question,
        find: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        if let Some(known) = self.filling.answers.get(&key, question) {
            return known;
        }
        // What must be filled as it was elsewhere plays no part in the answer, nor where a trial is to come.
        let outer = (std::mem::take(&mut self.filling.script), self.filling.target.take());
        let found = find(self);
        (self.filling.script, self.filling.target) = outer;
        if !self.stop {
            self.filling.answers.remember(key, question, found);
        }
        found
    }

    /// All that is kept, with sources, coherence and dependencies, and the revisit.
    pub(in crate::explore) fn fingerprint(&self, event: &Event, r: EventId, keep: &Bits) -> Box<[u32]> {
        let mut key = Vec::with_capacity(16 * (keep.len() + 1));
        key.extend([r.0, self.behind(event, keep) as u32]);
        let mut add = |id: u32, e: &Event| {
            let halves = |word: u64| [word as u32, (word >> 32) as u32];
            key.extend_from_slice(&[id, e.thread.0, e.loc.0, e.rf.0, e.partner.0]);
            key.extend_from_slice(&halves(e.key));
            key.extend_from_slice(&halves(e.value));
            key.extend_from_slice(&[e.addr_deps.0, e.data_deps.0, e.ctrl_deps.0, e.reached.0, e.supposed.0]);
        };
        add(NO_EVENT.0, event);
        for lane in self.graph.lanes() {
            lane.order.iter().filter(|e| keep.contains(e.0)).for_each(|&e| add(e.0, self.graph.event(e)));
        }
        for (loc, place) in self.graph.places().filter(|(_, place)| !place.unordered) {
            key.extend([NO_EVENT.0, loc.0]);
            key.extend(place.co.iter().filter(|w| keep.contains(w.0)).map(|w| w.0));
        }
        key.into()
    }

    /// That a write is to be reached from what is kept.
    pub(in crate::explore) fn to_reach(&self, write: &Event, keep: &Bits) -> Box<Goal> {
        Box::new(Goal { write: write.clone(), left: self.behind(write, keep), goes_on: false })
    }

    /// How many of the events that are kept follow a write in its thread, which stands before it.
    pub(in crate::explore) fn behind(&self, write: &Event, keep: &Bits) -> usize {
        let lane = self.graph.lane(write.thread);
        lane.order[lane.done..].iter().filter(|e| keep.contains(e.0)).count()
    }

    /// Whether there is a graph from which a revisit that keeps this is maximal.
    fn has_maximal_graph(&mut self, event: &Event, r: EventId, keep: &Bits) -> bool {
        let mut without = keep.clone();
        without.remove(r.0);
        let oldest = self.graph.event(r).stamp;
        let goal = self.to_reach(event, &without);
        self.reaches(&without, Some(goal), oldest, u32::MAX, |_| true)
    }

    /// Whether the holes that a revisit leaves can be filled.
    fn can_be_filled(&mut self, event: &Event, r: EventId, keep: &Bits) -> bool {
        self.try_revisit(event, r, keep, |search| search.next() && search.fill())
    }

    /// Whether something may come of a revisit that keeps this: no check rejects what is kept, however the holes are filled.
    pub(in crate::explore) fn can_begin(&mut self, event: &Event, r: EventId, keep: &Bits) -> bool {
        !self.checker().prunes_in_any_growth() || {
            let key = self.fingerprint(event, r, keep);
            self.answer(key, Question::Begun, |search| search.try_revisit(event, r, keep, Self::next))
        }
    }

    /// Makes a revisit, asks something, and takes all back.
    pub(in crate::explore) fn try_revisit(
        &mut self,
        event: &Event,
        r: EventId,
        keep: &Bits,
        ask: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        // In a large graph each takes long, and there may be many before the next choice.
        if self.is_from_the_future(event, r, keep) || self.graph.len() > LARGE && self.must_stop() {
            return false;
        }
        let saved = (std::mem::take(&mut self.trail), std::mem::take(&mut self.frames), self.statistics, self.level);
        let outer = (self.filling.lookahead.replace(self.graph.last_stamp()), self.filling.goal.take());
        self.revisit(event.clone(), r, keep);
        let found = ask(self);
        (self.filling.lookahead, self.filling.goal) = outer;
        // When nothing was found the revisit is undone already, and the graph is the original again.
        while let Some(frame) = self.frames.pop() {
            if let Choice::Revisit { original, in_place } = frame.choice {
                self.leave_revisit(*original, in_place, frame.level);
            }
        }
        (self.trail, self.frames, self.statistics, self.level) = saved;
        found
    }

    /// Searches for the first way to fill all holes.
    pub(in crate::explore) fn fill(&mut self) -> bool {
        loop {
            self.filling.ahead += 1;
            if matches!(self.advance(), Step::End) && !self.has_holes() {
                return true;
            }
            if self.must_stop() || !self.next() {
                return false;
            }
        }
    }

    /// Whether the search, begun with what is kept and this first step, is consistent, and fills all holes and comes to a write, if there is one to
    /// come to, by choices and revisits of what was added since a stamp (`u32::MAX`: by choices alone). Everything older than the first stamp is kept.
    pub(in crate::explore) fn reaches(
        &mut self,
        keep: &Bits,
        goal: Option<Box<Goal>>,
        oldest: u32,
        since: u32,
        first: impl FnOnce(&mut Self) -> bool,
    ) -> bool {
        let mut graph = self.graph.clone();
        graph.restrict(keep, NO_EVENT, &|_| true);
        let (mut in_place, level) = (false, self.level);
        let (found, _) = self.seek(graph, goal, since, |search| {
            in_place = search.enter_restriction(oldest);
            first(search)
        });
        // What was revisited on the way is not gone back from.
        self.level = level;
        if in_place {
            self.checker().put_back();
        }
        found
    }

    /// Whether a search in a graph, begun with a first step, is consistent, and fills all holes and comes to a write, if there is one to come to; and how
    /// many frames the checker still has of it.
    pub(in crate::explore) fn seek(
        &mut self,
        graph: Graph,
        goal: Option<Box<Goal>>,
        since: u32,
        first: impl FnOnce(&mut Self) -> bool,
    ) -> (bool, usize) {
        let has_goal = goal.is_some();
        let goes_on = goal.as_ref().is_some_and(|goal| goal.goes_on && goal.left > 0);
        let saved = (
            std::mem::replace(&mut self.graph, graph),
            std::mem::take(&mut self.trail),
            std::mem::take(&mut self.frames),
            self.statistics,
        );
        let outer = (self.filling.lookahead.replace(since), std::mem::replace(&mut self.filling.goal, goal));
        let course = (std::mem::take(&mut self.filling.script), self.filling.target.take());
        let level = self.level;
        let found = first(self) && (!has_goal || self.fill()) && (!goes_on || self.passes_goal());
        let open = self.open_frames(level);
        self.level = level;
        (self.filling.script, self.filling.target) = course;
        (self.filling.lookahead, self.filling.goal) = outer;
        (self.graph, self.trail, self.frames, self.statistics) = saved;
        (found, open)
    }

    /// Whether the write that was to be reached can be added, and all holes be filled.
    fn passes_goal(&mut self) -> bool {
        self.filling.goal = None;
        self.fill()
    }

    /// Whether some thread has events that the interpreter has not passed; or, where a write is to be reached, anything that would come before it: its thread
    /// is to stand there, and none be in the middle of a read-modify-write.
    pub(in crate::explore) fn has_holes(&mut self) -> bool {
        let at_goal = self.filling.goal.as_ref().map(|g| g.write.thread.index());
        let is_half_done = |l: &Lane| at_goal.is_some() && l.status.is_running() && self.graph.is_half_done(l, l.done);
        let mut lanes = self.graph.lanes().iter().enumerate().filter(|(t, _)| at_goal != Some(*t));
        lanes.any(|(_, l)| l.done < l.order.len() || is_half_done(l)) || !self.is_at_goal()
    }

    /// Whether the thread of the write that must be reached stands before it (or nothing must be).
    pub(in crate::explore) fn is_at_goal(&mut self) -> bool {
        let Some(goal) = self.filling.goal.take() else { return true };
        let at = self.stands_before(&goal);
        self.filling.goal = Some(goal);
        at
    }

    fn stands_before(&mut self, goal: &Goal) -> bool {
        let write = &goal.write;
        let lane = self.graph.lane(write.thread);
        if lane.order.len() - lane.done != goal.left {
            return false;
        }
        let Some(thread) = lane.thread.as_ref().filter(|_| lane.status == Status::Running) else { return false };
        if thread.place(self.world.program).key != write.key {
            return false;
        }
        let mut thread = thread.clone();
        let action = self.interpret(write.thread, &mut thread);
        let Action::Write { addr, size, value, addr_deps, data_deps, .. } = action else { return false };
        let (address, bytes) = self.world.locs.get(write.loc);
        let sets = [
            (addr_deps, write.addr_deps),
            (data_deps, write.data_deps),
            (thread.ctrl(), write.ctrl_deps),
            (thread.reached(), write.reached),
            (self.supposed_by(write.thread, &thread), write.supposed),
        ];
        (self.world.translate(write.thread, addr), size, value) == (address, bytes, write.value)
            && sets.iter().all(|(now, then)| self.world.deps.same_members(*now, *then))
    }
}
