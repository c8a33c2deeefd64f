//! A model's relations on an execution, by bit rows.
//!
//! The plain evaluator ([`crate::algebra::naive`]) says the same, a hundred times as slowly. Recursive definitions, and base relations that are not in the list below, are left to it.

use super::matrix::{Matrix, row_of};
use super::thread_order::{Rows, ThreadOrder};
use crate::algebra::{Check, ExprId, Model, Node, Pool, Predicate, Sort};
use crate::graph::event::{Event, INIT_THREAD, Kind, NO_LOC};
use crate::graph::{Graph, view};
use crate::ids::EventId;
use crate::program::deps::DepTable;
use crate::program::{Half, InstructionOrder, Program};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A value: of a set, the identity on it.
type Value = Rc<Matrix>;

/// A model on an execution, with the values found so far. Rows and columns stand for all its events; what a model does not see is in no relation.
pub(in crate::verdict) struct Relations<'a> {
    pool: &'a Pool,
    graph: &'a Graph,
    deps: &'a DepTable,
    program: &'a Program,
    rows: Rc<Rows>,
    /// What is ordered by the creation and joining of threads and by barriers.
    threads: Rc<Matrix>,
    /// What is ordered so besides.
    added: Vec<(EventId, EventId)>,
    known: FxHashMap<ExprId, Value>,
}

