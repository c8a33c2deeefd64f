//! The storage of a session: all slots in one flat array, a trail of overwritten words ([`trail`]), and what has changed since the last
//! evaluation.
//!
//! The array holds one row a set slot, then `height` rows a relation slot, each row `N` words. `N` and `height` grow with the
//! largest row number seen; growing moves every slot and renumbers the trail, so that frames opened before can still be undone.
//! Rows that are not used yet are memory that was never touched.
//!
//! [`inputs`] takes what the plan is told, [`aside`] exchanges a stretch of the trail for what it overwrote, [`spare`] keeps storage for the
//! next session.

pub mod aside;
pub mod inputs;
pub mod spare;
pub mod trail;

use super::eval::order::Order;
use super::plan::code::{Place, RelSlot, SetSlot, UNIVERSE};
use super::plan::wake::Wake;
use super::row::{NARROW, Row, is_none, minus};
use super::state::aside::Aside;
use super::state::trail::{COLUMN, WIDE};
use smallvec::SmallVec;

/// Where slots lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Shape {
    /// Words a row.
    pub words: usize,
    /// Rows a relation.
    pub height: usize,
    /// Number of set slots.
    pub sets: usize,
    /// Number of relation slots.
    pub rels: usize,
}

impl Shape {
    fn rows(&self) -> usize {
        self.sets + self.rels * self.height
    }
}

/// See the module.
#[derive(Default)]
pub(super) struct State {
    pub shape: Shape,
    /// All slots.
    pub(super) array: Vec<u64>,
    /// Per slot (sets, then relations): members or rows that changed since the last evaluation.
    pub(super) dirty: Vec<u64>,
    /// Per slot: whether anything was removed since the last evaluation.
    pub shrunk: Vec<bool>,
    /// Slots that have changed since.
    pub touched: Wake,
    /// Slots that since gained anything but edges from new events to older ones, and new events as members.
    pub entered: Wake,
    /// Whether any slot may have lost anything since.
    pub any_shrunk: bool,
    /// Overwritten words and their places, oldest first; for a place from [`COLUMN`] on, a new event that was entered into a
    /// column of a relation, or (with [`ROW`]) whose row was empty.
    pub trail: Vec<(u32, u64)>,
    /// Per relation: the last new event that was entered into a column, and how often, up to one more than [`FEW`]: then the column is on the
    /// trail as a whole.
    pub(super) columns: Vec<(u32, usize)>,
    /// Per relation: whether, since the last evaluation, it may have gained an edge between events that were there already.
    loose: Vec<bool>,
    /// Whether a recursive group is in its second round or a later one, where it is not told what is new.
    pub rounds: bool,
    /// Whether writes are recorded.
    pub logging: bool,
    /// One more than the highest row number since the last reset.
    pub high: usize,
    /// Event values, for plans that look at them.
    pub values: Vec<Option<u64>>,
    pub value_trail: Vec<(u32, Option<u64>)>,
    /// What the lengths of the two trails are to be, where that is still to be undone.
    pub(super) owed: Option<(usize, usize)>,
    /// Per relation: the columns that are being undone, as words; and which relations have some.
    pub(super) leaving: Vec<u64>,
    pub(super) left: Vec<u32>,
    /// Rows whose value changed since the last evaluation.
    pub revalued: Vec<u64>,
    /// Those of the cycle checks.
    pub orders: Vec<Order>,
    /// What was undone to be done again.
    pub aside: Aside,
}

/// Words a row for which code is specialised. The last is the largest number of rows that a session can hold.
pub(super) const WIDTHS: [usize; 10] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 1024];

/// So many words are reserved at once: a process need not have more memory than it touches, but no more of it than the machine has is given out.
const RESERVED: usize = 1 << 27;
/// No column.
const NO_COLUMN: (u32, usize) = (u32::MAX, 0);

impl State {
    pub(super) fn new(sets: u32, rels: u32, orders: usize) -> State {
        let shape = Shape { words: 1, height: 64, sets: sets as usize, rels: rels as usize };
        let slots = shape.sets + shape.rels;
        State {
            shape,
            array: vec![0; shape.rows()],
            dirty: vec![0; slots],
            shrunk: vec![false; slots],
            touched: Wake::default(),
            entered: Wake::default(),
            any_shrunk: false,
            trail: Vec::new(),
            columns: vec![NO_COLUMN; shape.rels],
            loose: vec![false; shape.rels],
            rounds: false,
            logging: false,
            high: 0,
            values: vec![None; 64],
            value_trail: Vec::new(),
            owed: None,
            leaving: vec![0; shape.rels],
            left: Vec::new(),
            revalued: vec![0],
            orders: std::iter::repeat_with(Order::default).take(orders).collect(),
            aside: Aside::default(),
        }
    }

