//! Sets and relations that every execution of a program gives the same value: none of its events or pairs, or all of them.
//!
//! The events of a program are of few *kinds*: each kind is a member of the same base sets, whatever happens. A set built of base sets by union,
//! intersection and difference therefore has the events of certain kinds as members, and where these are no kinds, or all, nothing has to be
//! evaluated. `M \ Marked` is empty in a program that has only marked accesses, and `Marked` everything.
//!
//! Of a relation it is known between which kinds of events it *may* lead, and which kinds it relates *all* events of (a product of sets does). Where
//! it leads between none, it is empty: no race is left of `conflict \ (A * A)` in a program of which all accesses are atomic.
//!
//! Not seen: which kinds a base relation relates, what recursion defines, and relations of more than 16 kinds of events.

use crate::algebra::expr::{Base, ExprId, Node, Pool, Sort};

/// More kinds are not told apart: nothing is said then.
pub const MOST_KINDS: u32 = 64;

/// Of more kinds nothing is said of relations.
const MOST_RELATED: usize = 16;

/// What is known of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Settled {
    /// Nothing.
    #[default]
    Open,
    /// It is a set without members, or a relation without pairs.
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
    let mut sets: Vec<Bounds<u64>> = Vec::with_capacity(pool.len());
    let mut relations = if kinds as usize > MOST_RELATED { None } else { Some(Vec::with_capacity(pool.len())) };
    for i in 0..pool.len() {
        let id = ExprId::at(i);
        sets.push(match pool.sort(id) {
            Sort::Set => of_set(pool, id, all, &sets, relations.as_deref(), of),
            _ => NO_EVENTS,
        });
        if let Some(relations) = &mut relations {
            let relation = match pool.sort(id) {
                Sort::Rel => of_relation(pool, id, all, &sets, relations),
                _ => NO_PAIRS,
            };
            relations.push(relation);
        }
    }
    let known = |i: usize| match pool.sort(ExprId::at(i)) {
        Sort::Set if sets[i].may == 0 => Settled::Empty,
        Sort::Set if sets[i].must == all => Settled::Everything,
        Sort::Rel if relations.as_ref().is_some_and(|relations| relations[i].may == NO_PAIRS.may) => Settled::Empty,
        _ => Settled::Open,
    };
    (0..pool.len()).map(known).collect()
}

/// What is certain to have at least some members, and at most others.
#[derive(Clone, Copy)]
struct Bounds<T> {
    /// What may be in it.
    may: T,
    /// What is in it, all of it.
    must: T,
}

/// Pairs of kinds: for each the other ends, one bit each.
type Pairs = [u16; MOST_RELATED];

const NO_EVENTS: Bounds<u64> = Bounds { may: 0, must: 0 };
const NO_PAIRS: Bounds<Pairs> = Bounds { may: [0; MOST_RELATED], must: [0; MOST_RELATED] };

impl<T: Copy> Bounds<T> {
    fn exactly(members: T) -> Self {
        Bounds { may: members, must: members }
    }
}

fn of_set(
    pool: &Pool,
    id: ExprId,
    all: u64,
    sets: &[Bounds<u64>],
    relations: Option<&[Bounds<Pairs>]>,
    of: &dyn Fn(&Base) -> u64,
) -> Bounds<u64> {
    let at = |x: &ExprId| sets[x.index()];
    let nothing = Bounds { may: all, must: 0 };
    match pool.node(id) {
        Node::Empty(_) => NO_EVENTS,
        Node::Universe => Bounds::exactly(all),
        Node::Base(base) => Bounds::exactly(of(&pool.bases()[base.index()]) & all),
        Node::Union(xs) => {
            xs.iter().map(at).fold(NO_EVENTS, |a, b| Bounds { may: a.may | b.may, must: a.must | b.must })
        }
        Node::Inter(xs) => {
            xs.iter().map(at).fold(Bounds::exactly(all), |a, b| Bounds { may: a.may & b.may, must: a.must & b.must })
        }
        Node::Diff(a, b) => Bounds { may: at(a).may & !at(b).must, must: at(a).must & !at(b).may },
        Node::Domain(r) => relations.map_or(nothing, |all| Bounds { may: sources(&all[r.index()].may), must: 0 }),
        Node::Range(r) => relations.map_or(nothing, |all| Bounds { may: targets(&all[r.index()].may), must: 0 }),
        _ => nothing,
    }
}

