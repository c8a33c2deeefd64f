//! Threads that wait: spin iterations, locks, and threads that wait for ever.

pub mod acquired;
pub(crate) mod awaits;
pub(crate) mod endless;
pub(crate) mod extensible;
pub(crate) mod known;
pub(crate) mod last_waiter;
pub(crate) mod left_out;
pub(crate) mod lock_order;
pub(crate) mod partial_executions;
pub(crate) mod retries;
