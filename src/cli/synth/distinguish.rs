//! `--distinguish`: the smallest tests on which two models differ.

use super::{Session, failed, output, watched};
use crate::cli::args::SynthArgs;
use crate::cli::output::out::{say, tell};
use crate::synth::differ::{Difference, distinguish};
use crate::synth::judge;
use crate::synth::minimal::{Outcome, Witness};
use crate::synth::suite::{self, Entry};
use crate::synth::{Suite, Test};
use crate::verdict::{Message, Verdict};

/// Prints the tests, or writes them. Exit codes: 0: none up to the size; 1: some; 3: none as far as the search came.
pub fn run(args: &SynthArgs, models: [&str; 2]) -> Result<u8, Vec<Message>> {
    let (first, second) = (Session::new(args, models[0])?, Session::new(args, models[1])?);
    let vocabulary = &first.vocabulary;
    // Both models are asked about the same programs.
    let other = judge(&second.loaded, vocabulary)
        .map_err(|message| failed(message, "`hmc model info` shows how each check of the model is judged"))?;
    let request = first.request(args);
    let (found, complete) =
        watched(args, |progress| distinguish([&first.judge, &other], vocabulary, &request, progress));
    let entries = entries(&found, &first, args, models)?;
    match &args.output {
        Some(directory) => output::tests(directory, &entries).map_err(|e| output::not_written(directory, &e))?,
        None => entries.iter().for_each(|e| say(&row(e))),
    }
    let size = found.first().map_or(complete, |d| d.program.size());
    let ended = complete < if found.is_empty() { args.size } else { size };
    let extent = if ended { "; ended early: more may exist" } else { "" };
    tell(&match found.len() {
        0 => format!("hmc: no program of up to {complete} events tells {} from {}{extent}\n", models[0], models[1]),
        n => format!(
            "hmc: {n} programs of {size} events, the smallest that tell {} from {}{extent}\n",
            models[0], models[1]
        ),
    });
    Ok(match (found.is_empty(), ended) {
        (false, _) => Verdict::Violated.exit_code(),
        (true, true) => Verdict::Bounded.exit_code(),
        (true, false) => 0,
    })
}

fn row(entry: &Entry) -> String {
    format!(
        "{}\t{}\t{}\t{}\t{}\n",
        entry.size,
        entry.program,
        entry.axioms.join(","),
        entry.name,
        entry.executions.join("; ")
    )
}

/// The tests, one for each model that allows more; `axioms` says which.
fn entries(
    found: &[Difference],
    session: &Session,
    args: &SynthArgs,
    models: [&str; 2],
) -> Result<Vec<Entry>, Vec<Message>> {
    let test = |difference: &Difference, outcomes: &[Outcome], only: usize| Test {
        program: difference.program.clone(),
        outcomes: outcomes.iter().map(|o| witness(o, only, session, &difference.program)).collect(),
    };
    let sides = found.iter().flat_map(|d| {
        d.only.iter().enumerate().filter(|(_, outcomes)| !outcomes.is_empty()).map(move |(i, o)| test(d, o, i))
    });
    let tests: Vec<Test> = sides.collect();
    let axioms = models.map(|model| format!("allowed by {model} only")).to_vec();
    let suite = Suite { tests, axioms, ..Suite::default() };
    suite::entries(&suite, &session.vocabulary, &[], args.condition)
        .map_err(|message| failed(message, "choose a smaller size, or name more registers in the lattice file"))
}

/// An outcome with some coherence order.
fn witness(
    outcome: &Outcome,
    only: usize,
    session: &Session,
    program: &crate::synth::programs::program::Program,
) -> Witness {
    let layout = crate::synth::minimal::frame::Layout::new(program, &session.vocabulary);
    let orders = layout.writes.iter().zip(&outcome.lasts).map(|(writes, last)| {
        let rest = writes.iter().copied().filter(|w| Some(*w) != *last);
        rest.chain(*last).collect()
    });
    Witness { rf: outcome.sources.clone(), co: orders.collect(), axioms: 1 << only, forbidden: true }
}
