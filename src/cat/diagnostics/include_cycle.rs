//! A file includes itself, directly or through others.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C203` says.
pub const KIND: Kind = Kind {
    code: "C203",
    title: "files that include each other",
    severity: Severity::Error,
    explanation: "Every `include` runs the file again, so a cycle of includes would never end. The chain is shown; cut it by\n\
moving what both files need to a third.",
    help: "move what both files need to a third one",
};

/// `chain` names the files from the first occurrence to the repetition.
pub fn report(span: Span, chain: &[String], steps: &[Span]) -> Diagnostic {
    let mut found = KIND.at(format!("these files include each other: {}", chain.join(" → ")), span, "closes the cycle");
    for step in steps {
        found = found.label(*step, "included from here");
    }
    found
}

#[cfg(test)]
mod tests {
    use super::KIND;

    #[test]
    fn names_the_chain() -> std::io::Result<()> {
        use crate::cat::testing;
        let dir = tempfile::tempdir()?;
        std::fs::write(dir.path().join("a.cat"), "include \"b.cat\"")?;
        std::fs::write(dir.path().join("b.cat"), "include \"a.cat\"")?;
        let found = testing::load_path(&dir.path().join("a.cat")).err().unwrap_or_default();
        assert_eq!(found[0].code(), KIND.code);
        assert!(found[0].message().contains("b.cat →"), "{found:?}");
        Ok(())
    }
}
