//! Every published and bundled model file loads.

use hmc::cat::tools::info;
use hmc::cat::{Dialect, LoadRequest, Loaded, Vocabulary, def, diagnostics::render::render_all, load};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

fn load_file(path: &Path) -> Result<Loaded, String> {
    // A fragment that is included by the model of this stem, and needs its bell file.
    let bell = path.ends_with("linux-kernel/lock.cat").then(|| path.with_file_name("linux-kernel.bell"));
    load(&LoadRequest { bell, ..LoadRequest::named(path.display().to_string()) }, &Vocabulary::default())
        .map_err(|e| render_all(&e.diagnostics, &e.sources, false))
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let mut files: Vec<PathBuf> =
        entries.flatten().map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "cat")).collect();
    files.sort();
    files
}

#[test]
fn bundled_models_load() {
    let all = files(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/cat")));
    assert!(all.len() > 8);
    let mut failures = Vec::new();
    for file in all {
        // Fragments need definitions from the file that includes them.
        let fragment = ["herding-checks.cat", "herding-ppo.cat", "dartagnan.cat"].iter().any(|f| file.ends_with(f));
        match load_file(&file) {
            Err(errors) if !fragment => failures.push(format!("{}\n{errors}", file.display())),
            // SCC chooses a total order that executions do not carry.
            Ok(loaded) if loaded.dynamic && !file.ends_with("scc.cat") => {
                failures.push(format!("{} is dynamic: {:?}", file.display(), loaded.dynamic_reasons))
            }
            _ => {}
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Files of herd's library that are refused, with the codes of the errors that they get. `docs/deviations.md` gives the reason for each.
const REFUSED: &[(&str, &[&str])] = &[
    // Fragments: names of the file that includes them.
    ("LL.cat", &["C301"]),
    ("c11_los.cat", &["C301"]),
    ("ppc-checks.cat", &["C301"]),
    ("ppo.cat", &["C301"]),
    // Of other versions of files that they include.
    ("aarch64-obsolete.cat", &["C301"]),
    ("doc64.cat", &["C301"]),
    ("arm-models/mixed/ec.cat", &["C301"]),
    ("arm-models/mixed/ev.cat", &["C301"]),
    ("arm-models/non-mixed/ec.cat", &["C301"]),
    ("arm-models/non-mixed/ev.cat", &["C301"]),
    ("ifetch-cos.cat", &["C301"]),
    ("herd.cat", &["C402"]),
    ("pretty.cat", &["C402"]),
    // No cat of today: `rf -1`.
    ("uniproc-normw-cat.cat", &["C110"]),
    // No cat at all: symbolic links, stored as the path that they lead to.
    ("aarch64/ArmARM-L.b/stdlib.cat", &["C101"]),
    ("aarch64/ArmARM-M.a/stdlib.cat", &["C101"]),
    ("aarch64/ArmARM-M.b/stdlib.cat", &["C101"]),
    ("aarch64/ArmARM-M.c/stdlib.cat", &["C101"]),
];

/// All cat files below a directory.
fn below(directory: &Path) -> Vec<PathBuf> {
    let mut all = files(directory);
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        if entry.path().is_dir() {
            all.extend(below(&entry.path()));
        }
    }
    all
}

#[test]
fn published_models_load() {
    for (directory, expected) in [("linux-kernel", 2), ("dartagnan", 26), ("herd", 156)] {
        let Some(root) = crate::support::left_out::shared(&format!("models/{directory}")) else { continue };
        let all = below(&root);
        assert_eq!(all.len(), expected, "models of {directory}");
        let mut failures = Vec::new();
        for file in all {
            let shown = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
            let refused =
                REFUSED.iter().find(|(name, _)| directory == "herd" && *name == shown).map(|(_, codes)| *codes);
            let request = LoadRequest {
                bell: file.ends_with("linux-kernel/lock.cat").then(|| file.with_file_name("linux-kernel.bell")),
                // A folder of a library of another time comes before the rest.
                include_dirs: file
                    .ancestors()
                    .skip(1)
                    .take_while(|d| d.starts_with(&root))
                    .map(Path::to_owned)
                    .collect(),
                ..LoadRequest::named(file.display().to_string())
            };
            match (load(&request, &Vocabulary::default()), refused) {
                (Err(errors), Some(codes)) => {
                    let found: BTreeSet<&str> = errors.diagnostics.iter().map(|d| d.code()).collect();
                    if found != codes.iter().copied().collect() {
                        failures.push(format!("{shown} is refused for another reason: {found:?}"));
                    }
                }
                (Err(errors), None) => {
                    failures.push(format!("{shown}\n{}", render_all(&errors.diagnostics, &errors.sources, false)));
                }
                (Ok(_), Some(_)) => failures.push(format!("{shown} loads: it is in the list of those that do not")),
                (Ok(loaded), None) if loaded.dynamic && directory != "herd" => {
                    failures.push(format!("{shown} is dynamic: {:?}", loaded.dynamic_reasons));
                }
                // What `hmc model info` prints.
                (Ok(loaded), None) => drop(info::text(&info::info(&loaded), &[])),
            }
        }
        assert!(failures.is_empty(), "{}", failures.join("\n"));
    }
}

/// The models of GPUs need relations that an execution with scopes provides.
#[test]
fn scope_relations_are_base_relations() {
    let needs: [(&str, &[&str]); 6] = [
        ("ptx-v6.0", &["sr", "scta", "syncbar", "sync_fence"]),
        ("ptx-v7.5", &["sr", "scta", "syncbar", "sync_fence", "vloc"]),
        ("vulkan", &["ssg", "swg", "sqf", "ssw", "syncbar", "vloc"]),
        ("vulkan-nochains", &["ssg", "swg", "sqf", "ssw", "syncbar", "vloc"]),
        ("opencl", &["swg", "sdv", "syncbar"]),
        ("opencl-herd", &["swg", "sdv", "syncbar"]),
    ];
    for (name, relations) in needs {
        let Some(file) = crate::support::left_out::shared(&format!("models/dartagnan/{name}.cat")) else { continue };
        let loaded = load_file(&file).unwrap_or_else(|e| panic!("{e}"));
        assert!(!loaded.dynamic, "{name}: {:?}", loaded.dynamic_reasons);
        let info = info::info(&loaded);
        let known = |r: &&str| info.relations.iter().any(|have| have == r);
        let missing: Vec<&&str> = relations.iter().filter(|r| !known(r)).collect();
        assert!(missing.is_empty(), "{name}: {missing:?} not among {:?}", info.relations);
        let scopes = loaded.scopes();
        assert!(relations.iter().all(|r| scopes.contains(r)), "{name}: {scopes:?}");
    }
}

/// Inputs nested 10,000 deep, in every form of every grammar, get an answer, and that is an error.
#[test]
fn deep_nesting_is_an_error() {
    const DEEP: usize = 10_000;
    let around = |open: &str, inner: &str, close: &str| open.repeat(DEEP) + inner + &close.repeat(DEEP);
    let expressions = [
        around("(", "po", ")"),
        around("[domain(", "po", ")]"),
        around("{", "po", "}"),
        around("~", "po", ""),
        around("begin ", "po", " end"),
        around("let x = po in ", "x", ""),
        around("fun x -> ", "x", ""),
        around("try po with ", "rf", ""),
        around("if \"v\" then po else ", "rf", ""),
        around("match 'a with 'a -> ", "po", " end"),
        around("domain(", "po", ")"),
        around("po ++ ", "{}", ""),
        around("po \\ (", "rf", ")"),
        around("po & ", "rf", ""),
        around("", "po", "+"),
        around("", "po", "^-1"),
        around("f ", "po", ""),
    ];
    let blocks = [
        around("procedure p() = ", "acyclic po ", "end "),
        around("forall x in {po} do ", "acyclic x ", "end "),
        around("if \"v\" ", "acyclic po ", "end "),
        around("match 'a with 'a -> ", "acyclic po ", "end "),
        format!("if {} acyclic po end", around("not ", "\"v\"", "")),
    ];
    let models = expressions.iter().map(|e| format!("let rec f(x) = x\nlet deep = {e}\nacyclic deep")).chain(blocks);
    for text in models {
        let head: String = text.chars().take(60).collect();
        for dialect in [Dialect::Herd, Dialect::Dartagnan] {
            let request = LoadRequest { dialect: Some(dialect), ..LoadRequest::text("deep.cat", &text) };
            assert!(load(&request, &Vocabulary::default()).is_err(), "{head}");
            assert!(hmc::cat::tools::fmt::format(&text, dialect).is_err(), "{head}");
        }
        let bell = tempfile::Builder::new().suffix(".bell").tempfile().expect("a file");
        std::fs::write(bell.path(), &text).expect("a file");
        let request = LoadRequest {
            bell: Some(bell.path().to_owned()),
            dialect: Some(Dialect::Herd),
            ..LoadRequest::text("plain.cat", "acyclic po")
        };
        assert!(load(&request, &Vocabulary::default()).is_err(), "{head}");
    }
    // Comments nest, too, and parentheses of conditions leave no trace: these need no stack, so they are read.
    let condition = around("(", "\"v\"", ")");
    for text in [around("(*", "", "*)") + "acyclic po", format!("if {condition} acyclic po end")] {
        assert!(load(&LoadRequest::text("deep.cat", text), &Vocabulary::default()).is_ok());
    }
    let bodies = [
        around("(", "X", ")"),
        around("*", "X", ""),
        around("f(", "X", ")"),
        around("X ? X : ", "X", ""),
        around("-", "X", ""),
        around("X + ", "X", ""),
        around("X[", "0", "]"),
        around("{ ", "X = 0;", " }"),
        format!("{{ {} X = 0; }}", around("if (X) ", "X = 0;", "")),
        format!("{{ {} X = 0; }}", around("while (X) ", "X = 0;", "")),
    ];
    for body in bodies {
        let text = format!("m(X) {body}");
        assert!(!def::parse(&text).1.is_empty(), "{}", text.chars().take(60).collect::<String>());
    }
}

/// Texts made of pieces of the language in no sensible order: errors, never a panic.
#[test]
fn any_text_gives_an_answer() {
    use proptest::prelude::*;
    use proptest::test_runner::{Config, TestRunner};
    const PIECES: &str = "let rec and in = | & ; \\ * + ? ^-1 ~ ( ) [ ] { } , -> ++ po rf co W R x f 'a 'b _ 0 \"s\" fun match with || end if then \
        else try acyclic empty irreflexive as flag show include \"cos.cat\" enum e procedure call forall do from when domain \
        map linearisations classes-loc (* *) // é \" -1 instructions default unshow undefined_unless assert debug catdep";
    let pieces: Vec<&str> = PIECES.split_whitespace().collect();
    let mut runner = TestRunner::new(Config { cases: 3000, failure_persistence: None, ..Config::default() });
    let outcome = runner.run(&proptest::collection::vec(any::<u32>(), 1..60), |dice| {
        let text: Vec<&str> = dice.iter().map(|d| pieces[*d as usize % pieces.len()]).collect();
        let text = text.join(" ");
        match load(&LoadRequest::text("any.cat", &text), &Vocabulary::default()) {
            Ok(loaded) => drop(hmc::cat::tools::check::check(&loaded)),
            Err(errors) => drop(render_all(&errors.diagnostics, &errors.sources, false)),
        }
        Ok(())
    });
    assert!(outcome.is_ok(), "{:?}", outcome.err());
}
