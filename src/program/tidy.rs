//! Leaves out copies: front ends give each value of the source a register of its own, and threads run the same code again and again.
//!
//! What a thread hands to the execution graph stays as it is, with its dependencies: a copy depends on what was copied. In straight-line code
//!
//! - who reads a copy reads what was copied;
//! - what is computed from constants is a constant;
//! - a result that is only copied on is written where it goes;
//! - what nobody reads is not computed, unless that can go wrong or is seen by others.

use super::arith;
use super::flow::{change_targets, change_uses, defines, definition_of, successors, uses};
use super::instr::*;

/// Tidies a function whose jump targets are resolved, before it is analysed. Not one of which a condition may ask for the last values of registers.
pub(super) fn tidy(function: &mut Function) {
    debug_assert!(function.observed.is_empty(), "nobody else asks for registers");
    let entered = entered(&mut function.code);
    read_what_was_copied(&mut function.code, &entered);
    let mut kept = vec![true; function.code.len()];
    write_where_it_goes(function, &entered, &mut kept);
    leave_out_unread(function, &mut kept);
    keep(function, &kept);
    close_ranks(function);
}

/// Where one may come from elsewhere than from the instruction before.
fn entered(code: &mut [Instr]) -> Vec<bool> {
    let mut entered = vec![false; code.len()];
    for instr in code {
        change_targets(instr, |pc| entered[*pc as usize] = true);
    }
    entered
}

/// Whether an instruction may write a register. A call may write those behind its own as well: those of a structure.
fn writes(instr: &Instr, register: Reg) -> bool {
    defines(instr).is_some_and(|dst| dst == register || matches!(instr, Instr::Call { .. }) && dst < register)
}

fn read_what_was_copied(code: &mut [Instr], entered: &[bool]) {
    let mut copies: Vec<(Reg, Operand)> = Vec::new();
    for (instr, &entered) in code.iter_mut().zip(entered) {
        if entered {
            copies.clear();
        }
        change_uses(instr, |operand| {
            if let Some((_, source)) = copies.iter().find(|(copy, _)| *operand == Operand::Reg(*copy)) {
                *operand = *source;
            }
        });
        decide(instr);
        let is_written = |operand: Operand| matches!(operand, Operand::Reg(register) if writes(instr, register));
        copies.retain(|&(copy, source)| !is_written(Operand::Reg(copy)) && !is_written(source));
        if let Instr::Set { dst, src } = *instr
            && src != Operand::Reg(dst)
        {
            copies.push((dst, src));
        }
    }
}

/// Computes what constants come to. Branches stay: where ways meet says what depends on them.
fn decide(instr: &mut Instr) {
    let decided = match *instr {
        Instr::Bin { dst, op, bits, a: Operand::Const(a), b: Operand::Const(b) } => {
            arith::binary(op, bits, a, b).map(|value| (dst, value))
        }
        Instr::Un { dst, op, bits, a: Operand::Const(a) } => Some((dst, arith::unary(op, bits, a))),
        _ => None,
    };
    if let Some((dst, value)) = decided {
        *instr = Instr::Set { dst, src: Operand::Const(value) };
    }
}

/// How often each register is read, and how often written.
fn count(function: &Function) -> Vec<(u32, u32)> {
    let mut counts = vec![(0, 0); function.regs as usize];
    for instr in &function.code {
        uses(instr).into_iter().for_each(|register| counts[register as usize].0 += 1);
        defines(instr).into_iter().for_each(|register| counts[register as usize].1 += 1);
    }
    counts
}

