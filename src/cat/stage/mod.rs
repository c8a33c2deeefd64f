//! Staging: runs a cat program once, at load time, on symbolic sets and relations.
//!
//! Functions, includes, procedures, matches and loops over tags disappear; what remains are expressions over base names, checks,
//! flags and shows: an [`algebra::Model`](crate::algebra::Model). Definitions are lazy, as in the language: one that no check
//! needs is never evaluated, and its errors are no errors. What depends on the execution in a way that relation algebra cannot
//! express is left out of the model and reported as *dynamic*; the reference evaluator runs the whole program then.
//!
//! - [`value`]: symbolic values.
//! - `expressions`, `operators`, `application`, `recursion`: evaluation.
//! - `checks`: what checks become.
//! - `choices`: what `with … from` can choose from.
//! - `instructions`: running a file.
//! - `hints`: why a name is not defined.
//! - [`needs`]: what checks need that executions do not have.
//! - `bell`: what a bell file declares.
//! - `declarations`, `scopes`: the first pass over a bell file.

mod application;
mod bell;
mod checks;
mod choices;
mod declarations;
mod expressions;
pub mod hints;
mod instructions;
pub mod needs;
mod operators;
mod recursion;
mod scopes;
pub mod value;

pub use bell::{Bell, Shape};

use super::diagnostics::{Diagnostic, Severity, endless_recursion, left_dynamic, nearest, nothing_shown};
use super::env::{Env, Slot};
use super::loader::Loader;
use super::source::Span;
use super::syntax::ast::{Expr, Ident, Sym};
use super::vocabulary::Vocabulary;
use super::vocabulary::table::Given;
use crate::algebra::{Check, ExprId, Model, Sort};
use crate::cat::dialect::Dialect;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use value::{FREE_CHOICES, Fault, Outcome, PRIMITIVES, Tag, Thunk, Value};

/// Evaluations may be nested this deep; the stack of the staging thread is sized for it.
const MAX_DEPTH: u32 = 20_000;
/// Evaluations that a load may take: published models take a few thousand.
const MAX_STEPS: u64 = 4_000_000;

/// What a run of the program needs to know.
pub struct Stager<'a> {
    pub(super) loader: &'a mut Loader,
    vocabulary: &'a Vocabulary,
    dialect: Dialect,
    variants: &'a [String],
    /// The model being made.
    pub(super) model: Model,
    thunks: Vec<Thunk>,
    /// Where each slot was defined.
    origins: Vec<Option<Span>>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    dynamic: Vec<Diagnostic>,
    /// Tags and the declaration that holds now.
    tags: FxHashMap<Sym, Tag>,
    /// Members of each declaration.
    enums: Vec<Vec<Tag>>,
    /// Operands of the standard library's `co0`, which hold of every execution.
    standard_order: FxHashSet<ExprId>,
    /// Bindings of the model's own files, in order, for `Model::definitions`.
    defined: Vec<(Ident, Slot)>,
    shown: Vec<(String, Arc<Expr>, Env)>,
    /// The bell declarations when this is the declaration pass.
    declarations: Option<Bell>,
    /// Files being executed, with the include that led there.
    including: Vec<(u32, Option<Span>)>,
    depth: u32,
    /// Names of checks and procedures that are not executed.
    skipped: Vec<String>,
    /// Which of them the model has.
    met: Vec<bool>,
    /// Skipped checks have to fail.
    strictly: bool,
    /// The skipped name that a call under way goes by.
    under: Option<usize>,
    /// Tests that are skipped strictly, with the name's index.
    has_to_fail: Vec<(usize, Check)>,
    /// Where the tests stand that only an execution can decide.
    dynamic_checks: BTreeSet<(u32, usize)>,
    /// Whether choices among all orders of a set are staged, and those that were.
    free_orders: bool,
    orders: Vec<Order>,
    /// Evaluations so far.
    steps: u64,
    /// How many `try`s evaluation is in.
    trying: u32,
    /// Names of other architectures that were evaluated, with what is said where they decide something.
    foreign: Vec<(String, Diagnostic)>,
    /// What is worth saying of the model to who looks at it, not to who runs it.
    remarks: Vec<Diagnostic>,
}

/// An order that the model chooses: `with name from linearisations(events, order)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// The base relation that stands for it.
    pub base: String,
    /// The name in the model.
    pub name: String,
    /// The events that it orders.
    pub events: ExprId,
    /// What it contains between these events.
    pub order: ExprId,
}

