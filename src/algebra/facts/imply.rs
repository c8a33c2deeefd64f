//! What the checks of a model say of a relation that nothing else says of it: that it lies within an order.
//!
//! A model may order what is read and what reads it by forbidding everything else: in C11 an access that is not atomic reads a *visible* write,
//! `empty (rf ; [R \ A]) \ visible`, and what is visible happens before. So `rf ; [R \ A]` lies within happens-before in every execution that the model
//! accepts, though no few events show it. In general, where `empty e \ f` is a check, `e ⊆ f` in each execution that meets it; and where `f` is made
//! of an order by operators that only leave out or compose, `f` lies within the transitive closure of the order.
//!
//! Inclusion is looked for, not proved: what is not found may hold all the same.

use crate::algebra::expr::{ExprId, Node, Pool};
use crate::algebra::model::Predicate;
use crate::algebra::simplify::Condition;

/// What a check says of a relation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Included {
    /// The relation. It only gains pairs as an execution grows.
    pub part: ExprId,
    /// What it lies within.
    pub nodes: Vec<ExprId>,
    /// The numbers of checks that say of an order that it has no cycles, in the closure of which it lies.
    pub orders: Vec<usize>,
}

/// The relations of which these conditions say that they lie within another one, in every complete execution that meets them.
pub fn inclusions(pool: &Pool, required: &[Condition]) -> Vec<(ExprId, ExprId)> {
    let forbids_others = required.iter().filter(|on| on.predicate == Predicate::Empty);
    let pairs = forbids_others.filter_map(|on| match *pool.node(on.expr) {
        Node::Diff(part, whole) => Some((part, whole)),
        _ => None,
    });
    pairs.collect()
}

