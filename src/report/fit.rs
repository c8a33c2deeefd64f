//! Text for people in the width that there is: sentences are wrapped, drawings are cut.

use super::style::Style;

/// Characters that only drawings have.
const DRAWN: [char; 8] = ['│', '╭', '╰', '┬', '─', '╯', '├', '┆'];
/// How much further in the rest of a sentence stands.
const FURTHER: usize = 2;

/// The same text with no line wider than the style allows.
pub fn fit(text: &str, style: Style) -> String {
    if style.width == 0 {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let (body, end) = line.strip_suffix('\n').map_or((line, ""), |body| (body, "\n"));
        if textwrap::core::display_width(body) <= style.width {
            out += body;
        } else if body.contains(DRAWN) {
            out += &cut(body, style.width);
        } else {
            out += &wrapped(body, style.width);
        }
        out += end;
    }
    out
}

fn wrapped(line: &str, width: usize) -> String {
    let indent = line.len() - line.trim_start().len();
    let rest = " ".repeat(indent + FURTHER);
    let options = textwrap::Options::new(width)
        .initial_indent(&line[..indent])
        .subsequent_indent(&rest)
        .break_words(false)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    textwrap::fill(line.trim_start(), options)
}

/// The beginning of a line; escape sequences take no room and are kept.
fn cut(line: &str, width: usize) -> String {
    let mut out = String::new();
    let (mut used, mut is_escape, mut is_cut) = (0, false, false);
    for c in line.chars() {
        if c == '\u{1b}' {
            is_escape = true;
        }
        if is_escape {
            out.push(c);
            is_escape = c != 'm';
        } else if used + 1 < width {
            out.push(c);
            used += 1;
        } else if !is_cut {
            out.push('…');
            is_cut = true;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_wider_than_it_may_be() {
        let style = Style { width: 40, ..Style::default() };
        let text = "  note: one two three four five six seven eight nine ten\n  │ a drawing that is much wider than forty columns\nshort\n";
        let expected = "  note: one two three four five six\n    seven eight nine ten\n  │ a drawing that is much wider than f…\nshort\n";
        assert_eq!(fit(text, style), expected);
        assert_eq!(fit(text, Style::default()), text);
        let colored = cut("\u{1b}[31m│ red and long\u{1b}[0m", 6);
        assert_eq!(colored, "\u{1b}[31m│ red…\u{1b}[0m");
    }
}
