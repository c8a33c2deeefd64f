//! Which functions calls through pointers may call, and which ones threads may run that are created through pointers.
//!
//! Pointers are followed through the whole program: registers, private memory, and what each variable and each place that allocates memory may hold. Neither the order of the code
//! counts nor who calls a function. Addresses come from constants in the code, and from what variables hold at first. What is computed from one is taken to point into the same thing, at an
//! offset that is known as long as constants are added to it.
//!
//! Whether code runs does not count either, and a call through a pointer gives its arguments to every function of which the address stands somewhere: in an execution that decides about itself
//! a function may be called only because of what it does.
//!
//! So a pointer that leaves its variable for another one, or a number that happens to be the address of a function, is not followed. Programs may do that, and then a call
//! may come to a function that is not among these. The interpreter refuses such a call (`Fault::Unsupported`): what is said here holds of all that it runs.
//!
//! `flow` goes through the instructions, `places` says what a pointer may point to.
//!
//! Limits: an address that may be at two offsets in a thing may be anywhere in it.

mod flow;
mod places;

use super::{Pc, Program};
use crate::ids::FuncId;
use flow::Flow;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// See the module.
#[derive(Debug)]
pub struct Pointers {
    /// The functions at each place that calls, or creates a thread, through a pointer; sorted.
    targets: FxHashMap<(FuncId, Pc), Vec<FuncId>>,
}

/// That of a program, once somebody has asked. A copy of the program is asked anew: copies are made to be changed.
#[derive(Default, Debug)]
pub(super) struct Known(OnceLock<Pointers>);

impl Known {
    /// Instructions of a function have other places, and mean the same.
    pub(super) fn moved(&mut self, function: FuncId, new_places: &[Pc]) {
        let Some(pointers) = self.0.get_mut() else { return };
        let targets = std::mem::take(&mut pointers.targets).into_iter();
        let moved = targets.map(|((f, pc), to)| ((f, if f == function { new_places[pc as usize] } else { pc }), to));
        pointers.targets = moved.collect();
    }
}

impl Clone for Known {
    fn clone(&self) -> Known {
        Known::default()
    }
}

impl Program {
    /// Which functions its pointers may lead to. Nothing in it changes from now on.
    pub fn pointers(&self) -> &Pointers {
        self.pointers.0.get_or_init(|| Flow::of(self).pointers())
    }
}

impl Pointers {
    /// The functions that an instruction may call, or create a thread for, through a pointer.
    pub fn targets(&self, function: FuncId, pc: Pc) -> &[FuncId] {
        self.targets.get(&(function, pc)).map_or(&[], Vec::as_slice)
    }

