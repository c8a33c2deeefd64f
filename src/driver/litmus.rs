//! Litmus tests: read, explore, add up the final states.

use super::models::Models;
use super::{Settings, explain, messages, record, run};
use crate::algebra::{Model, Role};
use crate::explore::{Execution, Go, Problem, Visitor};
use crate::litmus::outcome::{self, Found, Summary};
use crate::litmus::{self, Source, Test};
use crate::report::herd;
use crate::verdict::{FileResult, Flag, Message, Picture, Sources, Verdict, draw, finding};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// Checks a litmus test under a model.
pub(super) fn check(
    file: &Path,
    models: &Models,
    settings: &Settings,
    sources: &Sources,
    mut result: FileResult,
) -> FileResult {
    let start = Instant::now();
    let text = match messages::text_of(file) {
        Ok(text) => text,
        Err(message) => return result.failed(vec![*message], Verdict::Error),
    };
    let name = file.display().to_string();
    sources.insert(&name, &text);
    let header = architecture(&text);
    let usable = match models.get(header) {
        Ok(usable) => usable,
        Err(errors) => return result.failed(errors, Verdict::Error),
    };
    result.model_sha256.clone_from(&usable.sha256);
    let options = litmus::Options { macros: usable.macros.clone() };
    let test = match litmus::parse(&text, &name, &options) {
        Ok(test) => test,
        Err(errors) => {
            let verdict = if errors.iter().all(|e| e.unsupported) { Verdict::Unsupported } else { Verdict::Error };
            let color = settings.color;
            let all = errors.iter().map(|e| messages::litmus_error(e, &name, &text, sources, color)).collect();
            return result.failed(all, verdict);
        }
    };
    result.name.clone_from(&test.name);
    result.arch = Some(test.arch.name().to_owned());
    result.notes.extend(test.program.notes.iter().cloned());
    let mut ends = Ends::new(&test, &usable.model, sources, settings.witness || settings.explain);
    let bounded = Settings { unroll: settings.unroll.or(test.unroll), ..settings.clone() };
    let run = run(&test.program, &usable, &bounded, &mut ends);
    record(&run, &mut result);
    let cut = run.statistics.cut > 0;
    let summary = conclude(&test, ends, cut, run.ended_early.is_some(), settings, &mut result);
    if settings.explain && summary.holding == 0 {
        result.explanation = Some(explain::forbidden(&test, &usable, settings, sources));
    }
    result.log = Some(herd::block(&test, &summary, start.elapsed().as_secs_f64()));
    result
}

/// The architecture that a test's header names, known before the test is read because the model's macros take part in that.
fn architecture(text: &str) -> Option<&'static str> {
    let sections = litmus::split::split(text).ok()?;
    litmus::Arch::from_header(&sections.arch).map(litmus::Arch::name)
}

fn conclude(
    test: &Test,
    ends: Ends<'_>,
    cut: bool,
    early: bool,
    settings: &Settings,
    result: &mut FileResult,
) -> Summary {
    let found: Vec<Found> = ends.groups.into_values().collect();
    let summary = outcome::summarise(test, &found, cut);
    result.kind = Some(summary.kind.to_owned());
    result.observation = Some(format!("{:?}", summary.observation));
    result.positive = Some(summary.holding);
    result.negative = Some(summary.failing);
    result.states.clone_from(&summary.states);
    result.flags =
        ends.flags.into_iter().map(|(name, (executions, undefined))| Flag { name, executions, undefined }).collect();
    result.witness = ends.witness;
    result.messages.extend(ends.unsupported);
    let unexpected = summary.verdict != outcome::Verdict::Ok || !summary.flags.is_empty();
    result.verdict = if !result.messages.is_empty() {
        Verdict::Unsupported
    } else if settings.strict && unexpected {
        Verdict::Violated
    } else if cut || early {
        Verdict::Bounded
    } else {
        Verdict::Holds
    };
    summary
}

/// Adds up final states.
struct Ends<'a> {
    test: &'a Test,
    model: &'a Model,
    sources: &'a Sources,
    draw: bool,
    groups: BTreeMap<Vec<u64>, Found>,
    flags: BTreeMap<String, (u64, bool)>,
    witness: Option<Picture>,
    unsupported: Vec<Message>,
}

impl<'a> Ends<'a> {
    fn new(test: &'a Test, model: &'a Model, sources: &'a Sources, draw: bool) -> Self {
        Ends {
            test,
            model,
            sources,
            draw,
            groups: BTreeMap::new(),
            flags: BTreeMap::new(),
            witness: None,
            unsupported: Vec::new(),
        }
    }
}

/// The end of an execution: one value for each watch of the test.
pub(super) fn final_values(test: &Test, execution: &Execution<'_, '_>) -> Vec<u64> {
    let (graph, world) = (execution.graph, execution.world);
    let memory = |address: u64, size: u8| match world.locs.find(address, size).and_then(|loc| graph.last_write(loc)) {
        Some(write) => graph.event(write).value,
        None => world.memory.read(address, size).unwrap_or(0),
    };
    let register = |thread: u32, register: u32| {
        let runner = graph.lanes().get(thread as usize).and_then(|lane| lane.thread.as_ref());
        runner.and_then(|t| t.frame().regs.get(register as usize)).map_or(0, |slot| slot.value)
    };
    let value = |source: &Source| match *source {
        Source::Memory { address, size } => memory(address, size),
        Source::Register { thread, register: r } => register(thread, r),
    };
    test.context.watches.iter().map(|w| value(&w.source)).collect()
}

impl Visitor for Ends<'_> {
    fn complete(&mut self, execution: &Execution<'_, '_>) -> Go {
        let values = final_values(self.test, execution);
        if !self.test.accepts(&values) {
            return Go::On;
        }
        if self.draw && self.witness.is_none() && self.test.satisfies(&values) {
            self.witness = Some(draw::draw(execution, self.sources).picture);
        }
        let group = self.groups.entry(values.clone()).or_insert_with(|| Found { values, ..Found::default() });
        group.count += 1;
        for &flag in execution.flags {
            let check = &self.model.checks[flag];
            let undefined = check.role == Role::Undefined;
            let name = crate::verdict::races::name(check).to_owned();
            self.flags.entry(name.clone()).or_insert((0, undefined)).0 += 1;
            group.undefined |= undefined;
            if check.role == Role::Flag && !group.flags.contains(&name) {
                group.flags.push(name);
            }
        }
        Go::On
    }

    fn problem(&mut self, execution: &Execution<'_, '_>, problem: &Problem) -> Go {
        // Threads of a litmus test that wait for ever make an execution of no interest, as in the field's other tools.
        if let Problem::Fault(_, span, fault) = problem {
            let message = finding::fault_message(execution, fault);
            if !self.unsupported.iter().any(|m| m.message == message) {
                let place = draw::place(execution.world.program, *span);
                self.unsupported.push(Message {
                    code: "hmc::unsupported".into(),
                    message,
                    place,
                    ..Message::default()
                });
            }
        }
        Go::On
    }
}
