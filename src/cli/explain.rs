//! `hmc explain CODE`: what a message means, at length.

use super::BAD_INPUT;
use super::args::ExplainArgs;
use super::codes::OWN;
use super::out::{say, tell};
use crate::cat::diagnostics;

/// Runs the subcommand.
pub fn run(args: &ExplainArgs) -> u8 {
    let code = args.code.trim_matches(|c| c == '[' || c == ']');
    if let Some((own, text)) = OWN.iter().find(|(own, _)| own.eq_ignore_ascii_case(code)) {
        say(&format!("{own}\n\n{text}\n"));
        return 0;
    }
    match diagnostics::explain(code) {
        Some(kind) => {
            say(&format!("{}: {}\n\n{}\n", kind.code, kind.title, kind.explanation.trim()));
            0
        }
        None => {
            let own = OWN.iter().map(|(code, _)| *code);
            let mut known: Vec<&str> = own.chain(diagnostics::ALL.iter().map(|k| k.code)).collect();
            known.sort_unstable();
            tell(&format!("hmc: no message has the code `{code}`; the codes are {}\n", known.join(", ")));
            BAD_INPUT
        }
    }
}
