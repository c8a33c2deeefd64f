//! Machines that know no axioms: interleaved threads, and threads with buffers of writes, byte by byte.

use super::State;
use super::archs::Arch;
use super::programs::{Kind, Program, SIZE, VARIABLES};
use std::collections::BTreeSet;

/// When a write leaves its thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// At once.
    Interleaved,
    /// First in, first out.
    Queue,
    /// As soon as no earlier one shares a byte with it.
    Places,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Machine {
    memory: [u8; 2 * SIZE],
    /// Of each thread: how many accesses it has made.
    at: Vec<usize>,
    /// Of each thread: the accesses whose writes are on their way, the oldest first.
    buffers: Vec<Vec<usize>>,
    registers: Vec<(usize, usize, u64)>,
}

/// The final states that a program reaches.
pub fn states(program: &Program, order: Order) -> BTreeSet<State> {
    let threads = program.threads.len();
    let first = Machine {
        memory: [0; 2 * SIZE],
        at: vec![0; threads],
        buffers: vec![Vec::new(); threads],
        registers: Vec::new(),
    };
    let (mut seen, mut open, mut ends) = (BTreeSet::new(), vec![first], BTreeSet::new());
    while let Some(machine) = open.pop() {
        if !seen.insert(machine.clone()) {
            continue;
        }
        let next: Vec<Machine> = (0..threads).flat_map(|t| steps(program, order, &machine, t)).collect();
        if next.is_empty() {
            ends.insert(end(&machine));
        }
        open.extend(next);
    }
    ends
}

fn end(machine: &Machine) -> State {
    let registers = machine.registers.iter().map(|&(t, at, value)| (Arch::X86_64.register(t, at), value));
    let variables = VARIABLES.iter().enumerate();
    let memory =
        variables.map(|(v, name)| ((*name).to_owned(), Arch::X86_64.number(&machine.memory[v * SIZE..(v + 1) * SIZE])));
    registers.chain(memory).collect()
}

/// What a thread, or its buffer, can do next.
fn steps(program: &Program, order: Order, machine: &Machine, t: usize) -> Vec<Machine> {
    let thread = &program.threads[t];
    let mut all = Vec::new();
    for (i, &write) in machine.buffers[t].iter().enumerate() {
        let bytes = thread[write].bytes();
        let shares = |&earlier: &usize| thread[earlier].bytes().any(|place| bytes.contains(&place));
        let may_leave = i == 0 || order == Order::Places && !machine.buffers[t][..i].iter().any(shares);
        if may_leave {
            let mut next = machine.clone();
            next.buffers[t].remove(i);
            bytes.for_each(|place| next.memory[place] = thread[write].byte(place));
            all.push(next);
        }
    }
    let Some(access) = thread.get(machine.at[t]) else { return all };
    let waits = matches!(access.kind, Kind::Fence | Kind::Exchange) && !machine.buffers[t].is_empty();
    if waits {
        return all;
    }
    let mut next = machine.clone();
    let at = next.at[t];
    next.at[t] += 1;
    if access.reads() {
        let byte = |place: usize| {
            let own = machine.buffers[t].iter().rev().find(|&&write| thread[write].bytes().contains(&place));
            own.map_or(machine.memory[place], |&write| thread[write].byte(place))
        };
        let bytes: Vec<u8> = access.bytes().map(byte).collect();
        next.registers.push((t, at, Arch::X86_64.number(&bytes)));
        next.registers.sort_unstable();
    }
    if access.writes() {
        match (access.kind, order) {
            (Kind::Store, Order::Queue | Order::Places) => next.buffers[t].push(at),
            _ => access.bytes().for_each(|place| next.memory[place] = access.byte(place)),
        }
    }
    all.push(next);
    all
}
