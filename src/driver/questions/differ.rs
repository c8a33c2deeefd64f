//! An execution that tells two models apart: one allows it, the other forbids it by an axiom and a cycle.

use super::explain;
use super::robust::{forbids, load};
use crate::driver::inputs::models::Models;
use crate::driver::inputs::settings::Settings;
use crate::driver::strategy::run::run_alone;
use crate::explore::{Equivalence, Execution, Go, Problem, Visitor};
use crate::graph::view;
use crate::patience;
use crate::verdict::Sources;
use crate::verdict::result::Rejection;
use std::path::Path;

/// Executions from which the one with the shortest cycle is taken.
const LOOKED_AT: u32 = 64;

/// An execution of a file that the first model allows and the second one forbids.
pub fn witness(
    file: &Path,
    models: [&(String, Models); 2],
    settings: &Settings,
    sources: &Sources,
) -> Option<Rejection> {
    let (program, allowing, forbidding) = load(file, models, settings, sources).ok()?;
    let mut shortest = Shortest { forbidding: &forbidding, sources, seen: 0, witness: None };
    // The other model may reject one coherence and allow another.
    let settings = &Settings { equivalence: Some(Equivalence::default()), ..settings.begun(file) };
    run_alone(&program, &allowing, settings, &mut shortest);
    shortest.witness
}

struct Shortest<'a> {
    forbidding: &'a crate::driver::inputs::models::Usable,
    sources: &'a Sources,
    seen: u32,
    witness: Option<Rejection>,
}

impl Visitor for Shortest<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        self.see(execution)
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, _: &Problem) -> Go {
        self.see(execution)
    }
}

impl Shortest<'_> {
    /// An execution, be it one that ends in an error.
    fn see(&mut self, execution: &Execution<'_, '_>) -> Go {
        let deadline = execution.world.options.deadline;
        let rejected = patience::within(deadline, || {
            let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
            forbids(self.forbidding, &candidate).then(|| explain::rejected(execution, self.forbidding))
        });
        let Some(rejected) = rejected.flatten() else { return Go::On };
        self.seen += 1;
        if let Some(rejected) = rejected
            && self.witness.as_ref().is_none_or(|w| rejected.steps().len() < w.cycle.len())
        {
            let mut rejection = rejected.drawn(execution, self.sources);
            if patience::within(deadline, || rejected.confirmed(self.forbidding)) != Some(true) {
                rejection.cycle.clear();
            }
            self.witness = Some(rejection);
        }
        if self.seen < LOOKED_AT { Go::On } else { Go::Stop }
    }
}
