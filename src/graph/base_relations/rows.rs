//! Sets of rows under construction: of any size, or of the first rows only.

use crate::kernel::row;
use crate::relation::bits::Bits;

/// A set of rows.
pub(in crate::graph) trait Rows: Default {
    fn insert(&mut self, row: u32);
    fn remove(&mut self, row: u32);
    fn is_empty(&self) -> bool;
    fn clear(&mut self);
    /// Adds all of a set.
    fn unite(&mut self, other: &Self);
    /// Adds all of some rows of a graph.
    fn add(&mut self, rows: &Bits);
    /// Leaves only those that are among some rows of a graph.
    fn limit(&mut self, rows: &Bits);
    /// Takes out some rows of a graph.
    fn subtract(&mut self, rows: &Bits);
}

impl Rows for Bits {
    fn insert(&mut self, row: u32) {
        Bits::insert(self, row);
    }
    fn remove(&mut self, row: u32) {
        Bits::remove(self, row);
    }
    fn is_empty(&self) -> bool {
        Bits::is_empty(self)
    }
    fn clear(&mut self) {
        Bits::clear(self);
    }
    fn unite(&mut self, other: &Bits) {
        self.union_with(other);
    }
    fn add(&mut self, rows: &Bits) {
        self.union_with(rows);
    }
    fn limit(&mut self, rows: &Bits) {
        self.intersect_with(rows);
    }
    fn subtract(&mut self, rows: &Bits) {
        Bits::subtract(self, rows);
    }
}

/// Some of the first `64 * N` rows. Others are not taken up, so they must not occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::graph) struct Words<const N: usize>(pub [u64; N]);

impl<const N: usize> Default for Words<N> {
    fn default() -> Self {
        Words([0; N])
    }
}

impl<const N: usize> Words<N> {
    /// Some rows of a graph.
    #[inline]
    pub fn of(rows: &Bits) -> Self {
        let words = rows.words();
        // Mostly there are as many.
        Words(
            words.first_chunk().copied().unwrap_or_else(|| std::array::from_fn(|k| words.get(k).copied().unwrap_or(0))),
        )
    }

    /// One row.
    #[inline]
    pub fn one(row: u32) -> Self {
        if (row as usize) < 64 * N { Words(row::one(row as usize)) } else { Words::default() }
    }

    /// Changes each word, given that of some rows of a graph.
    #[inline]
    fn with(&mut self, rows: &Bits, change: impl Fn(&mut u64, u64)) {
        self.0.iter_mut().zip(Words::<N>::of(rows).0).for_each(|(word, other)| change(word, other));
    }
}

impl<const N: usize> Rows for Words<N> {
    #[inline]
    fn insert(&mut self, row: u32) {
        if (row as usize) < 64 * N {
            row::insert(&mut self.0, row as usize);
        }
    }
    #[inline]
    fn remove(&mut self, row: u32) {
        if (row as usize) < 64 * N {
            row::remove(&mut self.0, row as usize);
        }
    }
    #[inline]
    fn is_empty(&self) -> bool {
        row::is_none(&self.0)
    }
    #[inline]
    fn clear(&mut self) {
        self.0 = [0; N];
    }
    #[inline]
    fn unite(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, more)| *word |= more);
    }
    #[inline]
    fn add(&mut self, rows: &Bits) {
        self.with(rows, |word, more| *word |= more);
    }
    #[inline]
    fn limit(&mut self, rows: &Bits) {
        self.with(rows, |word, only| *word &= only);
    }
    #[inline]
    fn subtract(&mut self, rows: &Bits) {
        self.with(rows, |word, without| *word &= !without);
    }
}
