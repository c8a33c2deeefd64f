//! Locks that a thread holds, by the expressions that their addresses were computed by: also where these are places in arrays and nodes.
//!
//! A forward analysis of all live registers. Each holds an expression over constants, what the thread was given, what an instruction made when it was last passed, and what a register held when the thread last
//! came to a place where ways meet. A lock is known by the expression of its address when it was taken. Where ways meet, an expression stays that is the same on all of them, if registers that differ there stand for
//! themselves: `lock[at]` is held at the head of a loop if `lock[0]` is when the thread comes to it first with 0 in `at`, and `lock[next]` when it comes round with `next` in `at`.
//!
//! An expression speaks of the last time that its places were passed. None survives that: where a thread comes by again, it has come to a place where ways meet, and one of these had not passed them.

use crate::explore::analysis::load_buffering::flat::{At, Flat};
use crate::explore::analysis::load_buffering::follow::{results_of, sets};
use crate::program::flow::uses;
use crate::program::{BinOp, Instr, Operand, UnOp, arith};
use crate::relation::bits::Bits;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// What is known in one state: the expression of an operand, and the locks that are held, with their kinds.
type Known = (Option<Affine>, SmallVec<[(Affine, usize); 2]>);

/// Passes over the code in which it has to settle.
const MOST_PASSES: usize = 64;
/// States at one place that are told apart, and at all places.
const MOST_STATES: usize = 32;
const MOST_IN_ALL: usize = 1 << 14;
/// Of larger expressions nothing is known.
const MOST_PARTS: u32 = 64;

/// The number of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Sym(u32);

/// Nothing is known, not even that it is the same as another such value.
const UNKNOWN: Sym = Sym(0);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Term {
    Unknown,
    Const(u64),
    /// A parameter of the thread's function.
    Given(usize),
    /// What a node gave a register.
    Made(At, usize),
    /// What a register holds where ways meet.
    Meets(At, usize),
    Binary(BinOp, u8, Sym, Sym),
    Unary(UnOp, u8, Sym),
}

/// Expressions, each once.
struct Terms {
    all: Vec<Term>,
    /// How many parts each has, those that are the same counted as often as they stand there.
    parts: Vec<u32>,
    numbers: FxHashMap<Term, Sym>,
}

/// A number as a constant, and so many times an expression that is not taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Affine {
    pub offset: u64,
    pub factor: u64,
    pub of: Option<Sym>,
}

impl Terms {
    fn new() -> Terms {
        Terms { all: vec![Term::Unknown], parts: vec![1], numbers: FxHashMap::from_iter([(Term::Unknown, UNKNOWN)]) }
    }

    fn get(&self, sym: Sym) -> Term {
        self.all[sym.0 as usize]
    }

    fn make(&mut self, term: Term) -> Sym {
        let term = match term {
            Term::Binary(_, _, a, b) if a == UNKNOWN || b == UNKNOWN => return UNKNOWN,
            Term::Unary(_, _, a) if a == UNKNOWN => return UNKNOWN,
            Term::Binary(op, bits, a, b) => match (op, bits, self.get(a), self.get(b)) {
                (_, _, Term::Const(x), Term::Const(y)) => match arith::binary(op, bits, x, y) {
                    Some(value) => Term::Const(value),
                    None => return UNKNOWN,
                },
                (BinOp::Add, 64, _, Term::Const(0)) => return a,
                (BinOp::Add, 64, Term::Const(0), _) => return b,
                _ => term,
            },
            Term::Unary(op, bits, a) => match self.get(a) {
                Term::Const(x) => Term::Const(arith::unary(op, bits, x)),
                _ => term,
            },
            _ => term,
        };
        let parts = |sym: Sym| self.parts[sym.0 as usize];
        let count = match term {
            Term::Binary(_, _, a, b) => 1 + parts(a) + parts(b),
            Term::Unary(_, _, a) => 1 + parts(a),
            _ => 1,
        };
        if count > MOST_PARTS {
            return UNKNOWN;
        }
        let next = Sym(self.all.len() as u32);
        let sym = *self.numbers.entry(term).or_insert(next);
        if sym == next {
            self.all.push(term);
            self.parts.push(count);
        }
        sym
    }

