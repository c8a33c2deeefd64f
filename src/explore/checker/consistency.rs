//! Who says whether a graph is consistent.
//!
//! The search knows no model: it tells a [`Checker`] what it does to a graph, and asks. [`Kernel`] is the one that `hmc` uses, for any
//! model that was loaded. The trait is there for two reasons: it says in one place all that exploration wants of a model, and
//! `benches/generality` measures what it costs to have models as data, against checkers of two models written by hand. A checker is a type
//! parameter of [`crate::explore::engine::search::Search`], so nothing is decided at run time.
//!
//! What a checker sees of a graph: events are added one by one, each with its place in program order, source, place in coherence and dependencies;
//! and taken back in the reverse order. A revisit, which deletes events in between, takes back all that was added since the
//! read that is revisited, and adds what is kept of it ([`Checker::revisit`]); a checker that cannot do that begins anew with [`Checker::load`].

use crate::algebra::facts::retag::Difference;
use crate::graph::Graph;
use crate::graph::base_relations::names::DEPENDENCIES;
use crate::graph::base_relations::{self, Feed, Orders};
use crate::ids::EventId;
use crate::kernel::plan::Plan;
use crate::kernel::session::Session;
use crate::program::Program;
use crate::program::deps::DepTable;
use crate::relation::bits::Bits;
use std::sync::Arc;

/// To add an event costs at least so many times as much as to set one aside and to put it back.
const FAR: usize = 8;

/// Decides whether a growing graph is consistent.
pub trait Checker {
    /// A checker by the same model that has seen nothing. A revisit goes on from a restricted copy of the graph with one, so that this
    /// one still knows the original when the subtree is done.
    #[must_use]
    fn another(&self) -> Self;

    /// Forgets everything, frames too, and takes over a graph as it is.
    fn load(&mut self, graph: &Graph, deps: &DepTable);

    /// Takes over a restriction of the graph at hand in which everything older than this stamp is as it was, until
    /// [`Checker::put_back`]. `false`: nothing was done.
    fn revisit(&mut self, _graph: &Graph, _deps: &DepTable, _stamp: u32) -> bool {
        false
    }

    /// Whether so little of the graph at hand is left in this one that it costs less to show it to a checker that has seen nothing.
    fn is_far_from(&mut self, _graph: &Graph) -> bool {
        false
    }

    /// Takes back everything since the last successful [`Checker::revisit`], and that too.
    fn put_back(&mut self) {}

    /// Opens a frame: a choice is about to be tried.
    fn push(&mut self);

    /// Undoes everything since the matching [`Self::push`].
    fn pop(&mut self);

    /// Takes over an event of which everything else in the graph is known.
    fn add(&mut self, graph: &Graph, deps: &DepTable, id: EventId);

    /// Takes over which events picked the address, value, and happening of a known event, when its thread has reached it again after a
    /// revisit. Only models with pick dependencies care.
    fn add_picks(&mut self, _graph: &Graph, _deps: &DepTable, _id: EventId) {}

