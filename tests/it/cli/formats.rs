//! The output forms on whole runs. The text forms are compared with golden files; `BLESS=1 cargo test --test it cli` rewrites them.

use crate::cli::schema;
use crate::cli::support::{Files, clang, hmc, without_times};
use std::path::Path;

#[track_caller]
fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/golden").join(name);
    let text = without_times(text) + "\n";
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(&path, &text).expect("a file");
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "differs from {}", path.display());
}

#[test]
fn text_of_a_race() {
    if clang() {
        golden("race.txt", &hmc(&["--cat", "rc11", "examples/message_passing_broken.c"]).expect(1).out);
    }
}

#[test]
fn text_of_a_failed_assertion() {
    if clang() {
        golden("assertion.txt", &hmc(&["--cat", "tso", "tests/c/wrong/shapes/sb.c"]).expect(1).out);
    }
}

#[test]
fn text_of_several_models() {
    golden("models.txt", &hmc(&["--cat", "sc,tso", "--format", "human", "examples/sb.litmus"]).expect(0).out);
}

#[test]
fn text_of_a_model_error() {
    let files = Files::new();
    let model = files.file(
        "wrong.cat",
        "(* a misspelt name, and a set where a relation is due *)\nlet hb = po-lok | rf\nacyclic W as order\nirreflexive hb\n",
    );
    let ran = hmc(&["--cat", &model, "examples/sb.litmus"]).expect(2);
    golden("model_error.txt", &files.normalised(&ran.err));
}

#[test]
fn text_of_an_explanation() {
    golden("forbidden.txt", &hmc(&["--cat", "sc", "--explain", "examples/sb.litmus"]).expect(0).out);
    golden("allowed.txt", &hmc(&["--cat", "tso", "--explain", "examples/sb.litmus"]).expect(0).out);
}

#[test]
fn model_tools() {
    golden("model_info.txt", &hmc(&["model", "info", "tso"]).expect(0).out);
    let files = Files::new();
    let untidy = files.file("untidy.cat", "let a=po|rf   \nacyclic a as order\n");
    hmc(&["model", "fmt", "--check", &untidy]).expect(1);
    hmc(&["model", "fmt", &untidy]).expect(0);
    hmc(&["model", "fmt", "--check", &untidy]).expect(0);
    let unused = files.file("unused.cat", "let a = po\nacyclic po | rf as order\n");
    let warned = hmc(&["model", "check", &unused]).expect(1);
    assert!(warned.err.contains("unused.cat:1"), "{}", warned.err);
    hmc(&["model", "check", &files.file("broken.cat", "let = po\n")]).expect(2);
}

#[test]
fn pictures() {
    let files = Files::new();
    let (dot, svg) = (files.path("x.dot"), files.path("x.svg"));
    let [dot_name, svg_name] = [&dot, &svg].map(|p| p.display().to_string());
    hmc(&["--cat", "tso", "--dot", &dot_name, "--svg", &svg_name, "examples/sb.litmus"]).expect(0);
    golden("sb.dot", &std::fs::read_to_string(dot).expect("a file"));
    golden("sb.svg", &std::fs::read_to_string(svg).expect("a file"));
    let ran = hmc(&["--cat", "sc", "--dot", &dot_name, "examples/sb.litmus"]).expect(0);
    assert!(ran.err.contains("no execution to draw"), "{}", ran.err);
    // With the reason, the candidate is drawn that the model rejects, with its cycle.
    hmc(&["--cat", "sc", "--explain", "--dot", &dot_name, "--svg", &svg_name, "examples/sb.litmus"]).expect(0);
    let [graph, drawn] = [&dot_name, &svg_name].map(|file| std::fs::read_to_string(file).expect("a file"));
    assert!(drawn.contains("sb.litmus under sc: forbidden") && drawn.matches(" told\"").count() == 4, "{drawn}");
    assert!(graph.contains("label=\"fr\"") && graph.matches("color=red").count() >= 4, "{graph}");
    if clang() {
        let drawn = [
            ("race.dot", "rc11", "examples/message_passing_broken.c"),
            ("cycle.dot", "tso", "tests/c/wrong/shapes/sb.c"),
            ("free.dot", "rc11", "tests/c/pairs/memory/free_races_with_read.c"),
        ];
        for (name, model, program) in drawn {
            hmc(&["--cat", model, "--dot", &dot_name, program, "--", "-DWRONG"]).expect(1);
            let text = std::fs::read_to_string(&dot_name).expect("a file");
            golden(name, &text);
            is_graphviz(&dot_name);
        }
    }
}

