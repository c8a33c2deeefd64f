//! Persistent memory of x86 against a machine: buffers of stores, of which some may be overtaken, and a queue for each line of the cache; a crash
//! leaves what has left the queues.

use super::{Code, OnMemory, found, model, programs};
use crate::support::random::Rng;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// An instruction of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Store(usize, u64),
    Stream(usize, u64),
    /// A locked exchange: it writes.
    Exchange(usize, u64),
    /// A read; the thread goes on only if it gives this.
    Expect(usize, u64),
    Flush(usize),
    WeakFlush(usize),
    StoreFence,
    FullFence,
}

/// Threads, and the line that each of the variables is in.
#[derive(Clone, Debug)]
struct Test {
    lines: Vec<u64>,
    threads: Vec<Vec<Step>>,
}

fn random(rng: &mut Rng) -> Test {
    let variables = 2 + rng.below(2) as usize;
    let shares = rng.below(3) == 0;
    let lines = (0..variables as u64).map(|n| if shares && n == 1 { 0 } else { n }).collect();
    let streams = rng.below(3) > 0;
    let mut value = 0;
    let threads = (0..1 + rng.below(2))
        .map(|_| {
            (0..1 + rng.below(4))
                .map(|_| {
                    let at = rng.below(variables as u64) as usize;
                    value += 1;
                    match rng.below(12) {
                        0..4 => Step::Store(at, value),
                        4 if streams => Step::Stream(at, value),
                        4 | 5 => Step::WeakFlush(at),
                        6 => Step::Flush(at),
                        7 => Step::StoreFence,
                        8 => Step::FullFence,
                        9 => Step::Exchange(at, value),
                        _ => Step::Expect(at, if rng.below(2) == 0 { 0 } else { 1 + rng.below(value) }),
                    }
                })
                .collect()
        })
        .collect();
    Test { lines, threads }
}

impl Test {
    fn for_hmc(&self) -> OnMemory {
        let code = |step: &Step| match *step {
            Step::Store(at, value) => Code::Store(at, value, &[]),
            Step::Stream(at, value) => Code::Store(at, value, &["NT"]),
            Step::Exchange(at, value) => Code::Exchange(at, value),
            Step::Expect(at, value) => Code::Expect(at, value, &[]),
            Step::Flush(at) => Code::Flush("ClFlush", at),
            Step::WeakFlush(at) => Code::Flush("ClFlushOpt", at),
            Step::StoreFence => Code::Fence("SFENCE"),
            Step::FullFence => Code::Fence("MFENCE"),
        };
        let threads = self.threads.iter().map(|thread| thread.iter().map(code).collect());
        OnMemory { lines: self.lines.clone(), threads: threads.collect() }
    }
}

/// What is in a thread's buffer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Buffered {
    Store(usize, u64),
    Stream(usize, u64),
    Flush(u64),
    WeakFlush(u64),
    StoreFence,
}

/// What is in the queue of a line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Queued {
    Write(usize, u64),
    /// Something of a thread that its fences wait for.
    Mark(usize),
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Machine {
    next: Vec<usize>,
    buffers: Vec<Vec<Buffered>>,
    memory: Vec<u64>,
    queues: BTreeMap<u64, Vec<Queued>>,
    persisted: Vec<u64>,
}

impl Machine {
    fn line(test: &Test, entry: Buffered) -> Option<u64> {
        match entry {
            Buffered::Store(at, _) | Buffered::Stream(at, _) => Some(test.lines[at]),
            Buffered::Flush(line) | Buffered::WeakFlush(line) => Some(line),
            Buffered::StoreFence => None,
        }
    }

    /// Whether an entry of a buffer has to leave it before a later one.
    fn keeps_order(test: &Test, first: Buffered, second: Buffered) -> bool {
        use Buffered::{Flush, Store, StoreFence, Stream, WeakFlush};
        let one_line = Self::line(test, first) == Self::line(test, second);
        match (first, second) {
            (StoreFence, _) | (_, StoreFence) => true,
            (Store(..) | Flush(_), Store(..) | Flush(_)) => true,
            (WeakFlush(_), Flush(_)) => one_line,
            (WeakFlush(_), _) => false,
            (Store(..) | Flush(_) | Stream(..), _) => one_line,
        }
    }

    fn has_mark(&self, thread: usize) -> bool {
        self.queues.values().flatten().any(|&queued| queued == Queued::Mark(thread))
    }

