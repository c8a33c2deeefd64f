//! What names stand for while a model is staged.

use super::super::env::{Env, Slot};
use super::super::source::Span;
use super::super::syntax::ast::{Function, Ident, Instr, Pat, Sym};
use crate::algebra::{ExprId, Sort};
use crate::cat::diagnostics::Diagnostic;
use std::rc::Rc;
use std::sync::Arc;

/// A symbolic value: known now, but for the sets and relations of the execution.
#[derive(Clone, Debug)]
pub enum Value {
    /// `{}`: empty, of any kind.
    Empty,
    /// `_`: everything, of any kind.
    Universe,
    /// A set of events or a relation.
    Expr(ExprId),
    /// One event that the execution will choose: its singleton set. Only inside functions mapped over a set of events.
    Event(ExprId),
    /// A tag.
    Tag(Tag),
    /// A set of values; at least one, sorted, without repetition.
    Values(Rc<Vec<Value>>),
    /// `()` or at least two components.
    Tuple(Rc<Vec<Value>>),
    /// A function of the model.
    Closure(Rc<Closure>),
    /// A function of the language.
    Primitive(Primitive),
    /// `map f`
    MapOf(Rc<Value>),
    /// A set of values that depends on the execution and that `with` knows how to choose from.
    Choice(Rc<Choice>),
    /// A procedure.
    Procedure(Rc<Procedure>),
}

/// A tag: its name and the `enum` that declared it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Tag {
    /// The name.
    pub name: Sym,
    /// The declaration.
    pub declared: u32,
}

/// A function value.
#[derive(Debug)]
pub struct Closure {
    /// Parameter and body.
    pub function: Arc<Function>,
    /// The environment of the definition.
    pub env: Env,
    /// The name under which it was defined.
    pub name: Option<Ident>,
}

/// A procedure value.
#[derive(Debug)]
pub struct Procedure {
    /// Its name.
    pub name: Ident,
    /// The parameter.
    pub param: Pat,
    /// The body.
    pub body: Arc<[Instr]>,
    /// The environment of the definition.
    pub env: Env,
}

/// Sets of relations that `with` chooses from.
#[derive(Debug)]
pub enum Choice {
    /// All ways to order the events of `events`, location by location, that respect `order`.
    Orders {
        /// The events to order.
        events: ExprId,
        /// What every order contains.
        order: ExprId,
    },
    /// `map f S` for a set of events `S` and a function to relations: one edge for `e` out of `edges`, for each `e`.
    OneEdgePerEvent {
        /// The events.
        events: ExprId,
        /// All possible edges of all events.
        edges: ExprId,
    },
    /// All unions of one edge per event.
    Cross {
        /// The events.
        events: ExprId,
        /// All possible edges of all events.
        edges: ExprId,
    },
    /// All total orders of some events.
    Linear {
        /// The events.
        events: ExprId,
        /// What every order contains.
        order: ExprId,
    },
    /// The edges of a relation, each as a relation of its own (`map (fun p -> p ++ 0) r`).
    EdgesOf(ExprId),
}

/// The functions of the language (CAT.md, section 5.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Primitive {
    /// `domain`
    Domain,
    /// `range`
    Range,
    /// `fail`
    Fail,
    /// `different-values`
    DifferentValues,
    /// `tag2events`
    Tag2Events,
    /// `tag2scope`, `tag2level`
    Tag2Relation,
    /// `tag2fenced`
    Tag2Fenced,
    /// `fromto`
    FromTo,
    /// `same-oa`, `oa-changes`, `at-least-one-writable`: about page-table entries, of which no execution has any. Of a relation the
    /// result is one; of a set and a relation it is a set.
    PageTable,
    /// `as_transitive`
    AsTransitive,
    /// What has no counterpart in relation algebra: `classes-loc`, `classes`, `lift`, `delift`, `deliftinter`,
    /// `linearisations`, `bisimulation`, `loc2events`, `newSet`, `newRelation`.
    PerExecution(&'static str),
}

/// Functions of the Dartagnan dialect: any set, any relation.
pub const FREE_CHOICES: [&str; 2] = ["newSet", "newRelation"];

/// The primitives by name.
pub const PRIMITIVES: &[(&str, Primitive)] = &[
    ("domain", Primitive::Domain),
    ("range", Primitive::Range),
    ("fail", Primitive::Fail),
    ("different-values", Primitive::DifferentValues),
    ("tag2events", Primitive::Tag2Events),
    ("tag2scope", Primitive::Tag2Relation),
    ("tag2level", Primitive::Tag2Relation),
    ("tag2fenced", Primitive::Tag2Fenced),
    ("fromto", Primitive::FromTo),
    ("same-oa", Primitive::PageTable),
    ("oa-changes", Primitive::PageTable),
    ("at-least-one-writable", Primitive::PageTable),
    ("as_transitive", Primitive::AsTransitive),
    ("classes-loc", Primitive::PerExecution("classes-loc")),
    ("classes", Primitive::PerExecution("classes")),
    ("lift", Primitive::PerExecution("lift")),
    ("delift", Primitive::PerExecution("delift")),
    ("deliftinter", Primitive::PerExecution("deliftinter")),
    ("linearisations", Primitive::PerExecution("linearisations")),
    ("bisimulation", Primitive::PerExecution("bisimulation")),
    ("loc2events", Primitive::PerExecution("loc2events")),
];

/// Why an expression has no symbolic value.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The model is wrong.
    Error(Rc<Diagnostic>),
    /// The model is right, but the value depends on the execution in a way that relation algebra cannot express.
    Dynamic(Span, &'static str),
    /// The same error has been reported elsewhere (a parse error).
    Reported,
}

impl From<Diagnostic> for Fault {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::Error(Rc::new(diagnostic))
    }
}

/// The outcome of an evaluation.
pub type Outcome<T> = Result<T, Fault>;

/// A definition: evaluated when it is first needed.
#[derive(Debug)]
pub enum Thunk {
    /// Not needed yet.
    Delayed(Env, Arc<super::super::syntax::ast::Expr>, Option<Ident>),
    /// The n-th component of another definition, of so many.
    Component {
        /// The tuple.
        of: Slot,
        /// Which component.
        index: usize,
        /// Of how many.
        arity: usize,
        /// Where the pattern stands.
        pattern: Span,
    },
    /// A base set or relation.
    Base(Sort),
    /// Being evaluated: needing it again is an endless recursion.
    Busy,
    /// Evaluated.
    Done(Outcome<Value>),
}
