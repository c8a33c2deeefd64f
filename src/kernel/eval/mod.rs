//! Runs instructions: brings each slot up to date from what has changed in the slots that it reads.
//!
//! # What is recomputed
//!
//! A *full* run computes every row of every slot. A *delta* run relies on the slots being right for an earlier state of the
//! inputs, and on `dirty` holding, for every slot written since, the rows (members) that changed. An instruction then works
//! out which of its own rows can have changed, recomputes those, and records which did.
//!
//! For a chain `s1 ; … ; sn` that set is found from the right: `A(i)` is the set of events from which `si ; … ; sn` can lead
//! elsewhere than before; `A(n+1)` is the new events (their identity is new), and a relation `s` contributes its dirty rows
//! and every event from which it leads into `A(i+1)`. An edge into an event that is *new* is itself new, so its row is dirty
//! already: only the old events of `A(i+1)` need to be searched for. Mostly there are none, and nothing is searched.
//!
//! [`closure`], [`group`]: closures and recursive groups; [`cycles`], [`order`]: cycle checks; [`gains`]: the words of wide rows that can have changed.

pub mod closure;
pub mod cycles;
pub mod gains;
pub mod group;
pub mod order;

use super::plan::code::{Chain, Check, Instr, Item, Operand, Place, RelSlot, Section, SetSlot, Step, Test, UNIVERSE};
use super::plan::wake::Wake;
use super::row::{self, NARROW, Row};
use super::state::State;
use crate::algebra::Predicate;

/// Buffers that instructions borrow, kept between runs.
#[derive(Default)]
pub(super) struct Scratch {
    buffers: Vec<Vec<u64>>,
    /// The path of a depth-first search.
    pub(super) path: Vec<u32>,
}

impl Scratch {
    pub(super) fn take(&mut self) -> Vec<u64> {
        let mut buffer = self.buffers.pop().unwrap_or_default();
        buffer.clear();
        buffer
    }

    pub(super) fn give(&mut self, buffer: Vec<u64>) {
        self.buffers.push(buffer);
    }
}

/// A run over a session's state with rows of `N` words.
pub(super) struct Eval<'a, const N: usize> {
    pub(super) state: &'a mut State,
    pub(super) scratch: &'a mut Scratch,
    /// Whether a recursive group is being run, where `dirty` is what changed in one round.
    pub(super) in_group: bool,
}

/// Rows that changed and whether any of them lost something.
#[derive(Clone, Copy)]
pub(super) struct Change<const N: usize> {
    pub rows: Row<N>,
    pub shrunk: bool,
}

impl<const N: usize> Change<N> {
    pub(super) fn none() -> Self {
        Change { rows: row::none(), shrunk: false }
    }

    #[inline]
    pub(super) fn note(&mut self, x: usize, (changed, shrunk): (bool, bool)) {
        if changed {
            row::insert(&mut self.rows, x);
            self.shrunk |= shrunk;
        }
    }
}

