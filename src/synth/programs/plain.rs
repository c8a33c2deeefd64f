//! Programs and their executions without any cleverness: rows of events, all relaxed forms, all executions, as the plain evaluators take them.
//!
//! `hmc synth --verify` and the plain synthesiser of the tests are made of this; the search itself shares nothing with it but programs and vocabularies.

use super::program::{Event, NO_ADDRESS, Program};
use super::vocabulary::{Dependency, Kind, Relaxation, Vocabulary};
use crate::relation::candidate::{Candidate, Relation};
use std::collections::BTreeSet;

/// A program as events in a row: what is changed by relaxations.
#[derive(Clone, Debug)]
pub struct Row {
    events: Vec<Event>,
    thread: Vec<usize>,
    /// By kind, the group of each thread.
    groups: Vec<Vec<u8>>,
    alive: Vec<bool>,
    /// Read, dependent event, kind.
    depends: Vec<(usize, usize, Dependency)>,
    /// The dependencies as the program has them: where a control dependency begins.
    written: Vec<(usize, usize, Dependency)>,
    /// What was relaxed.
    pub how: String,
}

impl Row {
    /// A program as it is.
    pub fn of(program: &Program) -> Row {
        let mut row = Row {
            events: Vec::new(),
            thread: Vec::new(),
            groups: program.groups.clone(),
            alive: Vec::new(),
            depends: Vec::new(),
            written: Vec::new(),
            how: String::new(),
        };
        for (t, shape) in program.threads.iter().enumerate() {
            let first = row.events.len();
            for event in &shape.events {
                row.events.push(*event);
                row.thread.push(t);
                row.alive.push(true);
            }
            for d in &shape.depends {
                let (from, to) = (first + d.from as usize, first + d.to as usize);
                let last = if d.kind == Dependency::Ctrl { row.events.len() } else { to + 1 };
                row.depends.extend((to..last).map(|to| (from, to, d.kind)));
                row.written.push((from, to, d.kind));
            }
        }
        row
    }

    /// The program after each application of a relaxation.
    pub fn relaxed(&self, vocabulary: &Vocabulary, relaxations: &[Relaxation]) -> Vec<Row> {
        let mut all = Vec::new();
        for i in 0..self.events.len() {
            if i > 0 && self.events[i - 1].paired || vocabulary.closes(self.events[i].token) {
                continue;
            }
            let event = self.events[i];
            let token = vocabulary.token(event.token);
            let pair = if event.paired { vocabulary.pair(event.token, self.events[i + 1].token) } else { None };
            for relaxation in relaxations {
                let mut row = self.clone();
                row.how = format!("{} of event {i}", relaxation.tag());
                match relaxation {
                    Relaxation::Remove => {
                        for gone in self.together(vocabulary, i) {
                            row.alive[gone] = false;
                            let into: Vec<usize> = row.depends.iter().filter(|d| d.1 == gone).map(|d| d.0).collect();
                            let out: Vec<_> = row.depends.iter().copied().filter(|d| d.0 == gone).collect();
                            for &from in &into {
                                row.depends.extend(out.iter().map(|d| (from, d.1, d.2)));
                            }
                        }
                        all.push(row);
                    }
                    Relaxation::Decompose => {
                        if let Some(pair) = pair {
                            row.events[i].token = vocabulary.number(&pair.decomposed[0]);
                            row.events[i + 1].token = vocabulary.number(&pair.decomposed[1]);
                            row.events[i].paired = false;
                            all.push(row);
                        }
                    }
                    Relaxation::DemoteOrder | Relaxation::DemoteFence => {
                        let for_fences = *relaxation == Relaxation::DemoteFence;
                        if let (Some(pair), false) = (pair, for_fences) {
                            for [read, write] in &pair.weaker {
                                let mut row = row.clone();
                                row.events[i].token = vocabulary.number(read);
                                row.events[i + 1].token = vocabulary.number(write);
                                all.push(row);
                            }
                        } else if pair.is_none() && (token.kind == Kind::Fence) == for_fences {
                            for name in &token.weaker {
                                let mut row = row.clone();
                                row.events[i].token = vocabulary.number(name);
                                all.push(row);
                            }
                        }
                    }
                    Relaxation::RemoveDependencies => {
                        if row.depends.iter().any(|d| d.0 == i) {
                            row.depends.retain(|d| d.0 != i);
                            all.push(row);
                        }
                    }
                    Relaxation::DemoteScope => {
                        for name in &token.narrower {
                            let mut row = row.clone();
                            row.events[i].token = vocabulary.number(name);
                            all.push(row);
                        }
                    }
                    Relaxation::RemoveDependency => {
                        for &(from, to, kind) in self.written.iter().filter(|d| d.0 == i) {
                            let mut row = row.clone();
                            row.how += &format!(" on event {to}");
                            let goes = |d: &(usize, usize, Dependency)| match kind {
                                // A read has one branch at most.
                                Dependency::Ctrl => d.0 == from && d.2 == kind,
                                _ => *d == (from, to, kind),
                            };
                            row.depends.retain(|d| !goes(d));
                            all.push(row);
                        }
                    }
                }
            }
        }
        all
    }

