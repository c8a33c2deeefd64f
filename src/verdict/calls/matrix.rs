//! A model's relations on an execution, by bit rows.
//!
//! The plain evaluator ([`crate::algebra::naive`]) says the same, a hundred times as slowly. Recursive definitions, and base relations that are not in the list below, are left to it.

use crate::algebra::{Check, ExprId, Model, Node, Pool, Predicate, Sort};
use crate::graph::event::{Event, INIT_THREAD, Kind, NO_LOC};
use crate::graph::{Graph, view};
use crate::ids::EventId;
use crate::program::deps::DepTable;
use crate::program::{Half, InstructionOrder, Program};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// A relation: the words of each row.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::verdict) struct Matrix {
    width: usize,
    words: Vec<u64>,
}

impl Matrix {
    pub(in crate::verdict) fn new(events: usize) -> Matrix {
        let width = events.div_ceil(64);
        Matrix { width, words: vec![0; width * events] }
    }

    fn row(&self, x: usize) -> &[u64] {
        &self.words[x * self.width..(x + 1) * self.width]
    }

    pub(in crate::verdict) fn insert(&mut self, x: usize, y: usize) {
        self.words[x * self.width + y / 64] |= 1 << (y % 64);
    }

    pub(in crate::verdict) fn contains(&self, x: usize, y: usize) -> bool {
        self.words[x * self.width + y / 64] >> (y % 64) & 1 == 1
    }

    fn add_row(&mut self, x: usize, row: &[u64]) {
        let own = &mut self.words[x * self.width..(x + 1) * self.width];
        own.iter_mut().zip(row).for_each(|(own, more)| *own |= more);
    }

    pub(in crate::verdict) fn targets(&self, x: usize) -> impl Iterator<Item = usize> {
        self.row(x).iter().enumerate().flat_map(|(at, &word)| {
            std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)))
                .take_while(|word| *word != 0)
                .map(move |word| at * 64 + word.trailing_zeros() as usize)
        })
    }

    pub(in crate::verdict) fn zip(&self, other: &Matrix, combine: fn(u64, u64) -> u64) -> Matrix {
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| combine(a, b)).collect();
        Matrix { width: self.width, words }
    }

    fn compose(&self, other: &Matrix, events: usize) -> Matrix {
        let mut result = Matrix::new(events);
        for x in 0..events {
            for y in self.targets(x) {
                result.add_row(x, other.row(y));
            }
        }
        result
    }

    pub(in crate::verdict) fn closure(&self, events: usize) -> Matrix {
        let mut result = self.clone();
        for between in 0..events {
            let row = result.row(between).to_vec();
            for x in 0..events {
                if result.contains(x, between) {
                    result.add_row(x, &row);
                }
            }
        }
        result
    }
}

/// A value: of a set, the identity on it.
type Value = Rc<Matrix>;

/// A model on an execution, with the values found so far.
pub(in crate::verdict) struct Relations<'a> {
    pool: &'a Pool,
    graph: &'a Graph,
    deps: &'a DepTable,
    program: &'a Program,
    /// The events that a model sees: what rows and columns stand for.
    pub(in crate::verdict) ids: Vec<EventId>,
    /// What is ordered by the creation and joining of threads besides.
    added: Vec<(EventId, EventId)>,
    /// The place of each row's event in its thread.
    places: Vec<usize>,
    known: FxHashMap<ExprId, Value>,
}

