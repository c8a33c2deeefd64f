//! Whether a revisit is made from the maximal graph: each event that it would delete made the last choice that was possible when it was added
//! ([`crate::explore::revisit::condition`] says which choices are in doubt).
//!
//! A doubt is refuted by a few accesses that the model forbids (`excerpt`), else by the model, which is asked about all doubts while one graph
//! grows in the order in which the deleted events would be added, and where that does not refute it either, by a search ahead (`holes`).

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::search::Search;
use crate::explore::holes::addition_order::{Ages, ages};
use crate::explore::holes::known::Goal;
use crate::explore::revisit::condition;
use crate::explore::revisit::condition::{Alternative, Doubt};
use crate::graph::Graph;
use crate::graph::event::{Event, Kind, NO_EVENT};
use crate::graph::prefix::PrefixKind;
use crate::ids::{EventId, ThreadId};
use crate::relation::bits::Bits;
use smallvec::SmallVec;

/// What may speak against a revisit: events that might have made a later choice when they were added.
pub(in crate::explore) struct Doubts {
    /// In the order in which these events would be added.
    doubts: Vec<Doubt>,
    ages: Ages,
}

impl<J: Checker> Search<'_, '_, J> {
    /// Whether a write may revisit `r` from this graph, keeping this.
    pub(in crate::explore) fn is_maximal(&mut self, keep: &Bits, write: &Event, r: EventId) -> bool {
        let doubts = self.doubts(keep, write, r);
        self.are_unfounded(doubts, write, r)
    }

    /// What may speak against it, for each order in which what it deletes may be added again. Where there is none, something does; that is found out without adding anything to a graph.
    pub(in crate::explore) fn doubts(&mut self, keep: &Bits, write: &Event, r: EventId) -> SmallVec<[Doubts; 2]> {
        let orders = ages(&mut self.world, &self.graph, keep, r, write.thread, self.kind);
        let as_added = orders.iter().any(|ages| ages.as_added);
        let doubts: SmallVec<[Doubts; 2]> =
            orders.into_iter().filter_map(|ages| self.doubts_in(ages, keep, write, r)).collect();
        self.statistics.unproved |= as_added && doubts.is_empty();
        doubts
    }

    fn doubts_in(&mut self, ages: Ages, keep: &Bits, write: &Event, r: EventId) -> Option<Doubts> {
        let mut doubts = condition::doubts(&self.graph, keep, &ages, r, write.thread)?;
        if !doubts.is_empty() && self.is_known_what_is_missing(&ages, r) {
            for (e, later) in &mut doubts {
                later.retain(|&choice| !self.is_forbidden_to(*e, choice, &ages));
            }
            doubts.retain(|(_, later)| !later.is_empty());
            doubts.sort_by_key(|&(e, _)| ages.of(e));
        }
        Some(Doubts { doubts, ages })
    }

    /// Whether none of them was possible, in one of the orders.
    pub(in crate::explore) fn are_unfounded(
        &mut self,
        doubts: SmallVec<[Doubts; 2]>,
        write: &Event,
        r: EventId,
    ) -> bool {
        let as_added = doubts.iter().any(|doubts| doubts.ages.as_added);
        let is_maximal = doubts.into_iter().any(|doubts| self.are_unfounded_in(doubts, write, r));
        self.statistics.unproved |= as_added && !is_maximal;
        is_maximal
    }

    fn are_unfounded_in(&mut self, Doubts { doubts, ages }: Doubts, write: &Event, r: EventId) -> bool {
        if doubts.is_empty() {
            return true;
        }
        if !self.is_known_what_is_missing(&ages, r) {
            return doubts
                .iter()
                .all(|(e, later)| !later.iter().any(|&choice| self.could_choose(&ages, *e, choice, write)));
        }
        let mut missing: Vec<EventId> = self.missing(&ages, r).collect();
        missing.sort_by_key(|&e| ages.of(e));
        self.are_refuted(&doubts, &missing, &ages, (write, self.graph.event(r).stamp))
    }