impl<const N: usize> Eval<'_, N> {
    /// Runs a schedule; stops at the first check that speaks up and is accepted by `stop`.
    pub(super) fn run(&mut self, items: &[Item], full: bool, stop: &mut dyn FnMut(usize) -> bool) -> Option<usize> {
        items.iter().find_map(|item| self.item(item, full, stop))
    }

    /// The same for what has changed. Items none of whose slots has changed are skipped.
    pub(super) fn run_changed(
        &mut self,
        items: &[Item],
        wakes: &[Wake],
        stop: &mut dyn FnMut(usize) -> bool,
    ) -> Option<usize> {
        for (item, wake) in items.iter().zip(wakes) {
            if wake.meets(&self.state.touched)
                && let Some(found) = self.item(item, false, stop)
            {
                return Some(found);
            }
        }
        None
    }

    #[inline]
    fn item(&mut self, item: &Item, full: bool, stop: &mut dyn FnMut(usize) -> bool) -> Option<usize> {
        match item {
            Item::Do(instr) => {
                self.execute(instr, full);
                None
            }
            Item::Check(check) => (self.fires(check, full) && stop(check.index)).then_some(check.index),
            Item::Section(section) => self.section(section, full, stop),
        }
    }

    /// Runs a section, unless it is idle. From [`NARROW`] words on it never is: to bring it up to date all at once, each time that one of many choices
    /// ends its idleness, would cost more than to keep it up to date.
    fn section(&mut self, section: &Section, full: bool, stop: &mut dyn FnMut(usize) -> bool) -> Option<usize> {
        let idle = N < NARROW
            && section.guards.iter().all(|guards| guards.iter().any(|&place| self.is_empty(place)))
            && section.failures.iter().all(|&slot| self.is_empty(Place::Set(slot)));
        let was_valid = section.valid.is_some_and(|slot| !row::is_none(self.state.set::<N>(slot)));
        if let Some(slot) = section.valid
            && was_valid == idle
        {
            let flag = if idle { row::none() } else { row::one::<N>(0) };
            self.state.write_set(slot, &flag);
        }
        if !idle {
            return self.run(&section.body, full || !was_valid, stop);
        }
        // Every operand is empty: the tests hold.
        section.body.iter().find_map(|item| match item {
            Item::Check(check) if check.fires_when && stop(check.index) => Some(check.index),
            _ => None,
        })
    }

    fn is_empty(&self, place: Place) -> bool {
        match place {
            Place::Set(slot) => row::is_none(self.state.set::<N>(slot)),
            Place::Rel(slot) => self.state.rel::<N>(slot).iter().all(row::is_none),
        }
    }

    pub(super) fn execute(&mut self, instr: &Instr, full: bool) {
        match instr {
            Instr::Rows { out, chains } => self.compute(*out, chains, full),
            Instr::Plus { out, of } => self.plus(*out, *of, full),
            Instr::Transpose { out, of } => self.transpose(*out, *of, full),
            Instr::Domain { out, of } => self.domain(*out, *of, full),
            Instr::Union { out, of } => {
                self.combine(*out, of, full, |state| {
                    of.iter().fold(row::none(), |all, s| row::or(&all, state.set(*s)))
                });
            }
            Instr::Inter { out, of } => {
                self.combine(*out, of, full, |state| {
                    of.iter().fold(*state.set(UNIVERSE), |all, s| row::and(&all, state.set(*s)))
                });
            }
            Instr::Minus { out, from, not } => {
                self.combine(*out, &[*from, *not], full, |state| row::minus(state.set(*from), state.set(*not)));
            }
            Instr::Group(group) => self.group(group, full),
        }
    }

    #[inline]
    pub(super) fn dirty_rel(&self, slot: RelSlot) -> &Row<N> {
        self.state.dirty(Place::Rel(slot))
    }

    #[inline]
    pub(super) fn dirty_set(&self, slot: SetSlot) -> &Row<N> {
        self.state.dirty(Place::Set(slot))
    }

    fn combine(&mut self, out: SetSlot, of: &[SetSlot], full: bool, value: impl Fn(&State) -> Row<N>) {
        if full || of.iter().any(|&s| !row::is_none(self.dirty_set(s))) {
            let new = value(self.state);
            self.state.write_set(out, &new);
        } else {
            self.state.set_dirty(Place::Set(out), row::none::<N>(), false);
        }
    }

    /// The rows of a union of chains that can have changed (all rows of events in a full run).
    #[inline]
    pub(super) fn affected(&self, chains: &[Chain], full: bool) -> Row<N> {
        if full {
            return *self.state.set(UNIVERSE);
        }
        chains.iter().fold(row::none(), |all, chain| row::or(&all, &self.affected_by(chain)))
    }

    /// The rows of one chain that have to be looked at.
    #[inline]
    pub(super) fn todo(&self, chain: &Chain, full: bool) -> Row<N> {
        if full { *self.state.set(UNIVERSE) } else { self.affected_by(chain) }
    }

    /// Whether a chain gained nothing but edges from new events to older ones, and lost nothing; then none of them is on a cycle.
    #[inline]
    pub(super) fn gained_only_sources(&self, chain: &Chain) -> bool {
        let state = &*self.state;
        !(self.in_group || state.any_shrunk) && chain.sources.is_some_and(|slots| !slots.meets(&state.entered))
    }

    #[inline]
    pub(super) fn affected_by(&self, chain: &Chain) -> Row<N> {
        let fresh = *self.dirty_set(UNIVERSE);
        if self.gained_only_sources(chain) {
            return fresh;
        }
        let mut rows = fresh;
        for step in chain.steps.iter().rev() {
            match *step {
                Step::Rel { slot, opt } => {
                    let mut before = *self.dirty_rel(slot);
                    let old = row::minus(&rows, &fresh);
                    if !row::is_none(&old) {
                        row::join(&mut before, &self.state.reaching(slot, &old, self.state.set(UNIVERSE)));
                    }
                    if opt {
                        row::join(&mut before, &rows);
                    }
                    rows = before;
                }
                Step::Mask(set) => rows = row::or(&row::and(&rows, self.state.set(set)), self.dirty_set(set)),
                Step::Jump(set) => {
                    let touched = row::meets(&rows, self.state.set(set)) || !row::is_none(self.dirty_set(set));
                    // A new event jumps, too.
                    rows = if touched { *self.state.set(UNIVERSE) } else { fresh };
                }
            }
        }
        for &slot in chain.and.iter().chain(&chain.not) {
            // Edges that touch new events let through or stop nothing that was there before, and what is new is among `rows`.
            if self.in_group || self.state.is_loose(slot) || self.state.has_shrunk(Place::Rel(slot)) {
                row::join(&mut rows, self.dirty_rel(slot));
            }
        }
        if chain.differ && self.revalued_old(&fresh) {
            rows = *self.state.set(UNIVERSE);
        }
        rows
    }

    pub(super) fn revalued_old(&self, fresh: &Row<N>) -> bool {
        self.state.revalued.iter().zip(fresh).any(|(r, f)| r & !f != 0)
    }

    /// Row `x` of a union of chains.
    #[inline]
    pub(super) fn row_of(&self, chains: &[Chain], x: usize) -> Row<N> {
        chains.iter().fold(row::none(), |all, chain| row::or(&all, &self.chain_row(chain, x)))
    }

    #[inline]
    pub(super) fn chain_row(&self, chain: &Chain, x: usize) -> Row<N> {
        let state = &*self.state;
        if let ([Step::Rel { slot, opt: false }], [], [], false) =
            (&chain.steps[..], &chain.and[..], &chain.not[..], chain.differ)
        {
            return state.rel(*slot)[x];
        }
        let mut allowed = [!0; N];
        for &slot in &chain.and {
            allowed = row::and(&allowed, &state.rel(slot)[x]);
        }
        for &slot in &chain.not {
            allowed = row::minus(&allowed, &state.rel(slot)[x]);
        }
        if row::is_none(&allowed) {
            return row::none();
        }
        let Some(at) = self.walk(&chain.steps, x) else { return row::none() };
        let reached = row::and(&at.unwrap_or_else(|| row::one(x)), &allowed);
        if chain.differ { state.differing(x, &reached) } else { reached }
    }

    /// The events that some steps lead to from `x`; `Some(None)` while that is `x` alone, so that the first relation is a plain row, and nothing
    /// when there are none.
    #[inline]
    pub(super) fn walk(&self, steps: &[Step], x: usize) -> Option<Option<Row<N>>> {
        let state = &*self.state;
        let mut at: Option<Row<N>> = None;
        for step in steps {
            let next = match (*step, &at) {
                (Step::Rel { slot, opt }, None) => {
                    let mut next = state.rel(slot)[x];
                    if opt {
                        row::insert(&mut next, x);
                    }
                    next
                }
                (Step::Rel { slot, opt }, Some(at)) => {
                    let rows = state.rel(slot);
                    let mut next = if opt { *at } else { row::none() };
                    row::ones(at).for_each(|y| row::join(&mut next, &rows[y]));
                    next
                }
                (Step::Mask(set), None) => {
                    if !row::has(state.set::<N>(set), x) {
                        return None;
                    }
                    continue;
                }
                (Step::Mask(set), Some(at)) => row::and(at, state.set(set)),
                (Step::Jump(set), _) => *state.set(set),
            };
            if row::is_none(&next) {
                return None;
            }
            at = Some(next);
        }
        Some(at)
    }

    /// The events that some steps lead to from others.
    pub(super) fn walk_on(&self, steps: &[Step], from: &Row<N>) -> Row<N> {
        let state = &*self.state;
        let mut at = *from;
        for step in steps {
            at = match *step {
                Step::Rel { slot, opt } => {
                    let rows = state.rel::<N>(slot);
                    let mut next = if opt { at } else { row::none() };
                    row::ones(&at).for_each(|y| row::join(&mut next, &rows[y]));
                    next
                }
                Step::Mask(set) => row::and(&at, state.set(set)),
                Step::Jump(_) if row::is_none(&at) => return at,
                Step::Jump(set) => *state.set(set),
            };
        }
        at
    }

    #[inline]
    fn compute(&mut self, out: RelSlot, chains: &[Chain], full: bool) {
        let mut change = Change::none();
        if !full && self.only_grows(chains) {
            let fresh = *self.dirty_set(UNIVERSE);
            for x in row::ones(&fresh) {
                let new = row::or(&self.row_of(chains, x), &self.state.rel(out)[x]);
                change.note(x, self.state.write(out, x, &new));
            }
            let mut gained = self.scratch.take();
            for chain in chains {
                if self.gained_only_sources(chain) {
                    continue;
                }
                if N >= NARROW && self.gained(chain, &mut gained) {
                    for (sources, targets) in gains::pairs::<N>(&gained) {
                        for k in row::filled(targets) {
                            let more = |state: &State, x| gains::let_through::<N>(state, chain, x, k, targets[k]);
                            row::join(&mut change.rows, &self.state.gain(out, k, sources, more));
                        }
                    }
                    continue;
                }
                let todo = row::minus(&self.affected_by(chain), &fresh);
                for x in row::ones(&todo) {
                    let new = row::or(&self.chain_row(chain, x), &self.state.rel(out)[x]);
                    change.note(x, self.state.write(out, x, &new));
                }
            }
            self.scratch.give(gained);
        } else {
            let todo = self.affected(chains, full);
            for x in row::ones(&todo) {
                let new = self.row_of(chains, x);
                change.note(x, self.state.write(out, x, &new));
            }
            if full {
                self.blank_others(out, &todo, &mut change);
            }
        }
        self.state.set_dirty(Place::Rel(out), change.rows, change.shrunk);
    }

    /// Whether a union of chains is certain to have lost nothing, so that what its chains have now can be added to what it was:
    /// no slot shrank, nothing is subtracted that was not before (unless it touches new events), no old value changed.
    #[inline]
    fn only_grows(&self, chains: &[Chain]) -> bool {
        if self.state.any_shrunk {
            return false;
        }
        let fresh = self.dirty_set(UNIVERSE);
        chains.iter().all(|chain| {
            chain.not.iter().all(|&slot| match self.in_group {
                true => row::is_none(&row::minus(self.dirty_rel(slot), fresh)),
                false => !self.state.is_loose(slot),
            }) && !(chain.differ && self.revalued_old(fresh))
        })
    }

    /// Empties the rows of `out` outside `rows`: a scratch slot holds whatever it was last used for.
    fn blank_others(&mut self, out: RelSlot, rows: &Row<N>, change: &mut Change<N>) {
        for x in row::ones(&row::minus(&self.state.all_rows(), rows)) {
            change.note(x, self.state.write(out, x, &row::none::<N>()));
        }
    }

    fn domain(&mut self, out: SetSlot, of: RelSlot, full: bool) {
        let universe = *self.state.set(UNIVERSE);
        let todo = if full { universe } else { *self.dirty_rel(of) };
        let mut new: Row<N> = if full { row::none() } else { *self.state.set(out) };
        for x in row::ones(&todo) {
            if self.state.rel::<N>(of)[x].iter().all(|&word| word == 0) {
                row::remove(&mut new, x);
            } else {
                row::insert(&mut new, x);
            }
        }
        self.state.write_set(out, &new);
    }

    /// Whether a check speaks up: a required one is violated, a flag is raised.
    pub(super) fn fires(&mut self, check: &Check, full: bool) -> bool {
        if check.failures.iter().any(|&slot| !row::is_none(self.state.set::<N>(slot))) {
            return check.fires_on_failure;
        }
        check.tests.iter().all(|test| self.holds(test, full)) == check.fires_when
    }

    /// Whether a predicate holds, given (unless in a full run) that it held before the last changes.
    pub(super) fn holds(&mut self, test: &Test, full: bool) -> bool {
        match (&test.of, test.predicate) {
            (Operand::Set(set), Predicate::Empty) => row::is_none(self.state.set::<N>(*set)),
            (Operand::Set(_), _) => true,
            (Operand::Rows(chains), Predicate::Empty) => !chains.iter().any(|chain| self.has_edge(chain, full, false)),
            (Operand::Rows(chains), Predicate::Irreflexive) => !chains
                .iter()
                .any(|chain| (full || !self.gained_only_sources(chain)) && self.has_edge(chain, full, true)),
            (Operand::Rows(chains), Predicate::Acyclic) => !self.has_cycle(chains, full, test.order),
        }
    }

    /// Whether a chain has an edge, or one from an event to itself; unless in a full run, given that it had none before the last changes.
    fn has_edge(&mut self, chain: &Chain, full: bool, reflexive: bool) -> bool {
        let mut gained = self.scratch.take();
        let is_known = !full && N >= NARROW && self.gained(chain, &mut gained);
        let todo = if is_known { *self.dirty_set(UNIVERSE) } else { self.todo(chain, full) };
        let is_asked = |x: usize, row: &Row<N>| if reflexive { row::has(row, x) } else { !row::is_none(row) };
        let found = row::ones(&todo).any(|x| is_asked(x, &self.chain_row(chain, x)))
            || gains::pairs::<N>(&gained).any(|(sources, targets)| {
                let is_through = |x: usize, k: usize, some: u64| {
                    gains::let_through::<N>(self.state, chain, x, k, targets[k] & some) != 0
                };
                match reflexive {
                    true => row::ones(&row::and(sources, targets)).any(|x| is_through(x, x / 64, 1 << (x % 64))),
                    false => {
                        let words = row::filled(targets);
                        row::ones(sources).any(|x| words.iter().any(|&k| is_through(x, k, !0)))
                    }
                }
            });
        self.scratch.give(gained);
        found
    }
}
