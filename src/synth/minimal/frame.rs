//! A program as a model sees it, whole or relaxed: the events that are alive, and all relations but reads-from and coherence.

use super::judge::{Judge, Values, Violated};
use super::matrix::{Events, Matrix, members};
use crate::synth::programs::given::Given;
use crate::synth::programs::program::{NO_ADDRESS, Program};
use crate::synth::programs::vocabulary::{Dependency, Kind, Relaxation, Vocabulary};

/// One way of relaxing one event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Application {
    /// How.
    pub relaxation: Relaxation,
    /// The event.
    pub event: usize,
    /// The token that it has then, and that of the write of its pair, where tokens change.
    becomes: [Option<u8>; 2],
    /// The dependency that goes, where it is a single one: its kind and target.
    dependency: Option<(Dependency, usize)>,
}

impl Application {
    /// The token that it gives an event, where it changes that.
    pub fn token_of(&self, event: usize) -> Option<u8> {
        self.becomes.get(event.checked_sub(self.event)?).copied().flatten()
    }

    /// Whether it drops a dependency.
    pub fn drops(&self, from: usize, to: usize, kind: Dependency) -> bool {
        self.event == from
            && match self.relaxation {
                Relaxation::RemoveDependencies => true,
                Relaxation::RemoveDependency => self.dependency == Some((kind, to)),
                _ => false,
            }
    }
}

/// A program, spread out for evaluation. Event numbers run thread after thread; the initial write of address `a` is event `size + a`.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The number of events without initial writes.
    pub size: usize,
    /// The number of addresses.
    pub addresses: usize,
    /// The token of each event.
    pub tokens: Vec<u8>,
    /// The address of each event, initial writes included, or [`NO_ADDRESS`].
    pub address: Vec<u8>,
    /// Events that read, without initial writes.
    pub reads: Vec<usize>,
    /// Events that write to each address.
    pub writes: Vec<Vec<usize>>,
    paired: Events,
    threads: Vec<Events>,
    /// By kind of group: the events of each group.
    groups: Vec<Vec<Events>>,
    /// What closes each bracket that an event opens.
    closes: Vec<(usize, usize)>,
    po: Matrix,
    loc: Matrix,
    depends: [Matrix; 3],
    /// Dependencies as the program has them: read, target, kind.
    edges: Vec<(usize, usize, Dependency)>,
}

impl Layout {
    /// Spreads a program out.
    pub fn new(program: &Program, vocabulary: &Vocabulary) -> Layout {
        let (size, addresses) = (program.size(), program.addresses());
        let mut layout = Layout {
            size,
            addresses,
            tokens: Vec::with_capacity(size),
            address: Vec::with_capacity(size + addresses),
            reads: Vec::new(),
            writes: vec![Vec::new(); addresses],
            paired: 0,
            threads: Vec::new(),
            groups: Vec::new(),
            closes: Vec::new(),
            po: Matrix::default(),
            loc: Matrix::default(),
            depends: [Matrix::default(); 3],
            edges: Vec::new(),
        };
        for thread in &program.threads {
            let first = layout.tokens.len();
            for (i, event) in thread.events.iter().enumerate() {
                let number = first + i;
                let kind = vocabulary.token(event.token).kind;
                layout.tokens.push(event.token);
                layout.address.push(event.address);
                layout.paired |= u16::from(event.paired) << number;
                if kind.reads() {
                    layout.reads.push(number);
                }
                if kind.writes() {
                    layout.writes[event.address as usize].push(number);
                }
                (first..number).for_each(|before| layout.po.add(before, number));
                if let Some(close) = vocabulary.opens(event.token) {
                    let end = thread.events[i..].iter().position(|other| other.token == close);
                    layout.closes.extend(end.map(|end| (number, number + end)));
                }
            }
            let end = layout.tokens.len();
            layout.threads.push((first..end).fold(0, |set, e| set | 1 << e));
            for depends in &thread.depends {
                let (from, to) = (first + depends.from as usize, first + depends.to as usize);
                let last = if depends.kind == Dependency::Ctrl { end } else { to + 1 };
                layout.edges.push((from, to, depends.kind));
                (to..last).for_each(|to| layout.depends[depends.kind as usize].add(from, to));
            }
        }
        for kind in &program.groups {
            let most = kind.iter().max().map_or(0, |m| *m as usize + 1);
            let of = |group: usize| {
                let own = layout.threads.iter().zip(kind).filter(|(_, g)| **g as usize == group);
                own.fold(0, |set, (events, _)| set | events)
            };
            layout.groups.push((0..most).map(of).collect());
        }
        layout.address.extend((0..addresses).map(|a| a as u8));
        for (e, &address) in layout.address.iter().enumerate().filter(|(_, a)| **a != NO_ADDRESS) {
            let same = layout.address.iter().enumerate().filter(|(_, a)| **a == address);
            layout.loc.0[e] = same.fold(0, |set, (other, _)| set | 1 << other);
        }
        layout
    }

