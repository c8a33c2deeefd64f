//! What is wrong already with executions that are not complete.
//!
//! An execution that does not end is shown with what goes wrong in it: where threads wait for ever, where the end of `main` does not end, where a thread ended in an error. Where a bound cut
//! it, something may still come: then those flags count that stay raised however it goes on ([`Checker::stays_raised`]).
//!
//! A round of a loop that changes nothing is in no complete execution, and its thread has gone through it all the same: a plain access in it may race with a
//! write, or read what was never written or is freed by another thread. So where what a thread read in a round may be wrong, its wait is not given up, however vain it is
//! ([`crate::explore::waits::awaits`], [`crate::explore::waits::last_waiter`]), and an exploration that ends with such a wait is shown to the visitor ([`crate::explore::visitor::Visitor::unfinished`]).
//!
//! Whether a read and a write may be part of what a flag of the model says is asked of the model once for accesses of a kind: do they raise one when they are all that two threads do,
//! with nothing to order them? Of reads of locks and flags that are not plain they mostly do not, and nothing else is done about these.
//!
//! Not sure to be found: what a round and something that its own thread causes behind the loop are wrong with together; flags that two such accesses do not raise by
//! themselves; and, where a thread stopped before another one went on, what a later plain write and a read of the round that is not plain do.
//! Flags that only the reference evaluator knows are not looked at. Programs with a `main` only.

use crate::explore::checker::consistency::Checker;
use crate::explore::checker::known::RaceKey;
use crate::explore::checker::same_thread::bare;
use crate::explore::engine::search::Search;
use crate::explore::reduction::coherence::Lasts;
use crate::explore::visitor::{Execution, Go};
use crate::graph::event::{Event, INIT_THREAD, Kind};
use crate::graph::{Graph, Lane, Status};
use crate::ids::{EventId, ThreadId};
use crate::program::Start;
use crate::sequential::Solo;
use smallvec::SmallVec;

impl<J: Checker> Search<'_, '_, J> {
    /// Whether something may be wrong with what a thread has read last, or in the round of its loop if it is known to wait, that no other execution shows. `by`: a write
    /// that comes behind it; others of its kind may follow.
    pub(in crate::explore) fn stop_may_be_wrong(&mut self, t: ThreadId, by: Option<EventId>) -> bool {
        self.tells_of_rounds() && self.read_before_stop(t).into_iter().any(|read| self.may_be_wrong(read, by))
    }

    /// The same of all that a thread has read since its event at some place.
    pub(in crate::explore) fn may_be_wrong_since(&mut self, t: ThreadId, at: usize) -> bool {
        let is_read = |e: &EventId| self.graph.event(*e).kind == Kind::Read;
        let reads: SmallVec<[EventId; 8]> = self.graph.lane(t).order[at..].iter().copied().filter(is_read).collect();
        self.tells_of_rounds() && reads.into_iter().any(|read| self.may_be_wrong(read, None))
    }

    /// The same of one read.
    pub(in crate::explore) fn may_be_wrong(&mut self, read: EventId, by: Option<EventId>) -> bool {
        let event = self.graph.event(read);
        let is_undefined = self.graph.contains(event.rf) && self.graph.event(event.rf).undefined;
        is_undefined || self.is_freed_by_another(event) || self.may_race_with_any(&event.clone(), by)
    }

    /// Whether another thread frees what a thread has read.
    pub(in crate::explore) fn is_freed_by_another(&self, read: &Event) -> bool {
        if !self.graph.has_frees() {
            return false;
        }
        let start = self.world.object_start(&self.graph, self.world.locs.get(read.loc).0);
        let frees = |e: &Event| e.kind == Kind::Free && e.thread != read.thread && Some(e.value) == start;
        self.graph.ids().any(|e| frees(self.graph.event(e)))
    }

    /// Whether a read, which need not be in the graph, may raise a flag with a write of another thread that is there, or with another one of the kind of `by`.
    pub(in crate::explore) fn may_race_with_any(&mut self, read: &Event, by: Option<EventId>) -> bool {
        if !self.tells_of_rounds() || !self.judges.checkers[0].has_flags() {
            return false;
        }
        let Some(place) = self.graph.place(read.loc) else { return false };
        let is_other = |&w: &EventId| ![read.thread, INIT_THREAD].contains(&self.graph.event(w).thread);
        let mut asked: SmallVec<[(EventId, bool); 8]> = SmallVec::new();
        for write in place.co.iter().copied().filter(is_other).chain(by) {
            let created = Some(write) != by && self.is_before_creation(write, read.thread);
            match self.is_race_known(read, self.graph.event(write), created) {
                Some(true) => return true,
                Some(false) => {}
                None => asked.push((write, created)),
            }
        }
        asked.into_iter().any(|(write, created)| self.asks_of_race(read, &self.graph.event(write).clone(), created))
    }

    /// Whether the thread of a write has created another one after the write.
    fn is_before_creation(&self, write: EventId, t: ThreadId) -> bool {
        let spawn = self.graph.lane(t).spawn;
        self.graph.contains(spawn) && self.graph.event(spawn).thread == self.graph.event(write).thread && {
            let order = &self.graph.lane(self.graph.event(spawn).thread).order;
            order.iter().find(|&&e| e == write || e == spawn) == Some(&write)
        }
    }

    /// Whether anybody is told of executions that do not end.
    pub(in crate::explore) fn tells_of_rounds(&self) -> bool {
        self.filling.lookahead.is_none() && matches!(self.world.program.start, Start::Main(_))
    }