    /// A checker that has seen nothing. Of locations whose coherence order is of no interest it takes over no more with the writes than that the initial one comes
    /// first, and forbids only what no order of the others makes consistent. There is none where all orders are of interest.
    fn of_any_order(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Takes over that a write comes behind some others of its location and before some, all given as rows of the graph. Only a checker of any order
    /// is told that.
    fn order(&mut self, _write: u32, _before: &Bits, _behind: &Bits) {}

    /// Takes over that a read gets what it reads from another write, too, of the same thread or not, both given as rows of the graph. Nothing is asked after that but which flags are raised.
    fn read_besides(&mut self, _write: u32, _read: u32, _is_own: bool) {}

    /// Whether the graph so far can still become consistent. `false` only if no way of growing makes it so; what came before the last
    /// [`Self::push`] was found consistent.
    fn is_consistent(&mut self) -> bool;

    /// Whether the graph, taken as complete, is consistent.
    fn is_consistent_when_complete(&mut self) -> bool;

    /// Appends the flags that a complete consistent graph raises, as indices of the model's checks.
    fn flags(&mut self, _out: &mut Vec<usize>) {}

    /// Whether a flag that a consistent graph raises is raised in one that this one can grow to, too.
    fn stays_raised(&self, _flag: usize) -> bool {
        false
    }

    /// Whether a graph that raises one does so with less reads-from and coherence.
    fn flags_lose(&self) -> bool {
        false
    }

    /// Whether any graph may raise one.
    fn has_flags(&self) -> bool {
        false
    }

    /// After [`Self::is_consistent`] said no: whether it is not certain that the check that says so lets an execution go on.
    fn may_get_stuck(&mut self) -> bool {
        false
    }

    /// Whether the last event of a thread, which is in these base sets, can always be replaced by the maximal one of the same sets, as far as
    /// [`Self::is_consistent_when_complete`] says more than [`Self::is_consistent`].
    fn renews_last(&self, _is_in: &dyn Fn(&str) -> bool) -> bool {
        true
    }

    /// Whether what remains of a consistent execution without reads that nothing depends on is one.
    fn keeps_parts(&self) -> bool {
        false
    }

    /// Whether an execution that differs like that from a consistent one is consistent, too, and raises its flags.
    fn keeps_retagged(&self, _difference: &Difference<'_>) -> bool {
        false
    }

    /// Whether dependencies count.
    fn looks_at_dependencies(&self) -> bool {
        true
    }

    /// Whether what [`Self::is_consistent`] once forbade stays forbidden even when events are added before others in their thread.
    /// If so, what a few events forbid by themselves is remembered.
    fn prunes_in_any_growth(&self) -> bool {
        false
    }

    /// Where that is not so: a checker that has seen nothing, and forbids only what stays forbidden even then.
    fn of_any_growth(&self) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }

    /// Whether the values of events count.
    fn looks_at_values(&self) -> bool {
        false
    }
}

/// Judges by a compiled model.
pub struct Kernel {
    plan: Arc<Plan>,
    session: Session,
    feed: Feed,
    /// What tells a session of the plan for executions that grow in any way, where there is one.
    general: Option<Feed>,
    /// What tells a session of the plan for orders that are left open, where there is one.
    open: Option<Feed>,
    /// The number of coherence among the plan's inputs, if the model looks at it.
    coherence: Option<usize>,
    /// The largest stamp of an event that was sent, now and when each frame was opened.
    newest: u32,
    opened: Vec<u32>,
    /// Those of frames that revisits have set aside, each time with how many frames stayed and the largest stamp.
    aside: Vec<u32>,
    lots: Vec<(usize, usize, u32)>,
}

impl Kernel {
    /// A checker by a model compiled for a program.
    pub fn new(plan: &Arc<Plan>, program: &Program) -> Kernel {
        let feed = |plan: &Arc<Plan>, orders| Feed::new(plan, program, orders);
        let all = |plan| feed(plan, Orders::All);
        Self::with(plan, all(plan), plan.general().map(all), plan.open().map(|plan| feed(plan, Orders::OfInterest)))
    }

    fn with(plan: &Arc<Plan>, feed: Feed, general: Option<Feed>, open: Option<Feed>) -> Kernel {
        // Nothing is asked before a graph was loaded.
        let session = Session::unready(plan.clone());
        Kernel {
            plan: plan.clone(),
            session,
            feed,
            general,
            open,
            coherence: base_relations::coherence_input(plan),
            newest: 0,
            opened: Vec::new(),
            aside: Vec::new(),
            lots: Vec::new(),
        }
    }
}

impl Checker for Kernel {
    fn another(&self) -> Kernel {
        Self::with(&self.plan, self.feed.clone(), self.general.clone(), self.open.clone())
    }

    fn load(&mut self, graph: &Graph, deps: &DepTable) {
        self.session.reset();
        self.opened.clear();
        self.aside.clear();
        self.lots.clear();
        self.feed.send_rest(&mut self.session, graph, deps, 0);
        self.newest = graph.last_stamp();
    }

