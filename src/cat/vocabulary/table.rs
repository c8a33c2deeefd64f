//! The table of base names: what each means, for tests of which architecture it is known, and where executions give it members.
//!
//! The loader looks names up here, `hmc model names` prints it, and `docs/models.md` is generated from it.

use crate::algebra::Sort;
use crate::algebra::Sort::{Rel, Set};

/// Where the executions of supported tests give a name members.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Given {
    /// In tests of every architecture that knows it.
    Known,
    /// In tests of these architectures; in tests of others that know it there is nothing that it could have.
    In(&'static [&'static str]),
    /// In tests of these architectures; those of others would have members that executions lack.
    Only(&'static [&'static str]),
    /// It is another name for this one.
    Alias(&'static str),
    /// It has every event.
    Everything,
    /// Nowhere: tests with such events are unsupported, for this reason. In all others it is empty in truth.
    Unsupported(&'static str),
    /// Nowhere, although supported tests would have such events: a check that depends on it says less than it would.
    Missing,
    /// Nowhere: which writes are final is known when an execution has ended. A check that depends on it says less than it would, which
    /// `hmc model check` tells.
    Afterwards,
    /// Nowhere: what is missing is in another relation, where models ask for both.
    Within(&'static str),
    /// In programs that crash (`docs/persistency.md`), and in no others.
    Crashes,
    /// Nowhere, nor in the reference tool.
    Nothing,
    /// Nowhere: no test has a tree of scopes, and a model that needs it is unsupported.
    Scopes,
}

/// Names with one meaning.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The names, separated by blanks.
    pub names: &'static str,
    /// Sets or relations.
    pub sort: Sort,
    /// The architectures whose tests know them; none: all.
    pub of: &'static [&'static str],
    /// Where they have members.
    pub given: Given,
    /// What is in them.
    pub meaning: &'static str,
    /// The version of hmc that gave them this meaning.
    pub since: &'static str,
}

impl Entry {
    /// The names one by one.
    pub fn each(&self) -> impl Iterator<Item = &'static str> {
        self.names.split_whitespace()
    }
}

/// The first version.
const FIRST: &str = "0.1.0";
/// Every architecture.
const ALL: &[&str] = &[];
const A64: &[&str] = &["AArch64"];
const C: &[&str] = &["C", "CPP"];
const RISCV: &[&str] = &["RISCV"];
const X86: &[&str] = &["X86", "X86_64"];
/// Architectures with instructions that read and write at once.
const ATOMICS: Given = Given::In(&["AArch64", "C", "RISCV", "X86", "X86_64"]);
/// Architectures with pairs of exclusive instructions.
const EXCLUSIVES: Given = Given::In(&["AArch64", "ARM", "MIPS", "PPC", "RISCV"]);
const IN_C: Given = Given::In(&["C"]);
const NO_FRONT_END: Given = Given::Unsupported("tests of this architecture");
const PAGES: Given = Given::Unsupported("page tables");
const FAULTS: Given = Given::Unsupported("faults and exceptions");
const CODE: Given = Given::Unsupported("code as data");
const CUT: Given = Given::Unsupported("speculation; executions that were cut are not judged");

const fn known(names: &'static str, sort: Sort, of: &'static [&'static str], meaning: &'static str) -> Entry {
    given(names, sort, of, Given::Known, meaning)
}

const fn given(
    names: &'static str,
    sort: Sort,
    of: &'static [&'static str],
    given: Given,
    meaning: &'static str,
) -> Entry {
    Entry { names, sort, of, given, meaning, since: FIRST }
}

