//! What a [`Session`](super::session::Session) executes: a model compiled for a program at hand.

use crate::algebra::analyse::{Analysis, describe};
use crate::algebra::simplify::{Condition, Simplified, simplify};
use crate::algebra::{Base, ExprId, Model, Node, Pool, Predicate, Role, Sort};

/// A base name whose value the session has to be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// As the model spells it.
    pub name: String,
    /// Set or relation.
    pub sort: Sort,
}

/// When a check can be decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Once violated on a part of an execution, violated on every extension: usable for pruning.
    Prune,
    /// Decided on complete executions only.
    FinalOnly,
    /// Decided without looking at the execution: whether the condition always holds or always fails.
    Vanished {
        /// The truth of the condition, its `~` included.
        holds: bool,
    },
}

/// What the analysis found out about a check.
#[derive(Clone, Debug)]
pub struct CheckInfo {
    /// When it can be decided.
    pub kind: Kind,
    /// Why, in words.
    pub reason: String,
}

/// A check as the session evaluates it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    pub role: Role,
    pub condition: Condition,
    pub negated: bool,
}

/// A compiled model: immutable, shared between workers.
pub struct Plan {
    inputs: Vec<Input>,
    checks: Vec<CheckInfo>,
    porf_acyclic: bool,
    pub(super) tests: Vec<Test>,
    pub(super) pool: Pool,
}

impl Plan {
    /// Compiles a model. `present(base)`: can this base name be non-empty in the program at hand? Absent ones are replaced by
    /// the empty set or relation and simplified away. `holes`: may events be added po-before existing ones? That weakens what
    /// can be proved of the checks.
    pub fn compile(model: &Model, present: &dyn Fn(&Base) -> bool, holes: bool) -> Plan {
        let Simplified { pool, conditions } = simplify(model, present);
        let tests: Vec<Test> = model
            .checks
            .iter()
            .zip(conditions)
            .map(|(check, condition)| Test { role: check.role, condition, negated: check.negated })
            .collect();
        let analysis = Analysis::new(&pool, holes);
        let checks: Vec<CheckInfo> = tests.iter().map(|test| classify(&pool, &analysis, test)).collect();
        let acyclic: Vec<ExprId> = tests
            .iter()
            .zip(&checks)
            .filter(|(test, info)| {
                info.kind == Kind::Prune && !test.negated && test.condition.predicate == Predicate::Acyclic
            })
            .map(|(test, _)| test.condition.expr)
            .collect();
        let porf_acyclic = analysis.orders_po_and_rf(&acyclic);
        let inputs = used_bases(&pool, &tests);
        Plan { inputs, checks, porf_acyclic, tests, pool }
    }

    /// Base names actually needed, in input order.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// What is known of each check; the index is that in [`Model::checks`].
    pub fn checks(&self) -> &[CheckInfo] {
        &self.checks
    }

    /// Whether some pruning check provably keeps `po | rf` acyclic.
    pub fn implies_porf_acyclic(&self) -> bool {
        self.porf_acyclic
    }
}

fn classify(pool: &Pool, analysis: &Analysis, test: &Test) -> CheckInfo {
    let Condition { predicate, expr } = test.condition;
    if matches!(pool.node(expr), Node::Empty(_)) {
        let reason = "its operand is empty in this program".into();
        return CheckInfo { kind: Kind::Vanished { holds: !test.negated }, reason };
    }
    if test.role != Role::Require {
        let reason = "reported on complete executions; it rejects none".into();
        return CheckInfo { kind: Kind::FinalOnly, reason };
    }
    if test.negated {
        let reason = "a negated test: more events can make it hold".into();
        return CheckInfo { kind: Kind::FinalOnly, reason };
    }
    match analysis.monotone(expr) {
        Ok(()) => CheckInfo { kind: Kind::Prune, reason: describe(predicate).into() },
        Err(why) => CheckInfo { kind: Kind::FinalOnly, reason: format!("depends on {why}") },
    }
}

/// The base names below the checks that have not vanished.
fn used_bases(pool: &Pool, tests: &[Test]) -> Vec<Input> {
    let mut used = vec![false; pool.len()];
    for test in tests {
        used[test.condition.expr.index()] = true;
    }
    let mut inputs = Vec::new();
    for i in (0..pool.len()).rev() {
        if !used[i] {
            continue;
        }
        let id = ExprId::at(i);
        match pool.node(id) {
            Node::Base(base) => {
                let Base { name, sort } = pool.bases()[base.index()].clone();
                inputs.push(Input { name, sort });
            }
            Node::Fix(fix, _) => {
                let group = pool.fix(*fix);
                for body in group.bodies.iter().chain(group.when.iter().map(|w| &w.2)) {
                    used[body.index()] = true;
                }
            }
            _ => pool.operands(id).into_iter().for_each(|x| used[x.index()] = true),
        }
    }
    inputs.reverse();
    inputs
}
