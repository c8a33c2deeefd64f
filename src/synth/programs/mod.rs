//! Programs up to the names of threads and addresses, each once.
//!
//! Long threads come first, and threads of one length ascend by shape; so only equal threads could change places. Addresses are numbered by first
//! appearance; among equal threads the order with the least numbering counts.
//!
//! - [`program`]: a program as data; [`shapes`]: its threads. [`vocabulary`]: what tests are made of, and what each part is relaxed to.
//! - [`canonical`]: programs of others in the same form; [`given`]: how programs give base names their values.
//! - [`plain`]: programs and executions without any cleverness, for the reference evaluator.

pub mod canonical;
pub mod given;
pub mod plain;
pub mod program;
pub mod shapes;
pub mod vocabulary;

use program::{NO_ADDRESS, Program, Shape};
use shapes::Shapes;
use std::ops::ControlFlow;
use vocabulary::Vocabulary;

/// Bounds on programs.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The number of events.
    pub size: usize,
    /// At most so many threads.
    pub threads: usize,
    /// At most so many addresses.
    pub addresses: usize,
}

/// All programs of one size.
pub struct Programs<'v> {
    vocabulary: &'v Vocabulary,
    bounds: Bounds,
    /// By length less one.
    shapes: Vec<Vec<Shape>>,
}

/// What is asked of programs: called with each, until it says that it has enough.
type See<'s> = &'s mut dyn FnMut(&Program) -> ControlFlow<()>;

impl<'v> Programs<'v> {
    /// Prepares the threads. Memory grows with their number, which grows exponentially with the size.
    pub fn new(vocabulary: &'v Vocabulary, maker: &Shapes<'_>, bounds: Bounds) -> Programs<'v> {
        let shapes = (1..=bounds.size).map(|length| maker.of_length(length, bounds.size - length)).collect();
        Programs { vocabulary, bounds, shapes }
    }

    /// The number of parts that the work falls into: a part a first thread.
    pub fn parts(&self) -> usize {
        self.shapes.iter().map(Vec::len).sum()
    }

    /// All programs whose first thread is that of this part.
    pub fn of_part(&self, part: usize, see: See<'_>) -> ControlFlow<()> {
        let mut rest = part;
        for (i, shapes) in self.shapes.iter().enumerate() {
            if rest < shapes.len() {
                let mut chosen = vec![(i, rest)];
                return self.choose(&mut chosen, self.bounds.size - (i + 1), see);
            }
            rest -= shapes.len();
        }
        ControlFlow::Continue(())
    }

    /// Adds threads until `left` events are there. Lengths descend; among threads of one length, shapes ascend.
    fn choose(&self, chosen: &mut Vec<(usize, usize)>, left: usize, see: See<'_>) -> ControlFlow<()> {
        if left == 0 {
            return self.address(chosen, see);
        }
        if chosen.len() == self.bounds.threads {
            return ControlFlow::Continue(());
        }
        let Some(&(longest, from)) = chosen.last() else { return ControlFlow::Continue(()) };
        for length in (0..=longest.min(left - 1)).rev() {
            let first = if length == longest { from } else { 0 };
            for shape in first..self.shapes[length].len() {
                chosen.push((length, shape));
                self.choose(chosen, left - (length + 1), see)?;
                chosen.pop();
            }
        }
        ControlFlow::Continue(())
    }

    fn address(&self, chosen: &[(usize, usize)], see: See<'_>) -> ControlFlow<()> {
        let shapes: Vec<&Shape> = chosen.iter().map(|&(length, shape)| &self.shapes[length][shape]).collect();
        let locals: Vec<usize> = shapes.iter().map(|shape| locals(shape)).collect();
        let usage = shapes.iter().zip(&locals).map(|(shape, &count)| self.usage(shape, count)).collect();
        let mut naming = Naming { locals, usage, names: Vec::new(), most: self.bounds.addresses };
        // Among equal threads, runs of positions.
        let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
        for i in 0..chosen.len() {
            match runs.last_mut() {
                Some(run) if chosen[run.start] == chosen[i] => run.end = i + 1,
                _ => runs.push(i..i + 1),
            }
        }
        let threads = shapes.iter().map(|&shape| shape.clone()).collect();
        let mut program = Program { threads, groups: Vec::new() };
        let levels = self.vocabulary.scopes.len();
        naming.name(0, &mut |names| {
            if !is_least(names, &runs) {
                return ControlFlow::Continue(());
            }
            for ((thread, names), shape) in program.threads.iter_mut().zip(names).zip(&shapes) {
                for (event, original) in thread.events.iter_mut().zip(&shape.events) {
                    if original.address != NO_ADDRESS {
                        event.address = names[original.address as usize];
                    }
                }
            }
            if levels == 0 {
                return see(&program);
            }
            grouped(&mut program, levels, &mut |program| match program.canonical() == *program {
                true => see(program),
                false => ControlFlow::Continue(()),
            })
        })
    }

    /// How often a thread accesses each of its addresses, by weight, and whether it writes there.
    fn usage(&self, shape: &Shape, locals: usize) -> Vec<(u32, bool)> {
        let mut usage = vec![(0, false); locals];
        for event in shape.events.iter().filter(|e| e.address != NO_ADDRESS) {
            let (count, writes) = &mut usage[event.address as usize];
            *count += self.vocabulary.weight(event.token);
            *writes |= self.vocabulary.token(event.token).kind.writes();
        }
        usage
    }
}

