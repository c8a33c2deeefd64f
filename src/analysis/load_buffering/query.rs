//! What a model certainly says of two or three events of which little is known.

use crate::algebra::facts::bounds::{Bound, Facts, certain, closure, edge, inverse, is_violated};
use crate::algebra::facts::imply::Included;
use crate::algebra::facts::order::Orders;
use crate::algebra::{Base, ExprId, Node, Predicate, Sort};
use crate::ids::TagSetId;
use crate::program::{Half, Instr, Program};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

/// What an event is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Kind {
    Read,
    Write,
    /// Both: a read-modify-write that is one event.
    Update,
    Fence,
    /// A fence that is not in the set of fences.
    Mark,
}

/// All that a model sees of an event by itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Label {
    kind: Kind,
    /// Its own tags, and those of its thread.
    tags: [TagSetId; 2],
    /// It is one event with the other half of a read-modify-write, of which nothing is known.
    fused: bool,
    hidden: bool,
}

impl Label {
    /// A write of which nothing else is known, initial writes included.
    pub const SOME_WRITE: Label = Label { kind: Kind::Write, tags: [TagSetId(0); 2], fused: true, hidden: false };

    /// The same event, of which it is known that it writes as well.
    pub fn with_write(self) -> Label {
        Label { kind: Kind::Update, ..self }
    }

    /// Whether it is a write and nothing else, as far as is known.
    pub fn writes(&self) -> bool {
        self.kind == Kind::Write
    }

    /// Whether it accesses memory.
    fn accesses(&self) -> bool {
        matches!(self.kind, Kind::Read | Kind::Write | Kind::Update)
    }

    fn is(&self, kind: Kind) -> bool {
        self.kind == kind || self.kind == Kind::Update && matches!(kind, Kind::Read | Kind::Write)
    }

    /// Whether the model sees it, as one event of one kind.
    pub fn is_plain(&self) -> bool {
        !self.fused && !self.hidden
    }
}

/// The labels that an event of an instruction may have; none if a model sees none.
pub(super) fn labels(instr: &Instr, thread: TagSetId) -> SmallVec<[Label; 2]> {
    let label = |kind, tags, half, hidden| Label {
        kind,
        tags: [tags, thread],
        fused: matches!(half, Half::FusedRead | Half::FusedWrite),
        hidden,
    };
    match instr {
        Instr::Load(load) => {
            let mut all = smallvec![label(Kind::Read, load.tags, load.half, load.hidden)];
            all.extend(load.unless.map(|other| label(Kind::Read, other.tags, other.half, load.hidden)));
            all
        }
        Instr::Store(store) => smallvec![label(Kind::Write, store.tags, store.half, store.hidden)],
        Instr::Fence { tags, is_fence, .. } => {
            let kind = if *is_fence { Kind::Fence } else { Kind::Mark };
            smallvec![label(kind, *tags, Half::None, false)]
        }
        _ => SmallVec::new(),
    }
}

/// A few events and what is certain of them: relations as [`edge`]s.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub(super) struct Scene {
    pub events: SmallVec<[Label; 3]>,
    /// Those that are of no other event's thread, a bit each.
    pub apart: u64,
    /// Those that are of different threads.
    pub ext: u64,
    pub po: u64,
    pub loc: u64,
    pub addr: u64,
    pub data: u64,
    pub ctrl: u64,
    /// The halves of a single-instruction read-modify-write.
    pub amo: u64,
    /// Those that may be of one instance of an instruction.
    pub together: u64,
    /// Coherence.
    pub co: u64,
    /// Reads-from, of lock events too.
    pub rf: u64,
    pub sync: u64,
    /// What comes before what in the closure of the relation that has no cycle, by events that are not shown: a chain of steps of some kind ([`Asker::chain_of`]).
    pub before: u64,
    pub chain: usize,
    /// So many of the last events are there for what others are by them only: the one that is asked about stands before them.
    pub beside: usize,
}

