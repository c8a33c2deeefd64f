//! A machine that runs small programs step by step: every interleaving, with a buffer of writes for each thread or without. It knows nothing of
//! execution graphs, so what it says of a program is a second opinion on the whole way from C to a verdict.

use std::collections::{BTreeSet, HashMap};

/// What is computed from a thread's registers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    Const(i64),
    Reg(usize),
    /// A register plus a constant.
    Plus(usize, i64),
    Xor(usize, i64),
    And(usize, i64),
    Equal(usize, i64),
    Differs(usize, i64),
    Less(usize, i64),
    /// Whether two registers are equal.
    Same(usize, usize),
    /// The first five registers, four bits each.
    Packed,
}

impl Value {
    fn of(self, regs: &[i64]) -> i64 {
        match self {
            Value::Const(k) => k,
            Value::Reg(r) => regs[r],
            Value::Plus(r, k) => i64::from((regs[r] as i32).wrapping_add(k as i32)),
            Value::Xor(r, k) => regs[r] ^ k,
            Value::And(r, k) => regs[r] & k,
            Value::Equal(r, k) => i64::from(regs[r] == k),
            Value::Differs(r, k) => i64::from(regs[r] != k),
            Value::Less(r, k) => i64::from(regs[r] < k),
            Value::Same(a, b) => i64::from(regs[a] == regs[b]),
            Value::Packed => (0..5).map(|i| (regs[i] & 15) << (4 * i)).sum(),
        }
    }
}

/// A cell of memory: a number, plus what is in a register.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At(pub usize, pub Option<usize>);

/// What a write waits for besides, or what waits for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strength {
    Plain,
    /// It comes after all writes before it.
    Release,
    /// The same, and all that follows waits for it.
    Full,
}

/// What a read-modify-write writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Update {
    Set(Value),
    Add(Value),
    Or(Value),
    /// Gives back a reader-writer lock: 0 of a writer, one less of a reader.
    GiveBack,
}

/// When a read-modify-write that waits goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    Always,
    Is(i64),
    IsNot(i64),
    /// Only then; otherwise it is a mere read.
    Succeeds(Value),
}

/// A step. Those that others can see are marked *.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Set(usize, Value),
    /// Goes on elsewhere if the value is 0.
    Unless(Value, usize),
    Go(usize),
    /// *
    Load(usize, At),
    /// *
    Store(At, Value, Strength),
    /// *: reads into the first register; the second one tells whether it wrote.
    Update(usize, usize, At, When, Update),
    /// * Reads until it reads what it waits for.
    Await(At, Result<Value, Value>),
    /// * Separates writes (`false`), or waits until all are done.
    Fence(bool),
    /// * 0 or 1.
    Choose(usize),
    /// * Lies down at the condition variable.
    Sleep,
    /// * When nobody has it sleep any more.
    Awake,
    /// * Wakes all who sleep (`true`), or all or any one of them.
    Wake(bool),
    Assert(Value, usize),
    Assume(Value),
    /// *
    Arrive(usize),
    /// *: how many must have arrived.
    Depart(usize, u32),
    /// *
    Spawn(usize),
    /// *: the result goes to the register.
    Join(usize, usize),
    /// The thread ends.
    End(Value),
}

/// Which writes may be late.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Buffers {
    /// None.
    None,
    /// All, in order.
    One,
    /// All; those to one cell in order.
    Each,
}

/// A program: the first thread starts, and creates the others.
#[derive(Clone, Default, Debug)]
pub struct Machine {
    pub memory: Vec<i64>,
    pub threads: Vec<Vec<Step>>,
    /// The cells whose last values are told.
    pub told: Vec<usize>,
}

/// What can happen.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Outcomes {
    /// The last values of runs to the end.
    pub ends: BTreeSet<Vec<i64>>,
    /// Assertions that fail.
    pub failures: BTreeSet<usize>,
    /// Whether threads can wait for ever.
    pub stuck: bool,
}

