//! Places in coherence and sources, one by one, for events that are all there.

use crate::candidates::straightline::guess::Descent;
use crate::candidates::straightline::share::{Level, Set, Way};
use crate::candidates::straightline::straight::Guessed;
use crate::candidates::straightline::threads::{Ended, Threads};
use crate::candidates::straightline::values::Values;
use crate::explore::parallel::parts::Share;
use crate::explore::statistics::Statistics;
use crate::explore::visitor::{Execution, Go, Visitor};
use crate::graph::Graph;
use crate::graph::base_relations::{self, Feed, Orders};
use crate::graph::event::{Kind, NO_EVENT};
use crate::ids::{EventId, LocId};
use crate::kernel::plan::Plan;
use crate::kernel::session::Session;
use crate::program::Program;
use crate::relation::bits::Bits;
use std::sync::Arc;

/// Steps between two looks at the clock, and at whether another thread asks for work.
const STEPS: u32 = 64;

/// What is to be chosen.
#[derive(Clone, Copy)]
enum Choice {
    /// The place of a write among those of its location (by its number in [`Assigner::orders`]) that have theirs.
    Place(usize, EventId),
    /// The source of a read.
    Source(EventId),
}

/// Searches for sources and orders that the model accepts, and shows the executions.
pub(super) struct Assigner<'v> {
    session: Session,
    feed: Feed,
    /// For memory accesses, for lock events.
    reads_from: [Option<usize>; 2],
    coherence: Option<usize>,
    visitor: &'v mut dyn Visitor,
    pub statistics: Statistics,
    choices: Vec<Choice>,
    /// Where each choice on the way to the current one stands.
    pub(super) levels: Vec<Level>,
    /// The writes of each location with several, as ordered so far.
    orders: Vec<(LocId, Vec<EventId>)>,
    /// By location: what its reads can read.
    sources: Vec<Vec<EventId>>,
    /// The reads of the program whose values are guessed.
    pub(super) guessed: &'v [Guessed],
    /// Those of them that take place, with their values.
    guesses: Vec<(EventId, u64)>,
    flags: Vec<usize>,
    pub(super) steps: u32,
    /// The set of events that is searched.
    pub(super) at: Set,
    /// How this search works together with others.
    pub(super) share: Option<Share<'v, Way>>,
    /// So many runs of the threads come before the part that is to be searched.
    pub(super) runs_before: usize,
    /// The choices on the way to that part, until it is reached.
    pub(super) way: Vec<Level>,
    /// How many steps that way took.
    pub(super) way_steps: u64,
    /// The sets of events that come later are searched by others.
    pub(super) is_last: bool,
    /// Only one alternative of each choice is tried.
    pub(super) descent: Option<Descent<'v>>,
}

impl<'v> Assigner<'v> {
    pub fn new(plan: &Arc<Plan>, program: &Program, guessed: &'v [Guessed], visitor: &'v mut dyn Visitor) -> Self {
        Assigner {
            session: Session::new(plan.clone()),
            feed: Feed::new(plan, program, Orders::None),
            reads_from: base_relations::reads_from_inputs(plan),
            coherence: base_relations::coherence_input(plan),
            visitor,
            statistics: Statistics::default(),
            choices: Vec::new(),
            levels: Vec::new(),
            orders: Vec::new(),
            sources: Vec::new(),
            guessed,
            guesses: Vec::new(),
            flags: Vec::new(),
            steps: 0,
            at: Set { chosen: vec![0; guessed.len()], run: 0 },
            share: None,
            runs_before: 0,
            way: Vec::new(),
            way_steps: 0,
            is_last: false,
            descent: None,
        }
    }

    /// Whether the set of events belongs to others, who have searched it before.
    pub fn is_before_part(&self) -> bool {
        self.at.run < self.runs_before
    }

