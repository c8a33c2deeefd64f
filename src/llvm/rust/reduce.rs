//! The part of a module that a program runs, as text.
//!
//! The module of a Rust program has hundreds of functions and megabytes of metadata of the standard library, most of it for panics. Kept are the functions and variables
//! that an entry can reach, and of the metadata what tells places: the types that it describes are left out. What `library::rust` replaces is only declared.
//! What only panics are told of, such as how an operand is formatted, is not followed.

use super::{body, names};
use crate::llvm::library;
use rustc_hash::{FxHashMap, FxHashSet};

/// Where a program begins.
pub const MAIN: &str = "main";

/// What a module consists of.
#[derive(Default)]
pub struct Module<'t> {
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

impl<'t> Module<'t> {
    /// Cuts a module into its parts.
    pub fn read(text: &'t str) -> Module<'t> {
        let mut items = Module::default();
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

    /// The global variables, by name.
    pub fn globals(&self) -> impl Iterator<Item = (&'t str, &'t str)> {
        self.order.iter().filter_map(|name| self.globals.get_key_value(name)).map(|(name, line)| (*name, *line))
    }

    /// The name as it stands in the module, if something has it.
    fn known(&self, name: &str) -> Option<&'t str> {
        let of_functions = self.functions.get_key_value(name).map(|(name, _)| *name);
        let of_globals = || self.globals.get_key_value(name).map(|(name, _)| *name);
        of_functions.or_else(of_globals).or_else(|| self.declared.get_key_value(name).map(|(name, _)| *name))
    }

    /// Whether a function of this name has a body.
    pub fn is_function(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// The text that a constant is.
    pub fn text(&self, name: &str) -> Option<String> {
        let line = self.globals.get(name)?;
        let bytes = super::harness::bytes(&line[line.find(" c\"")? + 3..]);
        String::from_utf8(bytes).ok()
    }
}

/// The part of a module that an entry reaches; `None` if there is no such function.
pub fn reduce(text: &str, entry: &str) -> Option<String> {
    reduce_from(&Module::read(text), entry)
}

/// As [`reduce`], of a module that has been cut into its parts.
pub fn reduce_from(items: &Module<'_>, entry: &str) -> Option<String> {
    let (entry, _) = items.functions.get_key_value(entry)?;
    let mut kept: FxHashSet<&str> = FxHashSet::default();
    let mut open = vec![*entry];
    let mut panics = Panics::default();
    let replaced = |name: &str| names::path(name).is_some_and(|path| library::rust::is_replaced(&path));
    let mut cut: FxHashSet<&str> = FxHashSet::default();
    let mut bodies: FxHashMap<&str, Vec<String>> = FxHashMap::default();
    // What only panics are told of.
    let mut told: Vec<&str> = Vec::new();
    while let Some(name) = open.pop() {
        if !kept.insert(name) {
            continue;
        }
        if items.functions.contains_key(name) && replaced(name) {
            cut.insert(name);
            let needed = names::path(name).and_then(|path| library::rust::needs(&path));
            open.extend(needed.into_iter().flat_map(|path| named(items, path)));
            continue;
        }
        if let Some(body) = items.functions.get(name) {
            let body = body::lines(body);
            for line in &body {
                let mut names = names_of(line).filter_map(|name| items.known(name)).peekable();
                let callee = names.peek().copied().filter(|_| line.contains("call "));
                match callee.filter(|callee| panics.is_panic(callee)) {
                    Some(callee) => {
                        open.push(callee);
                        told.extend(names.skip(1));
                    }
                    None => open.extend(names),
                }
            }
            bodies.insert(name, body);
        }
        if let Some(global) = items.globals.get(name) {
            open.extend(names_of(global));
        }
    }
    while let Some(name) = told.pop() {
        if let Some(global) = items.globals.get(name)
            && kept.insert(name)
        {
            told.extend(names_of(global));
        }
    }
    Some(write(items, &kept, &cut, &bodies))
}

/// Which functions are panics, asked once of each.
#[derive(Default)]
struct Panics<'t>(FxHashMap<&'t str, bool>);

impl<'t> Panics<'t> {
    fn is_panic(&mut self, name: &'t str) -> bool {
        let ask = || names::path(name).is_some_and(|path| library::rust::panics::find(&path).is_some());
        *self.0.entry(name).or_insert_with(ask)
    }
}

/// The functions of a path.
fn named<'t>(items: &Module<'t>, path: &str) -> Vec<&'t str> {
    items.functions.keys().copied().filter(|name| names::path(name).as_deref() == Some(path)).collect()
}

