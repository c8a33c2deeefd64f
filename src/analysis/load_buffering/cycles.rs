//! Cycles of program order and reads-from, one by one.
//!
//! Where no single order of the model includes all that a cycle may be made of, each cycle that the code leaves room for is put to the model by itself. A
//! shortest cycle visits a thread once: a read, a later write of its thread, the read of that write in the next thread, and so on. These events, with what is certain
//! between each read and its write, and perhaps one event that is passed between them, are few; the model is asked whether it rejects them in any execution,
//! whichever of the writes of one location comes first in coherence. So what the checks say together counts: that a write is not read by what happens before it,
//! for instance, though not everything that reads it happens behind it.
//!
//! A cycle of dependencies and reads-from alone is no execution, whatever the model says.
//!
//! Limits: programs of which it is not known how many threads run a function, and those in which threads let others go on that they have read something for, are not
//! proved anything of here; nor are those that leave room for too many cycles. A thread takes part with three events at most, and all together with eight.

use crate::algebra::facts::bounds::{MOST_EVENTS, edge};
use crate::algebra::facts::order::Orders;
use crate::analysis::load_buffering::flat::At;
use crate::analysis::load_buffering::proof::{Pair, Proof, pairs_between};
use crate::analysis::load_buffering::query::{Label, Scene, acyclic_relations};
use crate::analysis::load_buffering::threads::{Access, Code};
use crate::program::{Instr, Program};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

/// Questions to the model that are asked at most.
const MOST_QUESTIONS: usize = 5_000;
/// Links that are looked at in the search for cycles at most: each time that one may come next.
const MOST_VISITS: usize = 4_000_000;
/// Links of a program, and threads in a cycle.
const MOST_LINKS: usize = 4_096;
const MOST_THREADS: usize = 8;

/// A read and a later write of its thread.
struct Link<'a> {
    /// The number of the thread's code.
    code: usize,
    read: &'a Access,
    write: &'a Access,
    /// They may come in these ways: before the thread comes by the read again, and after.
    pairs: SmallVec<[Pair<'a>; 2]>,
}

/// What one relation of the model orders that has no cycles.
struct Ordered {
    /// Links, by number.
    links: Vec<bool>,
    /// Writes and the reads of other threads that read them, by number.
    readings: FxHashSet<(usize, usize)>,
}

impl Ordered {
    fn new<'a>(proof: &mut Proof<'a>, links: &[Link<'a>]) -> Ordered {
        let threads = proof.threads;
        let pairs = threads.stores().flat_map(|write| threads.loads().map(move |read| (write, read)));
        let readings = pairs.filter(|(write, read)| read.may_read(write) && proof.is_reading_ordered(write, read));
        let readings = readings.map(|(write, read)| (write.number, read.number)).collect();
        let mut is_ordered = |pair: &Pair<'a>| proof.is_pair_ordered(pair) || proof.is_ordered_in_each_case(pair);
        Ordered { readings, links: links.iter().map(|link| link.pairs.iter().all(&mut is_ordered)).collect() }
    }
}

/// The cycles of a program.
struct Cycles<'p, 'a> {
    proof: &'p mut Proof<'a>,
    links: Vec<Link<'a>>,
    ordered: Vec<Ordered>,
    questions: usize,
    visits: usize,
}

impl<'a> Proof<'a> {
    /// Whether the model rejects each cycle that the code leaves room for, of those that come from certain reads to certain later writes.
    pub(super) fn rejects_each_cycle(
        &mut self,
        program: &'a Program,
        orders: &'a Orders,
        counts: &dyn Fn(&Access, &Access) -> bool,
    ) -> bool {
        let threads = self.threads;
        if threads.synchronise {
            return false;
        }
        let links: Vec<Link<'a>> = threads
            .code
            .iter()
            .enumerate()
            .flat_map(|(number, code)| links(number, code, counts))
            .take(MOST_LINKS + 1)
            .collect();
        if links.len() > MOST_LINKS {
            return false;
        }
        let reads_no_later = links.iter().flat_map(|link| &link.pairs).all(|p| p.halves || self.cannot_read_later(p));
        if !reads_no_later {
            return false;
        }
        let proofs = acyclic_relations(orders).map(|acyclic| Proof::new(program, orders, acyclic, threads));
        let ordered = proofs.map(|mut proof| Ordered::new(&mut proof, &links)).collect();
        let mut cycles = Cycles { proof: self, links, ordered, questions: 0, visits: 0 };
        (0..cycles.links.len()).all(|first| cycles.rejects_from(&mut vec![first]))
    }
}

