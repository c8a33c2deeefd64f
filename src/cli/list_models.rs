//! `hmc list-models`: the bundled models.

use super::out::say;
use crate::cat::library;
use crate::cat::{LoadRequest, Vocabulary, load};

/// How the title of a file begins that is there to be included.
const LIBRARY: &str = "Library:";

/// Runs the subcommand. Files that are there to be included are left out.
pub fn run() -> u8 {
    let models: Vec<(String, String, String)> = library::embedded_names()
        .iter()
        .filter_map(|name| name.strip_suffix(".cat"))
        .filter_map(|name| {
            let loaded = load(&LoadRequest::named(name), &Vocabulary::default()).ok()?;
            let summary = library::embedded(&format!("{name}.cat")).map(first_words).unwrap_or_default();
            (!loaded.model.title.starts_with(LIBRARY)).then(|| (name.to_owned(), loaded.model.title, summary))
        })
        .collect();
    let width = |of: fn(&(String, String, String)) -> &str| models.iter().map(|m| of(m).len()).max().unwrap_or(0);
    let (names, titles) = (width(|m| &m.0), width(|m| &m.1));
    for (name, title, summary) in &models {
        say(&format!("{name:names$}  {title:titles$}  {summary}\n"));
    }
    0
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
    use super::first_words;

    #[test]
    fn a_model_says_in_its_first_comment_what_it_is() {
        assert_eq!(first_words("\"X\"\n\n(* One\n * two.\n *\n * More.\n *)\n(* Else. *)"), "One two.");
        assert_eq!(first_words("X (* One. *) let a = b"), "One.");
        assert_eq!(first_words("\"X\""), "");
    }
}
