//! Files of the Linux kernel: what is said of a tree that is none, and of files that have no tests. (`tests/it/c/linux_files.rs` has those that need a tree.)

use crate::cli::support::{Files, hmc};

#[track_caller]
fn refused(arguments: &[&str], parts: &[&str]) {
    let ran = hmc(arguments).expect(2);
    for part in parts {
        assert!(ran.err.contains(part), "`{part}` is missing in\n{}", ran.err);
    }
}

#[test]
fn a_tree_that_is_none() {
    let files = Files::new();
    let test = files.file("a.c", "HMC_TEST(one) { }\n");
    let folder = files.path("").display().to_string();
    refused(
        &["--linux", &folder, &test],
        &["hmc::bad-input", "is no tree of the Linux kernel", "include/linux", "configured"],
    );
    refused(&["--linux", "/nowhere", &test], &["is no tree of the Linux kernel"]);
}

#[test]
fn a_file_without_tests() {
    let files = Files::new();
    let none = files.file("none.c", "/* HMC_TEST(no) */ int main(void) { return 0; }\n");
    let two = files.file("two.c", "HMC_TEST(one) { }\nHMC_TEST(two) { }\n");
    let folder = files.path("").display().to_string();
    refused(&["--linux", &folder, &none], &["hmc::no-kernel-tests", "HMC_TEST(name)", "hmc/linux.h"]);
    refused(&["--linux", &folder, "--test", "three", &two], &["hmc::no-kernel-tests", "`three`", "one, two"]);
    refused(&["--linux", &folder, "--test", "two", &two], &["is no tree"]);
    refused(&["--test", "two", &two], &["--linux"]);
    assert!(hmc(&["explain", "hmc::no-kernel-tests"]).expect(0).out.contains("docs/kernel.md"));
}
