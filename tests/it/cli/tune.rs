//! `hmc repair` and `hmc relax`. `BLESS=1 cargo test --test it cli::tune` writes the goldens again.

use crate::cli::support::{Files, clang, command, hmc, ran};
use std::path::Path;

/// The report as it is read in a pipe, without times.
fn shown(arguments: &[&str], code: i32) -> String {
    let ran = ran(command().env_remove("COLUMNS").args(arguments).output().expect("hmc can be started")).expect(code);
    assert!(ran.out.lines().all(|line| line.chars().count() <= 100), "{}", ran.out);
    let time = |line: &str| match line.split_once(" run").filter(|_| line.ends_with(" s")) {
        Some((runs, rest)) if rest.starts_with([',', 's']) => format!("{runs} runs, TIME"),
        _ => line.to_owned(),
    };
    ran.out.lines().map(|line| time(line) + "\n").collect()
}

fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/golden").join(name);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, text).expect("a golden file");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{}", path.display());
}

/// Each of the classical programs is one memory order away from being right.
const BROKEN: [&str; 10] = ["sb", "mp", "lb", "peterson", "dekker", "seqlock", "spsc", "treiber", "spinlock", "ticket"];

#[test]
fn classical_programs_are_repaired_by_one_memory_order() {
    if !clang() {
        return;
    }
    let mut all = String::new();
    for name in BROKEN {
        let file = format!("tests/tune/{name}.c");
        all += &shown(&["repair", &file], 0);
        let found = &hmc(&["repair", "--json", &file]).expect(0).json()[0];
        assert_eq!(found["changes"][0].as_array().map(Vec::len), Some(1), "{found}");
        assert_eq!(found["fences"], false, "{found}");
    }
    all += &shown(&["repair", "tests/tune/kernel_mp.c"], 0);
    golden("repaired.txt", &all);
}

/// What is written makes the program hold, and the patch is what was written.
#[test]
fn a_repair_is_written() {
    if !clang() {
        return;
    }
    for name in ["mp", "sb", "seqlock", "treiber", "spinlock"] {
        let files = Files::new();
        let text = std::fs::read_to_string(format!("tests/tune/{name}.c")).expect("a program");
        let file = files.file("p.c", &text);
        let patch = hmc(&["repair", "--patch", &file]).expect(0).out;
        let added: Vec<&str> = patch.lines().filter(|line| line.starts_with('+') && !line.starts_with("+++")).collect();
        assert_eq!(added.len(), 1, "{patch}");
        hmc(&["--cat", "rc11", &file]).expect(1);
        assert!(hmc(&["repair", "--write", &file]).expect(0).err.contains("was changed"));
        hmc(&["--cat", "rc11", &file]).expect(0);
        let written = std::fs::read_to_string(&file).expect("a program");
        assert!(written.lines().any(|line| line == &added[0][1..]), "{written}");
        assert!(hmc(&["repair", &file]).expect(0).out.contains("nothing to repair"));
    }
}

/// Operations of `std::atomic` have their order where the user calls them.
#[test]
fn programs_in_cpp_are_repaired() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let text = std::fs::read_to_string("tests/tune/mp.cpp").expect("a program");
    let file = files.file("mp.cpp", &text);
    let report = hmc(&["repair", "--write", &file]).expect(0).out;
    assert!(report.contains("mp.cpp:13  store: relaxed → release"), "{report}");
    let written = std::fs::read_to_string(&file).expect("a program");
    assert!(written.contains("ready.store(1, std::memory_order_release);"), "{written}");
    hmc(&["--cat", "rc11", &file]).expect(0);
    let strong = files.file("strong.cpp", text.replace("std::memory_order_relaxed", "std::memory_order_seq_cst"));
    hmc(&["relax", "--write", &strong]).expect(0);
    let written = std::fs::read_to_string(&strong).expect("a program");
    assert!(written.contains("ready.store(1, std::memory_order_release);"), "{written}");
    assert!(written.contains("ready.load(std::memory_order_acquire)"), "{written}");
}

#[test]
fn litmus_tests_are_repaired_by_instructions_and_fences() {
    let mut all = String::new();
    for arguments in [
        &["repair", "tests/tune/mp.litmus"][..],
        &["repair", "tests/tune/sb.litmus"],
        &["repair", "examples/sb.litmus"],
        &["repair", "--changes", "1", "examples/sb.litmus"],
    ] {
        all += &shown(arguments, i32::from(arguments.contains(&"--changes")));
    }
    golden("repaired_litmus.txt", &all);
}

/// An error that interleavings have is no matter of orders.
#[test]
fn what_no_order_repairs_is_said() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let file = files.file(
        "p.c",
        "#include <assert.h>\n#include <stdatomic.h>\natomic_int x;\nint main(void) { atomic_store_explicit(&x, 1, memory_order_relaxed); assert(x == 2); }\n",
    );
    let ran = hmc(&["repair", &file]).expect(1);
    assert!(ran.out.contains("what is wrong is no matter of memory orders"), "{}", ran.out);
    assert!(hmc(&["relax", &file]).expect(1).out.contains("only a program that holds can be relaxed"));
    hmc(&["repair", "nowhere.c"]).expect(2);
}

/// All named models have to agree, and a search that is cut says so.
#[test]
fn a_repair_is_for_all_models() {
    if !clang() {
        return;
    }
    let report = shown(&["repair", "--cat", "aarch64,rc11", "tests/tune/dekker.c"], 0);
    assert!(report.contains("each checked by a full run under aarch64, rc11"), "{report}");
    let cut = hmc(&["repair", "--timeout", "0.000001", "tests/tune/mp.c"]);
    assert!(cut.code == 3 && (cut.out + &cut.err).contains("time limit"));
}

const LOCKS: [&str; 5] = ["lock/clh", "lock/mcs", "lock/ticket", "lock/tas", "structure/spsc_ring"];

/// Locks and queues with every order as strong as can be get those that their authors know to suffice; those that have these are left alone.
#[test]
fn strong_programs_are_relaxed() {
    if !clang() {
        return;
    }
    let mut all = String::new();
    for name in ["mcs", "ticket", "spinlock", "spsc", "peterson", "treiber", "seqlock"] {
        let files = Files::new();
        let text = std::fs::read_to_string(format!("tests/tune/{name}.c")).expect("a program");
        let strong = ["relaxed", "acquire", "release"]
            .iter()
            .fold(text, |text, order| text.replace(&format!("memory_order_{order}"), "memory_order_seq_cst"));
        let file = files.file(&format!("{name}.c"), strong);
        let mut command = command();
        let output = command.env_remove("COLUMNS").current_dir(files.path("")).args(["relax", &format!("{name}.c")]);
        let report = ran(output.output().expect("hmc can be started")).expect(0).out;
        all += &report.lines().filter(|line| !line.ends_with(" s")).map(|line| format!("{line}\n")).collect::<String>();
        hmc(&["relax", "--write", &file]).expect(0);
        hmc(&["--cat", "rc11", &file]).expect(0);
        if !std::fs::read_to_string(&file).expect("a program").contains("thread_fence") {
            let again = hmc(&["relax", &file]).expect(0).out;
            assert!(again.contains("nothing can be weaker"), "{again}");
        }
    }
    golden("relaxed.txt", &all);
    for name in LOCKS {
        let report = hmc(&["relax", "--cat", "rc11", &format!("tests/c/correct/{name}.c")]).expect(0).out;
        assert!(report.contains("nothing can be weaker"), "{report}");
    }
}
