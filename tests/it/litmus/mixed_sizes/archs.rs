//! What a random program is in the languages of several architectures, and what tags its events have there.

use super::programs::{Access, Kind, Order, Program, VARIABLES};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arch {
    X86_64,
    AArch64,
    RiscV,
    Ppc,
    Arm,
    Mips,
    /// A program in C11, for the models of C.
    C,
    /// The same under the model of the kernel, which has other names for orders.
    Kernel,
}

impl Arch {
    /// As the first word of a test.
    pub fn name(self) -> &'static str {
        match self {
            Arch::X86_64 => "X86_64",
            Arch::AArch64 => "AArch64",
            Arch::RiscV => "RISCV",
            Arch::Ppc => "PPC",
            Arch::Arm => "ARM",
            Arch::Mips => "MIPS",
            Arch::C | Arch::Kernel => "C",
        }
    }

    pub fn is_c(self) -> bool {
        matches!(self, Arch::C | Arch::Kernel)
    }

    fn big_endian(self) -> bool {
        matches!(self, Arch::Ppc | Arch::Mips)
    }

    /// The number that some bytes are.
    pub fn number(self, bytes: &[u8]) -> u64 {
        let add = |number, &byte: &u8| number << 8 | u64::from(byte);
        if self.big_endian() { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
    }

    /// The register of an access: what is written, or what is read.
    fn bare_register(self, at: usize) -> String {
        match self {
            Arch::X86_64 => format!("r{}", 8 + at),
            Arch::AArch64 => format!("X{}", 8 + at),
            Arch::RiscV => format!("x{}", 8 + at),
            Arch::Ppc => format!("r{}", 8 + at),
            Arch::Mips => format!("${}", 8 + at),
            Arch::Arm => format!("R{}", 3 + at),
            Arch::C | Arch::Kernel => format!("r{at}"),
        }
    }

    /// What the report calls the register that gets what the access at this place of its thread reads.
    pub fn register(self, thread: usize, at: usize) -> String {
        match self {
            Arch::C | Arch::Kernel => format!("r{thread}{at}"),
            _ => format!("{thread}:{}", self.bare_register(at)),
        }
    }

    /// The registers that hold the addresses of the variables.
    fn bases(self) -> [&'static str; 2] {
        match self {
            Arch::X86_64 => ["rbx", "rsi"],
            Arch::AArch64 => ["X1", "X2"],
            Arch::RiscV => ["x5", "x6"],
            Arch::Ppc => ["r5", "r6"],
            Arch::Mips => ["$5", "$6"],
            Arch::Arm => ["R1", "R2"],
            Arch::C | Arch::Kernel => VARIABLES,
        }
    }

    /// The names of sets that the read, or the write, of an access is in, besides those of all reads and writes.
    pub fn tags(self, access: &Access, writes: bool) -> &'static [&'static str] {
        use Order::*;
        let fence = access.kind == Kind::Fence;
        let update = access.kind == Kind::Exchange;
        match (self, access.order) {
            (Arch::X86_64, _) if fence => &["MFENCE"],
            (Arch::AArch64, _) if fence => &["DMB.SY"],
            (Arch::RiscV, _) if fence => &["Fence.rw.rw"],
            (Arch::Ppc | Arch::Mips, _) if fence => &["SYNC"],
            (Arch::Arm, _) if fence => &["DMB"],
            (Arch::C, Relaxed | Acquire) if fence => &["ACQ"],
            (Arch::C, Release) if fence => &["REL"],
            (Arch::C, Strong) if fence => &["SC"],
            (Arch::Kernel, _) if fence => &["MB"],
            (Arch::C, Strong) if update => &["A", "RMW", "SC"],
            (Arch::C, Acquire) if update && !writes => &["A", "RMW", "ACQ"],
            (Arch::C, Release) if update && writes => &["A", "RMW", "REL"],
            (Arch::C, _) if update => &["A", "RMW", "RLX"],
            (Arch::C, Strong) => &["A", "SC"],
            (Arch::C, Acquire) if !writes => &["A", "ACQ"],
            (Arch::C, Release) if writes => &["A", "REL"],
            (Arch::C, _) => &["A", "RLX"],
            (Arch::Kernel, Strong) if update => &["RMW", "MB"],
            (Arch::Kernel, Acquire) if update => &["RMW", "ACQUIRE"],
            (Arch::Kernel, Release) if update => &["RMW", "RELEASE"],
            (Arch::Kernel, _) if update => &["RMW", "ONCE"],
            (Arch::Kernel, Acquire) if !writes => &["ACQUIRE"],
            (Arch::Kernel, Release) if writes => &["RELEASE"],
            (Arch::Kernel, _) => &["ONCE"],
            (Arch::X86_64, _) if update => &["Exp", "X", "A"],
            (Arch::RiscV, _) if update => &["Exp", "X"],
            _ => &["Exp"],
        }
    }

    /// A program as it can be said here: no exchange of a size that there is none of, no order that there is none of.
    pub fn sayable(self, program: &Program) -> Program {
        let mut program = program.clone();
        for access in program.threads.iter_mut().flatten() {
            let swaps = match self {
                Arch::X86_64 | Arch::C | Arch::Kernel => true,
                Arch::RiscV => access.size == 4,
                _ => false,
            };
            if access.kind == Kind::Exchange && !swaps {
                access.kind = Kind::Store;
            }
            // To the kernel such an access is one with a fence.
            if self == Arch::Kernel && access.order == Order::Strong && matches!(access.kind, Kind::Load | Kind::Store)
            {
                access.order = Order::Relaxed;
            }
        }
        program
    }
}

