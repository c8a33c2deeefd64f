//! A variant is given that the model does not ask for.

use super::{Diagnostic, Kind, Severity};

/// What `hmc explain C616` says.
pub const KIND: Kind = Kind {
    code: "C616",
    title: "a variant that nothing asks for",
    severity: Severity::Warning,
    explanation: "`--variant NAME` makes `if \"NAME\"` true in the model, its bell file and what they include. None of them has such a\n\
condition, so the variant changes nothing.",
    help: "a model asks for a variant by `if \"NAME\"`",
};

/// No condition asks for `name`; `near` is the nearest name that one asks for.
pub fn report(name: &str, near: Option<&str>) -> Diagnostic {
    let found = KIND.without_place(format!("the model does not ask for the variant `{name}`; it changes nothing"));
    match near {
        Some(near) => found.help(format!("is `{near}` meant?")),
        None => found,
    }
}

#[cfg(test)]
mod tests {
    use crate::cat::{LoadRequest, Vocabulary, load};

    #[test]
    fn reported() {
        let given = |name: &str| LoadRequest {
            variants: vec![name.to_owned()],
            ..LoadRequest::text("test.cat", "if \"strong\" acyclic po | rf as order end")
        };
        let warnings = |name: &str| load(&given(name), &Vocabulary::default()).expect("loads").warnings;
        assert!(warnings("Strong").iter().all(|w| w.code() != super::KIND.code));
        let found = warnings("stronk");
        let found = found.iter().find(|w| w.code() == super::KIND.code).expect("a warning");
        assert!(found.help_text().contains("`strong`"));
    }
}
