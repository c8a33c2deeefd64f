//! A processor of its own for a thread that is to help.
//!
//! Linux may start a thread on the processor of its maker and leave it there beside it, for some ten milliseconds, although another one has nothing to do:
//! where two processors share a cache and one of them is busy, it does not look for the other when it wakes a thread. So a helper moves away at once. It
//! stays free to go anywhere later, since others may have work for these processors too.
//!
//! Elsewhere than on Linux, and where there is no other processor to go to, nothing is done.

/// Where a thread runs.
#[derive(Clone, Copy)]
pub(in crate::explore) struct Processor {
    #[cfg(target_os = "linux")]
    number: usize,
}

impl Processor {
    /// The one that this thread runs on at the moment.
    pub fn current() -> Processor {
        Processor {
            #[cfg(target_os = "linux")]
            number: rustix::thread::sched_getcpu(),
        }
    }

    /// Moves this thread to any other that it may run on.
    pub fn leave(self) {
        #[cfg(target_os = "linux")]
        self.leave_on_linux();
    }

    #[cfg(target_os = "linux")]
    fn leave_on_linux(self) {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        let Ok(all) = sched_getaffinity(None) else { return };
        if self.number >= CpuSet::MAX_CPU || !all.is_set(self.number) || all.count() < 2 {
            return;
        }
        let mut others = all;
        others.unset(self.number);
        // What fails here costs some milliseconds and nothing else.
        if sched_setaffinity(None, &others).is_ok() {
            let _ = sched_setaffinity(None, &all);
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::thread::sched_getaffinity;

    #[test]
    fn a_thread_may_run_anywhere_after_it_has_left() {
        let before = sched_getaffinity(None).expect("tells where this thread may run");
        Processor::current().leave();
        assert!(before == sched_getaffinity(None).expect("tells where this thread may run"));
    }
}
