//! A growing execution under a plan: add rows, check, undo.

use super::candidate::Candidate;
use super::plan::{Kind, Plan};
use crate::algebra::naive::Naive;
use crate::algebra::{Check, Role, Sort};
use std::sync::Arc;

/// One worker's execution: rows are added, checked and undone.
pub struct Session {
    plan: Arc<Plan>,
    now: Candidate,
    frames: Vec<Candidate>,
}

fn members(words: &[u64]) -> impl Iterator<Item = u32> + '_ {
    words
        .iter()
        .enumerate()
        .flat_map(|(i, &w)| (0..64).filter(move |b| w >> b & 1 == 1).map(move |b| i as u32 * 64 + b))
}

impl Session {
    /// An execution without events.
    pub fn new(plan: Arc<Plan>) -> Session {
        Session { plan, now: Candidate::default(), frames: Vec::new() }
    }

    /// Back to no events and no frames.
    pub fn reset(&mut self) {
        self.now = Candidate::default();
        self.frames.clear();
    }

    /// Opens a frame.
    pub fn push(&mut self) {
        self.frames.push(self.now.clone());
    }

    /// Undoes everything since the matching [`Session::push`].
    pub fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.now = frame;
        }
    }

    /// Adds an event.
    pub fn add_event(&mut self, row: u32) {
        self.now.universe.insert(row);
    }

    /// Makes an event a member of an input set.
    pub fn add_to_set(&mut self, input: usize, row: u32) {
        let name = self.plan.inputs()[input].name.clone();
        debug_assert_eq!(self.plan.inputs()[input].sort, Sort::Set);
        self.now.sets.entry(name).or_default().insert(row);
    }

    /// Adds an edge from `row` to each target to an input relation.
    pub fn add_row(&mut self, input: usize, row: u32, targets: &[u64]) {
        let name = self.plan.inputs()[input].name.clone();
        self.now.relations.entry(name).or_default().extend(members(targets).map(|y| (row, y)));
    }

    /// Adds an edge from each source to `row` to an input relation.
    pub fn add_column(&mut self, input: usize, sources: &[u64], row: u32) {
        let name = self.plan.inputs()[input].name.clone();
        self.now.relations.entry(name).or_default().extend(members(sources).map(|x| (x, row)));
    }

    /// Sets the value that an event carries.
    pub fn set_value(&mut self, row: u32, value: u64) {
        self.now.values.insert(row, value);
    }

    /// The first pruning check that the execution so far violates. Everything before the last push is taken to be consistent.
    pub fn violated_partial(&mut self) -> Option<usize> {
        self.first_violated(|kind| kind == Kind::Prune)
    }

    /// The first required check that the complete execution violates.
    pub fn violated_final(&mut self) -> Option<usize> {
        self.first_violated(|_| true)
    }

    fn first_violated(&self, wanted: impl Fn(Kind) -> bool) -> Option<usize> {
        let mut naive = Naive::new(&self.plan.pool, &self.now);
        (0..self.plan.tests.len()).find(|&i| {
            self.plan.tests[i].role == Role::Require
                && wanted(self.plan.checks()[i].kind)
                && self.holds(&mut naive, i) != Some(true)
        })
    }

    fn holds(&self, naive: &mut Naive, check: usize) -> Option<bool> {
        let test = &self.plan.tests[check];
        naive.holds(&Check {
            name: None,
            role: test.role,
            predicate: test.condition.predicate,
            negated: test.negated,
            expr: test.condition.expr,
            place: (0, 0..0),
        })
    }

    /// Appends the indices of the flags, undefinedness conditions and assertions that fire, on a complete consistent execution.
    pub fn flags(&mut self, out: &mut Vec<usize>) {
        let mut naive = Naive::new(&self.plan.pool, &self.now);
        for i in 0..self.plan.tests.len() {
            let fires = match self.plan.tests[i].role {
                Role::Require => false,
                Role::Flag => self.holds(&mut naive, i) == Some(true),
                Role::Undefined | Role::Assert => self.holds(&mut naive, i) == Some(false),
            };
            if fires {
                out.push(i);
            }
        }
    }
}
