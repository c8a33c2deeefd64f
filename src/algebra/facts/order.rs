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
//! That it keeps *dependencies* and reads-from acyclic is found in the same way ([`keeps_dependencies_acyclic`]).
//!
//! Inclusion is looked for, not proved: `false` means "not seen".

use super::analyse::PROGRAM_ORDER;
use super::imply::Included;
use crate::algebra::expr::{ExprId, Fix, FixId, Node, Pool, VarId};
use crate::algebra::simplify::Condition;
use rustc_hash::FxHashMap;

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

/// Whether they keep `po | rf | co | fr` acyclic: an interleaving explains each execution.
pub fn keeps_interleavings(pool: &Pool, acyclic: &[ExprId]) -> bool {
    let all = |e: ExprId, parts: &[Part]| parts.iter().all(|&part| includes(pool, e, part));
    acyclic.iter().any(|&e| all(e, &[Part::Po, Part::Rf, Part::Co]) && includes_overwriting(pool, e))
}

/// Whether a union has `rf^-1 ; co` among its operands, the identity aside.
fn includes_overwriting(pool: &Pool, e: ExprId) -> bool {
    let is = |id: ExprId, name: &str| is_base(pool, id, &[name]);
    match pool.node(e) {
        Node::Union(xs) => xs.iter().any(|&x| includes_overwriting(pool, x)),
        Node::Diff(a, b) => matches!(pool.node(*b), Node::Id) && includes_overwriting(pool, *a),
        Node::Seq(xs) => match xs[..] {
            [first, second] => is(second, "co") && matches!(pool.node(first), Node::Inverse(rf) if is(*rf, READS_FROM)),
            _ => false,
        },
        _ => false,
    }
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

/// Whether the conditions `acyclic e`, for `e` in `acyclic`, keep `addr | data | ctrl | rf` acyclic. `lasting`: a control dependency goes on to the end of the thread,
/// as in assembly.
///
/// Such a cycle is made of reads-from between threads and of chains within one, each from a read to a write, of dependencies and reads-from. Where control
/// dependencies last, what comes behind the first of them in a chain is left out: it leads from there to the write.
pub fn keeps_dependencies_acyclic(pool: &Pool, acyclic: &[ExprId], lasting: bool) -> bool {
    acyclic.iter().any(|&e| {
        let all = |parts: &[Part]| parts.iter().all(|&part| includes(pool, e, part));
        all(&[Part::RfBetweenThreads])
            && (includes(pool, e, Part::Chain { lasting }) || includes_chain_links(pool, e, lasting))
    })
}

/// Whether paths of a relation include all chains of dependencies and reads-from within a thread from a read to a write.
fn includes_chain_links(pool: &Pool, e: ExprId, lasting: bool) -> bool {
    let has = |part: Part| includes(pool, e, part);
    let controls = has(if lasting { Part::CtrlToWrite } else { Part::Ctrl });
    let forwards = || has(Part::RfWithin) || lasting && has(Part::AddrForwarded) && has(Part::DataForwarded);
    controls && has(Part::Addr) && has(Part::Data) && forwards()
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
    /// `addr`, `data`, `ctrl`, `[R] ; ctrl ; [W]`
    Addr,
    Data,
    Ctrl,
    CtrlToWrite,
    /// `rf & int`
    RfWithin,
    /// `addr ; rf & int`, `data ; rf & int`
    AddrForwarded,
    DataForwarded,
    /// `[R] ; (addr | data | ctrl | rf & int)+ ; [W]`
    Chain {
        lasting: bool,
    },
}

impl Part {
    /// The base relation that it is a part of.
    fn base(self) -> Option<&'static str> {
        let name = match self {
            Part::Po | Part::PoReadWrite | Part::PoLoc => PROGRAM_ORDER,
            Part::Rf | Part::RfBetweenThreads => READS_FROM,
            Part::Amo => "amo",
            Part::Co => "co",
            Part::RfLock => "rf-lock",
            Part::Addr => "addr",
            Part::Data => "data",
            Part::Ctrl | Part::CtrlToWrite => "ctrl",
            Part::RfWithin => READS_FROM,
            Part::AddrForwarded | Part::DataForwarded | Part::Chain { .. } => return None,
        };
        Some(name)
    }

    /// Two parts of which it is the composition.
    fn steps(self) -> Option<[Part; 2]> {
        match self {
            Part::AddrForwarded => Some([Part::Addr, Part::RfWithin]),
            Part::DataForwarded => Some([Part::Data, Part::RfWithin]),
            _ => None,
        }
    }

    /// A relation that all its pairs are in.
    fn within(self) -> Option<&'static str> {
        match self {
            Part::Po | Part::PoReadWrite => None,
            Part::PoLoc | Part::Rf | Part::Amo | Part::Co | Part::RfLock => Some("loc"),
            Part::RfBetweenThreads => Some("ext"),
            Part::Addr | Part::Data | Part::Ctrl | Part::CtrlToWrite => Some(PROGRAM_ORDER),
            Part::RfWithin => Some("int"),
            Part::AddrForwarded | Part::DataForwarded | Part::Chain { .. } => None,
        }
    }

    /// Base sets that all its sources are in, and all its targets.
    fn ends(self) -> [&'static [&'static str]; 2] {
        match self {
            Part::PoReadWrite | Part::Amo => [&["R", "M"], &["W", "M"]],
            Part::PoLoc => [&["M"], &["M"]],
            Part::Rf | Part::RfBetweenThreads => [&["W", "M"], &["R", "M"]],
            Part::Co => [&["W", "M"], &["W", "M"]],
            Part::Data | Part::CtrlToWrite | Part::Chain { .. } => [&["R", "M"], &["W", "M"]],
            Part::Addr | Part::Ctrl => [&["R", "M"], &["M"]],
            Part::RfWithin => [&["W", "M"], &["R", "M"]],
            Part::AddrForwarded | Part::DataForwarded => [&["R", "M"], &["R", "M"]],
            // The events of locks are in none of these.
            Part::Po | Part::RfLock => [&[], &[]],
        }
    }
}

