//! Dependencies of C programs: the constructs of `../shared/cases/c/deps`, assertions as branches, and random helpers against twins that state their
//! dependencies explicitly.
//!
//! A random helper computes a value from two reads by branches, loops, switches, early returns, out parameters and function pointers. Its twin is
//! straight-line code: the value that it writes is computed from those reads on which the helper's result depends in the execution that is asked for. What
//! these are is said by a plain walk over the helper's syntax tree (`support/helpers.rs`), which knows no registers and no control-flow graph. In a
//! load-buffering program both must give the same verdict under every model.
//!
//! `HMC_HELPERS=N` runs N pairs instead of those of a quick run.

use crate::support::clang_is_there;
use crate::support::cores::on_all_cores;
use crate::support::helpers::{Helper, QUERIES, Rules, module};
use crate::support::random::Rng;
use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::{Models, Usable, adapt};
use hmc::explore::{self, Execution, Go, Options, Problem, Visitor};
use hmc::llvm::{self, Dependencies, mapping::Mapping};
use hmc::program::{Program, Start};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// So many helpers are in one module: clang runs once for all.
const HELPERS: u64 = 32;
/// So many modules are in a quick run.
const MODULES: u64 = 2;

fn shared(path: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/cases/c").join(path);
    if !path.exists() {
        crate::support::left_out::left_out(&format!("{} is not there", path.display()));
        return None;
    }
    Some(path)
}

