//! A file under all models named, with other orders: each question is a full run under each of them.

use super::Site;
use super::code::{self, Sites as CodeSites};
use super::litmus::{self, Sites as TestSites};
use super::search::Over;
use crate::clock::Instant;
use crate::driver::inputs::models::{Models, Usable, adapt};
use crate::driver::inputs::{compiling, messages};
use crate::driver::{self, FileKind, Settings};
use crate::litmus::{Quantifier, Test};
use crate::llvm::ir::{Module, Order};
use crate::llvm::{self, CompileRequest};
use crate::verdict::coverage::Coverage;
use crate::verdict::{FileResult, Message, Property, Sources, Verdict};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A file, as it is for one model.
struct Part {
    model: String,
    usable: Arc<Usable>,
    form: Form,
}

enum Form {
    /// With its sites, without and with gaps.
    Code(Box<(CompileRequest, Module, [CodeSites; 2])>),
    Test(Box<(Test, [TestSites; 2])>),
}

/// A file under all models.
pub struct Subject<'a> {
    file: String,
    parts: Vec<Part>,
    settings: Settings,
    sources: &'a Sources,
    coverage: Option<Coverage>,
    doubts: BTreeSet<String>,
}

impl<'a> Subject<'a> {
    /// Reads a file for all models.
    pub fn read(
        file: &Path,
        models: &[(String, Models)],
        settings: &Settings,
        sources: &'a Sources,
    ) -> Result<Subject<'a>, (Vec<Message>, Verdict)> {
        messages::readable(file).map_err(|m| (vec![*m], Verdict::Error))?;
        let read = |model: &(String, Models)| match FileKind::of(file) {
            Some(FileKind::Litmus) => test(file, model, settings, sources),
            Some(FileKind::Code) => {
                let (part, not_compiled) =
                    compiling::within(file, settings, || program(file, model, settings, sources));
                match not_compiled {
                    Some(message) => Err((vec![message], Verdict::Bounded)),
                    None => part,
                }
            }
            Some(FileKind::Assembly) => {
                let message =
                    format!("`{}` is assembly, and orders are looked for in programs and litmus tests", file.display());
                let help = "give the program that it was compiled from";
                Err((vec![messages::bare("hmc::unknown-kind", message, Some(help))], Verdict::Error))
            }
            None => Err((vec![messages::unknown_kind(file)], Verdict::Error)),
        };
        let parts = models.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let subject = Subject {
            file: file.display().to_string(),
            parts,
            settings: settings.clone(),
            sources,
            coverage: None,
            doubts: BTreeSet::new(),
        };
        let differs = subject.parts.iter().find(|part| part.sites(false) != subject.parts[0].sites(false));
        match differs {
            Some(part) => {
                let message = format!(
                    "`{}` has other accesses under {} than under {}",
                    subject.file, part.model, subject.parts[0].model
                );
                let help =
                    "models that come with macros of their own make another program of it: name one model at a time";
                Err((vec![messages::bare("hmc::other-accesses", message, Some(help))], Verdict::Error))
            }
            None => Ok(subject),
        }
    }

    /// The sites; with gaps for fences, where `gaps`.
    pub fn sites(&self, gaps: bool) -> Vec<Site> {
        self.parts.first().map(|part| part.sites(gaps).to_vec()).unwrap_or_default()
    }

    /// Runs the file as it is.
    pub fn as_it_is(&mut self) -> Vec<FileResult> {
        let sites = self.sites(false);
        let today: Vec<Order> = sites.iter().map(|site| site.today).collect();
        let settings = Settings { coverage: true, ..self.settings.clone() };
        let results: Vec<FileResult> =
            self.parts.iter().map(|part| part.run(&self.file, false, &today, &settings, self.sources)).collect();
        self.coverage = results.iter().find_map(|result| result.coverage.clone());
        results
    }

    /// Whether it holds under all models with these orders.
    pub fn holds(&mut self, gaps: bool, orders: &[Order]) -> Result<bool, Over> {
        for part in &self.parts {
            if self.is_over() {
                return Err(Over);
            }
            match part.run(&self.file, gaps, orders, &self.settings, self.sources).verdict {
                Verdict::Holds => {}
                Verdict::Violated => return Ok(false),
                _ if self.is_over() => return Err(Over),
                verdict => {
                    self.doubts.insert(format!(
                        "under {} it is {} with some of the orders tried: these were taken for not good",
                        part.model,
                        verdict.word()
                    ));
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    fn is_over(&self) -> bool {
        self.settings.interrupt.load(Ordering::Relaxed)
            || self.settings.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Why the search stopped.
    pub fn why_over(&self) -> &'static str {
        match self.settings.interrupt.load(Ordering::Relaxed) {
            true => "it was interrupted",
            false => "the time limit was reached (`--timeout`)",
        }
    }

    /// What is to be said about the runs.
    pub fn doubts(&self) -> Vec<String> {
        self.doubts.iter().cloned().collect()
    }

    /// Says so if no model knows what a race is: then none was looked for.
    pub fn unraced(&self) -> Option<String> {
        let is_program = self.parts.iter().any(|part| matches!(part.form, Form::Code(_)));
        let is_asked = self.settings.properties.contains(&Property::Race);
        let is_known = self.parts.iter().any(|part| driver::questions::race_model::are_known(&part.usable));
        (is_program && is_asked && !is_known).then(|| {
            "races were not looked for, since none of the models says what one is: `--cat rc11,…` asks one that does".to_owned()
        })
    }

    /// Whether an execution comes to a site.
    pub fn is_reached(&self, site: &Site) -> bool {
        let files = self.coverage.iter().flat_map(|coverage| &coverage.files);
        let mut own = files.filter(|file| file.file == site.place.file);
        !own.any(|file| file.never_run.contains(&site.place.line))
    }
}

impl Part {
    fn sites(&self, gaps: bool) -> &[Site] {
        match &self.form {
            Form::Code(code) => &code.2[usize::from(gaps)].sites,
            Form::Test(test) => &test.1[usize::from(gaps)].sites,
        }
    }

    fn run(&self, file: &str, gaps: bool, orders: &[Order], settings: &Settings, sources: &Sources) -> FileResult {
        let result = FileResult::new(file, self.model.clone());
        match &self.form {
            Form::Code(code) => {
                let (request, module, sites) = &**code;
                let changed = sites[usize::from(gaps)].changed(module, orders);
                match llvm::build(request, &changed) {
                    Ok(mut program) => {
                        adapt(&mut program, &self.usable.model);
                        driver::code::examine(&program, &self.usable, settings, sources, result)
                    }
                    Err(errors) => {
                        let (messages, verdict) = driver::code::refusal(&errors, settings, sources);
                        result.failed(messages, verdict)
                    }
                }
            }
            Form::Test(test) => {
                let (test, sites) = &**test;
                let program = sites[usize::from(gaps)].changed(&test.program, orders);
                let changed = Test { program, ..test.clone() };
                let result = driver::litmus::examine(&changed, &self.usable, Instant::now(), settings, sources, result);
                judged(test.quantifier, result)
            }
        }
    }
}

/// A litmus test holds when what its condition asks for is not there, and what it demands is: `exists` asks for what should not be.
fn judged(quantifier: Quantifier, result: FileResult) -> FileResult {
    let is_good = match quantifier {
        Quantifier::Exists => result.positive == Some(0),
        Quantifier::NotExists | Quantifier::Forall => result.condition.as_deref() == Some("Ok"),
    };
    let is_undefined = result.flags.iter().any(|flag| flag.undefined);
    match result.verdict {
        // Executions may be missing: that none is bad says nothing.
        Verdict::Holds if result.open && is_good => FileResult { verdict: Verdict::Bounded, ..result },
        Verdict::Holds | Verdict::Violated if !is_good || is_undefined => {
            FileResult { verdict: Verdict::Violated, ..result }
        }
        _ => result,
    }
}

/// What is wrong, in one sentence.
pub fn what_is_wrong(result: &FileResult) -> Option<String> {
    let finding = || {
        let finding = result.violation.as_ref()?;
        let place = finding.place.as_ref().map(|p| format!("{}:{}: ", p.file, p.line)).unwrap_or_default();
        Some(format!("under {}: {place}{} ({})", result.model, finding.message, finding.kind))
    };
    let outcome = || match (&result.observation, result.verdict) {
        (Some(observation), Verdict::Violated) => {
            Some(format!("under {}: the outcome is there ({observation})", result.model))
        }
        _ => None,
    };
    finding().or_else(outcome)
}

type Read = Result<Part, (Vec<Message>, Verdict)>;

fn program(file: &Path, (name, models): &(String, Models), settings: &Settings, sources: &Sources) -> Read {
    let usable = models.get(settings.arch.as_deref())?;
    let refuse = |errors: Vec<llvm::Error>| driver::code::refusal(&errors, settings, sources);
    let request = driver::code::request(file, &usable, usable.knows_threads, settings).map_err(refuse)?;
    let (module, _) = llvm::read(&request).map_err(refuse)?;
    let sites = [false, true].map(|gaps| code::sites(&module, gaps));
    Ok(Part { model: name.clone(), usable, form: Form::Code(Box::new((request, module, sites))) })
}

fn test(file: &Path, (name, models): &(String, Models), settings: &Settings, sources: &Sources) -> Read {
    let (test, usable) = driver::litmus::read(file, models, settings, sources)?;
    let is_kernel = usable.loaded.bell.as_ref().is_some_and(|bell| bell.annotations().contains("ONCE"));
    let sites = [false, true].map(|gaps| litmus::sites(&test, is_kernel, gaps));
    Ok(Part { model: name.clone(), usable, form: Form::Test(Box::new((test, sites))) })
}
