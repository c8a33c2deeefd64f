//! Random C programs that use what a library gives: locks, condition variables, barriers, memory, threads that run the same function. Each is written
//! twice: as C, and as steps of a [`Machine`].

use super::machine::{At, Machine, Step, Strength, Update, Value, WRITER, When};
use super::random::Rng;
use std::fmt::Write;

/// A random program, twice.
pub struct CProgram {
    /// C, with names that end in `__K` where another program has the same.
    pub text: String,
    pub machine: Machine,
    /// Which global numbers [`Machine::told`] tells, by name and index.
    pub told: Vec<(&'static str, u64)>,
}

impl CProgram {
    /// So many of what is told are variables; the others are what threads return.
    pub const VARIABLES: usize = 8;
}

const LOCALS: usize = 5;
const ARGUMENT: usize = 5;
const INDEX: usize = 6;
const POINTER: usize = 7;
const EXPECTED: usize = 8;
const SCRATCH: usize = 9;
const OK: usize = 10;

const VARS: [&str; 3] = ["x", "y", "z"];
const ARRAY: usize = 3;
const HEAD: usize = 5;
const ONCE_DATA: usize = 6;
const MUTEX: usize = 8;
const LOCK: usize = 10;
const CONDITION: usize = 11;
const ONCE: usize = 12;
const RESULTS: usize = 16;
const LOCAL: usize = 20;
const GUARDED: usize = 28;
const HEAP: usize = 32;
const CELLS: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Var(usize),
    /// `a[register & 1]`
    Element(usize),
    /// What the first mutex guards, or the reader-writer lock.
    Guarded(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Plain,
    Relaxed,
    /// Acquire or release.
    Half,
    Full,
}

#[derive(Clone, Debug)]
enum Stmt {
    Load(usize, Place, Order),
    Store(Place, Value, Order),
    Update(usize, Place, &'static str, Value, Order),
    Cas(usize, Place, i64, Value, Order),
    Fence(&'static str),
    If(Value, Vec<Stmt>, Vec<Stmt>),
    Times(i64, Vec<Stmt>),
    /// Until it is (or is not) that.
    Spin(Place, Order, bool, i64),
    /// `while (a == k || b == l);`, or `&&`.
    SpinTwo(Place, i64, Place, i64, bool, Order),
    SpinLocked(Place, Vec<Stmt>),
    CasLoop(Place),
    /// The unlock happens if the value is there and not 0.
    Locked(usize, Vec<Stmt>, Option<Value>),
    TryLocked(usize, usize, Vec<Stmt>),
    ReadLocked(Vec<Stmt>),
    WriteLocked(Vec<Stmt>),
    TryRead(usize, Vec<Stmt>),
    TryWrite(usize, Vec<Stmt>),
    /// Under the first lock, waits while the variable has the value, once or in a loop.
    Wait(Place, i64, bool, Vec<Stmt>),
    /// Sets the variable, and signals, inside or behind the lock or without it.
    Notify(Place, Value, u64, bool),
    /// Adds one to what a lock guards.
    Count(usize),
    Barrier,
    Once,
    Publish(usize, Value, Order),
    Push(usize, Value),
    Follow(usize, Order, bool),
    SetLocal(Value),
    GetLocal(usize),
    Choose(usize),
    Assume(Value),
    Assert(Value, usize),
}

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
    /// Only accesses of the strongest kind.
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
    fn block(&mut self, most: u64) -> Vec<Stmt> {
        let n = 1 + self.below(most);
        self.depth += 1;
        let known = self.known.clone();
        let block = (0..n).flat_map(|_| self.statement()).collect();
        self.known = known;
        self.depth -= 1;
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
                let dst = self.local();
                self.sets(dst);
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
                    let dst = self.local();
                    self.sets(dst);
                    Some(Stmt::Follow(dst, order, deep))
                }
            },
            "local" => Some(if self.one_in(2) {
                Stmt::SetLocal(self.value())
            } else {
                let dst = self.local();
                self.sets(dst);
                Stmt::GetLocal(dst)
            }),
            "spins" => {
                let (place, order) = (self.place(), self.order());
                let k = self.below(2) as i64;
                match self.below(5) {
                    0 => {
                        let other = Place::Var(self.below(self.vars) as usize);
                        Some(Stmt::SpinTwo(place, k, other, self.below(2) as i64, self.one_in(2), order))
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
                let dst = self.local();
                self.sets(dst);
                Some(Stmt::Cas(dst, place, expected, value, order))
            }
            "choices" => {
                if self.one_in(2) {
                    let dst = self.local();
                    self.sets(dst);
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
        let dst = self.local();
        self.sets(dst);
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
                let dst = self.local();
                self.sets(dst);
                Some(Stmt::Load(dst, place, order))
            }
            6..=9 => Some(Stmt::Store(self.place(), self.value(), self.order())),
            10 => {
                let op = ["exchange", "fetch_or", "fetch_add"][self.below(3) as usize];
                let (place, value, order) = (self.place(), self.value(), self.atomic());
                let dst = self.local();
                self.sets(dst);
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
            _ => Some(Stmt::Store(self.place(), self.value(), self.order())),
        }
    }
}

/// The text of statements.
struct Printer {
    text: String,
    depth: usize,
    c11: bool,
    strong: bool,
}

fn value_text(value: Value) -> String {
    match value {
        Value::Const(k) => k.to_string(),
        Value::Reg(r) => register(r),
        Value::Plus(r, k) => format!("({} + {k})", register(r)),
        Value::Xor(r, k) => format!("({} ^ {k})", register(r)),
        Value::And(r, k) => format!("({} & {k})", register(r)),
        Value::Equal(r, k) => format!("({} == {k})", register(r)),
        Value::Differs(r, k) => format!("({} != {k})", register(r)),
        Value::Less(r, k) => format!("({} < {k})", register(r)),
        Value::Same(a, b) => format!("({} == {})", register(a), register(b)),
        Value::Packed => "(r0 & 15) | (r1 & 15) << 4 | (r2 & 15) << 8 | (r3 & 15) << 12 | (r4 & 15) << 16".into(),
    }
}

fn register(r: usize) -> String {
    match r {
        ARGUMENT => "n".into(),
        _ => format!("r{r}"),
    }
}

fn place_text(place: Place) -> String {
    match place {
        Place::Var(v) => format!("{}__K", VARS[v]),
        Place::Element(r) => format!("a__K[{} & 1]", register(r)),
        Place::Guarded(which) => format!("g__K[{which}]"),
    }
}

fn order_text(order: Order, half: &str) -> String {
    match order {
        Order::Plain | Order::Relaxed => "__ATOMIC_RELAXED".into(),
        Order::Half => format!("__ATOMIC_{half}"),
        Order::Full => "__ATOMIC_SEQ_CST".into(),
    }
}

fn load_text(place: &str, order: Order) -> String {
    match order {
        Order::Plain => place.to_owned(),
        _ => format!("__atomic_load_n(&{place}, {})", order_text(order, "ACQUIRE")),
    }
}

impl Printer {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.text, "{:indent$}{text}", "", indent = 2 * self.depth);
    }
    fn store(&mut self, place: &str, value: &str, order: Order) {
        match order {
            Order::Plain => self.line(&format!("{place} = {value};")),
            _ => self.line(&format!("__atomic_store_n(&{place}, {value}, {});", order_text(order, "RELEASE"))),
        }
    }
    fn all(&mut self, body: &[Stmt]) {
        self.depth += 1;
        body.iter().for_each(|stmt| self.statement(stmt));
        self.depth -= 1;
    }
    fn weakest(&self) -> Order {
        if self.strong { Order::Full } else { Order::Relaxed }
    }
    /// The orders of a compare-and-swap.
    fn orders(&self, success: &str) -> String {
        match self.strong {
            true => "__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST".into(),
            false => format!("__ATOMIC_{success}, __ATOMIC_RELAXED"),
        }
    }
    fn mutex(&self, what: &str, m: usize) -> String {
        let prefix = if self.c11 { "mtx" } else { "pthread_mutex" };
        format!("{prefix}_{what}(&m__K[{m}])")
    }
    fn condition(&self, what: &str) -> String {
        format!("{}_{what}(&c__K", if self.c11 { "cnd" } else { "pthread_cond" })
    }
    fn try_lock(&mut self, dst: usize, call: &str, body: &[Stmt], unlock: &str) {
        self.line(&format!("r{dst} = {call} == 0;"));
        self.line(&format!("if (r{dst}) {{"));
        self.all(body);
        self.line(&format!("  {unlock};"));
        // What was done inside may have changed it.
        self.line(&format!("  r{dst} = 1;"));
        self.line("}");
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Load(dst, place, order) => {
                let load = load_text(&place_text(*place), *order);
                self.line(&format!("r{dst} = {load};"));
            }
            Stmt::Store(place, value, order) => self.store(&place_text(*place), &value_text(*value), *order),
            Stmt::Update(dst, place, op, value, order) => {
                let name = if *op == "exchange" { "exchange_n" } else { op };
                let order = order_text(*order, "ACQ_REL");
                let (place, value) = (place_text(*place), value_text(*value));
                self.line(&format!("r{dst} = __atomic_{name}(&{place}, {value}, {order});"));
            }
            Stmt::Cas(dst, place, expected, value, order) => {
                let fails = if *order == Order::Full { "__ATOMIC_SEQ_CST" } else { "__ATOMIC_RELAXED" };
                self.line(&format!("e = {expected};"));
                let (place, value, order) = (place_text(*place), value_text(*value), order_text(*order, "ACQ_REL"));
                self.line(&format!(
                    "r{dst} = __atomic_compare_exchange_n(&{place}, &e, {value}, 0, {order}, {fails});"
                ));
            }
            Stmt::Fence(order) => self.line(&format!("__atomic_thread_fence(__ATOMIC_{order});")),
            Stmt::If(condition, then, other) => {
                self.line(&format!("if {} {{", parens(*condition)));
                self.all(then);
                if !other.is_empty() {
                    self.line("} else {");
                    self.all(other);
                }
                self.line("}");
            }
            Stmt::Times(n, body) => {
                self.line(&format!("for (int i = 0; i < {n}; i++) {{"));
                self.all(body);
                self.line("}");
            }
            Stmt::Spin(place, order, is, k) => {
                let op = if *is { "!=" } else { "==" };
                let load = load_text(&place_text(*place), *order);
                // A plain loop may be taken for one that ends.
                self.line(&format!("while ({load} {op} {k})\n{:indent$};", "", indent = 2 * self.depth + 2));
            }
            Stmt::SpinTwo(a, k, b, l, and, order) => {
                let (a, b) = (load_text(&place_text(*a), *order), load_text(&place_text(*b), *order));
                let op = if *and { "&&" } else { "||" };
                self.line(&format!("while ({a} == {k} {op} {b} == {l})\n{:indent$};", "", indent = 2 * self.depth + 2));
            }
            Stmt::SpinLocked(place, body) => {
                let place = place_text(*place);
                let orders = self.orders("ACQUIRE");
                self.line(&format!("do e = 0; while (!__atomic_compare_exchange_n(&{place}, &e, 1, 0, {orders}));"));
                body.iter().for_each(|stmt| self.statement(stmt));
                self.store(&place, "0", if self.strong { Order::Full } else { Order::Half });
            }
            Stmt::CasLoop(place) => {
                let place = place_text(*place);
                let load = load_text(&place, self.weakest());
                let orders = self.orders("ACQ_REL");
                self.line(&format!("e = {load};"));
                self.line(&format!(
                    "while (!__atomic_compare_exchange_n(&{place}, &e, e + 1, 0, {orders}))\n{:indent$};",
                    "",
                    indent = 2 * self.depth + 2
                ));
            }
            Stmt::Locked(m, body, leak) => {
                self.line(&format!("{};", self.mutex("lock", *m)));
                body.iter().for_each(|stmt| self.statement(stmt));
                if let Some(condition) = leak {
                    self.line(&format!("if {}", parens(*condition)));
                }
                self.line(&format!("{}{};", if leak.is_some() { "  " } else { "" }, self.mutex("unlock", *m)));
            }
            Stmt::TryLocked(dst, m, body) => {
                let (call, unlock) = (self.mutex("trylock", *m), self.mutex("unlock", *m));
                self.try_lock(*dst, &call, body, &unlock);
            }
            Stmt::ReadLocked(body) | Stmt::WriteLocked(body) => {
                let what = if matches!(stmt, Stmt::ReadLocked(_)) { "rd" } else { "wr" };
                self.line(&format!("pthread_rwlock_{what}lock(&l__K);"));
                body.iter().for_each(|stmt| self.statement(stmt));
                self.line("pthread_rwlock_unlock(&l__K);");
            }
            Stmt::TryRead(dst, body) | Stmt::TryWrite(dst, body) => {
                let what = if matches!(stmt, Stmt::TryRead(..)) { "rd" } else { "wr" };
                let call = format!("pthread_rwlock_try{what}lock(&l__K)");
                self.try_lock(*dst, &call, body, "pthread_rwlock_unlock(&l__K)");
            }
            Stmt::Wait(place, k, looped, body) => {
                self.line(&format!("{};", self.mutex("lock", 0)));
                let wait = format!("{}, &m__K[0]);", self.condition("wait"));
                let word = if *looped { "while" } else { "if" };
                let order = if self.strong { Order::Full } else { Order::Plain };
                self.line(&format!("{word} ({} == {k})", load_text(&place_text(*place), order)));
                self.line(&format!("  {wait}"));
                body.iter().for_each(|stmt| self.statement(stmt));
                self.line(&format!("{};", self.mutex("unlock", 0)));
            }
            Stmt::Notify(place, value, way, all) => {
                let signal = format!("{});", self.condition(if *all { "broadcast" } else { "signal" }));
                if *way < 2 {
                    self.line(&format!("{};", self.mutex("lock", 0)));
                }
                let order = if self.strong { Order::Full } else { Order::Plain };
                self.store(&place_text(*place), &value_text(*value), order);
                if *way == 0 {
                    self.line(&signal);
                }
                if *way < 2 {
                    self.line(&format!("{};", self.mutex("unlock", 0)));
                }
                if *way > 0 {
                    self.line(&signal);
                }
            }
            Stmt::Count(which) => self.line(&format!("g__K[{which}] = g__K[{which}] + 1;")),
            Stmt::Barrier => self.line("pthread_barrier_wait(&b__K);"),
            Stmt::Once => self.line("pthread_once(&o__K, first__K);"),
            Stmt::Publish(_, value, order) => {
                self.line("p = malloc(sizeof *p);");
                self.line(&format!("p->v = {};", value_text(*value)));
                self.line("p->next = 0;");
                self.store("h__K", "p", *order);
            }
            Stmt::Push(_, value) => {
                self.line("p = malloc(sizeof *p);");
                self.line(&format!("p->v = {};", value_text(*value)));
                let load = load_text("h__K", self.weakest());
                let orders = self.orders("RELEASE");
                self.line(&format!("p->next = {load};"));
                self.line(&format!(
                    "while (!__atomic_compare_exchange_n(&h__K, &p->next, p, 0, {orders}))\n{:indent$};",
                    "",
                    indent = 2 * self.depth + 2
                ));
            }
            Stmt::Follow(dst, order, deep) => {
                self.line(&format!("p = {};", load_text("h__K", *order)));
                self.line("if (p) {");
                self.line(&format!("  r{dst} = p->v;"));
                if *deep {
                    self.line("  p = p->next;");
                    self.line("  if (p)");
                    self.line(&format!("    r{dst} = p->v;"));
                }
                self.line("}");
            }
            Stmt::SetLocal(value) => self.line(&format!("own__K = {};", value_text(*value))),
            Stmt::GetLocal(dst) => self.line(&format!("r{dst} = own__K;")),
            Stmt::Choose(dst) => self.line(&format!("r{dst} = __VERIFIER_nondet_int();")),
            Stmt::Assume(value) => self.line(&format!("__VERIFIER_assume({});", value_text(*value))),
            Stmt::Assert(value, _) => self.line(&format!("hmc_assert({});", value_text(*value))),
        }
    }
}

