//! Which outcomes of a program are minimal.
//!
//! An outcome is the source of every read and the co-last write of every address. `docs/synthesis.md` defines minimality.
//!
//! Where the model is monotone, a violation stays when more is decided. A partial outcome that violates a relaxed program is left: no completion is minimal.
//!
//! - [`judge`]: a model as straight code over relations of sixteen events ([`matrix`]), in the order of [`schedule`].
//! - [`frame`]: a program, whole or relaxed, as a model sees it; [`locality`]: relaxations of a thread without effect.
//! - [`examine`]: dependencies that make a program minimal. [`verify`]: the reference evaluator's judgement.

pub mod examine;
pub mod frame;
pub mod judge;
pub mod locality;
pub mod matrix;
pub mod schedule;
pub mod verify;

use super::programs::vocabulary::{Relaxation, Vocabulary};
use frame::{Application, Frame, Layout};
use judge::{Axioms, Judge, Violated};
use matrix::{Events, Matrix, members};

/// Which definition of minimality counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Minimality {
    /// Of outcomes: every execution is forbidden, and some is allowed after each relaxation.
    Outcome,
    /// Of executions: the same execution is allowed after each relaxation.
    Execution,
}

/// A minimal outcome with one execution that gives it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Witness {
    /// The source of each read, by number of event; initial writes follow the program's events.
    pub rf: Vec<(usize, usize)>,
    /// The writes of each address, in coherence order.
    pub co: Vec<Vec<usize>>,
    /// The axioms for which the outcome is minimal.
    pub axioms: Axioms,
    /// Whether every execution with this outcome is forbidden, if by different axioms.
    pub forbidden: bool,
}

/// The search through the outcomes of one program.
pub struct Search<'a> {
    layout: &'a Layout,
    /// What is relaxed; the same program, maybe with other dependencies.
    base: &'a Layout,
    vocabulary: &'a Vocabulary,
    judge: &'a Judge,
    minimality: Minimality,
    applications: Vec<Application>,
    whole: Frame,
    /// By application; built when first needed.
    relaxed: Vec<Option<Frame>>,
    /// The source chosen for each read that was decided.
    sources: Vec<usize>,
    /// The order of writes by address, as far as decided. Of an outcome with three writes or more, only the last is.
    orders: Vec<Vec<usize>>,
    rf: Matrix,
    co: Matrix,
    found: Vec<Witness>,
}

impl<'a> Search<'a> {
    /// All minimal outcomes of a program.
    pub fn run(
        layout: &'a Layout,
        vocabulary: &'a Vocabulary,
        judge: &'a Judge,
        minimality: Minimality,
        relaxations: &[Relaxation],
    ) -> Vec<Witness> {
        Search::between([layout, layout], vocabulary, judge, minimality, relaxations)
    }

