//! Robustness: does a program behave under a model as under a stronger one, and where do fences make it so?
//!
//! Every execution of the weaker model is judged by the stronger one. When that rejects one, the steps of program order on the cycle of the
//! violated axiom say where a fence may help: [`orders::missing`] finds the smallest set of steps whose fences make the
//! weaker model reject this execution, too. A smallest set of places that cuts all such steps of all executions seen is tried: the program gets the
//! fences and is explored again. What is still not robust then adds its own steps, until nothing is left.
//!
//! Limits: the set is smallest for the steps chosen; where an execution could be forbidden in several ways, only one is looked at.
//! A fence is the full one of the compilation mapping. Both models judge the program as compiled for the weaker one.

use super::explain;
use crate::algebra::Check;
use crate::cat::reference;
use crate::clock::Instant;
use crate::driver::inputs::models::{Models, Usable};
use crate::driver::inputs::settings::Settings;
use crate::driver::inputs::{compiling, messages};
use crate::driver::strategy::run::{run, run_alone};
use crate::driver::{FileKind, code, litmus};
use crate::explore::{Execution, Go, Nobody, Problem, Visitor};
use crate::graph::event::Event;
use crate::graph::view;
use crate::ids::{EventId, FuncId, TagSetId};
use crate::patience;
use crate::program::{Half, Instr, Pc, Program, edit};
use crate::relation::candidate::Candidate;
use crate::verdict::picture::draw;
use crate::verdict::reasons::orders::{self, Step};
use crate::verdict::result::Rejection;
use crate::verdict::robust::{Gap, Robustness};
use crate::verdict::{Message, Place, Sources, Verdict};
use std::collections::BTreeSet;
use std::path::Path;

/// Explorations made in search of fences.
const ROUNDS: usize = 16;
/// Executions of one exploration that are looked at for places.
const KEPT: usize = 64;
/// Fences that are tried at most.
const MOST: usize = 8;

/// A place in the code of the program without fences: in front of this instruction.
type Point = (FuncId, Pc);

/// Compares a file under two models.
pub fn check(file: &Path, models: [&(String, Models); 2], settings: &Settings, sources: &Sources) -> Robustness {
    let start = Instant::now();
    let settings = &settings.begun(file);
    let mut result = Robustness {
        file: file.display().to_string(),
        model: models[0].0.clone(),
        against: models[1].0.clone(),
        verdict: Verdict::Holds,
        executions: 0,
        executions_against: 0,
        forbidden: 0,
        witness: None,
        fences: Vec::new(),
        verified: false,
        messages: Vec::new(),
        notes: Vec::new(),
        seconds: 0.0,
    };
    match load(file, models, settings, sources) {
        Ok((program, weak, strong)) => compare(&program, &weak, &strong, settings, sources, &mut result),
        Err((messages, verdict)) => {
            result.messages = messages;
            result.verdict = verdict;
        }
    }
    result.seconds = start.elapsed().as_secs_f64();
    result
}

type Loaded = (Program, std::sync::Arc<Usable>, std::sync::Arc<Usable>);

/// The program, and both models for its architecture.
pub(in crate::driver) fn load(
    file: &Path,
    models: [&(String, Models); 2],
    settings: &Settings,
    sources: &Sources,
) -> Result<Loaded, (Vec<Message>, Verdict)> {
    messages::readable(file).map_err(|m| (vec![*m], Verdict::Error))?;
    match FileKind::of(file) {
        Some(FileKind::Litmus | FileKind::Assembly) => {
            let (program, arch) = litmus::program(file, &models[0].1, settings, sources)?;
            let get = |m: &(String, Models)| m.1.get(Some(arch));
            Ok((program, get(models[0])?, get(models[1])?))
        }
        Some(FileKind::Code) => {
            let arch = settings.arch.as_deref();
            let get = |m: &(String, Models)| m.1.get(arch);
            let (weak, strong) = (get(models[0])?, get(models[1])?);
            let knows_threads = weak.knows_threads && strong.knows_threads;
            let compile = || code::program(file, &weak, knows_threads, settings, sources);
            let (program, not_compiled) = compiling::within(file, settings, compile);
            let program = match not_compiled {
                Some(message) => Err((vec![message], Verdict::Bounded)),
                None => program,
            }?;
            Ok((program, weak, strong))
        }
        None => Err((vec![messages::unknown_kind(file)], Verdict::Error)),
    }
}

