//! Shards of a run, merged into one report.

use crate::parts::jobs::hmc;
use serde_json::Value;

#[test]
fn shards_make_one_report() {
    let folder = tempfile::tempdir().expect("a directory");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let check = ["--cat", "rc11", "tests/litmus/c11"];
    let timeless = |text: &str| {
        let mut report: Value = serde_json::from_str(text).expect("JSON");
        report["results"].as_array_mut().expect("results").iter_mut().for_each(|r| r["seconds"] = Value::Null);
        report
    };
    let mut whole = vec!["--format", "json"];
    whole.extend(check);
    let whole = hmc(&whole);
    let mut merge = vec!["merge".to_owned(), "--format=json".to_owned()];
    for k in 1..=3 {
        let (shard, report) = (format!("{k}/3"), file(&format!("{k}.json")));
        let form = format!("json={report}");
        let mut arguments = vec!["--shard", &shard, "--format", &form];
        arguments.extend(check);
        hmc(&arguments);
        merge.push(report);
    }
    let merged = hmc(&merge);
    assert_eq!(timeless(&merged.out), timeless(&whole.out));
    assert_eq!(merged.code, whole.code);
    merge[1] = "--format=junit".to_owned();
    let junit = hmc(&merge).out;
    assert_eq!(junit.matches("<testcase").count(), timeless(&whole.out)["results"].as_array().expect("all").len());
}

#[test]
fn what_is_no_report_is_told() {
    let folder = tempfile::tempdir().expect("a directory");
    let file = folder.path().join("x.json");
    std::fs::write(&file, "{}").expect("written");
    let ran = hmc(&["merge", file.to_str().expect("UTF-8")]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("hmc::job-report"), "{}", ran.err);
}
