//! A program that crashes, with forces behind some of its calls and stores: whether what its recovery finds is right then.

use crate::crash::missing::Force;
use crate::driver::Settings;
use crate::driver::code::{Asked, examine_calls, program};
use crate::driver::inputs::models::Models;
use crate::driver::inputs::persisted;
use crate::ids::FuncId;
use crate::program::{Callee, FunctionBuilder, Instr, Operand, Program};
use crate::verdict::{FileResult, Sources};
use std::path::Path;

/// Whether a program has a recovery that a model is asked about.
pub(crate) fn is_asked(file: &Path, models: &Models, settings: &Settings) -> bool {
    let has_recovery = std::fs::read_to_string(file)
        .is_ok_and(|text| text.contains("hmc_recovery") || text.contains("__VERIFIER_recovery_routine"));
    has_recovery && models.get(settings.arch.as_deref()).is_ok_and(|usable| persisted::is_asked(&usable, settings))
}

/// What is said of the program with these forces.
pub(crate) fn check(
    file: &Path,
    (name, models): (&str, &Models),
    settings: &Settings,
    sources: &Sources,
    forces: &[Force],
) -> FileResult {
    let result = FileResult::new(file.display().to_string(), name);
    let prepared = models.get(settings.arch.as_deref()).and_then(|usable| {
        let mut program = program(file, &usable, usable.knows_threads, settings, sources)?;
        forces.iter().for_each(|force| add(&mut program, force));
        let (program, crashes) = persisted::prepare(program, &usable, settings)?;
        Ok((usable, program, crashes))
    });
    match prepared {
        Ok((usable, program, crashes)) => {
            let asked = Asked { crashes, ..Asked::default() };
            examine_calls(&program, asked, &usable, settings, sources, result).0
        }
        Err((messages, verdict)) => result.failed(messages, verdict),
    }
}

/// Puts a force behind a call, or a store: in its place, a function is called that makes it, and then forces.
fn add(program: &mut Program, force: &Force) {
    let id = FuncId::at(program.functions.len());
    let (function, pc) = (force.function.index(), force.pc as usize);
    let Some(instruction) = program.functions.get(function).and_then(|f| f.code.get(pc)).cloned() else { return };
    let name = program.functions[function].name.clone();
    let (f, call) = match instruction {
        Instr::Call { callee: Callee::Direct(callee), args, dst } => {
            let mut f = FunctionBuilder::new(name, args.len() as u32);
            let given: Box<[Operand]> = (0..args.len() as u32).map(Operand::Reg).collect();
            let value = dst.map(|_| f.reg());
            f.push(Instr::Call { callee: Callee::Direct(callee), args: given, dst: value });
            force_in(&mut f, force, Operand::Const(force.address));
            f.push(Instr::Return { value: value.map(Operand::Reg) });
            (f, Instr::Call { callee: Callee::Direct(id), args, dst })
        }
        Instr::Store(store) => {
            let mut f = FunctionBuilder::new(name, 2);
            let args: Box<[Operand]> = Box::new([store.addr, store.value]);
            let (addr, value) = (Operand::Reg(0), Operand::Reg(1));
            f.push(Instr::Store(crate::program::Store { addr, value, ..store }));
            force_in(&mut f, force, addr);
            f.push(Instr::Return { value: None });
            (f, Instr::Call { callee: Callee::Direct(id), args, dst: None })
        }
        _ => return,
    };
    program.functions.push(f.finish());
    program.functions[function].code[pc] = call;
}

fn force_in(f: &mut FunctionBuilder, force: &Force, addr: Operand) {
    for &tags in &force.tags {
        f.next_group();
        f.push(Instr::Fence { tags, addr: Some(addr), is_fence: false });
    }
}
