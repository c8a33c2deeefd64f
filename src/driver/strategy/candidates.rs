//! All candidates of a litmus test, however they are found: what exploration leaves out, the model may allow.
//!
//! Exploration finds no execution in which dependencies and reads-from form a cycle. Most models forbid such cycles themselves, or the program has none; otherwise the candidates
//! are enumerated: the runs of each thread by itself, put together, and where that does not do, of all threads. That is exponential, and has a limit.

use super::attempt::{Outcome, Reason, Run};
use super::finish::finished;
use super::way::Asked;
use crate::candidates::{enumerate, traces};
use crate::driver::inputs::models::Usable;
use crate::driver::layers::first_of_sources::FirstOfSources;
use crate::driver::layers::{Counted, Judged, Watched};
use crate::explore::parallel::parts::Split;
use crate::explore::{Options, Statistics, Visitor};
use crate::program::Program;

/// What the enumeration of a litmus test may take: a second or two of each kind.
const WORK: u64 = 1 << 23;

/// Shows all candidates of a program that the model accepts.
pub(super) fn attempt<V: Visitor + Split>(asked: &Asked<'_>, options: &Options, visitor: &V) -> Outcome<V> {
    let merges_orders = options.equivalence.is_reads_from() || options.first_of_sources;
    let found = [by_threads as Engine, together].into_iter().find_map(|engine| {
        let counted = Counted::new(visitor.fork(), &asked.settings.progress);
        let firsts = FirstOfSources::new(counted, merges_orders.then(|| options.observed.clone()));
        let mut seen = Watched::new(Judged::new(firsts, asked.usable), false);
        let mut statistics = engine(asked.program, asked.usable, options, &mut seen)?;
        if statistics.stopped && !seen.enough {
            return None;
        }
        let Judged { inner, rejected, error, .. } = seen.inner;
        let others = inner.passed_over;
        (statistics.complete, statistics.in_all) = (statistics.complete - others, statistics.in_all - others);
        Some((finished(statistics, options, (rejected, error), Run::default()), inner.inner.inner))
    });
    found.ok_or(Reason::TooMany)
}

type Engine = fn(&Program, &Usable, &Options, &mut dyn Visitor) -> Option<Statistics>;

fn by_threads(program: &Program, usable: &Usable, options: &Options, visitor: &mut dyn Visitor) -> Option<Statistics> {
    traces::consistent_within(program, &usable.model, options, WORK, visitor)
}

fn together(program: &Program, usable: &Usable, options: &Options, visitor: &mut dyn Visitor) -> Option<Statistics> {
    Some(enumerate::consistent_within(program, &usable.model, options, WORK, visitor))
}
