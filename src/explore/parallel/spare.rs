//! Threads that nobody uses, and how they are called.

use crate::explore::parallel::affinity::Processor;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Room for the stack of a worker.
const STACK_BYTES: usize = 64 << 20;

/// Looks for another thread; the first one has it, and no other.
pub(in crate::explore) type Help<'a> = Option<&'a dyn Fn()>;

/// Threads that nobody uses.
#[derive(Default, Debug)]
pub struct Spare(AtomicUsize);

impl Spare {
    /// So many.
    pub fn new(threads: usize) -> Spare {
        Spare(AtomicUsize::new(threads))
    }

    /// One more.
    pub fn put(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn take(&self) -> bool {
        self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1)).is_ok()
    }

    /// Has something done in this thread, and in another one that is to spare each time that it calls for help; `also` is done then, too.
    pub(crate) fn work_with_help(&self, also: &dyn Fn(), work: &(dyn Fn(Help<'_>) + Sync)) {
        std::thread::scope(|scope| {
            let help = || {
                also();
                if self.take() {
                    let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
                    let taken = Processor::current();
                    let (here, has_left) = std::sync::mpsc::channel::<()>();
                    let helper = move || {
                        taken.leave();
                        drop(here);
                        work(None);
                        self.put();
                    };
                    match builder.spawn_scoped(scope, helper) {
                        // Until this thread waits, the new one may not run for some milliseconds.
                        Ok(_) => drop(has_left.recv()),
                        Err(_) => self.put(),
                    }
                }
            };
            work(Some(&help));
        });
    }
}
