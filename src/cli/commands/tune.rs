//! `hmc repair` and `hmc relax`: the least change of memory orders and fences that makes a program hold, and the least that it needs.

use super::check::{settings, write};
use crate::cli::args::{RelaxArgs, RepairArgs, TuneArgs};
use crate::cli::batch::{jobs, with_room};
use crate::cli::exit::BAD_INPUT;
use crate::cli::interrupt::interrupt;
use crate::cli::output::out::{say, tell};
use crate::cli::output::width::styled;
use crate::driver::Settings;
use crate::driver::inputs::models::Models;
use crate::report::human;
use crate::report::style::Style;
use crate::tune::{self, Change, Limits, Tuned, shown as report, text};
use crate::verdict::{Property, Sources, Verdict};
use std::collections::BTreeMap;
use std::path::Path;

/// Runs `repair`. Exit codes: 0 it holds or a repair was found, 1 none was found.
pub fn repair(args: &RepairArgs) -> u8 {
    let limits = Limits { changes: args.changes };
    let repair = |file: &Path, models: &[(String, Models)], settings: &Settings, sources: &Sources| {
        tune::repair(file, models, limits, settings, sources)
    };
    run(&args.common, repair, report::repaired)
}

/// Runs `relax`. Exit codes: 0 it holds (weaker or not), 1 it does not hold as it is.
pub fn relax(args: &RelaxArgs) -> u8 {
    run(&args.common, tune::relax, report::relaxed)
}

fn run(
    args: &TuneArgs,
    tune: impl Fn(&Path, &[(String, Models)], &Settings, &Sources) -> Tuned + Sync,
    text: fn(&Tuned, &Sources, Style) -> String,
) -> u8 {
    let jobs = match jobs(&args.cat, &args.files, &args.input, None) {
        Ok(jobs) => jobs,
        Err(code) => return code,
    };
    jobs.tell_chosen();
    let properties = if args.properties.is_empty() { Property::usual() } else { args.properties.clone() };
    let settings = Settings { interrupt: interrupt(), properties, ..settings(&args.input) };
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    // One run after the other, each with all threads.
    (1..args.input.threads.map_or(available, usize::from)).for_each(|_| settings.spare.put());
    let style = styled(&std::io::stdout());
    let code = with_room(|| {
        let (mut code, mut all) = (0, Vec::new());
        for (file, models) in jobs.by_file() {
            let sources = Sources::default();
            let tuned = tune(file, models, &settings, &sources);
            let style_of_messages = styled(&std::io::stderr());
            tell(&human::messages(&tuned.messages, style_of_messages));
            if args.patch {
                say(&patch(&tuned, &sources));
            } else if !args.json {
                say(&text(&tuned, &sources, style));
            }
            if args.write {
                code = code.max(written(&tuned, &sources));
            }
            code = code.max(match tuned.today {
                Some(Verdict::Holds) => 0,
                Some(Verdict::Violated) if tuned.changes.is_empty() && tuned.forces.is_empty() => {
                    Verdict::Violated.exit_code()
                }
                Some(Verdict::Violated) => 0,
                Some(other) => other.exit_code(),
                None => BAD_INPUT,
            });
            all.push(report::json(&tuned));
        }
        if args.json {
            // Plain data with string keys: serialisation cannot fail.
            say(&(serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"));
        }
        code
    });
    code.unwrap_or(BAD_INPUT)
}

/// The files that the first set of changes is about: the old text, and the new one, if all can be written.
fn rewritten(tuned: &Tuned, sources: &Sources) -> Vec<(String, String, Option<String>)> {
    let mut by_file: BTreeMap<&str, Vec<&Change>> = BTreeMap::new();
    for change in tuned.changes.first().into_iter().flatten() {
        by_file.entry(&change.site.place.file).or_default().push(change);
    }
    let rewrite = |(file, changes): (&str, Vec<&Change>)| {
        let old = sources.text(file)?.to_string();
        let new = text::changed(&old, &changes);
        Some((file.to_owned(), old, new))
    };
    by_file.into_iter().filter_map(rewrite).collect()
}

fn not_writable(file: &str) {
    tell(&format!(
        "hmc: {file} was not changed: a change stands where its text is not known to name an order; the report says what it is\n"
    ));
}

fn patch(tuned: &Tuned, sources: &Sources) -> String {
    let mut out = String::new();
    for (file, old, new) in rewritten(tuned, sources) {
        match new {
            Some(new) => out += &text::patch(&file, &old, &new),
            None => not_writable(&file),
        }
    }
    out
}

fn written(tuned: &Tuned, sources: &Sources) -> u8 {
    let mut code = 0;
    let all = rewritten(tuned, sources);
    // All files or none: a part of the changes is not known to help.
    if let Some((file, ..)) = all.iter().find(|(.., new)| new.is_none()) {
        not_writable(file);
        return 0;
    }
    for (file, _, new) in all {
        if let Some(new) = new {
            code = code.max(write(Path::new(&file), &new));
            tell(&format!("hmc: {file} was changed\n"));
        }
    }
    code
}
