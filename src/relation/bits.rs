//! Dense sets of small integers.

use smallvec::SmallVec;

/// A growable set of row numbers as flat 64-bit words; bits past the last word are absent.
#[derive(Default, PartialEq, Eq, Hash)]
pub struct Bits {
    words: SmallVec<[u64; 2]>,
}

/// Derived code would copy words one by one.
impl Clone for Bits {
    fn clone(&self) -> Bits {
        Bits { words: SmallVec::from_slice(&self.words) }
    }
}

impl Bits {
    /// The empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// The words, lowest first. Trailing zero words may be absent or present.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Whether `i` is a member.
    #[inline]
    pub fn contains(&self, i: u32) -> bool {
        self.words.get(i as usize / 64).is_some_and(|w| w >> (i % 64) & 1 == 1)
    }

    /// Adds `i`.
    #[inline]
    pub fn insert(&mut self, i: u32) {
        let word = i as usize / 64;
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= 1 << (i % 64);
    }

    /// Removes `i`.
    #[inline]
    pub fn remove(&mut self, i: u32) {
        if let Some(w) = self.words.get_mut(i as usize / 64) {
            *w &= !(1 << (i % 64));
        }
    }

    /// Adds every member of `other`; tells whether anything was new.
    #[inline]
    pub fn union_with(&mut self, other: &Bits) -> bool {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grew = false;
        for (a, b) in self.words.iter_mut().zip(&other.words) {
            grew |= b & !*a != 0;
            *a |= b;
        }
        grew
    }

    /// Removes what is not in `other`.
    #[inline]
    pub fn intersect_with(&mut self, other: &Bits) {
        self.words.truncate(other.words.len());
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= b);
    }

    /// Removes what is in `other`.
    #[inline]
    pub fn subtract(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(a, b)| *a &= !b);
    }

    /// Removes those of which something does not hold.
    #[inline]
    pub fn retain(&mut self, holds: impl Fn(u32) -> bool) {
        for (k, word) in self.words.iter_mut().enumerate() {
            let mut rest = *word;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                *word &= !(u64::from(!holds(k as u32 * 64 + bit)) << bit);
            }
        }
    }

    /// Whether there is no member.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&w| w == 0)
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The member, if there is one only.
    #[inline]
    pub fn only(&self) -> Option<u32> {
        let mut members = self.iter();
        members.next().filter(|_| members.next().is_none())
    }

    /// Removes every member.
    #[inline]
    pub fn clear(&mut self) {
        self.words.clear();
    }

    /// Members in increasing order.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(i, &w)| {
            let mut w = w;
            std::iter::from_fn(move || {
                (w != 0).then(|| {
                    let bit = w.trailing_zeros();
                    w &= w - 1;
                    i as u32 * 64 + bit
                })
            })
        })
    }
}

impl FromIterator<u32> for Bits {
    fn from_iter<I: IntoIterator<Item = u32>>(items: I) -> Self {
        let mut bits = Bits::new();
        for i in items {
            bits.insert(i);
        }
        bits
    }
}

impl std::fmt::Debug for Bits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
