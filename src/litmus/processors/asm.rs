//! What the translations of all assembly languages share: registers by name, labels, temporaries, and the shapes that
//! recur (exclusive pairs, conditional jumps).

use crate::litmus::arch::Arch;
use crate::litmus::memory::Memory;
use crate::program::{
    BinOp, FunctionBuilder, Half, Instr, Join, Label, Load, Operand, ProgramBuilder, Reg, Store, UnOp, Unless,
};
use rustc_hash::FxHashMap;

/// The register that remembers what the last load-exclusive reserved. Its name is no register's of any architecture.
const RESERVATION: &str = "?reservation";

/// Translates one thread.
pub struct Lowering<'a> {
    /// The program being built.
    pub builder: &'a mut ProgramBuilder,
    /// The variables.
    pub memory: &'a mut Memory,
    /// Which architecture.
    pub arch: Arch,
    /// The function being built.
    pub function: FunctionBuilder,
    registers: FxHashMap<String, Reg>,
    labels: FxHashMap<(u32, String), Label>,
    temporaries: Vec<Reg>,
    used: usize,
    targets: Vec<String>,
    exhausted: bool,
    code: Code,
}

/// The places of instructions, when a thread's code uses addresses of code or relative targets. A thread that may jump into the code
/// of others has a copy of their columns behind its own.
#[derive(Default)]
pub struct Code {
    /// The thread that the column being translated is of.
    pub column: u32,
    /// The instruction of it that is being translated.
    pub here: usize,
    /// By columns.
    pub columns: Vec<ColumnPlaces>,
}

/// The places of a column's instructions.
pub struct ColumnPlaces {
    /// Whose column.
    pub thread: u32,
    /// The label of each instruction, and of the end.
    pub places: Vec<Label>,
    /// The instructions that a jump to an address may reach: those with a label, and those after a call.
    pub entries: Vec<usize>,
}

/// Shorthand for a constant operand.
pub fn constant(value: i64) -> Operand {
    Operand::Const(value as u64)
}

impl<'a> Lowering<'a> {
    /// A thread whose first registers, in this order, have initial values.
    pub fn new(
        builder: &'a mut ProgramBuilder,
        memory: &'a mut Memory,
        arch: Arch,
        name: &str,
        initial: &[String],
    ) -> Self {
        let mut function = FunctionBuilder::new(name, initial.len() as u32);
        let mut registers = FxHashMap::default();
        for (i, register) in initial.iter().enumerate() {
            registers.insert(register.clone(), i as Reg);
            function.name_reg(i as Reg, register.as_str());
        }
        Lowering {
            builder,
            memory,
            arch,
            function,
            registers,
            labels: FxHashMap::default(),
            temporaries: Vec::new(),
            used: 0,
            targets: Vec::new(),
            exhausted: false,
            code: Code::default(),
        }
    }

    /// Prepares for addresses in a thread's column: `count` instructions, of which these can be reached by their address.
    pub fn number_code(&mut self, thread: u32, count: usize, entries: Vec<usize>) {
        let places = (0..=count).map(|_| self.function.label()).collect();
        self.code.columns.push(ColumnPlaces { thread, places, entries });
    }

    /// Says which thread's column is translated from now on.
    pub fn at_column(&mut self, thread: u32) {
        self.code.column = thread;
    }

    fn place(&self, index: usize) -> Option<Label> {
        let column = self.code.columns.iter().find(|c| c.thread == self.code.column)?;
        column.places.get(index).copied()
    }

    /// Marks the place of an instruction.
    pub fn at_instruction(&mut self, index: usize) {
        self.code.here = index;
        if let Some(label) = self.place(index) {
            self.function.place(label);
        }
    }

    /// The end of the thread's own column, and so of the thread.
    pub fn end(&self) -> Option<Label> {
        self.code.columns.first().and_then(|own| own.places.last()).copied()
    }

    /// The address of the next instruction.
    pub fn next_address(&mut self) -> Operand {
        Operand::Const(self.memory.code_address(self.code.column, self.code.here + 1))
    }

    /// Whether this column has a label of that name.
    pub fn has_label(&self, name: &str) -> bool {
        self.memory.label_address(self.code.column, name).is_some()
    }

    /// The address of a label of this column.
    pub fn label_address(&mut self, name: &str) -> Operand {
        match self.memory.label_address(self.code.column, name) {
            Some(address) => Operand::Const(address),
            None => {
                self.targets.push(name.to_owned());
                constant(0)
            }
        }
    }

