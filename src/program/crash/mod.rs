//! What survives a crash, and what runs then; [`units`] of memory.

mod units;

use super::Program;
use crate::ids::{FuncId, TagSetId};
pub use units::{Lines, Unit, Units};

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
    /// Whether the recovery may write there.
    pub recovery_writes: bool,
    /// The tags of the barrier before which everything survives, if the program has one.
    pub barrier: Option<TagSetId>,
    /// What may be added to a program to force something: the tags of its events, and its name.
    pub forces: Vec<(Vec<TagSetId>, String)>,
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

/// What a single-threaded part does with memory that survives a crash.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Surviving {
    /// It is memory like other.
    #[default]
    Plain,
    /// The part ends before the first write to it.
    Ends,
    /// The part ends behind the barrier before which everything survives; it has written there or not.
    Barrier(bool),
    /// A crash has come: somebody says what it holds where it is read.
    Open,
}

impl Surviving {
    /// What `main` does with it.
    pub fn at_start(program: &Program) -> Surviving {
        if program.persistence.is_explored { Surviving::Ends } else { Surviving::Plain }
    }
}
