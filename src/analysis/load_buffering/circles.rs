//! Executions that decide about themselves, and that nothing in an exploration has hinted at.
//!
//! A write may take part in deciding that it happens, through no dependency that the model sees: it is read, and a thread goes
//! another way for that, at whose end the write stands. When the write happens in no other execution, exploration never comes to
//! it. So it is asked of the code, when an exploration has ended, whether there may be such a circle: reads and writes of their
//! threads, each write read by the next read, in which
//!
//! - each write may be another one, or happen at all, because of the read before it: it is computed from it, or the read
//!   leads its thread another way (`taint`);
//! - for one at least, that is no dependency: a circle of dependencies is no execution;
//! - the model does not order all of these reads before these writes, in a relation that has no cycles and includes reads-from between
//!   threads (`crate::analysis::load_buffering::Proof`).
//!
//! Which ways exploration has gone does not count: a way that one thread, call or round of a loop has gone may be new to another, or together with others. Of programs of
//! which [`crate::analysis::load_buffering::is_ordered`] looks at nothing it is only asked whether something decides how a thread goes on.
//!
//! A thread may take part with a write of its own that it reads before, where the model does not reject that.
//!
//! What is left after that is put to the model cycle by cycle (`cycles`). A circle may come to a thread twice, by `r`, `w` and by `r'`, `w'`; then `w'` comes behind `r` in program order, or `w`
//! behind `r'`, and there is a shorter cycle of program order and reads-from, from the read of one step to the write of another. So there is one that visits each thread once, goes from reads of
//! steps to writes of steps only, and is no execution if the model rejects it.
//!
//! Limits: what goes through creation, joins and barriers is left out.

use crate::algebra::facts::order::Orders;
use crate::analysis::load_buffering::flat::At;
use crate::analysis::load_buffering::proof::{Pair, Proof, are_halves, pairs_between};
use crate::analysis::load_buffering::query::{Acyclic, acyclic_relations};
use crate::analysis::load_buffering::taint::{Change, Ways};
use crate::analysis::load_buffering::threads::{Access, Code, Threads};
use crate::program::{Callee, Instr, Join, Operand, Program, Start};
use crate::relation::bits::Bits;

/// Whether there may be consistent executions that decide about themselves, which exploration need not find.
pub fn may_have_circles(program: &Program, orders: &Orders) -> bool {
    let Some(threads) = Threads::of(program) else { return has_ways(program) };
    let mut proof = Proof::new(program, orders, Acyclic::default(), &threads);
    let mut reads_later = |code: &Code<'_>, read: &Access, write: &Access| {
        read.may_read(write) && pairs_between(code, read, write).any(|pair| !proof.cannot_read_later(&pair))
    };
    let Some(circles) = Circles::of(program, &threads, &mut reads_later) else { return false };
    let proofs = acyclic_relations(orders).map(|on| Proof::new(program, orders, on, &threads));
    let mut proofs: Vec<Proof<'_>> = proofs.collect();
    // What a thread reads of itself may be in no such relation.
    proofs.retain_mut(|proof| !circles.within_threads && proof.includes_reads_from());
    let is_left = circles.is_left(&mut |_| false)
        && proofs.iter_mut().all(|proof| circles.is_left(&mut |step| proof.orders(step)));
    is_left && {
        let (reads, writes) = circles.ends();
        let counts =
            |read: &Access, write: &Access| reads.contains(read.number as u32) && writes.contains(write.number as u32);
        !Proof::new(program, orders, Acyclic::default(), &threads).rejects_each_cycle(program, orders, &counts)
    }
}

/// Whether something decides how a thread goes on, by which more may be decided than what depends on it.
fn has_ways(program: &Program) -> bool {
    program.functions.iter().any(|function| {
        let endless = |at: Option<usize>, of: &Operand| {
            let instr = at.and_then(|at| function.code.get(at));
            matches!(instr, Some(Instr::Branch { cond, join: Join::Never, .. }) if cond == of)
        };
        function.code.iter().enumerate().any(|(at, instr)| match instr {
            Instr::Branch { cond, then, otherwise, .. } => then != otherwise && !endless(Some(at), cond),
            Instr::Select { on_cond, .. } => !on_cond,
            Instr::StopUnless { cond, .. } => !endless(Some(at + 1), cond),
            Instr::Call { callee: Callee::Indirect(target), .. } => !endless(at.checked_sub(1), target),
            _ => false,
        })
    })
}

