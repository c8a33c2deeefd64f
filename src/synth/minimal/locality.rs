//! What of a model is decided inside a thread: relations that lead from a thread to itself and follow from it alone.
//!
//! Where a relaxation leaves all of these as they are, the relaxed program is judged like the whole one, whatever the other threads do. No test with such a thread is minimal.

use super::judge::Values;
use super::matrix::{Events, Matrix};
use crate::algebra::{Base, ExprId, FixId, Node, Pool, Predicate, Sort, VarId};
use rustc_hash::FxHashSet;

/// How much of a program decides a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// It holds of events of one thread, and follows from this thread.
    Thread,
    /// Inside a thread it follows from this thread; it also leads to other threads.
    Pair,
    /// Anything else.
    Program,
}

/// Where an event may occur in a node: as the source or the target of an edge to another event, or of one to itself (in a set, as a
/// member).
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Touch {
    from: bool,
    to: bool,
    own: bool,
}

/// Local operands that stand together in a node that is not local, and make something local between them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Part {
    One(ExprId),
    Union(Vec<ExprId>),
    Inter(Vec<ExprId>),
    Seq(Vec<ExprId>),
}

/// What is decided inside threads.
pub struct Locality {
    /// The local parts from which everything else follows.
    frontier: Vec<Part>,
    nodes: Vec<ExprId>,
    reach: Vec<Reach>,
    checks: Vec<(Predicate, ExprId)>,
}

impl Locality {
    /// Looks through what the checks need: `nodes`, in ascending order.
    pub fn new(pool: &Pool, nodes: &[ExprId], checks: &[(Predicate, ExprId)]) -> Locality {
        let reach = Reaches { pool, nodes }.solve();
        let border = Border { pool, reach: &reach };
        let mut frontier = FxHashSet::default();
        let is_local = |id: &ExprId| reach[id.index()] == Reach::Thread;
        // From the checks downwards, as far as a thread does not decide.
        let mut seen = FxHashSet::default();
        let mut work: Vec<ExprId> = checks.iter().map(|&(_, checked)| checked).collect();
        while let Some(id) = work.pop() {
            if is_local(&id) {
                border.one(id, &mut frontier);
            } else if seen.insert(id) {
                border.operands(id, &mut frontier);
                border.rest(id, &mut work);
            }
        }
        let checks = checks.to_vec();
        Locality { nodes: nodes.to_vec(), checks, frontier: frontier.into_iter().collect(), reach }
    }

    /// Whether a relaxation has no effect, in any program with the thread that these values are about. `removed`: the event that it has removed; it accesses no memory.
    pub fn is_without_effect(&self, pool: &Pool, whole: &Values, relaxed: &Values, removed: Option<usize>) -> bool {
        let left = removed.map_or(Events::MAX, |event| !(1 << event));
        let same = self.frontier.iter().all(|part| match part {
            Part::One(id) if pool.sort(*id) == Sort::Set => whole.set(*id) & left == relaxed.set(*id),
            _ => value(part, whole).within(left) == value(part, relaxed),
        });
        same && removed.is_none_or(|event| Touches { pool, of: self, whole, event }.are_clean())
    }
}

fn value(part: &Part, values: &Values) -> Matrix {
    let of = |id: &ExprId| *values.relation(*id);
    match part {
        Part::One(id) => of(id),
        Part::Union(ids) => ids.iter().map(of).fold(Matrix::default(), |sum, m| sum.zip(&m, |a, b| a | b)),
        Part::Inter(ids) => ids[1..].iter().map(of).fold(of(&ids[0]), |sum, m| sum.zip(&m, |a, b| a & b)),
        Part::Seq(ids) => ids[1..].iter().map(of).fold(of(&ids[0]), |sum, m| sum.then(&m)),
    }
}

/// Finds the local parts of nodes that are not local.
struct Border<'a> {
    pool: &'a Pool,
    reach: &'a [Reach],
}

