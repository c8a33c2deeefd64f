//! Executions that grow event by event, as exploration grows them: for the kernel's benches and for the test that runs every
//! model on them.

use hmc::algebra::{Base, Sort};
use hmc::kernel::plan::Plan;
use hmc::kernel::session::Session;
use hmc::relation::bits::Bits;
use hmc::relation::candidate::Candidate;

/// xorshift64*
#[derive(Clone)]
pub struct Rng(pub u64);

impl Rng {
    pub fn below(&mut self, n: usize) -> usize {
        self.0 |= 1;
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Init,
    Read,
    Write,
    Fence,
}

#[derive(Clone, Debug)]
pub struct Event {
    pub thread: usize,
    pub kind: Kind,
    pub loc: usize,
    pub rf: usize,
    /// The read half of the same read-modify-write.
    pub half: Option<usize>,
    pub tags: Vec<String>,
    pub deps: [Vec<usize>; 3],
    pub value: u64,
}

/// A growing execution; the row of an event is its index.
#[derive(Clone, Default, Debug)]
pub struct Execution {
    pub events: Vec<Event>,
    pub co: Vec<Vec<usize>>,
}

/// What is asked of a random execution.
#[derive(Clone, Copy)]
pub struct Form {
    pub threads: usize,
    pub locations: usize,
    pub events: usize,
    /// Percentage of reads and writes that take a random source or coherence position rather than the latest.
    pub wandering: usize,
    pub fences: usize,
    /// Percentage of tags that an event has.
    pub tags: usize,
}

const RELATIONS: [&str; 9] = ["po", "loc", "int", "ext", "rf", "co", "addr", "data", "ctrl"];
const SETS: [&str; 6] = ["M", "R", "W", "IW", "F", "Exp"];

/// Whether a graph can give a base name a value here. Tags that mark special events (locks, grace periods) are left out
/// unless `all_tags`.
pub fn present(base: &Base, all_tags: bool) -> bool {
    match base.sort {
        Sort::Rel => RELATIONS.contains(&base.name.as_str()) || base.name == "amo",
        Sort::Set => {
            let special = ["LK", "UL", "LF", "RL", "RU", "rcu", "Rcu", "RCU", "Sync", "Srcu", "X", "RMW", "EX", "PTE"];
            SETS.contains(&base.name.as_str()) || all_tags || !special.iter().any(|s| base.name.starts_with(s))
        }
    }
}

impl Execution {
    fn same_thread(&self, x: usize, y: usize) -> bool {
        self.events[x].thread == self.events[y].thread
            && self.events[x].kind != Kind::Init
            && self.events[y].kind != Kind::Init
    }

    fn related(&self, name: &str, x: usize, y: usize) -> bool {
        let (a, b) = (&self.events[x], &self.events[y]);
        let place = |e: usize, l: usize| self.co[l].iter().position(|&w| w == e);
        match name {
            "po" => x < y && self.same_thread(x, y),
            "int" => self.same_thread(x, y),
            "ext" => a.thread != b.thread,
            "loc" => a.kind != Kind::Fence && b.kind != Kind::Fence && a.loc == b.loc,
            "rf" => b.kind == Kind::Read && b.rf == x,
            "co" => a.loc == b.loc && place(x, a.loc).zip(place(y, b.loc)).is_some_and(|(i, j)| i < j),
            "amo" => b.half == Some(x),
            "addr" => b.deps[0].contains(&x),
            "data" => b.deps[1].contains(&x),
            "ctrl" => b.deps[2].contains(&x),
            _ => false,
        }
    }

    fn member(&self, name: &str, x: usize) -> bool {
        let e = &self.events[x];
        match name {
            "M" | "Exp" => e.kind != Kind::Fence,
            "R" => e.kind == Kind::Read,
            "W" => matches!(e.kind, Kind::Write | Kind::Init),
            "IW" => e.kind == Kind::Init,
            "F" => e.kind == Kind::Fence,
            _ => e.tags.iter().any(|t| t == name),
        }
    }

    /// What a session is sent for event `x`, given the events before it.
    pub fn message(&self, plan: &Plan, x: usize) -> Message {
        let mut message = Message { row: x as u32, value: self.events[x].value, ..Message::default() };
        for (input, base) in plan.inputs().iter().enumerate() {
            match base.sort {
                Sort::Set if self.member(&base.name, x) => message.sets.push(input),
                Sort::Set => {}
                Sort::Rel => {
                    let targets: Bits = (0..=x).filter(|&y| self.related(&base.name, x, y)).map(|y| y as u32).collect();
                    let sources: Bits = (0..x).filter(|&y| self.related(&base.name, y, x)).map(|y| y as u32).collect();
                    message.rels.push((input, targets, sources));
                }
            }
        }
        message
    }

