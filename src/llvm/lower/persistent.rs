//! Memory that survives a crash, and what runs then.

use super::Lowering;
use super::function::FunctionLowering;
use super::function::code::Code;
use super::globals::LINE;
use crate::ids::{FuncId, TagSetId};
use crate::llvm::library::persistent::{BARRIER, NAME};
use crate::program::crash::{Lines, Unit};
use crate::program::*;

/// The functions that make up the recovery, in the order in which they run: what a file system prepares, then the program's own.
const RECOVERY: [&[&str]; 2] = [&["__hmc_recovery_begins"], &["__VERIFIER_recovery_routine", "hmc_recovery"]];
/// Constants with which a file system says how large its units are.
const UNITS: [(&str, Unit); 2] = [("__hmc_unit_block", Unit::Block), ("__hmc_unit_inode", Unit::Inode)];

/// The set of forces that a file system has a call for.
const CALL: &str = "CALL";
/// Flushes that a program may have, by set, as users call them; with a fence that waits for it where one is needed.
const FLUSHES: [(&[&str], &str); 2] = [(&["ClFlush"], "clflush"), (&["DC.CVAP", "DSB.SY"], "dc cvap and dsb")];

/// The forces that there are calls for.
fn calls(program: &Program) -> Vec<(Vec<TagSetId>, String)> {
    let mut found: Vec<(Vec<TagSetId>, String)> = Vec::new();
    for instr in program.functions.iter().flat_map(|function| &function.code) {
        let Instr::Fence { tags, is_fence: false, .. } = instr else { continue };
        let names: Vec<&str> = program.tags_of(*tags).collect();
        if names.contains(&CALL) && !found.iter().any(|(known, _)| known[..] == [*tags]) {
            let name = names.iter().find(|&&name| name != CALL).unwrap_or(&CALL);
            found.push((vec![*tags], name.to_lowercase()));
        }
    }
    found
}

/// What a file system prepares, and then the program's own recovery, as one function.
fn in_order(lowering: &mut Lowering<'_>, begins: Option<FuncId>, routine: FuncId) -> FuncId {
    let Some(begins) = begins else { return routine };
    let mut f = FunctionBuilder::new("recovery", 0);
    let mut code = Code { f: &mut f, cx: &mut lowering.cx };
    for function in [begins, routine] {
        code.call(Callee::Direct(function), Vec::new(), None);
    }
    code.f.push(Instr::Return { value: None });
    let body = f.finish_tidy();
    let id = lowering.cx.builder.declare("recovery");
    lowering.cx.builder.define(id, body);
    id
}

/// Notes what of the program survives a crash, and what runs then.
pub(super) fn find(lowering: &mut Lowering<'_>) {
    let find = |names: &[&str]| names.iter().find_map(|name| lowering.functions.get(name).copied());
    let [begins, routine] = RECOVERY.map(find);
    let recovery = routine.map(|routine| in_order(lowering, begins, routine));
    let flushes = FLUSHES.map(|(sets, name)| {
        let tags = sets.iter().map(|&set| lowering.cx.builder.tag_set([set]));
        (tags.collect(), name.to_owned())
    });
    let line = if lowering.cx.uses.lines == Lines::Place { 1 } else { LINE };
    let program = &mut lowering.cx.builder.program;
    program.persistence.forces = calls(program).into_iter().chain(flushes).collect();
    program.persistence.barrier = program.functions.iter().flat_map(|f| &f.code).find_map(|instr| match instr {
        Instr::Fence { tags, is_fence: false, .. } if program.tags_of(*tags).eq([BARRIER]) => Some(*tags),
        _ => None,
    });
    program.persistence.recovery = recovery;
    program.persistence.fences_name_places = true;
    program.persistence.units.set(Unit::Line, line);
    for (name, unit) in UNITS {
        let constant = program.objects.iter().find(|object| object.name == name);
        if let Some(size) = constant.map(|object| program.number(&object.bytes)) {
            program.persistence.units.set(unit, size);
        }
    }
}

impl FunctionLowering<'_, '_> {
    /// The number of the constant text at an address.
    pub(super) fn number_of_text(&mut self, address: Operand) -> Operand {
        let mut texts: Vec<(&[u8], u64)> = Vec::new();
        for (name, &text) in &self.module.texts {
            if let Some(&at) = self.module.addresses.get(name) {
                texts.push((text.strip_suffix(b"\0").unwrap_or(text), at));
            }
        }
        texts.sort_unstable();
        let number = self.f.reg();
        let none = Operand::Const(u64::MAX);
        self.f.push(Instr::Set { dst: number, src: none });
        let (mut known, mut last) = (0, None);
        for (text, at) in texts {
            known += u64::from(last.is_some_and(|last| last != text));
            last = Some(text);
            let mut code = self.code();
            let is_it = code.bin(BinOp::Eq, 64, address, Operand::Const(at));
            let (old, this) = (Operand::Reg(number), Operand::Const(known));
            code.f.push(Instr::Select { dst: number, cond: is_it, a: this, b: old, on_cond: true });
        }
        let mut code = self.code();
        let unknown = code.bin(BinOp::Eq, 64, Operand::Reg(number), none);
        let (computed, constant) = (code.f.label(), code.f.label());
        code.inner_branch(unknown, computed, constant);
        code.f.place(computed);
        code.unsupported(format!("a file name that is no constant text of the program (`{NAME}`)"));
        code.f.place(constant);
        Operand::Reg(number)
    }
}
