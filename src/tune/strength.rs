//! How strong an access or a fence can be: the memory orders of C11, which the kernel's primitives and the instructions of processors are read as, too.

use crate::llvm::ir::Order;
use serde::Serialize;

/// What a site is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A read.
    Load,
    /// A write.
    Store,
    /// A compare-and-swap that fails. It stands in front of the one that succeeds: compilers make that as strong as this one.
    Failure,
    /// A read-modify-write, or a compare-and-swap that succeeds.
    Update,
    /// A fence.
    Fence,
    /// A place for a fence, in front of an access.
    Before,
    /// A place for a fence, behind an access.
    Behind,
}

impl Kind {
    /// Whether there is nothing in the program yet.
    pub fn is_gap(self) -> bool {
        matches!(self, Kind::Before | Kind::Behind)
    }

    /// The orders that it can have, none before a weaker one. [`Order::Na`] is no fence.
    pub fn orders(self) -> &'static [Order] {
        match self {
            Kind::Load | Kind::Failure => &[Order::Rlx, Order::Con, Order::Acq, Order::Sc],
            Kind::Store => &[Order::Rlx, Order::Rel, Order::Sc],
            Kind::Update => &[Order::Rlx, Order::Con, Order::Acq, Order::Rel, Order::AcqRel, Order::Sc],
            Kind::Fence | Kind::Before | Kind::Behind => &[Order::Na, Order::Acq, Order::Rel, Order::AcqRel, Order::Sc],
        }
    }

    /// As in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Load => "load",
            Kind::Store => "store",
            Kind::Update => "update",
            Kind::Failure => "failing compare-and-swap",
            Kind::Fence => "fence",
            Kind::Before => "fence in front",
            Kind::Behind => "fence behind",
        }
    }
}

/// Whether what has the order `b` orders all that it would with `a`.
pub fn is_at_most(a: Order, b: Order) -> bool {
    let rank = |order| match order {
        Order::Na => (0, 0),
        Order::Rlx => (1, 0),
        Order::Con => (1, 1),
        Order::Acq => (1, 2),
        Order::Rel => (2, 0),
        Order::AcqRel => (2, 2),
        Order::Sc => (3, 3),
    };
    let (a, b) = (rank(a), rank(b));
    a.0 <= b.0 && a.1 <= b.1
}

/// As C spells it behind `memory_order_`.
pub fn word(order: Order) -> &'static str {
    match order {
        Order::Na => "none",
        Order::Rlx => "relaxed",
        Order::Con => "consume",
        Order::Acq => "acquire",
        Order::Rel => "release",
        Order::AcqRel => "acq_rel",
        Order::Sc => "seq_cst",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_ordered() {
        const ALL: [Kind; 5] = [Kind::Load, Kind::Store, Kind::Update, Kind::Failure, Kind::Fence];
        for orders in ALL.map(Kind::orders) {
            for (i, &a) in orders.iter().enumerate() {
                assert!(orders[..i].iter().all(|&b| !is_at_most(a, b)), "{a:?} stands behind a stronger one");
                assert!(is_at_most(a, Order::Sc) && is_at_most(a, a));
            }
        }
        assert!(!is_at_most(Order::Acq, Order::Rel) && !is_at_most(Order::Rel, Order::Acq));
        assert!(is_at_most(Order::Acq, Order::AcqRel) && is_at_most(Order::Rel, Order::AcqRel));
    }
}
