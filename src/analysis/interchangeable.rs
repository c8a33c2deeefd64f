//! Which threads of a program are interchangeable, and why others are not.
//!
//! Threads are interchangeable when swapping their names turns every execution into an execution. That is proved as follows.
//!
//! - They run the same code with the same arguments, and that code does not ask which thread runs it: it has no thread identity,
//!   creates and joins no threads, makes no memory of its own (whose address would differ), and does not look at who is told by a barrier
//!   that it was the last. The program has no thread-local memory.
//! - Litmus tests: they start together. C programs: `main` creates them one after the other with no event between that a model
//!   sees, and joins all of them, or none, the same way.
//! - `main` does nothing with the number of a thread but join it, and nothing with its result. Numbers are followed through registers and
//!   private memory, without regard to the order of instructions; anything else done with one ends the proof.
//!
//! A memory model cannot tell threads apart by name: what it is given relates events that are of one thread, or that are not.
//!
//! Limits: an indirect call may call any function. Threads that `main` creates after its first other event are not looked at, nor
//! groups that `main` joins only after it has done something else.

use crate::ids::{FuncId, ThreadId};
use crate::program::deps::{DepId, DepTable};
use crate::program::fault::Fault;
use crate::program::flow::{defines, uses};
use crate::program::thread::{Action, Context, Slot, Thread};
use crate::program::{BinOp, Callee, Entry, Function, Instr, Operand, Program, Reg, Start};
use crate::sequential::{Limits, Solo};
use rustc_hash::FxHashSet;

/// Interchangeable threads: groups of two or more, each in the order of their numbers.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Kin(pub(crate) Vec<Vec<ThreadId>>);

impl Kin {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many threads there are in all groups.
    pub fn threads(&self) -> usize {
        self.0.iter().map(Vec::len).sum()
    }

    /// The threads that come before one in its group.
    pub(crate) fn lower(&self, thread: ThreadId) -> &[ThreadId] {
        self.0.iter().find_map(|group| Some(&group[..group.iter().position(|&t| t == thread)?])).unwrap_or_default()
    }
}

/// Why threads are not interchangeable, to end the sentence "no threads are known to be interchangeable:".
pub type Reason = &'static str;

const ALL_DIFFER: Reason = "no two run the same code with the same arguments";

/// The interchangeable threads of a program whose threads start together.
pub fn together(program: &Program, entries: &[Entry]) -> Result<Kin, Reason> {
    let code = |entry: &Entry| &program.functions[entry.function.index()];
    let same = |a: &&Entry, b: &&Entry| a.args == b.args && a.tags == b.tags && is_same_code(code(a), code(b));
    let all = entries.iter().enumerate().map(|(i, entry)| (ThreadId::at(i), entry));
    let groups = grouped(all, same)?;
    let first = |group: &Vec<ThreadId>| entries[group[0].index()].function;
    prove(program, groups, first)
}

/// The interchangeable threads that `main` creates, which stands before the first creation.
pub fn created(program: &Program, first: &Solo, limits: &Limits<'_>) -> Result<Kin, Reason> {
    let Start::Main(main) = program.start else { return Err(ALL_DIFFER) };
    let Creations { born, joined, next, .. } = creations(program, first, limits);
    let groups =
        grouped(born.iter().enumerate().map(|(i, what)| (ThreadId::at(i + 1), what)), |a, b| a.0 == b.0 && a.1 == b.1)?;
    for &(function, _) in &born {
        if reachable(program, function).iter().any(|f| has(program, *f, |i| matches!(i, Instr::Spawn { .. }))) {
            return Err("threads create threads");
        }
    }
    let of_main = reachable(program, main);
    if !of_main.iter().all(|&f| names_are_only_joined(&program.functions[f.index()])) {
        return Err("`main` may use the number of a thread, or its result");
    }
    let joins = of_main.iter().any(|&f| has(program, f, |i| matches!(i, Instr::JoinThread { .. })));
    let ended = matches!(next, Action::Finished | Action::Exit);
    let same_fate = |group: &Vec<ThreadId>| {
        let members = group.iter().filter(|t| joined.contains(&u64::from(t.0))).count();
        members == group.len() || members == 0 && (ended || !joins)
    };
    let groups: Vec<_> = groups.into_iter().filter(same_fate).collect();
    if groups.is_empty() {
        return Err("`main` does something else before it has joined them all");
    }
    prove(program, groups, |group| born[group[0].index() - 1].0)
}

/// What `main` does in one go once it creates threads.
pub(crate) struct Creations {
    /// The threads that it creates, by code and argument.
    pub born: Vec<(FuncId, u64)>,
    /// Those that it joins right behind.
    joined: Vec<u64>,
    /// What it does next, and where it stands then.
    pub next: Action,
    pub thread: Thread,
}

/// What `main` does in one go, from its first creation of a thread.
pub(crate) fn creations(program: &Program, first: &Solo, limits: &Limits<'_>) -> Creations {
    let (mut born, mut joined) = (Vec::new(), Vec::new());
    let mut thread = first.thread.clone();
    let mut deps = DepTable::default();
    loop {
        let mut cx = Context {
            program,
            deps: &mut deps,
            thread: ThreadId(0),
            events: 0,
            unroll: limits.unroll,
            detect_idle: limits.detect_idle,
            budget: limits.local_steps,
            go_on: false,
            ways: None,
        };
        let value = match thread.run(&mut cx) {
            Action::Spawn { function, arg } if joined.is_empty() => {
                let takes_argument = program.functions[function.index()].params > 0;
                born.push((function, if takes_argument { arg.value } else { 0 }));
                born.len() as u64
            }
            Action::Join { thread, .. } => {
                joined.push(thread);
                0
            }
            next => return Creations { born, joined, next, thread },
        };
        thread.had_effect();
        thread.complete(program, &mut deps, Slot { value, deps: DepId::NONE });
    }
}

