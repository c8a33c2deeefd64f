//! However many threads explore a program, they see the same executions in the same order, count the same, and end at the same
//! first violation.

mod support;

use hmc::cat::{self, LoadRequest, Vocabulary};
use hmc::explore::estimate::estimate;
use hmc::explore::{Nobody, Options, explore, plan};
use hmc::llvm::{self, mapping::Mapping};
use hmc::program::*;
use std::path::{Path, PathBuf};
use support::*;

fn counters(threads: usize) -> Program {
    let mut b = Builder::new();
    let x = b.var("x");
    for _ in 0..threads {
        b.thread(|f| increment(f, x));
    }
    b.finish()
}

fn stores_and_loads(threads: usize) -> Program {
    let mut b = Builder::new();
    let vars: Vec<Operand> = (0..threads).map(|i| b.var(&format!("x{i}"))).collect();
    for t in 0..threads {
        b.thread(|f| {
            store(f, vars[t], Operand::Const(1), Half::None);
            let v = load(f, vars[(t + 1) % threads], Half::None);
            store(f, vars[(t + 2) % threads], v, Half::None);
        });
    }
    b.finish()
}

#[test]
fn built_programs() {
    for (what, program) in [("counters", counters(5)), ("stores and loads", stores_and_loads(4))] {
        for sc in [true, false] {
            same_with_threads(&program, &plan(&model(sc), &program), &Options::default(), what);
        }
    }
}

/// Needs the kernel's macros.
fn is_kernel_code(path: &Path) -> bool {
    path.file_stem().and_then(|s| s.to_str()).is_some_and(|s| s.starts_with("lkmm"))
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|e| e.path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, out);
        } else if path.extension().is_some_and(|e| e == "c") && !is_kernel_code(&path) {
            out.push(path);
        }
    }
}

#[test]
fn c_programs() {
    let mut programs = Vec::new();
    for folder in ["correct/counting", "correct/shapes", "wrong/shapes", "wrong/mutex", "pairs/liveness", "pairs/race"]
    {
        files(&Path::new("tests/c").join(folder), &mut programs);
    }
    for name in ["sc", "rc11"] {
        let model = cat::load(&LoadRequest::named(name), &Vocabulary::default()).expect("a bundled model loads").model;
        for path in &programs {
            let request = llvm::CompileRequest {
                path: path.clone(),
                clang_args: vec!["-DN=2".into()],
                mapping: Mapping::for_arch(model.arch.as_deref()),
                ..Default::default()
            };
            let program = match llvm::compile(&request) {
                Ok(program) => program,
                Err(errors) if errors.iter().any(|e| e.kind == llvm::ErrorKind::ClangMissing) => {
                    println!("no clang from 15 on: C programs not compared");
                    return;
                }
                Err(errors) => panic!("{}: {errors:?}", path.display()),
            };
            let options = Options { unroll: Some(3), ..Options::default() };
            let what = format!("{} under {name}", path.display());
            same_with_threads(&program, &plan(&model, &program), &options, &what);
        }
    }
}

#[test]
fn estimates() {
    for program in [counters(5), stores_and_loads(4)] {
        let plan = plan(&model(false), &program);
        let complete = explore(&program, &plan, &Options::default(), &mut Nobody).complete as f64;
        let found = estimate(&program, &plan, &Options::default(), 3000).expect("a program with a beginning");
        assert_eq!(found.probes, 3000);
        assert!(
            (found.executions - complete).abs() <= 4.0 * found.spread + 0.01 * complete,
            "{found:?} for {complete}"
        );
        assert!(found.spread < complete, "{found:?} for {complete}");
    }
}
