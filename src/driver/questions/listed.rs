//! Executions that a report lists one by one: those that the model allows, found by exploration; candidates that it forbids, found by the
//! plain enumerator and judged by the plain evaluator.

use super::explain::rejected;
use crate::candidates::enumerate::{Coverage, enumerate};
use crate::cat::diagnostics::nearest;
use crate::cat::vocabulary::table::BASE;
use crate::driver::ends::final_values;
use crate::driver::inputs::messages::bare;
use crate::driver::inputs::models::{Refusal, Usable};
use crate::driver::inputs::settings::{Settings, Show};
use crate::driver::strategy::run::run_alone;
use crate::explore::{Execution, Go, Options, Problem, ThinAir, Visitor};
use crate::litmus::Test;
use crate::patience;
use crate::program::Program;
use crate::verdict::listed::{Listed, Listing};
use crate::verdict::picture::draw;
use crate::verdict::picture::related::{ORDINARY, relate};
use crate::verdict::{FileResult, Message, Sources, Verdict};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Graphs that the enumerator makes at most.
const GRAPHS: u64 = 1_000_000;

/// Lists executions of a program; `test`: the litmus test that it is of.
pub(in crate::driver) fn listed(
    program: &Program,
    test: Option<&Test>,
    show: Show,
    usable: &Usable,
    settings: &Settings,
    sources: &Sources,
) -> Listing {
    let relations = settings.related(&usable.model);
    let mut lister = Lister { test, most: show.most, usable, sources, relations, list: Vec::new(), is_full: false };
    let all = if show.forbidden { lister.reject(program, settings) } else { lister.explore(program, settings) };
    Listing { forbidden: show.forbidden, executions: lister.list, all }
}

struct Lister<'a> {
    test: Option<&'a Test>,
    most: usize,
    usable: &'a Usable,
    sources: &'a Sources,
    relations: Vec<String>,
    list: Vec<Listed>,
    /// There is one more than was asked for.
    is_full: bool,
}

impl Lister<'_> {
    /// Lists what exploration finds. Whether this is all.
    fn explore(&mut self, program: &Program, settings: &Settings) -> bool {
        let run = run_alone(program, self.usable, settings, self);
        let is_cut = run.statistics.cut > 0 || run.ended_early.is_some() || run.bounded.is_some();
        !is_cut && !run.missing.is_open() && !self.is_full
    }

    /// Lists candidates that the model forbids. Whether these are all.
    fn reject(&mut self, program: &Program, settings: &Settings) -> bool {
        let enough = Arc::new(AtomicBool::new(false));
        let options = Options {
            unroll: settings.unroll,
            deadline: settings.deadline,
            interrupt: enough.clone(),
            thin_air: ThinAir::Values,
            ..Options::default()
        };
        let coverage = enumerate(program, &options, GRAPHS, &mut |execution| {
            let ended = self.is_full || settings.is_ended();
            if ended || patience::within(settings.deadline, || self.judge(execution)).is_none() || self.is_full {
                enough.store(true, Ordering::Relaxed);
            }
        });
        coverage == Coverage::All && !self.is_full && !settings.is_ended()
    }

    fn judge(&mut self, execution: &Execution<'_, '_>) {
        if self.test.is_some_and(|test| !test.accepts(&final_values(test, execution))) {
            return;
        }
        let Some(rejected) = rejected(execution, self.usable) else { return };
        let mut rejection = rejected.drawn(execution, self.sources);
        // What is not confirmed is not shown.
        if !rejected.confirmed(self.usable) {
            rejection.cycle.clear();
        }
        let listed = Listed {
            axiom: Some(rejection.axiom),
            cycle: rejection.cycle,
            unexplained: rejection.unexplained,
            execution: rejection.execution,
            ..Listed::default()
        };
        self.add(execution, listed);
    }

    fn add(&mut self, execution: &Execution<'_, '_>, mut listed: Listed) -> Go {
        if self.list.len() == self.most {
            self.is_full = true;
            return Go::Stop;
        }
        relate(&mut listed.execution, execution, &self.usable.model, &self.relations);
        listed.state = self.test.map(|test| test.context.state_line(&test.items, &final_values(test, execution)));
        self.list.push(listed);
        Go::On
    }

    fn drawn(&self, execution: &Execution<'_, '_>, wrong: bool) -> Listed {
        Listed { execution: draw::draw(execution, self.sources).picture, wrong, ..Listed::default() }
    }
}

impl Visitor for Lister<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        if self.test.is_some_and(|test| !test.accepts(&final_values(test, execution))) {
            return Go::On;
        }
        let listed = self.drawn(execution, false);
        self.add(execution, listed)
    }

    /// Threads of a litmus test that come to no end make no execution.
    fn problem(&mut self, execution: &Execution<'_, '_>, _: &Problem) -> Go {
        if self.test.is_some() {
            return Go::On;
        }
        let listed = self.drawn(execution, true);
        self.add(execution, listed)
    }
}

/// The model that a result is about, where it can be used and knows the relations that were asked for.
pub(in crate::driver) fn asked_model(
    usable: Result<Arc<Usable>, Refusal>,
    settings: &Settings,
    result: &mut FileResult,
) -> Result<Arc<Usable>, Refusal> {
    let usable = usable?;
    result.model_sha256.clone_from(&usable.sha256);
    let unknown = unknown_relations(settings, &usable);
    if unknown.is_empty() { Ok(usable) } else { Err((unknown, Verdict::Error)) }
}

/// Relations that were asked for and that nobody knows.
fn unknown_relations(settings: &Settings, usable: &Usable) -> Vec<Message> {
    let model = &usable.model;
    let base: Vec<&str> = BASE.iter().flat_map(|entry| entry.each()).chain(ORDINARY).collect();
    let own = model.definitions.iter().chain(&model.shows).map(|(name, _)| name.as_str());
    let all: Vec<&str> = own.chain(base.iter().copied()).collect();
    let asked = settings.relations.iter().flatten();
    let unknown = asked.filter(|name| !all.contains(&name.as_str()));
    unknown
        .map(|name| {
            let help = match nearest(name, all.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "the names are those that the model defines, and the base names of docs/models.md".to_owned(),
            };
            bare(
                "hmc::no-relation",
                format!("`--relations {name}`: the model has no relation of this name"),
                Some(&help),
            )
        })
        .collect()
}