    /// An expression in which others stand for some. `None`: what is left speaks of an earlier time that ways met at a node.
    fn replaced(&mut self, sym: Sym, by: &dyn Fn(Sym, Term) -> Option<Sym>, at: Option<At>) -> Option<Sym> {
        let term = self.get(sym);
        if let Some(other) = by(sym, term) {
            return Some(other);
        }
        match term {
            Term::Meets(place, _) if Some(place) == at => None,
            Term::Binary(op, bits, a, b) => {
                let (a, b) = (self.replaced(a, by, at)?, self.replaced(b, by, at)?);
                Some(self.make(Term::Binary(op, bits, a, b)))
            }
            Term::Unary(op, bits, a) => {
                let a = self.replaced(a, by, at)?;
                Some(self.make(Term::Unary(op, bits, a)))
            }
            _ => Some(sym),
        }
    }

    fn mentions(&self, sym: Sym, what: &dyn Fn(Term) -> bool) -> bool {
        let term = self.get(sym);
        what(term)
            || match term {
                Term::Binary(_, _, a, b) => self.mentions(a, what) || self.mentions(b, what),
                Term::Unary(_, _, a) => self.mentions(a, what),
                _ => false,
            }
    }

    fn affine(&self, sym: Sym) -> Affine {
        let constant = |sym: Sym| match self.get(sym) {
            Term::Const(value) => Some(value),
            _ => None,
        };
        let scaled = |inner: Affine, by: u64| Affine {
            offset: inner.offset.wrapping_mul(by),
            factor: inner.factor.wrapping_mul(by),
            ..inner
        };
        match self.get(sym) {
            Term::Const(offset) => Affine { offset, factor: 0, of: None },
            Term::Binary(BinOp::Add, 64, a, b) if constant(b).or(constant(a)).is_some() => {
                let (inner, by) = if let Some(by) = constant(b) { (a, by) } else { (b, constant(a).unwrap_or(0)) };
                let inner = self.affine(inner);
                Affine { offset: inner.offset.wrapping_add(by), ..inner }
            }
            Term::Binary(BinOp::Mul, 64, a, b) if constant(b).or(constant(a)).is_some() => {
                let (inner, by) = if let Some(by) = constant(b) { (a, by) } else { (b, constant(a).unwrap_or(0)) };
                scaled(self.affine(inner), by)
            }
            Term::Binary(BinOp::Shl, 64, a, b) if constant(b).is_some_and(|by| by < 64) => {
                scaled(self.affine(a), 1 << constant(b).unwrap_or(0))
            }
            _ => Affine { offset: 0, factor: 1, of: Some(sym) },
        }
    }
}

/// What holds on arrival at a node.
#[derive(Clone, PartialEq)]
struct State {
    registers: Vec<Sym>,
    /// By address, with the kind of lock.
    held: SmallVec<[(Sym, usize); 4]>,
}

impl State {
    /// Values that are not used again are all the same.
    fn forget_dead(&mut self, live: &Bits) {
        let dead = self.registers.iter_mut().enumerate().filter(|(register, _)| !live.contains(*register as u32));
        dead.for_each(|(_, sym)| *sym = UNKNOWN);
    }
}

/// The addresses of a thread's accesses, and the locks that it certainly holds there.
pub(super) struct Holding {
    terms: Terms,
    /// By node: a thread that arrives is in one of these.
    states: Vec<Vec<State>>,
}

