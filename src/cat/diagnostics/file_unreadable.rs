//! The file is there but it is no text, or reading it fails.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;

/// What `hmc explain C202` says.
pub const KIND: Kind = Kind {
    code: "C202",
    title: "a file that cannot be read",
    severity: Severity::Error,
    explanation: "Models are UTF-8 text of at most 16 MiB. Directories, binary files and files without read permission are refused.",
    help: "models are UTF-8 text of at most 16 MiB",
};

/// Reading `name` fails, for this reason.
pub fn report(name: &str, span: Option<Span>, reason: &str) -> Diagnostic {
    let message = format!("`{name}` cannot be read: {reason}");
    match span {
        Some(span) => KIND.at(message, span, "included here"),
        None => KIND.without_place(message),
    }
}

#[cfg(test)]
mod tests {
    use super::KIND;

    #[test]
    fn a_directory_and_a_binary_file() -> std::io::Result<()> {
        use crate::cat::testing;
        let dir = tempfile::tempdir()?;
        std::fs::write(dir.path().join("bin.cat"), [0xff, 0xfe, 0])?;
        for name in [dir.path().to_path_buf(), dir.path().join("bin.cat")] {
            let found = testing::load_path(&name);
            assert!(found.err().is_some_and(|ds| ds[0].code() == KIND.code), "{}", name.display());
        }
        Ok(())
    }
}
