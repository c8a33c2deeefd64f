//! Jumps between blocks, and phis.
//!
//! A phi is a copy on each incoming edge. Its value also depends on the conditions that chose the edge (`a && b` depends on
//! `a`), which copies alone would lose; those are the conditions of the blocks that dominate the edge, up to the phi's
//! immediate dominator.

use super::{FunctionLowering, Lowered};
use crate::llvm::ir::{self, Block, Local, Op, TypeId, Value};
use crate::llvm::lower::globals;
use crate::program::*;
use rustc_hash::FxHashMap;

impl<'m> FunctionLowering<'_, 'm> {
    fn phis(&self, block: usize) -> impl Iterator<Item = (Local, TypeId, &'m [(Value, Local)])> + use<'m> {
        let blocks: &'m [Block] = &self.source.blocks;
        blocks[block].instructions.iter().map_while(|i| match (&i.op, i.result) {
            (Op::Phi { ty, incoming }, Some(result)) => Some((result, *ty, incoming.as_slice())),
            _ => None,
        })
    }

    /// Copies for the phis of a block, on the edge from the current one.
    fn edge(&mut self, to: usize) -> Lowered<()> {
        let from = self.position.0;
        let from_label = self.source.blocks[from].label;
        let phis: Vec<_> = self.phis(to).collect();
        let mut copies: Vec<(Reg, Operand)> = Vec::new();
        for (result, ty, incoming) in phis {
            let value = incoming.iter().find(|(_, block)| *block == from_label).map(|(v, _)| v);
            let value = value.ok_or("a phi does not name all its predecessors")?;
            let sources = self.operands(ty, value)?;
            let registers = self.result(result, ty)?;
            copies.extend(registers.into_iter().zip(sources));
        }
        if copies.is_empty() {
            return Ok(());
        }
        let conditions = self.edge_conditions(from, to)?;
        for (_, source) in &mut copies {
            for &cond in &conditions {
                let dst = self.f.reg();
                self.f.push(Instr::Select { dst, cond, a: *source, b: *source, on_cond: true });
                *source = Operand::Reg(dst);
            }
        }
        let targets: Vec<Reg> = copies.iter().map(|(r, _)| *r).collect();
        let clash = copies.iter().any(|(r, s)| matches!(s, Operand::Reg(s) if s != r && targets.contains(s)));
        if clash {
            for (_, source) in &mut copies {
                let dst = self.f.reg();
                self.f.push(Instr::Set { dst, src: *source });
                *source = Operand::Reg(dst);
            }
        }
        for (dst, src) in copies {
            self.f.push(Instr::Set { dst, src });
        }
        Ok(())
    }

    /// Conditions that decided that the edge is taken rather than another one into the same block.
    fn edge_conditions(&mut self, from: usize, to: usize) -> Lowered<Vec<Operand>> {
        if self.dominators.is_none() {
            self.dominators = Some(dominators(self.source, &self.block_index));
        }
        let dominators = self.dominators.as_deref().unwrap_or_default();
        let (mut chain, mut at) = (Vec::new(), from);
        let stop = dominators[to];
        loop {
            chain.push(at);
            if at == stop || dominators[at] == at || dominators[at] == usize::MAX {
                break;
            }
            at = dominators[at];
        }
        let blocks: &'m [Block] = &self.source.blocks;
        let mut out = Vec::new();
        for index in chain {
            match blocks[index].instructions.last().map(|i| &i.op) {
                Some(Op::CondBranch { cond: cond @ Value::Local(_), then, otherwise }) if then != otherwise => {
                    out.push(self.pointer(cond)?);
                }
                Some(Op::Switch { ty, value: value @ Value::Local(_), .. }) => out.push(self.operand(*ty, value)?),
                _ => {}
            }
        }
        out.dedup();
        Ok(out)
    }

    fn block(&self, label: Local) -> Lowered<usize> {
        self.block_index.get(&label).copied().ok_or_else(|| "a jump to a block that does not exist".into())
    }

    pub(in crate::llvm::lower) fn goto(&mut self, to: Local) -> Lowered<()> {
        let index = self.block(to)?;
        self.edge(index)?;
        if index != self.position.0 + 1 {
            let label = self.labels[&to];
            self.code().jump(label);
        }
        Ok(())
    }

    /// The label to jump to for a block: its own, or that of the copies on the edge, which [`Self::finish_edges`] emits.
    fn edge_label(&mut self, to: Local, edges: &mut Vec<(Label, Local)>) -> Lowered<Label> {
        let index = self.block(to)?;
        if self.phis(index).next().is_none() {
            return Ok(self.labels[&to]);
        }
        if let Some((label, _)) = edges.iter().find(|(_, block)| *block == to) {
            return Ok(*label);
        }
        let label = self.f.label();
        edges.push((label, to));
        Ok(label)
    }

    fn finish_edges(&mut self, edges: Vec<(Label, Local)>) -> Lowered<()> {
        for (label, to) in edges {
            self.f.place(label);
            let index = self.block(to)?;
            self.edge(index)?;
            let target = self.labels[&to];
            self.code().jump(target);
        }
        Ok(())
    }

    pub(in crate::llvm::lower) fn conditional(&mut self, cond: &Value, then: Local, otherwise: Local) -> Lowered<()> {
        if let Some(n) = self.module.constant(cond, 0) {
            return self.goto(if n & 1 != 0 { then } else { otherwise });
        }
        let cond = self.pointer(cond)?;
        let mut edges = Vec::new();
        if let Some(text) = self.failing(otherwise) {
            self.code().assert(cond, format!("assertion `{text}` failed"));
            let on = self.edge_label(then, &mut edges)?;
            self.code().jump(on);
            return self.finish_edges(edges);
        }
        let then = self.edge_label(then, &mut edges)?;
        let otherwise = self.edge_label(otherwise, &mut edges)?;
        self.code().branch(cond, then, otherwise);
        self.finish_edges(edges)
    }

    /// The text of the assertion when a block does nothing but report that it failed.
    fn failing(&self, label: Local) -> Option<String> {
        let block = self.source.blocks.iter().find(|b| b.label == label)?;
        match block.instructions.iter().map(|i| &i.op).collect::<Vec<_>>()[..] {
            [Op::Call { callee, args, .. }, Op::Unreachable]
                if matches!(self.module.module.library_callee(callee), Some("__assert_fail" | "__assert")) =>
            {
                self.text(&args.first()?.value).ok()
            }
            _ => None,
        }
    }

    pub(in crate::llvm::lower) fn switch(
        &mut self,
        ty: TypeId,
        value: &Value,
        default: Local,
        cases: &'m [(Value, Local)],
    ) -> Lowered<()> {
        let bits = self.module.module.types.scalar_bits(ty).ok_or("a switch on a value that is not supported")?;
        let value = self.operand(ty, value)?;
        let mut edges = Vec::new();
        for (case, to) in cases {
            let case = self.module.constant(case, 0).ok_or("a case that is not constant")?;
            let target = self.edge_label(*to, &mut edges)?;
            let next = self.f.label();
            let mut code = self.code();
            let hit = code.bin(BinOp::Eq, bits, value, Operand::Const(globals::mask(case, bits)));
            code.branch(hit, target, next);
            self.f.place(next);
        }
        let target = self.edge_label(default, &mut edges)?;
        self.code().jump(target);
        self.finish_edges(edges)
    }
}

/// Immediate dominators of the blocks by index; the entry's is itself, an unreachable block's is `usize::MAX`.
fn dominators(function: &ir::Function, index: &FxHashMap<Local, usize>) -> Vec<usize> {
    let n = function.blocks.len();
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (i, block) in function.blocks.iter().enumerate() {
        successors[i].extend(block.successors().iter().filter_map(|label| index.get(label)));
    }
    let order = flow::reverse_postorder(n, &[0], |x| successors[x].clone());
    let mut rank = vec![usize::MAX; n];
    order.iter().enumerate().for_each(|(i, &b)| rank[b] = i);
    let mut idom = vec![usize::MAX; n];
    idom[0] = 0;
    let mut changed = true;
    while changed {
        changed = false;
        for &b in order.iter().skip(1) {
            let mut new = usize::MAX;
            for p in (0..n).filter(|&p| successors[p].contains(&b) && idom[p] != usize::MAX) {
                new = if new == usize::MAX { p } else { flow::meet(new, p, &idom, &rank) };
            }
            if idom[b] != new {
                idom[b] = new;
                changed = true;
            }
        }
    }
    idom
}
