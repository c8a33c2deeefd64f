//! Dependency prefixes only: what a revisit leaves out below a kept event, and how it is filled again.

pub(crate) mod addition_order;
pub(crate) mod forced_choices;
pub(crate) mod keep_sets;
pub(crate) mod known;
pub(crate) mod lookahead;
pub(crate) mod performed_by_maximal;
pub(crate) mod remember;
pub(crate) mod revisited_by_deleted;
pub(crate) mod trial;
