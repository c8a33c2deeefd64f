//! Loops, and which of them may come round without an effect.

use super::{Successors, live_in, reverse_postorder};
use crate::program::instr::*;

pub(super) fn find_loops(function: &mut Function, successors: &[Successors]) {
    let n = function.code.len();
    function.head_at = vec![0; n];
    function.depth_at = vec![0; n];
    let leads_on = |(pc, next): (usize, &Successors)| next.iter().all(|&to| to as usize > pc);
    if successors.iter().enumerate().all(leads_on) {
        return;
    }
    let order = reverse_postorder(n, &[0], |x| successors[x].iter().map(|&t| t as usize).collect());
    let mut rank = vec![usize::MAX; n];
    for (i, &node) in order.iter().enumerate() {
        rank[node] = i;
    }
    let mut predecessors = vec![Vec::new(); n];
    for &pc in &order {
        for &to in &successors[pc] {
            predecessors[to as usize].push(pc);
        }
    }
    let mut bodies: Vec<(usize, Vec<bool>)> = Vec::new();
    for &head in &order {
        let latches: Vec<usize> = predecessors[head].iter().copied().filter(|&p| rank[p] >= rank[head]).collect();
        if latches.is_empty() {
            continue;
        }
        let mut body = vec![false; n];
        body[head] = true;
        let mut work = latches;
        while let Some(pc) = work.pop() {
            // Nodes ranked before the head are outside: only an irreducible region reaches them.
            if rank[pc] < rank[head] || std::mem::replace(&mut body[pc], true) {
                continue;
            }
            work.extend(&predecessors[pc]);
        }
        bodies.push((head, body));
    }
    if bodies.is_empty() {
        return;
    }
    let live = live_in(function, successors);
    let mut idle = vec![false; n];
    for (index, (head, body)) in bodies.iter().enumerate() {
        function.head_at[*head] = index as u32 + 1;
        let may_idle = comes_round_idly(&function.code, successors, *head);
        for (pc, &inside) in body.iter().enumerate() {
            function.depth_at[pc] = function.depth_at[pc].saturating_add(u8::from(inside));
            idle[pc] |= inside && may_idle;
        }
    }
    lead_to(&mut idle, successors, |pc| !has_effect(&function.code[pc]));
    function.may_idle_at = idle.iter().zip(&function.depth_at).map(|(&leads, &depth)| leads && depth > 0).collect();
    function.loops = bodies
        .iter()
        .map(|(head, _)| Loop {
            head: *head as Pc,
            depth: function.depth_at[*head],
            live: live[*head].iter().collect(),
        })
        .collect();
}

/// Finds out where something may have to be done on arrival. Jumps need not be among the ways there: whoever jumps looks.
pub(in crate::program) fn find_arrivals(function: &mut Function) {
    let depth_changes = |pc: usize| pc > 0 && function.depth_at[pc] != function.depth_at[pc - 1];
    let mut arrivals: Vec<bool> =
        (0..function.code.len()).map(|pc| function.head_at[pc] != 0 || depth_changes(pc)).collect();
    for instr in &function.code {
        if let Instr::Branch { join: Join::At(merge), .. } = instr {
            arrivals[*merge as usize] = true;
        }
    }
    for meeting in &function.meetings {
        meeting.at.into_iter().for_each(|at| arrivals[at as usize] = true);
    }
    function.arrivals = arrivals;
}

/// Whether some way from an instruction back to it passes nothing that is certain to have an effect ([`super::thread`], *Idle iterations*).
pub(super) fn comes_round_idly(code: &[Instr], successors: &[Successors], head: usize) -> bool {
    let mut seen = vec![false; code.len()];
    let mut work = vec![head];
    while let Some(pc) = work.pop() {
        if std::mem::replace(&mut seen[pc], true) || has_effect(&code[pc]) {
            continue;
        }
        if successors[pc].iter().any(|&to| to as usize == head) {
            return true;
        }
        work.extend(successors[pc].iter().map(|&to| to as usize));
    }
    false
}

/// Adds to some places of a function those from which one comes there through others that let pass.
pub(in crate::program) fn lead_to(places: &mut [bool], successors: &[Successors], lets_pass: impl Fn(usize) -> bool) {
    let mut changed = true;
    while changed {
        changed = false;
        for pc in (0..places.len()).rev().filter(|&pc| lets_pass(pc)) {
            let leads = successors[pc].iter().any(|&to| places[to as usize]);
            changed |= leads && !std::mem::replace(&mut places[pc], leads);
        }
    }
}

/// Whether an instruction has an effect whenever a thread goes past it. A read-modify-write may store the value that it read.
pub(super) fn has_effect(instr: &Instr) -> bool {
    match instr {
        Instr::Store(store) => store.half == Half::None,
        Instr::Choose { .. }
        | Instr::ChooseBit { .. }
        | Instr::Spawn { .. }
        | Instr::JoinThread { .. }
        | Instr::Arrive { .. }
        | Instr::Depart { .. }
        | Instr::Alloc { .. }
        | Instr::Free { .. }
        | Instr::Mark { .. } => true,
        _ => false,
    }
}
