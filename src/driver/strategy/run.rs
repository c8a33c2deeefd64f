//! All executions of a program under a model: the one policy, for programs and litmus tests. Which way is tried when, and what is done when it is not the answer.

use super::attempt::{ALONE, Attempt, EXPLORATION, Outcome, Reason, Run, Step};
use super::sizes::{self, Sizes};
use super::way::{Asked, Places, Way};
use super::{alone, candidates, explored, fixed};
use crate::analysis;
use crate::driver::inputs::models::Usable;
use crate::driver::inputs::settings::{Locks, Settings, Symmetry};
use crate::driver::layers::bounded::Within;
use crate::driver::layers::folded::Folded;
use crate::explore::parallel::parts::Split;
use crate::explore::{Equivalence, Options, Visitor};
use crate::program::{Program, Start};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Explores a program under a model, with all threads that nobody else uses.
pub(crate) fn run<V: Visitor + Split>(program: &Program, usable: &Usable, settings: &Settings, visitor: &mut V) -> Run {
    run_observing(program, usable, settings, None, visitor)
}

/// As [`run`], when of the final memory only these addresses (and sizes) are looked at, besides what the program itself reads.
pub(crate) fn run_observing<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    observed: Places,
    visitor: &mut V,
) -> Run {
    let is_test = matches!(program.start, Start::Together(_));
    // Threads that change places have other rounds and sections, and each order of writes has its own interleavings.
    let apart = || Settings {
        symmetry: Symmetry::Off,
        equivalence: Some(Equivalence::ReadsFromAndCoherence),
        ..settings.clone()
    };
    if settings.locks != Locks::Order && !is_test {
        return run_folded(program, usable, &apart(), &observed, visitor);
    }
    let Some(bound) = settings.bound else { return run_in_sizes(program, usable, settings, observed, visitor) };
    let mut within = Within::new(visitor.fork(), bound);
    let run = run_in_sizes(program, usable, &apart(), observed, &mut within);
    let bounded = Some(within.counted(run.statistics.out_of_bounds));
    let _ = visitor.join(within.inner);
    Run { bounded, ..run }
}

/// Counts executions up to the order of critical sections. Each order is explored until that is seen to take long, if one order may stand for all.
fn run_folded<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    observed: &Places,
    visitor: &mut V,
) -> Run {
    let explored = |locks, repeats| {
        let mut settings = Settings { locks, ..settings.clone() };
        if locks == Locks::One {
            // Nobody helps: what one thread has remade others do not know.
            settings.spare = Arc::default();
        }
        let mut folded = Folded::new(visitor.fork(), repeats);
        let run = run_in_sizes(program, usable, &settings, observed.clone(), &mut folded);
        (run, folded)
    };
    let is_whole = settings.divider.is_none();
    let is_undecided = settings.locks == Locks::Content && is_whole && analysis::locks::Locks::of(program).is_some();
    let repeats = is_undecided.then(Arc::<AtomicBool>::default);
    let (mut run, mut folded) = explored(settings.locks, repeats.clone());
    if repeats.is_some_and(|repeats| repeats.load(Ordering::Relaxed)) {
        let mut steps = std::mem::take(&mut run.steps);
        steps.last_mut().into_iter().for_each(|step| step.failed = Some(Reason::MostRepeat));
        (run, folded) = explored(Locks::One, None);
        steps.append(&mut run.steps);
        run.steps = steps;
    }
    let counted = Some(folded.counted(run.witnessed_sections));
    let _ = visitor.join(folded.inner);
    Run { folded: counted, ..run }
}

