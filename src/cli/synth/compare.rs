//! `--compare`: an existing suite beside the minimal tests.

use super::{Session, watched};
use crate::cat::LoadRequest;
use crate::cli::args::SynthArgs;
use crate::cli::inputs;
use crate::cli::output::out::{say, tell};
use crate::driver::inputs::models::Models;
use crate::driver::{Settings, check};
use crate::synth::minimal::matrix::EVENTS;
use crate::synth::programs::program::Program;
use crate::synth::suite::drawn;
use crate::synth::suite::name::Names;
use crate::synth::suite::reduce::Reducer;
use crate::synth::{Begun, resume};
use crate::verdict::{FileResult, Message, Sources, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A model that rejects nothing: under it, some execution has the outcome of a test.
const ANYTHING: &str = "\"anything\"\ninclude \"cos.cat\"\n";

/// What a test of the suite is.
enum Standing {
    /// It is minimal.
    Minimal(Program),
    /// It contains these.
    Contains(BTreeSet<Program>),
    /// The model allows its outcome.
    Allowed,
    /// It cannot be compared.
    Other(String),
}

/// Prints the comparison. Exit codes: 0; 3: the search for minimal tests ended early, more may be missing.
pub fn run(args: &SynthArgs, model: &str, session: &Session, suite: &str) -> Result<u8, Vec<Message>> {
    let files = inputs::expand(&[suite.to_owned()])?;
    let request = session.request(args);
    let (vocabulary, judge) = (&session.vocabulary, &session.judge);
    let found = watched(args, |progress| resume(judge, vocabulary, &request, progress, Begun::default()));
    let comparison = Comparison::new(args, model, session);
    let names = Names::new(vocabulary);
    let numbered: BTreeMap<&Program, String> = found.tests.iter().map(|t| (&t.program, names.of(&t.program))).collect();
    let mut covered: BTreeMap<Program, Vec<String>> = BTreeMap::new();
    let mut rows = Vec::new();
    let mut counts = [0usize; 4];
    for file in &files {
        let (name, standing) = comparison.of(file);
        let (kind, text) = match standing {
            Standing::Minimal(program) => {
                let text = names.of(&program);
                covered.entry(program).or_default().push(name.clone());
                (0, format!("minimal\t{text}"))
            }
            Standing::Contains(programs) => {
                let mut all: Vec<&Program> = programs.iter().collect();
                all.sort_by_key(|program| program.size());
                let text: Vec<String> =
                    all.iter().map(|p| format!("{} [{}]", names.of(p), p.text(vocabulary))).collect();
                (1, format!("contains\t{}", text.join("; ")))
            }
            Standing::Allowed => (2, "allowed\t".to_owned()),
            Standing::Other(why) => (3, format!("not compared\t{why}")),
        };
        counts[kind] += 1;
        rows.push(format!("{name}\t{text}\n"));
    }
    rows.iter().for_each(|row| say(row));
    let missing: Vec<_> = found.tests.iter().filter(|t| !covered.contains_key(&t.program)).collect();
    for test in &missing {
        let name = &numbered[&test.program];
        say(&format!("-\tmissing\t{name} [{}]\n", test.program.text(vocabulary)));
    }
    let [minimal, contain, allowed, other] = counts;
    let extent =
        if found.complete < args.size { format!(", complete up to size {}", found.complete) } else { String::new() };
    tell(&format!(
        "hmc: {} tests: {minimal} minimal, {contain} contain minimal ones, {allowed} allowed by the model, {other} not compared; {} of the {} minimal tests of up to {} events are missing{extent}\n",
        files.len(),
        missing.len(),
        found.tests.len(),
        args.size
    ));
    Ok(if found.complete < args.size { Verdict::Bounded.exit_code() } else { 0 })
}

struct Comparison<'a> {
    session: &'a Session,
    relaxations: Vec<crate::synth::programs::vocabulary::Relaxation>,
    model: &'a str,
    models: Models,
    anything: Models,
    settings: Settings,
    sources: Sources,
}

impl<'a> Comparison<'a> {
    fn new(args: &SynthArgs, model: &'a str, session: &'a Session) -> Comparison<'a> {
        let mut request = LoadRequest::named(model);
        request.include_dirs.clone_from(&args.include);
        request.bell.clone_from(&args.bell);
        Comparison {
            session,
            relaxations: session.request(args).relaxations,
            model,
            models: Models::new(request, Vec::new(), false),
            anything: Models::new(LoadRequest::text("anything", ANYTHING), Vec::new(), false),
            settings: Settings { witness: true, ..Settings::default() },
            sources: Sources::default(),
        }
    }

    /// The name of a test and what it is.
    fn of(&self, file: &Path) -> (String, Standing) {
        let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        let result = check(file, self.model, &self.models, &self.settings, &self.sources);
        let standing = self.standing(file, &result);
        (stem, standing.unwrap_or_else(Standing::Other))
    }

    fn standing(&self, file: &Path, result: &FileResult) -> Result<Standing, String> {
        if let Some(message) = result.messages.first().filter(|_| result.observation.is_none()) {
            return Err(message.message.clone());
        }
        if result.kind.as_deref() == Some("Required") {
            return Err("its condition is about all executions".to_owned());
        }
        if result.observation.as_deref() != Some("Never") {
            return Ok(Standing::Allowed);
        }
        if result.partial {
            return Err("not all of its executions were seen".to_owned());
        }
        let result = check(file, "anything", &self.anything, &self.settings, &self.sources);
        let picture = result.witness.ok_or("no execution has its outcome, whatever the model")?;
        let vocabulary = &self.session.vocabulary;
        let (program, outcome) = drawn::program(&picture, vocabulary)?;
        if program.size() + program.addresses() > EVENTS {
            return Err(format!("it has {} events, which is too many", program.size()));
        }
        let reducer = Reducer { vocabulary, judge: &self.session.judge, relaxations: &self.relaxations };
        if !reducer.is_forbidden(&program, &outcome) {
            return Err("the model forbids it for what the lattice file does not say".to_owned());
        }
        let canonical = program.canonical();
        let contained = reducer.contained(&program, &outcome);
        Ok(if contained.contains(&canonical) { Standing::Minimal(canonical) } else { Standing::Contains(contained) })
    }
}
