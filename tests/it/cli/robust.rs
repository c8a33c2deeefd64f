//! `hmc robust`.

use crate::cli::support::{clang, hmc};

#[test]
fn a_litmus_test_needs_a_fence_in_each_thread() {
    let ran = hmc(&["robust", "--cat", "tso", "--json", "examples/sb.litmus"]).expect(1);
    let result = &ran.json()[0];
    assert_eq!(result["verdict"], "violated");
    assert_eq!((result["executions"].as_u64(), result["executions_against"].as_u64()), (Some(4), Some(3)));
    assert_eq!(result["witness"]["axiom"], "sc");
    assert_eq!(result["fences"].as_array().map(Vec::len), Some(2));
    assert_eq!(result["verified"], true);
    hmc(&["robust", "--cat", "sc", "examples/sb.litmus"]).expect(0);
    hmc(&["robust", "--cat", "sc", "nowhere.litmus"]).expect(2);
}

#[test]
fn fences_of_programs_are_named_by_lines() {
    if !clang() {
        return;
    }
    let file = "tests/c/portability/message_passing.c";
    let ran = hmc(&["robust", "--cat", "power", "--json", file, "--", "-DWRONG"]).expect(1);
    let fences = ran.json()[0]["fences"].clone();
    let lines: Vec<[Option<u64>; 2]> =
        fences.as_array().into_iter().flatten().map(|f| ["after", "before"].map(|w| f[w]["line"].as_u64())).collect();
    assert_eq!(lines, [[Some(20), Some(21)], [Some(26), Some(28)]]);
    hmc(&["robust", "--cat", "power", file]).expect(0);
    // Both threads run one function, so that one place is enough.
    let ran = hmc(&["robust", "--cat", "tso", "--json", "tests/c/portability/dekker.c", "--", "-DWRONG"]).expect(1);
    assert_eq!(ran.json()[0]["fences"].as_array().map(Vec::len), Some(1));
}

/// What exploration may have missed, or did not try, is said here too.
#[test]
fn what_is_not_known_of_programs_is_said() {
    if !clang() {
        return;
    }
    let pointer = "tests/c/pairs/assertion/decides_by_a_pointer.c";
    let ran = hmc(&["robust", "--cat", "c11", "--json", pointer, "--", "-DWRONG"]).expect(0);
    let notes = ran.json()[0]["notes"].to_string();
    assert!(notes.contains("a write takes part in deciding that it happens"), "{notes}");
    hmc(&["robust", "--cat", "tso", "tests/c/pairs/assertion/value_from_outside.c"]).expect(3);
}
