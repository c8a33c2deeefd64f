//! Explorations in parts: beyond one run, one process, one machine.
//!
//! A *job* is a check with all texts that it needs. A *part* is an interval of the depth-first order of one of its searches, told by a line of text. A *result* holds what a part saw
//! and the parts that it leaves, in one record. Merging walks from the roots: whoever follows the records has everything once, whatever was lost, doubled or killed.
//!
//! What a check does before, between and after its searches is not divided: each process does it again ([`crate::explore::parallel::divide::Divider`] stands in for the searches). Searches are numbered
//! in the order in which the check comes to them; one that comes after another has the outcome of the earlier ones (`outcomes`), and begins when these are done.
//!
//! - [`job`]: jobs and parts, as files.
//! - [`results`]: results, as lines of files; who reads and writes them.
//! - [`merging`]: what all parts saw, and which are open.
//! - [`working`]: searching parts, by several threads.
//! - [`engines`]: other programs that start workers: HyperQueue, Slurm.
//! - [`error`]: what can be wrong with a job.

pub mod engines;
pub mod error;
pub mod job;
pub mod merging;
pub mod results;
pub mod rounds;
pub mod working;

pub use error::Error;
