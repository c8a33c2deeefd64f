//! Several modules as one program, before they are parsed: their tokens are put behind each other.
//!
//! - Metadata is numbered anew.
//! - What is private to its file, and called like something of another one, gets a name of its own; so do structures of one name and different bodies.
//! - Of what several files define alike (inline functions of C++, weak definitions) the first one stays; two other definitions of one name are an error.
//! - The lists of constructors and destructors are joined.
//! - The entry function takes the name `main`, and what was `main` loses it.

use super::lex::{self, Kind, Token};
use super::{Module, Value, parse};
use crate::llvm::error::{Error, ErrorKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// A module as text.
#[derive(Clone, Debug)]
pub struct Text<'a> {
    /// The file that it was made of.
    pub file: String,
    /// LLVM IR.
    pub text: &'a str,
}

/// What a module says about a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Linkage {
    /// A definition that other files see.
    Strong,
    /// One that may stand in several files.
    Shared,
    /// One that no other file sees.
    Private,
    /// It is defined elsewhere.
    Declared,
}

/// Lists that are joined rather than defined once.
const LISTS: [&str; 2] = ["llvm.global_ctors", "llvm.global_dtors"];
/// The end of names that were given here.
const MARK: &str = ".in.";
/// Where every program begins.
const MAIN: &str = "main";

/// Parses modules as one. `entry`: the function that the program begins in, if it is not `main`.
pub fn parse(texts: &[Text<'_>], entry: Option<&str>) -> Result<Module, Vec<Error>> {
    if let ([one], None) = (texts, entry) {
        return parse::parse(one.text, &one.file);
    }
    let mut modules: Vec<Vec<Token<'_>>> = texts.iter().map(|t| lex::tokens(t.text)).collect();
    let names: Vec<FxHashMap<&str, Linkage>> = modules.iter().map(|tokens| defined(tokens)).collect();
    defined_twice(texts, &names)?;
    let entry = entry.filter(|&name| name != MAIN).map(|name| entry_of(name, texts, &names)).transpose()?;
    let renamed = renamed(&modules, &names, entry);
    let (mut at_line, mut starts) = (0, Vec::new());
    let mut all = Vec::new();
    for (tokens, renamed) in modules.iter_mut().zip(&renamed) {
        starts.push(at_line);
        for (token, new) in tokens.iter_mut().zip(renamed) {
            token.kind = match (token.kind, new) {
                (Kind::Local(_), Some(new)) => Kind::Local(new),
                (Kind::Global(_), Some(new)) => Kind::Global(new),
                (Kind::Meta(_), Some(new)) => Kind::Meta(new),
                (kind, _) => kind,
            };
            token.line += at_line;
        }
        at_line = tokens.last().map_or(at_line, |end| end.line);
        let end = tokens.pop();
        all.append(tokens);
        if starts.len() == texts.len() {
            all.extend(end);
        }
    }
    let mut module = parse::parse_tokens(all).map_err(|errors| {
        let placed = |(line, message): (u32, String)| {
            let of = starts.iter().rposition(|&start| start < line).unwrap_or_default();
            let (line, file) = (line - starts[of], texts[of].file.clone());
            Error { line, file, ..Error::new(ErrorKind::BadInput, message) }
        };
        errors.into_iter().map(placed).collect::<Vec<_>>()
    })?;
    settle(&mut module);
    Ok(module)
}

/// What a module defines or declares, by name.
fn defined<'t>(tokens: &[Token<'t>]) -> FxHashMap<&'t str, Linkage> {
    let mut names = FxHashMap::default();
    let mut at_line = 0;
    for (i, token) in tokens.iter().enumerate() {
        let begins = token.line != at_line;
        at_line = token.line;
        if !begins {
            continue;
        }
        let line = tokens[i..].iter().take_while(|t| t.line == at_line).map(|t| t.kind);
        let words = |line: &mut dyn Iterator<Item = Kind<'t>>| {
            line.filter_map(|kind| if let Kind::Word(word) = kind { Some(word) } else { None })
                .map_while(|word| (!matches!(word, "global" | "constant")).then_some(word))
                .collect::<Vec<_>>()
        };
        let (name, linkage) = match token.kind {
            Kind::Word(word @ ("define" | "declare")) => {
                let before = line.clone().take_while(|kind| !matches!(kind, Kind::Global(_)));
                let name = line.clone().find_map(|kind| if let Kind::Global(name) = kind { Some(name) } else { None });
                (name, if word == "declare" { Linkage::Declared } else { linkage(&words(&mut { before })) })
            }
            Kind::Global(name) if line.clone().nth(1) == Some(Kind::Mark(b'=')) => {
                (Some(name), linkage(&words(&mut line.clone())))
            }
            _ => continue,
        };
        if let Some(name) = name {
            names.insert(name, linkage);
        }
    }
    names
}

