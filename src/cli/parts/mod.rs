//! Jobs: checks in parts ([`crate::parts`]).
//!
//! - `split`, `run`, `merge`: the subcommands, and `--checkpoint`.
//! - `arguments`: the options of a check as a job keeps them.
//! - `bench`: running the checks of a job.
//! - `shards`: reports of shards as one.
//! - `cluster`: HyperQueue and Slurm.

mod arguments;
mod bench;
pub mod cluster;
pub mod merge;
pub mod run;
mod shards;
pub mod split;
