//! Results, as lines of files: each worker writes a file of its own.
//!
//! A line has a checksum, so that a line which was torn when its worker was killed counts as not written. Of two results of one part either is right, each with the parts that it leaves: the
//! first that is read counts, and never parts of both.

use super::Error;
use super::job::{Job, Part};
use crate::explore::parallel::divide::{Item, Searched, Seen};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use xxhash_rust::xxh3::xxh3_64;

/// What a part came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Record {
    /// The job.
    pub job: String,
    /// The part.
    pub part: String,
    /// What was seen, and the parts that are left, in depth-first order.
    pub items: Vec<Item>,
    /// Names of executions, 32 digits each.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub names: String,
    /// How many of the last bits of each name are zero, of those that are given.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sampled: u32,
    /// Seconds taken.
    pub spent: f64,
    /// Why it is worth nothing, if so: the search has to be done as a whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worthless: Option<String>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

impl Record {
    /// Of a part that was searched.
    pub fn of(part: &Part, searched: Searched, spent: f64) -> Record {
        let names = searched.names.iter().map(|name| format!("{name:032x}")).collect();
        let (job, part) = (part.job.clone(), part.part.clone());
        Record { job, part, items: searched.items, names, sampled: searched.sampled, spent, worthless: None }
    }

    /// Of a search that was done as a whole.
    pub fn whole(part: &Part, seen: Seen, spent: f64) -> Record {
        Record::of(part, Searched { items: vec![Item::Seen(Box::new(seen))], ..Searched::default() }, spent)
    }

    /// Of a part that turned out to be no part.
    pub fn worthless(part: &Part, why: String, spent: f64) -> Record {
        Record { worthless: Some(why), ..Record::of(part, Searched::default(), spent) }
    }

    /// The names of executions.
    pub fn names(&self) -> Option<Vec<u128>> {
        let digits = self.names.as_bytes().chunks(32).map(|name| std::str::from_utf8(name).ok());
        digits.map(|name| u128::from_str_radix(name?, 16).ok()).collect()
    }

    /// The paths of the parts that it leaves.
    pub fn left(&self) -> impl Iterator<Item = &str> {
        self.items.iter().filter_map(|item| match item {
            Item::Left(path) => Some(path.as_str()),
            Item::Seen(_) => None,
        })
    }

    /// A line with a checksum.
    pub fn line(&self) -> Result<String, serde_json::Error> {
        let text = serde_json::to_string(self)?;
        Ok(format!("{BEFORE}{:016x}{BETWEEN}{text}{AFTER}\n", xxh3_64(text.as_bytes())))
    }
}

const BEFORE: &str = "{\"sum\":\"";
const BETWEEN: &str = "\",\"result\":";
const AFTER: &str = "}";

/// The text of a record in a line; nothing, if the line was torn.
fn checked(line: &str) -> Option<&str> {
    let rest = line.strip_suffix('\n')?.strip_prefix(BEFORE)?;
    let sum = u64::from_str_radix(rest.get(..16)?, 16).ok()?;
    let text = rest.get(16..)?.strip_prefix(BETWEEN)?.strip_suffix(AFTER)?;
    (xxh3_64(text.as_bytes()) == sum).then_some(text)
}

/// What tells records apart.
#[derive(Deserialize)]
struct Header {
    job: String,
    part: String,
    spent: f64,
}

/// Where a record is.
#[derive(Clone, Copy)]
struct At {
    file: usize,
    offset: u64,
    bytes: u64,
}

/// All results of a job.
#[derive(Default)]
pub struct Results {
    files: Vec<PathBuf>,
    index: HashMap<String, At>,
    /// Results of parts that have one already.
    pub doubled: usize,
    /// Lines that were torn.
    pub torn: usize,
    /// Seconds taken by all results.
    pub spent: f64,
}

impl std::fmt::Debug for Results {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Results").field("files", &self.files).field("parts", &self.index.len()).finish_non_exhaustive()
    }
}

