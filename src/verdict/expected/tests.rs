use super::*;

const LOG: &str = "Test SB Allowed\nStates 2\n0:EAX=0; 1:EAX=0;\n0:EAX=0x1; 1:EAX=1;\nOk\nWitnesses\nPositive: 1 Negative: 3\n\
                   Flag data-race: 0,3 \nCondition exists (0:EAX=0)\nObservation SB Sometimes 1 3\nTime SB 0.01\nHash=abc\n\n\
                   Test gone Allowed\nFatal error\n\nTest MP Forbidden\nStates 1\n[x]=1;\nLoop No\nWitnesses\n\
                   Positive: 0 Negative: 1\nCondition ~exists (x=1)\nObservation MP Always 1 0\nHash=def\n";

fn result(name: &str) -> FileResult {
    let mut result = FileResult::new(format!("dir/{name}.litmus"), "weak");
    result.name = name.to_owned();
    result.hash = Some("abc".into());
    result.condition = Some("Ok".into());
    result.kind = Some("Allowed".into());
    result.observation = Some("Sometimes".into());
    (result.positive, result.negative) = (Some(1), Some(3));
    result.states = vec!["0:EAX=0; 1:EAX=0;".into(), "0:EAX=1; 1:EAX=1;".into()];
    result.flags = vec![crate::verdict::result::Flag { name: "data-race".into(), executions: 1, ..Default::default() }];
    result
}

fn compared(expectations: &Expectations, result: &FileResult) -> Option<Vec<String>> {
    expectations.find(result).map(|e| e.differences(result))
}

#[test]
fn a_log_of_the_reference_tool() {
    let all = read(Path::new("a.log"), LOG).expect("a log");
    assert_eq!(all.len(), 2);
    assert_eq!(compared(&all, &result("SB")), Some(vec![]));
    assert_eq!(compared(&all, &result("other")), None);
    let mut other = result("SB");
    other.hash = Some("of another test".into());
    assert_eq!(compared(&all, &other), None);
    let mut wrong = result("SB");
    wrong.observation = Some("Never".into());
    wrong.states.pop();
    wrong.flags.clear();
    let differences = compared(&all, &wrong).expect("a record");
    assert_eq!(differences.len(), 3, "{differences:?}");
    assert!(differences[2].contains("state missing: 0:EAX=1; 1:EAX=1;"), "{differences:?}");
}

#[test]
fn a_log_of_runs_on_hardware_bounds_the_states_from_below() {
    let log = "Test SB Allowed\nHistogram (1 states)\n12    *>0:EAX=0; 1:EAX=0;\nOk\n\nWitnesses\nPositive: 12, Negative: 0\nHash=abc\n";
    let all = read(Path::new("a.log"), log).expect("a log");
    assert_eq!(compared(&all, &result("SB")), Some(vec![]));
    let mut wrong = result("SB");
    wrong.states.remove(0);
    assert_eq!(compared(&all, &wrong), Some(vec!["state missing: 0:EAX=0; 1:EAX=0;".into()]));
}

#[test]
fn a_table_names_files_relative_to_itself() {
    let table =
        "test\tverdict\tpositive\tnegative\tstates\nSB.litmus\tNo\t1\t3\t1:EAX=0; 0:EAX=0; | 0:EAX=1; 1:EAX=1;\n";
    let all = read(Path::new("dir/expected.tsv"), table).expect("a table");
    assert_eq!(compared(&all, &result("SB")), Some(vec!["condition: expected No, got Ok".into()]));
    assert_eq!(compared(&read(Path::new("expected.tsv"), table).expect("a table"), &result("SB")), None);
    let bad = read(Path::new("t"), "test\tpositive\nSB.litmus\tmany\n").expect_err("no number");
    assert_eq!(bad.line, 2);
}

#[test]
fn a_report_of_ones_own() {
    let text = serde_json::json!({ "results": [result("SB")] }).to_string();
    let all = read(Path::new("r.json"), &text).expect("a report");
    assert_eq!(compared(&all, &result("SB")), Some(vec![]));
    let mut other = result("SB");
    other.model = "strong".into();
    assert_eq!(compared(&all, &other), None);
    let known = result("SB");
    let key = Key { file: "dir/SB.litmus", kind: known.kind.as_deref(), ..Key::of(&known) };
    assert!(matches!(all.answer(&key, false), Some(Answer::InFull(_))));
    // Not when the test, its condition or the model was changed since.
    for other in
        [Key { hash: Some("def"), ..key }, Key { kind: Some("Required"), ..key }, Key { model_sha256: "0", ..key }]
    {
        assert!(all.answer(&other, false).is_none(), "{other:?}");
    }
    let part = FileResult { partial: true, ..result("SB") };
    let all = read(Path::new("r.json"), &serde_json::json!({ "results": [part] }).to_string()).expect("a report");
    assert!(all.answer(&key, false).is_none() && all.answer(&key, true).is_some());
}

