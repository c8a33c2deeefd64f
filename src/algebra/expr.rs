//! Hash-consed relation expressions.

use crate::index_types;
use rustc_hash::FxHashMap;

index_types! {
    /// A node of a [`Pool`].
    ExprId;
    /// A base name of a [`Pool`].
    BaseId;
    /// A recursive group (`let rec … and …`) of a [`Pool`].
    FixId;
    /// A variable bound by a recursive group.
    VarId;
}

/// What an expression denotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Sort {
    /// A set of events.
    Set,
    /// A binary relation over events.
    Rel,
}

/// A name that the execution gives a value to (`po`, `rf`, `W`, `Acq`, …).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Base {
    /// As the model spells it.
    pub name: String,
    /// Set or relation.
    pub sort: Sort,
}

/// One relation-algebra operator applied to nodes of the same pool.
///
/// Complement is `Diff(Universe, s)` or `Diff(Full, r)`. `Union` and `Inter` have at least two operands, sorted and without
/// repetition; `Seq` has at least two, in order.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// No event, or no edge.
    Empty(Sort),
    /// Every event.
    Universe,
    /// Every pair of events.
    Full,
    /// The identity on every event.
    Id,
    /// A base set or relation.
    Base(BaseId),
    /// A variable of the recursive group whose body is being read.
    Var(VarId),
    /// The `n`-th component of the solution of a recursive group.
    Fix(FixId, u32),
    /// n-ary union (sets or relations).
    Union(Box<[ExprId]>),
    /// n-ary intersection (sets or relations).
    Inter(Box<[ExprId]>),
    /// Difference (sets or relations).
    Diff(ExprId, ExprId),
    /// Relational composition.
    Seq(Box<[ExprId]>),
    /// Cartesian product of two sets.
    Product(ExprId, ExprId),
    /// The identity on a set: `[S]`.
    IdOn(ExprId),
    /// Converse of a relation.
    Inverse(ExprId),
    /// Transitive closure.
    Plus(ExprId),
    /// Reflexive transitive closure (reflexive on the universe).
    Star(ExprId),
    /// Reflexive closure (reflexive on the universe).
    Opt(ExprId),
    /// Sources of a relation.
    Domain(ExprId),
    /// Targets of a relation.
    Range(ExprId),
    /// Keeps the edges whose two ends carry different values (cat's `different-values`).
    DifferentValues(ExprId),
}

/// A recursive group: `let rec x1 = e1 and … and xn = en`.
///
/// Its meaning is the exact loop of the cat language (all variables start empty; equations are evaluated in order, each
/// seeing the new values of the earlier ones; the loop ends when every new value is included in the old one), which is
/// the least fixpoint when the equations are monotone and is defined by that loop when they are not.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fix {
    /// The variables, one an equation.
    pub vars: Vec<VarId>,
    /// Their right-hand sides, over `Node::Var` of this group (and of enclosing groups).
    pub bodies: Vec<ExprId>,
    /// The `when` test of the group, if any: failing it rejects the execution.
    pub when: Option<(super::Predicate, bool, ExprId)>,
}

/// A hash-consing arena of expressions. Equal expressions have equal ids.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Pool {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    ids: FxHashMap<Node, ExprId>,
    bases: Vec<Base>,
    base_ids: FxHashMap<Base, BaseId>,
    fixes: Vec<Fix>,
    var_sorts: Vec<Sort>,
}

