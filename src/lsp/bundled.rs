//! Bundled files, written where an editor can open them.

use crate::cat::library;
use std::path::{Path, PathBuf};

/// Where a bundled file can be opened. Nothing where it cannot be written.
pub fn written(name: &str, folder: &Path) -> Option<PathBuf> {
    let text = library::embedded(name)?;
    let path = folder.join(name);
    if std::fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Some(path);
    }
    std::fs::create_dir_all(folder).ok()?;
    // Another server may write the same file: a name is given to a whole text.
    let part = folder.join(format!("{name}.{}", std::process::id()));
    std::fs::write(&part, text).ok()?;
    std::fs::rename(&part, &path).ok()?;
    Some(path)
}
