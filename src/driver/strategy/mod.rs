//! How the executions of a program are found, and what is done when one way does not suffice.
//!
//! - [`run`]: all executions of a program under a model.
//! - [`counting`]: which executions count as one when the user does not say; [`orders`], [`first_of_sources`]: ways to find those.
//! - [`bounded`]: executions within a bound on interleavings.
//! - [`folded`], [`sections`]: executions counted up to the order of critical sections.
//! - [`sizes`]: accesses of different sizes, cut into parts as often as more of them show.
//! - [`rounds`]: loops that go round without end.
//! - [`missing`]: executions that exploration may miss, and those of them that are found otherwise.
//! - [`unseen`]: what no execution shows, so that nothing holds of it.

mod bounded;
pub mod counting;
pub mod first_of_sources;
mod folded;
pub mod missing;
pub mod orders;
pub mod rounds;
pub mod run;
mod sections;
pub mod sizes;
pub mod unseen;
