//! Resolves the names of a condition: which values are watched, which registers a thread has to keep.

use super::{Item, Prop, Source, Term, Watch};
use crate::litmus::arch::Arch;
use crate::litmus::error::{Error, nearest};
use crate::litmus::init::Initial;
use crate::litmus::syntax::{Comparison, Place, Proposition, Side, Value};
use crate::litmus::token::number;
use crate::program::{Function, Reg};
use std::collections::BTreeSet;
use std::ops::Range;

/// Resolves names in conditions; registers that are looked at become observed.
pub struct Resolver<'a> {
    /// Which architecture.
    pub arch: Arch,
    /// The initial state, whose memory has its final sizes.
    pub initial: &'a Initial,
    /// The threads.
    pub threads: &'a mut [Function],
    /// What is watched so far.
    pub watches: Vec<Watch>,
    /// The registers among them as they are written.
    pub spelled: BTreeSet<(u32, String)>,
    /// Complaints.
    pub errors: Vec<Error>,
    /// What is allowed, and hardly meant.
    pub doubts: Vec<Error>,
    /// Offset of the section, to be added to spans.
    pub start: usize,
}

impl Resolver<'_> {
    fn complain(&mut self, code: &'static str, span: &Range<usize>, message: String) {
        self.errors.push(Error::new(code, span.start + self.start..span.end + self.start, message));
    }

    fn watch(&mut self, watch: Watch) -> usize {
        match self.watches.iter().position(|w| w.name == watch.name) {
            Some(i) => i,
            None => {
                self.watches.push(watch);
                self.watches.len() - 1
            }
        }
    }

    fn register(&mut self, thread: u32, name: &str, span: &Range<usize>) -> Option<usize> {
        let Some(canonical) = self.arch.register(name) else {
            self.complain("litmus::register", span, format!("`{name}` is not a register of {}", self.arch.name()));
            return None;
        };
        let count = self.threads.len();
        let Some(function) = self.threads.get_mut(thread as usize) else {
            self.complain("litmus::thread", span, format!("there is no thread {thread}: the test has {count}"));
            return None;
        };
        let known = function.reg_names.iter().position(|n| *n == canonical);
        if known.is_none() && self.arch.zero_register() != Some(&canonical) {
            let near = nearest(name, function.reg_names.iter().map(String::as_str).filter(|name| !name.is_empty()));
            let message = format!("P{thread} never mentions `{name}`, which is 0 in the end");
            let help = near.map(|near| format!("is `{near}` meant?"));
            let span = span.start + self.start..span.end + self.start;
            self.doubts.push(Error::new("litmus::register", span, message).maybe_help(help));
        }
        let register = known.map_or_else(
            || {
                // A register that the thread never mentions: zero at the end as at the start.
                function.reg_names.resize(function.regs as usize, String::new());
                function.reg_names.push(canonical.clone());
                function.regs += 1;
                function.regs - 1
            },
            |i| i as Reg,
        );
        if !function.observed.contains(&register) {
            function.observed.push(register);
        }
        self.spelled.insert((thread, name.to_owned()));
        let ty = self.initial.register_type(thread, &canonical);
        let name = format!("{thread}:{canonical}");
        Some(self.watch(Watch { source: Source::Register { thread, register }, ty, name }))
    }

    /// The watches of a variable: several when it is an array.
    fn variable(&mut self, name: &str, span: &Range<usize>) -> Option<Item> {
        let Some(variable) = self.initial.memory.find(name).cloned() else {
            self.unknown(name, span);
            return None;
        };
        let cells: Vec<usize> = (0..variable.length.unwrap_or(1)).filter_map(|i| self.cell_of(&variable, i)).collect();
        Some(if variable.length.is_some() {
            Item::Array(name.to_owned(), cells)
        } else {
            Item::Scalar(*cells.first()?)
        })
    }

    fn unknown(&mut self, name: &str, span: &Range<usize>) {
        let initial = self.initial;
        let near = nearest(name, initial.memory.variables().iter().map(|v| v.name.as_str()));
        let message = format!("`{name}` occurs neither in the initial state nor in the program");
        self.complain("litmus::unknown-location", span, message);
        if let (Some(near), Some(error)) = (near, self.errors.last_mut()) {
            error.help = Some(format!("is `{near}` meant?"));
        }
    }

    fn cell_of(&mut self, variable: &crate::litmus::memory::Variable, index: u64) -> Option<usize> {
        let (address, size, ty) = (variable.cell_address(index), variable.cell, variable.ty);
        let name = match variable.length {
            Some(_) => format!("{}[{index}]", variable.name),
            None => format!("[{}]", variable.name),
        };
        Some(self.watch(Watch { source: Source::Memory { address, size }, ty, name }))
    }

    /// The item that a place denotes.
    pub fn place(&mut self, place: &Place, span: &Range<usize>) -> Option<Item> {
        match place {
            Place::Register(thread, name) => self.register(*thread, name, span).map(Item::Scalar),
            Place::EveryRegister(name) => {
                self.complain("litmus::register", span, format!("`{name}` needs a thread"));
                None
            }
            Place::Variable(name) => self.variable(name, span),
            Place::Cell(name, index) => match self.initial.memory.find(name).cloned() {
                Some(variable) if *index < variable.length.unwrap_or(1) => {
                    self.cell_of(&variable, *index).map(Item::Scalar)
                }
                Some(_) => {
                    self.complain("litmus::array", span, format!("`{name}` has no cell {index}"));
                    None
                }
                None => {
                    self.unknown(name, span);
                    None
                }
            },
        }
    }

    fn term(&mut self, value: &Value, span: &Range<usize>) -> Option<Term> {
        match value {
            Value::Number(spelling) => {
                let value = number(spelling);
                if value.is_none() {
                    self.complain("litmus::number", span, format!("`{spelling}` does not fit in 64 bits"));
                }
                value.map(Term::Number)
            }
            Value::Address(name) => match self.initial.memory.find(name) {
                Some(variable) => Some(Term::Address(variable.address)),
                None => {
                    self.unknown(name, span);
                    None
                }
            },
            Value::CellAddress(name, index) => match self.initial.memory.find(name) {
                Some(variable) => Some(Term::Address(variable.cell_address(*index))),
                None => {
                    self.unknown(name, span);
                    None
                }
            },
            Value::Label(thread, name) => {
                let address = self.initial.memory.label_address(*thread, name);
                if address.is_none() {
                    self.complain("litmus::label", span, format!("there is no label `{name}` on P{thread}"));
                }
                address.map(Term::Address)
            }
            Value::Contents(place) => match self.place(place, span)? {
                Item::Scalar(watch) => Some(Term::Watch(watch)),
                Item::Array(name, _) => {
                    self.complain("litmus::array", span, format!("`{name}` is a whole array"));
                    None
                }
            },
            Value::List(_) => {
                self.complain("litmus::array", span, "a list can only be compared with an array".to_owned());
                None
            }
            Value::Foreign(what) => {
                let message = format!("{what} is not supported in a condition");
                self.complain("litmus::unsupported-condition", span, message);
                if let Some(error) = self.errors.last_mut() {
                    error.unsupported = true;
                }
                None
            }
        }
    }

    /// Resolves a proposition; what cannot be resolved is reported and replaced by `false`.
    pub fn proposition(&mut self, proposition: &Proposition) -> Prop {
        let all = |this: &mut Self, parts: &[Proposition]| parts.iter().map(|p| this.proposition(p)).collect();
        match proposition {
            Proposition::Constant(b) => Prop::Constant(*b),
            Proposition::Not(p) => Prop::Not(Box::new(self.proposition(p))),
            Proposition::And(parts) => Prop::And(all(self, parts)),
            Proposition::Or(parts) => Prop::Or(all(self, parts)),
            Proposition::Implies(parts) => Prop::Implies(all(self, parts)),
            Proposition::Atom(left, comparison, right, span) => {
                self.atom(left, *comparison, right, span).unwrap_or(Prop::Constant(false))
            }
        }
    }

    fn atom(&mut self, left: &Side, comparison: Comparison, right: &Side, span: &Range<usize>) -> Option<Prop> {
        let left = match left {
            Side::Value(value) => self.term(value, span)?,
            Side::Place(place) => match self.place(place, span)? {
                Item::Scalar(watch) => Term::Watch(watch),
                Item::Array(name, cells) => return self.array(name, &cells, comparison, right, span),
            },
        };
        let right = match right {
            Side::Value(value) => self.term(value, span)?,
            Side::Place(place) => self.term(&Value::Contents(place.clone()), span)?,
        };
        Some(Prop::Atom(left, comparison, right))
    }

    fn array(
        &mut self,
        name: String,
        cells: &[usize],
        comparison: Comparison,
        right: &Side,
        span: &Range<usize>,
    ) -> Option<Prop> {
        let (Side::Value(Value::List(values)), Comparison::Equal | Comparison::NotEqual) = (right, comparison) else {
            self.complain("litmus::array", span, format!("the array `{name}` can only be compared with a list"));
            return None;
        };
        if values.len() != cells.len() {
            let message = format!("`{name}` has {} cells, not {}", cells.len(), values.len());
            self.complain("litmus::array", span, message);
            return None;
        }
        let mut pairs = Vec::new();
        for (cell, value) in cells.iter().zip(values) {
            pairs.push((*cell, self.term(value, span)?));
        }
        Some(Prop::Array(name, comparison == Comparison::Equal, pairs))
    }
}
