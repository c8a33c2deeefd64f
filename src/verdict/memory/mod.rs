//! Memory and objects used as they must not be.
//!
//! - [`lifetimes`]: memory that is freed while somebody may still access it; [`births`]: memory that is accessed while it may not be allocated yet.
//! - [`settled`]: what a few events tell of both.
//! - [`leaks`]: memory and threads that are left behind.
//! - [`misuse`]: locks, barriers and threads.

pub mod births;
pub mod leaks;
pub mod lifetimes;
pub mod misuse;
pub mod settled;
