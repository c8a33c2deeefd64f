//! A synthesiser without any cleverness: every sequence of events, every way to cut it into threads, every choice of addresses and dependencies; every
//! execution, judged by the plain evaluator; minimality word for word.

use hmc::algebra::{Model, Role, naive};
use hmc::kernel::candidate::{Candidate, Relation};
use hmc::synth::minimal::Minimality;
use hmc::synth::program::{Depends, Event, NO_ADDRESS, Program, Shape};
use hmc::synth::vocabulary::{Dependency, Kind, Relaxation, Vocabulary};
use std::collections::BTreeSet;

/// The least text over all orders of threads and names of addresses.
pub fn normal(program: &Program) -> String {
    let mut best: Option<String> = None;
    for order in orders(&(0..program.threads.len()).collect::<Vec<_>>()) {
        let mut known: Vec<u8> = Vec::new();
        let mut text = String::new();
        for &t in &order {
            for event in &program.threads[t].events {
                let name = match event.address {
                    NO_ADDRESS => NO_ADDRESS,
                    address => match known.iter().position(|&k| k == address) {
                        Some(at) => at as u8,
                        None => {
                            known.push(address);
                            known.len() as u8 - 1
                        }
                    },
                };
                text += &format!("{}{}{} ", event.token, if event.paired { "*" } else { "" }, name);
            }
            text += &format!("{:?} | ", program.threads[t].depends);
        }
        if best.as_ref().is_none_or(|best| text < *best) {
            best = Some(text);
        }
    }
    best.unwrap_or_default()
}

/// The normal forms of all programs of 2 to `size` events with a minimal outcome.
pub fn suite(model: &Model, vocabulary: &Vocabulary, size: usize, minimality: Minimality) -> Vec<String> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for n in 2..=size {
        for program in programs(vocabulary, n) {
            if seen.insert(normal(&program)) && has_minimal(model, vocabulary, &program, minimality) {
                found.insert(normal(&program));
            }
        }
    }
    found.into_iter().collect()
}

fn programs(vocabulary: &Vocabulary, size: usize) -> Vec<Program> {
    let mut all = Vec::new();
    for cuts in 0..1u32 << (size - 1) {
        let mut sequences: Vec<Vec<Event>> = vec![Vec::new()];
        while sequences.iter().any(|s| s.len() < size) {
            let mut longer = Vec::new();
            for sequence in sequences {
                if sequence.len() >= size {
                    longer.push(sequence);
                    continue;
                }
                for (number, token) in vocabulary.tokens.iter().enumerate().filter(|(_, t)| t.alone) {
                    let addresses =
                        if token.kind == Kind::Fence { vec![NO_ADDRESS] } else { (0..size as u8).collect() };
                    for address in addresses {
                        let event = Event { token: number as u8, paired: false, address };
                        longer.push(sequence.iter().copied().chain([event]).collect());
                    }
                }
                for pair in &vocabulary.pairs {
                    for address in 0..size as u8 {
                        let read = Event { token: vocabulary.number(&pair.read), paired: true, address };
                        let write = Event { token: vocabulary.number(&pair.write), paired: false, address };
                        longer.push(sequence.iter().copied().chain([read, write]).collect());
                    }
                }
            }
            sequences = longer;
        }
        for sequence in sequences.into_iter().filter(|s| s.len() == size) {
            let mut threads: Vec<Vec<Event>> = vec![Vec::new()];
            for (i, event) in sequence.iter().enumerate() {
                threads.last_mut().expect("there is one").push(*event);
                if i + 1 < size && cuts >> i & 1 == 1 {
                    threads.push(Vec::new());
                }
            }
            if is_in_bounds(vocabulary, &threads) {
                all.extend(with_dependencies(vocabulary, &threads));
            }
        }
    }
    all
}