impl Holding {
    /// Each way by itself, as long as there are not too many: loops that go round a few times with known numbers are followed. `takes`: the kind of lock that a write takes when it happens.
    /// `None`: there are too many.
    pub fn by_ways(flat: &Flat<'_>, takes: &dyn Fn(At) -> Option<usize>) -> Option<Holding> {
        let live = live(flat);
        let mut holding = Holding { terms: Terms::new(), states: vec![Vec::new(); flat.len()] };
        let mut work = vec![(0, holding.start(flat))];
        let mut count = 0;
        while let Some((at, mut state)) = work.pop() {
            state.forget_dead(&live[at]);
            if holding.states[at].contains(&state) {
                continue;
            }
            count += 1;
            if holding.states[at].len() >= MOST_STATES || count > MOST_IN_ALL {
                return None;
            }
            holding.states[at].push(state.clone());
            let decided = holding.decided(flat, at, &state);
            let state = holding.pass(flat, at, state, takes);
            let next = flat.next[at].iter().filter(|&&to| decided.is_none_or(|only| only == to));
            work.extend(next.map(|&to| (to, state.clone())));
        }
        Some(holding)
    }

    /// All ways to a place together. `None`: it did not settle.
    pub fn together(flat: &Flat<'_>, takes: &dyn Fn(At) -> Option<usize>) -> Option<Holding> {
        let live = live(flat);
        let mut before: Vec<Vec<At>> = vec![Vec::new(); flat.len()];
        for at in 0..flat.len() {
            for &to in &flat.next[at] {
                if !before[to].contains(&at) {
                    before[to].push(at);
                }
            }
        }
        let mut holding = Holding { terms: Terms::new(), states: vec![Vec::new(); flat.len()] };
        let start = holding.start(flat);
        for _ in 0..MOST_PASSES {
            let mut is_settled = true;
            let mut behind: Vec<Option<State>> = vec![None; flat.len()];
            for (at, state) in behind.iter_mut().enumerate() {
                *state = holding.states[at].first().cloned().map(|state| holding.pass(flat, at, state, takes));
            }
            for at in 0..flat.len() {
                let mut ways: Vec<State> = before[at].iter().filter_map(|&from| behind[from].clone()).collect();
                if at == 0 {
                    ways.push(start.clone());
                }
                let Some(mut state) = holding.meet(at, ways, &live[at]) else { continue };
                state.forget_dead(&live[at]);
                if holding.states[at].first() != Some(&state) {
                    is_settled = false;
                    // What follows in the order of the code need not wait for the next pass.
                    behind[at] = Some(holding.pass(flat, at, state.clone(), takes));
                    holding.states[at] = vec![state];
                }
            }
            if is_settled {
                return Some(holding);
            }
        }
        None
    }

    fn start(&mut self, flat: &Flat<'_>) -> State {
        let mut start = State { registers: vec![UNKNOWN; flat.registers()], held: SmallVec::new() };
        if let Some(call) = flat.calls.first() {
            for i in 0..call.function.params as usize {
                let given = flat.parameter(i).map_or(Term::Given(i), Term::Const);
                start.registers[call.regs + i] = self.terms.make(given);
            }
        }
        start
    }

    /// The node that a branch leads to, if that is known.
    fn decided(&mut self, flat: &Flat<'_>, at: At, state: &State) -> Option<At> {
        let Instr::Branch { cond, then, otherwise, .. } = flat.instr(at) else { return None };
        let cond = self.get(flat, at, state, *cond);
        match self.terms.get(cond) {
            Term::Const(value) => {
                let to = if value != 0 { then } else { otherwise };
                Some(flat.calls[flat.call(at)].start + *to as usize)
            }
            _ => None,
        }
    }

