//! Output: the arguments were evaluated by the program; nothing is printed, and texts are not read.

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
