//! What is run for a delta: the paths of the checks, and which of them an event can be on.

use super::path::{Ends, Paths, Step};
use crate::algebra::simplify::Condition;
use crate::algebra::{ExprId, Node, Pool, Predicate, Sort};
use rustc_hash::FxHashMap;

/// Input relations, at most: a delta has two words for each, and a word says which of them have a bit.
const MOST_RELATIONS: usize = 32;
/// Sets, at most.
const MOST_SETS: usize = 64;
/// Conditions, at most.
pub(super) const MOST_CHECKS: usize = 32;

/// A condition of a check, with the check's number.
pub(in crate::kernel) type Numbered = (usize, Condition);

/// Where an input goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::kernel) enum Input {
    Unused,
    Set(u8),
    Relation(u8),
}

/// How a derived set follows from the sets that an event is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    Any(u64),
    All(u64),
    Minus(u8, u8),
}

/// One step of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Hop {
    pub relation: u8,
    pub inverse: bool,
}

impl Hop {
    /// The word of a delta that says where an event's edges along the step lead.
    pub fn leaving(self) -> usize {
        2 * self.relation as usize + usize::from(!self.inverse)
    }

    /// The word that says where those that end at it come from.
    pub fn entering(self) -> usize {
        2 * self.relation as usize + usize::from(self.inverse)
    }

    /// The same step the other way round.
    pub fn back(self) -> Hop {
        Hop { inverse: !self.inverse, ..self }
    }
}

/// A path, of one check or several.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct PathCode {
    /// The checks, by bit.
    pub checks: u32,
    pub hops: Vec<Hop>,
    /// The set that each event is in.
    pub masks: Vec<u8>,
    pub and: Vec<Hop>,
    pub not: Vec<Hop>,
    pub distinct: bool,
}

impl PathCode {
    /// Whether it is the same path, of whatever check.
    fn is_same(&self, other: &PathCode) -> bool {
        let parts = |path: &'_ PathCode| (path.distinct, path.hops.clone(), path.masks.clone());
        parts(self) == parts(other) && self.and == other.and && self.not == other.not
    }

    pub fn is_filtered(&self) -> bool {
        self.distinct || !self.and.is_empty() || !self.not.is_empty()
    }
}

/// What an event that is at some place of a path has to have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Term {
    /// Words of its delta that are not empty.
    pub words: u64,
    /// Sets that it is in.
    pub sets: u64,
    pub path: u16,
    pub at: u8,
    /// The checks of the path.
    pub checks: u32,
    /// For an event at the beginning of a path of one step without filters: the word, and the set at the other end.
    pub plain: Option<(u8, u8)>,
}

#[derive(Clone, Debug)]
pub(super) struct CheckCode {
    /// Index in the model.
    pub index: usize,
    pub predicate: Predicate,
    /// For a cycle check, which of an event's rows holds its successors.
    pub row: usize,
}

/// The checks of a plan as unions of paths.
#[derive(Clone, Debug)]
pub(in crate::kernel) struct SmallCode {
    pub(super) inputs: Vec<Input>,
    /// By number of the derived set.
    pub(super) rules: Vec<(u8, Rule)>,
    /// For each input relation, which of an event's rows holds its targets, where these are kept. Its sources are in the row of the
    /// relation's number.
    pub(super) forward: Vec<Option<usize>>,
    /// Number of rows an event.
    pub(super) stride: usize,
    pub(super) checks: Vec<CheckCode>,
    pub(super) paths: Vec<PathCode>,
    pub(super) terms: Vec<Term>,
}

