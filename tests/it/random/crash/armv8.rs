//! Persistent memory of Armv8 against a machine. Each thread takes its instructions in any order that the architecture leaves to it; all threads see one
//! memory; a clean notes what its line holds, and a full DSB behind it waits until that is in memory that survives. A crash leaves of each place
//! something between what was known to survive and what the memory holds.

use super::{Code, OnMemory, found, model, programs};
use crate::support::random::Rng;
use std::collections::{BTreeSet, HashSet};

/// An instruction of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Store(usize, u64),
    Release(usize, u64),
    /// A read; the thread goes on only if it gives this.
    Expect(usize, u64),
    Acquire(usize, u64),
    Clean(usize),
    Dsb,
    Dmb,
    DmbOfReads,
    DmbOfWrites,
}
use Step::{Acquire, Clean, Dmb, DmbOfReads, DmbOfWrites, Dsb, Expect, Release, Store};

impl Step {
    fn written(self) -> Option<usize> {
        if let Store(at, _) | Release(at, _) = self { Some(at) } else { None }
    }

    fn read(self) -> Option<(usize, u64)> {
        if let Expect(at, value) | Acquire(at, value) = self { Some((at, value)) } else { None }
    }

    fn accessed(self) -> Option<usize> {
        self.written().or(self.read().map(|(at, _)| at))
    }
}

/// Threads, and the line that each of the variables is in.
#[derive(Clone, Debug)]
struct Test {
    lines: Vec<u64>,
    threads: Vec<Vec<Step>>,
}

fn barrier(rng: &mut Rng) -> Step {
    [Dsb, Dsb, Dsb, Dmb, Dmb, Dmb, DmbOfReads, DmbOfWrites][rng.below(8) as usize]
}

/// One thread writes two variables, another one sees the second, cleans a line, and writes: whether the clean is of what was written depends on both.
fn handed_over(rng: &mut Rng) -> Test {
    let handed = [Store(1, 2), Release(1, 2)][rng.below(2) as usize];
    let seen = [Expect(1, 2), Acquire(1, 2)][rng.below(2) as usize];
    let last = Store(1 + rng.below(2) as usize, 3);
    let mut with_barriers = |steps: [Step; 3]| {
        let may_follow = |step: Step| [Some(step), (rng.below(3) > 0).then(|| barrier(rng))];
        steps.into_iter().flat_map(may_follow).flatten().collect::<Vec<_>>()
    };
    let writer = with_barriers([Store(0, 1), handed, Dmb]);
    let cleaner = with_barriers([seen, Clean(0), last]);
    Test { lines: vec![0, rng.below(2), 2], threads: vec![writer, cleaner] }
}

/// Of threads, what orders are about: an access, a clean, another access, and what may be between; reads expect what is written.
fn random(rng: &mut Rng) -> Test {
    if rng.below(3) == 0 {
        return handed_over(rng);
    }
    let variables = if rng.below(4) == 0 { 3 } else { 2 };
    let shares = rng.below(3) == 0;
    let lines = (0..variables).map(|n| if shares && n == 1 { 0 } else { n }).collect();
    let mut written: Vec<(usize, u64)> = Vec::new();
    let mut threads = Vec::new();
    for _ in 0..1 + rng.below(2) {
        let mut thread = Vec::new();
        // How often of eight each is there: 0 an access, 1 a clean, 2 a barrier.
        for (often, what) in [(4, 0), (8, 0), (4, 2), (6, 1), (6, 2), (7, 0), (2, 1), (2, 0)] {
            if rng.below(8) >= often {
                continue;
            }
            let at = rng.below(variables) as usize;
            let value = 1 + written.len() as u64;
            let expected = match rng.below(4) {
                0 => (at, 0),
                _ => written.get(rng.below(1 + written.len() as u64) as usize).copied().unwrap_or((at, 0)),
            };
            let step = match (what, rng.below(8)) {
                (0, 0..4) => Store(at, value),
                (0, 4) => Release(at, value),
                (0, 5 | 6) => Expect(expected.0, expected.1),
                (0, _) => Acquire(expected.0, expected.1),
                (1, _) => Clean(at),
                _ => barrier(rng),
            };
            written.extend(step.written().map(|at| (at, value)));
            thread.push(step);
        }
        threads.push(thread);
    }
    Test { lines, threads }
}

impl Test {
    fn for_hmc(&self) -> OnMemory {
        let code = |step: &Step| match *step {
            Store(at, value) => Code::Store(at, value, &[]),
            Release(at, value) => Code::Store(at, value, &["L"]),
            Expect(at, value) => Code::Expect(at, value, &[]),
            Acquire(at, value) => Code::Expect(at, value, &["A"]),
            Clean(at) => Code::Flush("DC.CVAP", at),
            Dsb => Code::Fence("DSB.SY"),
            Dmb => Code::Fence("DMB.SY"),
            DmbOfReads => Code::Fence("DMB.LD"),
            DmbOfWrites => Code::Fence("DMB.ST"),
        };
        let threads = self.threads.iter().map(|thread| thread.iter().map(code).collect());
        OnMemory { lines: self.lines.clone(), threads: threads.collect() }
    }

