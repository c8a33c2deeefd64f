//! Whether a model's checks keep `po | rf` acyclic, found syntactically.
//!
//! # Argument
//!
//! A cycle of `po | rf` is a cycle of program-order steps from a read to a write, each followed by reads-from: two rf edges never
//! follow each other unless one event both reads and writes, and `po` itself is acyclic and transitive. So `acyclic e` forbids
//! it when `e` includes `[R] ; po ; [W]` and `rf`. It is enough that `e` includes the part of `rf` between threads if some
//! check also makes `(po & loc) | rf` acyclic: reads-from within a thread then agrees with program order (accesses of one
//! location in one thread are related by `po`), and is absorbed by the program-order steps around it.
//!
//! Inclusion is looked for, not proved: `false` means "not seen".

use super::analyse::PROGRAM_ORDER;
use super::expr::{ExprId, Node, Pool};
use super::imply::Included;
use super::simplify::Condition;

/// The checks of a model that stay violated however an execution grows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Orders {
    /// Their expressions.
    pub pool: Pool,
    /// What they ask.
    pub checks: Vec<Condition>,
    /// What other checks say of relations that nothing says of itself, in complete executions.
    pub included: Vec<Included>,
}

/// What orders the read and the write of an instruction that does both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Halves {
    /// Program order, or they are one event; or no instruction does both.
    Ordered,
    /// Nothing but that they are a pair.
    Locked,
    /// Nothing at all: an x86 instruction without a lock prefix.
    Loose,
}

const READS_FROM: &str = "rf";

/// Whether the conditions `acyclic e`, for `e` in `acyclic`, keep `po | rf` acyclic.
pub fn keeps_po_and_rf_acyclic(pool: &Pool, acyclic: &[ExprId]) -> bool {
    let coherent = acyclic.iter().any(|&e| includes(pool, e, Part::PoLoc) && includes(pool, e, Part::Rf));
    acyclic.iter().any(|&e| {
        includes(pool, e, Part::PoReadWrite)
            && (includes(pool, e, Part::Rf) || coherent && includes(pool, e, Part::RfBetweenThreads))
    })
}

/// The same of `po | rf | amo`, where the halves of a read-modify-write are in no program order. Where a read takes its value from a write, its own
/// write half is behind that write in coherence; so an order that includes coherence orders what comes before the one and after the other.
pub fn keeps_halves_acyclic(pool: &Pool, acyclic: &[ExprId]) -> bool {
    let all = |e: ExprId, parts: &[Part]| parts.iter().all(|&part| includes(pool, e, part));
    let coherent = acyclic.iter().any(|&e| all(e, &[Part::PoLoc, Part::Rf]));
    let in_coherence = acyclic.iter().any(|&e| all(e, &[Part::PoLoc, Part::Rf, Part::Amo, Part::Co]));
    acyclic.iter().any(|&e| {
        all(e, &[Part::PoReadWrite])
            && (all(e, &[Part::Rf]) || coherent && all(e, &[Part::RfBetweenThreads]))
            && (all(e, &[Part::Amo]) || in_coherence && all(e, &[Part::Co]))
    })
}

/// The same of `po | rf | rf-lock`: a lock goes from the thread that releases it to the one that takes it. Few models say that this is an order.
pub fn keeps_locks_acyclic(pool: &Pool, acyclic: &[ExprId]) -> bool {
    acyclic.iter().any(|&e| [Part::Po, Part::Rf, Part::RfLock].iter().all(|&part| includes(pool, e, part)))
}

/// Relations whose inclusion matters.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// `po`
    Po,
    /// `[R] ; po ; [W]`
    PoReadWrite,
    /// `po & loc`
    PoLoc,
    /// `rf`
    Rf,
    /// `rf & ext`
    RfBetweenThreads,
    /// `amo`
    Amo,
    /// `co`
    Co,
    /// `rf-lock`
    RfLock,
}

