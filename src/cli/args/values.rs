//! What options take: each parser names what it knows.

use crate::cat::{Dialect, vocabulary};
use crate::driver::{Engine, Locks, Show, Symmetry};
use crate::explore::Equivalence;
use crate::linearizability::library::{By, Wanted};
use crate::linearizability::search::Synchronised;
use crate::llvm::{Dependencies, Mapping};
use crate::report::Format;
use crate::verdict::Property;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// What values of C programs depend on.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum DependencyKind {
    /// Also on what selected them.
    Semantic,
    /// Only on what they are computed from.
    Syntactic,
}

impl From<DependencyKind> for Dependencies {
    fn from(kind: DependencyKind) -> Dependencies {
        match kind {
            DependencyKind::Semantic => Dependencies::Semantic,
            DependencyKind::Syntactic => Dependencies::Syntactic,
        }
    }
}

/// Which calls must be seen by later ones.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// What one takes from whom has put it.
    Values,
    /// Those that put, among each other.
    Inserts,
    /// Those that take, among each other.
    Removes,
    /// None.
    None,
}

impl Sees {
    /// All of these.
    pub fn all(which: &[Sees]) -> Synchronised {
        let has = |one: Sees| which.contains(&one);
        Synchronised { values: has(Sees::Values), inserts: has(Sees::Inserts), removes: has(Sees::Removes) }
    }
}

pub(in crate::cli) fn specification(text: &str) -> Result<By, String> {
    match text.ends_with(".c") {
        true => Ok(By::File(PathBuf::from(text))),
        false => Wanted::read(text).map(By::Library),
    }
}

/// Which variables of persistent memory share a line of the cache.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lines {
    /// As they are laid out.
    Layout,
    /// Each has lines of its own.
    Variable,
    /// Nothing shares one: each place is a line.
    Place,
}

/// What accesses are that nothing marks.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlainAccesses {
    /// Ordinary ones.
    Plain,
    /// Relaxed ones.
    Once,
}

/// An output form and where it goes.
#[derive(Clone, Debug)]
pub struct Output {
    /// The form.
    pub format: Format,
    /// The file; standard output when there is none.
    pub file: Option<PathBuf>,
}

pub fn output(text: &str) -> Result<Output, String> {
    let (name, file) = match text.split_once('=') {
        Some((_, "")) => return Err("the file's name is empty".into()),
        Some((name, file)) => (name, Some(PathBuf::from(file))),
        None => (text, None),
    };
    let format = match name {
        "human" => Format::Human,
        "herd" => Format::Herd,
        "json" => Format::Json,
        "sarif" => Format::Sarif,
        "junit" => Format::Junit,
        "github" => Format::Github,
        _ => return Err("the forms are human, herd, json, sarif, junit and github".into()),
    };
    Ok(Output { format, file })
}

/// So many executions are listed at most when nobody says how many.
const LISTED: usize = 10_000;

pub(super) fn show(text: &str) -> Result<Show, String> {
    let (forbidden, most) = match text.strip_prefix("forbidden") {
        Some(rest) => (true, rest.strip_prefix('=').unwrap_or(if rest.is_empty() { "all" } else { rest })),
        None => (false, text),
    };
    let most = if most == "all" { Some(LISTED) } else { most.parse().ok().filter(|&most| most > 0) };
    let most = most.ok_or("`all`, a number, `forbidden`, or `forbidden=` and a number")?;
    Ok(Show { forbidden, most })
}

pub(super) fn engine(text: &str) -> Result<Engine, String> {
    match text {
        "explore" => Ok(Engine::Explore),
        "enumerate" => Ok(Engine::Enumerate),
        _ => Err("the engines are explore and enumerate".into()),
    }
}

/// Which executions count as one; nothing: as fits the program and the model.
#[derive(Clone, Debug)]
pub struct Counting(pub Option<Equivalence>);

pub(super) fn equivalence(text: &str) -> Result<Counting, String> {
    match text {
        "auto" => Ok(Counting(None)),
        "rf" => Ok(Counting(Some(Equivalence::ReadsFrom))),
        "rf+co" => Ok(Counting(Some(Equivalence::ReadsFromAndCoherence))),
        _ => Err("the equivalences are auto, rf and rf+co".into()),
    }
}

pub(super) fn locks(text: &str) -> Result<Locks, String> {
    match text {
        "order" => Ok(Locks::Order),
        "content" => Ok(Locks::Content),
        "one" => Ok(Locks::One),
        _ => Err("executions count by the order of locks (order), or by what is done under them (content, one)".into()),
    }
}

pub(super) fn symmetry(text: &str) -> Result<Symmetry, String> {
    match text {
        "auto" => Ok(Symmetry::Auto),
        "on" => Ok(Symmetry::On),
        "off" => Ok(Symmetry::Off),
        _ => Err("symmetry is auto, on or off".into()),
    }
}

pub(super) fn dialect(text: &str) -> Result<Dialect, String> {
    Dialect::from_name(text).ok_or_else(|| "the dialects are herd and dartagnan".to_owned())
}

pub(super) fn property(text: &str) -> Result<Property, String> {
    Property::ALL.into_iter().find(|p| p.name() == text).ok_or_else(|| {
        let names: Vec<&str> = Property::ALL.iter().map(|p| p.name()).collect();
        format!("the properties are {}", names.join(", "))
    })
}

/// The architecture of this name, in the spelling that models and mappings know.
pub(super) fn arch(text: &str) -> Result<String, String> {
    let titles: Vec<String> = Mapping::bundled().into_iter().flat_map(|mapping| mapping.titles).collect();
    let known = vocabulary::architecture_ignoring_case(text).map(str::to_owned);
    if let Some(known) = known.or_else(|| titles.iter().find(|title| title.eq_ignore_ascii_case(text)).cloned()) {
        return Ok(known);
    }
    let names: BTreeSet<String> = vocabulary::architectures().map(str::to_owned).chain(titles).collect();
    Err(format!("the architectures are {}", names.into_iter().collect::<Vec<_>>().join(", ")))
}

/// A time so long that nobody waits for its end; a machine's clock may not count much further.
pub(super) const FOR_EVER: f64 = 1e9;

pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(s) if s > 0.0 => Ok(s.min(FOR_EVER)),
        _ => Err("a number of seconds above 0".into()),
    }
}

/// Where accesses are cut into parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Cut {
    /// Where others overlap them
    Needed,
    /// At every byte
    Bytes,
}

/// Which rounds of loops that try again count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Retries {
    /// Those that no execution does without
    Needed,
    /// All
    All,
}
