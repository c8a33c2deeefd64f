//! Relation expressions: the form that a memory model has after staging.
//!
//! A model is data: a hash-consed directed acyclic graph of [`Node`]s over *base names* ([`Base`]), plus a list of
//! [`Check`]s ([`Model`]). This room knows neither cat syntax (it is built through [`Pool`]'s constructors) nor events (a
//! base name is just a name).
//!
//! - [`expr`]: nodes, the pool, the constructors.
//! - [`model`]: checks, flags, shows; what `cat` hands over.
//! - [`settled`]: which sets are empty, or everything, in every execution of a program.
//! - [`simplify`], [`converse`], [`orient`] (`forwards` says what is worth turning), [`narrow`]: cheaper equivalent checks for a program at hand.
//! - [`share`]: common parts of compositions, evaluated once.
//! - [`analyse`]: which checks stay violated when an execution grows.
//! - [`weaken`]: weaker checks that stay violated, of those that do not.
//! - [`extend`]: which checks let the next event be added.
//! - [`renew`]: which checks let the last event of a thread be replaced.
//! - [`places`]: models over accesses that are made of parts.
//! - [`order`]: whether the checks keep `po | rf` acyclic.
//! - [`bounds`]: what is certain of an expression when little of an execution is known.
//! - [`naive`]: the plain evaluator that the fast path is held against.
//! - [`text`]: expressions as text of the cat language.

pub mod analyse;
pub mod bounds;
pub mod converse;
pub mod expr;
pub mod extend;
mod forwards;
pub mod imply;
pub mod model;
pub mod naive;
pub mod narrow;
pub mod order;
pub mod orient;
pub mod places;
pub mod renew;
pub mod retag;
pub mod settled;
pub mod share;
pub mod simplify;
pub mod text;
pub mod weaken;

pub use expr::{Base, BaseId, ExprId, FixId, Node, Pool, Sort, VarId};
pub use model::{Check, Model, Predicate, Role};
