//! What a model has or has not: redundant axioms, coherence, and what exploration asks of it.
//!
//! Each property that is an acyclicity is a small model; the question is whether the model at hand is stronger.

use super::compare::{self, Named, Search, Verdict};
use super::paths::axiom::Axioms;
use super::refute::{self, Subject};
use crate::cat::{self, LoadRequest, Loaded};
use crate::synth::Progress;
use crate::synth::differ::each;
use crate::synth::judge;
use crate::synth::minimal::frame::{Frame, Layout};
use crate::synth::minimal::judge::Judge;
use crate::synth::minimal::matrix::EVENTS;
use crate::synth::minimal::{Outcome, is_allowed};
use crate::synth::programs::program::Program;
use crate::synth::programs::shapes::Shapes;
use crate::synth::programs::vocabulary::{Kind, Relaxation, Vocabulary};
use crate::synth::programs::{Bounds, Programs};
use serde::Serialize;
use std::ops::ControlFlow;

/// A property and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// What it says.
    pub meaning: &'static str,
    /// What is known.
    #[serde(flatten)]
    pub known: Verdict,
}

/// Properties that are acyclicities.
const ORDERS: [(&str, &str, &str); 3] = [
    ("coherent", "SC for each location", "acyclic po-loc | rf | co | fr"),
    ("porf-acyclic", "no cycle of program order and reads-from", "acyclic po | rf"),
    ("well-prefixed", "no cycle of dependencies and reads-from", "acyclic addr | data | ctrl ; [W] | rmw | rf"),
];

/// How far is searched.
#[derive(Clone, Copy)]
pub struct Bound<'a> {
    /// What tests are made of.
    pub vocabulary: &'a Vocabulary,
    /// The largest size.
    pub size: usize,
    /// How many threads search.
    pub workers: usize,
}

/// Whether one model is stronger than another, by proof or by search.
fn is_stronger(
    strong: &Named<'_>,
    weak: &Named<'_>,
    arch: Option<&str>,
    bound: Option<Bound<'_>>,
    progress: &Progress,
) -> Result<Verdict, String> {
    let axioms = [strong, weak].map(|named| Axioms::new(named.name, named.loaded, arch));
    let direct = compare::prove(&axioms[0], &axioms[1], arch, &[])?;
    if direct.answers.iter().all(|(_, answer)| answer.is_proved()) {
        return Ok(compare::verdict_of(Some(&direct), None));
    }
    let Some(bound) = bound else { return Ok(compare::verdict_of(Some(&direct), None)) };
    let judges = [strong, weak].map(|named| judge(named.loaded, bound.vocabulary));
    let [Ok(first), Ok(second)] = judges else { return Ok(compare::verdict_of(Some(&direct), None)) };
    let judges = [&first, &second];
    let found = refute::tell_apart(judges, bound.vocabulary, bound.size, bound.workers, [true, false], progress);
    match &found.only[0] {
        Some((program, outcome)) => {
            let allows = Subject { name: strong.name, loaded: strong.loaded, judge: &first };
            let forbids = Subject { name: weak.name, loaded: weak.loaded, judge: &second };
            let test = refute::described(program, outcome, &allows, &forbids, bound.vocabulary)?;
            Ok(Verdict::Refuted { test: Box::new(test) })
        }
        None => Ok(compare::verdict_of(Some(&direct), Some(found.complete))),
    }
}

/// The orders that a model keeps acyclic, or not.
pub fn orders(
    model: &Named<'_>,
    arch: Option<&str>,
    bound: Option<Bound<'_>>,
    progress: &Progress,
) -> Result<Vec<Property>, String> {
    let mut all = Vec::new();
    for (name, meaning, check) in ORDERS {
        let text = format!("\"{name}\"\ninclude \"cos.cat\"\n{check} as {name}\n");
        let mut request = LoadRequest::text(name, text);
        request.arch = arch.map(str::to_owned);
        let loaded = cat::load(&request, &cat::Vocabulary::new(arch)).map_err(|errors| {
            errors.diagnostics.iter().map(|d| d.message().to_owned()).collect::<Vec<_>>().join("; ")
        })?;
        let weak = Named { name, loaded: &loaded };
        let known = is_stronger(model, &weak, arch, bound, progress)?;
        all.push(Property { name: name.to_owned(), meaning, known });
    }
    Ok(all)
}

