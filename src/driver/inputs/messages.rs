//! Problems of the input, made presentable: a code, a place, the lines of the file.

use super::kind::FileKind;
use crate::algebra::{Check, Model, Role};
use crate::cat::LoadErrors;
use crate::cat::def::DefError;
use crate::cat::diagnostics::{Diagnostic, architecture_mismatch, render};
use crate::cat::{reference, source};
use crate::litmus;
use crate::llvm;
use crate::program::Program;
use crate::report::drawn::snippet;
use crate::report::style::Style;
use crate::verdict::expected::{self, Expectations};
use crate::verdict::{FileResult, Message, Place, Sources};
use std::io::Read;
use std::path::Path;

/// Said where all executions end before their ends.
pub const NONE_COMPLETE: &str = "no execution is complete, so nothing was looked at to its end";
/// Larger files are refused.
const LARGEST: u64 = 64 << 20;
/// The code of a model that failed before.
const MODEL_FAILED: &str = "hmc::model-failed";
/// Room for the text of a usual litmus test.
const USUAL: usize = 4 << 10;

/// A problem that is about no place in a file.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct Bare {
    code: String,
    message: String,
    help: Option<String>,
}

impl miette::Diagnostic for Bare {
    fn code<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        Some(Box::new(&self.code))
    }

    fn help<'a>(&'a self) -> Option<Box<dyn std::fmt::Display + 'a>> {
        self.help.as_ref().map(|h| Box::new(h) as Box<dyn std::fmt::Display>)
    }
}

/// A message without a place.
pub fn bare(code: &str, message: impl Into<String>, help: Option<&str>) -> Message {
    let help = help.or_else(|| usual_help(code));
    let bare = Bare { code: code.to_owned(), message: message.into(), help: help.map(str::to_owned) };
    let mut rendered = String::new();
    let theme = miette::GraphicalTheme::unicode_nocolor();
    let handler = miette::GraphicalReportHandler::new_themed(theme).with_links(false).with_width(110);
    if handler.render_report(&mut rendered, &bare).is_err() {
        rendered = bare.message.clone();
    }
    Message { code: bare.code, message: bare.message, place: None, help: bare.help, rendered }
}

/// What to do about a problem, where nothing more is known of it than its code.
fn usual_help(code: &str) -> Option<&'static str> {
    Some(match code {
        "hmc::clang-ended" => "`--timeout` sets the time",
        "hmc::clang-rejects" => "arguments for clang follow `--` at the end of the command line",
        "hmc::file-missing" => "names are relative to the directory in which hmc was started",
        "hmc::file-unreadable" => "is it a file that you may read?",
        "hmc::file-unwritable" => "is there such a directory, and may you write there?",
        "hmc::internal" => "please report this, with the command line and the files",
        "hmc::not-utf8" => "save the file as UTF-8",
        "hmc::rustc-rejects" => "arguments for rustc follow `--` at the end of the command line",
        "hmc::recorded-results" => {
            "give a table (first line `test`, tab, …), a log of herd, litmus or hmc, or a JSON report of hmc"
        }
        _ => return None,
    })
}

/// A check for which the model has no answer for an execution. The field's reference tool ends at an assertion that fails, and does not
/// come to an end in a recursion that never settles.
pub fn no_answer(check: &Check, model: &Model, color: bool) -> Message {
    let name = check.name.as_ref().map(|name| format!(" `{name}`")).unwrap_or_default();
    let (message, help) = match check.role {
        Role::Settle => (
            format!("the recursive definition{name} never settles in an execution"),
            "more in its value makes for less in the next: a recursion that only adds comes to an end",
        ),
        _ => (
            format!("the model's assertion{name} fails in an execution"),
            "what a model asserts has to hold in every execution that its other checks allow",
        ),
    };
    in_model(&message, help, (check.place.0, check.place.1.start), model, color)
}

/// The model cannot be evaluated on an execution.
pub fn failed_evaluation(error: &reference::value::Error, model: &Model, color: bool) -> Message {
    let message = format!("the model cannot be evaluated: {}", error.message);
    let help = "this part of the model depends on the execution, and has no value in one of this program";
    in_model(&message, help, (error.span.file, error.span.range().start), model, color)
}

fn in_model(message: &str, help: &str, (file, at): (u32, usize), model: &Model, color: bool) -> Message {
    let code = "hmc::model-evaluation";
    let Some((name, text)) = model.files.get(file as usize) else { return bare(code, message, Some(help)) };
    let (line, column) = litmus::error::line_column(text, at);
    let sources = Sources::default();
    sources.insert(name, text);
    placed(code, message, Some(help), Place { file: name.clone(), line, column }, &sources, color)
}

