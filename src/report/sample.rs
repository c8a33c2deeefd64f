//! Results made by hand, for the tests of the output forms.

use crate::verdict::picture::{Action, Column, Edge, Origin, Picture, Row, RowOrder};
use crate::verdict::{Executions, FileResult, Finding, Place, Sources, Verdict};

/// The source that the samples are about.
pub const SOURCE: &str = "int x;\natomic_int y;\nvoid *writer(void *p) {\n  x = 1;\n  atomic_store(&y, 1);\n}\nvoid *reader(void *p) {\n  if (atomic_load(&y))\n    assert(x == 1 && \"<seen> & wrong\");\n}\n";

/// The file that [`SOURCE`] is.
pub fn sources() -> Sources {
    let sources = Sources::default();
    sources.insert("mp.c", SOURCE);
    sources
}

fn place(line: u32, column: u32) -> Option<Place> {
    Some(Place { file: "mp.c".into(), line, column })
}

fn row(thread: u32, action: Action, location: &str, value: &str, line: u32) -> Row {
    Row {
        thread,
        action,
        tags: if location == "y" { vec!["SC".into()] } else { Vec::new() },
        location: Some(location.into()),
        value: Some(value.into()),
        reads_from: None,
        atomic: false,
        place: place(line, 3),
        frames: Vec::new(),
        source: SOURCE.lines().nth(line as usize - 1).unwrap_or_default().trim().into(),
    }
}

/// Message passing gone wrong.
pub fn picture() -> Picture {
    let column =
        |name: &str, function: &str| Column { name: name.into(), function: function.into(), end: None, fails: false };
    let mut events = vec![
        row(0, Action::Write, "x", "1", 4),
        row(0, Action::Write, "y", "1", 5),
        row(1, Action::Read, "y", "1", 8),
        row(1, Action::Read, "x", "0", 9),
    ];
    events[2].reads_from = Some(Origin::Event(1));
    events[3].reads_from = Some(Origin::Initial);
    let edge = |from, to, name: &str| Edge { from, to, name: name.into() };
    Picture {
        threads: vec![column("T1", "writer"), column("T2", "reader")],
        events,
        order: RowOrder::Causal,
        initial: vec![("x".into(), "0".into()), ("y".into(), "0".into())],
        coherence: Vec::new(),
        edges: vec![edge(1, 2, "rf"), edge(0, 3, "race")],
        dependencies: vec![edge(2, 3, "ctrl")],
        related: Vec::new(),
    }
}

/// A violated program.
pub fn violated() -> FileResult {
    let mut result = FileResult::new("mp.c", "weak");
    result.verdict = Verdict::Violated;
    result.model_sha256 = "00".repeat(32);
    result.executions = Executions { complete: 2, ..Executions::default() };
    result.seconds = 0.25;
    result.events_max = 6;
    result.violation = Some(Finding {
        kind: "assertion".into(),
        message: "assertion failed: x == 1 && \"<seen> & wrong\"".into(),
        place: place(9, 5),
        events: vec![],
        notes: vec!["in thread T2".into()],
        orders: None,
        calls: None,
        execution: picture(),
    });
    result
}

/// A litmus test.
pub fn litmus() -> FileResult {
    let mut result = FileResult::new("SB.litmus", "weak");
    result.name = "SB".into();
    result.arch = Some("X86".into());
    result.kind = Some("Allowed".into());
    result.observation = Some("Sometimes".into());
    (result.positive, result.negative) = (Some(1), Some(3));
    result.states = vec!["0:EAX=0; 1:EAX=0;".into()];
    result.executions.complete = 4;
    result
}

/// A file that is not there.
pub fn missing() -> FileResult {
    let message = crate::verdict::Message {
        code: "hmc::file-missing".into(),
        message: "there is no file gone.c".into(),
        ..Default::default()
    };
    FileResult::new("gone.c", "strong").failed(vec![message], Verdict::Error)
}
