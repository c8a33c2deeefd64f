//! Calls that are left: by an exception, or by `longjmp`.
//!
//! A thread that leaves calls keeps what it leaves them with (the exception, or where `longjmp` goes) in a word of its own, and returns. Behind each call that may be left
//! the caller looks at that word, and returns as well, or lands where the program says. So nothing but jumps and returns is needed, and what depends on what is seen as for other jumps:
//! a function that comes back sets the word to 0 and says by that on what it depends that it does.
//!
//! Here calls are looked for that may be left, through all that is linked. All others come back; where they would land is left out.

use super::ir::unwinding::{COMES_BACK, LEAVES, LEAVING, UNWINDS};
use super::ir::{Function, Instruction, Module, Op, Type, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Makes explicit where calls may be left, and takes away what is never landed on.
pub fn make_explicit(module: &mut Module) {
    let left = Left::of(module);
    module.unwinds = left.any;
    let void = module.types.add(Type::Void);
    let aliases = std::mem::take(&mut module.aliases);
    for function in &mut module.functions {
        let name = function.name.as_str();
        let leaves = left.functions.contains(name) && !LEAVING.contains(&name);
        let asks = function.blocks.iter().flat_map(|b| &b.instructions).any(|i| called(&i.op) == Some(UNWINDS));
        if !leaves && !asks {
            continue;
        }
        let call = |name: &str, debug| Instruction {
            result: None,
            op: Op::Call { ret: void, callee: Value::Global(name.to_owned()), args: Vec::new() },
            debug,
        };
        for block in &mut function.blocks {
            let old = std::mem::take(&mut block.instructions);
            let mut old = old.into_iter().peekable();
            while let Some(instruction) = old.next() {
                let debug = instruction.debug;
                let may_be_left = left.may_be(&instruction.op, &aliases);
                let is_asked = old.peek().is_some_and(|next| called(&next.op) == Some(UNWINDS));
                if leaves && matches!(instruction.op, Op::Return { .. }) {
                    block.instructions.push(call(COMES_BACK, debug));
                }
                block.instructions.push(instruction);
                if is_asked && !may_be_left {
                    old.next();
                    if let Some(Instruction { op: Op::CondBranch { otherwise: to, .. }, .. }) = old.next() {
                        block.instructions.push(Instruction { result: None, op: Op::Branch { to }, debug });
                    }
                } else if may_be_left && !is_asked {
                    block.instructions.push(call(LEAVES, debug));
                }
            }
        }
        keep_reached(function);
    }
    module.aliases = aliases;
}

/// The name that a call names.
fn called(op: &Op) -> Option<&str> {
    match op {
        Op::Call { callee: Value::Global(name), .. } => Some(name),
        _ => None,
    }
}

/// What may be left.
struct Left {
    functions: FxHashSet<String>,
    /// Whether some of them may be called through a pointer.
    by_pointer: bool,
    any: bool,
}

impl Left {
    fn of(module: &Module) -> Left {
        let functions = || module.functions.iter().filter(|f| !f.blocks.is_empty());
        let instructions = |f: &'_ Function| f.blocks.iter().flat_map(|b| b.instructions.clone()).collect::<Vec<_>>();
        let code: FxHashMap<&str, Vec<Instruction>> = functions().map(|f| (f.name.as_str(), instructions(f))).collect();
        let is_called_to_leave = |i: &Instruction| called(&i.op).is_some_and(|name| LEAVING.contains(&name));
        let any = code.values().flatten().any(is_called_to_leave);
        let mut left = Left { functions: FxHashSet::default(), by_pointer: false, any };
        if !any {
            return left;
        }
        let taken = taken(module);
        // What throws is a function, too, where it is linked.
        left.functions.extend(LEAVING.iter().map(|&name| name.to_owned()));
        loop {
            let more: Vec<String> = code
                .iter()
                .filter(|(name, _)| !left.functions.contains(**name))
                .filter(|(_, code)| code.iter().any(|i| left.may_be(&i.op, &module.aliases)))
                .map(|(&name, _)| name.to_owned())
                .collect();
            let by_pointer = left.by_pointer || left.functions.iter().chain(&more).any(|name| taken.contains(name));
            if more.is_empty() && by_pointer == left.by_pointer {
                return left;
            }
            left.functions.extend(more);
            left.by_pointer = by_pointer;
        }
    }

    /// Whether an instruction is a call that may be left.
    fn may_be(&self, op: &Op, aliases: &[(String, Value)]) -> bool {
        match op {
            Op::Call { callee: Value::Global(name), .. } => {
                let aliased = aliases.iter().find(|(alias, _)| alias == name).map(|(_, value)| value);
                self.functions.contains(match aliased {
                    Some(Value::Global(of)) => of,
                    _ => name,
                })
            }
            Op::Call { callee: Value::Asm(..), .. } => false,
            Op::Call { .. } => self.by_pointer,
            _ => false,
        }
    }
}

/// Functions that something else than a call names.
fn taken(module: &Module) -> FxHashSet<String> {
    let mut taken = FxHashSet::default();
    let mut note = |value: &Value| {
        super::lower::reachable::names(value, &mut |name| {
            taken.insert(name.to_owned());
        });
    };
    module.globals.iter().filter_map(|global| global.init.as_ref()).for_each(&mut note);
    module.aliases.iter().for_each(|(_, value)| note(value));
    for instruction in module.functions.iter().flat_map(|f| &f.blocks).flat_map(|b| &b.instructions) {
        match &instruction.op {
            Op::Call { callee: Value::Global(_), args, .. } => args.iter().for_each(|arg| note(&arg.value)),
            op => super::lower::operands(op, &mut note),
        }
    }
    taken
}

/// Leaves out blocks that nothing leads to.
fn keep_reached(function: &mut Function) {
    let at: FxHashMap<_, _> = function.blocks.iter().enumerate().map(|(i, block)| (block.label, i)).collect();
    let mut reached = FxHashSet::default();
    let mut open = vec![0];
    while let Some(i) = open.pop() {
        if !reached.insert(i) {
            continue;
        }
        open.extend(function.blocks[i].successors().iter().filter_map(|label| at.get(label)));
    }
    let mut i = 0;
    function.blocks.retain(|_| {
        i += 1;
        reached.contains(&(i - 1))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::llvm::ir::parse;
    use crate::llvm::ir::unwinding::LANDS;

    const TEXT: &str = "define void @f() personality ptr @p {\n  invoke void @g()\n          to label %on unwind label %pad\n\non:\n  ret void\n\npad:\n  \
                        %e = landingpad { ptr, i32 }\n          catch ptr null\n  ret void\n}\n";

    fn shape(module: &Module, name: &str) -> Vec<String> {
        let blocks = &module.definition(name).expect("a function").blocks;
        let told = |op: &Op| match op {
            Op::Call { .. } => called(op).unwrap_or("?").to_owned(),
            Op::Branch { .. } => "jump".to_owned(),
            Op::CondBranch { .. } => "branch".to_owned(),
            Op::Return { .. } => "return".to_owned(),
            _ => "other".to_owned(),
        };
        blocks.iter().map(|b| b.instructions.iter().map(|i| told(&i.op)).collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn calls_that_are_never_left_come_back() {
        let mut module = parse::parse(&format!("{TEXT}declare void @g()\n"), "a.ll").expect("a module");
        make_explicit(&mut module);
        assert!(!module.unwinds);
        assert_eq!(shape(&module, "f"), ["g jump", "return"]);
    }

    #[test]
    fn calls_that_may_be_left_are_looked_at() {
        let g = "define void @g() {\n  call void @__cxa_throw(ptr null, ptr null, ptr null)\n  unreachable\n}\n\
                 define void @h() {\n  call void @g()\n  ret void\n}\ndeclare void @__cxa_throw(ptr, ptr, ptr)\n";
        let mut module = parse::parse(&format!("{TEXT}{g}"), "a.ll").expect("a module");
        make_explicit(&mut module);
        assert!(module.unwinds);
        assert_eq!(shape(&module, "f")[0], format!("g {UNWINDS} branch"));
        assert_eq!(shape(&module, "f")[2], format!("{LANDS} {COMES_BACK} return"));
        assert_eq!(shape(&module, "h"), [format!("g {LEAVES} {COMES_BACK} return")]);
    }
}
