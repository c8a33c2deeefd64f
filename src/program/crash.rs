//! What survives a crash, and what runs then.

use super::Program;
use crate::ids::{FuncId, TagSetId};

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

/// What of a program survives a crash, and what runs then.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Persistence {
    /// What runs after a crash.
    pub recovery: Option<FuncId>,
    /// First and last address of memory that survives.
    pub memory: Vec<(u64, u64)>,
    /// How large the units are that models tell apart.
    pub units: Units,
    /// Whether a fence with an address is about what is there, not about an object of its own.
    pub fences_name_places: bool,
    /// Whether accesses to memory that survives are events even while there is one thread.
    pub is_explored: bool,
    /// The tags of the barrier before which everything survives, if the program has one.
    pub barrier: Option<TagSetId>,
    /// What may be added to a program to force something: tags and name.
    pub forces: Vec<(TagSetId, String)>,
    /// The tags of what the recovery reads, where that is part of executions.
    pub reads: Option<TagSetId>,
}

impl Persistence {
    /// Whether memory at an address survives.
    pub fn has(&self, address: u64) -> bool {
        self.memory.iter().any(|&(first, last)| first <= address && address <= last)
    }
}

impl Program {
    /// The same program, of which executions have what the recovery reads, with these tags.
    #[must_use]
    pub fn with_recovery_reads(&self, tag: &str) -> Program {
        let mut program = self.clone();
        program.persistence.reads = Some(program.intern_tags(&[tag.to_owned()]));
        program
    }
}
