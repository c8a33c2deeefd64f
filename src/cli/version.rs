//! `hmc --version`: what made a result. The version, the commit it was built from, the compiler that is found, and a hash of the bundled models.

use crate::cat::library;
use crate::llvm::clang;
use sha2::{Digest, Sha256};

/// The commit, where the build knew it.
const COMMIT: Option<&str> = option_env!("HMC_COMMIT");
/// So much of a hash tells models apart.
const SHOWN: usize = 16;

/// The text.
pub(super) fn text() -> String {
    let commit = COMMIT.unwrap_or("not known");
    let clang = match clang::find() {
        Ok(path) => path.display().to_string(),
        Err(error) => format!("none ({})", error.message),
    };
    format!("hmc {}\ncommit: {commit}\nclang:  {clang}\nmodels: {}\n", env!("CARGO_PKG_VERSION"), &models()[..SHOWN])
}

/// Version and build, as jobs name what made them.
pub(super) fn made_by() -> String {
    format!(
        "hmc {} ({}, models {})",
        env!("CARGO_PKG_VERSION"),
        COMMIT.unwrap_or("commit not known"),
        &models()[..SHOWN]
    )
}

/// SHA-256 of the names and texts of all bundled files.
fn models() -> String {
    let mut hash = Sha256::new();
    for name in library::embedded_names() {
        hash.update(name.as_bytes());
        hash.update([0]);
        hash.update(library::embedded(&name).unwrap_or_default().as_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_models_have_a_hash() {
        assert_eq!(super::models().len(), 64);
        assert!(super::text().contains("\nmodels: "));
    }
}
