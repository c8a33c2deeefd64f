//! Branches, calls, barriers.

use super::operands::*;
use crate::litmus::processors::asm::{Lowering, constant};
use crate::litmus::processors::flags::condition;
use crate::litmus::processors::operand::{Fault, Operand as Arg};
use crate::program::{BinOp, Instr, Join, Operand};

/// Branches and barriers.
pub(super) fn control(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    match name {
        // Hints, and the halt of a debugger, change nothing that a test can see.
        "nop" | "hint" | "hlt" | "yield" | "wfe" | "wfi" | "sev" | "sevl" | "bti" | "prfm" => return Some(Ok(())),
        "clrex" => at.clear_reservation(),
        "isb" => at.fence(&["ISB"]),
        "dmb" | "dsb" => {
            const DOMAINS: [&str; 12] =
                ["SY", "LD", "ST", "ISH", "ISHLD", "ISHST", "NSH", "NSHLD", "NSHST", "OSH", "OSHLD", "OSHST"];
            let domain = match args {
                [Arg::Name(domain)] => domain.to_ascii_uppercase(),
                _ => return Some(Err(Fault::form("DMB SY"))),
            };
            if !DOMAINS.contains(&domain.as_str()) {
                return Some(Err(Fault::Operands(format!("`{domain}` is not a barrier domain"))));
            }
            let tag = format!("{}.{domain}", name.to_ascii_uppercase());
            at.fence(&[&tag]);
        }
        // Cleaning of a line to persistent memory: an event there that neither reads nor writes.
        "dc" => match args {
            [Arg::Name(operation), register] if operation.eq_ignore_ascii_case("cvap") => {
                let Ok(register) = reg(Some(register)) else { return Some(Err(Fault::form("DC CVAP,X1"))) };
                let address = read(at, &register);
                let tags = at.builder.tag_set(["DC.CVAP"]);
                at.push(Instr::Fence { tags, addr: Some(address), is_fence: false });
            }
            _ => return None,
        },
        "b" => match args {
            [Arg::Name(label)] => {
                let label = at.label(label);
                at.jump(label);
            }
            _ => return Some(Err(Fault::form("B label"))),
        },
        "bl" => match args {
            [Arg::Name(label)] => {
                let back = at.next_address();
                at.set("X30", back);
                let label = at.label(label);
                at.jump(label);
            }
            _ => return Some(Err(Fault::form("BL label"))),
        },
        "br" | "blr" | "ret" => return Some(indirect(at, name, args)),
        "adr" => {
            let (Ok(target), [_, Arg::Name(label)]) = (reg(args.first()), args) else {
                return Some(Err(Fault::form("ADR Xd,label")));
            };
            let code = at.label_address(label);
            write(at, &target, code);
        }
        "cbz" | "cbnz" => {
            let (Ok(r), Some(Arg::Name(label)), 2) = (reg(args.first()), args.get(1), args.len()) else {
                return Some(Err(Fault::form("CBNZ Wn,label")));
            };
            let value = read(at, &r);
            let op = if name == "cbz" { BinOp::Eq } else { BinOp::Ne };
            let cond = at.bin(op, r.bits, value, constant(0));
            let label = at.label(label);
            at.branch(cond, label, Join::Never);
        }
        "tbz" | "tbnz" => {
            let [_, Arg::Immediate(bit @ 0..64), Arg::Name(label)] = args else {
                return Some(Err(Fault::form("TBNZ Wn,#bit,label")));
            };
            let r = match reg(args.first()) {
                Ok(r) => r,
                Err(fault) => return Some(Err(fault)),
            };
            let value = read(at, &r);
            let masked = at.bin(BinOp::And, 64, value, Operand::Const(1 << bit));
            let op = if name == "tbz" { BinOp::Eq } else { BinOp::Ne };
            let cond = at.bin(op, 64, masked, constant(0));
            let label = at.label(label);
            at.branch(cond, label, Join::Never);
        }
        _ => {
            // Compilers leave out the point.
            let cond = condition(at, name.strip_prefix("b.").or_else(|| name.strip_prefix('b'))?)?;
            let [Arg::Name(label)] = args else { return Some(Err(Fault::form("B.EQ label"))) };
            let label = at.label(label);
            at.branch(cond, label, Join::Never);
        }
    }
    Some(Ok(()))
}

/// A jump to the address in a register, of which it is a control dependency.
fn indirect(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let link = [Arg::Name("X30".to_owned())];
    let target = reg(match args {
        [] if name == "ret" => link.first(),
        [one] => Some(one),
        _ => return Err(Fault::form("BR Xn")),
    })?;
    let value = read(at, &target);
    let value = at.copy(value);
    if name == "blr" {
        let back = at.next_address();
        at.set("X30", back);
    }
    at.jump_to_address(value, name == "ret");
    Ok(())
}
