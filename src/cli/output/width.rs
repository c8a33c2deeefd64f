//! How much room there is for text, and whether it may have colours.

use crate::cli::args::Colored;
use crate::report::style::Style;
use std::io::IsTerminal;
use std::sync::OnceLock;

/// What the command line says of colours.
static ASKED: OnceLock<Colored> = OnceLock::new();

/// Remembers what the command line says of colours.
pub(in crate::cli) fn ask(colored: Colored) {
    // It is read once.
    let _ = ASKED.set(colored);
}

/// Columns where nobody says how many there are: a pipe, a file.
const USUAL: usize = 100;
/// Less is no room for a report.
const LEAST: usize = 40;

/// Columns for text on a stream: those that `COLUMNS` asks for, else those of the terminal.
pub(in crate::cli) fn of(stream: &impl IsTerminal) -> usize {
    let asked = std::env::var("COLUMNS").ok().and_then(|columns| columns.trim().parse::<usize>().ok());
    let of_terminal =
        || terminal_size::terminal_size().filter(|_| stream.is_terminal()).map(|(width, _)| usize::from(width.0));
    asked.filter(|&columns| columns > 0).or_else(of_terminal).unwrap_or(USUAL).max(LEAST)
}

/// Whether text on a stream has colours: on a terminal that shows them, or where they are asked for.
pub(in crate::cli) fn color(stream: &impl IsTerminal) -> bool {
    match ASKED.get() {
        Some(Colored::Always) => return true,
        Some(Colored::Never) => return false,
        Some(Colored::Auto) | None => {}
    }
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if is_set("NO_COLOR") {
        return false;
    }
    if std::env::var_os("FORCE_COLOR").is_some_and(|value| !value.is_empty() && value != "0") {
        return true;
    }
    stream.is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// How text on a stream is written.
pub(in crate::cli) fn styled<S: IsTerminal>(stream: &S) -> Style {
    Style { color: color(stream), width: of(stream), ..Style::default() }
}

/// A paragraph in lines of at most `width` columns, those behind the first one indented.
pub(in crate::cli) fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let start = text.len() - text.trim_start().len();
    let options = textwrap::Options::new(width)
        .initial_indent(&text[..start])
        .subsequent_indent(indent)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(text.trim(), options) + "\n"
}