fn boxed(code: &str, message: impl Into<String>, help: Option<&str>) -> Box<Message> {
    Box::new(bare(code, message, help))
}

/// Whether a file can be read at all; its length.
pub fn readable(file: &Path) -> Result<u64, Box<Message>> {
    let name = file.display();
    let metadata = match std::fs::metadata(file) {
        Ok(metadata) => metadata,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return Err(boxed("hmc::file-missing", format!("there is no file `{name}`"), None));
        }
        Err(e) => return Err(boxed("hmc::file-unreadable", format!("`{name}` cannot be read: {e}"), None)),
    };
    if metadata.is_dir() {
        let help = "a directory is searched for litmus tests only when it is named itself";
        return Err(boxed("hmc::not-a-file", format!("`{name}` is a directory"), Some(help)));
    }
    if !metadata.is_file() {
        // A pipe that nobody writes to would be waited for without end.
        let help = "tests and programs are read from files that are there to stay";
        return Err(boxed("hmc::not-a-file", format!("`{name}` is a pipe or a device"), Some(help)));
    }
    if metadata.len() == 0 {
        return Err(boxed("hmc::file-empty", format!("`{name}` is empty"), None));
    }
    if metadata.len() > LARGEST {
        return Err(boxed("hmc::file-too-large", format!("`{name}` is larger than 64 MiB"), None));
    }
    Ok(metadata.len())
}

/// The text of a file. What kind of file it is is asked only when there is no text: batches are of many small files.
pub fn text_of(file: &Path) -> Result<String, Box<Message>> {
    let name = file.display();
    let mut bytes = Vec::with_capacity(USUAL);
    let read = std::fs::File::open(file).and_then(|opened| opened.take(LARGEST + 1).read_to_end(&mut bytes));
    if !matches!(read, Ok(1..) if bytes.len() as u64 <= LARGEST) {
        readable(file)?;
        read.map_err(|e| boxed("hmc::file-unreadable", format!("`{name}` cannot be read: {e}"), None))?;
    }
    let text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        boxed("hmc::not-utf8", format!("`{name}` is not UTF-8 text (byte {at})"), None)
    })?;
    Ok(source::without_mark(text))
}

/// A file whose extension says nothing.
pub fn unknown_kind(file: &Path) -> Message {
    let help =
        "known are .litmus, .c, .cc, .cpp, .cxx, .rs, .ll and .s; a directory; and @LIST, a file that lists files";
    bare("hmc::unknown-kind", format!("`{}` has no extension that says what it is", file.display()), Some(help))
}

/// A program whose threads cannot be run without its `main`.
pub fn not_only_starting(file: &Path, why: &str) -> Message {
    let help = "compiled threads run without `main`, which has to create them, join them, and nothing else that they or the outcome could see";
    bare("hmc::not-only-starting", format!("`main` of `{}` {why}", file.display()), Some(help))
}

/// A file that clang does not compile.
pub fn not_compiled(file: &Path) -> Message {
    let help = match FileKind::of(file) {
        Some(FileKind::Assembly) => {
            "`hmc FILE.s` checks assembly; `hmc compiled --assembly FILE.s PROGRAM.c` compares it with its source"
        }
        _ => "`hmc compiled` compares programs in C and C++ at -O0 with the same at the levels behind `--`",
    };
    bare("hmc::not-compiled", format!("`{}` is not compiled by clang", file.display()), Some(help))
}

/// Names that are to be observed, and are no variables of the program.
pub fn no_variables(names: &[String], program: &Program) -> Vec<Message> {
    let known = program.variables.iter().map(|variable| program.objects[variable.object as usize].name.as_str());
    let known: Vec<&str> = known.take(16).collect();
    let help = match known[..] {
        [] => "the program has no global variables that it may change".to_owned(),
        _ => format!("global variables of the program: {}", known.join(", ")),
    };
    let message = |name: &String| {
        let message = format!("`--observe {name}`: the program has no global variable of this name");
        bare("hmc::no-variable", message, Some(&help))
    };
    names.iter().map(message).collect()
}

/// No function of a program is an operation of the specification.
pub fn nothing_specified(operations: &[String]) -> Message {
    let message = format!("the program defines none of the functions {}", operations.join(", "));
    let help = "`--linearizable queue:FUNCTION,FUNCTION` names them; a C file defines functions with the names of the program's";
    bare("hmc::specification", message, Some(help))
}

