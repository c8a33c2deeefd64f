//! Conditions over final states: which values are watched, whether a proposition holds, and how both are printed.
//!
//! - [`resolve`]: from names to what is watched.
//! - [`judge`]: whether a final state satisfies a proposition, and how it is printed.
//! - `decide`: the same while some values are not known yet.

mod decide;
mod judge;
mod resolve;

pub use judge::Context;
pub use resolve::Resolver;

use super::error::Error;
use super::split::Section;
use super::syntax::{Comparison, Constraints, Quantifier};
use super::token::{self, Token, syntax_error};
use super::types::Type;
use crate::litmus::arch::Arch;
use crate::program::Reg;

lalrpop_util::lalrpop_mod!(
    #[allow(clippy::all, unused, missing_docs)]
    grammar,
    "/litmus_cond.rs"
);

/// Where a watched value is found when an execution has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// In a register of a thread's outermost frame.
    Register {
        /// Thread number.
        thread: u32,
        /// The register, one of [`Function::observed`](crate::program::Function::observed).
        register: Reg,
    },
    /// In memory.
    Memory {
        /// First byte.
        address: u64,
        /// Bytes.
        size: u8,
    },
}

/// A value of the final state that the test looks at.
#[derive(Clone, Debug)]
pub struct Watch {
    /// Where it is.
    pub source: Source,
    /// How it is read.
    pub ty: Type,
    /// How it is called: `0:X1`, `[x]`, `t[1]`.
    pub name: String,
}

/// A term of a comparison.
#[derive(Clone, Debug)]
pub enum Term {
    /// A watched value, by number.
    Watch(usize),
    /// A number.
    Number(u64),
    /// An address.
    Address(u64),
}

/// A proposition whose names are resolved.
#[derive(Clone, Debug)]
pub enum Prop {
    /// `true`, `false`.
    Constant(bool),
    /// A comparison.
    Atom(Term, Comparison, Term),
    /// A whole array equals (or, when the flag is false, differs from) these values.
    Array(String, bool, Vec<(usize, Term)>),
    /// `not`.
    Not(Box<Prop>),
    /// `/\`.
    And(Vec<Prop>),
    /// `\/`.
    Or(Vec<Prop>),
    /// `a => b => c`.
    Implies(Vec<Prop>),
}

/// An item of a printed state.
#[derive(Clone, Debug)]
pub enum Item {
    /// One watched value.
    Scalar(usize),
    /// A whole array: its name and its cells.
    Array(String, Vec<usize>),
}

/// A value as it is printed and compared: numbers before addresses.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Printed {
    /// A number, by its type.
    Number(i128),
    /// An address, by its name.
    Address(String),
}

impl std::fmt::Display for Printed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Printed::Number(n) => write!(f, "{n}"),
            Printed::Address(name) => f.write_str(name),
        }
    }
}

/// Reads the condition section.
pub fn parse(section: &Section) -> Result<Constraints, Vec<Error>> {
    if section.text.trim().is_empty() {
        return Ok(Constraints::default());
    }
    let shift = |errors: Vec<Error>| errors.into_iter().map(|e| e.shifted(section.start)).collect::<Vec<_>>();
    let mut tokens = token::tokens(&section.text).map_err(shift)?;
    observed(&mut tokens);
    grammar::SectionParser::new()
        .parse(tokens.into_iter().map(Ok))
        .map_err(|e| shift(vec![syntax_error(e, &section.text, "litmus::condition", "the condition")]))
}

/// `observed a; b; and c; d;` lists states of a run: it asks whether one of them exists.
fn observed(tokens: &mut Vec<token::Spanned>) {
    let is = |token: &Token, words: &[&str]| matches!(token, Token::Name(name) if words.contains(name));
    let Some(start) = tokens.iter().position(|(_, token, _)| is(token, &["observed", "Observed"])) else { return };
    tokens[start].1 = Token::Exists;
    for i in start + 1..tokens.len() {
        let next = tokens.get(i + 1).map(|(_, token, _)| *token);
        match tokens[i].1 {
            Token::Semi if next.is_some_and(|next| !is(&next, &["and"])) => tokens[i].1 = Token::And,
            word if is(&word, &["and"]) => tokens[i].1 = Token::Or,
            _ => {}
        }
    }
    let mut at = 0;
    tokens.retain(|(_, token, _)| {
        at += 1;
        at <= start || *token != Token::Semi
    });
}

/// The items of a printed state in their order: registers by thread, then variables by name, then single cells by array.
pub fn order_items(items: Vec<Item>, watches: &[Watch], arch: Arch) -> Vec<Item> {
    type Key = (u8, u32, (u32, u32), String);
    let key = |item: &Item| -> Key {
        match item {
            Item::Array(name, _) => (1, 0, (0, 0), name.clone()),
            Item::Scalar(i) => match watches.get(*i) {
                Some(Watch { source: Source::Register { thread, .. }, name, .. }) => {
                    let register = name.split_once(':').map_or(name.as_str(), |(_, r)| r);
                    (0, *thread, arch.register_rank(register), register.to_owned())
                }
                Some(watch) if watch.name.starts_with('[') => {
                    (1, 0, (0, 0), watch.name.trim_matches(['[', ']']).to_owned())
                }
                Some(watch) => {
                    let (array, index) = watch.name.split_once('[').unwrap_or((&watch.name, ""));
                    let index: u64 = index.trim_end_matches(']').parse().unwrap_or(0);
                    (2, 0, (0, 0), format!("{array}[{index:08}]"))
                }
                None => (3, 0, (0, 0), String::new()),
            },
        }
    };
    let mut keyed: Vec<(Key, Item)> = items.into_iter().map(|item| (key(&item), item)).collect();
    keyed.sort_by(|a, b| a.0.cmp(&b.0));
    keyed.dedup_by(|a, b| a.0 == b.0);
    keyed.into_iter().map(|(_, item)| item).collect()
}

/// The items that a proposition looks at.
pub fn items_of(prop: &Prop, all: &mut Vec<Item>) {
    match prop {
        Prop::Constant(_) => {}
        Prop::Atom(l, _, r) => {
            for term in [l, r] {
                if let Term::Watch(i) = term {
                    all.push(Item::Scalar(*i));
                }
            }
        }
        Prop::Array(name, _, cells) => all.push(Item::Array(name.clone(), cells.iter().map(|(w, _)| *w).collect())),
        Prop::Not(p) => items_of(p, all),
        Prop::And(parts) | Prop::Or(parts) | Prop::Implies(parts) => {
            for part in parts {
                items_of(part, all);
            }
        }
    }
}

/// The word for a quantifier.
pub fn quantifier_word(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Exists => "exists",
        Quantifier::NotExists => "~exists",
        Quantifier::Forall => "forall",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::litmus::{Options, parse};

    #[test]
    fn observed_states_are_a_disjunction() {
        let text = "X86 t\n{ }\n P0 ;\n MOV EAX,[x] ;\n";
        let test =
            parse(&format!("{text}Observed\n 0:EAX=0; x=1;\nand 0:EAX=1; x=2;\n"), "t", &Options::default()).unwrap();
        assert_eq!(test.quantifier, Quantifier::Exists);
        assert_eq!(test.context.print(&test.condition), "0:EAX=0 /\\ [x]=1 \\/ 0:EAX=1 /\\ [x]=2");
    }
}
