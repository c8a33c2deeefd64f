//! What is known of a program before it is explored.
//!
//! - [`load_buffering`]: that no execution has a cycle of program order and reads-from.
//! - [`interchangeable`]: which threads are.
//! - [`unread`]: locations that no thread reads.

pub mod interchangeable;
pub mod load_buffering;
pub mod unread;
