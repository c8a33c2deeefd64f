//! Concrete values: what names stand for on one execution.

use crate::cat::env::{Env, Slot};
use crate::cat::source::Span;
use crate::cat::syntax::ast::{Expr, Function, Ident, Instr, Pat, Sym};
use crate::relation::candidate::{EventSet, Relation};
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// A relation between sets of events.
pub type ClassRelation = BTreeSet<(EventSet, EventSet)>;

/// A value (CAT.md, section 3.1).
#[derive(Clone, Debug)]
pub enum Value {
    /// `{}`
    Empty,
    /// `_`
    Universe,
    /// A set of events.
    Set(Rc<EventSet>),
    /// A relation.
    Rel(Rc<Relation>),
    /// One event.
    Event(u32),
    /// One edge.
    Pair(u32, u32),
    /// A relation between classes.
    ClassRel(Rc<ClassRelation>),
    /// A tag and the number of the `enum` that declared it.
    Tag(Sym, u32),
    /// A set of values: at least one, sorted, without repetition.
    Values(Rc<Vec<Value>>),
    /// `()` or at least two components.
    Tuple(Rc<Vec<Value>>),
    /// A function of the model.
    Closure(Rc<Closure>),
    /// A function of the language.
    Primitive(&'static str),
    /// A procedure.
    Procedure(Rc<Procedure>),
}

/// A function value.
#[derive(Debug)]
pub struct Closure {
    /// Parameter and body.
    pub function: Arc<Function>,
    /// Where it was defined.
    pub env: Env,
    /// Under which name.
    pub name: Option<Ident>,
}

/// A procedure value.
#[derive(Debug)]
pub struct Procedure {
    /// The parameter.
    pub param: Pat,
    /// The body.
    pub body: Arc<[Instr]>,
    /// Where it was defined.
    pub env: Env,
}

/// Why an evaluation ends early.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The model is wrong: `try` catches this.
    Error(Error),
    /// A name that nobody defines: an error like others where its value decides something.
    Unbound(Error),
    /// The model is wrong in a way that `try` does not catch: an assertion, a call of no procedure.
    Fatal(Error),
    /// A check rejects the execution.
    Reject,
}

/// An error of the model that this execution brings to light.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// What.
    pub message: String,
    /// Where.
    pub span: Span,
}

/// The outcome of an evaluation.
pub type Outcome<T> = Result<T, Stop>;

/// An error at a place.
pub fn error<T>(span: Span, message: impl Into<String>) -> Outcome<T> {
    Err(Stop::Error(Error { message: message.into(), span }))
}

/// A definition, evaluated when first needed.
#[derive(Debug)]
pub enum Thunk {
    /// Not yet.
    Delayed(Env, Arc<Expr>, Option<Ident>),
    /// The n-th component of a definition of so many.
    Component(Slot, usize, usize),
    /// A base set or relation.
    Base,
    /// Being evaluated.
    Busy,
    /// Evaluated.
    Done(Outcome<Value>),
}

impl Value {
    /// A set of events.
    pub fn set(events: impl IntoIterator<Item = u32>) -> Value {
        Value::Set(Rc::new(events.into_iter().collect()))
    }

    /// A relation.
    pub fn rel(edges: impl IntoIterator<Item = (u32, u32)>) -> Value {
        Value::Rel(Rc::new(edges.into_iter().collect()))
    }

