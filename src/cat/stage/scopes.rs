//! The tree of scopes that a bell file describes (CAT.md, section 7.4): the functions `wider` and `narrower`, applied to every tag
//! of `enum scopes`.

use super::operators::lift;
use super::value::{Fault, Tag, Value};
use super::{Env, Stager};
use crate::cat::diagnostics::scopes_no_tree;
use crate::cat::source::Span;
use std::collections::BTreeSet;

/// Pairs of a scope and the next wider one.
type Edges = BTreeSet<(Tag, Tag)>;

impl Stager<'_> {
    /// After the declaration pass: reports when the scopes form no tree.
    pub fn check_scopes(&mut self, env: &Env) {
        let Some(scopes) = self.interned(env, "scopes") else { return };
        let Value::Values(values) = lift(scopes.0) else { return };
        let scopes: Vec<Tag> =
            values.iter().filter_map(|v| if let Value::Tag(t) = v { Some(*t) } else { None }).collect();
        let mut trees: Vec<(&str, Span, Edges)> = Vec::new();
        for name in ["wider", "narrower"] {
            let Some((function, at)) = self.interned(env, name) else { continue };
            if !matches!(function, Value::Closure(_)) {
                continue;
            }
            match self.edges(&scopes, &function, at, name == "wider") {
                Ok(edges) => trees.push((name, at, edges)),
                Err(kind) => {
                    let reason = format!("it gives {kind} where a scope is due");
                    self.report(scopes_no_tree::report(at, name, &reason).into());
                    return;
                }
            }
        }
        for (name, at, edges) in &trees {
            if let Some(reason) = self.no_tree(&scopes, edges) {
                self.report(scopes_no_tree::report(*at, name, &reason).into());
                return;
            }
        }
        if let [(_, _, wider), (name, at, narrower)] = &trees[..]
            && wider != narrower
        {
            self.report(scopes_no_tree::report(*at, name, "`wider` says something else").into());
        }
    }

    /// The value of a name and where it was defined.
    fn interned(&mut self, env: &Env, name: &str) -> Option<(Value, Span)> {
        let sym = self.loader.interner.lookup(name)?;
        let slot = env.get(sym)?;
        let at = self.origins[slot.0 as usize]?;
        self.force(slot, sym, at).ok().map(|value| (value, at))
    }

    /// What the function says of each scope; of some it says nothing. The kind of what is no scope is an error.
    fn edges(&mut self, scopes: &[Tag], f: &Value, at: Span, wider: bool) -> Result<Edges, &'static str> {
        let mut edges = Edges::new();
        for scope in scopes {
            let related = match self.apply(at, f, Value::Tag(*scope), at, at) {
                Ok(value) => lift(value),
                Err(Fault::Error(_) | Fault::Dynamic(..) | Fault::Reported) => continue,
            };
            match &related {
                Value::Empty => {}
                Value::Values(values) => {
                    for value in values.iter() {
                        let Value::Tag(other) = value else { return Err(self.kind(value)) };
                        edges.insert(if wider { (*scope, *other) } else { (*other, *scope) });
                    }
                }
                other => return Err(self.kind(other)),
            }
        }
        Ok(edges)
    }

    /// Why edges from each scope to the next wider one are no tree.
    fn no_tree(&self, scopes: &[Tag], edges: &Edges) -> Option<String> {
        let name = |tag: &Tag| format!("`'{}`", self.loader.interner.name(tag.name));
        if let Some((tag, _)) = edges.iter().find(|(a, b)| !scopes.contains(a) || !scopes.contains(b)) {
            return Some(format!("{} is related to what is no scope", name(tag)));
        }
        let wider = |tag: &Tag| edges.iter().filter(|(a, _)| a == tag).map(|(_, b)| *b).collect::<Vec<Tag>>();
        if let Some(tag) = scopes.iter().find(|tag| wider(tag).len() > 1) {
            return Some(format!("{} has several wider scopes", name(tag)));
        }
        for start in scopes {
            let mut at = *start;
            for _ in scopes {
                at = wider(&at).first().copied().unwrap_or(at);
            }
            if !wider(&at).is_empty() {
                return Some(format!("{} contains itself", name(&at)));
            }
        }
        let widest: Vec<&Tag> = scopes.iter().filter(|tag| wider(tag).is_empty()).collect();
        match &widest[..] {
            [one, other, ..] => Some(format!("{} and {} are both the widest", name(one), name(other))),
            _ => None,
        }
    }
}