impl SmallCode {
    /// Code for conditions over inputs, if they are unions of paths.
    pub(in crate::kernel) fn compile(
        pool: &Pool,
        conditions: &[Numbered],
        numbers: &FxHashMap<ExprId, usize>,
        ends: Ends<'_>,
    ) -> Option<SmallCode> {
        let mut compiler = Compiler {
            pool,
            numbers,
            sets: FxHashMap::default(),
            rules: Vec::new(),
            count: 1,
            relations: 0,
            inputs: vec![Input::Unused; numbers.len()],
        };
        let finder = Paths { pool, ends };
        let (mut paths, mut checks) = (Vec::new(), Vec::new());
        if conditions.len() > MOST_CHECKS {
            return None;
        }
        for &(index, Condition { predicate, expr }) in conditions {
            let of_check = 1 << checks.len();
            let mut add = |path: PathCode| match paths.iter_mut().find(|known| path.is_same(known)) {
                Some(known) => known.checks |= of_check,
                None => paths.push(path),
            };
            let none = || PathCode { checks: of_check, ..PathCode::default() };
            if pool.sort(expr) == Sort::Set {
                let masks = vec![compiler.set(expr, 0)?];
                add(PathCode { masks, ..none() });
            } else {
                for path in finder.of(expr)? {
                    let masks = path.masks.iter().map(|sets| compiler.all_of(sets)).collect::<Option<_>>()?;
                    let hops = |compiler: &mut Compiler<'_>, steps: &[Step]| {
                        steps.iter().map(|&step| compiler.hop(step)).collect::<Option<Vec<_>>>()
                    };
                    let (and, not) = (hops(&mut compiler, &path.and)?, hops(&mut compiler, &path.not)?);
                    let hops = hops(&mut compiler, &path.steps)?;
                    add(PathCode { hops, masks, and, not, distinct: path.distinct, ..none() });
                }
            }
            checks.push(CheckCode { index, predicate, row: 0 });
        }
        // Inputs that only other checks need are sent as well.
        for (&id, &number) in numbers {
            if compiler.inputs[number] == Input::Unused {
                match pool.sort(id) {
                    Sort::Set => compiler.set(id, 0).map(drop)?,
                    Sort::Rel => compiler.relation(id).map(drop)?,
                }
            }
        }
        let relations = compiler.relations;
        let mut code = SmallCode {
            inputs: compiler.inputs,
            rules: compiler.rules,
            forward: vec![None; relations],
            stride: relations,
            checks,
            paths,
            terms: Vec::new(),
        };
        code.lay_out();
        Some(code)
    }

    /// For a word of a delta, which rows of the events that it mentions hold the same edges.
    #[inline]
    pub(super) fn theirs(&self, word: usize) -> Option<usize> {
        if word.is_multiple_of(2) { self.forward[word / 2] } else { Some(word / 2) }
    }

    /// An input set, by bit.
    #[inline]
    pub(in crate::kernel) fn set_of(&self, input: usize) -> u64 {
        match self.inputs[input] {
            Input::Set(set) => 1 << set,
            _ => 0,
        }
    }

    /// Decides which rows an event has, and makes the terms.
    fn lay_out(&mut self) {
        for path in &self.paths {
            for at in 0..=path.hops.len() {
                path.walked_often(at).for_each(|relation| self.forward[relation] = Some(0));
            }
        }
        for row in self.forward.iter_mut().flatten() {
            *row = self.stride;
            self.stride += 1;
        }
        for check in &mut self.checks {
            if check.predicate == Predicate::Acyclic {
                check.row = self.stride;
                self.stride += 1;
            }
        }
        for (number, path) in self.paths.iter().enumerate() {
            self.terms.extend((0..=path.hops.len()).map(|at| path.term(number, at)));
        }
    }
}

impl PathCode {
    /// The relations of which the targets of older events are looked up for a new event at a place of the path, often: when the
    /// edges by which it gets there are edges that end at it. New events have few others.
    fn walked_often(&self, at: usize) -> impl Iterator<Item = usize> {
        let (before, after) = self.hops.split_at(at);
        let into = before.last().is_none_or(|hop| !hop.inverse);
        let onward = after.first().is_none_or(|hop| hop.inverse);
        let before = before.iter().rev().skip(1).filter(|hop| hop.inverse);
        let after = after.iter().skip(1).filter(|hop| !hop.inverse);
        before.chain(after).filter(move |_| into && onward).map(|hop| hop.relation as usize)
    }

