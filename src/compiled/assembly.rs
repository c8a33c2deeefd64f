//! Compiled assembly against the source: the threads of a program under the model of a processor.
//!
//! Load buffering is said apart: RC11 forbids it to keep values from coming out of thin air, and compilers and processors do not. An outcome that C11 as it was
//! published allows is no fault of the compiler.

use super::compare::{Input, Source, Way, against_source};
use super::{Answer, Compiled, Level};
use crate::assembly::Target;
use crate::cat::LoadRequest;
use crate::driver::Settings;
use crate::driver::assembly::{Code, outcomes};
use crate::driver::inputs::models::Models;
use crate::driver::inputs::usual::{self, C11 as RC11};
use crate::driver::inputs::{compiling, messages};
use crate::driver::questions::started::{Started, started};
use crate::llvm::{self, TempFile};
use crate::verdict::{FileResult, Message, Verdict};
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The model that allows load buffering.
const BUFFERING: &str = "c11";

/// What assembly is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The processors to compile for.
    pub targets: &'a [Target],
    /// The compilers; clang when there are none.
    pub compilers: &'a [PathBuf],
    /// Files that were compiled already.
    pub files: &'a [PathBuf],
}

/// Compares the assembly of a program with its source.
pub fn check(input: Input<'_>, asked: Asked<'_>, settings: &Settings) -> Compiled {
    // Threads that nobody creates are started by a `main` of our own.
    let (wrapper, wrapped) = match with_main(input.file) {
        Ok(Some(wrapper)) => (Some(wrapper), true),
        Ok(None) | Err(_) => (None, false),
    };
    let source_file = wrapper.as_ref().map_or(input.file, TempFile::path);
    let source_input = Input { file: source_file, ..input };
    let ways = Way::all(asked.compilers, &settings.clang_args);
    // The source is run as hmc compiles it, on no processor.
    let mut plain = Way { clang: None, ..Way::plain(&ways) };
    plain.arguments.retain(|argument| !argument.starts_with("-m"));
    let mut compiled = against_source(source_input, &plain, settings, |source, settings| {
        let all = Comparison {
            input: source_input,
            file: input.file,
            source,
            settings,
            plain: &plain,
            buffering: OnceCell::new(),
        };
        all.levels(asked, &ways)
    });
    if wrapped {
        compiled.file = input.file.display().to_string();
    }
    compiled
}

/// A program that is compared.
struct Comparison<'a> {
    /// The source, with a `main`.
    input: Input<'a>,
    /// What is compiled.
    file: &'a Path,
    source: &'a Source,
    settings: &'a Settings,
    plain: &'a Way,
    /// Outcomes of the source where load buffering is allowed.
    buffering: OnceCell<BTreeSet<String>>,
}

