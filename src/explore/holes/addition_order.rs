//! In which order the events that a revisit deletes would be added again.
//!
//! Holes are filled before anything else, so that is not the order in which they were added, if there are any. But where the write itself fills a hole it can come
//! next before anything is added again, or before all is; and yet there is no graph without the rest in which it comes next. That hole comes of an earlier revisit, of a read before
//! the write in its thread. That one kept all that was there before the read: what is deleted now among it, which what is kept now does not lead to. So what is deleted is
//! taken to be added in the order in which it was then; or behind `r` and what fills holes by itself, from which it may have read. Two orders may let two graphs make the same revisit;
//! what comes of that is found once all the same (`remember`).

use crate::explore::engine::context::World;
use crate::graph::event::{Event, Kind, NO_EVENT};
use crate::graph::pairs::Urgency;
use crate::graph::prefix::PrefixKind;
use crate::graph::{Graph, Lane, Status};
use crate::ids::{EventId, ThreadId};
use crate::program::Half;
use crate::program::thread::WaitsFor;
use crate::relation::bits::Bits;
use smallvec::{SmallVec, smallvec};

/// When each event would be added if exploration started from what a revisit keeps: 0 for what is kept, larger is later.
#[derive(Debug)]
pub struct Ages {
    of: Vec<u32>,
    /// Whether holes are open while events are added that fill none, because no other order leads to the write.
    pub as_added: bool,
}

impl Ages {
    /// Whether the revisit keeps `x`.
    pub fn is_kept(&self, x: EventId) -> bool {
        self.of(x) == 0
    }

    /// When an event would be added.
    pub fn of(&self, e: EventId) -> u32 {
        self.of[e.index()]
    }

    /// Whether `x` is there when `e` is added.
    pub fn was_there(&self, e: EventId, x: EventId) -> bool {
        self.of(x) <= self.of(e)
    }
}

/// The orders in which `r` and the events outside `keep` may be added again, all making the choices that they made in
/// `graph`, until a write of `writer` comes next.
///
/// Where revisits keep program order, or there are no holes, that is the order in which they were added, as in the paper.
pub fn ages(
    world: &mut World<'_>,
    graph: &Graph,
    keep: &Bits,
    r: EventId,
    writer: ThreadId,
    kind: PrefixKind,
) -> SmallVec<[Ages; 2]> {
    let missing = || graph.ids().filter(|&e| e == r || !keep.contains(e.0));
    let by_stamp = |of: &mut [u32], after: u32, all: &dyn Fn(EventId) -> bool| {
        missing().filter(|&e| all(e)).for_each(|e| of[e.index()] = after + graph.event(e).stamp);
    };
    let mut as_added = vec![0; size(graph)];
    by_stamp(&mut as_added, 0, &|_| true);
    let course = (kind == PrefixKind::Dependencies).then(|| Course::new(graph, writer, keep, r));
    let Some(mut course) = course.filter(Course::has_holes) else {
        return smallvec![Ages { of: as_added, as_added: false }];
    };
    let (mut of, filled) = course.ages(world, missing().count());
    if filled == missing().count() {
        return smallvec![Ages { of, as_added: false }];
    }
    let mut orders = smallvec![Ages { of: as_added, as_added: true }];
    if filled > 0 {
        // `r` is older than what fills holes before the write comes next; what else there is may have read from that.
        by_stamp(&mut of, filled as u32 + 1, &|e| !course.there.contains(e.0));
        of[r.index()] = 1;
        orders.push(Ages { of, as_added: true });
    }
    orders
}

/// Events have lower numbers.
fn size(graph: &Graph) -> usize {
    graph.ids().last().map_or(0, |e| e.index() + 1)
}

/// Threads on their way again: what is there of them grows. What is asked at each step does not look at all of them.
struct Course<'g> {
    graph: &'g Graph,
    writer: ThreadId,
    there: Bits,
    lanes: Vec<Progress>,
}

/// How far a thread is.
struct Progress {
    /// So many of its first events are there. What comes behind the revisiting write in its thread does not count.
    passed: usize,
    /// So many of all its events are there.
    count: usize,
    /// Whether it has reads of read-modify-writes at all.
    updates: bool,
}

impl<'g> Course<'g> {
    fn new(graph: &'g Graph, writer: ThreadId, keep: &Bits, r: EventId) -> Self {
        let mut there = keep.clone();
        there.remove(r.0);
        let progress = |lane: &Lane| Progress {
            passed: 0,
            count: lane.order.iter().filter(|e| there.contains(e.0)).count(),
            updates: lane.order.iter().any(|&e| matches!(graph.event(e).half, Half::AmoRead | Half::FusedRead)),
        };
        let lanes = graph.lanes().iter().map(progress).collect();
        let mut course = Course { graph, writer, there, lanes };
        (0..course.lanes.len()).for_each(|t| course.go_on(ThreadId::at(t)));
        course
    }

    fn has_holes(&self) -> bool {
        (0..self.lanes.len()).any(|t| self.urgency(ThreadId::at(t)) != Urgency::None)
    }

