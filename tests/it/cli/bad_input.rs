//! Bad input of every kind: a clear message with a code, exit code 2, no panic.

use crate::cli::support::{Files, clang, hmc};

const SB: &str = "examples/sb.litmus";

#[track_caller]
fn refused(arguments: &[&str], parts: &[&str]) {
    let ran = hmc(arguments).expect(2);
    for part in parts {
        assert!(ran.err.contains(part), "`{part}` is missing in\n{}", ran.err);
    }
    assert_eq!(ran.out, "");
}

#[test]
fn usage() {
    for arguments in
        [&["a.c"][..], &["--cat", "sc"], &["--cat", "sc", "--no-such-option", SB], &["frobnicate", "x"], &[]]
    {
        hmc(arguments).expect(2);
    }
}

#[test]
fn missing_files() {
    refused(&["--cat", "sc", "nowhere.c"], &["hmc::file-missing", "nowhere.c"]);
    refused(&["--cat", "sc", "nowhere.litmus"], &["hmc::file-missing"]);
    refused(&["--cat", "sc", "@nowhere"], &["hmc::file-missing"]);
}

#[test]
fn a_missing_model_suggests_the_nearest_name() {
    refused(&["--cat", "rc12", SB], &["rc12", "rc11"]);
}

#[test]
fn directories_where_files_are_due() {
    let files = Files::new();
    let directory = files.path("").display().to_string();
    refused(&["--cat", "sc", &directory], &["hmc::no-tests"]);
    refused(&["--cat", &directory, SB], &["directory"]);
    let list = files.file("list", ".\n");
    refused(&["--cat", "sc", &format!("@{list}")], &["hmc::not-a-file"]);
}

#[test]
fn empty_files() {
    let files = Files::new();
    for name in ["empty.c", "empty.litmus", "empty.ll"] {
        refused(&["--cat", "sc", &files.file(name, "")], &["hmc::file-empty", name]);
    }
    // An empty model checks nothing, so it allows everything; that is no error.
    let model = files.file("empty.cat", "");
    hmc(&["--cat", &model, SB]).expect(0);
}

/// A file that is no model has an error for each of its words; nobody reads all of them. What is said once is shown, however late it comes.
#[test]
fn a_model_that_is_none() {
    let files = Files::new();
    let model = files.file("none.cat", "% of seconds\n".repeat(50) + "\"open");
    let ran = hmc(&["--cat", &model, SB]).expect(2);
    assert_eq!(ran.err.matches("`%` cannot start a word of cat").count(), 20, "{}", ran.err);
    assert!(ran.err.contains("more messages with the code C101 are not shown\n"), "{}", ran.err);
    assert!(ran.err.contains("none.cat:51"), "{}", ran.err);
}

#[test]
fn unknown_extensions() {
    let files = Files::new();
    refused(&["--cat", "sc", &files.file("x.txt", "x")], &["hmc::unknown-kind", ".litmus"]);
}

#[test]
fn text_that_is_not_utf8() {
    let files = Files::new();
    refused(&["--cat", "sc", &files.file("x.litmus", b"X86 A\xff\xfe")], &["hmc::not-utf8"]);
    refused(&["--cat", "sc", &files.file("x.ll", b"; \xff\xfe")], &["UTF-8"]);
    refused(&["--cat", &files.file("x.cat", b"acyclic \xff"), SB], &["C101"]);
}

#[test]
fn very_long_lines() {
    let files = Files::new();
    let long = "x".repeat(1 << 20);
    let errors = [
        hmc(&["--cat", "sc", &files.file("x.litmus", format!("X86 A\n{{ }}\n P0 ;\n {long} ;\nexists (x=1)"))])
            .expect(2)
            .err,
        hmc(&["--cat", &files.file("x.cat", format!("acyclic {long}")), SB]).expect(2).err,
        hmc(&["--cat", "sc", &files.file("x.ll", format!("define {long}"))]).err,
    ];
    for error in errors {
        assert!(!error.is_empty() && error.len() < 20 << 20, "{}", error.len());
    }
}

