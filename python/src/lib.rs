//! The native half of the Python package `hmc`: what is asked and answered goes through as JSON, but for executions, which stay here.
//!
//! A search runs in a thread of its own with room for deep recursion; the caller waits for it without the interpreter's lock, and Ctrl-C ends it.

mod asked;
mod executions;

use asked::{Asked, Failure};
use hmc::driver;
use hmc::report::style::Style;
use hmc::report::{SCHEMA, Tool, human};
use hmc::verdict::{FileResult, Sources, Verdict};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use serde_json::json;
use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Room for the recursion of parsers.
const STACK_BYTES: usize = 64 << 20;
/// How often it is looked whether the user wants an end.
const MOMENT: Duration = Duration::from_millis(50);

/// Does something in a thread of its own, until it is done or the user wants an end.
fn aside<R: Send>(py: Python<'_>, interrupt: &Arc<AtomicBool>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        let run = move || {
            let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
            // Somebody waits for it.
            let _ = send.send(());
            done
        };
        let thread = std::thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, run)
            .map_err(|e| PyRuntimeError::new_err(format!("no thread: {e}")))?;
        let receive = std::sync::Mutex::new(receive);
        let wait = || receive.lock().ok().map(|receive| receive.recv_timeout(MOMENT));
        let mut wanted = Ok(());
        while matches!(py.detach(wait), Some(Err(RecvTimeoutError::Timeout))) {
            if wanted.is_ok() {
                wanted = py.check_signals();
                if wanted.is_err() {
                    interrupt.store(true, Ordering::Relaxed);
                }
            }
        }
        let done = py.detach(|| thread.join());
        wanted?;
        match done {
            Ok(Ok(done)) => Ok(done),
            _ => Err(PyRuntimeError::new_err("internal error in hmc: please report it")),
        }
    })
}

/// Checks files under models. Gives the JSON report, and the messages of each result as text.
#[pyfunction]
fn check(py: Python<'_>, asked: &str) -> PyResult<String> {
    let asked = Asked::read(asked)?;
    let interrupt = asked.interrupt.clone();
    let answer = aside(py, &interrupt, || {
        let sources = Sources::default();
        let mut results: Vec<FileResult> = Vec::new();
        let mut failure = None;
        for file in &asked.files {
            for model in &asked.models {
                let (name, models) = asked.loadable(model);
                // What is wrong with a model is told as such.
                let result = driver::check(file, &name, &models, &asked.settings(), &sources);
                failure = failure.or_else(|| Failure::of(&result, &models));
                results.push(result);
            }
        }
        let texts: Vec<String> = results.iter().map(|result| human::body(result, &sources, Style::default())).collect();
        let report = json!({ "schema": SCHEMA, "tool": Tool::this(), "results": results });
        json!({ "report": report, "texts": texts, "failure": failure }).to_string()
    })?;
    Ok(answer)
}

/// What is to be known of a model.
#[pyfunction]
fn model(py: Python<'_>, asked: &str) -> PyResult<String> {
    let asked = Asked::read(asked)?;
    aside(py, &asked.interrupt.clone(), || {
        let Some(model) = asked.models.first() else { return json!({}).to_string() };
        let (name, models) = asked.loadable(model);
        match models.get(None) {
            Ok(usable) => {
                let own = |check: &&hmc::algebra::Check| check.place != (0, 0..0);
                let checks: Vec<&str> =
                    usable.model.checks.iter().filter(own).filter_map(|check| check.name.as_deref()).collect();
                let names: Vec<&str> = usable.model.definitions.iter().map(|(name, _)| name.as_str()).collect();
                json!({
                    "name": name,
                    "title": usable.model.title,
                    "arch": usable.model.arch,
                    "checks": checks,
                    "definitions": names,
                    "sha256": usable.sha256,
                })
                .to_string()
            }
            Err((messages, verdict)) => json!({ "failure": Failure::new(&messages, verdict, true) }).to_string(),
        }
    })
}

/// Compares the executions of a program with those of a stronger model.
#[pyfunction]
fn robust(py: Python<'_>, asked: &str) -> PyResult<String> {
    let asked = Asked::read(asked)?;
    aside(py, &asked.interrupt.clone(), || {
        let (Some(file), [weak, strong]) = (asked.files.first(), asked.models.as_slice()) else {
            return json!({}).to_string();
        };
        let models = [asked.loadable(weak), asked.loadable(strong)];
        let sources = Sources::default();
        let result = driver::questions::robust::check(file, [&models[0], &models[1]], &asked.settings(), &sources);
        let failure =
            matches!(result.verdict, Verdict::Error).then(|| Failure::new(&result.messages, result.verdict, false));
        let text = hmc::report::robust::text(&result, &sources, Style::default());
        json!({ "report": result, "text": text, "failure": failure }).to_string()
    })
}

/// A picture of an execution as SVG.
#[pyfunction]
fn svg(picture: &str, title: &str, marked: Vec<u32>) -> PyResult<String> {
    let picture = serde_json::from_str(picture).map_err(|e| PyRuntimeError::new_err(e.to_string()))?;
    let drawing = hmc::report::Drawing {
        picture: &picture,
        title,
        marked: &marked,
        cycle: &[],
        relations: None,
        numbers: None,
        letter: hmc::report::EVENT,
    };
    Ok(hmc::report::drawn::svg::picture(&drawing))
}

/// The names of the bundled models.
#[pyfunction]
fn bundled() -> Vec<String> {
    let names = hmc::cat::library::embedded_names().into_iter();
    names.filter_map(|name| name.strip_suffix(".cat").map(str::to_owned)).collect()
}

/// The command line; gives the exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| hmc::cli::main_with(arguments))
}

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(model, module)?)?;
    module.add_function(wrap_pyfunction!(robust, module)?)?;
    module.add_function(wrap_pyfunction!(svg, module)?)?;
    module.add_function(wrap_pyfunction!(bundled, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)?;
    module.add_class::<executions::Executions>()?;
    module.add_class::<executions::Execution>()
}
