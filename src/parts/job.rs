//! Jobs and parts, as files: `job.json`, written once, and lists of parts, a line each.

use super::Error;
use crate::shelf::Shelf;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use xxhash_rust::xxh3::xxh3_128;

/// The form of `job.json`.
const SCHEMA: &str = "hmc-job/1";
/// The path of a search that is done as a whole.
const WHOLE: &str = "whole";

/// A file under a model.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Check {
    /// As the user named it.
    pub file: PathBuf,
    /// As the user named it.
    pub model: String,
}

/// What is written of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Written {
    schema: String,
    /// Version and build of hmc.
    made_by: String,
    /// Arguments of the command line, but for files and models.
    arguments: Vec<String>,
    checks: Vec<Check>,
    /// What was read: models, programs as LLVM IR or litmus tests, sources for messages.
    texts: BTreeMap<String, Value>,
}

/// A check in parts.
#[derive(Clone, Debug)]
pub struct Job {
    /// Where it is.
    pub directory: PathBuf,
    /// SHA-256 of its file.
    pub id: String,
    /// Arguments of the command line, but for files and models.
    pub arguments: Vec<String>,
    /// What is checked.
    pub checks: Vec<Check>,
    /// The texts that it needs.
    pub shelf: Arc<Shelf>,
}

/// A part of a job.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Part {
    /// The job.
    pub job: String,
    /// Its name: the same part has the same name whoever finds it.
    pub part: String,
    /// Which check of the job.
    pub check: usize,
    /// Which search of the check.
    pub search: usize,
    /// Where it begins in the search.
    pub path: String,
}

impl Part {
    /// Whether it is a search that is not divided.
    pub fn is_whole(&self) -> bool {
        self.path == WHOLE
    }

    /// How far down it begins.
    pub fn depth(&self) -> usize {
        self.path.split_ascii_whitespace().count()
    }
}

impl Job {
    /// Writes a job with what was noted on a shelf, and reads it.
    pub fn write(
        directory: &Path,
        made_by: &str,
        arguments: Vec<String>,
        checks: Vec<Check>,
        noted: &Shelf,
    ) -> Result<Job, Error> {
        let file = directory.join("job.json");
        std::fs::create_dir_all(directory).map_err(|e| Error::file(directory, &e))?;
        let written =
            Written { schema: SCHEMA.into(), made_by: made_by.into(), arguments, checks, texts: noted.kept() };
        let text = serde_json::to_string_pretty(&written).map_err(|e| Error::NotSuch {
            file: file.clone(),
            what: "job",
            why: e.to_string(),
        })?;
        // It comes into being at once, and only if there is none.
        let beside = directory.join(format!("job.json.{}", std::process::id()));
        std::fs::write(&beside, text + "\n").map_err(|e| Error::file(&beside, &e))?;
        let linked = std::fs::hard_link(&beside, &file);
        std::fs::remove_file(&beside).map_err(|e| Error::file(&beside, &e))?;
        match linked {
            Ok(()) => Job::read(directory, made_by),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => Err(Error::Exists(directory.to_owned())),
            Err(e) => Err(Error::file(file, &e)),
        }
    }

    /// Reads a job that this program made.
    pub fn read(directory: &Path, own: &str) -> Result<Job, Error> {
        let file = directory.join("job.json");
        let bytes = std::fs::read(&file).map_err(|e| Error::file(&file, &e))?;
        let wrong = |why: String| Error::NotSuch { file: file.clone(), what: "job", why };
        let written: Written = serde_json::from_slice(&bytes).map_err(|e| wrong(e.to_string()))?;
        if written.schema != SCHEMA {
            return Err(wrong(format!("its form is `{}`, not `{SCHEMA}`", written.schema)));
        }
        if written.made_by != own {
            return Err(Error::OtherProgram { made: written.made_by, own: own.to_owned() });
        }
        let id = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Job {
            directory: directory.to_owned(),
            id,
            arguments: written.arguments,
            checks: written.checks,
            shelf: Arc::new(Shelf::closed(written.texts)),
        })
    }

    /// The part of a search that begins at a place.
    pub fn part(&self, check: usize, search: usize, path: &str) -> Part {
        let named = format!("{} {check} {search} {path}", self.id);
        let part = format!("{:032x}", xxh3_128(named.as_bytes()));
        Part { job: self.id.clone(), part, check, search, path: path.to_owned() }
    }

    /// A search that is not divided.
    pub fn whole(&self, check: usize, search: usize) -> Part {
        self.part(check, search, WHOLE)
    }

    /// Where results are.
    pub fn results(&self) -> PathBuf {
        self.directory.join("results")
    }

    /// Reads a list of parts.
    pub fn parts(&self, list: &Path) -> Result<Vec<Part>, Error> {
        let text = std::fs::read_to_string(list).map_err(|e| Error::file(list, &e))?;
        let part = |line: &str| {
            let wrong = |why: String| Error::NotSuch { file: list.to_owned(), what: "list of parts", why };
            let part: Part = serde_json::from_str(line).map_err(|e| wrong(e.to_string()))?;
            let Part { check, search, path, .. } = &part;
            let own = self.part(*check, *search, path);
            if part.job != own.job {
                return Err(Error::Foreign { file: list.to_owned(), found: part.job, job: own.job });
            }
            if part != own || *check >= self.checks.len() {
                return Err(wrong(format!("the part `{}` has another name", part.part)));
            }
            Ok(part)
        };
        text.lines().filter(|line| !line.trim().is_empty()).map(part).collect()
    }
}

/// Writes a list of parts, at once.
pub fn write_parts(list: &Path, parts: &[Part]) -> Result<(), Error> {
    let beside = list.with_extension(format!("{}.part", std::process::id()));
    let write = || {
        let mut file = std::io::BufWriter::new(std::fs::File::create(&beside)?);
        for part in parts {
            serde_json::to_writer(&mut file, part)?;
            file.write_all(b"\n")?;
        }
        file.flush()?;
        std::fs::rename(&beside, list)
    };
    write().map_err(|e| Error::file(list, &e))
}
