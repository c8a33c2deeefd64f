//! The reference evaluator: the whole language, straight from the syntax trees, on one execution.
//!
//! Plain sets of pairs, no staging, no algebra, no cleverness: this is what the fast path is held against, and what judges the
//! executions of models that cannot be staged. `with x from S` is run by repetition: a run follows a trail of choices, and
//! the next run takes the next choice of the last `with` that has one left.
//!
//! An execution carries its own coherence order and its own reads-from edges for lock reads. [`Choices::Native`] keeps only
//! the branches that choose them; [`Choices::Free`] runs every branch, as a tool does that enumerates.

mod apply;
mod expressions;
mod instructions;
mod orders;
mod primitives;
pub mod value;

use super::env::{Env, Slot};
use super::load::Loaded;
use super::source::Span;
use super::stage::value::{FREE_CHOICES, PRIMITIVES};
use super::syntax::ast::{Ident, Sym};
use super::syntax::build::Interner;
use super::vocabulary::Lookup;
use super::vocabulary::table::Given;
use crate::algebra::Sort;
use crate::cat::dialect::Dialect;
use crate::relation::candidate::{Candidate, EventSet, Relation};
use crate::{patience, stack};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use value::{Error, Outcome, Stop, Thunk, Value, error};

/// Evaluations may be nested this deep; the stack of a run is sized for it.
const MAX_DEPTH: u32 = 20_000;
/// Evaluations that one run may take.
const MAX_STEPS: u64 = 50_000_000;
const STACK_BYTES: usize = 256 << 20;
/// More branches than this are not run.
const MAX_BRANCHES: usize = 1_000_000;

/// Which branches of a `with` are run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Choices {
    /// Those that choose what the execution carries (coherence, lock reads), and all of other choices.
    #[default]
    Native,
    /// All.
    Free,
}

/// How to run.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// Which branches.
    pub choices: Choices,
    /// Go on after a check that rejects, to see the later ones.
    pub through: bool,
    /// Collect the values of the model's definitions, and of what its checks test.
    pub definitions: bool,
}

/// A check that did not hold, or a flag that was raised.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// `as name`.
    pub name: Option<String>,
    /// Where it stands.
    pub span: Span,
    /// What it tests: a relation, or for a set the edges of its events to themselves. Empty unless [`Options::definitions`].
    pub operand: Relation,
}

/// One branch run to its end, or to its rejection.
#[derive(Clone, Default, Debug)]
pub struct Branch {
    /// The checks that reject the execution: none when it is accepted, one unless [`Options::through`].
    pub failed: Vec<Failure>,
    /// Flags raised.
    pub flags: BTreeSet<String>,
    /// Whether an `undefined_unless` did not hold.
    pub undefined: bool,
    /// The flags raised and the `undefined_unless` that did not hold.
    pub fired: Vec<Failure>,
    /// Where the tests stand that raised a flag or found the behaviour undefined: file and first byte.
    pub raised: BTreeSet<(u32, usize)>,
    /// Whether the run came to the end of the program: a check that rejects may have ended it before.
    pub complete: bool,
    /// The sets that the model defines, when asked for.
    pub sets: BTreeMap<String, EventSet>,
    /// The relations that the model defines, when asked for.
    pub relations: BTreeMap<String, Relation>,
}

impl Branch {
    /// Whether no check rejects it.
    pub fn accepted(&self) -> bool {
        self.failed.is_empty()
    }
}

/// Runs a model on an execution: one [`Branch`] for each way through its choices.
pub fn run(loaded: &Loaded, candidate: &Candidate, options: &Options) -> Result<Vec<Branch>, Error> {
    let deadline = patience::deadline();
    let late = || Err(Error { message: "the time was over".to_owned(), span: Span::default() });
    let run = || patience::within(deadline, || all_branches(loaded, candidate, options));
    match stack::with_room(STACK_BYTES, run) {
        Ok(result) => result.unwrap_or_else(late),
        Err(failure) => Err(Error { message: format!("no thread: {failure}"), span: Span::default() }),
    }
}

