//! What people do with a model besides running it: look at it ([`info`]), have it checked ([`check`]), format it ([`fmt`]).
//!
//! Everything here returns plain data or text; printing is the command line's.

mod annotations;
pub mod check;
pub mod fmt;
pub mod info;