/// From a read to a write that it may change.
struct Step<'a> {
    code: &'a Code<'a>,
    read: &'a Access,
    write: &'a Access,
    /// How, before its thread comes by the read again, and after.
    changes: Changes,
    /// The reads, by number, that may read the write.
    readers: Bits,
}

/// What changes before a thread comes by a read again, and after.
type Changes = [Change; 2];

impl Step<'_> {
    /// Whether it changes the write in another way than by dependencies.
    fn is_implied(&self) -> bool {
        self.changes.iter().any(|change| change.implied)
    }
}

struct Circles<'a> {
    steps: Vec<Step<'a>>,
    /// Where steps lead to from each read.
    reach: Vec<Bits>,
    /// Whether a thread may read what it writes later.
    within_threads: bool,
}

/// Whether a thread may read what it writes later.
type ReadsLater<'f> = &'f mut dyn FnMut(&Code<'_>, &Access, &Access) -> bool;

impl<'a> Circles<'a> {
    /// All steps; `None`: none is without a dependency.
    fn of(program: &'a Program, threads: &'a Threads<'a>, reads_later: ReadsLater<'_>) -> Option<Circles<'a>> {
        let ways: Vec<Ways<'_, '_>> = threads.code.iter().map(|code| Ways::new(program, &code.flat)).collect();
        if !ways.iter().any(Ways::has_any) {
            return None;
        }
        let last = threads.code.len() - 1;
        let (mut steps, mut within_threads) = (Vec::new(), false);
        for (number, (code, ways)) in threads.code.iter().zip(&ways).enumerate() {
            // What `main` does when it has joined threads is mostly done alone.
            let is_main = number == last && matches!(program.start, Start::Main(_));
            let left_out = if is_main { joined(code) } else { vec![false; code.flat.len()] };
            let mut readers = |write: &Access| {
                let others = threads.code.iter().enumerate().filter(|&(n, c)| n != number || c.many);
                let reads = others.flat_map(|(_, c)| &c.loads);
                let all: Bits = reads.filter(|read| read.may_read(write)).map(|read| read.number as u32).collect();
                code.loads.iter().filter(|read| reads_later(code, read, write)).fold(all, |mut all, read| {
                    within_threads = true;
                    all.insert(read.number as u32);
                    all
                })
            };
            steps.extend(steps_in(code, ways, &left_out).into_iter().map(|(read, write, changes)| Step {
                readers: readers(write),
                code,
                read,
                write,
                changes,
            }));
        }
        if !steps.iter().any(Step::is_implied) {
            return None;
        }
        let mut reach = vec![Bits::new(); threads.loads().count()];
        for step in &steps {
            reach[step.read.number].union_with(&step.readers);
        }
        for through in 0..reach.len() {
            let further = reach[through].clone();
            for to in reach.iter_mut().filter(|to| to.contains(through as u32)) {
                to.union_with(&further);
            }
        }
        Some(Circles { steps, reach, within_threads })
    }

    /// Whether a read and another one lead to each other.
    fn circle(&self, a: usize, b: usize) -> bool {
        self.reach[a].contains(b as u32) && self.reach[b].contains(a as u32)
    }

    /// Whether a step leads on to where it began.
    fn returns(&self, step: &Step<'_>) -> bool {
        step.readers
            .iter()
            .any(|r| self.reach[r as usize].contains(step.read.number as u32) || r as usize == step.read.number)
    }

    /// The steps of circles that have one that is no dependency.
    fn suspicious(&self) -> impl Iterator<Item = &Step<'a>> {
        let implied: Vec<usize> =
            self.steps.iter().filter(|s| s.is_implied() && self.returns(s)).map(|s| s.read.number).collect();
        let is_one = move |step: &&Step<'a>| {
            self.returns(step) && implied.iter().any(|&read| self.circle(step.read.number, read))
        };
        self.steps.iter().filter(is_one)
    }

    /// Whether there is a circle with a step that is no dependency and one that the model does not order.
    fn is_left(&self, orders: &mut dyn FnMut(&Step<'_>) -> bool) -> bool {
        self.suspicious().any(|step| !orders(step))
    }

    /// The reads and the writes, by number, of these steps.
    fn ends(&self) -> (Bits, Bits) {
        let numbers = |end: fn(&Step<'a>) -> &'a Access| self.suspicious().map(|s| end(s).number as u32).collect();
        (numbers(|step| step.read), numbers(|step| step.write))
    }
}

/// The places of a thread's code that come behind a join.
fn joined(code: &Code<'_>) -> Vec<bool> {
    let flat = &code.flat;
    flat.reachable((0..flat.len()).filter(|&at| matches!(flat.instr(at), Instr::JoinThread { .. })))
}

/// The steps within a thread, also those that lead through memory that the thread itself reads again.
fn steps_in<'a>(code: &'a Code<'a>, ways: &Ways<'_, '_>, left_out: &[bool]) -> Vec<(&'a Access, &'a Access, Changes)> {
    let counts = |access: &&Access| !left_out[access.at];
    let loads: Vec<&Access> = code.loads.iter().filter(counts).collect();
    let stores: Vec<&Access> = code.stores.iter().filter(counts).collect();
    let places: Vec<At> = stores.iter().map(|store| store.at).collect();
    let mut changes: Vec<Vec<Changes>> = loads.iter().map(|load| ways.changes(load.at, &places)).collect();
    for (load, changes) in loads.iter().zip(&mut changes) {
        for (store, changes) in stores.iter().zip(changes) {
            for (again, change) in changes.iter_mut().enumerate().filter(|(_, change)| change.implied) {
                if certainly_depends(code, load, store, again) {
                    *change = Change { data: true, implied: false };
                }
            }
        }
    }
    let again: Vec<Vec<usize>> = stores
        .iter()
        .map(|store| {
            let later = code.flat.reachable([store.at]);
            (0..loads.len()).filter(|&i| later[loads[i].at] && loads[i].may_meet(store)).collect()
        })
        .collect();
    let either = |[before, after]: Changes| before.or(after);
    loop {
        let before = changes.clone();
        for (load, own) in loads.iter().zip(&mut changes) {
            for (store, readers) in again.iter().enumerate() {
                let by = either(own[store]);
                for read in readers.iter().filter(|_| by.any()) {
                    let more = before[*read].iter().map(|&more| either(more));
                    for ((place, changes), more) in
                        places.iter().zip(own.iter_mut()).zip(more).filter(|(_, more)| more.any())
                    {
                        // Where the write that is read again stands is not known any more.
                        let comes = load.followed.iter().map(|states| states[*place].is_some());
                        for (change, _) in changes.iter_mut().zip(comes).filter(|(_, comes)| *comes) {
                            *change = change.or(Change { data: more.data, implied: more.implied || by.implied });
                        }
                    }
                }
            }
        }
        if changes == before {
            break;
        }
    }
    let mut steps = Vec::new();
    for (load, changes) in loads.into_iter().zip(changes) {
        steps.extend(stores.iter().zip(changes).filter(|(_, c)| either(*c).any()).map(|(&store, c)| (load, store, c)));
    }
    steps
}

/// Whether a write depends on a read in every execution in which it comes behind it, not having come by the read again, or having done so.
fn certainly_depends(code: &Code<'_>, read: &Access, write: &Access, again: usize) -> bool {
    let flat = &code.flat;
    let Instr::Store(store) = flat.instr(write.at) else { return false };
    let Some(state) = &read.followed[again][write.at] else { return true };
    state.depends(flat, write.at, store.addr)
        || state.depends(flat, write.at, store.value)
        || state.is_controlled()
        || again == 0 && are_halves(flat, read.at, write.at)
}

impl Proof<'_> {
    /// Whether the read of a step is ordered before its write wherever it may change this.
    fn orders(&mut self, step: &Step<'_>) -> bool {
        let Step { code, read, write, changes, .. } = *step;
        let may_change = |pair: &Pair<'_>| changes[usize::from(pair.again)].any();
        pairs_between(code, read, write).filter(may_change).all(|pair| self.is_pair_ordered(&pair))
    }
}
