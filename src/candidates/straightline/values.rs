//! What is read and written, once sources are chosen.
//!
//! A thread is run again whenever one of its reads reads something else than in the execution before; what it wrote and where it ended
//! is remembered by what it read. This goes on until nothing changes any more. When an event depends on itself, through dependencies and
//! reads from each other, there may be nothing to begin with: then the search is given up, unless such executions are wanted ([`ThinAir::Values`]). A value that is computed from itself makes
//! none of these.

use crate::candidates::straightline::threads::{Ended, Threads};
use crate::explore::checker::thin_air;
use crate::explore::checker::thin_air::Origins;
use crate::explore::options::ThinAir;
use crate::graph::event::Kind;
use crate::ids::{EventId, ThreadId};
use crate::program::thread::{Action, Thread};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// So many ends of a thread are remembered.
const MOST_KNOWN: usize = 4096;

/// What the reads of a thread read, in program order.
type Reads = SmallVec<[u64; 6]>;

/// What a thread did.
#[derive(Clone)]
struct Done {
    writes: Box<[(EventId, u64)]>,
    end: Thread,
    /// It did not come to its end: what it waited for did not happen.
    stopped: bool,
}

/// A thread.
struct Lane {
    /// The thread before its first event, and at its end if it has none.
    start: Option<Thread>,
    reads: Vec<EventId>,
    /// What it read in the execution that the graph shows.
    read: Option<Reads>,
    known: FxHashMap<Reads, Done>,
    /// Whether it waits with what it reads now.
    stopped: bool,
}

/// The values of a run of a program's threads.
pub(super) struct Values {
    lanes: Vec<Lane>,
    /// Reads, and other events with dependencies: what each depends on, but for the source of a read.
    needs: Vec<(EventId, u128)>,
    /// What each of them is computed from, where that is for the model to forbid which goes round otherwise.
    origins: Option<Origins>,
    /// How many writes depend on something.
    dependent: usize,
}

impl Values {
    /// Nothing is known yet of the run that is in the graph.
    pub fn of(search: &Threads<'_, '_>) -> Values {
        let graph = &search.graph;
        let is_read = |e: &EventId| graph.event(*e).kind == Kind::Read;
        let lanes = graph.lanes().iter().map(|lane| Lane {
            start: lane.order.first().map_or(lane.thread.clone(), |&e| graph.event(e).before.clone().map(Thread::from)),
            reads: lane.order.iter().copied().filter(is_read).collect(),
            read: None,
            known: FxHashMap::default(),
            stopped: false,
        });
        let needs = graph.ids().map(|e| {
            let event = graph.event(e);
            let sets = [event.addr_deps, event.data_deps, event.ctrl_deps, event.reached];
            let all = sets.iter().flat_map(|&set| search.world.deps.get(set).iter());
            let mask = all.chain(graph.contains(event.partner).then_some(event.partner.0)).map(bit);
            (e, mask.fold(0, |all, one| all | one))
        });
        let needs: Vec<(EventId, u128)> = needs.filter(|(e, mask)| *mask != 0 || is_read(e)).collect();
        let dependent = needs.iter().filter(|(e, _)| !is_read(e)).count();
        let lets_go_round = dependent > 0 && search.world.options.thin_air == ThinAir::Values;
        let origins = if lets_go_round { thin_air::origins(&search.world, &search.graph) } else { None };
        Values { lanes: lanes.collect(), needs, origins, dependent }
    }

    /// Gives every event of the graph the value that follows from the sources, and every thread its end. `false`: a thread waits, so that
    /// this is no complete execution.
    pub fn follow(&mut self, search: &mut Threads<'_, '_>) -> Result<bool, Ended> {
        if self.dependent > 0 && self.is_circular(search) {
            // Which events there are, and what they are computed from, is the same whatever is read.
            let Some(origins) = &self.origins else { return Err(Ended::Unsuitable) };
            match thin_air::values(&search.world, &search.graph, origins) {
                thin_air::Values::Certain => {}
                thin_air::Values::Copied(values) => {
                    values.into_iter().for_each(|(e, value)| search.graph.event_mut(e).value = value);
                }
                thin_air::Values::Circular => return Ok(false),
            }
        }
        // A value passes through each dependent write at most once on its way.
        for _ in 0..=self.dependent + 1 {
            let mut changed = false;
            for t in 0..self.lanes.len() {
                changed |= self.run(search, t)?;
            }
            if !changed {
                return Ok(!self.lanes.iter().any(|lane| lane.stopped));
            }
        }
        Err(Ended::Unsuitable)
    }