    /// The events that are removed with one: the other half of a pair, what closes a bracket.
    fn together(&self, vocabulary: &Vocabulary, event: usize) -> Vec<usize> {
        let close = vocabulary.opens(self.events[event].token);
        let end = close.and_then(|c| (event..self.events.len()).find(|&e| self.events[e].token == c));
        let half = self.events[event].paired.then_some(event + 1);
        std::iter::once(event).chain(half).chain(end).collect()
    }

    fn addresses(&self) -> Vec<u8> {
        let all: BTreeSet<u8> = self.events.iter().map(|e| e.address).filter(|&a| a != NO_ADDRESS).collect();
        all.into_iter().collect()
    }

    /// An execution as a model sees it.
    pub fn candidate(&self, vocabulary: &Vocabulary, execution: &Execution) -> Candidate {
        let size = self.events.len();
        let addresses = self.addresses();
        let all = size + addresses.len();
        let alive = |e: usize| e >= size || self.alive[e];
        let place = |e: usize| if e < size { self.events[e].address } else { addresses[e - size] };
        let mut c = Candidate::default();
        let mut edges: Vec<(&str, usize, usize)> = Vec::new();
        for e in (0..all).filter(|&e| alive(e)) {
            c.universe.insert(e as u32);
            if place(e) != NO_ADDRESS {
                c.locations.insert(e as u32, u32::from(place(e)));
            }
            let mut names: Vec<&str> = Vec::new();
            match self.events.get(e).map(|event| vocabulary.token(event.token)) {
                None => names.extend(["M", "Exp", "W", "IW"]),
                Some(token) => {
                    let kinds: &[&str] = if token.kind == Kind::Fence { &["F"] } else { &["M", "Exp"] };
                    names.extend(kinds);
                    names.extend(token.kind.reads().then_some("R"));
                    names.extend(token.kind.writes().then_some("W"));
                    names.extend(token.tags.iter().map(String::as_str));
                }
            }
            for name in names {
                c.sets.entry(name.to_owned()).or_default().insert(e as u32);
            }
            for f in 0..all {
                let is_program = e < size && f < size;
                if is_program {
                    let same = |kind: &Vec<u8>| kind[self.thread[e]] == kind[self.thread[f]];
                    let scopes = vocabulary.scopes.iter().zip(&self.groups).filter(|(_, kind)| same(kind));
                    edges.extend(scopes.map(|(name, _)| (name.as_str(), e, f)));
                }
                if is_program && self.thread[e] == self.thread[f] {
                    edges.push(("int", e, f));
                    if e < f {
                        edges.push(("po", e, f));
                    }
                } else if e < size || f < size {
                    edges.push(("ext", e, f));
                }
                if place(e) != NO_ADDRESS && place(e) == place(f) {
                    edges.push(("loc", e, f));
                }
            }
            if place(e) != NO_ADDRESS {
                edges.extend([("si", e, e), ("sm", e, e)]);
            }
            if e < size {
                edges.push(("same-instance", e, e));
                if self.events[e].paired {
                    let pair = vocabulary.pair(self.events[e].token, self.events[e + 1].token);
                    edges.extend(pair.map(|pair| (pair.relation.as_str(), e, e + 1)));
                }
            }
        }
        for &(from, to, kind) in &self.depends {
            let name = match kind {
                Dependency::Addr => "addr",
                Dependency::Data => "data",
                Dependency::Ctrl => "ctrl",
            };
            edges.push((name, from, to));
        }
        edges.extend(execution.rf.iter().map(|&(read, w)| ("rf", w, read)));
        for (i, order) in execution.co.iter().enumerate() {
            let whole: Vec<usize> = [size + i].into_iter().chain(order.iter().copied()).collect();
            for a in 0..whole.len() {
                edges.extend((a + 1..whole.len()).map(|b| ("co", whole[a], whole[b])));
            }
        }
        for (name, from, to) in edges.into_iter().filter(|&(_, a, b)| alive(a) && alive(b)) {
            c.relations.entry(name.to_owned()).or_insert_with(Relation::new).insert((from as u32, to as u32));
        }
        c
    }

