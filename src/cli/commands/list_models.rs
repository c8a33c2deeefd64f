//! `hmc list-models`: the bundled models, what each is for, where it comes from, and which others it is stronger than.

use crate::cat::{LoadRequest, Vocabulary, load};
use crate::cat::{catalogue, library};
use crate::cli::output::out::say;
use crate::cli::output::width;
use crate::report::style::Style;

/// How the title of a file begins that is there to be included.
const LIBRARY: &str = "Library:";
/// Where the text about a model stands.
const INDENT: &str = "    ";

/// Runs the subcommand. Files that are there to be included are left out.
pub fn run() -> u8 {
    let style = width::styled(&std::io::stdout());
    say(&text(width::of(&std::io::stdout()), style));
    0
}

fn text(width: usize, style: Style) -> String {
    let entries = catalogue::entries();
    let mut out = String::new();
    for name in names() {
        let summary = library::embedded(&format!("{name}.cat")).map(first_words).unwrap_or_default();
        out += &width::wrapped(&format!("{}  {summary}", style.bold(&name)), width, INDENT);
        let Some(entry) = entries.get(&name) else { continue };
        let mut line = |what: &str, text: &str| {
            let text = format!("{INDENT}{}: {text}", style.dim(what));
            out += &width::wrapped(&text, width, &format!("{INDENT}  "));
        };
        line("for", &entry.purpose);
        line("from", &entry.paper);
        if !entry.stronger_than.is_empty() {
            line("stronger than", &entry.stronger_than.join(", "));
        }
    }
    out
}

/// The names of the models themselves.
fn names() -> Vec<String> {
    let is_model = |name: &&str| {
        let loaded = load(&LoadRequest::named(*name), &Vocabulary::default());
        loaded.is_ok_and(|loaded| !loaded.model.title.starts_with(LIBRARY))
    };
    let files = library::embedded_names();
    files.iter().filter_map(|name| name.strip_suffix(".cat")).filter(is_model).map(str::to_owned).collect()
}

/// What the first comment of a model begins with, up to its first blank line.
fn first_words(text: &str) -> String {
    let comment = text.split_once("(*").map_or("", |(_, rest)| rest).split("*)").next().unwrap_or_default();
    let lines = comment.lines().map(|line| line.trim().trim_start_matches('*').trim());
    let words: Vec<&str> = lines.take_while(|line| !line.is_empty()).collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use crate::cli::commands::list_models::*;

    #[test]
    fn a_model_says_in_its_first_comment_what_it_is() {
        assert_eq!(first_words("\"X\"\n\n(* One\n * two.\n *\n * More.\n *)\n(* Else. *)"), "One two.");
        assert_eq!(first_words("X (* One. *) let a = b"), "One.");
        assert_eq!(first_words("\"X\""), "");
    }

    #[test]
    fn every_model_is_described_and_nothing_else() {
        let described: Vec<String> = catalogue::entries().into_keys().collect();
        let mut all = names();
        all.sort();
        assert_eq!(described, all);
        let known = |name: &String| described.contains(name);
        assert!(catalogue::entries().values().flat_map(|entry| &entry.stronger_than).all(known));
    }

    #[test]
    fn no_line_is_wider_than_it_may_be() {
        for width in [80, 100] {
            let text = text(width, Style::default());
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
        }
    }
}