impl Border<'_> {
    fn is_local(&self, id: ExprId) -> bool {
        self.reach[id.index()] == Reach::Thread
    }

    fn operands(&self, id: ExprId, frontier: &mut FxHashSet<Part>) {
        let is_relation = self.pool.sort(id) == Sort::Rel;
        match self.pool.node(id) {
            Node::Union(xs) if is_relation => {
                let (local, reflexive): (Vec<ExprId>, Vec<ExprId>) =
                    xs.iter().filter(|x| self.is_local(**x)).partition(|x| !is_reflexive(self.pool, **x));
                if !local.is_empty() {
                    frontier.insert(Part::Union(local));
                }
                reflexive.into_iter().for_each(|x| self.one(x, frontier));
            }
            // What is decided between two threads is known inside one.
            Node::Inter(xs) if is_relation && xs.iter().any(|&x| self.is_local(x)) => {
                let known = xs.iter().copied().filter(|x| self.reach[x.index()] != Reach::Program);
                frontier.insert(Part::Inter(known.collect()));
            }
            Node::Seq(xs) => {
                for run in runs(self.pool, xs, &|x| self.is_local(x)) {
                    match run {
                        [] => {}
                        [one] => self.one(*one, frontier),
                        more => {
                            frontier.insert(Part::Seq(more.to_vec()));
                        }
                    }
                }
            }
            _ => self.pool.operands(id).into_iter().filter(|&x| self.is_local(x)).for_each(|x| self.one(x, frontier)),
        }
    }

    /// The operands that are not local; those of a recursive result are its equations.
    fn rest(&self, id: ExprId, work: &mut Vec<ExprId>) {
        match self.pool.node(id) {
            Node::Fix(group, _) => work.extend(&self.pool.fix(*group).bodies),
            Node::Inter(xs) if xs.iter().any(|&x| self.is_local(x)) => {
                work.extend(xs.iter().filter(|x| self.reach[x.index()] == Reach::Program));
            }
            _ => work.extend(self.pool.operands(id).into_iter().filter(|&x| !self.is_local(x))),
        }
    }

    /// A local node by itself. A reflexive closure is what it closes: the identity is everywhere.
    fn one(&self, id: ExprId, frontier: &mut FxHashSet<Part>) {
        match self.pool.node(id) {
            Node::Id | Node::Universe | Node::Empty(_) => {}
            Node::Star(inner) | Node::Opt(inner) => self.one(*inner, frontier),
            Node::Union(_) if is_reflexive(self.pool, id) => self.operands(id, frontier),
            _ => {
                frontier.insert(Part::One(id));
            }
        }
    }
}

/// The longest runs of local factors without a reflexive one.
fn runs<'x>(pool: &Pool, factors: &'x [ExprId], is_local: &dyn Fn(ExprId) -> bool) -> Vec<&'x [ExprId]> {
    let alone = |x: &ExprId| !is_local(*x) || is_reflexive(pool, *x);
    let mut all: Vec<&[ExprId]> = factors.split(alone).collect();
    all.extend(factors.chunks(1).filter(|x| is_local(x[0]) && alone(&x[0])));
    all
}

fn is_reflexive(pool: &Pool, id: ExprId) -> bool {
    match pool.node(id) {
        Node::Id | Node::Star(_) | Node::Opt(_) | Node::Full => true,
        Node::Union(parts) => parts.iter().any(|&part| is_reflexive(pool, part)),
        _ => false,
    }
}

struct Reaches<'a> {
    pool: &'a Pool,
    nodes: &'a [ExprId],
}

