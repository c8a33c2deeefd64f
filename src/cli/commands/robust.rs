//! `hmc robust`: does a program behave under a model as under a stronger one, and where do fences make it so?

use super::check::settings;
use crate::cli::args::RobustArgs;
use crate::cli::batch::{jobs, with_room};
use crate::cli::output::out::{say, tell};
use crate::cli::output::width::styled;
use crate::cli::{BAD_INPUT, INTERNAL, interrupt};
use crate::driver::Settings;
use crate::driver::questions::robust;
use crate::report::{human, robust as report};
use crate::verdict::{Sources, Verdict};

/// Runs the subcommand. Exit codes as for `check`: 0 robust, 1 not.
pub fn run(args: &RobustArgs) -> u8 {
    let models = [args.cat.clone(), args.against.clone()];
    let jobs = match jobs(&models, &args.files, &args.input, None) {
        Ok(jobs) => jobs,
        Err(code) => return code,
    };
    let settings = Settings { interrupt: interrupt(), ..settings(&args.input) };
    let style = styled(&std::io::stdout());
    let [weak, strong] = jobs.models() else { return INTERNAL };
    let worst = with_room(|| {
        let sources = Sources::default();
        let mut all = Vec::new();
        let mut worst = Verdict::Holds;
        for file in jobs.files() {
            let result = robust::check(file, [weak, strong], &settings, &sources);
            let style_of_messages = styled(&std::io::stderr());
            tell(&human::messages(&result.messages, style_of_messages));
            if !args.json {
                say(&report::text(&result, &sources, style));
            }
            worst = worst.worse(result.verdict);
            all.push(result);
        }
        if args.json {
            // Plain data with string keys: serialisation cannot fail.
            say(&(serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"));
        }
        worst
    });
    worst.map_or(BAD_INPUT, Verdict::exit_code)
}
