//! How sets of states of the right side move on: without a step, and by one.

use super::config::Right;
use super::question::Part;
use super::table::Table;
use crate::questions::paths::cube::{Cube, Formula};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The right side, with what is reached without a step at the events that were looked at.
pub(super) struct Walk {
    pub(super) table: Table,
    closures: RefCell<FxHashMap<Cube, Rc<Closure>>>,
    images: RefCell<FxHashMap<Cube, Rc<Image>>>,
}

impl Walk {
    pub(super) fn new(right: &[Part]) -> Walk {
        Walk { table: Table::new(right), closures: RefCell::default(), images: RefCell::default() }
    }

    /// A set with what it reaches at an event, and the tests that are not known to hold or fail; `anew` where paths may end and begin anew.
    pub(super) fn close(&self, right: &[Right], now: Cube, anew: bool) -> (Vec<Right>, Vec<Formula>) {
        let closure =
            self.closures.borrow_mut().entry(now).or_insert_with(|| Rc::new(Closure::new(&self.table, now))).clone();
        let all = closure.of(right, anew);
        let open = closure.unknown(&self.table, &all);
        (all, open)
    }

    /// The set behind a pair, and the steps that the pair may be; `either` has what it may be one of.
    pub(super) fn step(&self, right: &[Right], pair: Cube, either: u128) -> (Vec<Right>, Vec<Cube>) {
        let image = self
            .images
            .borrow_mut()
            .entry(pair)
            .or_insert_with(|| Rc::new(Image::new(&self.table, pair, either)))
            .clone();
        let mut asked = vec![false; self.table.steps.len()];
        let mut row = Row::new(image.to.len());
        let mut all = Vec::with_capacity(right.len());
        for same in right.chunk_by(|a, b| a.origin() == b.origin()) {
            for r in same {
                let at = r.at() as usize;
                image.to[at].iter().for_each(|&to| row.add(to, r.wrapped()));
                image.open[at].iter().for_each(|&number| asked[number as usize] = true);
            }
            row.take(same[0].origin(), &mut all);
        }
        (all, chosen(&self.table.steps, &asked))
    }
}

/// Those of a list that are marked.
fn chosen<T: Clone>(all: &[T], marked: &[bool]) -> Vec<T> {
    all.iter().zip(marked).filter(|(_, marked)| **marked).map(|(one, _)| one.clone()).collect()
}

/// Where the states of the right side may be without a step, at an event of which something is known.
struct Closure {
    /// By state: where tests that hold lead, the state itself among them.
    reach: Vec<Vec<u32>>,
    /// By state: where a path may be that ends there and begins anew.
    again: Vec<Vec<u32>>,
    /// By state: the numbers of the tests that are not known to hold or fail.
    unknown: Vec<Vec<u32>>,
}

impl Closure {
    /// What is reached at an event.
    fn new(table: &Table, now: Cube) -> Closure {
        let count = table.accept.len();
        let said: Vec<Option<bool>> = table.formulas.iter().map(|formula| formula.of(now)).collect();
        let tests = |at: u32| table.tests[at as usize].iter();
        let reach: Vec<Vec<u32>> = (0..count as u32)
            .map(|from| {
                let mut seen = vec![from];
                let mut next = 0;
                while let Some(&at) = seen.get(next) {
                    next += 1;
                    for &(number, to) in tests(at) {
                        if said[number as usize] == Some(true) && !seen.contains(&to) {
                            seen.push(to);
                        }
                    }
                }
                seen
            })
            .collect();
        let again = |from: &Vec<u32>| {
            let ends = from.iter().filter(|&&at| table.accept[at as usize]);
            let mut all: Vec<u32> = ends
                .flat_map(|&at| &table.begins[at as usize])
                .flat_map(|&start| &reach[start as usize])
                .copied()
                .collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let again = reach.iter().map(again).collect();
        let open = |at: u32| tests(at).map(|test| test.0).filter(|&number| said[number as usize].is_none()).collect();
        let unknown = (0..count as u32).map(open).collect();
        Closure { reach, again, unknown }
    }

    /// A set with what it reaches; `anew` where paths may end and begin anew.
    fn of(&self, right: &[Right], anew: bool) -> Vec<Right> {
        let mut row = Row::new(self.reach.len());
        let mut all = Vec::with_capacity(right.len());
        for same in right.chunk_by(|a, b| a.origin() == b.origin()) {
            for r in same {
                let at = r.at() as usize;
                self.reach[at].iter().for_each(|&to| row.add(to, r.wrapped()));
                if anew && !r.wrapped() {
                    self.again[at].iter().for_each(|&to| row.add(to, true));
                }
            }
            row.take(same[0].origin(), &mut all);
        }
        all
    }

    /// The tests of a closed set that are not known to hold or fail.
    fn unknown(&self, table: &Table, right: &[Right]) -> Vec<Formula> {
        let mut asked = vec![false; table.formulas.len()];
        right.iter().flat_map(|r| &self.unknown[r.at() as usize]).for_each(|&number| asked[number as usize] = true);
        chosen(&table.formulas, &asked)
    }
}

/// Where a pair leads.
struct Image {
    /// By state: where steps lead that the pair is certain to be.
    to: Vec<Vec<u32>>,
    /// By state: the numbers of the steps that it may be.
    open: Vec<Vec<u32>>,
}

impl Image {
    fn new(table: &Table, pair: Cube, either: u128) -> Image {
        let said: Vec<Said> = table.steps.iter().map(|step| Said::of(pair, either, *step)).collect();
        let is = |number: u32, what: Said| said[number as usize] == what;
        let to =
            |moves: &Vec<(u32, u32)>| moves.iter().filter(|step| is(step.0, Said::Yes)).map(|step| step.1).collect();
        let open =
            |moves: &Vec<(u32, u32)>| moves.iter().filter(|step| is(step.0, Said::Open)).map(|step| step.0).collect();
        Image { to: table.moves.iter().map(to).collect(), open: table.moves.iter().map(open).collect() }
    }
}

/// What a pair says of a step that is asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Yes,
    No,
    /// It may be one, and shares something with it, or is one of several that it may be.
    Open,
}

impl Said {
    fn of(pair: Cube, either: u128, asked: Cube) -> Said {
        if pair.implies(asked) {
            return Said::Yes;
        }
        let may = asked.holds & pair.lacks == 0 && asked.lacks & pair.holds == 0;
        if may && (asked.holds & (pair.holds | either) != 0 || asked.holds == 0) { Said::Open } else { Said::No }
    }
}

/// States of one beginning, kept in order.
struct Row(Vec<u64>);

impl Row {
    fn new(states: usize) -> Row {
        Row(vec![0; (2 * states).div_ceil(64)])
    }

    fn add(&mut self, at: u32, wrapped: bool) {
        let bit = 2 * at as usize + usize::from(wrapped);
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    /// Moves the states to a list.
    fn take(&mut self, origin: u32, to: &mut Vec<Right>) {
        for (word, bits) in self.0.iter_mut().enumerate() {
            while *bits != 0 {
                let bit = 64 * word as u32 + bits.trailing_zeros();
                *bits &= *bits - 1;
                to.push(Right::new(origin, bit / 2, bit % 2 == 1));
            }
        }
    }
}
