//! Hands a graph to the kernel: which base names each event belongs to, and which base edges it brings.
//!
//! An event brings edges between itself and the events that are there already; nothing between older events ever changes.
//! So one row and one column a base relation is all that is sent. An input may be the intersection of two base relations
//! ([`is_joint`]), which spares sending the larger one. [`names`] says what the names mean,
//! [`edges`] what an event brings to each relation, [`newest`] the same for an event behind all others, [`places`] what follows from where events are. [`uses`] says which names a program
//! can give a meaning to, [`kinds`] which sets its events can be members of together.

pub mod edges;
pub mod kinds;
pub mod names;
pub mod newest;
pub mod places;
pub mod rows;
pub mod uses;

use super::base_relations::edges::{Among, Around, Ends, confine, edges, initial_first, picks};
use super::base_relations::kinds::Label;
use super::base_relations::names::{RelName, SetName, joint_name, joint_of, rel_name, set_name};
use super::base_relations::newest::{Newest, Sources};
use super::base_relations::rows::{Rows, Words};
use super::event::{Event, INIT_THREAD, Kind};
use super::{EventId, Graph, LocId};
use crate::algebra::Sort;
use crate::kernel::plan::Plan;
use crate::kernel::session::Session;
use crate::kernel::small::{Addition, SmallEvent};
use crate::program::crash::Units;
use crate::program::deps::DepTable;
use crate::program::{InstructionOrder, Program};
use crate::relation::bits::Bits;
use std::sync::Arc;

/// What the edges of one base relation are sent as.
#[derive(Clone, Debug)]
struct Brought {
    name: RelName,
    /// Whether initial writes, reads, writes, and fences have any.
    kinds: [bool; 4],
    whole: Option<usize>,
    /// Those that are in another relation as well.
    joints: Vec<(usize, RelName)>,
}

/// Which coherence orders are sent with the writes; of the others only that initial writes come first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Orders {
    /// All.
    All,
    /// Those that are of interest.
    OfInterest,
    /// None.
    None,
}

impl Orders {
    #[inline]
    fn leave_open(self, graph: &Graph, loc: LocId) -> bool {
        match self {
            Orders::All => false,
            Orders::OfInterest => graph.is_unordered(loc),
            Orders::None => true,
        }
    }
}

/// Hands graphs of a program to sessions of a plan.
#[derive(Clone, Debug)]
pub struct Feed {
    wiring: Arc<Wiring>,
    ends: Ends<Bits>,
    /// Storage for what is sent and what was.
    rest: Vec<EventId>,
    there: Bits,
}

/// The inputs of a plan, resolved for a program.
#[derive(Debug)]
struct Wiring {
    /// The sets that are no tags.
    sets: Vec<(usize, SetName)>,
    rels: Vec<Brought>,
    /// For each tag set, the inputs that its tags are.
    tags: Vec<Vec<usize>>,
    /// Pick dependencies.
    picks: Vec<(usize, RelName)>,
    order: InstructionOrder,
    units: Units,
    orders: Orders,
    /// For each tag set, its tags as an execution of few events takes them.
    small_tags: Vec<u64>,
    /// The other sets in the same form, for each kind of events of two sorts ([`sort`]).
    small_sets: [[u64; 2]; 4],
}

impl Feed {
    /// Resolves a plan's inputs.
    pub fn new(plan: &Plan, program: &Program, orders: Orders) -> Feed {
        let wiring = Arc::new(Wiring::new(plan, program, orders));
        Feed { wiring, ends: Ends::default(), rest: Vec::new(), there: Bits::new() }
    }

    /// Sends one event of a graph of which everything else was sent.
    pub fn send(&mut self, session: &mut Session, graph: &Graph, deps: &DepTable, id: EventId) {
        self.send_among(session, graph, deps, id, Among::All);
    }

    /// Sends one event of a graph of which the events of `there` were sent.
    pub fn send_to(&mut self, session: &mut Session, graph: &Graph, deps: &DepTable, id: EventId, there: &Bits) {
        self.send_among(session, graph, deps, id, Among::These(there));
    }