/// What a relation certainly lies within, itself among it: what it is made of by leaving out pairs.
pub fn wholes(pool: &Pool, relation: ExprId) -> Vec<ExprId> {
    let mut all = vec![relation];
    let mut at = 0;
    while let Some(&id) = all.get(at) {
        at += 1;
        let more: Vec<ExprId> = match pool.node(id) {
            Node::Diff(a, _) => vec![*a],
            Node::Inter(xs) => xs.to_vec(),
            Node::Seq(xs) => {
                let mut others = xs.iter().filter(|&&x| !matches!(pool.node(x), Node::Id | Node::IdOn(_)));
                match (others.next(), others.next()) {
                    (Some(&only), None) => vec![only],
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        };
        all.extend(more.into_iter().filter(|x| !all.contains(x)).collect::<Vec<_>>());
    }
    all
}

/// Whether a relation lies within the transitive closure of an order.
pub fn is_within_order(pool: &Pool, relation: ExprId, order: ExprId) -> bool {
    inside(pool, order, relation)[relation.index()] == Place::Inside
}

/// Where the pairs of a relation lie.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Within the closure of the order.
    Inside,
    /// There, or they relate an event to itself.
    InsideOrSame,
    Anywhere,
}

/// Where each node up to `last` lies. Operands have smaller numbers than what they are operands of.
fn inside(pool: &Pool, order: ExprId, last: ExprId) -> Vec<Place> {
    let parts = parts(pool, order);
    let mut known: Vec<Place> = Vec::with_capacity(last.index() + 1);
    for id in (0..=last.index()).map(ExprId::at) {
        let get = |x: &ExprId| known[x.index()];
        let value = match pool.node(id) {
            _ if parts.contains(&id) => Place::Inside,
            Node::Id | Node::IdOn(_) => Place::InsideOrSame,
            Node::Diff(a, _) => get(a),
            Node::Plus(a) => get(a),
            Node::Opt(a) | Node::Star(a) if get(a) != Place::Anywhere => Place::InsideOrSame,
            Node::Inter(xs) => match xs.iter().map(get).find(|&place| place == Place::Inside) {
                Some(place) => place,
                None if xs.iter().any(|x| get(x) == Place::InsideOrSame) => Place::InsideOrSame,
                None => Place::Anywhere,
            },
            Node::Union(xs) if xs.iter().all(|x| get(x) == Place::Inside) => Place::Inside,
            Node::Union(xs) if xs.iter().all(|x| get(x) != Place::Anywhere) => Place::InsideOrSame,
            Node::Seq(xs) if xs.iter().all(|x| get(x) != Place::Anywhere) => {
                if xs.iter().any(|x| get(x) == Place::Inside) { Place::Inside } else { Place::InsideOrSame }
            }
            _ => Place::Anywhere,
        };
        known.push(value);
    }
    known
}

/// The relations that an order is made of by union and closure, itself among them.
fn parts(pool: &Pool, order: ExprId) -> Vec<ExprId> {
    let mut all = vec![order];
    let mut at = 0;
    while let Some(&id) = all.get(at) {
        at += 1;
        let more = match pool.node(id) {
            Node::Union(xs) => &xs[..],
            Node::Plus(a) => std::slice::from_ref(a),
            _ => &[],
        };
        all.extend(more.iter().filter(|x| !all.contains(x)).copied().collect::<Vec<_>>());
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::algebra::expr::Sort;
    use crate::algebra::facts::imply::*;

    /// What `empty (rf ; [S]) \ whole` says of an order, `whole` being made of the order's own expression.
    fn is_found(
        make: impl FnOnce(&mut Pool, ExprId) -> ExprId,
        of_order: impl FnOnce(&mut Pool, ExprId) -> ExprId,
    ) -> bool {
        let mut pool = Pool::new();
        let [rf, po, sw] = ["rf", "po", "sw"].map(|name| pool.base(name, Sort::Rel));
        let set = pool.base("S", Sort::Set);
        let on_set = pool.id_on(set);
        let part = pool.seq([rf, on_set]);
        let hb = pool.union(Sort::Rel, [po, sw]);
        let order = of_order(&mut pool, hb);
        let whole = make(&mut pool, hb);
        let expr = pool.diff(part, whole);
        let required = [Condition { predicate: Predicate::Empty, expr }];
        inclusions(&pool, &required) == [(part, whole)] && is_within_order(&pool, whole, order)
    }

    fn itself(_: &mut Pool, x: ExprId) -> ExprId {
        x
    }

    #[test]
    fn what_leaves_out_of_an_order_lies_within_it() {
        assert!(is_found(itself, itself));
        assert!(is_found(
            |pool, hb| {
                let loc = pool.base("loc", Sort::Rel);
                let on_loc = pool.inter(Sort::Rel, [hb, loc]);
                let writes = pool.base("W", Sort::Set);
                let on_writes = pool.id_on(writes);
                let through = pool.seq([on_loc, on_writes, on_loc]);
                let begins = pool.seq([on_writes, on_loc]);
                pool.diff(begins, through)
            },
            itself,
        ));
        assert!(is_found(|pool, hb| pool.plus(hb), itself));
        assert!(is_found(itself, |pool, hb| pool.plus(hb)));
        assert!(is_found(itself, |pool, hb| {
            let more = pool.base("co", Sort::Rel);
            pool.union(Sort::Rel, [hb, more])
        }));
    }

    #[test]
    fn a_relation_lies_within_what_it_leaves_pairs_out_of() {
        let mut pool = Pool::new();
        let [hb, loc, co] = ["hb", "loc", "co"].map(|name| pool.base(name, Sort::Rel));
        let on_loc = pool.inter(Sort::Rel, [hb, loc]);
        let writes = pool.base("W", Sort::Set);
        let on_writes = pool.id_on(writes);
        let begins = pool.seq([on_writes, on_loc]);
        let through = pool.seq([on_loc, on_loc]);
        let visible = pool.diff(begins, through);
        let found = wholes(&pool, visible);
        assert!([visible, begins, on_loc, hb, loc].iter().all(|x| found.contains(x)));
        assert!(!found.contains(&through));
        let either = pool.union(Sort::Rel, [hb, co]);
        assert_eq!(wholes(&pool, either), [either]);
        assert_eq!(wholes(&pool, through), [through]);
    }

    #[test]
    fn what_may_relate_others_does_not() {
        assert!(!is_found(|pool, hb| pool.opt(hb), itself));
        assert!(!is_found(|pool, hb| pool.inverse(hb), itself));
        assert!(!is_found(
            |pool, hb| {
                let co = pool.base("co", Sort::Rel);
                pool.union(Sort::Rel, [hb, co])
            },
            itself,
        ));
        assert!(!is_found(
            |pool, hb| {
                let co = pool.base("co", Sort::Rel);
                pool.seq([hb, co])
            },
            itself,
        ));
        assert!(!is_found(itself, |pool, hb| {
            let co = pool.base("co", Sort::Rel);
            pool.inter(Sort::Rel, [hb, co])
        }));
    }
}