fn compare(
    program: &Program,
    weak: &Usable,
    strong: &Usable,
    settings: &Settings,
    sources: &Sources,
    result: &mut Robustness,
) {
    // Both models are to count alike.
    let settings =
        &Settings { equivalence: Some(settings.equivalence.clone().unwrap_or_default()), ..settings.clone() };
    let mut seen = Difference::new(weak, strong, sources, &BTreeSet::new());
    let weakly = run_alone(program, weak, settings, &mut seen);
    result.executions = weakly.statistics.complete;
    result.forbidden = seen.forbidden;
    result.witness = seen.witness.take();
    let strongly = run(program, strong, settings, &mut Nobody);
    result.executions_against = strongly.statistics.complete;
    // What was seen too late was not judged.
    let is_late = settings.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let partial = weakly.statistics.cut > 0 || weakly.ended_early.is_some() || program.samples || is_late;
    result.notes.extend(weakly.missing.note());
    let color = settings.color;
    let failed = weakly.failed_evaluation.map(|error| messages::failed_evaluation(&error, &weak.model, color));
    result
        .messages
        .extend(failed.into_iter().chain(seen.no_answer.map(|check| messages::no_answer(check, &weak.model, color))));
    if !result.messages.is_empty() {
        result.verdict = Verdict::Unsupported;
        return;
    }
    if seen.forbidden == 0 {
        result.verdict = if partial { Verdict::Bounded } else { Verdict::Holds };
        return;
    }
    result.verdict = Verdict::Violated;
    search(program, weak, strong, settings, sources, seen, result);
}

/// Looks for fences: rounds of a smallest set of places, tried on the program.
fn search(
    program: &Program,
    weak: &Usable,
    strong: &Usable,
    settings: &Settings,
    sources: &Sources,
    first: Difference<'_>,
    result: &mut Robustness,
) {
    let mut cuts = first.cuts;
    let mut hopeless = first.hopeless;
    let mut gaps = first.gaps;
    for _ in 0..ROUNDS {
        if hopeless {
            result.notes.push("an execution differs in a way that no fence forbids (see the cycle)".to_owned());
            return;
        }
        let Some(points) = smallest(&cuts) else {
            result.notes.push(format!("no set of at most {MOST} fences was found"));
            return;
        };
        let fenced = with_fences(program, &points);
        let mut seen = Difference::new(weak, strong, sources, &points);
        let again = run_alone(&fenced, weak, settings, &mut seen);
        gaps.extend(seen.gaps);
        if seen.forbidden == 0 {
            result.verified = again.statistics.cut == 0 && again.ended_early.is_none();
            result.fences = points.iter().map(|p| gap(program, *p, &gaps)).collect();
            return;
        }
        let before = cuts.len();
        cuts.extend(seen.cuts);
        hopeless = seen.hopeless || cuts.len() == before;
    }
    result.notes.push("the search for fences was given up".to_owned());
}

/// The gap that a place is, with the accesses around it.
fn gap(program: &Program, point: Point, gaps: &[(Point, Option<Place>, Option<Place>)]) -> Gap {
    let known = gaps.iter().find(|(p, ..)| *p == point);
    let (after, before) = known.map(|(_, a, b)| (a.clone(), b.clone())).unwrap_or_default();
    Gap { function: program.functions[point.0.index()].name.clone(), after, before }
}

fn with_fences(program: &Program, points: &BTreeSet<Point>) -> Program {
    let mut fenced = program.clone();
    let tags = fenced.full_fence;
    // From the back, so that places in front of it stay where they are.
    for &(function, pc) in points.iter().rev() {
        edit::insert(&mut fenced.functions[function.index()], pc, Instr::Fence { tags, addr: None, is_fence: true });
    }
    fenced
}

/// A smallest set of places with one in every cut.
fn smallest(cuts: &BTreeSet<BTreeSet<Point>>) -> Option<BTreeSet<Point>> {
    fn extend(cuts: &BTreeSet<BTreeSet<Point>>, chosen: &mut BTreeSet<Point>, left: usize) -> bool {
        let Some(open) = cuts.iter().filter(|c| c.is_disjoint(chosen)).min_by_key(|c| c.len()) else { return true };
        if left == 0 {
            return false;
        }
        open.iter().any(|&point| {
            chosen.insert(point);
            let done = extend(cuts, chosen, left - 1);
            if !done {
                chosen.remove(&point);
            }
            done
        })
    }
    (0..=MOST).find_map(|size| {
        let mut chosen = BTreeSet::new();
        extend(cuts, &mut chosen, size).then_some(chosen)
    })
}

/// Sees executions of the weaker model and keeps what the stronger one forbids.
struct Difference<'a> {
    weak: &'a Usable,
    strong: &'a Usable,
    sources: &'a Sources,
    fences: Vec<Point>,
    forbidden: u64,
    witness: Option<Rejection>,
    cuts: BTreeSet<BTreeSet<Point>>,
    gaps: Vec<(Point, Option<Place>, Option<Place>)>,
    hopeless: bool,
    /// A check of the weaker model for which it has no answer for an execution.
    no_answer: Option<&'a Check>,
}

