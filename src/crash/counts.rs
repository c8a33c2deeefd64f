//! What was counted of crashes.

use serde::{Deserialize, Serialize};

/// What was counted of crashes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Crashed {
    /// Executions of the program behind which the recovery ran.
    pub executions: u64,
    /// Executions with what the recovery read.
    pub recoveries: u64,
    /// Those in which the recovery was cut off by an assumption: what it found never happened.
    pub cut_off: u64,
    /// Those in which the recovery went wrong.
    pub violating: u64,
    /// Different states that the recovery told apart.
    pub states: u64,
    /// Whether the result lists them.
    #[serde(default)]
    pub is_listed: bool,
}

impl Crashed {
    /// As a user is told.
    pub fn sentences(self) -> Vec<String> {
        let s = |n: u64| if n == 1 { "" } else { "s" };
        let Crashed { executions, recoveries, cut_off, states, .. } = self;
        if executions == 0 {
            return vec!["no execution was complete, so the recovery did not run".to_owned()];
        }
        let mut all = vec![format!(
            "a crash at any moment of {executions} execution{}: {recoveries} recover{} with {states} different state{}",
            s(executions),
            if recoveries == 1 { "y" } else { "ies" },
            s(states)
        )];
        if cut_off > 0 {
            let ends = if cut_off == 1 { "recovery ends" } else { "recoveries end" };
            all.push(format!("{cut_off} {ends} at an assumption: what they found is taken to be undone, as a transaction that was under way"));
        }
        all
    }
}
