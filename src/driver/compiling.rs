//! Compilation within the limits of a run. Clang is another process: the deadline and the interrupt of exploration do not reach it by themselves.

use super::{Settings, messages};
use crate::llvm::clang::{self, Ended, Limits};
use crate::verdict::Message;
use std::path::Path;
use std::time::Instant;

/// Does something that may compile a file; says so when that was ended before its time. The time limit is that of the compilation alone.
pub(super) fn within<R>(file: &Path, settings: &Settings, work: impl FnOnce() -> R) -> (R, Option<Message>) {
    let deadline = settings.timeout.map(|limit| Instant::now() + limit);
    let (result, ended) = clang::within(Limits { deadline, interrupt: settings.interrupt.clone() }, work);
    let message = ended.map(|ended| {
        let why = match ended {
            Ended::Late => "the time limit was reached",
            Ended::Interrupted => "the run was interrupted",
        };
        let message = format!("`{}` was not compiled: {why}, and clang was ended", file.display());
        messages::bare("hmc::clang-ended", message, None)
    });
    (result, message)
}