    /// The events that would be added again, `r` among them.
    fn missing<'s>(&'s self, ages: &'s Ages, r: EventId) -> impl Iterator<Item = EventId> + 's {
        self.graph.ids().filter(move |&e| e == r || !ages.is_kept(e))
    }

    /// Whether each of them would be added as it is now. What picks a kept event is known only when its thread has come to it again; and a thread that has not
    /// got to an event would add it where it stands.
    fn is_known_what_is_missing(&self, ages: &Ages, r: EventId) -> bool {
        let is_passed = |e: EventId| {
            let lane = self.graph.lane(self.graph.event(e).thread);
            !lane.order[lane.done..].contains(&e)
        };
        !self.world.deps.has_picks() && self.missing(ages, r).all(is_passed)
    }

    /// Whether a few accesses forbid that `e` made this choice.
    fn is_forbidden_to(&mut self, e: EventId, choice: Alternative, ages: &Ages) -> bool {
        let (Alternative::Source(write) | Alternative::After(write)) = choice else { return false };
        let (event, _) = self.with_choice(self.graph.event(e).clone(), choice);
        let Some(at) = self.graph.lane(event.thread).order.iter().position(|&x| x == e) else { return false };
        self.is_forbidden(&event, at, write, |x| x != e && ages.was_there(e, x))
    }

    /// Whether none of these choices was possible. The doubts, and the events that are missing (`r` and what the revisit deletes), come in the order in
    /// which they would be added, so that one checker is asked about all of them while the graph grows: to show a checker each of these graphs anew
    /// would cost more than the questions. What is older than the stamp is not missing.
    fn are_refuted(
        &mut self,
        doubts: &[Doubt],
        missing: &[EventId],
        ages: &Ages,
        (write, stamp): (&Event, u32),
    ) -> bool {
        let there = self.graph.ids().filter(|e| !missing.contains(e)).map(|e| e.0).collect();
        let left = self.behind(write, &there);
        let mut graph = self.graph.clone();
        graph.restrict(&there, NO_EVENT, &|_| true);
        let whole = std::mem::replace(&mut self.graph, graph);
        let (before, statistics) = (self.filling.lookahead.replace(u32::MAX), self.statistics);
        let in_place = self.enter_restriction(stamp);
        let mut missing = missing.iter().copied().peekable();
        let refuted = doubts.iter().all(|(e, later)| {
            while let Some(x) = missing.next_if(|x| x != e && ages.was_there(*e, *x)) {
                let event = whole.event(x).clone();
                let before = |w: &&EventId| **w != x;
                let place = whole.place(event.loc).filter(|_| event.kind == Kind::Write);
                let co = place
                    .map_or(0, |place| place.co.iter().take_while(before).filter(|&&w| self.graph.contains(w)).count());
                self.graph.add_again(&whole, x, event, co);
                if whole.event(x).kind.in_model() {
                    self.send(x);
                }
            }
            !later.iter().any(|&choice| self.could_take(&whole, *e, choice, write, left))
        });
        self.leave_restriction(in_place);
        (self.filling.lookahead, self.statistics) = (before, statistics);
        self.graph = whole;
        refuted
    }

