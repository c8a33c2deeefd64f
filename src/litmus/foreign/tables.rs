//! The marks by which features that hmc does not have are recognised: variants, types, words, instructions and registers.

use crate::litmus::arch::Arch;

/// What a test needs and hmc does not have, as messages call it.
pub type Feature = &'static str;

pub const TAGS: Feature = "memory tags (MTE)";
pub const PAGES: Feature = "page tables (VMSA)";
pub const FAULTS: Feature = "faults";
pub const EXCEPTIONS: Feature = "exceptions";
pub const CODE: Feature = "code as data";
pub const POINTERS: Feature = "pointer authentication (PAC)";
pub const STACKS: Feature = "guarded control stacks (GCS)";
pub const VECTORS: Feature = "vector registers";
pub const CAPABILITIES: Feature = "capabilities (Morello)";
pub const SYSTEM: Feature = "system registers";
pub const CACHES: Feature = "cache maintenance";
pub const WIDE: Feature = "integers of 128 bits";
pub const REGIONS: Feature = "scopes and memory regions";

/// All of them.
pub const FEATURES: [Feature; 13] =
    [TAGS, PAGES, FAULTS, EXCEPTIONS, CODE, POINTERS, STACKS, VECTORS, CAPABILITIES, SYSTEM, CACHES, WIDE, REGIONS];

/// Languages of tests that have no front end here, and what they are.
pub const LANGUAGES: [(&str, &str); 13] = [
    ("LISA", "LISA, the language of Bell"),
    ("Bell", "LISA, the language of Bell"),
    ("BPF", "BPF"),
    ("JAVA", "Java"),
    ("ASL", "ASL, the architecture's pseudocode"),
    ("PTX", "PTX"),
    ("ptx", "PTX"),
    ("VULKAN", "Vulkan"),
    ("Vulkan", "Vulkan"),
    ("vulkan", "Vulkan"),
    ("OPENCL", "OpenCL"),
    ("OpenCL", "OpenCL"),
    ("opencl", "OpenCL"),
];

/// Variants of the reference tool that change what a test is about.
pub const VARIANTS: [(&str, Feature); 35] = [
    ("tagmem", TAGS),
    ("memtag", TAGS),
    ("mte", TAGS),
    ("store-only", TAGS),
    ("sync", TAGS),
    ("async", TAGS),
    ("asymmetric", TAGS),
    ("precise", FAULTS),
    ("imprecise", FAULTS),
    ("fatal", FAULTS),
    ("handled", FAULTS),
    ("skip", FAULTS),
    ("faulttonext", FAULTS),
    ("kvm", PAGES),
    ("vmsa", PAGES),
    ("ets", PAGES),
    ("ets2", PAGES),
    ("ets3", PAGES),
    ("pte2", PAGES),
    ("pte-squared", PAGES),
    ("d128", PAGES),
    ("exs", EXCEPTIONS),
    ("eis", EXCEPTIONS),
    ("eos", EXCEPTIONS),
    ("ifetch", CODE),
    ("self", CODE),
    ("morello", CAPABILITIES),
    ("neon", VECTORS),
    ("sve", VECTORS),
    ("sme", VECTORS),
    ("pauth1", POINTERS),
    ("pauth2", POINTERS),
    ("pac", POINTERS),
    ("shadowstack", STACKS),
    ("nv2", SYSTEM),
];

/// Words before `(` in the initial state and the condition.
pub const CALLS: [(&str, Feature); 10] = [
    ("PTE", PAGES),
    ("TTD", PAGES),
    ("PA", PAGES),
    ("tag", TAGS),
    ("fault", FAULTS),
    ("Fault", FAULTS),
    ("SS", STACKS),
    ("ssval_t", STACKS),
    ("pac", POINTERS),
    ("intid", EXCEPTIONS),
];

/// Fields of a page-table entry: `valid:0`.
pub const FIELDS: [&str; 9] = ["oa", "valid", "af", "db", "dbm", "el0", "attrs", "halftone", "contiguous"];

