//! A check is to be skipped that the model does not have.

use super::{Diagnostic, Kind, Severity};

/// What `hmc explain C614` says.
pub const KIND: Kind = Kind {
    code: "C614",
    title: "a skipped check that is not there",
    severity: Severity::Warning,
    explanation: "`--skip-check NAME` leaves out the checks that are written `… as NAME`, and the calls of procedures of that name. The\n\
model has none of that name: nothing is left out.",
    help: "`hmc model info` lists the checks of a model",
};

/// No check is called `name`; `near` is the nearest name of one.
pub fn report(name: &str, near: Option<&str>) -> Diagnostic {
    let found = KIND.without_place(format!("no check of the model is called `{name}`; nothing is skipped"));
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
        let skip = |name: &str| LoadRequest {
            skip_checks: vec![name.to_owned()],
            ..LoadRequest::text("test.cat", "acyclic po as order")
        };
        let warnings = |name: &str| load(&skip(name), &Vocabulary::default()).expect("loads").warnings;
        assert!(warnings("order").is_empty());
        let found = warnings("odrer");
        assert_eq!(found[0].code(), super::KIND.code);
        assert!(found[0].help_text().contains("`order`"));
    }
}
