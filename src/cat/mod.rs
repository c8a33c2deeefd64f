//! The cat front end: reads `.cat` models, `.bell` declarations and `.def` macro files.
//!
//! This room knows the language, not events or programs: what it hands over is an [`crate::algebra::Model`] over base names.
//! [`load`] is the whole way: find the files ([`library`]), read them ([`syntax`]), run the program on symbols ([`stage`]).
//! Reading and staging never panic and return every error they found ([`diagnostics`]).
//!
//! The language is herd's cat, with Dartagnan's as a second dialect; `docs/deviations.md` lists where this implementation means
//! to differ.

pub mod catalogue;
pub mod def;
mod dependencies;
pub mod diagnostics;
mod dialect;
mod env;
pub mod library;
mod load;
mod loader;
pub mod reference;
pub mod source;
pub mod stage;
pub mod syntax;
pub mod tools;
pub mod vocabulary;

pub use dialect::Dialect;
pub use load::{LoadErrors, LoadRequest, Loaded, ModelSource, Program, load};
pub use loader::Loader;
pub use stage::{Bell, Shape};
pub use vocabulary::Vocabulary;

#[cfg(test)]
pub mod testing;