fn is_base(pool: &Pool, id: ExprId, names: &[&str]) -> bool {
    matches!(pool.node(id), Node::Base(b) if names.contains(&pool.bases()[b.index()].name.as_str()))
}

/// What is known of a node: it includes the part (a set: all sources, all targets), it includes the identity on those.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Known {
    part: bool,
    sources: bool,
    targets: bool,
    /// The identity on the sources, and on the targets.
    from: bool,
    to: bool,
}

fn includes(pool: &Pool, root: ExprId, part: Part) -> bool {
    let mut of_vars: FxHashMap<VarId, Known> = FxHashMap::default();
    loop {
        // What a recursive relation includes if its variables include what is known of them: the solution includes what its equations say.
        let known = known_of(pool, root, part, &of_vars);
        let groups = (0..pool.fix_count()).map(|fix| pool.fix(FixId::at(fix)));
        let bodies = groups.flat_map(|group| group.vars.iter().copied().zip(group.bodies.iter().copied()));
        let inside = bodies.filter(|(_, body)| body.index() < known.len());
        let more: FxHashMap<VarId, Known> = inside.map(|(var, body)| (var, known[body.index()])).collect();
        if more.iter().all(|(var, now)| of_vars.get(var).is_some_and(|before| before == now)) {
            return known[root.index()].part;
        }
        of_vars = more;
    }
}

/// What is known of each node up to one.
fn known_of(pool: &Pool, root: ExprId, part: Part, of_vars: &FxHashMap<VarId, Known>) -> Vec<Known> {
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
                let whole = part.base().into_iter().chain(part.within()).any(|name| is_base(pool, id, &[name]));
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
                let composed = part.steps().is_some_and(|[first, second]| {
                    let covers = |x: ExprId, part: Part| includes(pool, x, part);
                    // Between the two stand writes.
                    let next = |k: usize| (k + 1..xs.len()).find(|&at| !keeps_writes(pool, xs[at]));
                    (0..xs.len()).any(|k| {
                        next(k).is_some_and(|then| {
                            let around = all(&xs[..k], |k| k.from) && all(&xs[then + 1..], |k| k.to);
                            around && covers(xs[k], first) && covers(xs[then], second)
                        })
                    })
                });
                Known {
                    part: through || composed,
                    from: all(xs, |k| k.from),
                    to: all(xs, |k| k.to),
                    ..Known::default()
                }
            }
            Node::Var(var) => of_vars.get(var).copied().unwrap_or_default(),
            Node::Fix(fix, n) => {
                let group = pool.fix(*fix);
                let body = group.bodies.get(*n as usize);
                let of_body = body.and_then(|body| known.get(body.index())).copied().unwrap_or_default();
                Known { part: of_body.part || is_chain_of_group(pool, group, *n as usize, part), ..of_body }
            }
            Node::Product(a, b) => Known { part: get(*a).sources && get(*b).targets, ..Known::default() },
            Node::IdOn(s) => Known { from: get(*s).sources, to: get(*s).targets, ..Known::default() },
            Node::Plus(a) => Known { part: is_included_in_paths(pool, get(*a), *a, part), ..get(*a) },
            Node::Star(a) => {
                Known { part: is_included_in_paths(pool, get(*a), *a, part), from: true, to: true, ..get(*a) }
            }
            Node::Opt(a) => Known { from: true, to: true, ..get(*a) },
            _ => Known::default(),
        };
        known.push(value);
    }
    known
}