fn parens(value: Value) -> String {
    let text = value_text(value);
    if text.starts_with('(') { text } else { format!("({text})") }
}

/// Statements as steps of the machine, of a thread of this number.
struct Compiler {
    steps: Vec<Step>,
    thread: usize,
    count: u32,
    recursive: bool,
    held: Vec<usize>,
}

impl Compiler {
    fn push(&mut self, step: Step) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }
    fn here(&self) -> usize {
        self.steps.len()
    }
    /// Has an earlier jump go here.
    fn land(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.steps[jump] {
            Step::Unless(_, to) | Step::Go(to) => *to = here,
            step => panic!("{step:?} is no jump"),
        }
    }
    fn unless(&mut self, value: Value) -> usize {
        self.push(Step::Unless(value, 0))
    }
    fn all(&mut self, body: &[Stmt]) {
        body.iter().for_each(|stmt| self.statement(stmt));
    }
    fn place(&mut self, place: Place) -> At {
        match place {
            Place::Var(v) => At(v, None),
            Place::Guarded(which) => At(GUARDED + which, None),
            Place::Element(r) => {
                self.push(Step::Set(SCRATCH, Value::And(r, 1)));
                At(ARRAY, Some(SCRATCH))
            }
        }
    }
    fn store(&mut self, at: At, value: Value, order: Order) {
        let strength = match order {
            Order::Plain | Order::Relaxed => Strength::Plain,
            Order::Half => Strength::Release,
            Order::Full => Strength::Full,
        };
        self.push(Step::Store(at, value, strength));
    }
    fn acquire(&mut self, cell: usize, when: When, update: Update) {
        self.push(Step::Update(EXPECTED, OK, At(cell, None), when, update));
    }
    fn lock(&mut self, m: usize) {
        if !(self.recursive && self.held.contains(&m)) {
            self.acquire(MUTEX + m, When::Is(0), Update::Set(Value::Const(1)));
        }
        self.held.push(m);
    }
    fn unlock(&mut self, m: usize) {
        self.held.pop();
        if !(self.recursive && self.held.contains(&m)) {
            self.store(At(MUTEX + m, None), Value::Const(0), Order::Half);
        }
    }
    fn tried(&mut self, dst: usize, body: &[Stmt], unlock: impl FnOnce(&mut Self)) {
        self.push(Step::Set(dst, Value::Reg(OK)));
        let done = self.unless(Value::Reg(OK));
        self.all(body);
        unlock(self);
        self.push(Step::Set(dst, Value::Const(1)));
        self.land(done);
    }
    fn rw_unlock(&mut self) {
        self.acquire(LOCK, When::Always, Update::GiveBack);
    }
    fn signal(&mut self) {
        self.acquire(CONDITION, When::Always, Update::Add(Value::Const(1)));
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Load(dst, place, _) => {
                let at = self.place(*place);
                self.push(Step::Load(*dst, at));
            }
            Stmt::Store(place, value, order) => {
                let at = self.place(*place);
                self.store(at, *value, *order);
            }
            Stmt::Update(dst, place, op, value, _) => {
                let at = self.place(*place);
                let update = match *op {
                    "exchange" => Update::Set(*value),
                    "fetch_or" => Update::Or(*value),
                    _ => Update::Add(*value),
                };
                self.push(Step::Update(*dst, OK, at, When::Always, update));
            }
            Stmt::Cas(dst, place, expected, value, _) => {
                let at = self.place(*place);
                let when = When::Succeeds(Value::Const(*expected));
                self.push(Step::Update(EXPECTED, OK, at, when, Update::Set(*value)));
                self.push(Step::Set(*dst, Value::Reg(OK)));
            }
            Stmt::Fence(order) => {
                if *order != "ACQUIRE" {
                    self.push(Step::Fence(*order == "SEQ_CST"));
                }
            }
            Stmt::If(condition, then, other) => {
                let no = self.unless(*condition);
                self.all(then);
                if other.is_empty() {
                    return self.land(no);
                }
                let end = self.push(Step::Go(0));
                self.land(no);
                self.all(other);
                self.land(end);
            }
            Stmt::Times(n, body) => {
                self.push(Step::Set(INDEX, Value::Const(0)));
                let head = self.here();
                let end = self.unless(Value::Less(INDEX, *n));
                self.all(body);
                self.push(Step::Set(INDEX, Value::Plus(INDEX, 1)));
                self.push(Step::Go(head));
                self.land(end);
            }
            Stmt::Spin(place, _, is, k) => {
                let at = self.place(*place);
                let until = Value::Const(*k);
                self.push(Step::Await(at, if *is { Ok(until) } else { Err(until) }));
            }
            Stmt::SpinTwo(a, k, b, l, and, _) => {
                let head = self.here();
                let at = self.place(*a);
                self.push(Step::Load(EXPECTED, at));
                if *and {
                    let out = self.unless(Value::Equal(EXPECTED, *k));
                    let at = self.place(*b);
                    self.push(Step::Load(EXPECTED, at));
                    let done = self.unless(Value::Equal(EXPECTED, *l));
                    self.push(Step::Go(head));
                    self.land(out);
                    self.land(done);
                } else {
                    let next = self.unless(Value::Equal(EXPECTED, *k));
                    self.push(Step::Go(head));
                    self.land(next);
                    let at = self.place(*b);
                    self.push(Step::Load(EXPECTED, at));
                    let done = self.unless(Value::Equal(EXPECTED, *l));
                    self.push(Step::Go(head));
                    self.land(done);
                }
                self.push(Step::Set(EXPECTED, Value::Const(0)));
            }
            Stmt::SpinLocked(place, body) => {
                let at = self.place(*place);
                self.push(Step::Update(EXPECTED, OK, at, When::Is(0), Update::Set(Value::Const(1))));
                self.all(body);
                let at = self.place(*place);
                self.store(at, Value::Const(0), Order::Half);
            }
            Stmt::CasLoop(place) => {
                let at = self.place(*place);
                self.push(Step::Load(EXPECTED, at));
                let head = self.here();
                let at = self.place(*place);
                let (when, update) = (When::Succeeds(Value::Reg(EXPECTED)), Update::Set(Value::Plus(EXPECTED, 1)));
                self.push(Step::Update(EXPECTED, OK, at, when, update));
                let again = self.unless(Value::Reg(OK));
                let out = self.push(Step::Go(0));
                self.land(again);
                self.push(Step::Go(head));
                self.land(out);
            }
            Stmt::Locked(m, body, leak) => {
                self.lock(*m);
                self.all(body);
                let skip = leak.map(|condition| self.unless(condition));
                self.unlock(*m);
                skip.into_iter().for_each(|jump| self.land(jump));
            }
            Stmt::TryLocked(dst, m, body) => {
                self.acquire(MUTEX + m, When::Succeeds(Value::Const(0)), Update::Set(Value::Const(1)));
                self.tried(*dst, body, |code| code.store(At(MUTEX + m, None), Value::Const(0), Order::Half));
            }
            Stmt::ReadLocked(body) | Stmt::WriteLocked(body) => {
                match stmt {
                    Stmt::ReadLocked(_) => self.acquire(LOCK, When::IsNot(WRITER), Update::Add(Value::Const(1))),
                    _ => self.acquire(LOCK, When::Is(0), Update::Set(Value::Const(WRITER))),
                }
                self.all(body);
                self.rw_unlock();
            }
            Stmt::TryRead(dst, body) => {
                self.push(Step::Load(EXPECTED, At(LOCK, None)));
                self.push(Step::Set(OK, Value::Const(0)));
                let busy = self.unless(Value::Differs(EXPECTED, WRITER));
                let when = When::Succeeds(Value::Reg(EXPECTED));
                self.acquire(LOCK, when, Update::Add(Value::Const(1)));
                self.land(busy);
                self.tried(*dst, body, Self::rw_unlock);
            }
            Stmt::TryWrite(dst, body) => {
                self.acquire(LOCK, When::Succeeds(Value::Const(0)), Update::Set(Value::Const(WRITER)));
                self.tried(*dst, body, Self::rw_unlock);
            }
            Stmt::Wait(place, k, looped, body) => {
                self.lock(0);
                let head = self.here();
                let at = self.place(*place);
                self.push(Step::Load(SCRATCH, at));
                let done = self.unless(Value::Equal(SCRATCH, *k));
                self.push(Step::Load(SCRATCH, At(CONDITION, None)));
                self.unlock(0);
                self.push(Step::Await(At(CONDITION, None), Err(Value::Reg(SCRATCH))));
                self.lock(0);
                if *looped {
                    self.push(Step::Go(head));
                }
                self.land(done);
                self.all(body);
                self.unlock(0);
            }
            Stmt::Notify(place, value, way, _) => {
                if *way < 2 {
                    self.lock(0);
                }
                let at = self.place(*place);
                self.store(at, *value, Order::Plain);
                if *way == 0 {
                    self.signal();
                }
                if *way < 2 {
                    self.unlock(0);
                }
                if *way > 0 {
                    self.signal();
                }
            }
            Stmt::Count(which) => {
                let at = At(GUARDED + which, None);
                self.push(Step::Load(SCRATCH, at));
                self.store(at, Value::Plus(SCRATCH, 1), Order::Plain);
            }
            Stmt::Barrier => {
                self.push(Step::Arrive(0));
                let count = self.count;
                self.push(Step::Depart(0, count));
            }
            Stmt::Once => {
                let (when, update) = (When::Succeeds(Value::Const(0)), Update::Set(Value::Const(1)));
                self.acquire(ONCE, when, update);
                let other = self.unless(Value::Reg(OK));
                self.push(Step::Load(SCRATCH, At(ONCE_DATA, None)));
                self.store(At(ONCE_DATA, None), Value::Plus(SCRATCH, 1), Order::Plain);
                self.store(At(ONCE, None), Value::Const(2), Order::Half);
                let done = self.push(Step::Go(0));
                self.land(other);
                let is_done = self.unless(Value::Differs(EXPECTED, 2));
                self.push(Step::Await(At(ONCE, None), Ok(Value::Const(2))));
                self.land(done);
                self.land(is_done);
            }
            Stmt::Publish(node, value, order) => {
                let node = self.node(*node, *value);
                self.store(At(node + 1, None), Value::Const(0), Order::Plain);
                self.store(At(HEAD, None), Value::Const(node as i64), *order);
            }
            Stmt::Push(node, value) => {
                let node = self.node(*node, *value);
                self.push(Step::Load(EXPECTED, At(HEAD, None)));
                let head = self.here();
                self.store(At(node + 1, None), Value::Reg(EXPECTED), Order::Plain);
                // What it should replace is read from the node again, which nobody else writes.
                let when = When::Succeeds(Value::Reg(EXPECTED));
                self.acquire(HEAD, when, Update::Set(Value::Const(node as i64)));
                let again = self.unless(Value::Reg(OK));
                let out = self.push(Step::Go(0));
                self.land(again);
                self.push(Step::Go(head));
                self.land(out);
            }
            Stmt::Follow(dst, _, deep) => {
                self.push(Step::Load(POINTER, At(HEAD, None)));
                let none = self.unless(Value::Reg(POINTER));
                self.push(Step::Load(*dst, At(0, Some(POINTER))));
                if *deep {
                    self.push(Step::Load(POINTER, At(1, Some(POINTER))));
                    let last = self.unless(Value::Reg(POINTER));
                    self.push(Step::Load(*dst, At(0, Some(POINTER))));
                    self.land(last);
                }
                self.land(none);
                self.push(Step::Set(POINTER, Value::Const(0)));
            }
            Stmt::SetLocal(value) => self.store(At(LOCAL + self.thread, None), *value, Order::Plain),
            Stmt::GetLocal(dst) => {
                self.push(Step::Load(*dst, At(LOCAL + self.thread, None)));
            }
            Stmt::Choose(dst) => {
                self.push(Step::Choose(*dst));
            }
            Stmt::Assume(value) => {
                self.push(Step::Assume(*value));
            }
            Stmt::Assert(value, which) => {
                self.push(Step::Assert(*value, *which));
            }
        }
    }

    fn node(&mut self, node: usize, value: Value) -> usize {
        let at = HEAP + 4 * self.thread + 2 * node;
        self.store(At(at, None), value, Order::Plain);
        at
    }
}

