//! Synthesis against the published counts, and against lists that two other programs agree on.

use hmc::cat::{self, LoadRequest};
use hmc::synth::minimal::Minimality;
use hmc::synth::vocabulary::Vocabulary;
use hmc::synth::{Progress, Request, Suite, judge, synthesise};

const TSO: &str = r#""TSO of the paper"
include "cos.cat"
acyclic rf | co | fr | po-loc as sc_per_loc
empty rmw & (fr ; co) as rmw_atomicity
let ppo = ([M] ; po ; [M]) \ ((W \ range(rmw)) * (R \ domain(rmw)))
acyclic rfe | co | fr | ppo | [M] ; po ; [F] ; po ; [M] as causality
"#;

fn suite(model: &str, size: usize, minimality: Minimality) -> Suite {
    let vocabulary = Vocabulary::parse(include_str!("../cat/x86.lattice")).expect("the lattice is right");
    let loaded = cat::load(&LoadRequest::text("paper", model), &cat::Vocabulary::new(None)).expect("the model is right");
    let judge = judge(&loaded, &vocabulary).expect("it can be compiled");
    let relaxations = vocabulary.relaxations.clone();
    let request = Request { size, threads: size, addresses: size, minimality, relaxations, workers: 2 };
    synthesise(&judge, &vocabulary, &request, &Progress::default())
}

fn counts(suite: &Suite, size: usize) -> Vec<usize> {
    (2..=size).map(|n| suite.tests.iter().filter(|t| t.program.size() == n).count()).collect()
}

#[test]
fn tso_without_the_quirk() {
    assert_eq!(counts(&suite(TSO, 6, Minimality::Execution), 6), [3, 5, 10, 8, 27]);
    assert_eq!(counts(&suite(TSO, 6, Minimality::Outcome), 6), [3, 5, 8, 13, 35]);
}