    /// The same program with every dependency that there can be.
    pub fn with_all_dependencies(&self, vocabulary: &Vocabulary) -> Layout {
        let mut layout = self.clone();
        let kind = |e: usize| vocabulary.token(self.tokens[e]).kind;
        for &read in &self.reads {
            let own = self.paired >> read & 1 == 1;
            for to in members(self.po.0[read]).filter(|&to| !(own && to == read + 1)) {
                for &dependency in &vocabulary.dependencies {
                    let fits = match dependency {
                        Dependency::Addr => kind(to) != Kind::Fence,
                        Dependency::Data => kind(to).writes(),
                        Dependency::Ctrl => true,
                    };
                    if fits {
                        layout.depends[dependency as usize].add(read, to);
                    }
                }
            }
        }
        layout
    }

    /// All events, initial writes included.
    pub fn universe(&self) -> Events {
        (((1u32 << (self.size + self.addresses)) - 1) & 0xffff) as Events
    }

    /// The initial write of an address.
    pub fn initial(&self, address: usize) -> usize {
        self.size + address
    }

    /// Every relaxation of every event that the vocabulary offers, among those that are asked for.
    pub fn applications(&self, vocabulary: &Vocabulary, asked: &[Relaxation]) -> Vec<Application> {
        let mut all = Vec::new();
        for event in 0..self.size {
            // The write of a pair is relaxed with its read, what closes a bracket with what opens it.
            let is_second = event > 0 && self.paired >> (event - 1) & 1 == 1;
            if is_second || self.closes.iter().any(|&(_, close)| close == event) {
                continue;
            }
            for &relaxation in asked {
                let becomes = self.becomes(vocabulary, relaxation, event);
                let with = |becomes| Application { relaxation, event, becomes, dependency: None };
                all.extend(becomes.into_iter().map(with));
                if relaxation == Relaxation::RemoveDependency {
                    let own = self.edges.iter().filter(|(from, ..)| *from == event);
                    all.extend(
                        own.map(|&(_, to, kind)| Application { dependency: Some((kind, to)), ..with([None, None]) }),
                    );
                }
            }
        }
        all
    }

    fn becomes(&self, vocabulary: &Vocabulary, relaxation: Relaxation, event: usize) -> Vec<[Option<u8>; 2]> {
        let token = vocabulary.token(self.tokens[event]);
        let pair = match self.paired >> event & 1 {
            1 => vocabulary.pair(self.tokens[event], self.tokens[event + 1]),
            _ => None,
        };
        let both = |names: &[String; 2]| [0, 1].map(|i| Some(vocabulary.number(&names[i])));
        let weaker = || token.weaker.iter().map(|name| [Some(vocabulary.number(name)), None]).collect();
        match (relaxation, pair) {
            (Relaxation::Remove, _) => vec![[None, None]],
            (Relaxation::Decompose, Some(pair)) => vec![both(&pair.decomposed)],
            (Relaxation::DemoteOrder, Some(pair)) => pair.weaker.iter().map(both).collect(),
            (Relaxation::DemoteOrder, None) if token.kind != Kind::Fence => weaker(),
            (Relaxation::DemoteFence, _) if token.kind == Kind::Fence => weaker(),
            (Relaxation::DemoteScope, _) => {
                token.narrower.iter().map(|name| [Some(vocabulary.number(name)), None]).collect()
            }
            (Relaxation::RemoveDependencies, _) if self.depends.iter().any(|d| d.0[event] != 0) => {
                vec![[None, None]]
            }
            _ => Vec::new(),
        }
    }
}

/// A program or a relaxed one, ready to be judged.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The events that are there.
    pub alive: Events,
    values: Values,
}

impl Frame {
    /// The program as it is.
    pub fn whole(layout: &Layout, vocabulary: &Vocabulary, judge: &Judge) -> Frame {
        Frame::build(layout, vocabulary, judge, None)
    }

    /// The program, relaxed.
    pub fn relaxed(layout: &Layout, vocabulary: &Vocabulary, judge: &Judge, how: &Application) -> Frame {
        Frame::build(layout, vocabulary, judge, Some(how))
    }

    /// Whether the model has an answer for the program.
    pub fn is_settled(&self) -> bool {
        self.values.is_settled()
    }

    /// The checks that an execution violates, events that are not there left out; only the first where `all` is false.
    pub fn violated(&mut self, judge: &Judge, rf: &Matrix, co: &Matrix, all: bool) -> Violated {
        judge.violated(&mut self.values, &rf.within(self.alive), &co.within(self.alive), all)
    }

