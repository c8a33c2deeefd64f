//! `hmc synth` as a command.

use std::path::Path;
use std::process::{Command, Output};

fn synth(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hmc")).arg("synth").args(args).output().expect("hmc runs")
}

fn ends(args: &[&str], code: i32) -> (String, String) {
    let output = synth(args);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{args:?}\n{out}{err}");
    (out, err)
}

/// The reference evaluator and the printed tests agree with the search.
#[test]
fn suites_are_verified() {
    let cases = [
        ("x86tso", "5"),
        ("sc", "4"),
        ("power", "4"),
        ("armv7", "4"),
        ("aarch64", "3"),
        ("riscv", "4"),
        ("rc11", "3"),
        ("c11", "3"),
        ("lkmm", "3"),
        ("scc", "3"),
        ("ptx", "4"),
    ];
    for (model, size) in cases {
        let (_, err) = ends(&["--cat", model, "--size", size, "--verify"], 0);
        assert!(err.contains("verified"), "{model}: {err}");
    }
    ends(&["--cat", "sc", "--size", "3", "--minimal", "execution", "--verify"], 0);
    ends(&["--cat", "x86tso", "--size", "4", "--condition", "forall", "--verify"], 0);
}

/// Table 4 of the paper.
#[test]
fn the_owens_suite_consists_of_minimal_tests() {
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/x86");
    if !suite.is_dir() {
        eprintln!("left out: ../shared/corpus is absent");
        return;
    }
    let table = [
        ("amd5", "minimal\tSB+mfence+mfence"),
        ("amd6", "minimal\tIRIW"),
        ("iwp2.5-amd8", "minimal\tWRC"),
        ("iwp2.7-amd7", "contains\tIRIW "),
        ("iwp2.8.a", "minimal\t"),
        ("iwp2.8.b", "contains\tMP "),
        ("n2", "contains\tZ6.3 "),
        ("n3", "contains\tIRIW "),
        ("n5", "contains\tCo"),
        ("rwc-fenced", "minimal\tRWC+mfence+po"),
        ("iwp2.3.a-amd4", "allowed\t"),
        ("iwp2.4-amd9", "allowed\t"),
        ("amd3bis", "allowed\t"),
        ("n1", "allowed\t"),
        ("n7", "allowed\t"),
        ("n8", "allowed\t"),
    ];
    let directory = tempfile::tempdir().expect("a directory");
    let list: String = table.iter().map(|(name, _)| format!("{}/{name}.litmus\n", suite.display())).collect();
    let file = directory.path().join("owens");
    std::fs::write(&file, list).expect("it is written");
    let (out, _) = ends(&["--cat", "x86tso", "--size", "6", "--compare", &format!("@{}", file.display())], 0);
    for (name, said) in table {
        assert!(out.contains(&format!("{name}\t{said}")), "{name}: {out}");
    }
}

#[test]
fn models_are_told_apart_by_the_smallest_tests() {
    let (out, err) = ends(&["--distinguish", "x86tso", "sc"], 1);
    let names: Vec<&str> = out.lines().filter_map(|line| line.split('\t').nth(3)).collect();
    assert_eq!(names, ["SB", "R"], "{out}");
    assert!(out.contains("allowed by x86tso only") && err.contains("2 programs of 4 events"), "{err}");
    ends(&["--distinguish", "x86tso", "tso", "--size", "3"], 0);
}

#[test]
fn a_search_goes_on_where_it_ended() {
    let directory = tempfile::tempdir().expect("a directory");
    let [parts, whole] = ["parts", "whole"].map(|name| directory.path().join(name).display().to_string());
    ends(&["--cat", "x86tso", "--size", "4", "-o", &parts], 0);
    let (_, err) = ends(&["--cat", "x86tso", "--size", "8", "-o", &parts, "--resume", "--timeout", "0.05"], 3);
    assert!(err.contains("ended early"), "{err}");
    ends(&["--cat", "x86tso", "--size", "6", "-o", &parts, "--resume"], 0);
    ends(&["--cat", "x86tso", "--size", "6", "-o", &whole], 0);
    let table = |directory: &str| std::fs::read_to_string(format!("{directory}/suite.tsv")).expect("it is there");
    let up_to_six =
        |table: String| table.lines().filter(|l| l.as_bytes()[0] <= b'6').map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(up_to_six(table(&parts)), up_to_six(table(&whole)));
    let (_, err) = ends(&["--cat", "sc", "--size", "4", "-o", &parts, "--resume"], 2);
    assert!(err.contains("of another search"), "{err}");
}

#[test]
fn models_that_say_nothing_are_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let model = |name: &str, text: &str| {
        let file = directory.path().join(name);
        std::fs::write(&file, format!("\"{name}\"\ninclude \"cos.cat\"\n{text}\n")).expect("it is written");
        file.display().to_string()
    };
    let (_, err) = ends(&["--cat", &model("nothing.cat", "empty W as no-writes")], 2);
    assert!(err.contains("allows no execution") && err.contains("no-writes"), "{err}");
    let (_, err) = ends(&["--cat", &model("all.cat", "empty 0 as fine")], 0);
    assert!(err.contains("forbids no outcome"), "{err}");
}

#[test]
fn each_test_has_its_picture() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().display().to_string();
    ends(&["--cat", "x86tso", "--size", "4", "-o", &path, "--svg"], 0);
    let picture = std::fs::read_to_string(directory.path().join("MP.svg")).expect("a picture");
    assert!(picture.starts_with("<svg") && picture.contains("rf"), "{picture}");
}
