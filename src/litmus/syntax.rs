//! Syntax trees of the initial state and of the condition, as the grammars build them.

use super::error::Error;
use std::ops::Range;

/// More threads than this are refused.
pub const MAX_THREADS: u32 = 64;

/// A register of a thread or of all threads, a variable, or a cell of an array, by its spelling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// `0:r1`, `P0:r1`, `0:%x`.
    Register(u32, String),
    /// `%x`: the symbolic register of that name, in every thread that uses it.
    EveryRegister(String),
    /// `x`, `[x]`.
    Variable(String),
    /// `x[2]`.
    Cell(String, u64),
}

/// What stands at the right of `=`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number, by its spelling.
    Number(String),
    /// The address of a variable.
    Address(String),
    /// The address of a cell of an array.
    CellAddress(String, u64),
    /// The contents of a place (`[y]`, `*y`, or a register).
    Contents(Place),
    /// `{v, …}`: a whole array.
    List(Vec<Value>),
    /// The address of a label of a thread.
    Label(u32, String),
    /// Something understood but not supported: an instruction, a page-table entry.
    Foreign(&'static str),
}

/// One declaration of the initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// Words of the type before the place; empty when untyped.
    pub words: Vec<String>,
    /// Number of `*`.
    pub stars: u32,
    /// What is declared.
    pub place: Place,
    /// `[N]`, `[]`.
    pub array: Option<Option<u64>>,
    /// Initial value.
    pub value: Option<Value>,
    /// Where it stands.
    pub span: Range<usize>,
}

/// Comparison in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// A side of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Side {
    /// A place.
    Place(Place),
    /// A value.
    Value(Value),
}

/// A proposition over a final state. Connectives are n-ary, so that long chains are not deep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Proposition {
    /// `true`, `false`.
    Constant(bool),
    /// A comparison.
    Atom(Side, Comparison, Side, Range<usize>),
    /// `~`.
    Not(Box<Proposition>),
    /// `/\`.
    And(Vec<Proposition>),
    /// `\/`.
    Or(Vec<Proposition>),
    /// `a => b => c`, which groups to the right.
    Implies(Vec<Proposition>),
}

/// How the proposition is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// Some execution satisfies it.
    Exists,
    /// None does.
    NotExists,
    /// All do.
    Forall,
}

/// The condition section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Constraints {
    /// Places to be shown besides those of the condition.
    pub locations: Vec<(Place, Range<usize>)>,
    /// Final states that are of interest.
    pub filter: Option<Proposition>,
    /// The condition proper.
    pub condition: Option<(Quantifier, Proposition)>,
}

/// Thread number of `P3` or `3`.
pub fn thread_number(text: &str) -> Option<u32> {
    text.strip_prefix('P').unwrap_or(text).parse().ok()
}

/// The thread number of a grammar's `Process`.
pub fn process<T>(text: &str, l: usize, r: usize) -> Result<u32, lalrpop_util::ParseError<usize, T, Error>> {
    thread_number(text).filter(|&n| n < MAX_THREADS).ok_or_else(|| lalrpop_util::ParseError::User {
        error: Error::new("litmus::thread", l..r, format!("`{text}` is not a thread: expected `0` or `P0`, …")),
    })
}

/// The value `kind:"text"`: a label when the kind says so (`label:"P0:L"`).
pub fn quoted(kind: &str, text: &str) -> Value {
    let parts = text.trim_matches('"').split_once(':');
    match parts.and_then(|(thread, name)| Some((thread_number(thread.trim())?, name.trim()))) {
        Some((thread, name)) if kind == "label" => Value::Label(thread, name.to_owned()),
        _ => Value::Foreign("this value"),
    }
}

/// A proposition of one or more parts.
pub fn chain(first: Proposition, rest: Vec<Proposition>, join: fn(Vec<Proposition>) -> Proposition) -> Proposition {
    if rest.is_empty() { first } else { join(std::iter::once(first).chain(rest).collect()) }
}
