//! What a bell file declares.

use std::collections::BTreeSet;

/// What a bell file declares.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Bell {
    /// `enum`s: name and tags, in order.
    pub enums: Vec<(String, Vec<String>)>,
    /// `instructions` and `default`.
    pub shapes: Vec<Shape>,
}

/// One allowed form of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// `R`, `W`, `RMW`, `F`, `B` or `SRCU`.
    pub kind: String,
    /// For each annotation, the tags that may stand there.
    pub positions: Vec<Vec<String>>,
    /// Declared by `default`: what a missing annotation means.
    pub default: bool,
}

impl Bell {
    /// All tags that some instruction may carry.
    pub fn annotations(&self) -> BTreeSet<&str> {
        self.shapes.iter().flat_map(|s| s.positions.iter().flatten()).map(String::as_str).collect()
    }

    /// The name of the event set of a tag: its first letter in upper case.
    pub fn set_name(tag: &str) -> String {
        set_name(tag)
    }

    /// The tags of an `enum`, as for scopes, levels and regions.
    pub fn tags_of(&self, name: &str) -> Option<&[String]> {
        self.enums.iter().rev().find(|(n, _)| n == name).map(|(_, tags)| tags.as_slice())
    }

    /// Whether read-modify-writes may carry a full-barrier annotation of their own: the second generation of the kernel's
    /// annotations, which the model itself filters.
    pub fn full_barrier_updates(&self) -> bool {
        self.shapes.iter().any(|s| s.kind == "RMW" && s.positions.iter().flatten().any(|t| t == "MB"))
    }
}

/// The name of the event set of a tag: its first letter in upper case.
pub fn set_name(tag: &str) -> String {
    let mut letters = tag.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}
