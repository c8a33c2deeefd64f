//! Between tests and executions as they are drawn.

use crate::synth::minimal::{Outcome, Witness};
use crate::synth::programs::program::{Depends, Event, NO_ADDRESS, Program, Shape, address};
use crate::synth::programs::vocabulary::{Dependency, Kind, Vocabulary};
use crate::verdict::Picture;
use crate::verdict::picture::{Action, Column, Edge, Origin, Row, RowOrder};
use std::collections::BTreeSet;

/// An execution of a program as a picture. Writes have the values 1, 2, … in coherence order.
pub fn picture(program: &Program, witness: &Witness, vocabulary: &Vocabulary) -> Picture {
    let size = program.size();
    let value = |write: usize| {
        let place = witness.co.iter().find_map(|order| order.iter().position(|&w| w == write));
        place.map_or(0, |place| place + 1).to_string()
    };
    let mut picture = Picture { order: RowOrder::default(), ..Picture::default() };
    for (t, thread) in program.threads.iter().enumerate() {
        picture.threads.push(Column { name: format!("P{t}"), function: String::new(), end: None, fails: false });
        let first = picture.events.len();
        for (i, event) in thread.events.iter().enumerate() {
            let token = vocabulary.token(event.token);
            let number = first + i;
            let source = witness.rf.iter().find(|(read, _)| *read == number).map(|&(_, source)| source);
            let (action, value) = match token.kind {
                Kind::Read => (Action::Read, source.map(value)),
                Kind::Write | Kind::Update => (Action::Write, Some(value(number))),
                Kind::Fence => (Action::Fence, None),
            };
            picture.events.push(Row {
                thread: t as u32,
                action,
                tags: token.tags.clone(),
                location: (event.address != NO_ADDRESS).then(|| address(event.address)),
                value,
                reads_from: source.map(|s| if s < size { Origin::Event(s as u32) } else { Origin::Initial }),
                atomic: token.kind == Kind::Update || event.paired || i > 0 && thread.events[i - 1].paired,
                place: None,
                frames: Vec::new(),
                source: token.name.clone(),
            });
        }
        picture.dependencies.extend(thread.depends.iter().map(|d| {
            Edge {
                from: (first + d.from as usize) as u32,
                to: (first + d.to as usize) as u32,
                name: match d.kind {
                    Dependency::Addr => "addr",
                    Dependency::Data => "data",
                    Dependency::Ctrl => "ctrl",
                }
                .to_owned(),
            }
        }));
    }
    picture.initial = (0..program.addresses()).map(|a| (address(a as u8), "0".to_owned())).collect();
    for (a, order) in witness.co.iter().enumerate().filter(|(_, order)| order.len() > 1) {
        picture.coherence.push((address(a as u8), order.iter().map(|&w| w as u32).collect()));
        let edge = |w: &[usize]| Edge { from: w[0] as u32, to: w[1] as u32, name: "co".to_owned() };
        picture.edges.extend(order.windows(2).map(edge));
    }
    let reads = witness.rf.iter().filter(|(_, source)| *source < size);
    picture.edges.extend(reads.map(|&(r, w)| Edge { from: w as u32, to: r as u32, name: "rf".to_owned() }));
    let from_reads = picture.from_reads();
    picture.edges.extend(from_reads);
    picture
}

