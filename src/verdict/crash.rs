//! What the recovery of a program finds after a crash.

use super::finding::{self, Property};
use super::picture::draw::{self, Drawn};
use super::picture::frames;
use super::picture::names::Names;
use super::picture::sources::Sources;
use super::result::Finding;
use crate::crash::counts::Crashed;
use crate::crash::missing::{self, Force, Missing};
use crate::crash::recovery::{Recovered, Recovery, State};
use crate::crash::useless::{self, Useless};
use crate::explore::{Execution, Go, Problem};
use crate::graph::{Graph, Status};
use crate::ids::{EventId, FuncId};
use crate::program::fault::Fault;
use crate::program::{Pc, Program};
use crate::sequential::End;
use crate::verdict::picture::place::Place;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The recoveries of a program's executions.
pub struct Crashes {
    recovery: Recovery,
    counts: Crashed,
    /// What the recovery found, in words.
    states: BTreeMap<State, String>,
    useless: Useless,
    /// Forces that forbid what was wrong, and where they are missing.
    forces: Vec<(Force, Place)>,
}

/// What is to be told of the recoveries of one execution.
pub enum Told {
    /// Something is wrong.
    Wrong(Finding),
    /// Something is not supported.
    Unsupported(Finding),
}

/// What parts of a search tell each other.
#[derive(Serialize, Deserialize)]
pub struct Record {
    counts: Crashed,
    states: Vec<(State, String)>,
    useless: useless::Record,
}

impl Crashes {
    /// Of a program by a model of what survives; none was looked at yet.
    pub fn new(recovery: Recovery) -> Crashes {
        Crashes {
            recovery,
            counts: Crashed::default(),
            states: BTreeMap::new(),
            useless: Useless::default(),
            forces: Vec::new(),
        }
    }

    /// The same, of which nothing was looked at.
    pub fn fresh(&self) -> Crashes {
        Crashes::new(self.recovery.clone())
    }

    /// Adds what another one has looked at.
    pub fn add(&mut self, other: Crashes) {
        let Crashed { executions, recoveries, cut_off, violating, .. } = other.counts;
        self.counts.executions += executions;
        self.counts.recoveries += recoveries;
        self.counts.cut_off += cut_off;
        self.counts.violating += violating;
        self.states.extend(other.states);
        self.useless.add(other.useless);
        other.forces.into_iter().for_each(|force| note(&mut self.forces, force));
    }

    /// To be told to another process.
    pub fn recorded(&self) -> Record {
        let states = self.states.iter().map(|(state, words)| (state.clone(), words.clone())).collect();
        Record { counts: self.counts, states, useless: self.useless.recorded() }
    }

    /// What another process has told.
    pub fn restore(&mut self, record: Record) {
        (self.counts, self.states) = (record.counts, record.states.into_iter().collect());
        self.useless = Useless::restored(record.useless);
    }

    /// What was counted.
    pub fn counted(&self) -> Crashed {
        Crashed { states: self.states.len() as u64, ..self.counts }
    }

    /// Forces that forbid what was wrong, each with the place behind which it is missing.
    pub fn forces(&self) -> &[(Force, Place)] {
        &self.forces
    }

    /// The states that the recovery told apart, in words.
    pub fn states(&self) -> Vec<String> {
        self.states.values().cloned().collect()
    }

    /// Forces without which the recovery finds the same, each by itself: one sentence each.
    pub fn useless(&self, program: &Program) -> Vec<String> {
        let sentence = |(name, function, pc): (String, FuncId, Pc)| {
            let span = program.functions[function.index()].spans.get(pc as usize).copied().unwrap_or_default();
            let place = draw::place(program, span)?;
            Some(format!(
                "`{name}` at {}:{} changes nothing: without it alone, the recovery finds the same states",
                place.file, place.line
            ))
        };
        self.useless.found(program).into_iter().filter_map(sentence).collect()
    }

    /// Runs the recovery behind an execution. `stops`: only the first error is of interest.
    pub fn look(&mut self, execution: &Execution<'_, '_>, stops: bool, sources: &Sources) -> Vec<Told> {
        let Crashes { recovery, counts, states, useless, forces } = self;
        let mut of_this = BTreeSet::new();
        let mut told: Vec<Told> = Vec::new();
        if may_go_on(execution) {
            return told;
        }
        counts.executions += 1;
        recovery.explore(execution, &mut |found| {
            counts.recoveries += 1;
            let state = found.state();
            of_this.insert(state.clone());
            states.entry(state).or_insert_with_key(|state| words(execution, found.graph, state));
            let problem = match &found.end {
                End::Assumed => {
                    counts.cut_off += 1;
                    return Go::On;
                }
                End::Fault(fault) => {
                    Problem::Fault(found.thread, found.solo.thread.place(found.program).span, fault.clone())
                }
                End::Stuck => {
                    Problem::Fault(found.thread, found.solo.thread.place(found.program).span, ends_not(WAITS))
                }
                End::Cut | End::Spawn | End::Survives | End::Asks(..) | End::Chooses(_) => {
                    Problem::Fault(found.thread, found.solo.thread.place(found.program).span, ends_not(ENDLESS))
                }
                End::Finished => match &found.solo.thread.failed {
                    Some(failure) => {
                        Problem::Fault(found.thread, failure.span, Fault::Assertion(failure.message.clone()))
                    }
                    None => return Go::On,
                },
            };
            let is_unsupported = matches!(&problem, Problem::Fault(_, _, fault) if fault.is_unsupported());
            counts.violating += u64::from(!is_unsupported);
            let finding = |told: &Told| match told {
                Told::Wrong(finding) | Told::Unsupported(finding) => finding.place.clone(),
            };
            let described = describe(execution, found, &problem, recovery, sources, |place| {
                told.iter().any(|told| finding(told) == *place)
            });
            if let Some((finding, force)) = described {
                force.into_iter().for_each(|force| note(forces, force));
                told.push(if is_unsupported { Told::Unsupported(finding) } else { Told::Wrong(finding) });
            }
            if stops { Go::Stop } else { Go::On }
        });
        if !stops || told.is_empty() {
            let program = execution.world.program;
            useless.look(execution, recovery, &of_this, &|function, pc| is_library(program, function, pc));
        }
        told
    }
}

