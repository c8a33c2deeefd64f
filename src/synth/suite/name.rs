//! The names of tests: the classical one of the shape, then what each thread has between its accesses.

use crate::synth::programs::program::{Event, NO_ADDRESS, Program, Shape};
use crate::synth::programs::vocabulary::{Dependency, Kind, Vocabulary};

/// Classical shapes: reads and writes only. J. Alglave, L. Maranget, M. Tautschnig, "Herding cats", TOPLAS 36(2), 2014, table III, and its coherence tests.
const SHAPES: &[(&str, &str)] = &[
    ("CoWW", "Wx Wx"),
    ("CoRW1", "Rx Wx"),
    ("CoWR0", "Wx Rx"),
    ("CoRR", "Rx Rx | Wx"),
    ("CoRW2", "Rx Wx | Wx"),
    ("CoWR", "Wx Rx | Wx"),
    ("SB", "Wx Ry | Wy Rx"),
    ("MP", "Rx Ry | Wy Wx"),
    ("LB", "Rx Wy | Ry Wx"),
    ("S", "Rx Wy | Wy Wx"),
    ("R", "Wx Ry | Wy Wx"),
    ("2+2W", "Wx Wy | Wy Wx"),
    ("WRC", "Rx Ry | Ry Wx | Wy"),
    ("RWC", "Rx Ry | Wy Rx | Wx"),
    ("WWC", "Rx Wy | Ry Wx | Wx"),
    ("WRW+WR", "Rx Wy | Wy Rx | Wx"),
    ("WRW+2W", "Rx Wy | Wy Wx | Wx"),
    ("WRR+2W", "Rx Ry | Wy Wx | Wx"),
    ("3.SB", "Wx Ry | Wy Rz | Wz Rx"),
    ("3.LB", "Rx Wy | Ry Wz | Rz Wx"),
    ("3.2W", "Wx Wy | Wy Wz | Wz Wx"),
    ("ISA2", "Rx Wy | Ry Rz | Wz Wx"),
    ("Z6.0", "Rx Wy | Wy Rz | Wz Wx"),
    ("Z6.1", "Rx Wy | Wy Wz | Wz Wx"),
    ("Z6.2", "Rx Wy | Ry Wz | Wz Wx"),
    ("Z6.3", "Rx Ry | Wy Wz | Wz Wx"),
    ("Z6.4", "Wx Ry | Wy Rz | Wz Wx"),
    ("Z6.5", "Wx Ry | Wy Wz | Wz Wx"),
    ("W+RWC", "Rx Ry | Wy Rz | Wz Wx"),
    ("IRIW", "Rx Ry | Ry Rx | Wx | Wy"),
    ("IRRWIW", "Rx Ry | Ry Wx | Wx | Wy"),
    ("IRWIW", "Rx Wy | Ry Wx | Wx | Wy"),
];

/// Names for the programs of one vocabulary.
pub struct Names<'v> {
    vocabulary: &'v Vocabulary,
    shapes: Vec<(Program, &'static str)>,
}

impl<'v> Names<'v> {
    /// Prepares the classical shapes.
    pub fn new(vocabulary: &'v Vocabulary) -> Names<'v> {
        let shapes = SHAPES.iter().map(|(name, text)| (skeleton_of(text).canonical(), *name)).collect();
        Names { vocabulary, shapes }
    }

    /// The name of a program: the classical one of its shape, else its accesses; then the decorations of each thread.
    pub fn of(&self, program: &Program) -> String {
        let skeleton = self.skeleton(program);
        let canonical = skeleton.canonical();
        let classical = self.shapes.iter().find(|(shape, _)| *shape == canonical).map(|(_, name)| (*name).to_owned());
        let name = classical.unwrap_or_else(|| plain(&skeleton));
        let decorations: Vec<String> = program.threads.iter().filter_map(|thread| self.decoration(thread)).collect();
        let groups = program.groups.iter().map(|kind| kind.iter().map(|g| g.to_string()).collect::<String>());
        let mut parts: Vec<String> = if decorations.iter().all(|d| d == "po") { Vec::new() } else { decorations };
        parts.extend(groups.map(|kind| format!("g{kind}")));
        std::iter::once(name).chain(parts).collect::<Vec<_>>().join("+")
    }

    /// Reads and writes only; an update is both.
    fn skeleton(&self, program: &Program) -> Program {
        let access = |event: &Event| {
            let kind = self.vocabulary.token(event.token).kind;
            let own: &[u8] = match kind {
                Kind::Read => &[READ],
                Kind::Write => &[WRITE],
                Kind::Update => &[READ, WRITE],
                Kind::Fence => &[],
            };
            own.iter().map(|&token| Event { token, paired: false, address: event.address }).collect::<Vec<_>>()
        };
        let thread =
            |thread: &Shape| Shape { events: thread.events.iter().flat_map(access).collect(), depends: Vec::new() };
        Program { threads: program.threads.iter().map(thread).collect(), groups: Vec::new() }
    }

    /// What stands in a thread besides its accesses: fences, dependencies, orders. `po` where that is nothing, none where the thread is a single plain access.
    fn decoration(&self, thread: &Shape) -> Option<String> {
        let mut parts = Vec::new();
        for (i, event) in thread.events.iter().enumerate() {
            let token = self.vocabulary.token(event.token);
            if token.kind == Kind::Fence || token.name.len() > 1 && !(i > 0 && thread.events[i - 1].paired) {
                parts.push(token.name.to_lowercase().replace('*', "mw"));
            }
            for depends in thread.depends.iter().filter(|d| d.to as usize == i) {
                let kind = match depends.kind {
                    Dependency::Addr => "addr",
                    Dependency::Data => "data",
                    Dependency::Ctrl => "ctrl",
                };
                parts.push(kind.to_owned());
            }
        }
        match (parts.is_empty(), thread.events.len()) {
            (true, 1) => None,
            (true, _) => Some("po".to_owned()),
            (false, _) => Some(parts.join("-")),
        }
    }
}

const READ: u8 = 0;
const WRITE: u8 = 1;

/// A program of reads and writes, as [`SHAPES`] writes it.
fn skeleton_of(text: &str) -> Program {
    let event = |word: &str| {
        let token = if word.starts_with('R') { READ } else { WRITE };
        // `x`, `y`, `z` are numbers in this order.
        Event { token, paired: false, address: word.as_bytes()[1] - b'x' }
    };
    let thread = |text: &str| Shape { events: text.split_whitespace().map(event).collect(), depends: Vec::new() };
    Program { threads: text.split('|').map(thread).collect(), groups: Vec::new() }
}

/// The accesses of a program, as a name.
fn plain(skeleton: &Program) -> String {
    let thread = |thread: &Shape| -> String {
        let access = |event: &Event| {
            let kind = if event.token == READ { "R" } else { "W" };
            format!("{kind}{}", crate::synth::programs::program::address(event.address))
        };
        thread.events.iter().filter(|e| e.address != NO_ADDRESS).map(access).collect()
    };
    skeleton.threads.iter().map(thread).collect::<Vec<_>>().join("+")
}
