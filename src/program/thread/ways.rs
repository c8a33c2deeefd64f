//! Both ways on from each condition that depends on what was read, whatever its value, and each function that a call through such a pointer may run.
//!
//! What a thread may do when its reads have values that nobody knows yet is seen by running it as often as there are ways for it to go. Ways that no
//! values lead to are among them.

use crate::ids::FuncId;
use std::cell::{Cell, RefCell};

/// So many conditions between two events are decided at most; behind them the values do. A loop that has no events would not end otherwise.
const MOST: usize = 64;

/// The ways that a thread goes between two events, one combination at a time.
#[derive(Debug, Default)]
pub struct Ways {
    taken: RefCell<Vec<bool>>,
    next: Cell<usize>,
}

impl Ways {
    /// Whether the next condition is taken to hold, which does or does not by its value.
    pub(super) fn go(&self, held: bool) -> bool {
        let (mut taken, next) = (self.taken.borrow_mut(), self.next.get());
        if next == MOST {
            return held;
        }
        self.next.set(next + 1);
        if next == taken.len() {
            taken.push(true);
        }
        taken[next]
    }

    /// Which of several functions is called next, where the value of a pointer says which one.
    pub(super) fn pick(&self, functions: &[FuncId], pointed_to: Option<FuncId>) -> Option<FuncId> {
        let (last, others) = functions.split_last()?;
        Some(*others.iter().find(|&&one| self.go(pointed_to == Some(one))).unwrap_or(last))
    }

    /// Goes to the next combination; `false` when all were gone.
    pub fn advance(&self) -> bool {
        self.next.set(0);
        let mut taken = self.taken.borrow_mut();
        while let Some(held) = taken.pop() {
            if held {
                taken.push(false);
                return true;
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A thread with a condition, and behind it another one where the first held.
    #[test]
    fn all_combinations_are_gone_once() {
        let ways = Ways::default();
        let mut gone = Vec::new();
        loop {
            let first = ways.go(false);
            gone.push((first, first.then(|| ways.go(false))));
            if !ways.advance() {
                break;
            }
        }
        assert_eq!(gone, [(true, Some(true)), (true, Some(false)), (false, None)]);
    }

    #[test]
    fn each_of_several_functions_is_called_once() {
        let ways = Ways::default();
        let functions = [FuncId(1), FuncId(4), FuncId(7)];
        let mut called = Vec::new();
        loop {
            called.extend(ways.pick(&functions, Some(FuncId(4))));
            if !ways.advance() {
                break;
            }
        }
        assert_eq!(called, functions);
        assert_eq!(ways.pick(&[], Some(FuncId(4))), None);
    }

    #[test]
    fn after_many_conditions_values_decide() {
        let ways = Ways::default();
        assert!((0..MOST).all(|_| ways.go(false)));
        assert!(!ways.go(false));
        assert!(ways.go(true));
        assert_eq!(ways.pick(&[FuncId(1), FuncId(4), FuncId(7)], Some(FuncId(4))), Some(FuncId(4)));
    }
}
