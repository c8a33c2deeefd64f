//! Whether a check lets an execution go on: whether the *maximal* next event can be added without violating it.
//!
//! # Setting
//!
//! Exploration reaches every execution only if it never gets stuck: from a consistent graph `G`, the next event `e` of a thread can be
//! added as its thread's last, its location's last in coherence (a write), reading the write that is last in coherence (a read). A
//! check for which that is known may prune; what another one rejects has to be asked of complete executions only, or exploration might
//! give up a graph in which an event could still have been revisited. Kokologiannakis, Marmanis, Gladstein and Vafeiadis (*Truly
//! Stateless, Optimal Dynamic Partial Order Reduction*, POPL 2022) assume it of their models; here models come from users.
//!
//! Of each relation two things are worked out. Which edges `e` can take part in: between the other events (`Others`), the read whose write
//! half `e` is (`Mate`, just added with the maximal source), and `e` itself (`New`). And whether it is *settled*: it gains no edge
//! between events other than `e`.
//!
//! - Program order, dependencies, synchronisation of threads, and coherence lead to `e` only; reads-from too, and not from `Mate`, which
//!   is no write.
//! - `rf^-1 ; co` leads to `e` only: what `e` or its mate reads is last in coherence but for `e`. It is a loop where one event reads and writes.
//! - Anything else that an execution provides may relate `e` to everything, both ways.
//! - A composition or closure has an edge where a path of its operands leads; it is settled when no path leads from other events to `e` and back.
//! - A domain is settled when no edge leads to `e`, a range when none leads from it.
//! - Recursive definitions: the least edges and the most settledness that satisfy the equations, by induction on rounds as in
//!   [`analyse`](super::analyse). Of a group that is not monotone nothing is known.
//!
//! Then `acyclic r` holds of the larger graph if `r` is settled and no path of `r` leads from `e` to `e`; `irreflexive r` if it is settled and
//! without a loop at `e`; `empty r` if it is settled and `e` takes no part in it.
//!
//! Not known here: exclusive stores are taken to be maximal, which they are if nothing came between the two halves; and `si` relates
//! nothing but an event to itself, which is not so for exclusive instructions on pairs of registers.

use super::analyse::{Analysis, PROGRAM_ORDER, is_positive};
use super::renew::is_certainly_in;
use crate::algebra::expr::{ExprId, FixId, Node, Pool, Sort, VarId};
use crate::algebra::model::Predicate;
use crate::algebra::places::{PARTS, PARTS_IN_MEMORY};
use rustc_hash::FxHashMap;

/// Base relations that lead from earlier events to the new one only.
const TO_NEW: [&str; 9] =
    [PROGRAM_ORDER, "addr", "data", "ctrl", "casdep", "pick-addr", "pick-data", "pick-ctrl", "thread-sync"];
/// Base relations between the two halves of a read-modify-write.
const TO_OWN: [&str; 2] = ["amo", "lxsx"];
pub(super) const READS_FROM: [&str; 2] = ["rf", "rf-lock"];
pub(in crate::algebra) const COHERENCE: &str = "co";
const SAME_ACCESS: [&str; 2] = ["si", "sm"];

/// The three kinds of ends of an edge.
#[derive(Clone, Copy)]
enum End {
    Others,
    Mate,
    New,
}
use End::{Mate, New, Others};

const ENDS: [End; 3] = [Others, Mate, New];

/// What is known of a relation; of a set, the diagonal says what can be in it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Shape {
    /// Bit `3 * from + to`: there may be such an edge.
    edges: u16,
    /// Nothing is gained between events other than the new one.
    settled: bool,
    /// Nothing is lost between them.
    grows: bool,
}

const NOTHING: Shape = Shape { edges: 0, settled: true, grows: true };
const ANYTHING: Shape = Shape { edges: 0x1ff, settled: true, grows: true };
const UNKNOWN: Shape = Shape { edges: 0x1ff, settled: false, grows: false };
const LOOPS: u16 = bit(Others, Others) | bit(Mate, Mate) | bit(New, New);

const fn bit(from: End, to: End) -> u16 {
    1 << (3 * from as u16 + to as u16)
}

fn of_edges(edges: &[(End, End)]) -> Shape {
    Shape { edges: edges.iter().fold(0, |all, &(from, to)| all | bit(from, to)), ..NOTHING }
}

impl Shape {
    fn has(self, from: End, to: End) -> bool {
        self.edges & bit(from, to) != 0
    }

    /// These edges, of something that changes between other events where one of two does.
    fn with(self, other: Shape, edges: u16) -> Shape {
        Shape { edges, settled: self.settled && other.settled, grows: self.grows && other.grows }
    }

