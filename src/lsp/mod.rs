//! The language server: models, bell files and litmus tests in editors (`docs/editors.md`).
//!
//! [`serve`] answers one client until it says that it is done. [`server`] takes messages apart; each kind of question has a file. What is answered comes from
//! [`crate::editing`], which knows no protocol. Tests that the client runs are checked on threads of their own ([`runs`]).

mod actions;
mod bundled;
mod completion;
mod diagnostics;
mod documents;
mod lenses;
mod models;
mod names;
mod places;
mod rename;
mod runs;
mod server;
mod uri;

pub use server::serve;

use std::path::PathBuf;
use std::time::Duration;

/// What a server is started with.
#[derive(Clone, Debug)]
pub struct Options {
    /// The models that tests are run under; when none is named, the usual one of each test.
    pub models: Vec<String>,
    /// Where included files are looked for, besides the folder of a model.
    pub include_dirs: Vec<PathBuf>,
    /// How long a test may run.
    pub timeout: Duration,
    /// Where bundled files are written, for editors to open them.
    pub library: PathBuf,
}
