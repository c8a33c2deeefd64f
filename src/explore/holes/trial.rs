//! Whether what a larger revisit would make comes of a smaller one.
//!
//! The smaller one is made, as a trial, and explored as it would be, until what the larger one makes is there. This answers what a script
//! ([`crate::explore::holes::forced_choices`]) leaves open: a read in a hole took what was there, and is to be revisited when its source has come; but what it led to
//! may be kept by then (a loop was left, and a write behind it is read), and be impossible while other holes are open.
//!
//! There are two trials. In the first, what is not sought makes its first choice only; mostly that is enough, and short. A trial that comes to what is sought
//! tells that the larger revisit need not be made. One that does not tells nothing: it ends after [`MOST_TURNS`]. Then the larger revisit is made, and
//! executions that were found in two ways are recognised ([`crate::explore::holes::remember`]).

use crate::explore::checker::consistency::Checker;
use crate::explore::engine::frames::{Choice, Step};
use crate::explore::engine::search::Search;
use crate::explore::holes::keep_sets::Keep;
use crate::explore::holes::known::{Aim, Target, Took};
use crate::graph::event::{Event, INIT_THREAD, Kind};
use crate::ids::EventId;
use crate::relation::bits::Bits;

/// A trial has so many turns at most.
const MOST_TURNS: u32 = 4096;

impl<J: Checker> Search<'_, '_, J> {
    /// Whether exploration is seen to come from a revisit that keeps `less` to the graph that one makes which keeps `full`.
    pub(in crate::explore) fn comes_to(&mut self, event: &Event, r: EventId, less: &Bits, full: &Keep) -> bool {
        let target = Box::new(self.target(event, r, full));
        let outer = self.filling.target.replace(target);
        let mut comes =
            |first_only| self.try_revisit(event, r, less, |search| search.next() && search.come(first_only));
        let comes = comes(true) || comes(false);
        self.filling.target = outer;
        comes
    }

    /// The graph that a revisit makes, in which reads that it leaves open read the write.
    fn target(&self, event: &Event, r: EventId, Keep { events: full, open, .. }: &Keep) -> Target {
        let write = (event.thread, event.key);
        let graph = &self.graph;
        let aim = |e: EventId| {
            let event = graph.event(e);
            let took = match event.kind {
                Kind::Choose => Took::Value(event.value),
                Kind::Read if e == r => Took::Source(write),
                Kind::Read => Took::Source(self.name_of(event.rf)),
                Kind::Write => match graph.place(event.loc).filter(|place| !place.unordered) {
                    Some(place) => {
                        let behind = place.co.iter().rev().take_while(|&&w| w != e);
                        Took::Before(behind.filter(|w| full.contains(w.0)).map(|&w| self.name_of(w)).collect())
                    }
                    None => Took::Nothing,
                },
                _ => Took::Nothing,
            };
            Aim { name: self.name_of(e), took }
        };
        let is_aim = |e: &EventId| full.contains(e.0) && graph.event(*e).thread != INIT_THREAD;
        let mut aims: Vec<Aim> = graph.ids().filter(is_aim).map(aim).collect();
        aims.push(Aim { name: write, took: Took::Nothing });
        aims.extend(open.iter().map(|&e| Aim { name: self.name_of(e), took: Took::Source(write) }));
        Target(aims)
    }

    /// Explores until the graph is there that is sought. `first_only`: what is not sought makes its first choice only.
    fn come(&mut self, first_only: bool) -> bool {
        for _ in 0..MOST_TURNS {
            self.filling.ahead += 1;
            if !matches!(self.advance(), Step::Dead) && self.has_come() {
                return true;
            }
            if self.must_stop() || !self.next() {
                return false;
            }
            if first_only {
                self.leave_alternatives();
            }
        }
        false
    }

    /// What is not sought makes its first choice only: mostly it is there to be deleted again, and that is done where it made that choice.
    fn leave_alternatives(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        let (Choice::Source { event, .. } | Choice::Position { event, .. }) = &frame.choice else { return };
        let name = (event.thread, event.key);
        let is_sought = self.filling.target.as_ref().is_none_or(|t| t.0.iter().any(|aim| aim.name == name));
        if !is_sought && let Some(frame) = self.frames.last_mut() {
            frame.given = true;
        }
    }

    /// Whether what is sought is there, and its threads have passed it; what they did besides is of no interest.
    fn has_come(&self) -> bool {
        let Some(target) = &self.filling.target else { return true };
        target.0.iter().all(|aim| self.is_there(aim))
    }

    fn is_there(&self, Aim { name, took }: &Aim) -> bool {
        let Some(e) = self.named(*name) else { return false };
        let event = self.graph.event(e);
        let lane = self.graph.lane(event.thread);
        if lane.order[lane.done..].contains(&e) {
            return false;
        }
        match took {
            Took::Nothing => true,
            Took::Value(value) => event.value == *value,
            Took::Source(source) => self.name_of(event.rf) == *source,
            Took::Before(behind) => self.graph.place(event.loc).is_some_and(|place| {
                let before = place.co.iter().take_while(|&&w| w != e);
                before.into_iter().all(|&w| !behind.contains(&self.name_of(w)))
            }),
        }
    }
}
