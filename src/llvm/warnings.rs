//! What clang warns of: notes beside the verdict, each once.
//!
//! A warning is often about what makes a verdict surprising: a function that does not return what it should, one that was never declared, a variable that was never
//! set. Those about style, and about what is printed, say nothing about a verdict.

/// Flags before those of the user, who can ask for more, or for less.
pub(super) const FLAGS: [&str; 7] = [
    "-Wuninitialized",
    "-Wno-deprecated",
    "-Wno-deprecated-declarations",
    "-Wno-deprecated-non-prototype",
    "-Wno-pointer-sign",
    "-Wno-format",
    "-Wno-unused-command-line-argument",
];

/// Most warnings that are shown.
const MOST: usize = 5;
const MARK: &str = ": warning: ";

/// A sentence for each warning in what clang has printed.
pub(super) fn sentences(printed: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for (place, text) in printed.lines().filter_map(|line| line.split_once(MARK)) {
        // Those of the driver, about its own arguments, have no line.
        let has_line = place.rsplit(':').take(2).all(|n| n.parse::<u32>().is_ok());
        let place = place.rsplit_once(':').map_or(place, |(line, _column)| line);
        let sentence = format!("clang warns at {place}: {text}");
        if has_line && !all.contains(&sentence) {
            all.push(sentence);
        }
    }
    let more = all.len().saturating_sub(MOST);
    if more > 0 {
        all.truncate(MOST);
        all.push(format!(
            "clang has {more} more warnings: `clang -fsyntax-only -Wuninitialized` on the file shows all"
        ));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_warning_is_said_once() {
        let printed = "a.c:3:5: warning: variable 'x' is uninitialized when used here [-Wuninitialized]\n\
            a.c:2:3: note: initialize the variable 'x' to silence this warning\n\
            a.c:3:9: warning: variable 'x' is uninitialized when used here [-Wuninitialized]\n\
            clang: warning: -lm: 'linker' input unused [-Wunused-command-line-argument]\n3 warnings generated.\n";
        assert_eq!(
            sentences(printed),
            ["clang warns at a.c:3: variable 'x' is uninitialized when used here [-Wuninitialized]"]
        );
    }

    #[test]
    fn many_are_counted() {
        let printed: String = (1..=9).map(|n| format!("a.c:{n}:1: warning: strange\n")).collect();
        let sentences = sentences(&printed);
        assert_eq!(sentences.len(), MOST + 1);
        assert!(sentences[MOST].starts_with("clang has 4 more"));
    }
}
