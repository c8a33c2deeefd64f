//! Whether every path of one automaton is explained by another: inclusion, on the fly.
//!
//! A configuration is a state of the left automaton, what is known of the event at hand, and the set of states that the right automata may be in.
//! Sets are not determinised beforehand; a configuration with more knowledge and more states than another one is left out (antichains).
//!
//! Paths may lead from an event to itself ([`Ways`]). Then what is known of the first event is kept. The right side may begin anywhere on such a
//! cycle: a right state is a pair of where it began and where it is, and whether it has passed the end.
//!
//! What is not known of an event or a pair counts as against the right side. Where that is why the search fails, the cases are looked at one by one.

use super::alphabet::Alphabet;
use super::cube::{Atom, Cube, Formula};
use super::nfa::{Label, Nfa};
use super::recursion::splice;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// A right automaton: violations of an axiom, or what is impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub name: String,
    /// Its paths.
    pub paths: Nfa,
    /// Whether it is a fact, not an axiom.
    pub fact: bool,
}

/// What is asked.
#[derive(Debug)]
pub struct Question<'a> {
    /// The names and facts.
    pub alphabet: &'a Alphabet,
    /// The paths that have to be explained.
    pub left: &'a Nfa,
    /// What explains them.
    pub right: &'a [Part],
    /// Which paths are asked about.
    pub ways: Ways,
}

/// Which paths are asked about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ways {
    /// From any event to any other.
    Straight,
    /// Back to the first event; the right side begins there, too.
    Closed,
    /// Back to the first event; the right side may begin anywhere on the way.
    Turned,
}

/// A state of the right side: the state that it began in and the one that it is in, counted through all parts, and whether it has passed its end
/// and begun anew.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Right(u64);

impl Right {
    /// A state.
    pub fn new(origin: u32, at: u32, wrapped: bool) -> Right {
        Right(u64::from(origin) << 32 | u64::from(at) << 1 | u64::from(wrapped))
    }

    /// The state that it began in.
    pub fn origin(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The state that it is in.
    pub fn at(self) -> u32 {
        (self.0 as u32) >> 1
    }

    /// Whether it has passed its end.
    pub fn wrapped(self) -> bool {
        self.0 & 1 == 1
    }

    fn moved(self, at: u32) -> Right {
        Right::new(self.origin(), at, self.wrapped())
    }
}

/// An element of the invariant that is the proof.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Config {
    /// The state of the left automaton.
    pub left: u32,
    /// Whether no step has been made.
    pub fresh: bool,
    /// What is known of the first event.
    pub first: Cube,
    /// What is known of the event at hand.
    pub now: Cube,
    /// Where the right side may be, sorted.
    pub right: Vec<Right>,
}

/// What came of a search.
#[derive(Clone, Debug)]
pub enum Outcome<T = Vec<Config>> {
    /// All paths are explained: the invariant.
    Included(T),
    /// A path that is not, as far as it was looked at: the steps with what is known of them.
    Open(Vec<Stop>),
    /// Too much was to be looked at.
    GaveUp,
}

/// A stop of a path: what is known of an event, and of the pair that leads on from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The event.
    pub event: Cube,
    /// The step to the next one; none at the end.
    pub step: Option<Cube>,
}

/// The atom of the identity.
const ID: Atom = 0;

/// How much is looked at.
pub const MOST_CONFIGS: usize = 6_000;
/// How many states of the right side are looked at.
const MOST_WORK: usize = 6_000_000;
/// How often cases are added.
const MOST_ROUNDS: usize = 24;