fn linkage(words: &[&str]) -> Linkage {
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    if has(&["private", "internal"]) {
        Linkage::Private
    } else if has(&["external", "extern_weak", "available_externally"]) {
        Linkage::Declared
    } else if has(&["linkonce", "linkonce_odr", "weak", "weak_odr", "common", "appending"]) {
        Linkage::Shared
    } else {
        Linkage::Strong
    }
}

fn defined_twice(texts: &[Text<'_>], names: &[FxHashMap<&str, Linkage>]) -> Result<(), Vec<Error>> {
    let mut first: FxHashMap<&str, usize> = FxHashMap::default();
    let mut errors = Vec::new();
    for (i, module) in names.iter().enumerate() {
        let mut strong: Vec<&str> =
            module.iter().filter(|(_, linkage)| **linkage == Linkage::Strong).map(|(name, _)| *name).collect();
        strong.sort_unstable();
        for name in strong {
            if let Some(&other) = first.get(name) {
                let message = format!("`{name}` is defined here and in {}", texts[other].file);
                let error = Error::new(ErrorKind::BadInput, message);
                let help = "files that are linked are one program: `static` keeps a name to its file";
                errors.push(Error { file: texts[i].file.clone(), ..error.with_help(help) });
            } else {
                first.insert(name, i);
            }
        }
    }
    if errors.is_empty() { Ok(()) } else { Err(errors) }
}

/// The module and the linker's name of the entry function.
fn entry_of<'t>(
    name: &str,
    texts: &[Text<'_>],
    names: &[FxHashMap<&'t str, Linkage>],
) -> Result<(usize, &'t str), Vec<Error>> {
    // A function of C++ without parameters.
    let mangled = format!("_Z{}{name}v", name.len());
    let is_it = |known: &str| known == name || known == mangled;
    let found = names.iter().enumerate().find_map(|(i, module)| {
        let defined = module.iter().find(|(known, linkage)| is_it(known) && **linkage != Linkage::Declared)?;
        Some((i, *defined.0))
    });
    found.ok_or_else(|| {
        let error =
            Error::new(ErrorKind::BadInput, format!("there is no function `{name}` for the program to begin in"));
        let file = texts.first().map(|t| t.file.clone()).unwrap_or_default();
        vec![Error { file, ..error.with_help("`--entry` names a function that one of the files defines") }]
    })
}

/// For each token of each module its new name, if it gets one.
fn renamed(
    modules: &[Vec<Token<'_>>],
    names: &[FxHashMap<&str, Linkage>],
    entry: Option<(usize, &str)>,
) -> Vec<Vec<Option<String>>> {
    let mut structures: FxHashMap<&str, Vec<Kind<'_>>> = FxHashMap::default();
    let mut offset = 0;
    let mut all = Vec::new();
    for (i, (tokens, own)) in modules.iter().zip(names).enumerate() {
        let is_elsewhere = |name: &str| names.iter().enumerate().any(|(j, other)| j != i && other.contains_key(name));
        let differing = differing(tokens, &mut structures);
        let mut largest = 0;
        let new = |kind: Kind<'_>| match kind {
            Kind::Global(name)
                if entry.is_some_and(|(at, entry)| {
                    entry == name && (at == i || own.get(name) != Some(&Linkage::Private))
                }) =>
            {
                Some(MAIN.to_owned())
            }
            Kind::Global(MAIN) if entry.is_some() => Some(format!("{MAIN}{MARK}{i}")),
            Kind::Global(name) if own.get(name) == Some(&Linkage::Private) && is_elsewhere(name) => {
                Some(format!("{name}{MARK}{i}"))
            }
            Kind::Local(name) if differing.contains(name) => Some(format!("{name}{MARK}{i}")),
            Kind::Meta(number) => number.parse::<u32>().ok().map(|n| (n + offset).to_string()),
            _ => None,
        };
        let renamed: Vec<_> = tokens.iter().map(|token| new(token.kind)).collect();
        for token in tokens {
            if let Kind::Meta(number) = token.kind {
                largest = largest.max(number.parse().unwrap_or(0));
            }
        }
        offset += largest + 1;
        all.push(renamed);
    }
    all
}

/// Structures of a module that an earlier module has under the same name with another body.
fn differing<'t>(tokens: &[Token<'t>], known: &mut FxHashMap<&'t str, Vec<Kind<'t>>>) -> FxHashSet<&'t str> {
    let mut differing = FxHashSet::default();
    for (i, token) in tokens.iter().enumerate() {
        let (Kind::Local(name), Some(Kind::Word("type"))) = (token.kind, tokens.get(i + 2).map(|t| t.kind)) else {
            continue;
        };
        let body: Vec<_> = tokens[i..].iter().take_while(|t| t.line == token.line).map(|t| t.kind).collect();
        match known.get(name) {
            Some(other) if *other != body => _ = differing.insert(name),
            Some(_) => {}
            None => _ = known.insert(name, body),
        }
    }
    differing
}

