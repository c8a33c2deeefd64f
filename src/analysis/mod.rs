//! What is known of a program before it is explored.
//!
//! - [`load_buffering`]: that no execution has a cycle of program order and reads-from.
//! - [`interchangeable`]: which threads are.
//! - [`locks`]: that threads wait for locks only, which are only taken and given back.
//! - [`unread`]: locations that no thread reads.

pub mod interchangeable;
pub mod load_buffering;
pub mod locks;
pub mod unread;
