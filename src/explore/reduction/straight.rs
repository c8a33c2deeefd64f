//! Threads of straight code: where each register is set last.

use crate::program::instr::{Pc, Reg};
use crate::program::{Entry, Half, Instr, Program};
use rustc_hash::FxHashMap;

/// A thread of straight code.
pub(in crate::explore) struct Straight {
    /// Where each register that is set is set last.
    pub(super) set: FxHashMap<Reg, Pc>,
    /// The last store.
    pub(super) store: Option<Pc>,
    /// Whether it reads at all.
    pub(in crate::explore) reads: bool,
}

impl Straight {
    /// `None`: the code of the thread is not straight.
    pub(in crate::explore) fn of(program: &Program, entry: &Entry) -> Option<Straight> {
        let mut straight = Straight { set: FxHashMap::default(), store: None, reads: false };
        for (pc, instr) in (0..).zip(&program.functions[entry.function.index()].code) {
            match instr {
                Instr::Set { dst, .. } | Instr::Bin { dst, .. } | Instr::Un { dst, .. } => {
                    straight.set.insert(*dst, pc);
                }
                Instr::Load(load) if load.half == Half::None && load.unless.is_none() => {
                    straight.set.insert(load.dst, pc);
                    straight.reads = true;
                }
                Instr::Store(store) if store.half == Half::None => straight.store = Some(pc),
                Instr::Fence { .. } | Instr::Return { .. } => {}
                _ => return None,
            }
        }
        Some(straight)
    }
}
