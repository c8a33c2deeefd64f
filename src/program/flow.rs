//! Control-flow facts of a finished function: merge points of branches, loops, and what is live at a loop's head.
//!
//! Merge points are immediate post-dominators, computed by the iterative algorithm of Cooper, Harvey and Kennedy on the
//! reversed control-flow graph; paths that end in a failure or leave the program are ignored, so that an assertion inside
//! a branch does not stretch its control dependency. Loops are found from the retreating edges of a depth-first search; an irreducible
//! region counts each retreating target as a head.

use super::instr::*;
use smallvec::{SmallVec, smallvec};

/// Fills `Branch::join`, `loops`, `head_at`, `depth_at`, `arrivals`, `may_idle_at` and `may_stop` of a function whose jump targets are resolved.
pub fn analyse(function: &mut Function) {
    let successors: Vec<Successors> = (0..function.code.len()).map(|pc| successors(&function.code, pc as Pc)).collect();
    set_joins(function, &successors);
    find_loops(function, &successors);
    find_arrivals(function);
    function.may_stop = function.code.iter().any(|i| matches!(i, Instr::StopUnless { .. }));
}

/// Where control can go from an instruction.
/// The places that may come next in a function.
pub type Successors = SmallVec<[Pc; 2]>;

/// Where an instruction leads to.
pub fn successors(code: &[Instr], pc: Pc) -> Successors {
    match &code[pc as usize] {
        Instr::Jump(to) => smallvec![*to],
        Instr::Branch { then, otherwise, .. } if then == otherwise => smallvec![*then],
        Instr::Branch { then, otherwise, .. } => smallvec![*then, *otherwise],
        Instr::Return { .. }
        | Instr::ReturnMany { .. }
        | Instr::Fail { .. }
        | Instr::Panic { .. }
        | Instr::ExitThread { .. }
        | Instr::ExitProgram { .. } => Successors::new(),
        _ if pc as usize + 1 < code.len() => smallvec![pc + 1],
        _ => Successors::new(),
    }
}

/// Shows all places in the code that an instruction names, to be changed.
pub(super) fn change_targets(instr: &mut Instr, mut each: impl FnMut(&mut Pc)) {
    match instr {
        Instr::Jump(to) => each(to),
        Instr::Branch { then, otherwise, join, .. } => {
            each(then);
            each(otherwise);
            if let Join::At(merge) = join {
                each(merge);
            }
        }
        _ => {}
    }
}

