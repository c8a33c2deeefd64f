//! Changing a finished function: putting an instruction in front of another one.

use super::{Function, Instr, Part, Pc, flow};

/// Puts an instruction in front of the one at `pc`; whoever jumps there runs it first. It is an instruction of its own in the source.
pub fn insert(function: &mut Function, pc: Pc, instr: Instr) {
    let at = pc as usize;
    if at >= function.code.len() {
        return;
    }
    let shift = |target: &mut Pc| *target += Pc::from(*target > pc);
    function.code.iter_mut().for_each(|instr| flow::change_targets(instr, shift));
    function.operations.iter_mut().for_each(|(at, _)| *at += Pc::from(*at >= pc));
    function.layouts.iter_mut().for_each(|(at, ..)| *at += Pc::from(*at >= pc));
    for meeting in &mut function.meetings {
        meeting.branch += Pc::from(meeting.branch >= pc);
        meeting.at.iter_mut().for_each(shift);
    }
    let group = function.group.iter().copied().max().unwrap_or(0) + 1;
    let span = function.spans.get(at).copied().unwrap_or_default();
    function.code.insert(at, instr);
    function.spans.insert(at, span);
    function.group.insert(at, group);
    if !function.parts.is_empty() {
        function.parts.insert(at, Part::default());
    }
    // Branches keep the merge points that they have; loops are found anew.
    flow::analyse(function);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::TagSetId;
    use crate::program::{FunctionBuilder, Join, Operand};

    #[test]
    fn jumps_lead_to_what_was_put_in_front() {
        let mut f = FunctionBuilder::new("f", 1);
        let (head, done) = (f.label(), f.label());
        f.place(head);
        f.push(Instr::Set { dst: 0, src: Operand::Const(1) });
        let (then, otherwise) = (FunctionBuilder::target(head), FunctionBuilder::target(done));
        f.push(Instr::Branch { cond: Operand::Reg(0), then, otherwise, join: Join::Merge });
        f.place(done);
        let mut function = f.finish();
        let fence = Instr::Fence { tags: TagSetId(0), addr: None, is_fence: true };
        insert(&mut function, 0, fence.clone());
        assert_eq!(function.code[0], fence);
        let Instr::Branch { then, otherwise, join, .. } = function.code[2] else { panic!("a branch is expected") };
        assert_eq!((then, otherwise, join), (0, 3, Join::At(3)));
        assert_eq!(function.head_at[0], 1);
        assert_eq!((function.spans.len(), function.group.len()), (function.code.len(), function.code.len()));
    }
}
