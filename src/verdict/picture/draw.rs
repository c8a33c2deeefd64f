//! Makes a [`Picture`] of an execution graph.

use super::names::Names;
use super::sources::Sources;
use super::{Action, Column, Edge, Origin, Picture, Row, RowOrder, frames, order};
use crate::explore::Execution;
use crate::graph::event::{Kind, NO_LOC};
use crate::graph::{Graph, Status};
use crate::ids::{EventId, SpanId, TagSetId, ThreadId};
use crate::litmus::Arch;
use crate::litmus::split::first_word;
use crate::program::thread::Frame;
use crate::program::{Half, Mark, Program, Start, Told};
use crate::verdict::picture::place::Place;
use rustc_hash::{FxHashMap, FxHashSet};

/// A picture, and the row of each event.
pub struct Drawn {
    /// The picture.
    pub picture: Picture,
    /// Rows by event.
    pub rows: FxHashMap<EventId, u32>,
}

/// The events of a picture in the order of its rows. Of an operation, what it is about is shown elsewhere.
pub(super) fn shown_events(graph: &Graph) -> (Vec<EventId>, RowOrder) {
    let (mut ids, order) = order::rows(graph);
    ids.retain(|&e| graph.event(e).kind != Kind::Mark || Mark::of(graph.event(e).size).told.is_end());
    (ids, order)
}

/// Draws an execution.
pub fn draw(execution: &Execution<'_, '_>, sources: &Sources) -> Drawn {
    let (graph, world) = (execution.graph, execution.world);
    let names = Names::new(world, graph);
    let (ids, order) = shown_events(graph);
    let rows: FxHashMap<EventId, u32> = ids.iter().enumerate().map(|(i, &e)| (e, i as u32)).collect();
    let mut picture = Picture { threads: columns(execution, &rows), order, ..Picture::default() };
    for &id in &ids {
        let event = graph.event(id);
        let (address, size) = if event.loc == NO_LOC { (0, 8) } else { world.locs.get(event.loc) };
        let location = (event.loc != NO_LOC).then(|| names.location_or_address(address, size));
        let (action, value) = match event.kind {
            Kind::Init | Kind::Write => (Action::Write, Some(names.value(event.value, size))),
            Kind::Read => (Action::Read, Some(names.value(event.value, size))),
            Kind::Fence => (Action::Fence, None),
            Kind::Choose => (Action::Choose, Some(names.value(event.value, 8))),
            Kind::Spawn => (Action::Create, Some(thread_name(execution, event.value))),
            Kind::Join => (Action::Join, Some(thread_name(execution, event.value))),
            Kind::Arrive => (Action::Arrive, Some(names.location_or_address(event.value, 0))),
            Kind::Depart => (Action::Depart, Some(names.location_or_address(event.value, 0))),
            Kind::Alloc(_) => (Action::Allocate, Some(names.location_or_address(event.value, 0))),
            Kind::Mark => {
                let mark = Mark::of(event.size);
                let action = if mark.told == Told::Call { Action::Call } else { Action::Return };
                (action, world.program.operations.get(mark.operation as usize).cloned())
            }
            Kind::Free => (Action::Free, Some(names.location_or_address(event.value, 0))),
        };
        let reads_from = (event.kind == Kind::Read && graph.contains(event.rf)).then(|| {
            let origin = rows.get(&event.rf).map_or(Origin::Initial, |&row| Origin::Event(row));
            if let (Origin::Event(from), Some(&to)) = (origin, rows.get(&id)) {
                picture.edges.push(Edge { from, to, name: "rf".into() });
            }
            origin
        });
        let frames = frames::of_event(world.program, event);
        // An operation is shown where it is called.
        let innermost = usize::from(event.kind == Kind::Mark && frames.len() > 1);
        let place = frames.get(innermost.max(frames::shown(&frames))).cloned();
        let source = place.as_ref().and_then(|p| line(p, sources)).unwrap_or_default();
        picture.events.push(Row {
            thread: event.thread.0,
            action,
            tags: world.program.tags_of(event.tags).map(str::to_owned).collect(),
            location,
            value,
            reads_from,
            atomic: event.half != Half::None,
            place,
            frames: if frames.len() > 1 { frames } else { Vec::new() },
            source: source.trim().to_owned(),
        });
    }
    locations(execution, &names, &rows, &mut picture);
    dependencies(execution, &rows, &mut picture);
    Drawn { picture, rows }
}

