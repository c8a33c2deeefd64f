//! How far a search came, kept beside its tests for `--resume`.

use super::{Session, failed, output};
use crate::cli::args::SynthArgs;
use crate::synth::programs::program::Program;
use crate::synth::programs::vocabulary::Vocabulary;
use crate::synth::{Begun, Suite};
use crate::verdict::Message;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

const FILE: &str = "search.json";

/// What identifies a search.
pub struct Record {
    key: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    /// Of the model, the lattice and the options.
    key: String,
    complete: usize,
    parts: BTreeSet<usize>,
    programs: Vec<String>,
    looked_at: u64,
}

impl Record {
    /// The search that the arguments ask for; its size is none of its marks.
    pub fn new(args: &SynthArgs, session: &Session) -> Record {
        let mut hash = Sha256::new();
        for (_, text) in &session.loaded.model.files {
            hash.update(text);
        }
        let request = session.request(args);
        hash.update(format!(
            "{:?} {:?} {:?} {:?} {:?}",
            session.vocabulary, request.minimality, request.relaxations, args.threads_max, args.addresses_max
        ));
        Record { key: hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect() }
    }

    /// Where the search ended before; its beginning unless it is resumed.
    pub fn begun(&self, args: &SynthArgs, vocabulary: &Vocabulary) -> Result<Begun, Vec<Message>> {
        let Some(directory) = args.output.as_ref().filter(|_| args.resume) else { return Ok(Begun::default()) };
        let file = directory.join(FILE);
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            // Nothing was begun.
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Begun::default()),
            Err(e) => return Err(failed(format!("`{}` cannot be read: {e}", file.display()), "leave out `--resume`")),
        };
        let damaged =
            |e: String| failed(format!("`{}` is no record of a search: {e}", file.display()), "leave out `--resume`");
        let kept: Kept = serde_json::from_str(&text).map_err(|e| damaged(e.to_string()))?;
        if kept.key != self.key {
            let message = format!("`{}` is of another search", file.display());
            return Err(failed(
                message,
                "the model, the lattice, --minimal, --relaxations, --threads-max and --addresses-max have to be the same",
            ));
        }
        let programs = kept.programs.iter().map(|text| Program::parse(text, vocabulary));
        let programs = programs.collect::<Result<_, _>>().map_err(damaged)?;
        Ok(Begun { complete: kept.complete, parts: kept.parts, programs, looked_at: kept.looked_at })
    }

    /// Keeps where the search ended.
    pub fn keep(&self, args: &SynthArgs, vocabulary: &Vocabulary, found: &Suite) -> Result<(), Vec<Message>> {
        let Some(directory) = &args.output else { return Ok(()) };
        let kept = Kept {
            key: self.key.clone(),
            complete: found.complete,
            parts: found.parts.clone(),
            programs: found.tests.iter().map(|test| test.program.text(vocabulary)).collect(),
            looked_at: found.programs,
        };
        // Plain data with string keys: serialisation cannot fail.
        let text = serde_json::to_string(&kept).unwrap_or_default();
        let written = std::fs::create_dir_all(directory).and_then(|()| std::fs::write(directory.join(FILE), text));
        written.map_err(|e| output::not_written(directory, &e))
    }
}