impl Scene {
    /// The number of the event that is asked about besides the first.
    fn last(&self) -> usize {
        self.events.len() - 1 - self.beside
    }

    /// Adds what happens in another thread, as its events from number `from` on.
    pub fn add_thread(&mut self, part: &Scene, from: usize, count: usize) {
        let moved = |edges: u64| edges << (9 * from);
        self.po |= moved(part.po);
        self.loc |= moved(part.loc);
        self.addr |= moved(part.addr);
        self.data |= moved(part.data);
        self.ctrl |= moved(part.ctrl);
        self.amo |= moved(part.amo);
        self.together |= moved(part.together);
        for (i, j) in (0..from).flat_map(|i| (from..from + count).map(move |j| (i, j))) {
            self.ext |= edge(i, j) | edge(j, i);
        }
    }

    /// Of so many events, those are of one location that are of the location of a third.
    pub fn close_locations(&mut self, count: usize) {
        let same = (0..count).fold(self.loc, |all, i| all | edge(i, i));
        let back = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
        let back = back.filter(|&(i, j)| self.loc & edge(j, i) != 0).fold(0, |all, (i, j)| all | edge(i, j));
        self.loc = closure(same | back);
    }

    /// Two writes of one location of which it is not said which comes first in coherence.
    pub fn unordered_writes(&self) -> Option<(usize, usize)> {
        let is_write = |i: usize| self.events[i].is(Kind::Write) && !self.events[i].hidden;
        let count = self.events.len();
        let mut pairs = (0..count).flat_map(|i| (i + 1..count).map(move |j| (i, j)));
        pairs.find(|&(i, j)| {
            is_write(i) && is_write(j) && self.loc & edge(i, j) != 0 && self.co & (edge(i, j) | edge(j, i)) == 0
        })
    }

    /// One write comes before another one in coherence.
    pub fn order_writes(&mut self, first: usize, second: usize) {
        self.co = closure(self.co | edge(first, second));
    }

    fn each(&self, f: impl Fn(&Label) -> bool) -> u64 {
        self.events.iter().enumerate().filter(|(_, label)| f(label)).fold(0, |set, (i, _)| set | 1 << i)
    }

    fn diagonal(&self, f: impl Fn(&Label) -> bool) -> u64 {
        let set = self.each(f);
        (0..self.events.len()).filter(|&i| set >> i & 1 != 0).fold(0, |all, i| all | edge(i, i))
    }

    fn base(&self, program: &Program, base: &Base) -> Bound {
        match base.sort {
            Sort::Set => self.set(program, &base.name),
            Sort::Rel => self.relation(&base.name),
        }
    }

    fn set(&self, program: &Program, name: &str) -> Bound {
        let accesses = |label: &Label| label.accesses() && !label.hidden;
        let is = |kind: Kind| Bound {
            certain: self.each(|label| accesses(label) && label.is(kind)),
            possible: self.each(|label| accesses(label) && (label.is(kind) || label.fused)),
        };
        match name {
            "M" | "Exp" => Bound::exactly(self.each(accesses)),
            "R" => is(Kind::Read),
            "W" => is(Kind::Write),
            "IW" => Bound { certain: 0, possible: self.each(|label| accesses(label) && *label == Label::SOME_WRITE) },
            "F" => Bound::exactly(self.each(|label| label.kind == Kind::Fence)),
            _ => {
                let has = |label: &Label| label.tags.iter().any(|&set| program.tags_of(set).any(|tag| tag == name));
                Bound { certain: self.each(has), possible: self.each(|label| label.fused || has(label)) }
            }
        }
    }