/// The bounds of the search space, by definition.
fn is_in_bounds(vocabulary: &Vocabulary, threads: &[Vec<Event>]) -> bool {
    let events: Vec<Event> = threads.iter().flatten().copied().collect();
    let addresses: BTreeSet<u8> = events.iter().map(|e| e.address).filter(|&a| a != NO_ADDRESS).collect();
    // Names by number, without gaps: others are the same program.
    let named = addresses.iter().copied().eq(0..addresses.len() as u8);
    let shared = addresses.iter().all(|&a| {
        let at = || events.iter().filter(|e| e.address == a);
        at().count() >= 2 && at().any(|e| vocabulary.token(e.token).kind.writes())
    });
    let is_fence = |e: &Event| e.address == NO_ADDRESS;
    let fenced = threads.iter().all(|thread| {
        let ends = [thread.first(), thread.last()];
        ends.iter().flatten().all(|e| !is_fence(e)) && thread.windows(2).all(|w| !(is_fence(&w[0]) && is_fence(&w[1])))
    });
    let whole = threads.iter().all(|thread| thread.last().is_some_and(|e| !e.paired));
    named && shared && fenced && whole
}

fn with_dependencies(vocabulary: &Vocabulary, threads: &[Vec<Event>]) -> Vec<Program> {
    let mut programs = vec![Vec::new()];
    for events in threads {
        let mut sets: Vec<Vec<Depends>> = vec![Vec::new()];
        for from in 0..events.len() {
            if !vocabulary.token(events[from].token).kind.reads() {
                continue;
            }
            let second = |i: usize| i > 0 && events[i - 1].paired;
            let behind = |i: usize| i > from && !(second(i) && i == from + 1);
            for &kind in &vocabulary.dependencies {
                for to in (0..events.len()).filter(|&i| behind(i)) {
                    let target = vocabulary.token(events[to].token).kind;
                    let fits = match kind {
                        Dependency::Addr => target != Kind::Fence && !second(to),
                        Dependency::Data => target.writes(),
                        Dependency::Ctrl => !second(to),
                    };
                    let one = Depends { to: to as u8, from: from as u8, kind };
                    // One branch a read; of an access on a read, one of address and data.
                    let clashes = |d: &Depends| match kind {
                        Dependency::Ctrl => d.kind == kind && d.from == one.from,
                        _ => d.kind != Dependency::Ctrl && (d.from, d.to) == (one.from, one.to),
                    };
                    if fits {
                        let more: Vec<Vec<Depends>> = sets
                            .iter()
                            .filter(|set| !set.iter().any(clashes))
                            .map(|set| set.iter().copied().chain([one]).collect())
                            .collect();
                        sets.extend(more);
                    }
                }
            }
        }
        let mut longer = Vec::new();
        for threads in &programs {
            for set in &sets {
                let mut depends = set.clone();
                depends.sort();
                let mut threads: Vec<Shape> = threads.clone();
                threads.push(Shape { events: events.clone(), depends });
                longer.push(threads);
            }
        }
        programs = longer;
    }
    programs.into_iter().map(|threads| Program { threads }).collect()
}

/// A program as events in a row: what is changed by relaxations.
#[derive(Clone)]
struct Row {
    events: Vec<Event>,
    thread: Vec<usize>,
    alive: Vec<bool>,
    depends: Vec<(usize, usize, Dependency)>,
}

