//! What is known of a program before it is explored.

pub mod load_buffering;