    /// What holds on arrival at a node: in each state that a thread may be in, the expression of an operand, if anything is known of it, and the addresses of the locks that are certainly held, with their kinds.
    pub fn at(&self, flat: &Flat<'_>, at: At, operand: Operand) -> Vec<Known> {
        let each = |state: &State| {
            let place = match operand {
                Operand::Const(offset) => Some(Affine { offset, factor: 0, of: None }),
                Operand::Reg(reg) => {
                    let sym = state.registers[flat.reg(at, reg)];
                    (sym != UNKNOWN).then(|| self.terms.affine(sym))
                }
            };
            (place, state.held.iter().map(|&(sym, kind)| (self.terms.affine(sym), kind)).collect())
        };
        self.states[at].iter().map(each).collect()
    }

    fn get(&mut self, flat: &Flat<'_>, at: At, state: &State, operand: Operand) -> Sym {
        match operand {
            Operand::Const(value) => self.terms.make(Term::Const(value)),
            Operand::Reg(reg) => state.registers[flat.reg(at, reg)],
        }
    }

    /// The one of two values that is selected, if the condition decides that, or they are the same.
    fn chosen(&mut self, flat: &Flat<'_>, at: At, state: &State, cond: Operand, values: [Operand; 2]) -> Option<Sym> {
        let [a, b] = values.map(|operand| self.get(flat, at, state, operand));
        let cond = self.get(flat, at, state, cond);
        match self.terms.get(cond) {
            Term::Const(value) => Some(if value != 0 { a } else { b }),
            _ => (a == b).then_some(a),
        }
    }

    /// Goes past a node.
    fn pass(&mut self, flat: &Flat<'_>, at: At, mut state: State, takes: &dyn Fn(At) -> Option<usize>) -> State {
        let instr = flat.instr(at);
        match instr {
            Instr::Set { dst, src } | Instr::SetStatus { dst, src } => {
                state.registers[flat.reg(at, *dst)] = self.get(flat, at, &state, *src);
            }
            Instr::Bin { dst, op, bits, a, b } => {
                let [a, b] = [*a, *b].map(|operand| self.get(flat, at, &state, operand));
                state.registers[flat.reg(at, *dst)] = self.terms.make(Term::Binary(*op, *bits, a, b));
            }
            Instr::Un { dst, op, bits, a } => {
                let a = self.get(flat, at, &state, *a);
                state.registers[flat.reg(at, *dst)] = self.terms.make(Term::Unary(*op, *bits, a));
            }
            Instr::Select { dst, cond, a, b, .. } if self.chosen(flat, at, &state, *cond, [*a, *b]).is_some() => {
                let chosen = self.chosen(flat, at, &state, *cond, [*a, *b]).unwrap_or(UNKNOWN);
                state.registers[flat.reg(at, *dst)] = chosen;
            }
            Instr::Call { args, .. } => {
                let given: Vec<Sym> = args.iter().map(|&arg| self.get(flat, at, &state, arg)).collect();
                let zero = self.terms.make(Term::Const(0));
                for callee in flat.callees(at) {
                    for i in 0..callee.count {
                        let missing = if i < callee.function.params as usize { zero } else { UNKNOWN };
                        state.registers[callee.regs + i] = given.get(i).copied().unwrap_or(missing);
                    }
                }
            }
            Instr::Return { .. } | Instr::ReturnMany { .. } => {
                let values: Vec<Operand> = match instr {
                    Instr::Return { value } => value.iter().copied().collect(),
                    Instr::ReturnMany { values } => values.to_vec(),
                    _ => Vec::new(),
                };
                let values: Vec<Sym> = values.into_iter().map(|value| self.get(flat, at, &state, value)).collect();
                results_of(flat, flat.call(at)).zip(values).for_each(|(dst, value)| state.registers[dst] = value);
            }
            Instr::Store(store) => {
                let address = self.get(flat, at, &state, store.addr);
                state.held.retain(|(held, _)| *held != address);
                if let Some(kind) = takes(at).filter(|_| address != UNKNOWN) {
                    state.held.push((address, kind));
                    state.held.sort_unstable();
                }
            }
            _ => {
                let mut made: SmallVec<[usize; 1]> = SmallVec::new();
                sets(flat, at, &mut |register| made.push(register));
                // Nothing that is known speaks of an earlier time.
                let is_old = |term: Term| matches!(term, Term::Made(place, _) if place == at);
                let terms = &self.terms;
                state.held.retain(|(held, _)| !terms.mentions(*held, &is_old));
                let old = state.registers.iter_mut().filter(|sym| terms.mentions(**sym, &is_old));
                old.for_each(|sym| *sym = UNKNOWN);
                for register in made {
                    state.registers[register] = self.terms.make(Term::Made(at, register));
                }
            }
        }
        state
    }

