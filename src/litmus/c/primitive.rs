//! The internal operations that macro files are made of (`LITMUS.md` §2.2, annotations copied to both halves).

use super::Translator;
use super::expression::Scope;
use crate::cat::def::{AtomicOp, Expr, Primitive};
use crate::litmus::error::Error;
use crate::litmus::processors::asm::constant;
use crate::program::{BinOp, Half, Instr, Join, Load, Operand, Stop, Store, Unless};

/// The event set that an annotation means: its first letter in upper case.
fn capitalised(annotation: &str) -> String {
    let mut letters = annotation.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

impl Translator<'_, '_> {
    /// Performs an operation; gives its value if it has one.
    pub(super) fn primitive(
        &mut self,
        op: Primitive,
        annotations: &[String],
        args: &[Expr],
        operator: Option<AtomicOp>,
        scope: &Scope,
    ) -> Result<Option<Operand>, Error> {
        let names: Vec<String> = annotations.iter().map(|a| capitalised(a)).collect();
        let tags: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut both = tags.clone();
        both.extend(["RMW", "X"]);
        let wanted = match op {
            Primitive::Fence => 0..=0,
            Primitive::Load | Primitive::Lock | Primitive::TryLock | Primitive::Unlock | Primitive::IsLocked => 1..=1,
            Primitive::Store | Primitive::Xchg => 2..=2,
            Primitive::AtomicOp | Primitive::AtomicOpReturn | Primitive::AtomicFetchOp => 2..=2,
            Primitive::CmpXchg | Primitive::AtomicAddUnless => 3..=3,
            Primitive::Srcu => 1..=2,
        };
        if !wanted.contains(&args.len()) {
            return self.refuse("litmus::arguments", "this operation has another number of arguments");
        }
        match op {
            Primitive::Load => {
                let (address, size) = self.lvalue(&args[0], scope)?;
                Ok(Some(self.at.load(address, size, &tags, Half::None)))
            }
            Primitive::Store => {
                let (address, size) = self.lvalue(&args[0], scope)?;
                let value = self.value(&args[1], scope)?;
                self.at.store(address, value, size, &tags, Half::None);
                Ok(None)
            }
            Primitive::Fence => {
                self.at.fence(&tags);
                Ok(None)
            }
            Primitive::Xchg => {
                let (address, size) = self.pointer(&args[0], scope)?;
                let value = self.value(&args[1], scope)?;
                let old = self.at.load(address, size, &both, Half::AmoRead);
                self.at.store(address, value, size, &both, Half::AmoWrite);
                Ok(Some(old))
            }
            Primitive::CmpXchg => self.compare_exchange(args, &both, scope).map(Some),
            Primitive::AtomicOp | Primitive::AtomicOpReturn | Primitive::AtomicFetchOp => {
                let (address, size) = self.pointer(&args[0], scope)?;
                let operand = self.value(&args[1], scope)?;
                let old = self.at.load(address, size, &both, Half::AmoRead);
                let new = self.at.bin(operation(operator), 32, old, operand);
                self.at.store(address, new, size, &both, Half::AmoWrite);
                Ok(match op {
                    Primitive::AtomicOp => None,
                    Primitive::AtomicOpReturn => Some(new),
                    _ => Some(old),
                })
            }
            Primitive::AtomicAddUnless => self.add_unless(args, &both, scope).map(Some),
            Primitive::Lock | Primitive::TryLock | Primitive::Unlock | Primitive::IsLocked => {
                let (address, size) = self.pointer(&args[0], scope)?;
                Ok(self.lock(op, address, size))
            }
            Primitive::Srcu => {
                let (address, _) = self.pointer(&args[0], scope)?;
                if let Some(value) = args.get(1) {
                    self.value(value, scope)?;
                }
                let tags = self.at.builder.tag_set(tags.iter().copied());
                self.at.push(Instr::Fence { tags, addr: Some(address), is_fence: false });
                Ok(None)
            }
        }
    }

    /// A failure is the read alone. The value expected makes no dependency.
    fn compare_exchange(&mut self, args: &[Expr], tags: &[&str], scope: &Scope) -> Result<Operand, Error> {
        let (address, size) = self.pointer(&args[0], scope)?;
        let expected = self.value(&args[1], scope)?;
        let new = self.value(&args[2], scope)?;
        let old = self.at.load_unless(address, size, tags, Half::AmoRead, Some((expected, tags, Half::None)));
        let differs = self.at.bin(BinOp::Ne, 32, old, expected);
        let done = self.at.function.label();
        self.at.branch(differs, done, Join::NoDependency);
        self.at.store(address, new, size, tags, Half::AmoWrite);
        self.at.function.place(done);
        Ok(old)
    }

    fn add_unless(&mut self, args: &[Expr], tags: &[&str], scope: &Scope) -> Result<Operand, Error> {
        let (address, size) = self.pointer(&args[0], scope)?;
        let addend = self.value(&args[1], scope)?;
        let limit = self.value(&args[2], scope)?;
        // Read as the limit, it is a failure: the other way round than for a comparison.
        let old = self.at.load(address, size, tags, Half::AmoRead);
        let differs = self.at.bin(BinOp::Ne, 32, old, limit);
        let (add, done) = (self.at.function.label(), self.at.function.label());
        self.at.branch(differs, add, Join::NoDependency);
        self.at.jump(done);
        self.at.function.place(add);
        let new = self.at.bin(BinOp::Add, 32, old, addend);
        self.at.store(address, new, size, tags, Half::AmoWrite);
        self.at.function.place(done);
        Ok(differs)
    }

    /// Lock events: outside of `R` and `W`, their names are their sets.
    fn lock(&mut self, op: Primitive, address: Operand, size: u8) -> Option<Operand> {
        match op {
            Primitive::Unlock => {
                self.lock_store(address, size, "UL", 0, Half::None);
                None
            }
            Primitive::Lock => {
                let old = self.lock_load(address, size, "LKR", None, Half::AmoRead);
                let free = self.at.bin(BinOp::Eq, 32, old, constant(0));
                self.at.push(Instr::StopUnless { cond: free, why: Stop::Await });
                self.lock_store(address, size, "LKW", 1, Half::AmoWrite);
                None
            }
            Primitive::TryLock => {
                let old = self.lock_load(address, size, "LKR", Some((0, "LF")), Half::AmoRead);
                let free = self.at.bin(BinOp::Eq, 32, old, constant(0));
                let (take, done) = (self.at.function.label(), self.at.function.label());
                self.at.branch(free, take, Join::NoDependency);
                self.at.jump(done);
                self.at.function.place(take);
                self.lock_store(address, size, "LKW", 1, Half::AmoWrite);
                self.at.function.place(done);
                Some(free)
            }
            _ => {
                let old = self.lock_load(address, size, "RL", Some((1, "RU")), Half::None);
                Some(self.at.bin(BinOp::Ne, 32, old, constant(0)))
            }
        }
    }

    fn lock_load(&mut self, addr: Operand, size: u8, tag: &str, unless: Option<(i64, &str)>, half: Half) -> Operand {
        let dst = self.at.temporary();
        let tags = self.at.builder.tag_set([tag, "LK"]);
        let unless = unless.map(|(expected, tag)| Unless {
            expected: constant(expected),
            tags: self.at.builder.tag_set([tag, "LK"]),
            half: Half::None,
        });
        self.at.push(Instr::Load(Load { dst, addr, size, tags, half, unless, hidden: true }));
        Operand::Reg(dst)
    }

    fn lock_store(&mut self, addr: Operand, size: u8, tag: &str, value: i64, half: Half) {
        let tags = self.at.builder.tag_set([tag, "LK"]);
        self.at.push(Instr::Store(Store { addr, value: constant(value), size, tags, half, hidden: true }));
    }
}

fn operation(operator: Option<AtomicOp>) -> BinOp {
    match operator {
        None | Some(AtomicOp::Add) => BinOp::Add,
        Some(AtomicOp::Sub) => BinOp::Sub,
        Some(AtomicOp::And) => BinOp::And,
        Some(AtomicOp::Or) => BinOp::Or,
        Some(AtomicOp::Xor) => BinOp::Xor,
        Some(AtomicOp::AndNot) => BinOp::AndNot,
    }
}
