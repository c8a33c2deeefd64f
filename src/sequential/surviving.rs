//! Memory that survives a crash, in the single-threaded parts of a program: where `main` stops running alone for its sake, and what a recovery reads.

use crate::ids::FuncId;
use crate::program::Program;
use crate::program::crash::Surviving;
use crate::program::deps::{DepId, DepTable};
use crate::program::fault::Fault;
use crate::program::thread::{Action, Slot};
use crate::sequential::{Choices, End, Limits, Solo};

const RECOVERY_WRITES: &str =
    "the recovery writes to memory that survives a crash; it may only read there (`--recovery-writes` lets it write)";
const RECOVERY_CREATES: &str =
    "the recovery creates a thread; it runs alone, so it may call the thread's function itself";

impl Solo {
    /// `main` as far as it runs alone. What comes before a barrier is part of the initial state, if the way there is always the same.
    pub fn begin(program: &Program, main: FuncId, limits: &Limits<'_>, choices: &mut Choices) -> (Solo, End) {
        let mut first = Solo::start(program, main);
        if first.surviving == Surviving::Ends && program.persistence.barrier.is_some() {
            let mut earlier = first.clone();
            earlier.surviving = Surviving::Barrier(false);
            let mut chosen = choices.clone();
            if earlier.run(program, limits, &mut DepTable::default(), &mut chosen) == End::Survives {
                *choices = chosen;
                return (earlier, End::Survives);
            }
        }
        let end = first.run(program, limits, &mut DepTable::default(), choices);
        (first, end)
    }

    /// What ends the part there, for the sake of memory that survives a crash.
    pub(crate) fn at_surviving(&mut self, program: &Program, deps: &mut DepTable, action: &Action) -> Option<End> {
        let persistence = &program.persistence;
        match (self.surviving, action) {
            (Surviving::Ends, Action::Write { addr, .. }) if persistence.has(*addr) => Some(End::Survives),
            (Surviving::Ends, Action::Fence { is_fence: false, .. }) => Some(End::Survives),
            (Surviving::Barrier(_), Action::Write { addr, .. }) if persistence.has(*addr) => {
                self.surviving = Surviving::Barrier(true);
                None
            }
            (Surviving::Barrier(_), Action::Fence { tags, .. }) if Some(*tags) == persistence.barrier => {
                self.go_past(program, deps, 0);
                Some(End::Survives)
            }
            // What is chosen then may decide whether it comes to the barrier.
            (Surviving::Barrier(true), Action::Choose { .. }) => Some(End::Cut),
            (Surviving::Open, &Action::Write { addr, size, .. })
                if persistence.recovery_writes && persistence.has(addr) =>
            {
                // What it writes is there. Of a part of something, it is open what the rest holds.
                self.open.retain(|&place| place != (addr, size));
                self.asks(addr, size)
            }
            (Surviving::Open, Action::Write { addr, .. }) if persistence.has(*addr) => {
                Some(End::Fault(Fault::Unsupported(RECOVERY_WRITES.to_owned())))
            }
            (Surviving::Open, Action::Spawn { .. }) => {
                Some(End::Fault(Fault::Unsupported(RECOVERY_CREATES.to_owned())))
            }
            (Surviving::Open, &Action::Read { addr, size, .. }) => self.asks(addr, size),
            (Surviving::Open, Action::Choose { values }) => Some(End::Chooses(values.clone())),
            _ => None,
        }
    }

    /// A place that an access overlaps, of which it is open what it holds.
    fn asks(&self, addr: u64, size: u8) -> Option<End> {
        let overlaps = |&&(at, bytes): &&(u64, u8)| {
            addr < at.saturating_add(u64::from(bytes)) && at < addr.saturating_add(u64::from(size))
        };
        self.open.iter().find(overlaps).map(|&(at, bytes)| End::Asks(at, bytes))
    }

    /// Notes a read of memory that survives, once the crash has come.
    pub(super) fn note_found(&mut self, program: &Program, address: u64, size: u8, value: u64) {
        if self.surviving == Surviving::Open && program.persistence.has(address) {
            self.found.push((address, size, value));
        }
    }

    /// Goes past an action at which it ended, with a value.
    pub fn go_past(&mut self, program: &Program, deps: &mut DepTable, value: u64) {
        self.thread.complete(program, deps, Slot { value, deps: DepId::NONE });
    }
}