#[test]
fn deep_nesting() {
    let files = Files::new();
    let deep = format!("acyclic {}po{}", "(".repeat(10_000), ")".repeat(10_000));
    refused(&["--cat", &files.file("deep.cat", deep), SB], &["deep.cat"]);
    let condition = format!("X86 A\n{{ }}\n P0 ;\n NOP ;\nexists {}x=1{}", "(".repeat(10_000), ")".repeat(10_000));
    hmc(&["--cat", "sc", &files.file("deep.litmus", condition)]).expect(2);
}

#[test]
fn a_model_with_three_errors_shows_three() {
    let files = Files::new();
    let model = files.file("three.cat", "acyclic po-lok | rf\nacyclic W\nempty (rf ; unknown)\n");
    let ran = hmc(&["--cat", &model, SB, "examples/sb.litmus"]).expect(2);
    for part in ["po-lok", "unknown", "three.cat:1:", "three.cat:2:", "three.cat:3:"] {
        assert!(ran.err.contains(part), "`{part}` is missing in\n{}", ran.err);
    }
    // They are shown once, however many files there are to be checked.
    assert_eq!(ran.err.matches("three.cat:2:").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("hmc::model-failed"));
}

#[test]
fn a_cyclic_include() {
    let files = Files::new();
    let a = files.file("a.cat", "include \"b.cat\"\n");
    files.file("b.cat", "include \"a.cat\"\n");
    refused(&["--cat", &a, SB], &["a.cat", "b.cat"]);
}

#[test]
fn c_that_does_not_compile_shows_the_message_of_clang_once() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let program = files.file("bad.c", "int main(void) { return undeclared_name; }\n");
    let ran = hmc(&["--cat", "sc", &program]).expect(2);
    assert_eq!(ran.err.matches("use of undeclared identifier").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("hmc::clang-rejects"), "{}", ran.err);
}

#[test]
fn litmus_errors_point_into_the_file() {
    let files = Files::new();
    let test = files.file("bad.litmus", "X86 BAD\n{ }\n P0 ;\n MOVE [x],$1 ;\nexists (x=1)\n");
    refused(&["--cat", "sc", &test], &["bad.litmus:4:", "MOVE"]);
}

#[test]
fn a_report_that_cannot_be_written() {
    let ran = hmc(&["--cat", "sc", "--format", "json=/nowhere/x.json", SB]).expect(2);
    assert!(ran.err.contains("hmc::file-unwritable"), "{}", ran.err);
}

#[test]
fn an_architecture_that_there_is_not() {
    for arguments in [&["--cat", "sc", SB][..], &["robust", "--cat", "tso", SB], &["model", "info", "sc"]] {
        refused(&[arguments, &["--arch", "nonsense"]].concat(), &["nonsense", "AArch64", "RISCV"]);
    }
    hmc(&["model", "info", "--arch", "aarch64", "sc"]).expect(0);
}

#[test]
fn variants_that_change_nothing_and_variants_that_are_not_given() {
    let files = Files::new();
    let model = files.file("own.cat", "if \"strong\" acyclic po | rf as order end\n");
    let told = |arguments: &[&str]| hmc(&[&["--cat", &model, SB], arguments].concat()).expect(0).err;
    assert!(told(&[]).contains("C601") && told(&[]).contains("`--variant strong` gives it"), "{}", told(&[]));
    assert_eq!(told(&["--variant", "strong"]), "");
    assert!(told(&["--variant", "stronk"]).contains("is `strong` meant?"), "{}", told(&["--variant", "stronk"]));
}

