//! Sets that every execution of a program gives the same value: none of its events, or all of them.
//!
//! The events of a program are of few *kinds*: each kind is a member of the same base sets, whatever happens. A set built of base sets by union,
//! intersection and difference therefore has the events of certain kinds as members, and where these are no kinds, or all, nothing has to be
//! evaluated. `M \ Marked` is empty in a program that has only marked accesses, and `Marked` everything.
//!
//! Not seen: sets of the ends of relations, and what recursion defines.

use super::expr::{Base, ExprId, Node, Pool, Sort};

/// More kinds are not told apart: nothing is said then.
pub const MOST_KINDS: u32 = 64;

/// What is known of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Settled {
    /// Nothing.
    #[default]
    Open,
    /// It is a set without members.
    Empty,
    /// It is the set of all events.
    Everything,
}

/// What is known of each expression of a pool, by number, for programs whose events are of so many kinds; `of` says which of these are members of
/// a base set, one bit each. O(pool).
pub fn settled(pool: &Pool, kinds: u32, of: &dyn Fn(&Base) -> u64) -> Vec<Settled> {
    if kinds == 0 || kinds > MOST_KINDS {
        return vec![Settled::Open; pool.len()];
    }
    let all = u64::MAX >> (MOST_KINDS - kinds);
    let mut members: Vec<Option<u64>> = Vec::with_capacity(pool.len());
    for i in 0..pool.len() {
        let id = ExprId::at(i);
        let at = |x: &ExprId| members[x.index()];
        members.push(match pool.node(id) {
            _ if pool.sort(id) != Sort::Set => None,
            Node::Empty(_) => Some(0),
            Node::Universe => Some(all),
            Node::Base(base) => Some(of(&pool.bases()[base.index()]) & all),
            Node::Union(xs) => xs.iter().try_fold(0, |some, x| Some(some | at(x)?)),
            Node::Inter(xs) => xs.iter().try_fold(all, |some, x| Some(some & at(x)?)),
            Node::Diff(a, b) => at(a).zip(at(b)).map(|(a, b)| a & !b),
            _ => None,
        });
    }
    let known = |members: Option<u64>| match members {
        Some(0) => Settled::Empty,
        Some(members) if members == all => Settled::Everything,
        _ => Settled::Open,
    };
    members.into_iter().map(known).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_kind_or_every_kind_is_in_is_settled() {
        let mut pool = Pool::new();
        let [memory, once, fence] = ["M", "ONCE", "F"].map(|name| pool.base(name, Sort::Set));
        let plain = pool.diff(memory, once);
        let either = pool.union(Sort::Set, [once, fence]);
        let both = pool.inter(Sort::Set, [once, fence]);
        let po = pool.base("po", Sort::Rel);
        let ends = pool.domain(po);
        let mixed = pool.union(Sort::Set, [ends, either]);
        // Marked reads and writes, and fences.
        let of = |base: &Base| match base.name.as_str() {
            "M" | "ONCE" => 0b011,
            "F" => 0b100,
            _ => 0,
        };
        let found = settled(&pool, 3, &of);
        let of = |id: ExprId| found[id.index()];
        assert_eq!([memory, once, fence, po, ends, mixed].map(of), [Settled::Open; 6]);
        assert_eq!([plain, both].map(of), [Settled::Empty; 2]);
        assert_eq!(of(either), Settled::Everything);
    }

    #[test]
    fn nothing_is_said_of_too_many_kinds_or_none() {
        let mut pool = Pool::new();
        let set = pool.base("W", Sort::Set);
        let none = pool.diff(set, set);
        for kinds in [0, MOST_KINDS + 1] {
            assert_eq!(settled(&pool, kinds, &|_| 0), vec![Settled::Open; pool.len()]);
        }
        assert_eq!(settled(&pool, MOST_KINDS, &|_| u64::MAX)[set.index()], Settled::Everything);
        assert_eq!(settled(&pool, 1, &|_| 1)[none.index()], Settled::Empty);
    }
}
