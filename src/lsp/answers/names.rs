//! What a name means, where it is defined and where it is used.

use crate::cat::source::Span;
use crate::editing::{Reading, meaning, rename, test};
use crate::lsp::bundled;
use crate::lsp::documents::{Document, Kind};
use crate::lsp::places::{byte, range};
use crate::lsp::session::{Refusal, Server};
use crate::lsp::uri;
use lsp_types::{
    GotoDefinitionParams, GotoDefinitionResponse, Hover, HoverContents, HoverParams, Location, MarkupContent,
    MarkupKind, Range, ReferenceParams, TextDocumentPositionParams,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An open text and a byte of it.
pub fn place(server: &Server<'_>, at: &TextDocumentPositionParams) -> Option<(Document, usize)> {
    let document = server.documents.get(&at.text_document.uri)?.clone();
    let byte = byte(&document.text, at.position);
    Some((document, byte))
}

/// The model that a text is part of, and the text's number in it.
pub fn reading(server: &mut Server<'_>, document: &Document) -> (Arc<Reading>, u32) {
    let reading = server.shelf.reading_of(document, &server.documents);
    let file = document.path.as_deref().and_then(|path| reading.file_at(path)).unwrap_or_else(|| reading.root());
    (reading, file)
}

fn is_model(document: &Document) -> bool {
    matches!(document.kind, Kind::Cat | Kind::Bell)
}

/// What is shown over a name.
pub fn hover(server: &mut Server<'_>, params: HoverParams) -> Result<Option<Hover>, Refusal> {
    let Some((document, at)) = place(server, &params.text_document_position_params) else { return Ok(None) };
    let found = if is_model(&document) {
        let (reading, file) = reading(server, &document);
        reading
            .names
            .at(file, at)
            .and_then(|(place, meant)| Some((place.range(), meaning::shown(&reading, place, &meant, None)?)))
    } else if document.kind == Kind::Litmus {
        let usable = server.shelf.of_test(&document, &server.documents);
        let def = usable.as_ref().and_then(|usable| usable.macro_texts.first());
        test::meaning(&document.text, at, def.map(|(name, text)| (name.as_str(), text.as_str())))
    } else {
        None
    };
    Ok(found.map(|(bytes, value)| Hover {
        contents: HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value }),
        range: Some(range(&document.text, bytes)),
    }))
}

/// A place in one of the files of a model, for the client to open.
fn location(server: &Server<'_>, reading: &Reading, span: Span, own: &Document) -> Option<Location> {
    let file = reading.file(span.file);
    let range = range(&file.text, span.range());
    let uri = match reading.path(span.file) {
        // As the client calls it, where it is open.
        Some(path) => match server.documents.at(&crate::lsp::documents::real(path)) {
            Some(open) => open.uri.clone(),
            None => uri::of(&crate::lsp::documents::real(path))?,
        },
        None if span.file == reading.root() => own.uri.clone(),
        None => uri::of(&bundled::written(&file.name, &server.options.library)?)?,
    };
    Some(Location { uri, range })
}

/// Where a name is defined; of an include, the file.
pub fn definition(
    server: &mut Server<'_>,
    params: GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>, Refusal> {
    let Some((document, at)) = place(server, &params.text_document_position_params) else { return Ok(None) };
    if document.kind == Kind::Litmus {
        let first = test::places(&document.text, at).ok().and_then(|(_, places)| places.into_iter().next());
        let here = first.map(|bytes| Location { uri: document.uri.clone(), range: range(&document.text, bytes) });
        return Ok(here.map(GotoDefinitionResponse::Scalar));
    }
    if !is_model(&document) {
        return Ok(None);
    }
    let (reading, file) = reading(server, &document);
    let spans: Vec<Span> = match reading.names.included_at(file, at) {
        Some(included) => vec![Span::new(included, 0, 0)],
        None => {
            let meant = reading.names.at(file, at).map(|(_, meant)| meant).unwrap_or_default();
            meant.iter().map(|&index| reading.names.definitions[index].place).collect()
        }
    };
    let found: Vec<Location> = spans.iter().filter_map(|&span| location(server, &reading, span, &document)).collect();
    Ok((!found.is_empty()).then_some(GotoDefinitionResponse::Array(found)))
}

/// Where a name is used, in all models that the file is part of.
pub fn references(server: &mut Server<'_>, params: ReferenceParams) -> Result<Option<Vec<Location>>, Refusal> {
    let Some((document, at)) = place(server, &params.text_document_position) else { return Ok(None) };
    if document.kind == Kind::Litmus {
        let places = test::places(&document.text, at).map(|(_, places)| places).unwrap_or_default();
        let here = |bytes| Location { uri: document.uri.clone(), range: range(&document.text, bytes) };
        return Ok(Some(places.into_iter().map(here).collect()));
    }
    if !is_model(&document) {
        return Ok(None);
    }
    let with_definitions = params.context.include_declaration;
    if let Some(path) = &document.path {
        let readings = server.shelf.readings_with(path, &server.documents);
        if let Ok(found) = rename::find(&readings, path, at) {
            let mut all = Vec::new();
            for (path, places) in &found.places {
                let Some(reading) = readings.iter().find(|reading| reading.file_at(path).is_some()) else { continue };
                let Some(file) = reading.file_at(path) else { continue };
                let defined = found.definitions.get(path).filter(|_| !with_definitions);
                for place in places.iter().filter(|place| defined.is_none_or(|defined| !defined.contains(place))) {
                    all.extend(location(server, reading, Span::new(file, place.0, place.1), &document));
                }
            }
            return Ok(Some(all));
        }
    }
    // What executions give, and what bundled files define, is used in this model at these places.
    let (reading, file) = reading(server, &document);
    let Some((place, meant)) = reading.names.at(file, at) else { return Ok(None) };
    let name = reading.text(place);
    let spans: BTreeSet<Span> = match meant.is_empty() {
        true => {
            let uses = reading.names.uses.iter();
            uses.filter(|(span, meant)| meant.is_empty() && reading.text(**span) == name)
                .map(|(span, _)| *span)
                .collect()
        }
        false => reading.names.places(&reading.names.class(&meant), with_definitions),
    };
    let own = spans.into_iter().filter(|span| reading.path(span.file).is_some() || span.file == reading.root());
    Ok(Some(own.filter_map(|span| location(server, &reading, span, &document)).collect()))
}

/// The range of the name at a byte of a text.
pub fn range_of(document: &Document, place: Span) -> Range {
    range(&document.text, place.range())
}
