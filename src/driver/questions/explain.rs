//! Explains why no execution satisfies the condition of a litmus test, or why none of a program ends in an error: all candidates that
//! would, and what rejects each.
//!
//! The candidates of a program are explored with nothing of the model but the order of thread creation and joining. Those that end in an
//! error, that wait for ever, or that raise a race of the model are judged by the model.

use crate::algebra::naive;
use crate::candidates::enumerate::{Coverage, enumerate};
use crate::cat::reference;
use crate::clock::Instant;
use crate::driver::ends::final_values;
use crate::driver::inputs::models::Usable;
use crate::driver::inputs::settings::Settings;
use crate::explore::{self, Execution, Go, Options, Problem, ThinAir, Visitor};
use crate::graph::view;
use crate::ids::EventId;
use crate::litmus::Test;
use crate::patience;
use crate::program::Program;
use crate::relation::candidate::Candidate;
use crate::verdict::finding::{self, Property};
use crate::verdict::picture::Edge;
use crate::verdict::picture::draw;
use crate::verdict::reasons::explain::{Step, Witness, witness};
use crate::verdict::reasons::recheck;
use crate::verdict::result::{Explanation, Rejection};
use crate::verdict::{Sources, flags};
use std::collections::BTreeSet;
use std::time::Duration;

/// What an axiom is called that has no name.
const UNNAMED: &str = "an axiom without a name";
/// Different rejections kept.
const KEPT: usize = 8;
/// Candidates that are looked at before the explanation is called incomplete.
const GRAPHS: u64 = 1_000_000;
/// Time for the candidates, when the user does not say how long the search may take.
const LONGEST: Duration = Duration::from_secs(30);

/// Goes through all candidates. Exponential in the size of the test: litmus tests are small.
pub fn forbidden(test: &Test, usable: &Usable, settings: &Settings, sources: &Sources) -> Explanation {
    let bounds = Bounds::new(settings);
    let options = Options { thin_air: ThinAir::Values, ..bounds.options(settings, settings.unroll) };
    let mut kinds = Kinds::new(usable, sources);
    let mut see = |execution: &Execution<'_, '_>| {
        kinds.explanation.looked_at += 1;
        let values = final_values(test, execution);
        if test.accepts(&values) && test.satisfies(&values) {
            kinds.explanation.candidates += 1;
            kinds.add(execution);
        }
    };
    let coverage = enumerate(&test.program, &options, GRAPHS, &mut see);
    let mut explanation = kinds.finished();
    explanation.all_seen = coverage == Coverage::All && !bounds.are_over();
    explanation.ended = (!explanation.all_seen).then(|| bounds.why(settings, explanation.looked_at, false));
    explanation
}

/// Says why a program has no error.
pub fn no_error(program: &Program, usable: &Usable, settings: &Settings, sources: &Sources) -> Explanation {
    let mut loose = usable.model.clone();
    let own = usable.loaded.model.checks.len().min(loose.checks.len());
    loose.checks = loose.checks.split_off(own);
    let bounds = Bounds::new(settings);
    let options = bounds.options(settings, settings.unroll);
    let plan = explore::plan(&loose, program);
    let mut errors = Errors { settings, kinds: Kinds::new(usable, sources) };
    let statistics = explore::explore(program, &plan, &options, &mut errors);
    let mut explanation = errors.kinds.finished();
    explanation.of_program = true;
    explanation.all_seen = !statistics.stopped && statistics.cut == 0 && !bounds.are_over();
    let cut = !statistics.stopped && statistics.cut > 0;
    explanation.ended = (!explanation.all_seen).then(|| bounds.why(settings, explanation.looked_at, cut));
    explanation
}

/// How long candidates are looked at.
struct Bounds {
    time: Duration,
    end: Instant,
}

impl Bounds {
    fn new(settings: &Settings) -> Bounds {
        let time = settings.timeout.unwrap_or(LONGEST);
        Bounds { time, end: settings.deadline.unwrap_or_else(|| Instant::now() + time) }
    }

    /// Whether there is no time left: what was seen last was not judged then.
    fn are_over(&self) -> bool {
        Instant::now() >= self.end
    }

