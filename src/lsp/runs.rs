//! Tests that run beside the conversation.

use super::documents::Document;
use crate::driver::inputs::models::Models;
use crate::driver::{self, Settings};
use crate::verdict::{FileResult, Sources, Verdict};
use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::notification::{LogMessage, Notification as _};
use lsp_types::request::{CodeLensRefresh, Request as _};
use lsp_types::{LogMessageParams, MessageType, Uri};
use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Room for the recursion that parsers bound.
const STACK_BYTES: usize = 64 << 20;

/// What is known of a test under a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// It is being checked.
    Running,
    /// What came of it.
    Done(String),
}

struct Entry {
    state: State,
    interrupt: Arc<AtomicBool>,
    /// Which run it is: one that was forgotten has nothing to say.
    number: u64,
}

/// Address of the test, name of the model.
type Key = (String, String);
type Table = Arc<Mutex<HashMap<Key, Entry>>>;
/// What sends the client a message.
pub type Outlet = Arc<dyn Fn(Message) + Send + Sync>;

/// The tests that run or have run.
pub struct Runs {
    table: Table,
    send: Outlet,
    refreshes: bool,
    started: u64,
}

fn locked(table: &Table) -> MutexGuard<'_, HashMap<Key, Entry>> {
    // A thread that panicked here left the table as it was.
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Runs {
    /// None yet. `refreshes`: the client can be told that lenses have changed.
    pub fn new(send: Outlet, refreshes: bool) -> Runs {
        Runs { table: Table::default(), send, refreshes, started: 0 }
    }

    /// Whether the client can be told that lenses have changed.
    pub fn refreshes(&self) -> bool {
        self.refreshes
    }

    /// What is known of a test under a model.
    pub fn state(&self, uri: &Uri, model: &str) -> Option<State> {
        locked(&self.table).get(&(uri.as_str().to_owned(), model.to_owned())).map(|entry| entry.state.clone())
    }

    /// The text of a test, or a model, has changed: nothing is known.
    pub fn forget(&mut self, uri: &Uri) {
        let path = super::uri::path(uri).map(|path| super::documents::real(&path).display().to_string());
        locked(&self.table).retain(|(test, model), entry| {
            let stays = test != uri.as_str() && path.as_deref() != Some(model.as_str());
            if !stays {
                entry.interrupt.store(true, Ordering::Relaxed);
            }
            stays
        });
    }

    /// Ends all runs.
    pub fn end(&mut self) {
        locked(&self.table).drain().for_each(|(_, entry)| entry.interrupt.store(true, Ordering::Relaxed));
    }

    /// Starts a run; whether that is possible.
    pub fn start(&mut self, document: &Document, model: &str, models: Arc<Models>, timeout: Duration) -> bool {
        let key: Key = (document.uri.as_str().to_owned(), model.to_owned());
        let interrupt = Arc::new(AtomicBool::new(false));
        self.started += 1;
        let number = self.started;
        let entry = Entry { state: State::Running, interrupt: interrupt.clone(), number };
        if let Some(old) = locked(&self.table).insert(key.clone(), entry) {
            old.interrupt.store(true, Ordering::Relaxed);
        }
        let settings = Settings { interrupt, timeout: Some(timeout), ..Settings::default() };
        let (table, send, refreshes) = (self.table.clone(), self.send.clone(), self.refreshes);
        let (name, text, model, own) = (document.name(), document.text.clone(), model.to_owned(), key.clone());
        let work = move || {
            let sources = Sources::default();
            let run = || driver::check_litmus(&name, &text, &model, &models, &settings, &sources);
            let result = catch_unwind(AssertUnwindSafe(run)).ok();
            let said = result.as_ref().map_or_else(|| "internal error in hmc".to_owned(), summary);
            match locked(&table).get_mut(&own).filter(|entry| entry.number == number) {
                Some(entry) => entry.state = State::Done(said.clone()),
                None => return,
            }
            let log = result.as_ref().and_then(FileResult::log_text).unwrap_or_default();
            let message = format!("{name}: {said}\n{log}");
            let params = LogMessageParams { typ: MessageType::INFO, message };
            send(Message::Notification(Notification::new(LogMessage::METHOD.to_owned(), params)));
            if refreshes {
                let id = RequestId::from(format!("hmc-run-{number}"));
                send(Message::Request(Request::new(id, CodeLensRefresh::METHOD.to_owned(), ())));
            }
        };
        let is_started = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work).is_ok();
        if !is_started {
            locked(&self.table).remove(&key);
        }
        is_started
    }
}

/// A result in a few words: what herd's log says of it, and how many executions there are.
fn summary(result: &FileResult) -> String {
    let why = || {
        let message = result.messages.first().map(|message| message.message.clone());
        message.or_else(|| result.notes.first().cloned()).unwrap_or_default()
    };
    let first_line = |text: String| text.lines().next().unwrap_or_default().to_owned();
    match (result.verdict, &result.observation) {
        (Verdict::Error | Verdict::Unsupported, _) | (_, None) => {
            format!("{}: {}", result.verdict.word(), first_line(why()))
        }
        (verdict, Some(observation)) => {
            let count = result.executions.complete;
            let s = if count == 1 { "" } else { "s" };
            let flags: Vec<&str> = result.flags.iter().map(|flag| flag.name.as_str()).collect();
            let flags = if flags.is_empty() { String::new() } else { format!(", flag {}", flags.join(", ")) };
            let cut = if verdict == Verdict::Bounded { ", not all were looked at" } else { "" };
            format!("{observation}, {count} execution{s}{flags}{cut}")
        }
    }
}
