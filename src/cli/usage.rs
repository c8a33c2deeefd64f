//! Arguments that cannot be read, and the texts that clap prints.

use super::exit::BAD_INPUT;
use super::output::{out, width};
use super::version;

/// Shows help, the version, or what is wrong with the arguments.
pub fn told_usage(usage: &clap::Error) -> u8 {
    if usage.kind() == clap::error::ErrorKind::DisplayVersion {
        out::say(&version::text());
        return out::exit_code(0);
    }
    if usage.use_stderr() {
        // Arguments of clang are not what was meant.
        let is_offer = |line: &&str| line.contains("tip: ") && line.contains("as a value, use ");
        let text = usage.render();
        let text = if width::color(&std::io::stderr()) { text.ansi().to_string() } else { text.to_string() };
        let lines: Vec<&str> = text.split_inclusive('\n').filter(|line| !is_offer(&strip(line).as_str())).collect();
        out::tell(&lines.concat());
    } else if let Err(e) = usage.print() {
        out::failed(&e);
    }
    out::exit_code(if usage.use_stderr() { BAD_INPUT } else { 0 })
}

/// A text without escape sequences.
fn strip(text: &str) -> String {
    let mut is_escape = false;
    let shown = |c: &char| {
        is_escape |= *c == '\u{1b}';
        let is_shown = !is_escape;
        is_escape &= *c != 'm';
        is_shown
    };
    text.chars().filter(shown).collect()
}
