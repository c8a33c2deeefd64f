//! Which of two models is stronger: each direction proved, refuted with a test, or unknown up to a size.

use super::assume::Assumption;
use super::certificate;
use super::paths::alphabet::Alphabet;
use super::paths::axiom::{self, Axioms};
use super::paths::translate::{Side, Translator};
use super::prove::{self, Answer, Proof};
use super::refute::{self, Difference, Subject, evaluated};
use crate::cat::Loaded;
use crate::synth::Progress;
use crate::synth::minimal::judge::Judge;
use crate::synth::programs::vocabulary::Vocabulary;
use serde::Serialize;

/// What is known of a claim.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase", tag = "verdict")]
pub enum Verdict {
    /// It is true, of executions of any size.
    Proved {
        /// The axioms that carry the proof.
        by: Vec<String>,
    },
    /// It is false.
    Refuted {
        /// The smallest test that shows it.
        test: Box<Difference>,
    },
    /// Neither.
    Unknown {
        /// No program of up to so many events refutes it; none where no search was possible.
        up_to: Option<usize>,
        /// What could not be explained, by axiom.
        open: Vec<Open>,
    },
}

impl Verdict {
    /// A word.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Proved { .. } => "proved",
            Verdict::Refuted { .. } => "refuted",
            Verdict::Unknown { .. } => "unknown",
        }
    }
}

/// An axiom without a proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Open {
    /// The axiom.
    pub axiom: String,
    /// A path of it that is not explained, or why there is none.
    pub why: String,
}

/// One direction: every execution that the first model accepts is accepted by the second one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Direction {
    /// The model that would be stronger.
    pub stronger: String,
    /// The model that would be weaker.
    pub weaker: String,
    /// What is known of it.
    #[serde(flatten)]
    pub known: Verdict,
    /// Parts of either model that are no regular sets of paths: they were approximated.
    pub approximated: Vec<String>,
}

/// What a comparison says as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Relation {
    /// Each allows what the other does.
    Equivalent,
    /// The first allows less.
    Stronger,
    /// The first allows more.
    Weaker,
    /// Each allows something that the other forbids.
    Incomparable,
    /// Not both directions are known.
    Unknown,
}

/// The answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Comparison {
    /// The models.
    pub models: [String; 2],
    /// The architecture whose executions were asked about; none: of any.
    pub arch: Option<String>,
    /// The first as the stronger one, the second as the stronger one.
    pub directions: [Direction; 2],
    /// Both together.
    pub relation: Relation,
}

impl Comparison {
    fn of(models: [String; 2], arch: Option<String>, directions: [Direction; 2]) -> Comparison {
        let [a, b] = [0, 1].map(|i| &directions[i].known);
        let relation = match (a, b) {
            (Verdict::Proved { .. }, Verdict::Proved { .. }) => Relation::Equivalent,
            (Verdict::Proved { .. }, Verdict::Refuted { .. }) => Relation::Stronger,
            (Verdict::Refuted { .. }, Verdict::Proved { .. }) => Relation::Weaker,
            (Verdict::Refuted { .. }, Verdict::Refuted { .. }) => Relation::Incomparable,
            _ => Relation::Unknown,
        };
        Comparison { models, arch, directions, relation }
    }
}

/// A model with its name.
pub struct Named<'a> {
    /// As the user calls it.
    pub name: &'a str,
    /// The model.
    pub loaded: &'a Loaded,
}

/// What is searched for tests, and how far.
pub struct Search<'a> {
    /// What tests are made of.
    pub vocabulary: &'a Vocabulary,
    /// Both models, compiled.
    pub judges: [&'a Judge; 2],
    /// The largest size.
    pub size: usize,
    /// How many threads search.
    pub workers: usize,
}

impl Search<'_> {
    /// The smallest programs on which the models differ.
    fn refuted(
        &self,
        models: &[Named<'_>; 2],
        size: usize,
        wanted: [bool; 2],
        progress: &Progress,
    ) -> Result<refute::Found, String> {
        let loaded = [models[0].loaded, models[1].loaded];
        match loaded.iter().any(|loaded| loaded.dynamic) {
            true => {
                let shape = self.judges[0];
                evaluated::tell_apart(loaded, shape, self.vocabulary, size, self.workers, wanted, progress)
            }
            false => Ok(refute::tell_apart(self.judges, self.vocabulary, size, self.workers, wanted, progress)),
        }
    }
}

/// Every axiom of one model, asked of the executions of another one.
pub struct Direct {
    /// By axiom of the weaker model.
    pub answers: Vec<(String, Answer)>,
    /// Proofs of what the others rest on.
    pub lemmas: Vec<Proof>,
    /// What was approximated.
    pub approximated: Vec<String>,
}

/// Why a claim is open of which the search found a proof.
pub const REFUSED: &str = "a proof was found that the checker does not confirm";

