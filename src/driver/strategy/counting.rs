//! Which executions count as one when the user does not say: those that differ only in the coherence of locations that no thread reads, where telling them apart
//! would multiply executions by the orders of writes that nobody looks at.
//!
//! That is done only where what the model reports of the program (races among plain accesses, if it has any) does not depend on coherence. The last
//! writes that a condition, or the end of a C program, looks at are told apart all the same.
//!
//! Limits: where a thread reads one of these locations through a pointer, all orders are told apart.

use crate::driver::Settings;
use crate::driver::inputs::models::Usable;
use crate::explore::{Equivalence, Options, prefix_kind};
use crate::graph::feed;
use crate::graph::prefix::PrefixKind;
use crate::ids::FuncId;
use crate::litmus::mixed;
use crate::program::{Entry, Function, Instr, Load, Operand, Program, ProgramBuilder, Start, Store};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many threads must write such a location where the counts are those of other tools otherwise (litmus tests), or would be compared with the enumerator's to see
/// whether executions are missing (with dependency prefixes).
const MANY: usize = 5;

/// Which executions count as one.
#[derive(Default)]
pub(in crate::driver) struct Counting {
    /// What exploration tells apart.
    pub equivalence: Equivalence,
    /// Whether of what it tells apart the first with the same sources is shown ([`Options::first_of_sources`]).
    pub first_of_sources: bool,
    /// Something to tell the user.
    pub note: Option<String>,
}

/// What a run that can count either way does.
pub(in crate::driver) fn counting(program: &Program, usable: &Usable, settings: &Settings) -> Counting {
    if settings.equivalence.is_some() || settings.condition_only {
        return asked(program, usable, settings);
    }
    let unread = unread(program);
    let most = unread.iter().map(|location| location.writers).max().unwrap_or(0);
    let is_worth_it = || {
        let counts_otherwise = matches!(program.start, Start::Together(_)) || !keeps_program_order(program, usable);
        !counts_otherwise || most >= MANY
    };
    if most < 2 || depends_on_coherence(program, usable) || !is_worth_it() {
        return Counting::default();
    }
    let written_by_several = unread.iter().filter(|location| location.writers > 1);
    let name =
        written_by_several.filter_map(|location| program.object_at(location.address)).map(|object| &object.name).min();
    let note = name.map(|name| {
        format!(
            "executions that differ only in the order of the writes to `{name}`, which no thread reads, count as one (`--equivalence rf+co` tells them apart)"
        )
    });
    Counting { equivalence: where_read(&unread), note, ..Counting::default() }
}

/// What the user asked for, as far as the model allows it.
pub(in crate::driver) fn asked(program: &Program, usable: &Usable, settings: &Settings) -> Counting {
    match &settings.equivalence {
        Some(Equivalence::ReadsFrom) if usable.loaded.dynamic => {
            let note = "the model looks at values, so executions that differ only in coherence are told apart";
            Counting { note: Some(note.to_owned()), ..Counting::default() }
        }
        Some(Equivalence::ReadsFrom) if depends_on_coherence(program, usable) => {
            let note = "flags of the model can depend on coherence, so executions that differ only in that are explored, by one thread, and counted once where their flags are the same";
            Counting { first_of_sources: true, note: Some(note.to_owned()), ..Counting::default() }
        }
        Some(Equivalence::ReadsFrom) if is_cut(program) => Counting { first_of_sources: true, ..Counting::default() },
        equivalence => Counting { equivalence: equivalence.clone().unwrap_or_default(), ..Counting::default() },
    }
}

fn where_read(unread: &[Unread]) -> Equivalence {
    match unread {
        [] => Equivalence::default(),
        _ => Equivalence::WhereRead(unread.iter().map(|location| location.address).collect()),
    }
}

/// Whether revisits of a program keep program order.
fn keeps_program_order(program: &Program, usable: &Usable) -> bool {
    let plan = usable.plans.get(&usable.model, program, &Equivalence::default());
    prefix_kind(&plan, &Options::default()) == PrefixKind::ProgramOrder
}

/// Whether what is said of executions could differ between those that differ in coherence only.
fn depends_on_coherence(program: &Program, usable: &Usable) -> bool {
    let plan = usable.plans.get(&usable.model, program, &Equivalence::default());
    usable.loaded.dynamic || plan.reported().iter().any(|base| feed::is_coherence(&base.name, base.sort))
}

/// A location that is written and that no code reads, as far as addresses are plain to see.
struct Unread {
    address: u64,
    /// How many threads may write it, as far as they are counted.
    writers: usize,
}

/// Whether accesses of a program are made of parts.
fn is_cut(program: &Program) -> bool {
    program.functions.iter().any(|function| !function.parts.is_empty())
}

/// All of them, by address.
fn unread(program: &Program) -> Vec<Unread> {
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
