//! Outcomes of a program: the values of its variables at the end, and those that it shows with `hmc_observe`.

use super::picture::names::Names;
use crate::explore::Execution;
use crate::graph::event::Kind;
use crate::program::{Program, Shown, THREAD_LOCAL_STRIDE, Variable};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// What of a program is observed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Observe {
    /// What it shows with `hmc_observe`.
    #[default]
    Shown,
    /// That, and these variables.
    Named(Vec<String>),
    /// That, and every variable that other files may name: what a compiler has to keep.
    All,
}

/// The values at the end of one execution, by what has them.
pub type Outcome = BTreeMap<String, String>;

/// A number in memory.
#[derive(Clone, Debug)]
struct Cell {
    name: String,
    address: u64,
    size: u8,
    is_pointer: bool,
}

/// Adds up the outcomes of a program.
#[derive(Clone, Debug)]
pub struct Outcomes {
    cells: Arc<[Cell]>,
    shown: Arc<[Shown]>,
    /// The outcomes seen so far.
    pub seen: BTreeSet<Outcome>,
    /// Those that surprise nobody, if somebody wants to know of others.
    known: Option<Arc<BTreeSet<String>>>,
}

/// Bytes of a word.
const WORD: u64 = 8;

impl Outcomes {
    /// Those of a program, none of which was seen yet. Nothing when nothing is observed; the names that are no variable of the program, if there are such.
    pub fn of(program: &Program, observe: &Observe) -> Result<Option<Outcomes>, Vec<String>> {
        let name = |variable: &Variable| &program.objects[variable.object as usize].name;
        let variables: Vec<&Variable> = match observe {
            Observe::Shown => Vec::new(),
            Observe::All => program.variables.iter().filter(|variable| variable.external).collect(),
            Observe::Named(names) => {
                let unknown = |wanted: &&String| !program.variables.iter().any(|variable| name(variable) == *wanted);
                let unknown: Vec<String> = names.iter().filter(unknown).cloned().collect();
                if !unknown.is_empty() {
                    return Err(unknown);
                }
                program.variables.iter().filter(|variable| names.contains(name(variable))).collect()
            }
        };
        let cells: Vec<Cell> = variables.into_iter().flat_map(|variable| cells(program, variable)).collect();
        if cells.is_empty() && program.shown.is_empty() && *observe == Observe::Shown {
            return Ok(None);
        }
        let (cells, shown) = (cells.into(), program.shown.clone().into());
        Ok(Some(Outcomes { cells, shown, seen: BTreeSet::new(), known: None }))
    }

    /// The same, which tells of outcomes that are not known.
    #[must_use]
    pub fn knowing(mut self, known: Option<Arc<BTreeSet<String>>>) -> Outcomes {
        self.known = known;
        self
    }

    /// Addresses and sizes of what is looked at in the end.
    pub fn memory(&self) -> Arc<[(u64, u64)]> {
        self.cells.iter().map(|cell| (cell.address, u64::from(cell.size))).collect()
    }

    /// Whether outcomes tell threads apart.
    pub fn tells_threads_apart(&self) -> bool {
        !self.shown.is_empty()
    }

    /// Adds the outcome of a complete execution. Whether it surprises.
    pub fn see(&mut self, execution: &Execution<'_, '_>) -> bool {
        let mut names = None;
        let mut text = |value: u64, size: u8, is_pointer: bool| {
            let named = match is_pointer && value != 0 {
                true => {
                    let names = names.get_or_insert_with(|| Names::new(execution.world, execution.graph));
                    names.pointer(value).map(|name| format!("&{name}"))
                }
                false => None,
            };
            named.unwrap_or_else(|| signed(value, size).to_string())
        };
        let mut outcome = Outcome::new();
        for cell in self.cells.iter() {
            let value = execution.last_value(cell.address, cell.size);
            outcome.insert(cell.name.clone(), text(value, cell.size, cell.is_pointer));
        }
        for thread in 0..execution.graph.lanes().len() {
            for shown in self.shown.iter() {
                let value = |word: u64| own(execution, thread, shown.address + WORD * word);
                if value(0) == 0 {
                    continue;
                }
                let values: Vec<String> =
                    (1..=u64::from(shown.values)).map(|i| text(value(i), WORD as u8, false)).collect();
                outcome.insert(format!("{} by T{thread}", shown.name), values.join(","));
            }
        }
        let surprises = |known: &Arc<BTreeSet<String>>| !known.contains(&line(&outcome));
        let surprises = self.known.as_ref().is_some_and(surprises);
        self.seen.insert(outcome);
        surprises
    }

    /// The same, of which nothing was seen.
    pub fn fresh(&self) -> Outcomes {
        Outcomes { seen: BTreeSet::new(), ..self.clone() }
    }

    /// Adds those of another one.
    pub fn add(&mut self, other: Outcomes) {
        self.seen.extend(other.seen);
    }
}

/// An outcome as a line.
pub fn line(outcome: &Outcome) -> String {
    outcome.iter().map(|(name, value)| format!("{name}={value};")).collect::<Vec<_>>().join(" ")
}

fn cells<'p>(program: &'p Program, variable: &'p Variable) -> impl Iterator<Item = Cell> + 'p {
    let object = &program.objects[variable.object as usize];
    object.cells.iter().map(move |cell| Cell {
        name: format!("{}{}", object.name, cell.path),
        address: object.address + cell.offset,
        size: cell.size,
        is_pointer: variable.pointers.contains(&cell.offset),
    })
}

/// The last word that a thread has written to its own instance of thread-local memory.
fn own(execution: &Execution<'_, '_>, thread: usize, address: u64) -> u64 {
    let (graph, world) = (execution.graph, execution.world);
    let address = address + (thread as u64 + 1) * THREAD_LOCAL_STRIDE;
    let is_first = thread == 0;
    if let Some(solo) = execution.last.filter(|_| is_first) {
        return solo.memory.read(address, WORD as u8).value;
    }
    let loc = world.locs.find(address, WORD as u8);
    let events = graph.lanes()[thread].order.iter().rev().map(|&e| graph.event(e));
    let written = loc.and_then(|loc| events.filter(|e| e.loc == loc).find(|e| matches!(e.kind, Kind::Write)));
    match written {
        Some(write) => write.value,
        // What `main` wrote before it created a thread is the initial state.
        None if is_first => world.memory.read(address, WORD as u8).value,
        None => 0,
    }
}

/// A number as a signed one of its size.
fn signed(value: u64, size: u8) -> i64 {
    let unused = 64 - 8 * u32::from(size.clamp(1, 8));
    ((value << unused) as i64) >> unused
}