impl Comparison<'_> {
    fn levels(&self, asked: Asked<'_>, ways: &[Way]) -> Vec<Level> {
        let plain = Settings { clang_args: self.plain.arguments.clone(), ..self.settings.clone() };
        let started = match started(self.input.file, &self.input.model.1, &plain, self.input.sources) {
            Ok(started) => started,
            Err((messages, verdict)) => return vec![failed("assembly".to_owned(), messages, verdict)],
        };
        let mut all = Vec::new();
        for file in asked.files {
            let name = file.display().to_string();
            all.push(match messages::text_of(file) {
                Err(message) => failed(name, vec![*message], Verdict::Error),
                Ok(text) => match Target::of(&text) {
                    Some(target) => self.level(&name, &Code { name: &name, text: &text, target }, &started),
                    None => failed(name, vec![messages::unknown_kind(file)], Verdict::Error),
                },
            });
        }
        for &target in asked.targets {
            all.extend(ways.iter().map(|way| self.compiled(target, way, &started)));
        }
        all
    }

    fn compiled(&self, target: Target, way: &Way, started: &Started) -> Level {
        let name = format!("{} {}", target.name(), way.name);
        let compile = || llvm::assembly::of(self.file, target.name(), way.clang.as_deref(), &way.arguments);
        let (text, not_compiled) = compiling::within(self.file, self.settings, compile);
        match (text, not_compiled) {
            (_, Some(message)) => failed(name, vec![message], Verdict::Bounded),
            (Err(error), None) => {
                let message = messages::code_error(&error, self.input.sources, self.settings.color);
                failed(name, vec![message], Verdict::Error)
            }
            (Ok(text), None) => {
                let file = format!("{} ({name}).s", self.file.display());
                self.level(&name, &Code { name: &file, text: &text, target }, started)
            }
        }
    }

    fn level(&self, name: &str, code: &Code<'_>, started: &Started) -> Level {
        let model = usual::of_arch(code.target.arch());
        let models = Models::new(LoadRequest::named(model), Vec::new(), self.settings.color);
        let run = |known: Arc<BTreeSet<String>>| {
            let settings = Settings { known_outcomes: Some(known), ..self.settings.clone() };
            outcomes(code, started, (model, &models), &settings, self.input.sources)
        };
        let mut result = run(self.source.known());
        let all = self.source.new_outcomes(&result);
        let allowed = if all.is_empty() { &BTreeSet::new() } else { self.buffering() };
        let (load_buffering, new_outcomes): (Vec<String>, Vec<String>) =
            all.into_iter().partition(|o| allowed.contains(o));
        if !load_buffering.is_empty() && !new_outcomes.is_empty() {
            // The execution that is shown is one that nothing allows.
            result = run(Arc::new(self.source.known().iter().chain(&load_buffering).cloned().collect()));
        }
        let new_findings = self.source.new_findings(&result);
        let exceeds = !new_outcomes.is_empty() || !new_findings.is_empty();
        let execution = if exceeds { result.witness.take() } else { None };
        Level { execution, ..self.source.judged(name, result, new_outcomes, new_findings, load_buffering) }
    }

    /// What the source may do where load buffering is allowed, if its own model is the one that forbids it.
    fn buffering(&self) -> &BTreeSet<String> {
        self.buffering.get_or_init(|| {
            if self.input.model.0 != RC11 {
                return BTreeSet::new();
            }
            let models = Models::new(LoadRequest::named(BUFFERING), Vec::new(), self.settings.color);
            let model = (BUFFERING.to_owned(), models);
            let result: FileResult = self.plain.run(Input { model: &model, ..self.input }, None, self.settings);
            result.states.into_iter().collect()
        })
    }
}

/// A way of which nothing can be said.
fn failed(name: String, messages: Vec<Message>, verdict: Verdict) -> Level {
    let answer = match verdict {
        Verdict::Error => Answer::Error,
        Verdict::Bounded => Answer::Bounded,
        _ => Answer::Unsupported,
    };
    Level { answer, messages, ..Level::named(name) }
}

/// A program whose threads are its functions P0, P1, …, and which has no `main`: the same with one that creates and joins them.
fn with_main(file: &Path) -> std::io::Result<Option<TempFile>> {
    let text = std::fs::read_to_string(file)?;
    let calls = |name: &str| {
        let begins = |at: usize| !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        text.match_indices(name).any(|(at, _)| begins(at) && text[at + name.len()..].trim_start().starts_with('('))
    };
    let count = (0..).take_while(|i| calls(&format!("P{i}"))).count();
    if count == 0 || calls("main") {
        return Ok(None);
    }
    let path = file.canonicalize()?;
    let create = |i| format!("    pthread_create(&t[{i}], 0, (void *(*)(void *))P{i}, 0);\n");
    let join = |i| format!("    pthread_join(t[{i}], 0);\n");
    let body: String = (0..count).map(create).chain((0..count).map(join)).collect();
    let name = file.file_name().map_or("program.c".into(), |name| name.to_string_lossy());
    let text = format!(
        "#include \"{}\"\n#include <pthread.h>\nint main(void) {{\n    pthread_t t[{count}];\n{body}    return 0;\n}}\n",
        path.display()
    );
    TempFile::new(&name, &text).map(Some)
}
