//! `hmc model …`: what people do with a model besides running it. Questions that need proofs are in `questions`.

use super::questions;
use crate::cat::source::Sources;
use crate::cat::tools::info::{self, Info, Judged};
use crate::cat::tools::{check, fmt};
use crate::cat::vocabulary::page;
use crate::cat::{self, Dialect, LoadRequest, Loaded, Vocabulary};
use crate::cli::BAD_INPUT;
use crate::cli::args::{FormatArgs, ModelArgs, ModelCommand};
use crate::cli::output::out::{say, tell};
use crate::cli::output::width::color;
use crate::driver::inputs::messages;
use crate::kernel::plan::{CheckInfo, Kind, Plan};
use crate::report::human;
use crate::report::style::Style;
use crate::verdict::Message;
use std::path::Path;

/// Runs the subcommand.
pub fn run(command: &ModelCommand) -> u8 {
    match command {
        ModelCommand::Info(args) => with_model(args, |loaded| {
            let plan = plan(loaded);
            let about = Info { plan: Some(plan.size()), ..info::info(loaded) };
            say(&info::text(&about, &judged(&plan)));
            0
        }),
        ModelCommand::Check(args) => with_model(args, |loaded| {
            let warnings = check::check(loaded);
            let shown = warnings.iter().map(|w| messages::of_diagnostic(w, &loaded.sources, on_terminal()));
            complain(&shown.collect::<Vec<_>>());
            let s = if warnings.len() == 1 { "" } else { "s" };
            let dialect = match loaded.dialect {
                Dialect::Dartagnan => " (read in the Dartagnan dialect; a model for herd has `include \"cos.cat\"`)",
                Dialect::Herd => "",
            };
            say(&format!("{}: {} warning{s}{dialect}\n", args.model, warnings.len()));
            u8::from(!warnings.is_empty())
        }),
        ModelCommand::Names(args) => {
            say(&page::text(args.arch.as_deref()));
            0
        }
        ModelCommand::Compare(args) => questions::compare(args),
        ModelCommand::Mapping(args) => questions::mapping(args),
        ModelCommand::Properties(args) => questions::properties(args),
        ModelCommand::Claim(args) => questions::claim(args),
        ModelCommand::Fmt(args) => args.files.iter().map(|file| format(file, args)).max().unwrap_or(0),
    }
}

fn complain(all: &[Message]) {
    tell(&human::messages(all, Style { color: on_terminal(), ..Style::default() }));
}

fn on_terminal() -> bool {
    color(&std::io::stderr())
}

fn with_model(args: &ModelArgs, then: impl FnOnce(&Loaded) -> u8) -> u8 {
    let mut request = LoadRequest::named(args.model.clone());
    request.bell.clone_from(&args.bell);
    request.include_dirs.clone_from(&args.include);
    request.arch.clone_from(&args.arch);
    request.dialect = args.dialect;
    request.variants.clone_from(&args.variant);
    match cat::load(&request, &Vocabulary::new(args.arch.as_deref())) {
        Ok(loaded) => then(&loaded),
        Err(errors) => {
            complain(&messages::load_errors(&errors, on_terminal()));
            BAD_INPUT
        }
    }
}

/// The plan for a program in which every base name may have members.
pub fn plan(loaded: &Loaded) -> Plan {
    let with_holes = Plan::compile(&loaded.model, &|_| true, true);
    match with_holes.implies_porf_acyclic() {
        true => Plan::compile(&loaded.model, &|_| true, false),
        false => with_holes,
    }
}

/// How each check is judged in such a program.
fn judged(plan: &Plan) -> Vec<Judged> {
    let word = |kind: Kind| match kind {
        Kind::Prune => "monotone",
        Kind::FinalOnly => "final only",
        Kind::Vanished { holds: true } => "always holds",
        Kind::Vanished { holds: false } => "never holds",
    };
    let checks = plan.checks().iter();
    let doubt = |c: &CheckInfo| {
        if c.lets_go_on { "" } else { "; may reject the next event of a thread, so exploration watches it" }
    };
    let core = |c: &CheckInfo| if c.has_core { "; a weaker form, of what only grows, prunes" } else { "" };
    checks.map(|c| Judged { kind: word(c.kind).to_owned(), reason: c.reason.clone() + core(c) + doubt(c) }).collect()
}

/// Formats a file in place, or with `--check` only says whether that would change it.
fn format(file: &Path, args: &FormatArgs) -> u8 {
    let text = match messages::text_of(file) {
        Ok(text) => text,
        Err(message) => {
            complain(&[*message]);
            return BAD_INPUT;
        }
    };
    let formatted = match fmt::format(&text, args.dialect.unwrap_or(Dialect::Herd)) {
        Ok(formatted) => formatted,
        Err(errors) => {
            let mut sources = Sources::new();
            sources.add(&file.display().to_string(), &text);
            let all: Vec<Message> =
                errors.iter().map(|e| messages::of_diagnostic(e, &sources, on_terminal())).collect();
            complain(&all);
            return BAD_INPUT;
        }
    };
    if formatted == text {
        return 0;
    }
    say(&format!("{}\n", file.display()));
    if args.check {
        return 1;
    }
    match std::fs::write(file, formatted) {
        Ok(()) => 0,
        Err(e) => {
            let message = format!("`{}` cannot be written: {e}", file.display());
            complain(&[messages::bare("hmc::file-unwritable", message, None)]);
            BAD_INPUT
        }
    }
}