fn of_relation(pool: &Pool, id: ExprId, all: u64, sets: &[Bounds<u64>], relations: &[Bounds<Pairs>]) -> Bounds<Pairs> {
    let at = |x: &ExprId| relations[x.index()];
    let every = product(all, all);
    let may = |may: Pairs| Bounds { may, must: NO_PAIRS.must };
    match pool.node(id) {
        Node::Empty(_) => NO_PAIRS,
        Node::Full => Bounds::exactly(every),
        Node::Id => may(identity(all)),
        Node::IdOn(set) => may(identity(sets[set.index()].may)),
        Node::Product(a, b) => {
            let (a, b) = (sets[a.index()], sets[b.index()]);
            Bounds { may: product(a.may, b.may), must: product(a.must, b.must) }
        }
        Node::Union(xs) => {
            let or = |a: Bounds<Pairs>, b: Bounds<Pairs>| both(a, b, |a, b| a | b);
            xs.iter().map(at).fold(NO_PAIRS, or)
        }
        Node::Inter(xs) => {
            let and = |a: Bounds<Pairs>, b: Bounds<Pairs>| both(a, b, |a, b| a & b);
            xs.iter().map(at).fold(Bounds::exactly(every), and)
        }
        Node::Diff(a, b) => {
            let (a, b) = (at(a), at(b));
            Bounds { may: zip(a.may, b.must, |a, b| a & !b), must: zip(a.must, b.may, |a, b| a & !b) }
        }
        Node::Seq(xs) => may(xs.iter().map(|x| at(x).may).reduce(|a, b| composed(&a, &b)).unwrap_or(every)),
        Node::Inverse(r) => Bounds { may: inverse(&at(r).may), must: inverse(&at(r).must) },
        Node::Plus(r) => Bounds { may: closed(at(r).may), must: at(r).must },
        Node::Star(r) => Bounds { may: zip(closed(at(r).may), identity(all), |a, b| a | b), must: at(r).must },
        Node::Opt(r) => Bounds { may: zip(at(r).may, identity(all), |a, b| a | b), must: at(r).must },
        Node::DifferentValues(r) => may(at(r).may),
        _ => may(every),
    }
}

fn zip(a: Pairs, b: Pairs, op: impl Fn(u16, u16) -> u16) -> Pairs {
    std::array::from_fn(|k| op(a[k], b[k]))
}

fn both(a: Bounds<Pairs>, b: Bounds<Pairs>, op: impl Fn(u16, u16) -> u16) -> Bounds<Pairs> {
    Bounds { may: zip(a.may, b.may, &op), must: zip(a.must, b.must, &op) }
}

fn product(sources: u64, targets: u64) -> Pairs {
    std::array::from_fn(|k| if sources >> k & 1 == 1 { targets as u16 } else { 0 })
}

fn identity(set: u64) -> Pairs {
    std::array::from_fn(|k| (set & 1 << k) as u16)
}

fn sources(pairs: &Pairs) -> u64 {
    (0..MOST_RELATED).filter(|&k| pairs[k] != 0).fold(0, |all, k| all | 1 << k)
}

fn targets(pairs: &Pairs) -> u64 {
    pairs.iter().fold(0, |all, &targets| all | u64::from(targets))
}

/// The kinds of a row of pairs.
fn ones(mut row: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let k = row.trailing_zeros() as usize;
        row &= row.wrapping_sub(1);
        (k < MOST_RELATED).then_some(k)
    })
}

fn composed(a: &Pairs, b: &Pairs) -> Pairs {
    a.map(|middle| ones(middle).fold(0, |all, k| all | b[k]))
}

