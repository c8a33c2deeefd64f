//! Executions one by one: as many as are counted, with the states that are listed; forbidden candidates are all others.

use super::support::{Files, clang, hmc};
use serde_json::Value;
use std::collections::BTreeSet;

/// The result of a check in JSON.
fn result(arguments: &[&str]) -> Value {
    let mut all = vec!["--format", "json"];
    all.extend(arguments);
    let ran = hmc(&all);
    assert!(ran.code < 2, "{arguments:?}: {}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).expect("JSON");
    report["results"][0].clone()
}

fn executions(result: &Value) -> &Vec<Value> {
    result["listed"]["executions"].as_array().expect("executions")
}

fn states<'r>(of: impl Iterator<Item = &'r Value>) -> BTreeSet<&'r str> {
    of.map(|state| state.as_str().expect("a state")).collect()
}

#[test]
fn all_executions_of_litmus_tests_are_listed_and_forbidden_ones_are_the_rest() {
    let mut forbidden = 0;
    for (folder, models) in [("x86", ["sc", "x86tso"]), ("c11", ["sc", "rc11"])] {
        let mut files: Vec<_> = std::fs::read_dir(format!("tests/litmus/{folder}"))
            .expect("tests")
            .map(|entry| entry.expect("an entry").path().display().to_string())
            .filter(|name| name.ends_with(".litmus"))
            .collect();
        files.sort();
        for file in files.iter().step_by(3) {
            let mut candidates = BTreeSet::new();
            // Candidates may be very many.
            let limit = |show: &str| if show == "forbidden" { "3" } else { "600" };
            for model in models {
                let check = |show: &str| {
                    result(&["--cat", model, "--equivalence", "rf+co", "--timeout", limit(show), "--show", show, file])
                };
                let (allowed, rejected) = (check("all"), check("forbidden"));
                let listed = executions(&allowed);
                assert_eq!(allowed["executions"]["complete"], listed.len(), "{file} under {model}");
                assert_eq!(allowed["listed"]["all"], true, "{file} under {model}");
                let ends = states(listed.iter().map(|one| &one["state"]));
                assert_eq!(ends, states(allowed["states"].as_array().expect("states").iter()), "{file} under {model}");
                if rejected["listed"]["all"] == true {
                    let others = executions(&rejected);
                    assert!(others.iter().all(|one| one["axiom"].is_string() && !listed.contains(one)), "{file}");
                    forbidden += others.len();
                    candidates.insert(listed.len() + others.len());
                }
            }
            // Which executions are candidates does not depend on the model.
            assert!(candidates.len() <= 1, "{file}: {candidates:?}");
        }
    }
    assert!(forbidden > 10, "{forbidden}");
}

#[test]
fn executions_of_programs_are_listed() {
    if !clang() {
        return;
    }
    let program = "tests/c/wrong/shapes/sb.c";
    let all = result(&["--cat", "tso", "--keep-going", "--show", "all", "--equivalence", "rf+co", program]);
    let wrong = executions(&all).iter().filter(|one| one["wrong"] == true).count();
    assert!(wrong > 0 && all["listed"]["all"] == true, "{all}");
    assert_eq!(all["executions"]["complete"], executions(&all).len() - wrong);
    let one = result(&["--cat", "tso", "--keep-going", "--show", "1", program]);
    assert_eq!((executions(&one).len(), &one["listed"]["all"]), (1, &Value::Bool(false)));
    let forbidden = result(&["--cat", "sc", "--show", "forbidden", program]);
    assert!(executions(&forbidden).iter().any(|one| one["cycle"].as_array().is_some_and(|cycle| !cycle.is_empty())));
}

#[test]
fn lists_are_text_for_people() {
    let text = hmc(&["--cat", "sc", "--show", "all", "--relations", "fr", "examples/sb.litmus"]).expect(0).out;
    for part in ["execution 1: ", "execution 3: ", "these are all: 3 executions"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    let text = hmc(&["--cat", "sc", "--show", "forbidden", "examples/sb.litmus"]).expect(0).out;
    assert!(
        text.contains("forbidden candidate 1: 0:r0=0; 1:r0=0;; by ") || text.contains("forbidden candidate 1: "),
        "{text}"
    );
    assert!(text.contains("these are all: 1 candidate that the model forbids"), "{text}");
    let ran = hmc(&["--cat", "sc", "--show", "none", "examples/sb.litmus"]).expect(2);
    assert!(ran.err.contains("`forbidden=` and a number"), "{}", ran.err);
}

#[test]
fn relations_are_chosen() {
    let test = "tests/litmus/c11/MP+release+acquire.litmus";
    let shown = result(&["--cat", "rc11", "--show", "all", "--relations", "sw,hb", test]);
    let related = |one: &Value| one["execution"]["related"].as_array().cloned().unwrap_or_default();
    let has = |name: &str| executions(&shown).iter().flat_map(related).any(|edge| edge["name"] == name);
    assert!(has("sw") && has("hb"), "{shown}");
    let ran = hmc(&["--cat", "rc11", "--relations", "bh", test]).expect(2);
    assert!(ran.err.contains("hmc::no-relation") && ran.err.contains("did you mean `hb`?"), "{}", ran.err);
}

#[test]
fn pictures_have_what_a_violation_depends_on() {
    if !clang() {
        return;
    }
    let files = Files::new();
    let svg = files.path("x.svg").display().to_string();
    let program = files.file(
        "late.c",
        "#include <pthread.h>\n#include <assert.h>\n#include <stdatomic.h>\natomic_int x, y, z;\n\
         void *a(void *p) { for (int i = 0; i < 3; i++) atomic_store(&z, i); return 0; }\n\
         void *b(void *p) { atomic_store(&x, 1); return 0; }\n\
         void *c(void *p) { assert(atomic_load(&x) == 0); return 0; }\n\
         int main(void) { pthread_t t[3]; pthread_create(t, 0, a, 0); pthread_create(t + 1, 0, b, 0); pthread_create(t + 2, 0, c, 0); return 0; }\n",
    );
    let drawn = |more: &[&str]| {
        let mut all = vec!["--cat", "rc11", "--svg", &svg, &program];
        all.splice(2..2, more.iter().copied());
        hmc(&all).expect(1);
        std::fs::read_to_string(&svg).expect("a picture")
    };
    let (cut, whole) = (drawn(&[]), drawn(&["--full"]));
    assert!(cut.contains(" events)</text>") && !whole.contains(" events)</text>"), "{cut}");
    assert!(!cut.contains(">W[SC,A] z = 2<") && whole.contains(">W[SC,A] z = 2<"), "{whole}");
    let bare = drawn(&["--relations", "co"]);
    assert!(cut.contains("rf-text") && !bare.contains("class=\"name rf-text\""), "{bare}");
}
