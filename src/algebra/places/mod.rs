//! Models over accesses that are made of parts.
//!
//! Where accesses of different sizes meet, events are parts: ranges of bytes that every access covers or does not touch. A model that names `si`, the
//! relation of the parts of one access, says by itself what that means. Another one is rewritten into one that does, by the form of its expressions.
//!
//! An expression is *about a place* if it can only relate events of one location: `rf`, `co`, `loc`, the pairing of read-modify-writes, the identity;
//! union, composition, converse and closures of such; an intersection with one such side; a difference from such. A check of such an expression is evaluated over parts, as it
//! stands. Every other expression is about accesses: in it each largest part `e` that is about a place stands for `si ; e ; si`, and the identity for `si`. What is not about a
//! place inside one that is relates parts as it relates their accesses.
//!
//! Base relations that are not about a place (program order, dependencies, fences) relate all parts of an access alike, and sets have all parts of an access or none.
//!
//! Besides the check of accesses stands, where it is certainly weaker, the check as it would be if parts were not related at all. It
//! says nothing new; but it can be told of it that it lets executions go on, so exploration can prune with it.
//!
//! Whatever the model, no access tears: of two writes one comes first wherever they meet, and a read does not see one write at one place and miss
//! it at another.

mod rewrite;

use super::expr::{Base, ExprId, Pool, Sort};
use super::model::{Check, Model, Predicate, Role};
use rewrite::{Reading, Rewriter};

/// The relation of the parts of one access, also of one that the model hides (locks).
pub const PARTS: &str = "same-access";

/// What models call `si`, which without parts relates no two events: the same, of events in `M` only.
pub const PARTS_IN_MEMORY: &str = "same-memory-access";

/// What models call it.
const NAMES: [&str; 2] = ["si", "sm"];

/// Whether a model says by itself what parts of accesses mean.
pub fn names_parts(model: &Model) -> bool {
    let bases = NAMES.map(|name| Base { name: name.to_owned(), sort: Sort::Rel });
    model.checks.iter().any(|check| bases.iter().any(|base| model.pool.mentions(check.expr, base)))
}

/// Whether anything in a model names parts of accesses, also what no check says: what is evaluated on each execution by itself.
pub fn names_parts_anywhere(model: &Model) -> bool {
    model.pool.bases().iter().any(|base| NAMES.contains(&base.name.as_str()))
}

/// The model over parts of accesses. Its checks are those of the model, in their order, and more. `as_written`: it says by itself what parts mean.
pub fn over_parts(model: &Model, as_written: bool) -> Model {
    let reading = if as_written { Reading::AsWritten } else { Reading::Linked };
    let mut linked = Rewriter::new(&model.pool, Pool::new(), reading);
    let mut checks: Vec<Check> =
        model.checks.iter().map(|check| Check { expr: linked.whole(check.expr), ..check.clone() }).collect();
    let named = |all: &[(String, ExprId)], rewriter: &mut Rewriter<'_>| {
        all.iter().map(|(name, expr)| (name.clone(), rewriter.whole(*expr))).collect()
    };
    let shows = named(&model.shows, &mut linked);
    let definitions = named(&model.definitions, &mut linked);
    let is_weakened = |check: &&Check| check.role == Role::Require && !check.negated;
    let weakened: Vec<&Check> =
        model.checks.iter().filter(is_weakened).filter(|check| linked.grows_by_parts(check.expr)).collect();
    let mut unlinked = Rewriter::new(&model.pool, linked.new, Reading::Unlinked);
    for check in weakened {
        let expr = unlinked.whole(check.expr);
        if checks.iter().all(|other| other.expr != expr) {
            checks.push(Check { expr, ..check.clone() });
        }
    }
    let (title, arch, files) = (model.title.clone(), model.arch.clone(), model.files.clone());
    let mut new = Model { title, arch, pool: unlinked.new, checks, shows, definitions, files };
    forbid_tearing(&mut new);
    new
}

