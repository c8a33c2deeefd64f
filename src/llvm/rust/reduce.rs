//! The part of a module that a program runs, as text.
//!
//! The module of a Rust program has hundreds of functions and megabytes of metadata of the standard library, most of it for panics. Kept are the functions and variables
//! that an entry can reach, and of the metadata what tells places: the types that it describes are left out. What `library::rust` replaces is only declared.
//!
//! A call that may unwind (`invoke`) becomes a call and a jump: panics abort. So the landing pads behind it are never reached.

use super::names;
use crate::llvm::library;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a program begins.
pub const MAIN: &str = "main";

/// What a module consists of.
#[derive(Default)]
struct Items<'t> {
    /// What comes first and is always kept: the target, structures.
    head: Vec<&'t str>,
    /// Global variables and aliases: a line each.
    globals: FxHashMap<&'t str, &'t str>,
    /// Functions with a body: their lines.
    functions: FxHashMap<&'t str, Vec<&'t str>>,
    /// Functions without.
    declared: FxHashMap<&'t str, &'t str>,
    /// Metadata by number.
    metadata: FxHashMap<u32, &'t str>,
    /// All names in the order of the text.
    order: Vec<&'t str>,
}

/// The part of a module that an entry reaches, with the entry called `main`; `None` if there is no such function.
pub fn reduce(text: &str, entry: &str) -> Option<String> {
    let items = items(text);
    let (entry, _) = items.functions.get_key_value(entry)?;
    let mut kept: FxHashSet<&str> = FxHashSet::default();
    let mut open = vec![*entry];
    let replaced = |name: &str| names::path(name).is_some_and(|path| library::rust::is_replaced(&path));
    let mut cut: FxHashSet<&str> = FxHashSet::default();
    while let Some(name) = open.pop() {
        if !kept.insert(name) {
            continue;
        }
        if items.functions.contains_key(name) && replaced(name) {
            cut.insert(name);
            let needed = names::path(name).and_then(|path| library::rust::needs(&path));
            open.extend(needed.into_iter().flat_map(|path| named(&items, path)));
            continue;
        }
        let lines = items.functions.get(name).map(Vec::as_slice).unwrap_or_default();
        for line in lines.iter().chain(items.globals.get(name)) {
            each_name(line, |other| open.push(other));
        }
    }
    Some(write(&items, &kept, &cut))
}

/// The functions of a path.
fn named<'t>(items: &Items<'t>, path: &str) -> Vec<&'t str> {
    items.functions.keys().copied().filter(|name| names::path(name).as_deref() == Some(path)).collect()
}

/// Cuts a module into its parts.
fn items(text: &str) -> Items<'_> {
    let mut items = Items::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("define ") {
            let Some(name) = first_name(line) else { continue };
            let mut body = vec![line];
            body.extend(lines.by_ref().take_while(|line| *line != "}"));
            items.functions.insert(name, body);
            items.order.push(name);
        } else if line.starts_with("declare ") {
            let Some(name) = first_name(line) else { continue };
            items.declared.insert(name, line);
            items.order.push(name);
        } else if line.starts_with('@') {
            let Some(name) = first_name(line) else { continue };
            items.globals.insert(name, line);
            items.order.push(name);
        } else if let Some(rest) = line.strip_prefix('!') {
            let number = rest.split(' ').next().and_then(|number| number.parse().ok());
            if let Some(number) = number {
                items.metadata.insert(number, line);
            }
        } else if line.starts_with("target ") || line.starts_with('%') {
            items.head.push(line);
        }
    }
    items
}

/// The first name of a global in a line.
fn first_name(line: &str) -> Option<&str> {
    let mut first = None;
    each_name(line, |name| first = first.or(Some(name)));
    first
}

/// All names of globals in a line, those in texts too, which only keeps more.
fn each_name<'t>(line: &'t str, mut each: impl FnMut(&'t str)) {
    let mut rest = line;
    while let Some(at) = rest.find('@') {
        rest = &rest[at + 1..];
        let name = match rest.strip_prefix('"') {
            Some(quoted) => &quoted[..quoted.find('"').unwrap_or(0)],
            None => {
                let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$' | '-');
                &rest[..rest.find(|c| !is_part(c)).unwrap_or(rest.len())]
            }
        };
        if !name.is_empty() {
            each(name);
        }
    }
}

/// The numbers of metadata in a line.
fn each_number(line: &str, mut each: impl FnMut(u32)) {
    let mut rest = line;
    while let Some(at) = rest.find('!') {
        rest = &rest[at + 1..];
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if let Ok(number) = rest[..digits].parse() {
            each(number);
        }
    }
}

fn write(items: &Items<'_>, kept: &FxHashSet<&str>, cut: &FxHashSet<&str>) -> String {
    let mut out = String::new();
    let mut line = |text: &str| {
        out.push_str(text);
        out.push('\n');
    };
    let mut numbers = Vec::new();
    items.head.iter().for_each(|head| line(head));
    for name in items.order.iter().filter(|name| kept.contains(*name)) {
        if let Some(global) = items.globals.get(name) {
            line(global);
            each_number(global, |number| numbers.push(number));
        } else if let Some(declared) = items.declared.get(name) {
            line(declared);
        } else if let Some(body) = items.functions.get(name) {
            if cut.contains(name) {
                line(&declaration(body[0]));
                continue;
            }
            for text in body_lines(body) {
                place_of(&text, &mut numbers);
                line(&text);
            }
            line("}");
        }
    }
    for text in places(items, numbers) {
        line(&text);
    }
    out
}