    /// What holds where ways meet. `None`: none comes there.
    fn meet(&mut self, at: At, ways: Vec<State>, live: &Bits) -> Option<State> {
        let first = ways.first()?;
        if ways.len() == 1 {
            return Some(first.clone());
        }
        let is_old = |term: Term| matches!(term, Term::Meets(place, _) if place == at);
        let count = first.registers.len();
        let mut registers = vec![UNKNOWN; count];
        // Registers that hold the same on each way have one name.
        let mut names: FxHashMap<SmallVec<[Sym; 4]>, Sym> = FxHashMap::default();
        for register in live.iter().map(|register| register as usize).filter(|&r| r < count) {
            let all: SmallVec<[Sym; 4]> = ways.iter().map(|way| way.registers[register]).collect();
            let is_same = all.iter().all(|sym| *sym == all[0]) && !self.terms.mentions(all[0], &is_old);
            registers[register] = match is_same {
                true => all[0],
                // A value that nothing is known of is itself from now on.
                false if all.contains(&UNKNOWN) => self.terms.make(Term::Meets(at, register)),
                false => *names.entry(all).or_insert_with(|| self.terms.make(Term::Meets(at, register))),
            };
        }
        let held = self.held_on_all(at, &ways, &registers);
        Some(State { registers, held })
    }

    /// The locks that are held on each of several ways, by what registers hold behind them.
    fn held_on_all(&mut self, at: At, ways: &[State], registers: &[Sym]) -> SmallVec<[(Sym, usize); 4]> {
        let is_here = |term: Term| matches!(term, Term::Meets(place, _) if place == at);
        let named: SmallVec<[usize; 8]> =
            (0..registers.len()).filter(|&register| is_here(self.terms.get(registers[register]))).collect();
        let mut found: SmallVec<[(Sym, usize); 4]> = SmallVec::new();
        for way in ways {
            for &(held, kind) in &way.held {
                let name = |sym: Sym| named.iter().find(|&&register| way.registers[register] == sym);
                let rename = |sym: Sym, _: Term| name(sym).filter(|_| sym != UNKNOWN).map(|&r| registers[r]);
                let Some(now) = self.terms.replaced(held, &rename, Some(at)) else { continue };
                let is_held = ways.iter().all(|other| {
                    let back = |_: Sym, term: Term| match term {
                        Term::Meets(place, register) if place == at => Some(other.registers[register]),
                        _ => None,
                    };
                    let there = self.terms.replaced(now, &back, None);
                    there.is_some_and(|there| there != UNKNOWN && other.held.contains(&(there, kind)))
                });
                if is_held && !found.contains(&(now, kind)) {
                    found.push((now, kind));
                }
            }
        }
        found.sort_unstable();
        found
    }
}

/// The registers whose values may be used from each node on.
fn live(flat: &Flat<'_>) -> Vec<Bits> {
    let mut live = vec![Bits::new(); flat.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for at in (0..flat.len()).rev() {
            let mut now = Bits::new();
            for &to in &flat.next[at] {
                now.union_with(&live[to]);
            }
            sets(flat, at, &mut |register| now.remove(register as u32));
            uses(flat.instr(at)).into_iter().for_each(|register| now.insert(flat.reg(at, register) as u32));
            changed |= now.words() != live[at].words();
            live[at] = now;
        }
    }
    live
}
