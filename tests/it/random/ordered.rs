//! Programs that are proved to leave no room for load buffering, under bundled models: no consistent execution has a cycle of program
//! order and reads-from, and exploration with the prefixes that this allows finds the same executions as enumeration does.

use crate::support::Builder;
use crate::support::random::*;
use hmc::algebra::{Model, naive};
use hmc::candidates::enumerate::{Coverage, enumerate, signature};
use hmc::cat::{LoadRequest, Vocabulary as Names};
use hmc::explore::{Equivalence, Options, explore, plan_for};
use hmc::graph::view;
use hmc::ids::FuncId;
use hmc::program::*;
use hmc::relation::candidate::{Candidate, Relation};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

/// What the accesses of a model's programs carry: loads, stores, fences.
struct Words {
    model: &'static str,
    loads: &'static [&'static [&'static str]],
    stores: &'static [&'static [&'static str]],
    fences: &'static [&'static [&'static str]],
    /// Reads and writes of updates, which may be any of the others besides.
    updates: &'static [[&'static [&'static str]; 2]],
}

const IMM: Words = Words {
    model: "imm",
    loads: &[&["RLX", "A"], &["ACQ", "A"], &["SC", "A"]],
    stores: &[&["RLX", "A"], &["REL", "A"], &["SC", "A"]],
    fences: &[&["SC"], &["ACQ"], &["REL"]],
    updates: &[],
};

/// Its checks prune in weaker forms, which say more in programs that are proved.
const C11: Words = Words { model: "c11", ..IMM };

/// An access that is not atomic reads what happens before it, which no check says that prunes.
const C11_PLAIN: Words = Words {
    model: "c11",
    loads: &[&["RLX", "A"], &["ACQ", "A"], &["SC", "A"], &["NA"]],
    stores: &[&["RLX", "A"], &["REL", "A"], &["SC", "A"], &["NA"]],
    updates: &[[&["A", "RMW", "ACQ"], &["A", "RMW", "RLX"]], [&["A", "RMW", "RLX"], &["A", "RMW", "REL"]]],
    ..IMM
};

const AARCH64: Words = Words {
    model: "aarch64",
    loads: &[&[], &["A"], &["Q"]],
    stores: &[&[], &["L"]],
    fences: &[&["DMB.SY"], &["DMB.ISH"], &["DMB.LD"], &["DMB.ST"], &["ISB"]],
    updates: &[],
};

const POWER: Words = Words {
    model: "power",
    loads: &[&[]],
    stores: &[&[]],
    fences: &[&["SYNC"], &["LWSYNC"], &["ISYNC"]],
    updates: &[],
};

const RISCV: Words = Words {
    model: "riscv",
    loads: &[&[], &["Acq"], &["AcqRel"]],
    stores: &[&[], &["Rel"], &["AcqRel"]],
    fences: &[&["Fence.rw.rw"], &["Fence.r.rw"], &["Fence.w.w"], &["Fence.r.r"]],
    updates: &[],
};

const LKMM: Words = Words {
    model: "lkmm",
    loads: &[&["ONCE"], &["ACQUIRE"], &[]],
    stores: &[&["ONCE"], &["RELEASE"], &[]],
    fences: &[&["MB"], &["RMB"], &["WMB"]],
    // A failing update orders nothing there, so whether it has a write counts.
    updates: &[
        [&["RMW", "ACQUIRE"], &["RMW", "ACQUIRE"]],
        [&["RMW", "RELEASE"], &["RMW", "RELEASE"]],
        [&["RMW", "MB"], &["RMW", "MB"]],
    ],
};

/// Functions that are called through pointers: with one argument, and what they do with it.
fn random_functions(rng: &mut Rng, b: &mut Builder, vars: &[Operand], tags: [&[hmc::ids::TagSetId]; 3]) -> Vec<FuncId> {
    let [loads, stores, fences] = tags;
    let all = (0..4).map(|number| {
        let mut f = FunctionBuilder::new(format!("g{number}"), 1);
        let addr = vars[rng.below(vars.len() as u64) as usize];
        let any = |rng: &mut Rng, all: &[hmc::ids::TagSetId]| all[rng.below(all.len() as u64) as usize];
        let value = if rng.below(2) == 0 { Operand::Reg(0) } else { Operand::Const(1 + rng.below(2)) };
        let mut result = None;
        match rng.below(5) {
            0 => {}
            1 => f.push(Instr::Fence { tags: any(rng, fences), addr: None, is_fence: true }),
            2 => {
                let (dst, tags) = (f.reg(), any(rng, loads));
                f.push(Instr::Load(Load { dst, addr, size: 4, tags, half: Half::None, unless: None, hidden: false }));
                result = Some(Operand::Reg(dst));
            }
            _ => {
                let tags = any(rng, stores);
                f.push(Instr::Store(Store { addr, value, size: 4, tags, half: Half::None, hidden: false }));
                result = (rng.below(2) == 0).then_some(value);
            }
        }
        f.push(Instr::Return { value: result });
        let id = b.program.declare(&format!("g{number}"));
        b.program.define(id, f.finish());
        id
    });
    all.collect()
}

/// Of two programs, one has many things that order.
fn random_program(rng: &mut Rng, words: &Words, events: u64) -> (Program, String) {
    let mut b = Builder::new();
    let vars: Vec<Operand> = (0..2 + rng.below(2)).map(|i| b.var(&format!("x{i}"))).collect();
    let tags = |b: &mut Builder, all: &[&[&str]]| -> Vec<hmc::ids::TagSetId> {
        all.iter()
            .map(|set| b.program.program.intern_tags(&set.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>()))
            .collect()
    };
    let (loads, stores, fences) = (tags(&mut b, words.loads), tags(&mut b, words.stores), tags(&mut b, words.fences));
    let updates: Vec<[hmc::ids::TagSetId; 2]> =
        words.updates.iter().map(|&halves| halves.map(|half| tags(&mut b, &[half])[0])).collect();
    let functions = random_functions(rng, &mut b, &vars, [&loads, &stores, &fences]);
    let code = |id: &FuncId| format!("{:?}", b.program.program.functions[id.index()].code);
    let mut text: String = functions.iter().enumerate().map(|(i, id)| format!("g{i}: {}\n", code(id))).collect();
    let strict = rng.below(3) != 0;
    // Of two programs, one mostly comes back to the location of the access before.
    let near = rng.below(2) == 0;
    let join = if rng.below(2) == 0 { Join::Merge } else { Join::Never };
    let threads = 2 + rng.below(2);
    text += &format!("{join:?}\n");
    for t in 0..threads {
        let n = 2 + rng.below(events / threads);
        text += &format!("P{t}:\n");
        b.thread(|f| {
            let pick = |rng: &mut Rng, all: &[hmc::ids::TagSetId]| {
                let first = if strict && all.len() > 1 { 1 } else { 0 };
                let i = first + rng.below((all.len() - first) as u64) as usize;
                (all[i], i)
            };
            let mut known: Vec<Operand> = Vec::new();
            let mut open: Option<Label> = None;
            let mut last = None;
            for i in 0..n {
                let other = rng.below(vars.len() as u64) as usize;
                let v = last.filter(|_| near && rng.below(3) != 0).unwrap_or(other);
                last = Some(v);
                let mut x = vars[v];
                if let Some(&r) = known.last()
                    && rng.below(6) == 0
                {
                    let [zero, sum] = [f.reg(), f.reg()];
                    f.push(Instr::Bin { dst: zero, op: BinOp::Xor, bits: 64, a: r, b: r });
                    f.push(Instr::Bin { dst: sum, op: BinOp::Add, bits: 64, a: x, b: Operand::Reg(zero) });
                    x = Operand::Reg(sum);
                    text += "  (addr)";
                }
                let value = match known.last() {
                    Some(&r) if rng.below(2) == 0 => r,
                    _ => Operand::Const(1 + rng.below(2)),
                };
                // Reads come first more often than not.
                let kind = match rng.below(12) {
                    kind @ 0..=5 if rng.below(4) != 0 => {
                        if i < n / 2 {
                            kind % 3
                        } else {
                            3 + kind % 3
                        }
                    }
                    kind => kind,
                };
                match kind {
                    0..=2 => {
                        let dst = f.reg();
                        let (tags, word) = pick(rng, &loads);
                        f.push(Instr::Load(Load {
                            dst,
                            addr: x,
                            size: 4,
                            tags,
                            half: Half::None,
                            unless: None,
                            hidden: false,
                        }));
                        f.next_group();
                        known.push(Operand::Reg(dst));
                        text += &format!("  r{} = x{v} {:?}\n", known.len() - 1, words.loads[word]);
                    }
                    3..=5 => {
                        let (tags, i) = pick(rng, &stores);
                        f.push(Instr::Store(Store { addr: x, value, size: 4, tags, half: Half::None, hidden: false }));
                        f.next_group();
                        text += &format!("  x{v} = {value:?} {:?}\n", words.stores[i]);
                    }
                    6 => {
                        let i = rng.below(fences.len() as u64) as usize;
                        f.push(Instr::Fence { tags: fences[i], addr: None, is_fence: true });
                        f.next_group();
                        text += &format!("  fence {:?}\n", words.fences[i]);
                    }
                    7 => {
                        let dst = f.reg();
                        let own = (!updates.is_empty() && rng.below(3) != 0)
                            .then(|| rng.below(updates.len() as u64) as usize);
                        let ((read, i), (write, j)) = (pick(rng, &loads), pick(rng, &stores));
                        let [read, write] = own.map_or([read, write], |own| updates[own]);
                        let unless = (rng.below(2) == 0).then_some(Unless {
                            expected: Operand::Const(rng.below(2)),
                            tags: loads[0],
                            half: Half::None,
                        });
                        let amo =
                            |tags| Load { dst, addr: x, size: 4, tags, half: Half::AmoRead, unless, hidden: false };
                        f.push(Instr::Load(amo(read)));
                        let end = f.label();
                        if let Some(Unless { expected, .. }) = unless {
                            let ok = f.reg();
                            f.push(Instr::Bin { dst: ok, op: BinOp::Eq, bits: 32, a: Operand::Reg(dst), b: expected });
                            let yes = f.label();
                            let (then, otherwise) = (FunctionBuilder::target(yes), FunctionBuilder::target(end));
                            let cond = Operand::Reg(ok);
                            f.push(Instr::Branch { cond, then, otherwise, join: Join::NoDependency });
                            f.place(yes);
                        }
                        f.push(Instr::Store(Store {
                            addr: x,
                            value,
                            size: 4,
                            tags: write,
                            half: Half::AmoWrite,
                            hidden: false,
                        }));
                        f.place(end);
                        f.next_group();
                        known.push(Operand::Reg(dst));
                        let [r, w] = own.map_or([words.loads[i], words.stores[j]], |own| words.updates[own]);
                        text += &format!("  r{} = rmw x{v} {value:?} {r:?} {w:?} {unless:?}\n", known.len() - 1);
                    }
                    8 | 9 => {
                        let [a, b] = [(); 2].map(|()| rng.below(functions.len() as u64) as usize);
                        let [pointer, dst] = [f.reg(), f.reg()];
                        let address = |i: usize| Operand::Const(ProgramBuilder::function_address(functions[i]));
                        let (cond, on_cond) = (known.last().copied().unwrap_or(Operand::Const(0)), rng.below(2) == 0);
                        f.push(Instr::Select { dst: pointer, cond, a: address(a), b: address(b), on_cond });
                        let pointer = Operand::Reg(pointer);
                        if join == Join::Never {
                            let next = f.label();
                            let [then, otherwise] = [FunctionBuilder::target(next); 2];
                            f.push(Instr::Branch { cond: pointer, then, otherwise, join });
                            f.place(next);
                        }
                        let args = [value].into();
                        f.push(Instr::Call { callee: Callee::Indirect(pointer), args, dst: Some(dst) });
                        f.next_group();
                        text += &format!("  r{} = ({cond:?} ? g{a} : g{b})({value:?}) {on_cond}\n", known.len());
                        known.push(Operand::Reg(dst));
                    }
                    _ => {
                        if let (Some(&cond), None) = (known.last(), open) {
                            let (inside, end) = (f.label(), f.label());
                            let (then, otherwise) = (FunctionBuilder::target(inside), FunctionBuilder::target(end));
                            f.push(Instr::Branch { cond, then, otherwise, join });
                            f.place(inside);
                            open = Some(end);
                            text += &format!("  if r{} {{\n", known.len() - 1);
                        } else if let Some(end) = open.take() {
                            f.place(end);
                            text += "  }\n";
                        }
                    }
                }
            }
            if let Some(end) = open {
                f.place(end);
            }
        });
    }
    (b.finish(), text)
}

/// What the accesses of a model's locks carry, the weaker ones second, and those that a lock protects: halves that take, releases, loads and stores.
struct Locking {
    takes: [[&'static [&'static str]; 2]; 2],
    releases: [&'static [&'static str]; 2],
    accesses: [&'static [&'static str]; 2],
}

const IMM_LOCKS: Locking = Locking {
    takes: [[&["ACQ", "A", "RMW"], &["RLX", "A", "RMW"]], [&["RLX", "A", "RMW"], &["RLX", "A", "RMW"]]],
    releases: [&["REL", "A"], &["RLX", "A"]],
    accesses: [&["RLX", "A"], &["RLX", "A"]],
};

const AARCH64_LOCKS: Locking =
    Locking { takes: [[&["A"], &[]], [&[], &[]]], releases: [&["L"], &[]], accesses: [&[], &[]] };

/// What is read and written under a lock is plain.
const LKMM_LOCKS: Locking = Locking {
    takes: [[&["ACQUIRE", "RMW"], &["ACQUIRE", "RMW"]], [&["ONCE", "RMW"], &["ONCE", "RMW"]]],
    releases: [&["RELEASE"], &["ONCE"]],
    accesses: [&[], &[]],
};

/// Two or three threads that read and write two variables under locks, mostly; now and then one is released too early, not at all, or by nobody who holds it, or it orders nothing.
fn random_locks(rng: &mut Rng, locking: &Locking) -> (Program, String) {
    let mut b = Builder::new();
    let locks: Vec<Operand> = (0..2).map(|i| b.var(&format!("l{i}"))).collect();
    let vars: Vec<Operand> = (0..2).map(|i| b.var(&format!("x{i}"))).collect();
    let mut tags =
        |set: &[&str]| b.program.program.intern_tags(&set.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>());
    let takes = locking.takes.map(|halves| halves.map(&mut tags));
    let releases = locking.releases.map(&mut tags);
    let [load, store] = locking.accesses.map(&mut tags);
    let weak = if rng.below(6) == 0 { rng.below(3) as usize + 1 } else { 0 };
    let mut text = format!("weak {weak}\n");
    for t in 0..2 + rng.below(8) / 7 {
        text += &format!("P{t}:\n");
        b.thread(|f| {
            let mut access = |f: &mut FunctionBuilder, rng: &mut Rng| {
                let v = rng.below(2) as usize;
                let addr = vars[v];
                if rng.below(2) == 0 {
                    let dst = f.reg();
                    f.push(Instr::Load(Load {
                        dst,
                        addr,
                        size: 4,
                        tags: load,
                        half: Half::None,
                        unless: None,
                        hidden: false,
                    }));
                    text += &format!("  r = x{v}\n");
                } else {
                    let value = Operand::Const(1);
                    f.push(Instr::Store(Store { addr, value, size: 4, tags: store, half: Half::None, hidden: false }));
                    text += &format!("  x{v} = 1\n");
                }
                f.next_group();
            };
            let l = usize::from(rng.below(5) == 0);
            if rng.below(8) == 0 {
                access(f, rng);
            }
            let (addr, hidden) = (locks[l], false);
            let [first, last] = takes[weak & 1];
            let takes_it = rng.below(12) > 0;
            if takes_it {
                let [dst, free] = [f.reg(), f.reg()];
                let unless = Some(Unless { expected: Operand::Const(0), tags: first, half: Half::None });
                f.push(Instr::Load(Load { dst, addr, size: 4, tags: first, half: Half::AmoRead, unless, hidden }));
                f.push(Instr::Bin { dst: free, op: BinOp::Eq, bits: 32, a: Operand::Reg(dst), b: Operand::Const(0) });
                f.push(Instr::StopUnless { cond: Operand::Reg(free), why: Stop::Await });
                let value = Operand::Const(1);
                f.push(Instr::Store(Store { addr, value, size: 4, tags: last, half: Half::AmoWrite, hidden }));
                f.next_group();
            }
            for _ in 0..2 {
                access(f, rng);
            }
            let releases_it = rng.below(10) > 0;
            if releases_it {
                let (value, tags) = (Operand::Const(0), releases[weak >> 1 & 1]);
                f.push(Instr::Store(Store { addr, value, size: 4, tags, half: Half::None, hidden }));
                f.next_group();
            }
            if rng.below(8) == 0 {
                access(f, rng);
            }
            text += &format!("  (under l{l}, taken {takes_it}, released {releases_it})\n");
        });
    }
    (b.finish(), text)
}

/// An element of an array of two, by an index in a register.
fn element(f: &mut FunctionBuilder, array: [u64; 2], index: Operand) -> Operand {
    let [offset, address] = [f.reg(), f.reg()];
    let (a, b) = (index, Operand::Const(array[1] - array[0]));
    f.push(Instr::Bin { dst: offset, op: BinOp::Mul, bits: 64, a, b });
    let (a, b) = (Operand::Const(array[0]), Operand::Reg(offset));
    f.push(Instr::Bin { dst: address, op: BinOp::Add, bits: 64, a, b });
    Operand::Reg(address)
}

/// Two threads that each take locks of an array by chosen indices, one after the other, and read and write what has the same index, mostly. Now and then they access something else, release what they do not hold, or release
/// a lock before they are done.
fn random_arrays(rng: &mut Rng, locking: &Locking) -> (Program, String) {
    let mut b = Builder::new();
    let array = |b: &mut Builder, name: &str, size: u8| {
        [0, 1].map(|i| {
            let cells = vec![Cell { offset: 0, size, path: String::new() }];
            let (name, bytes) = (format!("{name}{i}"), vec![0; size.into()]);
            let object = Object { name, address: 0, bytes, cells, thread_local: false, read_only: false };
            b.program.object(object, 8)
        })
    };
    let locks = array(&mut b, "l", 4);
    let vars = array(&mut b, "x", 8);
    let mut tags =
        |set: &[&str]| b.program.program.intern_tags(&set.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>());
    let takes = locking.takes.map(|halves| halves.map(&mut tags));
    let releases = locking.releases.map(&mut tags);
    let [load, store] = locking.accesses.map(&mut tags);
    let weak = if rng.below(8) == 0 { rng.below(3) as usize + 1 } else { 0 };
    let (half, hidden) = (Half::None, false);
    let mut text = format!("weak {weak}\n");
    for t in 0..2 {
        text += &format!("P{t}:\n");
        b.thread(|f| {
            let [first, last] = takes[weak & 1];
            let mut index = f.reg();
            f.push(Instr::Choose { dst: index, values: [0, 1].into() });
            let rounds = 1 + rng.below(4) / 3;
            let mut held: Option<Operand> = None;
            for round in 0..rounds {
                if rng.below(3) == 0 {
                    // A lock and what it protects are found by different copies of one number.
                    let copy = f.reg();
                    f.push(Instr::Set { dst: copy, src: Operand::Reg(index) });
                    index = copy;
                }
                let lock = element(f, locks, Operand::Reg(index));
                let takes_it = rng.below(12) > 0;
                if takes_it {
                    let [dst, free] = [f.reg(), f.reg()];
                    let unless = Some(Unless { expected: Operand::Const(0), tags: first, half });
                    let half = Half::AmoRead;
                    f.push(Instr::Load(Load { dst, addr: lock, size: 4, tags: first, half, unless, hidden }));
                    let (a, b) = (Operand::Reg(dst), Operand::Const(0));
                    f.push(Instr::Bin { dst: free, op: BinOp::Eq, bits: 32, a, b });
                    f.push(Instr::StopUnless { cond: Operand::Reg(free), why: Stop::Await });
                    let (value, half) = (Operand::Const(1), Half::AmoWrite);
                    f.push(Instr::Store(Store { addr: lock, value, size: 4, tags: last, half, hidden }));
                    f.next_group();
                }
                text += &format!("  take l[i] {takes_it}\n");
                let (value, tags) = (Operand::Const(0), releases[weak >> 1 & 1]);
                if let Some(addr) = held.take() {
                    f.push(Instr::Store(Store { addr, value, size: 4, tags, half, hidden }));
                    f.next_group();
                    text += "  release the lock before\n";
                }
                for _ in 0..3 - rounds {
                    let other = rng.below(10) == 0;
                    let at = if other { Operand::Const(rng.below(2)) } else { Operand::Reg(index) };
                    let addr = element(f, vars, at);
                    if rng.below(2) == 0 {
                        let dst = f.reg();
                        f.push(Instr::Load(Load { dst, addr, size: 8, tags: load, half, unless: None, hidden }));
                        text += &format!("  r = x[{at:?}]\n");
                    } else {
                        let value = Operand::Const(1);
                        f.push(Instr::Store(Store { addr, value, size: 8, tags: store, half, hidden }));
                        text += &format!("  x[{at:?}] = 1\n");
                    }
                    f.next_group();
                }
                if round + 1 < rounds {
                    // Hand over hand to the other lock; or it is released first.
                    if rng.below(2) == 0 {
                        held = Some(lock);
                    } else {
                        f.push(Instr::Store(Store { addr: lock, value, size: 4, tags, half, hidden }));
                        f.next_group();
                        text += "  release it\n";
                    }
                    let next = f.reg();
                    let (a, b) = (Operand::Reg(index), Operand::Const(1));
                    f.push(Instr::Bin { dst: next, op: BinOp::Xor, bits: 64, a, b });
                    index = next;
                    text += "  i ^= 1\n";
                } else {
                    let how = rng.below(10);
                    if how > 0 {
                        let wrong = how == 1;
                        let addr = if wrong { element(f, locks, Operand::Const(rng.below(2))) } else { lock };
                        f.push(Instr::Store(Store { addr, value, size: 4, tags, half, hidden }));
                        f.next_group();
                        text += &format!("  release it, or another one: {wrong}\n");
                    }
                }
            }
        });
    }
    (b.finish(), text)
}

fn has_cycle(candidate: &Candidate) -> bool {
    let mut steps: Relation = candidate.relation("po");
    steps.extend(candidate.relation("rf"));
    steps.extend(candidate.relation("thread-sync"));
    let mut live: BTreeSet<u32> = candidate.universe.iter().copied().collect();
    // What nothing live leads to is on no cycle.
    loop {
        let before = live.len();
        let reached: BTreeSet<u32> =
            steps.iter().filter(|(a, b)| live.contains(a) && live.contains(b)).map(|&(_, b)| b).collect();
        live = reached;
        if live.len() == before {
            return !live.is_empty();
        }
    }
}

/// Compares one program, if it is proved; counts those that are, and of them those that could have such a cycle by their form, and those that call
/// through pointers.
fn compare(model: &Model, seed: u64, make: impl Fn(&mut Rng) -> (Program, String), proved: &[AtomicU64; 3]) -> bool {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let (program, text) = make(&mut rng);
    let plan = plan_for(model, &program, &Equivalence::default());
    if !plan.implies_porf_acyclic() {
        return true;
    }
    let (mut expected, mut cyclic, mut tempting) = (BTreeSet::new(), false, 0);
    let all = enumerate(&program, &Options::default(), 1 << 12, &mut |x| {
        let candidate = view::candidate(x.graph, &x.world.deps, &program);
        let cycle = has_cycle(&candidate);
        tempting |= u64::from(cycle);
        if naive::judge(model, &candidate).violated.is_empty() {
            cyclic |= cycle;
            expected.insert(signature(x));
        }
    });
    if all != Coverage::All {
        return true;
    }
    let counted = [1, tempting, u64::from(text.contains(" ? g"))];
    proved.iter().zip(counted).for_each(|(all, n)| _ = all.fetch_add(n, Ordering::Relaxed));
    let mut found = Collect::default();
    explore(&program, &plan, &Options::default(), &mut found);
    let same = found.0.values().all(|&n| n == 1) && found.0.keys().eq(&expected);
    if cyclic || !same {
        println!("seed {seed}\n{text}");
        println!("{} expected, {} found; with a cycle: {cyclic}", expected.len(), found.0.len());
    }
    !cyclic && same
}

fn agree(words: &Words, cases: u64) {
    let loaded = hmc::cat::load(&LoadRequest::named(words.model), &Names::default());
    let Ok(loaded) = loaded else { panic!("{} does not load", words.model) };
    let proved = [const { AtomicU64::new(0) }; 3];
    all_agree(cases, 6, |seed, events| compare(&loaded.model, seed, |rng| random_program(rng, words, events), &proved));
    let [cases, with, calls] = proved.map(AtomicU64::into_inner);
    println!(
        "{}: {cases} proved and enumerated, {with} of these with candidates that have a cycle, {calls} with calls through pointers",
        words.model
    );
    assert!(std::env::var("HMC_RANDOM").is_ok() || with > 0 && calls > 0, "nothing that matters was proved");
}

#[test]
fn imm() {
    agree(&IMM, 300);
}

#[test]
fn c11() {
    agree(&C11, 300);
}

#[test]
fn c11_with_plain_accesses() {
    agree(&C11_PLAIN, 300);
}

#[test]
fn aarch64() {
    agree(&AARCH64, 300);
}

#[test]
fn power() {
    agree(&POWER, 300);
}

#[test]
fn riscv() {
    agree(&RISCV, 300);
}

#[test]
fn lkmm() {
    agree(&LKMM, 300);
}

/// The same of programs with locks.
fn agree_under_locks(model: &str, cases: u64, make: impl Fn(&mut Rng) -> (Program, String) + Sync) {
    let loaded = hmc::cat::load(&LoadRequest::named(model), &Names::default());
    let Ok(loaded) = loaded else { panic!("{model} does not load") };
    let proved = [const { AtomicU64::new(0) }; 3];
    all_agree(cases, 6, |seed, _| compare(&loaded.model, seed, &make, &proved));
    let [cases, with, _] = proved.map(AtomicU64::into_inner);
    println!("{model}: {cases} with locks proved and enumerated, {with} of these with candidates that have a cycle");
    assert!(std::env::var("HMC_RANDOM").is_ok() || with > 0, "nothing that matters was proved");
}

#[test]
fn imm_with_locks() {
    agree_under_locks("imm", 40, |rng| random_locks(rng, &IMM_LOCKS));
}

#[test]
fn aarch64_with_locks() {
    agree_under_locks("aarch64", 40, |rng| random_locks(rng, &AARCH64_LOCKS));
}

#[test]
fn imm_with_locks_in_arrays() {
    agree_under_locks("imm", 40, |rng| random_arrays(rng, &IMM_LOCKS));
}

#[test]
fn aarch64_with_locks_in_arrays() {
    agree_under_locks("aarch64", 40, |rng| random_arrays(rng, &AARCH64_LOCKS));
}

#[test]
fn lkmm_with_locks() {
    agree_under_locks("lkmm", 8, |rng| random_locks(rng, &LKMM_LOCKS));
}
