//! Random programs, as exploration sees them, and their texts.

use super::random::Rng;
use super::*;

/// A random program of 2 to 3 threads and up to `events` instructions, and its text.
/// With `picks`, some values are selected by others.
pub fn random_program(rng: &mut Rng, events: u64, picks: bool) -> (Program, String) {
    let mut b = Builder::new();
    let vars: Vec<Operand> = (0..2 + rng.below(2)).map(|i| b.var(&format!("x{i}"))).collect();
    let threads = 2 + rng.below(2);
    let mut text = String::new();
    let order = if rng.below(2) == 0 { Join::Merge } else { Join::Never };
    for t in 0..threads {
        let n = 1 + rng.below(events / threads);
        text += &format!("P{t} ({order:?}):\n");
        b.thread(|f| {
            let mut known: Vec<Operand> = Vec::new();
            let mut open: Vec<Label> = Vec::new();
            for _ in 0..n {
                let v = rng.below(vars.len() as u64) as usize;
                let x = vars[v];
                let value = match known.last() {
                    Some(&r) if rng.below(2) == 0 => r,
                    _ => Operand::Const(1 + rng.below(2)),
                };
                match rng.below(if picks { 12 } else { 10 }) {
                    10 | 11 => {
                        // Selects a value by what was read last.
                        let Some(&cond) = known.last() else { continue };
                        let a = known.first().copied().filter(|_| rng.below(3) == 0).unwrap_or(Operand::Const(1));
                        let dst = f.reg();
                        f.push(Instr::Select { dst, cond, a, b: Operand::Const(rng.below(3)), on_cond: false });
                        text += &format!(
                            "  r{} = {:?}\n",
                            known.len(),
                            Instr::Select { dst, cond, a, b: a, on_cond: false }
                        );
                        known.push(Operand::Reg(dst));
                    }
                    0..=3 => {
                        // An address that depends on the last value read, now and then.
                        let addr = match known.last() {
                            Some(&r) if rng.below(4) == 0 => {
                                let zero = f.reg();
                                f.push(Instr::Bin { dst: zero, op: BinOp::And, bits: 64, a: r, b: Operand::Const(0) });
                                let dst = f.reg();
                                f.push(Instr::Bin { dst, op: BinOp::Add, bits: 64, a: x, b: Operand::Reg(zero) });
                                text += "  (addr)";
                                Operand::Reg(dst)
                            }
                            _ => x,
                        };
                        known.push(load(f, addr, Half::None));
                        text += &format!("  r{} = x{v}\n", known.len() - 1);
                    }
                    4..=6 => {
                        store(f, x, value, Half::None);
                        text += &format!("  x{v} = {value:?}\n");
                    }
                    7 => {
                        f.push(Instr::Fence { tags: Default::default(), addr: None, is_fence: true });
                        f.next_group();
                        text += "  fence\n";
                    }
                    8 => {
                        if rng.below(2) == 0 {
                            increment(f, x);
                            text += &format!("  x{v}++\n");
                        } else {
                            // Compare-and-swap 0 → 1.
                            let old = load_unless(f, x, 0);
                            let ok = f.reg();
                            f.push(Instr::Bin { dst: ok, op: BinOp::Eq, bits: 32, a: old, b: Operand::Const(0) });
                            let (yes, no) = (f.label(), f.label());
                            let (then, otherwise) = (FunctionBuilder::target(yes), FunctionBuilder::target(no));
                            let cond = Operand::Reg(ok);
                            f.push(Instr::Branch { cond, then, otherwise, join: Join::NoDependency });
                            f.place(yes);
                            f.push(Instr::Store(Store {
                                addr: x,
                                value: Operand::Const(1),
                                size: 4,
                                tags: Default::default(),
                                half: Half::AmoWrite,
                                hidden: false,
                            }));
                            f.place(no);
                            f.next_group();
                            known.push(old);
                            text += &format!("  r{} = cas(x{v}, 0, 1)\n", known.len() - 1);
                        }
                    }
                    _ => {
                        if let (Some(&cond), true) = (known.last(), open.is_empty()) {
                            let (inside, end) = (f.label(), f.label());
                            let (then, otherwise) = (FunctionBuilder::target(inside), FunctionBuilder::target(end));
                            f.push(Instr::Branch { cond, then, otherwise, join: order });
                            f.place(inside);
                            open.push(end);
                            text += &format!("  if r{} {{\n", known.len() - 1);
                        } else if let Some(end) = open.pop() {
                            f.place(end);
                            text += "  }\n";
                        }
                    }
                }
            }
            for end in open {
                f.place(end);
            }
        });
    }
    (b.finish(), text)
}

