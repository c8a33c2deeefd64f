//! Which definition each name of a model means: the names of all its files, in the order in which the model runs.
//!
//! A name means the last definition before its use; where branches of an `if` define it, it may mean several. A file that is included twice is walked twice, and
//! its names may mean several definitions, too. Definitions that one use may mean form a class: they are renamed together.

mod walk;

use crate::cat::Program;
use crate::cat::source::Span;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// What a definition is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// A `let` that is no function.
    Value,
    /// A `let` with parameters.
    Function,
    /// A `procedure`.
    Procedure,
    /// A parameter, or what a pattern, `forall` or `with` binds.
    Variable,
    /// An `enum`.
    Enumeration,
    /// A tag of an `enum`.
    Tag,
}

impl What {
    /// In a word; a value is a set or a relation, which its text alone does not say.
    pub fn word(self) -> &'static str {
        match self {
            What::Value => "value",
            What::Function => "function",
            What::Procedure => "procedure",
            What::Variable => "variable",
            What::Enumeration => "enumeration",
            What::Tag => "tag",
        }
    }
}

/// A definition in one of the files of a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The name, a tag without its quote.
    pub name: String,
    /// What it is.
    pub what: What,
    /// The whole definition.
    pub span: Span,
    /// The name in it.
    pub place: Span,
}

/// The names of a model.
#[derive(Clone, Default, Debug)]
pub struct Names {
    /// Definitions, in the order in which they were met.
    pub definitions: Vec<Definition>,
    /// Where names are used, and which definitions each may mean; none: a base name, or an unknown one.
    pub uses: BTreeMap<Span, BTreeSet<usize>>,
    /// Where files are included, and which.
    pub includes: Vec<(Span, u32)>,
    /// By the place of its name.
    by_place: FxHashMap<Span, usize>,
}

impl Names {
    /// The names of a program.
    pub fn of(program: &Program) -> Names {
        walk::walk(program)
    }

    /// The name at a byte of a file: its place, and what it may mean. A definition means itself.
    pub fn at(&self, file: u32, byte: usize) -> Option<(Span, BTreeSet<usize>)> {
        let is_here = |span: Span| span.file == file && span.start as usize <= byte && byte <= span.end as usize;
        let defined = self.definitions.iter().position(|definition| is_here(definition.place));
        let defined = defined.map(|index| (self.definitions[index].place, BTreeSet::from([index])));
        let used = || self.uses.iter().find(|(span, _)| is_here(**span)).map(|(span, meant)| (*span, meant.clone()));
        defined.or_else(used)
    }

    /// The file that is included at a byte of a file.
    pub fn included_at(&self, file: u32, byte: usize) -> Option<u32> {
        let is_here = |span: Span| span.file == file && span.start as usize <= byte && byte <= span.end as usize;
        self.includes.iter().find(|(span, _)| is_here(*span)).map(|(_, included)| *included)
    }

    /// The definitions that are renamed with these.
    pub fn class(&self, of: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut class = of.clone();
        loop {
            let before = class.len();
            for meant in self.uses.values() {
                if !meant.is_disjoint(&class) {
                    class.extend(meant);
                }
            }
            if class.len() == before {
                return class;
            }
        }
    }

    /// All places where one of these definitions is named, with or without those of the definitions themselves.
    pub fn places(&self, of: &BTreeSet<usize>, with_definitions: bool) -> BTreeSet<Span> {
        let uses = self.uses.iter().filter(|(_, meant)| !meant.is_disjoint(of)).map(|(span, _)| *span);
        let own = of.iter().filter(|_| with_definitions).map(|&index| self.definitions[index].place);
        uses.chain(own).collect()
    }

    /// The definition whose name stands here.
    pub fn defined_at(&self, place: Span) -> Option<usize> {
        self.by_place.get(&place).copied()
    }