/// What staging hands back.
pub struct Staged {
    /// The model.
    pub model: Model,
    /// Errors: the model must not be used when there are any.
    pub errors: Vec<Diagnostic>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
    /// What `hmc model check` says besides.
    pub remarks: Vec<Diagnostic>,
    /// What could not be staged.
    pub dynamic: Vec<Diagnostic>,
    /// Which checks could not: where they stand.
    pub dynamic_checks: BTreeSet<(u32, usize)>,
    /// Orders that are chosen.
    pub orders: Vec<Order>,
    /// Bell declarations (of the declaration pass).
    pub bell: Option<Bell>,
}

impl<'a> Stager<'a> {
    /// A stager with the initial environment: base names and primitives.
    pub fn new(
        loader: &'a mut Loader,
        vocabulary: &'a Vocabulary,
        dialect: Dialect,
        variants: &'a [String],
    ) -> (Self, Env) {
        let mut stager = Self {
            loader,
            vocabulary,
            dialect,
            variants,
            model: Model::default(),
            thunks: Vec::new(),
            origins: Vec::new(),
            errors: Vec::new(),
            warnings: Vec::new(),
            dynamic: Vec::new(),
            tags: FxHashMap::default(),
            enums: Vec::new(),
            standard_order: FxHashSet::default(),
            defined: Vec::new(),
            shown: Vec::new(),
            declarations: None,
            including: Vec::new(),
            depth: 0,
            skipped: Vec::new(),
            met: Vec::new(),
            strictly: false,
            under: None,
            has_to_fail: Vec::new(),
            dynamic_checks: BTreeSet::new(),
            free_orders: false,
            orders: Vec::new(),
            steps: 0,
            trying: 0,
            foreign: Vec::new(),
            remarks: Vec::new(),
        };
        let mut env = Env::default();
        for (name, primitive) in PRIMITIVES {
            stager.bind_name(&mut env, name, Thunk::Done(Ok(Value::Primitive(*primitive))));
        }
        if dialect == Dialect::Dartagnan {
            for name in FREE_CHOICES {
                let value = Value::Primitive(value::Primitive::PerExecution(name));
                stager.bind_name(&mut env, name, Thunk::Done(Ok(value)));
            }
        }
        let id = stager.model.pool.id();
        stager.bind_name(&mut env, "id", Thunk::Done(Ok(Value::Expr(id))));
        (stager, env)
    }

    /// Leaves out the checks and procedures of these names; `strictly`: asks for them to fail.
    pub fn skip(&mut self, names: &[String], strictly: bool) {
        self.skipped = names.to_vec();
        self.met = vec![false; names.len()];
        self.strictly = strictly;
    }

    /// Whether choices among all orders of a set become base relations.
    pub fn choose_orders(&mut self, does: bool) {
        self.free_orders = does;
    }

    /// Adds the base names to an environment.
    pub fn bind_base_names(&mut self, env: &mut Env) {
        for (name, sort) in self.vocabulary.names() {
            // In herd's cat coherence is not predefined: `cos.cat` chooses it.
            if name == "co" && self.dialect == Dialect::Herd {
                continue;
            }
            self.bind_name(env, name, Thunk::Base(sort));
        }
    }

    fn bind_name(&mut self, env: &mut Env, name: &str, thunk: Thunk) {
        let (sym, _) = self.loader.interner.intern(name);
        let slot = self.slot(thunk, None);
        env.bind(sym, slot);
    }

    fn slot(&mut self, thunk: Thunk, origin: Option<Span>) -> Slot {
        let slot = Slot(self.thunks.len() as u32);
        self.thunks.push(thunk);
        self.origins.push(origin);
        slot
    }

    fn value_slot(&mut self, value: Outcome<Value>, origin: Option<Span>) -> Slot {
        self.slot(Thunk::Done(value), origin)
    }

    /// The value of a definition, evaluated now if it was not before. `at` is where it is needed.
    fn force(&mut self, slot: Slot, name: Sym, at: Span) -> Outcome<Value> {
        let index = slot.0 as usize;
        if let Thunk::Done(value) = &self.thunks[index] {
            return value.clone();
        }
        let value = match std::mem::replace(&mut self.thunks[index], Thunk::Busy) {
            Thunk::Delayed(env, body, name) => {
                // A definition says what it says, whoever tries to use it.
                let trying = std::mem::take(&mut self.trying);
                let value = self.delayed(&env, &body, name.as_ref());
                self.trying = trying;
                value
            }
            Thunk::Component { of, index, arity, pattern } => self.force(of, name, at).and_then(|whole| {
                self.component(&whole, index, arity, pattern, self.origins[of.0 as usize].unwrap_or(at))
            }),
            Thunk::Base(sort) => {
                let text = self.loader.interner.name(name).clone();
                Ok(Value::Expr(match self.vocabulary.given(&text) {
                    Some(Given::Everything) => self.model.pool.universe(),
                    Some(Given::Alias(other)) => self.model.pool.base(other, sort),
                    _ => self.model.pool.base(&text, sort),
                }))
            }
            Thunk::Busy => Err(endless_recursion::report(at).into()),
            Thunk::Done(value) => value,
        };
        self.thunks[index] = Thunk::Done(value.clone());
        value
    }

