//! Which places in the code threads came to, and which way they went there.

use crate::ids::FuncId;
use crate::program::thread::Ways;
use crate::program::{Pc, Program};
use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};

/// The instruction was reached.
const REACHED: u8 = 1;
/// Its condition held, and did not hold.
const WAYS: [u8; 2] = [2, 4];

/// What is done about what a thread passes.
#[derive(Clone, Copy, Debug)]
pub enum Passage<'a> {
    /// It is noted.
    Noted(&'a Covered),
    /// Whether any of it was not passed before is told.
    Compared(&'a Covered, &'a Cell<bool>),
    /// Nothing; the thread goes a way that is chosen for it wherever what it has read leads it on.
    Chosen(&'a Ways),
}

impl Passage<'_> {
    /// A thread came to an instruction.
    pub fn reach(self, func: FuncId, pc: Pc) {
        self.mark(func, pc, REACHED);
    }

    /// A thread went on from an instruction with a condition, which held or not.
    pub fn go(self, func: FuncId, pc: Pc, held: bool) {
        self.mark(func, pc, WAYS[usize::from(!held)]);
    }

    fn mark(self, func: FuncId, pc: Pc, bits: u8) {
        match self {
            Passage::Noted(covered) => covered.mark(func, pc, bits),
            Passage::Compared(covered, is_new) => is_new.set(is_new.get() || !covered.has(func, pc, bits)),
            Passage::Chosen(_) => {}
        }
    }
}

/// What all threads of an exploration have passed, by function and instruction. Workers share it.
#[derive(Debug)]
pub struct Covered(Vec<Box<[AtomicU8]>>);

impl Covered {
    /// Nothing yet.
    pub fn of(program: &Program) -> Covered {
        Covered(program.functions.iter().map(|f| f.code.iter().map(|_| AtomicU8::new(0)).collect()).collect())
    }

    fn mark(&self, func: FuncId, pc: Pc, bits: u8) {
        let Some(marks) = self.0.get(func.index()).and_then(|code| code.get(pc as usize)) else { return };
        // Mostly there is nothing new, and nothing to write to memory that other workers look at.
        if marks.load(Ordering::Relaxed) & bits != bits {
            marks.fetch_or(bits, Ordering::Relaxed);
        }
    }

    fn has(&self, func: FuncId, pc: Pc, bits: u8) -> bool {
        let marks = self.0.get(func.index()).and_then(|code| code.get(pc as usize));
        marks.is_some_and(|marks| marks.load(Ordering::Relaxed) & bits != 0)
    }

    /// Whether a thread came to an instruction.
    pub fn is_reached(&self, func: FuncId, pc: Pc) -> bool {
        self.has(func, pc, REACHED)
    }

    /// Whether a thread went on from an instruction in this way.
    pub fn was_taken(&self, func: FuncId, pc: Pc, held: bool) -> bool {
        self.has(func, pc, WAYS[usize::from(!held)])
    }
}