/// The source line of a place. Of a litmus test in assembly, whose threads stand side by side, the cell of the thread.
fn line(place: &Place, sources: &Sources) -> Option<String> {
    let line = sources.line(&place.file, place.line)?;
    let is_test = place.file.ends_with(".litmus") && line.contains('|');
    if !is_test || !has_columns(&sources.text(&place.file)?) {
        return Some(line);
    }
    // Columns count characters from 1.
    let at = line.char_indices().nth((place.column as usize).saturating_sub(1)).map_or(line.len(), |(at, _)| at);
    let start = line[..at].rfind('|').map_or(0, |bar| bar + 1);
    let end = line[at..].find(['|', ';']).map_or(line.len(), |length| at + length);
    Some(line[start..end].to_owned())
}

/// Whether the threads of a litmus test are columns: in all languages but C.
fn has_columns(text: &str) -> bool {
    Arch::from_header(&text[first_word(text)]).is_some_and(|arch| arch != Arch::C)
}

/// Dependencies; of control dependencies, which reach to the end of a thread, only the first event of each.
fn dependencies(execution: &Execution<'_, '_>, rows: &FxHashMap<EventId, u32>, picture: &mut Picture) {
    let (graph, deps) = (execution.graph, &execution.world.deps);
    let mut controlled: FxHashSet<u32> = FxHashSet::default();
    for &to in graph.lanes().iter().flat_map(|lane| &lane.order) {
        let event = graph.event(to);
        let by_value = if event.kind == Kind::Read { "casdep" } else { "data" };
        for (name, set) in [("addr", event.addr_deps), (by_value, event.data_deps), ("ctrl", event.ctrl_deps)] {
            for source in deps.get(set).iter() {
                let Some((&from, &to)) = rows.get(&EventId(source)).zip(rows.get(&to)) else { continue };
                if name != "ctrl" || controlled.insert(from) {
                    picture.dependencies.push(Edge { from, to, name: name.to_owned() });
                }
            }
        }
    }
}

/// Initial values and coherence.
fn locations(execution: &Execution<'_, '_>, names: &Names<'_>, rows: &FxHashMap<EventId, u32>, picture: &mut Picture) {
    let (graph, world) = (execution.graph, execution.world);
    for (loc, at) in graph.places() {
        if at.reads.is_empty() && at.co.len() < 2 || !graph.contains(at.init) {
            continue;
        }
        let (address, size) = world.locs.get(loc);
        let name = names.location_or_address(address, size);
        let init = graph.event(at.init);
        let value = if init.undefined { "undefined".to_owned() } else { names.value(init.value, size) };
        picture.initial.push((name.clone(), value));
        let writes: Vec<u32> = at.co.iter().filter_map(|w| rows.get(w).copied()).collect();
        if writes.len() > 1 {
            for pair in writes.windows(2) {
                picture.edges.push(Edge { from: pair[0], to: pair[1], name: "co".into() });
            }
            picture.coherence.push((name, writes));
        }
    }
    picture.initial.sort();
    picture.coherence.sort();
}

/// What a thread is called.
pub fn thread_name(execution: &Execution<'_, '_>, number: u64) -> String {
    match &execution.world.program.start {
        Start::Together(entries) => match entries.get(number as usize) {
            Some(entry) => entry.name.clone(),
            None => format!("T{number}"),
        },
        Start::Main(_) if number == 0 => "main".to_owned(),
        Start::Main(_) if is_recovery(execution, number) => "recovery".to_owned(),
        Start::Main(_) => format!("T{number}"),
    }
}