    /// The name of its type in messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Empty => "{}",
            Value::Universe => "_",
            Value::Set(_) => "events",
            Value::Rel(_) => "rel",
            Value::Event(_) => "event",
            Value::Pair(..) => "pair",
            Value::ClassRel(_) => "classrel",
            Value::Tag(..) => "tag",
            Value::Values(_) => "set of values",
            Value::Tuple(_) => "tuple",
            Value::Closure(_) | Value::Primitive(_) => "closure",
            Value::Procedure(_) => "procedure",
        }
    }

    /// Whether two values may be elements of one set.
    pub fn same_type(&self, other: &Value) -> bool {
        use Value::{ClassRel, Closure, Empty, Event, Pair, Primitive, Procedure, Rel, Set, Tag, Tuple, Values};
        match (self, other) {
            (Set(_), Set(_)) | (Rel(_), Rel(_)) | (ClassRel(_), ClassRel(_)) => true,
            (Event(_), Event(_)) | (Pair(..), Pair(..)) | (Procedure(_), Procedure(_)) => true,
            (Closure(_) | Primitive(_), Closure(_) | Primitive(_)) => true,
            (Tag(_, x), Tag(_, y)) => x == y,
            (Values(x), Values(y)) => x[0].same_type(&y[0]),
            (Tuple(x), Tuple(y)) => x.len() == y.len() && x.iter().zip(y.iter()).all(|(x, y)| x.same_type(y)),
            (Empty, Empty | Set(_) | Rel(_) | ClassRel(_) | Values(_)) => true,
            (Set(_) | Rel(_) | ClassRel(_) | Values(_), Empty) => true,
            _ => false,
        }
    }

    /// Whether there is no element.
    pub fn is_empty(&self) -> bool {
        match self {
            Value::Empty => true,
            Value::Set(s) => s.is_empty(),
            Value::Rel(r) => r.is_empty(),
            Value::ClassRel(c) => c.is_empty(),
            _ => false,
        }
    }

    /// A total order on values of one type.
    pub fn order(&self, other: &Value) -> Ordering {
        match (self, other) {
            (a, b) if a.is_empty() || b.is_empty() => b.is_empty().cmp(&a.is_empty()),
            (Value::Set(x), Value::Set(y)) => x.cmp(y),
            (Value::Rel(x), Value::Rel(y)) => x.cmp(y),
            (Value::ClassRel(x), Value::ClassRel(y)) => x.cmp(y),
            (Value::Event(x), Value::Event(y)) => x.cmp(y),
            (Value::Pair(a, b), Value::Pair(c, d)) => (a, b).cmp(&(c, d)),
            (Value::Tag(x, _), Value::Tag(y, _)) => x.cmp(y),
            (Value::Values(x), Value::Values(y)) | (Value::Tuple(x), Value::Tuple(y)) => {
                for (x, y) in x.iter().zip(y.iter()) {
                    match x.order(y) {
                        Ordering::Equal => {}
                        unequal => return unequal,
                    }
                }
                x.len().cmp(&y.len())
            }
            (Value::Closure(x), Value::Closure(y)) => Rc::as_ptr(x).addr().cmp(&Rc::as_ptr(y).addr()),
            (Value::Primitive(x), Value::Primitive(y)) => x.cmp(y),
            (Value::Primitive(_), _) => Ordering::Less,
            (_, Value::Primitive(_)) => Ordering::Greater,
            (Value::Procedure(x), Value::Procedure(y)) => Rc::as_ptr(x).addr().cmp(&Rc::as_ptr(y).addr()),
            _ => Ordering::Equal,
        }
    }
}

/// The set of these values. Of events it is an event set, of pairs a relation.
pub fn set_of(span: Span, mut values: Vec<Value>) -> Outcome<Value> {
    let Some(first) = values.first() else { return Ok(Value::Empty) };
    match first {
        Value::Universe => return error(span, "universe in explicit set"),
        _ if values.iter().any(|v| matches!(v, Value::Universe)) => return error(span, "universe in explicit set"),
        _ => {}
    }
    if let Some(other) = values.iter().find(|v| !v.same_type(first)) {
        return error(span, format!("Heterogeneous set elements: {} and {}", first.kind(), other.kind()));
    }
    Ok(match first {
        Value::Event(_) => {
            Value::set(values.iter().filter_map(|v| if let Value::Event(e) = v { Some(*e) } else { None }))
        }
        Value::Pair(..) => {
            Value::rel(values.iter().filter_map(|v| if let Value::Pair(a, b) = v { Some((*a, *b)) } else { None }))
        }
        _ => {
            values.sort_by(Value::order);
            values.dedup_by(|a, b| a.order(b) == Ordering::Equal);
            Value::Values(Rc::new(values))
        }
    })
}
