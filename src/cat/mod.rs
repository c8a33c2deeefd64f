//! The cat front end: reads `.cat` models, `.bell` declarations and `.def` macro files.
//!
//! This room knows the language, not events or programs: what it hands over is an [`crate::algebra::Model`] over base
//! names.

pub mod def;
