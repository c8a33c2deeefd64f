//! What Python asks for, as JSON.

use hmc::cat::LoadRequest;
use hmc::driver::inputs::models::Models;
use hmc::driver::{Settings, Symmetry};
use hmc::explore::Equivalence;
use hmc::explore::parallel::spare::Spare;
use hmc::verdict::{FileResult, Message, Property, Verdict};
use pyo3::PyResult;
use pyo3::exceptions::PyValueError;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A model.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct AskedModel {
    /// A bundled name or a path.
    name: String,
    #[serde(default)]
    bell: Option<PathBuf>,
    #[serde(default)]
    variants: Vec<String>,
    #[serde(default)]
    include: Vec<PathBuf>,
    #[serde(default)]
    skip_checks: Vec<String>,
}

/// What is asked for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asked {
    #[serde(default)]
    pub files: Vec<PathBuf>,
    #[serde(default)]
    pub models: Vec<AskedModel>,
    #[serde(default)]
    clang_args: Vec<String>,
    #[serde(default)]
    clang: Option<PathBuf>,
    #[serde(default)]
    include: Vec<PathBuf>,
    #[serde(default)]
    link: Vec<PathBuf>,
    #[serde(default)]
    entry: Option<String>,
    #[serde(default)]
    keep_going: bool,
    #[serde(default)]
    timeout: Option<f64>,
    #[serde(default)]
    threads: Option<usize>,
    #[serde(default)]
    unroll: Option<u32>,
    #[serde(default)]
    max_events: Option<usize>,
    #[serde(default)]
    properties: Option<Vec<String>>,
    #[serde(default)]
    race_model: Option<AskedModel>,
    #[serde(default)]
    symmetry: Option<String>,
    #[serde(default)]
    equivalence: Option<String>,
    #[serde(default)]
    all_retries: bool,
    #[serde(default)]
    condition_only: bool,
    #[serde(default)]
    coverage: bool,
    #[serde(default)]
    explain: bool,
    #[serde(default)]
    stats: bool,
    #[serde(default)]
    strict: bool,
    #[serde(default)]
    witness: bool,
    #[serde(skip)]
    pub interrupt: Arc<AtomicBool>,
    #[serde(skip)]
    chosen: Vec<Property>,
}

impl Asked {
    /// Reads it.
    pub fn read(text: &str) -> PyResult<Asked> {
        let mut asked: Asked = serde_json::from_str(text).map_err(|e| PyValueError::new_err(e.to_string()))?;
        let property = |name: &String| {
            let known = Property::ALL.into_iter().find(|p| p.name() == name);
            known.ok_or_else(|| {
                let names: Vec<&str> = Property::ALL.iter().map(|p| p.name()).collect();
                PyValueError::new_err(format!("`{name}` is no property: they are {}", names.join(", ")))
            })
        };
        asked.chosen = match &asked.properties {
            Some(names) => names.iter().map(property).collect::<PyResult<_>>()?,
            None => Property::usual(),
        };
        if !matches!(asked.symmetry.as_deref(), None | Some("auto" | "on" | "off")) {
            return Err(PyValueError::new_err("symmetry is auto, on or off"));
        }
        if !matches!(asked.equivalence.as_deref(), None | Some("auto" | "rf" | "rf+co")) {
            return Err(PyValueError::new_err("equivalence is auto, rf or rf+co"));
        }
        Ok(asked)
    }

    /// A model that is loaded when it is needed.
    pub fn loadable(&self, model: &AskedModel) -> (String, Models) {
        let mut request = LoadRequest::named(model.name.clone());
        request.bell.clone_from(&model.bell);
        request.variants.clone_from(&model.variants);
        request.include_dirs.clone_from(&model.include);
        request.skip_checks.clone_from(&model.skip_checks);
        (model.name.clone(), Models::new(request, Vec::new(), false))
    }

    /// How files are checked: as by the command line without other options.
    pub fn settings(&self) -> Settings {
        let threads = self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        Settings {
            unroll: self.unroll,
            max_events: self.max_events,
            all_retries: self.all_retries,
            stats: self.stats,
            timeout: self.timeout.map(Duration::from_secs_f64),
            properties: self.chosen.clone(),
            keep_going: self.keep_going,
            strict: self.strict,
            witness: self.witness,
            condition_only: self.condition_only,
            equivalence: match self.equivalence.as_deref() {
                Some("rf") => Some(Equivalence::ReadsFrom),
                Some("rf+co") => Some(Equivalence::ReadsFromAndCoherence),
                _ => None,
            },
            symmetry: match self.symmetry.as_deref() {
                Some("off") => Symmetry::Off,
                Some("on") => Symmetry::On,
                _ => Symmetry::Auto,
            },
            explain: self.explain,
            coverage: self.coverage,
            include_dirs: self.include.clone(),
            clang: self.clang.clone(),
            clang_args: self.clang_args.clone(),
            linked: self.link.clone(),
            entry: self.entry.clone(),
            race_model: self.race_model.as_ref().map(|model| Arc::new(self.loadable(model))),
            interrupt: self.interrupt.clone(),
            spare: Arc::new(Spare::new(threads.saturating_sub(1))),
            ..Settings::default()
        }
    }
}

/// Why there is no result.
#[derive(Serialize)]
pub struct Failure {
    /// `model`, `program`, `unsupported`, `internal`.
    kind: &'static str,
    messages: Vec<Message>,
    text: String,
}

impl Failure {
    /// From messages.
    pub fn new(messages: &[Message], verdict: Verdict, is_model: bool) -> Failure {
        let is_internal = messages.iter().any(|message| message.code == "hmc::internal");
        let kind = match verdict {
            _ if is_internal => "internal",
            Verdict::Unsupported => "unsupported",
            _ if is_model => "model",
            _ => "program",
        };
        let rendered = messages.iter().map(|m| if m.rendered.is_empty() { &m.message } else { &m.rendered });
        Failure { kind, messages: messages.to_vec(), text: rendered.cloned().collect::<Vec<_>>().join("\n") }
    }

    /// If a result is none.
    pub fn of(result: &FileResult, models: &Models) -> Option<Failure> {
        let saw_nothing = result.executions.complete == 0 && result.violation.is_none() && !result.messages.is_empty();
        let is_failed = result.verdict == Verdict::Error || result.verdict == Verdict::Unsupported && saw_nothing;
        let is_model = || models.get(result.arch.as_deref()).is_err();
        is_failed.then(|| Failure::new(&result.messages, result.verdict, is_model()))
    }
}