    /// Every source of every read and every order of writes that are alive.
    pub fn executions(&self, vocabulary: &Vocabulary) -> Vec<Execution> {
        let size = self.events.len();
        let kind = |e: usize| vocabulary.token(self.events[e].token).kind;
        let mut all = vec![Execution { rf: Vec::new(), co: Vec::new() }];
        for (i, &address) in self.addresses().iter().enumerate() {
            let here = |e: &usize| self.alive[*e] && self.events[*e].address == address;
            let writes: Vec<usize> = (0..size).filter(here).filter(|&e| kind(e).writes()).collect();
            let reads: Vec<usize> = (0..size).filter(here).filter(|&e| kind(e).reads()).collect();
            let mut longer = Vec::new();
            for execution in &all {
                for order in orders(&writes) {
                    let mut execution = execution.clone();
                    execution.co.push(order);
                    longer.push(execution);
                }
            }
            all = longer;
            for read in reads {
                let sources = writes.iter().copied().filter(|&w| w != read).chain([size + i]);
                let sources: Vec<usize> = sources.collect();
                all = all
                    .iter()
                    .flat_map(|x| {
                        sources.iter().map(|&w| {
                            let mut x = x.clone();
                            x.rf.push((read, w));
                            x
                        })
                    })
                    .collect();
            }
        }
        all
    }
}

/// Where reads read from, and in which order writes are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Execution {
    /// Reads with their sources.
    pub rf: Vec<(usize, usize)>,
    /// By address.
    pub co: Vec<Vec<usize>>,
}

impl Execution {
    /// Whether an execution of a relaxed program agrees with the outcome of this one on what is left.
    pub fn agrees(&self, relaxed: &Execution, row: &Row) -> bool {
        let size = row.events.len();
        let alive = |e: usize| e >= size || row.alive[e];
        let reads = self.rf.iter().all(|&(read, w)| !alive(read) || !alive(w) || relaxed.rf.contains(&(read, w)));
        let finals = self.co.iter().zip(&relaxed.co).all(|(ours, theirs)| match ours.last() {
            Some(&last) if alive(last) => theirs.last() == Some(&last),
            _ => true,
        });
        reads && finals
    }

    /// The same execution, without what is not alive.
    pub fn restricted(&self, row: &Row) -> Execution {
        let size = row.events.len();
        let alive = |e: &usize| *e >= size || row.alive[*e];
        Execution {
            rf: self.rf.iter().copied().filter(|(read, w)| alive(read) && alive(w)).collect(),
            co: self.co.iter().map(|order| order.iter().copied().filter(alive).collect()).collect(),
        }
    }
}

/// All orders of some elements.
pub fn orders(elements: &[usize]) -> Vec<Vec<usize>> {
    if elements.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (i, &first) in elements.iter().enumerate() {
        let rest: Vec<usize> = elements.iter().enumerate().filter(|(j, _)| *j != i).map(|(_, &e)| e).collect();
        all.extend(orders(&rest).into_iter().map(|order| [first].into_iter().chain(order).collect()));
    }
    all
}
