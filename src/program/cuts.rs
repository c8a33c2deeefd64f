//! Accesses of different sizes to one place: an access that another one overlaps in part is made of parts.
//!
//! A cut is a place inside an access, or inside the initial contents of an object, at which another access begins or ends. Code is cut as a
//! whole: an instruction that is cut makes one access for each part, one right behind the other, in the same instance of the same source instruction. Parts of one access
//! carry its number ([`Part`]), by which a model relates them (`si`).
//!
//! - The address and the value are computed before the first part, and what is read is put together behind the last one; so a part depends on what the access
//!   depends on, and what depends on the access depends on all parts.
//! - The parts of a compare-and-swap carry tags that tell whether all of it was found as expected. So that is chosen first, and what is read is held against the choice. The
//!   choice changes nothing by itself: it carries the number of the access.
//!
//! Code that is cut already can be cut again. A program without cuts is not touched.

use super::instr::*;
use super::{Cell, FIRST_ADDRESS, Function, Program, Start, flow, merging};
use crate::ids::FuncId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Where something is cut.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Cut {
    /// What an instruction accesses, so many bytes from its beginning.
    Access(FuncId, Pc, u8),
    /// The initial contents of objects, at an address.
    Contents(u64),
}

/// Cuts a program.
pub fn cut(program: &mut Program, cuts: &BTreeSet<Cut>) {
    let mut functions: BTreeMap<FuncId, BTreeMap<Pc, BTreeSet<u8>>> = BTreeMap::new();
    for &cut in cuts {
        match cut {
            Cut::Access(function, pc, offset) => {
                functions.entry(function).or_default().entry(pc).or_default().insert(offset);
            }
            Cut::Contents(address) => cut_contents(program, address),
        }
    }
    for (function, cuts) in functions {
        let new_places = cut_function(&mut program.functions[function.index()], &cuts, program.big_endian);
        program.pointers.moved(function, &new_places);
    }
    program.creates = Default::default();
    if program.plain.is_some() {
        merging::analyse(program);
    }
}

/// A cut at every byte of every access. Operations of a library (locks, semaphores) stay whole.
pub fn everywhere(program: &Program) -> BTreeSet<Cut> {
    let mut all = BTreeSet::new();
    for (f, function) in program.functions.iter().enumerate() {
        for (pc, instr) in function.code.iter().enumerate() {
            let size = match instr {
                Instr::Load(load) if !load.hidden => load.size,
                Instr::Store(store) if !store.hidden => store.size,
                _ => continue,
            };
            if program.operation_at(FuncId::at(f), pc as Pc).is_none() {
                all.extend((1..size).map(|offset| Cut::Access(FuncId::at(f), pc as Pc, offset)));
            }
        }
    }
    if matches!(program.start, Start::Together(_)) {
        for object in &program.objects {
            let inside = |cell: &Cell| {
                (1..u64::from(cell.size))
                    .map(move |at| Cut::Contents(object.address + cell.offset + at))
                    .collect::<Vec<_>>()
            };
            all.extend(object.cells.iter().flat_map(inside));
        }
    }
    all
}

/// Whether an address is inside a scalar of the initial contents, not at its beginning.
pub fn is_in_contents(program: &Program, address: u64) -> bool {
    let objects = program.objects.iter().filter_map(|object| Some((object, address.checked_sub(object.address)?)));
    objects.into_iter().any(|(object, at)| object.cells.iter().any(|cell| is_inside(cell, at)))
}

fn is_inside(cell: &Cell, at: u64) -> bool {
    cell.offset < at && at < cell.offset + u64::from(cell.size)
}