    /// Runs a thread with what its reads read now; whether one of its writes has another value than before.
    fn run(&mut self, search: &mut Threads<'_, '_>, t: usize) -> Result<bool, Ended> {
        let lane = &mut self.lanes[t];
        let graph = &mut search.graph;
        let read: Reads = lane.reads.iter().map(|&r| graph.event(graph.event(r).rf).value).collect();
        if lane.read.as_ref() == Some(&read) {
            return Ok(false);
        }
        for (&r, &value) in lane.reads.iter().zip(&read) {
            graph.event_mut(r).read_value(value);
        }
        let done = match lane.known.get(&read) {
            Some(done) => done,
            None => {
                let start = lane.start.clone().ok_or(Ended::Unsuitable)?;
                let done = interpret(search, ThreadId::at(t), start)?;
                if lane.known.len() >= MOST_KNOWN {
                    lane.known.clear();
                }
                lane.known.entry(read.clone()).or_insert(done)
            }
        };
        lane.read = Some(read);
        lane.stopped = done.stopped;
        let mut changed = false;
        for &(write, value) in &done.writes {
            let event = search.graph.event_mut(write);
            changed |= event.value != value;
            event.value = value;
        }
        search.graph.lane_mut(ThreadId::at(t)).thread = Some(done.end.clone());
        Ok(changed)
    }

    /// Whether an event depends on itself.
    fn is_circular(&self, search: &Threads<'_, '_>) -> bool {
        let graph = &search.graph;
        let mut left = self.needs.iter().fold(0, |all, (e, _)| all | bit(e.0));
        loop {
            let before = left;
            for &(e, mask) in &self.needs {
                let event = graph.event(e);
                let source = if event.kind == Kind::Read { bit(event.rf.0) } else { 0 };
                if (mask | source) & left == 0 {
                    left &= !bit(e.0);
                }
            }
            if left == 0 || left == before {
                return left != 0;
            }
        }
    }
}

/// The events below [`crate::candidates::straightline::MAX_EVENTS`] as bits.
fn bit(e: u32) -> u128 {
    1u128.checked_shl(e).unwrap_or(0)
}

/// Runs a thread from its first event, its reads reading what the graph says.
fn interpret(search: &mut Threads<'_, '_>, t: ThreadId, mut thread: Thread) -> Result<Done, Ended> {
    let order = search.graph.lane(t).order.clone();
    let mut writes = Vec::new();
    for (passed, &e) in order.iter().enumerate() {
        let action = search.world.interpret(t, &mut thread, passed as u32);
        let event = search.graph.event(e);
        let elsewhere = thread.place(search.world.program).key != event.key;
        match (action, event.kind) {
            (Action::Stopped { .. }, _) => return Ok(Done { writes: writes.into(), end: thread, stopped: true }),
            _ if elsewhere => return Err(Ended::Unsuitable),
            (Action::Write { value, .. }, Kind::Write) => writes.push((e, value)),
            (Action::Read { .. }, Kind::Read)
            | (Action::Fence { .. }, Kind::Fence)
            | (Action::Choose { .. }, Kind::Choose) => {}
            _ => return Err(Ended::Unsuitable),
        }
        search.graph.lane_mut(t).thread = Some(thread);
        search.complete_instruction(t, e);
        thread = search.graph.lane_mut(t).thread.take().ok_or(Ended::Unsuitable)?;
    }
    match search.world.interpret(t, &mut thread, order.len() as u32) {
        Action::Finished => Ok(Done { writes: writes.into(), end: thread, stopped: false }),
        Action::Stopped { .. } => Ok(Done { writes: writes.into(), end: thread, stopped: true }),
        _ => Err(Ended::Unsuitable),
    }
}
