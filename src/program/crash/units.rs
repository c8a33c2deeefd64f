//! The parts of memory that models of what survives a crash treat as one.

/// A part of memory that a model of what survives a crash treats as one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// A line of the cache.
    Line,
    /// A block of a disk.
    Block,
    /// All that belongs to one file of a disk.
    Inode,
}

/// What shares a line of the cache.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Lines {
    /// Variables as they are laid out.
    #[default]
    Layout,
    /// A variable, and nothing else.
    Variable,
    /// Nothing: each place is a line of its own.
    Place,
}

/// How large units are, in bytes; 0 where there are none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Units {
    sizes: [u64; 3],
}

impl Units {
    /// How large a unit is.
    pub fn size(self, unit: Unit) -> u64 {
        self.sizes[unit as usize]
    }

    /// Says how large a unit is.
    pub fn set(&mut self, unit: Unit, size: u64) {
        self.sizes[unit as usize] = size;
    }

    /// The number of the unit that an address is in.
    pub fn of(self, unit: Unit, address: u64) -> Option<u64> {
        address.checked_div(self.size(unit)).filter(|_| address != 0)
    }

    /// Where in its unit an address is.
    pub fn offset(self, unit: Unit, address: u64) -> u64 {
        address.checked_rem(self.size(unit)).unwrap_or_default()
    }
}
