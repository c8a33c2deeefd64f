//! Random models: the prover never proves what some execution refutes, and its proofs check, but for one in a thousand.
//!
//! Executions are those of small programs, judged by the plain evaluator. `HMC_RANDOM=N` makes N pairs of models of the default 200.

use hmc::algebra::naive;
use hmc::cat::{self, LoadRequest, Loaded};
use hmc::questions::compare;
use hmc::questions::paths::axiom::Axioms;
use hmc::questions::prove::Answer;
use hmc::relation::candidate::Candidate;
use hmc::synth::judge;
use hmc::synth::minimal::matrix::EVENTS;
use hmc::synth::programs::plain::Row;
use hmc::synth::programs::shapes::Shapes;
use hmc::synth::programs::vocabulary::Vocabulary;
use hmc::synth::programs::{Bounds, Programs};
use std::ops::ControlFlow;

/// A generator of numbers with a fixed seed.
pub struct Random(u64);

impl Random {
    /// Numbers from a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below another one.
    pub fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }

    fn of<'x>(&mut self, all: &[&'x str]) -> &'x str {
        all[self.below(all.len())]
    }
}

const LETTERS: [&str; 20] = [
    "po",
    "po",
    "po-loc",
    "rf",
    "rfe",
    "rfi",
    "co",
    "coe",
    "fr",
    "fre",
    "fri",
    "amo",
    "po \\ loc",
    "ext",
    "loc",
    "int",
    "rf^-1",
    "co^-1",
    "(R * W)",
    "id",
];
const SETS: [&str; 7] = ["R", "W", "M", "MFENCE", "X", "IW", "(W \\ X)"];

/// A relation of random parts.
fn relation(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(5) == 0 {
        return random.of(&LETTERS).to_owned();
    }
    match random.below(12) {
        0..=2 => format!("({} | {})", relation(random, depth - 1), relation(random, depth - 1)),
        3..=5 => format!("({} ; {})", relation(random, depth - 1), relation(random, depth - 1)),
        6 => format!("[{}] ; {}", random.of(&SETS), relation(random, depth - 1)),
        7 => format!("({} ; [{}])", relation(random, depth - 1), random.of(&SETS)),
        8 => format!("({})+", relation(random, depth - 1)),
        9 => format!("({})?", relation(random, depth - 1)),
        10 => format!("({} & {})", relation(random, depth - 1), relation(random, depth - 1)),
        _ => format!("({} \\ {})", relation(random, depth - 1), relation(random, depth - 1)),
    }
}

fn check(random: &mut Random) -> String {
    let predicate = random.of(&["acyclic", "acyclic", "irreflexive", "empty"]);
    match random.below(6) {
        // What models have: orders that contain communication.
        0 => "acyclic po-loc | rf | co | fr".to_owned(),
        1 => format!("acyclic {} | rfe | co | fr", relation(random, 1)),
        _ => format!("{predicate} {}", relation(random, 3)),
    }
}

/// A model, and one that is made of it: with a check more, or with one of the same kind.
fn pair(random: &mut Random) -> [String; 2] {
    let checks: Vec<String> = (0..1 + random.below(2)).map(|_| check(random)).collect();
    let mut others = checks.clone();
    match random.below(4) {
        0 => others.push(check(random)),
        1 => others = vec![check(random)],
        2 => {
            // The same with a part more.
            let more = relation(random, 1);
            let last = others.len() - 1;
            others[last] = format!("{} | {more}", others[last]);
        }
        _ => {
            let last = others.len() - 1;
            others[last] = check(random);
        }
    }
    let text = |checks: &[String]| {
        let lines: Vec<String> = checks.iter().enumerate().map(|(i, c)| format!("{c} as c{i}\n")).collect();
        format!("X86 \"random\"\ninclude \"x86fences.cat\"\ninclude \"cos.cat\"\n{}", lines.concat())
    };
    [text(&checks), text(&others)]
}

fn load(text: &str) -> Option<Loaded> {
    cat::load(&LoadRequest::text("random", text), &cat::Vocabulary::new(Some("X86")))
        .ok()
        .filter(|loaded| !loaded.dynamic)
}

