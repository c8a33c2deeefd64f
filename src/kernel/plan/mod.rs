//! What a [`Session`](super::session::Session) executes: a model compiled for a program at hand.
//!
//! - [`compile`]: simplifies the model and says what each check may do when; [`implied`] leaves out checks that follow from others.
//! - [`codegen`], [`codegen_group`]: from expressions to [`code`]; [`sections`]: code that runs only when it can matter; [`registers`]: storage of scratch slots.
//! - [`wake`]: what an item waits for.

pub mod code;
pub mod codegen;
pub mod codegen_group;
pub mod compile;
pub mod implied;
pub mod registers;
pub mod sections;
pub mod wake;

use super::decided::Decided;
use super::plan::code::{Code, Form, Instr, Item};
use super::small::{Ends, SmallCode};
use super::state::spare::Spare;
use crate::algebra::facts::order::{
    Halves, Orders, keeps_dependencies_acyclic, keeps_interleavings, keeps_po_and_rf_acyclic,
};
use crate::algebra::facts::retag::{Checks, Difference};
use crate::algebra::facts::settled::Settled;
use crate::algebra::simplify::Condition;
use crate::algebra::simplify::orient::Joint;
use crate::algebra::{Base, ExprId, Predicate, Sort};
use std::sync::Arc;

/// A base name whose value the session has to be given.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// As the model spells it.
    pub name: String,
    /// Set or relation.
    pub sort: Sort,
}

/// When a check can be decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Once violated on a part of an execution, violated on every extension: usable for pruning.
    Prune,
    /// Decided on complete executions only.
    FinalOnly,
    /// Decided without looking at the execution: whether the condition always holds or always fails.
    Vanished {
        /// The truth of the condition, its `~` included.
        holds: bool,
    },
}

/// What the analysis found out about a check.
#[derive(Clone, Debug)]
pub struct CheckInfo {
    /// When it can be decided.
    pub kind: Kind,
    /// Why, in words.
    pub reason: String,
    /// Whether it is certain that it lets an execution go on: the maximal next event can be added (see [`crate::algebra::facts::extend`]).
    pub lets_go_on: bool,
    /// Of a flag: whether it stays raised when an execution in which it is goes on by maximal events (see [`crate::algebra::facts::extend`]).
    pub stays_raised: bool,
    /// Whether it is decided at the end, and a weaker check, of the part of its operand that only grows, prunes (see [`crate::algebra::facts::weaken`]).
    pub has_core: bool,
}

impl CheckInfo {
    /// Whether it, or a weaker form of it, can reject an execution that is not complete.
    fn prunes(&self) -> bool {
        self.kind == Kind::Prune || self.has_core
    }
}

/// What is known of the executions that a session is given.
pub struct Known<'a> {
    /// Which base names can be non-empty.
    pub present: &'a dyn Fn(&Base) -> bool,
    /// Which expressions of the model are certain to be empty or everything, by number; nothing is known of those behind its end.
    pub settled: &'a [Settled],
    /// Whether the session is given the intersection of two base relations: as an input whose name is the two names with
    /// [`JOINT`](crate::algebra::simplify::orient::JOINT) between them. That is worth it where one of them is much larger than the intersection.
    pub joint: Joint<'a>,
    /// What events a base relation relates, where that is known: the kinds of its sources and of its targets, as bit sets. No event has two kinds.
    pub ends: Ends<'a>,
    /// Whether base names mean what they mean in execution graphs (a read reads from one write, program order is one order a thread, creating a thread
    /// orders everything before it, …), so that a check may be left out that only then follows from others.
    pub graphs: bool,
}

/// A compiled model: immutable, shared between workers.
#[derive(Clone)]
pub struct Plan {
    pub(super) inputs: Vec<Input>,
    pub(super) checks: Vec<CheckInfo>,
    pub(super) porf_acyclic: bool,
    /// The same of `po | rf | amo`.
    pub(super) halves_acyclic: bool,
    /// The same of `po | rf | rf-lock`.
    pub(super) locks_acyclic: bool,
    pub(super) any_growth: bool,
    /// The pruning checks, the weaker forms of others among them; and whether by themselves they leave room for cycles of `po | rf`.
    pub(super) prunes: Orders,
    pub(super) leaves_room: bool,
    pub(super) general: Option<Arc<Plan>>,
    pub(super) open: Option<Arc<Plan>>,
    /// See [`Self::reported`].
    pub(super) reported: Vec<Base>,
    /// See [`Self::flags_lose`].
    pub(super) flags_lose: bool,
    /// What is decided at the end.
    pub(super) at_end: Decided,
    /// The checks of the model, for executions in which an event is another.
    pub(super) retagged: Arc<Checks>,
    pub(super) code: Code,
    /// Storage of sessions that have ended.
    pub(super) spare: Spare,
}

