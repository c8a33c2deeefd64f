//! Who imports whom in `src/`: no cycle between rooms, small cycles between files, and the table of `docs/architecture.md` as it is.
//!
//! A room is a folder directly below `src/`. An import is a path in the code (`crate::a::b`, `super::b`), not in comments or unit tests.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Files that everybody may use: the clock, ids, the patience of long computations, texts that stand in for files, room on the stack.
const GROUND: [&str; 5] = ["clock", "ids", "patience", "shelf", "stack"];
/// The most files that import each other in a circle.
const MOST: usize = 4;

type Graph = BTreeMap<String, BTreeSet<String>>;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
}

/// The module of each file, its segments joined by `/`, with the file's code: no comments, no unit tests.
fn modules() -> BTreeMap<String, String> {
    let src = root().join("src");
    let mut paths = Vec::new();
    files(&src, &mut paths);
    let code = |path: &Path| {
        let text = std::fs::read_to_string(path).expect("a file");
        let lines = text.lines().take_while(|line| *line != "mod tests {");
        lines.map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
    };
    let name = |path: &Path| {
        let module = path.strip_prefix(&src).expect("a path in src").with_extension("");
        let module = module.to_str().expect("a name").replace('\\', "/");
        module.strip_suffix("/mod").map_or(module.clone(), str::to_owned)
    };
    paths
        .iter()
        .map(|path| (name(path), code(path)))
        .filter(|(m, _)| m != "lib" && m != "main" && !m.starts_with("bin/"))
        .collect()
}

/// The tokens of paths: names, `::`, braces, commas.
fn tokens(code: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        let (token, later) = rest.split_at(length);
        if !token.trim().is_empty() {
            tokens.push(token);
        }
        rest = later;
    }
    tokens
}

/// All paths that begin with `crate`, `super` or `self`, or are imported from a child, groups taken apart.
fn paths(code: &str) -> Vec<Vec<String>> {
    let tokens = tokens(code);
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let is_visibility = tokens[..at].ends_with(&["pub", "(", "in"]);
        let begins =
            ["crate", "super", "self"].contains(&tokens[at]) && tokens.get(at + 1) == Some(&"::") && !is_visibility;
        if begins || tokens[at] == "use" {
            at += usize::from(tokens[at] == "use");
            at = path(&tokens, at, &mut Vec::new(), &mut found);
        } else {
            at += 1;
        }
    }
    found
}

