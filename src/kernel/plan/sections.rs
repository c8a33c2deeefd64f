//! Code that runs only when it can matter.
//!
//! The operand of an `empty` check is a union of alternatives, and an alternative is empty when one of its factors is: a
//! restriction to a set without members, a filter without edges. Where every alternative has factors that cost nothing to
//! look at (its *guards*), the code that only such checks need forms sections, which are skipped while every alternative has
//! an empty guard. Code that several checks share has a section of its own, with the guards of all of them.
//!
//! A skipped section's slots are out of date; the next time it runs, it runs in full. Whether they are up to date is itself
//! kept in a slot, so that undoing restores it. Slots of a section are read by its checks only, and by sections of some of the checks
//! that share it: these run only when it runs.

use super::code::{Check, Instr, Item, Section, SetSlot, Test};
use super::codegen::{Codegen, Wanted, reach};
use crate::algebra::{ExprId, FixId, Node, Predicate, Sort};
use crate::relation::bits::Bits;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// How deep guards are looked for.
const GUARD_DEPTH: u8 = 8;
/// How many alternatives an operand may have.
const MAX_ALTERNATIVES: usize = 8;

/// A search for a cycle costs as much as so many more nodes.
const SEARCH: usize = 6;

/// What several nodes may have their values from.
#[derive(PartialEq, Eq, Hash)]
enum Source {
    Closure(ExprId),
    Group(FixId),
}

/// For each alternative of an operand, its guards.
type Guards = Vec<Vec<ExprId>>;
/// A set of guarded checks, by number, and the nodes that these need and no others.
type Share = (Bits, Vec<bool>);
/// Guarded checks.
type Class = Vec<(Wanted, Guards)>;

