//! Sets of events and relations between them: ground types that know nothing of models or programs.

pub mod bits;
pub mod candidate;