impl Reaches<'_> {
    /// The least reach of each node. Recursive results begin as local and grow.
    fn solve(&self) -> Vec<Reach> {
        let mut reach = vec![Reach::Thread; self.pool.len()];
        loop {
            let mut settled = true;
            for &id in self.nodes {
                let new = self.of(id, &reach).max(reach[id.index()]);
                settled &= new == reach[id.index()];
                reach[id.index()] = new;
            }
            if settled {
                return reach;
            }
        }
    }

    fn of(&self, id: ExprId, reach: &[Reach]) -> Reach {
        let of = |x: &ExprId| reach[x.index()];
        let most = |xs: &[ExprId]| xs.iter().map(of).max().unwrap_or(Reach::Thread);
        let thread = |is: bool, other: Reach| if is { Reach::Thread } else { other };
        match self.pool.node(id) {
            Node::Empty(_) | Node::Universe | Node::Id => Reach::Thread,
            Node::Full => Reach::Pair,
            Node::Base(base) => base_reach(&self.pool.bases()[base.index()]),
            // How often a loop goes round may depend on all threads.
            Node::Var(_) | Node::Fix(..) | Node::DifferentValues(_) => Reach::Program,
            Node::Union(xs) => most(xs),
            Node::Inter(xs) => match most(xs) {
                Reach::Pair if xs.iter().any(|x| of(x) == Reach::Thread) => Reach::Thread,
                most => most,
            },
            Node::Diff(a, b) => match of(b) {
                Reach::Program => Reach::Program,
                _ => of(a),
            },
            Node::Seq(xs) => {
                let mut others = xs.iter().filter(|x| !matches!(self.pool.node(**x), Node::IdOn(_)));
                let sets = xs.iter().filter(|x| matches!(self.pool.node(**x), Node::IdOn(_)));
                let restricted = sets.map(of).all(|r| r == Reach::Thread);
                match (others.next(), others.next()) {
                    (Some(one), None) if restricted => of(one),
                    _ => thread(most(xs) == Reach::Thread, Reach::Program),
                }
            }
            Node::Product(a, b) => match of(a).max(of(b)) {
                Reach::Thread => Reach::Pair,
                _ => Reach::Program,
            },
            Node::Inverse(r) | Node::Opt(r) => of(r),
            Node::IdOn(x) | Node::Plus(x) | Node::Star(x) | Node::Domain(x) | Node::Range(x) => {
                thread(of(x) == Reach::Thread, Reach::Program)
            }
        }
    }
}

fn base_reach(base: &Base) -> Reach {
    match (base.sort, base.name.as_str()) {
        (Sort::Set, _)
        | (_, "po" | "int" | "addr" | "data" | "ctrl" | "amo" | "lxsx" | "si" | "sm" | "same-instance") => {
            Reach::Thread
        }
        (_, "ext" | "loc") => Reach::Pair,
        (_, "rf" | "co") => Reach::Program,
        (_, name) if name.starts_with("with ") => Reach::Program,
        // Groups of threads.
        _ => Reach::Pair,
    }
}

/// Where an event occurs that a relaxation removes.
struct Touches<'a> {
    pool: &'a Pool,
    of: &'a Locality,
    whole: &'a Values,
    event: usize,
}