impl<'a> Difference<'a> {
    fn new(weak: &'a Usable, strong: &'a Usable, sources: &'a Sources, fences: &BTreeSet<Point>) -> Self {
        Difference {
            weak,
            strong,
            sources,
            fences: fences.iter().copied().collect(),
            forbidden: 0,
            witness: None,
            cuts: BTreeSet::new(),
            gaps: Vec::new(),
            hopeless: false,
            no_answer: None,
        }
    }

    fn see(&mut self, execution: &Execution<'_, '_>) {
        let deadline = execution.world.options.deadline;
        let forbidden = patience::within(deadline, || {
            let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
            forbids(self.strong, &candidate)
        });
        if forbidden != Some(true) {
            return;
        }
        self.forbidden += 1;
        if self.forbidden > KEPT as u64 {
            return;
        }
        let rejected = patience::within(deadline, || explain::rejected(execution, self.strong));
        let Some(rejected) = rejected.flatten() else {
            self.hopeless = true;
            return;
        };
        let steps = rejected.steps();
        if self.witness.as_ref().is_none_or(|w| steps.len() < w.cycle.len()) {
            let mut rejection = rejected.drawn(execution, self.sources);
            if patience::within(deadline, || rejected.confirmed(self.strong)) != Some(true) {
                rejection.cycle.clear();
            }
            self.witness = Some(rejection);
        }
        let (graph, program) = (execution.graph, execution.world.program);
        let same_thread = |a: EventId, b: EventId| {
            graph.event(a).thread == graph.event(b).thread && graph.event(a).thread != crate::graph::event::INIT_THREAD
        };
        let steps: Vec<Step> = steps.into_iter().filter(|&(a, b)| same_thread(a, b)).collect();
        let weak = self.weak;
        let needed = patience::within(deadline, || {
            orders::missing(execution, program.full_fence, &steps, &mut |c| forbids(weak, c))
        });
        match needed.flatten() {
            Some(needed) => needed.into_iter().for_each(|step| self.cut(execution, step)),
            None => self.hopeless = true,
        }
    }

    /// The places between two events of a thread.
    fn cut(&mut self, execution: &Execution<'_, '_>, (from, to): Step) {
        let (graph, program) = (execution.graph, execution.world.program);
        let order = &graph.lane(graph.event(from).thread).order;
        let position = |e: EventId| order.iter().position(|&o| o == e);
        let (Some(first), Some(last)) = (position(from), position(to)) else { return };
        let mut points = BTreeSet::new();
        let mut after = from;
        for &event in &order[(first + 1).min(last)..=last] {
            if let Some(point) = self.point(graph.event(event)) {
                points.insert(point);
                let place = |e: EventId| draw::place(program, graph.event(e).span);
                if !self.gaps.iter().any(|(p, ..)| *p == point) {
                    self.gaps.push((point, place(after), place(event)));
                }
                after = event;
            }
        }
        if points.is_empty() {
            self.hopeless = true;
        } else {
            self.cuts.insert(points);
        }
    }

    /// The place in front of an event, in the program without fences; none for a fence that was put in, nor between the
    /// halves of a read-modify-write.
    fn point(&self, event: &Event) -> Option<Point> {
        if matches!(event.half, Half::AmoWrite | Half::FusedWrite | Half::ExWrite) {
            return None;
        }
        let frame = event.before.as_ref()?.frame();
        let own = self.fences.iter().filter(|(f, _)| *f == frame.func).enumerate().map(|(i, (_, pc))| pc + i as Pc);
        let own: Vec<Pc> = own.collect();
        if own.contains(&frame.pc) {
            return None;
        }
        Some((frame.func, frame.pc - own.iter().filter(|&&at| at < frame.pc).count() as Pc))
    }
}

impl Visitor for Difference<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let mut raised = execution.flags.iter().map(|&flag| &self.weak.model.checks[flag]);
        self.no_answer = self.no_answer.or(raised.find(|check| check.role.is_error()));
        self.see(execution);
        Go::On
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, _: &Problem) -> Go {
        self.see(execution);
        Go::On
    }
}

pub(in crate::driver) fn forbids(model: &Usable, candidate: &Candidate) -> bool {
    if model.loaded.dynamic {
        return matches!(reference::accepts(&model.loaded, candidate), Ok(None));
    }
    orders::rejects(&model.model, candidate)
}

/// The tags of the full fence of an architecture, made known to a program.
pub(in crate::driver) fn full_fence(program: &mut Program, arch: &str) -> TagSetId {
    program.intern_tags(&crate::llvm::Mapping::for_arch(Some(arch)).full_fence())
}
