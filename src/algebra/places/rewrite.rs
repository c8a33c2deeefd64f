//! What becomes of the expressions of a model where accesses are made of parts.

use super::{NAMES, PARTS, PARTS_IN_MEMORY};
use crate::algebra::expr::{ExprId, Fix, FixId, Node, Pool, Sort, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Base relations whose ends are of one location.
const OF_A_PLACE: [&str; 6] = ["rf", "rf-lock", "co", "loc", "amo", "lxsx"];

/// What becomes of expressions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// What is about accesses relates all their parts alike.
    Linked,
    /// The model names parts: it is taken as it stands.
    AsWritten,
    /// Parts are taken for accesses.
    Unlinked,
}

pub(super) struct Rewriter<'m> {
    old: &'m Pool,
    /// What was made so far.
    pub new: Pool,
    reading: Reading,
    /// Which expressions are about a place.
    about: FxHashMap<ExprId, bool>,
    /// The same of expressions that mention variables, as long as nothing else is found out about these.
    about_open: FxHashMap<ExprId, bool>,
    about_vars: FxHashMap<VarId, bool>,
    vars: FxHashMap<VarId, ExprId>,
    fixes: FxHashMap<FixId, Vec<ExprId>>,
    /// Expressions over parts.
    places: FxHashMap<ExprId, ExprId>,
    /// Expressions about accesses: what relates a part relates all others of its access alike.
    accesses: FxHashMap<ExprId, ExprId>,
}

impl<'m> Rewriter<'m> {
    pub fn new(old: &'m Pool, new: Pool, reading: Reading) -> Rewriter<'m> {
        Rewriter {
            old,
            new,
            reading,
            about: FxHashMap::default(),
            about_open: FxHashMap::default(),
            about_vars: FxHashMap::default(),
            vars: FxHashMap::default(),
            fixes: FxHashMap::default(),
            places: FxHashMap::default(),
            accesses: FxHashMap::default(),
        }
    }

    /// Whether an expression has at least the edges that it would have if parts were not related: where nothing is taken away that parts add to.
    pub fn grows_by_parts(&mut self, id: ExprId) -> bool {
        let old = self.old;
        let (mut seen, mut work) = (FxHashSet::default(), vec![id]);
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            match old.node(id) {
                Node::Diff(a, b) => {
                    let is_identity = matches!(old.node(*b), Node::Id) && self.is_about_place(*a);
                    if !is_identity && self.may_grow(*b) {
                        return false;
                    }
                }
                Node::Fix(fix, _) => {
                    let fix = old.fix(*fix);
                    if fix.when.is_some() {
                        return false;
                    }
                    work.extend(&fix.bodies);
                }
                _ => {}
            }
            work.extend(old.operands(id));
        }
        true
    }

    /// Whether parts may add to an expression.
    fn may_grow(&self, id: ExprId) -> bool {
        let old = self.old;
        match old.node(id) {
            Node::Base(base) => {
                let name = &*old.bases()[base.index()].name;
                NAMES.contains(&name) || self.reading == Reading::Linked && OF_A_PLACE.contains(&name)
            }
            Node::Id | Node::Star(_) | Node::Opt(_) | Node::IdOn(_) => self.reading == Reading::Linked,
            Node::Var(_) | Node::Fix(..) => true,
            _ => old.operands(id).into_iter().any(|x| self.may_grow(x)),
        }
    }

    /// The operand of a check.
    pub fn whole(&mut self, id: ExprId) -> ExprId {
        if self.is_about_place(id) { self.place(id) } else { self.access(id) }
    }

    fn is_about_place(&mut self, id: ExprId) -> bool {
        if self.reading != Reading::Linked {
            return true;
        }
        if let Some(&known) = self.about.get(&id).or_else(|| self.about_open.get(&id)) {
            return known;
        }
        let old = self.old;
        let is = match old.node(id) {
            Node::Empty(_) | Node::Id | Node::IdOn(_) => true,
            Node::Base(base) => OF_A_PLACE.contains(&&*old.bases()[base.index()].name),
            // Changes while a group is looked at.
            Node::Var(var) => return self.about_vars.get(var).copied().unwrap_or(false),
            Node::Fix(fix, n) => {
                self.look_at_group(*fix);
                let var = old.fix(*fix).vars[*n as usize];
                self.about_vars.get(&var).copied().unwrap_or(false)
            }
            Node::Union(all) | Node::Seq(all) => all.iter().all(|&x| self.is_about_place(x)),
            Node::Inter(all) => all.iter().any(|&x| self.is_about_place(x)),
            Node::Diff(a, _)
            | Node::Inverse(a)
            | Node::Plus(a)
            | Node::Star(a)
            | Node::Opt(a)
            | Node::DifferentValues(a) => self.is_about_place(*a),
            Node::Universe | Node::Full | Node::Product(..) | Node::Domain(_) | Node::Range(_) => false,
        };
        let is = is && old.sort(id) == Sort::Rel;
        let known = if old.is_closed(id) { &mut self.about } else { &mut self.about_open };
        known.insert(id, is);
        is
    }