fn write_where_it_goes(function: &mut Function, entered: &[bool], kept: &mut [bool]) {
    let counts = count(function);
    for (at, kept) in kept.iter_mut().enumerate() {
        let Instr::Set { dst, src: Operand::Reg(result) } = function.code[at] else { continue };
        if result < function.params || counts[result as usize] != (1, 1) {
            continue;
        }
        let mut from = at;
        while from > 0 && !entered[from] && successors(&function.code, from as Pc - 1)[..] == [from as Pc] {
            from -= 1;
            let instr = &mut function.code[from];
            if defines(instr) == Some(result) {
                // A call may write the registers behind its own as well.
                if !matches!(instr, Instr::Call { .. }) {
                    definition_of(instr).into_iter().for_each(|register| *register = dst);
                    *kept = false;
                }
                break;
            }
            if writes(instr, result) || writes(instr, dst) || uses(instr).contains(&dst) {
                break;
            }
        }
    }
}

/// Whether nothing but its result tells that an instruction was run.
fn is_silent(instr: &Instr) -> bool {
    match instr {
        Instr::Bin { op, .. } => !matches!(op, BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem),
        Instr::Set { .. }
        | Instr::Un { .. }
        | Instr::Select { .. }
        | Instr::ThreadSelf { .. }
        | Instr::ReadWord { .. }
        | Instr::Repeats { .. } => true,
        _ => false,
    }
}

fn leave_out_unread(function: &Function, kept: &mut [bool]) {
    let mut reads = vec![0; function.regs as usize];
    let code = &function.code;
    let there = code.iter().zip(&*kept).filter(|(_, kept)| **kept);
    there.flat_map(|(instr, _)| uses(instr)).for_each(|register| reads[register as usize] += 1);
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for (instr, kept) in code.iter().zip(&mut *kept).rev().filter(|(_, kept)| **kept) {
            if is_silent(instr) && defines(instr).is_some_and(|dst| reads[dst as usize] == 0) {
                uses(instr).into_iter().for_each(|register| reads[register as usize] -= 1);
                (*kept, changed) = (false, true);
            }
        }
    }
}

/// Takes out what is not kept. Who jumped there jumps to what follows.
fn keep(function: &mut Function, kept: &[bool]) {
    let mut left = 0;
    let number = |&kept: &bool| {
        left += Pc::from(kept);
        left - Pc::from(kept)
    };
    let new: Vec<Pc> = kept.iter().map(number).collect();
    function.code.iter_mut().for_each(|instr| change_targets(instr, |pc| *pc = new[*pc as usize]));
    function.operations.iter_mut().for_each(|(at, _)| *at = new[*at as usize]);
    function.layouts.iter_mut().for_each(|(at, ..)| *at = new[*at as usize]);
    fn only<T>(all: &mut Vec<T>, kept: &[bool]) {
        let mut kept = kept.iter();
        all.retain(|_| kept.next().is_none_or(|&kept| kept));
    }
    only(&mut function.code, kept);
    only(&mut function.spans, kept);
    only(&mut function.group, kept);
    only(&mut function.parts, kept);
}

