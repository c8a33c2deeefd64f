//! What the bundled models are for: `cat/models.toml`.

use super::library;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What there is to know about a bundled model before it is chosen.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Entry {
    /// What it is for.
    #[serde(rename = "for")]
    pub purpose: String,
    /// Where it comes from.
    pub paper: String,
    /// Bundled models that allow every outcome that it allows.
    #[serde(default)]
    pub stronger_than: Vec<String>,
}

/// The entries by the names of models. A test holds that the file can be read, and that no model is missing.
pub fn entries() -> BTreeMap<String, Entry> {
    library::embedded("models.toml").and_then(|text| toml::from_str(text).ok()).unwrap_or_default()
}