/// A program and an outcome, from a picture of an execution.
///
/// Errors: an event that the vocabulary does not have.
pub fn program(picture: &Picture, vocabulary: &Vocabulary) -> Result<(Program, Outcome), String> {
    let known: BTreeSet<&String> = vocabulary.tokens.iter().flat_map(|token| &token.tags).collect();
    let mut addresses: Vec<&String> = Vec::new();
    let mut threads = vec![Shape { events: Vec::new(), depends: Vec::new() }; picture.threads.len()];
    // The place of each event in its thread. An update is two rows and one event.
    let mut places: Vec<(usize, usize)> = Vec::new();
    let mut rows = picture.events.iter().enumerate().peekable();
    while let Some((i, row)) = rows.next() {
        let thread = row.thread as usize;
        let kind = match row.action {
            Action::Read => Kind::Read,
            Action::Write => Kind::Write,
            Action::Fence => Kind::Fence,
            _ => return Err(format!("`{}` is no access and no fence", row.source.trim())),
        };
        let tags: BTreeSet<&String> = row.tags.iter().filter(|tag| known.contains(tag)).collect();
        let address = row.location.as_ref().map(|location| {
            addresses.iter().position(|a| *a == location).unwrap_or_else(|| {
                addresses.push(location);
                addresses.len() - 1
            }) as u8
        });
        let of = |kind: Kind, alone: bool| {
            let mut tokens = vocabulary.tokens.iter().enumerate();
            let is = |t: &crate::synth::programs::vocabulary::Token| {
                t.kind == kind && t.alone == alone && t.tags.iter().collect::<BTreeSet<_>>() == tags
            };
            tokens.find(|(_, token)| is(token)).map(|(number, _)| number as u8)
        };
        let unknown = || format!("`{}` is nothing that the lattice file has", row.source.trim());
        let events = &mut threads[thread].events;
        let address = address.unwrap_or(NO_ADDRESS);
        let next = rows.peek().filter(|(_, next)| next.thread == row.thread && next.action == Action::Write);
        let is_pair =
            row.atomic && kind == Kind::Read && next.is_some_and(|(_, n)| n.atomic && n.location == row.location);
        if is_pair && let Some(update) = of(Kind::Update, true) {
            places.extend([(thread, events.len()); 2]);
            events.push(Event { token: update, paired: false, address });
            rows.next();
            continue;
        }
        places.push((thread, events.len()));
        let half = row.atomic && (is_pair || events.last().is_some_and(|last| last.paired));
        let token = of(kind, !half).ok_or_else(unknown)?;
        events.push(Event { token, paired: is_pair, address });
        debug_assert_eq!(places.len(), i + 1);
    }
    for edge in &picture.dependencies {
        let kind = match edge.name.as_str() {
            "addr" => Dependency::Addr,
            "data" => Dependency::Data,
            "ctrl" => Dependency::Ctrl,
            _ => continue,
        };
        let ((thread, from), (_, to)) = (places[edge.from as usize], places[edge.to as usize]);
        if from != to {
            threads[thread].depends.push(Depends { to: to as u8, from: from as u8, kind });
        }
    }
    threads.iter_mut().for_each(|thread| {
        thread.depends.sort_unstable();
        thread.depends.dedup();
    });
    let starts: Vec<usize> =
        threads.iter().scan(0, |sum, t| Some(std::mem::replace(sum, *sum + t.events.len()))).collect();
    let number = |e: u32| {
        let (thread, place) = places[e as usize];
        starts[thread] + place
    };
    let size: usize = threads.iter().map(|t| t.events.len()).sum();
    let mut outcome = Outcome { sources: Vec::new(), lasts: vec![None; addresses.len()] };
    for (i, row) in picture.events.iter().enumerate() {
        let Some(a) = row.location.as_ref().and_then(|l| addresses.iter().position(|known| *known == l)) else {
            continue;
        };
        match (row.action, row.reads_from) {
            (_, Some(Origin::Initial)) => outcome.sources.push((number(i as u32), size + a)),
            (_, Some(Origin::Event(w))) => outcome.sources.push((number(i as u32), number(w))),
            (Action::Write, None) => outcome.lasts[a] = Some(number(i as u32)),
            _ => {}
        }
    }
    for (name, order) in &picture.coherence {
        if let (Some(a), Some(&last)) = (addresses.iter().position(|known| *known == name), order.last()) {
            outcome.lasts[a] = Some(number(last));
        }
    }
    threads.retain(|thread| !thread.events.is_empty());
    outcome.sources.sort_unstable();
    Ok((Program { threads, groups: Vec::new() }, outcome))
}
