//! What two accesses of one thread to one location forbid by themselves, or three of which one may be another thread's.
//!
//! Most models keep a thread's accesses to one location in coherence. A thread that works on a location would otherwise try for each of its writes
//! every place among its earlier ones, and each of its earlier reads as a reader, and for each of its reads every write that it has overwritten
//! itself. So the model is asked once, about an execution
//! that has these events only: a check that prunes stays violated in every execution that has them, if that holds however
//! the execution grew ([`Checker::prunes_in_any_growth`], or [`Checker::of_any_growth`]; else nothing is concluded).

use crate::explore::checker::consistency::Checker;
use crate::explore::checker::known::PairKey;
use crate::explore::engine::search::Search;
use crate::graph::event::{Event, INIT_THREAD, Kind, NO_EVENT};
use crate::graph::{Graph, Lane};
use crate::ids::{EventId, TagSetId};
use crate::program::deps::DepId;
use crate::program::{Half, Program};
use smallvec::SmallVec;

/// A question about a few events as it is asked of whatever program: tags by name.
struct Question(SmallVec<[u8; 256]>);

impl Question {
    fn new(program: &Program, flags: &[bool], tags: &[TagSetId], halves: &[Half]) -> Question {
        let mut all = SmallVec::new();
        all.push(program.order as u8);
        all.extend(flags.iter().map(|&flag| u8::from(flag)));
        all.extend(halves.iter().map(|&half| half as u8));
        for &set in tags {
            for tag in program.tags_of(set) {
                all.extend_from_slice(tag.as_bytes());
                all.push(b'\n');
            }
            all.push(b'\n');
        }
        Question(all)
    }
}

impl<J: Checker> Search<'_, '_, J> {
    /// Whether `read` may read from `write`, which its own thread comes to only now. Always, if they are of different threads.
    pub(in crate::explore) fn may_read_later(&mut self, read: EventId, write: &Event) -> bool {
        let read = self.graph.event(read);
        if read.thread != write.thread {
            return true;
        }
        let mut read = read.clone();
        read.read_value(write.value);
        self.known_pair(&read, write).unwrap_or_else(|key| self.ask_pair(key, &read, write))
    }

    /// Whether `write` may come before an earlier write of its thread in coherence.
    pub(in crate::explore) fn may_come_before(&mut self, earlier: EventId, write: &Event) -> bool {
        let known = self.known_pair(self.graph.event(earlier), write);
        known.unwrap_or_else(|key| self.ask_pair(key, &self.graph.event(earlier).clone(), write))
    }

    /// Whether two events of a thread in this order are possible: a read that reads the write, or a write that is behind it in coherence. If that is not
    /// known yet, what there is to see of them.
    fn known_pair(&self, first: &Event, second: &Event) -> Result<bool, PairKey> {
        let fused = [first.half, second.half].contains(&Half::FusedWrite);
        if first.hidden || second.hidden || fused || !self.knows_any_growth() {
            return Ok(true);
        }
        let tags = self.graph.lane(first.thread).tags;
        let seen = self.judges.checkers[0].looks_at_values().then_some((first.loc, [first.value, second.value]));
        let key = (first.kind == Kind::Read, [first.tags, second.tags, tags], [first.half, second.half], seen);
        self.judges.alone.pairs.get(&key).copied().ok_or(key)
    }

    /// The same, asked of the model.
    fn ask_pair(&mut self, key: PairKey, first: &Event, second: &Event) -> bool {
        let (is_read, tags, halves, seen) = key;
        let flags = [false, is_read, first.group == second.group];
        // Locations have other names in other programs.
        let question = seen.is_none().then(|| Question::new(self.world.program, &flags, &tags, &halves));
        let possible = self.ask(question, || {
            let mut graph = Graph::default();
            *graph.lane_mut(first.thread) = Lane { tags: tags[2], ..Lane::default() };
            graph.add_init(first.loc, None);
            let first_id = graph.add(bare(first), 1, 0);
            let second_id = graph.add(bare(second), 1, 1);
            if is_read {
                graph.set_rf(first_id, second_id);
            }
            graph
        });
        self.judges.alone.pairs.insert(key, possible);
        possible
    }