    /// When each of so many missing events is added, from 2 on, and how many there are until something else would be added.
    fn ages(&mut self, world: &mut World<'_>, missing: usize) -> (Vec<u32>, usize) {
        let mut ages = vec![0; size(self.graph)];
        for filled in 0..missing {
            let Some(e) = self.next(world).and_then(|t| self.first_missing(t)) else { return (ages, filled) };
            ages[e.index()] = filled as u32 + 2;
            self.insert(e);
        }
        (ages, missing)
    }

    /// The first events of a thread, in so far as they come before the revisiting write if it is that write's.
    fn coming(&self, t: ThreadId) -> &'g [EventId] {
        let lane = self.graph.lane(t);
        if t == self.writer { &lane.order[..lane.done] } else { &lane.order }
    }

    /// The next event of a thread that is not there.
    fn first_missing(&self, t: ThreadId) -> Option<EventId> {
        self.coming(t).get(self.lanes[t.index()].passed).copied()
    }

    fn go_on(&mut self, t: ThreadId) {
        let passed = self.lanes[t.index()].passed;
        let more = self.coming(t)[passed..].iter().take_while(|e| self.there.contains(e.0)).count();
        self.lanes[t.index()].passed += more;
    }

    fn insert(&mut self, e: EventId) {
        self.there.insert(e.0);
        let t = self.graph.event(e).thread;
        self.lanes[t.index()].count += 1;
        self.go_on(t);
    }

    /// How urgent a thread is when only these events are present ([`Graph::urgency`]). The revisiting write counts as one with the read
    /// of the same read-modify-write: its thread is not urgent for being about to make that write.
    fn urgency(&self, t: ThreadId) -> Urgency {
        let (graph, lane, is_writer) = (self.graph, self.graph.lane(t), t == self.writer);
        let Progress { passed, count, updates } = self.lanes[t.index()];
        let is_there = |e: &EventId| self.there.contains(e.0);
        let runs = lane.status == Status::Running && !is_writer;
        let (is_half_done, has_more) = if passed == self.coming(t).len() {
            (runs && graph.is_half_done(lane, lane.done), lane.order[lane.done..].iter().any(is_there))
        } else {
            // What is missing before the revisiting write is missing before something that is kept.
            (graph.is_half_done(lane, passed), is_writer || count > passed)
        };
        Urgency::of(is_half_done, has_more, || {
            let own = match is_writer && graph.is_half_done(lane, lane.done) {
                true => lane.order[..lane.done].iter().rev().find(|&&e| graph.event(e).kind == Kind::Read),
                false => None,
            };
            let all = || lane.order.iter().filter(|&e| is_there(e)).copied().collect::<Vec<_>>();
            updates && graph.is_pending(&all(), own.copied())
        })
    }

    /// The thread that would run next; the rule of [`crate::explore::engine::step`].
    fn next(&self, world: &mut World<'_>) -> Option<ThreadId> {
        let mut best: Option<((Urgency, u32), ThreadId)> = None;
        for (t, lane) in self.graph.lanes().iter().enumerate() {
            let t = ThreadId::at(t);
            let born = lane.spawn == NO_EVENT || self.there.contains(lane.spawn.0);
            let next = self.first_missing(t);
            if !born || next.is_none() && lane.status != Status::Running {
                continue;
            }
            if next.is_some_and(|e| self.waits(self.graph.event(e))) {
                continue;
            }
            let rank = (self.urgency(t), lane.depth);
            if best.is_none_or(|(other, _)| rank > other) && !(next.is_none() && self.waits_at_end(world, t)) {
                best = Some((rank, t));
            }
        }
        best.map(|(_, t)| t)
    }

    /// Whether a thread cannot go past an event because others have not come where it waits for them.
    fn waits(&self, event: &Event) -> bool {
        match event.kind {
            Kind::Join => {
                let child = ThreadId(event.value as u32);
                self.lanes[child.index()].count < self.graph.lane(child).order.len()
            }
            Kind::Depart => self.graph.arrivals(event.value, event.size).any(|e| !self.there.contains(e.0)),
            _ => false,
        }
    }

    /// Whether a thread that has no more events cannot run on either, because others have not come where it waits for them.
    fn waits_at_end(&self, world: &mut World<'_>, t: ThreadId) -> bool {
        let lane = self.graph.lane(t);
        let Some(mut thread) = lane.thread.clone().filter(|_| t != self.writer) else { return false };
        world.interpret(t, &mut thread, lane.done as u32);
        match thread.waits_for(world.program) {
            None => false,
            Some(WaitsFor::End(child)) => self.graph.lanes().get(child as usize).is_some_and(|lane| {
                let has_ended = lane.status == Status::Finished && self.lanes[child as usize].count == lane.order.len();
                world.is_thread(self.graph, child) && !has_ended
            }),
            Some(WaitsFor::Arrivals { barrier, count }) => {
                let round = self.graph.round(lane, barrier);
                let arrivals = self.graph.arrivals(barrier, round).filter(|e| self.there.contains(e.0));
                (arrivals.count() as u64) < count
            }
        }
    }
}
