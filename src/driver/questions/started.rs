//! The threads that the `main` of a program creates, with what they are given and what memory holds then, where that is all that `main` does: what is known of
//! compiled code that is explored without `main`.

use crate::driver::code;
use crate::driver::inputs::messages;
use crate::driver::inputs::models::{Models, Refusal};
use crate::driver::inputs::settings::Settings;
use crate::ids::ThreadId;
use crate::program::deps::{DepId, DepTable};
use crate::program::fault::Fault;
use crate::program::flow::defines;
use crate::program::thread::{Action, Context, Slot};
use crate::program::{Callee, FUNCTION_BASE, Function, Instr, Operand, Pc, Program, Start};
use crate::sequential::{Choices, End, Limits, Solo};
use crate::verdict::{Sources, Verdict};
use std::path::Path;

/// The threads of a program.
pub struct Started {
    /// The program.
    pub program: Program,
    /// The function of each, and its argument.
    pub threads: Vec<(String, Given)>,
    /// What `main` has put into variables before: each with its contents.
    pub contents: Vec<(usize, Vec<u8>)>,
}

/// What a thread is given.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// A number.
    Number(u64),
    /// A place in a variable: its number among the objects, and the distance from its beginning.
    Place(usize, u64),
}

/// The threads of a file.
pub fn started(file: &Path, models: &Models, settings: &Settings, sources: &Sources) -> Result<Started, Refusal> {
    let usable = models.get(settings.arch.as_deref())?;
    // What creating and joining threads orders is no access then.
    let program = code::program(file, &usable, true, settings, sources)?;
    of(program).map_err(|why| (vec![messages::not_only_starting(file, &why)], Verdict::Unsupported))
}

fn of(program: Program) -> Result<Started, String> {
    let Start::Main(main) = program.start else { return Err("has no `main`".to_owned()) };
    if let Some(shown) = program.shown.first() {
        return Err(format!("shows values with `{}`; give them to variables that other files may name", shown.name));
    }
    let (mut deps, mut choices) = (DepTable::default(), Choices::default());
    let mut solo = Solo::start(&program, main);
    let mut threads = Vec::new();
    let mut before: Option<Vec<Vec<u8>>> = None;
    loop {
        match solo.run(&program, &Limits::default(), &mut deps, &mut choices) {
            End::Spawn => {
                before.get_or_insert_with(|| contents(&program, &solo));
                solo.reads.get_or_insert_default();
                threads.push(created(&program, &mut solo, &mut deps)?);
                let number = Slot { value: threads.len() as u64, deps: DepId::NONE };
                solo.thread.complete(&program, &mut deps, number);
            }
            End::Fault(Fault::BadJoin(_)) | End::Finished if !threads.is_empty() => break,
            End::Finished => return Err("creates no threads".to_owned()),
            _ => return Err("waits, or does not come to an end, before it has created its threads".to_owned()),
        }
    }
    if choices.advance() {
        return Err("makes choices before it has created its threads".to_owned());
    }
    let before = before.unwrap_or_default();
    let after = contents(&program, &solo);
    let name = |i: usize| program.objects.get(i).map_or("", |object| object.name.as_str());
    if let Some(changed) = (0..before.len()).find(|&i| before[i] != after[i]) {
        return Err(format!("changes `{}` while threads run", name(changed)));
    }
    let read = solo.reads.iter().flatten().find_map(|&(address, _)| program.object_at(address));
    if let Some(object) = read {
        return Err(format!("reads `{}` while threads run", object.name));
    }
    let frame = solo.thread.frame();
    let is_main = frame.func == main;
    if !is_main || !solo.thread.has_returned(&program) && is_busy(&program, &program.functions[main.index()], frame.pc)
    {
        return Err("does more than join its threads and look at variables once it has created them".to_owned());
    }
    let changed = |i: &usize| program.objects[*i].bytes != before[*i];
    let contents = (0..before.len()).filter(changed).map(|i| (i, before[i].clone())).collect();
    Ok(Started { program, threads, contents })
}

/// What variables hold.
fn contents(program: &Program, solo: &Solo) -> Vec<Vec<u8>> {
    let bytes = |address: u64| solo.memory.block_at(address).map(|block| block.bytes.clone());
    program.objects.iter().map(|object| bytes(object.address).unwrap_or_else(|| object.bytes.clone())).collect()
}

/// The thread that `main` stands before creating.
fn created(program: &Program, solo: &mut Solo, deps: &mut DepTable) -> Result<(String, Given), String> {
    let limits = Limits::default();
    let mut cx = Context {
        program,
        deps,
        thread: ThreadId(0),
        events: 0,
        unroll: None,
        detect_idle: limits.detect_idle,
        budget: limits.local_steps,
        go_on: false,
        ways: None,
    };
    let Action::Spawn { function, arg } = solo.thread.run(&mut cx) else { return Err("creates no threads".to_owned()) };
    let name = program.functions[function.index()].name.clone();
    let place = program
        .objects
        .iter()
        .position(|object| arg.value >= object.address && arg.value - object.address < object.bytes.len() as u64);
    match place {
        Some(object) => Ok((name, Given::Place(object, arg.value - program.objects[object].address))),
        None if arg.value >= FUNCTION_BASE || solo.memory.block_at(arg.value).is_some() => {
            Err(format!("gives `{name}` the address of what is no variable of the file"))
        }
        None => Ok((name, Given::Number(arg.value))),
    }
}

/// Whether code from here on writes memory that is not its own, creates threads, or calls something that does.
fn is_busy(program: &Program, function: &Function, from: Pc) -> bool {
    let own = |address: Operand| match address {
        Operand::Reg(register) => {
            let mut all = function.code.iter().filter(|instr| defines(instr) == Some(register)).peekable();
            all.peek().is_some() && all.all(|instr| matches!(instr, Instr::Alloc { .. }))
        }
        Operand::Const(_) => false,
    };
    let (mut seen, mut open) = (vec![false; function.code.len()], vec![from]);
    while let Some(pc) = open.pop() {
        let Some(instr) = function.code.get(pc as usize) else { continue };
        if std::mem::replace(&mut seen[pc as usize], true) {
            continue;
        }
        match instr {
            Instr::Store(store) if !own(store.addr) => return true,
            Instr::Spawn { .. } | Instr::Free { stack: false, .. } => return true,
            Instr::Call { callee: Callee::Direct(callee), .. } => {
                let called = &program.functions[callee.index()];
                let acts = |i: &Instr| matches!(i, Instr::Store(_) | Instr::Spawn { .. } | Instr::Call { .. });
                if called.code.iter().any(acts) {
                    return true;
                }
                open.push(pc + 1);
            }
            Instr::Call { .. } => return true,
            Instr::Jump(to) => open.push(*to),
            Instr::Branch { then, otherwise, .. } => open.extend([*then, *otherwise]),
            Instr::Return { .. } | Instr::ReturnMany { .. } | Instr::ExitThread { .. } | Instr::ExitProgram { .. } => {}
            _ => open.push(pc + 1),
        }
    }
    false
}
