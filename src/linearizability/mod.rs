//! Whether concurrent calls have the results that a sequential specification gives them in some order.
//!
//! A *history* is the calls of one object in one execution, with the order that holds between them. It is *linearizable* if a total order of its calls contains that order, and the
//! specification, run in it, gives the same results (Herlihy and Wing, *Linearizability*, TOPLAS 1990). A call that has not returned may count or not.
//!
//! - [`history`]: what is known of calls.
//! - [`specification`]: sequential C, run call by call.
//! - [`library`]: specifications that come with hmc.
//! - [`search`]: the search for such an order, with a memory of what leads nowhere.

pub mod history;
pub mod library;
pub mod search;
pub mod specification;
