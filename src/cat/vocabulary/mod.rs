//! The base names that executions give a value to (CAT.md, section 6): which exist, and for tests of which architecture.
//!
//! The table is data about architectures, not about models. An execution in which nothing carries a tag simply has an empty
//! set of that name.

pub mod page;
pub mod table;

use crate::algebra::Sort;
use std::collections::{BTreeMap, BTreeSet};
use table::{Entry, Given};

/// Architectures whose name a title may claim, each with its spellings.
const ARCHITECTURES: &[&[&str]] = &[
    &["AArch64"],
    &["ARM"],
    &["BPF"],
    &["MIPS"],
    &["PPC"],
    &["X86"],
    &["X86_64"],
    &["RISCV", "RISC-V"],
    &["C"],
    &["CPP", "C++"],
    &["LISA", "Bell"],
    &["JAVA", "Java"],
    &["ASL"],
];

/// The architectures whose name a title may claim.
pub fn architectures() -> impl Iterator<Item = &'static str> {
    ARCHITECTURES.iter().map(|spellings| spellings[0])
}

/// The spelling under which an architecture is known here, when it is.
pub fn architecture(name: &str) -> Option<&'static str> {
    ARCHITECTURES.iter().find(|spellings| spellings.contains(&name)).map(|spellings| spellings[0])
}

/// The same, whatever the case of the letters: for options on the command line.
pub fn architecture_ignoring_case(name: &str) -> Option<&'static str> {
    ARCHITECTURES.iter().find(|s| s.iter().any(|s| s.eq_ignore_ascii_case(name))).map(|s| s[0])
}

/// What a name means to the executions at hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lookup {
    /// A base set or relation.
    Known(Sort),
    /// Only for tests of these architectures.
    Elsewhere(Vec<&'static str>),
    /// Nothing.
    Unknown,
}

/// A base name of the executions at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Known {
    sort: Sort,
    given: Given,
}

/// The base names of the executions that a model is loaded for.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    arch: Option<&'static str>,
    /// The architecture is that of the model's title, not that of a test.
    claimed: bool,
    names: BTreeMap<String, Known>,
    elsewhere: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

impl Vocabulary {
    /// The names of an architecture's executions; without one (or for an unknown one), those of all architectures.
    pub fn new(arch: Option<&str>) -> Self {
        let arch = arch.and_then(architecture_ignoring_case);
        let mut vocabulary = Self { arch, claimed: false, names: BTreeMap::new(), elsewhere: BTreeMap::new() };
        for entry in table::BASE {
            if entry.of.is_empty() || arch.is_none_or(|arch| entry.of.contains(&arch)) {
                vocabulary.add_entry(entry);
            } else {
                for name in entry.each() {
                    vocabulary.elsewhere.entry(name).or_default().extend(entry.of);
                }
            }
        }
        vocabulary
    }

    /// Of a name that several architectures have, what some of them give counts more than what others miss.
    fn add_entry(&mut self, entry: &Entry) {
        let given = match (entry.given, self.arch) {
            (Given::Only(archs), Some(arch)) if !archs.contains(&arch) => Given::Missing,
            (given, _) => given,
        };
        for name in entry.each() {
            let known = Known { sort: entry.sort, given };
            let old = self.names.entry(name.to_owned()).or_insert(known);
            if given == Given::Known {
                *old = known;
            }
        }
    }

    /// Adds names that executions give members: tags of a bell file.
    pub fn add<'n>(&mut self, names: impl IntoIterator<Item = &'n str>, sort: Sort) {
        self.add_given(names, sort, Given::Known);
    }

    /// Adds the scopes, levels and regions of a bell file.
    pub fn add_scopes<'n>(&mut self, names: impl IntoIterator<Item = &'n str>, sort: Sort) {
        self.add_given(names, sort, Given::Scopes);
    }

    fn add_given<'n>(&mut self, names: impl IntoIterator<Item = &'n str>, sort: Sort, given: Given) {
        self.names.extend(names.into_iter().map(|name| (name.to_owned(), Known { sort, given })));
    }

    /// Adds the names of the Dartagnan dialect.
    pub fn add_dartagnan(&mut self) {
        table::DARTAGNAN.iter().for_each(|entry| self.add_entry(entry));
    }

    /// Where no architecture is fixed, the model's title claims one: names that only tests of others have are theirs.
    pub fn claim(&mut self, arch: &str) {
        if self.arch.is_some() {
            return;
        }
        let own = Self::new(Some(arch));
        self.names.retain(|name, _| !own.elsewhere.contains_key(name.as_str()));
        self.names.extend(own.names);
        *self =
            Self { arch: own.arch, claimed: true, elsewhere: own.elsewhere, names: std::mem::take(&mut self.names) };
    }

    /// Whether the architecture is that of the model's title only.
    pub fn is_claimed(&self) -> bool {
        self.claimed
    }

    /// The architecture, if one is fixed.
    pub fn arch(&self) -> Option<&'static str> {
        self.arch
    }

    /// What a name means.
    pub fn lookup(&self, name: &str) -> Lookup {
        if let Some(known) = self.names.get(name) {
            return Lookup::Known(known.sort);
        }
        match self.elsewhere.get(name) {
            Some(owners) => Lookup::Elsewhere(owners.iter().copied().collect()),
            None => Lookup::Unknown,
        }
    }

    /// Where a known name has members.
    pub fn given(&self, name: &str) -> Option<Given> {
        self.names.get(name).map(|known| known.given)
    }

    /// All names with their sorts.
    pub fn names(&self) -> impl Iterator<Item = (&str, Sort)> {
        self.names.iter().map(|(name, known)| (name.as_str(), known.sort))
    }
}

