//! What a run says about a program: plain data, and how it is computed from executions.
//!
//! - [`result`]: verdicts and results; what reports are made from.
//! - [`picture`]: an execution as plain data; [`draw`] makes one from a graph, [`order`] finds the order of its rows,
//!   [`names`] calls locations and values what the user calls them.
//! - [`finding`]: what is wrong, in words, for each problem that exploration shows; [`waiting`]: for whom threads wait.
//! - [`lifetimes`]: memory that is freed while somebody may still access it, `settled`: what a few events tell of that; [`leaks`]: memory and threads that are left behind.
//! - `births`: memory that is accessed while it may not be allocated yet.
//! - [`misuse`]: locks, barriers and threads used as they must not be.
//! - [`races`]: flags of the model, and the accesses that they are about; [`unordered`]: why nothing orders two events.
//! - [`observer`]: sees the executions of a program and keeps what matters.
//! - [`explain`]: the cycle on which an axiom fails; [`recheck`] confirms what is about to be printed with the reference evaluator.
//! - [`derive`]: why a relation of the model has an edge.
//! - [`orders`]: the orders that an execution lacks, or why a weak model allows it.
//! - [`outcomes`]: the values that a program ends with.
//! - [`frames`]: which line is shown for what happens in a function that wraps it.
//! - [`header`]: what a program says is expected of it.
//! - [`robust`]: what is said about robustness.
//! - [`compare`]: whether two models say the same.
//! - [`coverage`]: the lines and assertions that executions reach.
//! - [`sources`]: the texts of source files.
//! - [`audit`]: remembers every execution, and judges each a second time.

pub mod audit;
mod births;
mod clients;
pub mod compare;
pub mod coverage;
pub mod derive;
pub mod draw;
pub mod estimate;
pub mod expected;
pub mod explain;
pub mod finding;
pub mod frames;
mod happens;
pub mod header;
mod histories;
pub mod identity;
pub mod leaks;
pub mod lifetimes;
pub mod linearizable;
mod matrix;
pub mod misuse;
pub mod names;
pub mod observer;
pub mod order;
pub mod orders;
pub mod outcomes;
pub mod picture;
pub mod races;
pub mod recheck;
pub mod result;
pub mod robust;
mod settled;
pub mod sources;
pub mod unordered;
pub mod waiting;

pub use estimate::Estimate;
pub use finding::Property;
pub use observer::Observer;
pub use picture::Picture;
pub use result::{Executions, Explored, FileResult, Finding, Flag, Log, Message, Place, Verdict};
pub use sources::Sources;
