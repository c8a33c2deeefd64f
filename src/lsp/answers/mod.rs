//! What the server answers: one file a request.

pub mod actions;
pub mod completion;
pub mod diagnostics;
pub mod lenses;
pub mod names;
pub mod rename;
