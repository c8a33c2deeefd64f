//! What differs between two modules of LLVM IR, function by function.

use similar::TextDiff;
use std::collections::BTreeMap;

/// Lines around a change.
const AROUND: usize = 2;

/// The functions and variables that differ, as unified diffs without metadata.
pub(super) fn of(before: &str, after: &str) -> String {
    let (before, after) = (parts(before), parts(after));
    let mut out = String::new();
    for (name, old) in &before {
        let new = after.get(name).map_or("", String::as_str);
        if old != new {
            out += &TextDiff::from_lines(old.as_str(), new).unified_diff().context_radius(AROUND).to_string();
        }
    }
    for (_, new) in after.iter().filter(|(name, _)| !before.contains_key(*name)) {
        out += &TextDiff::from_lines("", new.as_str()).unified_diff().context_radius(AROUND).to_string();
    }
    out
}

/// The functions of a module by their names, and its variables as one part.
fn parts(module: &str) -> BTreeMap<String, String> {
    let mut parts: BTreeMap<String, String> = BTreeMap::new();
    let mut function: Option<String> = None;
    for line in module.lines() {
        if line.starts_with("define ") {
            function = line.split('@').nth(1).and_then(|rest| rest.split('(').next()).map(str::to_owned);
        }
        let name = match &function {
            Some(name) => name.clone(),
            None if line.starts_with('@') => String::new(),
            None => continue,
        };
        let text = plain(line);
        if !text.trim().is_empty() && !text.trim_start().starts_with("#dbg_") {
            *parts.entry(name).or_default() += &(text + "\n");
        }
        if line == "}" {
            function = None;
        }
    }
    parts
}

/// A line without what says nothing about the program: metadata, numbers of attributes, comments.
fn plain(line: &str) -> String {
    let end = [", !", " !", " #", "; "].iter().filter_map(|mark| line.find(mark)).min().unwrap_or(line.len());
    let tail = if line.ends_with('{') && end < line.len() { " {" } else { "" };
    format!("{}{tail}", line[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::of;

    #[test]
    fn only_what_differs_is_shown_without_metadata() {
        let before = "@x = internal global i32 0, align 4, !dbg !1\ndefine void @f() #0 !dbg !2 {\n  store i32 1, ptr @x, align 4, !dbg !3\n  ret void\n}\ndefine void @g() #0 {\n  ret void\n}\n!3 = !{}\n";
        let after = "define void @f() #1 !dbg !4 {\n  ret void\n}\ndefine void @g() #0 {\n  ret void\n}\n";
        let shown = of(before, after);
        assert!(shown.contains("-@x = internal global i32 0, align 4\n"), "{shown}");
        assert!(shown.contains("-  store i32 1, ptr @x, align 4\n"), "{shown}");
        assert!(!shown.contains("@g") && !shown.contains("!dbg"), "{shown}");
        assert_eq!(of(before, before), "");
    }
}
