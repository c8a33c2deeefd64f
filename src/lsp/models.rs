//! The models that texts belong to, read when they are asked for and kept until a text changes.

use super::documents::{Document, Documents, Kind, real};
use super::options::Options;
use crate::cat::def::MacroTable;
use crate::cat::{LoadRequest, library};
use crate::driver::inputs::models::{Models, Usable};
use crate::driver::inputs::usual;
use crate::editing::Reading;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// More files of a folder are not looked at for who includes whom.
const MOST_FILES: usize = 500;

/// Models.
pub struct Shelf {
    options: Options,
    readings: HashMap<PathBuf, Arc<Reading>>,
    usable: HashMap<String, Arc<Models>>,
}

/// What loads a model at a path, with these texts instead of files.
pub fn request(path: &Path, options: &Options, unsaved: BTreeMap<PathBuf, String>) -> LoadRequest {
    let mut request = LoadRequest::named(path.display().to_string());
    request.include_dirs.clone_from(&options.include_dirs);
    request.unsaved = Arc::new(unsaved);
    request
}

impl Shelf {
    /// Nothing read yet.
    pub fn new(options: Options) -> Shelf {
        Shelf { options, readings: HashMap::new(), usable: HashMap::new() }
    }

    /// A text of a model has changed.
    pub fn forget(&mut self) {
        self.readings.clear();
        self.usable.retain(|name, _| !Path::new(name).is_file());
    }

    /// The model of the file at a path by itself.
    fn reading_at(&mut self, path: &Path, documents: &Documents) -> Arc<Reading> {
        if let Some(reading) = self.readings.get(path) {
            return reading.clone();
        }
        let reading = Arc::new(Reading::of(&request(path, &self.options, documents.unsaved()), None));
        self.readings.insert(path.to_owned(), reading.clone());
        reading
    }

    /// The model that a text is read as part of: itself, or the first that includes it where it checks nothing itself; of a bell file,
    /// the model beside it.
    pub fn reading_of(&mut self, document: &Document, documents: &Documents) -> Arc<Reading> {
        let Some(path) = document.path.as_deref().filter(|path| path.is_file()) else {
            return Arc::new(self.reading_of_text(document, document.text.clone()));
        };
        let own = self.reading_at(path, documents);
        let is_part = own.checks() == 0 || document.kind == Kind::Bell;
        if !is_part {
            return own;
        }
        self.readings_with(path, documents).into_iter().find(|reading| reading.checks() > 0).unwrap_or(own)
    }

    /// A text that is no file yet, by itself.
    fn reading_of_text(&self, document: &Document, text: String) -> Reading {
        let mut request = LoadRequest::text(document.name(), text);
        request.include_dirs.clone_from(&self.options.include_dirs);
        Reading::of(&request, None)
    }

    /// The model that a text is part of, with another text for it.
    pub fn reading_with_text(
        &self,
        reading: &Reading,
        document: &Document,
        documents: &Documents,
        text: String,
    ) -> Reading {
        match document.path.as_ref().filter(|path| path.is_file()) {
            Some(path) => {
                Reading::of(&self.request_for(reading, documents, BTreeMap::from([(path.clone(), text)])), None)
            }
            None => self.reading_of_text(document, text),
        }
    }

    /// All models of the folder of a file, and open ones, that the file is part of.
    pub fn readings_with(&mut self, path: &Path, documents: &Documents) -> Vec<Arc<Reading>> {
        let roots = includers(path, documents);
        let readings: Vec<Arc<Reading>> = roots.iter().map(|root| self.reading_at(root, documents)).collect();
        readings.into_iter().filter(|reading| reading.file_at(path).is_some()).collect()
    }

    /// What loads a model again, with other texts.
    pub fn request_for(
        &self,
        reading: &Reading,
        documents: &Documents,
        texts: BTreeMap<PathBuf, String>,
    ) -> LoadRequest {
        let root = reading.path(reading.root()).map(real).unwrap_or_default();
        let mut unsaved = documents.unsaved();
        unsaved.extend(texts);
        request(&root, &self.options, unsaved)
    }

    /// The models that a test is run under: those of the project, or the usual one; then open models that check something.
    pub fn for_test(&mut self, test: &Document, documents: &Documents) -> Vec<String> {
        let mut names = self.options.models.clone();
        if names.is_empty() {
            names.push(usual::of_test(&test.text).model.to_owned());
        }
        let open: Vec<&Document> = documents.iter().filter(|document| document.kind == Kind::Cat).collect();
        for document in open {
            let Some(path) = document.path.clone().filter(|path| path.is_file()) else { continue };
            if !path.starts_with(&self.options.library) && self.reading_at(&path, documents).checks() > 0 {
                names.push(path.display().to_string());
            }
        }
        let mut seen = BTreeSet::new();
        names.retain(|name| seen.insert(name.clone()));
        names
    }

    /// A model for runs.
    pub fn usable(&mut self, name: &str, documents: &Documents) -> Arc<Models> {
        let request = request(Path::new(name), &self.options, documents.unsaved());
        let make = || Arc::new(Models::new(request, Vec::new(), false));
        self.usable.entry(name.to_owned()).or_insert_with(make).clone()
    }

    /// The model whose primitives a test in C calls, if it can be used.
    pub fn of_test(&mut self, test: &Document, documents: &Documents) -> Option<Arc<Usable>> {
        let name = self.options.models.first().cloned();
        let name = name.unwrap_or_else(|| usual::of_test(&test.text).model.to_owned());
        self.usable(&name, documents).get(Some("C")).ok()
    }

    /// Its macros.
    pub fn macros(&mut self, test: &Document, documents: &Documents) -> Arc<MacroTable> {
        let is_c = crate::editing::test::arch(&test.text) == Some(crate::litmus::Arch::C);
        let usable = if is_c { self.of_test(test, documents) } else { None };
        usable.map(|usable| usable.macros.clone()).unwrap_or_default()
    }
}

/// The files that a file is part of, itself among them: models that include it, or one that includes it, and the one beside a bell file.
fn includers(path: &Path, documents: &Documents) -> Vec<PathBuf> {
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    let entries = path.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    let beside = entries.into_iter().flatten().flatten().map(|entry| entry.path());
    let models = beside.filter(|path| path.extension().is_some_and(|extension| extension == "cat")).take(MOST_FILES);
    for model in models {
        if let Ok(found) = library::read(&model) {
            texts.insert(real(&model), found.text);
        }
    }
    texts.extend(documents.unsaved());
    let mut parts: BTreeSet<PathBuf> = BTreeSet::from([path.to_owned()]);
    loop {
        let names: Vec<String> =
            parts.iter().filter_map(|part| Some(format!("{}\"", part.file_name()?.to_str()?))).collect();
        let is_one = |(other, text): &(&PathBuf, &String)| {
            let includes = text.contains("include") && names.iter().any(|name| text.contains(name.as_str()));
            let is_beside = parts
                .iter()
                .any(|part| part.extension().is_some_and(|e| e == "bell") && part.with_extension("cat") == ***other);
            includes || is_beside
        };
        let more: Vec<PathBuf> = texts.iter().filter(is_one).map(|(path, _)| path.clone()).collect();
        let before = parts.len();
        parts.extend(more);
        if parts.len() == before {
            return parts.into_iter().collect();
        }
    }
}