    /// Shows every execution with the events of the graph, whose sources and orders are of no account.
    pub fn search(&mut self, search: &mut Threads<'_, '_>) -> Result<(), Ended> {
        if !self.note_guesses(search) {
            return Err(Ended::Unsuitable);
        }
        let mut values = Values::of(search);
        let graph = &mut search.graph;
        self.choose_what(graph);
        let reads: Vec<EventId> = graph.ids().filter(|&e| graph.event(e).kind == Kind::Read).collect();
        reads.into_iter().for_each(|read| graph.event_mut(read).rf = NO_EVENT);
        self.session.reset();
        self.feed.send_rest(&mut self.session, graph, &search.world.deps, 0);
        if self.way.is_empty() {
            self.statistics.events += graph.len() as u64;
        }
        self.statistics.events_max = self.statistics.events_max.max(graph.len());
        if self.session.violated_partial().is_some() {
            return Ok(());
        }
        self.choose(search, &mut values, 0)
    }

    /// Whether the reads that are guessed take place in a graph, but for those whose first value is.
    pub fn all_reached(&self, graph: &Graph) -> bool {
        self.guessed.iter().zip(&self.at.chosen).all(|(read, &n)| n == 0 || find(graph, read).is_some())
    }

    /// Finds the reads that were guessed. `false`: one of their locations is written with a value that was not thought of.
    fn note_guesses(&mut self, search: &Threads<'_, '_>) -> bool {
        let graph = &search.graph;
        self.guesses.clear();
        self.guessed.iter().all(|read| {
            let Some(event) = find(graph, read) else { return true };
            self.guesses.extend(search.world.guesses.get(&(read.thread, read.pc)).map(|&value| (event, value)));
            graph
                .place(graph.event(event).loc)
                .is_some_and(|place| place.co.iter().all(|&write| read.values.contains(&graph.event(write).value)))
        })
    }

    /// Whether a read may read a value.
    fn may_read(&self, read: EventId, value: u64) -> bool {
        self.guesses.iter().all(|&(guessed, guess)| guessed != read || guess == value)
    }

    /// Lists the choices. What was guessed has few sources, so it comes first. Of each lock the order and then its reads, which leave few
    /// orders and order much else. Then all other orders, because an order that has its places can always be read from in some way.
    fn choose_what(&mut self, graph: &Graph) {
        self.choices.clear();
        self.orders.clear();
        self.sources.clear();
        for (loc, place) in graph.places() {
            if self.sources.len() <= loc.index() {
                self.sources.resize(loc.index() + 1, Vec::new());
            }
            self.sources[loc.index()].clone_from(&place.co);
            if place.co.len() > 2 {
                let at = self.orders.len();
                self.orders.push((loc, Vec::new()));
                self.choices.extend(place.co[1..].iter().map(|&write| Choice::Place(at, write)));
            }
        }
        let events = graph.lanes().iter().flat_map(|lane| &lane.order).copied();
        self.choices.extend(events.filter(|&e| graph.event(e).kind == Kind::Read).map(Choice::Source));
        let (orders, guesses) = (&self.orders, &self.guesses);
        let rank = |choice: &Choice| {
            let (loc, is_read) = match *choice {
                Choice::Place(at, _) => (orders[at].0, 1),
                Choice::Source(read) => (graph.event(read).loc, 2),
            };
            let is_lock = graph.place(loc).is_some_and(|place| place.co[1..].iter().any(|&w| graph.event(w).hidden));
            match choice {
                Choice::Source(read) if guesses.iter().any(|guess| guess.0 == *read) => (0, 0, 0),
                _ if is_lock => (1, loc.0, is_read),
                _ => (2, 0, is_read),
            }
        };
        self.choices.sort_by_cached_key(rank);
    }

    fn choose(&mut self, search: &mut Threads<'_, '_>, values: &mut Values, at: usize) -> Result<(), Ended> {
        let Some(choice) = self.choices.get(at).copied() else { return self.finish(search, values) };
        let all = match choice {
            Choice::Place(of, _) => self.orders[of].1.len() + 1,
            Choice::Source(read) => self.sources[search.graph.event(read).loc.index()].len(),
        };
        // On the way to a part, what the last choice on it has left is where the part begins.
        let rolled = self.rolled(all);
        let mut is_taken = at + 1 < self.way.len() || rolled.is_some();
        let level = rolled.or_else(|| self.way.get(at).copied());
        self.levels.push(level.unwrap_or(Level { taken: 0, left: all }));
        if !is_taken {
            self.way.clear();
        }
        loop {
            let level = &mut self.levels[at];
            if !is_taken {
                let Some(left) = level.left.checked_sub(1) else { break };
                *level = Level { taken: left, left };
            }
            is_taken = false;
            let alternative = level.taken;
            self.take(search, values, at, choice, alternative)?;
        }
        self.levels.pop();
        Ok(())
    }

