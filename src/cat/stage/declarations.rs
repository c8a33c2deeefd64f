//! The declaration pass over a bell file (CAT.md, sections 7.1 and 7.2), and `enum`.

use super::operators::lift;
use super::value::{Fault, Outcome, Tag, Value};
use super::{Env, Stager};
use crate::cat::diagnostics::{annotation_not_tags, unknown_instruction_kind};
use crate::cat::syntax::ast::{Expr, Ident};
use std::collections::BTreeSet;
use std::rc::Rc;

/// What a bell file declares.
#[derive(Clone, Default, Debug, PartialEq, Eq)]
pub struct Bell {
    /// `enum`s: name and tags, in order.
    pub enums: Vec<(String, Vec<String>)>,
    /// `instructions` and `default`.
    pub shapes: Vec<Shape>,
}

/// One allowed form of an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// `R`, `W`, `RMW`, `F`, `B` or `SRCU`.
    pub kind: String,
    /// For each annotation, the tags that may stand there.
    pub positions: Vec<Vec<String>>,
    /// Declared by `default`: what a missing annotation means.
    pub default: bool,
}

impl Bell {
    /// All tags that some instruction may carry.
    pub fn annotations(&self) -> BTreeSet<&str> {
        self.shapes.iter().flat_map(|s| s.positions.iter().flatten()).map(String::as_str).collect()
    }

    /// The name of the event set of a tag: its first letter in upper case.
    pub fn set_name(tag: &str) -> String {
        super::application::set_name(tag)
    }

    /// The tags of an `enum`, as for scopes, levels and regions.
    pub fn tags_of(&self, name: &str) -> Option<&[String]> {
        self.enums.iter().rev().find(|(n, _)| n == name).map(|(_, tags)| tags.as_slice())
    }

    /// Whether read-modify-writes may carry a full-barrier annotation of their own: the second generation of the kernel's
    /// annotations, which the model itself filters.
    pub fn full_barrier_updates(&self) -> bool {
        self.shapes.iter().any(|s| s.kind == "RMW" && s.positions.iter().flatten().any(|t| t == "MB"))
    }
}

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