    fn relation(&self, name: &str) -> Bound {
        let count = self.events.len();
        let all_same = self.pairs(|i, j| i == j);
        let is_apart =
            |i: usize, j: usize| i != j && (self.apart & (1 << i | 1 << j) != 0 || self.ext & edge(i, j) != 0);
        match name {
            // Events of one instruction may not be in program order.
            "po" => Bound { certain: self.po, possible: self.pairs(|i, j| i < j && !is_apart(i, j)) },
            "int" => Bound::exactly(self.pairs(|i, j| !is_apart(i, j))),
            "ext" => Bound::exactly(self.pairs(is_apart)),
            "loc" => {
                let own = self.diagonal(Label::accesses);
                let back = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
                let back = back.filter(|&(i, j)| self.loc & edge(j, i) != 0).fold(0, |all, (i, j)| all | edge(i, j));
                Bound::at_least(own | self.loc | back)
            }
            "addr" => Bound::at_least(self.addr),
            "data" => Bound::at_least(self.data),
            "ctrl" => Bound::at_least(self.ctrl),
            "amo" => Bound { certain: self.amo, possible: self.amo | self.together },
            "co" => Bound::at_least(self.co),
            "rf" => Bound::at_least(self.reads_from(false)),
            "rf-lock" => Bound::at_least(self.reads_from(true)),
            "thread-sync" => Bound::at_least(self.sync),
            "same-instance" => Bound::at_least(all_same),
            "si" | "sm" => Bound::at_least(self.diagonal(|label| label.accesses() && !label.hidden)),
            _ => Bound::at_least(0),
        }
    }

    fn reads_from(&self, hidden: bool) -> u64 {
        let reads = self.each(|label| label.is(Kind::Read) && label.hidden == hidden);
        self.pairs(|i, j| self.rf & edge(i, j) != 0 && reads >> j & 1 != 0)
    }

    fn pairs(&self, f: impl Fn(usize, usize) -> bool) -> u64 {
        let count = self.events.len();
        let all = (0..count).flat_map(|i| (0..count).map(move |j| (i, j)));
        all.filter(|&(i, j)| f(i, j)).fold(0, |all, (i, j)| all | edge(i, j))
    }
}

/// Asks one model.
pub(super) struct Asker<'a> {
    pub program: &'a Program,
    orders: &'a Orders,
    /// The relation that has no cycle.
    acyclic: Acyclic,
    /// All of which the model says that.
    relations: Vec<Acyclic>,
    /// Kinds of chains: their steps, the closures that certainly include them, and those that include their converses.
    chains: Vec<(Vec<Scene>, [Vec<ExprId>; 2])>,
    ordered: FxHashMap<Scene, bool>,
    rejected: FxHashMap<Scene, bool>,
}

impl<'a> Asker<'a> {
    pub fn new(program: &'a Program, orders: &'a Orders, acyclic: Acyclic) -> Self {
        let relations = acyclic_relations(orders).collect();
        let (ordered, rejected) = Default::default();
        Asker { program, orders, acyclic, relations, chains: Vec::new(), ordered, rejected }
    }

    /// The number of a kind of chains: of steps from the first to the last event of scenes, of which each is known to be in the closure of the relation that has no cycle.
    pub fn chain_of(&mut self, steps: &[Scene]) -> usize {
        if let Some(known) = self.chains.iter().position(|(known, _)| known == steps) {
            return known;
        }
        let pool = &self.orders.pool;
        let closures = (0..pool.len()).map(ExprId::at).filter_map(|id| match pool.node(id) {
            Node::Plus(inner) | Node::Star(inner) => Some((id, *inner)),
            _ => None,
        });
        let mut along: [Vec<ExprId>; 2] = Default::default();
        for (id, inner) in closures {
            let includes = |backwards: bool| {
                steps.iter().all(|step| {
                    let base = |base: &Base| step.base(self.program, base);
                    let facts = Facts { events: step.events.len(), base: &base, assumed: &[] };
                    let last = step.last();
                    let step = if backwards { edge(last, 0) } else { edge(0, last) };
                    certain(pool, inner, &facts).certain & step != 0
                })
            };
            let found = [includes(false), includes(true)];
            along.iter_mut().zip(found).filter(|(_, found)| *found).for_each(|(all, _)| all.push(id));
        }
        self.chains.push((steps.to_vec(), along));
        self.chains.len() - 1
    }

