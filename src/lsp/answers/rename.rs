//! Another spelling for a name, in all files.

use super::names::{place, range_of, reading};
use crate::editing::{rename, test};
use crate::lsp::documents::{Document, Kind};
use crate::lsp::places::range;
use crate::lsp::session::{Refusal, Server};
use crate::lsp::uri;
use lsp_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit};
use std::collections::HashMap;

/// Whether there is a name here, and where it stands.
pub fn prepare(
    server: &mut Server<'_>,
    params: TextDocumentPositionParams,
) -> Result<Option<PrepareRenameResponse>, Refusal> {
    let Some((document, at)) = place(server, &params) else { return Ok(None) };
    if document.kind == Kind::Litmus {
        let (_, places) = test::places(&document.text, at)?;
        let here = places.into_iter().find(|place| place.start <= at && at <= place.end);
        return Ok(here.map(|bytes| PrepareRenameResponse::Range(range(&document.text, bytes))));
    }
    found(server, &document, at)?;
    let (reading, file) = reading(server, &document);
    let here = reading.names.at(file, at).map(|(place, _)| range_of(&document, place));
    Ok(here.map(PrepareRenameResponse::Range))
}

/// The name in a model, with all its places.
fn found(server: &mut Server<'_>, document: &Document, at: usize) -> Result<rename::Found, Refusal> {
    let path = match (document.kind, &document.path) {
        (Kind::Cat | Kind::Bell, Some(path)) => path,
        (Kind::Cat | Kind::Bell, None) => return Err("the text is in no file yet: save it first".to_owned()),
        _ => return Err("names are changed in models and tests".to_owned()),
    };
    let readings = server.shelf.readings_with(path, &server.documents);
    let found = rename::find(&readings, path, at)?;
    match found.name.starts_with('\'') {
        true => Err(format!("`{}` is a tag: macro files and sets of events have names made of it", found.name)),
        false => Ok(found),
    }
}

/// The changes that give a name another spelling.
// The map is the protocol's; the hash of an address is that of its text.
#[allow(clippy::mutable_key_type)]
pub fn rename(server: &mut Server<'_>, params: RenameParams) -> Result<Option<WorkspaceEdit>, Refusal> {
    let Some((document, at)) = place(server, &params.text_document_position) else { return Ok(None) };
    let new = params.new_name.as_str();
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    if document.kind == Kind::Litmus {
        let (_, places) = test::places(&document.text, at)?;
        let macros = server.shelf.macros(&document, &server.documents);
        if let Some(why) = test::refusal(&document.text, new, &macros) {
            return Err(why);
        }
        let edit = |bytes| TextEdit { range: range(&document.text, bytes), new_text: new.to_owned() };
        changes.insert(document.uri.clone(), places.into_iter().map(edit).collect());
        return Ok(Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }));
    }
    let found = found(server, &document, at)?;
    if !rename::is_name(new) {
        return Err(format!(
            "`{new}` is no name: it starts with a letter, has letters, digits, `_`, `.`, `-`, and is no word of the language"
        ));
    }
    let path = document.path.as_deref().unwrap_or_else(|| std::path::Path::new(""));
    let readings = server.shelf.readings_with(path, &server.documents);
    let mut all = readings;
    for other in found.places.keys() {
        for reading in server.shelf.readings_with(other, &server.documents) {
            if !all.iter().any(|own| std::sync::Arc::ptr_eq(own, &reading)) {
                all.push(reading);
            }
        }
    }
    let load = |reading: &crate::editing::Reading, texts| server.shelf.request_for(reading, &server.documents, texts);
    rename::keeps_meaning(&all, &found, new, load)?;
    for (path, places) in &found.places {
        let text = all.iter().find_map(|reading| Some(reading.file(reading.file_at(path)?).text.clone()));
        let Some(text) = text else { continue };
        let uri = match server.documents.at(path) {
            Some(open) => Some(open.uri.clone()),
            None => uri::of(path),
        };
        let uri = uri.ok_or_else(|| format!("`{}` has no address", path.display()))?;
        let edit =
            |&(start, end): &(usize, usize)| TextEdit { range: range(&text, start..end), new_text: new.to_owned() };
        changes.insert(uri, places.iter().map(edit).collect());
    }
    Ok(Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }))
}