    fn or(self, other: Shape) -> Shape {
        self.with(other, self.edges | other.edges)
    }

    fn and(self, other: Shape) -> Shape {
        self.with(other, self.edges & other.edges)
    }

    fn inverse(self) -> Shape {
        let edges = ENDS.iter().flat_map(|&a| ENDS.map(|b| (a, b))).filter(|&(a, b)| self.has(b, a));
        Shape { edges: edges.fold(0, |all, (a, b)| all | bit(a, b)), ..self }
    }

    /// This relation and then another one.
    fn then(self, next: Shape) -> Shape {
        let mut edges = 0;
        for (a, b, c) in ENDS.iter().flat_map(|&a| ENDS.map(|b| ENDS.map(|c| (a, b, c)))).flatten() {
            if self.has(a, b) && next.has(b, c) {
                edges |= bit(a, c);
            }
        }
        let through = |from: End| [Others, Mate].into_iter().any(|end| self.has(end, from)) && next.leaves();
        let shape = self.with(next, edges);
        Shape { settled: shape.settled && !through(New), ..shape }
    }

    /// Whether an edge leads from the new event to another one.
    fn leaves(self) -> bool {
        self.has(New, Others) || self.has(New, Mate)
    }

    fn arrives(self) -> bool {
        self.inverse().leaves()
    }

    fn closed(self) -> Shape {
        let mut all = self;
        loop {
            let longer = all.or(all.then(self));
            if longer == all {
                return all;
            }
            all = longer;
        }
    }

    fn without_loops_at_ends(self) -> Shape {
        Shape { edges: self.edges & !(bit(Mate, Mate) | bit(New, New)), ..self }
    }

    /// A set, from the relation that it is the domain of.
    fn domain(self) -> Shape {
        let member = |end: End| ENDS.into_iter().any(|to| self.has(end, to));
        let edges = ENDS.into_iter().filter(|&end| member(end)).fold(0, |all, end| all | bit(end, end));
        Shape { edges, settled: self.settled && !self.arrives(), ..self }
    }
}

/// What is known of the relations of a pool when the next event is added maximally.
pub struct Extension(Vec<Shape>);

/// What is known of the next event.
pub(in crate::algebra) enum Next<'a> {
    /// Nothing. `fused`: there are events that read and write.
    Any { analysis: &'a Analysis<'a>, fused: bool },
    /// That it stands for all events of the next instruction: no read waits for its write.
    Whole,
    /// The base sets that it is in ([`renew`](super::renew)), and that it stands for all parts of its access. `maximal`: whether it is the maximal one; `behind`: relations that lead, within a location, from no write to
    /// an earlier one.
    Last { is_in: &'a dyn Fn(&str) -> bool, maximal: bool, behind: &'a [ExprId] },
}

impl Next<'_> {
    fn is_certainly_in(&self, pool: &Pool, set: ExprId) -> bool {
        matches!(self, Next::Last { is_in, .. } if is_certainly_in(pool, set, is_in))
    }
}

impl Extension {
    /// Looks at a whole pool. `fused`: there are events that read and write.
    pub fn new(pool: &Pool, analysis: &Analysis<'_>, fused: bool) -> Extension {
        Self::of(pool, &Next::Any { analysis, fused })
    }

    /// Looks at a whole pool, with a whole instruction added at a time. Where no read-modify-write is half done, that is how executions go on.
    /// Initial writes are taken to be there from the start.
    pub fn by_instructions(pool: &Pool) -> Extension {
        Self::of(pool, &Next::Whole)
    }

    pub(in crate::algebra) fn of(pool: &Pool, next: &Next<'_>) -> Extension {
        let mut vars: FxHashMap<VarId, Shape> = FxHashMap::default();
        let groups: Vec<FixId> = (0..pool.fix_count()).map(FixId::at).collect();
        for &group in &groups {
            let known = pool.fix(group).when.is_none() && is_positive(pool, group);
            vars.extend(pool.fix(group).vars.iter().map(|&var| (var, if known { NOTHING } else { UNKNOWN })));
        }
        loop {
            let mut all: Vec<Shape> = Vec::with_capacity(pool.len());
            for i in 0..pool.len() {
                let shape = of_node(pool, ExprId::at(i), next, &all, &vars);
                all.push(shape);
            }
            let mut stable = true;
            for &group in &groups {
                let group = pool.fix(group);
                for (var, body) in group.vars.iter().zip(&group.bodies) {
                    let wider = vars[var].or(all[body.index()]);
                    stable &= wider == vars[var];
                    vars.insert(*var, wider);
                }
            }
            if stable {
                return Extension(all);
            }
        }
    }

