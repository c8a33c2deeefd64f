//! Relation expressions: the form that a memory model has after staging.
//!
//! A model is data: a hash-consed directed acyclic graph of [`Node`]s over *base names* ([`Base`]), plus a list of
//! [`Check`]s ([`Model`]). This room knows neither cat syntax (it is built through [`Pool`]'s constructors) nor events (a
//! base name is just a name).
//!
//! - [`expr`]: nodes, the pool, the constructors.
//! - [`model`]: checks, flags, shows; what `cat` hands over.
//! - [`simplify`]: cheaper equivalent checks for a program at hand.
//! - [`facts`]: what is certain of checks and expressions without any execution.
//! - [`places`]: models over accesses that are made of parts.
//! - [`naive`]: the plain evaluator that the fast path is held against.
//! - [`text`]: expressions as text of the cat language.

pub mod expr;
pub mod facts;
pub mod model;
pub mod naive;
pub mod places;
pub mod simplify;
pub mod text;

pub use expr::{Base, BaseId, ExprId, FixId, Node, Pool, Sort, VarId};
pub use model::{Check, Model, Predicate, Role};
