//! `hmc help`: about hmc, a subcommand, or a topic.

use super::BAD_INPUT;
use super::args::{CommandLine, HelpArgs};
use super::commands::list_models;
use super::output::out::{say, tell};
use super::output::width;
use crate::verdict::Property;
use clap::CommandFactory;

/// What there is to say about loops.
const LOOPS: &str = "\
Loops

A thread that spins waits: a round of a loop that changes nothing (it reads, finds that it has to go on, and writes nothing) is not \
followed again and again, the thread waits until what it reads can change. Such loops need no bound, and a wait that nothing can end is a finding \
(liveness).

A loop that does something each round is followed to its end. One that has no end, or a very late one, is followed for a few rounds: without \
`--unroll`, programs whose executions have more than 512 events are explored with 1, 2, 4, … 32 rounds, too, and what is found there is reported. \
If nothing is, and executions have more than 4096 events, the verdict is `bounded`, and a note says how many rounds were followed.

`--unroll N` cuts a thread when a loop has gone round N times: nothing is said of what comes later, and the verdict is `bounded` unless \
something is found. Start with a small N.

What helps where there are too many executions: fewer threads or rounds in the program; `--symmetry on`, which says what keeps threads from being \
interchangeable; `--equivalence rf`; of litmus tests, `--condition-only`; a time limit (`--timeout S`).
";

/// Runs the subcommand.
pub fn run(args: &HelpArgs) -> u8 {
    let columns = width::of(&std::io::stdout());
    let paragraphs = |text: &str| text.lines().map(|line| width::wrapped(line, columns, "")).collect::<String>();
    match args.topic.as_deref() {
        None => say(&CommandLine::command().render_long_help().to_string()),
        Some("models") => {
            say(&paragraphs(
                "Models\n\n`--cat MODEL` names a bundled model or a file; several, separated by commas, are compared. Without it each file gets its usual model, and a line says which.\n",
            ));
            return list_models::run();
        }
        Some("loops") => say(&paragraphs(LOOPS)),
        Some("properties") => say(&properties(columns)),
        Some(name) => {
            let mut command = CommandLine::command();
            command.build();
            let Some(found) = command.find_subcommand_mut(name) else {
                let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
                tell(&format!(
                    "hmc: there is no help about `{name}`; there is about models, properties, loops, and the subcommands {}\n",
                    names.join(", ")
                ));
                return BAD_INPUT;
            };
            say(&found.render_long_help().to_string());
        }
    }
    0
}

fn properties(columns: usize) -> String {
    let mut out = "Properties\n\n".to_owned();
    out += &width::wrapped(
        "What `--properties` names is looked for in programs; all but overflow when nothing is said. `hmc explain KIND` says more about each.",
        columns,
        "",
    );
    out.push('\n');
    for property in Property::ALL {
        out += &width::wrapped(&format!("  {:14} {}", property.name(), property.title()), columns, &" ".repeat(17));
    }
    out.push('\n');
    out + &width::wrapped(
        "Warnings, which change no verdict: leak (memory that is never freed), never-joined (threads).",
        columns,
        "",
    )
}
