//! Converses and transitive closures.

use super::{Change, Eval};
use crate::kernel::plan::code::{Place, RelSlot, UNIVERSE};
use crate::kernel::row::{self, Row};

impl<const N: usize> Eval<'_, N> {
    pub(in crate::kernel) fn transpose(&mut self, out: RelSlot, of: RelSlot, full: bool) {
        let todo = *self.dirty_rel(of);
        let mut change = Change::none();
        if !full && !self.state.has_shrunk(Place::Rel(of)) {
            let fresh = *self.dirty_set(UNIVERSE);
            let tight = !self.state.is_loose(of);
            for x in row::ones(&todo) {
                let mut targets = self.state.rel::<N>(of)[x];
                if tight && !row::has(&fresh, x) {
                    targets = row::and(&targets, &fresh);
                }
                for y in row::ones(&targets) {
                    let mut new: Row<N> = self.state.rel(out)[y];
                    row::insert(&mut new, x);
                    change.note(y, self.state.write(out, y, &new));
                }
            }
        } else {
            let mut buffer = self.scratch.take();
            buffer.resize(self.state.high * N, 0);
            let turned = buffer.as_chunks_mut::<N>().0;
            for x in row::ones(self.state.set::<N>(UNIVERSE)) {
                for y in row::ones(&self.state.rel::<N>(of)[x]) {
                    row::insert(&mut turned[y], x);
                }
            }
            self.store(out, &buffer, &mut change);
            self.scratch.give(buffer);
        }
        self.state.set_dirty(Place::Rel(out), change.rows, change.shrunk);
    }

    /// Replaces all rows of a slot.
    fn store(&mut self, out: RelSlot, buffer: &[u64], change: &mut Change<N>) {
        for (x, new) in buffer.as_chunks::<N>().0.iter().enumerate() {
            change.note(x, self.state.write(out, x, new));
        }
    }

    pub(in crate::kernel) fn plus(&mut self, out: RelSlot, of: RelSlot, full: bool) {
        let mut change = Change::none();
        if full || self.state.has_shrunk(Place::Rel(of)) {
            let mut buffer = self.scratch.take();
            buffer.extend(self.state.rel::<N>(of).as_flattened());
            close(buffer.as_chunks_mut::<N>().0, self.state.set(UNIVERSE));
            self.store(out, &buffer, &mut change);
            self.scratch.give(buffer);
        } else {
            self.extend_closure(out, of, &mut change);
        }
        self.state.set_dirty(Place::Rel(out), change.rows, change.shrunk);
    }

    /// Adds the new edges of `of` to its closure `out`, the edges of one source at a time: all that reaches the source
    /// reaches what its new targets reach. After each source, `out` is transitively closed again.
    fn extend_closure(&mut self, out: RelSlot, of: RelSlot, change: &mut Change<N>) {
        let fresh = *self.dirty_set(UNIVERSE);
        let mut entered = row::none::<N>();
        let tight = !self.state.is_loose(of);
        let mut todo = *self.dirty_rel(of);
        // The largest first: events that were added late are behind the others more often than not, and what reaches them gains the
        // same from them at once.
        while let Some(x) = row::last(&todo) {
            row::remove(&mut todo, x);
            let closure = self.state.rel::<N>(out);
            let (now, before) = (&self.state.rel::<N>(of)[x], &closure[x]);
            if tight && !row::has(&fresh, x) && (0..N).all(|k| fresh[k] & now[k] & !before[k] == 0) {
                continue;
            }
            let targets = row::minus(now, before);
            if row::is_none(&targets) {
                continue;
            }
            let gained = row::ones(&targets).fold(targets, |all, y| row::or(&all, &closure[y]));
            // Only edges added here can lead to a new event.
            let mut sources = row::one::<N>(x);
            if !row::has(&fresh, x) || row::has(&entered, x) {
                row::join(&mut sources, &self.state.sources(out, x, self.state.set(UNIVERSE)));
            }
            let older = row::minus(&sources, &fresh);
            for k in (0..N).filter(|&k| gained[k] != 0) {
                row::join(&mut change.rows, &self.state.gain(out, k, &older, |_, _| gained[k]));
            }
            for u in row::ones(&row::and(&sources, &fresh)) {
                let new = row::or(&self.state.rel(out)[u], &gained);
                change.note(u, self.state.write(out, u, &new));
            }
            row::join(&mut entered, &gained);
        }
    }
}

/// Transitive closure in place (Warshall's algorithm on rows).
fn close<const N: usize>(rows: &mut [Row<N>], events: &Row<N>) {
    for k in row::ones(events) {
        let through = rows[k];
        if row::is_none(&through) {
            continue;
        }
        for row in rows.iter_mut() {
            if row::has(row, k) {
                row::join(row, &through);
            }
        }
    }
}
