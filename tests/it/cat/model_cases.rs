//! Models that were answered with a wrong, misleading or missing message: the inputs of `../shared/cases`, with what is right.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Exit code, standard output and standard error of the program.
fn hmc(args: &[&str]) -> (i32, String, String) {
    let done = Command::new(env!("CARGO_BIN_EXE_hmc")).env("COLUMNS", "1000").args(args).output().expect("hmc runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (done.status.code().unwrap_or(-1), text(&done.stdout), text(&done.stderr))
}

/// A case, by the name of its file.
fn case(name: &str) -> Option<String> {
    crate::support::left_out::shared(&format!("cases/litmus/{name}")).map(|file| file.display().to_string())
}

#[test]
fn messages_of_model_check() {
    let cases = [
        ("diag-forgotten-rec.cat", 2, "C304", "`let prop` uses itself: is `let rec` meant?"),
        ("diag-hides-builtin.cat", 1, "C619", "hides `po` of the execution"),
        ("diag-hides-builtin.cat", 1, "C619", "hides `co` of the execution"),
        ("diag-other-arch.cat", 1, "C618", "`SYNC` exists for MIPS, PPC tests, this model is for AArch64"),
        ("diag-show-unknown.cat", 1, "C620", "`no-such-name` is not defined"),
    ];
    for (name, code, kind, message) in cases {
        let Some(file) = case(name) else { continue };
        let (exit, out, err) = hmc(&["model", "check", &file]);
        assert_eq!(exit, code, "{name}: {out}{err}");
        assert!(err.contains(kind) && err.contains(message), "{name}: {err}");
    }
}

#[test]
fn undefined_names_are_errors_where_they_decide_something() {
    let (Some(file), Some(test)) = (case("lazy-undefined.cat"), case("sb-a64.litmus")) else { return };
    let (exit, out, err) = hmc(&["model", "info", &file]);
    assert_eq!((exit, err.as_str()), (0, ""), "{out}");
    let (exit, out, err) = hmc(&["--cat", &file, &test]);
    assert!(exit == 0 && out.contains("Observation sb-a64 Sometimes"), "{out}{err}");
}

#[test]
fn atomic_instructions_are_in_a_set() {
    let Some(model) = case("amo-empty.cat") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let run = |name: &str, code: &str| {
        let file = folder.path().join(format!("{name}.litmus"));
        std::fs::write(&file, format!("RISCV {name}\n{{ 0:x6=x; }}\n P0 ;\n {code} ;\nexists (x=1)")).expect("a test");
        hmc(&["--cat", &model, &file.display().to_string()]).1
    };
    let (with, without) =
        (run("atomic", "ori x7,x0,1 ;\n amoadd.w x5,x7,(x6)"), run("plain", "ori x7,x0,1 ;\n sw x7,0(x6)"));
    assert!(with.contains("Flag has-AMO") && with.contains("Flag has-X"), "{with}");
    assert!(without.contains("Observation plain Always") && !without.contains("Flag"), "{without}");
}

#[test]
fn what_is_evaluated_on_each_execution_is_named_in_explanations() {
    let files = [case("dyn-explain.cat"), case("uniproc.cat"), case("sb-a64.litmus")];
    let [Some(dynamic), Some(coherence), Some(test)] = files else { return };
    let (_, out, err) = hmc(&["--explain", "--cat", &dynamic, &test]);
    // No order of all events contains the cycle.
    assert!(
        out.contains("by choice-of-tot: no cycle can be shown, since it is evaluated on each execution"),
        "{out}{err}"
    );
    assert!(out.contains("dyn-explain.cat:4 chooses among all orders of a set"), "{out}");
    let (exit, out, err) = hmc(&["diff", "--explain", &coherence, &dynamic, &test]);
    assert!(exit == 1 && out.contains("forbids by choice-of-tot"), "{out}{err}");
    assert!(out.contains("no cycle can be shown") && !out.contains("no execution was found"), "{out}");
}

/// Litmus tests and programs have no scopes: what a model of a GPU would say of them is not known.
#[test]
fn models_of_gpus_run_nothing() {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/message_passing.c");
    for name in ["ptx-v6.0", "ptx-v7.5", "vulkan", "opencl"] {
        let Some(model) = crate::support::left_out::shared(&format!("models/dartagnan/{name}.cat")) else { continue };
        let files: Vec<PathBuf> =
            [Some(program.clone()), case("oota-lb-ctrls.litmus").map(PathBuf::from)].into_iter().flatten().collect();
        for file in files {
            let (exit, out, err) = hmc(&["--cat", &model.display().to_string(), &file.display().to_string()]);
            assert_eq!(exit, 4, "{name}: {out}{err}");
            assert!((out.clone() + &err).contains("needs scopes"), "{name}: {out}{err}");
        }
    }
}

/// A wrong argument of a library function is shown where the call stands.
#[test]
fn arguments_of_library_functions_are_shown_at_the_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("call.cat");
    std::fs::write(&file, "\"Call\"\nlet strong = fencerel(po)\nacyclic strong | rf as x\n").expect("a model");
    let (exit, out, err) = hmc(&["model", "check", &file.display().to_string()]);
    assert_eq!(exit, 2, "{out}{err}");
    assert!(err.contains("call.cat:2") && err.contains("`fencerel` of the library is given a relation here"), "{err}");
}

#[test]
fn names_of_an_architecture_are_listed() {
    let (exit, out, _) = hmc(&["model", "names", "--arch", "ppc"]);
    assert!(exit == 0 && out.contains("LWSYNC") && !out.contains("DMB"), "{out}");
    let (exit, out, _) = hmc(&["model", "names"]);
    assert!(exit == 0 && out.contains("DMB.SY") && out.contains("LWSYNC"), "{out}");
}
