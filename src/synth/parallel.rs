//! All programs of a size, looked at by several threads.

use super::Progress;
use super::minimal::judge::Judge;
use super::minimal::matrix::EVENTS;
use super::programs::program::Program;
use super::programs::shapes::Shapes;
use super::programs::vocabulary::Vocabulary;
use super::programs::{Bounds, Programs};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Calls `see` with every program within bounds, from several threads in no certain order. `false`: the search was stopped before its end.
///
/// Nothing is relaxed, so programs also have threads that no relaxation concerns.
pub fn each(
    vocabulary: &Vocabulary,
    judge: &Judge,
    bounds: Bounds,
    workers: usize,
    progress: &Progress,
    see: impl Fn(&Program) + Sync,
) -> bool {
    let maker = Shapes::new(vocabulary, judge, &[], false);
    let programs = Programs::new(vocabulary, &maker, bounds);
    progress.begin(bounds.size, programs.parts());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..workers.max(1) {
            scope.spawn(|| {
                loop {
                    let part = next.fetch_add(1, Ordering::Relaxed);
                    if part >= programs.parts() || progress.is_stopped() {
                        break;
                    }
                    let _ = programs.of_part(part, &mut |program| {
                        progress.programs.fetch_add(1, Ordering::Relaxed);
                        see(program);
                        if progress.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    });
                    progress.done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    !progress.is_stopped()
}

/// Bounds that leave room for initial writes.
pub fn bounds(size: usize) -> Bounds {
    Bounds { size, threads: size, addresses: size.min(EVENTS - size) }
}