/// Reverse postorder of the nodes reachable from `roots` along `edges`.
pub(crate) fn reverse_postorder(n: usize, roots: &[usize], edges: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut seen = vec![false; n];
    let mut order = Vec::with_capacity(n);
    for &root in roots {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        let mut stack = vec![(root, edges(root), 0)];
        while let Some((node, next, i)) = stack.last_mut() {
            if let Some(&to) = next.get(*i) {
                *i += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    let out = edges(to);
                    stack.push((to, out, 0));
                }
            } else {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

fn set_joins(function: &mut Function, successors: &[Successors]) {
    if !function.code.iter().any(|i| matches!(i, Instr::Branch { join: Join::Merge, .. })) {
        return;
    }
    let merges = merges(&function.code, successors);
    for (instr, merge) in function.code.iter_mut().zip(merges) {
        if let Instr::Branch { join: join @ Join::Merge, .. } = instr {
            *join = merge.map_or(Join::AtReturn, Join::At);
        }
    }
}

/// The immediate post-dominator of each instruction of a function: where all ways on from it meet again; `None`: when the function is left.
pub(crate) fn merge_points(function: &Function) -> Vec<Option<Pc>> {
    let code = &function.code;
    let successors: Vec<Successors> = (0..code.len()).map(|pc| successors(code, pc as Pc)).collect();
    merges(code, &successors)
}

fn merges(code: &[Instr], successors: &[Successors]) -> Vec<Option<Pc>> {
    let n = code.len();
    let exit = n;
    let mut predecessors = vec![Vec::new(); n + 1];
    let mut forward = vec![Vec::new(); n + 1];
    for pc in 0..n {
        for &to in &successors[pc] {
            predecessors[to as usize].push(pc);
            forward[pc].push(to as usize);
        }
        if matches!(code[pc], Instr::Return { .. } | Instr::ReturnMany { .. } | Instr::ExitThread { .. }) {
            predecessors[exit].push(pc);
            forward[pc].push(exit);
        }
    }
    let order = reverse_postorder(n + 1, &[exit], |x| predecessors[x].clone());
    let mut rank = vec![usize::MAX; n + 1];
    for (i, &node) in order.iter().enumerate() {
        rank[node] = i;
    }
    let mut ipdom = vec![usize::MAX; n + 1];
    ipdom[exit] = exit;
    let mut changed = true;
    while changed {
        changed = false;
        for &node in &order[1..] {
            let mut merged = usize::MAX;
            for &next in &forward[node] {
                if ipdom[next] == usize::MAX {
                    continue;
                }
                merged = if merged == usize::MAX { next } else { meet(merged, next, &ipdom, &rank) };
            }
            if merged != ipdom[node] {
                ipdom[node] = merged;
                changed = true;
            }
        }
    }
    ipdom.truncate(n);
    ipdom.into_iter().map(|at| (at < n).then_some(at as Pc)).collect()
}

/// Nearest common ancestor in a tree of dominators whose nodes are ranked.
pub(crate) fn meet(mut a: usize, mut b: usize, ipdom: &[usize], rank: &[usize]) -> usize {
    while a != b {
        while rank[a] > rank[b] {
            a = ipdom[a];
        }
        while rank[b] > rank[a] {
            b = ipdom[b];
        }
    }
    a
}

fn find_loops(function: &mut Function, successors: &[Successors]) {
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
pub(super) fn find_arrivals(function: &mut Function) {
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
fn comes_round_idly(code: &[Instr], successors: &[Successors], head: usize) -> bool {
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
pub(super) fn lead_to(places: &mut [bool], successors: &[Successors], lets_pass: impl Fn(usize) -> bool) {
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
fn has_effect(instr: &Instr) -> bool {
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

/// Visits what an instruction reads, by reference or to change it.
macro_rules! operands {
    ($instr:expr, $read:ident, $iter:ident) => {
        match $instr {
            Instr::Set { src: a, .. }
            | Instr::SetStatus { src: a, .. }
            | Instr::Un { a, .. }
            | Instr::ChooseBit { of: a, .. }
            | Instr::JoinThread { thread: a, .. }
            | Instr::Alloc { size: a, .. }
            | Instr::Free { addr: a, .. }
            | Instr::LocalLoad { offset: a, .. }
            | Instr::StopUnless { cond: a, .. }
            | Instr::Assert { cond: a, .. }
            | Instr::Check { cond: a, .. }
            | Instr::ExitThread { value: a }
            | Instr::WriteWord { value: a, .. }
            | Instr::Arrive { barrier: a }
            | Instr::Mark { value: a, .. }
            | Instr::ExitProgram { code: a }
            | Instr::Branch { cond: a, .. } => $read(a),
            Instr::Bin { a, b, .. }
            | Instr::Spawn { function: a, arg: b, .. }
            | Instr::Depart { barrier: a, count: b, .. }
            | Instr::Store(Store { addr: a, value: b, .. })
            | Instr::LocalStore { offset: a, value: b, .. } => {
                $read(a);
                $read(b);
            }
            Instr::Select { cond, a, b, .. } => {
                $read(cond);
                $read(a);
                $read(b);
            }
            Instr::Load(Load { addr, unless, .. }) => {
                $read(addr);
                unless.$iter().for_each(|Unless { expected, .. }| $read(expected));
            }
            Instr::Fence { addr: all, .. } | Instr::Return { value: all } => all.$iter().for_each($read),
            Instr::ReturnMany { values } => values.$iter().for_each($read),
            Instr::Call { callee, args, .. } => {
                if let Callee::Indirect(f) = callee {
                    $read(f);
                }
                args.$iter().for_each($read);
            }
            Instr::Panic { message } => message.$iter().for_each(|part| {
                if let Piece::Number { value, .. } | Piece::Truth(value) = part {
                    $read(value);
                }
            }),
            Instr::Choose { .. }
            | Instr::Jump(_)
            | Instr::ThreadSelf { .. }
            | Instr::ReadWord { .. }
            | Instr::Repeats { .. }
            | Instr::Fail { .. } => {}
        }
    };
}

/// Registers read by an instruction.
pub fn uses(instr: &Instr) -> Vec<Reg> {
    let mut out = Vec::new();
    let mut read = |operand: &Operand| {
        if let Operand::Reg(r) = operand {
            out.push(*r);
        }
    };
    operands!(instr, read, iter);
    out
}

/// Shows all that an instruction reads, to be changed.
pub(super) fn change_uses(instr: &mut Instr, mut read: impl FnMut(&mut Operand)) {
    operands!(instr, read, iter_mut);
}

/// The register that an instruction writes, by reference or to change it.
macro_rules! definition {
    ($instr:expr, $as_ref:ident) => {
        match $instr {
            Instr::Set { dst, .. }
            | Instr::SetStatus { dst, .. }
            | Instr::Bin { dst, .. }
            | Instr::Un { dst, .. }
            | Instr::Select { dst, .. }
            | Instr::Choose { dst, .. }
            | Instr::ChooseBit { dst, .. }
            | Instr::Spawn { dst, .. }
            | Instr::ThreadSelf { dst }
            | Instr::ReadWord { dst, .. }
            | Instr::Repeats { dst }
            | Instr::Alloc { dst, .. }
            | Instr::LocalLoad { dst, .. }
            | Instr::Load(Load { dst, .. }) => Some(dst),
            Instr::Call { dst, .. } | Instr::JoinThread { dst, .. } => dst.$as_ref(),
            _ => None,
        }
    };
}

/// The register that an instruction writes. (A call that gives a structure writes those behind it, too.)
#[inline]
pub fn defines(instr: &Instr) -> Option<Reg> {
    definition!(instr, as_ref).copied()
}

/// The same, to be changed.
pub(super) fn definition_of(instr: &mut Instr) -> Option<&mut Reg> {
    definition!(instr, as_mut)
}

fn live_in(function: &Function, successors: &[Successors]) -> Vec<crate::relation::bits::Bits> {
    use crate::relation::bits::Bits;
    let n = function.code.len();
    let mut live = vec![Bits::new(); n];
    let mut changed = true;
    while changed {
        changed = false;
        for pc in (0..n).rev() {
            let mut out = Bits::new();
            for &to in &successors[pc] {
                out.union_with(&live[to as usize]);
            }
            if let Some(dst) = defines(&function.code[pc]) {
                out.remove(dst);
            }
            for r in uses(&function.code[pc]) {
                out.insert(r);
            }
            if matches!(function.code[pc], Instr::Return { .. }) {
                function.observed.iter().for_each(|&r| out.insert(r));
            }
            changed |= live[pc].union_with(&out);
        }
    }
    live
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TagSetId;
    use crate::program::FunctionBuilder;

    fn load() -> Instr {
        let (tags, half) = (TagSetId(0), Half::None);
        Instr::Load(Load { dst: 0, addr: Operand::Const(0), size: 4, tags, half, unless: None, hidden: false })
    }

    fn store(half: Half) -> Instr {
        let (addr, value) = (Operand::Const(0), Operand::Const(1));
        Instr::Store(Store { addr, value, size: 4, tags: TagSetId(0), half, hidden: false })
    }

    /// Where a thread may spin that goes round `body` until it reads something.
    fn may_idle_in(body: &[Instr]) -> Vec<bool> {
        let mut f = FunctionBuilder::new("f", 1);
        let (head, done) = (f.label(), f.label());
        f.place(head);
        body.iter().for_each(|instr| f.push(instr.clone()));
        let (then, otherwise) = (FunctionBuilder::target(done), FunctionBuilder::target(head));
        f.push(Instr::Branch { cond: Operand::Reg(0), then, otherwise, join: Join::Merge });
        f.place(done);
        f.finish().may_idle_at
    }

    #[test]
    fn a_loop_that_only_reads_may_be_idle() {
        assert_eq!(may_idle_in(&[load()]), [true, true, false]);
    }

    #[test]
    fn a_loop_that_writes_is_never_idle() {
        assert_eq!(may_idle_in(&[load(), store(Half::None)]), [false; 4]);
    }

    #[test]
    fn a_read_modify_write_may_store_what_it_read() {
        assert_eq!(may_idle_in(&[load(), store(Half::AmoWrite)]), [true, true, true, false]);
    }

    #[test]
    fn a_loop_that_writes_and_then_waits_may_be_idle_behind_the_write() {
        let mut f = FunctionBuilder::new("f", 1);
        let (outer, inner, next, done) = (f.label(), f.label(), f.label(), f.label());
        f.place(outer);
        f.push(store(Half::None));
        f.push(load());
        f.place(inner);
        f.push(load());
        for (to, label) in [(next, inner), (done, outer)] {
            let (then, otherwise) = (FunctionBuilder::target(to), FunctionBuilder::target(label));
            f.push(Instr::Branch { cond: Operand::Reg(0), then, otherwise, join: Join::Merge });
            if to == next {
                f.place(next);
                f.push(load());
            }
        }
        f.place(done);
        // The write, the read behind it, the loop that waits, what is behind that and leads to the write again.
        assert_eq!(f.finish().may_idle_at, [false, true, true, true, false, false, false]);
    }

    #[test]
    fn a_way_past_the_write_is_enough() {
        let mut f = FunctionBuilder::new("f", 1);
        let (head, next, done) = (f.label(), f.label(), f.label());
        f.place(head);
        f.push(load());
        let branch = |then, otherwise| Instr::Branch {
            cond: Operand::Reg(0),
            then: FunctionBuilder::target(then),
            otherwise: FunctionBuilder::target(otherwise),
            join: Join::Merge,
        };
        let write = f.label();
        f.push(branch(write, next));
        f.place(write);
        f.push(store(Half::None));
        f.place(next);
        f.push(branch(done, head));
        f.place(done);
        assert_eq!(f.finish().may_idle_at, [true, true, true, true, false]);
    }
}
