//! What is bounded, and by how much.

/// What is counted of an interleaving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Measure {
    /// Switches away from a thread that could go on.
    Preemptions,
    /// Rounds beyond the first.
    Rounds,
}

/// At most so many of these.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bound {
    /// What is counted.
    pub measure: Measure,
    /// The most that there may be.
    pub most: u32,
}

impl Bound {
    /// As on the command line: `context=2`, `round=1`.
    pub fn read(text: &str) -> Result<Bound, String> {
        let known = || "known are context=N (at most N preemptions) and round=N (at most N rounds beyond the first)";
        let (name, most) = text.split_once('=').ok_or_else(|| format!("no number of what: {}", known()))?;
        let measure = match name {
            "context" => Measure::Preemptions,
            "round" => Measure::Rounds,
            _ => return Err(format!("`{name}` is no bound; {}", known())),
        };
        let most = most.parse().ok().filter(|&most| most <= MOST);
        let most = most.ok_or_else(|| format!("the bound is a number from 0 to {MOST}"))?;
        Ok(Bound { measure, most })
    }

    /// As [`Self::read`] takes it.
    pub fn text(self) -> String {
        let name = match self.measure {
            Measure::Preemptions => "context",
            Measure::Rounds => "round",
        };
        format!("{name}={}", self.most)
    }
}

/// More is not to be asked for: the search would take long, and leave nothing out.
const MOST: u32 = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for text in ["context=0", "round=3", "context=64"] {
            assert_eq!(Bound::read(text).map(Bound::text).as_deref(), Ok(text));
        }
        for text in ["context", "context=", "contexts=2", "round=-1", "round=65"] {
            assert!(Bound::read(text).is_err(), "{text}");
        }
    }
}
