//! Random programs: each engine against a naive one.

mod bundled;
mod c;
mod crash;
mod endless;
mod explored;
#[cfg(debug_assertions)]
mod freed;
mod futex;
mod kernel;
mod linearizable;
mod not_atomic;
mod ordered;
mod rounds;
mod sent_round;
mod waits;