impl<'a> Relations<'a> {
    /// Nothing evaluated yet. `None`: events of the execution are no rows of their own.
    pub(in crate::verdict) fn of(
        model: &'a Model,
        graph: &'a Graph,
        deps: &'a DepTable,
        program: &'a Program,
    ) -> Option<Relations<'a>> {
        let ids: Vec<EventId> = graph.ids().filter(|&e| graph.event(e).kind.in_model()).collect();
        // The halves of some read-modify-writes are one event.
        let is_apart = ids.iter().all(|&e| graph.row(e) == e.0);
        let (added, known) = Default::default();
        let order = graph.lanes().iter().flat_map(|lane| lane.order.iter().enumerate());
        let by_event: FxHashMap<EventId, usize> = order.map(|(at, &event)| (event, at)).collect();
        let places = ids.iter().map(|event| by_event.get(event).copied().unwrap_or_default()).collect();
        is_apart.then_some(Relations { pool: &model.pool, graph, deps, program, ids, added, places, known })
    }

    /// Has more be ordered as if by the creation and joining of threads.
    pub(in crate::verdict) fn order(&mut self, added: &[(EventId, EventId)]) {
        self.known.clear();
        self.added = added.to_vec();
    }

    /// Whether a check holds. `None`: it is left to the plain evaluator.
    pub(in crate::verdict) fn holds(&mut self, check: &Check) -> Option<bool> {
        let value = self.value(check.expr)?;
        let n = self.ids.len();
        let loops = |matrix: &Matrix| (0..n).any(|x| matrix.contains(x, x));
        let holds = match check.predicate {
            Predicate::Empty => (0..n).all(|x| value.targets(x).next().is_none()),
            Predicate::Irreflexive => !loops(&value),
            Predicate::Acyclic => !loops(&value.closure(n)),
        };
        Some(holds != check.negated)
    }

    pub(in crate::verdict) fn value(&mut self, expr: ExprId) -> Option<Value> {
        if let Some(known) = self.known.get(&expr) {
            return Some(known.clone());
        }
        let value = Rc::new(self.computed(expr)?);
        self.known.insert(expr, value.clone());
        Some(value)
    }

    fn computed(&mut self, expr: ExprId) -> Option<Matrix> {
        let n = self.ids.len();
        let pool = self.pool;
        Some(match pool.node(expr) {
            Node::Empty(_) => Matrix::new(n),
            Node::Universe | Node::Id => self.on(|_| true),
            Node::Full => self.filled(|_, _| true),
            Node::Base(base) => {
                let base = &pool.bases()[base.index()];
                match base.sort {
                    Sort::Set => self.on(|x| self.is_in(&base.name, x)),
                    Sort::Rel => self.base(&base.name)?,
                }
            }
            Node::Var(_) | Node::Fix(..) => return None,
            Node::Union(parts) => self.folded(parts, |a, b| a | b)?,
            Node::Inter(parts) => self.folded(parts, |a, b| a & b)?,
            Node::Diff(a, b) => self.value(*a)?.zip(&*self.value(*b)?, |a, b| a & !b),
            Node::Seq(parts) => {
                let mut result: Option<Matrix> = None;
                for &part in parts {
                    let part = self.value(part)?;
                    result = Some(match result {
                        None => (*part).clone(),
                        Some(before) => before.compose(&part, n),
                    });
                }
                result?
            }
            Node::Product(a, b) => {
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                self.filled(|x, y| a.contains(x, x) && b.contains(y, y))
            }
            Node::IdOn(set) => (*self.value(*set)?).clone(),
            Node::Inverse(inner) => {
                let inner = self.value(*inner)?;
                self.filled(|x, y| inner.contains(y, x))
            }
            Node::Plus(inner) => self.value(*inner)?.closure(n),
            Node::Star(inner) => self.value(*inner)?.closure(n).zip(&self.on(|_| true), |a, b| a | b),
            Node::Opt(inner) => self.value(*inner)?.zip(&self.on(|_| true), |a, b| a | b),
            Node::Domain(inner) => {
                let inner = self.value(*inner)?;
                self.on(|x| inner.targets(x).next().is_some())
            }
            Node::Range(inner) => {
                let inner = self.value(*inner)?;
                self.on(|x| (0..n).any(|from| inner.contains(from, x)))
            }
            Node::DifferentValues(inner) => {
                let inner = self.value(*inner)?;
                let value = |x: usize| self.event(x).value;
                self.filled(|x, y| inner.contains(x, y) && value(x) != value(y))
            }
        })
    }

    fn folded(&mut self, parts: &[ExprId], combine: fn(u64, u64) -> u64) -> Option<Matrix> {
        let mut result: Option<Matrix> = None;
        for &part in parts {
            let part = self.value(part)?;
            result = Some(match result {
                None => (*part).clone(),
                Some(before) => before.zip(&part, combine),
            });
        }
        result
    }

    /// The identity on the events that something holds of.
    fn on(&self, is_in: impl Fn(usize) -> bool) -> Matrix {
        let mut matrix = Matrix::new(self.ids.len());
        (0..self.ids.len()).filter(|&x| is_in(x)).for_each(|x| matrix.insert(x, x));
        matrix
    }

    /// An edge to each event from the event that it names, if that is in the execution.
    fn named_by(&self, named: impl Fn(&Event) -> Option<EventId>) -> Matrix {
        let rows: FxHashMap<EventId, usize> = self.ids.iter().enumerate().map(|(at, &e)| (e, at)).collect();
        let mut matrix = Matrix::new(self.ids.len());
        for y in 0..self.ids.len() {
            if let Some(&x) = named(self.event(y)).and_then(|event| rows.get(&event)) {
                matrix.insert(x, y);
            }
        }
        matrix
    }

    fn filled(&self, is_in: impl Fn(usize, usize) -> bool) -> Matrix {
        let n = self.ids.len();
        let mut matrix = Matrix::new(n);
        for x in 0..n {
            (0..n).filter(|&y| is_in(x, y)).for_each(|y| matrix.insert(x, y));
        }
        matrix
    }

    fn event(&self, x: usize) -> &Event {
        self.graph.event(self.ids[x])
    }

    fn is_in(&self, name: &str, x: usize) -> bool {
        let event = self.event(x);
        let is_access = !event.hidden && event.kind != Kind::Fence;
        let tagged = |tags| self.program.tags_of(tags).any(|tag| tag == name);
        match name {
            "M" | "Exp" => is_access,
            "R" => is_access && event.kind == Kind::Read,
            "W" => is_access && event.kind != Kind::Read,
            "IW" => event.kind == Kind::Init,
            "F" if event.kind == Kind::Fence && event.is_fence => true,
            _ => tagged(event.tags) || event.thread != INIT_THREAD && tagged(self.graph.lane(event.thread).tags),
        }
    }

    pub(in crate::verdict) fn base(&self, name: &str) -> Option<Matrix> {
        let place = |x: usize| self.places[x];
        let pair = |x: usize, y: usize| (self.event(x), self.event(y));
        let same_thread = |x: usize, y: usize| {
            let (a, b) = pair(x, y);
            a.thread == b.thread && a.thread != INIT_THREAD
        };
        Some(match name {
            "po" => self.filled(|x, y| same_thread(x, y) && place(x) < place(y) && self.is_between_instructions(x, y)),
            "int" => self.filled(same_thread),
            "ext" => self.filled(|x, y| self.event(x).thread != self.event(y).thread),
            "loc" => self.filled(|x, y| {
                let (a, b) = pair(x, y);
                a.loc != NO_LOC && a.loc == b.loc
            }),
            "rf" | "rf-lock" => {
                let is_lock = name == "rf-lock";
                self.named_by(|read| (read.kind == Kind::Read && read.hidden == is_lock).then_some(read.rf))
            }
            "co" => {
                let co = |x: usize| self.graph.co_index(self.ids[x]);
                self.filled(|x, y| {
                    let (a, b) = pair(x, y);
                    a.kind.writes() && b.kind.writes() && a.loc == b.loc && co(x) < co(y)
                })
            }
            "amo" | "lxsx" => {
                let half = if name == "amo" { Half::AmoWrite } else { Half::ExWrite };
                self.named_by(|write| (write.half == half && !write.hidden).then_some(write.partner))
            }
            "thread-sync" => self.thread_sync(),
            _ => return None,
        })
    }

    /// Whether two events are of different instructions, or of one within which the first feeds the second.
    fn is_between_instructions(&self, x: usize, y: usize) -> bool {
        let feeds = || view::feeds(self.graph, self.deps, self.ids[x], self.ids[y]);
        self.event(x).group != self.event(y).group || self.program.order == InstructionOrder::DataFlow && feeds()
    }

    /// What is ordered by the creation and joining of threads and by barriers, together with program order.
    fn thread_sync(&self) -> Matrix {
        let graph = self.graph;
        let edges = synchronised(graph);
        let rows: FxHashMap<EventId, usize> = self.ids.iter().enumerate().map(|(at, &e)| (e, at)).collect();
        let mut matrix = Matrix::new(self.ids.len());
        for (&from, &x) in &rows {
            let thread = graph.event(from).thread;
            let (mut seen, mut open) = (FxHashSet::default(), vec![from]);
            while let Some(event) = open.pop() {
                for &next in edges.get(&event).into_iter().flatten() {
                    if seen.insert(next) {
                        open.push(next);
                        if let Some(&y) = rows.get(&next).filter(|_| graph.event(next).thread != thread) {
                            matrix.insert(x, y);
                        }
                    }
                }
            }
        }
        self.added.iter().for_each(|(x, y)| matrix.insert(rows[x], rows[y]));
        matrix
    }
}

/// What follows each event at once, by program order, creation and joining, and barriers.
pub(in crate::verdict) fn synchronised(graph: &Graph) -> FxHashMap<EventId, Vec<EventId>> {
    let mut edges: FxHashMap<EventId, Vec<EventId>> = FxHashMap::default();
    let mut edge = |from: EventId, to: EventId| edges.entry(from).or_default().push(to);
    for lane in graph.lanes() {
        for pair in lane.order.windows(2) {
            edge(pair[0], pair[1]);
        }
        if let Some(&first) = lane.order.first().filter(|_| graph.contains(lane.spawn)) {
            edge(lane.spawn, first);
        }
        for &id in &lane.order {
            let event = graph.event(id);
            match event.kind {
                Kind::Join => {
                    let child = graph.lanes().get(event.value as usize);
                    // A thread without events hands on what was before it.
                    match child.and_then(|child| child.order.last()) {
                        Some(&last) => edge(last, id),
                        None => child.into_iter().filter(|c| graph.contains(c.spawn)).for_each(|c| edge(c.spawn, id)),
                    }
                }
                Kind::Depart => graph.arrivals(event.value, event.size).for_each(|arrival| edge(arrival, id)),
                _ => {}
            }
        }
    }
    edges
}