    /// Back to nothing, keeping the storage.
    pub(super) fn reset(&mut self) {
        let Shape { words, height, sets, rels } = self.shape;
        self.array[..sets * words].fill(0);
        for rel in (0..rels).take_while(|_| self.high > 0) {
            let start = (sets + rel * height) * words;
            self.array[start..start + self.high * words].fill(0);
        }
        self.clean();
        self.values[..self.high].fill(None);
        self.trail.clear();
        self.value_trail.clear();
        self.owed = None;
        // The first evaluation is one of everything: a check can fail where there is no event at all.
        self.touched = Wake::ALL;
        self.orders.iter_mut().for_each(Order::clear);
        self.aside.clear();
        self.logging = false;
        self.high = 0;
    }

    /// Forgets what has changed.
    pub(super) fn clean(&mut self) {
        if self.touched == Wake::default() {
            return;
        }
        self.dirty.fill(0);
        self.touched = Wake::default();
        self.entered = Wake::default();
        self.columns.fill(NO_COLUMN);
        self.loose.fill(false);
        if self.any_shrunk {
            self.shrunk.fill(false);
            self.any_shrunk = false;
        }
        self.revalued.fill(0);
    }

    /// Whether a relation may have gained an edge between events that were there at the last evaluation.
    #[inline]
    pub(super) fn is_loose(&self, slot: RelSlot) -> bool {
        self.rounds || self.loose[slot.0 as usize]
    }

    /// Notes that a relation gets edges of an event that need not be new.
    #[inline]
    pub(super) fn note_edges(&mut self, slot: RelSlot, event: usize) {
        self.touched.insert(Place::Rel(slot));
        self.loose[slot.0 as usize] |= !self.is_new(event);
    }

    /// Whether an event was added since the last evaluation, and so in the frame that is open.
    #[inline]
    pub(super) fn is_new(&self, event: usize) -> bool {
        self.dirty[UNIVERSE.0 as usize * self.shape.words + event / 64] >> (event % 64) & 1 == 1
    }

    /// Makes room for a row number.
    pub(super) fn make_room(&mut self, row: usize) {
        self.high = self.high.max(row + 1);
        if row < self.shape.height {
            return;
        }
        let old = self.shape;
        let words = WIDTHS.into_iter().find(|&w| row < 64 * w).unwrap_or(row / 64 + 1);
        let full = Shape { words, height: 64 * words, ..old };
        // Very wide rows are grown into gradually: a matrix is as high as it needs to be, not as wide.
        let height = match full.rows() * words <= RESERVED {
            true => full.height,
            false => full.height.min((row + 1 + row / 4).next_multiple_of(64)),
        };
        self.reshape(Shape { height, ..full });
    }

    fn reshape(&mut self, new: Shape) {
        let old = self.shape;
        let moved = |row: usize| match row.checked_sub(old.sets) {
            None => row,
            Some(r) => old.sets + r / old.height * new.height + r % old.height,
        };
        let mut array = vec![0; new.rows() * new.words];
        for row in 0..old.rows() {
            let from = &self.array[row * old.words..][..old.words];
            if from.iter().any(|&word| word != 0) {
                array[moved(row) * new.words..][..old.words].copy_from_slice(from);
            }
        }
        let places = self.trail.iter_mut().chain(self.aside.words_mut());
        for (place, _) in places.filter(|(place, _)| *place < COLUMN) {
            let (row, word) = (*place as usize / old.words, *place as usize % old.words);
            *place = (moved(row) * new.words + word) as u32;
        }
        self.array = array;
        self.dirty = widen(&self.dirty, old.words, new.words);
        self.revalued = widen(&self.revalued, old.words, new.words);
        self.leaving = vec![0; new.rels * new.words];
        self.values.resize(new.height, None);
        self.shape = new;
    }

    /// All rows.
    #[inline]
    pub(super) fn rows<const N: usize>(&self) -> &[Row<N>] {
        self.array.as_chunks::<N>().0
    }

