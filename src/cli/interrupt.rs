//! Ctrl-C.

use super::exit::KILLED;
use super::output::out;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
pub fn interrupt() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = flag.clone();
    // Without a handler Ctrl-C simply ends the program.
    let _ = ctrlc::set_handler(move || {
        if shared.swap(true, Ordering::SeqCst) {
            std::process::exit(KILLED);
        }
        out::tell("hmc: ending; Ctrl-C again ends at once\n");
    });
    // What schedulers send some time before the end.
    #[cfg(unix)]
    let _ = signal_hook::flag::register(signal_hook::consts::SIGUSR1, flag.clone());
    flag
}
