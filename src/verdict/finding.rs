//! What is wrong, in words.

use super::picture::draw::{self, Drawn, call_places, thread_name};
use super::picture::frames;
use super::picture::names::{Names, number};
use super::picture::sources::Sources;
use super::reasons::waiting;
use super::result::Finding;
use crate::explore::{Execution, Problem};
use crate::graph::Status;
use crate::graph::event::{Event, Kind, NO_LOC};
use crate::graph::pairs::is_part_of;
use crate::ids::{EventId, ThreadId};
use crate::program::fault::{BadAccess, Fault};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// What is looked for in a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash, Serialize, Deserialize)]
pub enum Property {
    /// Failed assertions, `abort`, code that must not be reached.
    Assertion,
    /// Accesses to memory that may not be accessed.
    Memory,
    /// Division by zero.
    Arithmetic,
    /// Threads joined that cannot be.
    Threads,
    /// Threads that wait for ever.
    Liveness,
    /// Races and undefined behaviour, as the model defines them.
    Race,
    /// Reads of memory that was never written.
    Uninitialised,
    /// Locks, barriers and the like used as they must not be.
    Locks,
    /// Signed arithmetic that does not fit.
    Overflow,
    /// Ending with another code than 0.
    ExitCode,
    /// Calls that no sequential order explains.
    Linearizability,
    /// Errors of the recovery after a crash.
    Crash,
}

impl Property {
    /// All, in the order in which they are documented.
    pub const ALL: [Property; 12] = [
        Property::Assertion,
        Property::Memory,
        Property::Arithmetic,
        Property::Threads,
        Property::Liveness,
        Property::Race,
        Property::Uninitialised,
        Property::Locks,
        Property::Overflow,
        Property::ExitCode,
        Property::Linearizability,
        Property::Crash,
    ];

    /// Those that are looked for when the user does not say: all but overflow, which much code relies on to wrap around.
    ///
    /// Copying memory that was never written is not a finding (structures have padding), only reading it otherwise is.
    pub fn usual() -> Vec<Property> {
        Property::ALL.into_iter().filter(|p| *p != Property::Overflow).collect()
    }

    /// On the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Property::Assertion => "assertion",
            Property::Memory => "memory",
            Property::Arithmetic => "arithmetic",
            Property::Threads => "threads",
            Property::Liveness => "liveness",
            Property::Race => "race",
            Property::Uninitialised => "uninitialised",
            Property::Locks => "locks",
            Property::Overflow => "overflow",
            Property::ExitCode => "exit-code",
            Property::Linearizability => "linearizability",
            Property::Crash => "crash",
        }
    }

    /// In a few words.
    pub fn title(self) -> &'static str {
        match self {
            Property::Assertion => "failed assertion, abort, or unreachable code reached",
            Property::Memory => "access to memory that may not be accessed",
            Property::Arithmetic => "division by zero or overflowing division",
            Property::Threads => "misuse of a thread",
            Property::Liveness => "threads wait for ever",
            Property::Race => "data race or undefined behaviour, as the model defines it",
            Property::Uninitialised => "read of memory that was never written",
            Property::Locks => "misuse of a lock, barrier or condition variable",
            Property::Overflow => "signed arithmetic that overflows",
            Property::ExitCode => "the program ends with another exit code than 0",
            Property::Linearizability => "calls whose results no order of them explains (with --linearizable)",
            Property::Crash => "error of the recovery after a crash",
        }
    }
}

/// The property that a problem violates.
pub fn property(problem: &Problem) -> Property {
    match problem {
        Problem::Stuck(_) => Property::Liveness,
        Problem::Fault(_, _, fault) => match fault {
            Fault::Assertion(_) | Fault::Unsupported(_) => Property::Assertion,
            Fault::Division => Property::Arithmetic,
            Fault::BadJoin(_) => Property::Threads,
            Fault::Overflow(_) => Property::Overflow,
            Fault::Lock(_) => Property::Locks,
            Fault::ExitCode => Property::ExitCode,
            Fault::Uninitialised(_) => Property::Uninitialised,
            Fault::BadCall(_)
            | Fault::LocalBounds
            | Fault::LocalOverrun(_)
            | Fault::Memory(..)
            | Fault::StackOverflow => Property::Memory,
        },
    }
}

