//! Short ways to load models in tests.

use super::{LoadRequest, Loaded, Vocabulary, diagnostics::Diagnostic, load as load_model};
use crate::cat::dialect::Dialect;
use std::path::Path;

type Result = std::result::Result<Loaded, Vec<Diagnostic>>;

fn run(request: &LoadRequest, arch: Option<&str>) -> Result {
    load_model(request, &Vocabulary::new(arch)).map_err(|errors| errors.diagnostics)
}

/// A model of the herd dialect given as text.
pub fn load(text: &str) -> Result {
    load_as(text, Some(Dialect::Herd))
}

/// The same in a dialect.
pub fn load_as(text: &str, dialect: Option<Dialect>) -> Result {
    run(&LoadRequest { dialect, ..LoadRequest::text("test.cat", text) }, None)
}

/// The same for tests of an architecture.
pub fn load_for(text: &str, arch: Option<&str>) -> Result {
    run(&LoadRequest { arch: arch.map(str::to_owned), ..LoadRequest::text("test.cat", text) }, arch)
}

/// A model in a file.
pub fn load_path(path: &Path) -> Result {
    run(&LoadRequest::named(path.display().to_string()), None)
}

/// A model with a bell file, both given as text.
pub fn load_bell(bell: &str, text: &str) -> Result {
    let file = tempfile::Builder::new().suffix(".bell").tempfile().expect("a temporary file");
    std::fs::write(file.path(), bell).expect("a temporary file");
    run(&LoadRequest { bell: Some(file.path().to_owned()), ..LoadRequest::text("test.cat", text) }, None)
}