    /// Finds which variables of a recursive group are about a place: all, but for those whose equations are not.
    fn look_at_group(&mut self, id: FixId) {
        let fix = self.old.fix(id);
        if self.about_vars.contains_key(&fix.vars[0]) {
            return;
        }
        let old = self.old;
        self.about_vars.extend(fix.vars.iter().map(|&var| (var, old.var_sort(var) == Sort::Rel)));
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for (var, body) in fix.vars.iter().zip(&fix.bodies) {
                if self.about_vars[var] && !self.is_about_place(*body) {
                    self.about_vars.insert(*var, false);
                    self.about_open.clear();
                    changed = true;
                }
            }
        }
    }

    /// A recursive group over parts: each variable is about a place, or about accesses.
    fn group(&mut self, id: FixId) -> Vec<ExprId> {
        if let Some(known) = self.fixes.get(&id) {
            return known.clone();
        }
        if self.reading == Reading::Linked {
            self.look_at_group(id);
        }
        let fix = self.old.fix(id).clone();
        let mut vars = Vec::new();
        for &var in &fix.vars {
            let (new, mention) = self.new.var(self.old.var_sort(var));
            self.vars.insert(var, mention);
            vars.push(new);
        }
        let bodies = fix.vars.iter().zip(&fix.bodies).map(|(var, &body)| {
            let is_about_place = self.reading != Reading::Linked || self.about_vars[var];
            if is_about_place { self.place(body) } else { self.access(body) }
        });
        let bodies: Vec<ExprId> = bodies.collect();
        let when = fix.when.map(|(predicate, negated, expr)| (predicate, negated, self.whole(expr)));
        let results = self.new.recursive(Fix { vars, bodies, when });
        self.fixes.insert(id, results.clone());
        results
    }

    /// The value of a variable, or of a component of a group, as its equation is read.
    fn leaf(&mut self, id: ExprId) -> Option<ExprId> {
        let old = self.old;
        Some(match old.node(id) {
            Node::Empty(sort) => self.new.empty(*sort),
            Node::Universe => self.new.universe(),
            Node::Full => self.new.full(),
            Node::Id => self.new.id(),
            Node::Base(base) => {
                let base = &old.bases()[base.index()];
                match NAMES.contains(&&*base.name) {
                    true if self.reading == Reading::Unlinked => {
                        let accesses = self.new.base("M", Sort::Set);
                        self.new.id_on(accesses)
                    }
                    true => self.new.base(PARTS_IN_MEMORY, Sort::Rel),
                    false => self.new.base(&base.name, base.sort),
                }
            }
            Node::Var(var) => self.vars[var],
            Node::Fix(fix, n) => self.group(*fix)[*n as usize],
            _ => return None,
        })
    }

    /// What an operand of an expression about a place is inside it.
    fn inside(&mut self, id: ExprId) -> ExprId {
        if self.is_about_place(id) { self.place(id) } else { self.access(id) }
    }

    /// An expression over parts.
    fn place(&mut self, id: ExprId) -> ExprId {
        if let Some(&known) = self.places.get(&id) {
            return known;
        }
        let old = self.old;
        let new = match old.node(id) {
            Node::Union(all) => {
                let all: Vec<ExprId> = all.iter().map(|&x| self.inside(x)).collect();
                self.new.union(old.sort(id), all)
            }
            Node::Inter(all) => {
                let all: Vec<ExprId> = all.iter().map(|&x| self.inside(x)).collect();
                self.new.inter(old.sort(id), all)
            }
            Node::Seq(all) => {
                let all: Vec<ExprId> = all.iter().map(|&x| self.inside(x)).collect();
                self.new.seq(all)
            }
            Node::Diff(a, b) => {
                let (a, b) = (self.inside(*a), self.inside(*b));
                self.new.diff(a, b)
            }
            Node::Product(a, b) => {
                let (a, b) = (self.inside(*a), self.inside(*b));
                self.new.product(a, b)
            }
            Node::IdOn(a) => {
                let a = self.inside(*a);
                self.new.id_on(a)
            }
            Node::Inverse(a) => {
                let a = self.inside(*a);
                self.new.inverse(a)
            }
            Node::Plus(a) => {
                let a = self.inside(*a);
                self.new.plus(a)
            }
            Node::Star(a) => {
                let a = self.inside(*a);
                self.new.star(a)
            }
            Node::Opt(a) => {
                let a = self.inside(*a);
                self.new.opt(a)
            }
            Node::Domain(a) => {
                let a = self.inside(*a);
                self.new.domain(a)
            }
            Node::Range(a) => {
                let a = self.inside(*a);
                self.new.range(a)
            }
            Node::DifferentValues(a) => {
                let a = self.inside(*a);
                self.new.different_values(a)
            }
            _ => self.leaf(id).unwrap_or_else(|| self.new.empty(old.sort(id))),
        };
        self.places.insert(id, new);
        new
    }

    /// `si`, and the identity of what is no access.
    fn same(&mut self) -> ExprId {
        let parts = self.new.base(PARTS, Sort::Rel);
        self.new.opt(parts)
    }

    /// What something about a place says of accesses.
    fn lifted(&mut self, place: ExprId) -> ExprId {
        let same = self.same();
        self.new.seq([same, place, same])
    }

    /// An expression about accesses.
    fn access(&mut self, id: ExprId) -> ExprId {
        if let Some(&known) = self.accesses.get(&id) {
            return known;
        }
        let old = self.old;
        let new = if self.is_about_place(id) {
            match old.node(id) {
                Node::Empty(_) => self.place(id),
                Node::Id => self.same(),
                _ => {
                    let place = self.place(id);
                    self.lifted(place)
                }
            }
        } else {
            self.access_of(id)
        };
        self.accesses.insert(id, new);
        new
    }

    fn access_of(&mut self, id: ExprId) -> ExprId {
        let old = self.old;
        match old.node(id) {
            Node::Union(all) if old.sort(id) == Sort::Rel => {
                let (places, others): (Vec<ExprId>, Vec<ExprId>) = all.iter().partition(|&&x| self.is_about_place(x));
                let mut all: Vec<ExprId> = others.into_iter().map(|x| self.access(x)).collect();
                let places: Vec<ExprId> = places.into_iter().map(|x| self.place(x)).collect();
                if !places.is_empty() {
                    let places = self.new.union(Sort::Rel, places);
                    let lifted = self.lifted(places);
                    all.push(lifted);
                }
                self.new.union(Sort::Rel, all)
            }
            Node::Union(all) => {
                let all: Vec<ExprId> = all.iter().map(|&x| self.access(x)).collect();
                self.new.union(Sort::Set, all)
            }
            Node::Inter(all) => {
                let all: Vec<ExprId> = all.iter().map(|&x| self.access(x)).collect();
                self.new.inter(old.sort(id), all)
            }
            Node::Seq(all) => self.chain(all),
            Node::Diff(a, b) => {
                let (a, b) = (self.access(*a), self.access(*b));
                self.new.diff(a, b)
            }
            Node::Product(a, b) => {
                let (a, b) = (self.access(*a), self.access(*b));
                self.new.product(a, b)
            }
            Node::Inverse(a) => {
                let a = self.access(*a);
                self.new.inverse(a)
            }
            Node::Plus(a) => {
                let a = self.access(*a);
                self.new.plus(a)
            }
            Node::Star(a) => {
                let (a, same) = (self.access(*a), self.same());
                let closure = self.new.plus(a);
                self.new.union(Sort::Rel, [closure, same])
            }
            Node::Opt(a) => {
                let (a, same) = (self.access(*a), self.same());
                self.new.union(Sort::Rel, [a, same])
            }
            Node::Domain(a) => {
                let a = self.access(*a);
                self.new.domain(a)
            }
            Node::Range(a) => {
                let a = self.access(*a);
                self.new.range(a)
            }
            Node::DifferentValues(a) => {
                let a = self.access(*a);
                self.new.different_values(a)
            }
            _ => self.leaf(id).unwrap_or_else(|| self.new.empty(old.sort(id))),
        }
    }

    /// A composition: the longest runs of factors that are about a place are lifted together. What only says which events, beside what is
    /// about accesses already, stays as it is.
    fn chain(&mut self, factors: &[ExprId]) -> ExprId {
        let mut all = Vec::new();
        let mut from = 0;
        while from < factors.len() {
            let to = factors[from..].iter().position(|&x| !self.is_about_place(x)).map_or(factors.len(), |n| from + n);
            if to == from {
                let other = self.access(factors[from]);
                all.push(other);
                from += 1;
                continue;
            }
            let run = &factors[from..to];
            let only_says_which = run.iter().all(|&x| matches!(self.old.node(x), Node::IdOn(_)));
            let places: Vec<ExprId> = run.iter().map(|&x| self.place(x)).collect();
            let run = self.new.seq(places);
            all.push(if only_says_which { run } else { self.lifted(run) });
            from = to;
        }
        self.new.seq(all)
    }
}
