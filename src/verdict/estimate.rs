//! How many executions there may be in all, where a search was ended.

use serde::{Deserialize, Serialize};

/// How many executions there may be, up to renaming where threads are interchangeable.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    /// So many, about.
    pub executions: f64,
    /// The standard error of that.
    pub spread: f64,
}

impl Estimate {
    /// What a forecast says of a search that has seen so many; nothing where it says no more than that.
    pub fn of(executions: f64, spread: f64, seen: u64) -> Option<Estimate> {
        (executions > seen as f64 && executions.is_finite() && spread.is_finite())
            .then_some(Estimate { executions, spread })
    }

    /// In words, with one digit: more would be a lie.
    pub fn shown(&self) -> String {
        let Estimate { executions, spread } = *self;
        let magnitude = 10_f64.powf(executions.max(1.0).log10().floor());
        let rounded = (executions / magnitude).round() * magnitude;
        let number = if rounded >= 1e6 { format!("{rounded:.0e}") } else { format!("{rounded:.0}") };
        let how = if spread * 4.0 > executions { "very rough" } else { "rough" };
        format!("about {number} executions in all, a {how} estimate")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_digit_is_shown() {
        let of = |executions, spread, complete| Estimate::of(executions, spread, complete).map(|e| e.shown());
        assert_eq!(of(4321.0, 300.0, 10).as_deref(), Some("about 4000 executions in all, a rough estimate"));
        assert_eq!(of(3.4e9, 2e9, 10).as_deref(), Some("about 3e9 executions in all, a very rough estimate"));
        assert_eq!(of(9.0, 1.0, 10), None);
        assert_eq!(of(f64::INFINITY, 1.0, 10), None);
    }
}
