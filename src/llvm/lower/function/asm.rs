//! Inline assembly: the x86 instructions that synchronisation code is written with, and the barriers of Arm, POWER and RISC-V.
//!
//! An empty template (a compiler barrier) does nothing. Plain moves are relaxed atomic accesses, locked instructions
//! sequentially consistent read-modify-writes, `mfence` a sequentially consistent fence, `lfence` an acquire and `sfence` a
//! release fence. A barrier of another architecture is itself to the models of that one, and to others the fence of C that says as much; one that orders nothing by itself
//! (`isb`, `isync`) is nothing to these. Cache flushes and non-temporal stores have a note. Anything else is named as unsupported.

use super::code::CompareAndSwap;
use super::{FunctionLowering, Lowered};
use crate::llvm::ir::{Arg, Local, Order, TypeId};
use crate::llvm::library::{ignored, persistent};
use crate::program::*;

/// One `$n` of a template.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// An output: the instruction's results in order.
    is_result: bool,
    /// In memory: its address.
    address: Option<Operand>,
    /// Its value: an input, or what was computed.
    value: Option<Operand>,
    /// Bytes of its value.
    size: u8,
    /// Bound to the accumulator.
    accumulator: bool,
    /// Bound to the zero flag.
    zero_flag: bool,
}

/// A barrier of Arm, POWER or RISC-V.
struct Barrier {
    /// How the names of fences begin in models of its architecture.
    family: &'static [&'static str],
    /// What these models call it; `FULL` stands for the shareability that the model's own full fence has.
    tag: String,
    /// The fence of C that orders as much, if it orders anything by itself.
    order: Option<Order>,
}

impl Barrier {
    fn of(mnemonic: &str, operands: &[&str]) -> Option<Barrier> {
        const ARM: &[&str] = &["DMB", "DSB"];
        const POWER: &[&str] = &["SYNC", "LWSYNC"];
        const RISCV: &[&str] = &["Fence"];
        let barrier = |family, tag: &str, order| Some(Barrier { family, tag: tag.to_owned(), order });
        match (mnemonic, operands) {
            ("dmb" | "dsb", [] | [_]) => {
                let domain = operands.first().copied().unwrap_or("sy").to_ascii_lowercase();
                let kind = domain.strip_prefix("ish").or(domain.strip_prefix("nsh")).or(domain.strip_prefix("osh"));
                let name = mnemonic.to_ascii_uppercase();
                match kind.unwrap_or(&domain) {
                    "" | "sy" => barrier(ARM, &format!("{name}.FULL"), Some(Order::Sc)),
                    "ld" => barrier(ARM, &format!("{name}.LD"), Some(Order::Acq)),
                    "st" => barrier(ARM, &format!("{name}.ST"), Some(Order::Rel)),
                    _ => None,
                }
            }
            ("isb", [] | [_]) => barrier(ARM, "ISB", None),
            ("sync" | "hwsync", []) => barrier(POWER, "SYNC", Some(Order::Sc)),
            ("lwsync", []) => barrier(POWER, "LWSYNC", Some(Order::AcqRel)),
            ("eieio", []) => barrier(POWER, "EIEIO", Some(Order::Rel)),
            ("isync", []) => barrier(POWER, "ISYNC", None),
            ("fence.tso", []) => barrier(RISCV, "Fence.tso", Some(Order::AcqRel)),
            ("fence", [] | [_, _]) => {
                let side = |i: usize| {
                    let side = operands.get(i).copied().unwrap_or("rw");
                    let (reads, writes) = (side.contains(['r', 'i']), side.contains(['w', 'o']));
                    match (reads, writes, side.trim_matches(['r', 'w', 'i', 'o']).is_empty()) {
                        (true, true, true) => Some("rw"),
                        (true, false, true) => Some("r"),
                        (false, true, true) => Some("w"),
                        _ => None,
                    }
                };
                let (before, after) = (side(0)?, side(1)?);
                let order = match (before, after) {
                    ("r", _) => Order::Acq,
                    (_, "w") => Order::Rel,
                    _ => Order::Sc,
                };
                barrier(RISCV, &format!("Fence.{before}.{after}"), Some(order))
            }
            _ => None,
        }
    }
}

