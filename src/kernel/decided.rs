//! What is decided at the end of an execution, and whether that lets the last event of a thread be replaced.

use super::plan::codegen::Wanted;
use super::small::Numbered;
use crate::algebra::facts::renew::AtEnd;
use crate::algebra::simplify::Condition;
use crate::algebra::{Pool, Role};

/// What is decided at the end of an execution.
#[derive(Clone)]
pub(super) enum Decided {
    /// Everything prunes.
    Nothing,
    /// Conditions that are to hold.
    Plain(Box<AtEnd>),
    /// Something else, too.
    Otherwise,
}

impl Decided {
    /// Of checks that prune, and of those that are decided at the end.
    pub(super) fn new(pool: &Pool, partial: &[Wanted], last: &[Wanted]) -> Decided {
        if last.is_empty() {
            return Decided::Nothing;
        }
        let conditions = |all: &[Wanted]| -> Option<Vec<Condition>> {
            Some(plain_conditions(all)?.into_iter().map(|(_, on)| on).collect())
        };
        let others = conditions(partial).unwrap_or_default();
        match conditions(last) {
            Some(last) => Decided::Plain(Box::new(AtEnd::new(pool, last, others.into_iter()))),
            None => Decided::Otherwise,
        }
    }

    /// See [`super::plan::Plan::renews_last`].
    pub(super) fn renews_last(&self, is_in: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Decided::Nothing => true,
            Decided::Plain(at_end) => at_end.renews_last(is_in),
            Decided::Otherwise => false,
        }
    }
}

/// The conditions of checks that are violated when one of theirs is not met, and by nothing else.
pub(super) fn plain_conditions(checks: &[Wanted]) -> Option<Vec<Numbered>> {
    let is_plain = |w: &Wanted| w.role == Role::Require && !w.negated && !w.conditions.is_empty();
    let all = checks.iter().flat_map(|w| w.conditions.iter().map(|&on| (w.index, on)));
    checks.iter().all(is_plain).then(|| all.collect())
}
