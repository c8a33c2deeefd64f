//! Takes messages and sends answers.

use super::answers::{actions, completion, diagnostics, lenses, names, rename};
use super::options::Options;
use super::session::{RUN, Refusal, Server};
use crate::cat::Dialect;
use crate::cat::tools::fmt;
use lsp_server::{Connection, ErrorCode, ExtractError, Message, Notification, ProtocolError, Request, Response};
use lsp_types::notification::{
    DidChangeTextDocument, DidChangeWatchedFiles, DidCloseTextDocument, DidOpenTextDocument, DidSaveTextDocument, Exit,
    Notification as _,
};
use lsp_types::request::{
    CodeActionRequest, CodeLensRequest, Completion, ExecuteCommand, Formatting, GotoDefinition, HoverRequest,
    PrepareRenameRequest, References, Rename, Request as _, Shutdown,
};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions, CompletionOptions,
    DocumentFormattingParams, ExecuteCommandOptions, HoverProviderCapability, InitializeParams, OneOf, RenameOptions,
    ServerCapabilities, TextDocumentSyncCapability, TextDocumentSyncKind, TextEdit,
};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};

fn capabilities() -> ServerCapabilities {
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::INCREMENTAL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec!["\"".to_owned(), "-".to_owned()]),
            ..CompletionOptions::default()
        }),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![RUN.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    }
}

/// Answers a client until it ends the conversation.
pub fn serve(connection: &Connection, options: Options) -> Result<(), ProtocolError> {
    let (id, params) = connection.initialize_start()?;
    let about = serde_json::json!({
        "capabilities": capabilities(),
        "serverInfo": { "name": "hmc", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, about)?;
    let client: InitializeParams = serde_json::from_value(params).unwrap_or_default();
    let lens = client.capabilities.workspace.and_then(|workspace| workspace.code_lens);
    let refreshes = lens.and_then(|lens| lens.refresh_support).unwrap_or(false);
    let mut server = Server::new(connection, options, refreshes);
    server.converse();
    server.runs.end();
    Ok(())
}

impl Server<'_> {
    fn converse(&mut self) {
        let mut is_stale = false;
        while let Ok(message) = self.connection.receiver.recv() {
            match message {
                Message::Request(request) => {
                    if request.method == Shutdown::METHOD {
                        self.send(Message::Response(Response::new_ok(request.id, ())));
                        return self.wait_for_exit();
                    }
                    let response = self.answer(request);
                    self.send(Message::Response(response));
                }
                Message::Notification(notification) => is_stale |= self.told(notification),
                Message::Response(_) => {}
            }
            // While the client types on, nobody looks at what is wrong with the text before.
            if is_stale && self.connection.receiver.is_empty() {
                diagnostics::publish(self);
                is_stale = false;
            }
        }
    }

    /// Waits for the client to say that it ends. Until then it may answer what it was asked.
    fn wait_for_exit(&self) {
        let is_exit = |message: &Message| matches!(message, Message::Notification(told) if told.method == Exit::METHOD);
        while self.connection.receiver.recv().is_ok_and(|message| !is_exit(&message)) {}
    }

    /// Takes a notification; whether what is wrong with texts has to be found out anew.
    fn told(&mut self, notification: Notification) -> bool {
        fn params<P: DeserializeOwned>(notification: Notification) -> Option<P> {
            serde_json::from_value(notification.params).ok()
        }
        let changed = match notification.method.as_str() {
            DidOpenTextDocument::METHOD => {
                let Some(lsp_types::DidOpenTextDocumentParams { text_document: opened }) = params(notification) else {
                    return false;
                };
                self.documents.open(opened.uri, &opened.language_id, opened.version, opened.text)
            }
            DidChangeTextDocument::METHOD => {
                let Some(change) = params::<lsp_types::DidChangeTextDocumentParams>(notification) else { return false };
                self.documents.change(&change.text_document.uri, change.text_document.version, change.content_changes);
                self.runs.forget(&change.text_document.uri);
                true
            }
            DidCloseTextDocument::METHOD => {
                let Some(closed) = params::<lsp_types::DidCloseTextDocumentParams>(notification) else { return false };
                self.runs.forget(&closed.text_document.uri);
                if let Some(document) = self.documents.close(&closed.text_document.uri) {
                    diagnostics::clear(self, document.uri);
                }
                true
            }
            DidSaveTextDocument::METHOD | DidChangeWatchedFiles::METHOD => true,
            _ => false,
        };
        if changed {
            self.shelf.forget();
        }
        changed
    }

    /// Answers a question. An error in an answer does not end the conversation.
    fn answer(&mut self, request: Request) -> Response {
        let id = request.id.clone();
        let answered = catch_unwind(AssertUnwindSafe(|| self.answered(request)));
        let internal = || Response::new_err(id, ErrorCode::InternalError as i32, "internal error in hmc".to_owned());
        answered.unwrap_or_else(|_| internal())
    }

    fn answered(&mut self, request: Request) -> Response {
        match request.method.as_str() {
            HoverRequest::METHOD => self.to::<HoverRequest>(request, names::hover),
            GotoDefinition::METHOD => self.to::<GotoDefinition>(request, names::definition),
            References::METHOD => self.to::<References>(request, names::references),
            Completion::METHOD => self.to::<Completion>(request, completion::complete),
            PrepareRenameRequest::METHOD => self.to::<PrepareRenameRequest>(request, rename::prepare),
            Rename::METHOD => self.to::<Rename>(request, rename::rename),
            Formatting::METHOD => self.to::<Formatting>(request, format),
            CodeActionRequest::METHOD => self.to::<CodeActionRequest>(request, actions::actions),
            CodeLensRequest::METHOD => self.to::<CodeLensRequest>(request, lenses::lenses),
            ExecuteCommand::METHOD => self.to::<ExecuteCommand>(request, lenses::execute),
            method => {
                let message = format!("`{method}` is not answered here");
                Response::new_err(request.id, ErrorCode::MethodNotFound as i32, message)
            }
        }
    }

    fn to<R: lsp_types::request::Request>(
        &mut self,
        request: Request,
        answer: impl FnOnce(&mut Self, R::Params) -> Result<R::Result, Refusal>,
    ) -> Response {
        let id = request.id.clone();
        match request.extract::<R::Params>(R::METHOD) {
            Ok((id, params)) => match answer(self, params) {
                Ok(result) => Response::new_ok(id, result),
                Err(why) => Response::new_err(id, ErrorCode::RequestFailed as i32, why),
            },
            Err(ExtractError::JsonError { error, .. }) => {
                Response::new_err(id, ErrorCode::InvalidParams as i32, error.to_string())
            }
            Err(ExtractError::MethodMismatch(_)) => Response { id, result: Some(Value::Null), error: None },
        }
    }
}

/// A model with uniform spacing. Of one with errors nothing changes, as its errors are shown.
fn format(server: &mut Server<'_>, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>, Refusal> {
    use super::documents::Kind;
    let Some(document) = server.documents.get(&params.text_document.uri) else { return Ok(None) };
    if !matches!(document.kind, Kind::Cat | Kind::Bell) {
        return Ok(None);
    }
    let text = &document.text;
    let formatted = fmt::format(text, Dialect::Herd).or_else(|_| fmt::format(text, Dialect::Dartagnan));
    Ok(formatted.ok().map(|new| {
        let whole = super::places::range(text, 0..text.len());
        if new == *text { Vec::new() } else { vec![TextEdit { range: whole, new_text: new }] }
    }))
}