/// What C programs begin with.
pub const HEADER: &str = "#define _GNU_SOURCE\n#include <pthread.h>\n#include <stdlib.h>\n#include <threads.h>\n\
    void hmc_assert(int);\nvoid __VERIFIER_assume(int);\nint __VERIFIER_nondet_int(void);\n\
    struct node { int v; struct node *next; };\n";

/// A random program of two to four threads and up to about so many accesses.
pub fn random_c(rng: &mut Rng, events: u64, strong: bool) -> CProgram {
    let threads = 2 + [0, 0, 0, 0, 1, 1, 2][rng.below(7) as usize];
    let words = Words::random(rng);
    // Threads that run the same function, with the same argument or not.
    let same = rng.below(3) == 0;
    let takes = same && rng.below(2) == 0;
    let recursive = words.has("locks") && rng.below(6) == 0;
    let c11 = rng.below(5) == 0;
    let vars = 2 + rng.below(2);
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
    let functions = if same { 1 } else { threads };
    let mut bodies = Vec::new();
    for _ in 0..functions {
        (writer.known, writer.next, writer.nodes, writer.has_argument) = (Vec::new(), 0, 0, takes);
        writer.budget = 1 + (events / threads) as i64 / 2 + writer.below(events / threads) as i64;
        let mut body = Vec::new();
        while writer.budget > 0 {
            body.extend(writer.statement());
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

    // C.
    let mut out = Printer { text: String::new(), depth: 0, c11, strong };
    out.line("int x__K, y__K, z__K, a__K[2], d__K, g__K[2], ret__K[4];");
    if words.has("pointers") {
        out.line("struct node *h__K;");
    }
    if words.has("local") {
        out.line("_Thread_local int own__K;");
    }
    let (mutex, condition) = if c11 { ("mtx_t", "cnd_t") } else { ("pthread_mutex_t", "pthread_cond_t") };
    let initial = if recursive && !c11 { " = {PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP}" } else { "" };
    out.line(&format!("{mutex} m__K[2]{initial};"));
    out.line(&format!("{condition} c__K;\npthread_rwlock_t l__K;\npthread_barrier_t b__K;\npthread_once_t o__K;"));
    out.line("void first__K(void) { d__K = d__K + 1; }");
    let (result, cast) = if c11 { ("int", "") } else { ("void *", "(void *)(long)") };
    for (f, body) in bodies.iter().enumerate() {
        out.line(&format!("{result} f{f}__K(void *arg) {{"));
        out.line("  int r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, e = 0;");
        if takes {
            out.line("  int n = (int)(long)arg;");
        }
        if words.has("pointers") {
            out.line("  struct node *p = 0;");
        }
        out.all(body);
        match returns {
            true => out.line(&format!("  return {cast}({});", value_text(Value::Packed))),
            false => out.line("  return 0;"),
        }
        out.line("}");
    }
    let (create, join) = if c11 { ("thrd_create", "thrd_join") } else { ("pthread_create", "pthread_join") };
    let (id, nothing) = if c11 { ("thrd_t", "") } else { ("pthread_t", "0, ") };
    out.line("int main__K(void) {");
    out.line("  int r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0, e = 0;");
    out.line(&format!("  {id} t[{threads}];"));
    if words.has("pointers") {
        out.line("  struct node *p = 0;");
    }
    if c11 {
        let kind = if recursive { "mtx_plain | mtx_recursive" } else { "mtx_plain" };
        out.line(&format!("  mtx_init(&m__K[0], {kind});\n  mtx_init(&m__K[1], mtx_plain);\n  cnd_init(&c__K);"));
    }
    if words.has("barrier") {
        out.line(&format!("  pthread_barrier_init(&b__K, 0, {threads});"));
    }
    if same {
        let arg = if takes { "(void *)(long)i" } else { "0" };
        out.line(&format!("  for (int i = 0; i < {threads}; i++)\n    {create}(&t[i], {nothing}f0__K, {arg});"));
    } else {
        (0..threads).for_each(|t| out.line(&format!("  {create}(&t[{t}], {nothing}f{t}__K, 0);")));
    }
    if !between_joins {
        out.all(&between);
    }
    let order: Vec<u64> = if joins_backwards { (0..threads).rev().collect() } else { (0..threads).collect() };
    let kind = if c11 { "int" } else { "void *" };
    for (i, t) in order.iter().enumerate() {
        match returns {
            true => out.line(&format!("  {kind} s{t};\n  {join}(t[{t}], &s{t});")),
            false => out.line(&format!("  {join}(t[{t}], 0);")),
        }
        if i == 0 && between_joins {
            out.all(&between);
        }
    }
    if returns {
        let cast = if c11 { "" } else { "(int)(long)" };
        (0..threads).for_each(|t| out.line(&format!("  ret__K[{t}] = {cast}s{t};")));
    }
    out.all(&last);
    out.line("  return 0;\n}");

    // The machine.
    let count = threads as u32;
    let compiler = |thread| Compiler { steps: Vec::new(), thread, count, recursive, held: Vec::new() };
    let mut machine = Machine { memory: vec![0; CELLS], ..Machine::default() };
    let mut main = compiler(0);
    (1..=threads).for_each(|t| {
        main.push(Step::Spawn(t as usize));
    });
    if !between_joins {
        main.all(&between);
    }
    for (i, t) in order.iter().enumerate() {
        main.push(Step::Join(SCRATCH, *t as usize + 1));
        // Nobody sees when.
        main.store(
            At(RESULTS + *t as usize, None),
            if returns { Value::Reg(SCRATCH) } else { Value::Const(0) },
            Order::Plain,
        );
        if i == 0 && between_joins {
            main.all(&between);
        }
    }
    main.push(Step::Fence(true));
    main.all(&last);
    main.push(Step::End(Value::Const(0)));
    machine.threads.push(main.steps);
    for t in 0..threads as usize {
        let mut thread = compiler(t + 1);
        if takes {
            thread.push(Step::Set(ARGUMENT, Value::Const(t as i64)));
        }
        thread.all(&bodies[if same { 0 } else { t }]);
        thread.push(Step::End(Value::Packed));
        machine.threads.push(thread.steps);
    }
    let mut told: Vec<(&'static str, u64)> =
        vec![("x", 0), ("y", 0), ("z", 0), ("a", 0), ("a", 4), ("d", 0), ("g", 0), ("g", 4)];
    machine.told = vec![0, 1, 2, ARRAY, ARRAY + 1, ONCE_DATA, GUARDED, GUARDED + 1];
    for t in 0..threads {
        told.push(("ret", 4 * t));
        machine.told.push(RESULTS + t as usize);
    }
    CProgram { text: out.text, machine, told }
}
