//! One search: configurations that are found, and where they come from.

use super::cases::Cases;
use super::config::{Config, Right, covers};
use super::question::{Question, Stop, Ways};
use super::walk::Walk;
use crate::questions::paths::cube::{Atom, Cube, Formula};
use crate::questions::paths::nfa::Label;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The atom of the identity.
const ID: Atom = 0;

/// How much is looked at.
const MOST_CONFIGS: usize = 10_000;
/// How many states of the right side are looked at.
const MOST_WORK: usize = 8_000_000;
pub(super) enum Ended {
    Included,
    Open(usize, Cases),
    GaveUp,
}

/// A configuration with where it comes from.
pub(super) struct Found {
    pub(super) config: Config,
    pub(super) from: Option<(usize, Cube)>,
    pub(super) missing: Cases,
    pub(super) kept: bool,
}

pub(super) struct Run<'a> {
    pub(super) question: &'a Question<'a>,
    pub(super) walk: &'a Walk,
    pub(super) cases: Cases,
    pub(super) configs: Vec<Found>,
    pub(super) by_left: FxHashMap<(u32, bool), Vec<usize>>,
    pub(super) queue: VecDeque<usize>,
    pub(super) work: std::cell::Cell<usize>,
}

impl<'a> Run<'a> {
    pub(super) fn new(question: &'a Question<'a>, walk: &'a Walk, cases: Cases) -> Run<'a> {
        Run {
            question,
            walk,
            cases,
            configs: Vec::new(),
            by_left: FxHashMap::default(),
            queue: VecDeque::new(),
            work: std::cell::Cell::new(0),
        }
    }

    pub(super) fn search(&mut self) -> Ended {
        let question = self.question;
        let table = &self.walk.table;
        let first: Vec<u32> = match question.ways {
            Ways::Turned => (0..table.accept.len() as u32).collect(),
            Ways::Straight | Ways::Closed => {
                let mut all: Vec<u32> = table.begins.iter().flatten().copied().collect();
                all.sort_unstable();
                all.dedup();
                all
            }
        };
        let begin: Vec<Right> = first.into_iter().map(|at| Right::new(at, at, false)).collect();
        for &left in &question.left.start {
            let config = Config { left, fresh: true, first: Cube::ANY, now: Cube::ANY, right: begin.clone() };
            self.enter(config, None);
        }
        while let Some(at) = self.queue.pop_front() {
            if !self.configs[at].kept {
                continue;
            }
            if self.configs.len() > MOST_CONFIGS || self.work.get() > MOST_WORK {
                return Ended::GaveUp;
            }
            let config = self.configs[at].config.clone();
            if question.left.accept[config.left as usize]
                && let Err(missing) = self.accepts(&config)
            {
                return self.open(at, missing);
            }
            for (label, to) in &question.left.edges[config.left as usize] {
                match label {
                    Label::Test(formula) => {
                        for (now, holds) in formula.cases(config.now, &question.alphabet.events) {
                            if holds {
                                let first = if config.fresh { now } else { config.first };
                                self.enter(Config { left: *to, first, now, ..config.clone() }, Some((at, Cube::ANY)));
                            }
                        }
                    }
                    Label::Step(cube) => self.step(at, &config, *cube, *to),
                }
            }
        }
        Ended::Included
    }

    /// The end of a search, with what was not known on the way.
    pub(super) fn open(&self, at: usize, mut missing: Cases) -> Ended {
        let mut next = Some(at);
        while let Some(i) = next {
            missing.formulas.extend(self.configs[i].missing.formulas.iter().cloned());
            missing.atoms.extend(&self.configs[i].missing.atoms);
            next = self.configs[i].from.map(|(from, _)| from);
        }
        Ended::Open(at, missing)
    }

    pub(super) fn path(&self, at: usize) -> Vec<Stop> {
        let mut stops = vec![Stop { event: self.configs[at].config.now, step: None }];
        let mut next = self.configs[at].from;
        while let Some((from, step)) = next {
            let event = self.configs[from].config.now;
            if step != Cube::ANY {
                stops.push(Stop { event, step: Some(step) });
            }
            next = self.configs[from].from;
        }
        stops.reverse();
        stops
    }

    /// Whether the right side explains a path that ends here.
    pub(super) fn accepts(&self, config: &Config) -> Result<(), Cases> {
        let question = self.question;
        let ends = |r: &Right| self.walk.table.accept[r.at() as usize];
        if question.ways == Ways::Straight {
            return if config.right.iter().any(ends) { Ok(()) } else { Err(Cases::default()) };
        }
        // The last event is the first one.
        let Some(now) = question.alphabet.events.close(config.now.and(config.first)) else { return Ok(()) };
        let is_back = |r: &Right| match question.ways {
            Ways::Turned => r.wrapped() && r.origin() == r.at(),
            _ => ends(r),
        };
        let mut all = Vec::new();
        let mut work = vec![(now, config.right.clone())];
        while let Some((now, right)) = work.pop() {
            let (right, missing) = self.close(&right, now);
            if right.iter().any(is_back) {
                continue;
            }
            match self.next_case(&missing, now) {
                Some(formula) => {
                    let cases = formula.cases(now, &question.alphabet.events);
                    work.extend(cases.into_iter().map(|(case, _)| (case, right.clone())));
                }
                None => all.push(missing),
            }
        }
        match all.is_empty() {
            true => Ok(()),
            false => {
                let mut missing = Cases::default();
                all.into_iter().for_each(|own| missing.formulas.extend(own.formulas));
                Err(missing)
            }
        }
    }

    /// A formula that is not known and is to be looked at case by case.
    pub(super) fn next_case(&self, missing: &Cases, now: Cube) -> Option<Formula> {
        missing.formulas.iter().filter(|f| self.cases.formulas.contains(*f) && f.of(now).is_none()).min().cloned()
    }

    pub(super) fn step(&mut self, at: usize, config: &Config, cube: Cube, to: u32) {
        let question = self.question;
        let alphabet = question.alphabet;
        // The pair, case by case.
        let mut work: Vec<Cube> = alphabet.pairs.close(cube).into_iter().collect();
        while let Some(pair) = work.pop() {
            let (source, target) = alphabet.ends_of(pair);
            if pair.of(ID) == Some(true) {
                // No step at all.
                if let Some(now) = alphabet.events.close(config.now.and(source).and(target)) {
                    let first = if config.fresh { now } else { config.first };
                    self.enter(Config { left: to, first, now, ..config.clone() }, Some((at, pair)));
                }
                continue;
            }
            let Some(now) = alphabet.events.close(config.now.and(source)) else { continue };
            let Some(next) = alphabet.events.close(target) else { continue };
            let first = if config.fresh { now } else { config.first };
            let (right, mut missing) = if now == config.now {
                (config.right.clone(), Cases::default())
            } else {
                self.close(&config.right, now)
            };
            if let Some(formula) = self.next_case(&missing, now) {
                // More is to be known of the event before it is left.
                for (now, _) in formula.cases(now, &alphabet.events) {
                    let first = if config.fresh { now } else { config.first };
                    let (right, _) = self.close(&config.right, now);
                    let case = Config { now, first, right, ..config.clone() };
                    self.step(at, &case, cube, to);
                }
                return;
            }
            let (moved, asked) = self.walk.step(&right, pair, alphabet.pairs.alternatives(pair));
            let open = asked.into_iter().flat_map(Cube::literals);
            let unknown: FxHashSet<Atom> = open.map(|(atom, _)| atom).filter(|atom| pair.of(*atom).is_none()).collect();
            let split = unknown.iter().copied().filter(|atom| self.cases.atoms.contains(atom)).min();
            if let Some(atom) = split {
                for holds in [false, true] {
                    work.extend(alphabet.pairs.close(pair.and(Cube::literal(atom, holds))));
                }
                continue;
            }
            missing.atoms.extend(unknown);
            let config = Config { left: to, fresh: false, first, now: next, right: moved };
            self.enter_with(config, Some((at, pair)), missing);
        }
    }

    pub(super) fn enter(&mut self, config: Config, from: Option<(usize, Cube)>) {
        self.enter_with(config, from, Cases::default());
    }

    /// Adds a configuration, case by case where that is asked for, unless another one covers it.
    pub(super) fn enter_with(&mut self, config: Config, from: Option<(usize, Cube)>, missing: Cases) {
        let mut work = vec![config];
        while let Some(config) = work.pop() {
            let (right, mut own) = self.close(&config.right, config.now);
            if let Some(formula) = self.next_case(&own, config.now) {
                for (now, _) in formula.cases(config.now, &self.question.alphabet.events) {
                    let first = if config.fresh { now } else { config.first };
                    work.push(Config { now, first, right: right.clone(), ..config });
                }
                continue;
            }
            let config = Config { right, ..config };
            let known = self.by_left.entry((config.left, config.fresh)).or_default();
            if known.iter().any(|&i| self.configs[i].kept && covers(&self.configs[i].config, &config)) {
                continue;
            }
            for &i in known.iter() {
                if self.configs[i].kept && covers(&config, &self.configs[i].config) {
                    self.configs[i].kept = false;
                }
            }
            own.formulas.extend(missing.formulas.iter().cloned());
            own.atoms.extend(&missing.atoms);
            let number = self.configs.len();
            known.push(number);
            self.configs.push(Found { config, from, missing: own, kept: true });
            self.queue.push_back(number);
        }
    }

    /// Where the right side may be without a step, and the tests that are not known to hold or fail.
    pub(super) fn close(&self, right: &[Right], now: Cube) -> (Vec<Right>, Cases) {
        let (all, open) = self.walk.close(right, now, self.question.ways == Ways::Turned);
        self.work.set(self.work.get() + all.len());
        (all, Cases { formulas: open.into_iter().collect(), ..Cases::default() })
    }
}