impl Part {
    /// The base relation that it is a part of.
    fn base(self) -> &'static str {
        match self {
            Part::Po | Part::PoReadWrite | Part::PoLoc => PROGRAM_ORDER,
            Part::Rf | Part::RfBetweenThreads => READS_FROM,
            Part::Amo => "amo",
            Part::Co => "co",
            Part::RfLock => "rf-lock",
        }
    }

    /// A relation that all its pairs are in.
    fn within(self) -> Option<&'static str> {
        match self {
            Part::Po | Part::PoReadWrite => None,
            Part::PoLoc | Part::Rf | Part::Amo | Part::Co | Part::RfLock => Some("loc"),
            Part::RfBetweenThreads => Some("ext"),
        }
    }

    /// Base sets that all its sources are in, and all its targets.
    fn ends(self) -> [&'static [&'static str]; 2] {
        match self {
            Part::PoReadWrite | Part::Amo => [&["R", "M"], &["W", "M"]],
            Part::PoLoc => [&["M"], &["M"]],
            Part::Rf | Part::RfBetweenThreads => [&["W", "M"], &["R", "M"]],
            Part::Co => [&["W", "M"], &["W", "M"]],
            // The events of locks are in none of these.
            Part::Po | Part::RfLock => [&[], &[]],
        }
    }
}

fn is_base(pool: &Pool, id: ExprId, names: &[&str]) -> bool {
    matches!(pool.node(id), Node::Base(b) if names.contains(&pool.bases()[b.index()].name.as_str()))
}

/// What is known of a node: it includes the part (a set: all sources, all targets), it includes the identity on those.
#[derive(Clone, Copy, Default)]
struct Known {
    part: bool,
    sources: bool,
    targets: bool,
    /// The identity on the sources, and on the targets.
    from: bool,
    to: bool,
}

fn includes(pool: &Pool, root: ExprId, part: Part) -> bool {
    let mut known: Vec<Known> = Vec::with_capacity(root.index() + 1);
    for i in 0..=root.index() {
        let id = ExprId::at(i);
        let get = |x: ExprId| known[x.index()];
        let any = |xs: &[ExprId], f: fn(Known) -> bool| xs.iter().any(|&x| f(get(x)));
        let all = |xs: &[ExprId], f: fn(Known) -> bool| xs.iter().all(|&x| f(get(x)));
        let value = match pool.node(id) {
            Node::Universe => Known { sources: true, targets: true, ..Known::default() },
            Node::Full => Known { part: true, from: true, to: true, ..Known::default() },
            Node::Id => Known { from: true, to: true, ..Known::default() },
            Node::Base(_) => {
                let [sources, targets] = part.ends();
                let whole =
                    is_base(pool, id, &[part.base()]) || part.within().is_some_and(|name| is_base(pool, id, &[name]));
                Known {
                    part: whole,
                    sources: is_base(pool, id, sources),
                    targets: is_base(pool, id, targets),
                    ..Known::default()
                }
            }
            Node::Union(xs) => Known {
                part: any(xs, |k| k.part) || split(pool, xs, part),
                sources: any(xs, |k| k.sources),
                targets: any(xs, |k| k.targets),
                from: any(xs, |k| k.from),
                to: any(xs, |k| k.to),
            },
            Node::Inter(xs) => Known {
                part: all(xs, |k| k.part),
                sources: all(xs, |k| k.sources),
                targets: all(xs, |k| k.targets),
                from: all(xs, |k| k.from),
                to: all(xs, |k| k.to),
            },
            Node::Seq(xs) => {
                // One factor includes the part, those before it the identity on its sources, those after on its targets.
                let through =
                    (0..xs.len()).any(|k| get(xs[k]).part && all(&xs[..k], |k| k.from) && all(&xs[k + 1..], |k| k.to));
                Known { part: through, from: all(xs, |k| k.from), to: all(xs, |k| k.to), ..Known::default() }
            }
            Node::Product(a, b) => Known { part: get(*a).sources && get(*b).targets, ..Known::default() },
            Node::IdOn(s) => Known { from: get(*s).sources, to: get(*s).targets, ..Known::default() },
            Node::Plus(a) => get(*a),
            Node::Star(a) | Node::Opt(a) => Known { from: true, to: true, ..get(*a) },
            _ => Known::default(),
        };
        known.push(value);
    }
    known[root.index()].part
}

/// `(r & x) | (r \\ x)` is all of `r`.
fn split(pool: &Pool, operands: &[ExprId], part: Part) -> bool {
    let whole = |id: ExprId| is_base(pool, id, &[part.base()]);
    operands.iter().any(|&d| {
        match *pool.node(d) {
        Node::Diff(r, x) if whole(r) => operands.iter().any(|&i| {
            matches!(pool.node(i), Node::Inter(parts) if parts.len() == 2 && parts.contains(&r) && parts.contains(&x))
        }),
        _ => false,
    }
    })
}
