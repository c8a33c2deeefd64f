//! Locations that are written and that no thread reads, as far as can be told without following pointers.

use crate::ids::FuncId;
use crate::litmus::mixed;
use crate::program::{Entry, Function, Instr, Load, Operand, Program, ProgramBuilder, Start, Store};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many threads must write such a location where the counts are those of other tools otherwise (litmus tests), or would be compared with the enumerator's to see
/// whether executions are missing (with dependency prefixes). Threads that are created in a loop count as so many.
pub const MANY: usize = 5;

/// A location that is written and that no code reads, as far as addresses are plain to see.
pub struct Unread {
    /// Where it is.
    pub address: u64,
    /// How many threads may write it, as far as they are counted.
    pub writers: usize,
}

/// Whether accesses of a program are made of parts.
pub fn is_cut(program: &Program) -> bool {
    program.functions.iter().any(|function| !function.parts.is_empty())
}

/// All of them, by address.
pub fn unread(program: &Program) -> Vec<Unread> {
    // Of an access that is made of parts, one may be read and decide about the others.
    if is_cut(program) {
        return Vec::new();
    }
    let writers = match &program.start {
        Start::Together(entries) => written_together(program, entries).unwrap_or_default(),
        Start::Main(main) => written_by_created(program, *main),
    };
    let mut found: Vec<Unread> = writers.into_iter().map(|(address, writers)| Unread { address, writers }).collect();
    found.sort_unstable_by_key(|location| location.address);
    found
}

/// The threads that write each location that none reads. `None`: one may read anything.
fn written_together(program: &Program, entries: &[Entry]) -> Option<FxHashMap<u64, usize>> {
    let mut writers: FxHashMap<u64, usize> = FxHashMap::default();
    let mut read: FxHashSet<u64> = FxHashSet::default();
    for entry in entries {
        let all = mixed::accesses(program.functions.get(entry.function.index())?, &entry.args);
        read.extend(all.iter().filter(|a| !a.writes).map(|a| a.address).collect::<Option<Vec<u64>>>()?);
        let written: FxHashSet<u64> = all.iter().filter(|a| a.writes).filter_map(|a| a.address).collect();
        written.into_iter().for_each(|address| *writers.entry(address).or_default() += 1);
    }
    writers.retain(|address, _| !read.contains(address));
    Some(writers)
}

/// The same of a C program, as far as can be told without following pointers. That a thread reads such a location through one, or `main` before it has joined the threads that
/// write it, is noticed while exploring ([`Statistics::misjudged`](crate::explore::Statistics::misjudged)).
fn written_by_created(program: &Program, main: FuncId) -> FxHashMap<u64, usize> {
    let mut created: FxHashMap<u64, usize> = FxHashMap::default();
    for function in &program.functions {
        for (instr, &depth) in function.code.iter().zip(&function.depth_at) {
            if let Instr::Spawn { function: Operand::Const(started), .. } = instr {
                *created.entry(*started).or_default() += if depth > 0 { MANY } else { 1 };
            }
        }
    }
    let mut writers: FxHashMap<u64, usize> = FxHashMap::default();
    let mut read: FxHashSet<u64> = FxHashSet::default();
    for (f, function) in program.functions.iter().enumerate() {
        let f = FuncId::at(f);
        // What is called by one thread may be called by others.
        let threads = || created.get(&ProgramBuilder::function_address(f)).copied().unwrap_or(2);
        let (code, threads) = if f == main { (beside_others(function), 1) } else { (&function.code[..], threads()) };
        let mut written = FxHashSet::default();
        for instr in code {
            match instr {
                Instr::Load(Load { addr: Operand::Const(address), .. }) => drop(read.insert(*address)),
                Instr::Store(Store { addr: Operand::Const(address), .. }) => drop(written.insert(*address)),
                _ => {}
            }
        }
        written.into_iter().for_each(|address| *writers.entry(address).or_default() += threads);
    }
    writers.retain(|address, _| !read.contains(address));
    writers
}

/// What `main` does between its first creation of a thread and its last join, as it is written. What it reads behind that is looked at when all others have ended.
fn beside_others(main: &Function) -> &[Instr] {
    let is_creation = |instr: &Instr| matches!(instr, Instr::Spawn { .. });
    let is_join = |instr: &Instr| matches!(instr, Instr::JoinThread { .. });
    let Some(first) = main.code.iter().position(is_creation) else { return &[] };
    let last = main.code.iter().rposition(is_join).filter(|&last| last > first).unwrap_or(main.code.len());
    &main.code[first..last]
}
