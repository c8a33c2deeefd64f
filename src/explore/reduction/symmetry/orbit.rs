//! Of the finished executions that differ in names only, which one is shown, and how many there are.
//!
//! Coherence and reads-from leave a renaming little room: it changes no coherence order, so it leaves every thread that writes in its
//! place (but for writes of which the order is of no interest), and with it every source of a read. An execution is therefore the same under another name of its threads only
//! where threads without writes read the same and choose the same; the others are all different.

use crate::analysis::interchangeable::Kin;
use crate::explore::reduction::symmetry::order::{depends, depends_anyhow, events, key, shared};
use crate::graph::Graph;
use crate::ids::ThreadId;

/// How many executions there are that differ from this in the names of interchangeable threads only, this one counted.
pub(super) fn size(graph: &Graph, kin: &Kin) -> u64 {
    let mut size = 1u64;
    for group in &kin.0 {
        for (i, &t) in group.iter().enumerate() {
            // The product of i + 1 is the factorial; that of the places among equals divides it, step by step.
            let equals = group[..i].iter().filter(|&&s| are_equal(graph, s, t)).count() as u64;
            // It never becomes less, so what does not fit once never does.
            let next = u128::from(size) * (i as u128 + 1) / u128::from(equals + 1);
            let Ok(next) = u64::try_from(next) else { return u64::MAX };
            size = next;
        }
    }
    size
}

fn are_equal(graph: &Graph, s: ThreadId, t: ThreadId) -> bool {
    let length = events(graph, s).len();
    length == events(graph, t).len() && shared(graph, s, t) == length
}

/// What a thread did, as keys.
type Deeds = Vec<usize>;

fn deeds(graph: &Graph, t: ThreadId) -> Deeds {
    events(graph, t).iter().map(|&e| key(graph, e)).collect()
}

/// Whether this execution is the one that is shown: of those that are explored, the first by what its threads did.
pub(super) fn is_shown(graph: &Graph, kin: &Kin) -> bool {
    let own: Vec<Vec<Deeds>> = kin.0.iter().map(|group| group.iter().map(|&t| deeds(graph, t)).collect()).collect();
    if own.iter().all(|group| group.is_sorted()) {
        return true;
    }
    let other = Kin(kin.0.iter().map(|_| Vec::new()).collect());
    !Earlier { graph, kin, own: &own, other }.exists(0, false)
}

/// Looks for an execution that is explored too and comes before.
struct Earlier<'g> {
    graph: &'g Graph,
    kin: &'g Kin,
    own: &'g [Vec<Deeds>],
    /// Who takes which name, as far as that is decided.
    other: Kin,
}

impl Earlier<'_> {
    /// Whether there is one; the groups before `group` are full, and `less` if they are before the own ones already.
    fn exists(&mut self, group: usize, less: bool) -> bool {
        let Some(members) = self.kin.0.get(group) else { return less && is_explored(self.graph, &self.other) };
        let at = self.other.0[group].len();
        if at == members.len() {
            return self.exists(group + 1, less);
        }
        let mut tried: Vec<&Deeds> = Vec::new();
        for (&t, deeds) in members.iter().zip(&self.own[group]) {
            let later = !less && *deeds > self.own[group][at];
            if later || tried.contains(&deeds) || self.other.0[group].contains(&t) {
                continue;
            }
            tried.push(deeds);
            self.other.0[group].push(t);
            let found = self.exists(group, less || *deeds < self.own[group][at]);
            self.other.0[group].pop();
            if found {
                return true;
            }
        }
        false
    }
}

/// Whether an execution is explored when the threads of each group have the names in this order: nothing depends on itself, and the
/// threads are in order.
fn is_explored(graph: &Graph, kin: &Kin) -> bool {
    let good = |group: &Vec<ThreadId>, i: usize, j: usize| {
        let (s, t) = (group[i], group[j]);
        let at = shared(graph, s, t);
        let (Some(&first), Some(&second)) = (events(graph, s).get(at), events(graph, t).get(at)) else { return true };
        if depends(graph, kin, s, t, at) {
            return false;
        }
        let between = group[i + 1..j].iter().any(|&u| shared(graph, u, t) >= at);
        between || key(graph, first) <= key(graph, second) || depends_anyhow(graph, kin, (s, t), at)
    };
    kin.0.iter().all(|group| (0..group.len()).all(|j| (0..j).all(|i| good(group, i, j))))
}