    /// Sends the pick dependencies of an event that was sent before the interpreter reached it again.
    pub fn send_picks(&mut self, session: &mut Session, graph: &Graph, deps: &DepTable, id: EventId) {
        let Feed { wiring, ends, .. } = self;
        let (event, row) = (graph.event(id), graph.row(id));
        let around = Around { event, row, graph, deps, order: wiring.order, units: wiring.units, sent: Among::All };
        for &(input, name) in &wiring.picks {
            ends.clear();
            picks(around, id, name, ends);
            if !ends.sources.is_empty() {
                session.add_column(input, ends.sources.words(), row);
            }
        }
    }

    /// Sends the events of a graph, in the order in which they were added, but for those that were sent: initial writes as the
    /// kernel knows them, others up to a stamp.
    pub fn send_rest(&mut self, session: &mut Session, graph: &Graph, deps: &DepTable, newest: u32) {
        let (mut rest, mut there) = (std::mem::take(&mut self.rest), std::mem::take(&mut self.there));
        rest.clear();
        there.clear();
        let known = session.rows();
        for id in graph.ids() {
            let is_known = match graph.event(id).stamp {
                0 => known.get(id.index() / 64).is_some_and(|rows| rows >> (id.0 % 64) & 1 == 1),
                stamp => stamp <= newest,
            };
            if is_known {
                there.insert(id.0);
            } else {
                rest.push(id);
            }
        }
        rest.sort_unstable_by_key(|&e| graph.event(e).stamp);
        for &id in &rest {
            self.send_among(session, graph, deps, id, Among::These(&there));
            there.insert(id.0);
        }
        (self.rest, self.there) = (rest, there);
    }

    /// Sends one event: its memberships, and its edges to and from events that were sent.
    fn send_among(&mut self, session: &mut Session, graph: &Graph, deps: &DepTable, id: EventId, sent: Among<'_>) {
        let event = graph.event(id);
        if !event.kind.in_model() {
            return;
        }
        let row = graph.row(id);
        let Feed { wiring, ends, .. } = self;
        let around = Around { event, row, graph, deps, order: wiring.order, units: wiring.units, sent };
        if row == id.0 {
            match session.add_small_event(row) {
                Some(SmallEvent::Narrow(event)) => return wiring.send_small(event, around, id),
                Some(SmallEvent::Double(event)) => return wiring.send_small(event, around, id),
                Some(SmallEvent::Wide(event)) => return wiring.send_small(event, around, id),
                Some(SmallEvent::Widest(event)) => return wiring.send_small(event, around, id),
                None => {}
            }
            session.add_event(row);
        }
        session.set_value(row, event.value);
        for &(input, name) in &wiring.sets {
            if Label::of(event).is_member(name) {
                session.add_to_set(input, row);
            }
        }
        wiring.tags[event.tags.index()].iter().for_each(|&input| session.add_to_set(input, row));
        if event.thread != INIT_THREAD {
            let of_thread = graph.lane(event.thread).tags;
            wiring.tags[of_thread.index()].iter().for_each(|&input| session.add_to_set(input, row));
        }
        for Brought { name, whole, joints, .. } in wiring.brought_by(event.kind) {
            ends.clear();
            match name {
                RelName::Co if wiring.orders.leave_open(graph, event.loc) => initial_first(around, id, ends),
                _ => edges(around, id, *name, ends),
            }
            if ends.is_empty() {
                continue;
            }
            whole.iter().for_each(|&input| ends.send(session, input, row));
            for &(input, within) in joints {
                let mut ends = ends.clone();
                confine(around, within, &mut ends);
                ends.send(session, input, row);
            }
        }
    }
}

