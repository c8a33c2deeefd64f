//! AArch64: registers and instructions (`LITMUS.md` §3.1).
//!
//! Compare-and-swap follows the architecture's own freedom: a success may take its result from memory or from the
//! register that was compared, a failure may write back what it read; each is an execution of its own.
//! Limits: no register-pair exclusives or compare-and-swap, no code addresses, no system instructions.

use super::asm::{Lowering, constant};
use super::operand::{Fault, Instruction, Operand as Arg};
use crate::program::{BinOp, Half, Instr, Join, Operand, UnOp};

/// Instruction names, without the suffixes for order and size that [`lower`] also takes.
pub const MNEMONICS: &[&str] = &[
    "ldr", "ldrb", "ldrh", "ldrsb", "ldrsh", "ldrsw", "ldur", "str", "strb", "strh", "stur", "ldar", "ldarb", "ldarh",
    "ldapr", "ldaprb", "ldaprh", "ldapur", "stlr", "stlrb", "stlrh", "stlur", "ldp", "ldnp", "ldpsw", "stp", "stnp",
    "ldiapp", "stilp", "ldxr", "ldxrb", "ldxrh", "ldaxr", "ldaxrb", "ldaxrh", "stxr", "stxrb", "stxrh", "stlxr",
    "stlxrb", "stlxrh", "swp", "swpa", "swpl", "swpal", "cas", "casa", "casl", "casal", "ldadd", "ldaddal", "ldeor",
    "ldset", "ldclr", "ldsmax", "ldsmin", "ldumax", "ldumin", "stadd", "steor", "stset", "stclr", "stsmax", "stsmin",
    "stumax", "stumin", "mov", "movz", "movk", "movn", "add", "adds", "sub", "subs", "and", "ands", "orr", "eor",
    "bic", "bics", "orn", "eon", "lsl", "lsr", "asr", "ror", "sxtb", "sxth", "sxtw", "uxtb", "uxth", "uxtw", "mul",
    "madd", "msub", "mneg", "neg", "negs", "mvn", "udiv", "sdiv", "rbit", "rev", "clz", "cmp", "cmn", "tst", "csel",
    "csinc", "csinv", "csneg", "cset", "csetm", "cinc", "cbz", "cbnz", "tbz", "tbnz", "b", "b.eq", "b.ne", "b.lt",
    "b.le", "b.gt", "b.ge", "nop", "isb", "dmb", "dsb",
];

const CODE: [&str; 6] = ["bl", "blr", "br", "ret", "adr", "adrp"];
const SYSTEM: [&str; 16] = [
    "dc", "ic", "tlbi", "at", "stg", "ldg", "mrs", "msr", "svc", "eret", "hlt", "casp", "caspa", "caspl", "caspal",
    "ldxp",
];

/// A register operand: which one (nothing for the zero register) and how much of it.
#[derive(Clone, Debug)]
struct Register {
    name: Option<String>,
    bits: u8,
}

fn register(text: &str) -> Option<Register> {
    let upper = text.to_ascii_uppercase();
    let (name, bits) = match upper.as_str() {
        "XZR" => (None, 64),
        "WZR" => (None, 32),
        "SP" => (Some("SP".to_owned()), 64),
        "WSP" => (Some("SP".to_owned()), 32),
        "FP" => (Some("X29".to_owned()), 64),
        "LR" => (Some("X30".to_owned()), 64),
        _ => {
            let bits = if upper.starts_with('X') { 64 } else { 32 };
            let rest = upper.strip_prefix(['X', 'W'])?;
            if rest.starts_with('%') {
                (Some(text[1..].to_owned()), bits)
            } else {
                let number: u8 =
                    rest.parse().ok().filter(|n| *n <= 30 && (rest.len() == 1 || !rest.starts_with('0')))?;
                (Some(format!("X{number}")), bits)
            }
        }
    };
    Some(Register { name, bits })
}

/// The name of a register in initial states and conditions: `X`-names only, as in the reference.
pub fn canonical_register(name: &str) -> Option<String> {
    register(name).filter(|r| r.bits == 64).and_then(|r| r.name)
}

