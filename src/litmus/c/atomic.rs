//! The names of C11's `<stdatomic.h>` in litmus tests (`LITMUS.md` §2.3).
//!
//! A read-modify-write is one event. A compare-and-exchange reads the expected value through its pointer first, and
//! writes it back on failure. Taking a mutex is an acquire exchange that waits for the mutex to be free, giving it back a release
//! store; a model that knows no locks gives them their meaning so. Not here: conditions, timed and recursive mutexes.

use super::Translator;
use super::expression::{Scope, arguments};
use crate::cat::def::Expr;
use crate::litmus::error::{Error, nearest};
use crate::litmus::processors::asm::constant;
use crate::program::{BinOp, Half, Instr, Join, Operand, Stop};

/// The names understood.
pub const NAMES: &[&str] = &[
    "atomic_load",
    "atomic_load_explicit",
    "atomic_store",
    "atomic_store_explicit",
    "atomic_exchange",
    "atomic_exchange_explicit",
    "atomic_fetch_add",
    "atomic_fetch_add_explicit",
    "atomic_fetch_sub",
    "atomic_fetch_sub_explicit",
    "atomic_fetch_or",
    "atomic_fetch_or_explicit",
    "atomic_fetch_xor",
    "atomic_fetch_xor_explicit",
    "atomic_fetch_and",
    "atomic_fetch_and_explicit",
    "atomic_compare_exchange_strong",
    "atomic_compare_exchange_strong_explicit",
    "atomic_compare_exchange_weak",
    "atomic_compare_exchange_weak_explicit",
    "atomic_thread_fence",
    "atomic_flag_test_and_set",
    "atomic_flag_test_and_set_explicit",
    "atomic_flag_clear",
    "atomic_flag_clear_explicit",
    "atomic_signal_fence",
    "mtx_lock",
    "mtx_trylock",
    "mtx_unlock",
    "lock",
    "unlock",
    "SCAS",
    "WCAS",
];

const ORDERS: [(&str, &str); 6] = [
    ("memory_order_relaxed", "RLX"),
    ("memory_order_consume", "CON"),
    ("memory_order_acquire", "ACQ"),
    ("memory_order_release", "REL"),
    ("memory_order_acq_rel", "ACQ_REL"),
    ("memory_order_seq_cst", "SC"),
];

/// The names of memory orders.
pub fn orders() -> impl Iterator<Item = &'static str> {
    ORDERS.iter().map(|(name, _)| *name)
}

/// What a mutex being taken carries.
const TAKEN: &[&str] = &["ACQ", "A", "RMW", "X", "LK"];