/// Types of the initial state.
pub const TYPES: [(&str, Feature); 9] = [
    ("__int128", WIDE),
    ("__int128_t", WIDE),
    ("__uint128_t", WIDE),
    ("int128_t", WIDE),
    ("uint128_t", WIDE),
    ("pteval_t", PAGES),
    ("parel1_t", SYSTEM),
    ("ssval_t", STACKS),
    ("ins_t", CODE),
];

/// Instructions by how they begin, then by their whole name.
pub struct Instructions {
    pub prefixes: &'static [(&'static str, Feature)],
    pub names: &'static [(&'static str, Feature)],
}

const AARCH64: Instructions = Instructions {
    prefixes: &[
        ("pac", POINTERS),
        ("aut", POINTERS),
        ("xpac", POINTERS),
        ("bra", POINTERS),
        ("blra", POINTERS),
        ("reta", POINTERS),
        ("ereta", POINTERS),
        ("ldraa", POINTERS),
        ("ldrab", POINTERS),
        ("gcs", STACKS),
        ("ld1", VECTORS),
        ("ld2", VECTORS),
        ("ld3", VECTORS),
        ("ld4", VECTORS),
        ("ldap1", VECTORS),
        ("ldff1", VECTORS),
        ("ldnf1", VECTORS),
        ("ldnt1", VECTORS),
        ("st1", VECTORS),
        ("st2", VECTORS),
        ("st3", VECTORS),
        ("st4", VECTORS),
        ("stl1", VECTORS),
        ("stnt1", VECTORS),
        ("while", VECTORS),
        ("ctermeq", VECTORS),
        ("ctermne", VECTORS),
        ("chk", CAPABILITIES),
        ("gc", CAPABILITIES),
        ("sys", SYSTEM),
    ],
    names: &[
        ("stg", TAGS),
        ("st2g", TAGS),
        ("stzg", TAGS),
        ("stz2g", TAGS),
        ("stgp", TAGS),
        ("stgm", TAGS),
        ("ldg", TAGS),
        ("ldgm", TAGS),
        ("irg", TAGS),
        ("gmi", TAGS),
        ("addg", TAGS),
        ("subg", TAGS),
        ("subp", TAGS),
        ("subps", TAGS),
        ("cmpp", TAGS),
        ("tlbi", PAGES),
        ("at", PAGES),
        ("ic", CACHES),
        ("dc", CACHES),
        ("svc", EXCEPTIONS),
        ("hvc", EXCEPTIONS),
        ("smc", EXCEPTIONS),
        ("eret", EXCEPTIONS),
        ("udf", EXCEPTIONS),
        ("brk", EXCEPTIONS),
        ("mrs", SYSTEM),
        ("msr", SYSTEM),
        ("fmov", VECTORS),
        ("movi", VECTORS),
        ("dup", VECTORS),
        ("addv", VECTORS),
        ("uaddv", VECTORS),
        ("index", VECTORS),
        ("rdvl", VECTORS),
        ("addvl", VECTORS),
        ("cntb", VECTORS),
        ("cnth", VECTORS),
        ("cntw", VECTORS),
        ("cntd", VECTORS),
        ("incb", VECTORS),
        ("inch", VECTORS),
        ("incw", VECTORS),
        ("incd", VECTORS),
        ("ptrue", VECTORS),
        ("pfalse", VECTORS),
        ("movprfx", VECTORS),
        ("addva", VECTORS),
        ("addha", VECTORS),
        ("mova", VECTORS),
        ("smstart", VECTORS),
        ("smstop", VECTORS),
        ("alignd", CAPABILITIES),
        ("alignu", CAPABILITIES),
        ("build", CAPABILITIES),
        ("clrtag", CAPABILITIES),
        ("cpytype", CAPABILITIES),
        ("cpyvalue", CAPABILITIES),
        ("cseal", CAPABILITIES),
        ("cthi", CAPABILITIES),
        ("ldct", CAPABILITIES),
        ("stct", CAPABILITIES),
        ("scflgs", CAPABILITIES),
        ("sctag", CAPABILITIES),
        ("scvalue", CAPABILITIES),
        ("seal", CAPABILITIES),
        ("unseal", CAPABILITIES),
    ],
};

