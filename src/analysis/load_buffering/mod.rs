//! Programs that leave no room for a cycle of program order and reads-from, although the model does.
//!
//! Under a model that allows such cycles revisits keep dependencies only, which costs holes and most rules about waiting threads. Most
//! programs that are meant to work under it order each read before the writes that follow it in its thread, by a dependency, a fence, or
//! what the accesses are. For such a program revisits may keep program order. The proof is by the code alone, so it holds of every
//! execution, also of those that no exploration would find; `docs/load-buffering.md`, *Programs without load buffering*, states it.
//!
//! - `flat`: the code of a thread with its calls written out, those through pointers with each function that they may run; `values`: values that never change.
//! - `addresses`: which accesses certainly do not meet.
//! - `follow`: what certainly happens between a read and what follows it.
//! - `query`: what the model certainly says of a few events.
//! - `exclusion`: what threads do while they hold the same lock.
//! - `guarded`: what they read of each other meanwhile; `holding`: which locks they hold, also of those in arrays and nodes.
//! - `proof`: what is to be proved, and in which steps.
//! - `cases`: what it says whatever is read in between.
//! - `circles`: executions that decide about themselves; `taint`: what may change where a thread goes a way that none has gone.
//!
//! Limits: functions that are recursive, or may be through pointers, and long code are not proved anything of. A read is
//! ordered before a write by itself, through one event in between, or through its own write and what is read behind that.

mod addresses;
mod cases;
mod circles;
mod cycles;
mod exclusion;
mod flat;
mod follow;
mod guarded;
mod holding;
mod proof;
mod query;
mod taint;
mod threads;
mod values;

pub use circles::may_have_circles;

use crate::algebra::facts::order::Orders;
use crate::program::Program;
use proof::Proof;
use query::{Acyclic, acyclic_relations};
use threads::Threads;

/// Whether a program has no consistent execution, complete or not, with a cycle of program order, reads-from, creation, joins and barriers.
pub fn is_ordered(program: &Program, orders: &Orders) -> bool {
    let Some(threads) = Threads::of(program) else { return false };
    acyclic_relations(orders).any(|acyclic| Proof::new(program, orders, acyclic, &threads).succeeds_with_locks())
        || Proof::new(program, orders, Acyclic::default(), &threads).rejects_each_cycle(program, orders, &|_, _| true)
}

/// Whether that is seen without taking for granted that dependencies and reads-from form no cycles.
pub fn is_ordered_by_the_model(program: &Program, orders: &Orders) -> bool {
    let Some(threads) = Threads::of(program) else { return false };
    acyclic_relations(orders).any(|acyclic| Proof::new(program, orders, acyclic, &threads).succeeds_with_locks())
}