/// Whether a relation of a recursive group includes all chains by a transitive one of the same group: that one includes dependencies and what is
/// forwarded, and the relation includes it, what goes on from it, and control dependencies.
fn is_chain_of_group(pool: &Pool, group: &Fix, n: usize, part: Part) -> bool {
    let Part::Chain { lasting: true } = part else { return false };
    let parts = |body: ExprId| match pool.node(body) {
        Node::Union(xs) => xs.to_vec(),
        _ => vec![body],
    };
    let is_var = |id: ExprId, var: VarId| matches!(pool.node(id), Node::Var(v) if *v == var);
    let (Some(&var), Some(&body)) = (group.vars.get(n), group.bodies.get(n)) else { return false };
    let goes_on = |body: ExprId, first: VarId, second: VarId| {
        let composes = |id: ExprId| match pool.node(id) {
            Node::Seq(xs) => xs.len() == 2 && is_var(xs[0], first) && is_var(xs[1], second),
            _ => false,
        };
        parts(body).into_iter().any(composes)
    };
    let solution = |part: Part, n: usize| includes_in_group(pool, group, n, part);
    group.vars.iter().zip(&group.bodies).enumerate().any(|(m, (&step, &steps))| {
        goes_on(steps, step, step)
            && [Part::Addr, Part::Data, Part::RfWithin].iter().all(|&part| solution(part, m))
            && (m == n || parts(body).iter().any(|&id| is_var(id, step)) && goes_on(body, step, var))
            && solution(Part::CtrlToWrite, n)
    })
}

/// Whether a relation of a recursive group includes a part.
fn includes_in_group(pool: &Pool, group: &Fix, n: usize, part: Part) -> bool {
    let fix = (0..pool.len())
        .map(ExprId::at)
        .find(|&id| matches!(pool.node(id), Node::Fix(fix, m) if *m as usize == n && pool.fix(*fix) == group));
    match fix {
        Some(fix) => includes(pool, fix, part),
        None => group.bodies.get(n).is_some_and(|&body| includes(pool, body, part)),
    }
}

/// Whether a relation is the identity on sets that all writes are in.
fn keeps_writes(pool: &Pool, id: ExprId) -> bool {
    match pool.node(id) {
        Node::Id => true,
        Node::IdOn(set) => match pool.node(*set) {
            Node::Universe => true,
            Node::Union(sets) => sets.iter().any(|&set| is_base(pool, set, &["W", "M"])),
            _ => is_base(pool, *set, &["W", "M"]),
        },
        _ => false,
    }
}

/// Whether a part is included in the closure of a relation, of which this is known.
fn is_included_in_paths(pool: &Pool, known: Known, relation: ExprId, part: Part) -> bool {
    known.part || matches!(part, Part::Chain { lasting } if includes_chain_links(pool, relation, lasting))
}

/// `(r & x) | (r \\ x)` is all of `r`.
fn split(pool: &Pool, operands: &[ExprId], part: Part) -> bool {
    let whole = |id: ExprId| part.base().is_some_and(|name| is_base(pool, id, &[name]));
    operands.iter().any(|&d| {
        match *pool.node(d) {
        Node::Diff(r, x) if whole(r) => operands.iter().any(|&i| {
            matches!(pool.node(i), Node::Inter(parts) if parts.len() == 2 && parts.contains(&r) && parts.contains(&x))
        }),
        _ => false,
    }
    })
}
