//! The execution of a result that is drawn, and which of its events.

use super::past;
use crate::report::{CALL, Drawing, EVENT};
use crate::verdict::picture::{Edge, Origin};
use crate::verdict::{FileResult, Picture};

/// An execution that is to be drawn, cut to what a finding depends on.
#[derive(Clone, PartialEq, Debug)]
pub struct Chosen {
    picture: Picture,
    marked: Vec<u32>,
    cycle: Vec<Edge>,
    /// The row of each event in the whole execution.
    numbers: Vec<u32>,
    /// What stands before these numbers.
    letter: char,
    /// How many events the whole execution has.
    pub events: usize,
}

impl Chosen {
    /// Of a result: its violation (of calls that are not as specified, these), else its witness, else the first execution that is listed, else the first candidate that is rejected.
    /// `whole`: with the events that the violation does not depend on.
    pub fn of(result: &FileResult, whole: bool) -> Option<Chosen> {
        let all = |picture: &Picture, marked: &[u32], cycle: &[Edge]| {
            let events = picture.events.len();
            let numbers = (0..events as u32).collect();
            Chosen {
                picture: picture.clone(),
                marked: marked.to_vec(),
                cycle: cycle.to_vec(),
                numbers,
                letter: EVENT,
                events,
            }
        };
        if let Some(finding) = &result.violation {
            if let Some(calls) = finding.calls.as_ref().filter(|_| !whole) {
                return Some(Chosen { letter: CALL, ..all(&calls.picture, &calls.about, &[]) });
            }
            let cycle = finding.orders.as_ref().map_or(&[][..], |orders| &orders.cycle);
            let chosen = all(&finding.execution, &finding.events, cycle);
            return Some(match past::of(finding).filter(|_| !whole) {
                Some(kept) => chosen.cut(&kept),
                None => chosen,
            });
        }
        if let Some(witness) = &result.witness {
            return Some(all(witness, &[], &[]));
        }
        if let Some(listed) = result.listed.as_ref().and_then(|listing| listing.executions.first()) {
            return Some(all(&listed.execution, &[], &listed.cycle));
        }
        let rejection = result.explanation.as_ref()?.rejections.first()?;
        Some(all(&rejection.execution, &[], &rejection.cycle))
    }

    /// How many events are drawn.
    pub fn drawn(&self) -> usize {
        self.numbers.len()
    }

    /// What is drawn.
    pub fn drawing<'a>(&'a self, title: &'a str, relations: Option<&'a [String]>) -> Drawing<'a> {
        let Chosen { picture, marked, cycle, numbers, letter, .. } = self;
        Drawing { picture, title, marked, cycle, relations, numbers: Some(numbers), letter: *letter }
    }

    /// The same with these rows only.
    fn cut(&self, kept: &[bool]) -> Chosen {
        let numbers: Vec<u32> =
            self.numbers.iter().copied().filter(|&row| kept.get(row as usize).is_some_and(|kept| *kept)).collect();
        let row = |old: u32| numbers.binary_search(&old).ok().map(|new| new as u32);
        let edge = |edge: &Edge| Some(Edge { from: row(edge.from)?, to: row(edge.to)?, name: edge.name.clone() });
        let edges = |all: &[Edge]| all.iter().filter_map(edge).collect();
        let own = &self.picture;
        let mut picture = Picture {
            events: numbers.iter().map(|&old| own.events[old as usize].clone()).collect(),
            coherence: own
                .coherence
                .iter()
                .map(|(location, writes)| (location.clone(), writes.iter().filter_map(|&write| row(write)).collect()))
                .collect(),
            edges: edges(&own.edges),
            dependencies: edges(&own.dependencies),
            related: edges(&own.related),
            ..own.clone()
        };
        for event in &mut picture.events {
            if let Some(Origin::Event(from)) = event.reads_from {
                event.reads_from = row(from).map(Origin::Event);
            }
        }
        let marked = self.marked.iter().filter_map(|&old| row(old)).collect();
        Chosen { picture, marked, cycle: edges(&self.cycle), numbers, letter: self.letter, events: self.events }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::drawn::svg;
    use crate::report::sample;

    #[test]
    fn rows_keep_their_numbers() {
        let mut result = sample::violated();
        let finding = result.violation.as_mut().expect("a finding");
        (finding.kind, finding.orders, finding.events) = ("race".into(), None, vec![2]);
        let whole = Chosen::of(&result, true).expect("an execution");
        let cut = Chosen::of(&result, false).expect("an execution");
        assert_eq!((whole.drawn(), cut.events), (4, 4));
        assert!(cut.drawn() < 4);
        let text = svg::picture(&cut.drawing("a race", None));
        assert!(text.contains(">e2<") && !text.contains(">e3<"), "{text}");
    }
}
