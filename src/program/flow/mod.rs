//! Control-flow facts of a finished function: merge points of branches, loops, and what is live at a loop's head.
//!
//! Merge points are immediate post-dominators, computed by the iterative algorithm of Cooper, Harvey and Kennedy on the
//! reversed control-flow graph; paths that end in a failure or leave the program are ignored, so that an assertion inside
//! a branch does not stretch its control dependency. Loops are found from the retreating edges of a depth-first search; an irreducible
//! region counts each retreating target as a head.

mod loops;
mod operands;

use super::instr::*;
use loops::find_loops;
pub(super) use loops::{find_arrivals, lead_to};
pub(super) use operands::{change_uses, definition_of};
pub use operands::{defines, uses};
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

/// The instructions of a function that are come to if each branch may go either way, unless a constant decides it (what the library gives back often is one).
pub fn come_to(code: &[Instr]) -> impl Iterator<Item = &Instr> {
    let mut seen = vec![false; code.len()];
    let mut work: Vec<Pc> = if code.is_empty() { Vec::new() } else { vec![0] };
    while let Some(at) = work.pop() {
        if std::mem::replace(&mut seen[at as usize], true) {
            continue;
        }
        match code[at as usize] {
            Instr::Branch { cond: Operand::Const(cond), then, otherwise, .. } => {
                work.push(if cond != 0 { then } else { otherwise });
            }
            _ => work.extend(successors(code, at)),
        }
    }
    code.iter().zip(seen).filter(|(_, seen)| *seen).map(|(instr, _)| instr)
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