/// A program as a file of an architecture's language.
pub fn text(program: &Program, arch: Arch) -> String {
    if arch.is_c() {
        return c(program);
    }
    let columns: Vec<Vec<String>> = program
        .threads
        .iter()
        .map(|thread| thread.iter().enumerate().map(|(at, access)| instruction(arch, at, access)).collect())
        .collect();
    let rows = columns.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let cell = |column: &Vec<String>, row: usize| column.get(row).cloned().unwrap_or_default();
    let rows: String =
        (0..rows).map(|row| columns.iter().map(|c| cell(c, row)).collect::<Vec<_>>().join(" | ") + " ;\n").collect();
    let mut initial = String::new();
    let mut looked_at = String::new();
    for (t, thread) in program.threads.iter().enumerate() {
        for (base, variable) in arch.bases().iter().zip(VARIABLES) {
            initial += &format!("{t}:{base}={variable}; ");
        }
        for (at, access) in thread.iter().enumerate() {
            if access.writes() {
                initial += &format!("{t}:{}={}; ", arch.bare_register(at), access.value);
            }
            if access.reads() {
                looked_at += &format!("{}; ", arch.register(t, at));
            }
        }
    }
    format!(
        "{} random\n{{ uint32_t x; uint32_t y; {initial}}}\n P0 | P1 ;\n{rows}locations [{looked_at}x; y;]\nforall (true)\n",
        arch.name()
    )
}

fn instruction(arch: Arch, at: usize, access: &Access) -> String {
    let &Access { kind, variable, offset, size, .. } = access;
    let log = size.ilog2() as usize;
    let (register, base) = (arch.bare_register(at), arch.bases()[variable]);
    let number = register.trim_start_matches(|c: char| !c.is_ascii_digit());
    match (arch, kind) {
        (Arch::X86_64, Kind::Fence) => "mfence".to_owned(),
        (Arch::AArch64, Kind::Fence) => "DMB SY".to_owned(),
        (Arch::RiscV, Kind::Fence) => "fence rw,rw".to_owned(),
        (Arch::Ppc | Arch::Mips, Kind::Fence) => "sync".to_owned(),
        (Arch::Arm, Kind::Fence) => "DMB".to_owned(),
        (Arch::X86_64, _) => {
            let (suffix, part) = [("b", "b"), ("w", "w"), ("l", "d")][log];
            let (place, register) = (format!("{offset}(%{base})"), format!("%{register}{part}"));
            match kind {
                Kind::Load => format!("mov{suffix} {place},{register}"),
                Kind::Store => format!("mov{suffix} {register},{place}"),
                _ => format!("xchg{suffix} {register},{place}"),
            }
        }
        (Arch::AArch64, _) => {
            let name = if kind == Kind::Load { "LDR" } else { "STR" };
            format!("{name}{} W{number},[{base},#{offset}]", ["B", "H", ""][log])
        }
        (Arch::Arm, _) => {
            let name = if kind == Kind::Load { "LDR" } else { "STR" };
            format!("{name}{} {register},[{base},#{offset}]", ["B", "H", ""][log])
        }
        (Arch::RiscV, Kind::Exchange) => format!("amoswap.w {register},{register},({base})"),
        (Arch::RiscV | Arch::Mips, Kind::Load) => format!("{} {register},{offset}({base})", ["lbu", "lhu", "lw"][log]),
        (Arch::RiscV | Arch::Mips, _) => format!("{} {register},{offset}({base})", ["sb", "sh", "sw"][log]),
        (_, Kind::Load) => format!("{} {register},{offset}({base})", ["lbz", "lhz", "lwz"][log]),
        _ => format!("{} {register},{offset}({base})", ["stb", "sth", "stw"][log]),
    }
}

/// A program in C; what is read ends in variables of its own.
fn c(program: &Program) -> String {
    let mut text = String::from("#include <pthread.h>\n#include <stdatomic.h>\n#include <stdint.h>\nuint32_t x, y;\n");
    let mut functions = String::new();
    for (t, thread) in program.threads.iter().enumerate() {
        functions += &format!("static void *t{t}(void *unused) {{\n");
        for (at, access) in thread.iter().enumerate() {
            let &Access { kind, variable, offset, size, value, order } = access;
            let place = format!("(uint{}_t *)((char *)&{} + {offset})", 8 * size, VARIABLES[variable]);
            let register = Arch::C.register(t, at);
            if access.reads() {
                text += &format!("uint32_t {register};\n");
            }
            functions += &match kind {
                Kind::Load => format!("    {register} = __atomic_load_n({place}, {});\n", order.of_load()),
                Kind::Store => format!("    __atomic_store_n({place}, {value}, {});\n", order.of_store()),
                Kind::Exchange => format!("    {register} = __atomic_exchange_n({place}, {value}, {});\n", order.c()),
                Kind::Fence => format!("    __atomic_thread_fence({});\n", order.of_fence()),
            };
        }
        functions += "    return unused;\n}\n";
    }
    text + &functions
        + "int main(void) {\n    pthread_t a, b;\n    pthread_create(&a, 0, t0, 0);\n    pthread_create(&b, 0, t1, 0);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n    return 0;\n}\n"
}