/// Base names of herd's dialect.
pub const BASE: &[Entry] = &[
    known("po", Rel, ALL, "program order, between instructions; in C also along the data flow of one expression"),
    known("loc", Rel, ALL, "same location"),
    known("int", Rel, ALL, "same thread"),
    known("ext", Rel, ALL, "different threads; initial writes are a thread of their own"),
    known("rf", Rel, ALL, "from a write to each read that takes its value"),
    known(
        "co",
        Rel,
        ALL,
        "coherence, the order of the writes to a location; `cos.cat` gives it this name in herd's dialect",
    ),
    known("addr", Rel, ALL, "address dependency, from a read"),
    known("data", Rel, ALL, "data dependency, from a read to a write"),
    given(
        "ctrl",
        Rel,
        ALL,
        Given::Only(&["AArch64", "ARM", "C", "MIPS", "PPC", "RISCV"]),
        "control dependency, from a read",
    ),
    known(
        "si sm",
        Rel,
        ALL,
        "same access: an access and itself, or the two halves of a read-modify-write that is one access",
    ),
    known("same-instance", Rel, ALL, "same execution of an instruction"),
    given(
        "casdep",
        Rel,
        ALL,
        Given::In(&["C", "X86", "X86_64"]),
        "from the reads that gave what a compare-and-swap expects to its read",
    ),
    given(
        "amo",
        Rel,
        ALL,
        Given::In(&["AArch64", "C", "X86", "X86_64"]),
        "from the read to the write of one atomic instruction; on RISC-V that is one event, in `R` and `W`",
    ),
    given("lxsx", Rel, ALL, EXCLUSIVES, "from a load-exclusive to the store-exclusive that succeeds after it"),
    given(
        "thread-sync",
        Rel,
        ALL,
        IN_C,
        "what comes before the creation of a thread, to what the thread does; that, to what comes after a join",
    ),
    given("rf-lock", Rel, ALL, IN_C, "reads-from of the reads that locks consist of"),
    given(
        "pick-addr pick-data pick-ctrl",
        Rel,
        A64,
        Given::Known,
        "dependencies through the condition of a select, by what they lead to",
    ),
    given("iico_order", Rel, ALL, Given::Within("po"), "order inside an instruction (`LDIAPP`, `STILP`)"),
    given(
        "iico_data iico_ctrl",
        Rel,
        ALL,
        Given::Missing,
        "data and control flow between the events of an instruction",
    ),
    given("rf-reg", Rel, ALL, Given::Missing, "reads-from of registers"),
    given("pco", Rel, ALL, Given::Within("co"), "what coherence is known to contain before it is chosen"),
    given("aligned same-low-order-bits", Rel, ALL, Given::Missing, "parts of accesses, by address"),
    given(
        "same-instr same-static",
        Rel,
        ALL,
        Given::Missing,
        "same instruction, or event, of the text, in whichever round of a loop",
    ),
    given(
        "control depend equiv-spec",
        Rel,
        ALL,
        Given::Missing,
        "steps of the reference tool's own computation of dependencies",
    ),
    given("partial_po", Rel, ALL, NO_FRONT_END, "program order of ASL"),
    given(
        "success instr",
        Rel,
        ALL,
        Given::Unsupported("the variants `success` and `instr`"),
        "dependency on success; same place in the program",
    ),
    given("same-line", Rel, ALL, Given::Crashes, "between accesses and flushes of one line of the cache"),
    given("same-block", Rel, ALL, Given::Crashes, "between events at one block of a disk"),
    given("same-inode", Rel, ALL, Given::Crashes, "between events at one inode of a disk"),
    given(
        "below",
        Rel,
        ALL,
        Given::Crashes,
        "in one inode, to a write whose value is above the offset of the first event",
    ),
    given("points-to", Rel, ALL, Given::Crashes, "from a write of an address to the events at the inode that is there"),
    given("tst", Rel, ALL, Given::Nothing, "empty"),
    known("M", Set, ALL, "accesses to memory, but for those of locks"),
    known("R", Set, ALL, "reads"),
    known("W", Set, ALL, "writes, initial ones included"),
    known("IW", Set, ALL, "initial writes"),
    known("F", Set, ALL, "fences"),
    known("Exp", Set, ALL, "accesses that the program makes explicitly: all of `M`"),
    given("X", Set, ALL, ATOMICS, "accesses of atomic instructions, or in C of read-modify-writes"),
    given("EX", Set, ALL, EXCLUSIVES, "accesses of exclusive instructions"),
    given("RMW", Set, ALL, IN_C, "accesses of read-modify-writes"),
    given(
        "A",
        Set,
        ALL,
        Given::In(&["AArch64", "ARM", "C", "X86", "X86_64"]),
        "Arm: acquire; C: accesses with a memory order; x86: accesses of locked instructions",
    ),
    given("NA", Set, ALL, IN_C, "plain accesses"),
    given("LK", Set, ALL, IN_C, "events of locks"),
    given("LKR LKW", Set, ALL, IN_C, "the read and the write of an attempt that takes a lock"),
    given("UL", Set, ALL, IN_C, "writes that release a lock"),
    given("LF", Set, ALL, IN_C, "reads of attempts that find a lock taken"),
    given("RL RU", Set, ALL, IN_C, "reads of tests (`spin_is_locked`) that find a lock taken, or free"),
    given("LS", Set, ALL, Given::Nothing, "successful attempts of C11 locks"),
    given("EXEC", Set, ALL, Given::Everything, "events that are not speculated: all"),
    given("SPEC CutOff", Set, ALL, CUT, "speculated events; marks where an execution was cut"),
    given("SPURIOUS NExp", Set, ALL, PAGES, "accesses of the hardware by itself"),
    given("no-loc", Set, ALL, CODE, "events without a location"),
    given("FW", Set, ALL, Given::Afterwards, "final writes of the locations that the condition mentions"),
    given(
        "Rreg Wreg ADDR DATA",
        Set,
        ALL,
        Given::Missing,
        "reads and writes of registers; those that give an address, or data",
    ),
    given("B BCC PRED", Set, ALL, Given::Missing, "branches; conditional ones; predicated instructions"),
    known("MFENCE SFENCE LFENCE", Set, X86, "fences by instruction"),
    known("NT", Set, &["X86_64"], "non-temporal accesses"),
    known("ClFlush ClFlushOpt ClWb", Set, &["X86_64"], "flushes of a line of the cache, by instruction"),
    given(
        "ClFlush ClFlushOpt ClWb",
        Set,
        &["C", "CPP", "X86"],
        Given::Crashes,
        "flushes of a line of the cache, by instruction",
    ),
    given("DC.CVAP", Set, &["C", "CPP"], Given::Crashes, "cleaning of a line of the cache to persistent memory"),
    known("DC.CVAP", Set, &["AArch64"], "cleaning of a line of the cache to persistent memory"),
    given("REC", Set, ALL, Given::Crashes, "what the recovery reads after a crash"),
    given("PBARRIER", Set, ALL, Given::Crashes, "barriers before which everything survives (`__VERIFIER_pbarrier`)"),
    given("ACK", Set, ALL, Given::Crashes, "acknowledgements to the world outside (`hmc_ack`)"),
    given("UC WC WT WB", Set, &["X86_64"], Given::Missing, "accesses by the type of their memory"),
    known("SYNC LWSYNC EIEIO ISYNC", Set, &["PPC"], "fences by instruction"),
    known("SYNC", Set, &["MIPS"], "fences"),
    known("DMB DMB.ISH DMB.ST DSB DSB.ST ISB", Set, &["ARM"], "fences by instruction"),
    known("L", Set, &["ARM"], "release"),
    given("AL", Set, &["ARM"], Given::Alias("A"), "acquire, as `A`"),
    known("Fence.i Fence.tso", Set, RISCV, "fences by instruction"),
    known(
        "Fence.r.r Fence.r.w Fence.r.rw Fence.w.r Fence.w.w Fence.w.rw Fence.rw.r Fence.rw.w Fence.rw.rw",
        Set,
        RISCV,
        "`fence` by what it orders before and after; letters for devices do not count",
    ),
    known("Acq Rel AcqRel", Set, RISCV, "accesses with `.aq`, with `.rl`, with both"),
    known("Sc", Set, RISCV, "accesses with `.sc`"),
    given("AMO", Set, RISCV, Given::Alias("X"), "accesses of `amo…` instructions"),
    known(
        "DMB.SY DMB.LD DMB.ST DMB.ISH DMB.ISHLD DMB.ISHST DMB.OSH DMB.OSHLD DMB.OSHST DMB.NSH DMB.NSHLD DMB.NSHST \
         DSB.SY DSB.LD DSB.ST DSB.ISH DSB.ISHLD DSB.ISHST DSB.OSH DSB.OSHLD DSB.OSHST DSB.NSH DSB.NSHLD DSB.NSHST",
        Set,
        A64,
        "barriers by instruction and option",
    ),
    known("ISB", Set, A64, "instruction barriers"),
    known("Q", Set, A64, "acquire of the weaker kind (`LDAPR`)"),
    known("L", Set, A64, "release"),
    known("NoRet", Set, A64, "reads of atomic instructions that return nothing"),
    known("NT", Set, A64, "non-temporal accesses"),
    given("S", Set, A64, Given::Missing, "an annotation of the reference tool"),
    given("AF DB", Set, A64, PAGES, "hardware updates of page-table entries"),
    given(
        "PA PTE D-PTE PTEV PTEINV PTEAF0 PTEDB0 PTEMemAttr ReadOnly",
        Set,
        A64,
        PAGES,
        "accesses to page-table entries, and of memory by physical address",
    ),
    given("TLBI TLBIIS TLBInXS", Set, A64, PAGES, "invalidations of translations"),
    given("T", Set, A64, Given::Unsupported("memory tags"), "accesses to tags"),
    given(
        "GCS GCSB.DSYNC",
        Set,
        A64,
        Given::Unsupported("guarded control stacks"),
        "accesses to the guarded control stack; its barriers",
    ),
    given(
        "DC.IVAC DC.IVAU DC.CVAC DC.CVAU DC.CIVAC DC.CIVAU DC.ZVAC DC.ZVAU DC.ISWC DC.ISWU DC.CSWC DC.CSWU DC.CISWC \
         DC.CISWU DC.ZSWC DC.ZSWU IC.IALLU IC.IALLUIS IC.IVAU IC.IVAUIS Instr Restricted-CMODX",
        Set,
        A64,
        CODE,
        "maintenance of caches; fetches of instructions",
    ),
    given(
        "FAULT FAULT-RD FAULT-WR EXC-ENTRY EXC-RET MMU D-MMU Translation AccessFlag Permission Exclusive TagCheck PacCheck \
         UndefinedInstruction SVC GCSCheck E0 E1 E2 E3",
        Set,
        A64,
        FAULTS,
        "faults by cause; exception levels",
    ),
    given("inv-domain alias PTEtoPA", Rel, A64, PAGES, "scopes of invalidation; entries with one output address"),
    known(
        "ACQ REL SC RLX CON",
        Set,
        C,
        "accesses and fences by memory order; a read-modify-write's halves share its order out",
    ),
    known("ACQ_REL", Set, C, "fences with this memory order"),
    given("annot", Set, C, Given::Missing, "accesses with an annotation of a bell file"),
    given("SC AQ RL", Set, &["BPF"], NO_FRONT_END, "annotations"),
    given("Ftotal", Set, &["LISA"], NO_FRONT_END, "fences without labels"),
    given("REL ACQ RA V O", Set, &["JAVA"], NO_FRONT_END, "annotations"),
    given("ASLLocal WPC", Set, &["ASL"], NO_FRONT_END, "local accesses; writes of the program counter"),
];