    /// Whether a relation loses nothing between other events.
    pub(in crate::algebra) fn loses_nothing(&self, id: ExprId) -> bool {
        self.0[id.index()].grows
    }

    /// Whether a condition that does not hold goes on not holding.
    pub fn keeps_violated(&self, id: ExprId) -> bool {
        self.loses_nothing(id)
    }

    /// Whether a condition that holds goes on holding.
    pub fn keeps(&self, predicate: Predicate, id: ExprId) -> bool {
        let shape = self.0[id.index()];
        let meets = match predicate {
            Predicate::Acyclic => shape.closed().has(New, New),
            Predicate::Irreflexive => shape.has(New, New),
            Predicate::Empty => shape.leaves() || shape.arrives() || shape.has(New, New),
        };
        shape.settled && !meets
    }
}

fn of_node(pool: &Pool, id: ExprId, next: &Next<'_>, known: &[Shape], vars: &FxHashMap<VarId, Shape>) -> Shape {
    let of = |x: &ExprId| known[x.index()];
    match pool.node(id) {
        Node::Empty(_) => NOTHING,
        Node::Full => ANYTHING,
        Node::Universe | Node::Id => Shape { edges: LOOPS, ..NOTHING },
        Node::Base(base) => of_base(&pool.bases()[base.index()].name, pool.sort(id), next),
        Node::Var(var) => vars.get(var).copied().unwrap_or(UNKNOWN),
        Node::Fix(group, n) => vars[&pool.fix(*group).vars[*n as usize]],
        Node::Union(xs) => xs.iter().map(of).fold(NOTHING, Shape::or),
        Node::Inter(xs) => xs.iter().map(of).fold(ANYTHING, Shape::and),
        Node::Diff(a, b) => {
            let mut left = if includes_identity(pool, *b) { of(a).without_loops_at_ends() } else { of(a) };
            left.edges &= !if next.is_certainly_in(pool, *b) { bit(New, New) } else { 0 };
            let grows = match next {
                Next::Any { analysis, .. } => analysis.traits(*b).grows,
                Next::Whole | Next::Last { .. } => of(b).grows,
            };
            Shape { settled: left.settled && grows, grows: left.grows && of(b).settled, ..left }
        }
        Node::Product(a, b) => {
            let (a, b) = (of(a), of(b));
            let pairs = ENDS.iter().flat_map(|&from| ENDS.map(|to| (from, to)));
            let pairs = pairs.filter(|&(from, to)| a.has(from, from) && b.has(to, to));
            a.with(b, pairs.fold(0, |all, (from, to)| all | bit(from, to)))
        }
        Node::IdOn(a) => Shape { edges: of(a).edges & LOOPS, ..of(a) },
        Node::Inverse(a) => of(a).inverse(),
        Node::Opt(a) => Shape { edges: of(a).edges | LOOPS, ..of(a) },
        Node::Plus(a) => of(a).closed(),
        Node::Star(a) => {
            let closed = of(a).closed();
            Shape { edges: closed.edges | LOOPS, ..closed }
        }
        Node::Seq(xs) => {
            let mut steps: Vec<Shape> = Vec::with_capacity(xs.len());
            let mut rest = &xs[..];
            while let [first, tail @ ..] = rest {
                let (step, behind) = from_reads(pool, rest, &of, next).unwrap_or_else(|| (of(first), tail));
                steps.push(step);
                rest = behind;
            }
            steps.into_iter().reduce(Shape::then).unwrap_or(UNKNOWN)
        }
        Node::Domain(a) => of(a).domain(),
        Node::Range(a) => of(a).inverse().domain(),
        Node::DifferentValues(a) => of(a),
    }
}