    /// The outcomes that the first program forbids, and that become allowed when the second one is relaxed. The programs differ in dependencies only.
    pub fn between(
        [layout, base]: [&'a Layout; 2],
        vocabulary: &'a Vocabulary,
        judge: &'a Judge,
        minimality: Minimality,
        relaxations: &[Relaxation],
    ) -> Vec<Witness> {
        let applications = base.applications(vocabulary, relaxations);
        let mut search = Search {
            layout,
            base,
            vocabulary,
            judge,
            minimality,
            whole: Frame::whole(layout, vocabulary, judge),
            relaxed: vec![None; applications.len()],
            applications,
            sources: Vec::new(),
            orders: Vec::new(),
            rf: Matrix::default(),
            co: Matrix::default(),
            found: Vec::new(),
        };
        if search.whole.is_settled() {
            search.order();
        }
        search.found
    }

    /// Chooses the coherence of the next address, of an outcome only as far as it shows.
    fn order(&mut self) {
        let address = self.orders.len();
        if address == self.layout.addresses {
            if !self.is_hopeless() {
                self.read();
            }
            return;
        }
        let mut writes = self.layout.writes[address].clone();
        let before = self.co;
        let partial = self.minimality == Minimality::Outcome && writes.len() > 2;
        if partial {
            for last in 0..writes.len() {
                self.co = before;
                let last = writes[last];
                let all = writes.iter().fold(0, |set, w| set | 1 << w);
                self.co.0[self.layout.initial(address)] |= all;
                writes.iter().filter(|&&w| w != last).for_each(|&w| self.co.add(w, last));
                self.orders.push(vec![last]);
                self.order();
                self.orders.pop();
            }
        } else {
            let initial = self.layout.initial(address);
            permutations(&mut writes, 0, &mut |order| {
                self.co = before;
                add_order(&mut self.co, initial, order);
                self.orders.push(order.to_vec());
                self.order();
                self.orders.pop();
            });
        }
        self.co = before;
    }

    /// Chooses the source of the next read.
    fn read(&mut self) {
        let Some(&read) = self.layout.reads.get(self.sources.len()) else { return self.decide() };
        let address = self.layout.address[read] as usize;
        let initial = self.layout.initial(address);
        let layout = self.layout;
        for &source in std::iter::once(&initial).chain(&layout.writes[address]).filter(|&&w| w != read) {
            self.rf.add(source, read);
            self.sources.push(source);
            if !self.is_hopeless() {
                self.read();
            }
            self.sources.pop();
            self.rf.0[source] &= !(1 << read);
        }
    }

    /// Whether what is decided violates the model in some relaxed program, so that nothing minimal comes of it.
    fn is_hopeless(&mut self) -> bool {
        // Of one or two writes, the last decides the order, also where one of them is removed.
        let is_ordered = || {
            self.orders.len() == self.layout.addresses
                && self.orders.iter().zip(&self.layout.writes).all(|(order, writes)| order.len() >= writes.len().min(2))
        };
        let monotone = self.judge.monotone();
        if !(monotone.executions || monotone.reads && is_ordered())
            || !self.whole.violated(self.judge, &self.rf, &self.co, false).forbidden
        {
            return false;
        }
        (0..self.applications.len()).any(|i| {
            let (judge, rf, co) = (self.judge, self.rf, self.co);
            self.relaxed(i).violated(judge, &rf, &co, false).forbidden
        })
    }

    fn relaxed(&mut self, i: usize) -> &mut Frame {
        let (layout, vocabulary, judge) = (self.base, self.vocabulary, self.judge);
        let application = &self.applications[i];
        self.relaxed[i].get_or_insert_with(|| Frame::relaxed(layout, vocabulary, judge, application))
    }

    /// Everything is decided that an outcome says.
    fn decide(&mut self) {
        let violated = self.violated_by_all();
        if violated.is_nothing() {
            return;
        }
        for i in 0..self.applications.len() {
            if !self.is_allowed_when_relaxed(i) {
                return;
            }
        }
        let rf = self.layout.reads.iter().copied().zip(self.sources.iter().copied()).collect();
        let orders = self.orders.iter().zip(&self.layout.writes);
        let whole = |(order, writes): (&Vec<usize>, &Vec<usize>)| {
            let rest = writes.iter().copied().filter(|w| !order.contains(w));
            rest.chain(order.iter().copied()).collect()
        };
        self.found.push(Witness {
            rf,
            co: orders.map(whole).collect(),
            axioms: violated.axioms,
            forbidden: violated.forbidden,
        });
    }

    /// What every execution in question violates.
    fn violated_by_all(&mut self) -> Violated {
        let (rf, co, layout, judge) = (self.rf, self.co, self.layout, self.judge);
        if self.minimality == Minimality::Execution {
            return self.whole.violated(judge, &rf, &co, true);
        }
        let mut common = Violated::ALL;
        let lasts: Vec<Option<usize>> = self.orders.iter().map(|order| order.last().copied()).collect();
        let whole = &mut self.whole;
        completions(layout, layout.universe(), &lasts, 0, &Matrix::default(), &mut |co| {
            common = common.and(whole.violated(judge, &rf, co, true));
            !common.is_nothing()
        });
        common
    }

    /// Whether a relaxed program has an allowed execution that agrees with the outcome.
    fn is_allowed_when_relaxed(&mut self, i: usize) -> bool {
        let (rf, co) = (self.rf, self.co);
        if self.minimality == Minimality::Execution {
            let judge = self.judge;
            return !self.relaxed(i).violated(judge, &rf, &co, false).forbidden;
        }
        let (layout, judge) = (self.layout, self.judge);
        let sources = layout.reads.iter().copied().zip(self.sources.iter().copied()).collect();
        let lasts = self.orders.iter().map(|order| order.last().copied()).collect();
        let frame = self.relaxed(i);
        let outcome = Outcome { sources, lasts }.of(frame.alive);
        is_allowed(layout, frame, judge, &outcome)
    }
}

/// What is said of an execution; the rest is free.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Outcome {
    /// Sources of reads.
    pub sources: Vec<(usize, usize)>,
    /// The last write of each address.
    pub lasts: Vec<Option<usize>>,
}

