//! Relation expressions as unions of paths over base relations, and over relations that are kept for the purpose.
//!
//! A path is a composition of relations and their converses, with a set that each event on it must be in, and relations that its two
//! ends must, or must not, be related by. Compositions and intersections distribute over unions, so what is built of these operators is
//! a union of paths. A transitive closure of such a union, a path with a condition on its ends that stands in the middle of another one, and what
//! would make too many paths become relations of their own ([`Derived`]), along which paths lead in one step.
//!
//! Recursion, values, complements, and differences of anything but single steps and the identity are no paths: nothing is returned for
//! them, nor where there would be more than [`MOST_PATHS`].

use crate::algebra::simplify::orient::JOINT;
use crate::algebra::{ExprId, Node, Pool};
use rustc_hash::FxHashMap;

/// More paths are not worth it.
const MOST_PATHS: usize = 128;
/// Nor are longer ones.
const MOST_STEPS: usize = 8;
/// Where a composition would have more, one of its parts becomes a relation.
const MOST_PRODUCTS: usize = 16;
/// How deeply expressions are looked into.
const MOST_DEPTH: u8 = 40;
/// Derived relations, at most.
const MOST_DERIVED: usize = 16;

/// What events a base relation relates, where that is known: the kinds of its sources and of its targets, as bit sets. An event has one kind.
pub type Ends<'e> = &'e dyn Fn(&str) -> Option<[u8; 2]>;

/// A relation that a path can lead along.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Along {
    Base(ExprId),
    /// By its number.
    Derived(usize),
}

/// One step along a relation, or against it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Step {
    pub along: Along,
    pub inverse: bool,
}

/// A union of paths, or its transitive closure. The paths lead along base relations, and derived ones of lower numbers.
#[derive(Clone, Debug)]
pub(super) struct Derived {
    pub paths: Vec<Path>,
    pub closed: bool,
}

/// See the module.
#[derive(Clone, PartialEq, Eq, Debug)]
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
    /// Whether they must be the same.
    pub same: bool,
}

impl Path {
    /// The identity on a set, if one is given.
    pub fn identity(set: Option<ExprId>) -> Path {
        let masks = vec![set.into_iter().collect()];
        Path { steps: Vec::new(), masks, and: Vec::new(), not: Vec::new(), distinct: false, same: false }
    }

    pub fn single(along: Along, inverse: bool) -> Path {
        Path { steps: vec![Step { along, inverse }], masks: vec![Vec::new(); 2], ..Path::identity(None) }
    }

    fn is_filtered(&self) -> bool {
        self.distinct || self.same || !self.and.is_empty() || !self.not.is_empty()
    }

    fn is_identity(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether every pair of events, or at least every one along a step, is on it.
    fn is_plain(&self) -> bool {
        !self.is_filtered() && self.masks.iter().all(Vec::is_empty)
    }

    /// Whether it begins with a step against a relation.
    fn begins_backwards(&self) -> bool {
        self.steps.first().is_some_and(|step| step.inverse)
    }

    /// Writes what comes to the same in the same way.
    pub fn normalise(&mut self, pool: &Pool) {
        for mask in &mut self.masks {
            let members = |&set: &ExprId| match pool.node(set) {
                Node::Inter(members) => members.to_vec(),
                _ => vec![set],
            };
            *mask = mask.iter().flat_map(members).collect();
            mask.sort_unstable();
            mask.dedup();
        }
    }

    pub fn reversed(mut self) -> Path {
        self.steps.reverse();
        self.masks.reverse();
        let all = self.steps.iter_mut().chain(&mut self.and).chain(&mut self.not);
        all.for_each(|step| step.inverse = !step.inverse);
        self
    }

    /// Adds a filter that is a single step.
    fn filtered(&self, by: &Path) -> Option<Path> {
        let mut path = self.clone();
        path.and.extend(&by.steps);
        path.and.extend(&by.and);
        path.not.extend(&by.not);
        path.distinct |= by.distinct;
        path.same |= by.same;
        path.masks.first_mut()?.extend(&by.masks[0]);
        path.masks.last_mut()?.extend(by.masks.last()?);
        Some(path)
    }
}

fn base_name(pool: &Pool, id: ExprId) -> Option<&str> {
    match pool.node(id) {
        Node::Base(base) => Some(&pool.bases()[base.index()].name),
        _ => None,
    }
}

/// The number of steps of the longest path.
fn longest(paths: &[Path]) -> usize {
    paths.iter().map(|path| path.steps.len()).max().unwrap_or(0)
}

/// Finds the paths of expressions.
pub(super) struct Paths<'a> {
    pool: &'a Pool,
    ends: Ends<'a>,
    /// What was made a relation of its own.
    pub derived: Vec<Derived>,
    /// Whether nothing more is.
    pub enough: bool,
    /// Inputs that are the intersection of two base relations, by the names of these.
    joint: FxHashMap<(&'a str, &'a str), ExprId>,
    known: FxHashMap<ExprId, Option<Vec<Path>>>,
}

