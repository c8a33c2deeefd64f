//! Why an execution is allowed, forbidden or wrong.
//!
//! - [`explain`]: the cycle on which an axiom fails; [`derive`](mod@derive): why a relation of the model has an edge.
//! - [`recheck`]: confirms what is about to be printed with the reference evaluator.
//! - [`orders`]: the orders that an execution lacks, or why a weak model allows it.
//! - [`unordered`]: why nothing orders two events.
//! - [`waiting`]: for whom threads wait.

pub mod derive;
pub mod explain;
pub mod orders;
pub mod recheck;
pub mod unordered;
pub mod waiting;
