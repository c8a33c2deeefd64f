//! What help lines name, as changes of the text.

use super::diagnostics::{problems, shown};
use crate::editing::fixes;
use crate::lsp::places::range;
use crate::lsp::session::{Refusal, Server};
use lsp_types::{CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, TextEdit, WorkspaceEdit};
use std::collections::HashMap;

/// The changes that problems in a range name.
// The map is the protocol's; the hash of an address is that of its text.
#[allow(clippy::mutable_key_type)]
pub fn actions(server: &mut Server<'_>, params: CodeActionParams) -> Result<Option<Vec<CodeActionOrCommand>>, Refusal> {
    let Some(document) = server.documents.get(&params.text_document.uri).cloned() else { return Ok(None) };
    let mut actions = Vec::new();
    for problem in problems(server, &document) {
        let place = range(&document.text, problem.bytes.clone());
        if place.end < params.range.start || params.range.end < place.start {
            continue;
        }
        let fixes = fixes::of(&problem, &document.text);
        let is_only = fixes.len() == 1;
        for fix in fixes {
            let edit = TextEdit { range: range(&document.text, fix.bytes), new_text: fix.text };
            let changes = HashMap::from([(document.uri.clone(), vec![edit])]);
            actions.push(CodeActionOrCommand::CodeAction(CodeAction {
                title: fix.title,
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(vec![shown(&problem, &document.text)]),
                edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
                is_preferred: Some(is_only),
                ..CodeAction::default()
            }));
        }
    }
    Ok(Some(actions))
}