impl<'a> Paths<'a> {
    /// `inputs`: the base names that there are.
    pub fn new(pool: &'a Pool, inputs: impl Iterator<Item = ExprId>, ends: Ends<'a>) -> Self {
        let of = |input: ExprId| Some((base_name(pool, input)?.split_once(JOINT)?, input));
        let (derived, known) = (Vec::new(), FxHashMap::default());
        Paths { pool, ends, derived, enough: false, joint: inputs.filter_map(of).collect(), known }
    }

    /// The paths of which a relation is the union.
    pub fn of(&mut self, id: ExprId) -> Option<Vec<Path>> {
        self.below(id, 0)
    }

    fn below(&mut self, id: ExprId, depth: u8) -> Option<Vec<Path>> {
        if let Some(known) = self.known.get(&id) {
            return known.clone();
        }
        let found = self.find(id, depth).filter(|paths| paths.len() <= MOST_PATHS);
        self.known.insert(id, found.clone());
        found
    }

    fn find(&mut self, id: ExprId, depth: u8) -> Option<Vec<Path>> {
        if depth > MOST_DEPTH {
            return None;
        }
        let pool = self.pool;
        let depth = depth + 1;
        Some(match pool.node(id) {
            Node::Empty(_) => Vec::new(),
            Node::Id => vec![Path::identity(None)],
            Node::IdOn(set) => vec![Path::identity(Some(*set))],
            Node::Base(_) => vec![Path::single(Along::Base(id), false)],
            Node::Inverse(a) => self.below(*a, depth)?.into_iter().map(Path::reversed).collect(),
            Node::Opt(a) => {
                let mut paths = self.below(*a, depth)?;
                paths.push(Path::identity(None));
                paths
            }
            Node::Plus(a) => self.closure(*a, depth)?,
            Node::Star(a) => {
                let mut paths = self.closure(*a, depth)?;
                paths.push(Path::identity(None));
                paths
            }
            Node::Union(xs) => {
                let mut paths = Vec::new();
                for &x in xs {
                    paths.extend(self.below(x, depth)?);
                }
                paths
            }
            Node::Seq(xs) => {
                let mut paths = vec![Path::identity(None)];
                for &x in xs {
                    let mut next = self.below(x, depth)?;
                    if paths.len() * next.len() > MOST_PRODUCTS || longest(&paths) + longest(&next) > MOST_STEPS {
                        let larger = if paths.len() > next.len() { &mut paths } else { &mut next };
                        *larger = self.as_one(std::mem::take(larger))?;
                    }
                    paths = self.pairwise(&paths, &next, |this, path, next| Some(Some(this.then(path, next)?)))?;
                }
                paths
            }
            Node::Inter(xs) => self.intersection(xs, depth)?,
            Node::Diff(a, b) => {
                let (mut paths, taken) = (self.below(*a, depth)?, self.below(*b, depth)?);
                for without in &taken {
                    let left = paths.into_iter().map(|path| self.difference(path, without));
                    paths = left.collect::<Option<Vec<_>>>()?.into_iter().flatten().collect();
                }
                paths
            }
            _ => return None,
        })
    }

    /// What is made of each of some paths with each of others: nothing of some pairs, or no path.
    fn pairwise(
        &mut self,
        left: &[Path],
        right: &[Path],
        mut with: impl FnMut(&mut Self, &Path, &Path) -> Option<Option<Path>>,
    ) -> Option<Vec<Path>> {
        let mut paths = Vec::new();
        for a in left {
            for b in right {
                paths.extend(with(self, a, b)?);
                if paths.len() > MOST_PATHS {
                    return None;
                }
            }
        }
        Some(paths)
    }

    /// The path that goes on with another one. What has a condition on its ends becomes a single step.
    fn then(&mut self, path: &Path, next: &Path) -> Option<Path> {
        let is_cut = |path: &Path, other: &Path| path.is_filtered() && !other.is_identity();
        let single = |this: &mut Self, path: &Path, other: &Path| {
            if is_cut(path, other) { this.derive(vec![path.clone()], false) } else { Some(path.clone()) }
        };
        let (mut all, next) = (single(self, path, next)?, single(self, next, path)?);
        if all.steps.len() + next.steps.len() > MOST_STEPS {
            return None;
        }
        all.steps.extend(&next.steps);
        let (first, rest) = next.masks.split_first()?;
        all.masks.last_mut()?.extend(first);
        all.masks.extend(rest.iter().cloned());
        all.and.extend(&next.and);
        all.not.extend(&next.not);
        all.distinct |= next.distinct;
        all.same |= next.same;
        Some(all)
    }

    /// The paths of a transitive closure.
    fn closure(&mut self, of: ExprId, depth: u8) -> Option<Vec<Path>> {
        let (identities, body): (Vec<_>, Vec<_>) = self.below(of, depth)?.into_iter().partition(Path::is_identity);
        let mut paths = identities;
        if !body.is_empty() {
            paths.push(self.derive(body, true)?);
        }
        Some(paths)
    }

