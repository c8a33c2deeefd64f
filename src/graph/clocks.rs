//! How far each event looks back into every thread, where program order counts as a dependency.
//!
//! What an event depends on is then, of each thread, so many first events ([`super::prefix`]): one number a thread, a vector clock. An event's clock is the
//! largest of the clocks of what it depends on directly, and counts the event itself. It never changes while the event stays: what an event depends on was
//! there before it, and a read that gets another source is the last of its thread and nobody's source. So a clock is worked out once, in O(threads), and not
//! before something is asked: most events are taken back before.
//!
//! Limits: only for graphs that events are added to at the end of their threads, and threads of fewer than 65,536 events. A graph that is not like that forgets
//! its clocks, and prefixes are searched for.

use super::event::{Event, INIT_THREAD, Kind, NO_EVENT};
use super::{EventId, Graph, prefix};
use crate::ids::ThreadId;
use crate::relation::bits::Bits;
use smallvec::SmallVec;

/// Threads whose numbers are looked at together.
const TOGETHER: usize = 8;

type Block = [u16; TOGETHER];

/// How many first events of each thread an event depends on.
pub struct Clock(SmallVec<[Block; 2]>);

/// The clocks of a graph's events.
#[derive(Clone, Debug, Default)]
pub(super) struct Clocks {
    /// Blocks a clock: for as many threads as there are.
    width: usize,
    rows: Vec<Block>,
    /// The events whose clocks are not worked out, each behind those that it depends on.
    pending: Vec<EventId>,
}

impl Clocks {
    #[inline]
    fn of(&self, e: EventId) -> &[Block] {
        &self.rows[e.index() * self.width..][..self.width]
    }

    /// Makes room for the clock of an event among so many threads.
    #[inline]
    fn make_room(&mut self, e: EventId, threads: usize) {
        if threads > self.width * TOGETHER {
            self.widen(threads.div_ceil(TOGETHER));
        }
        let end = (e.index() + 1) * self.width;
        if self.rows.len() < end {
            self.rows.resize(end, Block::default());
        }
    }

    #[cold]
    fn widen(&mut self, width: usize) {
        let mut rows = Vec::with_capacity(self.rows.len() / self.width.max(1) * width);
        for row in self.rows.chunks_exact(self.width.max(1)) {
            rows.extend_from_slice(row);
            rows.resize(rows.len() + width - self.width, Block::default());
        }
        (self.width, self.rows) = (width, rows);
    }

    /// Gives an event the clock of another one, or of none.
    #[inline]
    fn copy(&mut self, e: EventId, from: Option<EventId>) {
        let to = e.index() * self.width;
        for k in 0..self.width {
            self.rows[to + k] = from.map_or(Block::default(), |from| self.rows[from.index() * self.width + k]);
        }
    }

    /// Adds the clock of another event to that of one.
    #[inline]
    fn add(&mut self, e: EventId, other: EventId) {
        let (to, from) = (e.index() * self.width, other.index() * self.width);
        for k in 0..self.width {
            let other = self.rows[from + k];
            join(&mut self.rows[to + k], &other);
        }
    }
}

/// The larger one of each two numbers.
#[inline]
fn join(own: &mut Block, other: &Block) {
    own.iter_mut().zip(other).for_each(|(own, &other)| *own = (*own).max(other));
}

#[inline]
fn number(clock: &[Block], thread: ThreadId) -> u16 {
    clock[thread.index() / TOGETHER][thread.index() % TOGETHER]
}

impl Graph {
    /// Keeps clocks from now on. There is no event of a thread yet.
    pub fn keep_clocks(&mut self) {
        self.clocks = Some(Clocks::default());
    }

    /// Keeps none from now on: prefixes are searched for.
    pub fn forget_clocks(&mut self) {
        self.clocks = None;
    }

    /// The clock that an event would have behind those that its thread has passed, but for itself: it counts what [`super::prefix::prefix`] with program
    /// order holds. `None`: none are kept. Clocks are up to date ([`Self::settle_clocks`]).
    pub fn clock_before(&self, event: &Event) -> Option<Clock> {
        let clocks = self.clocks.as_ref()?;
        let before = self.just_before(event, self.lane(event.thread).done);
        let mut clock: SmallVec<[Block; 2]> = before.map_or_else(SmallVec::new, |e| SmallVec::from_slice(clocks.of(e)));
        clock.resize(self.lanes.len().div_ceil(TOGETHER).max(clocks.width), Block::default());
        self.sources(event, |e| clock.iter_mut().zip(clocks.of(e)).for_each(|(own, other)| join(own, other)));
        let clock = Clock(clock);
        debug_assert!(self.counts_prefix(&clock, event), "a clock counts what a search finds");
        Some(clock)
    }

