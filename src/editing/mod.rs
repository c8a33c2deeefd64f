//! What editors ask of models and litmus tests: what is wrong, what a name means, where it is defined and used, what can be written next.
//!
//! Plain data with places; [`crate::lsp`] and the page in a browser (`web/wasm`) show it. A [`Reading`] is a model as an editor sees it: the names
//! of all its files ([`names`]) are there also while the model is wrong. [`mod@test`] is the same for litmus tests. [`rename`] changes a name and makes sure that
//! nothing else changes its meaning.

pub mod comments;
pub mod fixes;
pub mod meaning;
pub mod names;
pub mod offers;
pub mod problem;
mod reading;
pub mod rename;
pub mod test;
pub mod text;

pub use problem::Problem;
pub use reading::Reading;
