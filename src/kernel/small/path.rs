//! Relation expressions as unions of paths over base relations.
//!
//! A path is a composition of base relations and their converses, with a set that each event on it must be in, and relations that its two
//! ends must, or must not, be related by. Compositions and intersections distribute over unions, so what is built of these operators is
//! a union of paths. Closures, recursion, domains of relations, values, and differences of anything but base relations and the
//! identity are not: nothing is returned for them, nor where there would be more than [`MOST_PATHS`].

use crate::algebra::{ExprId, Node, Pool};

/// More paths are not worth it.
const MOST_PATHS: usize = 64;
/// Nor are longer ones.
const MOST_STEPS: usize = 8;
/// How deeply expressions are looked into.
const MOST_DEPTH: u8 = 40;

/// What events a base relation relates, where that is known: the kinds of its sources and of its targets, as bit sets. An event has one kind.
pub type Ends<'e> = &'e dyn Fn(&str) -> Option<[u8; 2]>;

/// A base relation, or its converse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub relation: ExprId,
    pub inverse: bool,
}

/// See the module.
#[derive(Clone, Debug)]
pub(super) struct Path {
    pub steps: Vec<Step>,
    /// The sets that the events on the path are in: one list more than there are steps.
    pub masks: Vec<Vec<ExprId>>,
    /// What the first event must be related to the last by.
    pub and: Vec<Step>,
    /// What it must not be related by.
    pub not: Vec<Step>,
    /// Whether the two must differ.
    pub distinct: bool,
}

impl Path {
    fn identity() -> Path {
        Path { steps: Vec::new(), masks: vec![Vec::new()], and: Vec::new(), not: Vec::new(), distinct: false }
    }

    fn is_filtered(&self) -> bool {
        self.distinct || !self.and.is_empty() || !self.not.is_empty()
    }

    fn is_identity(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether every pair of events, or at least every one along a step, is on it.
    fn is_plain(&self) -> bool {
        !self.is_filtered() && self.masks.iter().all(Vec::is_empty)
    }

    fn reversed(mut self) -> Path {
        self.steps.reverse();
        self.masks.reverse();
        let all = self.steps.iter_mut().chain(&mut self.and).chain(&mut self.not);
        all.for_each(|step| step.inverse = !step.inverse);
        self
    }

    /// The paths that go on with another one.
    fn then(&self, next: &Path) -> Option<Path> {
        let longer = |path: &Path, other: &Path| path.is_filtered() && !other.is_identity();
        if longer(self, next) || longer(next, self) || self.steps.len() + next.steps.len() > MOST_STEPS {
            return None;
        }
        let mut path = self.clone();
        path.steps.extend(&next.steps);
        let (first, rest) = next.masks.split_first()?;
        path.masks.last_mut()?.extend(first);
        path.masks.extend(rest.iter().cloned());
        path.and.extend(&next.and);
        path.not.extend(&next.not);
        path.distinct |= next.distinct;
        Some(path)
    }

    /// Adds a filter that is a single step.
    fn filtered(&self, by: &Path) -> Option<Path> {
        let mut path = self.clone();
        path.and.extend(&by.steps);
        path.and.extend(&by.and);
        path.not.extend(&by.not);
        path.distinct |= by.distinct;
        path.masks.first_mut()?.extend(&by.masks[0]);
        path.masks.last_mut()?.extend(by.masks.last()?);
        Some(path)
    }
}

/// Finds the paths of expressions.
pub(super) struct Paths<'a> {
    pub pool: &'a Pool,
    pub ends: Ends<'a>,
}

