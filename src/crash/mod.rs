//! Programs that crash: what the recovery may find, for each execution.
//!
//! A crash may come at any moment. What is in memory that survives is one of the sets of writes that the model allows; the recovery tells some of them apart
//! by what it reads. So no moment and no order of writes is enumerated, only the sources of the recovery's reads: [`recovery`].
//!
//! - [`counts`]: what is counted.
//! - [`missing`]: which force between two writes forbids what the recovery found; [`useless`]: forces without which it finds the same.

pub mod counts;
pub mod missing;
pub mod recovery;
pub mod useless;