/// The same, whatever is bounded. Accesses are cut where others overlap them.
fn run_in_sizes<V: Visitor + Split>(
    program: &Program,
    usable: &Usable,
    settings: &Settings,
    observed: Places,
    visitor: &mut V,
) -> Run {
    let mut sizes = Sizes::new(program, usable, settings);
    let mut steps = Vec::new();
    loop {
        let met = sizes::may_be_cut(usable).then(Arc::default);
        let asked = Asked {
            program: sizes.program(program),
            usable: sizes.model(usable),
            settings,
            met: met.clone(),
            observed: observed.clone(),
        };
        let (run, seen) = answered(&asked, &mut steps, visitor);
        if !sizes.grow(program, usable, met.map(|met| met.found()).unwrap_or_default()) {
            let _ = visitor.join(seen);
            return Run { sizes, steps, ..run };
        }
        if let Some(last) = steps.last_mut() {
            last.failed = Some(Reason::Sizes);
        }
    }
}

/// As [`run`], with one thread, for visitors that cannot be split. Accesses of different sizes are not cut.
pub(crate) fn run_alone(program: &Program, usable: &Usable, settings: &Settings, visitor: &mut dyn Visitor) -> Run {
    let sizes = Sizes::new(program, usable, settings);
    let (program, usable) = (sizes.program(program), sizes.model(usable));
    alone::counted(&Asked { program, usable, settings, met: None, observed: None }, visitor)
}

/// The answer, once nothing is taken for granted that is not so.
fn answered<V: Visitor + Split>(asked: &Asked<'_>, steps: &mut Vec<Step>, visitor: &V) -> (Run, V) {
    if asked.settings.audit || asked.enumerates() && asked.is_test() {
        steps.push(Step { what: ALONE, failed: None });
        return alone::attempt(asked, visitor);
    }
    let mut way = Way::new(asked);
    loop {
        match attempted(asked, &mut way, steps, visitor) {
            Ok(answer) => return answer,
            Err(reason) => way.change(asked, reason),
        }
    }
}

/// The ways to find executions, one after the other: the cheap ones first, then exploration, then what may do where that does not.
fn attempted<V: Visitor + Split>(asked: &Asked<'_>, way: &mut Way, steps: &mut Vec<Step>, visitor: &V) -> Outcome<V> {
    if let Some(answer) = first_of(&[Attempt::FixedEvents], asked, way, steps, visitor) {
        return Ok(answer);
    }
    if asked.is_test() && way.goes_round(asked) {
        let whole = [Attempt::FixedEventsInFull, Attempt::Candidates];
        if let Some(answer) = first_of(&whole, asked, way, steps, visitor) {
            return Ok(answer);
        }
    }
    let found = explored::attempt(asked, way, visitor);
    let mut noted = |failed| steps.push(Step { what: EXPLORATION, failed });
    if let Some(reason) = found.restart() {
        noted(Some(reason));
        return if reason == Reason::Sizes { Ok(found.unchanged(way)) } else { Err(reason) };
    }
    let instead = found.instead(asked, way);
    if instead.iter().any(|&attempt| !way.rules_out(attempt)) {
        noted(Some(Reason::MayMiss));
        if let Some(answer) = first_of(&instead, asked, way, steps, visitor) {
            return Ok(answer);
        }
    }
    let answer = found.answer(asked, way);
    steps.push(Step { what: EXPLORATION, failed: answer.as_ref().err().copied() });
    answer
}

/// The first of these that gives the answer.
fn first_of<V: Visitor + Split>(
    attempts: &[Attempt],
    asked: &Asked<'_>,
    way: &mut Way,
    steps: &mut Vec<Step>,
    visitor: &V,
) -> Option<(Run, V)> {
    attempts.iter().find_map(|&attempt| {
        if way.rules_out(attempt) {
            return None;
        }
        let outcome = match attempt {
            Attempt::FixedEvents => fixed::attempt(asked, way, false, visitor),
            Attempt::FixedEventsInFull => fixed::attempt(asked, way, true, visitor),
            Attempt::Candidates => {
                let prune = way.options.prune && !way.goes_round(asked);
                candidates::attempt(asked, &Options { prune, ..way.options.clone() }, visitor)
            }
        };
        steps.push(Step { what: attempt.name(), failed: outcome.as_ref().err().copied() });
        if outcome.is_err() {
            way.rule_out(attempt);
        }
        outcome.ok()
    })
}
