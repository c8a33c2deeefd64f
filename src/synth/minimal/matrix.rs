//! Relations over at most sixteen events: a row of sixteen bits an event.

/// How many events a test may have, initial writes included.
pub const EVENTS: usize = 16;

/// A set of events, a bit each.
pub type Events = u16;

/// A relation; row `x` holds the targets of `x`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Matrix(pub [Events; EVENTS]);

/// The events of a set, in ascending order.
pub fn members(set: Events) -> impl Iterator<Item = usize> {
    let mut left = set;
    std::iter::from_fn(move || {
        let first = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (first < EVENTS).then_some(first)
    })
}

impl Matrix {
    /// Adds an edge.
    pub fn add(&mut self, from: usize, to: usize) {
        self.0[from] |= 1 << to;
    }

    /// Whether there is an edge.
    pub fn has(&self, from: usize, to: usize) -> bool {
        self.0[from] >> to & 1 == 1
    }

    /// All edges from one set into another.
    pub fn product(from: Events, to: Events) -> Matrix {
        Matrix(std::array::from_fn(|x| if from >> x & 1 == 1 { to } else { 0 }))
    }

    /// The identity on a set.
    pub fn identity(set: Events) -> Matrix {
        Matrix(std::array::from_fn(|x| set & 1 << x))
    }

    /// Row by row.
    #[inline]
    pub fn zip(&self, other: &Matrix, op: impl Fn(Events, Events) -> Events) -> Matrix {
        Matrix(std::array::from_fn(|x| op(self.0[x], other.0[x])))
    }

    /// The edges with both ends in a set.
    #[inline]
    pub fn within(&self, set: Events) -> Matrix {
        Matrix(std::array::from_fn(|x| if set >> x & 1 == 1 { self.0[x] & set } else { 0 }))
    }

    /// Composition.
    #[inline]
    pub fn then(&self, other: &Matrix) -> Matrix {
        Matrix(std::array::from_fn(|x| {
            let (mut left, mut row) = (self.0[x], 0);
            while left != 0 {
                row |= other.0[left.trailing_zeros() as usize];
                left &= left - 1;
            }
            row
        }))
    }

    /// Converse.
    #[inline]
    pub fn converse(&self) -> Matrix {
        let mut result = Matrix::default();
        for (x, &row) in self.0.iter().enumerate() {
            for y in members(row) {
                result.0[y] |= 1 << x;
            }
        }
        result
    }

    /// Transitive closure.
    #[inline]
    pub fn closure(&self) -> Matrix {
        let mut rows = self.0;
        for middle in 0..EVENTS {
            let through = rows[middle];
            if through != 0 {
                for row in &mut rows {
                    *row |= through & 0u16.wrapping_sub(*row >> middle & 1);
                }
            }
        }
        Matrix(rows)
    }

    /// The events with an edge from them.
    #[inline]
    pub fn sources(&self) -> Events {
        self.0.iter().enumerate().fold(0, |set, (x, &row)| set | u16::from(row != 0) << x)
    }

    /// The events with an edge to them.
    #[inline]
    pub fn targets(&self) -> Events {
        self.0.iter().fold(0, |set, row| set | row)
    }

    /// Whether there is no edge.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.targets() == 0
    }

    /// Whether no event has an edge to itself.
    #[inline]
    pub fn is_irreflexive(&self) -> bool {
        self.0.iter().enumerate().all(|(x, &row)| row >> x & 1 == 0)
    }

    /// Whether no edges form a cycle: events without a successor among those that are left are taken away until none is left.
    #[inline]
    pub fn is_acyclic(&self) -> bool {
        let mut left = self.sources();
        loop {
            let before = left;
            for x in members(before) {
                if self.0[x] & left == 0 {
                    left &= !(1 << x);
                }
            }
            if left == 0 {
                return true;
            }
            if left == before {
                return false;
            }
        }
    }
}
