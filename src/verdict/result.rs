//! Verdicts and results, as plain data. A change of a field is a change of the JSON report, a published format (`docs/cli.md`).

use super::bounded::Bounded;
use super::coverage::Coverage;
use super::estimate::Estimate;
use super::expected::comparison::Comparison;
use super::listed::Listing;
pub use super::picture::place::Place;
use super::picture::{Calls, Edge, Picture};
use super::reasons::orders::Orders;
use crate::crash::counts::Crashed;
use crate::crash::missing::Force;
use serde::{Deserialize, Serialize};

/// What is said of one file under one model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Every execution was looked at and nothing is wrong (for a litmus test: it ran).
    Holds,
    /// Nothing was found, but a bound or a time limit cut the search, or executions are known to be missing.
    Bounded,
    /// The program does something that hmc cannot run.
    Unsupported,
    /// Something is wrong with the program.
    Violated,
    /// Something is wrong with the input.
    Error,
}

impl Verdict {
    /// The exit code for a run whose worst verdict this is.
    pub fn exit_code(self) -> u8 {
        match self {
            Verdict::Holds => 0,
            Verdict::Violated => 1,
            Verdict::Error => 2,
            Verdict::Bounded => 3,
            Verdict::Unsupported => 4,
        }
    }

    fn badness(self) -> u8 {
        match self {
            Verdict::Holds => 0,
            Verdict::Bounded => 1,
            Verdict::Unsupported => 2,
            Verdict::Violated => 3,
            Verdict::Error => 4,
        }
    }

    /// The worse of two: holds < bounded < unsupported < violated < error.
    pub fn worse(self, other: Verdict) -> Verdict {
        if other.badness() > self.badness() { other } else { self }
    }

    /// As in the JSON report.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Bounded => "bounded",
            Verdict::Unsupported => "unsupported",
            Verdict::Violated => "violated",
            Verdict::Error => "error",
        }
    }
}

/// What was counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Executions {
    /// Distinct consistent executions; [`u64::MAX`] stands for that many or more (of interchangeable threads, not each is explored).
    #[serde(with = "large")]
    pub complete: u64,
    /// Whether there are more than can be counted.
    #[serde(skip_serializing_if = "is_false", default)]
    pub too_many: bool,
    /// How many there are up to renaming, when interchangeable threads were explored so.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub up_to_renaming: Option<u64>,
    /// Explorations that were started and could not be finished.
    pub blocked: u64,
    /// Executions seen more than once (only known with `--audit`).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub duplicate: Option<u64>,
}

/// What an exploration did, with which the counts of [`Executions`] come about.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Explored {
    /// Complete executions, up to renaming where threads are interchangeable.
    pub complete: u64,
    /// Explorations that ended with a thread that waits for a lock, or for something else that a library waits for.
    pub blocked_by_lock: u64,
    /// With an assumption that fails.
    pub blocked_by_assumption: u64,
    /// With a thread that spins.
    pub blocked_by_spin: u64,
    /// Events that the model rejected.
    pub inconsistent: u64,
    /// Reads that a write might have revisited.
    pub revisits_tried: u64,
    /// Those that it did revisit.
    pub revisits_made: u64,
    /// Events added.
    pub events: u64,
    /// Of all threads together, what the model took.
    pub model_seconds: f64,
}

/// A flag of the model that was raised.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Flag {
    /// As the model calls it.
    pub name: String,
    /// In how many executions; counted like [`Executions::complete`].
    #[serde(with = "large")]
    pub executions: u64,
    /// Whether the model says that the program's behaviour is undefined then.
    pub undefined: bool,
    /// Of a flag that is no finding: the two events, or the one, that it is about in the first execution.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<String>,
}

/// Something that is wrong with a program, and an execution that shows it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// The kind: the name of a property, `race`, or `undefined`.
    pub kind: String,
    /// One sentence.
    pub message: String,
    /// Where it shows.
    pub place: Option<Place>,
    /// The events that it is about, as numbered in the picture; for a race the two accesses.
    pub events: Vec<u32>,
    /// What else is to be known, one sentence each.
    pub notes: Vec<String>,
    /// For an execution that no interleaving explains, and for a race: the orders that it lacks.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub orders: Option<Orders>,
    /// For calls that are not as specified: these, and what orders them.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub calls: Option<Calls>,
    /// The execution.
    pub execution: Picture,
}

/// Why no execution satisfies the condition of a litmus test, or why none of a program ends in an error.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Explanation {
    /// Whether it is about the errors of a program.
    #[serde(default)]
    pub of_program: bool,
    /// Candidate executions that would satisfy it.
    pub candidates: u64,
    /// Candidate executions that were looked at.
    #[serde(default)]
    pub looked_at: u64,
    /// Whether all candidates were looked at.
    pub all_seen: bool,
    /// Why not, when they were not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub ended: Option<String>,
    /// Different ways in which candidates are rejected; [`Self::rejections`] has the first few.
    #[serde(default)]
    pub kinds: u64,
    /// What rejects them, shortest cycle first.
    pub rejections: Vec<Rejection>,
    /// Cycles that are not shown because the reference evaluator does not confirm them: an error in hmc.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub unconfirmed: u64,
}

