//! The base names that executions give a value to (CAT.md, section 6): which exist, and for tests of which architecture.
//!
//! The table is data about architectures, not about models. An execution in which nothing carries a tag simply has an empty
//! set of that name.

use crate::algebra::Sort;
use std::collections::{BTreeMap, BTreeSet};

/// Base relations of every execution.
const RELATIONS: &str = "po loc int ext rf co addr data ctrl casdep amo lxsx same-instance same-instr same-static si sm \
    iico_data iico_ctrl iico_order thread-sync rf-lock rf-reg aligned same-low-order-bits pco partial_po control depend \
    success tst equiv-spec instr";

/// Base sets of every execution.
const SETS: &str = "M R W IW FW F B BR BCC PoD RMW X EX A NA Exp NExp Rreg Wreg ADDR DATA PRED SPEC EXEC SPURIOUS CutOff no-loc \
    LK UL LS LF LKR LKW RL RU";

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

/// Sets of one architecture: its fences and annotations.
const SETS_OF: &[(&str, &str)] = &[
    ("X86", "MFENCE SFENCE LFENCE"),
    ("X86_64", "MFENCE SFENCE LFENCE NT UC WC WT WB"),
    ("PPC", "SYNC LWSYNC EIEIO ISYNC"),
    ("ARM", "DMB DMB.ISH DMB.ST DSB DSB.ST ISB L AL"),
    ("MIPS", "SYNC"),
    (
        "RISCV",
        "Fence.i Fence.tso Fence.r.r Fence.r.w Fence.r.rw Fence.w.r Fence.w.w Fence.w.rw Fence.rw.r Fence.rw.w \
         Fence.rw.rw Acq Rel AcqRel Sc AMO",
    ),
    (
        "AArch64",
        "DMB.SY DMB.LD DMB.ST DMB.ISH DMB.ISHLD DMB.ISHST DMB.OSH DMB.OSHLD DMB.OSHST DMB.NSH DMB.NSHLD DMB.NSHST \
         DSB.SY DSB.LD DSB.ST DSB.ISH DSB.ISHLD DSB.ISHST DSB.OSH DSB.OSHLD DSB.OSHST DSB.NSH DSB.NSHLD DSB.NSHST ISB \
         GCSB.DSYNC Q L NoRet S NT AF DB DC.IVAC DC.IVAU DC.CVAC DC.CVAU DC.CIVAC DC.CIVAU DC.ZVAC DC.ZVAU DC.ISWC \
         DC.ISWU DC.CSWC DC.CSWU DC.CISWC DC.CISWU DC.ZSWC DC.ZSWU IC.IALLU IC.IALLUIS IC.IVAU IC.IVAUIS TLBIIS \
         TLBInXS E0 E1 E2 E3 MMU D-MMU Translation AccessFlag Permission Exclusive TagCheck PacCheck \
         UndefinedInstruction SVC GCSCheck Instr Restricted-CMODX PA PTE D-PTE PTEV PTEINV PTEAF0 PTEDB0 PTEMemAttr \
         ReadOnly T GCS TLBI FAULT FAULT-RD FAULT-WR EXC-ENTRY EXC-RET",
    ),
    ("BPF", "SC AQ RL"),
    ("C", "ACQ REL ACQ_REL SC RLX CON annot"),
    ("CPP", "ACQ REL ACQ_REL SC RLX CON annot"),
    ("LISA", "Ftotal"),
    ("JAVA", "REL ACQ RA V O"),
    ("ASL", "ASLLocal WPC"),
];

/// Relations of one architecture.
const RELATIONS_OF: &[(&str, &str)] = &[("AArch64", "inv-domain alias PTEtoPA pick-addr pick-data pick-ctrl")];

/// Relations that the Dartagnan dialect has besides (its scoped models and native orders).
const RELATIONS_OF_DARTAGNAN: &str = "sr scta ssg swg sqf sdv ssw sync_fence syncbar vloc rcu-rscs";

/// Event tags of the Dartagnan dialect that its published models mention.
const SETS_OF_DARTAGNAN: &str = "UB mfence sync lwsync isync eieio CTA GPU SYS WEAK GEN TEX SUR CON ALIAS SG WG QF DV WI ALL \
    NONPRIV PRIV ATOM VIS AV SEMVIS SEMAV AVDEVICE VISDEVICE AVSG AVWG AVQF AVSHADER VISSG VISWG VISQF VISSHADER CBAR SC0 \
    SC1 SC2 SC3 SEMSC0 SEMSC1 SEMSC2 SEMSC3 GLOBAL LOCAL GENERIC NAL STRONG ONCE ACQUIRE RELEASE MB NORETURN Rmb Wmb Mb \
    Barrier Rcu-lock Rcu-unlock Sync-rcu Srcu-lock Srcu-unlock Sync-srcu Before-atomic After-atomic After-spinlock \
    After-unlock-lock After-srcu-read-unlock";

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

/// The base names of the executions that a model is loaded for.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    arch: Option<&'static str>,
    names: BTreeMap<String, Sort>,
    elsewhere: BTreeMap<&'static str, BTreeSet<&'static str>>,
}

impl Vocabulary {
    /// The names of an architecture's executions; without one (or for an unknown one), those of all architectures.
    pub fn new(arch: Option<&str>) -> Self {
        let arch = arch.and_then(architecture_ignoring_case);
        let mut vocabulary = Self { arch, names: BTreeMap::new(), elsewhere: BTreeMap::new() };
        vocabulary.add(RELATIONS.split_whitespace(), Sort::Rel);
        vocabulary.add(SETS.split_whitespace(), Sort::Set);
        for (table, sort) in [(SETS_OF, Sort::Set), (RELATIONS_OF, Sort::Rel)] {
            for (owner, names) in table {
                if arch.is_none_or(|arch| arch == *owner) {
                    vocabulary.add(names.split_whitespace(), sort);
                } else {
                    for name in names.split_whitespace() {
                        vocabulary.elsewhere.entry(name).or_default().insert(owner);
                    }
                }
            }
        }
        vocabulary
    }

    /// Adds names: tags of a bell file, relations of a scoped test.
    pub fn add<'n>(&mut self, names: impl IntoIterator<Item = &'n str>, sort: Sort) {
        for name in names {
            self.names.insert(name.to_owned(), sort);
        }
    }

    /// Adds the names of the Dartagnan dialect.
    pub fn add_dartagnan(&mut self) {
        self.add(RELATIONS_OF_DARTAGNAN.split_whitespace(), Sort::Rel);
        self.add(SETS_OF_DARTAGNAN.split_whitespace(), Sort::Set);
    }

    /// The architecture, if one is fixed.
    pub fn arch(&self) -> Option<&'static str> {
        self.arch
    }

    /// What a name means.
    pub fn lookup(&self, name: &str) -> Lookup {
        if let Some(sort) = self.names.get(name) {
            return Lookup::Known(*sort);
        }
        match self.elsewhere.get(name) {
            Some(owners) => Lookup::Elsewhere(owners.iter().copied().collect()),
            None => Lookup::Unknown,
        }
    }

    /// All names with their sorts.
    pub fn names(&self) -> impl Iterator<Item = (&str, Sort)> {
        self.names.iter().map(|(name, sort)| (name.as_str(), *sort))
    }
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
    }

    #[test]
    fn titles() {
        assert_eq!(architecture("RISC-V"), Some("RISCV"));
        assert_eq!(architecture("SC"), None);
        assert_eq!(architecture_ignoring_case("aarch64"), Some("AArch64"));
    }
}
