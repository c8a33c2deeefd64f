//! Conditions over final states: which values are watched, whether a proposition holds, and how both are printed.

use super::arch::Arch;
use super::error::Error;
use super::init::Initial;
use super::memory::Memory;
use super::split::Section;
use super::syntax::{Comparison, Constraints, Place, Proposition, Quantifier, Side, Value};
use super::token::{self, number, syntax_error};
use super::types::Type;
use crate::program::{Function, Reg};
use std::ops::Range;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, unused, missing_docs)]
    grammar,
    "/litmus_cond.rs"
);

/// Where a watched value is found when an execution has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// In a register of a thread's outermost frame.
    Register {
        /// Thread number.
        thread: u32,
        /// The register, one of [`Function::observed`].
        register: Reg,
    },
    /// In memory.
    Memory {
        /// First byte.
        address: u64,
        /// Bytes.
        size: u8,
    },
}

/// A value of the final state that the test looks at.
#[derive(Clone, Debug)]
pub struct Watch {
    /// Where it is.
    pub source: Source,
    /// How it is read.
    pub ty: Type,
    /// How it is called: `0:X1`, `[x]`, `t[1]`.
    pub name: String,
}

/// A term of a comparison.
#[derive(Clone, Debug)]
pub enum Term {
    /// A watched value, by number.
    Watch(usize),
    /// A number.
    Number(u64),
    /// An address.
    Address(u64),
}

/// A proposition whose names are resolved.
#[derive(Clone, Debug)]
pub enum Prop {
    /// `true`, `false`.
    Constant(bool),
    /// A comparison.
    Atom(Term, Comparison, Term),
    /// A whole array equals (or, when the flag is false, differs from) these values.
    Array(String, bool, Vec<(usize, Term)>),
    /// `not`.
    Not(Box<Prop>),
    /// `/\`.
    And(Vec<Prop>),
    /// `\/`.
    Or(Vec<Prop>),
    /// `a => b => c`.
    Implies(Vec<Prop>),
}

/// An item of a printed state.
#[derive(Clone, Debug)]
pub enum Item {
    /// One watched value.
    Scalar(usize),
    /// A whole array: its name and its cells.
    Array(String, Vec<usize>),
}

/// A value as it is printed and compared: numbers before addresses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Printed {
    /// A number, by its type.
    Number(i128),
    /// An address, by its name.
    Address(String),
}

impl std::fmt::Display for Printed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Printed::Number(n) => write!(f, "{n}"),
            Printed::Address(name) => f.write_str(name),
        }
    }
}