fn links<'a>(
    number: usize,
    code: &'a Code<'a>,
    counts: &dyn Fn(&Access, &Access) -> bool,
) -> impl Iterator<Item = Link<'a>> {
    let all = code.loads.iter().flat_map(|read| code.stores.iter().map(move |write| (read, write)));
    let all = all.filter(|&(read, write)| counts(read, write));
    all.filter_map(move |(read, write)| {
        let pairs: SmallVec<[Pair<'a>; 2]> = pairs_between(code, read, write).collect();
        (!pairs.is_empty()).then_some(Link { code: number, read, write, pairs })
    })
}

impl Cycles<'_, '_> {
    /// Whether every cycle is rejected that begins like this, its first link having the lowest number.
    fn rejects_from(&mut self, path: &mut Vec<usize>) -> bool {
        self.visits += self.links.len();
        if self.visits > MOST_VISITS || self.questions > MOST_QUESTIONS || path.len() > MOST_THREADS {
            return false;
        }
        let (first, last) = (path[0], path[path.len() - 1]);
        if path.len() > 1 && self.links[first].read.may_read(self.links[last].write) && !self.rejects(path) {
            return false;
        }
        for next in first + 1..self.links.len() {
            if !self.links[next].read.may_read(self.links[last].write) || !self.has_thread_for(next, path) {
                continue;
            }
            path.push(next);
            let are_rejected = self.rejects_from(path);
            path.pop();
            if !are_rejected {
                return false;
            }
        }
        // Several threads may run the same code, and take part with the same link.
        self.rejects_repetitions(path)
    }

    /// The same of those in which the first link comes again, in another thread.
    fn rejects_repetitions(&mut self, path: &mut Vec<usize>) -> bool {
        let (first, last) = (path[0], path[path.len() - 1]);
        if !self.links[first].read.may_read(self.links[last].write) || !self.has_thread_for(first, path) {
            return true;
        }
        path.push(first);
        let are_rejected = self.rejects_from(path);
        path.pop();
        are_rejected
    }

    /// Whether one relation orders all that a cycle is made of.
    fn is_ordered(&self, path: &[usize], ordered: &Ordered) -> bool {
        let steps = path.iter().zip(path[1..].iter().chain(path.first()));
        path.iter().all(|&link| ordered.links[link])
            && steps.into_iter().all(|(&from, &to)| {
                ordered.readings.contains(&(self.links[from].write.number, self.links[to].read.number))
            })
    }

    /// Whether a thread is left that runs the code of a link.
    fn has_thread_for(&self, link: usize, path: &[usize]) -> bool {
        let code = self.links[link].code;
        path.iter().filter(|&&other| self.links[other].code == code).count() < self.proof.threads.code[code].instances
    }

