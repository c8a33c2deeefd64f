//! What a disk or persistent memory is told: accesses to it, flushes, forces, and acknowledgements to the world outside.
//!
//! A force is an event of its own: it neither reads nor writes, and its address says what it is about. Its tags say to models what it does.

use super::emit::{Emit, SUCCESS, arg};
use crate::llvm::ir::Order;
use crate::llvm::lower::function::code::Code;
use crate::llvm::lower::function::memory::access_size;
use crate::program::*;

/// The number of a constant text: equal texts have the same one.
pub const NAME: &str = "__hmc_name";
/// The set of the barrier before which everything survives.
pub const BARRIER: &str = "PBARRIER";
/// How many acknowledgements a program may have.
const ACKNOWLEDGEMENTS: u64 = 16;
/// Each is as far from the next that they share no unit of memory.
const APART: u64 = 256;
const OBJECT: &str = "acknowledgements";

/// The function of a name.
pub fn find(name: &str) -> Option<Emit> {
    Some(match name {
        "__VERIFIER_pbarrier" => |code, _| {
            force(code, &[BARRIER], None);
            SUCCESS
        },
        "__hmc_thread" => |code, _| {
            let dst = code.f.reg();
            code.f.push(Instr::ThreadSelf { dst });
            Some(Operand::Reg(dst))
        },
        "hmc_ack" => |code, args| {
            if let Some(at) = acknowledgement(code, arg(args, 0)) {
                code.cx.besides = vec!["ACK".to_owned()];
                code.store(at, Operand::Const(1), 1, Order::Rlx);
                code.cx.besides.clear();
            }
            SUCCESS
        },
        "hmc_acked" => |code, args| match acknowledgement(code, arg(args, 0)) {
            Some(at) => Some(code.load_new(at, 1, Order::Rlx)),
            None => SUCCESS,
        },
        _ => return None,
    })
}

/// Where an acknowledgement is kept.
fn acknowledgement(code: &mut Code<'_, '_>, number: Operand) -> Option<Operand> {
    let Operand::Const(number) = number else {
        code.unsupported("`hmc_ack` needs a constant");
        return None;
    };
    if number >= ACKNOWLEDGEMENTS {
        code.unsupported(format!("`hmc_ack` needs a number below {ACKNOWLEDGEMENTS}"));
        return None;
    }
    if !is_seen(code) {
        return None;
    }
    let known = code.cx.own_objects.iter().find(|(name, _)| name == OBJECT).map(|&(_, address)| address);
    let address = known.unwrap_or_else(|| {
        let cells = (0..ACKNOWLEDGEMENTS).map(|n| Cell { offset: n * APART, size: 1, path: format!("[{n}]") });
        let object = Object {
            name: OBJECT.to_owned(),
            address: 0,
            bytes: vec![0; (ACKNOWLEDGEMENTS * APART) as usize],
            cells: cells.collect(),
            thread_local: false,
            read_only: false,
        };
        let size = object.bytes.len() as u64;
        let address = code.cx.builder.object(object, APART);
        code.cx.builder.program.persistence.memory.push((address, address + size - 1));
        code.cx.own_objects.push((OBJECT.to_owned(), address));
        address
    });
    Some(Operand::Const(address + number * APART))
}

/// Whether a model sees what survives a crash; the program says so where it comes by, if none does.
pub(super) fn is_seen(code: &mut Code<'_, '_>) -> bool {
    if !code.cx.uses.persists {
        code.unsupported(UNSEEN);
    }
    code.cx.uses.persists
}

const UNSEEN: &str = "the model says nothing of crashes, and the program asks about one (`--persist ext4` for files, `--cat px86` for persistent memory)";

/// A force of what is at an address, or of everything.
pub fn force(code: &mut Code<'_, '_>, sets: &[&str], addr: Option<Operand>) {
    if !is_seen(code) {
        return;
    }
    let tags = code.cx.builder.tag_set(sets.iter().copied());
    code.f.next_group();
    code.f.push(Instr::Fence { tags, addr, is_fence: false });
}

/// A fence that orders flushes.
pub fn store_fence(code: &mut Code<'_, '_>) {
    if code.cx.uses.persists {
        code.fence_tags(&["SFENCE".to_owned()]);
    }
}

/// `__hmc_disk_store(sets, size, address, value)`: a releasing write to a disk.
pub fn store(code: &mut Code<'_, '_>, sets: &str, args: &[Operand]) -> Result<Option<Operand>, String> {
    let (size, addr) = place(args)?;
    let value = code.un(UnOp::Trunc, size * 8, arg(args, 2));
    code.cx.besides = sets.split_whitespace().map(str::to_owned).collect();
    code.store(addr, value, size, Order::Rel);
    code.cx.besides.clear();
    Ok(None)
}

/// `__hmc_disk_load(sets, size, address)`: an acquiring read from a disk.
pub fn load(code: &mut Code<'_, '_>, sets: &str, args: &[Operand]) -> Result<Option<Operand>, String> {
    let (size, addr) = place(args)?;
    code.cx.besides = sets.split_whitespace().map(str::to_owned).collect();
    let value = code.load_new(addr, size, Order::Acq);
    code.cx.besides.clear();
    Ok(Some(value))
}

/// `__hmc_disk_force(sets, address)`: a force; of everything where the address is 0.
pub fn force_at(code: &mut Code<'_, '_>, sets: &str, args: &[Operand]) -> Result<Option<Operand>, String> {
    let sets: Vec<&str> = sets.split_whitespace().collect();
    force(code, &sets, args.first().copied().filter(|&addr| addr != Operand::Const(0)));
    Ok(None)
}

/// The size and the address of an access.
fn place(args: &[Operand]) -> Result<(u8, Operand), String> {
    match args {
        [Operand::Const(size), address, ..] => Ok((access_size(*size)?, *address)),
        _ => Err("an access to a disk needs a constant size".into()),
    }
}

/// The set of a flush that LLVM has a function for.
pub fn flush_of_intrinsic(base: &str) -> Option<&'static str> {
    match base {
        "x86.sse2.clflush" => Some("ClFlush"),
        "x86.clflushopt" => Some("ClFlushOpt"),
        "x86.clwb" => Some("ClWb"),
        _ => None,
    }
}

/// The set of a flush as an instruction, and its operand. Older assemblers are told the newer ones by prefixes of other instructions.
pub fn flush_of_instruction<'o>(mnemonic: &str, operands: &[&'o str]) -> Option<(&'static str, &'o str)> {
    match (mnemonic, operands) {
        ("clflush", [place]) => Some(("ClFlush", place)),
        ("clflushopt", [place]) => Some(("ClFlushOpt", place)),
        ("clwb", [place]) => Some(("ClWb", place)),
        ("dc", [operation, place]) if operation.eq_ignore_ascii_case("cvap") => Some(("DC.CVAP", place)),
        _ => None,
    }
}