    /// What a thread that has stopped, or is about to, has read for that.
    fn read_before_stop(&self, t: ThreadId) -> SmallVec<[EventId; 4]> {
        let lane = self.graph.lane(t);
        match &lane.status {
            Status::Waiting(reads) => reads.iter().copied().collect(),
            _ => {
                let passed = lane.order[..lane.done].iter().rev();
                passed.copied().filter(|&e| self.graph.event(e).kind == Kind::Read).take(1).collect()
            }
        }
    }

    /// What the model has said of a read and a write of these kinds, if it was asked. `created`: the thread of the write has created that of the read since.
    fn is_race_known(&self, read: &Event, write: &Event, created: bool) -> Option<bool> {
        if read.hidden || write.hidden {
            return Some(false);
        }
        if self.judges.checkers[0].looks_at_values() {
            return Some(true);
        }
        self.judges.alone.races.get(&self.kinds(read, write, created)).copied()
    }

    /// What the model looks at in a read and a write with nothing else around them.
    fn kinds(&self, read: &Event, write: &Event, created: bool) -> RaceKey {
        ([read, write].map(|event| (event.tags, event.half, self.graph.lane(event.thread).tags)), created)
    }

    /// Whether a read and a write raise a flag when nothing orders them.
    pub(in crate::explore) fn may_race(&mut self, read: &Event, write: &Event) -> bool {
        self.asks_of_race(read, write, false)
    }

    /// The same, with nothing but a creation between them if there was one.
    fn asks_of_race(&mut self, read: &Event, write: &Event, created: bool) -> bool {
        if let Some(known) = self.is_race_known(read, write, created) {
            return known;
        }
        let (kinds, creation) = (self.kinds(read, write, created), self.graph.lane(read.thread).spawn);
        let mut graph = Graph::default();
        let source = graph.add_init(read.loc, Some(0));
        for (i, (.., tags)) in kinds.0.into_iter().enumerate() {
            *graph.lane_mut(ThreadId::at(i)) = Lane { tags, ..Lane::default() };
        }
        let (read, write) = (bare(read), Event { loc: read.loc, thread: ThreadId(1), ..bare(write) });
        graph.add(write, 1, 0);
        if created {
            let spawn = Event { thread: ThreadId(1), ..bare(self.graph.event(creation)) };
            graph.lane_mut(ThreadId(0)).spawn = graph.add(spawn, 0, 1);
        }
        let read = graph.add(Event { thread: ThreadId(0), ..read }, 0, 0);
        graph.set_rf(read, source);
        let may_race = self.raises_flags(graph);
        self.judges.alone.races.insert(kinds, may_race);
        may_race
    }

    /// Shows an execution that ended with threads that wait, if something may be wrong with it that no other one shows.
    pub(in crate::explore) fn show_unfinished(&mut self) {
        if self.sharing.is_walking || self.has_holes() || !self.tells_of_rounds() {
            return;
        }
        if self.visitor.wants_blocked() {
            self.show_blocked();
        }
        let has_stopped = |search: &Self, t| {
            let lane: &Lane = search.graph.lane(t);
            matches!(lane.status, Status::Waiting(_) | Status::Assumed)
        };
        let threads = (0..self.graph.lanes().len()).map(ThreadId::at);
        if !threads.into_iter().any(|t| has_stopped(self, t) && self.stop_may_be_wrong(t, None)) {
            return;
        }
        self.with_coherence(&Lasts::new(), &mut |search| {
            let consistent = search.checker().is_consistent_when_complete();
            if consistent {
                let mut flags = Vec::new();
                search.checker().flags(&mut flags);
                let (graph, world, flags) = (&search.graph, &search.world, &flags[..]);
                let execution = Execution { graph, world, flags, last: None, all_joined: false, stands_for: 1 };
                search.stop |= search.visitor.unfinished(&execution) == Go::Stop;
            }
            consistent
        });
    }

    fn show_blocked(&mut self) {
        self.with_coherence(&Lasts::new(), &mut |search| {
            let consistent = search.checker().is_consistent_when_complete();
            if consistent {
                let (graph, world) = (&search.graph, &search.world);
                let execution = Execution { graph, world, flags: &[], last: None, all_joined: false, stands_for: 1 };
                search.visitor.blocked(&execution);
            }
            consistent
        });
    }

    /// Shows an execution of which more is to come, or was when a thread ended in an error.
    pub(in crate::explore) fn show_cut_short(&mut self) {
        if self.stop || self.sharing.is_walking || self.has_holes() || !self.tells_of_rounds() {
            return;
        }
        if self.graph.lanes().iter().any(|lane| self.graph.is_half_done(lane, lane.done)) {
            return;
        }
        self.with_coherence(&Lasts::new(), &mut |search| {
            let consistent = search.checker().is_consistent_when_complete();
            if consistent {
                search.show_flags_of(true, None);
            }
            consistent
        });
    }

    /// Shows a consistent execution that does not end, with its flags; of one of which more is to come, those that stay raised.
    pub(in crate::explore) fn show_flags_of(&mut self, is_cut: bool, last: Option<&Solo>) {
        if self.stop || !self.tells_of_rounds() {
            return;
        }
        let mut flags = Vec::new();
        self.checker().flags(&mut flags);
        flags.retain(|&flag| !is_cut || self.judges.checkers[self.level].stays_raised(flag));
        let (graph, world, flags) = (&self.graph, &self.world, &flags[..]);
        let execution =
            Execution { graph, world, flags, last, all_joined: last.is_some(), stands_for: self.symmetry.stands_for };
        self.stop |= self.visitor.endless(&execution) == Go::Stop;
    }
}