/// By axiom, whether the others imply it.
pub fn redundant(
    model: &Named<'_>,
    arch: Option<&str>,
    bound: Option<Bound<'_>>,
    progress: &Progress,
) -> Result<Vec<Property>, String> {
    let mut all = Vec::new();
    let checks = model.loaded.model.checks.iter().enumerate().filter(|(_, check)| check.role.rejects());
    for (number, check) in checks {
        let mut without: Loaded = model.loaded.clone();
        without.model.checks.remove(number);
        let name = check.name.clone().unwrap_or_else(|| format!("check{}", number + 1));
        let label = format!("{} without {name}", model.name);
        let strong = Named { name: &label, loaded: &without };
        let known = is_stronger(&strong, model, arch, bound, progress)?;
        all.push(Property { name, meaning: "the other axioms imply it", known });
    }
    Ok(all)
}

/// An outcome that a program has and a weaker one, with a demoted fence or order, has not.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotMonotone {
    /// The program.
    pub program: Program,
    /// The outcome that becomes forbidden when it is weakened.
    pub outcome: Outcome,
    /// The same program, weakened.
    pub weaker: Program,
}

/// The smallest program that forbids more when a fence or an order of it is made weaker; and the last size searched to the end.
pub fn fence_monotone(judge: &Judge, bound: Bound<'_>, progress: &Progress) -> (Option<NotMonotone>, usize) {
    let vocabulary = bound.vocabulary;
    let asked = [Relaxation::DemoteFence, Relaxation::DemoteOrder];
    for size in 2..=bound.size {
        let bounds = Bounds { size, threads: size, addresses: size.min(EVENTS - size) };
        let maker = Shapes::new(vocabulary, judge, &[], false);
        let programs = Programs::new(vocabulary, &maker, bounds);
        progress.begin(size, programs.parts());
        let mut found: Option<NotMonotone> = None;
        for part in 0..programs.parts() {
            let ended = programs.of_part(part, &mut |program| {
                if progress.is_stopped() {
                    return ControlFlow::Break(());
                }
                let layout = Layout::new(program, vocabulary);
                for how in layout.applications(vocabulary, &asked) {
                    let mut whole = Frame::whole(&layout, vocabulary, judge);
                    let mut weaker = Frame::relaxed(&layout, vocabulary, judge, &how);
                    each(&layout, &mut |outcome| {
                        if found.is_none()
                            && is_allowed(&layout, &mut whole, judge, outcome)
                            && !is_allowed(&layout, &mut weaker, judge, outcome)
                        {
                            let mut other = program.clone();
                            let events = other.threads.iter_mut().flat_map(|thread| &mut thread.events);
                            for (number, event) in events.enumerate() {
                                event.token = how.token_of(number).unwrap_or(event.token);
                            }
                            found =
                                Some(NotMonotone { program: program.clone(), outcome: outcome.clone(), weaker: other });
                        }
                    });
                }
                if found.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if ended.is_break() {
                break;
            }
        }
        if progress.is_stopped() {
            return (found, size - 1);
        }
        if found.is_some() {
            return (found, size);
        }
    }
    (None, bound.size)
}

/// Whether a vocabulary has anything that can be made weaker.
pub fn has_orders(vocabulary: &Vocabulary) -> bool {
    vocabulary.tokens.iter().any(|token| !token.weaker.is_empty() || token.kind == Kind::Fence && token.alone)
}

/// What is searched by [`compare::compare`], of a bound.
pub fn search<'a>(bound: Bound<'a>, judges: [&'a Judge; 2]) -> Search<'a> {
    Search { vocabulary: bound.vocabulary, judges, size: bound.size, workers: bound.workers }
}