/// The verdict on a file.
fn verdict(options: &[&str], file: &Path, flags: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hmc"));
    command.args(options).args(["--format", "json", "--timeout", "60"]).arg(file).arg("--").args(flags);
    let output = command.output().expect("hmc runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    report["results"][0]["verdict"].as_str().unwrap_or("none").to_owned()
}

#[test]
fn constructs_of_c_carry_the_dependencies_that_compilers_keep() {
    let Some(folder) = shared("deps") else { return };
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    assert!(files.len() >= 31, "{} programs", files.len());
    let runs: Vec<(&PathBuf, &str)> = files.iter().flat_map(|file| ["-O0", "-O1"].map(|level| (file, level))).collect();
    let wrong = on_all_cores(&runs, |(file, level)| {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let expected = if name.starts_with("none_") { "violated" } else { "holds" };
        let found = verdict(&["--cat", "lkmm"], file, &[level]);
        (found != expected).then(|| format!("{name} {level}: {found}"))
    });
    let wrong: Vec<String> = wrong.into_iter().flatten().collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn syntactic_dependencies_are_those_of_litmus_tests() {
    let Some(file) = shared("deps/ctrl_flag.c") else { return };
    assert_eq!(verdict(&["--cat", "lkmm", "--dependencies", "syntactic"], &file, &[]), "violated");
}

#[test]
fn an_assertion_is_a_branch() {
    let Some(file) = shared("assert_is_no_branch.c") else { return };
    let mut models = vec![("c11".to_owned(), "c11"), ("lkmm".to_owned(), "lkmm")];
    for name in ["c11", "vmm"] {
        let model = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../shared/models/dartagnan/{name}.cat"));
        if model.exists() {
            models.push((model.display().to_string(), name));
        }
    }
    for (model, name) in models {
        for flags in [&[][..], &["-DABORT"]] {
            assert_eq!(verdict(&["--cat", &model], &file, flags), "holds", "{name} {flags:?}");
        }
    }
}

/// A model, as the driver loads it.
struct Checked {
    name: &'static str,
    usable: Arc<Usable>,
    mapping: Mapping,
    header: Option<String>,
}

impl Checked {
    fn new(name: &'static str) -> Checked {
        let models = Models::new(LoadRequest::named(name), Vec::new(), false);
        let Ok(usable) = models.get(None) else { panic!("{name} does not load") };
        let title = usable.model.arch.as_deref().unwrap_or(&usable.model.title);
        let annotations = usable.loaded.bell.iter().flat_map(|bell| bell.annotations()).collect::<BTreeSet<_>>();
        let mapping = Mapping::for_model(Some(title), |annotation| annotations.contains(annotation));
        drop(annotations);
        let header = usable.macros.iter().next().is_some().then(|| llvm::prelude::header(&usable.macros));
        assert_eq!(mapping.dependencies, Dependencies::Semantic);
        Checked { name, usable, mapping, header }
    }

    fn compiled(&self, file: &Path) -> Program {
        let compiled = llvm::compile(&llvm::CompileRequest {
            path: file.to_owned(),
            mapping: self.mapping.clone(),
            prelude_header: self.header.clone(),
            ..Default::default()
        });
        let mut program = compiled.unwrap_or_else(|errors| panic!("{}: {errors:?}", file.display()));
        adapt(&mut program, &self.usable.model);
        program
    }

    /// Whether an assertion can fail when the program begins in this function.
    fn fails_from(&self, program: &Program, function: &str) -> bool {
        let mut program = program.clone();
        let main = program.functions.iter().position(|f| f.name == function).expect("it is there");
        program.start = Start::Main(hmc::ids::FuncId(main as u32));
        let options = Options::default();
        let plan = self.usable.plans.get(&self.usable.model, &program, &options.equivalence);
        let mut fails = Fails(false);
        explore::explore(&program, &plan, &options, &mut fails);
        fails.0
    }
}

struct Fails(bool);

impl Visitor for Fails {
    fn complete(&mut self, _: &Execution<'_, '_>) -> Go {
        Go::On
    }

    fn problem(&mut self, _: &Execution<'_, '_>, _: &Problem) -> Go {
        self.0 = true;
        Go::Stop
    }
}

#[test]
fn random_helpers_agree_with_twins_that_state_their_dependencies() {
    if !clang_is_there() {
        eprintln!("skipped: no clang from version 15 on is installed");
        return;
    }
    let pairs = std::env::var("HMC_HELPERS").ok().and_then(|text| text.parse::<u64>().ok());
    let modules = pairs.map_or(MODULES, |pairs| pairs.div_ceil(HELPERS));
    let models = ["lkmm", "imm", "aarch64", "power"].map(Checked::new);
    let folder = std::env::temp_dir().join(format!("hmc-helpers-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let seeds: Vec<u64> = (0..modules).collect();
    let wrong = on_all_cores(&seeds, |&seed| {
        let mut rng = Rng(0x9e37_79b9_7f4a_7c15 ^ (seed + 1).wrapping_mul(0xff51_afd7_ed55_8ccd));
        let helpers: Vec<Helper> = (0..HELPERS).map(|_| Helper::random(&mut rng)).collect();
        let mut wrong = Vec::new();
        let (mut depend, mut open) = (0, 0);
        for model in &models {
            // Power's preserved program order has accesses to one place.
            let rules = Rules { last: model.mapping.branches_never_end, in_place: model.name == "power" };
            let file = folder.join(format!("{seed}-{}.c", model.name));
            std::fs::write(&file, module(&helpers, model.name == "lkmm", rules)).expect("a file");
            let program = model.compiled(&file);
            for (i, helper) in helpers.iter().enumerate() {
                for query in 0..QUERIES {
                    let [own, twin] =
                        ["own", "twin"].map(|kind| model.fails_from(&program, &format!("{kind}_{i}_{query}")));
                    depend += usize::from(!twin);
                    let is_open = !own && twin && helper.writes_memory_in_branches();
                    open += usize::from(is_open);
                    if own != twin && !is_open {
                        let expected = if twin { "no dependency" } else { "a dependency" };
                        wrong.push(format!("{}, {expected} on read {query}:\n{}", model.name, helper.text(i)));
                    }
                }
            }
            let _ = std::fs::remove_file(&file);
        }
        (wrong, depend, open)
    });
    let _ = std::fs::remove_dir(&folder);
    let depend: usize = wrong.iter().map(|(_, depend, _)| depend).sum();
    let open: usize = wrong.iter().map(|(.., open)| open).sum();
    let wrong: Vec<String> = wrong.into_iter().flat_map(|(wrong, ..)| wrong).collect();
    let all = modules * HELPERS * QUERIES as u64 * models.len() as u64;
    eprintln!("{all} pairs, {depend} with a dependency, {open} not looked at");
    assert!(open as u64 <= all / 200, "{open} of {all} are not looked at");
    assert!(depend as u64 > all / 10 && (depend as u64) < all * 9 / 10, "{depend} of {all}");
    assert!(wrong.is_empty(), "{} of {all} differ:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
}
