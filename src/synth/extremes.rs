//! Models that say the same of every small program.

use super::differ::each;
use super::minimal::frame::{Frame, Layout};
use super::minimal::is_allowed;
use super::minimal::judge::{Axioms, Judge};
use super::minimal::matrix::Matrix;
use super::programs::shapes::Shapes;
use super::programs::vocabulary::Vocabulary;
use super::programs::{Bounds, Programs};
use std::ops::ControlFlow;

/// The sizes that are looked at.
const SIZES: std::ops::RangeInclusive<usize> = 2..=3;

/// What a model may say of all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extreme {
    /// All is forbidden; these axioms reject an execution of each program.
    AllowsNothing(Vec<String>),
    /// Nothing is forbidden.
    AllowsEverything,
}

/// Whether a model allows no outcome, or every outcome, of the programs of up to three events.
pub fn extreme(judge: &Judge, vocabulary: &Vocabulary) -> Option<Extreme> {
    let (mut allowed, mut forbidden) = (false, false);
    let mut always = Axioms::MAX;
    for size in SIZES {
        let maker = Shapes::new(vocabulary, judge, &[], true);
        let programs = Programs::new(vocabulary, &maker, Bounds { size, threads: size, addresses: size });
        for part in 0..programs.parts() {
            let ended = programs.of_part(part, &mut |program| {
                let layout = Layout::new(program, vocabulary);
                let mut whole = Frame::whole(&layout, vocabulary, judge);
                each(&layout, &mut |outcome| {
                    let is = is_allowed(&layout, &mut whole, judge, outcome);
                    (allowed, forbidden) = (allowed | is, forbidden | !is);
                });
                always &= violated_by_one(&layout, &mut whole, judge);
                if allowed && forbidden { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            if ended.is_break() {
                return None;
            }
        }
    }
    match (allowed, forbidden) {
        (false, true) => {
            let names = judge.names().iter().enumerate();
            let all = names.filter(|(i, _)| always >> i & 1 == 1).map(|(_, name)| name.clone());
            Some(Extreme::AllowsNothing(all.collect()))
        }
        (true, false) => Some(Extreme::AllowsEverything),
        _ => None,
    }
}

/// The checks that the execution violates in which every read reads the initial value, and writes are in the order of their numbers.
fn violated_by_one(layout: &Layout, whole: &mut Frame, judge: &Judge) -> Axioms {
    let (mut rf, mut co) = (Matrix::default(), Matrix::default());
    for &read in &layout.reads {
        rf.add(layout.initial(layout.address[read] as usize), read);
    }
    for (address, writes) in layout.writes.iter().enumerate() {
        for (i, &write) in writes.iter().enumerate() {
            co.add(layout.initial(address), write);
            writes[..i].iter().for_each(|&before| co.add(before, write));
        }
    }
    whole.violated(judge, &rf, &co, true).axioms
}