    /// Whether a clock counts what is found by a search.
    fn counts_prefix(&self, clock: &Clock, event: &Event) -> bool {
        let (mut counted, mut found) = (Bits::new(), Bits::new());
        self.counted(clock, &mut counted);
        prefix::before(self, event, &mut found);
        counted.iter().eq(found.iter())
            && self
                .ids()
                .all(|e| self.event(e).thread == INIT_THREAD || self.is_counted(clock, e) == found.contains(e.0))
    }

    /// Whether a clock counts an event of the graph. Initial writes are counted by none.
    #[inline]
    pub fn is_counted(&self, clock: &Clock, e: EventId) -> bool {
        let thread = self.event(e).thread;
        let counts = |clocks: &Clocks| number(clocks.of(e), thread) <= number(&clock.0, thread);
        thread != INIT_THREAD && self.clocks.as_ref().is_some_and(counts)
    }

    /// Whether an event depends on another one, or is that; nothing where no clocks are kept. They are up to date.
    pub fn is_behind(&self, e: EventId, other: EventId) -> Option<bool> {
        let clocks = self.clocks.as_ref()?;
        let thread = self.event(other).thread;
        let is_initial = |e: EventId| self.event(e).thread == INIT_THREAD;
        if is_initial(e) || is_initial(other) {
            return Some(e == other);
        }
        Some(number(clocks.of(other), thread) <= number(clocks.of(e), thread))
    }

    /// All events that a clock counts.
    pub fn counted(&self, clock: &Clock, out: &mut Bits) {
        out.clear();
        for (lane, &first) in self.lanes.iter().zip(clock.0.iter().flatten()) {
            lane.order[..usize::from(first)].iter().for_each(|e| out.insert(e.0));
        }
    }

    /// An event was just added, or has got another source (and was taken back before: [`Self::untick`]).
    #[inline]
    pub(super) fn tick(&mut self, id: EventId) {
        let Some(clocks) = &mut self.clocks else { return };
        let order = &self.lanes[self.events[id.index()].thread.index()].order;
        if order.last() == Some(&id) && order.len() <= usize::from(u16::MAX) {
            clocks.pending.push(id);
        } else {
            self.clocks = None;
        }
    }

    /// An event is taken back, or gets another source.
    #[inline]
    pub(super) fn untick(&mut self, id: EventId) {
        if let Some(clocks) = &mut self.clocks
            && let Some(at) = clocks.pending.iter().rposition(|&e| e == id)
        {
            clocks.pending.remove(at);
        }
    }

    /// Only these events stay.
    pub(super) fn retain_clocks(&mut self, keep: &Bits) {
        if let Some(clocks) = &mut self.clocks {
            clocks.pending.retain(|e| keep.contains(e.0));
        }
    }

    /// Works out what clocks are not known yet.
    pub fn settle_clocks(&mut self) {
        let Some(mut clocks) = self.clocks.take() else { return };
        let mut pending = std::mem::take(&mut clocks.pending);
        for id in pending.drain(..) {
            let event = self.event(id);
            let Some(at) = self.lane(event.thread).order.iter().rposition(|&e| e == id) else { continue };
            clocks.make_room(id, self.lanes.len());
            clocks.copy(id, self.just_before(event, at));
            self.sources(event, |other| clocks.add(id, other));
            let own = id.index() * clocks.width + event.thread.index() / TOGETHER;
            clocks.rows[own][event.thread.index() % TOGETHER] = at as u16 + 1;
        }
        clocks.pending = pending;
        self.clocks = Some(clocks);
    }

    /// The last of so many first events of an event's thread, or what created that.
    #[inline]
    fn just_before(&self, event: &Event, passed: usize) -> Option<EventId> {
        let lane = self.lane(event.thread);
        let before = passed.checked_sub(1).map_or(lane.spawn, |last| lane.order[last]);
        (before != NO_EVENT).then_some(before)
    }

    /// What an event depends on directly in other threads.
    #[inline]
    fn sources(&self, event: &Event, mut add: impl FnMut(EventId)) {
        match event.kind {
            Kind::Read if event.rf == NO_EVENT || self.is_witnessed(event.loc) => {}
            Kind::Read if self.event(event.rf).thread != INIT_THREAD => add(event.rf),
            Kind::Join => {
                let child = self.lanes.get(event.value as usize).and_then(|child| child.order.last());
                child.copied().into_iter().for_each(add);
            }
            Kind::Depart => self.arrivals(event.value, event.size).for_each(add),
            _ => {}
        }
    }
}
