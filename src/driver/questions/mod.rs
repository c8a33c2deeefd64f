//! What is asked about a file besides its verdict.
//!
//! - [`explain`]: why no execution has an outcome; [`judged`]: all candidate executions, each with what the model says of it;
//!   [`listed`]: executions that a report lists.
//! - [`differ`]: an execution that tells two models apart; [`robust`]: a program under a model and under a stronger one.
//! - [`race_model`]: races of programs under models that know none.
//! - [`optimised`]: whether the source has what was found in an optimised program.
//! - [`forced`]: a program that crashes, with forces that it lacks.
//! - [`started`]: the threads that `main` creates, if that is all it does.
//! - [`specified`]: calls against a sequential specification; [`clients`]: a structure with every client of a few calls.

pub mod clients;
pub mod differ;
pub mod explain;
pub mod forced;
pub mod judged;
pub mod listed;
pub mod optimised;
pub mod race_model;
pub mod robust;
pub mod specified;
pub mod started;
