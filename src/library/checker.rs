//! How programs are checked.

use super::{Input, Model, Program, Report};
use crate::driver::{self, Settings};
use crate::verdict::{Property, Sources};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

/// Options for checks; each has a default. Checks of one checker may run at the same time.
#[derive(Clone, Debug, Default)]
pub struct Checker {
    settings: Settings,
}

impl Checker {
    /// The defaults: no limit; all properties that `hmc --help` names as usual; the first violation ends a check.
    pub fn new() -> Checker {
        Checker::default()
    }

    /// Ends each check after this time. The verdict is `Bounded` then, if nothing was found. Default: no limit.
    pub fn timeout(mut self, time: Duration) -> Checker {
        self.settings.timeout = Some(time);
        self
    }

    /// Follows loops for so many rounds. Default: loops that wait are followed exactly, others to their end; loops of litmus tests for two rounds.
    pub fn unroll(mut self, rounds: u32) -> Checker {
        self.settings.unroll = Some(rounds);
        self
    }

    /// Goes on behind the first violation, and counts all executions. Default: off.
    pub fn keep_going(mut self) -> Checker {
        self.settings.keep_going = true;
        self
    }

    /// Looks for violations of these only. Default: [`Property::usual`].
    pub fn properties(mut self, properties: &[Property]) -> Checker {
        self.settings.properties = properties.to_vec();
        self
    }

    /// Says why the outcome of a litmus test is allowed or forbidden. Default: off.
    pub fn explain(mut self) -> Checker {
        self.settings.explain = true;
        self
    }

    /// Directories for `#include`. Default: none.
    pub fn include_dirs(mut self, directories: &[PathBuf]) -> Checker {
        self.settings.include_dirs = directories.to_vec();
        self
    }

    /// Arguments for clang, such as `-DN=3` or `-O2`. Default: none.
    pub fn clang_args(mut self, arguments: &[&str]) -> Checker {
        self.settings.clang_args = arguments.iter().map(|&argument| argument.to_owned()).collect();
        self
    }

    /// A flag that ends all checks of this checker when it is set. The verdict is `Bounded` then, if nothing was found.
    pub fn interrupt(mut self, flag: Arc<AtomicBool>) -> Checker {
        self.settings.interrupt = flag;
        self
    }

    /// A number that grows with every complete execution, to be read from another thread.
    pub fn progress(mut self, executions: Arc<AtomicU64>) -> Checker {
        self.settings.progress = executions;
        self
    }

    /// Explores all executions of a program under a model. Time grows exponentially with the number of conflicting accesses.
    pub fn check(&self, program: &Program, model: &Model) -> Report {
        let sources = Sources::default();
        let result = match &program.0 {
            Input::File(path) => driver::check(path, &model.name, &model.models, &self.settings, &sources),
            Input::Litmus { name, text } => {
                driver::check_litmus(name, text, &model.name, &model.models, &self.settings, &sources)
            }
        };
        Report { result, sources }
    }
}
