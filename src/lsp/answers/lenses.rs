//! *Run this test*, above each test, with what came of it.

use crate::litmus::split;
use crate::lsp::documents::Kind;
use crate::lsp::places::range;
use crate::lsp::runs::State;
use crate::lsp::session::{RUN, Refusal, Server};
use lsp_types::notification::ShowMessage;
use lsp_types::request::CodeLensRefresh;
use lsp_types::{CodeLens, CodeLensParams, Command, ExecuteCommandParams, MessageType, ShowMessageParams, Uri};
use serde_json::Value;
use std::path::Path;
use std::str::FromStr;

/// The lenses of a text.
pub fn lenses(server: &mut Server<'_>, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>, Refusal> {
    let Some(document) = server.documents.get(&params.text_document.uri).cloned() else { return Ok(None) };
    if document.kind != Kind::Litmus {
        return Ok(None);
    }
    let header = range(&document.text, split::first_word(&document.text));
    let lens = |model: String| {
        let name = Path::new(&model).file_stem().map_or(model.clone(), |stem| stem.to_string_lossy().into_owned());
        let title = match server.runs.state(&document.uri, &model) {
            None => format!("▶ Run this test under {name}"),
            Some(State::Running) => format!("… running under {name}"),
            Some(State::Done(said)) => format!("{name}: {said}"),
        };
        let arguments = vec![Value::from(document.uri.as_str()), Value::from(model)];
        CodeLens {
            range: header,
            command: Some(Command { title, command: RUN.to_owned(), arguments: Some(arguments) }),
            data: None,
        }
    };
    let models = server.shelf.for_test(&document, &server.documents);
    Ok(Some(models.into_iter().map(lens).collect()))
}

/// Runs a test. What comes of it is in its lens.
pub fn execute(server: &mut Server<'_>, params: ExecuteCommandParams) -> Result<Option<Value>, Refusal> {
    if params.command != RUN {
        return Err(format!("`{}` is no command of hmc", params.command));
    }
    let [Some(uri), Some(model)] = [0, 1].map(|at| params.arguments.get(at).and_then(Value::as_str)) else {
        return Err(format!("`{RUN}` takes the address of a test and a model"));
    };
    let uri = Uri::from_str(uri).map_err(|why| format!("`{uri}` is no address: {why}"))?;
    let Some(document) = server.documents.get(&uri).cloned().filter(|document| document.kind == Kind::Litmus) else {
        return Err(format!("`{}` is no open test", uri.as_str()));
    };
    let models = server.shelf.usable(model, &server.documents);
    if !server.runs.start(&document, model, models, server.options.timeout) {
        let message = "no thread can be started for the test".to_owned();
        server.notify::<ShowMessage>(ShowMessageParams { typ: MessageType::ERROR, message });
    }
    if server.runs.refreshes() {
        server.ask::<CodeLensRefresh>(());
    }
    Ok(None)
}