/// Executions of the programs of up to five events: all of the small ones, some of the others.
fn executions(random: &mut Random) -> Vec<Candidate> {
    let text = cat::library::embedded("x86.lattice").expect("the lattice");
    let vocabulary = Vocabulary::parse(text).expect("a lattice");
    let model = load("X86 \"any\"\ninclude \"cos.cat\"\nacyclic po as any\n").expect("a model");
    let judge = judge(&model, &vocabulary).expect("a judge");
    let mut all = Vec::new();
    for size in 2..=5 {
        let bounds = Bounds { size, threads: size, addresses: size.min(EVENTS - size) };
        let maker = Shapes::new(&vocabulary, &judge, &[], false);
        let programs = Programs::new(&vocabulary, &maker, bounds);
        for part in 0..programs.parts() {
            let _ = programs.of_part(part, &mut |program| {
                let row = Row::of(program);
                for execution in row.executions(&vocabulary) {
                    if size < 4 || random.below(if size == 4 { 3 } else { 40 }) == 0 {
                        all.push(row.candidate(&vocabulary, &execution));
                    }
                }
                ControlFlow::Continue(())
            });
        }
    }
    // As many as are judged in a moment, of all sizes.
    let mut kept = Vec::new();
    while kept.len() < 240 && !all.is_empty() {
        let at = random.below(all.len());
        kept.push(all.swap_remove(at));
    }
    kept
}

/// How many directions were asked about, proved, and refuted.
#[derive(Default, Debug)]
pub struct Counts {
    /// Directions.
    pub asked: usize,
    /// Those that were proved.
    pub proved: usize,
    /// Those that an execution refutes.
    pub refuted: usize,
    /// Those of which the checker did not confirm a proof.
    pub refused: usize,
}

/// Asks about pairs of models.
pub fn run(pairs: usize) -> Counts {
    let mut random = Random::new(56);
    let executions = executions(&mut random);
    assert!(executions.len() > 100);
    let mut counts = Counts::default();
    let mut made = 0;
    while made < pairs {
        let texts = pair(&mut random);
        let (Some(a), Some(b)) = (load(&texts[0]), load(&texts[1])) else { continue };
        made += 1;
        let accepts =
            |loaded: &Loaded, candidate: &Candidate| naive::judge(&loaded.model, candidate).violated.is_empty();
        let said: Vec<[bool; 2]> = executions.iter().map(|x| [accepts(&a, x), accepts(&b, x)]).collect();
        for (side, [strong, weak]) in [[&a, &b], [&b, &a]].into_iter().enumerate() {
            let axioms = [strong, weak].map(|loaded| Axioms::new("random", loaded, Some("X86")));
            let found = compare::prove(&axioms[0], &axioms[1], Some("X86"), &[]);
            let found = found.unwrap_or_else(|e| panic!("{e}\n{}\n{}", texts[0], texts[1]));
            let is_proved = found.answers.iter().all(|(_, answer)| answer.is_proved());
            let refutes = said.iter().position(|said| said[side] && !said[1 - side]);
            let is_refused = |answer: &Answer| matches!(answer, Answer::Open(why) if why.starts_with(compare::REFUSED));
            counts.refused += usize::from(found.answers.iter().any(|(_, answer)| is_refused(answer)));
            counts.asked += 1;
            counts.proved += usize::from(is_proved);
            counts.refuted += usize::from(refutes.is_some());
            if let (true, Some(at)) = (is_proved, refutes) {
                panic!("proved and refuted, side {side}:\n{}\n{}\n{:?}", texts[0], texts[1], executions[at]);
            }
        }
    }
    counts
}

#[test]
fn what_is_proved_is_not_refuted() {
    let pairs = std::env::var("HMC_RANDOM").ok().and_then(|n| n.parse().ok()).unwrap_or(200);
    let counts = run(pairs);
    assert!(counts.proved * 20 > counts.asked, "few proofs: {counts:?}");
    assert!(counts.refused * 1000 <= counts.asked, "proofs that are not confirmed: {counts:?}");
    assert!(counts.refuted * 4 > counts.asked, "few refutations: {counts:?}");
}