impl Paths<'_> {
    /// The paths of which a relation is the union.
    pub fn of(&self, id: ExprId) -> Option<Vec<Path>> {
        self.below(id, 0)
    }

    fn below(&self, id: ExprId, depth: u8) -> Option<Vec<Path>> {
        if depth > MOST_DEPTH {
            return None;
        }
        let of = |id: ExprId| self.below(id, depth + 1);
        let paths = match self.pool.node(id) {
            Node::Empty(_) => Vec::new(),
            Node::Id => vec![Path::identity()],
            Node::IdOn(set) => vec![Path { masks: vec![vec![*set]], ..Path::identity() }],
            Node::Base(_) => {
                let steps = vec![Step { relation: id, inverse: false }];
                vec![Path { steps, masks: vec![Vec::new(); 2], ..Path::identity() }]
            }
            Node::Inverse(a) => of(*a)?.into_iter().map(Path::reversed).collect(),
            Node::Opt(a) => {
                let mut paths = of(*a)?;
                paths.push(Path::identity());
                paths
            }
            Node::Union(xs) => {
                let mut paths = Vec::new();
                for &x in xs {
                    paths.extend(of(x)?);
                }
                paths
            }
            Node::Seq(xs) => {
                let mut paths = vec![Path::identity()];
                for &x in xs {
                    let next = of(x)?;
                    let pairs = paths.iter().flat_map(|path| next.iter().map(move |next| path.then(next)));
                    paths = pairs.collect::<Option<Vec<_>>>()?;
                    if paths.len() > MOST_PATHS {
                        return None;
                    }
                }
                paths
            }
            Node::Inter(xs) => self.intersection(xs, depth)?,
            Node::Diff(a, b) => {
                let (mut paths, taken) = (of(*a)?, of(*b)?);
                for without in &taken {
                    paths =
                        paths.into_iter().filter_map(|path| self.difference(path, without)).collect::<Option<_>>()?;
                }
                paths
            }
            _ => return None,
        };
        (paths.len() <= MOST_PATHS).then_some(paths)
    }

    fn intersection(&self, xs: &[ExprId], depth: u8) -> Option<Vec<Path>> {
        let mut paths: Option<Vec<Path>> = None;
        let (mut sources, mut targets) = (Vec::new(), Vec::new());
        for &x in xs {
            match self.pool.node(x) {
                Node::Full => {}
                Node::Product(a, b) => {
                    sources.push(*a);
                    targets.push(*b);
                }
                _ => {
                    let more = self.below(x, depth + 1)?;
                    paths = Some(match paths {
                        None => more,
                        Some(paths) => {
                            let pairs = paths.iter().flat_map(|a| more.iter().map(move |b| (a, b)));
                            pairs.filter_map(|(a, b)| self.both(a, b)).collect::<Option<_>>()?
                        }
                    });
                    if paths.as_ref().is_some_and(|paths| paths.len() > MOST_PATHS) {
                        return None;
                    }
                }
            }
        }
        let mut paths = paths?;
        for path in &mut paths {
            path.masks.first_mut()?.extend(&sources);
            path.masks.last_mut()?.extend(&targets);
        }
        Some(paths)
    }

    /// What two paths have in common. `None`: nothing; `Some(None)`: something that is no path.
    fn both(&self, a: &Path, b: &Path) -> Option<Option<Path>> {
        let identity = a.is_identity() || b.is_identity();
        if identity && !(a.is_identity() && b.is_identity()) {
            return (!self.are_apart(a) && !self.are_apart(b)).then_some(None);
        }
        Some(match (a.steps.len(), b.steps.len()) {
            (_, 0 | 1) => a.filtered(b),
            (1, _) => b.filtered(a),
            _ => None,
        })
    }

    /// A path without the pairs of another one. `None`: nothing is left; `Some(None)`: something that is no path.
    fn difference(&self, mut path: Path, without: &Path) -> Option<Option<Path>> {
        if path.is_identity() || without.is_identity() {
            let differ = self.are_apart(&path) || self.are_apart(without);
            return match (path.is_identity(), without.is_plain()) {
                _ if differ => Some(Some(path)),
                (true, true) if without.is_identity() => None,
                (false, true) if without.is_identity() => {
                    path.distinct = true;
                    Some(Some(path))
                }
                _ => Some(None),
            };
        }
        if without.steps.len() != 1 || !without.is_plain() {
            return Some(None);
        }
        path.not.extend(&without.steps);
        Some(Some(path))
    }

    /// Whether the first and the last event of a path have different kinds, so that they differ.
    fn are_apart(&self, path: &Path) -> bool {
        let kinds = |step: &Step, source: bool| {
            let Node::Base(base) = self.pool.node(step.relation) else { return None };
            let [sources, targets] = (self.ends)(&self.pool.bases()[base.index()].name)?;
            Some(if source != step.inverse { sources } else { targets })
        };
        let first = path.steps.first().and_then(|step| kinds(step, true));
        let last = path.steps.last().and_then(|step| kinds(step, false));
        matches!((first, last), (Some(a), Some(b)) if a & b == 0)
    }
}