impl Touches<'_> {
    /// Whether no path between other events and no check goes through the event. Paths inside local parts do not count: their values are compared.
    fn are_clean(&self) -> bool {
        let mut touch = vec![Touch::default(); self.pool.len()];
        loop {
            let mut settled = true;
            for &id in &self.of.nodes {
                let new = self.at(id, &touch);
                let old = &mut touch[id.index()];
                let sum = Touch { from: old.from | new.from, to: old.to | new.to, own: old.own | new.own };
                settled &= sum == *old;
                *old = sum;
            }
            if settled {
                break;
            }
        }
        let of = |x: ExprId| touch[x.index()];
        let paths = self.of.nodes.iter().filter(|id| !self.is_local(**id)).all(|&id| match self.pool.node(id) {
            Node::Seq(xs) => {
                let factors = self.factors(xs, &touch);
                (0..factors.len()).all(|i| !factors[i].from || !factors[..i].iter().any(|before| before.to))
            }
            Node::Plus(r) | Node::Star(r) => !(of(*r).from && of(*r).to),
            _ => true,
        });
        let tests = self.of.checks.iter().all(|&(predicate, checked)| {
            let touch = of(checked);
            match predicate {
                Predicate::Empty => touch == Touch::default(),
                Predicate::Irreflexive => !touch.own,
                Predicate::Acyclic => !(touch.own || touch.from && touch.to),
            }
        });
        paths && tests
    }

    fn is_local(&self, id: ExprId) -> bool {
        self.of.reach[id.index()] == Reach::Thread
    }

    /// What a relation has at the event.
    fn actual(&self, relation: &Matrix) -> Touch {
        let (event, own) = (self.event, relation.has(self.event, self.event));
        let from = relation.0[event] & !(1 << event) != 0;
        Touch { from, to: relation.0.iter().enumerate().any(|(x, row)| x != event && row >> event & 1 == 1), own }
    }

    /// The factors of a composition, each run of local ones as one.
    fn factors(&self, xs: &[ExprId], touch: &[Touch]) -> Vec<Touch> {
        let chunks = xs.chunk_by(|a, b| {
            self.is_local(*a) && self.is_local(*b) && ![a, b].iter().any(|x| is_reflexive(self.pool, **x))
        });
        let one = |chunk: &[ExprId]| match chunk {
            [one] => touch[one.index()],
            run => self.actual(&value(&Part::Seq(run.to_vec()), self.whole)),
        };
        chunks.map(one).collect()
    }

    fn at(&self, id: ExprId, touch: &[Touch]) -> Touch {
        let of = |x: &ExprId| touch[x.index()];
        let any = |xs: &[Touch]| {
            xs.iter().fold(Touch::default(), |s, t| Touch {
                from: s.from | t.from,
                to: s.to | t.to,
                own: s.own | t.own,
            })
        };
        let all = |xs: &mut dyn Iterator<Item = Touch>| {
            let everything = Touch { from: true, to: true, own: true };
            xs.fold(everything, |s, t| Touch { from: s.from & t.from, to: s.to & t.to, own: s.own & t.own })
        };
        if self.is_local(id) {
            return match self.pool.sort(id) {
                Sort::Set => Touch { own: self.whole.set(id) >> self.event & 1 == 1, ..Touch::default() },
                Sort::Rel => self.actual(self.whole.relation(id)),
            };
        }
        let (from, to, own) = match self.pool.node(id) {
            Node::Empty(_) => (false, false, false),
            Node::Universe | Node::Id => (false, false, true),
            Node::Full => (true, true, true),
            Node::Base(base) => match self.pool.bases()[base.index()].name.as_str() {
                "ext" => (true, true, false),
                "rf" | "co" | "loc" => (false, false, false),
                _ => (true, true, true),
            },
            Node::Var(var) => return self.variable(*var, touch),
            Node::Fix(group, n) => return of(&self.pool.fix(*group).bodies[*n as usize]),
            Node::Union(xs) => return any(&xs.iter().map(of).collect::<Vec<_>>()),
            Node::Inter(xs) => {
                let known: Vec<ExprId> =
                    xs.iter().copied().filter(|x| self.of.reach[x.index()] != Reach::Program).collect();
                let others = xs.iter().filter(|x| !known.contains(x)).map(of);
                if self.pool.sort(id) == Sort::Rel && known.iter().any(|&x| self.is_local(x)) {
                    let inside = self.actual(&value(&Part::Inter(known.clone()), self.whole));
                    return all(&mut others.chain([inside]));
                }
                return all(&mut xs.iter().map(of));
            }
            Node::Diff(a, _) | Node::DifferentValues(a) => return of(a),
            Node::Seq(xs) => {
                let factors = self.factors(xs, touch);
                let (ends, own) = (any(&factors), all(&mut factors.iter().copied()).own);
                (ends.from, ends.to, own || ends.from && ends.to)
            }
            Node::Product(a, b) => (of(a).own, of(b).own, of(a).own && of(b).own),
            Node::IdOn(set) => (false, false, of(set).own),
            Node::Inverse(r) => (of(r).to, of(r).from, of(r).own),
            Node::Plus(r) => (of(r).from, of(r).to, of(r).own || of(r).from && of(r).to),
            Node::Star(r) | Node::Opt(r) => (of(r).from, of(r).to, true),
            Node::Domain(r) => (false, false, of(r).from || of(r).own),
            Node::Range(r) => (false, false, of(r).to || of(r).own),
        };
        Touch { from, to, own }
    }

    /// A recursion variable: as the equation of its group.
    fn variable(&self, var: VarId, touch: &[Touch]) -> Touch {
        let groups = (0..self.pool.fix_count()).map(|i| self.pool.fix(FixId::at(i)));
        let mut found = groups.filter_map(|group| {
            let at = group.vars.iter().position(|&own| own == var)?;
            Some(touch[group.bodies[at].index()])
        });
        found.next().unwrap_or_default()
    }
}