    /// Whether an instruction of a thread is taken before a later one.
    fn keeps_order(&self, thread: &[Step], i: usize, j: usize) -> bool {
        let (first, second) = (thread[i], thread[j]);
        let between = &thread[i + 1..j];
        let is_access = |step: Step| step.accessed().is_some();
        match (first, second) {
            (Dsb | Dmb, _) => true,
            (_, Dsb) => true,
            (Clean(_), _) => false,
            (_, Dmb) => is_access(first),
            (_, Clean(at)) => first.accessed().is_some_and(|other| self.lines[other] == self.lines[at]),
            _ if !is_access(first) || !is_access(second) => false,
            (Acquire(..), _) | (_, Release(..)) | (Release(..), Acquire(..)) => true,
            // What a read decides, and what would overtake it.
            (Expect(..), Store(..)) => true,
            (Store(..) | Release(..), Store(..)) => {
                first.accessed() == second.accessed() || between.contains(&DmbOfWrites)
            }
            (Expect(..), Expect(..) | Acquire(..)) => {
                // A value of the thread's own does not come from memory.
                let at = second.accessed();
                let is_own = between.iter().any(|step| step.written() == at);
                between.contains(&DmbOfReads) || first.accessed() == at && !is_own
            }
            _ => false,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash)]
struct Machine {
    /// By thread: the instructions that were taken, and where it has ended.
    taken: Vec<u32>,
    ends: Vec<usize>,
    /// By variable, what it has held, and how much of that is known to survive.
    held: Vec<Vec<u64>>,
    survives: Vec<usize>,
    /// By thread and instruction, how much of each variable of its line a clean has seen.
    cleaned: BTreeSet<(usize, usize, usize, usize)>,
}

impl Machine {
    fn successors(&self, test: &Test) -> Vec<Machine> {
        let mut all = Vec::new();
        for (t, thread) in test.threads.iter().enumerate() {
            let is_taken = |i: usize| self.taken[t] >> i & 1 == 1;
            for j in (0..self.ends[t].min(thread.len())).filter(|&j| !is_taken(j)) {
                if (0..j).any(|i| !is_taken(i) && test.keeps_order(thread, i, j)) {
                    continue;
                }
                let mut next = self.clone();
                next.taken[t] |= 1 << j;
                match thread[j] {
                    Store(at, value) | Release(at, value) => next.held[at].push(value),
                    Expect(at, expected) | Acquire(at, expected) => {
                        let own = (0..j).rev().find(|&i| thread[i].written() == Some(at)).filter(|&i| !is_taken(i));
                        let found = match own.map(|i| thread[i]) {
                            Some(Store(_, value) | Release(_, value)) => Some(value),
                            _ => self.held[at].last().copied(),
                        };
                        if found != Some(expected) {
                            next.ends[t] = next.ends[t].min(j + 1);
                        }
                    }
                    Clean(at) => {
                        let of_line = (0..test.lines.len()).filter(|&other| test.lines[other] == test.lines[at]);
                        next.cleaned.extend(of_line.map(|other| (t, j, other, self.held[other].len())));
                    }
                    Dsb => {
                        for &(of, i, at, seen) in &self.cleaned {
                            if of == t && i < j {
                                next.survives[at] = next.survives[at].max(seen);
                            }
                        }
                    }
                    Dmb | DmbOfReads | DmbOfWrites => {}
                }
                all.push(next);
            }
        }
        all
    }

    /// What a crash may leave now.
    fn left(&self) -> Vec<Vec<u64>> {
        let mut all = vec![Vec::new()];
        for (held, &survives) in self.held.iter().zip(&self.survives) {
            let more = |state: &Vec<u64>| {
                held[survives - 1..].iter().map(|&value| [&state[..], &[value]].concat()).collect::<Vec<_>>()
            };
            all = all.iter().flat_map(more).collect();
        }
        all
    }
}

/// What a crash may leave, by the machine.
fn left(test: &Test) -> BTreeSet<Vec<u64>> {
    let variables = test.lines.len();
    let start = Machine {
        taken: vec![0; test.threads.len()],
        ends: vec![usize::MAX; test.threads.len()],
        held: vec![vec![0]; variables],
        survives: vec![1; variables],
        cleaned: BTreeSet::new(),
    };
    let (mut seen, mut work, mut states) = (HashSet::from([start.clone()]), vec![start], BTreeSet::new());
    while let Some(machine) = work.pop() {
        states.extend(machine.left());
        for next in machine.successors(test) {
            if seen.insert(next.clone()) {
                work.push(next);
            }
        }
    }
    states
}

#[test]
fn parmv8_leaves_what_the_machine_leaves() {
    let model = model("parmv8", &["DC.CVAP"]);
    let mut rng = Rng(0x6a09_e667_f3bc_c908);
    let mut distinct = 0;
    for n in 0..programs(400) {
        let test = random(&mut rng);
        let (found, left) = (found(&test.for_hmc(), &model), left(&test));
        assert_eq!(found, left, "program {n}: {test:?}");
        distinct += usize::from(found.len() > 2);
    }
    assert!(distinct > 20, "most programs leave one state");
}
