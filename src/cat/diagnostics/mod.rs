//! What can be wrong with a model, one file a diagnostic.
//!
//! A [`Diagnostic`] is cheap plain data with spans; texts of files are attached only when it is rendered ([`render`]). Each
//! has a code for `hmc explain CODE`.

pub mod render;

use super::source::Span;

/// A kind of diagnostic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// For `hmc explain`.
    pub code: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// How bad.
    pub severity: Severity,
    /// At length, for `hmc explain`.
    pub explanation: &'static str,
    /// What to do, when a diagnostic does not know better.
    pub help: &'static str,
}

/// How bad a diagnostic is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Severity {
    /// The model works, perhaps not as meant.
    Warning,
    /// The model does not work.
    Error,
}

/// A place that a diagnostic points at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// Something wrong with a model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    code: &'static str,
    severity: Severity,
    message: String,
    labels: Vec<Label>,
    help: String,
}

impl Kind {
    /// A diagnostic of this kind that points at `span`.
    pub fn at(&self, message: impl Into<String>, span: Span, text: impl Into<String>) -> Diagnostic {
        self.without_place(message).label(span, text)
    }

    /// A diagnostic of this kind about no place in a file.
    pub fn without_place(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code: self.code,
            severity: self.severity,
            message: message.into(),
            labels: Vec::new(),
            help: self.help.into(),
        }
    }
}

impl Diagnostic {
    /// Points at a further place.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    /// Says what to do here.
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help = text.into();
        self
    }

    /// Points at a call first, where what is wrong stands in a function that it calls.
    pub fn called_at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.insert(0, Label { span, text: text.into() });
        self
    }

    /// Replaces the first place.
    pub fn widen(&mut self, span: Span) {
        if let Some(label) = self.labels.first_mut() {
            label.span = span;
        }
    }

    /// The code for `hmc explain`.
    pub fn code(&self) -> &'static str {
        self.code
    }

    /// Error or warning.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// What is wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Where; the first is the main place.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// The main place.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|l| l.span)
    }

    /// What to do.
    pub fn help_text(&self) -> &str {
        &self.help
    }
}

macro_rules! kinds {
    ($($name:ident)*) => {
        $(pub mod $name;)*

        /// Every kind of diagnostic.
        pub const ALL: &[Kind] = &[$($name::KIND),*];
    };
}

kinds! {
    annotation_not_tags
    architecture_mismatch
    argument_mismatch
    arrow_glued_to_name
    c_comment
    check_always_fails
    check_never_fails
    closure_taken_for_product
    dialect_recognised
    endless_recursion
    fail_called
    foreign_name
    forgotten_rec
    hides_base_name
    nothing_shown
    used_before_definition
    file_not_found
    file_unreadable
    illegal_recursion
    include_cycle
    incomparable
    inverse_without_caret
    left_dynamic
    match_fails
    mixed_elements
    mixed_kinds
    name_of_other_architecture
    name_taken_as_tag
    nested_too_deep
    no_checks
    not_a_function
    not_a_procedure
    not_iterable
    open_comment
    open_string
    primitive_argument
    test_operand
    recursion_not_monotone
    register_events
    scopes_no_tree
    skipped_nothing
    redefinition
    tight_operators_mixed
    title_too_long
    undeclared_tag
    unexpected_token
    universe_in_sequence
    universe_in_set
    unknown_annotation
    unknown_instruction_kind
    unknown_name
    unknown_variant
    unnamed_flag
    unreadable_character
    unused_definition
    variant_not_asked_for
    wrong_kind
}

/// The kind with this code, whatever its case.
pub fn explain(code: &str) -> Option<&'static Kind> {
    ALL.iter().find(|kind| kind.code.eq_ignore_ascii_case(code))
}

/// The words that instructions begin with, but those too short to be told from names when they are misspelt.
const INSTRUCTIONS: [&str; 12] = [
    "acyclic",
    "assert",
    "call",
    "empty",
    "enum",
    "flag",
    "forall",
    "include",
    "irreflexive",
    "procedure",
    "show",
    "undefined_unless",
];

/// What to ask about a name that stands where an instruction may begin, if it looks like one of their words.
pub fn keyword_meant(name: &str) -> Option<String> {
    Some(format!("is `{}` meant?", nearest(name, INSTRUCTIONS)?))
}

/// The name nearest to `name`, if one is near enough to be a misspelling.
pub fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let limit = match name.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    known
        .into_iter()
        .filter(|candidate| *candidate != name)
        .map(|candidate| (edit_distance(name, candidate, limit), candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.chars().count())
        .min_by_key(|&(distance, candidate)| {
            // Of several that are as near, the one that begins alike: a word is mostly mistyped at its end.
            let alike = name.chars().zip(candidate.chars()).take_while(|(a, b)| a.eq_ignore_ascii_case(b)).count();
            (distance, std::cmp::Reverse(alike), candidate)
        })
        .map(|(_, candidate)| candidate)
}

/// Edits (insert, delete, replace, swap of neighbours; a change of case is half an edit, rounded down) from one name to another; `limit + 1` when there are more than
/// `limit`.
fn edit_distance(a: &str, b: &str, limit: usize) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    // Costs are doubled so that a change of case can count half.
    let cost = |x: char, y: char| match x == y {
        true => 0,
        false if x.eq_ignore_ascii_case(&y) => 1,
        false => 2,
    };
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).map(|j| 2 * j).collect()];
    for i in 1..=a.len() {
        let mut row = vec![2 * i];
        for j in 1..=b.len() {
            let mut best = (rows[i - 1][j] + 2).min(row[j - 1] + 2).min(rows[i - 1][j - 1] + cost(a[i - 1], b[j - 1]));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 2);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()].div_ceil(2)
}

#[cfg(test)]
pub mod testing;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_explained() {
        let mut codes: Vec<_> = ALL.iter().map(|k| k.code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), ALL.len());
        assert!(ALL.iter().all(|k| k.explanation.len() > 30 && !k.help.is_empty()));
        assert!(explain("c301").is_some() && explain("C999").is_none());
    }

    #[test]
    fn nearest_names() {
        assert_eq!(nearest("po-lok", ["po", "po-loc", "loc"]), Some("po-loc"));
        assert_eq!(nearest("fenserel", ["fencerel", "xyz"]), Some("fencerel"));
        assert_eq!(nearest("acq", ["ACQ", "abc"]), Some("ACQ"));
        assert_eq!(nearest("completely", ["po", "rf"]), None);
        assert_eq!(keyword_meant("acylic").as_deref(), Some("is `acyclic` meant?"));
        assert_eq!(keyword_meant("hb"), None);
    }
}
