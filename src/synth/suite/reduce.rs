//! Which minimal tests a forbidden test contains: it is relaxed, step after step, while its outcome stays forbidden.

use crate::synth::minimal::frame::{Application, Frame, Layout};
use crate::synth::minimal::judge::Judge;
use crate::synth::minimal::{Outcome, is_allowed};
use crate::synth::programs::program::{Depends, NO_ADDRESS, Program};
use crate::synth::programs::vocabulary::{Dependency, Relaxation, Vocabulary};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// A model and the relaxations that count.
pub struct Reducer<'a> {
    /// What tests are made of.
    pub vocabulary: &'a Vocabulary,
    /// The model.
    pub judge: &'a Judge,
    /// The relaxations.
    pub relaxations: &'a [Relaxation],
}

impl Reducer<'_> {
    /// Whether no execution with the outcome is allowed.
    pub fn is_forbidden(&self, program: &Program, outcome: &Outcome) -> bool {
        let layout = Layout::new(program, self.vocabulary);
        !is_allowed(&layout, &mut Frame::whole(&layout, self.vocabulary, self.judge), self.judge, outcome)
    }

    /// The programs, in canonical form, that are left when a forbidden test is relaxed until each further relaxation makes its outcome allowed.
    pub fn contained(&self, program: &Program, outcome: &Outcome) -> BTreeSet<Program> {
        let mut seen = FxHashSet::default();
        let mut work = vec![(program.clone(), outcome.clone())];
        let mut found = BTreeSet::new();
        while let Some((program, outcome)) = work.pop() {
            if !seen.insert((program.clone(), outcome.clone())) {
                continue;
            }
            let layout = Layout::new(&program, self.vocabulary);
            let mut is_minimal = true;
            for how in layout.applications(self.vocabulary, self.relaxations) {
                let mut frame = Frame::relaxed(&layout, self.vocabulary, self.judge, &how);
                let left = outcome.clone().of(frame.alive);
                if !is_allowed(&layout, &mut frame, self.judge, &left) {
                    is_minimal = false;
                    work.push(self.relaxed(&program, &layout, &how, frame.alive, &left));
                }
            }
            if is_minimal {
                found.insert(program.canonical());
            }
        }
        found
    }

    /// The relaxed program as one of its own, with its outcome.
    fn relaxed(
        &self,
        program: &Program,
        layout: &Layout,
        how: &Application,
        alive: u16,
        outcome: &Outcome,
    ) -> (Program, Outcome) {
        let is_alive = |e: usize| alive >> e & 1 == 1;
        let (mut threads, mut left) = (Vec::new(), Vec::new());
        let mut first = 0;
        for (t, thread) in program.threads.iter().enumerate() {
            let mut shape = thread.clone();
            let length = shape.events.len();
            for (i, event) in shape.events.iter_mut().enumerate() {
                if let Some(token) = how.token_of(first + i) {
                    event.token = token;
                }
                event.paired &= !(how.relaxation == Relaxation::Decompose && how.event == first + i);
            }
            shape.depends.retain(|d| !how.drops(first + d.from as usize, first + d.to as usize, d.kind));
            for gone in (0..length).rev().filter(|i| !is_alive(first + i)) {
                remove(&mut shape.depends, gone as u8, length);
            }
            let place: Vec<u8> = (0..length).map(|i| (0..i).filter(|&j| is_alive(first + j)).count() as u8).collect();
            for d in &mut shape.depends {
                (d.from, d.to) = (place[d.from as usize], place[d.to as usize]);
            }
            shape.depends.sort_unstable();
            shape.depends.dedup();
            let mut at = 0..;
            shape.events.retain(|_| at.next().is_some_and(|i| is_alive(first + i)));
            first += length;
            if !shape.events.is_empty() {
                left.push(t);
                threads.push(shape);
            }
        }
        // Addresses without an access go, too.
        let used = |a: usize| threads.iter().flat_map(|t| &t.events).any(|e| e.address as usize == a);
        let kept: Vec<usize> = (0..layout.addresses).filter(|&a| used(a)).collect();
        for event in threads.iter_mut().flat_map(|t| &mut t.events).filter(|e| e.address != NO_ADDRESS) {
            event.address = kept.iter().position(|&a| a == event.address as usize).unwrap_or_default() as u8;
        }
        let size: usize = threads.iter().map(|t| t.events.len()).sum();
        let number = |e: usize| match e.checked_sub(layout.size) {
            Some(address) => size + kept.iter().position(|&a| a == address).unwrap_or_default(),
            None => (0..e).filter(|&other| is_alive(other)).count(),
        };
        let sources = outcome.sources.iter().map(|&(read, source)| (number(read), number(source))).collect();
        let lasts = kept.iter().map(|&a| outcome.lasts[a].map(number)).collect();
        let groups = program.groups.iter().map(|kind| left.iter().map(|&t| kind[t]).collect()).collect();
        (Program { threads, groups }, Outcome { sources, lasts })
    }
}

/// Takes an event out of the dependencies of a thread: what depends on it depends on what it depends on; branches on the way to it lead to what follows.
fn remove(depends: &mut Vec<Depends>, gone: u8, length: usize) {
    let into: Vec<Depends> = depends.iter().copied().filter(|d| d.to == gone).collect();
    let out: Vec<Depends> = depends.iter().copied().filter(|d| d.from == gone).collect();
    depends.retain(|d| d.to != gone && d.from != gone);
    for before in &into {
        depends.extend(out.iter().map(|after| Depends { from: before.from, ..*after }));
        if before.kind == Dependency::Ctrl && (gone as usize) + 1 < length {
            depends.push(Depends { to: gone + 1, ..*before });
        }
    }
}