    /// Jumps to the instruction whose address `target` is, which makes everything behind it depend on `target`. The address 0
    /// ends the thread when `may_end` (a return without a call).
    pub fn jump_to_address(&mut self, target: Operand, may_end: bool) {
        let entries = |c: &ColumnPlaces| -> Vec<_> {
            c.entries.iter().filter_map(|&e| Some((c.thread, e, *c.places.get(e)?))).collect()
        };
        let reachable: Vec<(u32, usize, Label)> = self.code.columns.iter().flat_map(entries).collect();
        for (thread, entry, label) in reachable {
            let address = Operand::Const(self.memory.code_address(thread, entry));
            let cond = self.bin(BinOp::Eq, 64, target, address);
            self.branch(cond, label, Join::Never);
        }
        if let (true, Some(end)) = (may_end, self.end()) {
            let cond = self.bin(BinOp::Eq, 64, target, constant(0));
            self.branch(cond, end, Join::Never);
        }
        let message = "a jump to what is no labelled instruction".into();
        self.push(Instr::Fail { message, unsupported: true });
    }

    /// Ends the thread.
    pub fn leave(&mut self) {
        if let Some(end) = self.end() {
            self.jump(end);
        }
    }

    /// The label of an instruction so many bytes away (`.+8`), when the text has that form and there is such an instruction.
    fn relative(&self, name: &str) -> Option<Label> {
        let distance: i64 = name.strip_prefix('.')?.parse().ok().filter(|d| d % 4 == 0)?;
        let index = i64::try_from(self.code.here).ok()?.checked_add(distance / 4)?;
        self.place(usize::try_from(index).ok()?)
    }

    /// The register of that canonical name.
    pub fn register(&mut self, name: &str) -> Reg {
        if let Some(&reg) = self.registers.get(name) {
            return reg;
        }
        let reg = self.function.reg();
        self.function.name_reg(reg, name);
        self.registers.insert(name.to_owned(), reg);
        reg
    }

    /// Its value.
    pub fn get(&mut self, name: &str) -> Operand {
        Operand::Reg(self.register(name))
    }

    /// Assigns to it.
    pub fn set(&mut self, name: &str, src: Operand) {
        let dst = self.register(name);
        self.push(Instr::Set { dst, src });
    }

    /// The address of a variable, or of a place in it (`x+4`).
    pub fn symbol(&mut self, name: &str) -> Operand {
        let at = name.find(['+', '-']).unwrap_or(name.len());
        let offset = name[at..].trim_start_matches('+').parse::<i64>().unwrap_or(0);
        match self.memory.address(&name[..at]) {
            Some(address) => Operand::Const(address.wrapping_add_signed(offset)),
            None => {
                self.exhausted = true;
                Operand::Const(0)
            }
        }
    }

    /// Whether there were too many variables.
    pub fn exhausted(&self) -> bool {
        self.exhausted
    }

    /// Names of labels that were asked for since the last call.
    pub fn take_targets(&mut self) -> Vec<String> {
        std::mem::take(&mut self.targets)
    }

    /// The label of that name in the column that is translated.
    pub fn label(&mut self, name: &str) -> Label {
        if let Some(label) = self.relative(name) {
            return label;
        }
        self.targets.push(name.to_owned());
        let key = (self.code.column, name.to_owned());
        if let Some(&label) = self.labels.get(&key) {
            return label;
        }
        let label = self.function.label();
        self.labels.insert(key, label);
        label
    }

    /// Starts the next source instruction.
    pub fn next_instruction(&mut self) {
        self.used = 0;
        self.function.next_group();
    }

    /// Appends an instruction.
    pub fn push(&mut self, instr: Instr) {
        self.function.push(instr);
    }

    /// A register that is free until the next source instruction.
    pub fn temporary(&mut self) -> Reg {
        if self.used == self.temporaries.len() {
            self.temporaries.push(self.function.reg());
        }
        self.used += 1;
        self.temporaries[self.used - 1]
    }

    /// The value of `src` now, whatever is assigned later.
    pub fn copy(&mut self, src: Operand) -> Operand {
        if matches!(src, Operand::Const(_)) {
            return src;
        }
        let dst = self.temporary();
        self.push(Instr::Set { dst, src });
        Operand::Reg(dst)
    }

    /// `a op b` on `bits` bits.
    pub fn bin(&mut self, op: BinOp, bits: u8, a: Operand, b: Operand) -> Operand {
        let dst = self.temporary();
        self.push(Instr::Bin { dst, op, bits, a, b });
        Operand::Reg(dst)
    }

    /// `op a` on `bits` bits.
    pub fn un(&mut self, op: UnOp, bits: u8, a: Operand) -> Operand {
        let dst = self.temporary();
        self.push(Instr::Un { dst, op, bits, a });
        Operand::Reg(dst)
    }

