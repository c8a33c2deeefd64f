//! `hmc explain CODE`: what a message means, at length.

pub mod codes;
pub mod kinds;

use super::explain::codes::OWN;
use super::explain::kinds::KINDS;
use crate::cat::diagnostics;
use crate::cli::args::ExplainArgs;
use crate::cli::exit::BAD_INPUT;
use crate::cli::output::out::{say, tell};
use crate::cli::output::width;
use crate::litmus;
use crate::report::fit::fit;

/// Runs the subcommand.
pub fn run(args: &ExplainArgs) -> u8 {
    let code = args.code.trim_matches(|c| c == '[' || c == ']');
    if let Some((kind, text)) = KINDS.iter().find(|(kind, _)| kind.eq_ignore_ascii_case(code)) {
        say(&format!("{kind}\n\n{}", width::wrapped(text, width::of(&std::io::stdout()), "")));
        return 0;
    }
    if let Some((own, text)) = OWN.iter().find(|(own, _)| own.eq_ignore_ascii_case(code)) {
        told(&format!("{own}\n\n{text}\n"));
        return 0;
    }
    if let Some(code) = litmus::codes::find(code) {
        told(&format!("{}\n\n{}\n\nHelp: {}\n", code.name, code.explanation, code.help));
        return 0;
    }
    match diagnostics::explain(code) {
        Some(kind) => {
            told(&format!("{}: {}\n\n{}\n\nHelp: {}\n", kind.code, kind.title, kind.explanation.trim(), kind.help));
            0
        }
        None => {
            let own = OWN.iter().map(|(code, _)| *code).chain(litmus::codes::CODES.iter().map(|code| code.name));
            let mut known: Vec<&str> = own.chain(diagnostics::ALL.iter().map(|k| k.code)).collect();
            known.sort_unstable();
            let kinds: Vec<&str> = KINDS.iter().map(|(kind, _)| *kind).collect();
            tell(&format!(
                "hmc: no message has the code `{code}`; the codes are {}; the kinds of findings and the verdicts are {}\n",
                known.join(", "),
                kinds.join(", ")
            ));
            BAD_INPUT
        }
    }
}

/// Prints a text, long lines in several.
fn told(text: &str) {
    say(&fit(text, width::styled(&std::io::stdout())));
}
