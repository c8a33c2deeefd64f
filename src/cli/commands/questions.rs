//! `hmc model compare|properties|claim`: questions about models.

use crate::cat::{self, LoadRequest, Loaded};
use crate::cli::args::{ClaimArgs, CompareArgs, MappingArgs, PropertiesArgs, QuestionArgs};
use crate::cli::exit::BAD_INPUT;
use crate::cli::interrupt::interrupt;
use crate::cli::output::out::{say, tell};
use crate::cli::output::width::{color, styled};
use crate::cli::synth::lattice;
use crate::driver::inputs::messages;
use crate::kernel::plan::Kind;
use crate::questions::assume::{self, Assumption};
use crate::questions::compare::{self, Comparison, Named, Open, Relation, Search, Verdict};
use crate::questions::mapping::{self, Compiler, Question};
use crate::questions::properties::{self, Bound, Property};
use crate::questions::prove::Answer;
use crate::questions::refute::Subject;
use crate::questions::text;
use crate::report::human;
use crate::synth::Progress;
use crate::synth::judge;
use crate::synth::minimal::judge::Judge;
use crate::synth::programs::vocabulary::Vocabulary;
use crate::verdict::Message;
use serde_json::json;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How often it is looked whether the search is to end.
const TICK: Duration = Duration::from_millis(50);
/// The answer is yes, no, or not known.
const YES: u8 = 0;
const NO: u8 = 1;
const UNKNOWN: u8 = 3;

fn failed(message: String, help: &str) -> Vec<Message> {
    vec![messages::bare("hmc::question", message, Some(help))]
}

fn ended(result: Result<u8, Vec<Message>>) -> u8 {
    result.unwrap_or_else(|messages| {
        tell(&human::messages(&messages, styled(&std::io::stderr())));
        BAD_INPUT
    })
}

fn load(name: &str, arch: Option<&str>, question: &QuestionArgs) -> Result<Loaded, Vec<Message>> {
    let mut request = LoadRequest::named(name);
    request.include_dirs.clone_from(&question.include);
    request.arch = arch.map(str::to_owned);
    request.free_orders = true;
    cat::load(&request, &cat::Vocabulary::new(arch))
        .map_err(|errors| messages::load_errors(&errors, color(&std::io::stderr())))
}

fn assumptions(all: &[String], arch: Option<&str>) -> Result<Vec<Assumption>, Vec<Message>> {
    let mut read = Vec::new();
    for text in all {
        let own = assume::parse(text, arch).map_err(|message| {
            failed(message, "an assumption is `expr <= expr` or `expr = expr`; `docs/questions.md` has examples")
        })?;
        read.extend(own);
    }
    Ok(read)
}

/// Runs a search until it ends, is interrupted, or its time is over.
fn watched<T: Send>(timeout: Option<f64>, work: impl FnOnce(&Progress) -> T + Send) -> T {
    let progress = Progress::default();
    let interrupt = interrupt();
    let deadline = timeout.map(|s| Instant::now() + Duration::from_secs_f64(s));
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| work(&progress));
        while !worker.is_finished() {
            std::thread::park_timeout(TICK);
            if deadline.is_some_and(|d| Instant::now() >= d) || interrupt.load(Ordering::Relaxed) {
                progress.stop.store(true, Ordering::Relaxed);
            }
        }
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Runs `hmc model compare`.
pub fn compare(args: &CompareArgs) -> u8 {
    ended(compared(args))
}

fn compared(args: &CompareArgs) -> Result<u8, Vec<Message>> {
    let question = &args.question;
    let names = [args.first.as_str(), args.second.as_str()];
    let mut arch = question.arch.clone();
    if arch.is_none() {
        let claims = [load(names[0], None, question)?, load(names[1], None, question)?].map(|l| l.model.arch);
        if let [Some(a), Some(b)] = &claims
            && a != b
        {
            let message = format!("`{}` is for {a}, `{}` for {b}: no execution is of both", names[0], names[1]);
            return Err(failed(message, "compare each with a model without an architecture, such as sc, tso or pso"));
        }
        arch = claims.into_iter().flatten().next();
    }
    let arch = arch.as_deref();
    let loaded = [load(names[0], arch, question)?, load(names[1], arch, question)?];
    let assumptions = assumptions(&args.assume, arch)?;
    let vocabulary = vocabulary(question, names[0], arch)?;
    let judges = judges(&loaded, vocabulary.as_ref());
    let search = vocabulary.as_ref().zip(judges.as_ref()).map(|(vocabulary, [a, b])| Search {
        vocabulary,
        judges: [a, b],
        size: usize::from(question.size),
        workers: usize::from(question.threads),
    });
    let models = [0, 1].map(|i| Named { name: names[i], loaded: &loaded[i] });
    let found =
        watched(question.timeout, |progress| compare::compare(models, arch, &assumptions, search.as_ref(), progress));
    let found = found.map_err(|message| failed(message, "`docs/questions.md` says what can be asked"))?;
    say(&match question.json {
        true => as_json(&found),
        false => text::comparison(&found),
    });
    Ok(match found.relation {
        Relation::Equivalent => YES,
        Relation::Unknown => {
            let refuted = found.directions.iter().any(|d| matches!(d.known, Verdict::Refuted { .. }));
            if refuted { NO } else { UNKNOWN }
        }
        Relation::Stronger | Relation::Weaker | Relation::Incomparable => NO,
    })
}

