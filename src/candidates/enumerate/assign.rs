//! Reads-from edges and coherence, event by event, under a model.
//!
//! The events of a finished run are handed to the kernel one after another, in the order in which the threads made them: a read
//! with each source that has its value, a write at each place in coherence. What violates a check that is monotone while edges
//! appear in this way is given up at once; the others are decided at the end. A reads-from edge whose write is not there yet
//! appears together with the write, so for the analysis reads-from grows between existing events.

use crate::algebra::facts::analyse::Growth;
use crate::algebra::{Base, Model, Sort};
use crate::candidates::enumerate::Budget;
use crate::candidates::enumerate::candidates::out_of_thin_air;
use crate::candidates::enumerate::ends::{failure, has_failed, waiting};
use crate::explore::engine::context::World;
use crate::explore::visitor::{Execution, Go, Visitor};
use crate::graph::Graph;
use crate::graph::base_relations::uses::Uses;
use crate::graph::base_relations::{Feed, Orders};
use crate::graph::event::Kind;
use crate::ids::EventId;
use crate::kernel::plan::Plan;
use crate::kernel::session::Session;
use crate::program::Program;
use crate::relation::bits::Bits;
use std::sync::Arc;

/// Explains runs under a model.
pub(crate) struct Assigner<'v> {
    session: Session,
    feed: Feed,
    sent: Bits,
    visitor: &'v mut dyn Visitor,
    /// Executions shown.
    pub complete: u64,
    /// Events handed to the kernel.
    pub events: u64,
}

impl<'v> Assigner<'v> {
    pub fn new(model: &Model, program: &Program, visitor: &'v mut dyn Visitor) -> Self {
        let uses = Uses::of(program);
        let present = |base: &Base| uses.present(&base.name, base.sort);
        let late = |base: &Base| matches!(base.name.as_str(), "rf" | "rf-lock") || uses.late(&base.name, base.sort);
        let late_values = uses.late("W", Sort::Set);
        let plan =
            Arc::new(Plan::compile_for(model, &present, Growth { late: &late, late_values, ..Growth::stable(false) }));
        let feed = Feed::new(&plan, program, Orders::All);
        Assigner { session: Session::new(plan), feed, sent: Bits::new(), visitor, complete: 0, events: 0 }
    }

    /// Every way to explain a run that the model accepts.
    pub fn explain(&mut self, world: &World<'_>, mut graph: Graph, budget: &mut Budget<'_>) {
        self.session.reset();
        self.sent.clear();
        let locs: Vec<_> = graph.places().map(|(loc, _)| loc).collect();
        for loc in locs {
            graph.set_coherence(loc, &[]);
        }
        let mut order: Vec<EventId> = graph.ids().collect();
        order.sort_unstable_by_key(|&e| (graph.event(e).kind != Kind::Init, graph.event(e).stamp));
        self.assign(world, &mut graph, &order, budget);
    }

    fn assign(&mut self, world: &World<'_>, graph: &mut Graph, left: &[EventId], budget: &mut Budget<'_>) {
        let Some((&e, rest)) = left.split_first() else {
            self.finish(world, graph, budget);
            return;
        };
        let loc = graph.event(e).loc;
        match graph.event(e).kind {
            Kind::Read => {
                let value = graph.event(e).value;
                let fits = |&w: &EventId| {
                    let write = graph.event(w);
                    write.kind.writes() && write.loc == loc && write.value == value && write.partner != e
                };
                let sources: Vec<EventId> = graph.ids().filter(fits).collect();
                for write in sources {
                    graph.event_mut(e).rf = write;
                    self.add(world, graph, e, rest, budget);
                }
            }
            Kind::Write => {
                let before: Vec<EventId> = graph.place(loc).map(|p| p.co[1..].to_vec()).unwrap_or_default();
                for at in 0..=before.len() {
                    let mut order = before.clone();
                    order.insert(at, e);
                    graph.set_coherence(loc, &order);
                    self.add(world, graph, e, rest, budget);
                }
                graph.set_coherence(loc, &before);
            }
            _ => self.add(world, graph, e, rest, budget),
        }
    }

    /// Hands an event whose edges are chosen to the kernel, and goes on if the model may still accept.
    fn add(&mut self, world: &World<'_>, graph: &mut Graph, e: EventId, rest: &[EventId], budget: &mut Budget<'_>) {
        if !budget.take(crate::candidates::enumerate::budget::ASKED) {
            return;
        }
        self.session.push();
        self.feed.send_to(&mut self.session, graph, &world.deps, e, &self.sent);
        self.events += 1;
        if self.session.violated_partial().is_none() {
            self.sent.insert(e.0);
            self.assign(world, graph, rest, budget);
            self.sent.remove(e.0);
        }
        self.session.pop();
    }

    fn finish(&mut self, world: &World<'_>, graph: &Graph, budget: &mut Budget<'_>) {
        if self.session.violated_final().is_some() || !budget.take(graph.len()) || out_of_thin_air(world, graph) {
            return;
        }
        let mut flags = Vec::new();
        let failure = failure(world.program, graph, &world.deps).or_else(|| waiting(graph));
        if failure.is_none() && has_failed(graph) {
            return;
        }
        if failure.is_none() {
            self.session.flags(&mut flags);
            self.complete += 1;
        }
        let all_joined = failure.is_none();
        let execution = Execution { graph, world, flags: &flags, last: None, all_joined, stands_for: 1 };
        let go = match failure {
            Some(problem) => self.visitor.problem(&execution, &problem),
            None => self.visitor.complete(&execution),
        };
        if go == Go::Stop {
            budget.end();
        }
    }
}
