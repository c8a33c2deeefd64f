//! A function as text, without unwinding: panics abort.
//!
//! A call that may unwind (`invoke`) becomes a call and a jump, and the blocks that only unwinding comes to are left out.

use rustc_hash::{FxHashMap, FxHashSet};

/// The lines of a function but the last brace.
pub fn lines(body: &[&str]) -> Vec<String> {
    let mut lines = without_unwinding(body);
    for line in &mut lines {
        if let Some(in_units) = in_units(line) {
            *line = in_units;
        }
    }
    lines
}

/// The same, with local variables as they are.
pub fn without_unwinding(body: &[&str]) -> Vec<String> {
    let Some((define, body)) = body.split_first() else { return Vec::new() };
    let mut out = vec![without_personality(define)];
    let blocks = blocks(body);
    let reached = reached(&blocks);
    out.extend(
        blocks.into_iter().zip(reached).filter(|(_, is_reached)| *is_reached).flat_map(|(block, _)| block.lines),
    );
    out
}

/// A block: its label, its lines with the label.
#[derive(Default)]
struct Block {
    label: String,
    lines: Vec<String>,
}

fn blocks(body: &[&str]) -> Vec<Block> {
    let mut blocks = vec![Block::default()];
    let mut is_pad = false;
    let mut lines = body.iter();
    while let Some(line) = lines.next() {
        if let Some(label) = label(line) {
            is_pad = false;
            blocks.push(Block { label: label.to_owned(), lines: vec![format!("{}:", written(label))] });
            continue;
        }
        let trimmed = line.trim_start();
        // Comments name what is called.
        if is_pad || trimmed.is_empty() || trimmed.starts_with(';') {
            continue;
        }
        let Some(block) = blocks.last_mut() else { continue };
        let instruction = trimmed.split_once(" = ").map_or(trimmed, |(_, instruction)| instruction);
        if instruction.starts_with("invoke ") {
            // Where it goes stands in the next line.
            let target = lines.next().map_or("", |next| next.trim_start());
            let to = target.strip_prefix("to ").and_then(|rest| rest.split_once(" unwind ")).map_or("", |(to, _)| to);
            let debug = target
                .find("!dbg !")
                .map_or(String::new(), |at| format!(", {}", target[at..].split(',').next().unwrap_or("")));
            block.lines.push(format!("{}{debug}", line.replacen("invoke ", "call ", 1)));
            block.lines.push(format!("  br {to}{debug}"));
        } else if instruction.starts_with("landingpad ") {
            is_pad = true;
            block.lines.push("  unreachable".to_owned());
        } else {
            block.lines.push((*line).to_owned());
        }
    }
    blocks
}

/// A local variable in units of its alignment, in which its parts mostly are accessed: rustc makes all of bytes.
fn in_units(line: &str) -> Option<String> {
    let (before, rest) = line.split_once(" = alloca [")?;
    let (bytes, rest) = rest.split_once(" x i8], align ")?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (bytes, align): (u64, u64) = (bytes.parse().ok()?, rest[..digits].parse().ok()?);
    let unit = align.min(8);
    let fits = bytes > 0 && bytes.is_multiple_of(unit);
    fits.then(|| format!("{before} = alloca [{} x i{}], align {rest}", bytes / unit, 8 * unit))
}

/// The name of the block that begins in a line.
fn label(line: &str) -> Option<&str> {
    if line.starts_with([' ', ';', '}']) || line.is_empty() {
        return None;
    }
    if let Some(quoted) = line.strip_prefix('"') {
        return quoted.split_once("\":").map(|(label, _)| label);
    }
    line.split_once(':').map(|(label, _)| label)
}

/// A label as it is written.
fn written(label: &str) -> String {
    let is_plain = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'$' | b'-'));
    if is_plain { label.to_owned() } else { format!("\"{label}\"") }
}

/// Which blocks the first one leads to.
fn reached(blocks: &[Block]) -> Vec<bool> {
    let numbers: FxHashMap<&str, usize> = blocks.iter().enumerate().map(|(i, b)| (b.label.as_str(), i)).collect();
    // The first block may have a label, or none, which is then in front of it.
    let first = usize::from(blocks[0].lines.is_empty() && blocks.len() > 1);
    let mut seen = FxHashSet::default();
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        if !seen.insert(at) {
            continue;
        }
        for line in &blocks[at].lines {
            let targets = line.split("label %").skip(1).map(|rest| match rest.strip_prefix('"') {
                Some(quoted) => quoted.split('"').next().unwrap_or(""),
                None => rest.split([',', ' ', ']']).next().unwrap_or(""),
            });
            open.extend(targets.filter_map(|label| numbers.get(label)));
        }
    }
    (0..blocks.len()).map(|at| seen.contains(&at)).collect()
}

/// The first line of a function, without what unwinding asks for.
fn without_personality(define: &str) -> String {
    match define.split_once(" personality ptr @") {
        Some((before, after)) => format!("{before} {}", after.split_once(' ').map_or("{", |(_, after)| after)),
        None => define.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{in_units, lines};

    #[test]
    fn unwinding_is_left_out() {
        let body = "define void @f() personality ptr @none !dbg !1 {\n  invoke void @g()\n          to label %2 unwind label %1, !dbg !2\n\n\
            1:                                                ; preds = %0\n  %x = landingpad { ptr, i32 }\n          cleanup\n  br label %3\n\n\
            2:                                                ; preds = %0\n  ret void\n\n3:                                                ; preds = %1\n  call void @h()\n  resume { ptr, i32 } %x";
        let body: Vec<&str> = body.lines().collect();
        let expected =
            ["define void @f() !dbg !1 {", "  call void @g(), !dbg !2", "  br label %2, !dbg !2", "2:", "  ret void"];
        assert_eq!(lines(&body), expected);
    }

    #[test]
    fn variables_are_in_units_of_their_alignment() {
        assert_eq!(
            in_units("  %x = alloca [24 x i8], align 8, !dbg !3").as_deref(),
            Some("  %x = alloca [3 x i64], align 8, !dbg !3")
        );
        assert_eq!(in_units("  %x = alloca [4 x i8], align 4").as_deref(), Some("  %x = alloca [1 x i32], align 4"));
        assert_eq!(in_units("  %x = alloca [0 x i8], align 1"), None);
        assert_eq!(in_units("  %x = load i8, ptr %y, align 1"), None);
    }

    #[test]
    fn labels_may_be_quoted() {
        let body = [
            "define void @f() {",
            "start:",
            "  br label %\"a b\"",
            "\"a b\":  ; preds = %start",
            "  ret void",
            "dead:",
            "  ret void",
        ];
        assert_eq!(lines(&body), ["define void @f() {", "start:", "  br label %\"a b\"", "\"a b\":", "  ret void"]);
    }
}
