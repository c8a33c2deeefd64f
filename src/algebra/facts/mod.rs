//! What is certain of a check or an expression without any execution.
//!
//! - [`analyse`]: checks that stay violated when an execution grows; [`weaken`]: weaker checks that do, of those that do not.
//! - [`extend`]: checks that let the next event be added; [`renew`]: that let the last event of a thread be replaced; [`retag`]: that let an event be in other base sets.
//! - [`polarity`]: expressions that lose by more reads-from and coherence.
//! - [`order`]: whether the checks keep `po | rf` acyclic; [`imply`]: relations that they keep within an order.
//! - [`bounds`]: what is certain when little of an execution is known; [`settled`]: what every execution of a program gives the same value.

pub mod analyse;
pub mod bounds;
pub mod extend;
pub mod imply;
pub mod order;
pub mod polarity;
pub mod renew;
pub mod retag;
pub mod settled;
pub mod weaken;