    /// Whether a read, which is not in the graph yet, may read a write that comes before another one in coherence which its own thread has passed.
    /// `refused`: one that it may not read; mostly the next one is like it.
    pub(in crate::explore) fn may_read_older(
        &mut self,
        older: EventId,
        newer: EventId,
        read: &Event,
        refused: &mut Option<EventId>,
    ) -> bool {
        let id = older;
        let (older, newer) = (self.graph.event(older), self.graph.event(newer));
        let is_own = older.thread == read.thread;
        let one_instruction = newer.group == read.group || is_own && [newer.group, read.group].contains(&older.group);
        let seen = |e: &Event| (e.kind, e.thread, e.tags, e.half, e.hidden, read.labels(e.value));
        let is_alike = !one_instruction && refused.is_some_and(|e| seen(self.graph.event(e)) == seen(older));
        // Debug builds, and so the tests, look it up all the same.
        if is_alike && !cfg!(debug_assertions) {
            return false;
        }
        let (tags, half) = read.labels(older.value);
        let halves = [older.half, newer.half, half];
        let strange = [older, newer, read].iter().any(|e| e.hidden)
            || halves.iter().any(|half| matches!(half, Half::FusedWrite | Half::ExWrite));
        let checker = &self.judges.checkers[0];
        if strange || one_instruction || checker.looks_at_values() || !self.knows_any_growth() {
            return true;
        }
        let lane = |event: &Event| {
            if event.thread == INIT_THREAD { TagSetId(0) } else { self.graph.lane(event.thread).tags }
        };
        let (own_lane, other_lane) = (lane(read), lane(older));
        let is_initial = older.kind == Kind::Init;
        let key = (is_initial, is_own, [older.tags, newer.tags, tags, own_lane, other_lane], halves);
        if let Some(&known) = self.judges.alone.overwritten.get(&key) {
            debug_assert!(!(is_alike && known), "writes that are alike are refused alike");
            *refused = (!known).then_some(id);
            return known;
        }
        let (older, newer) = (older.clone(), newer.clone());
        // Else the newer write may be the earlier one in program order.
        let may_be_first = is_own.then(|| self.known_pair(&newer, &older));
        if may_be_first.is_some_and(|known| known.unwrap_or_else(|key| self.ask_pair(key, &newer, &older))) {
            return true;
        }
        let (is_initial, is_own, tags, halves) = key;
        let flags = [true, is_initial, is_own, older.group == newer.group];
        let question = Question::new(self.world.program, &flags, &tags, &halves);
        let possible = self.ask(Some(question), || {
            let mut graph = Graph::default();
            *graph.lane_mut(read.thread) = Lane { tags: own_lane, ..Lane::default() };
            let mut source = graph.add_init(read.loc, Some(older.value));
            if !is_initial {
                graph.lane_mut(older.thread).tags = other_lane;
                source = graph.add(bare(&older), 1, 0);
            }
            let place = usize::from(!is_initial) + 1;
            graph.add(bare(&newer), place, usize::from(is_own));
            let read_id = graph.add(bare(read), 0, 1 + usize::from(is_own));
            graph.set_rf(read_id, source);
            graph
        });
        self.judges.alone.overwritten.insert(key, possible);
        possible
    }

    /// Whether it is known what stays forbidden even when events are added before others in their thread.
    pub(in crate::explore) fn knows_any_growth(&self) -> bool {
        self.judges.general.is_some() || self.judges.checkers[0].prunes_in_any_growth()
    }

    /// Whether the model allows a graph, which need not be made where the answer to this question has been kept.
    fn ask(&mut self, question: Option<Question>, graph: impl FnOnce() -> Graph) -> bool {
        let Some((plan, Question(question))) = self.judges.alone.plan.clone().zip(question) else {
            return self.allows(graph());
        };
        match plan.answer(&question) {
            Some(known) => {
                debug_assert_eq!(known, self.allows(graph()), "a question has one answer under a plan");
                known
            }
            None => {
                let possible = self.allows(graph());
                plan.keep_answer(&question, possible);
                possible
            }
        }
    }

    /// Whether the model allows a graph, and so may allow others of which that is a part.
    pub(in crate::explore) fn allows(&mut self, graph: Graph) -> bool {
        if let Some(checker) = &mut self.judges.general {
            checker.load(&graph, &self.world.deps);
            return checker.is_consistent();
        }
        self.ask_of(graph, |search| search.checker().is_consistent())
    }

    /// Asks something of another graph than the one at hand, of which the checker of a level of its own learns.
    pub(in crate::explore) fn ask_of<R>(&mut self, graph: Graph, ask: impl FnOnce(&mut Self) -> R) -> R {
        let original = std::mem::replace(&mut self.graph, graph);
        self.enter_level();
        let answer = ask(self);
        self.level -= 1;
        self.graph = original;
        answer
    }

    /// Whether another graph raises a flag.
    pub(in crate::explore) fn raises_flags(&mut self, graph: Graph) -> bool {
        self.ask_of(graph, |search| {
            let mut flags = Vec::new();
            search.checker().flags(&mut flags);
            !flags.is_empty()
        })
    }
}

/// An event without what ties it to others.
pub(in crate::explore) fn bare(event: &Event) -> Event {
    let none = DepId::NONE;
    Event {
        partner: NO_EVENT,
        rf: NO_EVENT,
        before: None,
        addr_deps: none,
        data_deps: none,
        ctrl_deps: none,
        reached: none,
        supposed: none,
        ..event.clone()
    }
}