    fn delayed(&mut self, env: &Env, body: &Arc<Expr>, name: Option<&Ident>) -> Outcome<Value> {
        self.named(env, body, name)
    }

    /// Runs one step deeper, or gives up.
    fn deeper<T>(&mut self, at: Span, step: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        self.steps += 1;
        if self.depth >= MAX_DEPTH || self.exhausted() {
            return Err(endless_recursion::report(at).into());
        }
        self.depth += 1;
        let result = step(self);
        self.depth -= 1;
        result
    }

    /// Whether evaluation has gone on for too long.
    fn exhausted(&self) -> bool {
        self.steps > MAX_STEPS
    }

    /// Notes why something has no value, once.
    fn report(&mut self, fault: Fault) {
        match fault {
            Fault::Error(diagnostic) => {
                if !self.errors.contains(&diagnostic) {
                    self.errors.push(Rc::unwrap_or_clone(diagnostic));
                }
            }
            Fault::Dynamic(span, reason) => {
                let diagnostic = left_dynamic::report(span, reason);
                if !self.dynamic.contains(&diagnostic) {
                    self.dynamic.push(diagnostic);
                }
            }
            Fault::Reported => {}
        }
    }

    fn warn(&mut self, diagnostic: Diagnostic) {
        debug_assert_eq!(diagnostic.severity(), Severity::Warning);
        if !self.warnings.contains(&diagnostic) {
            self.warnings.push(diagnostic);
        }
    }

    /// Ends the run.
    pub fn finish(mut self) -> Staged {
        self.require_failures();
        self.look_for_what_is_missing();
        self.definitions_and_shows();
        Staged {
            model: self.model,
            errors: self.errors,
            warnings: self.warnings,
            remarks: self.remarks,
            dynamic: self.dynamic,
            dynamic_checks: self.dynamic_checks,
            orders: self.orders,
            bell: self.declarations,
        }
    }

    /// Evaluates what people may want to see; what fails is left out.
    fn definitions_and_shows(&mut self) {
        let mut last: Vec<(Ident, Slot)> = Vec::new();
        let mut seen = FxHashSet::default();
        for (name, slot) in std::mem::take(&mut self.defined).into_iter().rev() {
            if seen.insert(name.sym) {
                last.push((name, slot));
            }
        }
        for (name, slot) in last.into_iter().rev() {
            if let Ok(Value::Expr(expr)) = self.force(slot, name.sym, name.span) {
                self.model.definitions.push((name.text.to_string(), expr));
            }
        }
        for (name, expr, env) in std::mem::take(&mut self.shown) {
            match self.evaluate(&env, &expr) {
                Ok(Value::Expr(expr)) => self.model.shows.push((name, expr)),
                // What included files show is theirs to say.
                Err(Fault::Error(error))
                    if expr.span.file == 0 && hints::UNDEFINED.iter().any(|kind| kind.code == error.code()) =>
                {
                    let known = self.model.definitions.iter().map(|(name, _)| name.as_str());
                    let near = nearest(&name, known).map(str::to_owned);
                    self.remarks.push(nothing_shown::report(&name, expr.span, near.as_deref()));
                }
                _ => {}
            }
        }
    }

    /// What a value is, in words.
    fn kind(&self, value: &Value) -> &'static str {
        match value {
            Value::Empty => "`{}`",
            Value::Universe => "`_`",
            Value::Expr(expr) => match self.model.pool.sort(*expr) {
                Sort::Set => "a set",
                Sort::Rel => "a relation",
            },
            Value::Event(_) => "an event",
            Value::Tag(_) => "a tag",
            Value::Values(_) | Value::Choice(_) => "a set of values",
            Value::Tuple(_) => "a tuple",
            Value::Closure(_) | Value::Primitive(_) | Value::MapOf(_) => "a function",
            Value::Procedure(_) => "a procedure",
        }
    }

    /// Where the value of an expression that is a name was defined.
    fn origin(&self, env: &Env, expr: &Expr) -> Option<Span> {
        match &expr.kind {
            super::syntax::ast::ExprKind::Var(name) => env.get(name.sym).and_then(|slot| self.origins[slot.0 as usize]),
            _ => None,
        }
    }
}
