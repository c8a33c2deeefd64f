//! Emitting instructions: accesses through the mapping, and small arithmetic helpers.
//! Lowered functions and library functions are both written with [`Code`], so that a lock of the library and an atomic of the program become events by the same rules.

use crate::ids::{FuncId, TagSetId};
use crate::llvm::Checks;
use crate::llvm::ir::Order;
use crate::llvm::mapping::{Access, Mapping, Step};
use crate::program::{crash::Lines, fault::Fault, *};
use rustc_hash::FxHashMap;

/// What is said where there are weak compare-and-swaps.
pub(super) const WEAK: &str =
    "a weak compare-and-exchange in a loop fails only when the value differs (no spurious failures)";
/// The word of a thread that says whether its ordinary accesses are marked.
pub const MARKED: u8 = 0;

/// What all functions of a program share while it is built.
pub struct Context<'m> {
    /// The program.
    pub builder: ProgramBuilder,
    /// What the operations become.
    pub mapping: &'m Mapping,
    /// Facts about the module that library functions adapt to.
    pub uses: Uses,
    /// The annotations of the fences that the program calls by the model's own names.
    pub fences: Vec<String>,
    /// The functions of the library that have been written, by name.
    pub own_functions: Vec<(String, FuncId)>,
    /// The objects of the library that have been made, by name.
    pub own_objects: Vec<(String, u64)>,
    /// Tags that accesses carry besides those of the mapping.
    pub besides: Vec<String>,
    /// The functions in which threads begin, by those that they run, where these are not the same.
    pub starts: FxHashMap<FuncId, FuncId>,
    /// The function of Rust's standard library that runs the destructors of a thread's local variables.
    pub run_at_end: Option<FuncId>,
}

/// What a module uses, found before lowering.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uses {
    /// Mutexes may have a kind: recursive, error-checking.
    pub mutex_kinds: bool,
    /// What `pthread_barrier_wait` returns is looked at.
    pub serial_threads: bool,
    /// One of these kinds may be the error-checking one.
    pub checking_mutexes: bool,
    /// Thread-specific data may have destructors.
    pub destructors: bool,
    /// Creating and joining threads are accesses, too.
    pub accesses_order_threads: bool,
    /// Clocks are read.
    pub clocks: bool,
    /// `errno` is looked at.
    pub errno: bool,
    /// Threads may have ordinary accesses marked.
    pub marks: bool,
    /// What is a finding only when it is asked for.
    pub checks: Checks,
    /// A model sees flushes, and what a disk is told.
    pub persists: bool,
    /// Which of what survives a crash shares a line of the cache.
    pub lines: Lines,
    /// Calls may be left.
    pub unwinds: bool,
}

impl Context<'_> {
    /// A sentence for the user about something that is not modelled faithfully, once.
    pub fn note(&mut self, text: &str) {
        if !self.builder.program.notes.iter().any(|n| n == text) {
            self.builder.program.notes.push(text.to_owned());
        }
    }

    pub(super) fn access_tags(&mut self, tags: &[String]) -> TagSetId {
        self.builder.tag_set(tags.iter().chain(&self.besides).map(String::as_str))
    }

    pub(super) fn tags(&mut self, tags: &[String]) -> TagSetId {
        self.builder.tag_set(tags.iter().map(String::as_str))
    }
}

/// A function that is being written.
pub struct Code<'c, 'm> {
    /// Its instructions.
    pub f: &'c mut FunctionBuilder,
    /// The program around it.
    pub cx: &'c mut Context<'m>,
}

/// The operands of a compare-and-swap.
pub struct CompareAndSwap {
    /// Address.
    pub addr: Operand,
    /// Bytes.
    pub size: u8,
    /// The value that must be there.
    pub expected: Operand,
    /// The value that is put there.
    pub new: Operand,
    /// Order when it succeeds.
    pub success: Order,
    /// Order when it fails.
    pub failure: Order,
}

