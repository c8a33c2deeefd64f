//! How long plain evaluation may take where only an explanation hangs on it.
//!
//! The plain evaluators are cubic in the events of an execution and look at no clock. Within a deadline their loops go through nothing
//! any more when it has passed; what they give then is worth nothing and is thrown away here. Nothing that a verdict hangs on is evaluated
//! so.

use crate::clock::Instant;
use std::cell::Cell;

thread_local! {
    static DEADLINE: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// Evaluates something. `None`: the time was over before it had come to its end.
pub fn within<R>(deadline: Option<Instant>, work: impl FnOnce() -> R) -> Option<R> {
    let outer = DEADLINE.get();
    DEADLINE.set(outer.into_iter().chain(deadline).min());
    let result = (!is_over()).then(work).filter(|_| !is_over());
    DEADLINE.set(outer);
    result
}

/// The deadline of this thread, for another one that works for it.
pub fn deadline() -> Option<Instant> {
    DEADLINE.get()
}

/// Whether the time is over.
pub fn is_over() -> bool {
    DEADLINE.get().is_some_and(|deadline| Instant::now() >= deadline)
}

/// The items of a loop that may be long, as long as there is time.
pub fn while_time<I: Iterator>(items: I) -> impl Iterator<Item = I::Item> {
    let bounded = DEADLINE.get().is_some();
    items.enumerate().take_while(move |(i, _)| !bounded || i % LOOK != 0 || !is_over()).map(|(_, item)| item)
}

/// So many items are gone through between two looks at the clock.
const LOOK: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_comes_too_late_is_nothing() {
        assert_eq!(within(None, || while_time(0..1000).count()), Some(1000));
        let past = Some(Instant::now());
        let mut begun = false;
        assert_eq!(within(past, || begun = true), None);
        assert!(!begun && deadline().is_none());
        let soon = Instant::now() + std::time::Duration::from_millis(20);
        let mut rounds = 0_u64;
        assert_eq!(within(Some(soon), || while_time(0..u64::MAX).for_each(|_| rounds += 1)), None);
        assert!(rounds > 0 && !is_over());
    }
}
