//! Where model files come from: the file system, then the library embedded in the program.

use super::source::without_mark;
use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};
use std::io::Read;
use std::path::{Path, PathBuf};

/// The model library of this program.
static EMBEDDED: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/cat");

/// Larger files are refused.
const MAX_BYTES: u64 = 16 << 20;

/// A file that was found.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Found {
    /// As shown to the user.
    pub name: String,
    /// On disk; none when embedded.
    pub path: Option<PathBuf>,
    /// Its text.
    pub text: String,
}

impl Found {
    /// What tells files apart: the real path, or the name in the library.
    pub fn identity(&self) -> String {
        match &self.path {
            Some(path) => path.canonicalize().unwrap_or_else(|_| path.clone()).display().to_string(),
            None => format!("<library>/{}", self.name),
        }
    }
}

/// Why a file was not found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Missing {
    /// In none of these places.
    Nowhere(Vec<String>),
    /// It is there, but cannot be read.
    Unreadable(String),
}

/// An embedded file.
pub fn embedded(name: &str) -> Option<&'static str> {
    EMBEDDED.get_file(name)?.contents_utf8()
}

/// The file of the library for models that defines a name, for models to include.
pub fn file_that_defines(name: &str) -> Option<String> {
    let defines = |line: &str| {
        let rest =
            ["let rec ", "let ", "and ", "procedure "].iter().find_map(|word| line.trim_start().strip_prefix(word));
        let rest = rest.and_then(|rest| rest.trim_start().strip_prefix(name));
        rest.is_some_and(|rest| rest.trim_start().starts_with(['=', '(']) || rest.starts_with(' '))
    };
    let is_library = |text: &str| text.trim_start().starts_with("\"Library");
    let files = embedded_names().into_iter().filter(|file| file.ends_with(".cat") && file != "stdlib.cat");
    files.into_iter().find(|file| embedded(file).is_some_and(|text| is_library(text) && text.lines().any(defines)))
}

/// Names of the models in a folder of the library.
pub fn embedded_in(folder: &str) -> Vec<String> {
    let files = EMBEDDED.get_dir(folder).into_iter().flat_map(|dir| dir.files());
    files.filter_map(|file| Some(file.path().file_stem()?.to_str()?.to_owned())).collect()
}

/// Names of all embedded files.
pub fn embedded_names() -> Vec<String> {
    let mut names: Vec<String> = EMBEDDED.files().map(|f| f.path().display().to_string()).collect();
    names.sort();
    names
}

/// Reads a file of the file system.
pub fn read(path: &Path) -> Result<Found, Missing> {
    let unreadable = |reason: &str| Missing::Unreadable(reason.to_owned());
    let metadata = std::fs::metadata(path).map_err(|e| Missing::Unreadable(e.to_string()))?;
    if metadata.is_dir() {
        return Err(unreadable("it is a directory"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(unreadable("it is larger than 16 MiB"));
    }
    // A device or pipe has no length to look at beforehand.
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(path).and_then(|f| f.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    opened.map_err(|e| Missing::Unreadable(e.to_string()))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(unreadable("it is larger than 16 MiB"));
    }
    if bytes.contains(&0) {
        return Err(unreadable("it is not text"));
    }
    let text = without_mark(decoded(bytes));
    Ok(Found { name: path.display().to_string(), path: Some(path.to_owned()), text })
}

/// The text of a file: of older models some have names with accents in comments, in Latin-1, where a byte is a character.
fn decoded(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect())
}

/// The file `name` in the first of these directories that has it, else in the library. An absolute path, or one that starts
/// with `./` or `../`, is taken as it is first.
pub fn find(name: &str, directories: &[PathBuf]) -> Result<Found, Missing> {
    let path = Path::new(name);
    let explicit = path.is_absolute() || name.starts_with("./") || name.starts_with("../");
    if explicit && path.exists() {
        return read(path);
    }
    let mut places = Vec::new();
    for directory in directories {
        let candidate = directory.join(name);
        if candidate.exists() {
            return read(&candidate);
        }
        let shown = if directory.as_os_str().is_empty() { ".".to_owned() } else { directory.display().to_string() };
        if !places.contains(&shown) {
            places.push(shown);
        }
    }
    match embedded(name) {
        Some(text) => Ok(Found { name: name.to_owned(), path: None, text: text.to_owned() }),
        None => {
            places.push("the library".to_owned());
            Err(Missing::Nowhere(places))
        }
    }
}

/// The root model `name`: a path, else an embedded model; the extension `.cat` may be left out.
pub fn find_model(name: &str, extension: &str) -> Result<Found, Missing> {
    let with_extension = format!("{name}.{extension}");
    for candidate in [name, &with_extension] {
        if Path::new(candidate).is_file() {
            return read(Path::new(candidate));
        }
    }
    for candidate in [name, &with_extension] {
        if let Some(text) = embedded(candidate) {
            return Ok(Found { name: candidate.to_owned(), path: None, text: text.to_owned() });
        }
    }
    if Path::new(name).exists() {
        return read(Path::new(name));
    }
    Err(Missing::Nowhere(Vec::new()))
}

/// The file with the same stem as `found` and this extension, if it stands beside it.
pub fn sibling(found: &Found, extension: &str) -> Option<Found> {
    match &found.path {
        Some(path) => {
            let beside = path.with_extension(extension);
            if beside == *path || !beside.is_file() {
                return None;
            }
            read(&beside).ok()
        }
        None => {
            let name = Path::new(&found.name).with_extension(extension).display().to_string();
            embedded(&name).map(|text| Found { name, path: None, text: text.to_owned() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_files_by_name() {
        assert!(embedded("stdlib.cat").is_some());
        assert!(find("cos.cat", &[]).is_ok_and(|f| f.path.is_none()));
        assert!(matches!(find("nosuch.cat", &[PathBuf::from("nowhere")]), Err(Missing::Nowhere(p)) if p.len() == 2));
        assert!(find_model("nosuch", "cat").is_err());
        assert!(matches!(find_model("/", "cat"), Err(Missing::Unreadable(_))));
    }

    #[test]
    fn comments_in_latin_1_are_read() {
        let file = tempfile::Builder::new().suffix(".cat").tempfile().expect("a temporary file");
        std::fs::write(file.path(), b"(* Andr\xe9 *) acyclic po as x").expect("a temporary file");
        assert!(read(file.path()).is_ok_and(|found| found.text.contains("André")));
        assert!(crate::cat::testing::load_path(file.path()).is_ok_and(|l| l.model.checks.len() == 1));
        // Outside of comments a letter that no name has stays an error.
        std::fs::write(file.path(), b"acyclic p\xe9").expect("a temporary file");
        assert!(crate::cat::testing::load_path(file.path()).is_err());
    }
}