impl Codegen<'_> {
    /// One schedule: the checks in increasing order of the code they need, each right after its code; the guarded ones at the end, but
    /// for those that need little code.
    /// `lasting`: whether the values of sections are kept up to date from one run to the next.
    pub(in crate::kernel) fn schedule(&mut self, mut wanted: Vec<Wanted>, lasting: bool) -> Vec<Item> {
        let conditions: Vec<_> = wanted.iter().flat_map(|w| w.conditions.iter().copied()).collect();
        self.mark(&conditions);
        let is_search = |w: &Wanted| w.conditions.iter().any(|on| on.predicate == Predicate::Acyclic);
        let cost = |w: &Wanted| self.below(w).iter().filter(|&&r| r).count() + if is_search(w) { SEARCH } else { 0 };
        wanted.sort_by_cached_key(|w| (cost(w), w.index));
        let (mut plain, mut guarded) = (Vec::new(), Vec::new());
        for w in wanted {
            match self.guards(&w, lasting) {
                Some(guards) => guarded.push((w, guards)),
                None => plain.push(w),
            }
        }
        let mut items = Vec::new();
        for at in 0..plain.len() {
            let cheap = self.take_cheap(&mut guarded, &plain[at..], &mut items);
            self.emit_sections(cheap, lasting, &mut items);
            self.emit_check(&plain[at], &mut items);
        }
        self.emit_sections(guarded, lasting, &mut items);
        items
    }

    /// Takes out the guarded checks that need less code than the next of the others, which is better done when they have failed.
    /// What they share with the rest is emitted.
    fn take_cheap(&mut self, guarded: &mut Class, others: &[Wanted], items: &mut Vec<Item>) -> Class {
        let count = |w: &Wanted| self.needs(w).iter().filter(|&&need| need).count();
        let limit = others.first().map_or(0, count);
        let cheap: Class = guarded.extract_if(.., |(w, _)| count(w) < limit).collect();
        let below_any = |checks: &mut dyn Iterator<Item = &Wanted>| {
            checks.fold(vec![false; self.pool.len()], |mut all, w| {
                all.iter_mut().zip(self.below(w)).for_each(|(a, b)| *a |= b);
                all
            })
        };
        let mut shared = below_any(&mut cheap.iter().map(|(w, _)| w));
        let rest = below_any(&mut others.iter().chain(guarded.iter().map(|(w, _)| w)));
        shared.iter_mut().zip(rest).for_each(|(a, b)| *a &= b);
        let mut code = Vec::new();
        self.emit_all(&shared, None, &mut code);
        items.extend(code.into_iter().map(Item::Do));
        cheap
    }

    /// The code of guarded checks: a section for the code that only one of them needs, with the check, and one for the code of each set of
    /// several. What is needed by more is evaluated before.
    fn emit_sections(&mut self, guarded: Class, lasting: bool, items: &mut Vec<Item>) {
        let mut code = Vec::new();
        for guard in guarded.iter().flat_map(|(_, guards)| guards.iter().flatten()) {
            self.emit_all(&reach(self.pool, &[*guard]), None, &mut code);
        }
        for (w, _) in &guarded {
            self.emit_fallible(&self.below(w), &mut code);
        }
        items.extend(code.into_iter().map(Item::Do));
        let outside = self.clone();
        for (users, nodes) in self.shares(&guarded) {
            let checks: Vec<&(Wanted, Guards)> = users.iter().map(|user| &guarded[user as usize]).collect();
            let mut code = Vec::new();
            self.emit_all(&nodes, None, &mut code);
            let mut body: Vec<Item> = code.into_iter().map(Item::Do).collect();
            if let [(w, _)] = checks[..] {
                self.emit_check(w, &mut body);
            }
            let alternatives = checks.iter().flat_map(|(_, guards)| guards);
            let guards = alternatives.map(|all| all.iter().map(|&x| self.place(x)).collect()).collect();
            let mut failures: Vec<SetSlot> =
                checks.iter().flat_map(|(w, _)| self.failures_below(&self.below(w))).collect();
            failures.sort_unstable_by_key(|slot| slot.0);
            failures.dedup();
            let valid = lasting.then(|| self.set_slot());
            items.push(Item::Section(Section { guards, failures, valid, body }));
        }
        let code = std::mem::take(&mut self.code);
        *self = outside;
        self.code = code;
    }

    /// By the set of guarded checks that need them, the nodes that are not evaluated yet; what more need first. There is one for each
    /// single check.
    fn shares(&self, guarded: &Class) -> Vec<Share> {
        let mut users: Vec<Bits> = vec![Bits::new(); self.pool.len()];
        for (user, (w, _)) in guarded.iter().enumerate() {
            let needs = self.needs(w).into_iter().zip(&mut users).filter(|(need, _)| *need);
            needs.for_each(|(_, users)| users.insert(user as u32));
        }
        // Nodes whose values come from the same code are evaluated in the same place.
        let mut first: FxHashMap<Source, usize> = FxHashMap::default();
        let source = |i: usize| match self.pool.node(ExprId::at(i)) {
            Node::Plus(a) | Node::Star(a) => Some(Source::Closure(*a)),
            Node::Fix(fix, _) => Some(Source::Group(*fix)),
            _ => None,
        };
        for i in 0..users.len() {
            if let Some(source) = source(i) {
                let at = *first.entry(source).or_insert(i);
                let own = users[i].clone();
                users[at].union_with(&own);
            }
        }
        let mut shares: BTreeMap<(Reverse<usize>, Vec<u32>), Share> = BTreeMap::new();
        let mut share = |users: &Bits, node: Option<usize>| {
            let key = (Reverse(users.len()), users.iter().collect());
            let (_, nodes) = shares.entry(key).or_insert_with(|| (users.clone(), vec![false; self.pool.len()]));
            node.into_iter().for_each(|node| nodes[node] = true);
        };
        for user in 0..guarded.len() as u32 {
            share(&Bits::from_iter([user]), None);
        }
        for i in 0..users.len() {
            let at = source(i).and_then(|source| first.get(&source)).copied().unwrap_or(i);
            if !users[at].is_empty() && !users[i].is_empty() {
                share(&users[at], Some(i));
            }
        }
        shares.into_values().collect()
    }

    /// The nodes below a check that have to be evaluated for it, and are not evaluated yet.
    fn needs(&self, wanted: &Wanted) -> Vec<bool> {
        let mut needs = self.below(wanted);
        for (i, need) in needs.iter_mut().enumerate() {
            let id = ExprId::at(i);
            let closure = matches!(self.pool.node(id), Node::Plus(_) | Node::Star(_));
            *need &= (self.is_slotted(id) || closure) && !self.places.contains_key(&id);
            *need &= !matches!(self.pool.node(id), Node::Base(_));
        }
        needs
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
        let fires_on_failure = w.role.wants_value();
        items.push(Item::Check(Check {
            index: w.index,
            tests,
            fires_when: w.fires_when(),
            fires_on_failure,
            failures,
        }));
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
}

/// One alternative in place of several: the guards that all of them have.
fn common(alternatives: &[Vec<ExprId>]) -> Guards {
    let Some((first, others)) = alternatives.split_first() else { return vec![Vec::new()] };
    vec![first.iter().copied().filter(|guard| others.iter().all(|other| other.contains(guard))).collect()]
}
