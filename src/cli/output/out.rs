//! Where all that is printed goes through. `print!` and its kind would end the program with a panic when a pipe is closed or a disk is full.

use crate::cli::{BAD_INPUT, INTERNAL};
use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// So much is printed at once.
const PIECE: usize = 1 << 16;

/// Whether something was not printed that somebody wanted.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Prints on standard output.
pub fn say(text: &str) {
    write(text.as_bytes());
    flush();
}

/// Prints many pieces. The system is asked for each line of what it gets in small ones.
pub fn say_all<'a>(pieces: impl Iterator<Item = &'a str>) {
    let mut text = String::new();
    for piece in pieces {
        text += piece;
        if text.len() > PIECE {
            write(text.as_bytes());
            text.clear();
        }
    }
    say(&text);
}

/// Prints a part of what is printed.
pub fn write(bytes: &[u8]) {
    if let Err(e) = std::io::stdout().write_all(bytes) {
        failed(&e);
    }
}

/// Sees to it that what was printed can be read.
pub fn flush() {
    if let Err(e) = std::io::stdout().flush() {
        failed(&e);
    }
}

/// Prints on standard error. When nobody reads that, there is nobody to tell.
pub fn tell(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// Standard output does not take more.
pub fn failed(e: &std::io::Error) {
    // Nobody reads on (`hmc … | head`): no reason to complain.
    if e.kind() != ErrorKind::BrokenPipe && !FAILED.swap(true, Ordering::Relaxed) {
        tell(&format!("hmc: standard output cannot be written: {e}\n"));
    }
}

/// The exit code, when everything else went as `code` says.
pub fn exit_code(code: u8) -> u8 {
    if FAILED.load(Ordering::Relaxed) && code != INTERNAL { BAD_INPUT } else { code }
}