    /// The execution as plain data.
    pub fn candidate(&self, plan: &Plan) -> Candidate {
        let n = self.events.len();
        let mut c = Candidate { universe: (0..n as u32).collect(), ..Candidate::default() };
        for base in plan.inputs() {
            match base.sort {
                Sort::Set => {
                    let members = (0..n).filter(|&x| self.member(&base.name, x)).map(|x| x as u32).collect();
                    c.sets.insert(base.name.clone(), members);
                }
                Sort::Rel => {
                    let pairs = (0..n).flat_map(|x| (0..n).map(move |y| (x, y)));
                    let pairs = pairs.filter(|&(x, y)| self.related(&base.name, x, y));
                    c.relations.insert(base.name.clone(), pairs.map(|(x, y)| (x as u32, y as u32)).collect());
                }
            }
        }
        c.values = (0..n).map(|x| (x as u32, self.events[x].value)).collect();
        c
    }
}

/// Everything that a session is sent for one event.
#[derive(Clone, Default)]
pub struct Message {
    pub row: u32,
    pub value: u64,
    pub sets: Vec<usize>,
    pub rels: Vec<(usize, Bits, Bits)>,
}

impl Message {
    pub fn send(&self, session: &mut Session) {
        session.add_event(self.row);
        session.set_value(self.row, self.value);
        for &input in &self.sets {
            session.add_to_set(input, self.row);
        }
        for (input, targets, sources) in &self.rels {
            if !targets.is_empty() {
                session.add_row(*input, self.row, targets.words());
            }
            if !sources.is_empty() {
                session.add_column(*input, sources.words(), self.row);
            }
        }
    }
}

/// A random execution, consistent after each event as far as the pruning checks can tell.
pub fn grow(plan: &Plan, session: &mut Session, rng: &mut Rng, form: Form) -> Execution {
    let names: Vec<String> = plan
        .inputs()
        .iter()
        .filter(|i| i.sort == Sort::Set && !SETS.contains(&i.name.as_str()))
        .map(|i| i.name.clone())
        .collect();
    let mut execution = Execution { events: Vec::new(), co: vec![Vec::new(); form.locations] };
    session.reset();
    for loc in 0..form.locations {
        let event = Event {
            thread: usize::MAX,
            kind: Kind::Init,
            loc,
            rf: 0,
            half: None,
            tags: Vec::new(),
            deps: Default::default(),
            value: 0,
        };
        execution.events.push(event);
        execution.co[loc].push(loc);
        execution.message(plan, loc).send(session);
    }
    let mut halves: Vec<Option<usize>> = vec![None; form.threads];
    while execution.events.len() < form.events {
        let thread = rng.below(form.threads);
        let x = execution.events.len();
        let half = halves[thread].take();
        let kind = match half {
            Some(_) => Kind::Write,
            None if rng.chance(form.fences) => Kind::Fence,
            None => [Kind::Read, Kind::Write][rng.below(2)],
        };
        let loc = half.map_or_else(|| rng.below(form.locations), |r| execution.events[r].loc);
        let tags: Vec<String> = names.iter().filter(|_| rng.chance(form.tags)).cloned().collect();
        let reads: Vec<usize> = (0..x)
            .filter(|&r| execution.events[r].thread == thread && execution.events[r].kind == Kind::Read)
            .collect();
        let deps = std::array::from_fn(|k| reads.iter().copied().filter(|_| rng.chance([5, 10, 10][k])).collect());
        let mut placed = false;
        for attempt in 0..4 {
            let writes = execution.co[loc].clone();
            let wander = attempt < 3 && rng.chance(form.wandering);
            let (mut rf, mut at) = (writes[writes.len() - 1], writes.len());
            if wander {
                rf = writes[rng.below(writes.len())];
                at = 1 + rng.below(writes.len());
            }
            if let Some(read) = half {
                at = 1 + writes.iter().position(|&w| w == execution.events[read].rf).unwrap_or(0);
            }
            let value = if kind == Kind::Read { execution.events[rf].value } else { rng.below(3) as u64 };
            let event = Event { thread, kind, loc, rf, half, tags: tags.clone(), deps: Clone::clone(&deps), value };
            execution.events.push(event);
            if kind == Kind::Write {
                execution.co[loc].insert(at, x);
            }
            session.push();
            execution.message(plan, x).send(session);
            if session.violated_partial().is_none() {
                placed = true;
                break;
            }
            session.pop();
            execution.events.pop();
            execution.co[loc] = writes;
        }
        if !placed {
            break;
        }
        if kind == Kind::Read && rng.chance(15) {
            halves[thread] = Some(x);
        }
    }
    execution
}