    /// A relation that has the pairs of some paths, but for those of the identity.
    fn as_one(&mut self, paths: Vec<Path>) -> Option<Vec<Path>> {
        let (mut rest, body): (Vec<_>, Vec<_>) = paths.into_iter().partition(Path::is_identity);
        rest.push(self.derive(body, false)?);
        Some(rest)
    }

    /// One step along the union of some paths, or along its closure. Most events come after others: relations are kept in the direction in which
    /// that makes them targets.
    fn derive(&mut self, mut paths: Vec<Path>, closed: bool) -> Option<Path> {
        if paths.iter().any(Path::is_identity) || paths.is_empty() {
            return None;
        }
        paths.iter_mut().for_each(|path| path.normalise(self.pool));
        let backwards = 2 * paths.iter().filter(|path| path.begins_backwards()).count() > paths.len();
        if backwards {
            paths = paths.into_iter().map(Path::reversed).collect();
        }
        let number = self.number_of(&paths, closed).or_else(|| {
            let room = !self.enough && self.derived.len() < MOST_DERIVED;
            room.then(|| {
                self.derived.push(Derived { paths, closed });
                self.derived.len() - 1
            })
        })?;
        Some(Path::single(Along::Derived(number), backwards))
    }

    /// The number of a derived relation, if it is one already. The paths are normal.
    pub fn number_of(&self, paths: &[Path], closed: bool) -> Option<usize> {
        let same = |known: &Derived| {
            known.closed == closed
                && known.paths.len() == paths.len()
                && paths.iter().all(|path| known.paths.contains(path))
        };
        self.derived.iter().position(same)
    }

    fn intersection(&mut self, xs: &[ExprId], depth: u8) -> Option<Vec<Path>> {
        let mut paths: Option<Vec<Path>> = None;
        let (mut sources, mut targets) = (Vec::new(), Vec::new());
        let mut rest = xs.to_vec();
        while let Some((i, j, joint)) = self.joint_of(&rest) {
            rest.remove(i.max(j));
            rest[i.min(j)] = joint;
        }
        for &x in &rest {
            match self.pool.node(x) {
                Node::Full => {}
                Node::Product(a, b) => {
                    sources.push(*a);
                    targets.push(*b);
                }
                _ => {
                    let more = self.below(x, depth)?;
                    paths = Some(match paths {
                        None => more,
                        Some(paths) => self.pairwise(&paths, &more, Self::both)?,
                    });
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

    /// Two of some relations of which the intersection is an input, and that input.
    fn joint_of(&self, xs: &[ExprId]) -> Option<(usize, usize, ExprId)> {
        let names: Vec<Option<&str>> = xs.iter().map(|&x| base_name(self.pool, x)).collect();
        let pairs = (0..xs.len()).flat_map(|i| (0..xs.len()).map(move |j| (i, j)));
        let mut joint = pairs.filter_map(|(i, j)| Some((i, j, *self.joint.get(&(names[i]?, names[j]?))?)));
        joint.next()
    }

    /// What two paths have in common. `None`: something that is no path; `Some(None)`: nothing.
    fn both(&mut self, a: &Path, b: &Path) -> Option<Option<Path>> {
        let filtered = |path: &Path, by: &Path| path.filtered(by).map(Some);
        match (a.is_identity(), b.is_identity()) {
            (false, false) => match (a.steps.len(), b.steps.len()) {
                (_, 1) => filtered(a, b),
                (1, _) => filtered(b, a),
                _ => {
                    let step = self.derive(vec![b.clone()], false)?;
                    filtered(a, &step)
                }
            },
            (true, true) => filtered(a, b),
            _ if self.are_apart(a) || self.are_apart(b) => Some(None),
            (true, false) => filtered(b, &Path { same: true, ..a.clone() }),
            (false, true) => filtered(a, &Path { same: true, ..b.clone() }),
        }
    }

    /// A path without the pairs of another one. `None`: something that is no path; `Some(None)`: nothing is left.
    fn difference(&self, mut path: Path, without: &Path) -> Option<Option<Path>> {
        if path.is_identity() || without.is_identity() {
            if self.are_apart(&path) || self.are_apart(without) {
                return Some(Some(path));
            }
            return match (path.is_identity(), without.is_plain() && without.is_identity()) {
                (true, true) => Some(None),
                (false, true) => {
                    path.distinct = true;
                    Some(Some(path))
                }
                _ => None,
            };
        }
        let [step] = without.steps[..] else { return None };
        path.not.push(step);
        without.is_plain().then_some(Some(path))
    }

    /// Whether the first and the last event of a path have different kinds, so that they differ.
    fn are_apart(&self, path: &Path) -> bool {
        let kinds = |step: &Step, source: bool| {
            let Along::Base(relation) = step.along else { return None };
            let [sources, targets] = (self.ends)(base_name(self.pool, relation)?)?;
            Some(if source != step.inverse { sources } else { targets })
        };
        let first = path.steps.first().and_then(|step| kinds(step, true));
        let last = path.steps.last().and_then(|step| kinds(step, false));
        matches!((first, last), (Some(a), Some(b)) if a & b == 0)
    }
}
