//! Calls of a program as histories, held against a sequential specification.
//!
//! - [`histories`]: the calls of an execution, and what orders them.
//! - [`linearizable`]: results that no order of the calls explains, and synchronisation that is missing.
//! - [`clients`]: results that some client could tell to be wrong.
//! - `happens`: what is ordered in an execution; `thread_order`: what of it creation, joining and barriers order.
//! - `relations`: the model's relations on an execution, by the bit rows of `matrix`.

pub mod clients;
mod happens;
pub mod histories;
pub mod linearizable;
mod matrix;
mod relations;
mod thread_order;
