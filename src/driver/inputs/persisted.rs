//! Programs that crash: the model of what survives, the file system, and what of the program a crash is about.

use super::messages;
use super::models::{Refusal, Usable, adapt};
use super::settings::Settings;
use crate::algebra::{Model, Sort};
use crate::cat::library::embedded;
use crate::cat::{self, LoadRequest, ModelSource, Vocabulary};
use crate::crash::recovery::{READS, Recovery, is_seen_by};
use crate::llvm::{self, ErrorKind, OwnFile};
use crate::program::Program;
use crate::program::crash::{Lines, Unit};
use crate::verdict::Verdict;
use crate::verdict::crash::Crashes;
use include_dir::{Dir, include_dir};
use std::path::{Path, PathBuf};

/// Where the bundled models of disks are in the library.
const FOLDER: &str = "persistency";
/// Sets whose members the front end makes, whatever the file system.
const MADE: [&str; 4] = [READS, "PBARRIER", "ACK", "CALL"];

/// The word with which a file system has a force fail.
pub const FSYNC_FAILS: &str = "fsync-fails";
/// The word with which it lets the recovery write.
pub const RECOVERY_WRITES: &str = "recovery-writes";

/// File systems that come with hmc.
static FILE_SYSTEMS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/include/fs");
/// The one that programs get when none is named.
const USUAL: &str = "files.c";

/// What a user asks of files after a crash.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Persist {
    /// The model of what survives: the name of a bundled one, or a file.
    pub model: String,
    /// Words for the model (variants) and for the file system (macros).
    pub with: Vec<String>,
    /// The file system, as C; the usual one when none is named.
    pub file_system: Option<PathBuf>,
}

/// Whether a model speaks of what survives a crash.
pub(in crate::driver) fn is_asked(usable: &Usable, settings: &Settings) -> bool {
    settings.persist.is_some() || is_seen_by(&usable.model)
}

/// The names of the bundled models of disks.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = cat::library::embedded_in(FOLDER)
        .into_iter()
        .filter(|name| embedded(&format!("{FOLDER}/{name}.cat")).is_some_and(|text| !text.starts_with("\"Library")))
        .collect();
    names.sort();
    names
}

/// Whether these two are models of disks: bundled ones, or one such and a file.
pub fn are_of_disks(models: [&str; 2]) -> bool {
    let names = names();
    let is_bundled = |model: &str| names.iter().any(|name| name == model) && !Path::new(model).exists();
    let is_one = |model: &&str| is_bundled(model) || (model.ends_with(".cat") && Path::new(model).exists());
    models.iter().any(|model| is_bundled(model)) && models.iter().all(is_one)
}

/// The file system that is compiled with programs.
pub(in crate::driver) fn file_system(settings: &Settings) -> Result<Option<OwnFile>, Vec<llvm::Error>> {
    let Some(persist) = &settings.persist else { return Ok(None) };
    let (name, text) = match &persist.file_system {
        Some(path) => (path.display().to_string(), read(path, settings)?),
        None => {
            let text = FILE_SYSTEMS.get_file(USUAL).and_then(|file| file.contents_utf8()).unwrap_or_default();
            (USUAL.to_owned(), text.to_owned())
        }
    };
    let arguments = persist.with.iter().map(|word| format!("-D{}", macro_of(word))).collect();
    Ok(Some(OwnFile { name, text, arguments, is_users: persist.file_system.is_some() }))
}

fn read(path: &Path, settings: &Settings) -> Result<String, Vec<llvm::Error>> {
    let read = || std::fs::read_to_string(path);
    let text = crate::shelf::keep(settings.shelf.as_ref(), || format!("file system {}", path.display()), read);
    text.map_err(|e| {
        vec![llvm::Error {
            file: path.display().to_string(),
            ..llvm::Error::new(ErrorKind::BadInput, format!("the file system cannot be read: {e}"))
        }]
    })
}

/// The macro of a word, as an argument of clang: `block=4` is `HMC_WITH_BLOCK=4`.
fn macro_of(word: &str) -> String {
    let (name, value) = word.split_once('=').unwrap_or((word, "1"));
    let name: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect();
    format!("HMC_WITH_{name}={value}")
}

/// A program, of which accesses to what survives are events where its recovery is to be run; and that recovery.
pub(in crate::driver) fn prepare(
    mut program: Program,
    usable: &Usable,
    settings: &Settings,
) -> Result<(Program, Option<Crashes>), Refusal> {
    if !is_asked(usable, settings) || program.persistence.recovery.is_none() {
        return Ok((program, None));
    }
    let model = match &settings.persist {
        Some(persist) => load(persist, &program, settings)?,
        None => usable.model.clone(),
    };
    if program.persistence.memory.is_empty() {
        return Err((vec![messages::nothing_persistent()], Verdict::Error));
    }
    program.persistence.is_explored = true;
    program.persistence.recovery_writes = settings.recovery_writes;
    let tagged = program.with_recovery_reads(READS);
    // The model that the program is explored with does not see what the recovery reads.
    program.tags.clone_from(&tagged.tags);
    program.tag_sets.clone_from(&tagged.tag_sets);
    adapt(&mut program, &usable.model);
    let recovery = Recovery::new(&program, &model);
    Ok((program, Some(Crashes::new(recovery))))
}

