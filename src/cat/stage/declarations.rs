//! The declaration pass over a bell file (CAT.md, sections 7.1 and 7.2), and `enum`.

use super::bell::{Bell, Shape};
use super::operators::lift;
use super::value::{Fault, Outcome, Tag, Value};
use super::{Env, Stager};
use crate::cat::diagnostics::{annotation_not_tags, unknown_instruction_kind};
use crate::cat::syntax::ast::{Expr, Ident};
use std::rc::Rc;

impl Stager<'_> {
    /// Makes this run a declaration pass.
    pub fn declare_only(&mut self) {
        self.declarations = Some(Bell::default());
    }

    pub(super) fn declare_tags(&mut self, name: &Ident, tags: &[Ident], env: &mut Env) {
        let declared = self.enums.len() as u32;
        let members: Vec<Tag> = tags.iter().map(|t| Tag { name: t.sym, declared }).collect();
        for tag in &members {
            self.tags.insert(tag.name, *tag);
        }
        self.enums.push(members.clone());
        let value = self.set_of(name.span, members.into_iter().map(Value::Tag).collect());
        let slot = self.value_slot(value, Some(name.span));
        env.bind(name.sym, slot);
        if let Some(bell) = &mut self.declarations {
            bell.enums.push((name.text.to_string(), tags.iter().map(|t| t.text.to_string()).collect()));
        }
    }

    pub(super) fn declare_instructions(
        &mut self,
        kind: &Ident,
        shape: &[Expr],
        default: bool,
        env: &Env,
    ) -> Outcome<()> {
        let name = match &*kind.text {
            "CALL" => "F",
            known @ ("R" | "W" | "F" | "RMW" | "B" | "SRCU") => known,
            other => return Err(unknown_instruction_kind::report(kind.span, other).into()),
        };
        let mut positions = Vec::with_capacity(shape.len());
        for position in shape {
            let value = lift(self.evaluate(env, position)?);
            let tags = match &value {
                Value::Values(values) => tag_names(values, |tag| self.loader.interner.name(tag.name).to_string()),
                Value::Empty => Some(Vec::new()),
                _ => None,
            };
            match tags {
                Some(tags) if !default || tags.len() == 1 => positions.push(tags),
                _ => return Err(Fault::from(annotation_not_tags::report(position.span, self.kind(&value)))),
            }
        }
        if let Some(bell) = &mut self.declarations {
            bell.shapes.push(Shape { kind: name.to_owned(), positions, default });
        }
        Ok(())
    }
}

fn tag_names(values: &Rc<Vec<Value>>, name: impl Fn(&Tag) -> String) -> Option<Vec<String>> {
    values.iter().map(|v| if let Value::Tag(tag) = v { Some(name(tag)) } else { None }).collect()
}