/// Says what a problem is.
pub fn describe(execution: &Execution<'_, '_>, problem: &Problem, sources: &Sources) -> Finding {
    let Drawn { picture, rows } = draw::draw(execution, sources);
    let mut finding = Finding {
        kind: property(problem).name().to_owned(),
        message: String::new(),
        place: None,
        events: Vec::new(),
        notes: Vec::new(),
        orders: None,
        calls: None,
        execution: picture,
    };
    match problem {
        Problem::Fault(thread, span, fault) => {
            // What a thread does alone at the very end has no events, and may depend on all.
            if let (None, Some(column)) = (execution.last, finding.execution.threads.get_mut(thread.index())) {
                column.fails = true;
            }
            let calls = call_places(execution, *thread);
            let mut chain = frames::inlined(execution.world.program, *span);
            chain.extend(calls.iter().skip(usize::from(!chain.is_empty())).cloned());
            finding.place = chain.get(frames::shown(&chain)).cloned();
            finding.message = fault_message(execution, fault);
            finding.notes.push(format!("in thread {}", thread_name(execution, u64::from(thread.0))));
            for call in calls[..frames::without_callers(&calls)].iter().skip(1) {
                finding.notes.push(format!("called from {}:{}", call.file, call.line));
            }
        }
        Problem::Stuck(threads) => stuck(execution, threads, &rows, &mut finding),
    }
    finding
}

fn stuck(execution: &Execution<'_, '_>, threads: &[ThreadId], rows: &FxHashMap<EventId, u32>, finding: &mut Finding) {
    let spins =
        |t: &&ThreadId| matches!(execution.graph.lanes().get(t.index()).map(|l| &l.status), Some(Status::Waiting(_)));
    let name = |t: &ThreadId| thread_name(execution, u64::from(t.0));
    let spinning: Vec<String> = threads.iter().filter(spins).map(name).collect();
    finding.message = match spinning.as_slice() {
        [] if threads.len() == 1 => format!("thread {} waits for ever", name(&threads[0])),
        [] => "threads wait for each other for ever".to_owned(),
        [one] => format!("thread {one} waits for ever: what it reads can no longer change"),
        several => format!("threads {} wait for ever: what they read can no longer change", several.join(", ")),
    };
    let rounds: Vec<_> = threads
        .iter()
        .filter_map(|&t| Some((thread_name(execution, u64::from(t.0)), waiting::round(execution, t)?)))
        .collect();
    if rounds.len() >= spinning.len() {
        match rounds.as_slice() {
            [] => {}
            [(one, round)] => {
                finding.message = format!("thread {one} never ends: it goes round a loop {}", round.words())
            }
            several => {
                let names: Vec<&str> = several.iter().map(|(name, _)| name.as_str()).collect();
                finding.message =
                    format!("threads {} never end: they go round loops that nothing ends", names.join(", "));
            }
        }
    }
    if let Some(circle) = waiting::circle(execution, threads) {
        let names: Vec<String> = circle.iter().chain(circle.first()).map(name).collect();
        finding.message = match names.as_slice() {
            [one, _] => format!("deadlock: {one} waits for itself"),
            [first, rest @ ..] => format!("deadlock: {first} waits for {}", rest.join(", which waits for ")),
            [] => finding.message.clone(),
        };
    }
    for thread in threads {
        if let Some(column) = finding.execution.threads.get_mut(thread.index()).filter(|_| spins(&thread)) {
            let goes_round = waiting::round(execution, *thread).is_some();
            column.end = Some(if goes_round { "goes round for ever" } else { "waits for ever" }.to_owned());
        }
        let places = call_places(execution, *thread);
        if !places.is_empty() {
            finding.notes.push(waiting::sentence(execution, *thread, rows));
        }
        if finding.place.is_none() && (spinning.is_empty() || spins(&thread)) {
            finding.place = places.into_iter().next();
        }
    }
    for &thread in threads {
        if let Some(Status::Waiting(reads)) = execution.graph.lanes().get(thread.index()).map(|l| &l.status) {
            finding.events.extend(reads.iter().filter_map(|r| rows.get(r).copied()));
        }
    }
}

