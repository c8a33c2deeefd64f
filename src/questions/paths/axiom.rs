//! The axioms of a model as the paths that violate them.

use super::cube::{Cube, Formula};
use super::nfa::Nfa;
use super::translate::{Side, Translator};
use crate::algebra::simplify::{Simplified, simplify};
use crate::algebra::{Base, ExprId, Node, Pool, Predicate, Role, Sort};
use crate::cat::Loaded;
use crate::cat::vocabulary::table::Given;

/// A check that rejects executions.
#[derive(Clone, Debug)]
pub struct Axiom {
    /// Its name, or its number.
    pub name: String,
    /// What it tests.
    pub predicate: Predicate,
    /// Of what, in the pool of its [`Axioms`].
    pub expr: ExprId,
    /// Why it is no condition on paths, where it is none.
    pub outside: Option<String>,
}

/// The axioms of a model, simplified for the executions that are asked about.
pub struct Axioms {
    /// The model, as the user calls it.
    pub model: String,
    /// Expressions.
    pub pool: Pool,
    /// In the model's order.
    pub all: Vec<Axiom>,
    /// Definitions of the model by name, in `pool`.
    pub definitions: Vec<(String, ExprId)>,
}

/// What programs without locks and flushes, which create no threads while they run, do not have.
const WITHOUT: [&str; 14] = [
    "thread-sync",
    "rf-lock",
    "LK",
    "LKR",
    "LKW",
    "UL",
    "LF",
    "RL",
    "RU",
    "LS",
    "ClFlush",
    "ClFlushOpt",
    "ClWb",
    "DC.CVAP",
];

/// Whether the executions that are asked about may have members of a name.
pub fn is_present(loaded: &Loaded, arch: Option<&str>, base: &Base) -> bool {
    if WITHOUT.contains(&base.name.as_str()) {
        return false;
    }
    match loaded.vocabulary.given(&base.name) {
        Some(Given::In(archs) | Given::Only(archs)) => arch.is_none_or(|arch| archs.contains(&arch)),
        Some(
            Given::Unsupported(_)
            | Given::Missing
            | Given::Afterwards
            | Given::Within(_)
            | Given::Crashes
            | Given::Nothing
            | Given::Scopes,
        ) => false,
        Some(Given::Known | Given::Alias(_) | Given::Everything) | None => true,
    }
}

impl Axioms {
    /// The axioms of a model for the executions of an architecture.
    pub fn new(name: &str, loaded: &Loaded, arch: Option<&str>) -> Axioms {
        let mut model = loaded.model.clone();
        let own = model.checks.len();
        // Definitions are simplified as the checks are.
        let definitions: Vec<(String, ExprId)> = model.definitions.clone();
        for (_, expr) in &definitions {
            model.checks.push(crate::algebra::Check {
                name: None,
                role: Role::Flag,
                predicate: Predicate::Empty,
                negated: false,
                expr: *expr,
                place: (0, 0..0),
            });
        }
        let Simplified { pool, conditions } = simplify(&model, &|base| is_present(loaded, arch, base), &[]);
        let mut all = Vec::new();
        for (check, on) in model.checks[..own].iter().zip(&conditions) {
            let outside = match check.role {
                Role::When | Role::Settle => Some("it asks whether a recursive definition has a value".to_owned()),
                Role::Require if check.negated => Some("it is negated".to_owned()),
                Role::Require if loaded.dynamic_checks.contains(&(check.place.0, check.place.1.start)) => {
                    Some("it can only be evaluated on executions".to_owned())
                }
                Role::Require => chosen(&pool, on.expr),
                Role::Flag | Role::Undefined | Role::Assert => continue,
            };
            let name = check.name.clone().unwrap_or_else(|| format!("check{}", all.len() + 1));
            all.push(Axiom { name, predicate: on.predicate, expr: on.expr, outside });
        }
        let simplified = conditions[own..].iter().map(|on| on.expr);
        let definitions = definitions.into_iter().map(|(name, _)| name).zip(simplified).collect();
        Axioms { model: name.to_owned(), pool, all, definitions }
    }
}