impl<'m> Code<'_, 'm> {
    /// `a op b` in a fresh register.
    pub fn bin(&mut self, op: BinOp, bits: u8, a: Operand, b: Operand) -> Operand {
        let dst = self.f.reg();
        self.f.push(Instr::Bin { dst, op, bits, a, b });
        Operand::Reg(dst)
    }

    /// `op a` in a fresh register.
    pub fn un(&mut self, op: UnOp, bits: u8, a: Operand) -> Operand {
        let dst = self.f.reg();
        self.f.push(Instr::Un { dst, op, bits, a });
        Operand::Reg(dst)
    }

    /// One of these values, another one in other executions.
    pub fn choose(&mut self, values: &[u64]) -> Operand {
        let dst = self.f.reg();
        self.f.push(Instr::Choose { dst, values: values.into() });
        Operand::Reg(dst)
    }

    /// 0, or in other executions 1, where the thread comes by once only. In loops 0: what may happen in each round may happen without end.
    pub fn may_once(&mut self) -> Operand {
        let [repeats, dst] = [(); 2].map(|()| self.f.reg());
        let (once, done) = (self.f.label(), self.f.label());
        self.f.push(Instr::Repeats { dst: repeats });
        self.f.push(Instr::Set { dst, src: Operand::Const(0) });
        self.inner_branch(Operand::Reg(repeats), done, once);
        self.f.place(once);
        self.f.push(Instr::Choose { dst, values: [0, 1].into() });
        self.f.place(done);
        Operand::Reg(dst)
    }

    /// `a + constant` on addresses.
    pub fn offset(&mut self, a: Operand, by: u64) -> Operand {
        match a {
            _ if by == 0 => a,
            Operand::Const(c) => Operand::Const(c.wrapping_add(by)),
            _ => self.bin(BinOp::Add, 64, a, Operand::Const(by)),
        }
    }

    /// Stops with a message: something that is not modelled was reached.
    pub fn unsupported(&mut self, message: impl Into<String>) {
        self.f.push(Instr::Fail { message: message.into().into(), unsupported: true });
    }

    /// A finding when the program ends with another code than 0.
    pub fn check_exit_code(&mut self, value: Operand) {
        if self.cx.uses.checks.exit_codes {
            let low = self.un(UnOp::Trunc, 32, value);
            let cond = self.bin(BinOp::Eq, 32, low, Operand::Const(0));
            self.f.push(Instr::Check { cond, fault: Box::new(Fault::ExitCode) });
        }
    }

    /// A conditional jump whose control dependency ends as the mapping says.
    pub fn branch(&mut self, cond: Operand, then: Label, otherwise: Label) {
        let join = if self.cx.mapping.branches_never_end { Join::Never } else { Join::Merge };
        self.branch_to(cond, then, otherwise, join);
    }

    fn branch_to(&mut self, cond: Operand, then: Label, otherwise: Label, join: Join) {
        let (then, otherwise) = (FunctionBuilder::target(then), FunctionBuilder::target(otherwise));
        self.f.push(Instr::Branch { cond, then, otherwise, join });
    }

    /// A conditional jump inside one operation: it makes no control dependency.
    pub fn inner_branch(&mut self, cond: Operand, then: Label, otherwise: Label) {
        self.branch_to(cond, then, otherwise, Join::NoDependency);
    }

    /// An unconditional jump.
    pub fn jump(&mut self, to: Label) {
        self.f.push(Instr::Jump(FunctionBuilder::target(to)));
    }

    /// A fence with these tags.
    pub fn fence_tags(&mut self, tags: &[String]) {
        let tags = self.cx.tags(tags);
        self.f.next_group();
        self.f.push(Instr::Fence { tags, addr: None, is_fence: true });
    }

    /// A fence of an order.
    pub fn fence(&mut self, order: Order) {
        let mapping = self.cx.mapping;
        self.run(mapping.steps(Access::Fence, order), None);
    }

    /// Goes on only when a condition holds. Where branches never end, that is a branch; an assumption is one to a compiler, too.
    pub fn stop_unless(&mut self, cond: Operand, why: Stop) {
        self.f.push(Instr::StopUnless { cond, why });
        if self.cx.mapping.branches_never_end || why == Stop::Assume && self.cx.mapping.is_semantic() {
            self.depend_on(cond);
        }
    }

    /// A finding when a condition of the program is false, where the thread ends: what follows depends on the condition.
    pub fn assert(&mut self, cond: Operand, message: impl Into<Box<str>>) {
        self.f.push(Instr::Assert { cond, message: message.into() });
        if self.cx.mapping.branches_never_end || self.cx.mapping.is_semantic() {
            self.depend_on(cond);
        }
    }

    /// Has everything that follows in the thread depend on a value for control.
    fn depend_on(&mut self, cond: Operand) {
        let next = self.f.label();
        self.branch_to(cond, next, next, Join::Never);
        self.f.place(next);
    }

    /// Steps that are not accesses.
    pub(super) fn run(&mut self, steps: &'m [Step], read: Option<Operand>) {
        for step in steps {
            match (step, read) {
                (Step::Fence(tags), _) => self.fence_tags(tags),
                (Step::Branch, Some(cond)) => self.depend_on(cond),
                _ => {}
            }
        }
    }

    /// An ordinary access, which is a relaxed one while the thread has them marked.
    fn ordinary(&mut self, access: impl Fn(&mut Self, Order)) {
        if !self.cx.uses.marks {
            return access(self, Order::Na);
        }
        let announced = self.f.announced();
        let [relaxed, plain, done] = [(); 3].map(|()| self.f.label());
        let marked = self.f.reg();
        self.f.push(Instr::ReadWord { dst: marked, word: MARKED });
        self.inner_branch(Operand::Reg(marked), relaxed, plain);
        self.f.place(relaxed);
        access(self, Order::Rlx);
        self.jump(done);
        self.f.place(plain);
        self.f.announce(announced);
        access(self, Order::Na);
        self.f.place(done);
    }

    /// A load.
    pub fn load(&mut self, dst: Reg, addr: Operand, size: u8, order: Order) {
        match order {
            Order::Na => self.ordinary(|code, order| code.load_as(dst, addr, size, order)),
            _ => self.load_as(dst, addr, size, order),
        }
    }

    fn load_as(&mut self, dst: Reg, addr: Operand, size: u8, order: Order) {
        let mapping = self.cx.mapping;
        let (before, tags, after) = split(mapping.steps(Access::Load, order), |s| matches!(s, Step::Read(_)));
        self.run(before, None);
        self.f.next_group();
        let tags = self.cx.access_tags(tags);
        self.f.push(Instr::Load(Load { dst, addr, size, tags, half: Half::None, unless: None, hidden: false }));
        self.run(after, Some(Operand::Reg(dst)));
    }

    /// A load into a fresh register.
    pub fn load_new(&mut self, addr: Operand, size: u8, order: Order) -> Operand {
        let dst = self.f.reg();
        self.load(dst, addr, size, order);
        Operand::Reg(dst)
    }

    /// A store.
    pub fn store(&mut self, addr: Operand, value: Operand, size: u8, order: Order) {
        match order {
            Order::Na => self.ordinary(|code, order| code.store_as(addr, value, size, order)),
            _ => self.store_as(addr, value, size, order),
        }
    }

    fn store_as(&mut self, addr: Operand, value: Operand, size: u8, order: Order) {
        let mapping = self.cx.mapping;
        let (before, tags, after) = split(mapping.steps(Access::Store, order), |s| matches!(s, Step::Write(_)));
        self.run(before, None);
        self.f.next_group();
        let tags = self.cx.access_tags(tags);
        self.f.push(Instr::Store(Store { addr, value, size, tags, half: Half::None, hidden: false }));
        self.run(after, None);
    }

    /// A read-modify-write that always writes; `update` makes the new value from the old one.
    pub fn rmw(
        &mut self,
        dst: Reg,
        addr: Operand,
        size: u8,
        order: Order,
        update: impl FnOnce(&mut Self, Operand) -> Operand,
    ) {
        let mapping = self.cx.mapping;
        let steps = mapping.steps(Access::Rmw, order);
        let (before, read_tags, rest) = split(steps, |s| matches!(s, Step::Read(_)));
        let (between, write_tags, after) = split(rest, |s| matches!(s, Step::Write(_)));
        let old = Operand::Reg(dst);
        self.run(before, None);
        self.f.next_group();
        let (half, other_half) = mapping.pair;
        let tags = self.cx.tags(read_tags);
        self.f.push(Instr::Load(Load { dst, addr, size, tags, half, unless: None, hidden: false }));
        self.run(between, Some(old));
        let value = update(self, old);
        self.separate_halves();
        let tags = self.cx.tags(write_tags);
        self.f.push(Instr::Store(Store { addr, value, size, tags, half: other_half, hidden: false }));
        self.run(after, Some(old));
    }

    /// The halves of an exclusive pair are two instructions, those of any other pair one.
    pub(super) fn separate_halves(&mut self) {
        if self.cx.mapping.pair.0 == Half::ExRead {
            self.f.next_group();
        }
    }

    /// A compare-and-swap. `dst` gets the old value; the result is whether it was the expected one.
    pub fn compare_and_swap(&mut self, dst: Reg, cas: &CompareAndSwap) -> Operand {
        let mapping = self.cx.mapping;
        let &CompareAndSwap { addr, size, new, success, failure, .. } = cas;
        let (done, failed) = (self.f.label(), self.f.label());
        let ok = self.guarded_read(dst, cas, failed);
        let steps = mapping.steps(Access::Rmw, merge(success, failure));
        let (_, _, rest) = split(steps, |s| matches!(s, Step::Read(_)));
        let (between, write_tags, after) = split(rest, |s| matches!(s, Step::Write(_)));
        self.run(between, Some(Operand::Reg(dst)));
        self.separate_halves();
        let tags = self.cx.tags(write_tags);
        self.f.push(Instr::Store(Store { addr, value: new, size, tags, half: mapping.pair.1, hidden: false }));
        self.run(after, Some(Operand::Reg(dst)));
        let behind_failing = if acquires(failure) { after } else { &[] };
        if !behind_failing.is_empty() {
            self.jump(done);
        }
        self.f.place(failed);
        self.run(behind_failing, Some(Operand::Reg(dst)));
        self.f.place(done);
        ok
    }

    /// A weak compare-and-swap: where the thread comes by once only, it may also fail although the value is the expected one.
    pub fn weak_compare_and_swap(&mut self, dst: Reg, cas: &CompareAndSwap) -> Operand {
        self.cx.note(WEAK);
        let ok = self.f.reg();
        let [fails, tries, done] = [(); 3].map(|()| self.f.label());
        let spurious = self.may_once();
        self.inner_branch(spurious, fails, tries);
        self.f.place(fails);
        self.fail_spuriously(dst, cas);
        self.f.push(Instr::Set { dst: ok, src: Operand::Const(0) });
        self.jump(done);
        self.f.place(tries);
        let src = self.compare_and_swap(dst, cas);
        self.f.push(Instr::Set { dst: ok, src });
        self.f.place(done);
        Operand::Reg(ok)
    }

    /// A compare-and-swap that fails although it reads what it expects. (What fails because it reads something else is explored as such.)
    fn fail_spuriously(&mut self, dst: Reg, cas: &CompareAndSwap) {
        let mapping = self.cx.mapping;
        let &CompareAndSwap { addr, size, expected, failure, .. } = cas;
        let order = merge(cas.success, failure);
        let (_, _, after) = split(mapping.steps(Access::Rmw, order), |s| matches!(s, Step::Write(_)));
        self.before_guarded_read(cas);
        let tags = self.cx.tags(mapping.failing_tags(order, failure));
        self.f.push(Instr::Load(Load { dst, addr, size, tags, half: Half::None, unless: None, hidden: false }));
        let cond = self.bin(BinOp::Eq, 64, Operand::Reg(dst), expected);
        self.f.push(Instr::StopUnless { cond, why: Stop::Assume });
        if self.branches_between_halves() {
            self.depend_on(cond);
        }
        if acquires(failure) {
            self.run(after, Some(Operand::Reg(dst)));
        }
    }

    /// The steps before the reading half of a compare-and-swap. The result is the tags of one that succeeds.
    pub(super) fn before_guarded_read(&mut self, cas: &CompareAndSwap) -> TagSetId {
        let mapping = self.cx.mapping;
        let order = merge(cas.success, cas.failure);
        let (before, read_tags, _) = split(mapping.steps(Access::Rmw, order), |s| matches!(s, Step::Read(_)));
        self.run(mapping.before_failing(cas.failure), None);
        self.run(before, None);
        self.f.next_group();
        self.cx.tags(read_tags)
    }

    /// Machine code compares and branches between the halves of an exclusive pair; one instruction does not.
    fn branches_between_halves(&self) -> bool {
        self.cx.mapping.pair.0 == Half::ExRead && self.cx.mapping.branches_never_end
    }

    /// The reading half of a compare-and-swap; goes to `failed` when the value is another one.
    fn guarded_read(&mut self, dst: Reg, cas: &CompareAndSwap, failed: Label) -> Operand {
        let mapping = self.cx.mapping;
        let tags = self.before_guarded_read(cas);
        let failing = self.cx.tags(mapping.failing_tags(merge(cas.success, cas.failure), cas.failure));
        let unless = Some(Unless { expected: cas.expected, tags: failing, half: Half::None });
        let (addr, size, half) = (cas.addr, cas.size, mapping.pair.0);
        self.f.push(Instr::Load(Load { dst, addr, size, tags, half, unless, hidden: false }));
        let ok = self.bin(BinOp::Eq, 64, Operand::Reg(dst), cas.expected);
        let succeeded = self.f.label();
        let join = if self.branches_between_halves() { Join::Never } else { Join::NoDependency };
        self.branch_to(ok, succeeded, failed, join);
        self.f.place(succeeded);
        ok
    }

    /// As a compare-and-swap that waits until it succeeds.
    pub fn acquire_when(&mut self, addr: Operand, size: u8, expected: Operand, new: Operand) {
        self.acquire_or_stop(addr, size, expected, new, Stop::Await);
    }

    /// As a compare-and-swap where the thread stops when it fails.
    pub fn acquire_or_stop(&mut self, addr: Operand, size: u8, expected: Operand, new: Operand, why: Stop) {
        let mapping = self.cx.mapping;
        let steps = mapping.steps(Access::Rmw, Order::Acq);
        let (before, read_tags, rest) = split(steps, |s| matches!(s, Step::Read(_)));
        let (between, write_tags, after) = split(rest, |s| matches!(s, Step::Write(_)));
        self.run(before, None);
        self.f.next_group();
        let dst = self.f.reg();
        let tags = self.cx.tags(read_tags);
        let failing = self.cx.tags(mapping.failing_tags(Order::Acq, Order::Rlx));
        let unless = Some(Unless { expected, tags: failing, half: Half::None });
        let (half, other_half) = mapping.pair;
        self.f.push(Instr::Load(Load { dst, addr, size, tags, half, unless, hidden: false }));
        let cond = self.bin(BinOp::Eq, 64, Operand::Reg(dst), expected);
        self.f.push(Instr::StopUnless { cond, why });
        self.run(between, Some(Operand::Reg(dst)));
        self.separate_halves();
        let tags = self.cx.tags(write_tags);
        self.f.push(Instr::Store(Store { addr, value: new, size, tags, half: other_half, hidden: false }));
        self.run(after, Some(Operand::Reg(dst)));
    }

    /// Waits until a location holds a value.
    pub fn await_equal(&mut self, addr: Operand, size: u8, value: Operand, order: Order) {
        let read = self.load_new(addr, size, order);
        let cond = self.bin(BinOp::Eq, 64, read, value);
        self.f.push(Instr::StopUnless { cond, why: Stop::Await });
    }

    /// Calls a function of the program.
    pub fn call(&mut self, callee: Callee, args: Vec<Operand>, dst: Option<Reg>) {
        if let Callee::Indirect(target) = callee
            && self.cx.mapping.branches_never_end
        {
            self.depend_on(target);
        }
        self.f.push(Instr::Call { callee, args: args.into(), dst });
    }

    /// The address of a function.
    pub fn function_address(id: FuncId) -> Operand {
        Operand::Const(ProgramBuilder::function_address(id))
    }
}

/// Whether what comes behind a read of an order is ordered by it.
pub(super) fn acquires(order: Order) -> bool {
    matches!(order, Order::Acq | Order::Con | Order::Sc)
}

/// The order of the read-modify-write that implements a compare-and-swap with these two orders.
pub(super) fn merge(success: Order, failure: Order) -> Order {
    match (success, failure) {
        (_, Order::Sc) => Order::Sc,
        (Order::Rlx, Order::Acq) => Order::Acq,
        (Order::Rel, Order::Acq) => Order::AcqRel,
        _ => success,
    }
}

/// The steps before an access, its tags, and the steps after it.
pub(super) fn split(steps: &[Step], is_access: impl Fn(&Step) -> bool) -> (&[Step], &[String], &[Step]) {
    match steps.iter().position(is_access) {
        Some(at) => match &steps[at] {
            Step::Read(tags) | Step::Write(tags) => (&steps[..at], tags, &steps[at + 1..]),
            _ => (steps, &[], &[]),
        },
        None => (steps, &[], &[]),
    }
}