/// Whether some branch accepts the execution, with the places of the tests that accepted branches raise ([`Branch::raised`]).
pub fn accepts(loaded: &Loaded, candidate: &Candidate) -> Result<Option<BTreeSet<(u32, usize)>>, Error> {
    let branches = run(loaded, candidate, &Options::default())?;
    let mut accepted = branches.into_iter().filter(Branch::accepted);
    Ok(accepted.next().map(|first| accepted.fold(first.raised, |raised, branch| &raised | &branch.raised)))
}

fn all_branches(loaded: &Loaded, candidate: &Candidate, options: &Options) -> Result<Vec<Branch>, Error> {
    let mut branches = Vec::new();
    let mut trail: Vec<(usize, usize)> = Vec::new();
    loop {
        let mut run = Run::new(loaded, candidate, options, std::mem::take(&mut trail));
        let finished = run.whole_program();
        trail = run.trail;
        match finished {
            Ok(()) => branches.push(Branch { complete: true, ..run.branch }),
            Err(Stop::Reject) => branches.push(run.branch),
            Err(Stop::Error(error) | Stop::Unbound(error) | Stop::Fatal(error)) => return Err(error),
        }
        if branches.len() > MAX_BRANCHES {
            return Err(Error { message: "too many choices".to_owned(), span: Span::default() });
        }
        // The next choice of the last `with` that has one left.
        while trail.last().is_some_and(|(chosen, count)| chosen + 1 >= *count) {
            trail.pop();
        }
        match trail.last_mut() {
            Some((chosen, _)) => *chosen += 1,
            None => return Ok(branches),
        }
    }
}

/// One run through the program.
struct Run<'a> {
    loaded: &'a Loaded,
    candidate: &'a Candidate,
    options: &'a Options,
    interner: &'a Interner,
    /// The primitives and base names.
    initial: Env,
    thunks: Vec<Thunk>,
    tags: FxHashMap<Sym, u32>,
    enums: Vec<Vec<Sym>>,
    /// Chosen branch and number of branches of each `with` met; the part beyond `at` is still to be followed.
    trail: Vec<(usize, usize)>,
    at: usize,
    branch: Branch,
    defined: Vec<(Ident, Slot)>,
    depth: u32,
    steps: u64,
    /// How many `try`s evaluation is in.
    trying: u32,
    /// Names of skipped checks that failed, when that is asked for.
    failures: BTreeSet<String>,
    /// The skipped name that a call under way goes by.
    under: Option<String>,
}

impl<'a> Run<'a> {
    fn new(loaded: &'a Loaded, candidate: &'a Candidate, options: &'a Options, trail: Vec<(usize, usize)>) -> Self {
        Self {
            loaded,
            candidate,
            options,
            interner: &loaded.program.interner,
            initial: Env::default(),
            thunks: Vec::new(),
            tags: FxHashMap::default(),
            enums: Vec::new(),
            trail,
            at: 0,
            branch: Branch::default(),
            defined: Vec::new(),
            depth: 0,
            trying: 0,
            steps: 0,
            failures: BTreeSet::new(),
            under: None,
        }
    }