impl Pool {
    /// An empty pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// The node behind an id.
    pub fn node(&self, id: ExprId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Whether an expression is a set or a relation.
    pub fn sort(&self, id: ExprId) -> Sort {
        self.sorts[id.index()]
    }

    /// Number of distinct nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing has been built yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All base names, in order of [`BaseId`].
    pub fn bases(&self) -> &[Base] {
        &self.bases
    }

    /// A recursive group.
    pub fn fix(&self, id: FixId) -> &Fix {
        &self.fixes[id.index()]
    }

    /// Number of recursive groups.
    pub fn fix_count(&self) -> usize {
        self.fixes.len()
    }

    /// The sort of a recursion variable.
    pub fn var_sort(&self, var: VarId) -> Sort {
        self.var_sorts[var.index()]
    }

    /// The operands of a node, in order (a `Fix` node has none here: its bodies belong to the group).
    pub fn operands(&self, id: ExprId) -> Vec<ExprId> {
        match self.node(id) {
            Node::Empty(_) | Node::Universe | Node::Full | Node::Id | Node::Base(_) | Node::Var(_) | Node::Fix(..) => {
                Vec::new()
            }
            Node::Union(xs) | Node::Inter(xs) | Node::Seq(xs) => xs.to_vec(),
            Node::Diff(a, b) | Node::Product(a, b) => vec![*a, *b],
            Node::IdOn(a)
            | Node::Inverse(a)
            | Node::Plus(a)
            | Node::Star(a)
            | Node::Opt(a)
            | Node::Domain(a)
            | Node::Range(a)
            | Node::DifferentValues(a) => vec![*a],
        }
    }

    /// Whether a base name occurs in an expression.
    pub fn mentions(&self, id: ExprId, base: &Base) -> bool {
        let Some(&base) = self.base_ids.get(base) else { return false };
        let mut found = false;
        self.walk(id, |node| found |= matches!(node, Node::Base(b) if *b == base));
        found
    }

    /// Whether an expression mentions no variable of a recursive group that it stands in.
    pub fn is_closed(&self, id: ExprId) -> bool {
        let (mut free, mut bound) = (Vec::new(), Vec::new());
        self.walk(id, |node| match node {
            Node::Var(var) => free.push(*var),
            Node::Fix(fix, _) => bound.extend(&self.fix(*fix).vars),
            _ => {}
        });
        free.iter().all(|var| bound.contains(var))
    }

    /// Every node of an expression once, those of the groups that it mentions included.
    fn walk(&self, id: ExprId, mut see: impl FnMut(&Node)) {
        let mut seen = vec![false; self.len()];
        let mut work = vec![id];
        while let Some(id) = work.pop() {
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            see(self.node(id));
            match self.node(id) {
                Node::Fix(fix, _) => {
                    let fix = self.fix(*fix);
                    work.extend(fix.bodies.iter().copied().chain(fix.when.iter().map(|(_, _, expr)| *expr)));
                }
                _ => work.extend(self.operands(id)),
            }
        }
    }

    fn sort_of(&self, node: &Node) -> Sort {
        match node {
            Node::Empty(sort) => *sort,
            Node::Universe | Node::Domain(_) | Node::Range(_) => Sort::Set,
            Node::Base(base) => self.bases[base.index()].sort,
            Node::Var(var) => self.var_sorts[var.index()],
            Node::Fix(fix, n) => self.var_sort(self.fix(*fix).vars[*n as usize]),
            Node::Union(xs) | Node::Inter(xs) => self.sort(xs[0]),
            Node::Diff(a, _) => self.sort(*a),
            Node::Full
            | Node::Id
            | Node::Seq(_)
            | Node::Product(..)
            | Node::IdOn(_)
            | Node::Inverse(_)
            | Node::Plus(_)
            | Node::Star(_)
            | Node::Opt(_)
            | Node::DifferentValues(_) => Sort::Rel,
        }
    }

    fn intern(&mut self, node: Node) -> ExprId {
        if let Some(&id) = self.ids.get(&node) {
            return id;
        }
        let id = ExprId::at(self.nodes.len());
        self.sorts.push(self.sort_of(&node));
        self.nodes.push(node.clone());
        self.ids.insert(node, id);
        id
    }

    /// The base set or relation called `name`.
    pub fn base(&mut self, name: &str, sort: Sort) -> ExprId {
        let base = Base { name: name.to_owned(), sort };
        let id = match self.base_ids.get(&base) {
            Some(&id) => id,
            None => {
                let id = BaseId::at(self.bases.len());
                self.bases.push(base.clone());
                self.base_ids.insert(base, id);
                id
            }
        };
        self.intern(Node::Base(id))
    }

    /// The empty set or relation.
    pub fn empty(&mut self, sort: Sort) -> ExprId {
        self.intern(Node::Empty(sort))
    }

    /// The set of all events.
    pub fn universe(&mut self) -> ExprId {
        self.intern(Node::Universe)
    }

    /// The full relation.
    pub fn full(&mut self) -> ExprId {
        self.intern(Node::Full)
    }

    /// The identity relation.
    pub fn id(&mut self) -> ExprId {
        self.intern(Node::Id)
    }

    /// Everything of a sort: the universe, or the full relation.
    pub fn top(&mut self, sort: Sort) -> ExprId {
        match sort {
            Sort::Set => self.universe(),
            Sort::Rel => self.full(),
        }
    }

    /// Union of operands of one sort (given, because there may be none).
    pub fn union(&mut self, sort: Sort, operands: impl IntoIterator<Item = ExprId>) -> ExprId {
        let mut flat = Vec::new();
        for x in operands {
            match self.node(x) {
                Node::Empty(_) => {}
                Node::Union(xs) => flat.extend(xs.iter().copied()),
                _ => flat.push(x),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        match flat.len() {
            0 => self.empty(sort),
            1 => flat[0],
            _ => self.intern(Node::Union(flat.into())),
        }
    }

    /// Intersection of operands of one sort (given, because there may be none).
    pub fn inter(&mut self, sort: Sort, operands: impl IntoIterator<Item = ExprId>) -> ExprId {
        let mut flat = Vec::new();
        for x in operands {
            match self.node(x) {
                Node::Empty(_) => return self.empty(sort),
                Node::Universe | Node::Full => {}
                Node::Inter(xs) => flat.extend(xs.iter().copied()),
                _ => flat.push(x),
            }
        }
        flat.sort_unstable();
        flat.dedup();
        match flat.len() {
            0 => self.top(sort),
            1 => flat[0],
            _ => self.intern(Node::Inter(flat.into())),
        }
    }

    /// `a \ b`.
    pub fn diff(&mut self, a: ExprId, b: ExprId) -> ExprId {
        if a == b {
            return self.empty(self.sort(a));
        }
        match (self.node(a), self.node(b)) {
            (Node::Empty(_), _) | (_, Node::Empty(_)) => a,
            (_, Node::Universe | Node::Full) => self.empty(self.sort(a)),
            (_, Node::Inter(removed)) => {
                // `a \ (a & c)` is `a \ c`, which is known to grow wherever `c` is stable, whatever `a` is.
                let mut shared = vec![a];
                if let Node::Inter(own) = self.node(a) {
                    shared.extend(own.iter().copied());
                }
                let rest: Vec<ExprId> = removed.iter().copied().filter(|x| !shared.contains(x)).collect();
                if rest.len() == removed.len() {
                    return self.intern(Node::Diff(a, b));
                }
                let rest = self.inter(self.sort(a), rest);
                self.diff(a, rest)
            }
            _ => self.intern(Node::Diff(a, b)),
        }
    }

    /// `~a`.
    pub fn complement(&mut self, a: ExprId) -> ExprId {
        let top = self.top(self.sort(a));
        self.diff(top, a)
    }

    /// `a ; b ; …` (the identity when there is no operand).
    pub fn seq(&mut self, operands: impl IntoIterator<Item = ExprId>) -> ExprId {
        let mut flat = Vec::new();
        for x in operands {
            match self.node(x) {
                Node::Empty(_) => return self.empty(Sort::Rel),
                Node::Id => {}
                Node::Seq(xs) => flat.extend(xs.iter().copied()),
                _ => flat.push(x),
            }
        }
        match flat.len() {
            0 => self.id(),
            1 => flat[0],
            _ => self.intern(Node::Seq(flat.into())),
        }
    }

    /// The composition of two or more factors as they are: compositions among them stay nodes of their own.
    pub(super) fn nested_seq(&mut self, factors: &[ExprId]) -> ExprId {
        self.intern(Node::Seq(factors.into()))
    }

    /// `a * b`.
    pub fn product(&mut self, a: ExprId, b: ExprId) -> ExprId {
        match (self.node(a), self.node(b)) {
            (Node::Empty(_), _) | (_, Node::Empty(_)) => self.empty(Sort::Rel),
            (Node::Universe, Node::Universe) => self.full(),
            _ => self.intern(Node::Product(a, b)),
        }
    }

    /// `[a]`.
    pub fn id_on(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Empty(_) => self.empty(Sort::Rel),
            Node::Universe => self.id(),
            _ => self.intern(Node::IdOn(a)),
        }
    }

    /// `a^-1`.
    pub fn inverse(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Inverse(inner) => *inner,
            Node::Empty(_) | Node::Id | Node::Full | Node::IdOn(_) => a,
            _ => self.intern(Node::Inverse(a)),
        }
    }

    /// `a+`.
    pub fn plus(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Empty(_) | Node::Id | Node::Full | Node::IdOn(_) | Node::Plus(_) | Node::Star(_) => a,
            Node::Opt(inner) => {
                let inner = *inner;
                self.star(inner)
            }
            _ => self.intern(Node::Plus(a)),
        }
    }

