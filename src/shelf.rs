//! Texts that stand in for files: those of a job, which runs where the files are not, or where their texts have changed.
//!
//! An open shelf notes what is read; a closed one gives what was noted, and only what is not there is read from the machine.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What was read, by what it was read for.
#[derive(Default, Debug)]
pub struct Shelf {
    kept: Mutex<BTreeMap<String, Value>>,
    is_closed: bool,
}

impl Shelf {
    /// One that gives these.
    pub fn closed(kept: BTreeMap<String, Value>) -> Shelf {
        Shelf { kept: Mutex::new(kept), is_closed: true }
    }

    /// All that was noted.
    pub fn kept(&self) -> BTreeMap<String, Value> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Gives what was noted, or reads it. What cannot be read is not noted.
    pub fn keep<T, E>(&self, key: &str, read: impl FnOnce() -> Result<T, E>) -> Result<T, E>
    where
        T: Serialize + DeserializeOwned,
    {
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if self.is_closed {
            let noted = kept().get(key).and_then(|value| serde_json::from_value(value.clone()).ok());
            return noted.map_or_else(read, Ok);
        }
        let value = read()?;
        if let Ok(noted) = serde_json::to_value(&value) {
            kept().insert(key.to_owned(), noted);
        }
        Ok(value)
    }

    /// Whether it gives something under a key that begins so.
    pub fn has(&self, beginning: &str) -> bool {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        self.is_closed && kept.range(beginning.to_owned()..).next().is_some_and(|(key, _)| key.starts_with(beginning))
    }
}

/// As [`Shelf::keep`], where there may be no shelf.
pub fn keep<T, E>(
    shelf: Option<&Arc<Shelf>>,
    key: impl FnOnce() -> String,
    read: impl FnOnce() -> Result<T, E>,
) -> Result<T, E>
where
    T: Serialize + DeserializeOwned,
{
    match shelf {
        Some(shelf) => shelf.keep(&key(), read),
        None => read(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_shelf_gives_what_an_open_one_has_noted() {
        let open = Shelf::default();
        let read = |text: &'static str| move || Ok::<String, ()>(text.to_owned());
        assert_eq!(open.keep("a", read("1")), Ok("1".to_owned()));
        assert_eq!(open.keep("b", || Err::<String, ()>(())), Err(()));
        let closed = Shelf::closed(open.kept());
        assert_eq!(closed.keep("a", read("2")), Ok("1".to_owned()));
        assert_eq!(closed.keep("b", read("2")), Ok("2".to_owned()));
        assert!(closed.has("a") && !closed.has("b"));
    }
}
