//! How programs give base names their values.

use super::vocabulary::{Dependency, Kind, Token, Vocabulary};
use crate::algebra::{Base, Sort};

/// Reads-from, coherence, and the orders that a model chooses.
pub fn is_of_execution(name: &str) -> bool {
    matches!(name, "rf" | "co") || name.starts_with("with ")
}

/// How a program gives a base name its value.
#[derive(Clone, Debug)]
pub enum Given {
    /// A set: by token, whether its events belong to it; and whether initial writes do.
    Set(Vec<bool>, bool),
    /// Program order.
    Po,
    /// Pairs of one thread.
    Int,
    /// Other pairs.
    Ext,
    /// Pairs of one address.
    Loc,
    /// The identity on accesses.
    Accesses,
    /// The identity on the events of threads.
    Same,
    /// Dependencies of a kind.
    Depends(Dependency),
    /// Read-modify-write pairs of this relation.
    Pairs(String),
    /// Pairs of one group of a kind.
    Group(usize),
    /// Nothing.
    Nothing,
}

impl Given {
    /// What a name is, for a vocabulary.
    pub fn of(base: &Base, vocabulary: &Vocabulary) -> Given {
        let name = base.name.as_str();
        let set =
            |is: &dyn Fn(&Token) -> bool, initial| Given::Set(vocabulary.tokens.iter().map(is).collect(), initial);
        match (base.sort, name) {
            (Sort::Set, "M" | "Exp") => set(&|t| t.kind != Kind::Fence, true),
            (Sort::Set, "R") => set(&|t| t.kind.reads(), false),
            (Sort::Set, "W") => set(&|t| t.kind.writes(), true),
            (Sort::Set, "F") => set(&|t| t.kind == Kind::Fence, false),
            (Sort::Set, "IW") => set(&|_| false, true),
            (Sort::Set, _) => set(&|t| t.tags.iter().any(|tag| tag == name), false),
            (Sort::Rel, "po") => Given::Po,
            (Sort::Rel, "int") => Given::Int,
            (Sort::Rel, "ext") => Given::Ext,
            (Sort::Rel, "loc") => Given::Loc,
            (Sort::Rel, "si" | "sm") => Given::Accesses,
            (Sort::Rel, "same-instance") => Given::Same,
            (Sort::Rel, "addr") => Given::Depends(Dependency::Addr),
            (Sort::Rel, "data") => Given::Depends(Dependency::Data),
            (Sort::Rel, "ctrl") => Given::Depends(Dependency::Ctrl),
            (Sort::Rel, "amo" | "lxsx") => Given::Pairs(name.to_owned()),
            (Sort::Rel, _) => {
                vocabulary.scopes.iter().position(|scope| scope == name).map_or(Given::Nothing, Given::Group)
            }
        }
    }

    /// Whether programs of a vocabulary have events or edges of this name, reads-from and coherence included.
    pub fn is_present(base: &Base, vocabulary: &Vocabulary) -> bool {
        is_of_execution(&base.name)
            || match Given::of(base, vocabulary) {
                Given::Set(tokens, initial) => initial || tokens.contains(&true),
                Given::Depends(kind) => vocabulary.dependencies.contains(&kind),
                Given::Pairs(name) => vocabulary.pairs.iter().any(|pair| pair.relation == name),
                Given::Nothing => false,
                _ => true,
            }
    }
}