/// Gives registers that are left the lowest numbers. Nothing where a call may write several, whose order counts, or arguments may come behind the parameters.
fn close_ranks(function: &mut Function) {
    let counts = count(function);
    let comes_from_nowhere = |(register, &(read, written)): (usize, &(u32, u32))| {
        register >= function.params as usize && read > 0 && written == 0
    };
    let calls = |instr: &Instr| matches!(instr, Instr::Call { dst: Some(_), .. });
    if counts.iter().enumerate().any(comes_from_nowhere) || function.code.iter().any(calls) {
        return;
    }
    let mut left = 0;
    let number = |(register, count): (usize, &(u32, u32))| {
        let is_left = register < function.params as usize || *count != (0, 0);
        left += Reg::from(is_left);
        is_left.then(|| left - 1)
    };
    let new: Vec<Option<Reg>> = counts.iter().enumerate().map(number).collect();
    let renamed = |register: &mut Reg| *register = new[*register as usize].unwrap_or(*register);
    for instr in &mut function.code {
        change_uses(instr, |operand| {
            if let Operand::Reg(register) = operand {
                renamed(register);
            }
        });
        definition_of(instr).into_iter().for_each(renamed);
    }
    let mut numbers = new.iter();
    function.reg_names.retain(|_| numbers.next().is_none_or(|new| new.is_some()));
    function.regs = left;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{FuncId, SpanId, TagSetId, ThreadId};
    use crate::program::deps::{DepId, DepTable};
    use crate::program::thread::{Action, Completion, Context, Exclusive, Slot, Thread};
    use crate::program::{FunctionBuilder, ProgramBuilder};
    use proptest::prelude::*;

    /// Registers that random code uses; the first is a parameter.
    const REGISTERS: Reg = 6;

    fn load(dst: Reg, addr: Operand) -> Instr {
        let (tags, half) = (TagSetId(0), Half::None);
        Instr::Load(Load { dst, addr, size: 4, tags, half, unless: None, hidden: false })
    }

    fn store(addr: Operand, value: Operand) -> Instr {
        Instr::Store(Store { addr, value, size: 4, tags: TagSetId(0), half: Half::None, hidden: false })
    }

    fn built(code: &[Instr], tidy: bool) -> Function {
        let mut f = FunctionBuilder::new("f", 1);
        for _ in 1..REGISTERS {
            f.reg();
        }
        let labels: Vec<_> = code.iter().map(|_| f.label()).collect();
        for (at, instr) in code.iter().enumerate() {
            f.place(labels[at]);
            f.at(SpanId(at as u32));
            f.push(instr.clone());
        }
        if tidy { f.finish_tidy() } else { f.finish() }
    }

    /// All that a thread hands to the execution graph, with members of dependencies: for each event what it is, where, and what it depends on. Reads read
    /// something that differs from one to the next. `two`: a function that gives two scalars.
    fn run(function: Function, two: Function) -> Vec<String> {
        let mut builder = ProgramBuilder::new("p", 0x1000);
        let (main, pair) = (builder.declare("f"), builder.declare("two"));
        builder.define(main, function);
        builder.define(pair, two);
        let (program, mut deps, mut seen) = (builder.program, DepTable::default(), Vec::new());
        let argument = Slot { value: 3, deps: DepId::NONE };
        let mut thread = Thread::start(&program, main, &[argument], DepId::NONE);
        for events in 0..40 {
            let mut cx = Context {
                program: &program,
                deps: &mut deps,
                thread: ThreadId(0),
                events,
                unroll: None,
                // What nobody reads counts for an iteration that is not tidy.
                detect_idle: false,
                budget: 10_000,
                go_on: false,
                ways: None,
            };
            let action = thread.run(&mut cx);
            if action == Action::Cut {
                // In an endless loop, somewhere else than where that is tidy.
                seen.push("cut".to_owned());
                break;
            }
            let members = |set: DepId| deps.get(set).iter().chain(deps.picks(set).iter()).collect::<Vec<u32>>();
            let span = thread.place(&program).span;
            let shown = match &action {
                Action::Read { addr, addr_deps, .. } => format!("read {addr} {:?}", members(*addr_deps)),
                Action::Write { addr, value, addr_deps, data_deps, .. } => {
                    format!("write {addr} {value} {:?} {:?}", members(*addr_deps), members(*data_deps))
                }
                other => format!("{other:?} {:?}", thread.result.map(|slot| (slot.value, members(slot.deps)))),
            };
            let goes_on = matches!(action, Action::Read { .. } | Action::Write { .. });
            seen.push(format!("{shown} at {span:?} under {:?}", members(thread.ctrl())));
            if !goes_on {
                break;
            }
            let depends = matches!(action, Action::Read { .. });
            let value = u64::from(depends) * u64::from(events * 7 % 5);
            let exclusive = Exclusive::Keep;
            thread.finish(Completion { value, event: events, depends, lasting: false, effect: !depends, exclusive });
        }
        seen
    }

    fn operand() -> impl Strategy<Value = Operand> {
        prop_oneof![3 => (0..REGISTERS).prop_map(Operand::Reg), 1 => (0..4u64).prop_map(Operand::Const)]
    }

    /// An instruction of code of this length. Jumps mostly lead on.
    fn instr(length: Pc) -> impl Strategy<Value = Instr> {
        let reg = 0..REGISTERS;
        let op = prop_oneof![Just(BinOp::Add), Just(BinOp::And), Just(BinOp::SLt), Just(BinOp::UDiv)];
        prop_oneof![
            6 => (reg.clone(), operand()).prop_map(|(dst, src)| Instr::Set { dst, src }),
            3 => (reg.clone(), op, operand(), operand()).prop_map(|(dst, op, a, b)| Instr::Bin { dst, op, bits: 32, a, b }),
            1 => (reg.clone(), operand(), operand(), operand(), any::<bool>())
                .prop_map(|(dst, cond, a, b, on_cond)| Instr::Select { dst, cond, a, b, on_cond }),
            3 => (reg.clone(), operand()).prop_map(|(dst, addr)| load(dst, addr)),
            3 => (operand(), operand()).prop_map(|(addr, value)| store(addr, value)),
            2 => (operand(), 0..length, 0..length)
                .prop_map(|(cond, then, otherwise)| Instr::Branch { cond, then, otherwise, join: Join::Merge }),
            1 => (0..length).prop_map(Instr::Jump),
            1 => (0..REGISTERS - 1, operand()).prop_map(|(dst, arg)| Instr::Call {
                callee: Callee::Direct(FuncId(1)),
                args: [arg].into(),
                dst: Some(dst),
            }),
            1 => operand().prop_map(|value| Instr::Return { value: Some(value) }),
        ]
    }

    fn two() -> Function {
        let mut f = FunctionBuilder::new("two", 1);
        f.push(Instr::ReturnMany { values: [Operand::Reg(0), Operand::Const(9)].into() });
        f.finish()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn threads_do_the_same(code in (3..20usize).prop_flat_map(|n| prop::collection::vec(instr(n as Pc), n))) {
            let plain = run(built(&code, false), two());
            prop_assert_eq!(plain, run(built(&code, true), two()));
        }
    }

    #[test]
    fn copies_are_left_out() {
        let code = [
            Instr::Set { dst: 1, src: Operand::Reg(0) },
            load(2, Operand::Reg(1)),
            Instr::Set { dst: 3, src: Operand::Reg(2) },
            Instr::Bin { dst: 4, op: BinOp::Add, bits: 32, a: Operand::Reg(3), b: Operand::Const(1) },
            Instr::Set { dst: 3, src: Operand::Reg(4) },
            Instr::Bin { dst: 5, op: BinOp::Add, bits: 32, a: Operand::Reg(3), b: Operand::Const(1) },
            store(Operand::Reg(0), Operand::Reg(3)),
        ];
        let sum = Instr::Bin { dst: 2, op: BinOp::Add, bits: 32, a: Operand::Reg(1), b: Operand::Const(1) };
        let left =
            [load(1, Operand::Reg(0)), sum, store(Operand::Reg(0), Operand::Reg(2)), Instr::Return { value: None }];
        assert_eq!(built(&code, true).code, left);
    }

    #[test]
    fn a_call_may_write_over_a_result() {
        let call = |arg| Instr::Call { callee: Callee::Direct(FuncId(1)), args: [arg].into(), dst: Some(4) };
        let code = [
            Instr::Set { dst: 5, src: Operand::Const(0) },
            call(Operand::Const(7)),
            Instr::Set { dst: 0, src: Operand::Reg(5) },
            Instr::Jump(4),
            store(Operand::Reg(0), Operand::Const(1)),
        ];
        let plain = run(built(&code, false), two());
        assert!(plain[0].starts_with("write 9 "), "{}", plain[0]);
        assert_eq!(plain, run(built(&code, true), two()));
    }

    #[test]
    fn what_may_go_wrong_stays() {
        let divides = Instr::Bin { dst: 1, op: BinOp::UDiv, bits: 32, a: Operand::Const(1), b: Operand::Reg(0) };
        assert_eq!(built(std::slice::from_ref(&divides), true).code[0], divides);
    }
}