/// A random program with waits, loops, implicit flows and exclusive pairs, and its text. Each thread waits at most twice.
pub fn random_waits(rng: &mut Rng, events: u64) -> (Program, String) {
    let mut b = Builder::new();
    let vars: Vec<Operand> = (0..2 + rng.below(2)).map(|i| b.var(&format!("x{i}"))).collect();
    let threads = 2 + rng.below(2);
    let mut text = String::new();
    for t in 0..threads {
        let n = 2 + rng.below(events / threads);
        text += &format!("P{t}:\n");
        b.thread(|f| {
            let mut known: Vec<Operand> = Vec::new();
            for _ in 0..n {
                let v = rng.below(vars.len() as u64) as usize;
                let x = vars[v];
                let value = match known.last() {
                    Some(&r) if rng.below(2) == 0 => r,
                    _ => Operand::Const(1 + rng.below(3)),
                };
                match rng.below(14) {
                    13 => {
                        // A value set under a condition, which no dependency leads to.
                        let Some(&seen) = known.last() else { continue };
                        let chosen = f.reg();
                        f.push(Instr::Set { dst: chosen, src: Operand::Const(1) });
                        let (inside, end) = (f.label(), f.label());
                        let (then, otherwise) = (FunctionBuilder::target(inside), FunctionBuilder::target(end));
                        f.push(Instr::Branch { cond: seen, then, otherwise, join: Join::Merge });
                        f.place(inside);
                        f.push(Instr::Set { dst: chosen, src: Operand::Const(2) });
                        f.place(end);
                        store(f, x, Operand::Reg(chosen), Half::None);
                        text += &format!("  x{v} = r{} ? 2 : 1 without a dependency\n", known.len() - 1);
                    }
                    0..=2 => {
                        known.push(load(f, x, Half::None));
                        text += &format!("  r{} = x{v}\n", known.len() - 1);
                    }
                    12 => {
                        // An exclusive pair; the store may fail.
                        let old = load(f, x, Half::ExRead);
                        f.next_group();
                        exclusive_store(f, x, value, [1, 0]);
                        known.push(old);
                        text += &format!("  r{} = ldx x{v}; stx x{v} = {value:?}\n", known.len() - 1);
                    }
                    3..=6 => {
                        store(f, x, value, Half::None);
                        text += &format!("  x{v} = {value:?}\n");
                    }
                    7 => {
                        increment(f, x);
                        text += &format!("  x{v}++\n");
                    }
                    8 | 9 => {
                        // Spins while the value is one (or is not one) of two.
                        let bound = 1 + rng.below(2);
                        let op = [BinOp::UGe, BinOp::ULt, BinOp::Ne, BinOp::Eq][rng.below(4) as usize];
                        let (head, out) = (f.label(), f.label());
                        f.place(head);
                        let seen = load(f, x, Half::None);
                        let go = f.reg();
                        f.push(Instr::Bin { dst: go, op, bits: 32, a: seen, b: Operand::Const(bound) });
                        let (then, otherwise) = (FunctionBuilder::target(head), FunctionBuilder::target(out));
                        f.push(Instr::Branch { cond: Operand::Reg(go), then, otherwise, join: Join::Merge });
                        f.place(out);
                        text += &format!("  while (x{v} {op:?} {bound});\n");
                    }
                    10 => {
                        // A flag set under a condition, which later decides about a write.
                        let Some(&seen) = known.last() else { continue };
                        let flag = f.reg();
                        f.push(Instr::Set { dst: flag, src: Operand::Const(0) });
                        let (inside, end) = (f.label(), f.label());
                        let (then, otherwise) = (FunctionBuilder::target(inside), FunctionBuilder::target(end));
                        f.push(Instr::Branch { cond: seen, then, otherwise, join: Join::Merge });
                        f.place(inside);
                        f.push(Instr::Set { dst: flag, src: Operand::Const(1) });
                        f.place(end);
                        let (inside, end) = (f.label(), f.label());
                        let (then, otherwise) = (FunctionBuilder::target(inside), FunctionBuilder::target(end));
                        f.push(Instr::Branch { cond: Operand::Reg(flag), then, otherwise, join: Join::Merge });
                        f.place(inside);
                        store(f, x, value, Half::None);
                        f.place(end);
                        text += &format!("  flag = r{} != 0; if flag x{v} = {value:?}\n", known.len() - 1);
                    }
                    _ => {
                        // if (x == c) break-style: the rest of the thread only when a value was read.
                        let Some(&seen) = known.last() else { continue };
                        let bound = rng.below(3);
                        let same = f.reg();
                        f.push(Instr::Bin { dst: same, op: BinOp::Ne, bits: 32, a: seen, b: Operand::Const(bound) });
                        f.push(Instr::StopUnless { cond: Operand::Reg(same), why: Stop::Await });
                        text += &format!("  await r{} != {bound}\n", known.len() - 1);
                    }
                }
            }
        });
    }
    (b.finish(), text)
}

