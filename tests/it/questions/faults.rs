//! What another prover answers wrongly (`QUESTIONS.md`, section 4), answered rightly.

use super::support::{claim, compared, refuting};
use hmc::questions::compare::Verdict;

const ARCH: &str = "AArch64";

#[test]
fn a_dependency_need_not_stay_at_its_location() {
    assert_eq!(claim("addr <= po-loc", ARCH, &[]), Ok(false));
    assert_eq!(claim("addr <= po", ARCH, &[]), Ok(true));
}

#[test]
fn a_fence_between_a_write_and_a_read_makes_no_reads_from() {
    let fences = ["[W] ; po ; [R] <= po ; [F] ; po"];
    assert_eq!(claim("[W] ; po ; [R] <= rf", ARCH, &fences), Ok(false));
    assert_eq!(claim("[W] ; po ; [R] <= po ; [F] ; po", ARCH, &fences), Ok(true));
    assert_eq!(claim("[W] ; po ; [R] <= po ; [F] ; po", ARCH, &[]), Ok(false));
}

#[test]
fn what_cannot_be_read_is_an_error() {
    assert!(claim("po <= nothing-known", ARCH, &[]).is_err());
    assert!(claim("po po", ARCH, &[]).is_err());
    assert!(claim("[W] <= W", ARCH, &[]).is_err());
}

#[test]
fn a_difference_of_composed_relations_is_never_taken_for_more_than_it_is() {
    assert_eq!(claim("(po ; rf) \\ (fr ; rf) <= po ; rf", ARCH, &[]), Ok(true));
    assert_eq!(claim("po ; rf <= (po ; rf) \\ (fr ; rf)", ARCH, &[]), Ok(false));
    assert_eq!(claim("(po ; rf) & (fr ; rf) <= fr ; rf", ARCH, &[]), Ok(true));
    assert_eq!(claim("(po ; rf) & (fr ; rf) <= po ; po ; rf", ARCH, &[]), Ok(false));
    // What both sides have is recognised.
    assert_eq!(claim("((po ; rf) \\ (fr ; rf)) ; po <= (po ; rf) \\ (fr ; rf) ; po", ARCH, &[]), Ok(true));
}

#[test]
fn a_fact_that_cannot_be_used_is_an_error() {
    assert!(claim("po <= po", ARCH, &["po ; rf <= rf ; po"]).is_err());
}

#[test]
fn true_facts_are_proved() {
    for fact in ["fr <= fre | fri", "co <= coe | coi", "rf^-1 ; co <= fr", "rf ; fr <= co", "po ; po <= po"] {
        assert_eq!(claim(fact, ARCH, &[]), Ok(true), "{fact}");
    }
    // Where an event may read and write, it does not come before itself in from-reads.
    assert_eq!(claim("rf^-1 ; co <= fr", "C", &[]), Ok(false));
}

#[test]
fn what_is_refuted_is_refuted_with_a_test() {
    let found = compared("sc", "tso", "X86", "x86", 4);
    let Verdict::Refuted { test } = &found.directions[1].known else { panic!("{found:?}") };
    assert!(test.litmus.contains("exists") && test.litmus.starts_with("X86 SB"), "{}", test.litmus);
    assert_eq!(test.axiom, "sc");
    assert!(!test.cycle.is_empty());
    assert_eq!(refuting(&found.directions[1].known), Some("SB"));
}

#[test]
fn an_equality_is_used_both_ways() {
    for claimed in ["addr <= data", "data <= addr", "po ; addr <= po ; data"] {
        assert_eq!(claim(claimed, ARCH, &["addr = data"]), Ok(true), "{claimed}");
        assert_eq!(claim(claimed, ARCH, &[]), Ok(false), "{claimed}");
    }
}
