//! What is wrong with the open texts, as it is typed.

use crate::cat::def;
use crate::editing::{Problem, Reading, test};
use crate::lsp::documents::{Document, Kind};
use crate::lsp::places::range;
use crate::lsp::session::Server;
use lsp_types::notification::PublishDiagnostics;
use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString, PublishDiagnosticsParams, Uri};

/// Tells the client what is wrong with each open text.
pub fn publish(server: &mut Server<'_>) {
    let documents: Vec<Document> = server.documents.iter().cloned().collect();
    for document in documents {
        let diagnostics = problems(server, &document).iter().map(|problem| shown(problem, &document.text)).collect();
        let version = Some(document.version);
        server.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri: document.uri, diagnostics, version });
    }
}

/// A text is closed: nothing is wrong with it.
pub fn clear(server: &Server<'_>, uri: Uri) {
    server.notify::<PublishDiagnostics>(PublishDiagnosticsParams { uri, diagnostics: Vec::new(), version: None });
}

/// What is wrong with a text, with places in it.
pub fn problems(server: &mut Server<'_>, document: &Document) -> Vec<Problem> {
    let text = document.text.as_str();
    match document.kind {
        Kind::Litmus => {
            let macros = server.shelf.macros(document, &server.documents);
            test::problems(text, &document.name(), &macros)
        }
        Kind::Macros => {
            let (_, errors) = def::parse(text);
            errors.iter().map(|error| Problem::of_macros(error, &document.name(), text)).collect()
        }
        Kind::Cat | Kind::Bell => {
            // Bundled files are nobody's to mend.
            if document.path.as_deref().is_some_and(|path| path.starts_with(&server.options.library)) {
                return Vec::new();
            }
            let reading = server.shelf.reading_of(document, &server.documents);
            of_model(&reading, document)
        }
    }
}

/// The problems of a model that are in a text of it. Those of other files stand where these are included.
fn of_model(reading: &Reading, document: &Document) -> Vec<Problem> {
    let own = document.path.as_deref().and_then(|path| reading.file_at(path)).unwrap_or_else(|| reading.root());
    let is_root = own == reading.root();
    let moved = |problem: Problem| match problem.source {
        Some(source) if source == own => Some(problem),
        Some(source) => {
            let include = reading.names.includes.iter().find(|(at, file)| at.file == own && *file == source)?;
            let message = format!("{}, line {}: {}", problem.file, problem.line, problem.message);
            Some(Problem { bytes: include.0.range(), message, label: String::new(), source: None, ..problem })
        }
        None => is_root.then_some(problem),
    };
    reading.remarks().into_iter().filter_map(moved).collect()
}

/// A problem, as the protocol has it.
pub fn shown(problem: &Problem, text: &str) -> Diagnostic {
    let Problem { message, label, help, .. } = problem;
    let mut all = message.clone();
    if !label.is_empty() && label != message {
        all += &format!(" ({label})");
    }
    if !help.is_empty() {
        all += &format!("\n{help}");
    }
    Diagnostic {
        range: range(text, problem.bytes.clone()),
        severity: Some(if problem.severity == "error" {
            DiagnosticSeverity::ERROR
        } else {
            DiagnosticSeverity::WARNING
        }),
        code: Some(NumberOrString::String(problem.code.clone())),
        source: Some("hmc".to_owned()),
        message: all,
        ..Diagnostic::default()
    }
}
