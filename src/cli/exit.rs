//! Exit codes besides those of verdicts.

/// Exit code for bad usage or bad input.
pub const BAD_INPUT: u8 = 2;
/// Exit code for an error in hmc itself.
pub const INTERNAL: u8 = 70;
/// Exit code after a second Ctrl-C.
pub const KILLED: i32 = 130;
