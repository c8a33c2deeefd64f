//! Forms for other programs.
//!
//! - [`json`], [`sarif`], [`junit`] (text in it: [`xml`]), [`github`]: results.
//! - [`herd`]: logs of litmus tests.
//! - [`table`]: tests against models.

pub mod github;
pub mod herd;
pub mod json;
pub mod junit;
pub mod sarif;
pub mod table;
pub mod xml;