/// A search for the answer alone may come upon what contradicts an expectation.
#[test]
fn what_was_seen_may_contradict_what_is_expected() {
    let seen = FileResult { partial: true, positive: Some(1), negative: Some(2), observation: None, ..result("SB") };
    let differences = |expected: Expected| expected.differences(&seen).len();
    let of = |word: &str| own_words(word).expect("a known word");
    assert_eq!(["Never", "Always", "Sometimes", "DEADLOCK"].map(|word| differences(of(word))), [1, 1, 0, 1]);
    let counts = |counts| Expected { counts: Some(counts), ..Expected::default() };
    assert_eq!([(0, 3), (1, 1), (1, 2), (5, 5)].map(|wanted| differences(counts(wanted))), [1, 1, 0, 0]);
}

#[test]
fn a_misspelt_column_is_an_error() {
    let bad = read(Path::new("t"), "test\tobservaton\nSB.litmus\tNever\n").expect_err("no such column");
    assert!(bad.line == 1 && bad.message.contains("`observation`"), "{bad:?}");
    assert!(read(Path::new("t"), "test\tmine\nSB.litmus\t3\n").is_ok());
}

/// Wherever a run that writes a log is ended, the test that it was writing about is not answered, and the log can be added to.
#[test]
fn a_log_that_was_cut_answers_what_it_says_to_its_end() {
    let key =
        |name, hash| Key { file: "x.litmus", name, hash: Some(hash), kind: None, model: "weak", model_sha256: "" };
    let block = &LOG[..LOG.find("\nTest gone").expect("two blocks") + 1];
    let end = block.trim_end().len() + 1;
    for cut in "Test SB".len()..block.len() {
        let all = read(Path::new("a.log"), &block[..cut]).expect("a log");
        assert_eq!(all.answer(&key("SB", "abc"), false).is_some(), cut >= end, "{}", &block[..cut]);
        let resumed = format!("{}{block}", &block[..cut]);
        let all = read(Path::new("a.log"), &resumed).expect("a log");
        // In the middle of a line the first line of what follows is lost.
        let at_line = block[..cut].ends_with('\n');
        assert!(!at_line || all.answer(&key("SB", "abc"), false).is_some(), "{resumed}");
    }
    assert!(read(Path::new("a.log"), LOG).expect("a log").answer(&key("MP", "def"), false).is_some());
    let none =
        read(Path::new("a.log"), "a.litmus under weak: bounded, 3 executions, 0 blocked, 1.00 s\n").expect("a log");
    assert!(none.is_empty());
}

#[test]
fn other_files_are_refused() {
    for text in ["", "hello", "{ \"results\": 3 }", "{"] {
        assert!(read(Path::new("x"), text).is_err(), "{text}");
    }
}

#[test]
fn what_a_test_says_of_itself() {
    assert_eq!(own_words("Maybe"), None);
    assert_eq!(own_words("Sometimes").and_then(|e| e.observation), Some("Sometimes".into()));
    let race = own_words("Never DATARACE").expect("words");
    assert!(race.some_flags.contains("data-race"));
    assert!(own_words("DEADLOCK").expect("a word").deadlock);
}

#[test]
fn partial_results_are_compared_as_far_as_they_go() {
    let all = read(Path::new("a.log"), LOG).expect("a log");
    let mut partial = result("SB");
    partial.partial = true;
    partial.observation = None;
    partial.states.clear();
    (partial.positive, partial.negative) = (Some(1), Some(0));
    assert_eq!(compared(&all, &partial), Some(vec![]));
    partial.condition = Some("No".into());
    assert_eq!(compared(&all, &partial), Some(vec!["condition: expected Ok, got No".into()]));
    partial.condition = None;
    assert_eq!(compared(&all, &partial).map(|d| d.len()), Some(1));
}

#[test]
fn labels_are_the_same_with_and_without_quotes() {
    assert_eq!(state("0:X30=label:\"P0:L0\"; 1:X1=0x10;"), state("1:X1=16; 0:X30=P0:L0;"));
    assert_ne!(state("0:X30=label:\"P0:L0\";"), state("0:X30=label:\"P0:L1\";"));
}