    /// `a + k`.
    pub fn offset(&mut self, bits: u8, a: Operand, k: i64) -> Operand {
        if k == 0 { a } else { self.bin(BinOp::Add, bits, a, constant(k)) }
    }

    /// Zero that depends on all of `sources`.
    pub fn zero_from(&mut self, sources: &[Operand]) -> Operand {
        let mut zero = constant(0);
        for &source in sources.iter().filter(|s| matches!(s, Operand::Reg(_))) {
            let nothing = self.bin(BinOp::And, 64, source, constant(0));
            zero = if zero == constant(0) { nothing } else { self.bin(BinOp::Or, 64, zero, nothing) };
        }
        zero
    }

    /// A read.
    pub fn load(&mut self, addr: Operand, size: u8, tags: &[&str], half: Half) -> Operand {
        self.load_unless(addr, size, tags, half, None)
    }

    /// A read whose tags are `unless` the value read is the expected one.
    pub fn load_unless(
        &mut self,
        addr: Operand,
        size: u8,
        tags: &[&str],
        half: Half,
        unless: Option<(Operand, &[&str], Half)>,
    ) -> Operand {
        let dst = self.temporary();
        let tags = self.builder.tag_set(tags.iter().copied());
        let unless = unless.map(|(expected, tags, half)| Unless {
            expected,
            tags: self.builder.tag_set(tags.iter().copied()),
            half,
        });
        self.push(Instr::Load(Load { dst, addr, size, tags, half, unless, hidden: false }));
        Operand::Reg(dst)
    }

    /// A write.
    pub fn store(&mut self, addr: Operand, value: Operand, size: u8, tags: &[&str], half: Half) {
        let tags = self.builder.tag_set(tags.iter().copied());
        let value = match value {
            Operand::Const(v) if size < 8 => Operand::Const(v & ((1 << (8 * u32::from(size))) - 1)),
            value => value,
        };
        self.push(Instr::Store(Store { addr, value, size, tags, half, hidden: false }));
    }

    /// A fence.
    pub fn fence(&mut self, tags: &[&str]) {
        let tags = self.builder.tag_set(tags.iter().copied());
        self.push(Instr::Fence { tags, addr: None, is_fence: true });
    }

    /// Goes to `then` when `cond` is not zero, and on otherwise.
    pub fn branch(&mut self, cond: Operand, then: Label, join: Join) {
        let next = self.function.label();
        let (then, otherwise) = (FunctionBuilder::target(then), FunctionBuilder::target(next));
        self.push(Instr::Branch { cond, then, otherwise, join });
        self.function.place(next);
    }

    /// Goes to `to`.
    pub fn jump(&mut self, to: Label) {
        self.push(Instr::Jump(FunctionBuilder::target(to)));
    }

    /// Remembers a reservation, without a dependency on how the address was found.
    pub fn reserve(&mut self, addr: Operand, size: u8) {
        let mark = self.reservation(addr, size);
        self.set(RESERVATION, mark);
    }

    /// Forgets the reservation.
    pub fn clear_reservation(&mut self) {
        self.set(RESERVATION, constant(0));
    }

    fn reservation(&mut self, addr: Operand, size: u8) -> Operand {
        self.bin(BinOp::Add, 64, addr, constant(i64::from(size) << 48))
    }

    /// A store-conditional of one or more values, side by side: always free to fail, succeeding only when the reservation is for
    /// this address and size. `status` says what the outcome does to the registers.
    pub fn store_exclusive(
        &mut self,
        addr: Operand,
        values: &[Operand],
        size: u8,
        tags: &[&str],
        mut status: impl FnMut(&mut Self, bool),
    ) {
        let (attempt, success, done) = (self.function.label(), self.function.label(), self.function.label());
        let fail = self.function.label();
        let expected = self.reservation(addr, size * values.len() as u8);
        let reserved = self.get(RESERVATION);
        let same = self.bin(BinOp::Eq, 64, expected, reserved);
        self.branch(same, attempt, Join::NoDependency);
        self.jump(fail);
        self.function.place(attempt);
        let choice = self.temporary();
        self.push(Instr::Choose { dst: choice, values: Box::new([1, 0]) });
        self.branch(Operand::Reg(choice), success, Join::NoDependency);
        self.jump(fail);
        self.function.place(success);
        for (i, &value) in values.iter().enumerate() {
            let place = self.offset(64, addr, i as i64 * i64::from(size));
            self.store(place, value, size, tags, Half::ExWrite);
        }
        status(self, true);
        self.jump(done);
        self.function.place(fail);
        status(self, false);
        self.function.place(done);
        self.clear_reservation();
    }
}
