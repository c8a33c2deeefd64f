//! `hmc diff`: the files on which two models differ.

use super::args::DiffArgs;
use super::check::{color, jobs, print, run_all, settings, tell_news, with_room};
use crate::driver::models::Models;
use crate::driver::{Settings, differ};
use crate::report::style::Style;
use crate::report::{human, robust};
use crate::verdict::{FileResult, Sources, Verdict};
use std::path::Path;

/// Runs the subcommand. Exit code 0: no difference; 1: some; 2: a file or model could not be read.
pub fn run(args: &DiffArgs) -> u8 {
    let models = [args.a.clone(), args.b.clone()];
    let jobs = match jobs(&models, &args.files, &args.input) {
        Ok(jobs) => jobs,
        Err(code) => return code,
    };
    let mut settings = settings(&args.input);
    settings.keep_going = true;
    let outcome = run_all(&jobs, &settings, args.input.threads, |result, progress| {
        progress.aside(|| {
            tell_news(&jobs);
            eprint!("{}", human::messages(&result.messages, Style::default()));
        });
    });
    let mut differences = 0;
    let mut errors = 0;
    let mut files = 0;
    for pair in outcome.results.chunks_exact(2) {
        let [a, b] = pair else { continue };
        files += 1;
        if [a, b].iter().any(|r| r.verdict == Verdict::Error) {
            errors += 1;
        } else if let Some(text) = difference(a, b) {
            differences += 1;
            println!("{text}");
            if let (true, [first, second]) = (args.explain, jobs.models()) {
                let explained = with_room(|| {
                    let pairs = [[first, second], [second, first]];
                    pairs.map(|pair| explanation(Path::new(&a.file), pair, &settings)).concat()
                });
                print(&explained.unwrap_or_default());
            }
        }
    }
    println!("{differences} of {files} files differ between {} and {}", args.a, args.b);
    match (errors, differences) {
        (0, 0) => 0,
        (0, _) => 1,
        _ => 2,
    }
}

/// An execution that the first model allows and the second forbids, if there is one.
fn explanation(file: &Path, pair: [&(String, Models); 2], settings: &Settings) -> String {
    let style = Style { color: color(&std::io::stdout()), ..Style::default() };
    let found = differ::witness(file, pair, settings, &Sources::default());
    found.map_or_else(String::new, |found| robust::witness(&found, &pair[0].0, &pair[1].0, style) + "\n")
}

/// What two models say of one file, when it is not the same.
fn difference(a: &FileResult, b: &FileResult) -> Option<String> {
    let summary = |r: &FileResult| {
        let observation = r.observation.clone().unwrap_or_else(|| r.verdict.word().to_owned());
        let mut flags: Vec<&str> = r.flags.iter().map(|f| f.name.as_str()).collect();
        flags.sort_unstable();
        let flags = if flags.is_empty() { String::new() } else { format!(", flags {}", flags.join(" ")) };
        format!("{observation} ({} executions{flags})", r.executions.complete)
    };
    let same = a.verdict == b.verdict
        && a.observation == b.observation
        && a.states == b.states
        && a.executions == b.executions
        && a.flags == b.flags;
    if same {
        return None;
    }
    let mut text = format!("{}\n  {}: {}\n  {}: {}", a.file, a.model, summary(a), b.model, summary(b));
    for (with, without) in [(a, b), (b, a)] {
        for state in with.states.iter().filter(|s| !without.states.contains(s)) {
            text += &format!("\n  only under {}: {state}", with.model);
        }
    }
    Some(text)
}
