//! Checks in parts say what one run says, whatever is lost, doubled, killed or done in another order.

#[allow(dead_code, reason = "the tests of the command line use the rest")]
#[path = "cli/support.rs"]
mod cli;
mod support;

#[path = "parts/deaths.rs"]
mod deaths;
#[path = "parts/engines.rs"]
mod engines;
#[path = "parts/exact.rs"]
mod exact;
#[path = "parts/jobs.rs"]
mod jobs;
#[path = "parts/mutants.rs"]
mod mutants;
#[path = "parts/random.rs"]
mod random;
#[path = "parts/shards.rs"]
mod shards;
