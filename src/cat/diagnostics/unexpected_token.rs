//! A word stands where the grammar has no place for it.

use super::{Diagnostic, Kind, Severity};
use crate::cat::source::Span;
use crate::cat::syntax::tokens::Tok;

/// What `hmc explain C106` says.
pub const KIND: Kind = Kind {
    code: "C106",
    title: "something that cannot stand here",
    severity: Severity::Error,
    explanation: "The parser found a word that no instruction or expression can have at this place. What it could have gone\n\
on with is listed. Some traps: only a name can be applied (`(fun x -> x) y` is not allowed: name the function\n\
first); `let`, `fun`, `if`, `match` and `try` need parentheses as operands; comparisons cannot be\n\
parenthesised; `call p(x)` needs its parentheses; definitions take one parameter (`let f(a,b) = …`).",
};

/// `found` stands at `span`; the parser would have gone on with one of `expected`.
pub fn report(found: Option<Tok<'_>>, span: Span, expected: &[String]) -> Diagnostic {
    let what = found.map_or_else(|| "the end of the file".to_owned(), |t| t.to_string());
    let report = KIND.at(format!("{what} cannot stand here"), span, "unexpected");
    match describe(expected) {
        Some(text) => report.help(format!("expected {text}")),
        None => report,
    }
}

/// Long lists of tokens say what they have in common.
fn describe(expected: &[String]) -> Option<String> {
    let has = |token: &str| expected.iter().any(|e| e.trim_matches('"') == token);
    let mut parts = Vec::new();
    if has("ident") && has("[") && has("(") {
        parts.push("an expression".to_owned());
    }
    if has("let") && has("include") {
        parts.push("an instruction (`let`, `acyclic`, `show`, …)".to_owned());
    }
    if has(";") && has("|") {
        parts.push("an operator".to_owned());
    }
    if parts.is_empty() {
        if expected.is_empty() || expected.len() > 6 {
            return None;
        }
        parts = expected.iter().map(|e| spell(e.trim_matches('"'))).collect();
        parts.dedup();
    } else {
        for closer in [")", "]", "}", "end", "then", "else", "in", "do", "="] {
            if has(closer) {
                parts.push(format!("`{closer}`"));
            }
        }
    }
    Some(parts.join(" or "))
}

fn spell(token: &str) -> String {
    match token {
        "ident" => "a name".to_owned(),
        "tag" => "a tag (`'name`)".to_owned(),
        "string" => "a string".to_owned(),
        "closure *" | "product *" => "`*`".to_owned(),
        other => format!("`{other}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::expect;
    use super::KIND;

    #[test]
    fn reported() {
        expect(KIND, r#"let x = «|» po"#);
        expect(KIND, r#"let x y «z» = po"#);
        expect(KIND, r#"acyclic po «)»"#);
        expect(KIND, r#"let g = (fun x -> x) «po»"#);
    }

    #[test]
    fn several_in_one_run() {
        use crate::cat::testing;
        let errors = testing::load("let x = | po\nacyclic )\nlet y = po\nempty [").err().unwrap_or_default();
        assert!(errors.iter().filter(|d| d.code() == KIND.code).count() >= 3, "{errors:?}");
    }
}