    fn options(&self, settings: &Settings, unroll: Option<u32>) -> Options {
        Options { unroll, deadline: Some(self.end), interrupt: settings.interrupt.clone(), ..Options::default() }
    }

    /// Why not all candidates were looked at.
    fn why(&self, settings: &Settings, looked_at: u64, cut: bool) -> String {
        if settings.interrupt.load(std::sync::atomic::Ordering::Relaxed) {
            "the search was interrupted".to_owned()
        } else if self.are_over() {
            format!("the time limit of {} s was reached; --timeout sets it", self.time.as_secs_f32())
        } else if cut {
            "loops were cut at their bound".to_owned()
        } else {
            format!("the search ended after {looked_at} candidates")
        }
    }
}

/// Looks at the candidates of a program that end in an error.
struct Errors<'a> {
    settings: &'a Settings,
    kinds: Kinds<'a>,
}

impl Errors<'_> {
    /// Takes note of a candidate that the model rejects, if it does.
    fn see(&mut self, execution: &Execution<'_, '_>) {
        if self.kinds.add(execution) {
            self.kinds.explanation.candidates += 1;
        }
    }

    fn go(&mut self) -> Go {
        self.kinds.explanation.looked_at += 1;
        if self.kinds.explanation.looked_at >= GRAPHS { Go::Stop } else { Go::On }
    }
}

impl Visitor for Errors<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        if self.settings.properties.contains(&Property::Race) {
            let model = &self.kinds.usable.model;
            let fired = patience::within(execution.world.options.deadline, || {
                let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
                naive::judge(model, &candidate).fired
            });
            if fired.unwrap_or_default().iter().any(|&i| flags::is_violation(&model.checks[i])) {
                self.see(execution);
            }
        }
        self.go()
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        let supported = !matches!(problem, Problem::Fault(_, _, fault) if fault.is_unsupported());
        if supported && self.settings.properties.contains(&finding::property(problem)) {
            self.see(execution);
        }
        self.go()
    }
}

/// Rejections of different kinds.
struct Kinds<'a> {
    usable: &'a Usable,
    sources: &'a Sources,
    explanation: Explanation,
}

impl<'a> Kinds<'a> {
    fn new(usable: &'a Usable, sources: &'a Sources) -> Self {
        Kinds { usable, sources, explanation: Explanation::default() }
    }

    /// Adds what rejects a candidate, or counts it when one like it is there. Whether anything rejects it.
    fn add(&mut self, execution: &Execution<'_, '_>) -> bool {
        let deadline = execution.world.options.deadline;
        let rejected = patience::within(deadline, || rejected(execution, self.usable)).flatten();
        let Some(rejected) = rejected else { return false };
        let mut new = rejected.drawn(execution, self.sources);
        let like = |old: &&mut Rejection| old.axiom == new.axiom && labels(old) == labels(&new);
        if let Some(old) = self.explanation.rejections.iter_mut().find(like) {
            old.candidates += 1;
            return true;
        }
        let Some(is_confirmed) = patience::within(deadline, || rejected.confirmed(self.usable)) else { return false };
        if !is_confirmed {
            new.cycle.clear();
            self.explanation.unconfirmed += 1;
        }
        self.explanation.rejections.push(new);
        true
    }

    fn finished(self) -> Explanation {
        let mut explanation = self.explanation;
        explanation.rejections.sort_by_key(|r| r.cycle.len());
        explanation.kinds = explanation.rejections.len() as u64;
        explanation.rejections.truncate(KEPT);
        explanation
    }
}

/// What tells the cycles of rejections apart.
fn labels(rejection: &Rejection) -> Vec<(String, String, String)> {
    let label = |e: u32| rejection.execution.events.get(e as usize).map(|row| row.label()).unwrap_or_default();
    rejection.cycle.iter().map(|e| (label(e.from), e.name.clone(), label(e.to))).collect()
}

/// The violated check with the shortest cycle.
pub(in crate::driver) struct Rejected {
    index: usize,
    axiom: String,
    witness: Witness,
    /// Why there is no witness.
    unexplained: Option<String>,
    candidate: Candidate,
}

impl Rejected {
    /// Whether the reference evaluator agrees with the cycle; a check of which no cycle is known has none to confirm.
    pub fn confirmed(&self, usable: &Usable) -> bool {
        self.witness.edges.is_empty()
            || recheck::cycle(&usable.loaded, &usable.model, &self.candidate, self.index, &self.witness)
    }