    /// What each name means, in the order of the files, without the places: the same before and after a change of names.
    pub fn structure(&self) -> Vec<(u32, Vec<usize>)> {
        let mut order: Vec<usize> = (0..self.definitions.len()).collect();
        order.sort_by_key(|&index| self.definitions[index].place);
        let mut rank = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &index)| rank[index] = at);
        let own = self.definitions.iter().enumerate().map(|(index, definition)| (definition.place, vec![rank[index]]));
        let used = self.uses.iter().map(|(span, meant)| (*span, meant.iter().map(|&index| rank[index]).collect()));
        let mut all: Vec<(Span, Vec<usize>)> = own.chain(used).collect();
        all.iter_mut().for_each(|(_, meant)| meant.sort_unstable());
        all.sort();
        all.into_iter().map(|(span, meant)| (span.file, meant)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::Reading;
    use super::*;
    use crate::cat::LoadRequest;

    /// For each use of a name in a text, at which occurrences of the name it may be defined, counted from 0.
    fn meant(text: &str, name: &str) -> Vec<Vec<usize>> {
        let reading = Reading::of(&LoadRequest::text("mine", text), None);
        let file = reading.root();
        let places: Vec<usize> = text
            .match_indices(name)
            .map(|(at, _)| at)
            .filter(|&at| {
                crate::editing::text::word(text, at, |c| c.is_alphanumeric() || c == '-') == (at..at + name.len())
            })
            .collect();
        let of = |&at: &usize| {
            let (_, meant) = reading.names.at(file, at).expect("a name");
            let start = |index: &usize| reading.names.definitions[*index].place.start as usize;
            meant.iter().map(|index| places.iter().position(|&p| p == start(index)).expect("a place")).collect()
        };
        places.iter().map(of).collect()
    }

    #[test]
    fn the_last_definition_counts() {
        assert_eq!(
            meant("let x = po\nlet y = x\nlet x = x | rf\nacyclic x as x1", "x"),
            [vec![0], vec![0], vec![2], vec![0], vec![2]]
        );
    }

    #[test]
    fn recursion_and_parallel_definitions() {
        assert_eq!(
            meant("let a = po\nlet rec a = a | b and b = a ; rf\nacyclic a", "a"),
            [vec![0], vec![1], vec![1], vec![1], vec![1]]
        );
        assert_eq!(meant("let a = po\nlet a = a and b = a\nacyclic b", "a")[2..], [vec![0], vec![0]]);
    }

    #[test]
    fn parameters_hide_and_end() {
        assert_eq!(
            meant("let x = po\nlet f(x) = x | rf\nacyclic f(x) | x", "x"),
            [vec![0], vec![1], vec![1], vec![0], vec![0]]
        );
        assert_eq!(
            meant("let y = (let x = po in x ; x)\nlet x = rf\nacyclic y | x", "x"),
            [vec![0], vec![0], vec![0], vec![3], vec![3]]
        );
    }

    #[test]
    fn branches_may_both_define() {
        let text = "let x = po\nif \"v\" let x = x | rf else let y = x end\nacyclic x";
        assert_eq!(meant(text, "x"), [vec![0], vec![1], vec![0], vec![0], vec![0, 1]]);
    }

    #[test]
    fn names_of_a_model_with_errors_are_known() {
        let text = "let mine = po\nlet other = mine | nosuch\nacyclic other | | rf\nempty mine";
        assert_eq!(meant(text, "mine"), [vec![0], vec![0], vec![0]]);
    }

    #[test]
    fn no_use_in_a_bundled_model_misses_a_definition_before_it() {
        for file in crate::cat::library::embedded_names().iter().filter(|name| name.ends_with(".cat")) {
            let reading = Reading::of(&LoadRequest::named(file.as_str()), None);
            for (span, _) in reading.names.uses.iter().filter(|(_, meant)| meant.is_empty()) {
                let name = reading.text(*span);
                // A set that the instructions of a bell file give has the name of its tag.
                let is_other = |what| matches!(what, What::Variable | What::Tag);
                let is_before = |d: &&Definition| !is_other(d.what) && d.name == name && d.place.file == span.file;
                let before = reading.names.definitions.iter().filter(is_before).find(|d| d.span.end <= span.start);
                assert!(before.is_none(), "{file}: {name}");
            }
        }
    }
}
