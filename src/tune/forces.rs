//! What a program lacks whose recovery finds something wrong: the forces that reports name are added, one after the other, until it holds; then those
//! are left out again without which it holds, too. Each step is a full run.

use super::subject::what_is_wrong;
use super::{Limits, Tuned};
use crate::clock::Instant;
use crate::crash::missing::Force;
use crate::driver::Settings;
use crate::driver::inputs::models::Models;
use crate::driver::questions::forced;
use crate::verdict::{Place, Property, Sources, Verdict};
use std::path::Path;

/// The forces with which a program holds; nothing where it is not asked what its recovery finds, or something else is wrong.
pub fn repair(
    file: &Path,
    models: &[(String, Models)],
    limits: Limits,
    settings: &Settings,
    sources: &Sources,
) -> Option<Tuned> {
    let [(name, model)] = models else { return None };
    if !forced::is_asked(file, model, settings) {
        return None;
    }
    let start = Instant::now();
    let settings = &settings.begun(file);
    let run = |tuned: &mut Tuned, forces: &[(Force, Place)]| {
        tuned.runs += 1;
        let forces: Vec<Force> = forces.iter().map(|(force, _)| force.clone()).collect();
        forced::check(file, (name, model), settings, sources, &forces)
    };
    let mut tuned = Tuned { file: file.display().to_string(), models: vec![name.clone()], ..Tuned::default() };
    let mut result = run(&mut tuned, &[]);
    let is_crash = |result: &crate::verdict::FileResult| {
        result.violation.as_ref().is_some_and(|finding| finding.kind == Property::Crash.name())
    };
    if result.verdict == Verdict::Violated && !is_crash(&result) {
        return None;
    }
    (tuned.today, tuned.wrong) = (Some(result.verdict), what_is_wrong(&result));
    tuned.messages = result.messages.clone();
    let mut forces: Vec<(Force, Place)> = Vec::new();
    while result.verdict == Verdict::Violated {
        let next = result.lacks.iter().find(|force| !forces.contains(force)).cloned();
        let Some(next) = next.filter(|_| forces.len() < limits.changes && is_crash(&result)) else { break };
        forces.push(next);
        result = run(&mut tuned, &forces);
    }
    match (result.verdict, tuned.today) {
        (Verdict::Holds, Some(Verdict::Holds)) => {
            tuned.notes.push("it holds as it is: there is nothing to repair".to_owned());
        }
        (Verdict::Holds, _) => {
            for n in (0..forces.len()).rev() {
                let mut fewer = forces.clone();
                fewer.remove(n);
                if run(&mut tuned, &fewer).verdict == Verdict::Holds {
                    forces = fewer;
                }
            }
            tuned.forces = forces.into_iter().map(|(force, place)| (force.name, place)).collect();
        }
        (Verdict::Violated, _) => tuned.notes.push(format!(
            "no set of up to {} forces behind what was lost makes it hold (`--changes N`); the order of the calls may be wrong",
            limits.changes
        )),
        _ => tuned.notes.push("the search did not see everything, so no repair is certain".to_owned()),
    }
    tuned.seconds = start.elapsed().as_secs_f64();
    Some(tuned)
}
