//! One row of a bit matrix: a set of rows as `N` machine words, by value.

use smallvec::SmallVec;

/// From so many words on, it pays to find out first which of them matter.
pub(in crate::kernel) const NARROW: usize = 4;

/// A set of at most `64 * N` small integers.
pub(in crate::kernel) type Row<const N: usize> = [u64; N];

/// The empty set.
#[inline]
pub(in crate::kernel) fn none<const N: usize>() -> Row<N> {
    [0; N]
}

/// By the number of a word, all of its bits.
const WORDS: [Row<NARROW>; NARROW] = [[!0, 0, 0, 0], [0, !0, 0, 0], [0, 0, !0, 0], [0, 0, 0, !0]];

/// The set with one member. Few words are all written at once: a row of which one word was just stored is loaded as a whole only after
/// the store has gone to memory, which costs more than everything else that is done with it.
#[inline]
pub(crate) fn one<const N: usize>(x: usize) -> Row<N> {
    let (mut row, bit) = ([0; N], 1 << (x % 64));
    if 1 < N && N <= NARROW {
        assert!(x < 64 * N);
        let mask = &WORDS[x / 64];
        for k in 0..N {
            row[k] = mask[k] & bit;
        }
    } else {
        row[x / 64] = bit;
    }
    row
}

/// The same set with room for larger members.
#[inline]
pub(in crate::kernel) fn wider<const N: usize, const M: usize>(a: &Row<N>) -> Row<M> {
    std::array::from_fn(|k| a.get(k).copied().unwrap_or(0))
}

/// Whether there is no member.
#[inline]
pub(crate) fn is_none<const N: usize>(a: &Row<N>) -> bool {
    a.iter().fold(0, |all, w| all | w) == 0
}

/// The words that have members.
pub(in crate::kernel) fn filled<const N: usize>(a: &Row<N>) -> SmallVec<[usize; 8]> {
    (0..N).filter(|&k| a[k] != 0).collect()
}

/// Whether `x` is a member.
#[inline]
pub(in crate::kernel) fn has<const N: usize>(a: &Row<N>, x: usize) -> bool {
    a[x / 64] >> (x % 64) & 1 == 1
}

/// Adds `x`.
#[inline]
pub(crate) fn insert<const N: usize>(a: &mut Row<N>, x: usize) {
    if 1 < N && N <= NARROW {
        *a = or(a, &one(x));
    } else {
        a[x / 64] |= 1 << (x % 64);
    }
}

/// Removes `x`.
#[inline]
pub(crate) fn remove<const N: usize>(a: &mut Row<N>, x: usize) {
    if 1 < N && N <= NARROW {
        *a = minus(a, &one(x));
    } else {
        a[x / 64] &= !(1 << (x % 64));
    }
}

/// Adds `x`, or removes it if it is there.
#[inline]
pub(in crate::kernel) fn flip<const N: usize>(a: &mut Row<N>, x: usize) {
    if 1 < N && N <= NARROW {
        let b: Row<N> = one(x);
        for k in 0..N {
            a[k] ^= b[k];
        }
    } else {
        a[x / 64] ^= 1 << (x % 64);
    }
}

/// Union.
#[inline]
pub(in crate::kernel) fn or<const N: usize>(a: &Row<N>, b: &Row<N>) -> Row<N> {
    let mut out = *a;
    join(&mut out, b);
    out
}

/// Adds all of `b`.
#[inline]
pub(in crate::kernel) fn join<const N: usize>(a: &mut Row<N>, b: &Row<N>) {
    for k in 0..N {
        a[k] |= b[k];
    }
}

/// Intersection.
#[inline]
pub(in crate::kernel) fn and<const N: usize>(a: &Row<N>, b: &Row<N>) -> Row<N> {
    let mut out = *a;
    for k in 0..N {
        out[k] &= b[k];
    }
    out
}

/// Difference.
#[inline]
pub(in crate::kernel) fn minus<const N: usize>(a: &Row<N>, b: &Row<N>) -> Row<N> {
    let mut out = *a;
    for k in 0..N {
        out[k] &= !b[k];
    }
    out
}

/// Whether there is a common member.
#[inline]
pub(in crate::kernel) fn meets<const N: usize>(a: &Row<N>, b: &Row<N>) -> bool {
    (0..N).fold(0, |all, k| all | a[k] & b[k]) != 0
}

/// The largest member.
#[inline]
pub(in crate::kernel) fn last<const N: usize>(a: &Row<N>) -> Option<usize> {
    let k = a.iter().rposition(|&w| w != 0)?;
    Some(k * 64 + 63 - a[k].leading_zeros() as usize)
}

/// The members in increasing order.
#[inline]
pub(in crate::kernel) fn ones<const N: usize>(a: &Row<N>) -> Ones<N> {
    Ones { rest: *a, word: 0 }
}

/// Iterator over the members of a row.
pub(in crate::kernel) struct Ones<const N: usize> {
    rest: Row<N>,
    word: usize,
}

impl<const N: usize> Iterator for Ones<N> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word < N {
            let w = self.rest[self.word];
            if w != 0 {
                self.rest[self.word] = w & (w - 1);
                return Some(self.word * 64 + w.trailing_zeros() as usize);
            }
            self.word += 1;
        }
        None
    }

    #[inline]
    fn fold<B, F: FnMut(B, usize) -> B>(self, mut all: B, mut with: F) -> B {
        for k in self.word..N {
            let mut w = self.rest[k];
            while w != 0 {
                all = with(all, k * 64 + w.trailing_zeros() as usize);
                w &= w - 1;
            }
        }
        all
    }
}

/// The bits of a word in increasing order.
#[inline]
pub fn bits(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros() as usize;
            word &= word - 1;
            bit
        })
    })
}
