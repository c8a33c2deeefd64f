//! `hmc diff`: the files on which two models differ.

use super::check::{Told, persist, settings, tell_news};
use crate::cli::args::DiffArgs;
use crate::cli::batch::{jobs, run_all, with_room};
use crate::cli::exit::{BAD_INPUT, INTERNAL};
use crate::cli::interrupt::interrupt;
use crate::cli::output::out::say;
use crate::cli::output::width::styled;
use crate::driver::Settings;
use crate::driver::inputs::models::Models;
use crate::driver::inputs::persisted::{self, Persist};
use crate::driver::inputs::usual;
use crate::driver::questions::differ;
use crate::report::robust;
use crate::verdict::compare::{Answer, compare};
use crate::verdict::{FileResult, Sources, Verdict};
use std::path::Path;
use std::sync::Arc;

/// Runs the subcommand. Exit code 0: no difference; 1: some; 2: a file or model could not be read; 3 or 4: none was found, but a search was cut
/// or could not be made.
pub fn run(args: &DiffArgs) -> u8 {
    if args.input.persist.is_none() && persisted::are_of_disks([&args.a, &args.b]) {
        return of_disks(args);
    }
    let models = [args.a.clone(), args.b.clone()];
    let jobs = match jobs(&models, &args.files, &args.input, None) {
        Ok(jobs) => jobs,
        Err(code) => return code,
    };
    let mut settings = Settings { interrupt: interrupt(), ..settings(&args.input) };
    settings.keep_going = true;
    let jobs = Arc::new(jobs);
    let mut told = Told::default();
    let mut found = Found::default();
    let mut first: Option<(usize, FileResult)> = None;
    let mut explained = Vec::new();
    let mut said: Vec<Option<String>> = vec![None; jobs.len() / 2];
    let outcome = run_all(&jobs, &settings, args.input.threads, |job, result, progress| {
        progress.aside(|| {
            tell_news(&jobs);
            told.complain(&result);
        });
        match first.take() {
            Some((before, a)) if before + 1 == job && job % 2 == 1 => {
                let (text, differs) = found.add(&a, &result);
                if differs {
                    explained.push(job / 2);
                }
                said[job / 2] = Some(text);
            }
            _ => first = Some((job, result)),
        }
    });
    found.open = found.open.worse(outcome.tell_missing());
    for (i, (file, text)) in jobs.files().zip(said).enumerate() {
        found.files += 1;
        let Some(text) = text else {
            found.unknown += 1;
            say(&format!("{}\n  not known: the run was interrupted\n", file.display()));
            continue;
        };
        say(&text);
        if let (true, true, [a, b]) = (args.explain, explained.contains(&i), jobs.models()) {
            let explained = with_room(|| explanation(file, [a, b], &settings));
            say(&explained.unwrap_or_default());
        }
    }
    say(&found.summary(args));
    if outcome.internal { INTERNAL } else { found.exit_code() }
}

/// The same for two models of disks: what the recoveries of programs find under each. Programs are explored under C11's model.
fn of_disks(args: &DiffArgs) -> u8 {
    let mut results: Vec<Vec<FileResult>> = Vec::new();
    let (mut told, mut found, mut is_internal) = (Told::default(), Found::default(), false);
    for model in [&args.a, &args.b] {
        let jobs = match jobs(&[usual::C11.to_owned()], &args.files, &args.input, None) {
            Ok(jobs) => Arc::new(jobs),
            Err(code) => return code,
        };
        let persist = Arc::new(Persist { model: model.clone(), ..persist(&args.input, String::new()) });
        let settings =
            Settings { interrupt: interrupt(), keep_going: true, persist: Some(persist), ..settings(&args.input) };
        let mut all = Vec::new();
        let outcome = run_all(&jobs, &settings, args.input.threads, |_, result, progress| {
            progress.aside(|| told.complain(&result));
            all.push(FileResult { model: model.clone(), ..result });
        });
        found.open = found.open.worse(outcome.tell_missing());
        is_internal |= outcome.internal;
        results.push(all);
    }
    for (a, b) in results[0].iter().zip(&results[1]) {
        found.files += 1;
        say(&found.add(a, b).0);
    }
    say(&found.summary(args));
    if is_internal { INTERNAL } else { found.exit_code() }
}