    /// Whether `e`, an event of the whole graph, can make this choice, and the write be reached then. The checker knows the graph at hand, which tells nothing
    /// of how far threads have run: most choices are rejected at once, and a search that runs them is begun only where that is not so.
    fn could_take(&mut self, whole: &Graph, e: EventId, choice: Alternative, write: &Event, left: usize) -> bool {
        let (event, co) = self.with_choice(whole.event(e).clone(), choice);
        if event.kind.in_model() {
            let done = self.trail.len();
            self.checker().push();
            self.graph.add_again(whole, e, event.clone(), co);
            let consistent = self.send_and_check(e);
            self.undo_to(done);
            self.graph.remove(e);
            self.checker().pop();
            if !consistent {
                return false;
            }
        }
        let there: Bits = self.graph.ids().map(|x| x.0).collect();
        let at = place_before_hole(whole, e, &there);
        let mut graph = whole.clone();
        graph.restrict(&there, NO_EVENT, &|_| true);
        let goal = || Box::new(Goal { write: write.clone(), left, goes_on: true });
        let goal = (self.kind == PrefixKind::Dependencies).then(goal);
        let (found, open) = self.seek(graph, goal, u32::MAX, |search| search.makes_choice(event, co, at));
        // One for the choice itself.
        (0..=open).for_each(|_| self.checker().pop());
        found
    }

    /// An event that makes another choice, and its place in coherence then, if that is of interest.
    pub(in crate::explore) fn with_choice(&self, mut event: Event, choice: Alternative) -> (Event, usize) {
        let mut co = 0;
        match choice {
            Alternative::Source(write) => {
                event.rf = write;
                event.read_value(self.graph.event(write).value);
            }
            Alternative::After(write) => co = self.graph.co_index(write) + 1,
            Alternative::Value(value) => (event.value, event.size) = (value, 0),
        }
        (event, co)
    }

    /// Whether `e` could have made this choice when it was added, and the write could still have been reached, and what is kept behind it in its thread. (From a graph in which that cannot happen again the
    /// revisit may be made, too, but exploration need not come there: an update may have taken the place of one of which the read is kept there.)
    ///
    /// Runs a search of its own for the first way to do so; that happens only for events that filled a hole.
    fn could_choose(&mut self, ages: &Ages, e: EventId, choice: Alternative, write: &Event) -> bool {
        let event = self.graph.event(e).clone();
        let keep: Bits = self.graph.ids().filter(|&x| x != e && ages.was_there(e, x)).map(|x| x.0).collect();
        let at = place_before_hole(&self.graph, e, &keep);
        // What fills no hole need not be asked whether the write can still be reached.
        let goal = || Box::new(Goal { goes_on: true, ..*self.to_reach(write, &keep) });
        let goal = (self.kind == PrefixKind::Dependencies).then(goal);
        self.reaches(&keep, goal, 0, u32::MAX, |search| {
            let (event, co) = search.with_choice(event, choice);
            search.makes_choice(event, co, at)
        })
    }

    /// Whether an event can be added. Where the order of the writes is of no interest, the read of a read-modify-write can take what its own write cannot follow (a write that
    /// others are before, for one); nothing comes of that. With a place in its thread, a hole is before it that is filled later.
    pub(in crate::explore) fn makes_choice(&mut self, event: Event, co: usize, at: Option<usize>) -> bool {
        let (t, is_unordered) = (event.thread, self.graph.is_unordered(event.loc));
        self.add_chosen(event, co, NO_EVENT, at) && (!is_unordered || at.is_some() || self.ends_update(t))
    }

    /// Whether a thread can end the read-modify-write that it is in the middle of, if it is. Nobody else runs before it does.
    fn ends_update(&mut self, t: ThreadId) -> bool {
        loop {
            let lane = self.graph.lane(t);
            if !self.graph.is_half_done(lane, lane.done) || !lane.status.is_running() {
                return true;
            }
            self.filling.ahead += 1;
            if self.run_thread(t).is_some() && (self.must_stop() || !self.next()) {
                return false;
            }
        }
    }
}

/// The place in its thread where an event is added again when these others are there, if there is a hole before it.
fn place_before_hole(graph: &Graph, e: EventId, there: &Bits) -> Option<usize> {
    let lane = graph.lane(graph.event(e).thread);
    let place = lane.order.iter().position(|&x| x == e)?;
    let at = lane.order[..place].iter().filter(|x| there.contains(x.0)).count();
    (place >= lane.done || at < place).then_some(at)
}
