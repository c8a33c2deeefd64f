//! Sizes of accesses: which size a variable without a type has, and which accesses reach beyond their variable.
//!
//! Addresses are found by propagating constants through each thread (jumps are not followed: a register that gets
//! different values is unknown). A variable that is always accessed in the same pieces, as compilers use the stack, is kept in
//! these. Where accesses of different sizes overlap, exploration cuts them ([`crate::program::cuts`]).

use super::memory::{Memory, Variable};
use crate::ids::SpanId;
use crate::program::{BinOp, Function, Instr, Operand, Reg, UnOp};
use std::collections::{BTreeMap, BTreeSet};

/// An access of a thread's code.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Its first byte, when it is always the same.
    pub address: Option<u64>,
    /// Bytes.
    pub size: u8,
    /// Whether it is a write.
    pub writes: bool,
    /// Where it stands.
    pub span: SpanId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    Nothing,
    Value(u64),
    Anything,
}

impl Known {
    fn join(self, other: Known) -> Known {
        match (self, other) {
            (Known::Nothing, x) | (x, Known::Nothing) => x,
            (a, b) if a == b => a,
            _ => Known::Anything,
        }
    }
}

/// The accesses of a thread that starts with `args` in its first registers.
pub fn accesses(function: &Function, args: &[u64]) -> Vec<Access> {
    let named = |r: Reg| function.reg_names.get(r as usize).is_some_and(|n| !n.is_empty());
    let mut values = vec![Known::Nothing; function.regs as usize];
    for (r, value) in values.iter_mut().enumerate() {
        if let Some(&arg) = args.get(r) {
            *value = Known::Value(arg);
        } else if named(r as Reg) {
            *value = Known::Value(0);
        }
    }
    // Each round can only raise a register once or twice, so this ends.
    loop {
        let before = values.clone();
        run(function, &mut values, named, &mut |_| {});
        if values.iter().zip(&before).enumerate().all(|(r, (a, b))| !named(r as Reg) || a == b) {
            break;
        }
    }
    let mut all = Vec::new();
    run(function, &mut values, named, &mut |access| all.push(access));
    all
}

/// One pass: temporaries (registers without a name) hold what was assigned last, the others all that ever was.
fn run(function: &Function, values: &mut [Known], named: impl Fn(Reg) -> bool, found: &mut dyn FnMut(Access)) {
    for (instr, &span) in function.code.iter().zip(&function.spans) {
        let get = |o: Operand| match o {
            Operand::Const(v) => Known::Value(v),
            Operand::Reg(r) => values.get(r as usize).copied().unwrap_or(Known::Anything),
        };
        let address = |o: Operand| match get(o) {
            Known::Value(v) => Some(v),
            _ => None,
        };
        let (dst, value) = match instr {
            Instr::Set { dst, src } | Instr::SetStatus { dst, src } => (*dst, get(*src)),
            Instr::Bin { dst, op, bits, a, b } => (*dst, binary(*op, *bits, *a == *b, get(*a), get(*b))),
            Instr::Un { dst, op, bits, a } => (*dst, unary(*op, *bits, get(*a))),
            Instr::Select { dst, a, b, .. } => (*dst, get(*a).join(get(*b))),
            Instr::Choose { dst, .. } | Instr::ChooseBit { dst, .. } => (*dst, Known::Anything),
            Instr::Load(load) => {
                found(Access { address: address(load.addr), size: load.size, writes: false, span });
                (load.dst, Known::Anything)
            }
            Instr::Store(store) => {
                found(Access { address: address(store.addr), size: store.size, writes: true, span });
                continue;
            }
            _ => continue,
        };
        if let Some(slot) = values.get_mut(dst as usize) {
            *slot = if named(dst) { slot.join(value) } else { value };
        }
    }
}

fn mask(bits: u8) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

fn binary(op: BinOp, bits: u8, same: bool, a: Known, b: Known) -> Known {
    match (op, a, b) {
        (BinOp::Xor | BinOp::Sub, _, _) if same => Known::Value(0),
        (BinOp::And | BinOp::Mul, Known::Value(0), _) | (BinOp::And | BinOp::Mul, _, Known::Value(0)) => {
            Known::Value(0)
        }
        (_, Known::Value(a), Known::Value(b)) => {
            let value = match op {
                BinOp::Add => a.wrapping_add(b),
                BinOp::Sub => a.wrapping_sub(b),
                BinOp::Mul => a.wrapping_mul(b),
                BinOp::And => a & b,
                BinOp::Or => a | b,
                BinOp::Xor => a ^ b,
                BinOp::Shl if b < 64 => a << b,
                _ => return Known::Anything,
            };
            Known::Value(value & mask(bits))
        }
        (_, Known::Nothing, _) | (_, _, Known::Nothing) => Known::Nothing,
        _ => Known::Anything,
    }
}

fn unary(op: UnOp, bits: u8, a: Known) -> Known {
    match (op, a) {
        (UnOp::Trunc, Known::Value(a)) => Known::Value(a & mask(bits)),
        (UnOp::Sext, Known::Value(a)) => {
            let unused = 64 - u32::from(bits.clamp(1, 64));
            Known::Value((((a << unused) as i64) >> unused) as u64)
        }
        (_, Known::Nothing) => Known::Nothing,
        _ => Known::Anything,
    }
}