/// How many files there are of each kind.
struct Found {
    files: usize,
    differences: usize,
    unknown: usize,
    errors: usize,
    /// The worst verdict of those of which nothing is known.
    open: Verdict,
}

impl Default for Found {
    fn default() -> Self {
        Found { files: 0, differences: 0, unknown: 0, errors: 0, open: Verdict::Holds }
    }
}

impl Found {
    /// Two models on one file: what is to be said, and whether they differ.
    fn add(&mut self, a: &FileResult, b: &FileResult) -> (String, bool) {
        if [a, b].iter().any(|r| r.verdict == Verdict::Error) {
            self.errors += 1;
            return (String::new(), false);
        }
        match compare(a, b) {
            Answer::Same => (String::new(), false),
            Answer::NotKnown => {
                self.unknown += 1;
                self.open = self.open.worse(a.verdict).worse(b.verdict);
                (unknown(a, b), false)
            }
            Answer::Different => {
                self.differences += 1;
                (difference(a, b), true)
            }
        }
    }

    fn summary(&self, args: &DiffArgs) -> String {
        let s = if self.files == 1 { "" } else { "s" };
        let verb = if self.differences == 1 { "differs" } else { "differ" };
        let mut out =
            format!("{} of {} file{s} {verb} between {} and {}", self.differences, self.files, args.a, args.b);
        if self.unknown > 0 {
            out += &format!("; of {} it is not known", self.unknown);
        }
        if self.errors > 0 {
            out += &format!("; {} could not be read", self.errors);
        }
        out + "\n"
    }

    fn exit_code(&self) -> u8 {
        match (self.errors, self.differences, self.unknown) {
            (0, 0, 0) => 0,
            // A violation that was found before the search was cut does not tell the models apart.
            (0, 0, _) if self.open == Verdict::Unsupported => Verdict::Unsupported.exit_code(),
            (0, 0, _) => Verdict::Bounded.exit_code(),
            (0, ..) => 1,
            _ => BAD_INPUT,
        }
    }
}

/// Why it is not known whether two models differ on a file.
fn unknown(a: &FileResult, b: &FileResult) -> String {
    let mut out = format!("{}\n", a.file);
    for result in [a, b].into_iter().filter(|r| !r.saw_everything()) {
        let why = result.messages.iter().map(|m| &m.message).chain(&result.notes).next();
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        out += &format!("  not known: {} under {}{why}\n", result.verdict.word(), result.model);
    }
    out
}

/// For each direction, an execution that one model allows and the other forbids.
fn explanation(file: &Path, models: [&(String, Models); 2], settings: &Settings) -> String {
    let style = styled(&std::io::stdout());
    let mut out = String::new();
    for pair in [models, [models[1], models[0]]] {
        if let Some(found) = differ::witness(file, pair, settings, &Sources::default()) {
            out += &(robust::witness(&found, &pair[0].0, &pair[1].0, style) + "\n");
        }
    }
    if out.is_empty() {
        out += "  no execution was found that one model allows and the other forbids (each compiles a C program in its own way, and counts in its own way)\n";
    }
    out
}

/// What two models say of one file, when it is not the same.
fn difference(a: &FileResult, b: &FileResult) -> String {
    let summary = |r: &FileResult| {
        let observation = r.observation.clone().unwrap_or_else(|| r.verdict.word().to_owned());
        let mut flags: Vec<&str> = r.flags.iter().map(|f| f.name.as_str()).collect();
        flags.sort_unstable();
        let flags = if flags.is_empty() { String::new() } else { format!(", flags {}", flags.join(" ")) };
        let seen = if r.saw_everything() { "" } else { " seen" };
        format!("{observation} ({} executions{seen}{flags})", r.executions.complete)
    };
    let mut text = format!("{}\n  {}: {}\n  {}: {}\n", a.file, a.model, summary(a), b.model, summary(b));
    for (with, without) in [(a, b), (b, a)] {
        // What a cut search did not see may be there.
        let states = with.states.iter().filter(|s| without.saw_everything() && !without.states.contains(s));
        for state in states {
            text += &format!("  only under {}: {state}\n", with.model);
        }
    }
    text
}
