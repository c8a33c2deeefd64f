//! Questions about models, answered: proved, or refuted with a test.
//!
//! - [`paths`]: relations as path languages, and inclusion between these. [`prove`]: every violation of one model is one of another.
//! - [`certificate`]: proofs, checked again by other code.
//! - [`refute`]: the smallest programs on which models differ.
//! - [`compare`]: both together. [`properties`]: redundant axioms, orders that are acyclic, monotony. [`text`]: answers for people.
//! - [`mapping`]: whether programs keep their meaning when they are compiled.
//! - [`assume`]: what the user knows of executions; claims about all of them.

pub mod assume;
pub mod certificate;
pub mod compare;
pub mod mapping;
pub mod paths;
pub mod properties;
pub mod prove;
pub mod refute;
pub mod text;
