//! The candidate executions of a litmus test, allowed and forbidden ones, each with what the model says of it: for pages that show them.
//!
//! Candidates are those of the plain enumerator, judged by the plain evaluator, as for `--explain`. Where there are too many, allowed ones
//! come from exploration besides, and it is said that the list is not complete. What the test's verdict is comes from the usual check.

use super::explain::rejected;
use crate::algebra::Model;
use crate::candidates::enumerate::{Coverage, enumerate};
use crate::clock::Instant;
use crate::driver::ends::final_values;
use crate::driver::executions::Shown;
use crate::driver::inputs::models::{Models, Usable};
use crate::driver::inputs::settings::Settings;
use crate::driver::strategy::run::run_alone;
use crate::driver::then_checked;
use crate::explore::{Execution, Go, Options, Problem, ThinAir, Visitor};
use crate::litmus::Test;
use crate::patience;
use crate::verdict::result::Rejection;
use crate::verdict::{FileResult, Sources, flags};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Graphs that are made at most.
const GRAPHS: u64 = 200_000;

/// A candidate execution.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The execution.
    pub shown: Shown,
    /// Why the model rejects it, if it does.
    pub rejection: Option<Rejection>,
    /// Where the axiom stands that rejects it: the name of the file and its text there.
    pub axiom: Option<(String, String)>,
    /// Its final state, as the test lists it, and whether that satisfies the proposition.
    pub end: (String, bool),
    /// Flags that it raises.
    pub flags: Vec<String>,
}

/// Candidate executions.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    /// In a deterministic order.
    pub list: Vec<Judged>,
    /// Whether these are all.
    pub all: bool,
    /// How many were looked at.
    pub looked_at: u64,
}

/// How many candidates are wanted, and how long they may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// At most so many.
    pub most: usize,
    /// For all of them together.
    pub time: Duration,
}

/// Checks a litmus test, as [`crate::driver::check_litmus`] does, and lists its candidates.
pub fn check_litmus(
    name: &str,
    text: &str,
    model: &str,
    models: &Models,
    settings: &Settings,
    sources: &Sources,
    patience: Patience,
) -> (FileResult, Candidates) {
    let mut found = Candidates::default();
    let mut then =
        |test: &Test, usable: &Usable, bounded: &Settings| found = list(test, usable, bounded, sources, patience);
    let result = then_checked(name, text, model, models, settings, sources, &mut then);
    (result, found)
}

fn list(test: &Test, usable: &Usable, settings: &Settings, sources: &Sources, patience: Patience) -> Candidates {
    let model = Arc::new(usable.model.clone());
    let deadline = Instant::now() + patience.time;
    // The enumeration ends when there are enough.
    let enough = Arc::new(AtomicBool::new(false));
    let options = Options {
        unroll: settings.unroll,
        deadline: Some(deadline),
        interrupt: enough.clone(),
        thin_air: ThinAir::Values,
        ..Options::default()
    };
    let mut found = Candidates::default();
    let mut is_full = false;
    let mut see = |execution: &Execution<'_, '_>| {
        if is_full {
            return;
        }
        let values = final_values(test, execution);
        if !test.accepts(&values) {
            return;
        }
        found.looked_at += 1;
        if found.list.len() >= patience.most {
            is_full = true;
            return enough.store(true, Ordering::Relaxed);
        }
        let end = ended(test, &values);
        found.list.extend(patience::within(Some(deadline), || judged(execution, end, usable, &model, sources)));
    };
    let coverage = enumerate(&test.program, &options, GRAPHS, &mut see);
    found.all = coverage == Coverage::All && !is_full && Instant::now() < deadline;
    if !found.all {
        found.list.retain(|judged| judged.rejection.is_some());
        found.list.truncate(patience.most / 2);
        let forbidden = std::mem::take(&mut found.list);
        found.list = explored(test, usable, settings, &model, sources, patience);
        found.list.extend(forbidden);
    }
    found
}

