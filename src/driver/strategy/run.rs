//! All executions of a program under a model: the one policy, for programs and litmus tests. Which way is tried when, and what is done when it is not the answer.

use super::attempt::{ALONE, Attempt, EXPLORATION, Outcome, Reason, Run, Step};
use super::sizes::{self, Sizes};
use super::way::{Asked, Places, Way};
use super::{alone, candidates, explored, fixed};
use crate::driver::inputs::models::Usable;
use crate::driver::inputs::settings::{Locks, Settings, Symmetry};
use crate::driver::layers::bounded::Within;
use crate::driver::layers::folded::Folded;
use crate::explore::parallel::parts::Split;
use crate::explore::{Equivalence, Options, Visitor};
use crate::program::{Program, Start};
use std::sync::Arc;

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
    if settings.locks == Locks::Content && !is_test {
        // Nobody helps: what one thread has counted others do not know.
        let settings = &Settings { spare: Arc::default(), ..apart() };
        let mut folded = Folded::new(visitor.fork());
        let run = run_in_sizes(program, usable, settings, observed, &mut folded);
        let counted = Some(folded.counted(run.witnessed_sections));
        let _ = visitor.join(folded.inner);
        return Run { folded: counted, ..run };
    }
    let Some(bound) = settings.bound else { return run_in_sizes(program, usable, settings, observed, visitor) };
    let mut within = Within::new(visitor.fork(), bound);
    let run = run_in_sizes(program, usable, &apart(), observed, &mut within);
    let bounded = Some(within.counted(run.statistics.out_of_bounds));
    let _ = visitor.join(within.inner);
    Run { bounded, ..run }
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
