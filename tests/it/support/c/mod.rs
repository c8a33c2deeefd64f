//! Random C programs that use what a library gives: locks, condition variables, barriers, memory, threads that run the same function. Each is written
//! twice: as C, and as steps of a [`Machine`].
//!
//! - [`program`]: what a program is, as a tree;
//! - [`generate`]: makes random trees;
//! - [`text`]: writes a tree as C;
//! - [`steps`]: compiles a tree to steps of the machine;
//! - [`layout`]: which registers and cells of the machine the locals and globals of C are, which the other files share.
//!
//! Nothing but the tree goes from one side to the other, so text and steps can only agree if both mean the same.

mod generate;
mod layout;
mod program;
mod steps;
mod text;

use super::machine::Machine;
use super::random::Rng;
use layout::TOLD;

/// What C programs begin with.
pub const HEADER: &str = "#define _GNU_SOURCE\n#include <pthread.h>\n#include <stdlib.h>\n#include <threads.h>\n\
    void hmc_assert(int);\nvoid __VERIFIER_assume(int);\nint __VERIFIER_nondet_int(void);\n\
    struct node { int v; struct node *next; };\n";

/// A random program, twice.
pub struct CProgram {
    /// C, with names that end in `__K` where another program has the same.
    pub text: String,
    pub machine: Machine,
    /// Which global numbers [`Machine::told`] tells, by name and index.
    pub told: Vec<(&'static str, u64)>,
}

impl CProgram {
    /// So many of what is told are variables; the others are what threads return.
    pub const VARIABLES: usize = TOLD.len();
}

/// A random program of two to four threads and up to about so many accesses.
pub fn random_c(rng: &mut Rng, events: u64, strong: bool) -> CProgram {
    let program = generate::program(rng, events, strong);
    CProgram { text: text::text(&program), machine: steps::machine(&program), told: layout::told(program.threads) }
}