impl Wiring {
    fn new(plan: &Plan, program: &Program, orders: Orders) -> Wiring {
        let mut wiring = Wiring {
            sets: Vec::new(),
            rels: Vec::with_capacity(plan.inputs().len()),
            tags: vec![Vec::new(); program.tag_sets.len()],
            picks: Vec::new(),
            order: program.order,
            units: program.persistence.units,
            orders,
            small_tags: Vec::new(),
            small_sets: [[0; 2]; 4],
        };
        for (i, input) in plan.inputs().iter().enumerate() {
            match input.sort {
                Sort::Rel => {
                    let (name, joint) = (rel_name(&input.name), joint_name(&input.name));
                    wiring.picks.extend(name.filter(|name| name.is_pick()).map(|name| (i, name)));
                    if let Some(name) = name {
                        wiring.send_whole(name, i);
                    }
                    if let Some((name, within)) = joint {
                        wiring.brought(name).joints.push((i, within));
                    }
                }
                Sort::Set => match set_name(program, &input.name) {
                    Some(SetName::Tag(tag)) => {
                        let carrying =
                            wiring.tags.iter_mut().zip(&program.tag_sets).filter(|(_, set)| set.contains(&tag));
                        carrying.for_each(|(inputs, _)| inputs.push(i));
                    }
                    name => wiring.sets.extend(name.map(|name| (i, name))),
                },
            }
        }
        wiring.small_tags = wiring.tags.iter().map(|inputs| plan.small_sets(inputs)).collect();
        for &(input, name) in &wiring.sets {
            let set = plan.small_sets(&[input]);
            for (kind, small) in KINDS.into_iter().zip(&mut wiring.small_sets) {
                for (sort, small) in [false, true].into_iter().zip(small) {
                    let is_member = Label::new(kind, !sort, sort).is_member(name);
                    *small |= if is_member { set } else { 0 };
                }
            }
        }
        wiring
    }

    /// Sends a relation as an input. One that has two names may be two of them.
    fn send_whole(&mut self, name: RelName, input: usize) {
        let brought = self.brought(name);
        match brought.whole {
            None => brought.whole = Some(input),
            Some(_) => {
                let again = Brought { whole: Some(input), joints: Vec::new(), ..brought.clone() };
                self.rels.push(again);
            }
        }
    }

    /// What is known of a relation so far.
    fn brought(&mut self, name: RelName) -> &mut Brought {
        let at = self.rels.iter().position(|brought| brought.name == name).unwrap_or_else(|| {
            let kinds = KINDS.map(|kind| name.concerns(kind));
            self.rels.push(Brought { name, kinds, whole: None, joints: Vec::new() });
            self.rels.len() - 1
        });
        &mut self.rels[at]
    }

    /// The relations to which events of a kind bring something.
    #[inline]
    fn brought_by(&self, kind: Kind) -> impl Iterator<Item = &Brought> {
        let number = number(kind);
        self.rels.iter().filter(move |brought| brought.kinds[number])
    }

    /// The same for an execution of few events.
    fn send_small<const N: usize>(&self, mut small: Addition<'_, N>, around: Around<'_>, id: EventId) {
        let Around { event, graph, .. } = around;
        let mut sets =
            self.small_sets[number(event.kind)][usize::from(sort(event))] | self.small_tags[event.tags.index()];
        if event.thread != INIT_THREAD {
            sets |= self.small_tags[graph.lane(event.thread).tags.index()];
        }
        small.add_to_sets(sets);
        let newest = Newest::of(around, id);
        for brought in self.brought_by(event.kind) {
            if let Some(newest) = &newest
                && (brought.name != RelName::Co || !self.orders.leave_open(graph, event.loc))
                && let Some(sources) = newest.sources(brought.name)
            {
                brought.send_newest(&mut small, newest, &sources);
            } else {
                self.send_any(&mut small, around, id, brought);
            }
        }
    }

    /// Sends an event's edges in one relation.
    #[inline(never)]
    fn send_any<const N: usize>(
        &self,
        small: &mut Addition<'_, N>,
        around: Around<'_>,
        id: EventId,
        Brought { name, whole, joints, .. }: &Brought,
    ) {
        let mut ends = Ends::<Words<N>>::default();
        match name {
            RelName::Co if self.orders.leave_open(around.graph, around.event.loc) => {
                initial_first(around, id, &mut ends);
            }
            _ => edges(around, id, *name, &mut ends),
        }
        whole.iter().for_each(|&input| small.add_edges(input, &ends.targets.0, &ends.sources.0));
        if joints.is_empty() || ends.is_empty() {
            return;
        }
        for &(input, within) in joints {
            let mut ends = ends.clone();
            confine(around, within, &mut ends);
            small.add_edges(input, &ends.targets.0, &ends.sources.0);
        }
    }
}

