//! Answers that are known (`QUESTIONS.md`, section 5).

use super::support::{claim, compared, is_proved, refuting};
use hmc::cat;
use hmc::questions::certificate;
use hmc::questions::compare::{self, Relation, Verdict};
use hmc::questions::paths::axiom::Axioms;
use hmc::questions::prove::Answer;

/// A model for x86 with these checks.
fn x86(checks: &str) -> String {
    format!("X86 \"own\"\ninclude \"x86fences.cat\"\ninclude \"cos.cat\"\n{checks}\n")
}

#[test]
fn extended_coherence_has_two_forms() {
    for arch in ["X86", "C"] {
        assert_eq!(claim("rf | (co | fr) ; rf? <= (rf | co | fr)+", arch, &[]), Ok(true), "{arch}");
    }
    assert_eq!(claim("(rf | co | fr)+ = rf | (co | fr) ; rf?", "X86", &[]), Ok(true));
}

#[test]
fn sequential_consistency_has_two_forms() {
    let one = x86("acyclic po | rf | co | fr as sc");
    let other = x86("acyclic po | rfe | co | fre as sc\nacyclic po-loc | rf | co | fr as coherence");
    assert_eq!(is_proved(&one, &other, "X86", &[]), Ok(()));
    assert_eq!(is_proved(&other, &one, "X86", &[]), Ok(()));
}

#[test]
fn total_store_order_has_two_forms() {
    assert_eq!(is_proved("tso", "x86tso", "X86", &[]), Ok(()));
    assert_eq!(is_proved("x86tso", "tso", "X86", &[]), Ok(()));
}

#[test]
fn models_are_as_strong_as_the_literature_says() {
    for (stronger, weaker, arch) in [
        ("sc", "tso", "X86"),
        ("tso", "pso", "X86"),
        ("sc", "ra", "C"),
        ("sc", "armv7", "ARM"),
        ("sc", "riscv", "RISCV"),
        ("sc", "aarch64", "AArch64"),
        ("sc", "imm", "C"),
        ("rc11", "rc20", "C"),
    ] {
        assert_eq!(is_proved(stronger, weaker, arch, &[]), Ok(()), "{stronger} {weaker}");
    }
}

#[test]
fn weaker_models_are_told_apart_by_the_classical_tests() {
    let cases = [("sc", "tso", "SB"), ("tso", "pso", "MP"), ("sc", "pso", "MP")];
    for (stronger, weaker, test) in cases {
        let found = compared(stronger, weaker, "X86", "x86", 4);
        assert_eq!(found.relation, Relation::Stronger, "{stronger} {weaker}: {found:?}");
        assert_eq!(refuting(&found.directions[1].known), Some(test), "{stronger} {weaker}");
    }
}

#[test]
fn imm_keeps_all_of_rc11_but_its_order_of_reads_and_later_writes() {
    // IMM allows load buffering, which RC11 forbids; all other axioms follow.
    let open = is_proved("imm", "rc11", "C", &[]).expect_err("load buffering");
    assert!(open.starts_with("no-thin-air: ") && open.lines().count() == 1, "{open}");
}

#[test]
fn an_axiom_that_others_imply_is_redundant() {
    let twice = x86("acyclic po | rf | co | fr as sc\nacyclic po-loc | rf | co | fr as coherence");
    let once = x86("acyclic po | rf | co | fr as sc");
    assert_eq!(is_proved(&once, &twice, "X86", &[]), Ok(()));
    let only = x86("acyclic po-loc | rf | co | fr as coherence");
    assert!(is_proved(&only, &twice, "X86", &[]).is_err());
}

#[test]
fn a_proof_that_is_tampered_with_is_refused() {
    let load =
        |name: &str| cat::load(&cat::LoadRequest::named(name), &cat::Vocabulary::new(Some("X86"))).expect("a model");
    let (a, b) = (load("sc"), load("tso"));
    let axioms = [("sc", &a), ("tso", &b)].map(|(name, loaded)| Axioms::new(name, loaded, Some("X86")));
    let found = compare::prove(&axioms[0], &axioms[1], Some("X86"), &[]).expect("an answer");
    let mut refused = 0;
    for (_, answer) in &found.answers {
        let Answer::Proved(proofs, _) = answer else { panic!("{answer:?}") };
        for proof in proofs {
            assert_eq!(certificate::check(proof), Ok(()));
            // Without its axioms nothing is explained.
            let mut other = proof.clone();
            other.right.iter_mut().filter(|part| !part.fact).for_each(|part| part.paths.accept.fill(false));
            refused += usize::from(certificate::check(&other).is_err());
            // Nor is all of it when a configuration is missing.
            for at in 0..proof.invariant.len() {
                let mut other = proof.clone();
                other.invariant.remove(at);
                refused += usize::from(certificate::check(&other).is_err());
            }
        }
    }
    assert!(refused > found.answers.len(), "{refused}");
}

/// The search tells apart whether a pair is external; the checker first asks whether it is in program order, which leaves that open.
#[test]
fn a_proof_whose_cases_another_name_decides_is_confirmed() {
    let one = x86("irreflexive (((po-loc | id) \\ coe))? as c0\nacyclic co as c1");
    let other = x86(
        "irreflexive (((po-loc | id) \\ coe))? as c0\nacyclic co as c1\nempty (([R] ; (R * W) ; (int | int)) ; [M]) as c2",
    );
    assert_eq!(is_proved(&other, &one, "X86", &[]), Ok(()));
}

#[test]
fn a_model_is_equivalent_to_itself() {
    let arches =
        [("rc11", "C"), ("imm", "C"), ("power", "PPC"), ("armv7", "ARM"), ("aarch64", "AArch64"), ("riscv", "RISCV")];
    for (model, arch) in arches {
        assert_eq!(is_proved(model, model, arch, &[]), Ok(()), "{model}");
    }
    let found = compared("ra", "ra", "X86", "x86", 3);
    assert!(matches!(found.directions[0].known, Verdict::Proved { .. }));
    assert_eq!(found.relation, Relation::Equivalent);
}