/// Why the model rejects some candidate executions.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Rejection {
    /// The axiom.
    pub axiom: String,
    /// The edges on which it fails.
    pub cycle: Vec<Edge>,
    /// Why no edges can be shown.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unexplained: Option<String>,
    /// How many candidates it rejects in this way.
    pub candidates: u64,
    /// One of them.
    pub execution: Picture,
}

/// An error or a warning about the input.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Message {
    /// For `hmc explain`.
    pub code: String,
    /// One sentence.
    pub message: String,
    /// Where, when it is about a place.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub place: Option<Place>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub help: Option<String>,
    /// As shown to a person, with the lines of the file; not part of the JSON report.
    #[serde(skip)]
    pub rendered: String,
}

/// What is said of one file under one model.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct FileResult {
    /// The file, as the user named it.
    pub file: String,
    /// The name of the test or program.
    pub name: String,
    /// The model, as the user named it.
    pub model: String,
    /// SHA-256 of the texts of all files that the model is made of, in the order of reading, then of its variants and the checks left out, if there are any.
    pub model_sha256: String,
    /// The architecture of the test.
    pub arch: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// For a litmus test: `Allowed`, `Required` or `Forbidden`.
    pub kind: Option<String>,
    /// For a litmus test: `Never`, `Sometimes` or `Always`.
    pub observation: Option<String>,
    /// For a litmus test: `Ok`, `No` or `Undef`; nothing when the search ended before that was known.
    #[serde(default)]
    pub condition: Option<String>,
    /// How the result of a litmus test compares with what was expected, when something was.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub expected: Option<Comparison>,
    /// Why the result was held to no recorded one, when some were given.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub not_compared: Option<String>,
    /// The identity of a litmus test for tools that compare logs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hash: Option<String>,
    /// Whether the search of a litmus test ended early: counts, states and flags are those of the executions that were seen.
    #[serde(skip_serializing_if = "is_false", default)]
    pub partial: bool,
    /// Executions that satisfy the condition of a litmus test.
    pub positive: Option<u64>,
    /// Executions that do not.
    pub negative: Option<u64>,
    /// Final states of a litmus test; of a program, the outcomes of which somebody observes something.
    pub states: Vec<String>,
    /// Flags of the model that were raised.
    pub flags: Vec<Flag>,
    /// What was counted.
    pub executions: Executions,
    /// Of a search that was ended: how many executions there may be in all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub estimate: Option<Estimate>,
    /// What was explored, if somebody wants to know.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub explored: Option<Explored>,
    /// The worst finding.
    pub violation: Option<Finding>,
    /// Further findings.
    pub more_violations: Vec<Finding>,
    /// A C program that shows the finding by itself, where the clients of a structure were looked at.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub client: Option<String>,
    /// What is not wrong but hardly meant: memory that is never freed, threads that are never joined.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub warnings: Vec<Finding>,
    /// For a litmus test: an execution that satisfies the condition, when one was asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub witness: Option<Picture>,
    /// For a litmus test with `--explain`: why no execution satisfies the condition.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub explanation: Option<Explanation>,
    /// Executions one by one, when they were asked for.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub listed: Option<Listing>,
    /// For a program, when it was asked for: which lines and assertions executions reach.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub coverage: Option<Coverage>,
    /// Where interleavings are bounded: how many executions are within. [`Self::executions`] has no others.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub bounded: Option<Bounded>,
    /// For a program with a recovery: what was counted of crashes. Then executions are counted with what the recovery reads.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub crash: Option<Crashed>,
    /// Forces that forbid what its recovery has found, and behind what each is missing; not part of the JSON report.
    #[serde(skip)]
    pub lacks: Vec<(Force, Place)>,
    /// For a program: under which model races were looked for; nothing when they were not.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub races_of: Option<String>,
    /// For a program that clang has optimised, when something was found: the verdict without that.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unoptimised: Option<Verdict>,
    /// Errors, and warnings about the input.
    pub messages: Vec<Message>,
    /// What could not be translated faithfully, what was not checked, why a search ended early: one sentence each.
    pub notes: Vec<String>,
    /// Time taken.
    pub seconds: f64,
    /// Events of the largest execution.
    pub events_max: usize,
    /// Whether a bound, a time limit or the user cut the search, or executions are known to be missing.
    #[serde(skip)]
    pub open: bool,
    /// Whether the test was left out because an earlier run answers it.
    #[serde(skip)]
    pub skipped: bool,
    /// Herd's log block for a litmus test, around its states; not part of the JSON report.
    #[serde(skip)]
    pub log: Option<Log>,
}

/// A log block without its states, which stand between the two parts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Log {
    /// The lines before the states.
    pub head: String,
    /// The lines after them.
    pub tail: String,
}

