//! A name is used that neither the model nor the execution defines.

use super::{Diagnostic, Kind, Severity, keyword_meant};
use crate::cat::source::Span;

/// What `hmc explain C301` says.
pub const KIND: Kind = Kind {
    code: "C301",
    title: "an unknown name",
    severity: Severity::Error,
    explanation: "Names come from the execution (`po`, `rf`, `W`, fences and annotations of the architecture, tags of the bell\n\
file), from the standard library, and from the `let`s before the use. A definition that nothing uses may mention\n\
unknown names; it is only evaluated when a check needs it.",
    help: "is an `include` missing, or the `.bell` file that declares it?",
};

/// `name` at `span` is unknown; `near` is the nearest known name.
pub fn report(name: &str, span: Span, near: Option<&str>) -> Diagnostic {
    let found = KIND.at(format!("`{name}` is not defined"), span, "unknown name");
    match (near, name) {
        (_, "co" | "fr" | "coe" | "coi" | "fre" | "fri") => {
            found.help("coherence comes from the library: `include \"cos.cat\"`")
        }
        (Some(near), _) => found.help(format!("is `{near}` meant?")),
        (None, _) => match keyword_meant(name) {
            Some(meant) => found.help(meant),
            None => found,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"acyclic «nosuch» | po"#);
        expect(KIND, r#"let x = «nosuch»
    empty x as a
    empty x as b"#);
    }

    #[test]
    fn suggestions() {
        use crate::cat::testing;
        let help = |text| testing::load(text).err().map(|ds| ds[0].help_text().to_owned()).unwrap_or_default();
        assert!(help("acyclic po-lok").contains("`po-loc`"));
        assert!(help("acyclic fr").contains("cos.cat"));
    }

    #[test]
    fn unused_definitions_may_be_wrong() {
        assert!(crate::cat::testing::load("let u = nosuch\nlet h(x) = nosuch\nacyclic po").is_ok());
    }
}
