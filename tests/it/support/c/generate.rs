//! Makes random trees: what a program may use is drawn first, then its statements, within a budget.

use super::layout::{ARGUMENT, LOCALS};
use super::program::{Order, Place, Program, Stmt};
use crate::support::machine::Value;
use crate::support::random::Rng;

/// What a program may use, one bit each.
#[derive(Clone, Copy)]
struct Words(u64);

const WORDS: [&str; 13] = [
    "locks",
    "tries",
    "rwlock",
    "condition",
    "barrier",
    "once",
    "pointers",
    "array",
    "local",
    "spins",
    "cas",
    "choices",
    "asserts",
];

impl Words {
    fn random(rng: &mut Rng) -> Words {
        let mut words = 0;
        for _ in 0..1 + rng.below(4) {
            words |= 1 << rng.below(WORDS.len() as u64);
        }
        Words(words)
    }
    fn has(self, word: &str) -> bool {
        WORDS.iter().position(|w| *w == word).is_some_and(|i| self.0 >> i & 1 == 1)
    }
}

/// A random program of two to four threads and up to about so many accesses.
pub fn program(rng: &mut Rng, events: u64, strong: bool) -> Program {
    let threads = 2 + [0, 0, 0, 0, 1, 1, 2][rng.below(7) as usize];
    let words = Words::random(rng);
    // Threads that run the same function, with the same argument or not.
    let same = rng.below(3) == 0;
    let takes = same && rng.below(2) == 0;
    let recursive = words.has("locks") && rng.below(6) == 0;
    let c11 = rng.below(5) == 0;
    let vars = 2 + rng.below(2);
    // What two threads count under a lock, whatever else they do: the first mutex (0), or the reader-writer lock (1).
    let counts = Some(rng.below(5) as usize).filter(|&which| which < 2 && !(same && threads > 3));
    // Where nobody looks at what threads return, they may be interchangeable.
    let returns = !same || takes || rng.below(3) == 0;
    let mut writer = Writer {
        rng,
        words,
        vars,
        recursive,
        known: Vec::new(),
        next: 0,
        budget: 0,
        depth: 0,
        held: Vec::new(),
        reading: false,
        writing: false,
        nodes: 0,
        asserts: 0,
        looped: false,
        has_argument: false,
        strong,
    };
    let mut bodies = Vec::new();
    for f in 0..if same { 1 } else { threads } {
        (writer.known, writer.next, writer.nodes, writer.has_argument) = (Vec::new(), 0, 0, takes);
        writer.budget = 1 + (events / threads) as i64 / 2 + writer.below(events / threads) as i64;
        // Few would do it otherwise: two threads have to draw the same lock, and to write what it guards.
        let counted = counts.filter(|_| f < 2).map(|which| writer.counted(which, f == 1));
        let mut body = Vec::new();
        while writer.budget > 0 {
            body.extend(writer.statement());
        }
        if let Some(counted) = counted {
            let at = writer.below(body.len() as u64 + 1) as usize;
            body.insert(at, counted);
        }
        if words.has("barrier") {
            let at = writer.below(body.len() as u64 + 1) as usize;
            body.insert(at, Stmt::Barrier);
        }
        bodies.push(body);
    }
    // What `main` does while they run, and what it looks at in the end.
    let mut between = Vec::new();
    (writer.known, writer.next, writer.nodes, writer.has_argument) = (Vec::new(), 0, 0, false);
    if !same && writer.one_in(4) {
        writer.budget = 2;
        writer.depth = 2;
        between.extend(writer.statement());
        writer.depth = 0;
    }
    let mut last = Vec::new();
    if writer.one_in(2) {
        writer.budget = 4;
        for local in 0..2 {
            let place = Place::Var(writer.below(vars) as usize);
            last.push(Stmt::Load(local, place, Order::Plain));
        }
        let k = writer.below(3) as i64;
        let (condition, then) = match writer.below(3) {
            0 => (Value::Const(1), Value::Differs(1, k)),
            1 => (Value::Equal(0, writer.below(3) as i64), Value::Differs(1, k)),
            _ => (Value::Equal(0, writer.below(3) as i64), Value::Equal(1, k)),
        };
        writer.asserts += 1;
        last.push(Stmt::If(condition, vec![Stmt::Assert(then, writer.asserts)], Vec::new()));
    }
    let joins_backwards = writer.one_in(3);
    let between_joins = writer.one_in(3);
    Program {
        threads: threads as usize,
        bodies,
        takes,
        returns,
        between,
        between_joins,
        joins_backwards,
        last,
        recursive,
        c11,
        strong,
        pointers: words.has("pointers"),
        local: words.has("local"),
        barrier: words.has("barrier"),
    }
}

