//! Random models.

use hmc::algebra::expr::Fix;
use hmc::algebra::{Check, ExprId, Model, Pool, Predicate, Role, Sort};

/// A small fast generator (xorshift64*), so that a hundred thousand cases take seconds and a seed names a case.
#[derive(Clone)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d);
        rng.next();
        rng
    }

    pub fn next(&mut self) -> u64 {
        self.0 |= u64::from(self.0 == 0);
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 11
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

pub const SETS: [&str; 3] = ["A", "B", "W"];
pub const RELS: [&str; 4] = ["po", "rf", "co", "loc"];

/// What a generated model may contain.
#[derive(Clone, Copy)]
pub struct Palette {
    /// Recursive groups that are not monotone, and `when` tests.
    pub wild: bool,
    /// Nothing but unions of compositions of base relations, restricted and filtered.
    pub paths: bool,
    /// A check of the form in which races are written besides.
    pub races: bool,
    /// Number of operators.
    pub size: usize,
}

struct Builder<'r> {
    pool: Pool,
    rng: &'r mut Rng,
    sets: Vec<ExprId>,
    rels: Vec<ExprId>,
    palette: Palette,
    /// Whether differences and other non-monotone operators are allowed at the moment.
    monotone: bool,
    /// A component of each group that may fail, as long as none stands in another, and whether it has a `when` test.
    fallible: Vec<(ExprId, bool)>,
}

impl Builder<'_> {
    fn set(&mut self) -> ExprId {
        // Recent nodes are likelier, for depth.
        let n = self.sets.len();
        let i = self.rng.below(n).max(self.rng.below(n));
        self.sets[i]
    }

    fn rel(&mut self) -> ExprId {
        let n = self.rels.len();
        let i = self.rng.below(n).max(self.rng.below(n));
        self.rels[i]
    }

    fn grow(&mut self, steps: usize, depth: usize) {
        for _ in 0..steps {
            if self.palette.paths {
                let node = self.path_node();
                self.rels.push(node);
            } else if self.rng.chance(30) {
                let set = self.set_node();
                self.sets.push(set);
            } else if depth < 2 && self.rng.chance(12) {
                self.group(depth);
            } else {
                let rel = self.rel_node();
                self.rels.push(rel);
            }
        }
    }

    fn set_node(&mut self) -> ExprId {
        let (a, b) = (self.set(), self.set());
        let r = self.rel();
        match self.rng.below(8) {
            0 => self.pool.union(Sort::Set, [a, b]),
            1 => self.pool.inter(Sort::Set, [a, b]),
            2 if !self.monotone => self.pool.diff(a, b),
            3 if !self.monotone => self.pool.complement(a),
            4 => self.pool.universe(),
            5 | 6 => self.pool.domain(r),
            _ => self.pool.range(r),
        }
    }

    fn rel_node(&mut self) -> ExprId {
        let (a, b, c) = (self.rel(), self.rel(), self.rel());
        let (s, t) = (self.set(), self.set());
        match self.rng.below(22) {
            0..=2 => self.pool.union(Sort::Rel, [a, b]),
            3 => self.pool.union(Sort::Rel, [a, b, c]),
            4 | 5 => self.pool.inter(Sort::Rel, [a, b]),
            6 | 7 if !self.monotone => self.pool.diff(a, b),
            8..=10 => self.pool.seq([a, b]),
            11 => {
                let (s, t) = (self.pool.id_on(s), self.pool.id_on(t));
                self.pool.seq([s, a, t, b])
            }
            12 => self.pool.product(s, t),
            13 => self.pool.id_on(s),
            14 => self.pool.inverse(a),
            15 | 16 => self.pool.plus(a),
            17 => self.pool.star(a),
            18 => self.pool.opt(a),
            19 => self.pool.different_values(a),
            20 => self.pool.full(),
            _ => match self.rng.below(2) {
                0 if !self.monotone => self.pool.complement(a),
                _ => self.pool.id(),
            },
        }
    }

    /// A node of the kinds of which paths are made, and closures of them. Differences are mostly of base relations.
    fn path_node(&mut self) -> ExprId {
        let (a, b) = (self.rel(), self.rel());
        let base = self.rels[self.rng.below(RELS.len())];
        let mut set = self.sets[self.rng.below(SETS.len())];
        if self.rng.chance(20) {
            let other = self.sets[self.rng.below(SETS.len())];
            set = match self.rng.below(3) {
                0 => self.pool.union(Sort::Set, [set, other]),
                1 => self.pool.inter(Sort::Set, [set, other]),
                _ => self.pool.diff(set, other),
            };
        }
        match self.rng.below(20) {
            16 => self.pool.star(a),
            17 => self.pool.plus(a),
            18 => self.pool.inter(Sort::Rel, [a, b]),
            19 => {
                let ends = self.ends(base, 2);
                let ends = self.pool.id_on(ends);
                self.pool.seq([ends, a])
            }
            0..=3 => self.pool.union(Sort::Rel, [a, b]),
            4..=6 => self.pool.seq([a, b]),
            7 | 8 => {
                let set = self.pool.id_on(set);
                self.pool.seq([a, set, base])
            }
            9 => self.pool.inter(Sort::Rel, [a, base]),
            10 => self.pool.inverse(a),
            11 => self.pool.diff(a, base),
            12 => {
                let id = self.pool.id();
                self.pool.diff(a, id)
            }
            13 => {
                let all = self.pool.universe();
                let product = self.pool.product(set, all);
                self.pool.inter(Sort::Rel, [a, product])
            }
            14 => self.pool.opt(a),
            _ => self.pool.id_on(set),
        }
    }

    /// The events at one end of a base relation, of those of its edges that begin and end in certain sets, which may be of the same kind; or some
    /// events but for those of others that are not at such an end.
    fn ends(&mut self, base: ExprId, depth: usize) -> ExprId {
        let mut of = base;
        if self.rng.chance(60) {
            let [from, to] = [(); 2].map(|()| match self.rng.below(4) {
                0 if depth > 0 => {
                    let other = self.rels[self.rng.below(RELS.len())];
                    self.ends(other, depth - 1)
                }
                0 | 1 => self.sets[self.rng.below(SETS.len())],
                _ => self.pool.universe(),
            });
            let (from, to) = (self.pool.id_on(from), self.pool.id_on(to));
            of = self.pool.seq([from, base, to]);
        }
        let ends = if self.rng.chance(50) { self.pool.domain(of) } else { self.pool.range(of) };
        if self.rng.chance(70) {
            return ends;
        }
        let [set, tag] = [(); 2].map(|()| self.sets[self.rng.below(SETS.len())]);
        let others = self.pool.diff(tag, ends);
        self.pool.diff(set, others)
    }

    /// Edges of a base relation or its converse, restricted by a union of products and by other relations, some of which are taken away: races are written like that.
    fn race(&mut self) -> ExprId {
        let products: Vec<ExprId> = (0..2 + self.rng.below(2))
            .map(|_| {
                let (s, t) = (self.set(), self.set());
                self.pool.product(s, t)
            })
            .collect();
        let either = self.pool.union(Sort::Rel, products);
        let mut edges = self.rels[self.rng.below(RELS.len())];
        if self.rng.chance(30) {
            edges = self.pool.inverse(edges);
        }
        let others: Vec<ExprId> = (0..1 + self.rng.below(2)).map(|_| self.rel()).collect();
        let mut race = self.pool.inter(Sort::Rel, [vec![either, edges], others].concat());
        if self.rng.chance(50) {
            let mut ordered = self.rel();
            if self.rng.chance(50) {
                ordered = self.pool.inverse(ordered);
            }
            race = self.pool.diff(race, ordered);
        }
        race
    }

    fn group(&mut self, depth: usize) {
        let outside = (self.sets.len(), self.rels.len());
        let was = self.monotone;
        self.monotone |= !(self.palette.wild && self.rng.chance(40));
        let n = 1 + self.rng.below(3);
        let mut vars = Vec::new();
        for _ in 0..n {
            let sort = if self.rng.chance(25) { Sort::Set } else { Sort::Rel };
            let (var, x) = self.pool.var(sort);
            vars.push((var, sort));
            match sort {
                Sort::Set => self.sets.push(x),
                Sort::Rel => self.rels.push(x),
            }
        }
        let mut bodies = Vec::new();
        for &(_, sort) in &vars {
            let steps = 1 + self.rng.below(4);
            self.grow(steps, depth + 1);
            let operands = [(); 2].map(|()| if sort == Sort::Set { self.set() } else { self.rel() });
            bodies.push(self.pool.union(sort, operands));
        }
        let when = (self.palette.wild && self.rng.chance(15)).then(|| {
            let predicate = [Predicate::Acyclic, Predicate::Irreflexive, Predicate::Empty][self.rng.below(3)];
            (predicate, self.rng.chance(30), self.rel())
        });
        self.sets.truncate(outside.0);
        self.rels.truncate(outside.1);
        self.monotone = was;
        let tested = when.is_some();
        let components = self.pool.recursive(Fix { vars: vars.iter().map(|v| v.0).collect(), bodies, when });
        if self.palette.wild && depth == 0 && self.pool.fix_count() == self.fallible.len() + 1 {
            self.fallible.push((components[0], tested));
        }
        for (x, (_, sort)) in components.into_iter().zip(vars) {
            match sort {
                Sort::Set => self.sets.push(x),
                Sort::Rel => self.rels.push(x),
            }
        }
    }
}