fn of_base(name: &str, sort: Sort, next: &Next<'_>) -> Shape {
    if sort == Sort::Set {
        let is_member = |end: &End| match (end, next) {
            (Mate, _) => !["W", "IW"].contains(&name),
            (New, Next::Last { is_in, .. }) => is_in(name),
            (New, Next::Whole) => name != "IW",
            _ => true,
        };
        let members = ENDS.into_iter().filter(is_member);
        return members.map(|end| of_edges(&[(end, end)])).fold(NOTHING, Shape::or);
    }
    let mut edges = vec![(Others, Others)];
    if matches!(next, Next::Last { .. }) && [PARTS, PARTS_IN_MEMORY].contains(&name) {
        // All parts of its access are added with it.
        return Shape { edges: LOOPS | bit(Others, Others), ..NOTHING };
    }
    if matches!(next, Next::Whole) {
        if TO_NEW.contains(&name) {
            edges.extend([(Others, New), (New, New)]);
        } else if TO_OWN.contains(&name) {
            edges.push((New, New));
        } else if READS_FROM.contains(&name) || name == COHERENCE {
            edges.push((Others, New));
        } else {
            return if SAME_ACCESS.contains(&name) { Shape { edges: LOOPS, ..NOTHING } } else { ANYTHING };
        }
        return of_edges(&edges);
    }
    if TO_NEW.contains(&name) {
        edges.extend([(Others, Mate), (Others, New), (Mate, New)]);
    } else if TO_OWN.contains(&name) {
        edges.push((Mate, New));
    } else if READS_FROM.contains(&name) {
        edges.extend([(Others, Mate), (Others, New)]);
    } else if name == COHERENCE {
        edges.push((Others, New));
    } else if SAME_ACCESS.contains(&name) {
        return Shape { edges: LOOPS, ..NOTHING };
    } else {
        return ANYTHING;
    }
    of_edges(&edges)
}

/// A part of `rf^-1`, or nothing instead of it, then perhaps of the identity, and then a part of `co`; with the steps behind that.
fn from_reads<'x>(
    pool: &Pool,
    steps: &'x [ExprId],
    of: &dyn Fn(&ExprId) -> Shape,
    next: &Next<'_>,
) -> Option<(Shape, &'x [ExprId])> {
    let (first, mut steps) = steps.split_first()?;
    let (read, may_be_left_out) = match pool.node(*first) {
        Node::Opt(inverse) => (*inverse, true),
        _ => (*first, false),
    };
    if !leads_back_to_sources(pool, read) {
        return None;
    }
    while let [step, rest @ ..] = steps
        && matches!(pool.node(*step), Node::IdOn(_))
    {
        steps = rest;
    }
    let (write, rest) = steps.split_first()?;
    let behind: &[ExprId] = match next {
        Next::Any { .. } | Next::Whole | Next::Last { maximal: false, .. } => &[],
        Next::Last { behind, .. } => behind,
    };
    let leads_on = is_part_of(pool, *write, &[COHERENCE]) || leads_to_later_writes(pool, behind, *write, rest);
    let all = of_edges(&[(Others, Others), (Others, New), (Mate, New)]);
    let shape = match next {
        _ if !leads_on => return None,
        Next::Any { fused: true, .. } | Next::Whole => all.or(of_edges(&[(New, New)])),
        Next::Last { maximal: false, .. } => return None,
        _ => all,
    };
    Some((if may_be_left_out { shape.or(of(write)) } else { shape }, rest))
}

/// Whether an expression is a part of `rf^-1`.
fn leads_back_to_sources(pool: &Pool, id: ExprId) -> bool {
    match pool.node(id) {
        Node::Inverse(read) => is_part_of(pool, *read, &READS_FROM),
        Node::Union(parts) => parts.iter().all(|part| leads_back_to_sources(pool, *part)),
        _ => false,
    }
}

/// Whether a step, and what follows, leads from the last write of a location to no other write of it.
fn leads_to_later_writes(pool: &Pool, behind: &[ExprId], step: ExprId, rest: &[ExprId]) -> bool {
    let Node::Inter(parts) = pool.node(step) else { return false };
    let Some(Node::IdOn(ends)) = rest.first().map(|next| pool.node(*next)) else { return false };
    is_part_of(pool, *ends, &["W"])
        && parts.iter().any(|part| behind.contains(part))
        && parts.iter().any(|part| matches!(pool.node(*part), Node::Base(_)) && is_part_of(pool, *part, &["loc"]))
}

/// Whether an expression lies within the union of some base relations, as far as its form tells.
pub(in crate::algebra) fn is_part_of(pool: &Pool, id: ExprId, names: &[&str]) -> bool {
    match pool.node(id) {
        Node::Base(base) => names.contains(&pool.bases()[base.index()].name.as_str()),
        Node::Inter(parts) => parts.iter().any(|part| is_part_of(pool, *part, names)),
        Node::Union(parts) => parts.iter().all(|part| is_part_of(pool, *part, names)),
        Node::Diff(a, _) => is_part_of(pool, *a, names),
        _ => false,
    }
}

fn includes_identity(pool: &Pool, id: ExprId) -> bool {
    match pool.node(id) {
        Node::Id | Node::Full | Node::Opt(_) | Node::Star(_) => true,
        Node::Union(parts) => parts.iter().any(|part| includes_identity(pool, *part)),
        _ => false,
    }
}