impl Outcome {
    /// What an execution says.
    pub fn of_witness(witness: &Witness) -> Outcome {
        Outcome { sources: witness.rf.clone(), lasts: witness.co.iter().map(|order| order.last().copied()).collect() }
    }

    /// What is left of it where some events are gone.
    pub fn of(mut self, alive: Events) -> Outcome {
        let is_alive = |e: usize| alive >> e & 1 == 1;
        self.sources.retain(|&(read, source)| is_alive(read) && is_alive(source));
        self.lasts.iter_mut().for_each(|last| *last = last.filter(|&last| is_alive(last)));
        self
    }
}

/// Whether some execution that agrees with an outcome is allowed.
pub fn is_allowed(layout: &Layout, frame: &mut Frame, judge: &Judge, outcome: &Outcome) -> bool {
    let alive = frame.alive;
    let mut kept = Matrix::default();
    outcome.sources.iter().for_each(|&(read, source)| kept.add(source, read));
    let is_free = |read: &usize| alive >> read & 1 == 1 && !outcome.sources.iter().any(|(known, _)| known == read);
    let free: Vec<usize> = layout.reads.iter().copied().filter(is_free).collect();
    let mut allowed = false;
    completions(layout, alive, &outcome.lasts, 0, &Matrix::default(), &mut |co| {
        allowed = sourced(layout, alive, &free, kept, &mut |rf| !frame.violated(judge, rf, co, false).forbidden);
        !allowed
    });
    allowed
}

/// Calls `see` with every choice of sources for some reads, until it says yes.
fn sourced(layout: &Layout, alive: Events, free: &[usize], rf: Matrix, see: &mut dyn FnMut(&Matrix) -> bool) -> bool {
    let Some((&read, rest)) = free.split_first() else { return see(&rf) };
    let address = layout.address[read] as usize;
    let writes = layout.writes[address].iter().copied().filter(|&w| alive >> w & 1 == 1 && w != read);
    std::iter::once(layout.initial(address)).chain(writes).any(|source| {
        let mut rf = rf;
        rf.add(source, read);
        sourced(layout, alive, rest, rf, see)
    })
}

/// Calls `see` with every coherence order in which the given writes are last, until it returns false.
fn completions(
    layout: &Layout,
    alive: Events,
    lasts: &[Option<usize>],
    address: usize,
    co: &Matrix,
    see: &mut dyn FnMut(&Matrix) -> bool,
) -> bool {
    if address == layout.addresses {
        return see(co);
    }
    let mut writes: Vec<usize> =
        layout.writes[address].iter().copied().filter(|&w| alive >> w & 1 == 1 && lasts[address] != Some(w)).collect();
    let mut goes_on = true;
    permutations(&mut writes, 0, &mut |order| {
        if goes_on {
            let mut co = *co;
            let order: Vec<usize> = order.iter().copied().chain(lasts[address]).collect();
            add_order(&mut co, layout.initial(address), &order);
            goes_on = completions(layout, alive, lasts, address + 1, &co, see);
        }
    });
    goes_on
}

/// Adds the coherence order of one address.
fn add_order(co: &mut Matrix, initial: usize, order: &[usize]) {
    let mut before: Events = 1 << initial;
    for &write in order {
        members(before).for_each(|earlier| co.add(earlier, write));
        before |= 1 << write;
    }
}

/// Calls `see` with every order of the elements from `first` on.
fn permutations(elements: &mut [usize], first: usize, see: &mut dyn FnMut(&[usize])) {
    if first + 1 >= elements.len() {
        return see(elements);
    }
    for i in first..elements.len() {
        elements.swap(first, i);
        permutations(elements, first + 1, see);
        elements.swap(first, i);
    }
}