    /// The rows of a relation.
    #[inline]
    pub(super) fn rel<const N: usize>(&self, slot: RelSlot) -> &[Row<N>] {
        let start = self.shape.sets + slot.0 as usize * self.shape.height;
        &self.rows::<N>()[start..start + self.high]
    }

    /// A set.
    #[inline]
    pub(super) fn set<const N: usize>(&self, slot: SetSlot) -> &Row<N> {
        &self.rows::<N>()[slot.0 as usize]
    }

    fn index(&self, place: Place) -> usize {
        match place {
            Place::Set(slot) => slot.0 as usize,
            Place::Rel(slot) => self.shape.sets + slot.0 as usize,
        }
    }

    /// What has changed in a slot.
    #[inline]
    pub(super) fn dirty<const N: usize>(&self, place: Place) -> &Row<N> {
        &self.dirty.as_chunks::<N>().0[self.index(place)]
    }

    /// Replaces what is said to have changed in a slot.
    #[inline]
    pub(super) fn set_dirty<const N: usize>(&mut self, place: Place, rows: Row<N>, shrunk: bool) {
        let index = self.index(place);
        self.dirty.as_chunks_mut::<N>().0[index] = rows;
        if shrunk || !is_none(&rows) {
            self.touched.insert(place);
        }
        self.shrunk[index] = shrunk;
        self.any_shrunk |= shrunk;
    }

    /// Whether a slot lost anything since the last evaluation.
    pub(super) fn has_shrunk(&self, place: Place) -> bool {
        self.shrunk[self.index(place)]
    }

    /// Overwrites row `x` of a relation. Tells whether it changed and whether it lost anything.
    #[inline]
    pub(super) fn write<const N: usize>(&mut self, slot: RelSlot, x: usize, new: &Row<N>) -> (bool, bool) {
        let at = self.shape.sets + slot.0 as usize * self.shape.height + x;
        let fresh = self.dirty::<N>(Place::Set(UNIVERSE));
        let old = &self.rows::<N>()[at];
        // To new events, and to others.
        let (mut inside, mut outside) = (0, 0);
        for k in 0..N {
            let gained = new[k] & !old[k];
            inside |= gained & fresh[k];
            outside |= gained & !fresh[k];
        }
        let is_fresh = super::row::has(fresh, x);
        let loose = !is_fresh && outside != 0;
        let entered = loose || inside != 0;
        let is_first = is_fresh && is_none(old);
        self.loose[slot.0 as usize] |= loose;
        if entered {
            self.entered.insert(Place::Rel(slot));
        }
        let is_logged = N >= WIDE && self.logging;
        if is_logged && is_first {
            if is_none(new) {
                return (false, false);
            }
            self.log_row(slot, x);
            self.array.as_chunks_mut::<N>().0[at] = *new;
            return (true, false);
        }
        if is_logged
            && let Some(event) = only_new_bit(&self.rows::<N>()[at], new)
            && self.is_new(event)
        {
            let place = at * N + event / 64;
            self.log_entry(slot, event, place, self.array[place]);
            self.array.as_chunks_mut::<N>().0[at] = *new;
            return (true, false);
        }
        self.write_row(at, new)
    }

    /// Adds to word `k` of the rows of some events, none of them new, what is said of each. Gives back the rows that changed.
    #[inline]
    pub(super) fn gain<const N: usize>(
        &mut self,
        slot: RelSlot,
        k: usize,
        sources: &Row<N>,
        more: impl Fn(&State, usize) -> u64,
    ) -> Row<N> {
        let first = (self.shape.sets + slot.0 as usize * self.shape.height) * N + k;
        let fresh = self.dirty::<N>(Place::Set(UNIVERSE))[k];
        let (mut changed, mut all) = ([0; N], 0);
        for x in super::row::ones(sources) {
            let place = first + x * N;
            let old = self.array[place];
            let gained = more(self, x) & !old;
            if gained == 0 {
                continue;
            }
            if self.logging {
                if N >= WIDE && gained & !fresh == 0 && gained.is_power_of_two() {
                    self.log_entry(slot, k * 64 + gained.trailing_zeros() as usize, place, old);
                } else {
                    self.trail.push((place as u32, old));
                }
            }
            self.array[place] = old | gained;
            changed[x / 64] |= 1 << (x % 64);
            all |= gained;
        }
        if all != 0 {
            self.loose[slot.0 as usize] |= all & !fresh != 0;
            self.entered.insert(Place::Rel(slot));
        }
        changed
    }

