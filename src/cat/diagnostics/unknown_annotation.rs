//! The macro file uses an annotation that the bell file does not declare: they are of different vintages.

use super::{Diagnostic, Kind, Severity};
use super::nearest;

/// What `hmc explain C612` says.
pub const KIND: Kind = Kind {
    code: "C612",
    title: "a macro with an annotation that the bell file lacks",
    severity: Severity::Warning,
    explanation: "The macros of a `.def` file give accesses annotations, and the `.bell` file declares them. An annotation that is not\n\
declared makes no event set, so the model does not see it: a load marked `once` is a plain load to a model that knows only\n\
`ONCE`. Take both files from the same release.",
    help: "are the files of different releases?",
};

/// `annotation` of the macro file `file` is not among `declared`.
pub fn report<'d>(annotation: &str, file: &str, declared: impl IntoIterator<Item = &'d str>) -> Diagnostic {
    let found = KIND.without_place(format!("`{file}` uses the annotation `{annotation}`, which the bell file does not declare"));
    match nearest(annotation, declared) {
        Some(near) => found.help(format!("the bell file declares `{near}`; are the files of different releases?")),
        None => found.help("are the files of different releases?"),
    }
}

#[cfg(test)]
mod tests {

    #[test]
    fn lower_case_macros_with_an_upper_case_bell_file() -> std::io::Result<()> {
        use crate::cat::{testing, tools::check::check};
        let dir = tempfile::tempdir()?;
        std::fs::write(dir.path().join("m.cat"), "acyclic po")?;
        std::fs::write(dir.path().join("m.bell"), "enum e = 'ONCE\ninstructions R[e]")?;
        std::fs::write(dir.path().join("m.def"), "READ_ONCE(X) __load{once}(X)")?;
        let loaded = testing::load_path(&dir.path().join("m.cat")).expect("loads");
        let found = check(&loaded);
        assert!(found.iter().any(|d| d.code() == super::KIND.code && d.help_text().contains("`ONCE`")), "{found:?}");
        Ok(())
    }
}