/// Graphviz reads the file, where it is installed.
#[track_caller]
fn is_graphviz(file: &str) {
    if let Ok(output) = std::process::Command::new("dot").args(["-Tcanon", file]).output() {
        assert!(output.status.success() && output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// Results of all sorts in the forms for other programs: waiting threads, what cannot be run, a bound.
#[test]
fn forms_of_results_without_an_answer() {
    if !clang() {
        return;
    }
    let runs: [(&[&str], i32, &str, &str); 3] = [
        (&["tests/c/pairs/liveness/deadlock.c", "--", "-DWRONG"], 1, "liveness", "<failure type=\"liveness\""),
        (
            &["tests/c/pairs/memory/huge.c", "--", "-DWRONG=67108865UL"],
            4,
            "unsupported",
            "<skipped message=\"unsupported",
        ),
        (&["--unroll", "2", "tests/c/pairs/liveness/not_the_bound.c"], 3, "bounded", "<skipped message=\"bounded"),
    ];
    for (arguments, code, rule, element) in runs {
        let form = |name: &'static str| [&["--cat", "rc11", "--format", name], arguments].concat();
        let sarif = hmc(&form("sarif")).expect(code).json();
        assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], rule);
        assert!(hmc(&form("junit")).expect(code).out.contains(element), "{arguments:?}");
        let json = hmc(&form("json")).expect(code).json();
        assert_eq!(json["results"][0]["verdict"] == "violated", code == 1);
    }
}

/// What differs from run to run, replaced.
fn timeless(text: &str) -> String {
    let line = |line: &str| match line.split_once(": ") {
        Some((key, _)) if key.ends_with("\"seconds\"") => format!("{key}: TIME"),
        // Of the model's text, which may change.
        Some((key, _)) if key.ends_with("\"model_sha256\"") => format!("{key}: HASH"),
        _ if line.starts_with("Time ") => "Time TIME".to_owned(),
        _ => line.to_owned(),
    };
    without_times(text).lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn forms_for_other_programs() {
    for (form, name) in [("json", "sb.json"), ("sarif", "sb.sarif"), ("junit", "sb.xml"), ("herd", "sb.log")] {
        let ran = hmc(&["--cat", "sc", "--strict", "--format", form, "examples/sb.litmus"]).expect(1);
        golden(name, &timeless(&ran.out));
    }
    if clang() {
        let ran = hmc(&["--cat", "tso", "--format", "json", "tests/c/wrong/shapes/sb.c"]).expect(1);
        golden("assertion.json", &timeless(&ran.out));
    }
}

#[test]
fn several_forms_at_once() {
    let files = Files::new();
    let [json, sarif, junit, herd] =
        ["a.json", "a.sarif", "a.xml", "a.log"].map(|name| files.path(name).display().to_string());
    let forms = [format!("json={json}"), format!("sarif={sarif}"), format!("junit={junit}"), format!("herd={herd}")];
    let mut arguments = vec!["--cat", "sc", "--strict", "examples/sb.litmus"];
    for form in &forms {
        arguments.extend(["--format", form]);
    }
    let ran = hmc(&arguments).expect(1);
    assert_eq!(ran.out, "");
    let read = |path: &str| std::fs::read_to_string(path).expect("a file");
    let report: serde_json::Value = serde_json::from_str(&read(&json)).expect("JSON");
    assert_eq!(report["schema"], "hmc-report/1");
    let sarif: serde_json::Value = serde_json::from_str(&read(&sarif)).expect("JSON");
    assert_eq!(sarif["version"], "2.1.0");
    assert_eq!(sarif["runs"][0]["results"][0]["ruleId"], "litmus");
    assert!(read(&junit).contains("failures=\"1\""));
    assert!(read(&herd).to_lowercase().contains("sb"));
}

/// The schema is that of OASIS for SARIF 2.1.0, as the crate `serde-sarif` 0.8 carries it.
#[test]
fn sarif_is_valid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let schema = std::fs::read_to_string(root.join("tests/schemas/sarif-2.1.0.json")).expect("the schema");
    let schema: serde_json::Value = serde_json::from_str(&schema).expect("JSON");
    assert!(!schema::errors(&schema, &serde_json::json!({ "version": "2.1.0", "runs": [{}] })).is_empty());
    let mut runs = vec![
        (vec!["--cat", "sc,tso", "--strict", "examples/sb.litmus"], 1),
        (vec!["--cat", "sc", "nowhere.c", "tests/c/README.md"], 2),
    ];
    if clang() {
        runs.push((vec!["--cat", "rc11", "--keep-going", "examples/message_passing_broken.c"], 1));
        runs.push((vec!["--cat", "tso", "tests/c/wrong/shapes/sb.c"], 1));
        runs.push((vec!["--cat", "sc", "tests/c/pairs/leak/never_freed.c", "--", "-DWRONG"], 0));
        runs.push((vec!["--cat", "sc", "tests/c/pairs/locks/destroyed_twice.c", "--", "-DWRONG"], 1));
        runs.push((vec!["--cat", "sc", "tests/c/pairs/liveness/deadlock.c", "--", "-DWRONG"], 1));
        runs.push((vec!["--cat", "sc", "tests/c/pairs/memory/huge.c", "--", "-DWRONG=67108865UL"], 4));
        runs.push((vec!["--cat", "sc", "--unroll", "2", "tests/c/pairs/liveness/not_the_bound.c"], 3));
    }
    for (mut arguments, code) in runs {
        arguments.splice(0..0, ["--format", "sarif"]);
        let report = hmc(&arguments).expect(code).json();
        let errors = schema::errors(&schema, &report);
        assert!(errors.is_empty(), "{arguments:?}: {}", errors.join("\n"));
    }
}

#[test]
fn json_of_bad_input_is_json_too() {
    let ran = hmc(&["--cat", "sc", "--format", "json", "nowhere.c", "examples/sb.litmus"]).expect(2);
    let results = &ran.json()["results"];
    assert_eq!(results[0]["verdict"], "error");
    assert_eq!(results[0]["messages"][0]["code"], "hmc::file-missing");
    assert_eq!(results[1]["verdict"], "holds");
}