    /// `a*`.
    pub fn star(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Empty(_) | Node::Id | Node::IdOn(_) => self.id(),
            Node::Full | Node::Star(_) => a,
            Node::Plus(inner) | Node::Opt(inner) => {
                let inner = *inner;
                self.star(inner)
            }
            _ => self.intern(Node::Star(a)),
        }
    }

    /// `a?`.
    pub fn opt(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Empty(_) | Node::Id | Node::IdOn(_) => self.id(),
            Node::Full | Node::Star(_) | Node::Opt(_) => a,
            Node::Plus(inner) => {
                let inner = *inner;
                self.star(inner)
            }
            _ => self.intern(Node::Opt(a)),
        }
    }

    /// `domain(a)`.
    pub fn domain(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Empty(_) => self.empty(Sort::Set),
            Node::Id | Node::Full => self.universe(),
            Node::IdOn(inner) => *inner,
            _ => self.intern(Node::Domain(a)),
        }
    }

    /// `range(a)`.
    pub fn range(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Empty(_) => self.empty(Sort::Set),
            Node::Id | Node::Full => self.universe(),
            Node::IdOn(inner) => *inner,
            _ => self.intern(Node::Range(a)),
        }
    }

    /// `different-values(a)`.
    pub fn different_values(&mut self, a: ExprId) -> ExprId {
        match self.node(a) {
            Node::Empty(_) => a,
            _ => self.intern(Node::DifferentValues(a)),
        }
    }

    /// A fresh recursion variable and the expression that mentions it.
    pub fn var(&mut self, sort: Sort) -> (VarId, ExprId) {
        let var = VarId::at(self.var_sorts.len());
        self.var_sorts.push(sort);
        (var, self.intern(Node::Var(var)))
    }

    /// The expression that mentions a recursion variable.
    pub(super) fn mention(&mut self, var: VarId) -> ExprId {
        self.intern(Node::Var(var))
    }

    /// Closes a recursive group; the result is one expression a variable.
    pub fn recursive(&mut self, fix: Fix) -> Vec<ExprId> {
        let id = FixId::at(self.fixes.len());
        let n = fix.vars.len() as u32;
        self.fixes.push(fix);
        (0..n).map(|i| self.intern(Node::Fix(id, i))).collect()
    }
}