    /// Whether the model sees no difference between this thread and the same one, relaxed by something that removes no access of memory.
    pub fn is_same_to(&self, relaxed: &Frame, judge: &Judge, removed: Option<usize>) -> bool {
        judge.is_without_effect(&self.values, &relaxed.values, removed)
    }

    fn build(layout: &Layout, vocabulary: &Vocabulary, judge: &Judge, how: Option<&Application>) -> Frame {
        let mut tokens = layout.tokens.clone();
        let (mut alive, mut paired, mut depends) = (layout.universe(), layout.paired, layout.depends);
        if let Some(&Application { relaxation, event, becomes, dependency }) = how {
            for (i, token) in becomes.into_iter().enumerate() {
                if let Some(token) = token {
                    tokens[event + i] = token;
                }
            }
            match relaxation {
                Relaxation::Remove => {
                    let close = layout.closes.iter().find(|(open, _)| *open == event);
                    let gone = match close {
                        Some((_, close)) => 1 << event | 1 << close,
                        None if paired >> event & 1 == 1 => 3 << event,
                        None => 1 << event,
                    };
                    bridge(&mut depends, gone);
                    alive &= !gone;
                    paired &= !gone;
                }
                Relaxation::Decompose => paired &= !(1 << event),
                Relaxation::RemoveDependencies => depends.iter_mut().for_each(|d| d.0[event] = 0),
                Relaxation::RemoveDependency => match dependency {
                    // A read has one branch at most.
                    Some((Dependency::Ctrl, _)) => depends[Dependency::Ctrl as usize].0[event] = 0,
                    Some((kind, to)) => depends[kind as usize].0[event] &= !(1 << to),
                    None => {}
                },
                Relaxation::DemoteFence | Relaxation::DemoteOrder | Relaxation::DemoteScope => {}
            }
        }
        let names = Names { layout, vocabulary, tokens: &tokens, alive, paired, depends: &depends };
        let values =
            judge.prepare(alive, &|tokens, initial| names.set(tokens, initial), &|given| names.relation(given));
        Frame { alive, values }
    }
}

/// What a removed event passes on: what depends on it depends on what it depends on, in the same way.
fn bridge(depends: &mut [Matrix; 3], gone: Events) {
    for event in members(gone) {
        let into = depends.iter().fold(0, |set, d| {
            set | (0..super::matrix::EVENTS).fold(0, |set, from| set | u16::from(d.has(from, event)) << from)
        });
        for kind in depends.iter_mut() {
            let out = kind.0[event];
            members(into).for_each(|from| kind.0[from] |= out);
        }
    }
}

/// The values of base names.
struct Names<'a> {
    layout: &'a Layout,
    vocabulary: &'a Vocabulary,
    tokens: &'a [u8],
    alive: Events,
    paired: Events,
    depends: &'a [Matrix; 3],
}

impl Names<'_> {
    fn set(&self, tokens: &[bool], initial: bool) -> Events {
        let own =
            self.tokens.iter().enumerate().fold(0, |set, (e, &token)| set | u16::from(tokens[token as usize]) << e);
        let program = self.program();
        (own | if initial { self.layout.universe() & !program } else { 0 }) & self.alive
    }

    /// All events but initial writes.
    fn program(&self) -> Events {
        (1 << self.layout.size) - 1
    }

    fn relation(&self, given: &Given) -> Matrix {
        let layout = self.layout;
        let threads =
            || layout.threads.iter().fold(Matrix::default(), |sum, &t| sum.zip(&Matrix::product(t, t), |a, b| a | b));
        let (everything, program) = (layout.universe(), self.program());
        let result = match given {
            Given::Po => layout.po,
            Given::Int => threads(),
            Given::Ext => {
                let initial = everything & !program;
                let inside = threads().zip(&Matrix::product(initial, initial), |a, b| a | b);
                Matrix::product(everything, everything).zip(&inside, |a, b| a & !b)
            }
            Given::Loc => layout.loc,
            Given::Accesses => Matrix(std::array::from_fn(|e| layout.loc.0[e] & 1 << e)),
            Given::Same => Matrix::identity(program),
            Given::Depends(kind) => self.depends[*kind as usize],
            Given::Pairs(relation) => {
                let mut pairs = Matrix::default();
                for read in members(self.paired) {
                    let pair = self.vocabulary.pair(self.tokens[read], self.tokens[read + 1]);
                    if pair.is_some_and(|pair| pair.relation == *relation) {
                        pairs.add(read, read + 1);
                    }
                }
                pairs
            }
            Given::Group(kind) => layout
                .groups
                .get(*kind)
                .into_iter()
                .flatten()
                .fold(Matrix::default(), |sum, &group| sum.zip(&Matrix::product(group, group), |a, b| a | b)),
            Given::Set(..) | Given::Nothing => Matrix::default(),
        };
        result.within(self.alive)
    }
}