fn reg(arg: Option<&Arg>) -> Result<Register, Fault> {
    match arg {
        Some(Arg::Name(name)) => register(name).ok_or_else(|| Fault::Operands(format!("`{name}` is not a register"))),
        _ => Err(Fault::Operands("expected a register".to_owned())),
    }
}

fn read(at: &mut Lowering, r: &Register) -> Operand {
    match &r.name {
        Some(name) => at.get(name),
        None => constant(0),
    }
}

fn write(at: &mut Lowering, r: &Register, value: Operand) {
    if let Some(name) = &r.name {
        let value = match value {
            Operand::Const(v) if r.bits == 32 => Operand::Const(v & 0xffff_ffff),
            value => value,
        };
        at.set(name, value);
    }
}

/// A register (with shift or extension) or constant, on `bits` bits; `args` starts with it.
fn flexible(at: &mut Lowering, args: &[Arg], bits: u8) -> Result<Operand, Fault> {
    let value = match args.first() {
        Some(&Arg::Immediate(k)) => constant(k),
        other => {
            let r = reg(other)?;
            read(at, &r)
        }
    };
    match args.get(1..).unwrap_or_default() {
        [] => Ok(value),
        [Arg::Modifier(kind, amount)] => modify(at, value, kind, *amount, bits),
        _ => Err(Fault::Operands("too many operands".to_owned())),
    }
}

fn modify(at: &mut Lowering, value: Operand, kind: &str, amount: Option<i64>, bits: u8) -> Result<Operand, Fault> {
    let amount = amount.unwrap_or(0);
    if !(0..64).contains(&amount) {
        return Err(Fault::Operands(format!("cannot shift by {amount}")));
    }
    let shift = match kind {
        "LSL" => BinOp::Shl,
        "LSR" => BinOp::LShr,
        "ASR" => BinOp::AShr,
        "ROR" => return Ok(rotate(at, value, constant(amount), bits)),
        _ => {
            let value = extend(at, value, kind, bits);
            return Ok(if amount == 0 { value } else { at.bin(BinOp::Shl, bits, value, constant(amount)) });
        }
    };
    Ok(if amount == 0 { value } else { at.bin(shift, bits, value, constant(amount)) })
}

fn extend(at: &mut Lowering, value: Operand, kind: &str, bits: u8) -> Operand {
    let from = match kind.as_bytes().last() {
        Some(b'B') => 8,
        Some(b'H') => 16,
        Some(b'W') => 32,
        _ => 64,
    };
    let op = if kind.starts_with('S') { UnOp::Sext } else { UnOp::Trunc };
    let value = at.un(op, from, value);
    if bits == 32 && op == UnOp::Sext { at.un(UnOp::Trunc, 32, value) } else { value }
}

fn rotate(at: &mut Lowering, value: Operand, amount: Operand, bits: u8) -> Operand {
    let amount = at.bin(BinOp::And, bits, amount, constant(i64::from(bits) - 1));
    let right = at.bin(BinOp::LShr, bits, value, amount);
    let back = at.bin(BinOp::Sub, bits, constant(i64::from(bits)), amount);
    let back = at.bin(BinOp::And, bits, back, constant(i64::from(bits) - 1));
    let left = at.bin(BinOp::Shl, bits, value, back);
    at.bin(BinOp::Or, bits, right, left)
}

/// The address that a bracket (and what follows it) means; the base register is updated when it says so.
fn address(at: &mut Lowering, args: &[Arg]) -> Result<Operand, Fault> {
    let form = || Fault::form("[Xn]`, `[Xn,#k]`, `[Xn,Xm]`, `[Xn,Wm,SXTW]`, `[Xn,#k]!` or `[Xn],#k");
    let Some(Arg::Bracket(parts, pre)) = args.first() else { return Err(form()) };
    let base_register = reg(parts.first())?;
    if base_register.bits != 64 {
        return Err(Fault::Operands("the base of an address is an X register".to_owned()));
    }
    let base = read(at, &base_register);
    match (&parts[1..], &args[1..]) {
        ([], []) if !pre => Ok(base),
        ([Arg::Immediate(k)], []) => {
            let address = at.offset(64, base, *k);
            if *pre {
                let address = at.copy(address);
                write(at, &base_register, address);
                return Ok(address);
            }
            Ok(address)
        }
        ([], [Arg::Immediate(k)]) if !pre => {
            let address = at.copy(base);
            let next = at.offset(64, address, *k);
            write(at, &base_register, next);
            Ok(address)
        }
        (index, []) if !pre && !index.is_empty() => {
            let wide = reg(index.first())?.bits == 64;
            if !wide && !matches!(index.get(1), Some(Arg::Modifier(kind, _)) if kind.ends_with("TW")) {
                return Err(Fault::Operands("a W index needs `SXTW` or `UXTW`".to_owned()));
            }
            let index = flexible(at, index, 64)?;
            Ok(at.bin(BinOp::Add, 64, base, index))
        }
        _ => Err(form()),
    }
}

