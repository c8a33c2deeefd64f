//! Compiles a program to steps of the machine: the threads that it creates, and `main`, which is the first one. Calls of the library become what they do
//! to a cell or two.

use super::layout::*;
use super::program::{Order, Place, Program, Stmt};
use crate::support::machine::{At, Machine, Step, Strength, Update, Value, WRITER, When};

/// The program as the machine runs it.
pub fn machine(program: &Program) -> Machine {
    let &Program { threads, takes, returns, between_joins, recursive, .. } = program;
    let count = threads as u32;
    let compiler = |thread| Compiler { steps: Vec::new(), thread, count, recursive, held: Vec::new(), in_loop: false };
    let mut machine = Machine { memory: vec![0; CELLS], threads: Vec::new(), told: told_cells(threads) };
    let mut main = compiler(0);
    (1..=threads).for_each(|t| {
        main.push(Step::Spawn(t));
    });
    if !between_joins {
        main.all(&program.between);
    }
    for (i, t) in program.joins().into_iter().enumerate() {
        main.push(Step::Join(SCRATCH, t + 1));
        // Nobody sees when.
        let result = if returns { Value::Reg(SCRATCH) } else { Value::Const(0) };
        main.store(At(RESULTS + t, None), result, Order::Plain);
        if i == 0 && between_joins {
            main.all(&program.between);
        }
    }
    main.push(Step::Fence(true));
    main.all(&program.last);
    main.push(Step::End(Value::Const(0)));
    machine.threads.push(main.steps);
    for t in 0..threads {
        let mut thread = compiler(t + 1);
        if takes {
            thread.push(Step::Set(ARGUMENT, Value::Const(t as i64)));
        }
        thread.all(program.body(t));
        thread.push(Step::End(Value::Packed));
        machine.threads.push(thread.steps);
    }
    machine
}

/// Statements as steps of the machine, of a thread of this number.
struct Compiler {
    steps: Vec<Step>,
    thread: usize,
    count: u32,
    recursive: bool,
    held: Vec<usize>,
    in_loop: bool,
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
    fn update(&mut self, at: At, when: When, update: Update) {
        self.push(Step::Update(EXPECTED, OK, at, when, update));
    }
    fn acquire(&mut self, cell: usize, when: When, update: Update) {
        self.update(At(cell, None), when, update);
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
    /// Goes on elsewhere, but for where something may happen that nobody causes: in no loop.
    fn unless_by_itself(&mut self, may: bool) -> usize {
        match may && !self.in_loop {
            true => _ = self.push(Step::Choose(SCRATCH)),
            false => _ = self.push(Step::Set(SCRATCH, Value::Const(0))),
        }
        self.unless(Value::Reg(SCRATCH))
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
            Stmt::Cas(dst, place, expected, value, _, weak) => {
                let when = When::Succeeds(Value::Const(*expected));
                let tries = self.unless_by_itself(*weak);
                // One that fails for no reason reads all the same, and is a locked instruction, too.
                let at = self.place(*place);
                self.update(at, When::Always, Update::Add(Value::Const(0)));
                self.push(Step::Set(OK, Value::Const(0)));
                let done = self.push(Step::Go(0));
                self.land(tries);
                let at = self.place(*place);
                self.update(at, when, Update::Set(*value));
                self.land(done);
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
            Stmt::Call(condition, [then, other], value, order, _) => {
                let no = self.unless(*condition);
                self.store(At(*then, None), *value, *order);
                let end = self.push(Step::Go(0));
                self.land(no);
                self.store(At(*other, None), *value, *order);
                self.land(end);
            }
            Stmt::Times(n, body) => {
                self.push(Step::Set(INDEX, Value::Const(0)));
                let head = self.here();
                let end = self.unless(Value::Less(INDEX, *n));
                let in_loop = std::mem::replace(&mut self.in_loop, true);
                self.all(body);
                self.in_loop = in_loop;
                self.push(Step::Set(INDEX, Value::Plus(INDEX, 1)));
                self.push(Step::Go(head));
                self.land(end);
            }
            Stmt::Spin(place, _, is, k) => {
                let at = self.place(*place);
                let until = Value::Const(*k);
                self.push(Step::Await(at, if *is { Ok(until) } else { Err(until) }));
            }
            Stmt::Peek(a, k, b, l, _) => {
                let head = self.here();
                let at = self.place(*a);
                self.push(Step::Load(EXPECTED, at));
                let out = self.push(Step::Unless(Value::Equal(EXPECTED, *k), head));
                let at = self.place(*b);
                self.push(Step::Load(EXPECTED, at));
                self.push(Step::Unless(Value::Equal(EXPECTED, *l), head));
                self.land(out);
                self.push(Step::Set(EXPECTED, Value::Const(0)));
            }
            Stmt::SpinTwo(a, k, b, l, and, _) => {
                let head = self.here();
                let at = self.place(*a);
                self.push(Step::Load(EXPECTED, at));
                let first = if *and { Value::Equal(EXPECTED, *k) } else { Value::Differs(EXPECTED, *k) };
                let out = self.push(Step::Unless(first, head));
                let at = self.place(*b);
                self.push(Step::Load(EXPECTED, at));
                self.push(Step::Unless(Value::Differs(EXPECTED, *l), head));
                if *and {
                    self.land(out);
                }
                self.push(Step::Set(EXPECTED, Value::Const(0)));
            }
            Stmt::SpinLocked(place, body) => {
                let at = self.place(*place);
                self.update(at, When::Is(0), Update::Set(Value::Const(1)));
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
                self.update(at, when, update);
                self.push(Step::Unless(Value::Reg(OK), head));
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
                self.held.push(*m);
                self.tried(*dst, body, |code| code.store(At(MUTEX + m, None), Value::Const(0), Order::Half));
                self.held.pop();
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
                // Other readers are no reason to fail.
                let head = self.here();
                self.push(Step::Load(EXPECTED, At(LOCK, None)));
                self.push(Step::Set(OK, Value::Const(0)));
                let busy = self.unless(Value::Differs(EXPECTED, WRITER));
                let when = When::Succeeds(Value::Reg(EXPECTED));
                self.acquire(LOCK, when, Update::Add(Value::Const(1)));
                self.push(Step::Unless(Value::Reg(OK), head));
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
                let sleeps = self.unless_by_itself(!looped);
                let woken = self.push(Step::Go(0));
                self.land(sleeps);
                self.push(Step::Sleep);
                self.land(woken);
                self.unlock(0);
                self.push(Step::Awake);
                self.lock(0);
                if *looped {
                    self.push(Step::Go(head));
                }
                self.land(done);
                self.all(body);
                self.unlock(0);
            }
            Stmt::Notify(place, value, way, all) => {
                if *way < 2 {
                    self.lock(0);
                }
                let at = self.place(*place);
                self.store(at, *value, Order::Plain);
                if *way == 0 {
                    self.push(Step::Wake(*all));
                }
                if *way < 2 {
                    self.unlock(0);
                }
                if *way > 0 {
                    self.push(Step::Wake(*all));
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
                self.push(Step::Unless(Value::Reg(OK), head));
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
