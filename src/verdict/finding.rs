//! What is wrong, in words.

use super::draw::{self, Drawn, call_places, thread_name};
use super::names::{Names, number};
use super::picture::Origin;
use super::result::Finding;
use super::sources::Sources;
use crate::explore::{Execution, Problem};
use crate::graph::Status;
use crate::ids::ThreadId;
use crate::program::fault::{BadAccess, Fault};

/// What is looked for in a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
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
}

impl Property {
    /// All, in the order in which they are documented.
    pub const ALL: [Property; 7] = [
        Property::Assertion,
        Property::Memory,
        Property::Arithmetic,
        Property::Threads,
        Property::Liveness,
        Property::Race,
        Property::Uninitialised,
    ];

    /// Those that are looked for when the user does not say.
    ///
    /// Not reads of memory that was never written: copying a structure with padding does that legally.
    pub const DEFAULT: [Property; 6] = [
        Property::Assertion,
        Property::Memory,
        Property::Arithmetic,
        Property::Threads,
        Property::Liveness,
        Property::Race,
    ];

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
            Fault::BadCall(_) | Fault::LocalBounds | Fault::Memory(..) | Fault::StackOverflow => Property::Memory,
        },
    }
}

/// Says what a problem is.
pub fn describe(execution: &Execution<'_, '_>, problem: &Problem, sources: &Sources) -> Finding {
    let Drawn { picture, .. } = draw::draw(execution, sources);
    let mut finding = Finding {
        kind: property(problem).name().to_owned(),
        message: String::new(),
        place: None,
        events: Vec::new(),
        notes: Vec::new(),
        execution: picture,
    };
    match problem {
        Problem::Fault(thread, span, fault) => {
            let calls = call_places(execution, *thread);
            finding.place = draw::place(execution.world.program, *span).or_else(|| calls.first().cloned());
            finding.message = fault_message(execution, fault);
            finding.notes.push(format!("in thread {}", thread_name(execution, u64::from(thread.0))));
            for call in calls.iter().skip(1) {
                finding.notes.push(format!("called from {}:{}", call.file, call.line));
            }
        }
        Problem::Stuck(threads) => stuck(execution, threads, &mut finding),
    }
    finding
}

fn stuck(execution: &Execution<'_, '_>, threads: &[ThreadId], finding: &mut Finding) {
    let spins =
        |t: &&ThreadId| matches!(execution.graph.lanes().get(t.index()).map(|l| &l.status), Some(Status::Waiting(_)));
    let name = |t: &ThreadId| thread_name(execution, u64::from(t.0));
    let spinning: Vec<String> = threads.iter().filter(spins).map(name).collect();
    finding.message = match spinning.as_slice() {
        [] => "threads wait for each other for ever".to_owned(),
        [one] => format!("thread {one} waits for ever: what it reads can no longer change"),
        several => format!("threads {} wait for ever: what they read can no longer change", several.join(", ")),
    };
    for thread in threads {
        let places = call_places(execution, *thread);
        if let Some(place) = places.first() {
            finding.notes.push(format!("{} waits at {}:{}", name(thread), place.file, place.line));
        }
        if finding.place.is_none() && (spinning.is_empty() || spins(&thread)) {
            finding.place = places.into_iter().next();
        }
    }
    let (rows, _) = super::order::rows(execution.graph);
    for &thread in threads {
        if let Some(Status::Waiting(reads)) = execution.graph.lanes().get(thread.index()).map(|l| &l.status) {
            let shown = reads.iter().filter_map(|r| rows.iter().position(|e| e == r));
            finding.events.extend(shown.map(|row| row as u32));
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
        Fault::LocalBounds => "access outside a local array".to_owned(),
        Fault::BadJoin(thread) => format!("join with {thread}, which is no thread that can be joined"),
        Fault::Unsupported(what) => format!("not supported: {what}"),
        Fault::StackOverflow => "calls are nested too deep".to_owned(),
        Fault::Memory(bad, address, size, write) => {
            let at = names.location_or_address(*address, *size);
            let access = if *write { "write" } else { "read" };
            match bad {
                BadAccess::Null => format!("{access} through a null pointer (address {address:#x})"),
                BadAccess::Wild => format!("{access} of {size} bytes at {address:#x}, where no object is"),
                BadAccess::OutOfBounds => format!("{access} of {size} bytes beyond the end of {at}"),
                BadAccess::Freed => format!("{access} of {at} after it was freed"),
                BadAccess::ReadOnly => format!("write to constant memory: {at}"),
                BadAccess::MixedSize => {
                    format!("not supported: {access} of {size} bytes at {at}, which is also accessed in another size")
                }
                BadAccess::NotAllocated => format!("free of {at}, which is not the start of allocated memory"),
                BadAccess::DoubleFree => format!("{at} is freed twice"),
            }
        }
    }
}

/// The first read of memory that was never written, if there is one.
pub fn uninitialised(execution: &Execution<'_, '_>, sources: &Sources) -> Option<Finding> {
    let graph = execution.graph;
    let undefined = |e: crate::ids::EventId| {
        let event = graph.event(e);
        event.kind == crate::graph::event::Kind::Read && graph.contains(event.rf) && graph.event(event.rf).undefined
    };
    graph.ids().find(|&e| undefined(e))?;
    let Drawn { picture, .. } = draw::draw(execution, sources);
    let undefined_rows = |row: &super::picture::Row| {
        row.reads_from == Some(Origin::Initial)
            && picture.initial.iter().any(|(name, value)| Some(name) == row.location.as_ref() && value == "undefined")
    };
    let row = picture.events.iter().position(undefined_rows)?;
    let event = &picture.events[row];
    Some(Finding {
        kind: Property::Uninitialised.name().to_owned(),
        message: format!("read of {}, which was never written", event.location.as_deref().unwrap_or("memory")),
        place: event.place.clone(),
        events: vec![row as u32],
        notes: Vec::new(),
        execution: picture,
    })
}