/// Cuts the scalar at an address of an object.
fn cut_contents(program: &mut Program, address: u64) {
    for object in &mut program.objects {
        let Some(at) = address.checked_sub(object.address) else { continue };
        let Some(index) = object.cells.iter().position(|cell| is_inside(cell, at)) else { continue };
        let Cell { offset, size, path } = object.cells.remove(index);
        let parts = pieces(size, &[(at - offset) as u8].into());
        let parts = parts.into_iter().map(|(from, size)| Cell {
            offset: offset + u64::from(from),
            size,
            path: if from == 0 { path.clone() } else { format!("{path}+{from}") },
        });
        object.cells.splice(index..index, parts);
    }
}

/// The parts of `size` bytes: offsets and sizes that one access can have.
fn pieces(size: u8, cuts: &BTreeSet<u8>) -> Vec<(u8, u8)> {
    let mut all = Vec::new();
    let mut from = 0;
    for &end in cuts.iter().filter(|&&cut| cut > 0 && cut < size).chain([&size]) {
        while from < end {
            let fits = |piece: &u8| from.is_multiple_of(*piece) && from + piece <= end;
            let piece = [8, 4, 2, 1].into_iter().find(fits).unwrap_or(1);
            all.push((from, piece));
            from += piece;
        }
    }
    all
}

/// Cuts accesses of a function; where its instructions are now.
fn cut_function(function: &mut Function, cuts: &BTreeMap<Pc, BTreeSet<u8>>, big_endian: bool) -> Vec<Pc> {
    let old = std::mem::take(&mut function.code);
    let mut parts = std::mem::take(&mut function.parts);
    parts.resize(old.len(), Part::default());
    let (spans, groups) = (std::mem::take(&mut function.spans), std::mem::take(&mut function.group));
    let accesses = parts.iter().map(|part| part.access).max().unwrap_or(0);
    let (span, group, jumps) = (Default::default(), 0, Vec::new());
    let mut writer = Writer { function, accesses, big_endian, span, group, jumps };
    let mut new_places = Vec::with_capacity(old.len() + 1);
    let mut marks: Vec<(Pc, Pc)> = Vec::new();
    for (pc, instr) in old.into_iter().enumerate() {
        new_places.push(writer.here());
        (writer.span, writer.group) = (spans[pc], groups[pc]);
        let before = writer.here();
        match (cuts.get(&(pc as Pc)), instr) {
            (Some(cuts), Instr::Load(load)) => writer.load(load, parts[pc], cuts),
            (Some(cuts), Instr::Store(store)) => writer.store(store, parts[pc], cuts),
            (_, instr) => writer.push(instr, parts[pc]),
        }
        marks.push((before, writer.here()));
    }
    let Writer { jumps, .. } = writer;
    for (pc, instr) in function.code.iter_mut().enumerate() {
        // Jumps inside of what an instruction has become lead where they lead already.
        if jumps.binary_search(&(pc as Pc)).is_err() {
            flow::change_targets(instr, |target| *target = new_places[*target as usize]);
        }
    }
    let code = &function.code;
    let accesses = |pc: Pc| {
        let (from, to) = marks[pc as usize];
        (from..to).filter(|&pc| matches!(code[pc as usize], Instr::Load(_) | Instr::Store(_))).collect::<Vec<Pc>>()
    };
    function.operations =
        function.operations.iter().flat_map(|&(pc, mark)| accesses(pc).into_iter().map(move |pc| (pc, mark))).collect();
    let layouts = function.layouts.iter().flat_map(|&(pc, layout, offset)| {
        let function_parts = &function.parts;
        let first = parts[pc as usize].offset;
        accesses(pc).into_iter().map(move |pc| {
            let part = function_parts[pc as usize];
            (pc, layout, offset + u64::from(part.offset.saturating_sub(first)))
        })
    });
    function.layouts = layouts.collect();
    // The analysis of merging fills them anew.
    function.meetings.clear();
    flow::analyse(function);
    new_places
}

/// Writes the code of a function.
struct Writer<'f> {
    function: &'f mut Function,
    /// The highest number of an access.
    accesses: u32,
    big_endian: bool,
    span: crate::ids::SpanId,
    group: u32,
    /// Where jumps stand whose targets are places in the new code.
    jumps: Vec<Pc>,
}