    /// Frames opened before the read was added stay. With pick dependencies, which a kept event loses until its thread reaches it again,
    /// they need not be right.
    fn revisit(&mut self, graph: &Graph, deps: &DepTable, stamp: u32) -> bool {
        if deps.has_picks() {
            return false;
        }
        let Some(frame) = self.opened.iter().rposition(|&newest| newest < stamp) else { return false };
        if !self.session.set_aside(frame) {
            return false;
        }
        self.lots.push((frame, self.aside.len(), self.newest));
        self.newest = self.opened[frame];
        self.aside.extend(self.opened.drain(frame..));
        // The location of a fence is not accessed by it: its initial write may be deleted where the fence is not.
        let gone = |(k, &row): (usize, &u64)| row & !graph.rows().words().get(k).copied().unwrap_or(0) != 0;
        if self.session.rows().iter().enumerate().any(gone) {
            self.put_back();
            return false;
        }
        let there = self.newest;
        self.push();
        self.feed.send_rest(&mut self.session, graph, deps, there);
        self.newest = graph.last_stamp();
        true
    }

    fn is_far_from(&mut self, graph: &Graph) -> bool {
        let known: u32 = self.session.rows().iter().map(|word| word.count_ones()).sum();
        FAR * graph.rows().len() < known as usize
    }

    fn put_back(&mut self) {
        if let Some((frame, before, newest)) = self.lots.pop() {
            self.session.put_back();
            self.opened.truncate(frame);
            self.opened.extend(self.aside.drain(before..));
            self.newest = newest;
        }
    }

    #[inline]
    fn push(&mut self) {
        self.opened.push(self.newest);
        self.session.push();
    }

    #[inline]
    fn pop(&mut self) {
        self.newest = self.opened.pop().unwrap_or(0);
        self.session.pop();
    }

    #[inline]
    fn add(&mut self, graph: &Graph, deps: &DepTable, id: EventId) {
        self.newest = self.newest.max(graph.event(id).stamp);
        self.feed.send(&mut self.session, graph, deps, id);
    }

    fn add_picks(&mut self, graph: &Graph, deps: &DepTable, id: EventId) {
        self.feed.send_picks(&mut self.session, graph, deps, id);
    }

    fn order(&mut self, write: u32, before: &Bits, behind: &Bits) {
        let Some(input) = self.coherence else { return };
        if !behind.is_empty() {
            self.session.add_row(input, write, behind.words());
        }
        if !before.is_empty() {
            self.session.add_column(input, before.words(), write);
        }
    }

    fn read_besides(&mut self, write: u32, read: u32, is_own: bool) {
        let read: Bits = std::iter::once(read).collect();
        for input in base_relations::inputs_of_reads_from(&self.plan, is_own) {
            self.session.add_row(input, write, read.words());
        }
    }

    #[inline]
    fn is_consistent(&mut self) -> bool {
        self.session.violated_partial().is_none()
    }

    #[inline]
    fn is_consistent_when_complete(&mut self) -> bool {
        self.session.violated_final().is_none()
    }

    fn flags(&mut self, out: &mut Vec<usize>) {
        self.session.flags(out);
    }

    fn stays_raised(&self, flag: usize) -> bool {
        self.plan.stays_raised(flag)
    }

    fn flags_lose(&self) -> bool {
        self.plan.flags_lose()
    }

    fn has_flags(&self) -> bool {
        self.plan.has_flags()
    }

    fn may_get_stuck(&mut self) -> bool {
        let violated = self.session.violated_partial();
        violated.is_some_and(|check| !self.plan.checks()[check].lets_go_on)
    }

    fn renews_last(&self, is_in: &dyn Fn(&str) -> bool) -> bool {
        self.plan.renews_last(is_in)
    }

    fn keeps_parts(&self) -> bool {
        self.plan.decides_nothing_at_end()
    }

    fn keeps_retagged(&self, difference: &Difference<'_>) -> bool {
        self.plan.keeps_retagged(difference)
    }

    fn looks_at_dependencies(&self) -> bool {
        self.plan.inputs().iter().any(|input| DEPENDENCIES.contains(&input.name.as_str()))
    }

    fn prunes_in_any_growth(&self) -> bool {
        self.plan.prunes_in_any_growth()
    }

    fn of_any_growth(&self) -> Option<Kernel> {
        Some(Self::with(self.plan.general()?, self.general.clone()?, None, None))
    }

    fn of_any_order(&self) -> Option<Kernel> {
        Some(Self::with(self.plan.open()?, self.open.clone()?, None, None))
    }

    fn looks_at_values(&self) -> bool {
        self.plan.looks_at_values()
    }
}
