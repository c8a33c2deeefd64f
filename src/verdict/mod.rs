//! What a run says about a program: plain data, and how it is computed from executions.
//!
//! - [`result`]: verdicts and results; what reports are made from.
//! - [`observer`]: sees the executions of a program and keeps what matters.
//! - [`finding`]: what is wrong, in words, for each problem that exploration shows.
//! - [`mod@flags`]: flags of the model, and the accesses that they are about; [`memory`]: memory and locks that are misused; [`calls`]: calls whose results are wrong; [`crash`]: what the recovery finds.
//! - [`reasons`]: why an execution is allowed, forbidden or wrong.
//! - [`picture`]: an execution as plain data.
//! - [`listed`]: executions one by one, as plain data.
//! - [`outcomes`]: the values that a program ends with; [`coverage`]: the lines and assertions that executions reach.
//! - [`expected`], [`header`]: what was recorded of a program, and what it says of itself.
//! - [`bounded`]: what is said of executions within a bound on interleavings.
//! - [`compare`]: whether two models say the same; [`robust`]: what is said about robustness.
//! - [`audit`]: remembers every execution, and judges each a second time; [`identity`]: what tells executions apart.

pub mod audit;
pub mod bounded;
pub mod calls;
pub mod compare;
pub mod coverage;
pub mod crash;
pub mod estimate;
pub mod expected;
pub mod finding;
pub mod flags;
pub mod header;
pub mod identity;
pub mod listed;
pub mod memory;
pub mod observer;
pub mod outcomes;
pub mod picture;
pub mod reasons;
pub mod result;
pub mod robust;

pub use estimate::Estimate;
pub use finding::Property;
pub use observer::Observer;
pub use picture::Picture;
pub use picture::sources::Sources;
pub use result::{Executions, Explored, FileResult, Finding, Flag, Log, Message, Place, Verdict};
