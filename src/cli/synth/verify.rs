//! `--verify`: every test again, by ways that share nothing with the search.

use super::{Session, failed, output};
use crate::cat::LoadRequest;
use crate::cli::args::SynthArgs;
use crate::cli::output::out::{say, tell};
use crate::driver::inputs::models::Models;
use crate::driver::{Settings, check};
use crate::synth::Suite;
use crate::synth::minimal::Minimality;
use crate::synth::minimal::verify::Verifier;
use crate::synth::suite::Entry;
use crate::synth::suite::print::Condition;
use crate::verdict::{Message, Sources, Verdict};

/// Checks the tests; whether all are as they claim. What is not is said.
pub fn run(
    args: &SynthArgs,
    model: &str,
    session: &Session,
    found: &Suite,
    entries: &[Entry],
) -> Result<bool, Vec<Message>> {
    let request = session.request(args);
    let verifier = Verifier {
        loaded: &session.loaded,
        vocabulary: &session.vocabulary,
        minimality: request.minimality,
        relaxations: &request.relaxations,
        axioms: &found.axioms,
    };
    let mut wrong = Vec::new();
    for (entry, test) in entries.iter().zip(&found.tests) {
        let said = verifier.check(test).map_err(|message| {
            failed(format!("the reference evaluator cannot judge {}: {message}", entry.name), "leave out `--verify`")
        })?;
        wrong.extend(said.into_iter().map(|what| format!("{}: {what}", entry.name)));
    }
    // An outcome that another coherence order allows may be minimal as an execution.
    // Tests with scopes cannot be run.
    if request.minimality == Minimality::Outcome && session.vocabulary.scopes.is_empty() {
        wrong.extend(printed(args, model, entries)?);
    }
    wrong.iter().for_each(|line| say(&format!("{line}\n")));
    let relaxed = "forbidden, and allowed after each relaxation";
    match wrong.len() {
        0 => tell(&format!("hmc: verified: {} tests are {relaxed}\n", entries.len())),
        n => tell(&format!("hmc: not verified: {n} claims about {} tests are wrong\n", entries.len())),
    }
    Ok(wrong.is_empty())
}

/// The printed tests that do not say `Never` (of a `forall` condition: `Ok`) when they are read and run like others.
fn printed(args: &SynthArgs, model: &str, entries: &[Entry]) -> Result<Vec<String>, Vec<Message>> {
    let own = std::env::temp_dir().join(format!("hmc-synth-{}", std::process::id()));
    let directory = args.output.clone().unwrap_or_else(|| own.clone());
    output::tests(&directory, entries).map_err(|e| output::not_written(&directory, &e))?;
    let mut request = LoadRequest::named(model);
    request.include_dirs.clone_from(&args.include);
    request.bell.clone_from(&args.bell);
    let models = Models::new(request, Vec::new(), false);
    let (settings, sources) = (Settings::default(), Sources::default());
    let mut wrong = Vec::new();
    for entry in entries {
        let file = directory.join(format!("{}.litmus", entry.name));
        let result = check(&file, model, &models, &settings, &sources);
        let is_right = match args.condition {
            Condition::Exists => result.observation.as_deref() == Some("Never"),
            Condition::Forall => result.condition.as_deref() == Some("Ok"),
        };
        if !is_right || result.verdict == Verdict::Error {
            let said: Vec<&str> = result.messages.iter().map(|m| m.message.as_str()).collect();
            let said = result.observation.as_deref().into_iter().chain(said).collect::<Vec<_>>().join("; ");
            wrong.push(format!("{}: as a file: {said}", entry.name));
        }
    }
    if args.output.is_none() {
        // What is left in the directory for temporary files harms nobody.
        let _ = std::fs::remove_dir_all(&own);
    }
    Ok(wrong)
}
