//! A line on the terminal while a run takes long. Nothing when standard error is not a terminal.

use crate::explore::progress::forecast::{Estimate, Forecast};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The line; it goes away when dropped.
pub struct Progress {
    bar: Option<ProgressBar>,
}

impl Progress {
    /// Whether anybody would see it.
    pub fn is_shown() -> bool {
        std::io::stderr().is_terminal()
    }

    /// Shows how many of `files` are done, how many executions were seen, and, of a single file, how many there will be.
    pub fn start(files: usize, executions: Arc<AtomicU64>, forecast: Option<Arc<Forecast>>) -> Progress {
        if !Self::is_shown() {
            return Progress { bar: None };
        }
        let shown = move |_: &ProgressState, out: &mut dyn Write| {
            let seen = executions.load(Ordering::Relaxed);
            let expected = forecast.as_ref().and_then(|f| f.get()).filter(|_| files == 1);
            // A display that fails is no reason to stop.
            let _ = write!(out, "{}", so_far(seen, expected));
        };
        // The rate and the time left say something only when there are several files.
        let template = match files {
            1 => "{spinner} {executions} executions, {elapsed}",
            _ => "{wide_bar} {pos}/{len} files, {per_sec}, {executions} executions, {elapsed}, {eta} left",
        };
        let Ok(style) = ProgressStyle::with_template(template) else { return Progress { bar: None } };
        let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::stderr_with_hz(5));
        bar.set_style(style.with_key("executions", shown));
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress { bar: Some(bar) }
    }

    /// One more file is done.
    pub fn advance(&self) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
    }

    /// Runs something that prints, with the line out of the way.
    pub fn aside<R>(&self, print: impl FnOnce() -> R) -> R {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }
}

/// How many executions were seen, and how many there will be. An estimate that was passed says nothing.
fn so_far(seen: u64, expected: Option<Estimate>) -> String {
    match expected {
        Some(e) if e.executions > seen as f64 => format!("{seen} of about {:.0} (± {:.0})", e.executions, e.spread),
        _ => seen.to_string(),
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::cli::output::progress::*;

    #[test]
    fn an_estimate_that_was_passed_is_not_shown() {
        let estimate = |executions| Some(Estimate { executions, spread: 2.0 });
        assert_eq!(so_far(272, estimate(0.0)), "272");
        assert_eq!(so_far(272, estimate(300.4)), "272 of about 300 (± 2)");
        assert_eq!(so_far(1, None), "1");
    }
}
