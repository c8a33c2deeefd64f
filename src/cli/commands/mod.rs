//! One file a subcommand. Those with many parts have folders of their own: `cargo`, `parts`, `synth`.
//!
//! - [`check`], [`test`], [`run_table`]: files under models.
//! - [`diff`], [`robust`], [`compiled`]: two models, or a program twice.
//! - [`model`], [`questions`], [`list_models`]: about models.
//! - [`tune`]: `hmc repair` and `hmc relax`.
//! - [`explain`]: what messages mean.
//! - [`lsp`]: the language server.
//! - [`playground`]: the page, served on this machine.

pub mod check;
pub mod compiled;
pub mod diff;
pub mod explain;
pub mod list_models;
pub mod lsp;
pub mod model;
pub mod playground;
pub mod questions;
pub mod robust;
pub mod run_table;
pub mod test;
pub mod tune;