/// One entry a name: the first definition, else the first declaration.
fn settle(module: &mut Module) {
    let mut lists: FxHashMap<String, Vec<_>> = FxHashMap::default();
    for global in module.globals.iter().filter(|g| LISTS.contains(&g.name.as_str())) {
        if let Some(Value::Aggregate(entries)) = &global.init {
            lists.entry(global.name.clone()).or_default().extend(entries.iter().cloned());
        }
    }
    let globals = std::mem::take(&mut module.globals);
    module.globals = firsts(globals, |g| &g.name, |g| g.init.is_some());
    for global in &mut module.globals {
        if let Some(entries) = lists.remove(&global.name) {
            global.init = Some(Value::Aggregate(entries));
        }
    }
    let functions = std::mem::take(&mut module.functions);
    module.functions = firsts(functions, |f| &f.name, |f| !f.blocks.is_empty());
    module.function_index = module.functions.iter().enumerate().map(|(i, f)| (f.name.clone(), i)).collect();
    let is_defined = |name: &String| {
        module.globals.iter().any(|g| g.name == *name && g.init.is_some()) || module.definition(name).is_some()
    };
    let defined: Vec<String> = module.weak.iter().filter(|name| is_defined(name)).cloned().collect();
    defined.iter().for_each(|name| _ = module.weak.remove(name));
}

fn firsts<T>(all: Vec<T>, name: fn(&T) -> &String, is_defined: fn(&T) -> bool) -> Vec<T> {
    let mut at: FxHashMap<String, usize> = FxHashMap::default();
    let mut kept: Vec<T> = Vec::new();
    for one in all {
        match at.get(name(&one)) {
            Some(&i) if is_defined(&one) && !is_defined(&kept[i]) => kept[i] = one,
            Some(_) => {}
            None => {
                at.insert(name(&one).clone(), kept.len());
                kept.push(one);
            }
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts<'a>(all: &[&'a str]) -> Vec<Text<'a>> {
        all.iter().enumerate().map(|(i, text)| Text { file: format!("{i}.c"), text }).collect()
    }

    const A: &str = "%struct.s = type { i32 }\n@x = global i32 1, align 4\n@own = internal global i32 2, align 4\n\
                     declare void @g()\ndefine i32 @main() !dbg !3 {\n call void @g(), !dbg !4\n ret i32 0\n}\n\
                     !3 = !DISubprogram(name: \"main\", line: 1)\n!4 = !DILocation(line: 5, scope: !3)\n";
    const B: &str = "%struct.s = type { i64 }\n@x = external global i32, align 4\n@own = internal global i32 3, align 4\n\
                     define void @g() !dbg !3 {\n %1 = load i32, ptr @own, align 4, !dbg !4\n ret void\n}\n\
                     !3 = !DISubprogram(name: \"g\", line: 7)\n!4 = !DILocation(line: 8, scope: !3)\n";

    #[test]
    fn names_are_kept_apart_and_brought_together() {
        let module = parse(&texts(&[A, B]), None).expect("a module");
        let globals: Vec<_> = module.globals.iter().map(|g| (g.name.as_str(), g.init.clone())).collect();
        let int = |n| Some(Value::Int(n));
        assert_eq!(globals, [("x", int(1)), ("own.in.0", int(2)), ("own.in.1", int(3))]);
        let names: Vec<&str> = module.functions.iter().map(|f| f.name.as_str()).collect();
        assert_eq!(names, ["g", "main"]);
        let g = module.definition("g").expect("a function");
        assert_eq!(module.metadata.name(g.debug.expect("a number")), Some("g"));
        assert_eq!(module.types.structures().count(), 2);
    }

    #[test]
    fn the_entry_is_main_and_main_is_not() {
        let module = parse(&texts(&[A, B]), Some("g")).expect("a module");
        let main = module.definition("main").expect("an entry");
        assert_eq!(module.metadata.name(main.debug.expect("a number")), Some("g"));
        assert!(module.definition("g").is_none());
        assert!(parse(&texts(&[A, B]), Some("nothing")).expect_err("an error")[0].message.contains("`nothing`"));
    }

    #[test]
    fn what_is_defined_twice_is_an_error() {
        let errors = parse(&texts(&[A, A]), None).expect_err("errors");
        assert_eq!(errors.iter().map(|e| e.file.as_str()).collect::<Vec<_>>(), ["1.c", "1.c"]);
        assert!(errors[0].message.contains("`main` is defined here and in 0.c"), "{}", errors[0].message);
    }

    #[test]
    fn an_error_is_placed_in_its_own_text() {
        let errors = parse(&texts(&[A, "hello\n"]), None).expect_err("errors");
        assert_eq!((errors[0].file.as_str(), errors[0].line), ("1.c", 1));
    }
}
