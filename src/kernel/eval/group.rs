//! Runs recursive groups.

use super::{Change, Eval};
use crate::kernel::plan::code::{Form, Group, Instr, Place, RelSlot, SetSlot, UNIVERSE, When};
use crate::kernel::row::{self, Row};

impl<const N: usize> Eval<'_, N> {
    pub(in crate::kernel) fn group(&mut self, group: &Group, full: bool) {
        let outer = std::mem::replace(&mut self.in_group, true);
        match &group.form {
            Form::Least { body } => self.least(group, body, full),
            Form::Exact { segments, when, failed } => {
                let fresh = !row::is_none(self.state.dirty::<N>(Place::Set(UNIVERSE)));
                if !full && !fresh && self.is_quiet(group) {
                    group.vars.iter().for_each(|&var| self.state.set_dirty(var, row::none::<N>(), false));
                    self.state.set_dirty(Place::Set(*failed), row::none::<N>(), false);
                    self.in_group = outer;
                    return;
                }
                let ok = self.exact(group, segments, when.as_ref());
                let value = if ok { row::none() } else { row::one::<N>(0) };
                self.state.write_set(*failed, &value);
                // It went through other values on its way: anything may be different now.
                let all: Row<N> = self.state.all_rows();
                group.vars.iter().for_each(|&var| self.state.set_dirty(var, all, true));
            }
        }
        self.in_group = outer;
    }

    /// Whether nothing that a group reads has changed.
    fn is_quiet(&self, group: &Group) -> bool {
        group.outer.iter().all(|&place| row::is_none(self.state.dirty::<N>(place)))
            && self.state.revalued.iter().all(|&w| w == 0)
    }

    fn clear(&mut self, place: Place) -> Change<N> {
        let mut change = Change::none();
        match place {
            Place::Set(slot) => {
                self.state.write_set(slot, &row::none::<N>());
                change.rows = *self.state.dirty(place);
            }
            Place::Rel(slot) => {
                for x in 0..self.state.high {
                    change.note(x, self.state.write(slot, x, &row::none::<N>()));
                }
            }
        }
        change
    }

    /// The least solution. Inputs that only grew leave the earlier solution below the new one, so the loop goes on from there;
    /// otherwise it starts again from nothing.
    fn least(&mut self, group: &Group, body: &[Instr], full: bool) {
        let changed = |eval: &Self, place: &Place| !row::is_none(eval.state.dirty::<N>(*place));
        let cold = full
            || group.outer.iter().any(|&place| self.state.has_shrunk(place))
            || group.outer_negative.iter().any(|place| changed(self, place));
        if !cold && self.is_quiet(group) {
            for &var in &group.vars {
                self.state.set_dirty(var, row::none::<N>(), false);
            }
            return;
        }
        let mut total = self.scratch.take();
        for &var in &group.vars {
            let change = if cold { self.clear(var) } else { Change::none() };
            total.extend(change.rows);
            self.state.set_dirty(var, change.rows, cold);
        }
        body.iter().for_each(|instr| self.execute(instr, cold));
        let mut saved = self.scratch.take();
        let mut first = true;
        let outer_rounds = self.state.rounds;
        while self.advance(group, cold && first, &mut total) {
            if first {
                // Changes outside have been taken into account: from now on only the variables change.
                for &place in &group.outer {
                    saved.extend(*self.state.dirty::<N>(place));
                    saved.push(u64::from(self.state.has_shrunk(place)));
                    self.state.set_dirty(place, row::none::<N>(), false);
                }
                first = false;
                self.state.rounds = true;
            }
            body.iter().for_each(|instr| self.execute(instr, false));
        }
        self.state.rounds = outer_rounds;
        if !first {
            for (&place, saved) in group.outer.iter().zip(saved.chunks_exact(N + 1)) {
                let mut rows = row::none::<N>();
                rows.copy_from_slice(&saved[..N]);
                self.state.set_dirty(place, rows, saved[N] != 0);
            }
        }
        for (&var, rows) in group.vars.iter().zip(total.as_chunks::<N>().0) {
            self.state.set_dirty(var, *rows, cold);
        }
        self.scratch.give(saved);
        self.scratch.give(total);
    }

    /// Gives every variable the value of its equation; tells whether any changed.
    fn advance(&mut self, group: &Group, all: bool, total: &mut [u64]) -> bool {
        let mut any = false;
        for (i, (&var, &body)) in group.vars.iter().zip(&group.bodies).enumerate() {
            let change = match (var, body) {
                (Place::Set(var), Place::Set(body)) => self.copy_set(var, body),
                (Place::Rel(var), Place::Rel(from)) => {
                    // A variable's own dirty rows are those of the round before last: they say nothing here.
                    let all = all || group.vars.contains(&body);
                    let rows = if all { self.state.all_rows() } else { *self.state.dirty(body) };
                    self.copy_rel(var, from, &rows)
                }
                _ => Change::none(),
            };
            any |= !row::is_none(&change.rows);
            self.state.set_dirty(var, change.rows, false);
            row::join(&mut total.as_chunks_mut::<N>().0[i], &change.rows);
        }
        any
    }

    fn copy_set(&mut self, to: SetSlot, from: SetSlot) -> Change<N> {
        let new = *self.state.set::<N>(from);
        self.state.write_set(to, &new);
        Change { rows: *self.state.dirty(Place::Set(to)), shrunk: false }
    }

    fn copy_rel(&mut self, to: RelSlot, from: RelSlot, rows: &Row<N>) -> Change<N> {
        let mut change = Change::none();
        for x in row::ones(rows) {
            let new: Row<N> = self.state.rel(from)[x];
            change.note(x, self.state.write(to, x, &new));
        }
        change
    }

    /// The loop of the language, round by round, with full evaluation. Tells whether it came to an end with its `when` test, if
    /// any, met in every round.
    fn exact(&mut self, group: &Group, segments: &[Vec<Instr>], when: Option<&When>) -> bool {
        for &var in &group.vars {
            self.clear(var);
        }
        // Brent's method, as in the plain evaluator: a state seen before comes back for ever.
        let (mut landmark, mut now) = (self.scratch.take(), self.scratch.take());
        self.gather(group, &mut landmark);
        let (mut round, mut next_landmark) = (0u64, 1u64);
        let ended = loop {
            let (mut within, mut failed) = (true, false);
            for ((segment, &var), &body) in segments.iter().zip(&group.vars).zip(&group.bodies) {
                failed |= self.fails(segment);
                within &= self.replace(var, body);
            }
            if let Some(when) = when {
                failed |= self.fails(&when.code) || self.holds(&when.test, true) == when.negated;
            }
            if failed {
                break false;
            }
            if within {
                break true;
            }
            now.clear();
            self.gather(group, &mut now);
            if now == landmark {
                break false;
            }
            round += 1;
            if round == next_landmark {
                next_landmark *= 2;
                std::mem::swap(&mut landmark, &mut now);
            }
        };
        self.scratch.give(now);
        self.scratch.give(landmark);
        ended
    }

    /// Runs code in full; tells whether a group in it failed.
    fn fails(&mut self, code: &[Instr]) -> bool {
        let mut failed = false;
        for instr in code {
            self.execute(instr, true);
            if let Instr::Group(group) = instr
                && let Form::Exact { failed: slot, .. } = group.form
            {
                failed |= !row::is_none(self.state.set::<N>(slot));
            }
        }
        failed
    }

    /// `var := body`; tells whether the new value is within the old one.
    fn replace(&mut self, var: Place, body: Place) -> bool {
        match (var, body) {
            (Place::Set(var), Place::Set(body)) => {
                let (new, old) = (*self.state.set::<N>(body), *self.state.set::<N>(var));
                self.state.write_set(var, &new);
                row::is_none(&row::minus(&new, &old))
            }
            (Place::Rel(var), Place::Rel(body)) => (0..self.state.high).fold(true, |within, x| {
                let (new, old): (Row<N>, Row<N>) = (self.state.rel(body)[x], self.state.rel(var)[x]);
                self.state.write(var, x, &new);
                within && row::is_none(&row::minus(&new, &old))
            }),
            _ => true,
        }
    }

    fn gather(&self, group: &Group, out: &mut Vec<u64>) {
        for &var in &group.vars {
            match var {
                Place::Set(slot) => out.extend(self.state.set::<N>(slot)),
                Place::Rel(slot) => out.extend(self.state.rel::<N>(slot).as_flattened()),
            }
        }
    }
}