/// A call that a specification cannot be asked about.
pub fn not_specified(reason: &str) -> Message {
    let help = "a specification is sequential C: its functions take the arguments of the program's, with or without the object, and end";
    bare("hmc::specification", reason, Some(help))
}

/// A program with a recovery has nothing for it to find.
pub fn nothing_persistent() -> Message {
    let message = "there is a recovery, and no memory of the program survives a crash";
    bare(
        "hmc::persistency",
        message,
        Some("`hmc_persistent` of <hmc.h> says of a variable that it survives; files survive with `--persist ext4`"),
    )
}

/// A model of what survives that is not there.
pub fn no_persistency_model(name: &str, known: &[String]) -> Message {
    let message = format!("`--persist {name}`: there is no such model");
    let help = format!("bundled are {}; any other is the name of a file, as in `--persist my.cat`", known.join(", "));
    bare("hmc::persistency", message, Some(&help))
}

/// A model of what survives of which a part can only be evaluated on executions.
pub fn persistency_not_staged(name: &str) -> Message {
    let message = format!("`--persist {name}`: a part of the model can only be evaluated on executions");
    bare("hmc::persistency", message, Some("`hmc model check` says which; functions over sets of sets are such parts"))
}

/// A word that neither the file system nor its model knows.
pub fn unknown_word(word: &str) -> Message {
    let message = format!("`--persist-with {word}`: neither the model nor the file system asks for it");
    let help = "block=N, largest=N, nodelalloc, writeback, data-journal, errors are words of the usual file system";
    bare("hmc::persistency", message, Some(help))
}

/// The tests of a file of kernel tests that were asked for; all, when none was.
pub fn chosen_tests(file: &Path, tests: Vec<String>, asked: &[String]) -> Result<Vec<String>, Box<Message>> {
    let file = file.display();
    if tests.is_empty() {
        let help = "a test is `HMC_TEST(name) { … }` behind `#include <hmc/linux.h>`; `--entry` names another function to begin in";
        return Err(Box::new(bare(
            "hmc::no-kernel-tests",
            format!("`{file}` has no test of kernel files"),
            Some(help),
        )));
    }
    if let Some(unknown) = asked.iter().find(|name| !tests.contains(name)) {
        let message = format!("`{file}` has no test `{unknown}`");
        let help = format!("its tests: {}", tests.join(", "));
        return Err(Box::new(bare("hmc::no-kernel-tests", message, Some(&help))));
    }
    Ok(tests.into_iter().filter(|test| asked.is_empty() || asked.contains(test)).collect())
}

/// A litmus test that is to be linked with something.
pub fn not_a_program(file: &Path) -> Message {
    let help = "`--link` and `--entry` are for programs in C, C++ and LLVM IR";
    bare(
        "hmc::not-a-program",
        format!("`{}` is a litmus test, which has no files to link and no entry", file.display()),
        Some(help),
    )
}

/// What a file is told of a model that could not be loaded before, for these reasons.
pub fn model_failed(reasons: &[Message]) -> Message {
    bare(MODEL_FAILED, why_unchecked(reasons), None)
}

/// A file that was not checked because of its model is named: the messages about a model are told once, and name no test.
pub fn name_unchecked(result: &mut FileResult) {
    let has = |code: &str| result.messages.iter().any(|m| m.code == code);
    let told = result.messages.iter().find(|m| m.code == MODEL_FAILED).map(|m| m.message.clone());
    let Some(why) = told.or_else(|| has(architecture_mismatch::KIND.code).then(|| why_unchecked(&result.messages)))
    else {
        return;
    };
    result.messages.retain(|m| m.code != MODEL_FAILED);
    result.messages.push(bare(MODEL_FAILED, format!("`{}` was not checked: {why}", result.file), None));
}

/// A model that needs scopes, which no execution has.
pub fn needs_scopes(title: &str, names: &[String]) -> Message {
    let message = format!(
        "the model `{title}` needs scopes of threads and memory ({}), which no test here has",
        names.join(", ")
    );
    let help =
        "models of GPUs and other models with scopes can be looked at (`hmc model info`), but nothing runs under them";
    bare("hmc::needs-scopes", message, Some(help))
}

fn why_unchecked(reasons: &[Message]) -> String {
    match reasons.iter().any(|m| m.code == architecture_mismatch::KIND.code) {
        true => "its model is for another architecture (`--no-arch-check` runs it all the same)".to_owned(),
        false => "its model could not be loaded: see the first message about that".to_owned(),
    }
}

