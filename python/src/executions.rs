//! Executions, one by one: a search in a thread of its own, which waits until the next one is asked for, and ends when nobody asks any more.

use super::asked::{Asked, Failure};
use super::{MOMENT, STACK_BYTES};
use hmc::driver::executions::{Shown, each};
use hmc::explore::Go;
use hmc::report::drawn::columns;
use hmc::report::style::Style;
use hmc::verdict::Sources;
use pyo3::exceptions::{PyKeyError, PyRuntimeError};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex};

/// So many executions wait to be asked for.
const AHEAD: usize = 16;

enum News {
    Found(Box<Shown>),
    Failed(String),
}

/// An iterator over executions.
#[pyclass]
pub struct Executions {
    news: Mutex<Receiver<News>>,
    interrupt: Arc<AtomicBool>,
    left: Option<usize>,
}

fn search(asked: &Asked, send: &SyncSender<News>) {
    let (Some(file), Some(model)) = (asked.files.first(), asked.models.first()) else { return };
    let (_, models) = asked.loadable(model);
    let mut see = |shown: Shown| match send.send(News::Found(Box::new(shown))) {
        Ok(()) => Go::On,
        Err(_) => Go::Stop,
    };
    let outcome = each(file, &models, &asked.settings(), &Sources::default(), &mut see);
    if let Err((messages, verdict)) = outcome {
        let failure = Failure::new(&messages, verdict, models.get(None).is_err());
        // Who does not listen has left.
        let _ = send.send(News::Failed(serde_json::to_string(&failure).unwrap_or_default()));
    }
}

#[pymethods]
impl Executions {
    #[new]
    #[pyo3(signature = (asked, limit=None))]
    fn new(asked: &str, limit: Option<usize>) -> PyResult<Executions> {
        let asked = Asked::read(asked)?;
        let interrupt = asked.interrupt.clone();
        let (send, news) = mpsc::sync_channel(AHEAD);
        std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn(move || search(&asked, &send))
            .map_err(|e| PyRuntimeError::new_err(format!("no thread: {e}")))?;
        Ok(Executions { news: Mutex::new(news), interrupt, left: limit })
    }

    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    /// An execution; `None` when there are no more; a text where there are none.
    fn next(&mut self, py: Python<'_>) -> PyResult<Option<(Option<Execution>, Option<String>)>> {
        if self.left == Some(0) {
            self.close();
            return Ok(None);
        }
        let news = &self.news;
        loop {
            let next = py.detach(|| news.lock().ok().map(|news| news.recv_timeout(MOMENT)));
            match next {
                Some(Ok(News::Found(shown))) => {
                    self.left = self.left.map(|left| left - 1);
                    return Ok(Some((Some(Execution { shown: *shown }), None)));
                }
                Some(Ok(News::Failed(failure))) => return Ok(Some((None, Some(failure)))),
                Some(Err(RecvTimeoutError::Timeout)) => {
                    py.check_signals().inspect_err(|_| self.interrupt.store(true, Ordering::Relaxed))?
                }
                _ => return Ok(None),
            }
        }
    }

    /// Ends the search.
    fn close(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
        // Whoever sends next hears that nobody listens.
        let (_, none) = mpsc::sync_channel(0);
        self.news = Mutex::new(none);
    }
}

impl Drop for Executions {
    fn drop(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
    }
}

/// An execution.
#[pyclass(frozen)]
pub struct Execution {
    shown: Shown,
}

#[pymethods]
impl Execution {
    /// What is drawn of it, as JSON.
    fn picture(&self) -> PyResult<String> {
        serde_json::to_string(&self.shown.picture).map_err(|e| PyRuntimeError::new_err(e.to_string()))
    }

    /// How many events there are, initial writes last.
    fn size(&self) -> usize {
        self.shown.events()
    }

    /// Whether it ends in an error.
    fn is_wrong(&self) -> bool {
        self.shown.is_wrong
    }

    /// Names of relations.
    fn names(&self) -> Vec<String> {
        self.shown.names()
    }

    /// The pairs of a relation.
    fn pairs(&self, name: &str) -> PyResult<Vec<(usize, usize)>> {
        self.shown.relation(name).ok_or_else(|| PyKeyError::new_err(name.to_owned()))
    }

    /// Threads as columns.
    fn text(&self) -> String {
        columns::table(&self.shown.picture, columns::Shown::default(), Style::default())
    }
}