    /// Whether the model rejects a cycle, in whichever way its reads and writes come.
    fn rejects(&mut self, path: &[usize]) -> bool {
        if self.ordered.iter().any(|ordered| self.is_ordered(path, ordered)) {
            return true;
        }
        let count: usize = path.iter().map(|&link| self.links[link].pairs.len()).product();
        (0..count).all(|mut number| {
            let mut pairs: SmallVec<[&Pair<'_>; 4]> = SmallVec::new();
            for &link in path {
                let all = &self.links[link].pairs;
                pairs.push(&all[number % all.len()]);
                number /= all.len();
            }
            is_thin_air(&pairs) || rejects(self.proof, &mut self.questions, &pairs)
        })
    }
}

/// Whether each write depends on its read.
fn is_thin_air(pairs: &[&Pair<'_>]) -> bool {
    pairs.iter().all(|pair| {
        let flat = &pair.code.flat;
        let Instr::Store(store) = flat.instr(pair.write.at) else { return false };
        let on = |operand| pair.state.depends(flat, pair.write.at, operand);
        on(store.addr) || on(store.value) || pair.state.is_controlled()
    })
}

/// Whether the model rejects a cycle of such pairs with one event between each read and its write, or none, for some choice of these.
fn rejects(proof: &mut Proof<'_>, questions: &mut usize, pairs: &[&Pair<'_>]) -> bool {
    if 2 * pairs.len() > MOST_EVENTS {
        return false;
    }
    let between: Vec<Vec<Option<At>>> = pairs
        .iter()
        .map(|pair| std::iter::once(None).chain(pair.state.passed.iter().map(|at| Some(at as At))).collect())
        .collect();
    let count: usize = between.iter().map(Vec::len).product();
    (0..count).any(|mut number| {
        let chosen = between.iter().map(|all| {
            let one = all[number % all.len()];
            number /= all.len();
            one
        });
        let chosen: SmallVec<[Option<At>; 4]> = chosen.collect();
        let events = 2 * pairs.len() + chosen.iter().flatten().count();
        // Choices of too many events count, too: there may be very many.
        *questions += 1;
        if events > MOST_EVENTS || *questions > MOST_QUESTIONS {
            return false;
        }
        let parts: Option<Vec<_>> = pairs.iter().zip(&chosen).map(|(pair, &at)| proof.part(pair, at)).collect();
        parts.is_some_and(|parts| proof.rejects_together(&parts))
    })
}

impl Proof<'_> {
    /// A read and a write, and perhaps an event between, with the labels that they may have.
    fn part(&self, pair: &Pair<'_>, between: Option<At>) -> Option<(Scene, Vec<SmallVec<[Label; 2]>>)> {
        let ends = [SmallVec::from_slice(pair.reads()), pair.write.labels.clone()];
        match between {
            None => Some((self.two(pair), ends.to_vec())),
            Some(at) => {
                let (scene, middle) = self.three(pair, &self.two(pair), at)?;
                let [read, write] = ends;
                Some((scene, vec![read, middle, write]))
            }
        }
    }

    /// Whether the model rejects what happens in several threads, when the first event of each reads what the last one of the thread before has written.
    fn rejects_together(&mut self, parts: &[(Scene, Vec<SmallVec<[Label; 2]>>)]) -> bool {
        let mut scene = Scene::default();
        let mut labels: Vec<&[Label]> = Vec::new();
        let mut ends: SmallVec<[(usize, usize); 4]> = SmallVec::new();
        for (part, own) in parts {
            let from = labels.len();
            scene.add_thread(part, from, own.len());
            labels.extend(own.iter().map(SmallVec::as_slice));
            ends.push((from, labels.len() - 1));
        }
        for (i, &(read, _)) in ends.iter().enumerate() {
            let (_, write) = ends[(i + ends.len() - 1) % ends.len()];
            scene.rf |= edge(write, read);
            scene.loc |= edge(write, read);
        }
        scene.close_locations(labels.len());
        let count: usize = labels.iter().map(|l| l.len()).product();
        (0..count).all(|mut number| {
            let mut scene = scene.clone();
            for all in &labels {
                scene.events.push(all[number % all.len()]);
                number /= all.len();
            }
            self.rejects_in_any_order(scene)
        })
    }

    /// Whether the model rejects a scene however writes of one location are ordered.
    fn rejects_in_any_order(&mut self, scene: Scene) -> bool {
        if self.asker.rejects(scene.clone()) {
            return true;
        }
        let Some((a, b)) = scene.unordered_writes() else { return false };
        [(a, b), (b, a)].into_iter().all(|(first, second)| {
            let mut scene = scene.clone();
            scene.order_writes(first, second);
            self.rejects_in_any_order(scene)
        })
    }
}