/// The errors of loading a model.
pub fn load_errors(errors: &LoadErrors, color: bool) -> Vec<Message> {
    errors.diagnostics.iter().map(|d| of_diagnostic(d, &errors.sources, color)).collect()
}

/// A diagnostic of a model.
pub fn of_diagnostic(diagnostic: &Diagnostic, sources: &source::Sources, color: bool) -> Message {
    let place = diagnostic.span().map(|span| {
        let (line, column) = sources.line_column(span);
        Place { file: sources.file(span.file).name.to_string(), line: line as u32, column: column as u32 }
    });
    Message {
        code: diagnostic.code().to_owned(),
        message: diagnostic.message().to_owned(),
        place,
        help: Some(diagnostic.help_text().to_owned()),
        rendered: render::render(diagnostic, sources, color),
    }
}

/// Reads the results of an earlier run that is to be gone on with. Before it has written anything, nothing is answered.
pub fn earlier(file: &Path) -> Result<Expectations, Box<Message>> {
    match std::fs::metadata(file) {
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(Expectations::default()),
        Ok(metadata) if metadata.is_file() && metadata.len() == 0 => Ok(Expectations::default()),
        _ => recorded(file),
    }
}

/// Reads a file of recorded results.
pub fn recorded(file: &Path) -> Result<Expectations, Box<Message>> {
    let bytes = std::fs::read(file).map_err(|e| {
        let message = format!("`{}` cannot be read: {e}", file.display());
        boxed("hmc::file-unreadable", message, None)
    })?;
    let text = source::without_mark(String::from_utf8_lossy(&bytes).into_owned());
    expected::read(file, &text).map_err(|problem| {
        let line = if problem.line > 0 { format!(":{}", problem.line) } else { String::new() };
        let message = format!("`{}{line}` has no results to compare with: {}", file.display(), problem.message);
        boxed("hmc::recorded-results", message, None)
    })
}

fn placed(code: &str, message: &str, help: Option<&str>, place: Place, sources: &Sources, color: bool) -> Message {
    let label = help.unwrap_or("here").to_owned();
    let rendered = snippet::draw_places(
        message,
        code,
        None,
        &[(place.clone(), label)],
        sources,
        Style { color, ..Style::default() },
    );
    Message {
        code: code.to_owned(),
        message: message.to_owned(),
        place: Some(place),
        help: help.map(str::to_owned),
        rendered,
    }
}

/// An error in a macro file.
pub fn def_error(error: &DefError, name: &str, text: &str, color: bool) -> Message {
    let (line, column) = litmus::error::line_column(text, error.span.start);
    let sources = Sources::default();
    sources.insert(name, text);
    let place = Place { file: name.to_owned(), line, column };
    let help = "a macro is `NAME(X) expression` or `NAME(X, Y) { instructions }`, as in `READ_ONCE(X) __load{once}(X)`";
    placed("hmc::macro-file", &error.message, Some(help), place, &sources, color)
}

/// An error in a litmus test.
pub fn litmus_error(error: &litmus::Error, name: &str, text: &str, sources: &Sources, color: bool) -> Message {
    let (line, column) = litmus::error::line_column(text, error.span.start);
    let place = Place { file: name.to_owned(), line, column };
    placed(error.code, &error.message, Some(error.advice()), place, sources, color)
}

/// An error of the front end for C.
pub fn code_error(error: &llvm::Error, sources: &Sources, color: bool) -> Message {
    let code = match error.kind {
        llvm::ErrorKind::ClangMissing => "hmc::clang-missing",
        llvm::ErrorKind::ClangFailed => "hmc::clang-rejects",
        llvm::ErrorKind::RustcMissing => "hmc::rustc-missing",
        llvm::ErrorKind::RustcFailed => "hmc::rustc-rejects",
        llvm::ErrorKind::BadInput => "hmc::bad-input",
        llvm::ErrorKind::Unsupported => "hmc::unsupported",
    };
    let help = error.help.as_deref().or_else(|| usual_help(code));
    if error.line > 0 {
        let place = Place { file: error.file.clone(), line: error.line, column: error.column };
        return placed(code, &error.message, help, place, sources, color);
    }
    let message = match error.file.as_str() {
        "" => error.message.clone(),
        file => format!("{file}: {}", error.message),
    };
    bare(code, message, help)
}