/// A random model.
pub fn model(rng: &mut Rng, palette: Palette) -> Model {
    let mut pool = Pool::new();
    let sets = SETS.iter().map(|name| pool.base(name, Sort::Set)).collect();
    let rels = RELS.iter().map(|name| pool.base(name, Sort::Rel)).collect();
    let mut builder = Builder { pool, rng, sets, rels, palette, monotone: false, fallible: Vec::new() };
    builder.grow(palette.size, 0);
    let mut checks = Vec::new();
    for _ in 0..1 + builder.rng.below(4) {
        let role = match builder.rng.below(10) {
            0 => Role::Flag,
            1 => Role::Undefined,
            2 => Role::Assert,
            _ => Role::Require,
        };
        let predicate = [Predicate::Acyclic, Predicate::Irreflexive, Predicate::Empty][builder.rng.below(3)];
        let of_set = predicate == Predicate::Empty && builder.rng.chance(20);
        let expr = if of_set { builder.set() } else { builder.rel() };
        let negated = builder.rng.chance(10);
        checks.push(Check { name: None, role, predicate, negated, expr, place: (0, 0..0) });
    }
    for (component, tested) in std::mem::take(&mut builder.fallible) {
        let role = if tested { Role::When } else { Role::Settle };
        let (pool, predicate) = (&mut builder.pool, Predicate::Irreflexive);
        let (rel, id) = match pool.sort(component) {
            Sort::Rel => (component, pool.id()),
            Sort::Set => (pool.product(component, component), pool.id()),
        };
        let expr = pool.diff(rel, id);
        checks.push(Check { name: None, role, predicate, negated: false, expr, place: (0, 0..0) });
    }
    if palette.races {
        let role = if builder.rng.chance(50) { Role::Flag } else { Role::Require };
        let expr = builder.race();
        checks.push(Check { name: None, role, predicate: Predicate::Empty, negated: false, expr, place: (0, 0..0) });
    }
    Model { pool: builder.pool, checks, ..Model::default() }
}
