//! Atomic accesses of sixteen bytes: two words in one access, as where others overlap an access in part ([`crate::program::cuts`]). So models see that no part of
//! it is missed.

use super::code::{Code, CompareAndSwap, WEAK, acquires, merge, split};
use super::wide::Words;
use super::{FunctionLowering, Lowered};
use crate::ids::TagSetId;
use crate::llvm::ir::{Local, Order, TypeId, Value};
use crate::llvm::mapping::{Access, Step};
use crate::program::*;

/// Bytes of such an access.
pub const SIZE: u8 = 16;
/// Bytes of a word.
const WORD: u8 = 8;

/// A compare-and-swap of two words.
pub struct Swap {
    /// Address.
    pub addr: Operand,
    /// The value that must be there.
    pub expected: Words,
    /// The value that is put there.
    pub new: Words,
    /// Order when it succeeds.
    pub success: Order,
    /// Order when it fails.
    pub failure: Order,
}

/// An access that is being made: the addresses of its words, and which parts they are.
#[derive(Clone, Copy)]
struct Halves([(Operand, Part); 2]);

impl FunctionLowering<'_, '_> {
    /// An atomic read-modify-write.
    pub(super) fn double_rmw(
        &mut self,
        op: &str,
        ty: TypeId,
        (addr, value): (Operand, &Value),
        order: Order,
        result: Option<Local>,
    ) -> Lowered<()> {
        let value = self.words(ty, value)?;
        let known = ["xchg", "nand", "add", "sub", "and", "or", "xor", "max", "min", "umax", "umin"];
        if !known.contains(&op) {
            return Err(format!("`atomicrmw {op}` on sixteen bytes is not supported"));
        }
        let old = self.code().double_rmw(addr, order, |code, old| code.updated(op, old, value));
        if let Some(result) = result {
            self.alias(result, old.to_vec());
        }
        Ok(())
    }

    /// A compare-and-swap: the old value, and whether it was the expected one.
    pub(super) fn double_swap(&mut self, result: Local, swap: &Swap, weak: bool) {
        let dst = [self.f.reg(), self.f.reg()];
        let code = &mut self.code();
        let ok = if weak { code.weak_double_swap(dst, swap) } else { code.double_swap(dst, swap) };
        self.alias(result, vec![Operand::Reg(dst[0]), Operand::Reg(dst[1]), ok]);
    }
}