fn as_json(found: &Comparison) -> String {
    // Plain data is always serialised.
    let text =
        serde_json::to_string_pretty(&json!({ "schema": "hmc-question/1", "compare": found })).unwrap_or_default();
    text + "\n"
}

/// What tests are made of; none where no lattice is known.
fn vocabulary(question: &QuestionArgs, model: &str, arch: Option<&str>) -> Result<Option<Vocabulary>, Vec<Message>> {
    match lattice(question.lattice.as_deref(), model, arch) {
        Ok(mut vocabulary) => {
            keep_only(&mut vocabulary, question)?;
            Ok(Some(vocabulary))
        }
        Err((message, help)) if question.lattice.is_some() => Err(failed(message, &help)),
        Err(_) => {
            tell("hmc: there is no lattice file for this architecture, so no tests are searched\n");
            Ok(None)
        }
    }
}

/// Leaves what the user names.
fn keep_only(vocabulary: &mut Vocabulary, question: &QuestionArgs) -> Result<(), Vec<Message>> {
    if question.tokens.is_empty() {
        return Ok(());
    }
    let refused = |message: String| failed(message, "the lattice file lists its tokens (docs/synthesis.md)");
    vocabulary.keep_only(&question.tokens).map_err(refused)
}

fn judges(loaded: &[Loaded; 2], vocabulary: Option<&Vocabulary>) -> Option<[Judge; 2]> {
    let vocabulary = vocabulary?;
    let mut both = Vec::new();
    for own in loaded {
        // Of a model that is evaluated on executions, the rest is compiled.
        match Judge::new(own, vocabulary) {
            Ok(judge) => both.push(judge),
            Err(message) => {
                tell(&format!("hmc: no tests are searched: {message}\n"));
                return None;
            }
        }
    }
    <[Judge; 2]>::try_from(both).ok()
}

/// Runs `hmc model mapping`.
pub fn mapping(args: &MappingArgs) -> u8 {
    ended(mapped(args))
}

