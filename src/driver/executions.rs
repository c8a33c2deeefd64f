//! The executions of a file, one by one, for programs that use this as a library.

use super::models::{Models, Refusal, Usable};
use super::run::run_alone;
use super::{FileKind, Settings, code, litmus, messages};
use crate::algebra::naive::{Naive, Value};
use crate::explore::{Execution, Go, Problem, Visitor};
use crate::graph::view;
use crate::relation::candidate::Candidate;
use crate::verdict::{Picture, Sources, Verdict, draw};
use std::path::Path;
use std::sync::Arc;

/// An execution that outlives its search.
#[derive(Clone, Debug)]
pub struct Shown {
    /// What is drawn of it.
    pub picture: Picture,
    /// Whether it ends in an error, or threads wait for ever.
    pub is_wrong: bool,
    candidate: Candidate,
    /// The number of each event in the candidate: those of the picture in the order of its rows, then initial writes.
    events: Vec<u32>,
    usable: Arc<Usable>,
}

impl Shown {
    fn of(execution: &Execution<'_, '_>, is_wrong: bool, usable: &Arc<Usable>, sources: &Sources) -> Shown {
        let drawn = draw::draw(execution, sources);
        let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
        let mut rows: Vec<(u32, u32)> = drawn.rows.iter().map(|(event, &row)| (row, event.0)).collect();
        rows.sort_unstable();
        let mut events: Vec<u32> = rows.into_iter().map(|(_, event)| event).collect();
        let initial: Vec<u32> = candidate.universe.iter().copied().filter(|event| !events.contains(event)).collect();
        events.extend(initial);
        Shown { picture: drawn.picture, is_wrong, candidate, events, usable: usable.clone() }
    }

    /// How many events there are, initial writes after those of the picture.
    pub fn events(&self) -> usize {
        self.events.len()
    }

    /// The names of all relations that can be asked for.
    pub fn names(&self) -> Vec<String> {
        let own = self.usable.model.definitions.iter().map(|(name, _)| name.clone());
        let mut names: Vec<String> = own.chain(self.candidate.relations.keys().cloned()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// The pairs of a relation of the model or of the execution; a set is taken as the identity on it. `None`: there is no such name, or the model has no value for it.
    pub fn relation(&self, name: &str) -> Option<Vec<(usize, usize)>> {
        let model = &self.usable.model;
        let defined = model.definitions.iter().rev().find(|(own, _)| own == name);
        let value = match defined {
            Some(&(_, expr)) => Naive::new(&model.pool, &self.candidate).value(expr)?,
            None => match (self.candidate.relations.get(name), self.candidate.sets.get(name)) {
                (Some(relation), _) => Value::Rel(relation.clone()),
                (None, Some(set)) => Value::Set(set.clone()),
                (None, None) => return None,
            },
        };
        let row = |event: u32| self.events.iter().position(|&own| own == event);
        let pairs: Vec<(u32, u32)> = match value {
            Value::Rel(relation) => relation.into_iter().collect(),
            Value::Set(set) => set.into_iter().map(|event| (event, event)).collect(),
        };
        let mut pairs: Vec<(usize, usize)> =
            pairs.into_iter().filter_map(|(from, to)| Some((row(from)?, row(to)?))).collect();
        pairs.sort_unstable();
        Some(pairs)
    }
}

/// Shows the executions of a file under a model, in a deterministic order, until `see` has seen enough.
pub fn each(
    file: &Path,
    models: &Models,
    settings: &Settings,
    sources: &Sources,
    see: &mut dyn FnMut(Shown) -> Go,
) -> Result<(), Refusal> {
    let settings = &settings.begun();
    messages::readable(file).map_err(|m| (vec![*m], Verdict::Error))?;
    let (program, usable) = match FileKind::of(file) {
        Some(FileKind::Litmus) => {
            let (test, usable) = litmus::read(file, models, settings, sources)?;
            (test.program, usable)
        }
        Some(FileKind::Code) => {
            let usable = models.get(settings.arch.as_deref())?;
            (code::program(file, &usable, usable.knows_threads, settings, sources)?, usable)
        }
        None => return Err((vec![messages::unknown_kind(file)], Verdict::Error)),
    };
    run_alone(&program, &usable, settings, &mut Seer { usable: &usable, sources, see });
    Ok(())
}

struct Seer<'a> {
    usable: &'a Arc<Usable>,
    sources: &'a Sources,
    see: &'a mut dyn FnMut(Shown) -> Go,
}

impl Visitor for Seer<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        (self.see)(Shown::of(execution, false, self.usable, self.sources))
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, _: &Problem) -> Go {
        (self.see)(Shown::of(execution, true, self.usable, self.sources))
    }
}
