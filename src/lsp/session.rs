//! What questions need: the client, the open texts, the models, the runs.

use super::documents::Documents;
use super::models::Shelf;
use super::options::Options;
use super::runs::Runs;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use std::sync::Arc;

/// Runs a test; its arguments are the address of the test and the model.
pub const RUN: &str = "hmc.run";

/// What questions need.
pub struct Server<'c> {
    /// The client.
    pub connection: &'c Connection,
    /// What the server was started with.
    pub options: Options,
    /// Open texts.
    pub documents: Documents,
    /// Models.
    pub shelf: Shelf,
    /// Tests that run, or have run.
    pub runs: Runs,
    /// Requests that were sent to the client.
    sent: i32,
}

/// Why a question has no answer.
pub type Refusal = String;

impl<'c> Server<'c> {
    /// For a client. `refreshes`: it can be told that lenses have changed.
    pub fn new(connection: &'c Connection, options: Options, refreshes: bool) -> Server<'c> {
        let sender = connection.sender.clone();
        Server {
            connection,
            documents: Documents::default(),
            shelf: Shelf::new(options.clone()),
            runs: Runs::new(Arc::new(move |message| drop(sender.send(message))), refreshes),
            options,
            sent: 0,
        }
    }

    /// Sends a message. A client that has gone away is noticed where its messages end.
    pub fn send(&self, message: Message) {
        let _ = self.connection.sender.send(message);
    }

    /// Tells the client something.
    pub fn notify<N: lsp_types::notification::Notification>(&self, params: N::Params) {
        self.send(Message::Notification(Notification::new(N::METHOD.to_owned(), params)));
    }

    /// Asks the client something, of which the answer does not matter.
    pub fn ask<R: lsp_types::request::Request>(&mut self, params: R::Params) {
        self.sent += 1;
        let id = RequestId::from(format!("hmc-{}", self.sent));
        self.send(Message::Request(Request::new(id, R::METHOD.to_owned(), params)));
    }
}
