//! Compilation within the limits of a run. Clang is another process: the deadline and the interrupt of exploration do not reach it by themselves.

use super::messages;
use crate::driver::Settings;
use crate::llvm::clang::{self, Ended, Limits};
use crate::verdict::Message;
use std::path::Path;

/// Does something that may compile a file; says so when that was ended before its time.
pub(crate) fn within<R>(file: &Path, settings: &Settings, work: impl FnOnce() -> R) -> (R, Option<Message>) {
    let limits = Limits { deadline: settings.deadline, interrupt: settings.interrupt.clone() };
    let (result, ended) = clang::within(limits, work);
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