/// Whether a name is a set or a relation, to the architectures that know it.
pub fn sort_of(name: &str) -> Option<Sort> {
    table::BASE.iter().find(|entry| entry.each().any(|own| own == name)).map(|entry| entry.sort)
}

/// Names that the executions of every test give members.
pub fn universal() -> impl Iterator<Item = &'static str> {
    table::BASE
        .iter()
        .filter(|entry| entry.of.is_empty() && matches!(entry.given, Given::Known | Given::Only(_)))
        .flat_map(Entry::each)
}

/// Names of the Dartagnan dialect that herd's does not predefine.
const COHERENCE: &str = "co fr coe coi fre fri newSet newRelation mfence";

/// Whether a name is one that only the Dartagnan dialect predefines.
pub fn is_of_dartagnan(name: &str) -> bool {
    let scoped = |entry: &Entry| entry.sort == Sort::Rel || entry.names == "UB";
    let mut own = table::DARTAGNAN.iter().filter(|entry| scoped(entry)).flat_map(Entry::each);
    COHERENCE.split_whitespace().chain(own.by_ref()).any(|known| known == name)
}

impl Default for Vocabulary {
    /// The names of all architectures.
    fn default() -> Self {
        Self::new(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_by_architecture() {
        let ppc = Vocabulary::new(Some("PPC"));
        assert_eq!(ppc.lookup("SYNC"), Lookup::Known(Sort::Set));
        assert_eq!(ppc.lookup("po"), Lookup::Known(Sort::Rel));
        assert_eq!(ppc.lookup("DMB.SY"), Lookup::Elsewhere(vec!["AArch64"]));
        assert_eq!(ppc.lookup("nope"), Lookup::Unknown);
        assert_eq!(Vocabulary::default().lookup("DMB.SY"), Lookup::Known(Sort::Set));
        let mut claimed = Vocabulary::default();
        claimed.add(["mine"], Sort::Rel);
        claimed.claim("AArch64");
        assert_eq!(claimed.lookup("SYNC"), Lookup::Elsewhere(vec!["MIPS", "PPC"]));
        assert_eq!((claimed.lookup("mine"), claimed.lookup("L")), (Lookup::Known(Sort::Rel), Lookup::Known(Sort::Set)));
    }

    #[test]
    fn what_some_architecture_gives_is_given() {
        // Non-temporal accesses of x86-64; a memory order of C beside an annotation of Java.
        let all = Vocabulary::default();
        assert!(["NT", "ACQ", "SC", "L"].iter().all(|name| all.given(name) == Some(Given::Known)));
        assert_eq!(Vocabulary::new(Some("BPF")).given("SC").map(|given| given == Given::Known), Some(false));
        let [arm, x86] = ["ARM", "X86"].map(|arch| Vocabulary::new(Some(arch)).given("ctrl") == Some(Given::Missing));
        assert!(!arm && x86);
    }

    #[test]
    fn an_architecture_has_each_name_once() {
        for arch in architectures().filter(|arch| page::has_front_end(arch)) {
            let of = |entry: &&Entry| entry.of.is_empty() || entry.of.contains(&arch);
            let mut names: Vec<&str> = table::BASE.iter().filter(of).flat_map(Entry::each).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count, "{arch}");
        }
    }

    #[test]
    fn titles() {
        assert_eq!(architecture("RISC-V"), Some("RISCV"));
        assert_eq!(architecture("SC"), None);
        assert_eq!(architecture_ignoring_case("aarch64"), Some("AArch64"));
    }
}
