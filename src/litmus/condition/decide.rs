//! Conditions of which only some values are known.

use super::{Context, Prop, Term};
use crate::litmus::syntax::Comparison;

impl Context {
    /// Whether a proposition holds whatever the unknown values are; `None` when that depends on them.
    pub fn decides(&self, prop: &Prop, known: &[Option<u64>]) -> Option<bool> {
        let values: Vec<u64> = known.iter().map(|value| value.unwrap_or(0)).collect();
        let is_known = |term: &Term| match term {
            Term::Watch(i) => known.get(*i).is_some_and(Option::is_some),
            Term::Number(_) | Term::Address(_) => true,
        };
        let atom = |left: &Term, comparison, right: &Term| {
            (is_known(left) && is_known(right)).then(|| self.compare(left, comparison, right, &values))
        };
        self.decided(prop, &atom)
    }

    fn decided(&self, prop: &Prop, atom: &dyn Fn(&Term, Comparison, &Term) -> Option<bool>) -> Option<bool> {
        match prop {
            Prop::Constant(b) => Some(*b),
            Prop::Atom(left, comparison, right) => atom(left, *comparison, right),
            Prop::Array(_, equal, cells) => {
                let cells = cells.iter().map(|(watch, term)| atom(&Term::Watch(*watch), Comparison::Equal, term));
                all(cells).map(|same| same == *equal)
            }
            Prop::Not(inner) => self.decided(inner, atom).map(|b| !b),
            Prop::And(parts) => all(parts.iter().map(|p| self.decided(p, atom))),
            Prop::Or(parts) => all(parts.iter().map(|p| self.decided(p, atom).map(|b| !b))).map(|none| !none),
            Prop::Implies(parts) => {
                let Some((last, premises)) = parts.split_last() else { return Some(true) };
                let refuted = premises.iter().map(|p| self.decided(p, atom));
                let open = refuted.chain([self.decided(last, atom).map(|b| !b)]);
                all(open).map(|fails| !fails)
            }
        }
    }
}

/// Whether all hold: one that does not settles it, whatever is unknown.
fn all(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut known = Some(true);
    for part in parts {
        match part {
            Some(false) => return Some(false),
            Some(true) => {}
            None => known = None,
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::all;

    #[test]
    fn one_false_part_settles_a_conjunction() {
        assert_eq!(all([None, Some(false)].into_iter()), Some(false));
        assert_eq!(all([None, Some(true)].into_iter()), None);
        assert_eq!(all([Some(true), Some(true)].into_iter()), Some(true));
        assert_eq!(all(std::iter::empty()), Some(true));
    }
}