/// The model of what survives, for a program.
fn load(persist: &Persist, program: &Program, settings: &Settings) -> Result<Model, Refusal> {
    let refuse = |message| (vec![message], Verdict::Error);
    let bundled = format!("{FOLDER}/{}.cat", persist.model.trim_end_matches(".cat"));
    let name = match (Path::new(&persist.model).exists(), embedded(&bundled)) {
        (false, Some(_)) => bundled,
        (true, _) => persist.model.clone(),
        (false, None) => return Err(refuse(messages::no_persistency_model(&persist.model, &names()))),
    };
    let mut request = LoadRequest::of(ModelSource::Named(name));
    request.include_dirs.clone_from(&settings.include_dirs);
    request.variants = persist.with.iter().filter(|word| !word.contains('=')).cloned().collect();
    request.shelf.clone_from(&settings.shelf);
    let text = file_system(settings).ok().flatten().map(|own| own.text).unwrap_or_default();
    let mut vocabulary = Vocabulary::new(None);
    vocabulary.add(program.tags.iter().map(String::as_str).chain(MADE).chain(sets_of(&text)), Sort::Set);
    let loaded = cat::load(&request, &vocabulary)
        .map_err(|errors| (messages::load_errors(&errors, settings.color), Verdict::Error))?;
    if loaded.dynamic {
        return Err(refuse(messages::persistency_not_staged(&persist.model)));
    }
    let texts: Vec<&str> = loaded.model.files.iter().map(|(_, text)| text.as_str()).collect();
    for word in &persist.with {
        let name = macro_of(word);
        let is_macro = text.contains(name.split('=').next().unwrap_or_default());
        let is_variant = texts.iter().any(|text| text.contains(&format!("\"{word}\"")));
        // A file system need not look at who writes.
        if !is_macro && !is_variant && word != RECOVERY_WRITES {
            return Err(refuse(messages::unknown_word(word)));
        }
    }
    Ok(loaded.model)
}

/// The sets that a file system puts its accesses into, also those of functions that a compiler has left out: the first arguments of its calls.
fn sets_of(text: &str) -> impl Iterator<Item = &str> {
    let arguments = text.split("(\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0));
    let is_set = |word: &&str| word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    arguments.flat_map(str::split_whitespace).filter(is_set)
}

/// What is said of the flushes of a litmus test that the model does not see.
pub(in crate::driver) fn unseen_flushes(program: &Program, model: &Model) -> Option<String> {
    const FLUSHES: [&str; 4] = ["ClFlush", "ClFlushOpt", "ClWb", "DC.CVAP"];
    let flushes = |tag: &String| FLUSHES.contains(&tag.as_str());
    let is_seen = model.pool.bases().iter().any(|base| FLUSHES.contains(&base.name.as_str()));
    (program.tags.iter().any(flushes) && !is_seen).then(|| UNSEEN_FLUSHES.to_owned())
}

/// See [`unseen_flushes`].
const UNSEEN_FLUSHES: &str = "the model does not see cache flushes: what memory keeps without power is not looked at";

/// Why nothing is known of what a program finds after a crash, though it has something to say of it.
pub(in crate::driver) fn unasked(program: &Program, usable: &Usable, settings: &Settings) -> Option<String> {
    let names = ["__VERIFIER_recovery_routine", "hmc_recovery"];
    let has_recovery = program.functions.iter().any(|f| names.contains(&f.name.as_str()) && !f.code.is_empty());
    let why = match is_asked(usable, settings) {
        true => "only `hmc check` runs it",
        false => {
            "the model says nothing of crashes (`--persist ext4` for files, `--cat px86` or `--cat parmv8` for persistent memory)"
        }
    };
    has_recovery.then(|| format!("the recovery was not run: {why}"))
}

/// What the program's disk or memory treats as one, where that is a choice.
pub(in crate::driver) fn units(program: &Program, settings: &Settings) -> Option<String> {
    let persistence = &program.persistence;
    if settings.persist.is_some() {
        let block = persistence.units.size(Unit::Block);
        return (block > 0).then(|| format!("a disk writes {block} bytes at once (`--persist-with block=N`)"));
    }
    let lines = match settings.lines {
        Lines::Layout => "variables share lines of the cache of 64 bytes as they are laid out",
        Lines::Variable => "each variable has lines of the cache of its own",
        Lines::Place => "no two places share a line of the cache",
    };
    Some(format!("{lines} (`--lines`)"))
}

/// What is said where a crash may leave a part of an access.
pub(in crate::driver) const PARTS: &str = "accesses of different sizes meet: what a crash leaves of a part of one is judged as if it were an access of its own";