/// Single-copy atomicity. Accesses that a model hides (locks) are accesses, too.
fn forbid_tearing(model: &mut Model) {
    let pool = &mut model.pool;
    let [rf, hidden, co, parts] = ["rf", "rf-lock", "co", PARTS].map(|name| pool.base(name, Sort::Rel));
    let rf = pool.union(Sort::Rel, [rf, hidden]);
    let source = pool.inverse(rf);
    let overtaken = pool.seq([source, co]);
    let id = pool.id();
    let fr = pool.diff(overtaken, id);
    let writes = pool.seq([co, parts, co, parts]);
    let reads = pool.seq([rf, parts, fr, parts]);
    for (name, expr) in [("writes-do-not-tear", writes), ("reads-do-not-tear", reads)] {
        model.checks.push(Check {
            name: Some(name.to_owned()),
            role: Role::Require,
            predicate: Predicate::Irreflexive,
            negated: false,
            expr,
            place: (0, 0..0),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::expr::{Fix, Node};

    /// An expression as text, and what becomes of it.
    fn rewritten(build: impl FnOnce(&mut Pool) -> ExprId) -> (Model, String) {
        let mut model = Model::default();
        let expr = build(&mut model.pool);
        let (name, role, predicate) = (None, Role::Require, Predicate::Acyclic);
        model.checks.push(Check { name, role, predicate, negated: false, expr, place: (0, 0..0) });
        let model = over_parts(&model, names_parts(&model));
        let text = text(&model.pool, model.checks[0].expr);
        (model, text)
    }

    fn text(pool: &Pool, id: ExprId) -> String {
        let all = |xs: &[ExprId], between: &str| {
            let mut texts: Vec<String> = xs.iter().map(|&x| text(pool, x)).collect();
            if between != ";" {
                texts.sort();
            }
            format!("({})", texts.join(between))
        };
        match pool.node(id) {
            Node::Base(base) => pool.bases()[base.index()].name.replace(PARTS_IN_MEMORY, "si").replace(PARTS, "si"),
            Node::Id => "id".to_owned(),
            Node::Universe => "_".to_owned(),
            Node::Union(xs) => all(xs, "|"),
            Node::Inter(xs) => all(xs, "&"),
            Node::Seq(xs) => all(xs, ";"),
            Node::Diff(a, b) => format!("({}\\{})", text(pool, *a), text(pool, *b)),
            Node::IdOn(a) => format!("[{}]", text(pool, *a)),
            Node::Inverse(a) => format!("{}^-1", text(pool, *a)),
            Node::Plus(a) => format!("{}+", text(pool, *a)),
            Node::Star(a) => format!("{}*", text(pool, *a)),
            Node::Opt(a) => format!("{}?", text(pool, *a)),
            Node::Fix(fix, n) => format!("fix{}", text(pool, pool.fix(*fix).bodies[*n as usize])),
            Node::Var(_) => "x".to_owned(),
            node => format!("{node:?}"),
        }
    }

    fn rel<const N: usize>(pool: &mut Pool, names: [&str; N]) -> [ExprId; N] {
        names.map(|name| pool.base(name, Sort::Rel))
    }

    #[test]
    fn coherence_is_a_matter_of_each_place() {
        let (model, text) = rewritten(|pool| {
            let [po, loc, rf, co] = rel(pool, ["po", "loc", "rf", "co"]);
            let po_loc = pool.inter(Sort::Rel, [po, loc]);
            pool.union(Sort::Rel, [po_loc, rf, co])
        });
        assert_eq!(text, "((loc&po)|co|rf)");
        // Two more, against tearing.
        assert_eq!(model.checks.len(), 3);
    }

    #[test]
    fn an_order_of_accesses_takes_what_is_about_places_for_accesses() {
        let (model, linked) = rewritten(|pool| {
            let [po, rf, co] = rel(pool, ["po", "rf", "co"]);
            pool.union(Sort::Rel, [po, rf, co])
        });
        assert_eq!(linked, "((si?;(co|rf);si?)|po)");
        // The check without parts is there as well.
        assert_eq!((model.checks.len(), text(&model.pool, model.checks[1].expr)), (4, "(co|po|rf)".to_owned()));
    }

    #[test]
    fn runs_of_a_composition_are_lifted_together() {
        let (_, text) = rewritten(|pool| {
            let [po, rf, co] = rel(pool, ["po", "rf", "co"]);
            let w = pool.base("W", Sort::Set);
            let w = pool.id_on(w);
            let star = pool.star(rf);
            pool.seq([w, po, w, co, star, po])
        });
        assert_eq!(text, "([W];po;si?;[W];co;rf*;si?;po)");
    }

    #[test]
    fn a_difference_from_what_is_about_accesses_is_about_accesses() {
        let (_, text) = rewritten(|pool| {
            let [po, loc] = rel(pool, ["po", "loc"]);
            pool.diff(po, loc)
        });
        assert_eq!(text, "(po\\(si?;loc;si?))");
        let (_, text) = rewritten(|pool| {
            let [po, loc, rf] = rel(pool, ["po", "loc", "rf"]);
            let hb = pool.union(Sort::Rel, [po, rf]);
            let hb = pool.plus(hb);
            pool.diff(loc, hb)
        });
        assert_eq!(text, "(loc\\((si?;rf;si?)|po)+)");
    }

    #[test]
    fn a_group_is_about_a_place_if_its_equations_are() {
        for (other, expected) in [("co", "fix((x;co)|rf)"), ("po", "fix((si?;rf;si?)|(x;po))")] {
            let (_, text) = rewritten(|pool| {
                let [rf, other] = rel(pool, ["rf", other]);
                let (var, x) = pool.var(Sort::Rel);
                let more = pool.seq([x, other]);
                let body = pool.union(Sort::Rel, [rf, more]);
                pool.recursive(Fix { vars: vec![var], bodies: vec![body], when: None })[0]
            });
            assert_eq!(text, expected);
        }
    }

    #[test]
    fn a_model_that_names_parts_stays_as_it_is() {
        let (model, text) = rewritten(|pool| {
            let [po, rf, si] = rel(pool, ["po", "rf", "si"]);
            let observed = pool.seq([rf, si]);
            pool.union(Sort::Rel, [po, observed])
        });
        assert_eq!(text, "((rf;si)|po)");
        assert!(!names_parts(&model));
        assert_eq!(model.checks.len(), 4);
    }
}
