//! Which executions count as one when the user does not say: those that differ in coherence only, where telling them apart would
//! multiply executions by the orders of writes that nobody reads.
//!
//! That is done only where nothing is lost by it: what the model reports of the program (races among plain accesses, if it has any) does not depend
//! on coherence, and the model, or the program, keeps `po ∪ rf` acyclic (with dependency prefixes exploration up to reads-from is not known to be complete). And only where it is worth
//! something, because otherwise each check costs more: many threads write a location that the program never reads. The last
//! writes that a condition, or the end of a C program, looks at are told apart all the same.

use super::Settings;
use super::models::Usable;
use crate::explore::Equivalence;
use crate::graph::feed;
use crate::litmus::mixed;
use crate::program::{Function, Instr, Operand, Program, Start};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many threads that write a location and never read it make it worthwhile: before, counts are those of other tools.
pub const MANY: usize = 5;

/// Which executions count as one.
pub(super) struct Counting {
    /// What exploration tells apart.
    pub equivalence: Equivalence,
    /// Something to tell the user.
    pub note: Option<String>,
}

/// What a run that can count either way does.
pub(super) fn counting(program: &Program, usable: &Usable, settings: &Settings) -> Counting {
    if settings.equivalence.is_some() || settings.condition_only {
        return asked(program, usable, settings);
    }
    let keeps_acyclic = || usable.plans.get(&usable.model, program, Equivalence::ReadsFrom).implies_porf_acyclic();
    match unread(program) {
        Some(name) if !depends_on_coherence(program, usable) && keeps_acyclic() => Counting {
            equivalence: Equivalence::ReadsFrom,
            note: Some(format!(
                "executions that differ only in the order of the writes to `{name}`, which no thread reads, count as one (`--equivalence rf+co` tells them apart)"
            )),
        },
        _ => Counting { equivalence: Equivalence::default(), note: None },
    }
}

/// What the user asked for, as far as the model allows it.
pub(super) fn asked(program: &Program, usable: &Usable, settings: &Settings) -> Counting {
    match settings.equivalence {
        Some(Equivalence::ReadsFrom) if depends_on_coherence(program, usable) => {
            let note = "flags of the model (or checks on values) can depend on coherence, so executions that differ in it only are told apart";
            Counting { equivalence: Equivalence::default(), note: Some(note.to_owned()) }
        }
        equivalence => Counting { equivalence: equivalence.unwrap_or_default(), note: None },
    }
}

/// Whether what is said of executions could differ between those that differ in coherence only.
fn depends_on_coherence(program: &Program, usable: &Usable) -> bool {
    let plan = usable.plans.get(&usable.model, program, Equivalence::ReadsFrom);
    usable.loaded.dynamic || plan.reported().iter().any(|base| feed::is_coherence(&base.name, base.sort))
}

/// A location that many threads write and no code reads, as far as addresses are plain to see.
fn unread(program: &Program) -> Option<String> {
    let address = match &program.start {
        Start::Together(entries) => {
            if entries.len() < MANY {
                return None;
            }
            let mut writers: FxHashMap<u64, usize> = FxHashMap::default();
            let mut read: FxHashSet<u64> = FxHashSet::default();
            for entry in entries {
                let all = mixed::accesses(program.functions.get(entry.function.index())?, &entry.args);
                read.extend(all.iter().filter(|a| !a.writes).map(|a| a.address).collect::<Option<Vec<u64>>>()?);
                let written: FxHashSet<u64> = all.iter().filter(|a| a.writes).filter_map(|a| a.address).collect();
                written.into_iter().for_each(|address| *writers.entry(address).or_default() += 1);
            }
            writers.into_iter().filter(|(a, n)| *n >= MANY && !read.contains(a)).map(|(a, _)| a).min()
        }
        Start::Main(main) => {
            let spawns = |f: &Function| -> usize {
                let here = f.code.iter().zip(&f.depth_at).filter(|(instr, _)| matches!(instr, Instr::Spawn { .. }));
                here.map(|(_, &depth)| if depth > 0 { MANY } else { 1 }).sum()
            };
            if program.functions.iter().map(spawns).sum::<usize>() < MANY {
                return None;
            }
            let constant = |operand: Operand| match operand {
                Operand::Const(address) => Some(address),
                Operand::Reg(_) => None,
            };
            let others = || program.functions.iter().enumerate().filter(|(f, _)| *f != main.index()).map(|(_, f)| f);
            // What is read through a pointer may be anything.
            let mut read: FxHashSet<u64> = others().flat_map(loads).map(constant).collect::<Option<_>>()?;
            read.extend(loads(&program.functions[main.index()]).filter_map(constant));
            let stores = others().flat_map(|f| &f.code);
            let written = stores.filter_map(|i| if let Instr::Store(store) = i { constant(store.addr) } else { None });
            written.filter(|address| !read.contains(address)).min()
        }
    }?;
    program.object_at(address).map(|object| object.name.clone())
}

fn loads(function: &Function) -> impl Iterator<Item = Operand> {
    function.code.iter().filter_map(|i| if let Instr::Load(load) = i { Some(load.addr) } else { None })
}