/// What the Dartagnan dialect has besides.
pub const DARTAGNAN: &[Entry] = &[
    given(
        "sr scta ssg swg sqf sdv ssw",
        Rel,
        ALL,
        Given::Scopes,
        "accesses whose scopes include each other; threads of one scope",
    ),
    given(
        "sync_fence syncbar vloc",
        Rel,
        ALL,
        Given::Scopes,
        "orders of fences and barriers of a GPU; same virtual location",
    ),
    given("mfence", Set, ALL, Given::In(X86), "fences by instruction"),
    given("sync lwsync isync eieio", Set, ALL, Given::In(&["PPC"]), "fences by instruction"),
    given(
        "ONCE ACQUIRE RELEASE MB NORETURN Rmb Wmb Mb Barrier Rcu-lock Rcu-unlock Sync-rcu Srcu-lock Srcu-unlock Sync-srcu \
         Before-atomic After-atomic After-spinlock After-unlock-lock After-srcu-read-unlock",
        Set,
        ALL,
        IN_C,
        "annotations of the Linux kernel's primitives",
    ),
    given(
        "UB",
        Set,
        ALL,
        Given::Unsupported("undefined behaviour, which is an error of its own"),
        "events of undefined behaviour",
    ),
    given("NAL", Set, ALL, Given::Missing, "accesses to locations that are not atomic"),
    given("STRONG", Set, ALL, Given::Missing, "the strong read-modify-writes of IMM"),
    given("ALL WEAK", Set, ALL, Given::Missing, "tags of Dartagnan's front ends"),
    given(
        "CTA GPU SYS GEN TEX SUR ALIAS SG WG QF DV WI NONPRIV PRIV ATOM VIS AV SEMVIS SEMAV AVDEVICE VISDEVICE AVSG AVWG AVQF \
         AVSHADER VISSG VISWG VISQF VISSHADER CBAR SC0 SC1 SC2 SC3 SEMSC0 SEMSC1 SEMSC2 SEMSC3 GLOBAL LOCAL GENERIC",
        Set,
        ALL,
        Given::Scopes,
        "scopes, proxies and storage classes of GPUs",
    ),
];
