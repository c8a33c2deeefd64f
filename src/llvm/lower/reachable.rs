//! What a program can come to from its entry: functions that are called or whose address is taken, and variables, as far as these lead. Of a file that is tested with a few calls,
//! the rest says nothing.

use crate::llvm::ir::{ConstExpr, Module, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Lists of functions that run before and behind the entry.
const LISTS: [&str; 2] = ["llvm.global_ctors", "llvm.global_dtors"];

/// The names of what can be come to.
pub fn from<'m>(module: &'m Module, entry: &'m str) -> FxHashSet<&'m str> {
    let functions: FxHashMap<&str, _> = module.functions.iter().map(|f| (f.name.as_str(), f)).collect();
    let globals: FxHashMap<&str, _> = module.globals.iter().map(|g| (g.name.as_str(), g)).collect();
    let aliases: FxHashMap<&str, _> = module.aliases.iter().map(|(name, to)| (name.as_str(), to)).collect();
    let mut there: FxHashSet<&str> = std::iter::once(entry).chain(LISTS).collect();
    let mut work: Vec<&str> = there.iter().copied().collect();
    while let Some(name) = work.pop() {
        let mut reach = |value| {
            names(value, &mut |name| {
                if there.insert(name) {
                    work.push(name);
                }
            })
        };
        if let Some(function) = functions.get(name) {
            let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
            instructions.for_each(|instruction| super::operands(&instruction.op, &mut reach));
        }
        globals.get(name).and_then(|global| global.init.as_ref()).into_iter().for_each(&mut reach);
        aliases.get(name).copied().into_iter().for_each(&mut reach);
    }
    there
}

/// Leaves out what cannot be come to.
pub fn keep(module: &mut Module, entry: &str) {
    let there: FxHashSet<String> = from(module, entry).into_iter().map(str::to_owned).collect();
    module.functions.retain(|function| there.contains(&function.name));
    module.globals.retain(|global| there.contains(&global.name));
    module.aliases.retain(|(name, _)| there.contains(name));
    module.function_index = module.functions.iter().enumerate().map(|(i, f)| (f.name.clone(), i)).collect();
}

/// Calls `visit` with every global that a value names.
pub fn names<'m>(value: &'m Value, visit: &mut dyn FnMut(&'m str)) {
    match value {
        Value::Global(name) => visit(name),
        Value::Aggregate(parts) => parts.iter().for_each(|(_, part)| names(part, visit)),
        Value::Expr(expr) => match &**expr {
            ConstExpr::Gep { base, indices, .. } => {
                names(base, visit);
                indices.iter().for_each(|(_, index)| names(index, visit));
            }
            ConstExpr::Cast { value, .. } => names(value, visit),
            ConstExpr::Bin { a, b, .. } => [a, b].into_iter().for_each(|one| names(one, visit)),
        },
        Value::Metadata(Some(inner), _) => names(inner, visit),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::keep;
    use crate::llvm::ir::parse;

    #[test]
    fn what_is_named_on_the_way_stays() {
        let text = "@a = global ptr @f, align 8\n@b = global i32 1, align 4\n@c = global ptr @h, align 8\n\
                    define void @f() {\n store i32 2, ptr @b, align 4\n ret void\n}\n\
                    define void @g() {\n call void @h()\n ret void\n}\ndefine void @h() {\n ret void\n}\n\
                    define i32 @main() {\n %1 = load ptr, ptr @a, align 8\n ret i32 0\n}\n";
        let mut module = parse::parse(text, "a.ll").expect("a module");
        keep(&mut module, "main");
        let functions: Vec<&str> = module.functions.iter().map(|f| f.name.as_str()).collect();
        let globals: Vec<&str> = module.globals.iter().map(|g| g.name.as_str()).collect();
        assert_eq!((functions, globals), (vec!["f", "main"], vec!["a", "b"]));
        assert_eq!(module.function_index["main"], 1);
    }
}