impl Translator<'_, '_> {
    /// The set that a memory order means.
    fn order(&self, e: Option<&Expr>, scope: &Scope) -> Result<&'static str, Error> {
        let Some(e) = e else { return Ok("SC") };
        let name = match scope.resolve(e).0 {
            Expr::Name(name) => name.as_str(),
            _ => return self.refuse("litmus::memory-order", "expected a memory order"),
        };
        let known = ORDERS.iter().find(|(n, _)| *n == name || n.strip_prefix("memory_order_") == Some(name));
        known.map(|(_, tag)| *tag).ok_or_else(|| {
            let help = nearest(name, ORDERS.iter().map(|(n, _)| *n)).map(|n| format!("is `{n}` meant?"));
            Error::new("litmus::memory-order", self.span.clone(), format!("`{name}` is not a memory order"))
                .maybe_help(help)
        })
    }

    /// The arguments, when there are `n` of them besides the memory orders, of which there are `orders` if the name says `_explicit`.
    fn arity<'e>(
        &self,
        name: &str,
        args: &'e [Expr],
        n: usize,
        orders: usize,
    ) -> Result<(&'e [Expr], &'e [Expr]), Error> {
        let wanted = n + if name.ends_with("_explicit") { orders } else { 0 };
        if args.len() != wanted {
            return self
                .refuse("litmus::arguments", format!("`{name}` takes {}, not {}", arguments(wanted), args.len()));
        }
        Ok(args.split_at(n))
    }

    /// A call that is a statement without value; whether it was one.
    pub(super) fn atomic_statement(&mut self, name: &str, args: &[Expr], scope: &Scope) -> Result<bool, Error> {
        match name.strip_suffix("_explicit").unwrap_or(name) {
            "atomic_store" => {
                let (args, orders) = self.arity(name, args, 2, 1)?;
                let order = self.order(orders.first(), scope)?;
                let (address, size) = self.pointer(&args[0], scope)?;
                let value = self.value(&args[1], scope)?;
                self.at.store(address, value, size, &[order, "A"], Half::None);
            }
            "atomic_thread_fence" => {
                let (args, _) = self.arity(name, args, 1, 0)?;
                let order = self.order(args.first(), scope)?;
                self.at.fence(&[order]);
            }
            // A compiler's own fence orders nothing between threads.
            "atomic_signal_fence" => {
                let (args, _) = self.arity(name, args, 1, 0)?;
                self.order(args.first(), scope)?;
            }
            "atomic_flag_clear" => {
                let (args, orders) = self.arity(name, args, 1, 1)?;
                let order = self.order(orders.first(), scope)?;
                let (address, size) = self.pointer(&args[0], scope)?;
                self.at.store(address, constant(0), size, &[order, "A"], Half::None);
            }
            "lock" | "mtx_lock" => {
                let (args, _) = self.arity(name, args, 1, 0)?;
                let (address, size) = self.pointer(&args[0], scope)?;
                let old = self.at.load(address, size, TAKEN, Half::FusedRead);
                let free = self.at.bin(BinOp::Eq, 32, old, constant(0));
                self.at.push(Instr::StopUnless { cond: free, why: Stop::Await });
                self.at.store(address, constant(1), size, TAKEN, Half::FusedWrite);
            }
            "unlock" | "mtx_unlock" => {
                let (args, _) = self.arity(name, args, 1, 0)?;
                let (address, size) = self.pointer(&args[0], scope)?;
                self.at.store(address, constant(0), size, &["REL", "A", "UL"], Half::None);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A call that has a value, if it is one of C11's.
    pub(super) fn atomic_expression(
        &mut self,
        name: &str,
        args: &[Expr],
        scope: &Scope,
    ) -> Result<Option<Operand>, Error> {
        let stem = name.strip_suffix("_explicit").unwrap_or(name);
        let op = match stem {
            "atomic_load" => {
                let (args, orders) = self.arity(name, args, 1, 1)?;
                let order = self.order(orders.first(), scope)?;
                let (address, size) = self.pointer(&args[0], scope)?;
                return Ok(Some(self.at.load(address, size, &[order, "A"], Half::None)));
            }
            "atomic_flag_test_and_set" => {
                let (args, orders) = self.arity(name, args, 1, 1)?;
                let order = self.order(orders.first(), scope)?;
                let (address, size) = self.pointer(&args[0], scope)?;
                let tags = [order, "A", "RMW", "X"];
                let old = self.at.load(address, size, &tags, Half::FusedRead);
                self.at.store(address, constant(1), size, &tags, Half::FusedWrite);
                return Ok(Some(self.at.bin(BinOp::Ne, 32, old, constant(0))));
            }
            "mtx_trylock" => return self.try_lock(name, args, scope).map(Some),
            "atomic_compare_exchange_strong" | "SCAS" => return self.compare(name, args, false, scope).map(Some),
            "atomic_compare_exchange_weak" | "WCAS" => return self.compare(name, args, true, scope).map(Some),
            "atomic_exchange" => None,
            "atomic_fetch_add" => Some(BinOp::Add),
            "atomic_fetch_sub" => Some(BinOp::Sub),
            "atomic_fetch_or" => Some(BinOp::Or),
            "atomic_fetch_xor" => Some(BinOp::Xor),
            "atomic_fetch_and" => Some(BinOp::And),
            _ => return Ok(None),
        };
        let (args, orders) = self.arity(name, args, 2, 1)?;
        let order = self.order(orders.first(), scope)?;
        let (address, size) = self.pointer(&args[0], scope)?;
        let operand = self.value(&args[1], scope)?;
        let tags = [order, "A", "RMW", "X"];
        let old = self.at.load(address, size, &tags, Half::FusedRead);
        let new = match op {
            Some(op) => self.at.bin(op, 32, old, operand),
            None => operand,
        };
        self.at.store(address, new, size, &tags, Half::FusedWrite);
        Ok(Some(old))
    }

    /// 0 when the mutex was free and is taken now, 1 when it was not: then only the read has happened.
    fn try_lock(&mut self, name: &str, args: &[Expr], scope: &Scope) -> Result<Operand, Error> {
        let (args, _) = self.arity(name, args, 1, 0)?;
        let (address, size) = self.pointer(&args[0], scope)?;
        let busy = Some((constant(0), &["RLX", "A"][..], Half::None));
        let old = self.at.load_unless(address, size, TAKEN, Half::FusedRead, busy);
        let taken = self.at.bin(BinOp::Ne, 32, old, constant(0));
        let done = self.at.function.label();
        self.at.branch(taken, done, Join::NoDependency);
        self.at.store(address, constant(1), size, TAKEN, Half::FusedWrite);
        self.at.function.place(done);
        Ok(taken)
    }

    fn compare(&mut self, name: &str, args: &[Expr], weak: bool, scope: &Scope) -> Result<Operand, Error> {
        let (args, orders) = self.arity(name, args, 3, 2)?;
        let success = self.order(orders.first(), scope)?;
        let failure = self.order(orders.get(1), scope)?;
        let (object, size) = self.pointer(&args[0], scope)?;
        let object = self.at.copy(object);
        let (expected_at, expected_size) = self.pointer(&args[1], scope)?;
        let expected_at = self.at.copy(expected_at);
        let new = self.value(&args[2], scope)?;
        let expected = self.at.load(expected_at, expected_size, &["NA"], Half::None);
        // The three steps follow each other in program order.
        self.at.function.next_group();
        let done = self.at.function.label();
        let (swap, fail) = (self.at.function.label(), self.at.function.label());
        let result = self.at.temporary();
        let old = self.at.temporary();
        let success_tags = [success, "A", "RMW", "X"];
        let failure_tags = [failure, "A"];
        if weak {
            let spurious = self.at.function.label();
            let choice = self.at.temporary();
            self.at.push(Instr::Choose { dst: choice, values: Box::new([0, 1]) });
            self.at.branch(Operand::Reg(choice), spurious, Join::NoDependency);
            let matched = self.at.load(object, size, &success_tags, Half::FusedRead);
            let equal = self.at.bin(BinOp::Eq, 32, matched, expected);
            self.at.push(Instr::StopUnless { cond: equal, why: Stop::Assume });
            self.at.push(Instr::Set { dst: old, src: matched });
            self.at.jump(swap);
            self.at.function.place(spurious);
            let read = self.at.load(object, size, &failure_tags, Half::None);
            self.at.push(Instr::Set { dst: old, src: read });
            self.at.jump(fail);
        } else {
            let unless = Some((expected, &failure_tags[..], Half::None));
            let read = self.at.load_unless(object, size, &success_tags, Half::FusedRead, unless);
            self.at.push(Instr::Set { dst: old, src: read });
            let equal = self.at.bin(BinOp::Eq, 32, read, expected);
            self.at.branch(equal, swap, Join::NoDependency);
            self.at.jump(fail);
        }
        self.at.function.place(swap);
        self.at.store(object, new, size, &success_tags, Half::FusedWrite);
        self.outcome(result, old, 1);
        self.at.jump(done);
        self.at.function.place(fail);
        self.at.function.next_group();
        self.at.store(expected_at, Operand::Reg(old), expected_size, &["NA"], Half::None);
        self.outcome(result, old, 0);
        self.at.function.place(done);
        Ok(Operand::Reg(result))
    }

    /// The result of a comparison: a constant that depends on what was read.
    fn outcome(&mut self, dst: u32, old: u32, value: i64) {
        let cond = Operand::Reg(old);
        self.at.push(Instr::Select { dst, cond, a: constant(value), b: constant(value), on_cond: true });
    }
}
