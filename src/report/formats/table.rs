//! Tests against models: one row a file, one column a model; as CSV and as an HTML page. (`human::comparison` is the same as text.)

use super::xml::escape;
use crate::verdict::{FileResult, Verdict};

/// The results of a file, by model; `None` where there is none.
type Row<'r> = (&'r str, Vec<Option<&'r FileResult>>);

/// The models in the order of the results, and a row for each file.
fn rows(results: &[FileResult]) -> (Vec<&str>, Vec<Row<'_>>) {
    let mut models: Vec<&str> = Vec::new();
    let mut rows: Vec<Row<'_>> = Vec::new();
    for result in results {
        let column = models.iter().position(|m| *m == result.model).unwrap_or_else(|| {
            models.push(&result.model);
            models.len() - 1
        });
        if rows.last().is_none_or(|(file, _)| *file != result.file) {
            rows.push((&result.file, Vec::new()));
        }
        if let Some((_, cells)) = rows.last_mut() {
            cells.resize(cells.len().max(column + 1), None);
            cells[column] = Some(result);
        }
    }
    rows.iter_mut().for_each(|(_, cells)| cells.resize(models.len(), None));
    (models, rows)
}

/// What a cell says: the observation of a litmus test, else the verdict.
pub fn word(result: &FileResult) -> &str {
    match (&result.observation, &result.condition, result.verdict) {
        (_, _, Verdict::Error) => "error",
        (Some(observation), _, _) => observation,
        (None, Some(condition), _) => condition,
        (None, None, verdict) => verdict.word(),
    }
}

/// Whether not all models say the same of a file.
pub fn differs(results: &[&FileResult]) -> bool {
    let says = |r: &FileResult| (word(r).to_owned(), r.states.clone());
    results.windows(2).any(|pair| says(pair[0]) != says(pair[1]))
}

/// Comma-separated values: for each model the word, and the counts of executions for and against the condition.
pub fn csv(results: &[FileResult]) -> String {
    let (models, rows) = rows(results);
    let mut head = vec!["test".to_owned()];
    for model in &models {
        head.extend([field(model), field(&format!("{model} positive")), field(&format!("{model} negative"))]);
    }
    let mut out = head.join(",") + "\n";
    for (file, cells) in rows {
        let mut line = vec![field(file)];
        for cell in cells {
            let number = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
            let (positive, negative) = cell.map_or((None, None), |r| (r.positive, r.negative));
            line.extend([field(cell.map_or("", word)), number(positive), number(negative)]);
        }
        out += &(line.join(",") + "\n");
    }
    out
}

fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

const STYLE: &str = "body{font:14px system-ui,sans-serif;margin:2em}table{border-collapse:collapse}\
    th,td{border:1px solid #bbb;padding:.25em .6em;text-align:left}th{position:sticky;top:0;background:#eee}\
    .Never,.No{background:#fde2e2}.Always,.Ok{background:#dff3e0}.Sometimes{background:#fff6d6}\
    .error,.bounded,.unsupported,.violated,.Undef{background:#e4e0f5}tr.differs td:first-child{font-weight:bold}";

/// A page that needs nothing else. Cells say their states when pointed at; tests on which models differ are bold.
pub fn html(results: &[FileResult]) -> String {
    let (models, rows) = rows(results);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Litmus tests</title><style>{STYLE}</style></head>\n\
         <body><table>\n<tr><th>test</th>{}</tr>\n",
        models.iter().map(|m| format!("<th>{}</th>", escape(m))).collect::<String>()
    );
    for (file, cells) in rows {
        let known: Vec<&FileResult> = cells.iter().flatten().copied().collect();
        let class = if differs(&known) { " class=\"differs\"" } else { "" };
        out += &format!("<tr{class}><td>{}</td>", escape(file));
        for cell in cells {
            let Some(result) = cell else {
                out += "<td></td>";
                continue;
            };
            let counts = match (result.positive, result.negative) {
                (Some(positive), Some(negative)) => format!(" {positive}/{negative}"),
                _ => String::new(),
            };
            let says: Vec<&str> = match result.messages.is_empty() {
                true => result.states.iter().map(String::as_str).collect(),
                false => result.messages.iter().map(|m| m.message.as_str()).collect(),
            };
            let (word, title) = (word(result), escape(&says.join("\n")));
            out += &format!("<td class=\"{word}\" title=\"{title}\">{word}{counts}</td>");
        }
        out += "</tr>\n";
    }
    out + "</table></body></html>\n"
}

#[cfg(test)]
mod tests {
    use crate::report::formats::table::*;
    use crate::report::sample;

    fn results() -> Vec<FileResult> {
        let mut other = sample::litmus();
        other.model = "strong, \"very\"".into();
        other.observation = Some("Never".into());
        (other.positive, other.negative) = (Some(0), Some(3));
        vec![sample::litmus(), other]
    }

    #[test]
    fn csv_quotes_what_must_be_quoted() {
        let text = csv(&results());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 2);
        assert!(lines[0].contains("\"strong, \"\"very\"\"\""), "{text}");
        assert!(lines[1].ends_with("Never,0,3"), "{text}");
    }

    #[test]
    fn html_marks_differences() {
        let text = html(&results());
        assert!(text.contains("<tr class=\"differs\">") && text.contains("strong, &quot;very&quot;"), "{text}");
        assert_eq!(text.matches("<tr").count(), 2);
    }
}
