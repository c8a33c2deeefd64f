//! The model that is taken when none is named, and the list of models.

use crate::cli::support::{Files, clang, hmc};
use serde_json::Value;
use std::collections::BTreeSet;

const C11: &str = "#include <stdatomic.h>\natomic_int x;\nint main(void) { x = 1; return x - 1; }\n";
const KERNEL: &str = "int x;\nint main(void) { WRITE_ONCE(x, 1); return READ_ONCE(x) - 1; }\n";

#[test]
fn each_file_gets_its_usual_model_and_a_line_says_so() {
    let ran = hmc(&["examples/sb.litmus"]);
    assert!(
        ran.err
            .contains("hmc: model x86tso for examples/sb.litmus: it is a litmus test for X86 (`--cat` names another)"),
        "{}",
        ran.err
    );
    assert!(ran.expect(0).out.contains("Observation SB Sometimes"));
    if !clang() {
        return;
    }
    let files = Files::new();
    let (plain, kernel) = (files.file("plain.c", C11), files.file("kernel.c", KERNEL));
    let ran = hmc(&[&plain, &kernel]).expect(0);
    assert!(
        ran.out.contains("plain.c under rc11: holds") && ran.out.contains("kernel.c under lkmm: holds"),
        "{}",
        ran.out
    );
    assert!(ran.err.contains("it is C or C++ with the language's own atomics"), "{}", ran.err);
    assert!(ran.err.contains("it calls `WRITE_ONCE`, a primitive of the Linux kernel"), "{}", ran.err);
    // Of several files for one reason one line speaks, and none where the model is named.
    let ran = hmc(&[&plain, &plain]).expect(0);
    assert_eq!(ran.err.matches("hmc: model").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("plain.c and 1 more: each is C or C++"), "{}", ran.err);
    assert!(!hmc(&["--cat", "sc", &plain]).expect(0).err.contains("hmc: model"));
}

#[test]
fn a_project_names_models() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let plain = files.file("plain.c", C11);
    files.file("hmc.toml", "models = [\"sc\", \"tso\"]\n");
    let mut command = crate::cli::support::command();
    let ran =
        crate::cli::support::ran(command.current_dir(files.path("")).arg(&plain).output().expect("hmc can be started"));
    assert!(ran.err.contains("hmc: models of hmc.toml (sc, tso) hold here"), "{}", ran.err);
    assert!(ran.expect(0).out.contains("under tso: holds"));
}

#[test]
fn the_list_says_what_each_model_is_for() {
    let mut command = crate::cli::support::command();
    let output = command.env_remove("COLUMNS").arg("list-models").output().expect("hmc can be started");
    let list = crate::cli::support::ran(output).expect(0).out;
    for part in ["    for: C and C++ programs: the usual choice", "PLDI 2017", "    stronger than: rc20"] {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&list).contains(&words(part)), "{part} in\n{list}");
    }
    assert!(list.lines().all(|line| line.chars().count() <= 100), "{list}");
}

/// Which bundled tests two models can be compared on, by the weaker one.
fn tests_for(weaker: &str) -> &'static [&'static str] {
    match weaker {
        "aarch64" => &["aarch64"],
        "armv7" => &["arm"],
        "mips" => &["mips"],
        "power" => &["ppc"],
        "riscv" => &["riscv"],
        "x86tso" | "tso" | "pso" => &["x86"],
        "x86tso-mixed" => &["x86_64"],
        _ => &["c11"],
    }
}

fn states(model: &str, folder: &str) -> Vec<(String, BTreeSet<String>)> {
    let report =
        hmc(&["--cat", model, "--format", "json", "--timeout", "20", &format!("tests/litmus/{folder}")]).json();
    let results = report["results"].as_array().cloned().unwrap_or_default();
    let whole = |r: &&Value| r["verdict"] == "holds" && r["partial"] != true;
    let of = |r: &Value| {
        let states = r["states"].as_array().into_iter().flatten().map(Value::to_string).collect();
        (r["file"].as_str().unwrap_or_default().to_owned(), states)
    };
    results.iter().filter(whole).map(of).collect()
}

/// A model that is called stronger than another one allows no outcome of a bundled test that the other forbids.
#[test]
fn what_is_called_stronger_is() {
    let list = hmc(&["list-models"]).expect(0).out;
    let (mut model, mut compared, mut last) = (String::new(), 0, String::new());
    let mut pairs = Vec::new();
    for line in list.lines() {
        // A line that goes on the one before.
        if line.starts_with("      ") {
            last += line.trim();
        } else {
            last = line.to_owned();
        }
        if !line.starts_with(' ') {
            model = line.split_whitespace().next().unwrap_or_default().to_owned();
        }
        if let Some(weaker) = last.trim().strip_prefix("stronger than: ") {
            pairs.retain(|(stronger, _)| *stronger != model);
            pairs.push((model.clone(), weaker.replace(' ', "")));
        }
    }
    assert!(pairs.len() >= 3, "{list}");
    for (stronger, weaker) in pairs.iter().flat_map(|(s, all)| all.split(',').map(move |w| (s, w))) {
        for folder in tests_for(weaker) {
            let weak = states(weaker, folder);
            for (test, strong) in states(stronger, folder) {
                let Some((_, weak)) = weak.iter().find(|(file, _)| *file == test) else { continue };
                assert!(strong.is_subset(weak), "{stronger} is not stronger than {weaker}: {test}");
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared}");
}