/// Reads the condition section.
pub fn parse(section: &Section) -> Result<Constraints, Vec<Error>> {
    if section.text.trim().is_empty() {
        return Ok(Constraints::default());
    }
    let shift = |errors: Vec<Error>| errors.into_iter().map(|e| e.shifted(section.start)).collect::<Vec<_>>();
    let tokens = token::tokens(&section.text).map_err(shift)?;
    grammar::SectionParser::new()
        .parse(tokens.into_iter().map(Ok))
        .map_err(|e| shift(vec![syntax_error(e, &section.text, "litmus::condition", "the condition")]))
}

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
    /// Complaints.
    pub errors: Vec<Error>,
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
        let near = super::error::nearest(name, initial.memory.variables().iter().map(|v| v.name.as_str()));
        let message = format!("`{name}` occurs neither in the initial state nor in the program");
        self.complain("litmus::unknown-location", span, message);
        if let (Some(near), Some(error)) = (near, self.errors.last_mut()) {
            error.help = Some(format!("is `{near}` meant?"));
        }
    }

    fn cell_of(&mut self, variable: &super::memory::Variable, index: u64) -> Option<usize> {
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

/// What is needed to judge and print propositions and states.
#[derive(Clone, Debug)]
pub struct Context {
    /// What is watched.
    pub watches: Vec<Watch>,
    /// The variables, for the names of addresses.
    pub memory: Memory,
}

impl Context {
    /// A watched value, as it is printed and compared.
    pub fn printed(&self, watch: usize, values: &[u64]) -> Printed {
        let Some(Watch { ty, .. }) = self.watches.get(watch) else { return Printed::Number(0) };
        let value = values.get(watch).copied().unwrap_or(0);
        self.typed(*ty, value)
    }

    fn typed(&self, ty: Type, value: u64) -> Printed {
        let bits = ty.truncate(value);
        let address = if ty.size >= 4 { bits & 0xffff_ffff } else { 0 };
        if self.memory.is_address(address)
            && (bits == address || !ty.declared)
            && let Some(name) = self.memory.name(address)
        {
            return Printed::Address(name);
        }
        Printed::Number(ty.number(value))
    }

    fn compare(&self, left: &Term, comparison: Comparison, right: &Term, values: &[u64]) -> bool {
        let type_of = |term: &Term| match term {
            Term::Watch(i) => self.watches.get(*i).map(|w| w.ty),
            _ => None,
        };
        let full = Type { size: 8, signed: true, declared: true };
        let (lt, rt) = (type_of(left), type_of(right));
        let value = |term: &Term, ty: Option<Type>, other: Option<Type>| match term {
            Term::Watch(i) => self.printed(*i, values),
            Term::Number(n) => Printed::Number(ty.or(other).unwrap_or(full).number(*n)),
            Term::Address(a) => Printed::Address(self.memory.name(*a).unwrap_or_default()),
        };
        let (l, r) = (value(left, lt, rt), value(right, rt, lt));
        let numbers = matches!((&l, &r), (Printed::Number(_), Printed::Number(_)));
        match comparison {
            Comparison::Equal => l == r,
            Comparison::NotEqual => l != r,
            Comparison::Less => numbers && l < r,
            Comparison::LessEqual => numbers && l <= r,
            Comparison::Greater => numbers && l > r,
            Comparison::GreaterEqual => numbers && l >= r,
        }
    }

    /// Whether a proposition holds of the watched values.
    pub fn holds(&self, prop: &Prop, values: &[u64]) -> bool {
        match prop {
            Prop::Constant(b) => *b,
            Prop::Atom(l, c, r) => self.compare(l, *c, r, values),
            Prop::Array(_, equal, cells) => {
                cells.iter().all(|(w, t)| self.compare(&Term::Watch(*w), Comparison::Equal, t, values)) == *equal
            }
            Prop::Not(p) => !self.holds(p, values),
            Prop::And(parts) => parts.iter().all(|p| self.holds(p, values)),
            Prop::Or(parts) => parts.iter().any(|p| self.holds(p, values)),
            Prop::Implies(parts) => {
                let (last, premises) = match parts.split_last() {
                    Some(split) => split,
                    None => return true,
                };
                self.holds(last, values) || premises.iter().any(|p| !self.holds(p, values))
            }
        }
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Watch(i) => self.watches.get(*i).map_or_else(String::new, |w| w.name.clone()),
            Term::Number(n) => (*n as i64).to_string(),
            Term::Address(a) => self.memory.name(*a).unwrap_or_default(),
        }
    }

    fn constant(&self, left: &Term, right: &Term) -> String {
        match (left, right) {
            (Term::Watch(i), Term::Number(n))
                if self.watches.get(*i).is_some_and(|w| w.ty.size == 8 && !w.ty.signed) =>
            {
                n.to_string()
            }
            _ => self.term(right),
        }
    }

    /// The normal form of a proposition.
    pub fn print(&self, prop: &Prop) -> String {
        let list = |parts: &[Prop], separator: &str, wrap: fn(&Prop) -> bool| {
            let parts: Vec<String> =
                parts.iter().map(|p| if wrap(p) { format!("({})", self.print(p)) } else { self.print(p) }).collect();
            parts.join(separator)
        };
        match prop {
            Prop::Constant(b) => b.to_string(),
            Prop::Atom(l, Comparison::NotEqual, r) => format!("not ({}={})", self.term(l), self.constant(l, r)),
            Prop::Atom(l, comparison, r) => {
                let sign = match comparison {
                    Comparison::Less => "<",
                    Comparison::LessEqual => "<=",
                    Comparison::Greater => ">",
                    Comparison::GreaterEqual => ">=",
                    Comparison::Equal | Comparison::NotEqual => "=",
                };
                format!("{}{sign}{}", self.term(l), self.constant(l, r))
            }
            Prop::Array(name, equal, cells) => {
                let values: Vec<String> = cells.iter().map(|(w, t)| self.constant(&Term::Watch(*w), t)).collect();
                let atom = format!("{name}={{{}}}", values.join(","));
                if *equal { atom } else { format!("not ({atom})") }
            }
            Prop::Not(p) => format!("not ({})", self.print(p)),
            Prop::And(parts) => list(parts, " /\\ ", |p| matches!(p, Prop::Or(_) | Prop::Implies(_))),
            Prop::Or(parts) => list(parts, " \\/ ", |p| matches!(p, Prop::Implies(_))),
            Prop::Implies(parts) => list(parts, " => ", |p| matches!(p, Prop::Implies(_) | Prop::And(_) | Prop::Or(_))),
        }
    }

    /// What is printed of a state, item by item; also the key by which states are sorted and told apart.
    pub fn state(&self, items: &[Item], values: &[u64]) -> Vec<Printed> {
        let mut all = Vec::new();
        for item in items {
            match item {
                Item::Scalar(watch) => all.push(self.printed(*watch, values)),
                Item::Array(_, cells) => all.extend(cells.iter().map(|w| self.printed(*w, values))),
            }
        }
        all
    }

    /// One line for a state, from what [`Self::state`] gave.
    pub fn state_line(&self, items: &[Item], state: &[Printed]) -> String {
        let mut line = Vec::new();
        let mut values = state.iter();
        for item in items {
            match item {
                Item::Scalar(watch) => {
                    if let (Some(w), Some(value)) = (self.watches.get(*watch), values.next()) {
                        line.push(format!("{}={value};", w.name));
                    }
                }
                Item::Array(name, cells) => {
                    let cells: Vec<String> = values.by_ref().take(cells.len()).map(Printed::to_string).collect();
                    line.push(format!("{name}={{{}}};", cells.join(",")));
                }
            }
        }
        line.join(" ")
    }
}

