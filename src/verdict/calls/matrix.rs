//! Relations on the events of an execution, by bit rows.

/// A relation: the words of each row.
#[derive(Clone, PartialEq, Eq)]
pub(in crate::verdict) struct Matrix {
    width: usize,
    words: Vec<u64>,
}

impl Matrix {
    pub(in crate::verdict) fn new(events: usize) -> Matrix {
        let width = events.div_ceil(64);
        Matrix { width, words: vec![0; width * events] }
    }

    pub(in crate::verdict) fn row(&self, x: usize) -> &[u64] {
        &self.words[x * self.width..(x + 1) * self.width]
    }

    pub(in crate::verdict) fn insert(&mut self, x: usize, y: usize) {
        self.words[x * self.width + y / 64] |= 1 << (y % 64);
    }

    pub(in crate::verdict) fn contains(&self, x: usize, y: usize) -> bool {
        self.words[x * self.width + y / 64] >> (y % 64) & 1 == 1
    }

    pub(in crate::verdict) fn add_row(&mut self, x: usize, row: &[u64]) {
        let own = &mut self.words[x * self.width..(x + 1) * self.width];
        own.iter_mut().zip(row).for_each(|(own, more)| *own |= more);
    }

    pub(in crate::verdict) fn targets(&self, x: usize) -> impl Iterator<Item = usize> {
        members(self.row(x))
    }

    pub(in crate::verdict) fn zip(&self, other: &Matrix, combine: fn(u64, u64) -> u64) -> Matrix {
        let words = self.words.iter().zip(&other.words).map(|(&a, &b)| combine(a, b)).collect();
        Matrix { width: self.width, words }
    }

    pub(in crate::verdict) fn compose(&self, other: &Matrix, events: usize) -> Matrix {
        let mut result = Matrix::new(events);
        for x in 0..events {
            for y in self.targets(x) {
                result.add_row(x, other.row(y));
            }
        }
        result
    }

    pub(in crate::verdict) fn inverse(&self, events: usize) -> Matrix {
        let mut result = Matrix::new(events);
        for x in 0..events {
            self.targets(x).for_each(|y| result.insert(y, x));
        }
        result
    }

    /// Sweeps from the last row to the first, until nothing is added: one sweep where rows lead to later ones only.
    pub(in crate::verdict) fn closure(&self, events: usize) -> Matrix {
        let (mut result, width) = (self.clone(), self.width);
        loop {
            let (mut has_grown, mut leads_back) = (false, false);
            for x in (0..events).rev() {
                for y in self.targets(x) {
                    leads_back |= y <= x;
                    for word in 0..width {
                        let more = result.words[y * width + word];
                        let own = &mut result.words[x * width + word];
                        has_grown |= more & !*own != 0;
                        *own |= more;
                    }
                }
            }
            if !has_grown || !leads_back {
                return result;
            }
        }
    }
}

/// What is in a row.
pub(in crate::verdict) fn members(row: &[u64]) -> impl Iterator<Item = usize> {
    row.iter().enumerate().flat_map(|(at, &word)| {
        std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)))
            .take_while(|word| *word != 0)
            .map(move |word| at * 64 + word.trailing_zeros() as usize)
    })
}

/// A row with these members.
pub(in crate::verdict) fn row_of(events: usize, members: impl IntoIterator<Item = usize>) -> Vec<u64> {
    let mut row = vec![0; events.div_ceil(64)];
    members.into_iter().for_each(|x| row[x / 64] |= 1 << (x % 64));
    row
}