impl Log {
    /// The block, in pieces.
    pub fn pieces<'a>(&'a self, states: &'a [String]) -> impl Iterator<Item = &'a str> {
        let lines = states.iter().flat_map(|state| [state.as_str(), "\n"]);
        std::iter::once(self.head.as_str()).chain(lines).chain(std::iter::once(self.tail.as_str()))
    }
}

/// Counts that may be too large: `null` then.
mod large {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(count: &u64, to: S) -> Result<S::Ok, S::Error> {
        Some(*count).filter(|&count| count < u64::MAX).serialize(to)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<u64, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or(u64::MAX))
    }
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl FileResult {
    /// A result that says nothing yet.
    pub fn new(file: impl Into<String>, model: impl Into<String>) -> FileResult {
        let file = file.into();
        FileResult {
            name: file.clone(),
            file,
            model: model.into(),
            model_sha256: String::new(),
            arch: None,
            verdict: Verdict::Holds,
            kind: None,
            observation: None,
            condition: None,
            expected: None,
            not_compared: None,
            hash: None,
            partial: false,
            positive: None,
            negative: None,
            states: Vec::new(),
            flags: Vec::new(),
            executions: Executions::default(),
            estimate: None,
            explored: None,
            violation: None,
            more_violations: Vec::new(),
            client: None,
            warnings: Vec::new(),
            witness: None,
            explanation: None,
            listed: None,
            coverage: None,
            bounded: None,
            crash: None,
            lacks: Vec::new(),
            races_of: None,
            unoptimised: None,
            messages: Vec::new(),
            notes: Vec::new(),
            seconds: 0.0,
            events_max: 0,
            open: false,
            skipped: false,
            log: None,
        }
    }

    /// Whether [`Self::states`] are those of the test: not when only its condition was answered.
    pub fn lists_states(&self) -> bool {
        let none = self.states.is_empty() && (self.positive, self.negative) != (Some(0), Some(0));
        !self.partial && !none
    }

    /// Herd's log block for a litmus test.
    pub fn log_text(&self) -> Option<String> {
        self.log.as_ref().map(|log| log.pieces(&self.states).collect())
    }

    /// The same for tables and counts: without states, logs, executions and explanations, which may be large.
    pub fn in_brief(self) -> FileResult {
        let (states, more_violations, warnings) = Default::default();
        let none = FileResult { violation: None, witness: None, explanation: None, log: None, ..self };
        FileResult { states, more_violations, warnings, ..none }
    }

    /// A test that an earlier run answers.
    pub fn skipped(mut self) -> FileResult {
        self.skipped = true;
        self
    }

    /// The result of a litmus test of which executions may be missing says only what those that were seen prove.
    pub fn left_open(&mut self) {
        if !self.open || self.partial || self.kind.is_none() {
            return;
        }
        self.partial = true;
        self.observation = None;
        let (seen, against) = (self.positive > Some(0), self.negative > Some(0));
        let is_known = match (self.kind.as_deref(), self.condition.as_deref()) {
            (_, Some("Undef")) => true,
            (Some("Required"), _) => against,
            _ => seen,
        };
        if !is_known {
            self.condition = None;
        }
    }

    /// The same with errors in the input.
    pub fn failed(mut self, messages: Vec<Message>, verdict: Verdict) -> FileResult {
        self.messages.extend(messages);
        self.verdict = verdict;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_are_too_large_are_null() {
        let many = Executions { complete: u64::MAX, too_many: true, ..Executions::default() };
        let text = serde_json::to_string(&many).expect("JSON");
        assert_eq!(text, r#"{"complete":null,"too_many":true,"blocked":0}"#);
        assert_eq!(serde_json::from_str::<Executions>(&text).expect("a count"), many);
        let few = Executions { complete: 3, ..Executions::default() };
        assert_eq!(serde_json::to_string(&few).expect("JSON"), r#"{"complete":3,"blocked":0}"#);
    }

    #[test]
    fn what_a_cut_search_saw_is_all_that_is_known() {
        let result = |kind: &str, positive, negative| {
            let mut result = FileResult { open: true, ..FileResult::new("x.litmus", "m") };
            (result.kind, result.condition) = (Some(kind.into()), Some("No".into()));
            result.observation = Some("Never".into());
            (result.positive, result.negative) = (Some(positive), Some(negative));
            result.left_open();
            result
        };
        for (kind, positive, negative, is_known) in
            [("Allowed", 0, 3, false), ("Allowed", 1, 3, true), ("Forbidden", 0, 3, false), ("Required", 3, 1, true)]
        {
            let result = result(kind, positive, negative);
            assert!(result.partial && result.observation.is_none());
            assert_eq!(result.condition.is_some(), is_known, "{kind}");
        }
    }

    #[test]
    fn the_worst_verdict_wins() {
        use Verdict::*;
        assert_eq!(Holds.worse(Bounded).worse(Unsupported), Unsupported);
        assert_eq!(Violated.worse(Unsupported).worse(Holds), Violated);
        assert_eq!(Error.worse(Violated), Error);
        assert_eq!([Holds, Violated, Error, Bounded, Unsupported].map(Verdict::exit_code), [0, 1, 2, 3, 4]);
    }
}
