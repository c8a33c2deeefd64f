//! Programs in which threads wait for locks only, and locks are only taken and given back.
//!
//! Of such a program the order in which threads hold a lock need not be explored (`explore::sections`). What of that depends on addresses is noticed while it is: a lock that is accessed in another way, or given back by another thread.
//!
//! Not among them: programs that try locks, share them, look at who has one, wait for anything else, or have wide accesses that are made of parts.

use crate::ids::{FuncId, TagSetId};
use crate::program::operation::{Operation, Primitive};
use crate::program::{Function, Half, Instr, Load, Operand, Pc, Program, Stop, Store};
use rustc_hash::FxHashMap;

/// A store that gives a lock back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Release {
    /// Its tags.
    pub tags: TagSetId,
    /// Whether it stays out of `W` and `M`.
    pub hidden: bool,
    /// What it writes: the value of a free lock.
    pub value: u64,
}

/// Where a program takes locks, and how it gives them back.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Locks {
    /// The loads of acquisitions, with what kind of lock they take.
    acquisitions: FxHashMap<(FuncId, Pc), Primitive>,
    releases: FxHashMap<Primitive, Release>,
}

impl Locks {
    /// Those of a program, if it is one of these and has some.
    pub fn of(program: &Program) -> Option<Locks> {
        let is_asked = !program.persistence.is_explored;
        let mut locks = Locks { acquisitions: FxHashMap::default(), releases: FxHashMap::default() };
        let mut functions = program.functions.iter().enumerate();
        let is_one = is_asked && functions.all(|(id, function)| locks.note(FuncId::at(id), function));
        let has_release = |primitive| locks.releases.contains_key(primitive);
        let is_whole = is_one && !locks.acquisitions.is_empty() && locks.acquisitions.values().all(has_release);
        is_whole.then_some(locks)
    }

    /// The kind of lock that a load takes, if it is that of an acquisition, and how one of that kind is given back.
    pub fn taken_by(&self, function: FuncId, pc: Pc) -> Option<Release> {
        self.releases.get(self.acquisitions.get(&(function, pc))?).copied()
    }

    /// Takes note of a function; `false`: it does something else with locks, or waits for something else.
    fn note(&mut self, id: FuncId, function: &Function) -> bool {
        if !function.parts.is_empty() {
            return false;
        }
        let mut waits = 0;
        for &(pc, operation) in &function.operations {
            let is_known = match operation {
                Operation::Acquire(primitive) => {
                    waits += 1;
                    let load = load_of(function, pc);
                    load.is_some_and(|load| self.acquisitions.insert((id, load), primitive).is_none())
                }
                Operation::Release(primitive) => release(function, pc)
                    .is_some_and(|release| *self.releases.entry(primitive).or_insert(release) == release),
                // What is accessed so is no lock, as far as exploration comes to it; and what an acquisition looks at, that takes.
                Operation::Initialise(_) | Operation::Destroy(_) | Operation::Copy | Operation::Paste => true,
                Operation::Look(primitive) => {
                    let taken = function.operations.iter().filter(|(_, o)| *o == Operation::Acquire(primitive));
                    taken.into_iter().any(|&(store, _)| load_of(function, store) == Some(pc))
                }
                Operation::Share(_) | Operation::Use(_) => false,
            };
            if !is_known {
                return false;
            }
        }
        let stops = function.code.iter().filter(|instr| matches!(instr, Instr::StopUnless { .. })).count();
        stops == waits
    }
}

/// The load of an acquisition of which this is the store, where the thread waits between the two.
fn load_of(function: &Function, store: Pc) -> Option<Pc> {
    let Instr::Store(Store { half: Half::AmoWrite | Half::FusedWrite, .. }) = function.code.get(store as usize)? else {
        return None;
    };
    let before = &function.code[..store as usize];
    let load = before.iter().rposition(|instr| matches!(instr, Instr::Load(_)))?;
    let Instr::Load(Load { half: Half::AmoRead | Half::FusedRead, unless: Some(_), .. }) = before[load] else {
        return None;
    };
    let is_wait = |instr: &&Instr| matches!(instr, Instr::StopUnless { why: Stop::Await, .. });
    (before[load..].iter().filter(is_wait).count() == 1).then_some(load as Pc)
}

fn release(function: &Function, pc: Pc) -> Option<Release> {
    match *function.code.get(pc as usize)? {
        Instr::Store(Store { value: Operand::Const(value), half: Half::None, tags, hidden, .. }) => {
            Some(Release { tags, hidden, value })
        }
        _ => None,
    }
}
