//! Judges final states, and prints propositions and states.

use super::{Item, Printed, Prop, Term, Watch};
use crate::litmus::memory::Memory;
use crate::litmus::syntax::Comparison;
use crate::litmus::types::Type;
use std::cmp::Ordering;
use std::fmt::Write;

/// What is needed to judge and print propositions and states.
#[derive(Clone, Debug)]
pub struct Context {
    /// What is watched.
    pub watches: Vec<Watch>,
    /// The variables, for the names of addresses.
    pub memory: Memory,
}

impl Context {
    /// A watched value, as it is printed and compared.
    pub fn printed(&self, watch: usize, values: &[u64]) -> Printed {
        let Some(Watch { ty, .. }) = self.watches.get(watch) else { return Printed::Number(0) };
        let value = values.get(watch).copied().unwrap_or(0);
        self.typed(*ty, value)
    }

    fn typed(&self, ty: Type, value: u64) -> Printed {
        let bits = ty.truncate(value);
        let address = if ty.size >= 4 { bits & 0xffff_ffff } else { 0 };
        if self.memory.is_address(address)
            && (bits == address || !ty.declared)
            && let Some(name) = self.memory.name(address)
        {
            return Printed::Address(name);
        }
        Printed::Number(ty.number(value))
    }

    pub(super) fn compare(&self, left: &Term, comparison: Comparison, right: &Term, values: &[u64]) -> bool {
        let type_of = |term: &Term| match term {
            Term::Watch(i) => self.watches.get(*i).map(|w| w.ty),
            _ => None,
        };
        let full = Type { size: 8, signed: true, declared: true };
        let (lt, rt) = (type_of(left), type_of(right));
        let value = |term: &Term, ty: Option<Type>, other: Option<Type>| match term {
            Term::Watch(i) => self.printed(*i, values),
            Term::Number(n) => Printed::Number(ty.or(other).unwrap_or(full).number(*n)),
            Term::Address(a) => Printed::Address(self.memory.name(*a).unwrap_or_default()),
        };
        let (l, r) = (value(left, lt, rt), value(right, rt, lt));
        let numbers = matches!((&l, &r), (Printed::Number(_), Printed::Number(_)));
        match comparison {
            Comparison::Equal => l == r,
            Comparison::NotEqual => l != r,
            Comparison::Less => numbers && l < r,
            Comparison::LessEqual => numbers && l <= r,
            Comparison::Greater => numbers && l > r,
            Comparison::GreaterEqual => numbers && l >= r,
        }
    }

    /// Whether a proposition holds of the watched values.
    pub fn holds(&self, prop: &Prop, values: &[u64]) -> bool {
        match prop {
            Prop::Constant(b) => *b,
            Prop::Atom(l, c, r) => self.compare(l, *c, r, values),
            Prop::Array(_, equal, cells) => {
                cells.iter().all(|(w, t)| self.compare(&Term::Watch(*w), Comparison::Equal, t, values)) == *equal
            }
            Prop::Not(p) => !self.holds(p, values),
            Prop::And(parts) => parts.iter().all(|p| self.holds(p, values)),
            Prop::Or(parts) => parts.iter().any(|p| self.holds(p, values)),
            Prop::Implies(parts) => {
                let (last, premises) = match parts.split_last() {
                    Some(split) => split,
                    None => return true,
                };
                self.holds(last, values) || premises.iter().any(|p| !self.holds(p, values))
            }
        }
    }

    fn term(&self, term: &Term) -> String {
        match term {
            Term::Watch(i) => self.watches.get(*i).map_or_else(String::new, |w| w.name.clone()),
            Term::Number(n) => (*n as i64).to_string(),
            Term::Address(a) => self.memory.name(*a).unwrap_or_default(),
        }
    }

    fn constant(&self, left: &Term, right: &Term) -> String {
        match (left, right) {
            (Term::Watch(i), Term::Number(n))
                if self.watches.get(*i).is_some_and(|w| w.ty.size == 8 && !w.ty.signed) =>
            {
                n.to_string()
            }
            _ => self.term(right),
        }
    }

    /// The normal form of a proposition.
    pub fn print(&self, prop: &Prop) -> String {
        let list = |parts: &[Prop], separator: &str, wrap: fn(&Prop) -> bool| {
            let parts: Vec<String> =
                parts.iter().map(|p| if wrap(p) { format!("({})", self.print(p)) } else { self.print(p) }).collect();
            parts.join(separator)
        };
        match prop {
            Prop::Constant(b) => b.to_string(),
            Prop::Atom(l, Comparison::NotEqual, r) => format!("not ({}={})", self.term(l), self.constant(l, r)),
            Prop::Atom(l, comparison, r) => {
                let sign = match comparison {
                    Comparison::Less => "<",
                    Comparison::LessEqual => "<=",
                    Comparison::Greater => ">",
                    Comparison::GreaterEqual => ">=",
                    Comparison::Equal | Comparison::NotEqual => "=",
                };
                format!("{}{sign}{}", self.term(l), self.constant(l, r))
            }
            Prop::Array(name, equal, cells) => {
                let values: Vec<String> = cells.iter().map(|(w, t)| self.constant(&Term::Watch(*w), t)).collect();
                let atom = format!("{name}={{{}}}", values.join(","));
                if *equal { atom } else { format!("not ({atom})") }
            }
            Prop::Not(p) => format!("not ({})", self.print(p)),
            Prop::And(parts) => list(parts, " /\\ ", |p| matches!(p, Prop::Or(_) | Prop::Implies(_))),
            Prop::Or(parts) => list(parts, " \\/ ", |p| matches!(p, Prop::Implies(_))),
            Prop::Implies(parts) => list(parts, " => ", |p| matches!(p, Prop::Implies(_) | Prop::And(_) | Prop::Or(_))),
        }
    }

    /// How the states of two ends are sorted: by what is printed of each item. Equal, where the same is printed.
    pub fn compare_states(&self, items: &[Item], a: &[u64], b: &[u64]) -> Ordering {
        let watch = |watch: usize| match a.get(watch) == b.get(watch) {
            true => Ordering::Equal,
            false => self.printed(watch, a).cmp(&self.printed(watch, b)),
        };
        let item = |item: &Item| match item {
            Item::Scalar(one) => watch(*one),
            Item::Array(_, cells) => {
                cells.iter().map(|&cell| watch(cell)).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
            }
        };
        items.iter().map(item).find(|o| o.is_ne()).unwrap_or(Ordering::Equal)
    }

    /// One line for a state.
    pub fn state_line(&self, items: &[Item], values: &[u64]) -> String {
        let mut line = String::with_capacity(12 * items.len());
        for item in items {
            let gap = if line.is_empty() { "" } else { " " };
            // Writing to a string cannot fail.
            let _ = match item {
                Item::Scalar(watch) => match self.watches.get(*watch) {
                    Some(w) => write!(line, "{gap}{}={};", w.name, self.printed(*watch, values)),
                    None => Ok(()),
                },
                Item::Array(name, cells) => {
                    let cells: Vec<String> = cells.iter().map(|w| self.printed(*w, values).to_string()).collect();
                    write!(line, "{gap}{name}={{{}}};", cells.join(","))
                }
            };
        }
        line
    }
}
