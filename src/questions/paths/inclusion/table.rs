//! The right side, ready to be walked.

use super::question::Part;
use crate::questions::paths::cube::{Cube, Formula};
use crate::questions::paths::nfa::Label;
use rustc_hash::FxHashMap;

/// The right side, ready to be walked: states of all parts in one row.
pub(super) struct Table {
    pub(super) formulas: Vec<Formula>,
    pub(super) steps: Vec<Cube>,
    /// By state: the numbers of formulas, and where they lead.
    pub(super) tests: Vec<Vec<(u32, u32)>>,
    /// By state: the numbers of steps, and where they lead.
    pub(super) moves: Vec<Vec<(u32, u32)>>,
    pub(super) accept: Vec<bool>,
    /// By state: the first states of its part.
    pub(super) begins: Vec<Vec<u32>>,
}

impl Table {
    pub(super) fn new(right: &[Part]) -> Table {
        let mut formulas: FxHashMap<&Formula, u32> = FxHashMap::default();
        let mut steps: FxHashMap<Cube, u32> = FxHashMap::default();
        let mut own = Table {
            formulas: Vec::new(),
            steps: Vec::new(),
            tests: Vec::new(),
            moves: Vec::new(),
            accept: Vec::new(),
            begins: Vec::new(),
        };
        for part in right {
            let offset = own.accept.len() as u32;
            for (at, edges) in part.paths.edges.iter().enumerate() {
                let (mut tests, mut moves) = (Vec::new(), Vec::new());
                for (label, to) in edges {
                    match label {
                        Label::Test(formula) => {
                            let number = *formulas.entry(formula).or_insert_with(|| {
                                own.formulas.push(formula.clone());
                                own.formulas.len() as u32 - 1
                            });
                            tests.push((number, to + offset));
                        }
                        Label::Step(cube) => {
                            let number = *steps.entry(*cube).or_insert_with(|| {
                                own.steps.push(*cube);
                                own.steps.len() as u32 - 1
                            });
                            moves.push((number, to + offset));
                        }
                    }
                }
                own.tests.push(tests);
                own.moves.push(moves);
                own.accept.push(part.paths.accept[at]);
                own.begins.push(part.paths.start.iter().map(|s| s + offset).collect());
            }
        }
        own
    }
}
