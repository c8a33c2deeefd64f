//! The executions of a file, one by one, for programs that use this as a library.

use super::inputs::kind::FileKind;
use super::inputs::messages;
use super::inputs::models::{Models, Refusal};
use super::inputs::settings::Settings;
use super::strategy::run::run_alone;
use super::{code, litmus};
use crate::algebra::naive::{self, Naive};
use crate::algebra::{Check, Model};
use crate::explore::{Execution, Go, Problem, Visitor};
use crate::graph::event::NO_LOC;
use crate::graph::view;
use crate::ids::EventId;
use crate::relation::candidate::Candidate;
use crate::verdict::picture::draw;
use crate::verdict::picture::names::Names;
use crate::verdict::picture::related;
use crate::verdict::reasons::derive::{self, Derivation};
use crate::verdict::{Picture, Sources, Verdict};
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
    /// The locations of initial writes, in the order of their numbers.
    initial: Vec<Option<String>>,
    model: Arc<Model>,
}

impl Shown {
    pub(super) fn of(execution: &Execution<'_, '_>, is_wrong: bool, model: &Arc<Model>, sources: &Sources) -> Shown {
        let drawn = draw::draw(execution, sources);
        let candidate = view::candidate(execution.graph, &execution.world.deps, execution.world.program);
        let mut rows: Vec<(u32, u32)> = drawn.rows.iter().map(|(event, &row)| (row, event.0)).collect();
        rows.sort_unstable();
        let mut events: Vec<u32> = rows.into_iter().map(|(_, event)| event).collect();
        let initial: Vec<u32> = candidate.universe.iter().copied().filter(|event| !events.contains(event)).collect();
        let names = Names::new(execution.world, execution.graph);
        let location = |&event: &u32| {
            let event = execution.graph.event(EventId(event));
            (event.loc != NO_LOC).then(|| {
                let (address, size) = execution.world.locs.get(event.loc);
                names.location_or_address(address, size)
            })
        };
        let locations = initial.iter().map(location).collect();
        events.extend(initial);
        Shown { picture: drawn.picture, is_wrong, candidate, events, initial: locations, model: model.clone() }
    }

    /// The locations that the initial writes write.
    pub fn initial(&self) -> &[Option<String>] {
        &self.initial
    }

    /// How many events there are, initial writes after those of the picture.
    pub fn events(&self) -> usize {
        self.events.len()
    }

    /// The names of all relations that can be asked for.
    pub fn names(&self) -> Vec<String> {
        let own = self.model.definitions.iter().chain(&self.model.shows).map(|(name, _)| name.clone());
        let mut names: Vec<String> = own.chain(self.candidate.relations.keys().cloned()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// The names of the relations that the model wants shown.
    pub fn shows(&self) -> Vec<String> {
        self.model.shows.iter().map(|(name, _)| name.clone()).collect()
    }

    /// The pairs of a relation of the model or of the execution; a set is taken as the identity on it. `None`: there is no such name, or the model has no value for it.
    pub fn relation(&self, name: &str) -> Option<Vec<(usize, usize)>> {
        self.value(name, &mut Naive::new(&self.model.pool, &self.candidate))
    }

    /// The same of all names that have a value.
    pub fn relations(&self) -> Vec<(String, Vec<(usize, usize)>)> {
        let mut naive = Naive::new(&self.model.pool, &self.candidate);
        let names = self.names().into_iter();
        names.filter_map(|name| self.value(&name, &mut naive).map(|pairs| (name, pairs))).collect()
    }

    fn value(&self, name: &str, naive: &mut Naive<'_>) -> Option<Vec<(usize, usize)>> {
        let pairs = related::pairs(&self.model, &self.candidate, name, naive)?;
        let mut pairs: Vec<(usize, usize)> =
            pairs.into_iter().filter_map(|(from, to)| Some((self.row(from)?, self.row(to)?))).collect();
        pairs.sort_unstable();
        Some(pairs)
    }

    /// The flags of the model that it raises.
    pub(super) fn raised(&self) -> impl Iterator<Item = &Check> {
        let fired = naive::judge(&self.model, &self.candidate).fired;
        fired.into_iter().map(|index| &self.model.checks[index])
    }

    /// What the parts of a definition say about one of its pairs. `None`: there is no such definition, or it has no such pair.
    pub fn derivation(&self, name: &str, from: usize, to: usize) -> Option<Derivation> {
        let pair = (*self.events.get(from)?, *self.events.get(to)?);
        let mut derivation = derive::derive(&self.model, &self.candidate, related::defined(&self.model, name)?, pair)?;
        derivation.renumber(&|event| self.row(event).map_or(event, |row| row as u32));
        Some(derivation)
    }

    fn row(&self, event: u32) -> Option<usize> {
        self.events.iter().position(|&own| own == event)
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
    let settings = &settings.begun(file);
    messages::readable(file).map_err(|m| (vec![*m], Verdict::Error))?;
    let (program, usable) = match FileKind::of(file) {
        Some(FileKind::Litmus | FileKind::Assembly) => {
            let (test, usable) = litmus::read(file, models, settings, sources)?;
            (test.program, usable)
        }
        Some(FileKind::Code) => {
            let usable = models.get(settings.arch.as_deref())?;
            (code::program(file, &usable, usable.knows_threads, settings, sources)?, usable)
        }
        None => return Err((vec![messages::unknown_kind(file)], Verdict::Error)),
    };
    let model = Arc::new(usable.model.clone());
    run_alone(&program, &usable, settings, &mut Seer { model: &model, sources, see });
    Ok(())
}

struct Seer<'a> {
    model: &'a Arc<Model>,
    sources: &'a Sources,
    see: &'a mut dyn FnMut(Shown) -> Go,
}

impl Visitor for Seer<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        (self.see)(Shown::of(execution, false, self.model, self.sources))
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, _: &Problem) -> Go {
        (self.see)(Shown::of(execution, true, self.model, self.sources))
    }
}