    /// Whether one of them is this.
    pub fn may_lead(&self, function: FuncId, pc: Pc, to: FuncId) -> bool {
        self.targets(function, pc).binary_search(&to).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{TagSetId, ThreadId};
    use crate::program::deps::{DepId, DepTable};
    use crate::program::fault::Fault;
    use crate::program::thread::{Action, Context, Thread};
    use crate::program::{
        BinOp, Callee, FunctionBuilder, Half, Instr, Load, Object, Operand, ProgramBuilder, Region, Start, Store,
    };

    const FIRST: u64 = 0x1000;
    const F: FuncId = FuncId(0);
    const G: FuncId = FuncId(1);
    const MAIN: FuncId = FuncId(2);

    fn address(function: FuncId) -> Operand {
        Operand::Const(ProgramBuilder::function_address(function))
    }

    fn load(f: &mut FunctionBuilder, addr: Operand) -> Operand {
        let (dst, tags, half) = (f.reg(), TagSetId(0), Half::None);
        f.push(Instr::Load(Load { dst, addr, size: 8, tags, half, unless: None, hidden: false }));
        Operand::Reg(dst)
    }

    fn store(f: &mut FunctionBuilder, addr: Operand, value: Operand) {
        f.push(Instr::Store(Store { addr, value, size: 8, tags: TagSetId(0), half: Half::None, hidden: false }));
    }

    fn binary(f: &mut FunctionBuilder, op: BinOp, a: Operand, b: Operand) -> Operand {
        let dst = f.reg();
        f.push(Instr::Bin { dst, op, bits: 64, a, b });
        Operand::Reg(dst)
    }

    fn call(f: &mut FunctionBuilder, callee: Callee, args: &[Operand]) -> Operand {
        let dst = f.reg();
        f.push(Instr::Call { callee, args: args.into(), dst: Some(dst) });
        Operand::Reg(dst)
    }

    /// Two functions, the first of which gives back what it is given, and `main`, which calls what `pointer` makes. A table of the two stands at [`FIRST`].
    fn program(pointer: impl FnOnce(&mut FunctionBuilder) -> Operand) -> Program {
        let mut program = ProgramBuilder::new("test", FIRST);
        let table = [F, G].map(|f| ProgramBuilder::function_address(f).to_le_bytes()).concat();
        let name = "table".into();
        program.object(
            Object { name, address: 0, bytes: table, cells: Vec::new(), thread_local: false, read_only: true },
            8,
        );
        let mut main = FunctionBuilder::new("main", 0);
        let target = pointer(&mut main);
        call(&mut main, Callee::Indirect(target), &[]);
        for (id, params) in [(F, 1), (G, 0)] {
            let mut f = FunctionBuilder::new("f", params);
            f.push(Instr::Return { value: (params > 0).then_some(Operand::Reg(0)) });
            assert_eq!(program.declare("f"), id);
            program.define(id, f.finish());
        }
        assert_eq!(program.declare("main"), MAIN);
        program.define(MAIN, main.finish());
        program.program.start = Start::Main(MAIN);
        program.program
    }

    /// What the last call of `main` may run.
    fn called(pointer: impl FnOnce(&mut FunctionBuilder) -> Operand) -> Vec<FuncId> {
        let program = program(pointer);
        let last = program.functions[MAIN.index()].code.len() - 2;
        program.pointers().targets(MAIN, last as Pc).to_vec()
    }

    #[test]
    fn an_entry_of_a_table_at_a_known_place_is_one_function() {
        assert_eq!(called(|f| load(f, Operand::Const(FIRST + 8))), [G]);
        let moved = |f: &mut FunctionBuilder| binary(f, BinOp::Add, Operand::Const(FIRST), Operand::Const(8));
        assert_eq!(
            called(|f| {
                let at = moved(f);
                load(f, at)
            }),
            [G]
        );
    }

    #[test]
    fn an_entry_at_an_index_is_any() {
        let entry = |f: &mut FunctionBuilder| {
            let index = f.reg();
            f.push(Instr::Choose { dst: index, values: [0, 8].into() });
            let at = binary(f, BinOp::Add, Operand::Const(FIRST), Operand::Reg(index));
            load(f, at)
        };
        assert_eq!(called(entry), [F, G]);
    }

    #[test]
    fn pointers_go_through_memory_that_is_allocated_and_calls() {
        let given = |f: &mut FunctionBuilder| {
            let block = f.reg();
            let (size, name) = (Operand::Const(16), "block".into());
            f.push(Instr::Alloc { dst: block, size, region: Region::Heap, name });
            store(f, Operand::Reg(block), address(G));
            let block = call(f, Callee::Direct(F), &[Operand::Reg(block)]);
            load(f, block)
        };
        assert_eq!(called(given), [G]);
    }

    #[test]
    fn private_memory_and_results_of_calls_through_pointers_hold_pointers() {
        let kept = |f: &mut FunctionBuilder| {
            let (dst, offset, size) = (f.reg(), Operand::Const(0), 8);
            f.local(8);
            f.push(Instr::LocalStore { offset, value: address(G), size });
            f.push(Instr::LocalLoad { dst, offset, size });
            let pointer = load(f, Operand::Const(FIRST));
            call(f, Callee::Indirect(pointer), &[Operand::Reg(dst)])
        };
        assert_eq!(called(kept), [G]);
    }

    #[test]
    fn what_marks_a_pointer_is_taken_away_again() {
        let marked = |f: &mut FunctionBuilder| {
            let marked = binary(f, BinOp::Or, address(G), Operand::Const(1));
            binary(f, BinOp::And, marked, Operand::Const(!1))
        };
        assert_eq!(called(marked), [G]);
    }

    #[test]
    fn either_of_two_may_be_chosen() {
        let chosen = |f: &mut FunctionBuilder| {
            let (dst, cond) = (f.reg(), f.reg());
            f.push(Instr::Choose { dst: cond, values: [0, 1].into() });
            f.push(Instr::Select { dst, cond: Operand::Reg(cond), a: address(F), b: address(G), on_cond: false });
            Operand::Reg(dst)
        };
        assert_eq!(called(chosen), [F, G]);
    }

    #[test]
    fn a_function_may_be_called_because_of_what_it_does() {
        // `g` puts its own address where it is called from, and is called from nowhere else.
        let mut program = program(|f| load(f, Operand::Const(FIRST + 8)));
        let mut g = FunctionBuilder::new("g", 1);
        store(&mut g, Operand::Const(FIRST + 8), Operand::Reg(0));
        program.functions[G.index()] = g.finish();
        program.objects[0].bytes = [ProgramBuilder::function_address(F).to_le_bytes(), [0; 8]].concat();
        let mut main = FunctionBuilder::new("main", 0);
        let pointer = load(&mut main, Operand::Const(FIRST + 8));
        call(&mut main, Callee::Indirect(pointer), &[address(G)]);
        program.functions[MAIN.index()] = main.finish();
        assert_eq!(program.pointers().targets(MAIN, 1), [G]);
    }

    /// What becomes of `main`, which makes no events.
    fn run(program: &Program) -> Action {
        let mut cx = Context {
            program,
            deps: &mut DepTable::default(),
            thread: ThreadId(0),
            events: 0,
            unroll: None,
            detect_idle: true,
            budget: 100,
            go_on: false,
            ways: None,
        };
        Thread::start(program, MAIN, &[], DepId::NONE).run(&mut cx)
    }

    #[test]
    fn another_function_is_not_run() {
        let moved = |f: &mut FunctionBuilder| binary(f, BinOp::Add, address(F), Operand::Const(16));
        assert_eq!(called(moved), []);
        assert!(matches!(run(&program(moved)), Action::Fault(Fault::Unsupported(_))));
        let there_and_back = |f: &mut FunctionBuilder| {
            let moved = moved(f);
            binary(f, BinOp::Sub, moved, Operand::Const(16))
        };
        assert_eq!(run(&program(there_and_back)), Action::Finished);
    }
}