impl Brought {
    /// Sends the edges of an event that comes after everything else.
    #[inline]
    fn send_newest<const N: usize>(
        &self,
        small: &mut Addition<'_, N>,
        newest: &Newest<'_>,
        &Sources { rows, both }: &Sources<N>,
    ) {
        if rows.is_empty() {
            return;
        }
        if let Some(input) = self.whole {
            small.set_edges(input, &rows.0, both);
        }
        for &(input, within) in &self.joints {
            let mut rows = rows;
            newest.confine(within, &mut rows);
            small.set_edges(input, &rows.0, both);
        }
    }
}

impl Ends<Bits> {
    fn send(&self, session: &mut Session, input: usize, row: u32) {
        if !self.targets.is_empty() {
            session.add_row(input, row, self.targets.words());
        }
        if !self.sources.is_empty() {
            session.add_column(input, self.sources.words(), row);
        }
    }
}

/// Kinds of events, by number.
const KINDS: [Kind; 4] = [Kind::Init, Kind::Read, Kind::Write, Kind::Fence];

/// Of which of the two sorts of its kind an event is, which differ in their sets: a fence or not, of others hidden or not.
#[inline]
fn sort(event: &Event) -> bool {
    if event.kind == Kind::Fence { event.is_fence } else { !event.hidden }
}

#[inline]
fn number(kind: Kind) -> usize {
    match kind {
        Kind::Init => 0,
        Kind::Read => 1,
        Kind::Write => 2,
        _ => 3,
    }
}

/// The number of coherence among a plan's inputs, if it looks at it.
pub fn coherence_input(plan: &Plan) -> Option<usize> {
    plan.inputs().iter().position(|i| is_coherence(&i.name, i.sort))
}

/// The number, among a plan's inputs, of the reads-from of memory accesses, and of that of lock events.
pub fn reads_from_inputs(plan: &Plan) -> [Option<usize>; 2] {
    let number = |name| plan.inputs().iter().position(|i| i.sort == Sort::Rel && rel_name(&i.name) == Some(name));
    [number(RelName::Rf), number(RelName::RfLock)]
}

/// The numbers, among a plan's inputs, of those to which reads-from of one thread, or of two, belongs.
pub fn inputs_of_reads_from(plan: &Plan, is_own: bool) -> Vec<usize> {
    let is_meant = |name: &str| match (rel_name(name), joint_name(name)) {
        (Some(RelName::Rf | RelName::RfLock), _) => true,
        (_, Some((RelName::Rf, RelName::Int))) => is_own,
        (_, Some((RelName::Rf, RelName::Ext))) => !is_own,
        _ => false,
    };
    let inputs = plan.inputs().iter().enumerate();
    inputs.filter(|(_, input)| input.sort == Sort::Rel && is_meant(&input.name)).map(|(i, _)| i).collect()
}

/// Whether a base name means something that is chosen for events that are there: coherence, or what is read.
pub fn is_chosen(name: &str, sort: Sort) -> bool {
    sort == Sort::Rel && matches!(rel_name(name), Some(RelName::Co | RelName::Rf | RelName::RfLock))
}

/// Whether the intersection of two base relations can be sent as one.
pub fn is_joint(first: &str, second: &str) -> bool {
    joint_of(first, second).is_some()
}

/// The kinds of events that a base relation leads from, and to, where it is of those that relate accesses of certain kinds: a bit for
/// reads, one for writes.
pub fn ends(name: &str) -> Option<[u8; 2]> {
    const READ: u8 = 1;
    const WRITE: u8 = 2;
    match rel_name(name).or_else(|| joint_name(name).map(|(first, _)| first))? {
        RelName::Rf | RelName::RfLock => Some([WRITE, READ]),
        RelName::Co => Some([WRITE, WRITE]),
        RelName::Amo | RelName::Lxsx => Some([READ, WRITE]),
        _ => None,
    }
}

/// Whether a base name means coherence.
pub fn is_coherence(name: &str, sort: Sort) -> bool {
    sort == Sort::Rel && rel_name(name) == Some(RelName::Co)
}