impl Plan {
    /// Base names actually needed, in input order.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// What is known of each check; the index is that in [`Model::checks`](crate::algebra::Model::checks).
    pub fn checks(&self) -> &[CheckInfo] {
        &self.checks
    }

    /// Number of instructions, of slots for sets, and of slots for relations.
    pub fn size(&self) -> (usize, usize, usize) {
        let code = &self.code;
        let all = [&code.partial, &code.last, &code.flags];
        (all.into_iter().map(|items| instructions(items)).sum(), code.sets as usize, code.rels as usize)
    }

    /// Whether the pruning checks stay violated however an execution grows: also when events are added before others in their thread.
    pub fn prunes_in_any_growth(&self) -> bool {
        self.any_growth
    }

    /// Whether every check prunes: none waits for the end of an execution.
    pub fn decides_nothing_at_end(&self) -> bool {
        matches!(self.at_end, Decided::Nothing)
    }

    /// The same plan, which knows another one of the model, for executions that grow in any way.
    #[must_use]
    pub fn compared_with(mut self, general: &Arc<Plan>) -> Plan {
        if general.any_growth && !self.any_growth {
            self.any_growth = self.prunes == general.prunes;
            self.general = (!self.any_growth).then(|| Arc::clone(general));
        }
        self
    }

    /// The same, sharing no memory with this one. What a plan is made of lies between what its maker allocated later, and writes to: another worker that reads
    /// it would wait for that.
    #[must_use]
    pub fn apart(&self) -> Plan {
        let apart = |plan: &Arc<Plan>| Arc::new(plan.apart());
        Plan { general: self.general.as_ref().map(apart), open: self.open.as_ref().map(apart), ..self.clone() }
    }

    /// A plan of the model for executions that grow in any way, where this one's pruning checks say more than that one's: weaker forms do where
    /// executions grow in fewer ways.
    pub fn general(&self) -> Option<&Arc<Plan>> {
        self.general.as_ref()
    }

    /// The same plan, which knows another one of the model, for executions in which events are there before it is told how they are ordered.
    #[must_use]
    pub fn leaving_open(mut self, open: Plan) -> Plan {
        self.open = Some(Arc::new(open));
        self
    }

    /// A plan of the model for executions in which events are there before it is told how they are ordered, where that is wanted.
    pub fn open(&self) -> Option<&Arc<Plan>> {
        self.open.as_ref()
    }

    /// Whether it is not certain of some pruning check that it lets an execution go on.
    pub fn may_get_stuck(&self) -> bool {
        self.checks.iter().any(|check| check.prunes() && !check.lets_go_on)
    }

    /// The base names on which something depends that is reported of consistent executions (a flag, undefined behaviour), in the programs that the plan
    /// is for.
    pub fn reported(&self) -> &[Base] {
        &self.reported
    }

    /// Whether no execution raises a flag that does not raise it with less reads-from and coherence.
    pub fn flags_lose(&self) -> bool {
        self.flags_lose
    }

    /// Whether the last event of a thread, which is in these base sets and does not both read and write, can always be replaced by the maximal one of the same
    /// sets, as far as checks are concerned that are decided at the end (see [`crate::algebra::facts::renew`]).
    pub fn renews_last(&self, is_in: &dyn Fn(&str) -> bool) -> bool {
        self.at_end.renews_last(is_in)
    }

    /// Whether an execution that differs like that from a consistent one is consistent, too, and raises its flags (see [`crate::algebra::facts::retag`]).
    pub fn keeps_retagged(&self, difference: &Difference<'_>) -> bool {
        self.retagged.keep(difference)
    }

    /// Whether a check that speaks up in an execution does so in one that this one can grow to, whatever is missing.
    pub fn stays_raised(&self, check: usize) -> bool {
        self.checks.get(check).is_some_and(|check| check.stays_raised)
    }

    /// Whether there are flags that an execution of the program may raise.
    pub fn has_flags(&self) -> bool {
        !self.code.flags.is_empty()
    }