impl<'m> FunctionLowering<'_, 'm> {
    pub(in crate::llvm::lower) fn inline_asm(
        &mut self,
        template: &str,
        constraints: &str,
        ret: TypeId,
        args: &'m [Arg],
        result: Option<Local>,
    ) -> Lowered<()> {
        let refuse = || format!("the inline assembly `{}` is not supported", template.trim());
        let mut slots: Vec<Slot> = Vec::new();
        let mut inputs = args.iter();
        for constraint in split_constraints(constraints) {
            let body = constraint.trim_start_matches(['=', '&', '+', '%']);
            if constraint.starts_with('~') {
                continue;
            }
            let output = constraint.starts_with('=');
            let mut slot = Slot {
                accumulator: body.contains("{ax}") || body == "a" || body.contains("{eax}") || body.contains("{rax}"),
                zero_flag: body.contains("@ccz") || body.contains("@cce"),
                ..Slot::default()
            };
            let indirect = body.starts_with('*');
            if output && !indirect {
                slot.is_result = true;
                slots.push(slot);
                continue;
            }
            let arg = inputs.next().ok_or_else(refuse)?;
            let operand = self.operand(arg.ty, &arg.value)?;
            slot.size = self.module.module.types.size(arg.ty).try_into().unwrap_or(0);
            if let Ok(tied) = body.parse::<usize>() {
                slots.get_mut(tied).ok_or_else(refuse)?.value = Some(operand);
            }
            if indirect {
                slot.address = Some(operand);
            } else {
                slot.value = Some(operand);
            }
            slots.push(slot);
        }
        let mut zero = None;
        let mut locked = false;
        for line in template.split([';', '\n']) {
            let line = line.trim();
            let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let line = if first == "lock" {
                locked = true;
                rest.trim()
            } else {
                line
            };
            if line.is_empty() {
                continue;
            }
            let is_locked = std::mem::take(&mut locked);
            self.asm_instruction(line, is_locked, &mut slots, &mut zero).ok_or_else(refuse)?;
        }
        for slot in slots.iter_mut().filter(|s| s.zero_flag) {
            slot.value = zero;
        }
        let values: Option<Vec<Operand>> = slots.iter().filter(|s| s.is_result).map(|s| s.value).collect();
        let values = values.ok_or_else(refuse)?;
        let expected = self.module.module.types.leaves(ret, 16).map_or(0, |l| l.len());
        match result {
            Some(result) if expected == values.len() => {
                self.alias(result, values);
                Ok(())
            }
            None if values.is_empty() => Ok(()),
            _ => Err(refuse()),
        }
    }

    /// One instruction; `None` when it is not known.
    fn asm_instruction(
        &mut self,
        line: &str,
        locked: bool,
        slots: &mut [Slot],
        zero: &mut Option<Operand>,
    ) -> Option<()> {
        let (mnemonic, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let operands: Vec<&str> = rest.split(',').map(str::trim).filter(|o| !o.is_empty()).collect();
        if self.module.cx.uses.persists
            && let Some((flush, place)) = persistent::flush_of_instruction(mnemonic, &operands)
        {
            let slot = slots.get(slot_number(place)?)?;
            let address = slot.address.or(slot.value)?;
            persistent::force(&mut self.code(), &[flush], Some(address));
            return Some(());
        }
        if let Some(effect) = ignored::instruction(mnemonic) {
            effect(&mut self.code(), &[]);
            return Some(());
        }
        if let Some(barrier) = Barrier::of(mnemonic, &operands) {
            self.barrier(&barrier);
            return Some(());
        }
        match (mnemonic, operands.as_slice()) {
            ("mfence", []) => self.code().fence(Order::Sc),
            ("lfence", []) => self.code().fence(Order::Acq),
            ("sfence", []) => {
                self.code().fence(Order::Rel);
                persistent::store_fence(&mut self.code());
            }
            ("movnti" | "movntil" | "movntiq", [source, target]) => {
                let source = slots.get(slot_number(source)?)?;
                let (value, address) = (source.value?, slots.get(slot_number(target)?)?.address?);
                let size = match mnemonic {
                    "movntil" => 4,
                    "movntiq" => 8,
                    _ => source.size,
                };
                let mut code = self.code();
                if code.cx.uses.persists {
                    code.cx.besides = vec!["NT".to_owned()];
                } else {
                    code.cx.note(ignored::STREAMING);
                    code.cx.builder.program.samples = true;
                }
                code.store(address, value, size, Order::Rlx);
                code.cx.besides.clear();
            }
            // A locked instruction on the stack is the customary full fence.
            (_, [_, target]) if locked && target.ends_with("sp)") => self.code().fence(Order::Sc),
            // In Intel's syntax, on a variable of its own: the full fence of some crates of Rust.
            ("not", [target]) if locked => {
                let inside = target.strip_prefix("qword ptr [")?.strip_suffix(']')?;
                let address = slots.get(slot_number(inside)?)?.value?;
                let mut code = self.code();
                let old = code.f.reg();
                let all = Operand::Const(u64::MAX);
                code.rmw(old, address, 8, Order::Sc, |code, old| code.bin(BinOp::Xor, 64, old, all));
                code.fence(Order::Sc);
            }
            ("sete" | "setz", [target]) => {
                let value = (*zero)?;
                let slot = slots.get_mut(slot_number(target)?)?;
                match slot.address {
                    Some(address) => self.code().store(address, value, 1, Order::Na),
                    None => slot.value = Some(value),
                }
            }
            _ => return self.sized_instruction(mnemonic, &operands, locked, slots, zero),
        }
        Some(())
    }

    /// A barrier: by its own name where the model's fences are of its architecture.
    fn barrier(&mut self, barrier: &Barrier) {
        let mut code = self.code();
        let own = code.cx.mapping.full_fence();
        match own.first().filter(|own| barrier.family.iter().any(|name| own.starts_with(name))) {
            Some(own) => {
                let tag = barrier.tag.replace("FULL", own.rsplit('.').next().unwrap_or_default());
                code.fence_tags(&[tag]);
            }
            None => barrier.order.into_iter().for_each(|order| code.fence(order)),
        }
    }

    fn sized_instruction(
        &mut self,
        mnemonic: &str,
        operands: &[&str],
        locked: bool,
        slots: &mut [Slot],
        zero: &mut Option<Operand>,
    ) -> Option<()> {
        let (base, size) = mnemonic.split_at_checked(mnemonic.len().checked_sub(1)?)?;
        let size: u8 = match size {
            "b" => 1,
            "w" => 2,
            "l" => 4,
            "q" => 8,
            _ => return None,
        };
        let bits = size * 8;
        // AT&T order: the destination comes last.
        let (source, target) = match operands {
            [target] => (None, slot_number(target)?),
            [source, target] => (Some(*source), slot_number(target)?),
            _ => return None,
        };
        let immediate =
            source.and_then(|s| s.strip_prefix("$$")).and_then(|n| n.parse::<u64>().ok()).map(Operand::Const);
        let source_slot = source.and_then(slot_number).filter(|_| immediate.is_none());
        let value_of = |slots: &[Slot], n: usize| slots.get(n).and_then(|s| s.value);
        let target_address = slots.get(target)?.address;
        let source_value = immediate.or_else(|| value_of(slots, source_slot?));
        match (base, target_address) {
            ("mov", Some(address)) => {
                let value = self.code().un(UnOp::Trunc, bits, source_value?);
                self.code().store(address, value, size, Order::Rlx);
            }
            ("mov", None) => {
                slots[target].value = match slots.get(source_slot?)?.address {
                    Some(address) => Some(self.code().load_new(address, size, Order::Rlx)),
                    None => source_value,
                };
            }
            // The exchange is locked whether it says so or not, and symmetric.
            ("xchg", _) => {
                let (memory, register) = match target_address {
                    Some(_) => (target, source_slot?),
                    None => (source_slot?, target),
                };
                let (address, value) = (slots.get(memory)?.address?, value_of(slots, register)?);
                let dst = self.f.reg();
                self.code().rmw(dst, address, size, Order::Sc, |code, _| code.un(UnOp::Trunc, bits, value));
                slots[register].value = Some(Operand::Reg(dst));
            }
            ("xadd", Some(address)) if locked => {
                let value = source_value?;
                let dst = self.f.reg();
                self.code().rmw(dst, address, size, Order::Sc, |code, old| code.bin(BinOp::Add, bits, old, value));
                slots.get_mut(source_slot?)?.value = Some(Operand::Reg(dst));
            }
            ("cmpxchg", Some(addr)) if locked => {
                let accumulator = slots.iter().position(|s| s.accumulator && s.is_result)?;
                let (expected, new) = (slots[accumulator].value?, source_value?);
                let dst = self.f.reg();
                let mut code = self.code();
                let (expected, new) = (code.un(UnOp::Trunc, bits, expected), code.un(UnOp::Trunc, bits, new));
                let cas = CompareAndSwap { addr, size, expected, new, success: Order::Sc, failure: Order::Sc };
                *zero = Some(code.compare_and_swap(dst, &cas));
                slots[accumulator].value = Some(Operand::Reg(dst));
            }
            (_, address) => {
                let (op, operand) = match (base, source_value) {
                    ("inc", None) => (BinOp::Add, Operand::Const(1)),
                    ("dec", None) => (BinOp::Sub, Operand::Const(1)),
                    ("not", None) => (BinOp::Xor, Operand::Const(crate::llvm::lower::globals::mask(u64::MAX, bits))),
                    ("add", Some(v)) => (BinOp::Add, v),
                    ("sub", Some(v)) => (BinOp::Sub, v),
                    ("and", Some(v)) => (BinOp::And, v),
                    ("or", Some(v)) => (BinOp::Or, v),
                    ("xor", Some(v)) => (BinOp::Xor, v),
                    _ => return None,
                };
                let new = match address {
                    Some(address) if locked => {
                        let (dst, new) = (self.f.reg(), self.f.reg());
                        self.code().rmw(dst, address, size, Order::Sc, |code, old| {
                            code.f.push(Instr::Bin { dst: new, op, bits, a: old, b: operand });
                            Operand::Reg(new)
                        });
                        Operand::Reg(new)
                    }
                    Some(address) => {
                        let mut code = self.code();
                        let old = code.load_new(address, size, Order::Na);
                        let new = code.bin(op, bits, old, operand);
                        code.store(address, new, size, Order::Na);
                        new
                    }
                    None => {
                        let old = value_of(slots, target)?;
                        let new = self.code().bin(op, bits, old, operand);
                        slots[target].value = Some(new);
                        new
                    }
                };
                *zero = Some(self.code().bin(BinOp::Eq, bits, new, Operand::Const(0)));
            }
        }
        Some(())
    }
}

/// Constraints are separated by commas, except inside braces.
fn split_constraints(text: &str) -> Vec<&str> {
    let (mut out, mut depth, mut from) = (Vec::new(), 0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                out.push(&text[from..i]);
                from = i + 1;
            }
            _ => {}
        }
    }
    if from < text.len() {
        out.push(&text[from..]);
    }
    out
}

/// The number of `$n` or `${n:x}`.
fn slot_number(text: &str) -> Option<usize> {
    let text = text.strip_prefix('$')?;
    let inner = text.strip_prefix('{').and_then(|t| t.split([':', '}']).next()).unwrap_or(text);
    inner.parse().ok()
}