struct Writer<'r> {
    rng: &'r mut Rng,
    words: Words,
    vars: u64,
    recursive: bool,
    /// How many locals have a value, and which is next.
    known: Vec<usize>,
    next: usize,
    budget: i64,
    depth: u64,
    held: Vec<usize>,
    reading: bool,
    writing: bool,
    nodes: usize,
    asserts: usize,
    looped: bool,
    has_argument: bool,
    strong: bool,
}

impl Writer<'_> {
    fn below(&mut self, n: u64) -> u64 {
        self.rng.below(n)
    }
    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
    fn local(&mut self) -> usize {
        let local = self.next % LOCALS;
        self.next += 1;
        local
    }
    fn sets(&mut self, local: usize) {
        self.known.retain(|&l| l != local);
        self.known.push(local);
    }
    /// The next local, which has a value from now on.
    fn set_local(&mut self) -> usize {
        let local = self.local();
        self.sets(local);
        local
    }
    fn known(&mut self) -> Option<usize> {
        if self.known.is_empty() {
            return None;
        }
        let i = self.known.len() - 1 - self.rng.below(self.known.len().min(2) as u64) as usize;
        Some(self.known[i])
    }
    fn place(&mut self) -> Place {
        if self.words.has("array") && self.one_in(2) {
            if let Some(local) = self.known() {
                return Place::Element(local);
            }
            if self.has_argument {
                return Place::Element(ARGUMENT);
            }
        }
        Place::Var(self.below(self.vars) as usize)
    }
    fn value(&mut self) -> Value {
        if self.has_argument && self.one_in(3) {
            return Value::Plus(ARGUMENT, 1);
        }
        match self.known() {
            Some(local) if self.one_in(2) => match self.below(4) {
                0 => Value::Reg(local),
                1 => Value::Xor(local, 1),
                2 => Value::Equal(local, 1),
                _ => Value::And(local, 1),
            },
            _ => Value::Const(1 + self.below(2) as i64),
        }
    }
    fn condition(&mut self) -> Option<Value> {
        if self.has_argument && self.one_in(3) {
            return Some(Value::Equal(ARGUMENT, 0));
        }
        let local = self.known()?;
        let k = self.below(3) as i64;
        Some(match self.below(5) {
            0 => Value::Differs(local, k),
            1 => Value::Less(local, k.max(1)),
            2 if self.known.len() > 1 => Value::Same(self.known[0], local),
            _ => Value::Equal(local, k),
        })
    }
    fn order(&mut self) -> Order {
        if self.strong {
            return Order::Full;
        }
        match self.below(if self.held.is_empty() { 6 } else { 10 }) {
            0 | 1 => Order::Relaxed,
            2 => Order::Half,
            3 => Order::Full,
            4 if self.held.is_empty() => Order::Half,
            _ => Order::Plain,
        }
    }
    fn atomic(&mut self) -> Order {
        if self.strong {
            return Order::Full;
        }
        [Order::Relaxed, Order::Half, Order::Full][self.below(3) as usize]
    }
    /// Statements that may not run.
    fn block(&mut self, most: u64) -> Vec<Stmt> {
        let known = self.known.clone();
        let block = self.inside(most);
        self.known = known;
        block
    }
    /// Statements behind which what was read stays known.
    fn inside(&mut self, most: u64) -> Vec<Stmt> {
        let n = 1 + self.below(most);
        self.depth += 1;
        let block = (0..n).flat_map(|_| self.statement()).collect();
        self.depth -= 1;
        block
    }

    fn statement(&mut self) -> Option<Stmt> {
        if self.budget <= 0 {
            return None;
        }
        if self.one_in(2) || self.depth > 3 {
            return self.access();
        }
        let words: Vec<&str> = WORDS.into_iter().filter(|word| self.words.has(word)).collect();
        let word = words[self.below(words.len() as u64) as usize];
        self.budget -= 1;
        match word {
            "locks" => {
                let m = self.below(2) as usize;
                if self.held.contains(&m) && !(self.recursive && m == 0) {
                    return self.access();
                }
                self.budget -= 1;
                self.held.push(m);
                let body = self.inside(2);
                self.held.pop();
                let leak = if !self.recursive && self.one_in(12) { self.condition() } else { None };
                Some(Stmt::Locked(m, body, leak))
            }
            "tries" if !self.strong => {
                let m = self.below(2) as usize;
                if self.held.contains(&m) {
                    return self.access();
                }
                self.held.push(m);
                let body = self.block(2);
                self.held.pop();
                let dst = self.set_local();
                Some(Stmt::TryLocked(dst, m, body))
            }
            "rwlock" if !self.reading => {
                self.reading = true;
                self.budget -= 1;
                let which = self.below(if self.strong { 4 } else { 6 });
                self.writing = matches!(which, 2 | 3 | 5);
                let body = if which < 4 { self.inside(2) } else { self.block(2) };
                self.writing = false;
                let dst = self.local();
                if which >= 4 {
                    self.sets(dst);
                }
                self.reading = false;
                Some(match which {
                    0 | 1 => Stmt::ReadLocked(body),
                    2 | 3 => Stmt::WriteLocked(body),
                    4 => Stmt::TryRead(dst, body),
                    _ => Stmt::TryWrite(dst, body),
                })
            }
            "condition" if !self.held.contains(&0) => {
                let place = Place::Var(self.below(self.vars) as usize);
                if self.one_in(2) {
                    self.budget -= 1;
                    self.held.push(0);
                    let body = if self.one_in(2) { self.inside(1) } else { Vec::new() };
                    self.held.pop();
                    let looped = self.strong || !self.one_in(3);
                    let k = self.below(2) as i64;
                    Some(Stmt::Wait(place, k, looped, body))
                } else {
                    let value = self.value();
                    Some(Stmt::Notify(place, value, self.below(3), self.one_in(2)))
                }
            }
            "once" => Some(Stmt::Once),
            "pointers" if !self.looped => match self.below(5) {
                0 | 1 if self.nodes < 2 => {
                    self.nodes += 1;
                    self.budget -= 1;
                    let value = self.value();
                    Some(if self.one_in(3) {
                        Stmt::Push(self.nodes - 1, value)
                    } else {
                        Stmt::Publish(self.nodes - 1, value, self.order())
                    })
                }
                _ => {
                    let (order, deep) = (self.order(), self.one_in(2));
                    let dst = self.set_local();
                    Some(Stmt::Follow(dst, order, deep))
                }
            },
            "local" => Some(if self.one_in(2) {
                Stmt::SetLocal(self.value())
            } else {
                let dst = self.set_local();
                Stmt::GetLocal(dst)
            }),
            "spins" => {
                let (place, order) = (self.place(), self.order());
                let k = self.below(2) as i64;
                match self.below(7) {
                    5 | 6 => {
                        let other = Place::Var(self.below(self.vars) as usize);
                        let orders = [order, self.order()];
                        Some(Stmt::Peek(place, k, other, self.below(3) as i64, orders))
                    }
                    0 => {
                        let other = Place::Var(self.below(self.vars) as usize);
                        let orders = [order, self.order()];
                        Some(Stmt::SpinTwo(place, k, other, self.below(2) as i64, self.one_in(2), orders))
                    }
                    1 if self.held.is_empty() => {
                        let place = Place::Var(2);
                        self.held.push(9);
                        let body = self.inside(2);
                        self.held.pop();
                        Some(Stmt::SpinLocked(place, body))
                    }
                    _ => Some(Stmt::Spin(place, order, self.one_in(2), k)),
                }
            }
            "cas" if self.one_in(2) => Some(Stmt::CasLoop(self.place())),
            "cas" => {
                let (place, expected, value, order) = (self.place(), self.below(2) as i64, self.value(), self.atomic());
                let dst = self.set_local();
                Some(Stmt::Cas(dst, place, expected, value, order, dst % 2 == 1))
            }
            "choices" => {
                if self.one_in(2) {
                    let dst = self.set_local();
                    Some(Stmt::Choose(dst))
                } else {
                    self.condition().map(Stmt::Assume)
                }
            }
            "asserts" => {
                let condition = self.condition()?;
                self.asserts += 1;
                Some(Stmt::Assert(condition, self.asserts))
            }
            _ => self.access(),
        }
    }

    /// Adds one to what a lock guards, under the lock; or only reads it, twice, where the lock has readers.
    fn counted(&mut self, which: usize, reads: bool) -> Stmt {
        self.budget -= 3;
        if which == 1 && reads {
            let load = |dst| Stmt::Load(dst, Place::Guarded(which), Order::Plain);
            return Stmt::ReadLocked(vec![load(self.set_local()), load(self.set_local())]);
        }
        let mut body = vec![Stmt::Count(which)];
        if self.one_in(3) {
            let at = self.below(2) as usize;
            body.insert(at, Stmt::Load(self.set_local(), Place::Guarded(which), Order::Plain));
        }
        if which == 0 { Stmt::Locked(0, body, None) } else { Stmt::WriteLocked(body) }
    }

    /// An access to what a lock guards that is held.
    fn guarded(&mut self) -> Option<Stmt> {
        let which = if self.reading { 1 } else { 0 };
        if !self.reading && !self.held.contains(&0) {
            return None;
        }
        let place = Place::Guarded(which);
        let may_write = which == 0 || self.writing;
        if may_write && self.one_in(2) {
            return Some(Stmt::Count(which));
        }
        if may_write && self.one_in(2) {
            return Some(Stmt::Store(place, self.value(), Order::Plain));
        }
        let dst = self.set_local();
        Some(Stmt::Load(dst, place, Order::Plain))
    }

    fn access(&mut self) -> Option<Stmt> {
        self.budget -= 1;
        if self.one_in(2)
            && let Some(guarded) = self.guarded()
        {
            return Some(guarded);
        }
        match self.below(16) {
            0..=5 => {
                let (place, order) = (self.place(), self.order());
                let dst = self.set_local();
                Some(Stmt::Load(dst, place, order))
            }
            6..=9 => Some(Stmt::Store(self.place(), self.value(), self.order())),
            10 => {
                let op = ["exchange", "fetch_or", "fetch_add"][self.below(3) as usize];
                let (place, value, order) = (self.place(), self.value(), self.atomic());
                let dst = self.set_local();
                Some(Stmt::Update(dst, place, op, value, order))
            }
            11 => Some(Stmt::Fence(["ACQUIRE", "RELEASE", "ACQ_REL", "SEQ_CST", "SEQ_CST"][self.below(5) as usize])),
            12 | 13 if self.depth < 3 => {
                let condition = self.condition()?;
                let then = self.block(2);
                let other = if self.one_in(3) { self.block(1) } else { Vec::new() };
                Some(Stmt::If(condition, then, other))
            }
            14 if self.depth < 2 && !self.looped => {
                self.looped = true;
                let body = self.inside(1);
                self.looped = false;
                Some(Stmt::Times(2, body))
            }
            _ => {
                let (place, value, order) = (self.place(), self.value(), self.order());
                Some(match (place, self.known.last()) {
                    (Place::Var(v), Some(&local)) => {
                        let other = (v + 1) % self.vars as usize;
                        Stmt::Call(Value::Equal(local, 1), [v, other], value, order, order == Order::Relaxed)
                    }
                    _ => Stmt::Store(place, value, order),
                })
            }
        }
    }
}
