//! Names for executions.

use crate::explore::visitor::Execution;
use crate::graph::event::{Kind, NO_EVENT, NO_LOC};
use crate::ids::EventId;

/// A name for an execution that does not depend on how it was found: every event of the model and every
/// choice with its identity, label, source and place in coherence.
pub fn signature(execution: &Execution<'_, '_>) -> String {
    let graph = execution.graph;
    let name = |e: EventId| -> String {
        if e == NO_EVENT {
            return "-".into();
        }
        let x = graph.event(e);
        match x.kind {
            Kind::Init => format!("init{:x}", execution.world.locs.get(x.loc).0),
            _ => format!("{}:{:x}", x.thread.0, x.key),
        }
    };
    let mut lines: Vec<String> = Vec::new();
    for (t, lane) in graph.lanes().iter().enumerate() {
        for &e in &lane.order {
            let x = graph.event(e);
            if !x.kind.in_model() && x.kind != Kind::Choose {
                continue;
            }
            let loc = if x.loc == NO_LOC { 0 } else { execution.world.locs.get(x.loc).0 };
            lines.push(format!("{t} {} {:?} {loc:x} {} {} {:?}", name(e), x.kind, x.value, name(x.rf), x.tags));
        }
    }
    let mut coherence: Vec<String> = graph
        .places()
        .filter(|(_, p)| p.co.len() > 1)
        .map(|(loc, p)| {
            let order: Vec<String> = p.co.iter().map(|&w| name(w)).collect();
            format!("co {:x} {}", execution.world.locs.get(loc).0, order.join(" "))
        })
        .collect();
    coherence.sort();
    lines.extend(coherence);
    lines.join("\n")
}