/// Gives each scalar variable without a declared type the size of its accesses, when they agree and none lies behind that.
pub fn fit(memory: &mut Memory, accesses: &[Access]) {
    let agreed = |wanted: Option<u64>| {
        let mut sizes = accesses.iter().filter(|a| a.address == wanted).map(|a| a.size);
        let first = sizes.next()?;
        sizes.all(|s| s == first).then_some(first)
    };
    let names: Vec<String> = memory.variables().iter().map(|v| v.name.clone()).collect();
    for name in names {
        let Some(variable) = memory.find_mut(&name) else { continue };
        if variable.ty.declared || variable.length.is_some() {
            continue;
        }
        let own = Some(variable.address);
        let touched = accesses.iter().any(|a| a.address == own);
        let reaches = |a: &Access, size: u8| {
            let offset = a.address.and_then(|address| address.checked_sub(variable.address));
            offset.is_some_and(|at| at < u64::from(variable.cell) && at + u64::from(a.size) > u64::from(size))
        };
        let size = agreed(if touched { own } else { None });
        if let Some(size) = size.filter(|&size| !accesses.iter().any(|a| reaches(a, size))) {
            variable.cell = size;
        }
    }
}

/// Cuts the variables whose accesses do not fit their cells into the pieces that the accesses have, when these do not overlap.
pub fn cut(memory: &mut Memory, accesses: &[Access]) {
    let mut touched: BTreeMap<String, BTreeSet<(u64, u8)>> = BTreeMap::new();
    for access in accesses {
        if let Some((variable, offset)) = access.address.and_then(|address| memory.locate(address)) {
            touched.entry(variable.name.clone()).or_default().insert((offset, access.size));
        }
    }
    for (name, extents) in touched {
        let Some(variable) = memory.find_mut(&name) else { continue };
        if extents.iter().any(|&(offset, size)| !variable.has_piece(offset, size)) {
            variable.pieces = pieces(variable, &extents);
        }
    }
}

/// The extents of accesses, and pieces of a cell or less between them; nothing when extents overlap, or reach beyond the variable.
fn pieces(variable: &Variable, extents: &BTreeSet<(u64, u8)>) -> Option<Vec<(u64, u8)>> {
    let mut all = Vec::new();
    let mut end = 0;
    let whole = variable.size();
    for &(offset, size) in extents {
        fill(&mut all, end, offset, variable.cell);
        let next = offset.checked_add(u64::from(size)).filter(|next| offset >= end && *next <= whole)?;
        all.push((offset, size));
        end = next;
    }
    fill(&mut all, end, whole, variable.cell);
    Some(all)
}

fn fill(pieces: &mut Vec<(u64, u8)>, mut from: u64, to: u64, cell: u8) {
    while from < to {
        let fits = |size: &u8| from.is_multiple_of(u64::from(*size)) && from + u64::from(*size) <= to;
        let size = [8, 4, 2, 1].into_iter().filter(|size| *size <= cell).find(fits).unwrap_or(1);
        pieces.push((from, size));
        from += u64::from(size);
    }
}

/// The first access that reaches beyond its variable, and what is wrong with it.
pub fn overrun(memory: &Memory, accesses: &[Access]) -> Option<(SpanId, String)> {
    accesses.iter().find_map(|access| {
        let (variable, offset) = memory.locate(access.address?)?;
        let is_beyond = offset.checked_add(u64::from(access.size)).is_none_or(|end| end > variable.size());
        let (name, size) = (&variable.name, access.size);
        is_beyond
            .then(|| (access.span, format!("this access of {size} bytes at `{name}+{offset}` reaches beyond `{name}`")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::litmus::types::Type;

    fn access(address: u64, size: u8) -> Access {
        Access { address: Some(address), size, writes: false, span: SpanId(0) }
    }

    #[test]
    fn an_access_behind_the_others_is_within_an_int() {
        let mut memory = Memory::new(&[]);
        let [x, y] =
            ["x", "y"].map(|name| memory.add(name, Type::DEFAULT, None).map(|v| v.address).unwrap_or_default());
        let accesses = [access(x, 2), access(x + 2, 1), access(y, 2)];
        fit(&mut memory, &accesses);
        assert_eq!(["x", "y"].map(|name| memory.find(name).map(|v| v.cell)), [Some(4), Some(2)]);
        assert!(overrun(&memory, &accesses).is_none());
    }

    #[test]
    fn a_variable_is_cut_where_its_accesses_agree() {
        let mut memory = Memory::new(&[]);
        let double = Type { size: 8, signed: false, declared: true };
        let stack = memory.add("stack", double, Some(3)).map(|v| v.address).unwrap_or_default();
        let mut accesses = vec![access(stack, 8), access(stack + 12, 4), access(stack + 12, 4)];
        cut(&mut memory, &accesses);
        assert!(overrun(&memory, &accesses).is_none());
        let pieces = memory.find("stack").and_then(|v| v.pieces.clone());
        assert_eq!(pieces, Some(vec![(0, 8), (8, 4), (12, 4), (16, 8)]));
        let object = memory.objects(false).remove(0);
        assert_eq!(object.cells.iter().map(|c| u64::from(c.size)).sum::<u64>(), object.bytes.len() as u64);
        // Where accesses overlap the variable has its cells; one that reaches beyond is wrong.
        for (offset, size) in [(8, 8), (20, 8)] {
            accesses.push(access(stack + offset, size));
            memory.find_mut("stack").into_iter().for_each(|v| v.pieces = None);
            cut(&mut memory, &accesses);
            assert_eq!(memory.find("stack").and_then(|v| v.pieces.clone()), None);
            assert_eq!(overrun(&memory, &accesses).is_some(), offset + u64::from(size) > 24);
            accesses.pop();
        }
    }
}