    fn whole_program(&mut self) -> Outcome<()> {
        let mut env = Env::default();
        for (name, _) in PRIMITIVES {
            self.bind_name(&mut env, name, Thunk::Done(Ok(Value::Primitive(name))));
        }
        if self.loaded.dialect == Dialect::Dartagnan {
            for name in FREE_CHOICES {
                self.bind_name(&mut env, name, Thunk::Done(Ok(Value::Primitive(name))));
            }
        }
        let id = Value::rel(self.candidate.universe.iter().map(|e| (*e, *e)));
        self.bind_name(&mut env, "id", Thunk::Done(Ok(id)));
        for (name, _) in self.loaded.vocabulary.names() {
            if name == "co" && self.loaded.dialect == Dialect::Herd {
                continue;
            }
            self.bind_name(&mut env, name, Thunk::Base);
        }
        self.initial = env.clone();
        let program = &self.loaded.program;
        for file in [program.library, program.bell, Some(program.root)].into_iter().flatten() {
            let done = self.file(file, &mut env);
            if Some(file) == program.library {
                self.defined.clear();
            }
            if let Err(stop) = done {
                self.collect_definitions();
                return Err(stop);
            }
        }
        self.collect_definitions();
        self.missing_failures()
    }

    fn bind_name(&mut self, env: &mut Env, name: &str, thunk: Thunk) {
        // A name that was never interned is mentioned nowhere.
        if let Some(sym) = self.interner.lookup(name) {
            let slot = self.slot(thunk);
            env.bind(sym, slot);
        }
    }

    fn slot(&mut self, thunk: Thunk) -> Slot {
        self.thunks.push(thunk);
        Slot(self.thunks.len() as u32 - 1)
    }

    fn bind_value(&mut self, env: &mut Env, name: Sym, value: Value) {
        let slot = self.slot(Thunk::Done(Ok(value)));
        env.bind(name, slot);
    }

    fn force(&mut self, slot: Slot, name: Sym, at: Span) -> Outcome<Value> {
        let index = slot.0 as usize;
        if let Thunk::Done(value) = &self.thunks[index] {
            return value.clone();
        }
        let value = match std::mem::replace(&mut self.thunks[index], Thunk::Busy) {
            Thunk::Delayed(env, body, name) => {
                // A definition says what it says, whoever tries to use it.
                let trying = std::mem::take(&mut self.trying);
                let value = self.named(&env, &body, name.as_ref());
                self.trying = trying;
                value
            }
            Thunk::Component(of, index, arity) => self.force(of, name, at).and_then(|whole| match whole {
                Value::Tuple(parts) if parts.len() == arity => Ok(parts[index].clone()),
                Value::Pair(a, b) if arity == 2 => Ok(Value::Event(if index == 0 { a } else { b })),
                Value::Tuple(_) => error(at, "binding mismatch"),
                value if index == 0 => Ok(value),
                _ => error(at, "binding mismatch"),
            }),
            Thunk::Base => Ok(self.base(self.interner.name(name))),
            Thunk::Busy => error(at, "a definition that needs itself"),
            Thunk::Done(value) => value,
        };
        self.thunks[index] = Thunk::Done(value.clone());
        value
    }

    /// The value of a base name.
    fn base(&self, name: &str) -> Value {
        let name = match self.loaded.vocabulary.given(name) {
            Some(Given::Everything) => return Value::set(self.candidate.universe.iter().copied()),
            Some(Given::Alias(other)) => other,
            _ => name,
        };
        match self.loaded.vocabulary.lookup(name) {
            Lookup::Known(Sort::Rel) => Value::rel(self.candidate.relation(name)),
            _ => Value::set(self.candidate.set(name)),
        }
    }

    fn deeper<T>(&mut self, at: Span, step: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        self.steps += 1;
        if self.depth >= MAX_DEPTH || self.exhausted() {
            return error(at, "this recursion does not end");
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

    /// The values of the model's own definitions, those that have one.
    fn collect_definitions(&mut self) {
        if !self.options.definitions {
            return;
        }
        for (name, slot) in std::mem::take(&mut self.defined) {
            let text = name.text.to_string();
            self.branch.sets.remove(&text);
            self.branch.relations.remove(&text);
            match self.force(slot, name.sym, name.span) {
                Ok(Value::Set(set)) => {
                    self.branch.sets.insert(text, (*set).clone());
                }
                Ok(Value::Rel(relation)) => {
                    self.branch.relations.insert(text, (*relation).clone());
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests;
