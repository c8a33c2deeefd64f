//! What is printed, and where.
//!
//! - [`out`]: the one way out; [`width`]: room and colours.
//! - [`outputs`]: the reports that `--format` asks for; [`summary`]: what is said after a batch.
//! - [`progress`]: a line while a run takes long.
//! - [`html`]: results as one page; [`page`]: where the built page is.

pub mod html;
pub mod out;
pub mod outputs;
pub mod page;
pub mod progress;
pub mod summary;
pub mod width;
