//! Variables and pointers before code is emitted.
//!
//! - [`promote`]: locals that are registers, private memory or shared memory; [`pieces`]: blocks of memory as accesses.
//! - [`pointees`]: guesses at what a pointer points to.
//! - [`unset`]: reads of variables that nothing was written to; [`watch`]: flags that check them.

pub mod pieces;
pub mod pointees;
pub mod promote;
pub mod unset;
pub mod watch;