impl<'m> Code<'_, 'm> {
    fn halves(&mut self, addr: Operand) -> Halves {
        let access = self.f.next_access();
        let upper = self.offset(addr, u64::from(WORD));
        Halves([(addr, 0), (upper, WORD)].map(|(addr, offset)| (addr, Part { access, offset, whole: SIZE })))
    }

    fn read_halves(&mut self, dst: [Reg; 2], halves: Halves, tags: TagSetId, half: Half, expected: Option<Words>) {
        for (i, (addr, part)) in halves.0.into_iter().enumerate() {
            let unless = expected.map(|expected| Unless { expected: expected[i], tags, half });
            self.f.part(part);
            let load = Load { dst: dst[i], addr, size: WORD, tags, half, unless, hidden: false };
            self.f.push(Instr::Load(load));
        }
    }

    fn write_halves(&mut self, halves: Halves, value: Words, tags: TagSetId, half: Half) {
        for ((addr, part), value) in halves.0.into_iter().zip(value) {
            self.f.part(part);
            self.f.push(Instr::Store(Store { addr, value, size: WORD, tags, half, hidden: false }));
        }
    }

    /// A value that depends on both words.
    fn both(&mut self, dst: [Reg; 2]) -> Operand {
        self.bin(BinOp::Or, 64, Operand::Reg(dst[0]), Operand::Reg(dst[1]))
    }

    /// A load.
    pub(super) fn double_load(&mut self, dst: [Reg; 2], addr: Operand, order: Order) {
        let steps = self.cx.mapping.steps(Access::Load, order);
        let (before, tags, after) = split(steps, |s| matches!(s, Step::Read(_)));
        self.run(before, None);
        self.f.next_group();
        let (halves, tags) = (self.halves(addr), self.cx.access_tags(tags));
        self.read_halves(dst, halves, tags, Half::None, None);
        let read = self.both(dst);
        self.run(after, Some(read));
    }

    /// A store.
    pub(super) fn double_store(&mut self, addr: Operand, value: Words, order: Order) {
        let steps = self.cx.mapping.steps(Access::Store, order);
        let (before, tags, after) = split(steps, |s| matches!(s, Step::Write(_)));
        self.run(before, None);
        self.f.next_group();
        let (halves, tags) = (self.halves(addr), self.cx.access_tags(tags));
        self.write_halves(halves, value, tags, Half::None);
        self.run(after, None);
    }

    fn double_rmw(&mut self, addr: Operand, order: Order, update: impl FnOnce(&mut Self, Words) -> Words) -> Words {
        let mapping = self.cx.mapping;
        let (before, read_tags, rest) = split(mapping.steps(Access::Rmw, order), |s| matches!(s, Step::Read(_)));
        let (between, write_tags, after) = split(rest, |s| matches!(s, Step::Write(_)));
        let dst = [self.f.reg(), self.f.reg()];
        self.run(before, None);
        self.f.next_group();
        let (halves, tags) = (self.halves(addr), self.cx.tags(read_tags));
        self.read_halves(dst, halves, tags, mapping.pair.0, None);
        let read = self.both(dst);
        self.run(between, Some(read));
        let old = dst.map(Operand::Reg);
        let value = update(self, old);
        self.separate_halves();
        let (halves, tags) = (self.halves(addr), self.cx.tags(write_tags));
        self.write_halves(halves, value, tags, mapping.pair.1);
        self.run(after, Some(read));
        old
    }

    /// What a read-modify-write makes of a value.
    fn updated(&mut self, op: &str, old: Words, value: Words) -> Words {
        let extreme = match op {
            "max" => Some("sgt"),
            "min" => Some("slt"),
            "umax" => Some("ugt"),
            "umin" => Some("ult"),
            _ => None,
        };
        if let Some(predicate) = extreme {
            let cond = self.compare_words(predicate, 128, old, value).unwrap_or(Operand::Const(0));
            return [0, 1].map(|i| {
                let dst = self.f.reg();
                self.f.push(Instr::Select { dst, cond, a: old[i], b: value[i], on_cond: true });
                Operand::Reg(dst)
            });
        }
        match op {
            "xchg" => value,
            "nand" => self.words("and", 128, old, value).unwrap_or(value).map(|word| self.un(UnOp::Not, 64, word)),
            _ => self.words(op, 128, old, value).unwrap_or(value),
        }
    }

    /// A compare-and-swap. Whether it succeeds is chosen first, since the labels of both words tell it, and what is read is held against the choice.
    fn double_swap(&mut self, dst: [Reg; 2], swap: &Swap) -> Operand {
        let mapping = self.cx.mapping;
        let &Swap { addr, expected, new, success, failure } = swap;
        let order = merge(success, failure);
        let (_, _, rest) = split(mapping.steps(Access::Rmw, order), |s| matches!(s, Step::Read(_)));
        let (between, write_tags, after) = split(rest, |s| matches!(s, Step::Write(_)));
        let tags = self.before_guarded_read(&swap.orders());
        let failing = self.cx.tags(mapping.failing_tags(order, failure));
        let halves = self.halves(addr);
        let ok = self.f.reg();
        self.f.part(halves.0[0].1);
        self.f.push(Instr::Choose { dst: ok, values: [1, 0].into() });
        let [succeeds, fails, done] = [(); 3].map(|()| self.f.label());
        self.inner_branch(Operand::Reg(ok), succeeds, fails);
        self.f.place(succeeds);
        self.read_halves(dst, halves, tags, mapping.pair.0, Some(expected));
        self.expect(dst, expected, true);
        let read = self.both(dst);
        self.run(between, Some(read));
        self.separate_halves();
        let (written, tags) = (self.halves(addr), self.cx.tags(write_tags));
        self.write_halves(written, new, tags, mapping.pair.1);
        self.run(after, Some(read));
        self.jump(done);
        self.f.place(fails);
        self.read_halves(dst, halves, failing, Half::None, Some(expected));
        self.expect(dst, expected, false);
        if acquires(failure) {
            let read = self.both(dst);
            self.run(after, Some(read));
        }
        self.f.place(done);
        Operand::Reg(ok)
    }

    /// The thread stops unless what it has read is, or is not, what is expected.
    fn expect(&mut self, dst: [Reg; 2], expected: Words, same: bool) {
        let predicate = if same { "eq" } else { "ne" };
        let cond = self.compare_words(predicate, 128, dst.map(Operand::Reg), expected);
        self.f.push(Instr::StopUnless { cond: cond.unwrap_or(Operand::Const(0)), why: Stop::Assume });
    }

    /// A weak compare-and-swap: where the thread comes by once only, it may also fail although the value is the expected one.
    fn weak_double_swap(&mut self, dst: [Reg; 2], swap: &Swap) -> Operand {
        self.cx.note(WEAK);
        let ok = self.f.reg();
        let [fails, tries, done] = [(); 3].map(|()| self.f.label());
        let spurious = self.may_once();
        self.inner_branch(spurious, fails, tries);
        self.f.place(fails);
        let order = merge(swap.success, swap.failure);
        let steps = self.cx.mapping.steps(Access::Rmw, order);
        let (_, _, after) = split(steps, |s| matches!(s, Step::Write(_)));
        self.before_guarded_read(&swap.orders());
        let failing = self.cx.tags(self.cx.mapping.failing_tags(order, swap.failure));
        let halves = self.halves(swap.addr);
        self.read_halves(dst, halves, failing, Half::None, None);
        self.expect(dst, swap.expected, true);
        if acquires(swap.failure) {
            let read = self.both(dst);
            self.run(after, Some(read));
        }
        self.f.push(Instr::Set { dst: ok, src: Operand::Const(0) });
        self.jump(done);
        self.f.place(tries);
        let src = self.double_swap(dst, swap);
        self.f.push(Instr::Set { dst: ok, src });
        self.f.place(done);
        Operand::Reg(ok)
    }
}

impl Swap {
    /// As one of a word, of which only the orders are looked at.
    fn orders(&self) -> CompareAndSwap {
        let &Swap { addr, expected: [expected, _], new: [new, _], success, failure } = self;
        CompareAndSwap { addr, size: WORD, expected, new, success, failure }
    }
}