    /// Whether some check depends on the values that events carry.
    pub fn looks_at_values(&self) -> bool {
        self.code.uses_values
    }

    /// Whether executions of few events are judged in a leaner form (`kernel::small`): then, how many relations that follow from others are
    /// kept for that.
    pub fn small_form(&self) -> Option<usize> {
        self.code.small.as_ref().map(SmallCode::derived_relations)
    }

    /// The same plan, in whose leaner form paths are joined to automata before they are first walked, not when they have been walked often: so that
    /// tests reach the automata in short histories.
    #[must_use]
    pub fn joining_paths_at_once(mut self) -> Plan {
        if let Some(small) = &mut self.code.small {
            small.join_at_once();
        }
        self
    }

    /// Some input sets, in the form in which [`Addition`](super::small::Addition) takes them.
    pub fn small_sets(&self, inputs: &[usize]) -> u64 {
        self.code.small.as_ref().map_or(0, |code| inputs.iter().fold(0, |sets, &input| sets | code.set_of(input)))
    }

    /// The checks that stay violated in any growth, where the model by itself does not keep `po | rf` acyclic.
    pub fn orders(&self) -> Option<&Orders> {
        self.leaves_room.then_some(&self.prunes)
    }

    /// The same plan, for programs that are known to have no cycle of `po | rf` under the model.
    #[must_use]
    pub fn without_cycles(mut self) -> Plan {
        self.porf_acyclic = true;
        self
    }

    /// The same plan, for programs of which some instructions read and write without an order between the two: these take part in cycles.
    #[must_use]
    pub fn with_halves(self, halves: Halves) -> Plan {
        let is_ordered = match halves {
            Halves::Ordered => true,
            Halves::Locked => self.halves_acyclic,
            Halves::Loose => false,
        };
        if is_ordered { self } else { self.with_cycles() }
    }

    /// The same plan, for programs with events of locks, which read from each other: these take part in cycles, too.
    #[must_use]
    pub fn with_locks(self) -> Plan {
        if self.locks_acyclic { self } else { self.with_cycles() }
    }

    fn with_cycles(mut self) -> Plan {
        if self.porf_acyclic {
            (self.porf_acyclic, self.leaves_room) = (false, self.any_growth);
        }
        self
    }

    /// The checks that stay violated in any growth.
    pub fn pruning(&self) -> &Orders {
        &self.prunes
    }

    /// Whether the pruning checks are seen to keep dependencies and reads-from acyclic. `lasting`: a control dependency goes on to the end of the thread.
    pub fn keeps_dependencies_acyclic(&self, lasting: bool) -> bool {
        self.keeps_order_and_sources_acyclic()
            || keeps_dependencies_acyclic(&self.prunes.pool, &self.acyclic(), lasting)
    }

    /// The same of program order and reads-from, locks and the halves of instructions aside.
    pub fn keeps_order_and_sources_acyclic(&self) -> bool {
        keeps_po_and_rf_acyclic(&self.prunes.pool, &self.acyclic())
    }

    /// Whether every execution is seen to have an interleaving in which each read sees the latest write.
    pub fn keeps_interleavings(&self) -> bool {
        keeps_interleavings(&self.prunes.pool, &self.acyclic())
    }

    /// The relations of which pruning checks say that they have no cycles.
    fn acyclic(&self) -> Vec<ExprId> {
        let is_acyclic = |on: &&Condition| on.predicate == Predicate::Acyclic;
        self.prunes.checks.iter().filter(is_acyclic).map(|on| on.expr).collect()
    }

    /// Whether `po | rf` is known to be acyclic: some pruning check provably keeps it so, or the plan is for a program that does.
    pub fn implies_porf_acyclic(&self) -> bool {
        self.porf_acyclic
    }
}

fn instructions(items: &[Item]) -> usize {
    let inner = |instr: &Instr| match instr {
        Instr::Group(group) => match &group.form {
            Form::Least { body } => 1 + body.len(),
            Form::Exact { segments, .. } => 1 + segments.iter().map(Vec::len).sum::<usize>(),
        },
        _ => 1,
    };
    let item = |item: &Item| match item {
        Item::Do(instr) => inner(instr),
        Item::Check(check) => check.tests.len(),
        Item::Section(section) => instructions(&section.body),
    };
    items.iter().map(item).sum()
}