impl<'a> Relations<'a> {
    /// Nothing evaluated yet. `None`: events of the execution are no rows of their own.
    pub(in crate::verdict) fn of(
        model: &'a Model,
        graph: &'a Graph,
        deps: &'a DepTable,
        program: &'a Program,
        threads: &ThreadOrder,
    ) -> Option<Relations<'a>> {
        // The halves of some read-modify-writes are one event.
        let is_apart = graph.ids().all(|e| graph.row(e) == e.0);
        let ThreadOrder { rows, order } = threads;
        let (rows, threads, added, known) = (rows.clone(), order.clone(), Vec::new(), FxHashMap::default());
        is_apart.then_some(Relations { pool: &model.pool, graph, deps, program, rows, threads, added, known })
    }

    /// Has more be ordered as if by the creation and joining of threads.
    pub(in crate::verdict) fn order(&mut self, added: &[(EventId, EventId)]) {
        self.known.clear();
        self.added = added.to_vec();
    }

    /// Whether a check holds. `None`: it is left to the plain evaluator.
    pub(in crate::verdict) fn holds(&mut self, check: &Check) -> Option<bool> {
        let value = self.value(check.expr)?;
        let n = self.rows.len();
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
        let n = self.rows.len();
        let pool = self.pool;
        Some(match pool.node(expr) {
            Node::Empty(_) => Matrix::new(n),
            Node::Universe | Node::Id => self.on(|_| true),
            Node::Full => self.full(),
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
                let targets = row_of(n, (0..n).filter(|&y| b.contains(y, y)));
                let mut matrix = Matrix::new(n);
                (0..n).filter(|&x| a.contains(x, x)).for_each(|x| matrix.add_row(x, &targets));
                matrix
            }
            Node::IdOn(set) => (*self.value(*set)?).clone(),
            Node::Inverse(inner) => self.value(*inner)?.inverse(n),
            Node::Plus(inner) => self.value(*inner)?.closure(n),
            Node::Star(inner) => self.value(*inner)?.closure(n).zip(&self.on(|_| true), |a, b| a | b),
            Node::Opt(inner) => self.value(*inner)?.zip(&self.on(|_| true), |a, b| a | b),
            Node::Domain(inner) => {
                let inner = self.value(*inner)?;
                self.on(|x| inner.targets(x).next().is_some())
            }
            Node::Range(inner) => {
                let inner = self.value(*inner)?.inverse(n);
                self.on(|x| inner.targets(x).next().is_some())
            }
            Node::DifferentValues(inner) => {
                let inner = self.value(*inner)?;
                let value = |x: usize| self.event(x).value;
                let mut matrix = Matrix::new(n);
                for x in 0..n {
                    inner.targets(x).filter(|&y| value(x) != value(y)).for_each(|y| matrix.insert(x, y));
                }
                matrix
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

    /// What a model sees.
    fn seen(&self) -> impl Iterator<Item = usize> {
        (0..self.rows.len()).filter(|&x| self.event(x).kind.in_model())
    }

    /// All pairs.
    fn full(&self) -> Matrix {
        let all = row_of(self.rows.len(), self.seen());
        let mut matrix = Matrix::new(self.rows.len());
        self.seen().for_each(|x| matrix.add_row(x, &all));
        matrix
    }

    /// The identity on the events that something holds of.
    fn on(&self, is_in: impl Fn(usize) -> bool) -> Matrix {
        let mut matrix = Matrix::new(self.rows.len());
        self.seen().filter(|&x| is_in(x)).for_each(|x| matrix.insert(x, x));
        matrix
    }

    /// An edge to each event from the event that it names, if that is in the execution.
    fn named_by(&self, named: impl Fn(&Event) -> Option<EventId>) -> Matrix {
        let mut matrix = Matrix::new(self.rows.len());
        for y in self.seen() {
            if let Some(x) = named(self.event(y)).and_then(|event| self.rows.of(event)) {
                matrix.insert(x, y);
            }
        }
        matrix
    }

    /// The edges between events of one group of which something holds.
    fn within<K: Eq + std::hash::Hash>(
        &self,
        group: impl Fn(&Event) -> Option<K>,
        holds: impl Fn(usize, usize) -> bool,
    ) -> Matrix {
        let mut groups: FxHashMap<K, Vec<usize>> = FxHashMap::default();
        for x in self.seen() {
            if let Some(key) = group(self.event(x)) {
                groups.entry(key).or_default().push(x);
            }
        }
        let mut matrix = Matrix::new(self.rows.len());
        for group in groups.values() {
            for &x in group {
                group.iter().filter(|&&y| holds(x, y)).for_each(|&y| matrix.insert(x, y));
            }
        }
        matrix
    }

    fn event(&self, x: usize) -> &'a Event {
        self.graph.event(self.rows.ids[x])
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

    fn base(&self, name: &str) -> Option<Matrix> {
        let location = |event: &Event| (event.loc != NO_LOC).then_some(event.loc);
        let thread = |event: &Event| (event.thread != INIT_THREAD).then_some(event.thread);
        Some(match name {
            "po" => self.program_order(),
            "int" => self.within(thread, |_, _| true),
            "ext" => {
                let same = self.within(|event| Some(event.thread), |_, _| true);
                self.full().zip(&same, |a, b| a & !b)
            }
            "loc" => self.within(location, |_, _| true),
            "rf" | "rf-lock" => {
                let is_lock = name == "rf-lock";
                self.named_by(|read| (read.kind == Kind::Read && read.hidden == is_lock).then_some(read.rf))
            }
            "co" => {
                let written = |event: &Event| location(event).filter(|_| event.kind.writes());
                let co = |x: usize| self.graph.co_index(self.rows.ids[x]);
                self.within(written, |x, y| co(x) < co(y))
            }
            "amo" | "lxsx" => {
                let half = if name == "amo" { Half::AmoWrite } else { Half::ExWrite };
                self.named_by(|write| (write.half == half && !write.hidden).then_some(write.partner))
            }
            "thread-sync" => self.thread_sync(),
            _ => return None,
        })
    }

    fn program_order(&self) -> Matrix {
        let mut matrix = Matrix::new(self.rows.len());
        for lane in self.graph.lanes() {
            let rows: Vec<usize> = lane.order.iter().filter_map(|&id| self.rows.of(id)).collect();
            let rows: Vec<usize> = rows.into_iter().filter(|&x| self.event(x).kind.in_model()).collect();
            for (at, &x) in rows.iter().enumerate() {
                let behind = rows[at + 1..].iter().filter(|&&y| self.is_between_instructions(x, y));
                behind.for_each(|&y| matrix.insert(x, y));
            }
        }
        matrix
    }

    /// Whether two events are of different instructions, or of one within which the first feeds the second.
    fn is_between_instructions(&self, x: usize, y: usize) -> bool {
        let feeds = || view::feeds(self.graph, self.deps, self.rows.ids[x], self.rows.ids[y]);
        self.event(x).group != self.event(y).group || self.program.order == InstructionOrder::DataFlow && feeds()
    }

    /// What of the order by creation, joining and barriers, together with program order, is between threads.
    fn thread_sync(&self) -> Matrix {
        let mut matrix = Matrix::new(self.rows.len());
        for x in self.seen() {
            let is_other = |&y: &usize| self.event(y).kind.in_model() && self.event(y).thread != self.event(x).thread;
            self.threads.targets(x).filter(is_other).for_each(|y| matrix.insert(x, y));
        }
        let rows = |&(x, y): &(EventId, EventId)| self.rows.of(x).zip(self.rows.of(y));
        self.added.iter().filter_map(rows).for_each(|(x, y)| matrix.insert(x, y));
        matrix
    }
}
