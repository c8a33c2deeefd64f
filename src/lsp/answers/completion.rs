//! What can be written at a place.

use super::names::{place, reading};
use crate::editing::offers::{self, Offer, Offered};
use crate::editing::{Reading, test};
use crate::lsp::documents::Kind;
use crate::lsp::session::{Refusal, Server};
use lsp_types::{CompletionItem, CompletionItemKind, CompletionParams, CompletionResponse, Documentation};
use std::sync::Arc;

/// What can be written here.
pub fn complete(server: &mut Server<'_>, params: CompletionParams) -> Result<Option<CompletionResponse>, Refusal> {
    let Some((document, at)) = place(server, &params.text_document_position) else { return Ok(None) };
    let offers = match document.kind {
        Kind::Cat | Kind::Bell => {
            let (mut reading, _) = reading(server, &document);
            if is_unreadable(&reading) {
                // What is being written is no instruction yet.
                let text = without_line(&document.text, at);
                let again = server.shelf.reading_with_text(&reading, &document, &server.documents, text);
                reading = Arc::new(again);
            }
            offers::at(&document.text, at, &reading, None, &beside(document.path.as_deref()))
        }
        Kind::Litmus => {
            let macros = server.shelf.macros(&document, &server.documents);
            test::offers(&document.text, at, &macros)
        }
        Kind::Macros => Vec::new(),
    };
    Ok(Some(CompletionResponse::Array(offers.into_iter().map(item).collect())))
}

/// Whether a model has a syntax error.
fn is_unreadable(reading: &Reading) -> bool {
    reading.loaded.as_ref().is_err_and(|errors| errors.diagnostics.iter().any(|error| error.code().starts_with("C1")))
}

/// A text with blanks instead of the line of a byte.
fn without_line(text: &str, byte: usize) -> String {
    let start = text[..byte].rfind('\n').map_or(0, |end| end + 1);
    let end = text[byte..].find('\n').map_or(text.len(), |end| byte + end);
    format!("{}{}{}", &text[..start], " ".repeat(end - start), &text[end..])
}

/// Models in the folder of a file.
fn beside(path: Option<&std::path::Path>) -> Vec<String> {
    let entries = path.and_then(|path| std::fs::read_dir(path.parent()?).ok());
    let names = entries.into_iter().flatten().flatten().filter(|entry| Some(entry.path().as_path()) != path);
    let names = names.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".cat")).collect();
    names.sort();
    names
}

fn item(offer: Offer) -> CompletionItem {
    let kind = match offer.what {
        Offered::Word => CompletionItemKind::KEYWORD,
        Offered::Set => CompletionItemKind::CLASS,
        Offered::Relation => CompletionItemKind::FIELD,
        Offered::Function => CompletionItemKind::FUNCTION,
        Offered::File => CompletionItemKind::FILE,
        Offered::Variable => CompletionItemKind::VARIABLE,
        Offered::Instruction => CompletionItemKind::OPERATOR,
    };
    CompletionItem {
        label: offer.text,
        kind: Some(kind),
        detail: Some(offer.detail).filter(|detail| !detail.is_empty()),
        documentation: offer.about.map(Documentation::String),
        ..CompletionItem::default()
    }
}
