//! From programs without dependencies to minimal tests.
//!
//! Dependencies multiply programs. Where more dependencies never allow more, a program is first looked at with all of them and with none: an outcome that is minimal with some is
//! forbidden with all, and after each other relaxation allowed with none. Only where there is such an outcome, choices of dependencies are looked at: first those of which none can be
//! spared; every other minimal test is one of these with further dependencies.

use super::frame::Layout;
use super::judge::Judge;
use super::{Minimality, Search, Witness};
use crate::synth::programs::program::{Depends, Event, Program, Shape};
use crate::synth::programs::shapes::Shapes;
use crate::synth::programs::vocabulary::{Relaxation, Vocabulary};
use crate::synth::{Request, Test};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// Looks at programs, one after the other.
pub struct Examiner<'a> {
    vocabulary: &'a Vocabulary,
    judge: &'a Judge,
    minimality: Minimality,
    /// As asked for.
    relaxations: &'a [Relaxation],
    /// Those that leave dependencies.
    others: Vec<Relaxation>,
    /// Where no dependency can be spared.
    sparing: Vec<Relaxation>,
    /// By the events of a thread: its choices of dependencies.
    dependent: FxHashMap<Vec<Event>, Vec<Shape>>,
}

/// Whether programs are enumerated without dependencies, which come later.
pub fn is_bare(judge: &Judge, vocabulary: &Vocabulary) -> bool {
    !vocabulary.dependencies.is_empty() && judge.monotone().dependencies
}

fn is_of_dependencies(relaxation: &Relaxation) -> bool {
    matches!(relaxation, Relaxation::RemoveDependencies | Relaxation::RemoveDependency)
}

impl<'a> Examiner<'a> {
    /// An examiner with nothing seen.
    pub fn new(vocabulary: &'a Vocabulary, judge: &'a Judge, request: &'a Request) -> Examiner<'a> {
        let others: Vec<Relaxation> = request.relaxations.iter().copied().filter(|r| !is_of_dependencies(r)).collect();
        let sparing = others.iter().copied().chain([Relaxation::RemoveDependency]).collect();
        Examiner {
            vocabulary,
            judge,
            minimality: request.minimality,
            relaxations: &request.relaxations,
            others,
            sparing,
            dependent: FxHashMap::default(),
        }
    }

    /// The minimal tests that a program is, or becomes with dependencies.
    pub fn examine(&mut self, program: &Program) -> Vec<Test> {
        let layout = Layout::new(program, self.vocabulary);
        if !is_bare(self.judge, self.vocabulary) {
            let outcomes = self.outcomes(&layout, self.relaxations);
            return if outcomes.is_empty() { Vec::new() } else { vec![Test { program: program.clone(), outcomes }] };
        }
        let all = layout.with_all_dependencies(self.vocabulary);
        if Search::between([&all, &layout], self.vocabulary, self.judge, self.minimality, &self.others).is_empty() {
            return Vec::new();
        }
        let maker = Shapes::new(self.vocabulary, self.judge, &self.sparing, true);
        for thread in &program.threads {
            if !self.dependent.contains_key(&thread.events) {
                // Shapes have addresses by first appearance; dependencies do not ask for them.
                self.dependent.insert(thread.events.clone(), maker.depend(&thread.events));
            }
        }
        let ways: Vec<&[Shape]> = program.threads.iter().map(|t| self.dependent[&t.events].as_slice()).collect();
        let mut found = FxHashMap::default();
        let mut chosen = Vec::new();
        self.choose(&ways, &program.groups, &mut chosen, &mut found);
        if self.spares_none() {
            return tests(found);
        }
        tests(self.extended(&maker, found))
    }

    /// Whether the relaxations ask that no dependency can be spared.
    fn spares_none(&self) -> bool {
        self.relaxations.contains(&Relaxation::RemoveDependency)
    }

    fn outcomes(&self, layout: &Layout, relaxations: &[Relaxation]) -> Vec<Witness> {
        Search::run(layout, self.vocabulary, self.judge, self.minimality, relaxations)
    }

    fn choose(
        &self,
        ways: &[&[Shape]],
        groups: &[Vec<u8>],
        chosen: &mut Vec<Shape>,
        found: &mut FxHashMap<Program, Vec<Witness>>,
    ) {
        let Some((first, rest)) = ways.split_first() else {
            let program = Program { threads: chosen.clone(), groups: groups.to_vec() }.canonical();
            let Entry::Vacant(place) = found.entry(program) else { return };
            let outcomes = self.outcomes(&Layout::new(place.key(), self.vocabulary), &self.sparing);
            if !outcomes.is_empty() {
                place.insert(outcomes);
            }
            return;
        };
        for shape in *first {
            chosen.push(shape.clone());
            self.choose(rest, groups, chosen, found);
            chosen.pop();
        }
    }

    /// All minimal tests, from those in which no dependency can be spared: each with fewer dependencies than a minimal one, and at least these, is minimal itself.
    fn extended(
        &self,
        maker: &Shapes<'_>,
        least: FxHashMap<Program, Vec<Witness>>,
    ) -> FxHashMap<Program, Vec<Witness>> {
        let mut found = FxHashMap::default();
        let mut seen: FxHashSet<Program> = least.keys().cloned().collect();
        let mut work: Vec<Program> = least.into_keys().collect();
        while let Some(program) = work.pop() {
            let outcomes = self.outcomes(&Layout::new(&program, self.vocabulary), self.relaxations);
            if outcomes.is_empty() {
                continue;
            }
            for t in 0..program.threads.len() {
                for depends in additions(maker, &program.threads[t]) {
                    let mut more = program.clone();
                    more.threads[t].depends.push(depends);
                    more.threads[t].depends.sort_unstable();
                    let more = more.canonical();
                    if seen.insert(more.clone()) {
                        work.push(more);
                    }
                }
            }
            found.insert(program, outcomes);
        }
        found
    }
}

/// Dependencies that a thread may have besides its own.
fn additions(maker: &Shapes<'_>, thread: &Shape) -> Vec<Depends> {
    let choices = maker.choices(&thread.events);
    let open = choices.iter().filter(|ways| !ways.iter().flatten().any(|d| thread.depends.contains(d)));
    open.flatten().flatten().copied().collect()
}

fn tests(found: FxHashMap<Program, Vec<Witness>>) -> Vec<Test> {
    found.into_iter().map(|(program, outcomes)| Test { program, outcomes }).collect()
}