    fn term(&self, path: usize, at: usize) -> Term {
        let (before, after) = self.hops.split_at(at);
        let mut words = 0;
        before.last().iter().for_each(|hop| words |= 1 << hop.entering());
        after.first().iter().for_each(|hop| words |= 1 << hop.leaving());
        for hop in &self.and {
            match (before.is_empty(), after.is_empty()) {
                (true, true) => {}
                (true, _) => words |= 1 << hop.leaving(),
                (_, true) => words |= 1 << hop.entering(),
                _ => {}
            }
        }
        let plain = match (at, &self.hops[..]) {
            (0, [hop]) if !self.is_filtered() => Some((hop.leaving() as u8, self.masks[1])),
            _ => None,
        };
        Term { words, sets: 1 << self.masks[at], path: path as u16, at: at as u8, checks: self.checks, plain }
    }
}

struct Compiler<'a> {
    pool: &'a Pool,
    numbers: &'a FxHashMap<ExprId, usize>,
    sets: FxHashMap<ExprId, u8>,
    rules: Vec<(u8, Rule)>,
    /// Number of sets; the first is that of all events.
    count: usize,
    relations: usize,
    inputs: Vec<Input>,
}

impl Compiler<'_> {
    fn new_set(&mut self) -> Option<u8> {
        self.count += 1;
        (self.count <= MOST_SETS).then_some(self.count as u8 - 1)
    }

    fn set(&mut self, id: ExprId, depth: u8) -> Option<u8> {
        if let Some(&set) = self.sets.get(&id) {
            return Some(set);
        }
        if depth > 40 {
            return None;
        }
        let rule = match self.pool.node(id) {
            Node::Universe => return Some(0),
            Node::Base(_) => {
                let (&input, set) = (self.numbers.get(&id)?, self.new_set()?);
                self.inputs[input] = Input::Set(set);
                self.sets.insert(id, set);
                return Some(set);
            }
            Node::Union(xs) => Rule::Any(self.mask(xs, depth)?),
            Node::Inter(xs) => Rule::All(self.mask(xs, depth)?),
            Node::Diff(a, b) => Rule::Minus(self.set(*a, depth + 1)?, self.set(*b, depth + 1)?),
            Node::Empty(_) => Rule::Any(0),
            _ => return None,
        };
        let set = self.derived(rule)?;
        self.sets.insert(id, set);
        Some(set)
    }

    fn derived(&mut self, rule: Rule) -> Option<u8> {
        if let Some((set, _)) = self.rules.iter().find(|(_, known)| *known == rule) {
            return Some(*set);
        }
        let set = self.new_set()?;
        self.rules.push((set, rule));
        Some(set)
    }

    fn mask(&mut self, sets: &[ExprId], depth: u8) -> Option<u64> {
        sets.iter().try_fold(0, |mask, &set| Some(mask | 1 << self.set(set, depth + 1)?))
    }

    /// The intersection of some sets.
    fn all_of(&mut self, sets: &[ExprId]) -> Option<u8> {
        match *sets {
            [] => Some(0),
            [set] => self.set(set, 0),
            _ => {
                let mask = self.mask(sets, 0)?;
                if mask.is_power_of_two() { Some(mask.trailing_zeros() as u8) } else { self.derived(Rule::All(mask)) }
            }
        }
    }

    fn relation(&mut self, id: ExprId) -> Option<u8> {
        let &input = self.numbers.get(&id)?;
        if let Input::Relation(relation) = self.inputs[input] {
            return Some(relation);
        }
        self.relations += 1;
        let relation = (self.relations <= MOST_RELATIONS).then_some(self.relations as u8 - 1)?;
        self.inputs[input] = Input::Relation(relation);
        Some(relation)
    }

    fn hop(&mut self, step: Step) -> Option<Hop> {
        Some(Hop { relation: self.relation(step.relation)?, inverse: step.inverse })
    }
}
