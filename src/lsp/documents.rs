//! The texts that the client has open.

use super::places::byte;
use super::uri;
use lsp_types::{TextDocumentContentChangeEvent, Uri};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A model.
    Cat,
    /// A bell file.
    Bell,
    /// A macro file.
    Macros,
    /// A litmus test.
    Litmus,
}

impl Kind {
    fn of(name: &str, language: &str) -> Option<Kind> {
        let by = |word: &str| match word {
            "cat" => Some(Kind::Cat),
            "bell" => Some(Kind::Bell),
            "def" => Some(Kind::Macros),
            "litmus" => Some(Kind::Litmus),
            _ => None,
        };
        by(name.rsplit_once('.').map_or("", |(_, extension)| extension)).or_else(|| by(language))
    }
}

/// A text.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its address.
    pub uri: Uri,
    /// The real path, when it is a file.
    pub path: Option<PathBuf>,
    /// What it is.
    pub kind: Kind,
    /// Its words.
    pub text: String,
    /// As the client counts.
    pub version: i32,
}

impl Document {
    /// As messages call it.
    pub fn name(&self) -> String {
        let path = self.path.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        path.unwrap_or_else(|| self.uri.as_str().rsplit(['/', ':']).next().unwrap_or_default().to_owned())
    }
}

/// The texts, by address.
#[derive(Default, Debug)]
pub struct Documents(BTreeMap<String, Document>);

/// The path by which a file is known whatever leads to it.
pub fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

impl Documents {
    /// A text is opened; whether it is of a kind that is known.
    pub fn open(&mut self, uri: Uri, language: &str, version: i32, text: String) -> bool {
        let Some(kind) = Kind::of(uri.as_str(), language) else { return false };
        let path = uri::path(&uri).map(|path| real(&path));
        self.0.insert(uri.as_str().to_owned(), Document { uri, path, kind, text, version });
        true
    }

    /// A text is closed.
    pub fn close(&mut self, uri: &Uri) -> Option<Document> {
        self.0.remove(uri.as_str())
    }

    /// A text changes.
    pub fn change(&mut self, uri: &Uri, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        let Some(document) = self.0.get_mut(uri.as_str()) else { return };
        document.version = version;
        for change in changes {
            match change.range {
                Some(range) => {
                    let start = byte(&document.text, range.start);
                    let end = byte(&document.text, range.end).max(start);
                    document.text.replace_range(start..end, &change.text);
                }
                None => document.text = change.text,
            }
        }
    }

    /// A text.
    pub fn get(&self, uri: &Uri) -> Option<&Document> {
        self.0.get(uri.as_str())
    }

    /// The text of the file at a real path.
    pub fn at(&self, path: &Path) -> Option<&Document> {
        self.0.values().find(|document| document.path.as_deref() == Some(path))
    }

    /// All texts.
    pub fn iter(&self) -> impl Iterator<Item = &Document> {
        self.0.values()
    }

    /// The texts of models by path, for what reads files.
    pub fn unsaved(&self) -> BTreeMap<PathBuf, String> {
        let model = self.0.values().filter(|document| matches!(document.kind, Kind::Cat | Kind::Bell));
        model.filter_map(|document| Some((document.path.clone()?, document.text.clone()))).collect()
    }
}