fn mapped(args: &MappingArgs) -> Result<u8, Vec<Message>> {
    let question = &args.question;
    let refused = |message: String| failed(message, "`docs/questions.md` says what can be asked");
    let source = load(&args.source, None, question)?;
    let mut target = load(&args.target, question.arch.as_deref(), question)?;
    if let (None, Some(arch)) = (&question.arch, target.model.arch.clone()) {
        target = load(&args.target, Some(&arch), question)?;
    }
    let arch = question.arch.as_deref().or(target.model.arch.as_deref()).unwrap_or(&target.model.title).to_owned();
    let mapping = mapping::named(args.mapping.as_deref(), &arch).map_err(refused)?;
    let name = question.lattice.as_deref().or(Some("c11"));
    let mut vocabulary = lattice(name, &args.source, None).map_err(|(message, help)| failed(message, &help))?;
    keep_only(&mut vocabulary, question)?;
    let compiler = Compiler::new(&mapping, &vocabulary, &arch).map_err(refused)?;
    let above = judge(&source, &vocabulary).map_err(refused)?;
    let below = judge(&target, &compiler.target).map_err(refused)?;
    let asked = Question {
        source: Subject { name: &args.source, loaded: &source, judge: &above },
        vocabulary: &vocabulary,
        target: Subject { name: &args.target, loaded: &target, judge: &below },
        compiler: &compiler,
    };
    let (size, workers) = (usize::from(question.size), usize::from(question.threads));
    let found = watched(question.timeout, |progress| asked.answer(size, workers, progress)).map_err(refused)?;
    if question.json {
        let value = json!({ "schema": "hmc-question/1", "source": args.source, "target": args.target, "arch": arch, "mapping": found });
        say(&(serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"));
    } else {
        say(&text::mapping(&args.source, &args.target, &found));
    }
    Ok(match found {
        mapping::Verdict::Refuted { .. } => NO,
        mapping::Verdict::Unknown { .. } => UNKNOWN,
    })
}

/// Runs `hmc model properties`.
pub fn properties(args: &PropertiesArgs) -> u8 {
    ended(asked(args))
}

fn asked(args: &PropertiesArgs) -> Result<u8, Vec<Message>> {
    let question = &args.question;
    let mut loaded = load(&args.model, question.arch.as_deref(), question)?;
    let arch = question.arch.clone().or_else(|| loaded.model.arch.clone());
    if question.arch.is_none() && arch.is_some() {
        loaded = load(&args.model, arch.as_deref(), question)?;
    }
    let arch = arch.as_deref();
    let vocabulary = vocabulary(question, &args.model, arch)?;
    let model = Named { name: &args.model, loaded: &loaded };
    let bound = vocabulary.as_ref().map(|vocabulary| Bound {
        vocabulary,
        size: usize::from(question.size),
        workers: usize::from(question.threads),
    });
    let (orders, redundant, monotone) = watched(question.timeout, |progress| {
        (
            properties::orders(&model, arch, bound, progress),
            properties::redundant(&model, arch, bound, progress),
            monotone(&loaded, bound, progress),
        )
    });
    let refused = |message: String| failed(message, "`docs/questions.md` says what can be asked");
    let (orders, redundant) = (orders.map_err(refused)?, redundant.map_err(refused)?);
    let by_form = by_form(&loaded);
    if question.json {
        let value = json!({ "schema": "hmc-question/1", "model": args.model, "arch": arch, "orders": orders,
            "redundant": redundant, "exploration": by_form, "fence-monotone": monotone.1 });
        say(&(serde_json::to_string_pretty(&value).unwrap_or_default() + "\n"));
    } else {
        say(&text::properties("orders", &orders));
        say(&text::properties("axioms that others imply", &redundant));
        say(&text::properties("what exploration asks", &by_form));
        say(&monotone.0);
    }
    let is_redundant = redundant.iter().any(|p| matches!(p.known, Verdict::Proved { .. }));
    Ok(if is_redundant { NO } else { YES })
}

/// What the forms of the checks say: whether a violated check stays violated, and whether each next event can be added.
fn by_form(loaded: &Loaded) -> Vec<Property> {
    let plan = super::model::plan(loaded);
    let of = |name: &str, meaning: &'static str, open: Vec<Open>| Property {
        name: name.to_owned(),
        meaning,
        known: match open.is_empty() {
            true => Verdict::Proved { by: vec!["the form of each check".to_owned()] },
            false => Verdict::Unknown { up_to: None, open },
        },
    };
    let required = || plan.checks().iter().zip(&loaded.model.checks).filter(|(_, check)| check.role.rejects());
    let name =
        |check: &crate::algebra::Check| check.name.clone().unwrap_or_else(|| "a check without a name".to_owned());
    let grows = required().filter(|(info, _)| info.kind == Kind::FinalOnly);
    let grows = grows.map(|(info, check)| Open { axiom: name(check), why: info.reason.clone() }).collect();
    let goes_on = required().filter(|(info, _)| !info.lets_go_on);
    let goes_on = goes_on
        .map(|(_, check)| Open { axiom: name(check), why: "it may reject the next event of a thread".to_owned() })
        .collect();
    vec![
        of("prefix-closed", "what is violated stays violated when an execution grows", grows),
        of("extensible", "the next event of a thread can always be added", goes_on),
    ]
}

/// Whether stronger fences and orders forbid more, as far as programs were searched.
fn monotone(loaded: &Loaded, bound: Option<Bound<'_>>, progress: &Progress) -> (String, serde_json::Value) {
    let title = "fence-monotone (a stronger fence or order forbids no less)";
    let Some(bound) = bound.filter(|bound| properties::has_orders(bound.vocabulary)) else {
        return (format!("{title}: unknown\n"), json!({ "verdict": "unknown" }));
    };
    let Ok(judge) = judge(loaded, bound.vocabulary) else {
        return (format!("{title}: unknown\n"), json!({ "verdict": "unknown" }));
    };
    match properties::fence_monotone(&judge, bound, progress) {
        (Some(found), _) => {
            let [program, weaker] = [&found.program, &found.weaker].map(|p| p.text(bound.vocabulary));
            let text = format!("{title}: refuted\n  allowed: {program}\n  forbidden with the same outcome: {weaker}\n");
            (text, json!({ "verdict": "refuted", "program": program, "weaker": weaker }))
        }
        (None, size) => {
            let text = format!("{title}: unknown\n  no program of up to {size} events refutes it\n");
            (text, json!({ "verdict": "unknown", "up_to": size }))
        }
    }
}

/// Runs `hmc model claim`.
pub fn claim(args: &ClaimArgs) -> u8 {
    ended(claimed(args))
}

fn claimed(args: &ClaimArgs) -> Result<u8, Vec<Message>> {
    let arch = args.arch.as_deref();
    let facts = assumptions(&args.assume, arch)?;
    let help = "a claim is `expr <= expr` or `expr = expr`; `docs/questions.md` has examples";
    let claims = assume::parse(&args.claim, arch).map_err(|message| failed(message, help))?;
    for claim in &claims {
        match assume::claim(claim, arch, &facts).map_err(|message| failed(message, help))? {
            Answer::Proved(..) => {}
            Answer::Open(why) => {
                say(&format!("{}: not proved\n  not explained: {why}\n", args.claim));
                return Ok(UNKNOWN);
            }
        }
    }
    say(&format!("{}: proved\n", args.claim));
    Ok(YES)
}