/// An order that the model chooses, where an expression mentions one.
fn chosen(pool: &Pool, expr: ExprId) -> Option<String> {
    let is_chosen = |base: &&Base| base.name.starts_with("with ") && pool.mentions(expr, base);
    pool.bases()
        .iter()
        .find(is_chosen)
        .map(|base| format!("it is about an order that the model chooses, `{}`", base.name))
}

/// The paths that violate an axiom, and whether they lead back to their first event.
///
/// From above they include every violation; from below each of them is one.
pub fn violations(translator: &mut Translator, pool: &Pool, axiom: &Axiom, side: Side) -> Result<(Nfa, bool), String> {
    Ok(match axiom.predicate {
        Predicate::Acyclic => match orders_with_program(pool, axiom.expr).filter(|_| side == Side::Over) {
            // Program order is transitive: a cycle needs no two of its edges in a row. It may begin behind another edge.
            Some((program, others)) => {
                let program = translator.relation(pool, program, side)?;
                let mut rest = Nfa::nothing();
                for part in others {
                    rest = rest.or(&translator.relation(pool, part, side)?);
                }
                (program.clone().opt().then(&rest).plus().or(&program), true)
            }
            None => (translator.relation(pool, axiom.expr, side)?.plus(), true),
        },
        Predicate::Irreflexive => (translator.relation(pool, axiom.expr, side)?, true),
        Predicate::Empty if pool.sort(axiom.expr) == Sort::Set => (Nfa::test(translator.set(pool, axiom.expr)?), false),
        Predicate::Empty => translator.members(pool, axiom.expr, side)?,
    })
}

/// Program order and the other parts, where it is one of the parts of an order.
fn orders_with_program(pool: &Pool, expr: ExprId) -> Option<(ExprId, Vec<ExprId>)> {
    let Node::Union(parts) = pool.node(expr) else { return None };
    let is_program = |x: &ExprId| matches!(pool.node(*x), Node::Base(base) if pool.bases()[base.index()].name == "po");
    let program = parts.iter().copied().find(is_program)?;
    Some((program, parts.iter().copied().filter(|x| *x != program).collect()))
}

/// A path from an event to itself for each path between any two: with one step more, which may lead anywhere.
pub fn closed(paths: &(Nfa, bool), side: Side) -> Nfa {
    let anywhere = Nfa::step(Cube::ANY);
    match (paths, side) {
        ((nfa, true), _) => nfa.clone(),
        ((nfa, false), Side::Over) => nfa.clone().then(&anywhere),
        ((nfa, false), Side::Under) => nfa.clone().then(&anywhere.star()),
    }
}

/// The paths of which acyclicity of program order for each location, reads-from, coherence and from-reads follows when none of them closes: the five
/// shapes, and two for events that read and write.
///
/// J. Alglave, "A shared memory poetics", PhD thesis, 2010, has the proof for events that do one of both. With `k(w)` the place of a write in
/// coherence and `k(r)` that of the write that is read, an event that does both counts as a write; without the last two shapes, reads-from and from-reads
/// raise `k` or keep it as they do there.
pub fn coherence_shapes(translator: &mut Translator) -> Result<Vec<(&'static str, Nfa)>, String> {
    let mut step = |names: &[&str]| -> Result<Nfa, String> {
        let mut all = Cube::ANY;
        for name in names {
            all = all.and(Cube::literal(translator.alphabet.pair(name)?, true));
        }
        Ok(Nfa::step(all))
    };
    let (local, rf, co, fr) = (step(&["po", "loc"])?, step(&["rf"])?, step(&["co"])?, step(&["fr"])?);
    let update = Nfa::test(Formula::all([
        Formula::Atom(translator.alphabet.event("R")?),
        Formula::Atom(translator.alphabet.event("W")?),
    ]));
    let path = |parts: &[&Nfa]| parts.iter().fold(Nfa::epsilon(), |all, part| all.then(part));
    Ok(vec![
        ("CoRW1", path(&[&local, &rf])),
        ("CoWW", path(&[&local, &co])),
        ("CoRW2", path(&[&local, &co, &rf])),
        ("CoWR", path(&[&local, &fr])),
        ("CoRR", path(&[&local, &fr, &rf])),
        ("an update that reads what is later", path(&[&update, &co, &rf])),
        ("an update that overwrites what is not next", path(&[&update, &fr, &co])),
    ])
}
