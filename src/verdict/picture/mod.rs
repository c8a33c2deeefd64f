//! An execution as plain data, ready to be shown: no addresses, no ids of the engine, every name as the user knows it.
//!
//! - [`draw`]: makes one from a graph; [`order`]: the order of its rows.
//! - [`names`]: what the user calls locations and values; [`frames`]: the line that is shown for code in a wrapping function.
//! - [`place`]: positions in source files.
//! - [`related`]: relations of a model, as edges.
//! - [`sources`]: the texts of source files.

pub mod draw;
pub mod frames;
pub mod names;
pub mod order;
pub mod place;
pub mod related;
pub mod sources;

use place::Place;
use serde::{Deserialize, Serialize};

/// An execution.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Picture {
    /// The threads, as columns.
    pub threads: Vec<Column>,
    /// The events, in the order of the rows. Event `n` is at index `n`.
    pub events: Vec<Row>,
    /// What explains the order of the rows.
    pub order: RowOrder,
    /// Initial values of the locations that are accessed: name and value.
    pub initial: Vec<(String, String)>,
    /// Locations with more than one write: name, and the writes in coherence order.
    pub coherence: Vec<(String, Vec<u32>)>,
    /// Edges to be drawn: reads-from, coherence, and those that a finding is about.
    pub edges: Vec<Edge>,
    /// Dependencies (`addr`, `data`, `ctrl`); of a control dependency, the first event that depends.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub dependencies: Vec<Edge>,
    /// Relations of the model that were asked for, or that it wants shown.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub related: Vec<Edge>,
}

/// The calls of an execution, drawn as events.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Calls {
    /// A row each. Edges lead from a call to those of other threads that come directly behind it.
    pub picture: Picture,
    /// The rows that the finding is about.
    pub about: Vec<u32>,
}

/// A thread.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// What it runs.
    pub function: String,
    /// How it ended, when it did not end in the normal way.
    pub end: Option<String>,
    /// Whether what is wrong is where it ended.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub fails: bool,
}

impl Picture {
    /// From each read to the write that comes next in coherence after what it reads.
    pub fn from_reads(&self) -> Vec<Edge> {
        let mut edges = Vec::new();
        for (read, row) in self.events.iter().enumerate() {
            let (Some(origin), Some(location)) = (row.reads_from, &row.location) else { continue };
            let writes: Vec<u32> = match self.coherence.iter().find(|(name, _)| name == location) {
                Some((_, writes)) => writes.clone(),
                None => {
                    let all = self.events.iter().enumerate();
                    let own = all.filter(|(_, e)| e.action == Action::Write && e.location.as_ref() == Some(location));
                    own.map(|(i, _)| i as u32).collect()
                }
            };
            let next = match origin {
                Origin::Initial => writes.first(),
                Origin::Event(write) => writes.iter().skip_while(|w| **w != write).nth(1),
            };
            // The other half of a read-modify-write comes after it in any case.
            let own = |write: u32| row.atomic && write == read as u32 + 1;
            if let Some(&to) = next.filter(|w| !own(**w)) {
                edges.push(Edge { from: read as u32, to, name: "fr".into() });
            }
        }
        edges
    }
}

/// An event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Row {
    /// Index of its thread.
    pub thread: u32,
    /// What it does.
    pub action: Action,
    /// The event sets that it belongs to (`ACQ`, `SC`, …).
    pub tags: Vec<String>,
    /// The location, as the user calls it.
    pub location: Option<String>,
    /// The value read or written.
    pub value: Option<String>,
    /// For a read, where the value comes from.
    pub reads_from: Option<Origin>,
    /// Whether it is half of an atomic read-modify-write.
    pub atomic: bool,
    /// Where it stands in the source: in a function that wraps it, the innermost place in a source file that is not a header.
    pub place: Option<Place>,
    /// Where it is called, from the access itself outwards, when there is more to say than its place.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub frames: Vec<Place>,
    /// The source line, without its indentation.
    pub source: String,
}

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Reads memory.
    Read,
    /// Writes memory.
    Write,
    /// A fence, or another event without a value.
    Fence,
    /// Takes a value by choice.
    Choose,
    /// Creates a thread.
    Create,
    /// Has waited for a thread.
    Join,
    /// Reaches a barrier.
    Arrive,
    /// Leaves a barrier.
    Depart,
    /// Gets memory.
    Allocate,
    /// Gives memory back.
    Free,
    /// Begins an operation that a specification speaks of.
    Call,
    /// Has ended one.
    Return,
}

/// Where the value of a read comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The initial state.
    Initial,
    /// A write.
    Event(u32),
}

/// What explains the order of the rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowOrder {
    /// An interleaving: every read gives the latest write above it.
    #[default]
    Interleaving,
    /// No interleaving explains the execution; program order and reads-from go downwards.
    Causal,
    /// Program order and reads-from form a cycle: program order goes downwards, reads-from may not.
    ProgramOrder,
}

/// An edge between two events of a picture.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// From.
    pub from: u32,
    /// To.
    pub to: u32,
    /// Its name, as in the model (`rf`, `co`, `fr`, `race`, …).
    pub name: String,
}

impl Row {
    /// The event in one line, without its source: `R[ACQ] y = 1`.
    pub fn label(&self) -> String {
        let letter = match self.action {
            Action::Read => "R",
            Action::Write => "W",
            Action::Fence => "F",
            Action::Choose => "choose",
            Action::Create => "create",
            Action::Join => "join",
            Action::Arrive => "arrive at",
            Action::Depart => "leave",
            Action::Allocate => "allocate",
            Action::Free => "free",
            Action::Call => "call",
            Action::Return => "return from",
        };
        let mut text = letter.to_owned();
        if self.atomic {
            text.push('*');
        }
        if !self.tags.is_empty() {
            text += &format!("[{}]", self.tags.join(","));
        }
        if let Some(location) = &self.location {
            text += &format!(" {location}");
        }
        if let Some(value) = &self.value {
            text += match (self.action, &self.location) {
                (Action::Read | Action::Write, Some(_)) => " = ",
                _ => " ",
            };
            text += value;
        }
        text
    }
}