const REGISTERS: usize = 12;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Status {
    Absent,
    Running,
    Assumed,
    /// An assertion of it has failed.
    Failed,
    Ended(i64),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Late {
    cell: usize,
    value: i64,
    releases: bool,
    epoch: u32,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Thread {
    at: usize,
    regs: [i64; REGISTERS],
    status: Status,
    late: Vec<Late>,
    epoch: u32,
    /// Rounds of barriers that it has arrived at.
    arrived: [u32; 2],
    sleeps: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct State {
    memory: Vec<i64>,
    threads: Vec<Thread>,
}

impl Machine {
    /// Everything that can happen; `None` if there are more states than that.
    pub fn outcomes(&self, buffers: Buffers, most: usize) -> Option<Outcomes> {
        let mut outcomes = Outcomes::default();
        let thread = Thread {
            at: 0,
            regs: [0; REGISTERS],
            status: Status::Absent,
            late: Vec::new(),
            epoch: 0,
            arrived: [0; 2],
            sleeps: false,
        };
        let mut first = State { memory: self.memory.clone(), threads: vec![thread; self.threads.len()] };
        first.threads[0].status = Status::Running;
        let mut numbers = HashMap::new();
        let mut left = Vec::new();
        let mut before: Vec<Vec<usize>> = Vec::new();
        let mut ended = Vec::new();
        let mut add = |state: State, from: Option<usize>, left: &mut Vec<(usize, State)>| {
            let next = numbers.len();
            let number = *numbers.entry(state.clone()).or_insert(next);
            if number == next {
                before.push(Vec::new());
                left.push((number, state));
            }
            before[number].extend(from);
            number
        };
        if self.settle(&mut first, 0, &mut outcomes) {
            add(first, None, &mut left);
        }
        let mut count = 0;
        while let Some((number, state)) = left.pop() {
            count += 1;
            if count > most {
                return None;
            }
            if state.threads.iter().all(|t| matches!(t.status, Status::Absent | Status::Ended(_)) && t.late.is_empty())
            {
                outcomes.ends.insert(self.told.iter().map(|&cell| state.memory[cell]).collect());
                ended.push(number);
                continue;
            }
            if state.threads.iter().any(|t| matches!(t.status, Status::Assumed | Status::Failed)) {
                ended.push(number);
            }
            for t in 0..state.threads.len() {
                for i in 0..state.threads[t].late.len() {
                    if may_end(&state.threads[t].late, i, buffers) {
                        let mut next = state.clone();
                        let late = next.threads[t].late.remove(i);
                        next.memory[late.cell] = late.value;
                        add(next, Some(number), &mut left);
                    }
                }
                if state.threads[t].status != Status::Running {
                    continue;
                }
                for choice in 0..1 + self.choices(&state, t) {
                    let mut next = state.clone();
                    if !self.step(&mut next, t, choice, buffers, &mut outcomes) {
                        continue;
                    }
                    if self.settle(&mut next, t, &mut outcomes) {
                        add(next, Some(number), &mut left);
                    } else {
                        ended.push(number);
                    }
                }
            }
        }
        let mut good = vec![false; before.len()];
        while let Some(number) = ended.pop() {
            if !std::mem::replace(&mut good[number], true) {
                ended.extend(&before[number]);
            }
        }
        outcomes.stuck = good.contains(&false);
        Some(outcomes)
    }

    /// Runs a thread up to its next step that others can see. `false`: an assertion has failed.
    fn settle(&self, state: &mut State, t: usize, outcomes: &mut Outcomes) -> bool {
        loop {
            let thread = &mut state.threads[t];
            if thread.status != Status::Running {
                return true;
            }
            match self.threads[t][thread.at] {
                Step::Set(dst, value) => thread.regs[dst] = value.of(&thread.regs),
                Step::Unless(value, to) if value.of(&thread.regs) == 0 => {
                    thread.at = to;
                    continue;
                }
                Step::Unless(..) => {}
                Step::Go(to) => {
                    thread.at = to;
                    continue;
                }
                Step::Assert(value, which) => {
                    if value.of(&thread.regs) == 0 {
                        outcomes.failures.insert(which);
                        return false;
                    }
                }
                Step::Assume(value) => {
                    if value.of(&thread.regs) == 0 {
                        thread.status = Status::Assumed;
                        return true;
                    }
                }
                Step::End(value) => {
                    thread.status = Status::Ended(value.of(&thread.regs));
                    // What is left in registers is nobody's.
                    thread.regs = [0; REGISTERS];
                    return true;
                }
                _ => return true,
            }
            thread.at += 1;
        }
    }

    /// How many further choices a thread has at its next step.
    fn choices(&self, state: &State, t: usize) -> i64 {
        match self.threads[t][state.threads[t].at] {
            Step::Choose(_) => 1,
            Step::Wake(false) => match state.threads.iter().filter(|thread| thread.sleeps).count() as i64 {
                0 | 1 => 0,
                several => several,
            },
            _ => 0,
        }
    }

    /// One step that others can see, with the first or another choice; `false` if the thread cannot take it.
    fn step(&self, state: &mut State, t: usize, choice: i64, buffers: Buffers, outcomes: &mut Outcomes) -> bool {
        let step = self.threads[t][state.threads[t].at];
        let cell = |At(cell, index): At, regs: &[i64]| cell + index.map_or(0, |r| regs[r] as usize);
        let seen = |state: &State, cell: usize| {
            let own = state.threads[t].late.iter().rev().find(|late| late.cell == cell);
            own.map_or(state.memory[cell], |late| late.value)
        };
        let is_empty = state.threads[t].late.is_empty();
        match step {
            Step::Load(dst, at) => {
                let at = cell(at, &state.threads[t].regs);
                state.threads[t].regs[dst] = seen(state, at);
            }
            Step::Store(at, value, strength) => {
                let thread = &mut state.threads[t];
                let (at, value) = (cell(at, &thread.regs), value.of(&thread.regs));
                // What follows a full one waits until it is done, and so does the thread.
                if strength == Strength::Full && !is_empty {
                    return false;
                }
                if strength == Strength::Full || buffers == Buffers::None {
                    state.memory[at] = value;
                } else {
                    let releases = strength == Strength::Release;
                    thread.late.push(Late { cell: at, value, releases, epoch: thread.epoch });
                }
            }
            Step::Update(dst, ok, at, when, update) => {
                let at = cell(at, &state.threads[t].regs);
                let old = seen(state, at);
                let goes = match when {
                    When::Always => true,
                    When::Is(value) => old == value,
                    When::IsNot(value) => old != value,
                    When::Succeeds(value) => old == value.of(&state.threads[t].regs),
                };
                // One that fails is a locked instruction, too.
                if !is_empty || !goes && !matches!(when, When::Succeeds(_)) {
                    return false;
                }
                let thread = &mut state.threads[t];
                if !goes {
                    thread.regs[dst] = old;
                    thread.regs[ok] = 0;
                } else {
                    let new = match update {
                        Update::Set(value) => value.of(&thread.regs),
                        Update::Add(value) => i64::from((old as i32).wrapping_add(value.of(&thread.regs) as i32)),
                        Update::Or(value) => old | value.of(&thread.regs),
                        Update::GiveBack if old == WRITER => 0,
                        Update::GiveBack => old - 1,
                    };
                    thread.regs[dst] = old;
                    thread.regs[ok] = 1;
                    state.memory[at] = new;
                }
            }
            Step::Await(at, until) => {
                let at = cell(at, &state.threads[t].regs);
                let value = seen(state, at);
                let regs = &state.threads[t].regs;
                let ends = match until {
                    Ok(is) => value == is.of(regs),
                    Err(is_not) => value != is_not.of(regs),
                };
                if !ends {
                    return false;
                }
            }
            Step::Fence(full) => {
                if full && !is_empty {
                    return false;
                }
                let thread = &mut state.threads[t];
                thread.epoch = if thread.late.is_empty() { 0 } else { thread.epoch + 1 };
            }
            Step::Choose(dst) => state.threads[t].regs[dst] = choice,
            // Locked instructions, as all that changes the state of a condition variable.
            Step::Sleep | Step::Wake(_) if !is_empty => return false,
            Step::Sleep => state.threads[t].sleeps = true,
            Step::Awake if state.threads[t].sleeps => return false,
            Step::Awake => {}
            Step::Wake(_) => {
                let sleepers = state.threads.iter_mut().filter(|thread| thread.sleeps).enumerate();
                let woken = sleepers.filter(|(i, _)| choice == 0 || *i as i64 + 1 == choice);
                woken.for_each(|(_, thread)| thread.sleeps = false);
            }
            Step::Arrive(barrier) => {
                if !is_empty {
                    return false;
                }
                state.threads[t].arrived[barrier] += 1;
            }
            Step::Depart(barrier, count) => {
                let round = state.threads[t].arrived[barrier];
                let there = state.threads.iter().filter(|other| other.arrived[barrier] >= round).count();
                if (there as u32) < count {
                    return false;
                }
            }
            Step::Spawn(child) => {
                if !is_empty {
                    return false;
                }
                state.threads[child].status = Status::Running;
                // Its first steps are its own.
                state.threads[t].at += 1;
                if !self.settle(state, child, outcomes) {
                    state.threads[child].status = Status::Failed;
                }
                return true;
            }
            Step::Join(dst, child) => {
                let Status::Ended(value) = state.threads[child].status else { return false };
                if !state.threads[child].late.is_empty() {
                    return false;
                }
                state.threads[t].regs[dst] = value;
            }
            _ => return false,
        }
        state.threads[t].at += 1;
        true
    }
}

/// What a reader-writer lock holds when a writer has it.
pub const WRITER: i64 = 0x8000_0000;

/// Whether a late write may be done before those that are there already.
fn may_end(late: &[Late], i: usize, buffers: Buffers) -> bool {
    let this = &late[i];
    match buffers {
        Buffers::None => true,
        Buffers::One => i == 0,
        Buffers::Each => {
            late[..i].iter().all(|other| other.cell != this.cell && !this.releases && other.epoch == this.epoch)
        }
    }
}
