//! Answers.

use super::asked::{Asked, AskedModel, AskedTest};
use super::models::{self, Kept};
use hmc::cat::def::MacroTable;
use hmc::cat::tools::fmt;
use hmc::cat::{Dialect, catalogue, def, library};
use hmc::driver::questions::judged::{self, Candidates, Judged, Patience};
use hmc::driver::{self, Settings};
use hmc::editing::offers::WORDS;
use hmc::editing::{Problem, Reading, meaning, test};
use hmc::litmus;
use hmc::verdict::Sources;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

thread_local! {
    static SEEN: Arc<AtomicU64> = Arc::default();
}

/// Executions that the check that is under way has seen.
pub fn seen() -> u64 {
    SEEN.with(|seen| seen.load(Ordering::Relaxed))
}

/// How long candidates are listed, beside the check itself.
const LISTED: Duration = Duration::from_millis(1500);

/// What a page has asked so far.
#[derive(Default)]
pub struct Session {
    kept: Kept,
    candidates: Candidates,
}

impl Session {
    /// The answer to a question: an object, with `error` where the question has no answer.
    pub fn answer(&mut self, question: &str) -> String {
        let answer = match serde_json::from_str(question) {
            Ok(asked) => self.to(asked),
            Err(error) => json!({ "error": format!("no question: {error}") }),
        };
        answer.to_string()
    }

    fn to(&mut self, asked: Asked) -> Value {
        match asked {
            Asked::About => about(),
            Asked::Names { arch } => names(arch.as_deref()),
            Asked::Model { model, arch } => model_told(&model, arch.as_deref()),
            Asked::Test { test, def } => test_told(&test, def.as_deref()),
            Asked::Run { model, test, seconds, most } => self.run(&model, &test, seconds, most),
            Asked::Execution { index } => self.execution(index),
            Asked::Derivation { index, relation, from, to } => {
                let shown = self.candidates.list.get(index).map(|judged| &judged.shown);
                json!({ "derivation": shown.and_then(|shown| shown.derivation(&relation, from, to)) })
            }
            Asked::Format { text } => match fmt::format(&text, Dialect::Herd) {
                Ok(text) => json!({ "text": text }),
                Err(_) => json!({ "error": "a model with errors is not formatted" }),
            },
        }
    }

    fn run(&mut self, model: &AskedModel, test: &AskedTest, seconds: f64, most: usize) -> Value {
        let models = self.kept.get(model);
        let progress = SEEN.with(Arc::clone);
        progress.store(0, Ordering::Relaxed);
        let timeout = Duration::try_from_secs_f64(seconds).ok();
        let settings = Settings { timeout, progress, ..Settings::default() };
        let sources = Sources::default();
        let (name, text) = (test.name.as_str(), test.text.as_str());
        let result = match most {
            0 => driver::check_litmus(name, text, &model.name, &models, &settings, &sources),
            _ => {
                let patience = Patience { most, time: LISTED };
                let (result, candidates) =
                    judged::check_litmus(name, text, &model.name, &models, &settings, &sources, patience);
                self.candidates = candidates;
                result
            }
        };
        let warnings: Vec<String> = models.news().into_iter().map(|message| message.message).collect();
        let mut answer = json!({ "result": result, "log": result.log_text(), "warnings": warnings });
        if most > 0 {
            let Candidates { list, all, looked_at } = &self.candidates;
            let list: Vec<Value> = list.iter().map(listed).collect();
            answer["candidates"] = json!({ "all": all, "looked_at": looked_at, "list": list });
        }
        answer
    }

    fn execution(&self, index: usize) -> Value {
        let Some(judged) = self.candidates.list.get(index) else { return json!({ "error": "no such execution" }) };
        let shown = &judged.shown;
        json!({
            "picture": shown.picture,
            "initial": shown.initial(),
            "relations": shown.relations(),
            "shows": shown.shows(),
        })
    }
}

/// A candidate in a list.
fn listed(judged: &Judged) -> Value {
    let rejection = judged.rejection.as_ref();
    json!({
        "allowed": rejection.is_none(),
        "axiom": rejection.map(|r| &r.axiom),
        "axiom_file": judged.axiom.as_ref().map(|(file, _)| file),
        "axiom_text": judged.axiom.as_ref().map(|(_, text)| text),
        "cycle": rejection.map(|r| &r.cycle),
        "unexplained": rejection.and_then(|r| r.unexplained.as_ref()),
        "state": judged.end.0,
        "satisfies": judged.end.1,
        "flags": judged.flags,
    })
}

fn test_told(asked: &AskedTest, def: Option<&str>) -> Value {
    let mut macros = MacroTable::default();
    macros.extend(def.map(|text| def::parse(text).0).unwrap_or_default());
    let told = test::problems(&asked.text, &asked.name, &Arc::new(macros));
    json!({ "messages": told, "arch": test::arch(&asked.text).map(litmus::Arch::name) })
}

fn about() -> Value {
    let entries = catalogue::entries();
    let of = |name: &String| {
        let stem = name.strip_suffix(".cat")?;
        let text = |extension: &str| library::embedded(&format!("{stem}.{extension}"));
        let entry = entries.get(stem)?;
        Some(json!({
            "name": stem,
            "for": entry.purpose,
            "paper": entry.paper,
            "stronger_than": entry.stronger_than,
            "cat": text("cat"),
            "bell": text("bell"),
            "def": text("def"),
        }))
    };
    let models: Vec<Value> = library::embedded_names().iter().filter_map(of).collect();
    let archs: Vec<&str> = litmus::Arch::ALL.iter().map(|arch| arch.name()).collect();
    json!({ "version": env!("CARGO_PKG_VERSION"), "models": models, "archs": archs })
}

fn names(arch: Option<&str>) -> Value {
    json!({ "names": meaning::base_names(arch), "words": WORDS })
}

fn model_told(asked: &AskedModel, arch: Option<&str>) -> Value {
    let reading = Reading::of(&models::request(asked), arch);
    let mut told = reading.problems();
    if let Some(text) = &asked.def {
        let (_, errors) = def::parse(text);
        told.extend(errors.iter().map(|error| Problem::of_macros(error, "def", text)));
    }
    json!({ "messages": told, "definitions": meaning::definitions(&reading), "checks": reading.checks() })
}