/// Tries to prove one direction. Errors: more names than there are atoms; an assumption that cannot be used.
pub fn prove(
    stronger: &Axioms,
    weaker: &Axioms,
    arch: Option<&str>,
    assumptions: &[Assumption],
) -> Result<Direct, String> {
    let mut translator = Translator::new(Alphabet::new(arch)?);
    for assumption in assumptions {
        assumption.add(&mut translator)?;
    }
    // All letters first: facts about them are complete then.
    for (axioms, side) in [(weaker, Side::Over), (stronger, Side::Under)] {
        for axiom in axioms.all.iter().filter(|axiom| axiom.outside.is_none()) {
            axiom::violations(&mut translator, &axioms.pool, axiom, side)?;
        }
    }
    let mut lemmas = Vec::new();
    prove::prove_lemmas(&mut translator, &mut lemmas);
    let strong = prove::strong(&mut translator, stronger, &mut lemmas)?;
    let mut answers = Vec::new();
    for axiom in &weaker.all {
        answers.push((axiom.name.clone(), prove::axiom_follows(&mut translator, &strong, weaker, axiom)?));
    }
    // What the checker does not confirm is not proved, nor is what rests on it.
    let refused = |proofs: &[Proof]| proofs.iter().find_map(|proof| certificate::check(proof).err());
    let lemma = refused(&lemmas);
    for (_, answer) in &mut answers {
        if let Answer::Proved(proofs, _) = answer
            && let Some(why) = refused(proofs).or_else(|| lemma.clone())
        {
            *answer = Answer::Open(format!("{REFUSED}: {why}"));
        }
    }
    Ok(Direct { answers, lemmas, approximated: translator.letters.iter().cloned().collect() })
}

/// Compares two models.
pub fn compare(
    models: [Named<'_>; 2],
    arch: Option<&str>,
    assumptions: &[Assumption],
    search: Option<&Search<'_>>,
    progress: &Progress,
) -> Result<Comparison, String> {
    let axioms = [0, 1].map(|i| Axioms::new(models[i].name, models[i].loaded, arch));
    // Small programs first: what they refute needs no attempt at a proof.
    let quick = search.map(|s| (s, s.size.min(QUICK)));
    let mut found = match quick {
        Some((s, size)) => s.refuted(&models, size, [true, true], progress)?,
        None => refute::Found::default(),
    };
    let mut direct: [Option<Direct>; 2] = [None, None];
    for side in 0..2 {
        // `only[side]` is allowed by `side` alone: then that model is not stronger.
        if found.only[side].is_none() {
            direct[side] = Some(prove(&axioms[side], &axioms[1 - side], arch, assumptions)?);
        }
    }
    let is_open =
        |direct: &Option<Direct>| direct.as_ref().is_some_and(|d| !d.answers.iter().all(|(_, a)| a.is_proved()));
    let open = [0, 1].map(|side| is_open(&direct[side]));
    if let Some(s) = search
        && s.size > QUICK
        && open != [false, false]
    {
        let more = s.refuted(&models, s.size, open, progress)?;
        found.complete = more.complete;
        for (own, new) in found.only.iter_mut().zip(more.only) {
            if own.is_none() {
                *own = new;
            }
        }
    }
    let mut directions = Vec::new();
    for side in 0..2 {
        let (own, other) = (&models[side], &models[1 - side]);
        let approximated = direct[side].as_ref().map(|d| d.approximated.clone()).unwrap_or_default();
        let known = match (&found.only[side], search) {
            (Some((program, outcome)), Some(s)) if direct[side].is_none() || open[side] => {
                let allows = Subject { name: own.name, loaded: own.loaded, judge: s.judges[side] };
                let forbids = Subject { name: other.name, loaded: other.loaded, judge: s.judges[1 - side] };
                let test = refute::described(program, outcome, &allows, &forbids, s.vocabulary)?;
                Verdict::Refuted { test: Box::new(test) }
            }
            _ => verdict_of(direct[side].as_ref(), search.map(|_| found.complete)),
        };
        directions.push(Direction {
            stronger: own.name.to_owned(),
            weaker: other.name.to_owned(),
            known,
            approximated,
        });
    }
    let names = [0, 1].map(|i| models[i].name.to_owned());
    let [first, second] = <[Direction; 2]>::try_from(directions).map_err(|_| "two directions".to_owned())?;
    Ok(Comparison::of(names, arch.map(str::to_owned), [first, second]))
}

/// Programs of up to this size are searched before a proof is tried.
const QUICK: usize = 4;

/// What attempts at proofs say, with the last size that was searched.
pub fn verdict_of(direct: Option<&Direct>, up_to: Option<usize>) -> Verdict {
    let Some(direct) = direct else { return Verdict::Unknown { up_to, open: Vec::new() } };
    let mut by: Vec<String> = Vec::new();
    let mut open = Vec::new();
    for (axiom, answer) in &direct.answers {
        match answer {
            Answer::Proved(_, used) => by.extend(used.iter().cloned()),
            Answer::Open(why) => open.push(Open { axiom: axiom.clone(), why: why.clone() }),
        }
    }
    by.sort();
    by.dedup();
    if open.is_empty() { Verdict::Proved { by } } else { Verdict::Unknown { up_to, open } }
}
