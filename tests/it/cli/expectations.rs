//! `hmc test`: what programs say is expected of them.

use crate::cli::support::{Files, Ran, clang, command, ran};

fn test(files: &Files, arguments: &[&str]) -> Ran {
    ran(command().arg("test").args(arguments).current_dir(files.path("")).output().expect("hmc can be started"))
}

const SB: &str = "(* hmc: --cat sc => Never *)\n(* hmc: --cat tso => Sometimes executions=4 *)\n";

fn litmus(headers: &str) -> String {
    let test = std::fs::read_to_string("examples/sb.litmus").expect("a test");
    let (first, rest) = test.split_once('\n').expect("lines");
    format!("{first}\n{headers}{rest}")
}

const RACY: &str = "#include <pthread.h>\nint x;\nstatic void *f(void *a) {\n  x++;\n  return a;\n}\nint main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, f, 0);\n  x++;\n  pthread_join(t, 0);\n}\n";

#[test]
fn what_is_expected_is_found_or_not() {
    let files = Files::new();
    files.file("right.litmus", litmus(SB));
    let ran = test(&files, &[]).expect(0);
    let shown = "\nrunning 2 expectations in 1 file\ntest right.litmus (--cat sc) ... ok\ntest right.litmus (--cat tso) ... ok\n\n\
                 test result: ok. 2 passed; 0 failed; finished in ";
    assert!(ran.out.starts_with(shown), "{}", ran.out);
    files.file("wrong.litmus", litmus("(* hmc: --cat sc => Sometimes *)\n(* hmc: --cat sc => Never executions=9 *)\n"));
    let ran = test(&files, &["--quiet"]).expect(1);
    for part in [
        "running 4 expectations in 2 files\ntest wrong.litmus (--cat sc) ... FAILED",
        "---- wrong.litmus:2: --cat sc => Sometimes\n    expected Sometimes under sc, found Never\n",
        "expected 9 executions under sc, found 3",
        "test result: FAILED. 2 passed; 2 failed",
    ] {
        assert!(ran.out.contains(part), "{part} in\n{}", ran.out);
    }
    let ran = test(&files, &["--bless"]).expect(0);
    assert!(ran.out.contains("2 headers written anew"), "{}", ran.out);
    let text = std::fs::read_to_string(files.path("wrong.litmus")).expect("a test");
    assert!(text.contains("(* hmc: --cat sc => Never *)\n(* hmc: --cat sc => Never executions=3 *)\n"), "{text}");
    test(&files, &[]).expect(0);
    assert!(test(&files, &["--filter", "tso"]).expect(0).out.contains("running 1 expectation in 1 file"));
}

#[test]
fn headers_that_cannot_be_read_are_errors() {
    let files = Files::new();
    let part = |header: &str, part: &str| {
        let file = files.file("odd.litmus", litmus(header));
        let ran = test(&files, &[&file]).expect(2);
        assert!(ran.err.replace(['\n', '│'], "").contains(part), "{part} in\n{}", ran.err);
    };
    part("(* hmc: --cat sc *)\n", "odd.litmus:2");
    part("(* hmc: --cat sc => fine *)\n", "`fine` is no verdict");
    part("(* hmc: --kat sc => Never *)\n", "--kat");
    part("(* hmc: --format json => Never *)\n", "writes no reports");
    part("", "hmc::expectation");
    let empty = Files::new();
    assert!(test(&empty, &[]).expect(2).err.contains("hmc::no-expectations"));
}

#[test]
fn programs_say_what_is_found_and_where() {
    if !clang() {
        return;
    }
    let files = Files::new();
    files.file("racy.c", format!("// hmc: => violated race @5\n// hmc: --cat sc -- -DX => holds\n{RACY}"));
    let ran = test(&files, &[]).expect(1);
    assert!(ran.out.contains("expected it in line 5, found line"), "{}", ran.out);
    files.file("racy.c", format!("// hmc: =>\n{RACY}"));
    test(&files, &["--bless"]).expect(0);
    let text = std::fs::read_to_string(files.path("racy.c")).expect("a program");
    assert!(text.starts_with("// hmc: => violated race @"), "{text}");
    test(&files, &[]).expect(0);
}

/// Two files with a variable and a structure of their own of the same name each; the second one has another entry, too.
#[test]
fn several_files_are_one_program() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let main = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstruct s { int a; };\nstatic struct s own = { 1 };\n\
                extern atomic_int shared;\nvoid *other(void *);\n\
                int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); pthread_join(t, 0); assert(shared == 5 && own.a == 1); }\n\
                void wrong(void) { assert(shared == 1); }\n";
    let other = "#include <stdatomic.h>\nstruct s { long a, b; };\nstatic struct s own = { 2, 3 };\natomic_int shared;\n\
                 void *other(void *x) { own.a += own.b; shared = own.a; return x; }\n";
    let (main, other) = (files.file("main.c", main), files.file("other.c", other));
    files.file(
        "hmc.toml",
        "models = [\"rc11\"]\n[[harness]]\nfiles = [\"main.c\", \"other.c\"]\nexpect = \"holds executions=1\"\n\
         [[harness]]\nfiles = [\"main.c\", \"other.c\"]\nentry = \"wrong\"\nexpect = \"violated assertion @9\"\n",
    );
    let ran = test(&files, &[]).expect(0);
    assert!(ran.out.contains("test main.c (wrong) ... ok") && ran.out.contains("2 passed; 0 failed"), "{}", ran.out);
    let check = |arguments: &[&str]| ran_in(&files, arguments);
    assert!(check(&[&main, "--link", &other]).expect(0).out.contains("main.c under rc11: holds"));
    assert!(check(&[&main]).code != 0);
    let twice = check(&[&main, "--link", &main]).expect(2);
    assert!(twice.err.contains("is defined here and in"), "{}", twice.err);
    let nowhere = check(&[&main, "--link", &other, "--entry", "nowhere"]).expect(2);
    assert!(nowhere.err.contains("there is no function `nowhere`"), "{}", nowhere.err);
    let litmus = check(&["--entry", "f", &format!("{}/examples/sb.litmus", env!("CARGO_MANIFEST_DIR"))]).expect(2);
    assert!(litmus.err.contains("hmc::not-a-program"), "{}", litmus.err);
}

fn ran_in(files: &Files, arguments: &[&str]) -> Ran {
    ran(command().args(arguments).current_dir(files.path("")).output().expect("hmc can be started"))
}
