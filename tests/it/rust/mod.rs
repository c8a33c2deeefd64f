//! Rust programs and crates.

mod cargo_hmc;
mod crates;
mod programs;
