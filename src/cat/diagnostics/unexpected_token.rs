//! A word stands where the grammar has no place for it.

use super::{Diagnostic, Kind, Severity, keyword_meant};
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
    help: "`hmc explain C106` lists the traps of the grammar",
};

/// `found` stands at `span`; the parser would have gone on with one of `expected`. `line` is the first word of the line, with its place.
pub fn report(found: Option<Tok<'_>>, span: Span, expected: &[String], line: (&str, Span)) -> Diagnostic {
    let what = found.map_or_else(|| "the end of the file".to_owned(), |t| t.to_string());
    let has = |token: &str| expected.iter().any(|e| e.trim_matches('"') == token);
    if found.is_some_and(Tok::is_keyword) && has("ident") {
        return KIND
            .at(format!("{what} is a word of the language, so nothing can be called that"), span, "not a name")
            .help("call it something else: `from-writes`, `from_` and `From` are names");
    }
    let report = KIND.at(format!("{what} cannot stand here"), span, "unexpected");
    if let Some(meant) = keyword_meant(line.0) {
        // Read as a name, it is taken for a part of what stands before it.
        let report = if line.1 == span { report } else { report.label(line.1, "no word of the language") };
        return report.help(meant);
    }
    match trap(found, expected).map(str::to_owned).or_else(|| Some(format!("expected {}", describe(expected)?))) {
        Some(text) => report.help(text),
        None => report,
    }
}

/// What people mean who run into the traps of the grammar.
fn trap(found: Option<Tok<'_>>, expected: &[String]) -> Option<&'static str> {
    let has = |token: &str| expected.iter().any(|e| e.trim_matches('"') == token);
    let operand = found.is_some_and(|t| t.starts_operand() && t != Tok::Tilde);
    if expected.len() == 1 && has("=") && operand {
        return Some("a definition takes one parameter: write `let f(a, b) = …`, or `let f a = fun b -> …` and call it `f a b`");
    }
    if found == Some(Tok::Equal) && has(")") {
        return Some("a comparison cannot stand in parentheses or be combined with others: write `if a = b then … else …`");
    }
    if operand && has("(") && has("0") && !has("ident") {
        return Some("the argument of `call` needs parentheses: `call p(x)`");
    }
    if operand && has(";") && has("|") && !has("(") {
        return Some("only a name can be applied: name the function first, `let f = … in f x`; or an operator is missing");
    }
    None
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
    fn traps_are_named() {
        let help = |text: &str| {
            let errors = crate::cat::testing::load(text).err().unwrap_or_default();
            errors.first().map(|d| d.help_text().to_owned()).unwrap_or_default()
        };
        assert!(help("let f a b = a | b").contains("`let f(a, b) = …`"));
        assert!(help("let x = (fun y -> y) po").contains("name the function first"));
        assert!(help("let x = if (po = rf) then 0 else po").contains("comparison"));
        assert!(help("procedure p(x) = acyclic x end\ncall p po").contains("`call p(x)`"));
        assert!(help("let from = po").contains("something else"));
        assert_eq!(help("let x = po\n acylic x as a"), "is `acyclic` meant?");
        assert_eq!(help("acyclic po\nincldue \"cos.cat\""), "is `include` meant?");
    }

    #[test]
    fn several_in_one_run() {
        use crate::cat::testing;
        let errors = testing::load("let x = | po\nacyclic )\nlet y = po\nempty [").err().unwrap_or_default();
        assert!(errors.iter().filter(|d| d.code() == KIND.code).count() >= 3, "{errors:?}");
    }
}