/// A random program without branches on what was read: loads, stores, fences, increments, exchanges, exclusive pairs that may
/// fail, address and data dependencies; and its text. With `between`, some of the pairs have a store of their own thread between the halves.
pub fn random_straight(rng: &mut Rng, events: u64, between: bool) -> (Program, String) {
    let mut b = Builder::new();
    let vars: Vec<Operand> = (0..2 + rng.below(2)).map(|i| b.var(&format!("x{i}"))).collect();
    let threads = 2 + rng.below(2);
    let mut text = String::new();
    for t in 0..threads {
        let n = 1 + rng.below(events / threads);
        text += &format!("P{t}:\n");
        b.thread(|f| {
            let mut known: Vec<Operand> = Vec::new();
            for _ in 0..n {
                let v = rng.below(vars.len() as u64) as usize;
                let mut x = vars[v];
                if let Some(&r) = known.last()
                    && rng.below(5) == 0
                {
                    let [zero, sum] = [f.reg(), f.reg()];
                    f.push(Instr::Bin { dst: zero, op: BinOp::Xor, bits: 64, a: r, b: r });
                    f.push(Instr::Bin { dst: sum, op: BinOp::Add, bits: 64, a: x, b: Operand::Reg(zero) });
                    x = Operand::Reg(sum);
                    text += "  (addr)";
                }
                let mut value = Operand::Const(1 + rng.below(2));
                if let Some(&r) = known.last()
                    && rng.below(2) == 0
                {
                    let sum = f.reg();
                    f.push(Instr::Bin { dst: sum, op: BinOp::Add, bits: 32, a: r, b: Operand::Const(rng.below(2)) });
                    value = Operand::Reg(sum);
                }
                match rng.below(10) {
                    0..=3 => {
                        known.push(load(f, x, Half::None));
                        text += &format!("  r{} = x{v}\n", known.len() - 1);
                    }
                    4..=6 => {
                        store(f, x, value, Half::None);
                        text += &format!("  x{v} = {value:?}\n");
                    }
                    7 => {
                        f.push(Instr::Fence { tags: Default::default(), addr: None, is_fence: true });
                        f.next_group();
                        text += "  fence\n";
                    }
                    8 => {
                        if rng.below(2) == 0 {
                            increment(f, x);
                            text += &format!("  x{v}++\n");
                        } else {
                            known.push(load(f, x, Half::AmoRead));
                            store(f, x, value, Half::AmoWrite);
                            f.next_group();
                            text += &format!("  r{} = xchg(x{v}, {value:?})\n", known.len() - 1);
                        }
                    }
                    _ => {
                        known.push(load(f, x, Half::ExRead));
                        f.next_group();
                        if between && rng.below(4) == 0 {
                            let between = rng.below(vars.len() as u64) as usize;
                            store(f, vars[between], Operand::Const(3), Half::None);
                            text += &format!("  (x{between} = 3 between)");
                        }
                        let values = if rng.below(2) == 0 { [0, 1] } else { [1, 0] };
                        exclusive_store(f, x, value, values);
                        text += &format!("  r{} = ll(x{v}); sc(x{v}, {value:?})\n", known.len() - 1);
                    }
                }
            }
        });
    }
    (b.finish(), text)
}

pub fn load_unless(f: &mut FunctionBuilder, addr: Operand, expected: u64) -> Operand {
    let dst = f.reg();
    let unless = Some(Unless { expected: Operand::Const(expected), tags: Default::default(), half: Half::None });
    let tags = Default::default();
    f.push(Instr::Load(Load { dst, addr, size: 4, tags, half: Half::AmoRead, unless, hidden: false }));
    Operand::Reg(dst)
}