impl Results {
    /// Reads which results there are.
    pub fn read(job: &Job) -> Result<Results, Error> {
        let directory = job.results();
        let mut results = Results::default();
        let entries = match std::fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(results),
            Err(e) => return Err(Error::file(directory, &e)),
        };
        for entry in entries {
            let path = entry.map_err(|e| Error::file(&directory, &e))?.path();
            if path.extension().is_some_and(|e| e == "jsonl") {
                results.files.push(path);
            }
        }
        results.files.sort();
        for file in 0..results.files.len() {
            results.add(file, job)?;
        }
        Ok(results)
    }

    fn add(&mut self, file: usize, job: &Job) -> Result<(), Error> {
        let path = self.files[file].clone();
        let mut reader = BufReader::new(File::open(&path).map_err(|e| Error::file(&path, &e))?);
        let (mut line, mut offset) = (Vec::new(), 0);
        loop {
            line.clear();
            let bytes = reader.read_until(b'\n', &mut line).map_err(|e| Error::file(&path, &e))? as u64;
            if bytes == 0 {
                return Ok(());
            }
            let at = At { file, offset, bytes };
            offset += bytes;
            let header = std::str::from_utf8(&line).ok().and_then(checked).map(serde_json::from_str::<Header>);
            let Some(Ok(header)) = header else {
                self.torn += 1;
                continue;
            };
            if header.job != job.id {
                return Err(Error::Foreign { file: path, found: header.job, job: job.id.clone() });
            }
            self.spent += header.spent;
            match self.index.contains_key(&header.part) {
                true => self.doubled += 1,
                false => drop(self.index.insert(header.part, at)),
            }
        }
    }

    /// How many parts have a result.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether none has.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The result of a part, if there is one.
    pub fn get(&self, part: &Part) -> Result<Option<Record>, Error> {
        let Some(at) = self.index.get(&part.part) else { return Ok(None) };
        let path = &self.files[at.file];
        let read = || {
            let mut file = File::open(path)?;
            file.seek(SeekFrom::Start(at.offset))?;
            let mut text = String::new();
            file.take(at.bytes).read_to_string(&mut text)?;
            Ok(text)
        };
        let text: String = read().map_err(|e: std::io::Error| Error::file(path, &e))?;
        let unfit = |why: String| Error::Unfit { part: part.part.clone(), why };
        let text = checked(&text).ok_or_else(|| unfit("its line has changed".to_owned()))?;
        serde_json::from_str(text).map(Some).map_err(|e| unfit(e.to_string()))
    }
}

/// Writes results to a file of its own, which begins with the first.
#[derive(Debug)]
pub struct Writer {
    directory: PathBuf,
    file: Option<(PathBuf, File)>,
}

impl Writer {
    /// One that has written nothing.
    pub fn new(job: &Job) -> Writer {
        Writer { directory: job.results(), file: None }
    }

    /// Adds a result.
    pub fn write(&mut self, record: &Record) -> Result<(), Error> {
        let line = record.line().map_err(|e| Error::Unfit { part: record.part.clone(), why: e.to_string() })?;
        let (path, file) = match &mut self.file {
            Some(open) => open,
            closed => closed.insert(create(&self.directory)?),
        };
        file.write_all(line.as_bytes()).map_err(|e| Error::file(&*path, &e))
    }
}

/// A new file. Its name is of no account, but no other file has it.
fn create(directory: &Path) -> Result<(PathBuf, File), Error> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    std::fs::create_dir_all(directory).map_err(|e| Error::file(directory, &e))?;
    loop {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_nanos());
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = directory.join(format!("{now:x}-{}-{count}.jsonl", std::process::id()));
        match File::create_new(&path) {
            Ok(file) => return Ok((path, file)),
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(Error::file(path, &e)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_torn_or_changed_is_none() {
        let record = Record {
            job: "j".into(),
            part: "p".into(),
            items: vec![Item::Left("0 0 1 s1".into())],
            names: format!("{:032x}{:032x}", 7, u128::MAX),
            sampled: 3,
            spent: 0.5,
            worthless: None,
        };
        let line = record.line().expect("a line");
        assert_eq!(serde_json::from_str::<Record>(checked(&line).expect("whole")).expect("a record"), record);
        assert_eq!(record.names(), Some(vec![7, u128::MAX]));
        for cut in 0..line.len() {
            assert_eq!(checked(&line[..cut]), None);
        }
        assert_eq!(checked(&line.replace("s1", "s2")), None);
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok());
    }
}