/// The metadata that an instruction or function refers to for its place.
fn place_of(line: &str, numbers: &mut Vec<u32>) {
    if let Some(at) = line.rfind("!dbg !") {
        each_number(&line[at..], |number| numbers.push(number));
    }
}

/// The declaration of a function that has a body.
fn declaration(define: &str) -> String {
    let from = define.find('@').unwrap_or(0);
    let mut depth = 0;
    let end = define[from..].char_indices().find_map(|(i, c)| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        (c == ')' && depth == 0).then_some(from + i + 1)
    });
    let signature = &define["define".len()..end.unwrap_or(define.len())];
    format!("declare{}", signature.replace(" internal ", " ").replace(" fastcc ", " "))
}

/// The lines of a function, without unwinding.
fn body_lines(body: &[&str]) -> Vec<String> {
    let mut out = Vec::with_capacity(body.len());
    let mut lines = body.iter().peekable();
    while let Some(line) = lines.next() {
        let trimmed = line.trim_start();
        let instruction = trimmed.split_once(" = ").map_or(trimmed, |(_, instruction)| instruction);
        if instruction.starts_with("invoke ") {
            // What it goes to stands in the next line.
            let call = line.replacen("invoke ", "call ", 1);
            let target = lines.next().map_or("", |next| next.trim_start());
            let to = target.strip_prefix("to label ").and_then(|rest| rest.split(' ').next()).unwrap_or("");
            let debug = target.find("!dbg !").map_or("", |at| target[at..].split(',').next().unwrap_or(""));
            let comma = if debug.is_empty() { "" } else { ", " };
            out.push(format!("{call}{comma}{debug}"));
            out.push(format!("  br label {to}{comma}{debug}"));
        } else if instruction.starts_with("landingpad ") {
            let result = trimmed.split(" = ").next().unwrap_or("%unwinding");
            out.push(format!("  {result} = freeze {{ ptr, i32 }} zeroinitializer"));
            while lines.next_if(|next| {
                let next = next.trim_start();
                next.starts_with("cleanup") || next.starts_with("catch ") || next.starts_with("filter ")
            }).is_some() {}
        } else if instruction.starts_with("resume ") {
            out.push("  unreachable".to_owned());
        } else {
            out.push((*line).to_owned());
        }
    }
    out
}

/// What tells places: where code stands, in which function and file, and where that was inlined.
fn places(items: &Items<'_>, mut open: Vec<u32>) -> Vec<String> {
    const FIELDS: [&str; 4] = ["scope: !", "inlinedAt: !", "file: !", "var: !"];
    let mut written = FxHashSet::default();
    let mut out = Vec::new();
    while let Some(number) = open.pop() {
        if !written.insert(number) {
            continue;
        }
        let Some(text) = items.metadata.get(&number) else { continue };
        for field in FIELDS {
            let after = text.find(field).map_or("", |at| &text[at + field.len()..]);
            let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
            open.extend(after[..digits].parse::<u32>());
        }
        out.push((*text).to_owned());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = "target triple = \"x86_64-unknown-linux-gnu\"\n\n\
        @used = internal global i32 1, align 4\n@unused = constant ptr @dead\n\
        define i32 @main(i32 %0) personality ptr @none !dbg !1 {\n  \
        %2 = invoke i32 @helper(ptr @used)\n          to label %3 unwind label %4, !dbg !2\n\n\
        3:                                                ; preds = %1\n  ret i32 %2\n\n\
        4:\n  %5 = landingpad { ptr, i32 }\n          cleanup\n  resume { ptr, i32 } %5\n}\n\n\
        define internal fastcc i32 @helper(ptr align 4 dereferenceable(4) %0) unnamed_addr #0 {\n  ret i32 0\n}\n\n\
        define void @dead() {\n  call void @_RNvNtCsgEmfK2I1SDS_4core9panicking5panic(ptr null)\n  ret void\n}\n\n\
        define internal void @_RNvNtCsgEmfK2I1SDS_4core9panicking5panic(ptr align 8 dereferenceable(8) %0) #1 {\n  call void @dead()\n  ret void\n}\n\n\
        !1 = distinct !DISubprogram(name: \"main\", scope: !9, file: !3, line: 1, type: !7)\n\
        !2 = !DILocation(line: 5, column: 3, scope: !1)\n!3 = !DIFile(filename: \"a.rs\", directory: \"/\")\n!7 = !{}\n!9 = !DINamespace(name: \"a\")\n";

    #[test]
    fn what_main_reaches_is_kept() {
        let text = reduce(MODULE, MAIN).expect("a main");
        assert!(text.contains("@used") && text.contains("@helper") && !text.contains("@unused") && !text.contains("@dead"));
        assert!(text.contains("  %2 = call i32 @helper(ptr @used), !dbg !2\n  br label %3, !dbg !2\n"), "{text}");
        assert!(text.contains("freeze") && !text.contains("resume") && !text.contains("cleanup"));
        assert!(text.contains("!2 = ") && text.contains("!3 = ") && text.contains("!1 = ") && !text.contains("!7 = "));
        assert!(reduce(MODULE, "nothing").is_none());
    }

    #[test]
    fn what_is_replaced_is_declared() {
        let text = reduce(MODULE, "dead").expect("a function");
        let declared = "declare void @_RNvNtCsgEmfK2I1SDS_4core9panicking5panic(ptr align 8 dereferenceable(8) %0)\n";
        assert!(text.contains(declared), "{text}");
    }
}