/// How a load is labelled when it has found what was expected, or anything else.
struct Labels {
    tags: crate::ids::TagSetId,
    half: Half,
}

impl Writer<'_> {
    fn here(&self) -> Pc {
        self.function.code.len() as Pc
    }

    fn push(&mut self, instr: Instr, part: Part) {
        self.function.code.push(instr);
        self.function.parts.push(part);
        self.function.spans.push(self.span);
        self.function.group.push(self.group);
    }

    /// An instruction that makes no access.
    fn silent(&mut self, instr: Instr) {
        self.push(instr, Part::default());
    }

    fn register(&mut self) -> Reg {
        self.function.regs += 1;
        self.function.regs - 1
    }

    fn binary(&mut self, op: BinOp, a: Operand, b: Operand) -> Operand {
        let dst = self.register();
        self.silent(Instr::Bin { dst, op, bits: 64, a, b });
        Operand::Reg(dst)
    }

    /// By how many bits a part of an access of so many bytes is shifted in the value.
    fn shift(&self, (offset, size): (u8, u8), whole: u8) -> u64 {
        8 * u64::from(if self.big_endian { whole - offset - size } else { offset })
    }

    /// A part of a value of so many bytes.
    fn piece(&mut self, value: Operand, (offset, size): (u8, u8), whole: u8) -> Operand {
        let bits = self.shift((offset, size), whole);
        // An address is taken apart where the code runs: its bytes do not tell what it points to.
        if let Operand::Const(value) = value
            && value < FIRST_ADDRESS
        {
            return Operand::Const(super::arith::truncate(value >> bits, size * 8));
        }
        let shifted = if bits == 0 { value } else { self.binary(BinOp::LShr, value, Operand::Const(bits)) };
        let dst = self.register();
        self.silent(Instr::Un { dst, op: UnOp::Trunc, bits: size * 8, a: shifted });
        Operand::Reg(dst)
    }

    fn moved(&mut self, address: Operand, by: u8) -> Operand {
        match (address, by) {
            (address, 0) => address,
            (Operand::Const(address), by) => Operand::Const(address.wrapping_add(u64::from(by))),
            (address, by) => self.binary(BinOp::Add, address, Operand::Const(u64::from(by))),
        }
    }

    /// The parts of an access that may be part of another one itself.
    fn parts(&mut self, of: Part, size: u8, cuts: &BTreeSet<u8>) -> Vec<(u8, u8, Part)> {
        let of = match of.access {
            0 => {
                self.accesses += 1;
                Part { access: self.accesses, offset: 0, whole: size }
            }
            _ => of,
        };
        let pieces = pieces(size, cuts).into_iter();
        pieces.map(|(from, size)| (from, size, Part { offset: of.offset + from, ..of })).collect()
    }

    fn load(&mut self, load: Load, part: Part, cuts: &BTreeSet<u8>) {
        let parts = self.parts(part, load.size, cuts);
        let address = self.kept(load.addr, load.dst);
        let addresses: Vec<Operand> = parts.iter().map(|&(from, ..)| self.moved(address, from)).collect();
        let found = Labels { tags: load.tags, half: load.half };
        let Some(unless) = load.unless else {
            let value = self.reads(&load, &parts, &addresses, &found, None);
            self.silent(Instr::Set { dst: load.dst, src: value });
            return;
        };
        let other = Labels { tags: unless.tags, half: unless.half };
        let expected = self.kept(unless.expected, load.dst);
        let wanted: Vec<Operand> =
            parts.iter().map(|&(from, size, _)| self.piece(expected, (from, size), load.size)).collect();
        let whole = self.piece(expected, (0, load.size), load.size);
        let is_as_expected = self.register();
        self.push(Instr::Choose { dst: is_as_expected, values: [1, 0].into() }, parts[0].2);
        let branch = self.here();
        self.jumps.push(branch);
        self.silent(Instr::Jump(0));
        let then = self.here();
        let value = self.reads(&load, &parts, &addresses, &found, Some(&wanted));
        self.assume(BinOp::Eq, value, whole);
        self.silent(Instr::Set { dst: load.dst, src: value });
        let jump = self.here();
        self.jumps.push(jump);
        self.silent(Instr::Jump(0));
        let otherwise = self.here();
        let value = self.reads(&load, &parts, &addresses, &other, Some(&wanted));
        self.assume(BinOp::Ne, value, whole);
        self.silent(Instr::Set { dst: load.dst, src: value });
        let end = self.here();
        let cond = Operand::Reg(is_as_expected);
        self.function.code[branch as usize] = Instr::Branch { cond, then, otherwise, join: Join::NoDependency };
        self.function.code[jump as usize] = Instr::Jump(end);
    }

    /// The thread stops unless two values compare so.
    fn assume(&mut self, op: BinOp, a: Operand, b: Operand) {
        let cond = self.binary(op, a, b);
        self.silent(Instr::StopUnless { cond, why: Stop::Assume });
    }

    /// An operand, in a register of its own if it is one that is written before it is used for the last time.
    fn kept(&mut self, operand: Operand, written: Reg) -> Operand {
        if operand != Operand::Reg(written) {
            return operand;
        }
        let dst = self.register();
        self.silent(Instr::Set { dst, src: operand });
        Operand::Reg(dst)
    }

    /// Reads all parts, and puts what they give together. `wanted`: what a compare-and-swap expects of each.
    fn reads(
        &mut self,
        load: &Load,
        parts: &[(u8, u8, Part)],
        addresses: &[Operand],
        labels: &Labels,
        wanted: Option<&[Operand]>,
    ) -> Operand {
        let &Labels { tags, half } = labels;
        let mut values = Vec::new();
        for (at, &(from, size, part)) in parts.iter().enumerate() {
            let dst = self.register();
            // So that whoever looks at it sees a compare-and-swap; either way it is labelled alike.
            let unless = wanted.map(|wanted| Unless { expected: wanted[at], tags, half });
            self.push(Instr::Load(Load { dst, addr: addresses[at], size, tags, half, unless, ..*load }), part);
            values.push((Operand::Reg(dst), self.shift((from, size), load.size)));
        }
        let mut whole = None;
        for (value, bits) in values {
            let value = match bits {
                0 => value,
                bits => self.binary(BinOp::Shl, value, Operand::Const(bits)),
            };
            whole = Some(match whole {
                None => value,
                Some(low) => self.binary(BinOp::Or, low, value),
            });
        }
        whole.unwrap_or(Operand::Const(0))
    }

    fn store(&mut self, store: Store, part: Part, cuts: &BTreeSet<u8>) {
        let parts = self.parts(part, store.size, cuts);
        let values: Vec<Operand> =
            parts.iter().map(|&(from, size, _)| self.piece(store.value, (from, size), store.size)).collect();
        let addresses: Vec<Operand> = parts.iter().map(|&(from, ..)| self.moved(store.addr, from)).collect();
        for ((&(_, size, part), value), addr) in parts.iter().zip(values).zip(addresses) {
            self.push(Instr::Store(Store { addr, value, size, ..store }), part);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TagSetId;
    use crate::program::{FunctionBuilder, ProgramBuilder};

    #[test]
    fn pieces_are_sizes_that_an_access_can_have() {
        assert_eq!(pieces(4, &[2].into()), [(0, 2), (2, 2)]);
        assert_eq!(pieces(4, &[1].into()), [(0, 1), (1, 1), (2, 2)]);
        assert_eq!(pieces(8, &[3, 8].into()), [(0, 2), (2, 1), (3, 1), (4, 4)]);
        assert_eq!(pieces(2, &[0, 2, 7].into()), [(0, 2)]);
    }

    fn program(code: Vec<Instr>) -> Program {
        let mut builder = ProgramBuilder::new("test", 0x1000);
        let id = builder.declare("f");
        let mut f = FunctionBuilder::new("f", 1);
        f.reg();
        code.into_iter().for_each(|instr| f.push(instr));
        builder.define(id, f.finish());
        builder.program
    }

    #[test]
    fn jumps_over_a_cut_access_lead_behind_it() {
        let addr = Operand::Reg(0);
        let load = Load { dst: 0, addr, size: 4, tags: TagSetId(0), half: Half::None, unless: None, hidden: false };
        let store = Store { addr, value: Operand::Reg(1), size: 4, tags: TagSetId(0), half: Half::None, hidden: false };
        let mut f = FunctionBuilder::new("f", 1);
        f.reg();
        let (over, end) = (f.label(), f.label());
        let (then, otherwise) = (FunctionBuilder::target(over), FunctionBuilder::target(end));
        f.push(Instr::Branch { cond: Operand::Reg(1), then, otherwise, join: Join::Merge });
        f.place(over);
        f.push(Instr::Load(load));
        f.place(end);
        f.push(Instr::Store(store));
        let mut builder = ProgramBuilder::new("test", 0x1000);
        let id = builder.declare("f");
        builder.define(id, f.finish());
        let mut program = builder.program;
        cut(&mut program, &[Cut::Access(id, 1, 2), Cut::Access(id, 2, 2)].into());
        let function = &program.functions[0];
        let Instr::Branch { then, otherwise, .. } = function.code[0] else { panic!("a branch is expected") };
        let at = |pc: Pc| function.parts[pc as usize];
        assert_eq!(then, 1);
        // The address is kept before its register is written, and the value is taken apart before the first part.
        assert!(matches!(function.code[1], Instr::Set { src: Operand::Reg(0), .. }));
        assert!(matches!(function.code[otherwise as usize], Instr::Un { op: UnOp::Trunc, bits: 16, .. }));
        let parts = function.code.iter().enumerate();
        let parts: Vec<Part> = parts
            .filter(|(_, instr)| matches!(instr, Instr::Load(_) | Instr::Store(_)))
            .map(|(pc, _)| at(pc as Pc))
            .collect();
        let part = |access, offset| Part { access, offset, whole: 4 };
        assert_eq!(parts, [part(1, 0), part(1, 2), part(2, 0), part(2, 2)]);
        // Once more: the parts of a part are parts of the same access.
        let pc = function.code.iter().rposition(|instr| matches!(instr, Instr::Store(_))).expect("a store") as Pc;
        cut(&mut program, &[Cut::Access(id, pc, 1)].into());
        let function = &program.functions[0];
        let last: Vec<Part> = function.parts.iter().copied().filter(|part| part.access == 2).collect();
        assert_eq!(last, [part(2, 0), part(2, 2), part(2, 3)]);
    }

    #[test]
    fn a_compare_and_swap_is_chosen_to_succeed_or_to_fail() {
        let unless = Some(Unless { expected: Operand::Reg(1), tags: TagSetId(0), half: Half::None });
        let (addr, half) = (Operand::Reg(0), Half::AmoRead);
        let load = Load { dst: 1, addr, size: 8, tags: TagSetId(0), half, unless, hidden: false };
        let mut program = program(vec![Instr::Load(load)]);
        cut(&mut program, &[Cut::Access(FuncId(0), 0, 4)].into());
        let code = &program.functions[0].code;
        let halves: Vec<Half> = code
            .iter()
            .filter_map(|instr| match instr {
                Instr::Load(load) => Some(load.half),
                _ => None,
            })
            .collect();
        assert_eq!(halves, [Half::AmoRead, Half::AmoRead, Half::None, Half::None]);
        assert_eq!(code.iter().filter(|instr| matches!(instr, Instr::StopUnless { .. })).count(), 2);
    }
}
