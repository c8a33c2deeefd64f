//! Calls of a program as histories, held against a sequential specification.
//!
//! - [`histories`]: the calls of an execution, and what orders them; [`happens`]: the model's happens-before.
//! - [`linearizable`]: results that no order of the calls explains, and synchronisation that is missing.
//! - [`clients`]: results that some client could tell to be wrong.
//! - [`matrix`]: the model's relations on an execution, by bit rows.

pub mod clients;
pub mod happens;
pub mod histories;
pub mod linearizable;
pub mod matrix;