/// Size of an access: from the suffix, or the register.
fn size_of(suffix: &str, register: &Register) -> Option<u8> {
    match suffix {
        "" => Some(register.bits / 8),
        "b" => Some(1),
        "h" => Some(2),
        _ => None,
    }
}

/// Translates one instruction.
pub fn lower(at: &mut Lowering, instruction: &Instruction) -> Result<(), Fault> {
    let name = instruction.mnemonic.as_str();
    let args = instruction.operands.as_slice();
    if CODE.contains(&name) {
        return Err(Fault::Unsupported("code addresses and calls are not supported".to_owned()));
    }
    if SYSTEM.contains(&name) || name.ends_with("xp") && (name.starts_with("st") || name.starts_with("ld")) {
        return Err(Fault::Unsupported(format!("`{name}` is not supported")));
    }
    if let Some(done) = arithmetic(at, name, args)
        .or_else(|| control(at, name, args))
        .or_else(|| ordinary(at, name, args))
        .or_else(|| exclusive(at, name, args))
        .or_else(|| atomic(at, name, args))
    {
        return done;
    }
    Err(Fault::Unknown)
}

/// Plain, acquire and release accesses.
fn ordinary(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    const LOADS: [(&str, &[&str]); 5] =
        [("ldapur", &["Q"]), ("ldapr", &["Q"]), ("ldar", &["A"]), ("ldur", &[]), ("ldr", &[])];
    const STORES: [(&str, &[&str]); 4] = [("stlur", &["L"]), ("stlr", &["L"]), ("stur", &[]), ("str", &[])];
    if let Some(done) = pair(at, name, args) {
        return Some(done);
    }
    for (stem, tags) in LOADS {
        if let Some(suffix) = name.strip_prefix(stem) {
            return match suffix {
                "" | "b" | "h" | "sb" | "sh" | "sw" => Some(load(at, suffix, args, tags)),
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

/// Pairs. The two accesses of `LDIAPP` and `STILP` are ordered, which is said by giving the second an instruction of its own.
fn pair(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    let (is_load, tags, ordered): (bool, &[&str], bool) = match name {
        "ldp" | "ldpsw" => (true, &[], false),
        "ldnp" => (true, &["NT"], false),
        "ldiapp" => (true, &["Q"], true),
        "stp" => (false, &[], false),
        "stnp" => (false, &["NT"], false),
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
        for (i, address) in [low, high].into_iter().enumerate() {
            if i == 1 && ordered {
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

fn exclusive(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    for (stem, tags) in [("ldaxr", &["EX", "A"][..]), ("ldxr", &["EX"])] {
        if let Some(suffix @ ("" | "b" | "h")) = name.strip_prefix(stem) {
            let mut lower = || {
                let target = reg(args.first())?;
                let size = size_of(suffix, &target).ok_or(Fault::Unknown)?;
                let address = address(at, &args[1..])?;
                at.reserve(address, size);
                let value = at.load(address, size, tags, Half::ExRead);
                write(at, &target, value);
                Ok(())
            };
            return Some(lower());
        }
    }
    for (stem, tags) in [("stlxr", &["EX", "L"][..]), ("stxr", &["EX"])] {
        if let Some(suffix @ ("" | "b" | "h")) = name.strip_prefix(stem) {
            let mut lower = || {
                let (status, source) = (reg(args.first())?, reg(args.get(1))?);
                let size = size_of(suffix, &source).ok_or(Fault::Unknown)?;
                let value = read(at, &source);
                let address = address(at, &args[2..])?;
                at.store_exclusive(address, value, size, tags, |at, success| {
                    write(at, &status, constant(i64::from(!success)));
                });
                Ok(())
            };
            return Some(lower());
        }
    }
    None
}

/// Suffixes of single-instruction atomics: acquire, release, access size.
fn atomic_suffix(suffix: &str) -> Option<(bool, bool, &str)> {
    let (order, size) = match suffix.strip_suffix(['b', 'h']) {
        Some(rest) => (rest, &suffix[rest.len()..]),
        None => (suffix, ""),
    };
    match order {
        "" => Some((false, false, size)),
        "a" => Some((true, false, size)),
        "l" => Some((false, true, size)),
        "al" => Some((true, true, size)),
        _ => None,
    }
}

fn atomic(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    const OPERATIONS: [(&str, BinOp); 8] = [
        ("add", BinOp::Add),
        ("eor", BinOp::Xor),
        ("set", BinOp::Or),
        ("clr", BinOp::AndNot),
        ("smax", BinOp::SMax),
        ("smin", BinOp::SMin),
        ("umax", BinOp::UMax),
        ("umin", BinOp::UMin),
    ];
    if let Some(suffix) = name.strip_prefix("swp").and_then(atomic_suffix) {
        return Some(exchange(at, args, suffix, None, false));
    }
    if let Some(suffix) = name.strip_prefix("cas").and_then(atomic_suffix) {
        return Some(compare_and_swap(at, args, suffix));
    }
    let (is_store, rest) = match (name.strip_prefix("ld"), name.strip_prefix("st")) {
        (Some(rest), _) => (false, rest),
        (_, Some(rest)) => (true, rest),
        _ => return None,
    };
    let (op, suffix) =
        OPERATIONS.iter().find_map(|(stem, op)| Some((*op, atomic_suffix(rest.strip_prefix(stem)?)?)))?;
    Some(exchange(at, args, suffix, Some(op), is_store))
}

/// `SWP` (without an operation), `LDADD` and its like, `STADD` and its like.
fn exchange(
    at: &mut Lowering,
    args: &[Arg],
    (acquire, release, suffix): (bool, bool, &str),
    op: Option<BinOp>,
    is_store: bool,
) -> Result<(), Fault> {
    let source = reg(args.first())?;
    let (target, place) =
        if is_store { (Register { name: None, bits: source.bits }, 1) } else { (reg(args.get(1))?, 2) };
    let size = size_of(suffix, &source).ok_or(Fault::Unknown)?;
    let address = address(at, args.get(place..).unwrap_or_default())?;
    let address = at.copy(address);
    let operand = read(at, &source);
    let read_tags: &[&str] = match (target.name.is_none(), acquire) {
        (true, _) => &["X", "NoRet"],
        (false, true) => &["X", "A"],
        (false, false) => &["X"],
    };
    let old = at.load(address, size, read_tags, Half::AmoRead);
    let new = match op {
        Some(op) => at.bin(op, size * 8, old, operand),
        None => operand,
    };
    at.store(address, new, size, if release { &["X", "L"] } else { &["X"] }, Half::AmoWrite);
    write(at, &target, old);
    Ok(())
}

fn compare_and_swap(
    at: &mut Lowering,
    args: &[Arg],
    (acquire, release, suffix): (bool, bool, &str),
) -> Result<(), Fault> {
    let (compared, source) = (reg(args.first())?, reg(args.get(1))?);
    let size = size_of(suffix, &source).ok_or(Fault::Unknown)?;
    let address = address(at, args.get(2..).unwrap_or_default())?;
    let address = at.copy(address);
    let new = read(at, &source);
    let expected = read(at, &compared);
    let expected = at.un(UnOp::Trunc, size * 8, expected);
    // Without a result the read is none for barriers, as with the other atomics.
    let read_tags: &[&str] = match (compared.name.is_none(), acquire) {
        (true, _) => &["X", "NoRet"],
        (false, true) => &["X", "A"],
        (false, false) => &["X"],
    };
    let write_tags: &[&str] = if release { &["X", "L"] } else { &["X"] };
    let [success, write_back, from_register, done] = [(); 4].map(|()| at.function.label());
    let old = at.load(address, size, read_tags, Half::AmoRead);
    let equal = at.bin(BinOp::Eq, size * 8, old, expected);
    // The comparison controls the write, and nothing after the instruction.
    at.branch(equal, success, Join::Merge);
    // A failure may write back what it read.
    let choice = at.temporary();
    at.push(Instr::Choose { dst: choice, values: Box::new([1, 0]) });
    at.branch(Operand::Reg(choice), write_back, Join::NoDependency);
    write(at, &compared, old);
    at.jump(done);
    at.function.place(write_back);
    at.store(address, old, size, write_tags, Half::AmoWrite);
    write(at, &compared, old);
    at.jump(done);
    at.function.place(success);
    at.store(address, new, size, write_tags, Half::AmoWrite);
    let choice = at.temporary();
    at.push(Instr::Choose { dst: choice, values: Box::new([0, 1]) });
    at.branch(Operand::Reg(choice), from_register, Join::NoDependency);
    write(at, &compared, old);
    at.jump(done);
    at.function.place(from_register);
    // What was compared decided that the register keeps its value.
    let kept = at.temporary();
    at.push(Instr::Select { dst: kept, cond: equal, a: expected, b: expected, on_cond: false });
    write(at, &compared, Operand::Reg(kept));
    at.function.place(done);
    Ok(())
}

/// Branches and barriers.
fn control(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    match name {
        "nop" => return Some(Ok(())),
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
        "b" => match args {
            [Arg::Name(label)] => {
                let label = at.label(label);
                at.jump(label);
            }
            _ => return Some(Err(Fault::form("B label"))),
        },
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
            let cond = condition(at, name.strip_prefix("b.")?)?;
            let [Arg::Name(label)] = args else { return Some(Err(Fault::form("B.EQ label"))) };
            let label = at.label(label);
            at.branch(cond, label, Join::Never);
        }
    }
    Some(Ok(()))
}

/// The value of a condition, from the flags that it mentions only.
fn condition(at: &mut Lowering, name: &str) -> Option<Operand> {
    let mut flag = |f: &str| at.get(f);
    let plain = match name {
        "eq" => flag("?Z"),
        "cs" | "hs" => flag("?C"),
        "mi" => flag("?N"),
        "vs" => flag("?V"),
        "al" => constant(1),
        "ne" | "cc" | "lo" | "pl" | "vc" | "ge" | "lt" | "gt" | "le" | "hi" | "ls" => constant(0),
        _ => return None,
    };
    if plain != constant(0) {
        return Some(plain);
    }
    let (n, z, c, v) = (flag("?N"), flag("?Z"), flag("?C"), flag("?V"));
    Some(match name {
        "ne" => at.bin(BinOp::Eq, 64, z, constant(0)),
        "cc" | "lo" => at.bin(BinOp::Eq, 64, c, constant(0)),
        "pl" => at.bin(BinOp::Eq, 64, n, constant(0)),
        "vc" => at.bin(BinOp::Eq, 64, v, constant(0)),
        "ge" => at.bin(BinOp::Eq, 64, n, v),
        "lt" => at.bin(BinOp::Ne, 64, n, v),
        "gt" | "le" => {
            let less = at.bin(BinOp::Ne, 64, n, v);
            let le = at.bin(BinOp::Or, 64, less, z);
            if name == "le" { le } else { at.bin(BinOp::Eq, 64, le, constant(0)) }
        }
        _ => {
            let below = at.bin(BinOp::Eq, 64, c, constant(0));
            let ls = at.bin(BinOp::Or, 64, below, z);
            if name == "ls" { ls } else { at.bin(BinOp::Eq, 64, ls, constant(0)) }
        }
    })
}

/// Sets the flags as an addition (`op` is `Add`), a subtraction or a logical operation does.
fn flags(at: &mut Lowering, op: BinOp, bits: u8, a: Operand, b: Operand, result: Operand) {
    let negative = at.bin(BinOp::SLt, bits, result, constant(0));
    at.set("?N", negative);
    let zero = at.bin(BinOp::Eq, bits, result, constant(0));
    at.set("?Z", zero);
    let (carry, overflow) = match op {
        BinOp::Add | BinOp::Sub => {
            let carry =
                if op == BinOp::Sub { at.bin(BinOp::UGe, bits, a, b) } else { at.bin(BinOp::ULt, bits, result, a) };
            let sides = at.bin(BinOp::Xor, bits, a, b);
            let sides = if op == BinOp::Sub { sides } else { at.un(UnOp::Not, bits, sides) };
            let changed = at.bin(BinOp::Xor, bits, a, result);
            let both = at.bin(BinOp::And, bits, sides, changed);
            (carry, at.bin(BinOp::SLt, bits, both, constant(0)))
        }
        _ => (constant(0), constant(0)),
    };
    at.set("?C", carry);
    at.set("?V", overflow);
}

/// Everything that computes.
fn arithmetic(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    let done = match name {
        "mov" | "movz" | "movn" | "movk" | "mvn" | "neg" | "negs" | "rbit" | "rev" | "clz" | "sxtb" | "sxth"
        | "sxtw" | "uxtb" | "uxth" | "uxtw" => unary(at, name, args),
        "cmp" | "cmn" | "tst" => compare(at, name, args),
        "csel" | "csinc" | "csinv" | "csneg" | "cset" | "csetm" | "cinc" => select(at, name, args),
        "madd" | "msub" => multiply(at, name, args),
        "udiv" | "sdiv" => divide(at, name, args),
        _ => binary(at, name, args)?,
    };
    Some(done)
}

fn unary(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let target = reg(args.first())?;
    let bits = target.bits;
    let mut value = flexible(at, args.get(1..).unwrap_or_default(), bits)?;
    value = match name {
        "movk" => {
            let shift = match args {
                [_, _, Arg::Modifier(_, Some(shift @ 0..64))] => *shift,
                _ => 0,
            };
            let old = read(at, &target);
            let kept = at.bin(BinOp::And, bits, old, Operand::Const(!(0xffff << shift)));
            at.bin(BinOp::Or, bits, kept, value)
        }
        "movn" | "mvn" => at.un(UnOp::Not, bits, value),
        "neg" | "negs" => {
            let result = at.un(UnOp::Neg, bits, value);
            if name == "negs" {
                flags(at, BinOp::Sub, bits, constant(0), value, result);
            }
            result
        }
        "rbit" => at.un(UnOp::BitReverse, bits, value),
        "rev" => at.un(UnOp::ByteSwap, bits, value),
        "clz" => at.un(UnOp::Clz, bits, value),
        "mov" | "movz" => match value {
            Operand::Reg(_) if bits == 32 => at.un(UnOp::Trunc, 32, value),
            value => value,
        },
        _ => extend(at, value, &name.to_ascii_uppercase(), bits),
    };
    write(at, &target, value);
    Ok(())
}

fn compare(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let left = reg(args.first())?;
    let a = read(at, &left);
    let b = flexible(at, args.get(1..).unwrap_or_default(), left.bits)?;
    let op = match name {
        "cmp" => BinOp::Sub,
        "cmn" => BinOp::Add,
        _ => BinOp::And,
    };
    let result = at.bin(op, left.bits, a, b);
    flags(at, op, left.bits, a, b, result);
    Ok(())
}

/// Conditional selection: the result depends on the chosen operand, and on the flags by a pick only.
fn select(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let target = reg(args.first())?;
    let bits = target.bits;
    let (sources, last) = match name {
        "cset" | "csetm" => (0, 1),
        "cinc" => (1, 2),
        _ => (2, 3),
    };
    let Some(Arg::Name(word)) = args.get(last) else { return Err(Fault::form("CSEL Wd,Wn,Wm,EQ")) };
    let cond = condition(at, &word.to_ascii_lowercase())
        .ok_or_else(|| Fault::Operands(format!("`{word}` is not a condition")))?;
    let mut values = [constant(0), constant(0)];
    for (i, value) in values.iter_mut().enumerate().take(sources) {
        let r = reg(args.get(1 + i))?;
        *value = read(at, &r);
    }
    let (first, second) = (values[0], values[1]);
    let (a, b) = match name {
        "csel" => (first, second),
        "csinc" => (first, at.bin(BinOp::Add, bits, second, constant(1))),
        "csinv" => (first, at.un(UnOp::Not, bits, second)),
        "csneg" => (first, at.un(UnOp::Neg, bits, second)),
        "cset" => (constant(1), constant(0)),
        "csetm" => (constant(-1), constant(0)),
        _ => (at.bin(BinOp::Add, bits, first, constant(1)), first),
    };
    let dst = at.temporary();
    at.push(Instr::Select { dst, cond, a, b, on_cond: false });
    let value = if bits == 32 { at.un(UnOp::Trunc, 32, Operand::Reg(dst)) } else { Operand::Reg(dst) };
    write(at, &target, value);
    Ok(())
}

/// Division: by zero it gives zero, and the one signed quotient that does not fit wraps around.
fn divide(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let target = reg(args.first())?;
    let (n, d) = (reg(args.get(1))?, reg(args.get(2))?);
    let (n, d) = (read(at, &n), read(at, &d));
    let choose = |at: &mut Lowering, cond: Operand, a: Operand, b: Operand| {
        let dst = at.temporary();
        at.push(Instr::Select { dst, cond, a, b, on_cond: true });
        Operand::Reg(dst)
    };
    let zero = at.bin(BinOp::Eq, target.bits, d, constant(0));
    let divisor = choose(at, zero, constant(1), d);
    let quotient = if name == "udiv" {
        at.bin(BinOp::UDiv, target.bits, n, divisor)
    } else {
        let negated = at.un(UnOp::Neg, target.bits, n);
        let minus = at.bin(BinOp::Eq, target.bits, d, constant(-1));
        let divisor = choose(at, minus, constant(1), divisor);
        let quotient = at.bin(BinOp::SDiv, target.bits, n, divisor);
        choose(at, minus, negated, quotient)
    };
    let value = choose(at, zero, constant(0), quotient);
    write(at, &target, value);
    Ok(())
}

fn multiply(at: &mut Lowering, name: &str, args: &[Arg]) -> Result<(), Fault> {
    let target = reg(args.first())?;
    let (n, m, a) = (reg(args.get(1))?, reg(args.get(2))?, reg(args.get(3))?);
    let (n, m, a) = (read(at, &n), read(at, &m), read(at, &a));
    let product = at.bin(BinOp::Mul, target.bits, n, m);
    let op = if name == "madd" { BinOp::Add } else { BinOp::Sub };
    let value = at.bin(op, target.bits, a, product);
    write(at, &target, value);
    Ok(())
}

fn binary(at: &mut Lowering, name: &str, args: &[Arg]) -> Option<Result<(), Fault>> {
    let (stem, set_flags) = match name.strip_suffix('s') {
        Some(stem @ ("add" | "sub" | "and" | "bic")) => (stem, true),
        _ => (name, false),
    };
    let (op, inverted) = match stem {
        "add" => (BinOp::Add, false),
        "sub" => (BinOp::Sub, false),
        "and" => (BinOp::And, false),
        "orr" => (BinOp::Or, false),
        "eor" => (BinOp::Xor, false),
        "bic" => (BinOp::And, true),
        "orn" => (BinOp::Or, true),
        "eon" => (BinOp::Xor, true),
        "lsl" => (BinOp::Shl, false),
        "lsr" => (BinOp::LShr, false),
        "asr" => (BinOp::AShr, false),
        "ror" | "mneg" => (BinOp::Mul, false),
        "mul" => (BinOp::Mul, false),
        _ => return None,
    };
    let mut lower = || {
        let (target, left) = (reg(args.first())?, reg(args.get(1))?);
        let bits = target.bits;
        let a = read(at, &left);
        let mut b = flexible(at, args.get(2..).unwrap_or_default(), bits)?;
        if inverted {
            b = at.un(UnOp::Not, bits, b);
        }
        if matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr) {
            b = at.bin(BinOp::And, bits, b, constant(i64::from(bits) - 1));
        }
        let value = match stem {
            "ror" => rotate(at, a, b, bits),
            "mneg" => {
                let product = at.bin(BinOp::Mul, bits, a, b);
                at.un(UnOp::Neg, bits, product)
            }
            _ => at.bin(op, bits, a, b),
        };
        if set_flags {
            flags(at, op, bits, a, b, value);
        }
        write(at, &target, value);
        Ok(())
    };
    Some(lower())
}
