//! Where all that is printed goes through. `print!` and its kind would end the program with a panic when a pipe is closed or a disk is full.

use super::{BAD_INPUT, INTERNAL};
use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether something was not printed that somebody wanted.
static FAILED: AtomicBool = AtomicBool::new(false);

/// Prints on standard output.
pub fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(text.as_bytes()).and_then(|()| out.flush());
    if let Err(e) = written {
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
