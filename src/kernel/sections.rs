//! Code that runs only when it can matter.
//!
//! The operand of an `empty` check is a union of alternatives, and an alternative is empty when one of its factors is: a
//! restriction to a set without members, a filter without edges. Where every alternative has factors that cost nothing to
//! look at (its *guards*), the code that only such checks need forms a section, which is skipped while every alternative has
//! an empty guard. Checks that share code share a section.
//!
//! A skipped section's slots are out of date; the next time it runs, it runs in full. Whether they are up to date is itself
//! kept in a slot, so that undoing restores it. Slots of a section are not read from outside it.

use super::code::{Check, Instr, Item, Place, Section, SetSlot, Test};
use super::codegen::{Codegen, Wanted, reach};
use crate::algebra::{ExprId, Node, Predicate, Role, Sort};

/// How deep guards are looked for.
const GUARD_DEPTH: u8 = 8;
/// How many alternatives an operand may have.
const MAX_ALTERNATIVES: usize = 8;

/// For each alternative of an operand, its guards.
type Guards = Vec<Vec<ExprId>>;
/// Checks that share a section.
type Class = Vec<(Wanted, Guards)>;

impl Codegen<'_> {
    /// One schedule: the checks in increasing order of the code they need, each right after its code; then the guarded ones.
    /// `lasting`: whether the values of sections are kept up to date from one run to the next.
    pub(super) fn schedule(&mut self, mut wanted: Vec<Wanted>, lasting: bool) -> Vec<Item> {
        let conditions: Vec<_> = wanted.iter().flat_map(|w| w.conditions.iter().copied()).collect();
        self.mark(&conditions);
        wanted.sort_by_cached_key(|w| (self.below(w).iter().filter(|&&r| r).count(), w.index));
        let (mut plain, mut guarded) = (Vec::new(), Vec::new());
        for w in wanted {
            match self.guards(&w, lasting) {
                Some(guards) => guarded.push((w, guards)),
                None => plain.push(w),
            }
        }
        let mut items = Vec::new();
        for w in &plain {
            self.emit_check(w, &mut items);
        }
        let mut code = Vec::new();
        for guard in guarded.iter().flat_map(|(_, guards)| guards.iter().flatten()) {
            self.emit_all(&reach(self.pool, &[*guard]), None, &mut code);
        }
        for (w, _) in &guarded {
            self.emit_fallible(&self.below(w), &mut code);
        }
        items.extend(code.into_iter().map(Item::Do));
        for class in self.classes(guarded) {
            let outside = self.clone();
            let mut body = Vec::new();
            let mut guards = Vec::new();
            for (w, alternatives) in &class {
                self.emit_check(w, &mut body);
                guards.extend(alternatives.iter().map(|a| a.iter().map(|&x| self.place(x)).collect::<Vec<Place>>()));
            }
            let code = std::mem::take(&mut self.code);
            *self = outside;
            self.code = code;
            let valid = lasting.then(|| self.set_slot());
            let mut failures: Vec<SetSlot> =
                class.iter().flat_map(|(w, _)| self.failures_below(&self.below(w))).collect();
            failures.sort_unstable_by_key(|slot| slot.0);
            failures.dedup();
            items.push(Item::Section(Section { guards, failures, valid, body }));
        }
        items
    }

    fn below(&self, wanted: &Wanted) -> Vec<bool> {
        let roots: Vec<ExprId> = wanted.conditions.iter().map(|c| c.expr).collect();
        reach(self.pool, &roots)
    }

    /// Emits the groups that may fail: they have to be run for that, whether or not what is above them matters.
    fn emit_fallible(&mut self, below: &[bool], code: &mut Vec<Instr>) {
        let groups = (0..below.len()).filter(|&i| below[i]).map(ExprId::at);
        for id in groups.filter(|&id| self.may_fail(id) && self.is_closed(id)).collect::<Vec<_>>() {
            self.emit_all(&reach(self.pool, &[id]), None, code);
        }
    }

    fn emit_check(&mut self, w: &Wanted, items: &mut Vec<Item>) {
        let below = self.below(w);
        let mut code: Vec<Instr> = Vec::new();
        self.emit_all(&below, None, &mut code);
        items.extend(code.into_iter().map(Item::Do));
        let failures = self.failures_below(&below);
        let tests: Vec<Test> = w.conditions.iter().map(|&c| self.test(c)).collect();
        // A flag speaks up when its condition is met; any other check when it is not, `~` turning that around.
        let fires_when = (w.role == Role::Flag) != w.negated;
        let fires_on_failure = w.role == Role::Require;
        items.push(Item::Check(Check { index: w.index, tests, fires_when, fires_on_failure, failures }));
    }

    /// For each alternative of a check's operands, its guards; nothing when an alternative has none, or when the check is of
    /// another kind. On a complete execution (not `lasting`) base names that occur in the program rarely are empty: there
    /// only sets that leave something out guard anything.
    fn guards(&self, w: &Wanted, lasting: bool) -> Option<Guards> {
        if w.conditions.is_empty() || w.conditions.iter().any(|c| c.predicate != Predicate::Empty) {
            return None;
        }
        let mut all = Vec::new();
        for condition in &w.conditions {
            all.extend(self.alternatives(condition.expr, 0));
        }
        for guards in &mut all {
            guards.retain(|&guard| lasting || self.is_selective(guard));
            guards.sort_unstable();
            guards.dedup();
        }
        all.iter().all(|guards| !guards.is_empty()).then_some(all)
    }

    /// The alternatives of an expression, each with factors that are free to look at and whose emptiness makes it empty.
    fn alternatives(&self, id: ExprId, depth: u8) -> Guards {
        let pool = self.pool;
        let unknown = || vec![Vec::new()];
        if self.is_free(id) && !matches!(pool.node(id), Node::Universe) {
            return vec![vec![id]];
        }
        if depth >= GUARD_DEPTH {
            return unknown();
        }
        let product = |xs: &[ExprId]| {
            xs.iter().map(|&x| self.alternatives(x, depth + 1)).fold(unknown(), |all, more| {
                let more = if all.len() * more.len() > MAX_ALTERNATIVES { common(&more) } else { more };
                all.iter().flat_map(|a| more.iter().map(move |b| a.iter().chain(b).copied().collect())).collect()
            })
        };
        match pool.node(id) {
            Node::Union(xs) => {
                let each: Vec<_> = xs.iter().map(|&x| self.alternatives(x, depth + 1)).collect();
                let total: usize = each.iter().map(Vec::len).sum();
                let shorter = |alternatives: &Vec<_>| {
                    if total > MAX_ALTERNATIVES { common(alternatives) } else { alternatives.to_vec() }
                };
                each.iter().flat_map(shorter).collect()
            }
            Node::Inter(xs) | Node::Seq(xs) => product(xs),
            Node::Product(a, b) => product(&[*a, *b]),
            Node::Diff(a, _) | Node::Plus(a) | Node::DifferentValues(a) | Node::IdOn(a) => {
                self.alternatives(*a, depth + 1)
            }
            _ => unknown(),
        }
    }

    /// Whether a guard is a set made by leaving something out.
    fn is_selective(&self, guard: ExprId) -> bool {
        let below = reach(self.pool, &[guard]);
        let selects = |i: usize| below[i] && matches!(self.pool.node(ExprId::at(i)), Node::Diff(..) | Node::Inter(_));
        self.pool.sort(guard) == Sort::Set && (0..below.len()).any(selects)
    }

    /// An input, or a set made of input sets and the ends of input relations.
    fn is_free(&self, id: ExprId) -> bool {
        if self.pool.sort(id) == Sort::Rel && !matches!(self.pool.node(id), Node::Base(_) | Node::Inverse(_)) {
            return false;
        }
        let below = reach(self.pool, &[id]);
        let input = |id: ExprId| match self.pool.node(id) {
            Node::Base(_) => true,
            Node::Inverse(a) => matches!(self.pool.node(*a), Node::Base(_)),
            Node::Var(_) | Node::Fix(..) => false,
            _ => self.pool.sort(id) == Sort::Set,
        };
        (0..below.len()).filter(|&i| below[i]).all(|i| input(ExprId::at(i)))
    }

    /// Groups the guarded checks that share code not emitted yet.
    fn classes(&self, guarded: Class) -> Vec<Class> {
        let mut classes: Vec<(Vec<bool>, Class)> = Vec::new();
        for (w, guards) in guarded {
            let mut needs = self.below(&w);
            for (i, need) in needs.iter_mut().enumerate() {
                let id = ExprId::at(i);
                let closure = matches!(self.pool.node(id), Node::Plus(_) | Node::Star(_));
                *need &= (self.is_slotted(id) || closure) && !self.places.contains_key(&id);
                *need &= !matches!(self.pool.node(id), Node::Base(_));
            }
            let mut members = vec![(w, guards)];
            let (sharing, others): (Vec<_>, Vec<_>) =
                classes.into_iter().partition(|(other, _)| other.iter().zip(&needs).any(|(a, b)| *a && *b));
            classes = others;
            for (other, more) in sharing {
                needs.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
                members.extend(more);
            }
            members.sort_by_key(|(w, _)| w.index);
            classes.push((needs, members));
        }
        classes.into_iter().map(|(_, members)| members).collect()
    }
}

/// One alternative in place of several: the guards that all of them have.
fn common(alternatives: &[Vec<ExprId>]) -> Guards {
    let Some((first, others)) = alternatives.split_first() else { return vec![Vec::new()] };
    vec![first.iter().copied().filter(|guard| others.iter().all(|other| other.contains(guard))).collect()]
}