/// Turns the automaton of a right side into one that also has the paths that certainly lie within its steps.
pub fn expand(alphabet: &Alphabet, nfa: &Nfa) -> Nfa {
    let mut known: FxHashMap<Cube, Nfa> = FxHashMap::default();
    let mut result = Nfa { edges: vec![Vec::new(); nfa.len()], start: nfa.start.clone(), accept: nfa.accept.clone() };
    for from in 0..nfa.len() {
        for (label, to) in &nfa.edges[from] {
            match label {
                Label::Test(_) => result.edges[from].push((label.clone(), *to)),
                Label::Step(cube) => {
                    let paths = known.entry(*cube).or_insert_with(|| alphabet.paths_within(*cube));
                    splice(&mut result, from, *to as usize, paths);
                }
            }
        }
        for path in &alphabet.loops {
            splice(&mut result, from, from, path);
        }
    }
    result.tidy()
}

/// Looks for a proof.
pub fn search(question: &Question<'_>) -> Outcome {
    let mut cases = Cases::default();
    let table = Table::new(question.right);
    for _ in 0..MOST_ROUNDS {
        let mut run = Run::new(question, &table, cases.clone());
        match run.search() {
            Ended::Included => {
                let configs = run.configs.into_iter().filter(|found| found.kept).map(|found| found.config);
                return Outcome::Included(configs.collect());
            }
            Ended::Open(at, missing) => {
                let path = run.path(at);
                match explain(question, &table, &cases, missing, &path) {
                    Some(more) => cases = cases.and(more),
                    None => return Outcome::Open(path),
                }
            }
            Ended::GaveUp => return Outcome::GaveUp,
        }
    }
    Outcome::GaveUp
}

/// The cases that explain one path, as few as are found; none where it is not explained however many are told apart.
fn explain(question: &Question<'_>, table: &Table, known: &Cases, missing: Cases, path: &[Stop]) -> Option<Cases> {
    let left = along(path);
    let question = Question { left: &left, ..*question };
    let mut all = missing;
    loop {
        match Run::new(&question, table, known.clone().and(all.clone())).search() {
            Ended::Included => break,
            Ended::Open(_, more) => {
                let before = all.len();
                all = all.and(more);
                if all.len() == before {
                    return None;
                }
            }
            Ended::GaveUp => return None,
        }
    }
    // What is not needed for this path is left out.
    for fewer in all.each() {
        let without = all.without(&fewer);
        if matches!(Run::new(&question, table, known.clone().and(without.clone())).search(), Ended::Included) {
            all = without;
        }
    }
    Some(all)
}

/// Whether the right side explains a path that another question left open.
pub fn explains(question: &Question<'_>, path: &[Stop]) -> bool {
    explain(question, &Table::new(question.right), &Cases::default(), Cases::default(), path).is_some()
}

/// The automaton of one path.
fn along(path: &[Stop]) -> Nfa {
    let test = |cube: Cube| {
        let literal = |(atom, holds)| if holds { Formula::Atom(atom) } else { Formula::Atom(atom).negated() };
        Nfa::test(Formula::all(cube.literals().map(literal)))
    };
    path.iter().fold(Nfa::epsilon(), |all, stop| {
        let on = all.then(&test(stop.event));
        stop.step.map_or(on.clone(), |step| on.then(&Nfa::step(step)))
    })
}

/// What is looked at case by case.
#[derive(Clone, Default, Debug)]
struct Cases {
    formulas: FxHashSet<Formula>,
    atoms: FxHashSet<Atom>,
}

impl Cases {
    fn len(&self) -> usize {
        self.formulas.len() + self.atoms.len()
    }

    fn and(mut self, more: Cases) -> Cases {
        self.formulas.extend(more.formulas);
        self.atoms.extend(more.atoms);
        self
    }

    fn without(&self, other: &Cases) -> Cases {
        let mut own = self.clone();
        own.formulas.retain(|formula| !other.formulas.contains(formula));
        own.atoms.retain(|atom| !other.atoms.contains(atom));
        own
    }

    /// One by one, in a fixed order.
    fn each(&self) -> Vec<Cases> {
        let mut formulas: Vec<&Formula> = self.formulas.iter().collect();
        let mut atoms: Vec<Atom> = self.atoms.iter().copied().collect();
        formulas.sort_unstable();
        atoms.sort_unstable();
        let formula = |f: &Formula| Cases { formulas: FxHashSet::from_iter([f.clone()]), ..Cases::default() };
        let atom = |a: Atom| Cases { atoms: FxHashSet::from_iter([a]), ..Cases::default() };
        formulas.into_iter().map(formula).chain(atoms.into_iter().map(atom)).collect()
    }
}

