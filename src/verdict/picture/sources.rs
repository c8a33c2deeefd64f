//! Texts of source files, read when they are first asked for.

use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Larger files are not shown.
const LARGEST: u64 = 16 << 20;

/// Texts by name. A file that cannot be read is remembered as absent.
#[derive(Default, Debug)]
pub struct Sources {
    texts: Mutex<FxHashMap<String, Option<Arc<str>>>>,
}

impl Sources {
    /// Gives a file a text, so that it is not looked for.
    pub fn insert(&self, name: &str, text: &str) {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner).insert(name.to_owned(), Some(text.into()));
    }

    /// The text of a file.
    pub fn text(&self, name: &str) -> Option<Arc<str>> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.entry(name.to_owned()).or_insert_with(|| read(name)).clone()
    }

    /// A line (from 1), without its end.
    pub fn line(&self, name: &str, line: u32) -> Option<String> {
        let text = self.text(name)?;
        text.lines().nth((line as usize).checked_sub(1)?).map(str::to_owned)
    }
}

fn read(name: &str) -> Option<Arc<str>> {
    let metadata = std::fs::metadata(name).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST {
        return None;
    }
    let bytes = std::fs::read(name).ok()?;
    Some(String::from_utf8_lossy(&bytes).into())
}
