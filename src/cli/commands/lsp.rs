//! `hmc lsp`: the language server on standard input and output.

use crate::cli::args::{CheckArgs, CommandLine, LspArgs};
use crate::cli::exit::{BAD_INPUT, INTERNAL};
use crate::cli::output::out::tell;
use crate::cli::output::width;
use crate::cli::project::Project;
use crate::lsp::{self, Options};
use crate::report::human;
use crate::report::style::Style;
use clap::Parser;
use lsp_server::Connection;
use std::time::Duration;

/// Runs the subcommand; it ends when the editor ends the conversation.
pub fn run(args: &LspArgs) -> u8 {
    let options = match options(args) {
        Ok(options) => options,
        Err(message) => {
            let style = Style { color: width::color(&std::io::stderr()), ..Style::default() };
            tell(&human::messages(&[*message], style));
            return BAD_INPUT;
        }
    };
    let (connection, threads) = Connection::stdio();
    let served = lsp::serve(&connection, options);
    // The thread that writes ends when nobody has anything to say.
    drop(connection);
    match served.map_err(|why| why.to_string()).and_then(|()| threads.join().map_err(|why| why.to_string())) {
        Ok(()) => 0,
        Err(why) => {
            tell(&format!("hmc lsp: the conversation ended in the middle: {why}\n"));
            INTERNAL
        }
    }
}

/// What the arguments say, and hmc.toml of what they leave open.
fn options(args: &LspArgs) -> Result<Options, Box<crate::verdict::Message>> {
    let mut check: CheckArgs = CommandLine::parse_from(["hmc", "-"]).check;
    check.cat.clone_from(&args.cat);
    check.input.include.clone_from(&args.include);
    if let Some(project) = Project::find()? {
        project.complete(&mut check);
    }
    let library = std::env::temp_dir().join(format!("hmc-library-{}", env!("CARGO_PKG_VERSION")));
    Ok(Options {
        models: check.cat,
        include_dirs: check.input.include,
        timeout: Duration::from_secs_f64(args.timeout),
        library,
    })
}
