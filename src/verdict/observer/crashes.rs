//! What the recovery finds behind the executions that are seen.

use super::{LeftOut, Observer};
use crate::explore::{Execution, Go};
use crate::verdict::crash::Told;
use crate::verdict::finding::Property;

impl Observer<'_> {
    /// Keeps what is wrong with the recovery behind an execution, if something is.
    pub(super) fn look_at_crashes(&mut self, execution: &Execution<'_, '_>) -> Go {
        let looks = self.looks_for(Property::Crash);
        let Some(crashes) = &mut self.crashes else { return Go::On };
        for told in crashes.look(execution, looks && !self.keep_going, self.sources) {
            match told {
                Told::Wrong(finding) if looks => self.add(finding),
                Told::Wrong(finding) => self.add_left_out(LeftOut::of(Property::Crash, finding)),
                Told::Unsupported(finding) => self.add_unsupported(finding),
            }
        }
        if self.keep_going || !looks || self.findings.is_empty() { Go::On } else { Go::Stop }
    }
}