const ARM: Instructions = Instructions {
    prefixes: &[("vld", VECTORS), ("vst", VECTORS), ("vmov", VECTORS)],
    names: &[
        ("svc", EXCEPTIONS),
        ("udf", EXCEPTIONS),
        ("bkpt", EXCEPTIONS),
        ("mrc", SYSTEM),
        ("mcr", SYSTEM),
        ("mrs", SYSTEM),
        ("msr", SYSTEM),
    ],
};

const RISCV: Instructions = Instructions {
    prefixes: &[("csr", SYSTEM), ("vle", VECTORS), ("vse", VECTORS), ("vset", VECTORS), ("cbo.", CACHES)],
    names: &[("ecall", EXCEPTIONS), ("ebreak", EXCEPTIONS), ("sfence.vma", PAGES)],
};

const PPC: Instructions = Instructions {
    prefixes: &[("lvx", VECTORS), ("stvx", VECTORS), ("lxv", VECTORS), ("stxv", VECTORS)],
    names: &[
        ("sc", EXCEPTIONS),
        ("mfspr", SYSTEM),
        ("mtspr", SYSTEM),
        ("tlbie", PAGES),
        ("dcbf", CACHES),
        ("dcbst", CACHES),
        ("dcbz", CACHES),
        ("icbi", CACHES),
    ],
};

const X86: Instructions = Instructions {
    prefixes: &[],
    names: &[("movntdqa", VECTORS), ("movd", VECTORS), ("syscall", EXCEPTIONS), ("int", EXCEPTIONS), ("invlpg", PAGES)],
};

const MIPS: Instructions = Instructions {
    prefixes: &[],
    names: &[("syscall", EXCEPTIONS), ("break", EXCEPTIONS), ("cache", CACHES), ("mfc0", SYSTEM), ("mtc0", SYSTEM)],
};

const NONE: Instructions = Instructions { prefixes: &[], names: &[] };

/// The instructions of an architecture that need what hmc does not have.
pub fn instructions(arch: Arch) -> Instructions {
    match arch {
        Arch::AArch64 => AARCH64,
        Arch::Arm => ARM,
        Arch::RiscV => RISCV,
        Arch::Ppc => PPC,
        Arch::X86 | Arch::X86_64 => X86,
        Arch::Mips => MIPS,
        Arch::C => NONE,
    }
}

/// What a word means as a register of an architecture, if it means one that hmc does not have. `plain` says that the word may
/// also be the name of a label, so that only what is certain counts.
pub fn register(arch: Arch, word: &str, plain: bool) -> Option<Feature> {
    let lower = word.to_ascii_lowercase();
    let (name, shape) = lower.split_once('.').map_or((lower.as_str(), None), |(name, shape)| (name, Some(shape)));
    let numbered = |letters: &[char], limit: u8| {
        let number = name.strip_prefix(letters).and_then(|digits| digits.parse::<u8>().ok());
        number.is_some_and(|n| n < limit) && name.chars().skip(1).all(|c| c.is_ascii_digit())
    };
    match arch {
        Arch::AArch64 => {
            let shaped = shape.is_some_and(|s| s.trim_start_matches(|c: char| c.is_ascii_digit()).len() == 1);
            if shaped && (numbered(&['v', 'z'], 32) || numbered(&['p'], 16) || name.starts_with("za")) {
                return Some(VECTORS);
            }
            if shape.is_none() && !plain && numbered(&['v', 'z', 'q', 'd', 's', 'h', 'b'], 32) {
                return Some(VECTORS);
            }
            if shape.is_none() && !plain && numbered(&['c'], 31) {
                return Some(CAPABILITIES);
            }
            let level = ["_el0", "_el1", "_el2", "_el3"].iter().any(|end| name.ends_with(end));
            (shape.is_none() && level).then_some(SYSTEM)
        }
        Arch::Arm => (!plain && numbered(&['q'], 16)).then_some(VECTORS),
        Arch::X86 | Arch::X86_64 => {
            let bare = name.trim_start_matches('%');
            let file = ["xmm", "ymm", "zmm", "mm"].iter().find_map(|file| bare.strip_prefix(file));
            file.is_some_and(|n| n.parse::<u8>().is_ok_and(|n| n < 32)).then_some(VECTORS)
        }
        _ => None,
    }
}
