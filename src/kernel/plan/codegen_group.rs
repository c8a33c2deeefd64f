//! Code for recursive groups.

use super::code::*;
use super::codegen::{Codegen, inside, reach};
use crate::algebra::facts::analyse::is_positive;
use crate::algebra::simplify::Condition;
use crate::algebra::{ExprId, FixId, Node};

impl Codegen<'_> {
    /// Emits a group (once) and returns the slots of its components.
    pub(in crate::kernel) fn group(&mut self, fix: FixId, out: &mut Vec<Instr>) -> Vec<Place> {
        if let Some(places) = self.groups.get(&fix) {
            return places.clone();
        }
        let group = self.pool.fix(fix).clone();
        let vars: Vec<Place> = group.vars.iter().map(|&v| self.slot(self.pool.var_sort(v))).collect();
        // A group inside another may be emitted more than once, each time with variables of its own.
        self.forget(fix, true);
        self.var_places.extend(group.vars.iter().copied().zip(vars.iter().copied()));
        let mut bodies = Vec::new();
        let form = if group.when.is_none() && is_positive(self.pool, fix) {
            let mut body = Vec::new();
            self.emit_all(&reach(self.pool, &group.bodies), Some(fix), &mut body);
            bodies.extend(group.bodies.iter().map(|&x| self.place(x)));
            Form::Least { body }
        } else {
            let mut segments = Vec::new();
            for &equation in &group.bodies {
                // Variables have changed since the previous equation: nothing that depends on them is shared with it.
                self.forget(fix, false);
                let mut code = Vec::new();
                self.emit_all(&reach(self.pool, &[equation]), Some(fix), &mut code);
                bodies.push(self.place(equation));
                segments.push(code);
            }
            self.forget(fix, false);
            let when = group.when.map(|(predicate, negated, expr)| {
                let mut code = Vec::new();
                self.emit_all(&reach(self.pool, &[expr]), Some(fix), &mut code);
                When { code, test: self.test(Condition { predicate, expr }), negated }
            });
            let failed = self.set_slot();
            self.failures.insert(fix, failed);
            Form::Exact { segments, when, failed }
        };
        let mut code = Group { vars: vars.clone(), bodies, form, outer: Vec::new(), outer_negative: Vec::new() };
        find_outer(&mut code);
        out.push(Instr::Group(Box::new(code)));
        self.groups.insert(fix, vars.clone());
        vars
    }

    /// Drops the slots of everything inside a group that depends on its variables; those of the variables themselves only on
    /// request.
    fn forget(&mut self, fix: FixId, variables: bool) {
        let below: Vec<ExprId> = inside(self.pool, fix).collect();
        let below = reach(self.pool, &below);
        for i in (0..below.len()).filter(|&i| below[i]) {
            let id = ExprId::at(i);
            let mentions = self.free[i].iter().any(|v| self.pool.fix(fix).vars.contains(v));
            if !mentions {
                continue;
            }
            match self.pool.node(id) {
                Node::Var(_) if !variables => continue,
                Node::Fix(inner, _) => {
                    self.groups.remove(inner);
                }
                Node::Plus(a) | Node::Star(a) => {
                    self.closures.remove(a);
                }
                _ => {}
            }
            self.places.remove(&id);
        }
    }
}

/// Fills in which slots a group's code reads but does not write.
fn find_outer(group: &mut Group) {
    let mut code = Instr::Group(Box::new(group.clone()));
    let (mut written, mut read, mut negative) = (Vec::new(), Vec::new(), Vec::new());
    code.visit(&mut |mention| {
        let (place, access) = match mention {
            Mention::Set(slot, access) => (Place::Set(*slot), access),
            Mention::Rel(slot, access) => (Place::Rel(*slot), access),
        };
        let list = match access {
            Access::Write => &mut written,
            Access::Read => &mut read,
            Access::Negative => &mut negative,
        };
        if !list.contains(&place) {
            list.push(place);
        }
    });
    // Every chain may stand on the universe (identity, jumps), so it counts as read.
    read.push(Place::Set(UNIVERSE));
    negative.retain(|place| !written.contains(place));
    read.extend(negative.iter().copied());
    read.retain(|place| !written.contains(place));
    read.sort_unstable_by_key(order);
    read.dedup();
    group.outer = read;
    group.outer_negative = negative;
}

fn order(place: &Place) -> (bool, u32) {
    match place {
        Place::Set(slot) => (false, slot.0),
        Place::Rel(slot) => (true, slot.0),
    }
}
