//! Output: which functions there are, and what they read. Nothing is printed.

/// Whether a function only writes output.
pub fn is_output(name: &str) -> bool {
    matches!(
        name,
        "printf"
            | "fprintf"
            | "dprintf"
            | "vprintf"
            | "vfprintf"
            | "puts"
            | "putchar"
            | "putc"
            | "fputs"
            | "fputc"
            | "fflush"
            | "perror"
            | "fwrite"
            | "putchar_unlocked"
            | "puts_unlocked"
            | "__printf_chk"
            | "__fprintf_chk"
            | "setvbuf"
            | "setbuf"
    )
}

/// Which argument of a function is the format of what follows.
pub fn format(name: &str) -> Option<usize> {
    match name {
        "printf" => Some(0),
        "fprintf" | "dprintf" | "__printf_chk" => Some(1),
        "__fprintf_chk" => Some(2),
        _ => None,
    }
}

/// Whether a format has something written where an argument points to: how much was written before (`%n`).
pub fn writes(format: &str) -> bool {
    let kind = |conversion: &str| conversion.chars().find(|c| c.is_ascii_alphabetic() && !"hlLqjzt".contains(*c));
    format.replace("%%", "").split('%').skip(1).any(|conversion| kind(conversion) == Some('n'))
}

/// Which of the arguments behind a format are texts that are read to their ends. Formats that number their arguments are passed over.
pub fn texts(format: &str) -> Vec<usize> {
    let mut texts = Vec::new();
    let mut number = 0;
    if format.contains('$') {
        return texts;
    }
    for conversion in format.replace("%%", "").split('%').skip(1) {
        let length = conversion.find(|c: char| c.is_ascii_alphabetic() && !"hlLqjzt".contains(c));
        let Some(length) = length else { return texts };
        let (options, kind) = conversion.split_at(length);
        // Width and precision may be arguments, too.
        number += options.matches('*').count();
        if kind.starts_with('s') && !options.contains(['.', 'l']) {
            texts.push(number);
        }
        number += usize::from(!kind.starts_with('m'));
    }
    texts
}

#[cfg(test)]
mod tests {
    use crate::llvm::library::texts::printing::*;

    #[test]
    fn what_is_written_to_is_found() {
        assert!(writes("abc%n") && writes("%d%2$hhn"));
        assert!(!writes("100%%n %d\n") && !writes("%"));
    }

    #[test]
    fn texts_are_found_behind_other_conversions() {
        assert_eq!(texts("%d%%%s %-*s, %lu %.3s %ls %s\n"), [1, 3, 7]);
        assert!(texts("100%").is_empty());
        assert!(texts("%2$s %1$d").is_empty(), "a format that numbers its arguments is not looked at");
    }
}
