//! How many executions a running search will find, from where it stands and what it has seen.
//!
//! A choice that is open has had some of its alternatives tried, and some are left. If these were on average worth as much as those that were tried, one would know from the innermost choice
//! outwards how many executions there are in all (P. Kilby, J. Slaney, S. Thiébaux, T. Walsh, "Estimating search tree size", AAAI 2006: the recursive estimator). In exploration they are not: most of
//! them come to nothing, as the alternatives that are tried first leave most open. How much what is left is worth is therefore learnt from choices that have been closed meanwhile,
//! by how many executions they had found when the alternative ended that was open when they were first seen. From how much these differ follows the spread.
//!
//! Searches of parts learn together, and the whole is the sum of what each says of its part; what is given away is a part of its own.
//!
//! Limits: what was seen of small choices is taken to be about so of larger ones, of which none has been closed yet; where what is explored later is of another kind than what was explored
//! first, the estimate is wrong by more than the spread says. A search is looked at now and then ([`crate::explore::parallel::steal`]), so of choices that are closed soon little is known.

use crate::explore::progress::forecast::{Estimate, Forecast};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// From so many closed choices of a size one learns something.
const ENOUGH: f64 = 20.0;

/// Classes of sizes: powers of two.
const CLASSES: usize = 65;

/// What has been learnt of choices of about a size: sums over those that were closed, where b is what would have been left if
/// it had been worth as much as what was tried, and a what was left.
#[derive(Clone, Copy, Default)]
struct Class {
    count: f64,
    a: f64,
    b: f64,
    aa: f64,
    ab: f64,
    bb: f64,
}

impl Class {
    fn learn(&mut self, a: f64, b: f64) {
        self.add(&Class { count: 1.0, a, b, aa: a * a, ab: a * b, bb: b * b });
    }

    fn add(&mut self, other: &Class) {
        self.count += other.count;
        self.a += other.a;
        self.b += other.b;
        self.aa += other.aa;
        self.ab += other.ab;
        self.bb += other.bb;
    }

    fn worth(&self) -> Worth {
        let mean = self.a / self.b;
        let variance = ((self.aa - 2.0 * mean * self.ab) / self.bb + mean * mean).max(0.0);
        Worth { mean, variance, error: (variance / self.count).sqrt() }
    }
}

/// How many times as much what is left is worth as what was tried.
#[derive(Clone, Copy)]
struct Worth {
    mean: f64,
    /// How much it differs between choices.
    variance: f64,
    /// How wrong the mean may be, for all choices alike.
    error: f64,
}

/// What searches of the parts of one program have learnt, and what they expect.
struct Known {
    classes: [Class; CLASSES],
    /// What was found by searches that have ended.
    found: u64,
    /// What each other one expects of its part, and the variance.
    expected: FxHashMap<usize, (f64, f64)>,
    /// How many searches there were.
    searches: usize,
}

impl Known {
    /// What has been learnt of choices that have found so many executions: of those of the same size, or else of smaller ones, or else of all. Then it may be half as much, or half as
    /// much again.
    fn worth(&self, found: f64) -> Worth {
        let (smaller, larger) = self.classes.split_at(class(found) + 1);
        let mut sum = Class::default();
        for (further, class) in smaller.iter().rev().chain(larger).enumerate() {
            sum.add(class);
            if sum.count >= ENOUGH {
                let worth = sum.worth();
                let guess = if further > 0 { worth.mean / 2.0 } else { 0.0 };
                return Worth { error: worth.error + guess, ..worth };
            }
        }
        Worth { mean: 1.0, variance: 1.0, error: 1.0 }
    }

    /// `None`: too little has been learnt.
    fn estimate(&self) -> Option<Estimate> {
        let sum = |what: fn(&(f64, f64)) -> f64| self.expected.values().map(what).sum::<f64>();
        let estimate = Estimate { executions: self.found as f64 + sum(|e| e.0), spread: sum(|e| e.1).sqrt() };
        (self.has_learnt() && estimate.executions.is_finite() && estimate.spread.is_finite()).then_some(estimate)
    }

    fn has_learnt(&self) -> bool {
        self.classes.iter().map(|class| class.count).sum::<f64>() >= ENOUGH
    }
}

