//! Typed `u32` indices.
//!
//! An index type costs nothing and makes "an event where a thread is due" a compile error, which a bare `usize` is not.

/// Declares one or more index newtypes over `u32`.
#[macro_export]
macro_rules! index_types {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The position in the table that this index belongs to.
            #[inline]
            pub fn index(self) -> usize {
                self.0 as usize
            }

            /// The index of the `position`-th entry of its table.
            #[inline]
            pub fn at(position: usize) -> Self {
                Self(position as u32)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )*};
}

index_types! {
    /// An event of an execution graph. Also its row and column in every relation matrix.
    EventId;
    /// A thread of the program, in creation order.
    ThreadId;
    /// A memory location of an execution graph: an address and a size.
    LocId;
    /// An interned event tag: the name of an event set that a model may mention (`Acq`, `DMB.SY`, `ONCE`, …).
    TagId;
    /// An interned set of tags, as one instruction carries it.
    TagSetId;
    /// A function of the program.
    FuncId;
    /// An interned source position.
    SpanId;
}