/// One sentence for an error of a thread.
pub fn fault_message(execution: &Execution<'_, '_>, fault: &Fault) -> String {
    let names = Names::new(execution.world, execution.graph);
    match fault {
        Fault::Assertion(message) => message.clone(),
        Fault::Division => "division by zero, or signed division that overflows".to_owned(),
        Fault::BadCall(value) => format!("call through {}, which is no function", number(*value, 8)),
        Fault::ExitCode => "the program ends with another exit code than 0".to_owned(),
        Fault::Overflow(what) | Fault::Lock(what) => (*what).to_owned(),
        Fault::LocalBounds => "access outside a local array".to_owned(),
        Fault::LocalOverrun(name) => format!("access beyond the end of {name}"),
        Fault::Uninitialised(name) => format!("read of {name}, which was never written"),
        Fault::BadJoin(u64::MAX) => "join with 0, which is no thread".to_owned(),
        Fault::BadJoin(thread) => format!("join with {thread}, which is no thread that can be joined"),
        // Some reasons say so themselves.
        Fault::Unsupported(what) if what.contains("not supported") => what.to_string(),
        Fault::Unsupported(what) => format!("not supported: {what}"),
        Fault::StackOverflow => "calls are nested too deep".to_owned(),
        Fault::Memory(bad, address, size, write) => {
            let at = names.location_or_address(*address, *size);
            let access = if *write { "write" } else { "read" };
            match bad {
                BadAccess::Null => format!("{access} through a null pointer (address {address:#x})"),
                BadAccess::Wild => {
                    let behind =
                        names.ending_at(*address).map_or_else(String::new, |name| format!(": {name} ends there"));
                    format!("{access} of {size} bytes at {address:#x}, where no object is{behind}")
                }
                BadAccess::OutOfBounds => format!("{access} of {size} bytes beyond the end of {at}"),
                BadAccess::Freed => format!("{access} of {at} after it was freed"),
                BadAccess::Returned => format!("{access} of {at} after its function has returned"),
                BadAccess::Misaligned => {
                    format!(
                        "{access} of {size} bytes at {at} (address {address:#x}), which is not a multiple of {size}"
                    )
                }
                BadAccess::ReadOnly => format!("write to constant memory: {at}"),
                BadAccess::MixedSize => {
                    let other = other_size(execution, *address, *size);
                    let how = other.unwrap_or_else(|| "in another size".to_owned());
                    format!("not supported: {access} of {size} bytes at {at}, which is also accessed {how}")
                }
                BadAccess::NotAllocated => format!("free of {at}, which is not the start of allocated memory"),
                BadAccess::DoubleFree => format!("{at} is freed twice"),
            }
        }
    }
}

/// The size and the place of an access to the same memory that has another size.
fn other_size(execution: &Execution<'_, '_>, address: u64, size: u8) -> Option<String> {
    let (graph, world) = (execution.graph, execution.world);
    let overlaps = |(other, bytes): (u64, u8)| {
        (other, bytes) != (address, size)
            && other < address + u64::from(size)
            && address < other.saturating_add(u64::from(bytes))
    };
    graph.ids().map(|e| graph.event(e)).filter(|e| e.loc != NO_LOC).find_map(|event| {
        let at = world.locs.get(event.loc);
        let place = draw::place(world.program, event.span).filter(|_| overlaps(at))?;
        Some(format!("with {} bytes at {}:{}", at.1, place.file, place.line))
    })
}

/// The first read of memory that was never written, if there is one.
pub fn uninitialised(execution: &Execution<'_, '_>, sources: &Sources) -> Option<Finding> {
    let graph = execution.graph;
    let reads_undefined = |event: &Event| graph.contains(event.rf) && graph.event(event.rf).undefined;
    let undefined = |e: &crate::ids::EventId| {
        let event = graph.event(*e);
        // Of an access that is made of parts, some may be defined.
        let mut parts =
            graph.ids().map(|e| graph.event(e)).filter(|other| other.kind == Kind::Read && is_part_of(event, other));
        event.kind == Kind::Read
            && reads_undefined(event)
            && (event.access == 0 || parts.all(reads_undefined))
            && super::memory::misuse::operation(execution, event).is_none()
    };
    let read = graph.ids().find(undefined);
    let (world, last) = (execution.world, execution.last);
    let alone = world.undefined.or_else(|| last.and_then(|l| l.undefined));
    let (address, size, span) = match read {
        Some(read) => {
            let event = graph.event(read);
            let (address, size) = world.locs.get(event.loc);
            (address, size, event.span)
        }
        None => alone?,
    };
    let Drawn { picture, rows } = draw::draw(execution, sources);
    let name = Names::new(world, graph).location_or_address(address, size);
    Some(Finding {
        kind: Property::Uninitialised.name().to_owned(),
        message: format!("read of {name}, which was never written"),
        place: draw::place(world.program, span),
        events: read.and_then(|r| rows.get(&r).copied()).into_iter().collect(),
        notes: Vec::new(),
        orders: None,
        calls: None,
        execution: picture,
    })
}

/// Shows a finding where its events are shown, if it stands at one of them.
pub fn move_out(finding: &mut Finding) {
    let Some(place) = &finding.place else { return };
    let own = finding.events.iter().filter_map(|&e| finding.execution.events.get(e as usize));
    let all = own.chain(&finding.execution.events);
    let row = all.into_iter().find(|row| row.frames.first() == Some(place));
    if let Some(outer) = row.and_then(|row| row.place.clone()) {
        finding.place = Some(outer);
    }
}