fn note(forces: &mut Vec<(Force, Place)>, force: (Force, Place)) {
    if !forces.contains(&force) {
        forces.push(force);
    }
}

/// A state in words.
fn words(execution: &Execution<'_, '_>, graph: &Graph, state: &State) -> String {
    if state.is_empty() {
        return "nothing of what survives was read".to_owned();
    }
    let names = Names::new(execution.world, graph);
    let one = |&(address, size, value): &(u64, u8, u64)| {
        format!("{} = {}", names.location_or_address(address, size), names.value(value, size))
    };
    state.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Whether a thread that waits when another one ends the program may go on: then the crash comes in an execution in which it does.
fn may_go_on(execution: &Execution<'_, '_>) -> bool {
    let graph = execution.graph;
    let is_last = |read: &EventId| graph.last_write(graph.event(*read).loc) == Some(graph.event(*read).rf);
    graph.lanes().iter().any(|lane| matches!(&lane.status, Status::Waiting(reads) if !reads.iter().all(is_last)))
}

const WAITS: &str = "a recovery that waits: it runs alone, and nobody changes what it waits for (`hmc_assume` says what it takes for granted)";
const ENDLESS: &str = "a recovery that does not end within 1,000,000 steps: a bound on its loops lets it end";

fn ends_not(why: &str) -> Fault {
    Fault::Unsupported(why.to_owned())
}

/// Whether an instruction stands in a file of a library.
fn is_library(program: &Program, function: FuncId, pc: Pc) -> bool {
    let spans = &program.functions[function.index()].spans;
    let place = draw::place(program, spans.get(pc as usize).copied().unwrap_or_default());
    place.is_none_or(|place| frames::SYSTEM.iter().any(|directory| place.file.starts_with(directory)))
}

/// Says what a recovery has found, unless one at this place was described.
fn describe(
    execution: &Execution<'_, '_>,
    found: &Recovered<'_>,
    problem: &Problem,
    recovery: &Recovery,
    sources: &Sources,
    is_known: impl Fn(&Option<Place>) -> bool,
) -> Option<(Finding, Option<(Force, Place)>)> {
    let (graph, world) = (found.graph, execution.world);
    let shown = Execution { graph, world, flags: &[], last: None, all_joined: false, stands_for: 1 };
    let mut finding = finding::describe(&shown, problem, sources);
    if is_known(&finding.place) {
        return None;
    }
    if matches!(problem, Problem::Fault(_, _, fault) if fault.is_unsupported()) {
        return Some((finding, None));
    }
    let mut wanted = None;
    finding.kind = Property::Crash.name().to_owned();
    finding.message = format!("after a crash: {}", finding.message);
    finding.notes.retain(|note| !note.starts_with("in thread"));
    let Drawn { rows, .. } = draw::draw(&shown, sources);
    let names = Names::new(world, graph);
    let name = |event| {
        let event = graph.event(event);
        let (address, size) = world.locs.get(event.loc);
        let what = format!("{} = {}", names.location_or_address(address, size), names.value(event.value, size));
        let frames = frames::of_event(world.program, event);
        match frames.get(frames::shown(&frames)) {
            Some(place) => format!("{what} ({}:{})", place.file, place.line),
            None => what,
        }
    };
    let state = words(execution, graph, &found.found.to_vec());
    if !state.is_empty() {
        finding.notes.push(format!("what the recovery found: {state}"));
    }
    if let Some(Missing { kept, lost, is_ordered, force }) =
        missing::find(&shown, found.thread, recovery, &|function, pc| is_library(world.program, function, pc))
    {
        finding.events = [lost, kept].iter().flatten().filter_map(|e| rows.get(e).copied()).collect();
        let line = match (kept, lost) {
            (Some(kept), Some(lost)) => {
                let order = if is_ordered { ", which comes before it in the run," } else { "" };
                format!("{} had survived, and {}{order} had not", name(kept), name(lost))
            }
            (None, Some(lost)) => format!("{} had not survived", name(lost)),
            (Some(kept), None) => format!("{} had survived", name(kept)),
            (None, None) => return Some((finding, None)),
        };
        finding.notes.push(line);
        if let (Some(force), Some(lost)) = (force, lost) {
            let frames = frames::of_event(world.program, graph.event(lost));
            let place = frames.get(frames::shown(&frames));
            let behind = place.map(|place| format!(" behind {}:{}", place.file, place.line)).unwrap_or_default();
            finding.notes.push(format!("missing: {}{behind}; with it, the model forbids this state", force.name));
            wanted = place.map(|place| (force, place.clone()));
        }
    }
    Some((finding, wanted))
}