#[test]
fn a_test_of_another_architecture_is_named_with_a_way_out() {
    let files = Files::new();
    let other = files.file("other.litmus", std::fs::read_to_string(SB).expect("a test"));
    let ran = hmc(&["--cat", "aarch64", SB, &other]).expect(2);
    let text = ran.err.replace(['\n', '│', ' '], "");
    for part in ["C204", "`hmclist-models`", "--no-arch-check", "`examples/sb.litmus`wasnotchecked"] {
        assert!(text.contains(part), "`{part}` is missing in\n{}", ran.err);
    }
    assert!(ran.err.contains("other.litmus"), "{}", ran.err);
    // The second one is told the same as the first.
    assert_eq!(text.matches("wasnotchecked:itsmodelisforanotherarchitecture").count(), 2, "{}", ran.err);
}

#[test]
fn a_register_that_no_instruction_mentions() {
    let files = Files::new();
    let text = std::fs::read_to_string(SB).expect("a test");
    let odd = files.file("odd.litmus", text.replace("1:EAX=0", "1:EBX=0"));
    let ran = hmc(&["--cat", "tso", &odd]).expect(0);
    assert!(ran.err.contains("line 7, column 20: P1 never mentions `EBX`, which is 0 in the end"), "{}", ran.err);
    assert!(ran.err.contains("is `EAX` meant?"), "{}", ran.err);
}

#[test]
fn a_byte_order_mark_is_no_text() {
    let files = Files::new();
    let marked = |name: &str, text: &str| files.file(name, format!("\u{feff}{text}"));
    let test = marked("t.litmus", &std::fs::read_to_string(SB).expect("a test"));
    let model = marked("m.cat", "SC\nacyclic po | rf | co | fr as sc\n");
    let list = marked("list", "t.litmus\n");
    let log = marked("run.log", &hmc(&["--cat", "sc", &test]).expect(0).out);
    hmc(&["--cat", &model, "--expect", &log, "--strict", &test, &format!("@{list}")]).expect(0);
    hmc(&["model", "fmt", "--check", &model]).expect(0);
}

#[test]
fn arguments_are_counted_in_words() {
    let files = Files::new();
    let text = "C A\n{ }\nP0(atomic_int *x) { atomic_fetch_add(x); int r = atomic_load(x, x); }\nexists (0:r=1)\n";
    refused(&["--cat", "rc11", &files.file("a.litmus", text)], &["takes 1 argument, not 2"]);
    let ran = hmc(&["--cat", "sc", "--expect", &files.file("t.tsv", "test\tverdict\nx\tOk\n"), SB]).expect(0);
    assert!(!ran.err.contains("1 tests"), "{}", ran.err);
}

#[test]
fn explanations() {
    assert!(hmc(&["explain", "hmc::no-tests"]).expect(0).out.contains("directory"));
    assert!(hmc(&["explain", "C301"]).expect(0).out.len() > 60);
    assert!(hmc(&["explain", "nonsense"]).expect(2).err.contains("nonsense"));
}

#[test]
fn bundled_models_are_listed() {
    let list = hmc(&["list-models"]).expect(0).out;
    for model in ["sc", "tso", "rc11", "lkmm", "aarch64"] {
        assert!(list.lines().any(|l| l.split_whitespace().next() == Some(model)), "{model} is missing in\n{list}");
    }
    for (model, sequences) in [("rc11 ", "release sequences of C11"), ("rc20 ", "release sequences of C++20")] {
        assert!(list.lines().any(|l| l.starts_with(model) && l.contains(sequences)), "{model} in\n{list}");
    }
}

/// A parameter of a thread stands for the location of its name; a value for it in the initial state was passed over.
#[test]
fn a_parameter_of_a_thread_has_no_value_of_its_own() {
    let files = Files::new();
    let test = |initial: &str| {
        let text = format!("C h\n{{ x=1; {initial} }}\nP0(int *h) {{ int r0 = *h; }}\nexists (0:r0=1)\n");
        hmc(&["--cat", "sc", &files.file("h.litmus", &text)])
    };
    let ran = test("0:h=x;").expect(4);
    assert!(ran.err.contains("litmus::parameter") && ran.err.contains("`h=VALUE`"), "{}", ran.err);
    assert!(test("0:h=h; h=1;").expect(0).out.contains("Observation h Always"));
}
