//! Says that a test is left out because something is not there: on stderr, and in the summary of `./test`.

#![allow(dead_code, reason = "some tests need one of these, some both")]

use std::io::Write;
use std::path::{Path, PathBuf};

/// Names the file that `./test` collects these lines in.
const COLLECTED: &str = "HMC_LEFT_OUT";

/// Says that the tests on `what` are left out.
#[allow(clippy::print_stderr, reason = "a test that is left out says so")]
pub fn left_out(what: &str) {
    eprintln!("left out: {what}");
    let Some(file) = std::env::var_os(COLLECTED) else { return };
    if let Ok(mut file) = std::fs::OpenOptions::new().create(true).append(true).open(file) {
        // Whoever collects the lines sees if one is missing; the test itself is not about that.
        let _ = file.write_all(format!("{what}\n").as_bytes());
    }
}

/// A file or folder of the material beside the project, if it is there.
pub fn shared(path: &str) -> Option<PathBuf> {
    let found = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared").join(path);
    if found.exists() {
        return Some(found);
    }
    left_out(&format!("../shared/{path} is not there"));
    None
}