    /// The check that is violated, where it is known.
    pub fn check(&self) -> Option<usize> {
        self.unexplained.is_none().then_some(self.index)
    }

    /// The steps of the cycle.
    pub fn steps(&self) -> Vec<(EventId, EventId)> {
        self.witness.steps.iter().map(|s| (EventId(s.from), EventId(s.to))).collect()
    }

    /// The rejection with a picture of the execution.
    pub fn drawn(&self, execution: &Execution<'_, '_>, sources: &Sources) -> Rejection {
        let drawn = draw::draw(execution, sources);
        let cycle = through_events(&self.witness.steps, &|e| drawn.rows.get(&EventId(e)).copied());
        let (axiom, unexplained) = (self.axiom.clone(), self.unexplained.clone());
        Rejection { axiom, cycle, unexplained, candidates: 1, execution: drawn.picture }
    }
}

/// Why a model rejects an execution, if it does.
pub(in crate::driver) fn rejected(execution: &Execution<'_, '_>, usable: &Usable) -> Option<Rejected> {
    let model = &usable.model;
    let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
    let violated = naive::judge(model, &candidate).violated;
    if violated.is_empty() && usable.loaded.dynamic {
        return rejected_by_evaluation(candidate, usable);
    }
    let (index, witness) = violated
        .into_iter()
        .map(|i| (i, witness(model, &candidate, &model.checks[i])))
        .min_by_key(|(_, witness)| if witness.steps.is_empty() { usize::MAX } else { witness.steps.len() })?;
    let axiom = model.checks[index].name.clone().unwrap_or_else(|| UNNAMED.to_owned());
    Some(Rejected { index, axiom, witness, unexplained: None, candidate })
}

/// The same for what is evaluated on each execution by itself: which axioms fail is known then, but not on which edges, since each choice that
/// the model may make has its own.
fn rejected_by_evaluation(candidate: Candidate, usable: &Usable) -> Option<Rejected> {
    let loaded = &usable.loaded;
    let options = reference::Options { through: true, ..reference::Options::default() };
    let branches = reference::run(loaded, &candidate, &options).ok()?;
    if branches.iter().any(reference::Branch::accepted) {
        return None;
    }
    let failed = branches.iter().flat_map(|branch| &branch.failed);
    let names: BTreeSet<&str> = failed.filter_map(|failure| failure.name.as_deref()).collect();
    let axiom = match names.is_empty() {
        true => UNNAMED.to_owned(),
        false => names.into_iter().collect::<Vec<_>>().join(" or "),
    };
    let place = loaded.dynamic_reasons.first().map(|reason| {
        let at = reason
            .span()
            .map(|at| format!("{}:{} ", loaded.sources.file(at.file).name, loaded.sources.line_column(at).0));
        let what = reason.labels().first().map_or("", |label| label.text.as_str());
        format!(": {}{what}", at.unwrap_or_default())
    });
    let tried = match branches.len() {
        1 => String::new(),
        n => format!(", and each of {n} choices fails"),
    };
    let unexplained = format!("it is evaluated on each execution{}{tried}", place.unwrap_or_default());
    let witness = Witness::default();
    Some(Rejected { index: 0, axiom, witness, unexplained: Some(unexplained), candidate })
}

/// Steps between rows; those that go over an initial write, which has no row, become one.
fn through_events(steps: &[Step], row: &dyn Fn(u32) -> Option<u32>) -> Vec<Edge> {
    // A cycle may begin at an initial write.
    let start = steps.iter().position(|s| row(s.from).is_some()).unwrap_or(0);
    let mut edges: Vec<Edge> = Vec::new();
    let mut open: Option<(u32, String)> = None;
    for step in steps.iter().cycle().skip(start).take(steps.len()) {
        let (start, name) = match open.take() {
            Some((start, before)) => (Some(start), format!("{before};{}", step.name)),
            None => (row(step.from), step.name.clone()),
        };
        match (start, row(step.to)) {
            (Some(from), Some(to)) => edges.push(Edge { from, to, name }),
            (Some(from), None) => open = Some((from, name)),
            (None, _) => {}
        }
    }
    edges
}