/// Whether a thread is what runs after a crash: of the threads of a program, it alone has tags.
fn is_recovery(execution: &Execution<'_, '_>, number: u64) -> bool {
    execution.graph.lanes().get(number as usize).is_some_and(|lane| lane.tags != TagSetId::default())
}

/// The function of `hmc/linux.h` in which threads begin: they are called by the one that it calls.
const BEGINS: &str = "hmc_begin";
/// What functions of C++'s library are called: a thread is the user's function that one of them calls.
const LIBRARY: &str = "std::";

fn columns(execution: &Execution<'_, '_>, rows: &FxHashMap<EventId, u32>) -> Vec<Column> {
    let (graph, program) = (execution.graph, execution.world.program);
    let column = |(t, lane): (usize, &crate::graph::Lane)| {
        let name = thread_name(execution, t as u64);
        let outermost = lane.thread.as_ref().and_then(|thread| thread.frames().last());
        let named = |f: &Frame| program.functions[f.func.index()].name.as_str();
        let mut function = outermost.map(named).unwrap_or_default();
        if function == BEGINS {
            let events = lane.order.iter().filter_map(|&e| graph.event(e).before.as_ref());
            let inner = events.flat_map(|thread| thread.frames().map(named).filter(|&name| name != BEGINS).last());
            function = inner.last().unwrap_or(function);
        } else if function.starts_with(LIBRARY) {
            let events = lane.order.iter().filter_map(|&e| graph.event(e).before.as_ref());
            let own = |&name: &&str| !name.starts_with(LIBRARY);
            function =
                events.filter_map(|thread| thread.frames().map(named).filter(own).last()).next().unwrap_or(function);
        }
        let function = function.to_owned();
        let failed = lane.thread.as_ref().and_then(|t| t.failed.as_ref());
        let after = failed.and_then(|f| rows.get(lane.order.get(f.events as usize)?));
        let end = match &lane.status {
            _ if after.is_some() => {
                let row = after.copied().unwrap_or_default();
                // A model may forbid what led there by what comes later.
                Some(format!("failed the assertion before e{row}, and is shown to its end"))
            }
            Status::Waiting(_) => Some("is still waiting".to_owned()),
            Status::Faulted(_) => Some("stopped with an error".to_owned()),
            Status::Cut => Some("was cut at the bound".to_owned()),
            _ => None,
        };
        Column { function: if function == name { String::new() } else { function }, name, end, fails: false }
    };
    // Threads that another execution has created are none of this one.
    let created = graph.lanes().iter().rposition(|lane| lane.status != Status::Absent).map_or(0, |last| last + 1);
    graph.lanes()[..created].iter().enumerate().map(column).collect()
}

/// Where a span is, for people.
pub fn place(program: &Program, span: SpanId) -> Option<Place> {
    let span = program.span(span);
    let file = program.files.get(span.file as usize)?;
    (span.line > 0).then(|| Place { file: file.clone(), line: span.line, column: span.column })
}

/// Where a thread stands: the innermost call that has a place, then its callers.
pub fn call_places(execution: &Execution<'_, '_>, thread: ThreadId) -> Vec<Place> {
    let program = execution.world.program;
    let lane = execution.graph.lanes().get(thread.index());
    let runner = match execution.last {
        Some(last) if thread.0 == 0 => Some(&last.thread),
        _ => lane.and_then(|l| l.thread.as_ref()),
    };
    let frames = runner.into_iter().flat_map(|t| t.frames());
    frames
        .filter_map(|f| {
            let spans = &program.functions[f.func.index()].spans;
            place(program, spans.get(f.pc as usize).copied().unwrap_or_default())
        })
        .collect()
}
