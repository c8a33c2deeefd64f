//! Rounds of barriers: which one a thread is in, who has arrived there, and whether somebody has left it.

use super::event::Kind;
use super::{Graph, Lane};
use crate::ids::{EventId, ThreadId};

impl Graph {
    /// The arrivals at a barrier in one round.
    pub fn arrivals(&self, barrier: u64, round: u64) -> impl Iterator<Item = EventId> + '_ {
        self.ids().filter(move |&e| {
            let e = self.event(e);
            e.kind == Kind::Arrive && e.value == barrier && e.size == round
        })
    }

    /// Whether some thread has left a round of a barrier: all that take part have arrived.
    pub fn is_round_over(&self, barrier: u64, round: u64) -> bool {
        self.ids().map(|e| self.event(e)).any(|e| e.kind == Kind::Depart && e.value == barrier && e.size == round)
    }

    /// The round of a barrier in which a thread arrives next: behind those that it has left, and that the threads had left which created it, or which it has
    /// joined.
    pub fn next_round(&self, t: ThreadId, barrier: u64) -> u64 {
        let lane = self.lane(t);
        self.rounds_left(lane, &lane.order[..lane.done], barrier)
    }

    fn rounds_left(&self, lane: &Lane, passed: &[EventId], barrier: u64) -> u64 {
        let creator = self.contains(lane.spawn).then(|| self.lane(self.event(lane.spawn).thread));
        let before = creator.map_or(0, |creator| {
            let at = creator.order.iter().position(|&e| e == lane.spawn).unwrap_or(0);
            self.rounds_left(creator, &creator.order[..at], barrier)
        });
        passed.iter().map(|&e| self.event(e)).fold(before, |left, e| match e.kind {
            Kind::Depart if e.value == barrier => left.max(e.size + 1),
            Kind::Join => {
                let joined = self.lane(ThreadId(e.value as u32));
                left.max(self.rounds_left(joined, &joined.order, barrier))
            }
            _ => left,
        })
    }

    /// The round of a barrier in which a thread is that has arrived there.
    pub fn round(&self, lane: &Lane, barrier: u64) -> u64 {
        let passed = lane.order[..lane.done].iter().rev().map(|&e| self.event(e));
        let mut arrivals = passed.filter(|e| e.kind == Kind::Arrive && e.value == barrier);
        arrivals.next().map_or(0, |e| e.size)
    }
}
