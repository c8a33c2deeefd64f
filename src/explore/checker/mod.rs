//! Whether a graph is consistent: what the search wants of a model, and small questions about a few events.

pub mod consistency;
pub(crate) mod known;
pub(crate) mod own_future;
pub(crate) mod plans;
pub(crate) mod same_location;
pub(crate) mod same_thread;
pub(crate) mod synchronised;
pub(crate) mod thin_air;
