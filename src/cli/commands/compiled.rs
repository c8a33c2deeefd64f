//! `hmc compiled`: does an optimised program do only what its source may do?

use super::check::settings;
use crate::cli::args::CompiledArgs;
use crate::cli::batch::{jobs, with_room};
use crate::cli::exit::BAD_INPUT;
use crate::cli::interrupt::interrupt;
use crate::cli::output::out::{say, tell};
use crate::cli::output::width::styled;
use crate::compiled::{self, Answer, Input, shown as report};
use crate::driver::inputs::messages;
use crate::driver::{FileKind, Settings};
use crate::report::human;
use crate::verdict::Sources;

/// Runs the subcommand. Exit codes as for `check`; 4 where the source has undefined behaviour.
pub fn run(args: &CompiledArgs) -> u8 {
    let jobs = match jobs(&args.cat, &args.files, &args.input, None) {
        Ok(jobs) => jobs,
        Err(code) => return code,
    };
    jobs.tell_chosen();
    let settings = Settings { interrupt: interrupt(), ..settings(&args.input) };
    let available = std::thread::available_parallelism().map_or(1, usize::from);
    (1..args.input.threads.map_or(available, usize::from)).for_each(|_| settings.spare.put());
    let style = styled(&std::io::stdout());
    let worst = with_room(|| {
        let sources = Sources::default();
        let (mut all, mut worst) = (Vec::new(), Answer::Holds);
        for (file, models) in jobs.by_file() {
            if FileKind::of(file) != Some(FileKind::Code) || file.extension().is_some_and(|e| e == "ll") {
                tell(&human::messages(&[messages::not_compiled(file)], styled(&std::io::stderr())));
                worst = worst.max(Answer::Error);
                continue;
            }
            for model in models {
                let input = Input { file, model, sources: &sources };
                let compiled = match (args.target.as_slice(), args.assembly.as_slice()) {
                    ([], []) => compiled::check(input, &args.cc, &settings),
                    (targets, files) => {
                        let asked = compiled::assembly::Asked { targets, compilers: &args.cc, files };
                        compiled::assembly::check(input, asked, &settings)
                    }
                };
                let mut told = compiled.messages.clone();
                told.extend(compiled.levels.iter().flat_map(|level| level.messages.iter().cloned()));
                told.dedup();
                tell(&human::messages(&told, styled(&std::io::stderr())));
                if !args.json {
                    say(&report::text(&compiled, &sources, style));
                }
                worst = worst.max(compiled.answer);
                all.push(compiled);
            }
        }
        if args.json {
            // Plain data with string keys: serialisation cannot fail.
            say(&(serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"));
        }
        worst
    });
    worst.map_or(BAD_INPUT, Answer::exit_code)
}
