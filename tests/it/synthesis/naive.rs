//! A synthesiser without any cleverness: every sequence of events, every way to cut it into threads, every choice of addresses and dependencies; every
//! execution, judged by the plain evaluator; minimality word for word.

use hmc::algebra::{Role, naive};
use hmc::cat::{Loaded, reference};
use hmc::synth::minimal::Minimality;
use hmc::synth::programs::plain::{Execution, Row, orders};
use hmc::synth::programs::program::{Depends, Event, NO_ADDRESS, Program, Shape};
use hmc::synth::programs::vocabulary::{Dependency, Kind, Vocabulary};
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
        for kind in &program.groups {
            let mut known: Vec<u8> = Vec::new();
            for &t in &order {
                let at = known.iter().position(|&k| k == kind[t]).unwrap_or_else(|| {
                    known.push(kind[t]);
                    known.len() - 1
                });
                text += &format!("{at} ");
            }
        }
        if best.as_ref().is_none_or(|best| text < *best) {
            best = Some(text);
        }
    }
    best.unwrap_or_default()
}

/// The normal forms of all programs of 2 to `size` events with a minimal outcome.
pub fn suite(loaded: &Loaded, vocabulary: &Vocabulary, size: usize, minimality: Minimality) -> Vec<String> {
    let mut found = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for n in 2..=size {
        for program in programs(vocabulary, n) {
            if seen.insert(normal(&program)) && has_minimal(loaded, vocabulary, &program, minimality) {
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
        // Where addresses depend on reads, one write is enough.
        let enough = if vocabulary.dependencies.contains(&Dependency::Addr) { 1 } else { 2 };
        at().count() >= enough && at().any(|e| vocabulary.token(e.token).kind.writes())
    });
    let is_fence = |e: &Event| e.address == NO_ADDRESS && vocabulary.separates(e.token);
    let fenced = threads.iter().all(|thread| {
        let ends = [thread.first(), thread.last()];
        ends.iter().flatten().all(|e| !is_fence(e)) && thread.windows(2).all(|w| !(is_fence(&w[0]) && is_fence(&w[1])))
    });
    let whole = threads.iter().all(|thread| thread.last().is_some_and(|e| !e.paired));
    // Brackets open and close in turn.
    let bracketed = threads.iter().all(|thread| {
        let mut open = None;
        let in_turn = thread.iter().all(|e| match (vocabulary.opens(e.token), vocabulary.closes(e.token)) {
            (Some(close), _) => open.replace(close).is_none(),
            (None, true) => open.take() == Some(e.token),
            (None, false) => true,
        });
        in_turn && open.is_none()
    });
    named && shared && fenced && whole && bracketed
}

/// A program in every grouping of its threads.
fn grouped(vocabulary: &Vocabulary, threads: Vec<Shape>) -> Vec<Program> {
    let count = threads.len();
    let mut all = vec![Program { threads, groups: Vec::new() }];
    for _ in &vocabulary.scopes {
        let mut kinds: Vec<Vec<u8>> = vec![Vec::new()];
        for _ in 0..count {
            kinds =
                kinds.iter().flat_map(|k| (0..count as u8).map(|g| k.iter().copied().chain([g]).collect())).collect();
        }
        let inside = |program: &Program, kind: &Vec<u8>| {
            program
                .groups
                .last()
                .is_none_or(|wide| (0..count).all(|a| (0..count).all(|b| kind[a] != kind[b] || wide[a] == wide[b])))
        };
        let longer = all.iter().flat_map(|program| {
            kinds.iter().filter(|kind| inside(program, kind)).map(|kind| {
                let mut program = program.clone();
                program.groups.push(kind.clone());
                program
            })
        });
        all = longer.collect();
    }
    all
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
    programs.into_iter().flat_map(|threads| grouped(vocabulary, threads)).collect()
}

fn has_minimal(loaded: &Loaded, vocabulary: &Vocabulary, program: &Program, minimality: Minimality) -> bool {
    let row = Row::of(program);
    let executions = row.executions(vocabulary);
    let relaxed = row.relaxed(vocabulary, &vocabulary.relaxations);
    let forbidden: Vec<bool> = executions.iter().map(|x| is_forbidden(loaded, vocabulary, &row, x)).collect();
    let of_relaxed: Vec<Vec<Execution>> = match minimality {
        Minimality::Outcome => relaxed.iter().map(|row| row.executions(vocabulary)).collect(),
        Minimality::Execution => Vec::new(),
    };
    executions.iter().zip(&forbidden).any(|(execution, own)| {
        if !own {
            return false;
        }
        match minimality {
            Minimality::Execution => {
                relaxed.iter().all(|row| !is_forbidden(loaded, vocabulary, row, &execution.restricted(row)))
            }
            Minimality::Outcome => {
                let mut same = executions.iter().zip(&forbidden).filter(|(other, _)| execution.agrees(other, &row));
                same.all(|(_, forbidden)| *forbidden)
                    && relaxed.iter().zip(&of_relaxed).all(|(row, all)| {
                        let mut agreeing = all.iter().filter(|other| execution.agrees(other, row));
                        agreeing.any(|other| !is_forbidden(loaded, vocabulary, row, other))
                    })
            }
        }
    })
}

/// By the plain evaluator of relations; where the model chooses orders, by that of the whole language.
fn is_forbidden(loaded: &Loaded, vocabulary: &Vocabulary, row: &Row, execution: &Execution) -> bool {
    let candidate = row.candidate(vocabulary, execution);
    if loaded.orders.is_empty() {
        let violated = naive::judge(&loaded.model, &candidate).violated;
        return violated.into_iter().any(|i| loaded.model.checks[i].role == Role::Require);
    }
    reference::accepts(loaded, &candidate).expect("the model can be evaluated").is_none()
}