/// What the model says of an execution.
fn judged(
    execution: &Execution<'_, '_>,
    end: (String, bool),
    usable: &Usable,
    model: &Arc<Model>,
    sources: &Sources,
) -> Judged {
    let shown = Shown::of(execution, false, model, sources);
    let Some(rejected) = rejected(execution, usable) else {
        let flags = raised(&shown);
        return Judged { shown, rejection: None, axiom: None, end, flags };
    };
    let mut rejection = rejected.drawn(execution, sources);
    // What is not confirmed is not shown.
    if !rejected.confirmed(usable) {
        rejection.cycle.clear();
    }
    let axiom = rejected.check().and_then(|index| axiom_text(model, index));
    Judged { shown, rejection: Some(rejection), axiom, end, flags: Vec::new() }
}

/// Where a check of a model stands. Checks that every model gets stand nowhere.
fn axiom_text(model: &Model, index: usize) -> Option<(String, String)> {
    let check = model.checks.get(index)?;
    let (name, text) = model.files.get(check.place.0 as usize)?;
    let own = text.get(check.place.1.clone()).filter(|own| !own.is_empty())?;
    Some((name.clone(), own.to_owned()))
}

/// Allowed executions, by exploration.
fn explored(
    test: &Test,
    usable: &Usable,
    settings: &Settings,
    model: &Arc<Model>,
    sources: &Sources,
    patience: Patience,
) -> Vec<Judged> {
    let mut allowed = Allowed { test, model, sources, most: patience.most / 2, list: Vec::new() };
    let settings = Settings { deadline: Some(Instant::now() + patience.time), ..settings.clone() };
    run_alone(&test.program, usable, &settings, &mut allowed);
    allowed.list
}

/// Keeps the first executions that exploration finds.
struct Allowed<'a> {
    test: &'a Test,
    model: &'a Arc<Model>,
    sources: &'a Sources,
    most: usize,
    list: Vec<Judged>,
}

impl Visitor for Allowed<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let values = final_values(self.test, execution);
        if self.test.accepts(&values) {
            let shown = Shown::of(execution, false, self.model, self.sources);
            let flags = raised(&shown);
            self.list.push(Judged { end: ended(self.test, &values), shown, rejection: None, axiom: None, flags });
        }
        if self.list.len() >= self.most { Go::Stop } else { Go::On }
    }

    /// Threads that come to no end make no execution of a test, and what cannot be run is told with its answer.
    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        Go::On
    }
}

/// The final state, and whether it satisfies the proposition.
fn ended(test: &Test, values: &[u64]) -> (String, bool) {
    (test.context.state_line(&test.items, values), test.satisfies(values))
}

/// The names of the flags that an execution raises.
fn raised(shown: &Shown) -> Vec<String> {
    shown.raised().map(|check| flags::name(check).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use crate::cat::LoadRequest;
    use crate::driver::questions::judged::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    /// The candidates are found and judged in another way than what a check says: both come to the same final states.
    #[test]
    fn allowed_candidates_end_as_the_check_says() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/litmus");
        let settings = Settings::default();
        let patience = Patience { most: 24, time: Duration::from_secs(2) };
        let mut wholly = 0;
        for (folder, model) in [("c11", "rc11"), ("x86", "x86tso")] {
            let models = Models::new(LoadRequest::named(model), Vec::new(), false);
            for entry in std::fs::read_dir(root.join(folder)).expect("tests") {
                let path = entry.expect("an entry").path();
                if path.extension().is_none_or(|e| e != "litmus") {
                    continue;
                }
                let text = std::fs::read_to_string(&path).expect("a test");
                let name = path.display().to_string();
                let (result, found) =
                    check_litmus(&name, &text, model, &models, &settings, &Sources::default(), patience);
                if !found.all || result.observation.is_none() {
                    continue;
                }
                wholly += 1;
                let allowed = || found.list.iter().filter(|one| one.rejection.is_none()).map(|one| &one.end);
                let ends: BTreeSet<&str> = allowed().map(|end| end.0.as_str()).collect();
                assert_eq!(ends, result.states.iter().map(String::as_str).collect(), "{name} under {model}");
                let is_seen = allowed().any(|end| end.1);
                assert_eq!(is_seen, result.observation.as_deref() != Some("Never"), "{name} under {model}");
            }
        }
        assert!(wholly > 40, "{wholly} tests of which all candidates are listed");
    }
}