/// Reads one path, or a group of them, behind a prefix; where it ends.
fn path(tokens: &[&str], mut at: usize, prefix: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> usize {
    let length = prefix.len();
    loop {
        match tokens.get(at) {
            Some(&"{") => {
                at += 1;
                while tokens.get(at).is_some_and(|&token| token != "}") {
                    at = path(tokens, at, prefix, found);
                    at += usize::from(tokens.get(at) == Some(&","));
                }
                at += 1;
                break;
            }
            Some(name) => {
                prefix.push((*name).to_owned());
                at += 1;
                if tokens.get(at) != Some(&"::") {
                    found.push(prefix.clone());
                    at += if tokens.get(at) == Some(&"as") { 2 } else { 0 };
                    break;
                }
                at += 1;
            }
            None => break,
        }
    }
    prefix.truncate(length);
    at
}

/// Which module a path of another module leads to.
fn target(modules: &BTreeMap<String, String>, from: &str, path: &[String]) -> Option<String> {
    let mut base: Vec<&str> = from.split('/').collect();
    let mut rest = path;
    if rest.first().is_some_and(|s| s == "crate") {
        base.clear();
        rest = &rest[1..];
    } else {
        rest = rest.strip_prefix(&["self".to_owned()][..]).unwrap_or(rest);
        while rest.first().is_some_and(|s| s == "super") {
            base.pop();
            rest = &rest[1..];
        }
    }
    base.extend(rest.iter().map(String::as_str));
    let is_module = |length: &usize| modules.contains_key(&base[..*length].join("/"));
    (1..=base.len()).rev().find(is_module).map(|length| base[..length].join("/"))
}

fn imports() -> Graph {
    let modules = modules();
    let of = |(name, code): (&String, &String)| {
        let targets = paths(code).into_iter().filter_map(|path| target(&modules, name, &path));
        (name.clone(), targets.filter(|target| target != name).collect())
    };
    modules.iter().map(of).collect()
}

/// The circles of a graph: its strongly connected components of two or more.
fn circles(graph: &Graph) -> Vec<BTreeSet<String>> {
    let reached = |from: &String| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(next) = open.pop() {
            for target in graph.get(next).into_iter().flatten() {
                if seen.insert(target) {
                    open.push(target);
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&String, BTreeSet<&String>> = graph.keys().map(|from| (from, reached(from))).collect();
    let circle = |a: &String| -> BTreeSet<String> {
        let others = reached[a].iter().filter(|b| reached.get(**b).is_some_and(|back| back.contains(a)));
        others.map(|b| (*b).clone()).collect()
    };
    let all: BTreeSet<BTreeSet<String>> = graph.keys().map(circle).filter(|circle| circle.len() > 1).collect();
    all.into_iter().collect()
}

fn room(module: &str) -> &str {
    module.split('/').next().unwrap_or(module)
}

fn between_rooms(imports: &Graph) -> Graph {
    let mut rooms = Graph::new();
    for (from, targets) in imports {
        let others = targets.iter().map(|target| room(target)).filter(|other| *other != room(from));
        rooms.entry(room(from).to_owned()).or_default().extend(others.map(str::to_owned));
    }
    rooms
}

#[test]
fn no_two_rooms_import_each_other() {
    assert_eq!(circles(&between_rooms(&imports())), Vec::<BTreeSet<String>>::new());
}

#[test]
fn circles_of_files_are_small() {
    let large: Vec<BTreeSet<String>> = circles(&imports()).into_iter().filter(|circle| circle.len() > MOST).collect();
    assert_eq!(large, Vec::<BTreeSet<String>>::new(), "circles of more than {MOST} files");
}

/// `docs/architecture.md` says who knows whom: the rooms that the third column names are those that the code imports.
#[test]
fn the_table_of_rooms_is_true() {
    let page = std::fs::read_to_string(root().join("docs/architecture.md")).expect("the page");
    let said: Graph = page.lines().filter_map(row).collect();
    let mut found = between_rooms(&imports());
    found.retain(|room, _| !GROUND.contains(&room.as_str()));
    found.values_mut().for_each(|known| known.retain(|room| !GROUND.contains(&room.as_str())));
    assert_eq!(said, found, "in the table, and in the code");
}

/// A row of the table that is about a room of `src/`.
fn row(line: &str) -> Option<(String, BTreeSet<String>)> {
    let mut columns = line.strip_prefix("| `src/")?.split(" | ");
    let name = columns.next()?.strip_suffix("/`")?;
    let knows = columns.last()?.trim_end_matches('|').trim();
    let names = knows.split('`').skip(1).step_by(2).map(str::to_owned);
    Some((name.to_owned(), names.collect()))
}

#[test]
fn paths_are_read() {
    let code = "pub use crate::a::{b, c::{self, D as E}};\npub(in crate::a) fn f() { super::g::h(); }";
    let joined: Vec<String> = paths(code).into_iter().map(|path| path.join("::")).collect();
    assert_eq!(joined, ["crate::a::b", "crate::a::c::self", "crate::a::c::D", "super::g::h"]);
}

/// The most files of a folder, but for those with one file a diagnostic.
const MOST_FILES: usize = 15;

#[test]
fn folders_hold_about_a_dozen_files() {
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    let mut all = Vec::new();
    files(&root().join("src"), &mut all);
    for path in all {
        let folder = path.parent().expect("a folder").strip_prefix(root()).expect("below the root");
        *sizes.entry(folder.display().to_string()).or_default() += 1;
    }
    sizes.retain(|folder, size| *size > MOST_FILES && folder != "src/cat/diagnostics");
    assert_eq!(sizes, BTreeMap::new(), "folders of more than {MOST_FILES} files");
}

/// Pages name files of this project: as they are.
#[test]
fn files_that_pages_name_are_there() {
    let pages = std::fs::read_dir(root().join("docs")).expect("the pages").map(|entry| entry.expect("an entry").path());
    let own = ["README.md", "CONTRIBUTING.md"].map(|name| root().join(name));
    let mut gone = BTreeSet::new();
    for page in pages.chain(own).filter(|page| page.extension().is_some_and(|e| e == "md")) {
        let text = std::fs::read_to_string(&page).expect("a page");
        let named = text.split('`').skip(1).step_by(2).filter(|word| {
            ["src/", "tests/", "include/", "cat/", "benches/"].iter().any(|room| word.starts_with(room))
        });
        let is_path = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || "_-./".contains(c));
        // `NAME` stands for any name.
        let is_one =
            |word: &&str| !word.split(['/', '.']).any(|part| part.len() > 2 && part.chars().all(char::is_uppercase));
        let missing = named.filter(is_path).filter(is_one).filter(|word| !root().join(word).exists());
        gone.extend(missing.map(|word| format!("{}: {word}", page.file_name().expect("a name").display())));
    }
    assert_eq!(gone, BTreeSet::new());
}
