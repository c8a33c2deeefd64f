//! Loads and stores: plain, acquire, release; one register and pairs.

use super::operands::*;
use crate::litmus::processors::asm::Lowering;
use crate::litmus::processors::operand::{Fault, Operand as Arg};
use crate::program::{Half, UnOp};

/// Plain, acquire and release accesses.
pub(super) fn ordinary(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    const LOADS: [(&str, &[&str]); 5] =
        [("ldapur", &["Q"]), ("ldapr", &["Q"]), ("ldar", &["A"]), ("ldur", &[]), ("ldr", &[])];
    const STORES: [(&str, &[&str]); 4] = [("stlur", &["L"]), ("stlr", &["L"]), ("stur", &[]), ("str", &[])];
    if let Some(done) = pair(at, name, args) {
        return Some(done);
    }
    for (stem, tags) in LOADS {
        if let Some(suffix) = name.strip_prefix(stem) {
            let signed = matches!(stem, "ldr" | "ldur" | "ldapur");
            return match suffix {
                "" | "b" | "h" => Some(load(at, suffix, args, tags)),
                "sb" | "sh" | "sw" if signed => Some(load(at, suffix, args, tags)),
                _ => None,
            };
        }
    }
    for (stem, tags) in STORES {
        if let Some(suffix) = name.strip_prefix(stem) {
            return match suffix {
                "" | "b" | "h" => Some(store(at, suffix, args, tags)),
                _ => None,
            };
        }
    }
    None
}

fn load(at: &mut Lowering, suffix: &str, args: &[Arg], tags: &[&str]) -> Result<(), Fault> {
    let target = reg(args.first())?;
    let size = match suffix.strip_prefix('s') {
        Some("b") => 1,
        Some("h") => 2,
        Some(_) => 4,
        None => size_of(suffix, &target).ok_or(Fault::Unknown)?,
    };
    let address = address(at, &args[1..])?;
    let mut value = at.load(address, size, tags, Half::None);
    if suffix.starts_with('s') {
        value = at.un(UnOp::Sext, size * 8, value);
        value = at.un(UnOp::Trunc, target.bits, value);
    }
    write(at, &target, value);
    Ok(())
}

fn store(at: &mut Lowering, suffix: &str, args: &[Arg], tags: &[&str]) -> Result<(), Fault> {
    let source = reg(args.first())?;
    let size = size_of(suffix, &source).ok_or(Fault::Unknown)?;
    let value = read(at, &source);
    let address = address(at, &args[1..])?;
    at.store(address, value, size, tags, Half::None);
    Ok(())
}

/// Pairs. The two accesses of `LDIAPP` and `STILP` are ordered, which is said by giving the second an instruction of its own;
/// a push by `STILP` begins with the higher one.
fn pair(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    let (is_load, tags, ordered): (bool, &[&str], bool) = match name {
        "ldp" | "ldpsw" => (true, &[], false),
        "ldnp" => (true, &["NT"], false),
        "ldap" => (true, &["A"], false),
        "ldiapp" => (true, &["Q"], true),
        "stp" => (false, &[], false),
        "stnp" => (false, &["NT"], false),
        "stlp" => (false, &["L"], false),
        "stilp" => (false, &["L"], true),
        _ => return None,
    };
    let mut lower = || {
        let (first, second) = (reg(args.first())?, reg(args.get(1))?);
        let sign = name == "ldpsw";
        let size = if sign { 4 } else { first.bits / 8 };
        let mut values = [read(at, &first), read(at, &second)];
        let low = address(at, &args[2..])?;
        let low = at.copy(low);
        let high = at.offset(64, low, i64::from(size));
        let high = at.copy(high);
        let is_push = name == "stilp" && matches!(args.get(2), Some(Arg::Bracket(_, true)));
        let mut places = [(0, low), (1, high)];
        if is_push {
            places.reverse();
        }
        for (done, (i, address)) in places.into_iter().enumerate() {
            if done == 1 && ordered {
                at.function.next_group();
            }
            if is_load {
                values[i] = at.load(address, size, tags, Half::None);
                if sign {
                    values[i] = at.un(UnOp::Sext, 32, values[i]);
                }
            } else {
                at.store(address, values[i], size, tags, Half::None);
            }
        }
        if is_load {
            write(at, &first, values[0]);
            write(at, &second, values[1]);
        }
        Ok(())
    };
    Some(lower())
}