fn locals(shape: &Shape) -> usize {
    let all = shape.events.iter().filter(|e| e.address != NO_ADDRESS);
    all.map(|e| e.address as usize + 1).max().unwrap_or(0)
}

/// Calls `see` with a program in every grouping of its threads: of `levels` kinds of groups, each inside one of the kind before.
fn grouped(program: &mut Program, levels: usize, see: See<'_>) -> ControlFlow<()> {
    if program.groups.len() == levels {
        return see(program);
    }
    let (threads, before) = (program.threads.len(), program.groups.last().cloned());
    let mut group = vec![0u8; threads];
    loop {
        let inside = before
            .as_ref()
            .is_none_or(|wide| (0..threads).all(|a| (0..a).all(|b| group[a] != group[b] || wide[a] == wide[b])));
        if inside {
            program.groups.push(group.clone());
            let ended = grouped(program, levels, see);
            program.groups.pop();
            ended?;
        }
        // The next grouping, numbered by first appearance.
        let most = |i: usize| group[..i].iter().max().map_or(0, |m| m + 1);
        let Some(at) = (1..threads).rev().find(|&i| group[i] < most(i)) else { return ControlFlow::Continue(()) };
        group[at] += 1;
        group[at + 1..].fill(0);
    }
}

/// Gives names to the addresses of threads, by first appearance.
struct Naming {
    locals: Vec<usize>,
    usage: Vec<Vec<(u32, bool)>>,
    names: Vec<Vec<u8>>,
    most: usize,
}

impl Naming {
    fn name(&mut self, known: usize, see: &mut dyn FnMut(&[Vec<u8>]) -> ControlFlow<()>) -> ControlFlow<()> {
        let thread = self.names.len();
        if thread == self.locals.len() {
            return if self.is_shared(known) { see(&self.names) } else { ControlFlow::Continue(()) };
        }
        self.names.push(Vec::new());
        let result = self.name_in(thread, known, see);
        self.names.pop();
        result
    }

    fn name_in(
        &mut self,
        thread: usize,
        known: usize,
        see: &mut dyn FnMut(&[Vec<u8>]) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.names[thread].len() == self.locals[thread] {
            return self.name(known, see);
        }
        for name in 0..(known + 1).min(self.most) {
            if self.names[thread].contains(&(name as u8)) {
                continue;
            }
            self.names[thread].push(name as u8);
            self.name_in(thread, known.max(name + 1), see)?;
            self.names[thread].pop();
        }
        ControlFlow::Continue(())
    }

    /// Whether every address is accessed enough and written.
    fn is_shared(&self, known: usize) -> bool {
        let mut uses = [(0, false); super::minimal::matrix::EVENTS];
        for (names, usage) in self.names.iter().zip(&self.usage) {
            for (&name, &(count, writes)) in names.iter().zip(usage) {
                let (sum, written) = &mut uses[name as usize];
                *sum += count;
                *written |= writes;
            }
        }
        uses[..known].iter().all(|&(count, written)| count > 1 && written)
    }
}

/// Whether no order of equal threads has a lesser numbering.
fn is_least(names: &[Vec<u8>], runs: &[std::ops::Range<usize>]) -> bool {
    if runs.iter().all(|run| run.len() == 1) {
        return true;
    }
    let mut order: Vec<usize> = (0..names.len()).collect();
    let mut least = true;
    permute_runs(&mut order, runs, &mut |order| {
        least &= !is_less(order, names);
        least
    });
    least
}

/// Whether the numbering in another order of threads is less.
fn is_less(order: &[usize], names: &[Vec<u8>]) -> bool {
    let mut renamed = [NO_ADDRESS; super::minimal::matrix::EVENTS];
    let mut known = 0;
    for (&from, own) in order.iter().zip(names) {
        for (&name, &own) in names[from].iter().zip(own) {
            let new = &mut renamed[name as usize];
            if *new == NO_ADDRESS {
                *new = known;
                known += 1;
            }
            if *new != own {
                return *new < own;
            }
        }
    }
    false
}

/// Calls `see` with every order of the members of each run, until it returns false.
fn permute_runs(order: &mut [usize], runs: &[std::ops::Range<usize>], see: &mut dyn FnMut(&[usize]) -> bool) -> bool {
    let Some((run, rest)) = runs.split_first() else { return see(order) };
    permute(order, run.clone(), &mut |order| permute_runs(order, rest, see))
}

fn permute(order: &mut [usize], range: std::ops::Range<usize>, see: &mut dyn FnMut(&mut [usize]) -> bool) -> bool {
    if range.len() <= 1 {
        return see(order);
    }
    for i in range.clone() {
        order.swap(range.start, i);
        let goes_on = permute(order, range.start + 1..range.end, see);
        order.swap(range.start, i);
        if !goes_on {
            return false;
        }
    }
    true
}