impl Row {
    fn of(program: &Program) -> Row {
        let mut row = Row { events: Vec::new(), thread: Vec::new(), alive: Vec::new(), depends: Vec::new() };
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
            }
        }
        row
    }

    fn relaxed(&self, vocabulary: &Vocabulary) -> Vec<Row> {
        let mut all = Vec::new();
        for i in 0..self.events.len() {
            if i > 0 && self.events[i - 1].paired {
                continue;
            }
            let event = self.events[i];
            let token = vocabulary.token(event.token);
            let pair = if event.paired { vocabulary.pair(event.token, self.events[i + 1].token) } else { None };
            for relaxation in &vocabulary.relaxations {
                let mut row = self.clone();
                match relaxation {
                    Relaxation::Remove => {
                        for gone in i..=i + usize::from(event.paired) {
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
                                let mut row = self.clone();
                                row.events[i].token = vocabulary.number(read);
                                row.events[i + 1].token = vocabulary.number(write);
                                all.push(row);
                            }
                        } else if pair.is_none() && (token.kind == Kind::Fence) == for_fences {
                            for name in &token.weaker {
                                let mut row = self.clone();
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
                }
            }
        }
        all
    }

    fn addresses(&self) -> Vec<u8> {
        let all: BTreeSet<u8> = self.events.iter().map(|e| e.address).filter(|&a| a != NO_ADDRESS).collect();
        all.into_iter().collect()
    }

    fn violated(&self, model: &Model, vocabulary: &Vocabulary, execution: &Execution) -> Vec<usize> {
        let candidate = self.candidate(vocabulary, execution);
        let judged = naive::judge(model, &candidate).violated;
        judged.into_iter().filter(|&i| model.checks[i].role == Role::Require).collect()
    }

    fn candidate(&self, vocabulary: &Vocabulary, execution: &Execution) -> Candidate {
        let size = self.events.len();
        let addresses = self.addresses();
        let all = size + addresses.len();
        let alive = |e: usize| e >= size || self.alive[e];
        let place = |e: usize| if e < size { self.events[e].address } else { addresses[e - size] };
        let mut c = Candidate::default();
        let mut edges: Vec<(&str, usize, usize)> = Vec::new();
        for e in (0..all).filter(|&e| alive(e)) {
            c.universe.insert(e as u32);
            let mut names: Vec<&str> = Vec::new();
            match self.events.get(e).map(|event| vocabulary.token(event.token)) {
                None => names.extend(["M", "W", "IW"]),
                Some(token) => {
                    names.push(if token.kind == Kind::Fence { "F" } else { "M" });
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
                    let pair = vocabulary.pair(self.events[e].token, self.events[e + 1].token).expect("a pair");
                    edges.push((pair.relation.as_str(), e, e + 1));
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
    fn executions(&self, vocabulary: &Vocabulary) -> Vec<Execution> {
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

#[derive(Clone)]
struct Execution {
    /// Reads with their sources.
    rf: Vec<(usize, usize)>,
    /// By address.
    co: Vec<Vec<usize>>,
}

impl Execution {
    /// Whether an execution of a relaxed program agrees with the outcome of this one on what is left.
    fn agrees(&self, relaxed: &Execution, row: &Row) -> bool {
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
    fn restricted(&self, row: &Row) -> Execution {
        let size = row.events.len();
        let alive = |e: &usize| *e >= size || row.alive[*e];
        Execution {
            rf: self.rf.iter().copied().filter(|(read, w)| alive(read) && alive(w)).collect(),
            co: self.co.iter().map(|order| order.iter().copied().filter(alive).collect()).collect(),
        }
    }
}

fn has_minimal(model: &Model, vocabulary: &Vocabulary, program: &Program, minimality: Minimality) -> bool {
    let row = Row::of(program);
    let executions = row.executions(vocabulary);
    let relaxed = row.relaxed(vocabulary);
    let violated: Vec<Vec<usize>> = executions.iter().map(|x| row.violated(model, vocabulary, x)).collect();
    let of_relaxed: Vec<Vec<Execution>> = match minimality {
        Minimality::Outcome => relaxed.iter().map(|row| row.executions(vocabulary)).collect(),
        Minimality::Execution => Vec::new(),
    };
    executions.iter().zip(&violated).any(|(execution, own)| {
        if own.is_empty() {
            return false;
        }
        match minimality {
            Minimality::Execution => {
                relaxed.iter().all(|row| row.violated(model, vocabulary, &execution.restricted(row)).is_empty())
            }
            Minimality::Outcome => {
                let same = executions.iter().zip(&violated).filter(|(other, _)| execution.agrees(other, &row));
                let forbidden = same.into_iter().all(|(_, violated)| !violated.is_empty());
                forbidden
                    && relaxed.iter().zip(&of_relaxed).all(|(row, all)| {
                        let mut agreeing = all.iter().filter(|other| execution.agrees(other, row));
                        agreeing.any(|other| row.violated(model, vocabulary, other).is_empty())
                    })
            }
        }
    })
}

fn orders(elements: &[usize]) -> Vec<Vec<usize>> {
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