/// The items of a printed state in their order: registers by thread, then variables by name, then single cells.
pub fn order_items(items: Vec<Item>, watches: &[Watch], arch: Arch) -> Vec<Item> {
    type Key = (u8, u32, (u32, u32), String);
    let key = |item: &Item| -> Key {
        match item {
            Item::Array(name, _) => (1, 0, (0, 0), name.clone()),
            Item::Scalar(i) => match watches.get(*i) {
                Some(Watch { source: Source::Register { thread, .. }, name, .. }) => {
                    let register = name.split_once(':').map_or(name.as_str(), |(_, r)| r);
                    (0, *thread, arch.register_rank(register), register.to_owned())
                }
                Some(watch) if watch.name.starts_with('[') => {
                    (1, 0, (0, 0), watch.name.trim_matches(['[', ']']).to_owned())
                }
                Some(watch) => {
                    let (array, index) = watch.name.split_once('[').unwrap_or((&watch.name, ""));
                    (2, 0, (0, index.trim_end_matches(']').parse().unwrap_or(0)), array.to_owned())
                }
                None => (3, 0, (0, 0), String::new()),
            },
        }
    };
    let mut keyed: Vec<(Key, Item)> = items.into_iter().map(|item| (key(&item), item)).collect();
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    keyed.dedup_by(|a, b| a.0 == b.0);
    keyed.into_iter().map(|(_, item)| item).collect()
}

/// The items that a proposition looks at.
pub fn items_of(prop: &Prop, all: &mut Vec<Item>) {
    match prop {
        Prop::Constant(_) => {}
        Prop::Atom(l, _, r) => {
            for term in [l, r] {
                if let Term::Watch(i) = term {
                    all.push(Item::Scalar(*i));
                }
            }
        }
        Prop::Array(name, _, cells) => all.push(Item::Array(name.clone(), cells.iter().map(|(w, _)| *w).collect())),
        Prop::Not(p) => items_of(p, all),
        Prop::And(parts) | Prop::Or(parts) | Prop::Implies(parts) => {
            for part in parts {
                items_of(part, all);
            }
        }
    }
}

/// The word for a quantifier.
pub fn quantifier_word(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Exists => "exists",
        Quantifier::NotExists => "~exists",
        Quantifier::Forall => "forall",
    }
}
