//! Checks in parts say what one run says, whatever is lost, doubled, killed or done in another order.

mod deaths;
mod engines;
pub mod exact;
mod jobs;
mod mutants;
mod random;
mod shards;