    /// Overwrites a set; what changed replaces what is said to have changed in it.
    #[inline]
    pub(super) fn write_set<const N: usize>(&mut self, slot: SetSlot, new: &Row<N>) {
        let old = *self.set::<N>(slot);
        let (_, shrunk) = self.write_row(slot.0 as usize, new);
        let changed: Row<N> = std::array::from_fn(|k| old[k] ^ new[k]);
        if !is_none(&minus(&changed, self.dirty(Place::Set(UNIVERSE)))) {
            self.entered.insert(Place::Set(slot));
        }
        self.set_dirty::<N>(Place::Set(slot), changed, shrunk);
    }

    #[inline]
    fn write_row<const N: usize>(&mut self, at: usize, new: &Row<N>) -> (bool, bool) {
        let row = &mut self.array.as_chunks_mut::<N>().0[at];
        if row == new {
            return (false, false);
        }
        let shrunk = !is_none(&minus(row, new));
        if self.logging {
            for k in 0..N {
                if row[k] != new[k] {
                    self.trail.push(((at * N + k) as u32, row[k]));
                }
            }
        }
        *row = *new;
        (true, shrunk)
    }

    /// The part of a row with values other than that of `x`.
    pub(super) fn differing<const N: usize>(&self, x: usize, row: &Row<N>) -> Row<N> {
        let mut out = *row;
        for y in super::row::ones(row) {
            if self.values[x] == self.values[y] {
                super::row::remove(&mut out, y);
            }
        }
        out
    }

    /// Those of some rows in which any of some events occurs.
    #[inline]
    pub(super) fn reaching<const N: usize>(&self, slot: RelSlot, to: &Row<N>, among: &Row<N>) -> Row<N> {
        let rows = self.rel::<N>(slot);
        let mut found = [0; N];
        if N < NARROW {
            for (x, row) in rows.iter().enumerate() {
                found[x / 64] |= u64::from(super::row::meets(row, to)) << (x % 64);
            }
            return super::row::and(&found, among);
        }
        // Part by part, each of a few words at once.
        let parts = to.as_chunks::<NARROW>().0;
        let filled: SmallVec<[usize; 8]> = (0..parts.len()).rev().filter(|&k| !is_none(&parts[k])).collect();
        for x in super::row::ones(among) {
            // The last first: most relations go along program order, and what is asked for was mostly added late.
            let row = rows[x].as_chunks::<NARROW>().0;
            let meets = filled.iter().any(|&k| super::row::meets(&row[k], &parts[k]));
            found[x / 64] |= u64::from(meets) << (x % 64);
        }
        found
    }

    /// Those of some rows in which `x` occurs.
    pub(super) fn sources<const N: usize>(&self, slot: RelSlot, x: usize, among: &Row<N>) -> Row<N> {
        let rows = self.rel::<N>(slot);
        let mut found = [0; N];
        super::row::ones(among).for_each(|y| found[y / 64] |= (rows[y][x / 64] >> (x % 64) & 1) << (y % 64));
        found
    }

    /// The set of all rows below the highest used.
    pub(super) fn all_rows<const N: usize>(&self) -> Row<N> {
        std::array::from_fn(|k| match self.high.saturating_sub(64 * k) {
            0 => 0,
            n if n >= 64 => !0,
            n => (1 << n) - 1,
        })
    }
}

/// The bit that `new` has besides those of `old`, when there is one and no other difference.
fn only_new_bit<const N: usize>(old: &Row<N>, new: &Row<N>) -> Option<usize> {
    let mut found = None;
    for k in 0..N {
        if old[k] != new[k] {
            let gained = new[k] & !old[k];
            if found.is_some() || old[k] | gained != new[k] || !gained.is_power_of_two() {
                return None;
            }
            found = Some(k * 64 + gained.trailing_zeros() as usize);
        }
    }
    found
}

fn widen(words: &[u64], old: usize, new: usize) -> Vec<u64> {
    let mut out = vec![0; words.len() / old * new];
    for (from, to) in words.chunks(old).zip(out.chunks_mut(new)) {
        to[..old].copy_from_slice(from);
    }
    out
}