    /// Takes an alternative of a choice, goes on, and takes it back.
    fn take(
        &mut self,
        search: &mut Threads<'_, '_>,
        values: &mut Values,
        at: usize,
        choice: Choice,
        alternative: usize,
    ) -> Result<(), Ended> {
        match choice {
            Choice::Place(of, write) => {
                self.session.push();
                self.put(&search.graph, of, write, alternative);
                self.go_on(search, values, at)?;
                self.orders[of].1.remove(alternative);
            }
            Choice::Source(read) => {
                let (loc, row) = (search.graph.event(read).loc.index(), search.graph.row(read));
                let write = self.sources[loc][alternative];
                let source = search.graph.row(write);
                let is_own = source == row || search.graph.event(write).partner == read;
                if is_own || !self.may_read(read, search.graph.event(write).value) {
                    return Ok(());
                }
                self.session.push();
                let sources = Bits::from_iter([source]);
                if let Some(input) = self.reads_from[usize::from(search.graph.event(read).hidden)] {
                    self.session.add_column(input, sources.words(), row);
                }
                search.graph.event_mut(read).rf = write;
                self.go_on(search, values, at)?;
            }
        }
        Ok(())
    }

    /// Makes the choices that are left if the one just made may be right, and takes it back.
    fn go_on(&mut self, search: &mut Threads<'_, '_>, values: &mut Values, at: usize) -> Result<(), Ended> {
        // The way to a part was counted by those who went it first.
        if self.way.is_empty() {
            self.statistics.events += 1;
        }
        self.steps = self.steps.wrapping_add(1);
        if self.steps.is_multiple_of(STEPS) {
            if search.world.options.should_stop() || self.share.as_ref().is_some_and(Share::is_dropped) {
                return Err(Ended::Stopped);
            }
            self.share_out();
        }
        self.end_slice();
        if self.session.violated_partial().is_none() {
            self.choose(search, values, at + 1)?;
        }
        self.session.pop();
        Ok(())
    }

    /// Puts a write at a place among those that have theirs.
    fn put(&mut self, graph: &Graph, of: usize, write: EventId, place: usize) {
        let order = &mut self.orders[of].1;
        if let Some(input) = self.coherence {
            let rows = |writes: &[EventId]| writes.iter().map(|&w| graph.row(w)).collect::<Bits>();
            let (before, behind) = order.split_at(place);
            let row = graph.row(write);
            if !before.is_empty() {
                self.session.add_column(input, rows(before).words(), row);
            }
            if !behind.is_empty() {
                self.session.add_row(input, row, rows(behind).words());
            }
        }
        order.insert(place, write);
    }

    /// All choices are made.
    fn finish(&mut self, search: &mut Threads<'_, '_>, values: &mut Values) -> Result<(), Ended> {
        if self.session.violated_final().is_some() {
            return Ok(());
        }
        if !values.follow(search)? {
            return Ok(());
        }
        if let Some(descent) = &mut self.descent {
            descent.arrived = true;
            return Ok(());
        }
        for (loc, order) in &self.orders {
            search.graph.set_coherence(*loc, order);
        }
        self.flags.clear();
        self.session.flags(&mut self.flags);
        self.statistics.complete += 1;
        self.statistics.in_all += 1;
        let (graph, world) = (&search.graph, &search.world);
        let execution = Execution { graph, world, flags: &self.flags, last: None, all_joined: false, stands_for: 1 };
        match self.visitor.complete(&execution) {
            Go::On => Ok(()),
            Go::Stop => Err(Ended::Sated),
        }
    }
}

/// The event of a read that is guessed, if it takes place.
fn find(graph: &Graph, read: &Guessed) -> Option<EventId> {
    let mut order = graph.lanes().get(read.thread.index())?.order.iter().copied();
    order.find(|&e| {
        let event = graph.event(e);
        event.kind == Kind::Read && event.before.as_ref().is_some_and(|thread| thread.frame().pc == read.pc)
    })
}