    fn write(&mut self, test: &Test, at: usize, value: u64) {
        self.memory[at] = value;
        self.queues.entry(test.lines[at]).or_default().push(Queued::Write(at, value));
    }

    fn successors(&self, test: &Test) -> Vec<Machine> {
        let mut all = Vec::new();
        let is_clean = |line: u64| self.queues.get(&line).is_none_or(Vec::is_empty);
        for (t, thread) in test.threads.iter().enumerate() {
            if let Some(&step) = thread.get(self.next[t]) {
                let mut next = self.clone();
                next.next[t] += 1;
                let is_idle = self.buffers[t].is_empty() && !self.has_mark(t);
                match step {
                    Step::Store(at, value) => next.buffers[t].push(Buffered::Store(at, value)),
                    Step::Stream(at, value) => next.buffers[t].push(Buffered::Stream(at, value)),
                    Step::Flush(at) => next.buffers[t].push(Buffered::Flush(test.lines[at])),
                    Step::WeakFlush(at) => next.buffers[t].push(Buffered::WeakFlush(test.lines[at])),
                    Step::StoreFence => next.buffers[t].push(Buffered::StoreFence),
                    Step::FullFence if is_idle => {}
                    Step::Exchange(at, value) if is_idle => next.write(test, at, value),
                    Step::FullFence | Step::Exchange(..) => next.next[t] = usize::MAX,
                    Step::Expect(at, value) => {
                        let own = self.buffers[t].iter().rev().find_map(|entry| match entry {
                            Buffered::Store(place, value) | Buffered::Stream(place, value) if *place == at => {
                                Some(*value)
                            }
                            _ => None,
                        });
                        if own.unwrap_or(self.memory[at]) != value {
                            next.next[t] = thread.len();
                        }
                    }
                }
                if next.next[t] != usize::MAX {
                    all.push(next);
                }
            }
            for (n, &entry) in self.buffers[t].iter().enumerate() {
                if self.buffers[t][..n].iter().any(|&first| Self::keeps_order(test, first, entry)) {
                    continue;
                }
                let mut next = self.clone();
                next.buffers[t].remove(n);
                match entry {
                    Buffered::Store(at, value) => next.write(test, at, value),
                    // It goes past the cache: what the cache has of the line is in memory first.
                    Buffered::Stream(at, value) if is_clean(test.lines[at]) => {
                        (next.memory[at], next.persisted[at]) = (value, value);
                    }
                    Buffered::Stream(..) => continue,
                    Buffered::Flush(line) if is_clean(line) => {}
                    Buffered::WeakFlush(line) => next.queues.entry(line).or_default().push(Queued::Mark(t)),
                    Buffered::StoreFence if !self.has_mark(t) => {}
                    Buffered::Flush(_) | Buffered::StoreFence => continue,
                }
                all.push(next);
            }
        }
        for (&line, queue) in &self.queues {
            if let Some(&first) = queue.first() {
                let mut next = self.clone();
                next.queues.entry(line).or_default().remove(0);
                if let Queued::Write(at, value) = first {
                    next.persisted[at] = value;
                }
                all.push(next);
            }
        }
        all
    }
}

/// What a crash may leave, by the machine.
fn left(test: &Test) -> BTreeSet<Vec<u64>> {
    let zeros = vec![0; test.lines.len()];
    let start = Machine {
        next: vec![0; test.threads.len()],
        buffers: vec![Vec::new(); test.threads.len()],
        memory: zeros.clone(),
        queues: BTreeMap::new(),
        persisted: zeros,
    };
    let (mut seen, mut work, mut states) = (HashSet::from([start.clone()]), vec![start], BTreeSet::new());
    while let Some(machine) = work.pop() {
        states.insert(machine.persisted.clone());
        for next in machine.successors(test) {
            if seen.insert(next.clone()) {
                work.push(next);
            }
        }
    }
    states
}

#[test]
fn px86_leaves_what_the_machine_leaves() {
    let model = model("px86", &[]);
    let mut rng = Rng(0x9e37_79b9_7f4a_7c15);
    let mut distinct = 0;
    for n in 0..programs(120) {
        let test = random(&mut rng);
        let (found, left) = (found(&test.for_hmc(), &model), left(&test));
        assert_eq!(found, left, "program {n}: {test:?}");
        distinct += usize::from(found.len() > 2);
    }
    assert!(distinct > 20, "most programs leave one state");
}
