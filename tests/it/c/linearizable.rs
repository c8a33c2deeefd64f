//! `--linearizable`: programs of `tests/linearizable`, which say in their first lines what is expected of them; what a report says; what is refused.

use crate::support::clang_is_there;
use std::path::Path;
use std::process::{Command, Output};

fn hmc(args: &[&str]) -> Output {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    Command::new(env!("CARGO_BIN_EXE_hmc")).current_dir(root).args(args).output().expect("hmc can be started")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn programs_are_as_they_say() {
    if !clang_is_there() {
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/linearizable");
    let mut files: Vec<String> = std::fs::read_dir(root)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").path().display().to_string())
        .filter(|file| file.ends_with(".c"))
        .filter(|file| std::fs::read_to_string(file).expect("text").starts_with("// hmc: "))
        .collect();
    files.sort();
    assert!(files.len() >= 5, "{files:?}");
    let args: Vec<&str> = std::iter::once("test").chain(files.iter().map(String::as_str)).collect();
    let output = hmc(&args);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
}

#[test]
fn a_report_names_the_calls_and_the_farthest_order() {
    if !clang_is_there() {
        return;
    }
    let output = hmc(&["--cat", "rc11", "--linearizable", "queue:insert,take", "tests/linearizable/ticket_queue.c"]);
    let text = text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    for line in [
        "no order of these 3 calls explains their results",
        "c0: insert(1) by T1",
        "c1: take() = -1 by T1, behind c0",
        "c2: insert(2) by T2",
        "the longest order that the specification explains: c0, c2",
        "then c1, take() = -1, gives 1 by the specification",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
}

/// Columns are threads, and an edge leads from an insert to the take behind it.
#[test]
fn calls_are_drawn_as_events_are() {
    if !clang_is_there() {
        return;
    }
    let folder = tempfile::tempdir().expect("a directory");
    let [svg, dot] = ["calls.svg", "calls.dot"].map(|name| folder.path().join(name).display().to_string());
    let specification = ["--cat", "sc", "--linearizable", "queue:insert,take", "--clients", "3"];
    let structure = "tests/linearizable/structures/ticket_queue.c";
    let drawn = hmc(&[&specification[..], &["--svg", &svg, "--dot", &dot, structure]].concat());
    assert_eq!(drawn.status.code(), Some(1), "{}", text(&drawn));
    let [svg, dot] = [svg, dot].map(|file| std::fs::read_to_string(file).expect("a picture"));
    for call in [">c0<", ">c1<", ">c2<", ">call insert(1)<", ">call insert(2)<", ">call take() = -1<"] {
        assert!(svg.contains(call), "{call}: {svg}");
    }
    assert!(dot.contains("c2: call take() = -1"), "{dot}");
    let program = "tests/linearizable/ordered_queue.c";
    let json = hmc(&["--cat", "rc11", "--linearizable", "queue:insert,take", "--format", "json", program]);
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let calls = &report["results"][0]["violation"]["calls"];
    assert_eq!(calls["picture"]["events"].as_array().map(Vec::len), Some(3), "{calls}");
    assert_eq!(calls["picture"]["related"].to_string(), r#"[{"from":0,"name":"before","to":2}]"#);
    assert_eq!(calls["about"].to_string(), "[2]");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    if !clang_is_there() {
        return;
    }
    let program = "tests/linearizable/ticket_queue.c";
    for (specification, code, said) in [
        ("queue", 2, "the program defines none of the functions enqueue, dequeue"),
        ("heap", 2, "is neither a C file nor one of the specifications queue, stack"),
        ("queue;capacity=0", 2, "the capacity is between 1 and 63"),
        ("/nowhere/specification.c", 2, "cannot be read"),
        (
            "tests/linearizable/specifications/other_arguments.c",
            4,
            "is called with 1 arguments; its specification has 2",
        ),
        ("tests/linearizable/specifications/endless.c", 4, "does not end"),
    ] {
        let output = hmc(&["--cat", "rc11", "--linearizable", specification, program]);
        let text = text(&output);
        let told: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(said), "{specification}: {text}");
        assert_eq!(output.status.code(), Some(code), "{specification}: {text}");
    }
}

/// The queue that draws its slot first: the smallest client that can tell has an insert return before it calls a take, beside another insert.
#[test]
fn the_smallest_client_that_can_tell_is_printed_and_fails_by_itself() {
    if !clang_is_there() {
        return;
    }
    let structure = "tests/linearizable/structures/ticket_queue.c";
    let specification = ["--linearizable", "queue:insert,take"];
    let two = hmc(&[&["--cat", "rc11", "--clients", "2", structure][..], &specification].concat());
    assert_eq!(two.status.code(), Some(0), "{}", text(&two));
    let under_sc = hmc(&[&["--cat", "sc", "--clients", "3", structure][..], &specification].concat());
    assert_eq!(under_sc.status.code(), Some(1), "{}", text(&under_sc));
    let three =
        hmc(&[&["--cat", "rc11", "--clients", "3", "--format", "json", structure][..], &specification].concat());
    assert_eq!(three.status.code(), Some(1), "{}", text(&three));
    let report: serde_json::Value = serde_json::from_slice(&three.stdout).expect("JSON");
    let result = &report["results"][0];
    let notes = result["violation"]["notes"].to_string();
    for note in
        ["c0: insert(1)", "c1: insert(2)", "c2: take() = -1", "a client that has c1 return before it calls c2 can tell"]
    {
        assert!(notes.contains(note), "{note}: {notes}");
    }
    let folder = tempfile::tempdir().expect("a directory");
    let client = folder.path().join("client.c");
    std::fs::write(&client, result["client"].as_str().expect("a client")).expect("written");
    let client = client.display().to_string();
    let alone = hmc(&[&["--cat", "rc11", client.as_str()][..], &specification].concat());
    assert_eq!(alone.status.code(), Some(1), "{}", text(&alone));
    assert!(text(&alone).contains("no order of these 3 calls"), "{}", text(&alone));
}

/// Waiting dequeues: right for all clients of three calls.
#[test]
fn the_queue_of_herlihy_and_wing_is_right_for_small_clients() {
    if !clang_is_there() {
        return;
    }
    let structure = "tests/linearizable/structures/herlihy_wing_queue.c";
    let output = hmc(&["--cat", "rc11", "--clients", "3", "--linearizable", "queue;waits", structure]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("9 choices of up to 3 calls"), "{}", text(&output));
}