enum Ended {
    Included,
    Open(usize, Cases),
    GaveUp,
}

/// A configuration with where it comes from.
struct Found {
    config: Config,
    from: Option<(usize, Cube)>,
    missing: Cases,
    kept: bool,
}

/// The right side, ready to be walked: states of all parts in one row.
struct Table {
    formulas: Vec<Formula>,
    steps: Vec<Cube>,
    /// By state: the numbers of formulas, and where they lead.
    tests: Vec<Vec<(u32, u32)>>,
    /// By state: the numbers of steps, and where they lead.
    moves: Vec<Vec<(u32, u32)>>,
    accept: Vec<bool>,
    /// By state: the first states of its part.
    begins: Vec<Vec<u32>>,
}

impl Table {
    fn new(right: &[Part]) -> Table {
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

struct Run<'a> {
    question: &'a Question<'a>,
    table: &'a Table,
    cases: Cases,
    configs: Vec<Found>,
    by_left: FxHashMap<(u32, bool), Vec<usize>>,
    queue: VecDeque<usize>,
    work: std::cell::Cell<usize>,
}

impl<'a> Run<'a> {
    fn new(question: &'a Question<'a>, table: &'a Table, cases: Cases) -> Run<'a> {
        Run {
            question,
            table,
            cases,
            configs: Vec::new(),
            by_left: FxHashMap::default(),
            queue: VecDeque::new(),
            work: std::cell::Cell::new(0),
        }
    }

    fn search(&mut self) -> Ended {
        let question = self.question;
        let table = self.table;
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
    fn open(&self, at: usize, mut missing: Cases) -> Ended {
        let mut next = Some(at);
        while let Some(i) = next {
            missing.formulas.extend(self.configs[i].missing.formulas.iter().cloned());
            missing.atoms.extend(&self.configs[i].missing.atoms);
            next = self.configs[i].from.map(|(from, _)| from);
        }
        Ended::Open(at, missing)
    }

    fn path(&self, at: usize) -> Vec<Stop> {
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
    fn accepts(&self, config: &Config) -> Result<(), Cases> {
        let question = self.question;
        let ends = |r: &Right| self.table.accept[r.at() as usize];
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
            let (right, missing) = self.close(right, now);
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
    fn next_case(&self, missing: &Cases, now: Cube) -> Option<Formula> {
        missing.formulas.iter().filter(|f| self.cases.formulas.contains(*f) && f.of(now).is_none()).min().cloned()
    }

    fn step(&mut self, at: usize, config: &Config, cube: Cube, to: u32) {
        let question = self.question;
        let alphabet = question.alphabet;
        // The pair, case by case.
        let mut work: Vec<Cube> = alphabet.pairs.close(cube).into_iter().collect();
        while let Some(pair) = work.pop() {
            let (source, target) = alphabet.ends_of(pair);
            if pair.holds & alphabet.reflexive != 0 && pair.of(ID).is_none() {
                work.extend(
                    [false, true].iter().filter_map(|is| alphabet.pairs.close(pair.and(Cube::literal(ID, *is)))),
                );
                continue;
            }
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
                self.close(config.right.clone(), now)
            };
            if let Some(formula) = self.next_case(&missing, now) {
                // More is to be known of the event before it is left.
                for (now, _) in formula.cases(now, &alphabet.events) {
                    let first = if config.fresh { now } else { config.first };
                    let (right, _) = self.close(config.right.clone(), now);
                    let case = Config { now, first, right, ..config.clone() };
                    self.step(at, &case, cube, to);
                }
                return;
            }
            let mut moved: Vec<Right> = Vec::new();
            let mut asked: FxHashSet<u32> = FxHashSet::default();
            let said: Vec<Said> = self.table.steps.iter().map(|step| Said::of(pair, *step)).collect();
            for r in &right {
                for &(number, to) in &self.table.moves[r.at() as usize] {
                    match said[number as usize] {
                        Said::Yes => moved.push(r.moved(to)),
                        Said::No => {}
                        Said::Open => {
                            asked.insert(number);
                        }
                    }
                }
            }
            let open = asked.iter().flat_map(|number| self.table.steps[*number as usize].literals());
            let unknown: FxHashSet<Atom> = open.map(|(atom, _)| atom).filter(|atom| pair.of(*atom).is_none()).collect();
            let split = unknown.iter().copied().filter(|atom| self.cases.atoms.contains(atom)).min();
            if let Some(atom) = split {
                for holds in [false, true] {
                    work.extend(alphabet.pairs.close(pair.and(Cube::literal(atom, holds))));
                }
                continue;
            }
            missing.atoms.extend(unknown);
            moved.sort_unstable();
            moved.dedup();
            let config = Config { left: to, fresh: false, first, now: next, right: moved };
            self.enter_with(config, Some((at, pair)), missing);
        }
    }

    fn enter(&mut self, config: Config, from: Option<(usize, Cube)>) {
        self.enter_with(config, from, Cases::default());
    }

    /// Adds a configuration, case by case where that is asked for, unless another one covers it.
    fn enter_with(&mut self, config: Config, from: Option<(usize, Cube)>, missing: Cases) {
        let mut work = vec![config];
        while let Some(config) = work.pop() {
            let (right, mut own) = self.close(config.right.clone(), config.now);
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
    fn close(&self, right: Vec<Right>, now: Cube) -> (Vec<Right>, Cases) {
        let table = self.table;
        let mut said: Vec<Option<Option<bool>>> = vec![None; table.formulas.len()];
        let mut seen: FxHashSet<Right> = right.iter().copied().collect();
        let mut work = right;
        let mut missing = Cases::default();
        while let Some(r) = work.pop() {
            let at = r.at() as usize;
            if self.question.ways == Ways::Turned && !r.wrapped() && table.accept[at] {
                for &start in &table.begins[at] {
                    let next = Right::new(r.origin(), start, true);
                    if seen.insert(next) {
                        work.push(next);
                    }
                }
            }
            for &(number, to) in &table.tests[at] {
                let number = number as usize;
                match *said[number].get_or_insert_with(|| table.formulas[number].of(now)) {
                    Some(true) => {
                        let next = r.moved(to);
                        if seen.insert(next) {
                            work.push(next);
                        }
                    }
                    Some(false) => {}
                    None => {
                        missing.formulas.insert(table.formulas[number].clone());
                    }
                }
            }
        }
        let mut all: Vec<Right> = seen.into_iter().collect();
        all.sort_unstable();
        self.work.set(self.work.get() + all.len());
        (all, missing)
    }
}

/// What a pair says of a step that is asked for.
#[derive(Clone, Copy)]
enum Said {
    Yes,
    No,
    /// It may be one, and shares something with it.
    Open,
}

impl Said {
    fn of(pair: Cube, asked: Cube) -> Said {
        if pair.implies(asked) {
            return Said::Yes;
        }
        let may = asked.holds & pair.lacks == 0 && asked.lacks & pair.holds == 0;
        if may && (asked.holds & pair.holds != 0 || asked.holds == 0) { Said::Open } else { Said::No }
    }
}

/// Whether the second configuration is explained where the first one is: it knows at least as much, and the right side is at least as far.
fn covers(one: &Config, other: &Config) -> bool {
    other.first.implies(one.first) && other.now.implies(one.now) && is_subset(&one.right, &other.right)
}

fn is_subset(a: &[Right], b: &[Right]) -> bool {
    let mut b = b.iter();
    a.len() <= b.len() && a.iter().all(|x| b.find(|y| *y >= x) == Some(x))
}
