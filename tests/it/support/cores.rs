//! Runs what takes long on all cores: most test programs have one test that takes most of the time.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Does something with each item, on as many threads as there are cores; what came of each, in their order.
pub fn on_all_cores<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { break };
                    let result = work(item);
                    results.lock().expect("no test panics with it").push((at, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no test panics with it");
    results.sort_by_key(|&(at, _)| at);
    results.into_iter().map(|(_, result)| result).collect()
}