/// The first name of a global in a line.
fn first_name(line: &str) -> Option<&str> {
    names_of(line).next()
}

/// All names of globals in a line, those in texts too, which only keeps more.
fn names_of(line: &str) -> impl Iterator<Item = &str> {
    line.split('@').skip(1).map(name_at).filter(|name| !name.is_empty())
}

/// The name that a text begins with.
fn name_at(text: &str) -> &str {
    match text.strip_prefix('"') {
        Some(quoted) => &quoted[..quoted.find('"').unwrap_or(0)],
        None => {
            let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-');
            &text[..text.bytes().position(|byte| !is_part(byte)).unwrap_or(text.len())]
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

fn write(
    items: &Module<'_>,
    kept: &FxHashSet<&str>,
    cut: &FxHashSet<&str>,
    bodies: &FxHashMap<&str, Vec<String>>,
) -> String {
    let mut out = String::new();
    let mut line = |text: &str| {
        out.push_str(text);
        out.push('\n');
    };
    let mut numbers = Vec::new();
    items.head.iter().for_each(|head| line(head));
    for name in items.order.iter().filter(|name| kept.contains(*name)) {
        if let Some(global) = items.globals.get(name) {
            line(&without_absent(items, global, kept));
            each_number(global, |number| numbers.push(number));
        } else if let Some(declared) = items.declared.get(name) {
            line(declared);
        } else if let Some(body) = bodies.get(name) {
            for text in body {
                place_of(text, &mut numbers);
                line(text);
            }
            line("}");
        } else if let Some(body) = items.functions.get(name).filter(|_| cut.contains(name)) {
            line(&declaration(body[0]));
        }
    }
    for text in places(items, numbers) {
        line(&text);
    }
    out
}

/// A variable without the functions that are left out: tables that only panics are told of.
fn without_absent(items: &Module<'_>, global: &str, kept: &FxHashSet<&str>) -> String {
    let mut out = global.to_owned();
    for name in names_of(global).filter(|name| items.is_function(name) && !kept.contains(name)) {
        for (before, after) in [(format!("ptr @{name},"), "ptr null,"), (format!("ptr @{name} "), "ptr null ")] {
            out = out.replace(&before, after);
        }
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

/// What tells places: where code stands, in which function and file, and where that was inlined.
fn places(items: &Module<'_>, mut open: Vec<u32>) -> Vec<String> {
    const FIELDS: [&str; 5] = ["scope: !", "inlinedAt: !", "unit: !", "file: !", "var: !"];
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
        !1 = distinct !DISubprogram(name: \"main\", scope: !9, file: !3, line: 1, type: !7, unit: !8)\n\
        !2 = !DILocation(line: 5, column: 3, scope: !1)\n!3 = !DIFile(filename: \"a.rs\", directory: \"/\")\n!7 = !{}\n!8 = distinct !DICompileUnit(language: DW_LANG_Rust, file: !3)\n!9 = !DINamespace(name: \"a\")\n";

    #[test]
    fn what_main_reaches_is_kept() {
        let text = reduce(MODULE, MAIN).expect("a main");
        assert!(
            text.contains("@used") && text.contains("@helper") && !text.contains("@unused") && !text.contains("@dead")
        );
        assert!(text.contains("  %2 = call i32 @helper(ptr @used), !dbg !2\n  br label %3, !dbg !2\n"), "{text}");
        assert!(!text.contains("resume") && !text.contains("cleanup") && !text.contains("landingpad"));
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