fn class(found: f64) -> usize {
    (64 - (found as u64).leading_zeros() as usize).min(CLASSES - 1)
}

/// See the module. For whoever wants to know.
pub(in crate::explore) struct Outlook {
    known: Mutex<Known>,
    forecast: Arc<Forecast>,
}

impl Outlook {
    /// Nothing has been learnt; so many executions have been found elsewhere.
    pub fn new(forecast: &Arc<Forecast>, found: u64) -> Outlook {
        let known = Known { classes: [Class::default(); CLASSES], found, expected: FxHashMap::default(), searches: 0 };
        Outlook { known: Mutex::new(known), forecast: forecast.clone() }
    }

    /// Whether it knows more than random descents.
    pub fn has_learnt(&self) -> bool {
        self.known().has_learnt()
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // Numbers for a display: whatever a thread that panicked has left.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A choice on the way to where a search is.
#[derive(Clone, Copy)]
pub(in crate::explore) struct Level {
    /// How many executions the search had found before.
    pub found: u64,
    /// How many alternatives were tried.
    pub tried: u32,
    /// How many are left.
    pub left: usize,
    /// These are for another search.
    pub given: bool,
}

/// One that was open when it was last looked at.
struct Open {
    at: usize,
    then: Level,
    /// How many executions had been found behind it.
    found: u64,
    /// When the alternative ended that was taken at first, what was expected of the others, and how many executions the search had found.
    expected: Option<(f64, u64)>,
}

impl Open {
    fn of(at: usize, level: Level, complete: u64) -> Open {
        Open { at, then: level, found: complete.saturating_sub(level.found), expected: None }
    }

    fn is(&self, now: Level) -> bool {
        now.found == self.then.found && now.tried >= self.then.tried
    }

    /// What would be left if it were worth as much as what was tried.
    fn expects(&self) -> f64 {
        self.then.left as f64 * self.found as f64 / f64::from(self.then.tried)
    }
}

/// Looks at the search of a part.
pub(in crate::explore) struct Lookout<'a> {
    outlook: &'a Outlook,
    number: usize,
    levels: Vec<Level>,
    /// From the outermost to the innermost.
    open: Vec<Open>,
}

impl<'a> Lookout<'a> {
    /// Of a part of which nothing was seen.
    pub fn new(outlook: &'a Outlook) -> Lookout<'a> {
        let mut known = outlook.known();
        known.searches += 1;
        Lookout { outlook, number: known.searches, levels: Vec::new(), open: Vec::new() }
    }

    /// Looks at the choices of a search that has found so many executions, from the outermost to the innermost.
    pub fn look(&mut self, levels: impl Iterator<Item = Level>, complete: u64) {
        self.levels.clear();
        self.levels.extend(levels);
        let mut known = self.outlook.known();
        self.learn(&mut known, complete);
        let expected = expect(&known, &self.levels, complete);
        known.expected.insert(self.number, expected);
        if let Some(estimate) = known.estimate() {
            self.outlook.forecast.set(estimate);
        }
    }

    /// The search has ended.
    pub fn end(&mut self, complete: u64) {
        let mut known = self.outlook.known();
        known.expected.remove(&self.number);
        known.found += complete;
    }

    /// Learns from choices that have been closed since the last time.
    fn learn(&mut self, known: &mut Known, complete: u64) {
        let levels = &self.levels;
        self.open.retain_mut(|open| match levels.get(open.at).filter(|level| open.is(**level)) {
            // What is given away is found elsewhere.
            Some(level) if level.given => false,
            Some(level) if open.expected.is_none() => {
                let now = Open::of(open.at, *level, complete);
                if level.tried > open.then.tried {
                    open.found = now.found;
                    open.expected = Some((open.expects(), complete));
                } else {
                    *open = now;
                }
                true
            }
            Some(_) => true,
            None => {
                let (expected, then) = open.expected.unwrap_or((open.expects(), complete));
                if expected > 0.0 {
                    known.classes[class(open.found as f64)].learn(complete.saturating_sub(then) as f64, expected);
                }
                false
            }
        });
        let new = self.open.last().map_or(0, |open| open.at + 1);
        for (at, &level) in levels.iter().enumerate().skip(new) {
            if !level.given && level.tried > 0 && level.left > 0 {
                self.open.push(Open::of(at, level, complete));
            }
        }
    }
}

/// How many executions a search will have found in the end, and the variance.
fn expect(known: &Known, levels: &[Level], complete: u64) -> (f64, f64) {
    let (mut expected, mut above) = (0.0, complete);
    // What differs from choice to choice adds up otherwise than what is wrong in all of them.
    let (mut variance, mut error) = (0.0, 0.0);
    for level in levels.iter().rev().filter(|level| level.tried > 0) {
        // What the alternatives had found before the one at hand, and what is expected of that.
        expected += above.saturating_sub(level.found) as f64;
        above = level.found;
        if !level.given && level.left > 0 && expected > 0.0 {
            let worth = known.worth(expected);
            let times = level.left as f64 / f64::from(level.tried);
            let grows = 1.0 + worth.mean * times;
            variance = variance * grows.powi(2) + worth.variance * (times * expected).powi(2);
            error = error * grows + worth.error * times * expected;
            expected *= grows;
        }
    }
    (above as f64 + expected, variance + error.powi(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree: how many branches there are behind a way; none at a leaf.
    type Branches = fn(&[usize]) -> usize;

    /// Searches a tree depth-first and looks at it after every few steps: what was expected, and what had been found.
    fn search(branches: Branches) -> (Vec<(Estimate, u64)>, u64) {
        fn go(
            way: &mut Vec<usize>,
            levels: &mut Vec<Level>,
            found: &mut u64,
            branches: Branches,
            look: &mut dyn FnMut(&[Level], u64),
        ) {
            let count = branches(way);
            *found += u64::from(count == 0);
            look(levels, *found);
            levels.push(Level { found: *found, tried: 0, left: count, given: false });
            for branch in 0..count {
                if let Some(level) = levels.last_mut() {
                    (level.tried, level.left) = (level.tried + 1, level.left - 1);
                }
                way.push(branch);
                go(way, levels, found, branches, look);
                way.pop();
            }
            levels.pop();
        }
        let forecast = Arc::default();
        let outlook = Outlook::new(&forecast, 0);
        let mut lookout = Lookout::new(&outlook);
        let (mut seen, mut steps, mut found) = (Vec::new(), 0, 0);
        go(&mut Vec::new(), &mut Vec::new(), &mut found, branches, &mut |levels, found| {
            steps += 1;
            if steps % 7 == 0 {
                lookout.look(levels.iter().copied(), found);
                seen.extend(forecast.get().map(|estimate| (estimate, found)));
            }
        });
        lookout.end(found);
        assert_eq!(outlook.known().estimate(), Some(Estimate { executions: found as f64, spread: 0.0 }));
        (seen, found)
    }

    /// Every estimate is at least what was found, and so many of a hundred are not further away than three times the spread.
    fn check(branches: Branches, good: usize) {
        let (seen, leaves) = search(branches);
        assert!(seen.len() > 100);
        assert!(seen.iter().all(|(estimate, found)| estimate.executions >= *found as f64));
        let is_good = |estimate: &Estimate| (estimate.executions - leaves as f64).abs() <= 3.0 * estimate.spread + 1.0;
        let share = 100 * seen.iter().filter(|(estimate, _)| is_good(estimate)).count() / seen.len();
        assert!(share >= good, "{share} of 100");
    }

    #[test]
    fn even_trees_are_foreseen() {
        check(|way| if way.len() < 8 { 3 } else { 0 }, 90);
    }

    /// At each of 300 forks, the first branch leads to the next, and the other one to twenty leaves.
    #[test]
    fn trees_with_one_large_branch_at_each_fork_are_foreseen() {
        let branches: Branches = |way| match way {
            [zeros @ .., 1] if zeros.iter().all(|&branch| branch == 0) => 20,
            _ if way.iter().all(|&branch| branch == 0) && way.len() < 300 => 2,
            _ => 0,
        };
        check(branches, 70);
    }

    /// Of nine branches at a fork, those with odd numbers are leaves.
    #[test]
    fn uneven_trees_are_foreseen() {
        check(|way| if way.iter().all(|branch| branch % 2 == 0) && way.len() < 5 { 9 } else { 0 }, 90);
    }
}
