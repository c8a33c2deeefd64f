//! A search in parts that are searched at other times or by other processes: what a search offers for that, and who divides it.
//!
//! A part is an interval of the depth-first order, told by a line of text. Its search ends after a slice; what it saw and the parts that it leaves stand in one list, in
//! depth-first order. So whoever takes what all parts saw, one after the other from the beginning, has what one search would have seen.

use crate::explore::parallel::notes::Notes;
use crate::explore::statistics::Statistics;
use crate::explore::visitor::Go;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Debug;

/// Turns between two looks at whether a slice has ended.
const LOOKS: u32 = 16;

/// How much of a part is searched.
pub struct Slice<'a> {
    /// It ends when so many events were added.
    pub events: u64,
    /// Or when this says so, which is told how many were.
    pub ends: &'a (dyn Fn(u64) -> bool + Sync),
    /// What is left is tried with so many events each: mostly there is nothing behind it, and it is no part then.
    pub probe: u64,
    /// Whether there is no time for that.
    pub hurries: &'a (dyn Fn() -> bool + Sync),
}

impl Slice<'static> {
    /// So many events.
    pub(crate) fn of(events: u64) -> Slice<'static> {
        Slice { events, ends: &|_| false, probe: 0, hurries: &|| false }
    }
}

impl Slice<'_> {
    /// Whether it has ended after so many events and turns.
    pub(crate) fn is_over(&self, events: u64, turns: u32) -> bool {
        events >= self.events || turns.is_multiple_of(LOOKS) && (self.ends)(events)
    }
}

/// What was seen in a piece of a search.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Seen {
    /// What was counted.
    pub statistics: Statistics,
    /// What the visitor keeps.
    pub visitor: Value,
    /// What was noted for all of the search.
    #[serde(default, skip_serializing_if = "Notes::is_empty")]
    pub notes: Notes,
    /// Whether it wants no more, so that nothing behind this piece is of interest.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stops: bool,
}

/// A piece of the depth-first order.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Item {
    /// It was searched.
    Seen(Box<Seen>),
    /// It is left: a part.
    Left(String),
}

/// What the search of a part came to.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Searched {
    /// In depth-first order, without gaps.
    pub items: Vec<Item>,
    /// Names of the executions that were found, where two parts may find the same.
    pub names: Vec<u128>,
    /// Of the names, only those are given whose last bits, so many, are zero.
    pub sampled: u32,
}

/// Why what a part saw is worth nothing: the search has to be done by one thread, from its beginning to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Worthless {
    /// The text leads nowhere in this search.
    #[error("the part leads nowhere in this search")]
    Lost,
    /// Numbers of threads would depend on who comes first.
    #[error("the numbers of threads depend on the order of exploration")]
    Timing,
    /// An execution was found twice, or that could not be ruled out.
    #[error("an execution can be reached in two ways, or that cannot be ruled out")]
    Twofold,
    /// The search was interrupted, and cannot be gone on with.
    #[error("it was interrupted")]
    Interrupted,
}

/// A search that can be done in parts.
pub trait Dividable {
    /// Why it has to be done as a whole, if it has to.
    fn whole(&self) -> Option<&'static str>;
    /// Searches the part at a place, for a slice.
    fn search(&mut self, place: &str, slice: &Slice<'_>) -> Result<Searched, Worthless>;
    /// Searches all of it, unless this says that it is to end.
    fn search_whole(&mut self, interrupt: &std::sync::Arc<std::sync::atomic::AtomicBool>) -> Result<Seen, Worthless>;
    /// Takes what was seen right behind all that was taken. Whether nothing behind it is of interest.
    fn take(&mut self, seen: &Seen) -> Result<Go, String>;
    /// Forgets what was taken.
    fn forget(&mut self);
    /// Parts are missing: what was taken is not all.
    fn leave_open(&mut self);
    /// All that was taken.
    fn taken(&self) -> Option<Seen>;
}

/// The part that is all of a search.
pub const ROOT: &str = "0+ 0";

/// Does searches in parts.
pub trait Divider: Send + Sync + Debug {
    /// Does a search, and has it take what was seen. `false`: it does not care for this one.
    fn conduct(&self, search: &mut dyn Dividable) -> bool;
    /// Why not all was seen, if not.
    fn left(&self) -> Option<&'static str>;
}
