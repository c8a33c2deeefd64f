//! A model, bell file or include is in none of the places where it is looked for.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;
use super::nearest;

/// What `hmc explain C201` says.
pub const KIND: Kind = Kind {
    code: "C201",
    title: "a file that is nowhere",
    severity: Severity::Error,
    explanation: "A model is looked for as a path, then among the bundled models (`hmc list-models`). An `include` is looked for\n\
beside the root model, beside the file that includes it, in each `-I` directory, in the current directory, and\n\
in the bundled library.",
    help: "`hmc list-models` names the bundled models; `-I DIR` adds a directory for included files",
};

/// `name`, asked for at `span` (none for the command line), is in none of `places`.
pub fn report(name: &str, span: Option<Span>, places: &[String], known: &[String]) -> Diagnostic {
    let found = match span {
        Some(span) => KIND.at(format!("`{name}` is nowhere to be found"), span, "included here"),
        None if name.ends_with(".bell") => KIND.without_place(format!("there is no bell file `{name}`")),
        None => KIND.without_place(format!("there is no model `{name}`")),
    };
    let looked = if places.is_empty() { String::new() } else { format!("looked in {}", places.join(", ")) };
    // On the command line the extension of a model may be left out.
    let shown = |known: &'_ str| if span.is_none() { known.trim_end_matches(".cat").to_owned() } else { known.to_owned() };
    // Nor are files of the library that are no models.
    let is_meant = |known: &&String| span.is_some() || !known.ends_with(".map") && !known.ends_with(".def");
    let known: Vec<String> = known.iter().filter(is_meant).map(|k| shown(k)).collect();
    match nearest(name, known.iter().map(String::as_str)) {
        Some(near) if looked.is_empty() => found.help(format!("is `{near}` meant?")),
        Some(near) => found.help(format!("is `{near}` meant? ({looked})")),
        None if looked.is_empty() => found,
        None => found.help(looked),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"include «"nosuchfile.cat"»"#);
    }

    #[test]
    fn suggests_a_bundled_file() {
        let help = crate::cat::testing::load("include \"coss.cat\"").err().map(|ds| ds[0].help_text().to_owned());
        assert!(help.is_some_and(|h| h.contains("`cos.cat`")));
    }
}
