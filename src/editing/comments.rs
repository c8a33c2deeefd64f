//! The comment that belongs to a definition: it ends on the line above, or stands behind the definition on its last line.

use crate::cat::Dialect;
use crate::cat::syntax::lex;
use std::ops::Range;

/// The words of the comment that belongs to what stands at these bytes.
pub fn about(text: &str, at: Range<usize>, dialect: Dialect) -> Option<String> {
    let comments = lex(text, 0, dialect, &mut Vec::new()).comments;
    let line_start = text.get(..at.start)?.rfind('\n').map_or(0, |end| end + 1);
    let above = |comment: &&Range<usize>| {
        let between = &text[comment.end..line_start.max(comment.end)];
        comment.end <= line_start && between.trim().is_empty() && between.matches('\n').count() <= 1
    };
    let mut end = line_start;
    let mut found: Vec<String> = Vec::new();
    for comment in comments.iter().rev() {
        // Line comments that follow each other are one.
        let is_next = match found.is_empty() {
            true => above(&comment),
            false => {
                let between = text.get(comment.end..end).unwrap_or("x");
                is_line(&text[comment.clone()]) && between.trim().is_empty() && between.matches('\n').count() <= 1
            }
        };
        let alone = text[..comment.start].rsplit('\n').next().is_some_and(|before| before.trim().is_empty());
        if is_next && alone {
            found.insert(0, words(&text[comment.clone()]));
            end = comment.start;
            if !is_line(&text[comment.clone()]) {
                break;
            }
        } else if !found.is_empty() {
            break;
        }
    }
    if found.is_empty() {
        let behind = comments.iter().find(|comment| {
            comment.start >= at.end
                && !text[at.end..comment.start].contains('\n')
                && text[at.end..comment.start].trim().is_empty()
        });
        found.extend(behind.map(|comment| words(&text[comment.clone()])));
    }
    let said = found.join("\n");
    // Rulers and headings of sections say nothing of a definition.
    said.chars().any(char::is_alphanumeric).then_some(said)
}

fn is_line(comment: &str) -> bool {
    comment.starts_with("//") || comment.starts_with('#')
}

/// A comment without its marks.
fn words(comment: &str) -> String {
    let inner = comment.strip_prefix("(*").and_then(|rest| rest.strip_suffix("*)"));
    let inner = inner.or_else(|| comment.strip_prefix("/*").and_then(|rest| rest.strip_suffix("*/")));
    let inner = inner.unwrap_or(comment);
    let lines = inner.lines().map(|line| line.trim().trim_start_matches(['*', '#', '/']).trim_end_matches('*').trim());
    let lines: Vec<&str> = lines.collect();
    lines.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<String> {
        let start = text.find("x =").expect("a definition");
        about(text, start..start + 6, Dialect::Herd)
    }

    #[test]
    fn comments_above_and_behind() {
        assert_eq!(of("(* What comes\n * before. *)\nlet x = po").as_deref(), Some("What comes\nbefore."));
        assert_eq!(of("// One.\n// Two.\nlet x = po").as_deref(), Some("One.\nTwo."));
        assert_eq!(of("let x = po (* Order. *)\nlet y = rf").as_deref(), Some("Order."));
        assert_eq!(of("(* Of y. *)\nlet y = rf\nlet x = po"), None);
        assert_eq!(of("(* A heading *)\n\nlet x = po"), None);
        assert_eq!(of("(****)\nlet x = po"), None);
        assert_eq!(of("let y = rf (* Of y. *)\nlet x = po"), None);
    }
}
