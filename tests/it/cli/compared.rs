//! What is held to recorded results, and what is not: nothing is passed over without a word.

use crate::cli::support::{Files, clang, hmc};

const SB: &str =
    "X86 SB\n{ }\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n";

#[test]
fn a_test_with_another_hash_is_said_not_to_be_compared() {
    let files = Files::new();
    let sb = files.file("sb.litmus", SB);
    let log = hmc(&["--cat", "tso", &sb]).expect(0).out;
    let hash = log.lines().find(|line| line.starts_with("Hash=")).expect("a hash").to_owned();
    let known = files.file("known.log", &log);
    let ran = hmc(&["--cat", "tso", "--strict", "--expect", &known, &sb]).expect(0);
    assert!(!ran.err.contains("not compared"), "{}", ran.err);
    let changed = files.file("changed.log", log.replace(&hash, "Hash=0123"));
    let arguments = ["--cat", "tso", "--expect", &changed, &sb];
    let ran = hmc(&arguments).expect(0);
    assert!(ran.err.contains("1 test: 1 not compared"), "{}", ran.err);
    assert!(ran.err.contains("sb.litmus under tso: ") && ran.err.contains("with another hash, 0123"), "{}", ran.err);
    let json = hmc(&[&arguments[..], &["--format", "json"]].concat()).expect(0).json();
    let why = json["results"][0]["not_compared"].as_str().expect("a reason");
    assert!(why.contains("with another hash"), "{why}");
    // Who is strict learns it from the exit code.
    hmc(&[&arguments[..], &["--strict"]].concat()).expect(3);
}

/// One of three tests is not in the log, and one is recorded without an answer.
#[test]
fn tests_that_nothing_is_recorded_of_are_counted_and_named() {
    let files = Files::new();
    let named = |name: &str| files.file(&format!("{name}.litmus"), SB.replace("X86 SB", &format!("X86 {name}")));
    let [one, two, three] = ["ONE", "TWO", "THREE"].map(named);
    let report = files.file("run.json", &hmc(&["--cat", "tso", "--format", "json", &one, &two]).expect(0).out);
    let ran = hmc(&["--cat", "tso", "--expect", &report, &one, &two, &three]).expect(0);
    assert!(ran.err.contains("3 tests: 2 as expected, 1 not compared"), "{}", ran.err);
    assert!(ran.err.contains("THREE.litmus under tso: nothing is recorded of it"), "{}", ran.err);
    let ran = hmc(&["--cat", "pso", "--no-arch-check", "--expect", &report, &one]).expect(0);
    assert!(ran.err.contains("has it under tso only"), "{}", ran.err);
    // A test that cannot be read any more differs from its record.
    files.file("ONE.litmus", "X86 ONE\n{ }\n P0 ;\n NONSENSE ;\nexists (x=1)\n");
    let ran = hmc(&["--cat", "tso", "--expect", &report, &one, &two]).expect(2);
    assert!(ran.err.contains("ONE.litmus under tso differs from") && ran.err.contains("no result"), "{}", ran.err);
}

#[test]
fn programs_are_held_to_their_recorded_verdicts() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let text =
        |value: u32| format!("#include <assert.h>\nint main(void) {{ int x = {value}; assert(x == 1); return 0; }}\n");
    let program = files.file("p.c", text(1));
    let right = files.file("right.json", &hmc(&["--cat", "sc", "--format", "json", &program]).expect(0).out);
    files.file("p.c", text(2));
    let wrong = files.file("wrong.json", &hmc(&["--cat", "sc", "--format", "json", &program]).expect(1).out);
    // Still wrong: as recorded, and wrong.
    let ran = hmc(&["--cat", "sc", "--expect", &wrong, &program]).expect(1);
    assert!(!ran.err.contains("differs"), "{}", ran.err);
    let ran = hmc(&["--cat", "sc", "--expect", &right, &program]).expect(1);
    assert!(ran.err.contains("verdict: expected holds, got violated"), "{}", ran.err);
    files.file("p.c", text(1));
    let ran = hmc(&["--cat", "sc", "--expect", &wrong, &program]).expect(0);
    assert!(ran.err.contains("verdict: expected violated, got holds"), "{}", ran.err);
    for form in ["human", "json", "junit", "sarif"] {
        let ran = hmc(&["--cat", "sc", "--strict", "--format", form, "--expect", &wrong, &program]).expect(1);
        assert!(ran.out.contains("violated"), "{form}: {}", ran.out);
    }
    // A table has the same words.
    let table = files.file("table.tsv", "test\tverdict\np.c\tviolated\n");
    let ran = hmc(&["--cat", "sc", "--expect", &table, &program]).expect(0);
    assert!(ran.err.contains("verdict: expected violated, got holds"), "{}", ran.err);
    let other = files.file("other.tsv", "test\tverdict\nq.c\tviolated\n");
    let ran = hmc(&["--cat", "sc", "--expect", &other, &program]).expect(0);
    assert!(ran.err.contains("1 test: 1 not compared"), "{}", ran.err);
}