fn inverse(pairs: &Pairs) -> Pairs {
    let mut turned = NO_PAIRS.may;
    for (source, &targets) in pairs.iter().enumerate() {
        ones(targets).for_each(|target| turned[target] |= 1 << source);
    }
    turned
}

fn closed(mut pairs: Pairs) -> Pairs {
    for middle in ones(targets(&pairs) as u16) {
        for source in 0..MOST_RELATED {
            if pairs[source] >> middle & 1 == 1 {
                pairs[source] |= pairs[middle];
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use crate::algebra::facts::settled::*;

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
        assert_eq!([memory, once, fence, po, ends].map(of), [Settled::Open; 5]);
        assert_eq!([plain, both].map(of), [Settled::Empty; 2]);
        assert_eq!([either, mixed].map(of), [Settled::Everything; 2]);
    }

    #[test]
    fn relations_between_no_kinds_are_empty() {
        let mut pool = Pool::new();
        let [memory, write, initial, atomic] = ["M", "W", "IW", "A"].map(|name| pool.base(name, Sort::Set));
        let [loc, po] = ["loc", "po"].map(|name| pool.base(name, Sort::Rel));
        let sides = [pool.product(write, memory), pool.product(memory, write)];
        let sides = pool.union(Sort::Rel, sides);
        let conflict = pool.inter(Sort::Rel, [sides, loc]);
        let universe = pool.universe();
        let first = [pool.product(initial, universe), pool.product(universe, initial)];
        let first = pool.union(Sort::Rel, first);
        let later = pool.diff(conflict, first);
        let atomics = pool.product(atomic, atomic);
        let race = pool.diff(later, atomics);
        let back = pool.inverse(race);
        let racing = pool.domain(back);
        let plain = pool.diff(memory, atomic);
        let plain = pool.id_on(plain);
        let far = pool.seq([plain, po]);
        let far = pool.plus(far);
        // Initial writes, reads, writes, fences.
        let of = |plain: u64| {
            move |base: &Base| match base.name.as_str() {
                "M" => 0b0111,
                "W" => 0b0101,
                "IW" => 0b0001,
                "A" => 0b0110 & !plain,
                _ => 0,
            }
        };
        let all_atomic = settled(&pool, 4, &of(0));
        let found = |of: &[Settled], ids: &[ExprId]| ids.iter().map(|id| of[id.index()]).collect::<Vec<_>>();
        assert_eq!(found(&all_atomic, &[race, back, racing]), [Settled::Empty; 3]);
        // Plain initial writes come before something.
        assert_eq!(found(&all_atomic, &[conflict, later, atomics, plain, far]), [Settled::Open; 5]);
        let a_plain_read = settled(&pool, 4, &of(0b0010));
        assert_eq!(found(&a_plain_read, &[race, back, racing]), [Settled::Open; 3]);
    }

    #[test]
    fn closures_and_ends_of_relations_are_of_the_kinds_that_they_come_to() {
        let mut pool = Pool::new();
        let [read, write, fence] = ["R", "W", "F"].map(|name| pool.base(name, Sort::Set));
        let steps = [pool.product(read, write), pool.product(write, fence)];
        let chain = pool.union(Sort::Rel, steps);
        let chain = pool.plus(chain);
        let [far, back] = [(read, fence), (fence, read)].map(|(from, to)| {
            let product = pool.product(from, to);
            pool.inter(Sort::Rel, [chain, product])
        });
        let [sources, targets] = [pool.domain(chain), pool.range(chain)];
        let [starts, no_start] = [read, fence].map(|set| pool.inter(Sort::Set, [sources, set]));
        let [ends, no_end] = [fence, read].map(|set| pool.inter(Sort::Set, [targets, set]));
        let of = |base: &Base| match base.name.as_str() {
            "R" => 0b001,
            "W" => 0b010,
            _ => 0b100,
        };
        let found = settled(&pool, 3, &of);
        assert_eq!([far, starts, ends].map(|id| found[id.index()]), [Settled::Open; 3]);
        assert_eq!([back, no_start, no_end].map(|id| found[id.index()]), [Settled::Empty; 3]);
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
