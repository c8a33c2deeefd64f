//! How the executions of a program are found, and what is done when one way does not suffice.
//!
//! - [`run`]: the policy: which way is tried when. [`attempt`]: what a way comes to; [`way`]: what is taken for granted; [`finish`]: what is known in the end.
//! - The ways: [`fixed`] (programs whose events are always the same), [`candidates`] (all candidates of a test), [`explored`] (exploration), [`alone`] (one thread).
//! - [`equivalence`]: which executions count as one when the user does not say; [`orders`]: a way to find those.
//! - [`cycles`]: whether there may be executions that exploration never finds.
//! - [`sizes`]: accesses of different sizes, cut into parts as often as more of them show.
//! - [`rounds`]: loops that go round without end.
//! - [`missing`]: executions that exploration may miss, and those of them that are found otherwise.

mod alone;
pub mod attempt;
mod candidates;
mod cycles;
pub mod equivalence;
mod explored;
mod finish;
mod fixed;
pub mod missing;
pub mod orders;
pub mod rounds;
pub mod run;
pub mod sizes;
mod way;
