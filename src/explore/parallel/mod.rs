//! Several threads search: parts of a search, and how they are given away.

pub(crate) mod affinity;
pub mod divide;
pub(crate) mod in_parts;
pub mod notes;
pub mod parts;
pub mod path;
pub mod spare;
pub(crate) mod steal;
pub mod team;
