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
        "T1           T2",
        "c0   insert(1)",
        "c1   take() = -1",
        "c2                insert(2)",
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

/// The partial orders of so many calls: the pairs of each, transitively closed.
fn partial_orders(calls: usize) -> Vec<Vec<(usize, usize)>> {
    let pairs: Vec<(usize, usize)> =
        (0..calls).flat_map(|a| (0..calls).map(move |b| (a, b))).filter(|(a, b)| a != b).collect();
    let chosen = |set: u32| pairs.iter().enumerate().filter(move |(n, _)| set >> n & 1 == 1).map(|(_, &pair)| pair);
    let all = (0..1u32 << pairs.len()).map(|set| chosen(set).collect::<Vec<_>>());
    let is_order = |order: &Vec<(usize, usize)>| {
        order
            .iter()
            .all(|&(a, b)| !order.contains(&(b, a)) && order.iter().all(|&(c, d)| b != c || order.contains(&(a, d))))
    };
    all.filter(is_order).collect()
}

/// A client that has each call of a structure in a thread of its own, and orders them so by flags.
fn client(structure: &Path, calls: &[String], order: &[(usize, usize)]) -> String {
    let mut text = format!(
        "#include \"{}\"\n#include <hmc.h>\n#include <pthread.h>\nstatic atomic_int returned[{}];\n",
        structure.display(),
        calls.len()
    );
    for (at, call) in calls.iter().enumerate() {
        text += &format!("static void *call_{at}(void *unused) {{\n");
        for (first, _) in order.iter().filter(|(_, last)| *last == at) {
            text += &format!("    hmc_assume(atomic_load_explicit(&returned[{first}], memory_order_acquire));\n");
        }
        text += &format!("    {call};\n    atomic_store_explicit(&returned[{at}], 1, memory_order_release);\n");
        text += "    return unused;\n}\n";
    }
    text += &format!("int main(void) {{\n    pthread_t threads[{}];\n", calls.len());
    for at in 0..calls.len() {
        text += &format!("    pthread_create(&threads[{at}], 0, call_{at}, 0);\n");
    }
    text + "    return 0;\n}\n"
}

/// What some client could tell is what a client does tell: all of them are written down, one a partial order of the calls. `HMC_CLIENTS=4`: of four calls, too.
#[test]
fn any_client_is_wrong_where_one_of_all_clients_is() {
    if !clang_is_there() {
        return;
    }
    let most: usize = std::env::var("HMC_CLIENTS").ok().and_then(|text| text.parse().ok()).unwrap_or(3);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/linearizable/structures");
    let folder = tempfile::tempdir().expect("a directory");
    let mut wrong = Vec::new();
    for (file, specification, put, take) in [
        ("ticket_queue.c", "queue:insert,take", "insert", "take"),
        ("herlihy_wing_queue.c", "queue;waits", "enqueue", "dequeue"),
    ] {
        let structure = root.join(file);
        for count in 2..=most {
            let mut files = Vec::new();
            for puts in 1..count {
                let puts_of = (1..=puts).map(|value| format!("{put}({value})"));
                let calls: Vec<String> = puts_of.chain((puts..count).map(|_| format!("{take}()"))).collect();
                for order in partial_orders(count) {
                    let path = folder.path().join(format!("{put}-{count}-{puts}-{}.c", files.len()));
                    std::fs::write(&path, client(&structure, &calls, &order)).expect("written");
                    files.push(path.display().to_string());
                }
            }
            let common = ["--cat", "rc11", "--no-race", "--linearizable", specification, "--format", "json"];
            let files: Vec<&str> = files.iter().map(String::as_str).collect();
            let all = hmc(&[&common[..], &files].concat());
            let report: serde_json::Value = serde_json::from_slice(&all.stdout).expect("JSON");
            let results = report["results"].as_array().expect("results");
            assert_eq!(results.len(), files.len());
            let is_wrong = |result: &&serde_json::Value| match result["verdict"].as_str() {
                Some("violated") => true,
                // A take that waits for what is put behind it: no execution is complete.
                Some("holds" | "bounded") => false,
                other => panic!("{other:?}: {result}"),
            };
            let clients = results.iter().filter(is_wrong).count();
            let structure = structure.display().to_string();
            let count = count.to_string();
            let any = hmc(&[&common[..], &["--clients", &count, &structure]].concat());
            assert_eq!(any.status.code(), Some(i32::from(clients > 0)), "{file} {count}: {clients} of all clients");
            wrong.push((count, clients > 0));
        }
    }
    let count = wrong.len() / 2;
    assert!(wrong[..count].iter().any(|(_, is_wrong)| *is_wrong), "{wrong:?}");
    assert!(wrong[count..].iter().all(|(_, is_wrong)| !is_wrong), "{wrong:?}");
}