    /// Whether the first event certainly comes before the last in the relation that has no cycle.
    pub fn orders(&mut self, scene: Scene) -> bool {
        if let Some(&known) = self.ordered.get(&scene) {
            return known;
        }
        let base = |base: &Base| scene.base(self.program, base);
        let assumed = self.assumed(&scene);
        let facts = Facts { events: scene.events.len(), base: &base, assumed: &assumed };
        let ordered = self.closure(&self.acyclic, &facts, scene.before) & edge(0, scene.last()) != 0;
        self.ordered.insert(scene, ordered);
        ordered
    }

    /// Whether the model certainly rejects every execution in which this is so.
    pub fn rejects(&mut self, scene: Scene) -> bool {
        if let Some(&known) = self.rejected.get(&scene) {
            return known;
        }
        let base = |base: &Base| scene.base(self.program, base);
        let assumed = self.assumed(&scene);
        let facts = Facts { events: scene.events.len(), base: &base, assumed: &assumed };
        let diagonal = scene.pairs(|i, j| i == j);
        let rejected = self.orders.checks.iter().any(|&on| is_violated(&self.orders.pool, on, &facts))
            || self.relations.iter().any(|acyclic| {
                let before = if *acyclic == self.acyclic { scene.before } else { 0 };
                self.closure(acyclic, &facts, before) & diagonal != 0
            });
        self.rejected.insert(scene, rejected);
        rejected
    }

    /// What the model's checks say of a scene's relations besides what they are made of.
    fn assumed(&self, scene: &Scene) -> Vec<(ExprId, u64)> {
        let base = |base: &Base| scene.base(self.program, base);
        let mut beyond = Vec::new();
        if scene.before != 0 {
            let members = [scene.before, inverse(scene.before)];
            let along = self.chains.get(scene.chain).map(|(_, along)| along).into_iter().flatten();
            beyond.extend(along.zip(members).flat_map(|(nodes, all)| nodes.iter().map(move |&node| (node, all))));
        }
        let mut assumed = beyond.clone();
        // One may follow from another.
        for _ in &self.orders.included {
            let facts = Facts { events: scene.events.len(), base: &base, assumed: &assumed };
            let members = |known: &Included| certain(&self.orders.pool, known.part, &facts).certain;
            let found = (self.orders.included.iter())
                .map(|known| (known, members(known)))
                .filter(|(_, members)| *members != 0)
                .flat_map(|(known, members)| known.nodes.iter().map(move |&node| (node, members)));
            let more: Vec<(ExprId, u64)> = beyond.iter().copied().chain(found).collect();
            if more == assumed {
                break;
            }
            assumed = more;
        }
        assumed
    }

    /// What is certainly in the transitive closure of a relation.
    fn closure(&self, acyclic: &Acyclic, facts: &Facts<'_>, before: u64) -> u64 {
        let pool = &self.orders.pool;
        closure(acyclic.parts.iter().fold(before, |all, &part| all | certain(pool, part, facts).certain))
    }
}

/// A relation of which a model says that it has no cycles.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Acyclic {
    /// Its parts: the operand of the check, and what other checks say lies within its closure.
    pub(super) parts: SmallVec<[ExprId; 2]>,
}

/// The relations of which a model says that they have no cycles.
pub(super) fn acyclic_relations(orders: &Orders) -> impl Iterator<Item = Acyclic> {
    orders.checks.iter().enumerate().filter_map(|(number, on)| {
        let operand = match (on.predicate, orders.pool.node(on.expr)) {
            (Predicate::Acyclic, _) => on.expr,
            (Predicate::Irreflexive, Node::Plus(inner)) => *inner,
            _ => return None,
        };
        let included = orders.included.iter().filter(|known| known.orders.contains(&number)).map(|known| known.part);
        Some(Acyclic { parts: std::iter::once(operand).chain(included).collect() })
    })
}