/// Groups of two or more that are the same.
fn grouped<T>(
    all: impl Iterator<Item = (ThreadId, T)>,
    same: impl Fn(&T, &T) -> bool,
) -> Result<Vec<Vec<ThreadId>>, Reason> {
    let mut groups: Vec<(T, Vec<ThreadId>)> = Vec::new();
    for (t, what) in all {
        match groups.iter_mut().find(|(other, _)| same(other, &what)) {
            Some((_, group)) => group.push(t),
            None => groups.push((what, vec![t])),
        }
    }
    let groups: Vec<_> = groups.into_iter().map(|(_, group)| group).filter(|group| group.len() > 1).collect();
    if groups.is_empty() { Err(ALL_DIFFER) } else { Ok(groups) }
}

fn is_same_code(a: &Function, b: &Function) -> bool {
    (a.params, a.regs, a.local_bytes) == (b.params, b.regs, b.local_bytes) && a.code == b.code && a.group == b.group
}

/// The groups whose code does not ask which thread runs it.
fn prove(
    program: &Program,
    groups: Vec<Vec<ThreadId>>,
    code: impl Fn(&Vec<ThreadId>) -> FuncId,
) -> Result<Kin, Reason> {
    if program.objects.iter().any(|o| o.thread_local) {
        return Err("the program has thread-local memory");
    }
    let mut reason = ALL_DIFFER;
    let mut kept = Vec::new();
    for group in groups {
        let functions = reachable(program, code(&group));
        match functions.iter().find_map(|f| tells_apart(&program.functions[f.index()])) {
            None => kept.push(group),
            Some(why) => reason = why,
        }
    }
    if kept.is_empty() { Err(reason) } else { Ok(Kin(kept)) }
}

fn has(program: &Program, function: FuncId, what: impl Fn(&Instr) -> bool) -> bool {
    program.functions[function.index()].code.iter().any(what)
}

/// The functions that a call of one may run.
fn reachable(program: &Program, from: FuncId) -> Vec<FuncId> {
    let mut found = vec![from];
    let mut at = 0;
    while let Some(&function) = found.get(at) {
        at += 1;
        for instr in &program.functions[function.index()].code {
            match instr {
                Instr::Call { callee: Callee::Direct(callee), .. } if !found.contains(callee) => found.push(*callee),
                Instr::Call { callee: Callee::Indirect(_), .. } => {
                    return (0..program.functions.len()).map(FuncId::at).collect();
                }
                _ => {}
            }
        }
    }
    found
}

/// Why what a function does may differ between threads.
fn tells_apart(function: &Function) -> Option<Reason> {
    function.code.iter().find_map(|instr| match instr {
        Instr::ThreadSelf { .. } => Some("their code asks which thread runs it"),
        Instr::Spawn { .. } | Instr::JoinThread { .. } => Some("their code creates or joins threads"),
        Instr::Alloc { .. } | Instr::Free { .. } => Some("their code has memory of its own"),
        _ => None,
    })
}

/// Whether the numbers of threads are used for joining only, and results of threads for nothing.
fn names_are_only_joined(function: &Function) -> bool {
    stays_private(function, |instr| matches!(instr, Instr::Spawn { .. } | Instr::JoinThread { .. }))
}

/// Whether the values that some instructions give are only moved, reckoned with, and kept in private memory, or joined.
fn stays_private(function: &Function, gives: impl Fn(&Instr) -> bool) -> bool {
    let mut tainted: FxHashSet<Reg> = function.code.iter().filter(|i| gives(i)).filter_map(defines).collect();
    if tainted.is_empty() {
        return true;
    }
    let mut memory = false;
    let mut changed = true;
    while changed {
        changed = false;
        for instr in &function.code {
            let touches = uses(instr).iter().any(|r| tainted.contains(r));
            let dst = match instr {
                Instr::LocalStore { .. } if touches => {
                    changed |= !memory;
                    memory = true;
                    None
                }
                Instr::LocalLoad { dst, .. } if memory || touches => Some(*dst),
                Instr::Set { dst, .. } | Instr::Bin { dst, .. } | Instr::Un { dst, .. } if touches => Some(*dst),
                Instr::Select { dst, .. } | Instr::SetStatus { dst, .. } if touches => Some(*dst),
                _ => None,
            };
            changed |= dst.is_some_and(|dst| tainted.insert(dst));
        }
    }
    let harmless = |instr: &Instr| match instr {
        Instr::LocalStore { offset, .. } => !matches!(offset, Operand::Reg(r) if tainted.contains(r)),
        Instr::Set { .. } | Instr::Un { .. } | Instr::Select { .. } | Instr::SetStatus { .. } => true,
        Instr::LocalLoad { .. } | Instr::JoinThread { .. } => true,
        // Asks the flags that stand beside a variable, which are constants.
        Instr::Check { fault, .. } => matches!(**fault, Fault::Uninitialised(_)),
        // Division by zero is an error.
        Instr::Bin { op, .. } => !matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem),
        _ => false,
    };
    let observed = function.observed.iter().any(|r| tainted.contains(r));
    !observed && function.code.iter().all(|i| harmless(i) || !uses(i).iter().any(|r| tainted.contains(r)))
}
