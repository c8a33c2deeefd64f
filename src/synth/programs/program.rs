//! Programs: what is fixed before anything is executed.

use super::vocabulary::{Dependency, Kind, Vocabulary};
use std::fmt::Write;

/// The address of an event that accesses none.
pub const NO_ADDRESS: u8 = u8::MAX;

/// An event.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Event {
    /// Its token.
    pub token: u8,
    /// Whether it is the read of a pair; its write comes next.
    pub paired: bool,
    /// What it accesses, or [`NO_ADDRESS`].
    pub address: u8,
}

/// A dependency on a read, by position in the thread. A control dependency leads to the target and all that follows it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Depends {
    /// The dependent event.
    pub to: u8,
    /// The read.
    pub from: u8,
    /// How.
    pub kind: Dependency,
}

/// The events of a thread, with addresses numbered by first appearance in it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Shape {
    /// Events in program order.
    pub events: Vec<Event>,
    /// Dependencies, sorted.
    pub depends: Vec<Depends>,
}

/// A program: threads with addresses numbered by first appearance in the whole.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Program {
    /// Threads.
    pub threads: Vec<Shape>,
    /// For each kind of group, from the widest on, the group of each thread.
    pub groups: Vec<Vec<u8>>,
}

impl Program {
    /// The number of events.
    pub fn size(&self) -> usize {
        self.threads.iter().map(|thread| thread.events.len()).sum()
    }

    /// The number of addresses.
    pub fn addresses(&self) -> usize {
        let all = self.events().filter(|e| e.address != NO_ADDRESS);
        all.map(|e| e.address as usize + 1).max().unwrap_or(0)
    }

    /// All events, thread after thread.
    pub fn events(&self) -> impl Iterator<Item = &Event> {
        self.threads.iter().flat_map(|thread| &thread.events)
    }

    /// The program as text: `Wx Fmfence Ry | …`. An access is its token with the address; names of more than one letter have the address in parentheses. Dependencies follow
    /// their target: `W(y)<data 1` depends on the event before.
    pub fn text(&self, vocabulary: &Vocabulary) -> String {
        let mut text = String::new();
        for (t, thread) in self.threads.iter().enumerate() {
            if t > 0 {
                text.push_str(" | ");
            }
            for (i, event) in thread.events.iter().enumerate() {
                if i > 0 {
                    text.push(' ');
                }
                let token = vocabulary.token(event.token);
                let is_short = token.name.trim_end_matches('*').len() == 1;
                // Writing to a string cannot fail.
                let _ = match (token.kind, is_short) {
                    (Kind::Fence, _) => write!(text, "{}", token.name),
                    (_, true) => write!(text, "{}{}", token.name, address(event.address)),
                    (_, false) => write!(text, "{}({})", token.name, address(event.address)),
                };
                for depends in thread.depends.iter().filter(|d| d.to as usize == i) {
                    let kind = match depends.kind {
                        Dependency::Addr => "addr",
                        Dependency::Data => "data",
                        Dependency::Ctrl => "ctrl",
                    };
                    let _ = write!(text, "<{kind}{}", i - depends.from as usize);
                }
            }
        }
        // `@ 0 0 1`: the first two threads are in one group.
        for groups in &self.groups {
            text += " @";
            groups.iter().for_each(|group| text += &format!(" {group}"));
        }
        text
    }
}

/// The name of an address.
pub fn address(number: u8) -> String {
    const NAMES: [&str; 6] = ["x", "y", "z", "a", "b", "c"];
    NAMES.get(number as usize).map_or_else(|| format!("v{number}"), |name| (*name).to_owned())
}
