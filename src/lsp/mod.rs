//! The language server: models, bell files and litmus tests in editors (`docs/editors.md`).
//!
//! [`serve`] answers one client until it says that it is done. [`server`] takes messages apart; [`session`] has what questions need; each kind of question has a file in [`answers`]. What is answered comes from
//! [`crate::editing`], which knows no protocol. Tests that the client runs are checked on threads of their own ([`runs`]).

mod answers;
mod bundled;
mod documents;
mod models;
mod options;
mod places;
mod runs;
mod server;
mod session;
mod uri;

pub use options::Options;
pub use server::serve;
