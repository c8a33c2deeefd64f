//! Random straight programs of two threads that access two variables in different sizes, and what they are as litmus tests.

use crate::support::random::Rng;

/// Bytes of a variable.
pub const SIZE: usize = 4;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Load,
    Store,
    /// Writes and gives what was there.
    Exchange,
    Fence,
}

/// What one instruction does.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    pub kind: Kind,
    /// `x` or `y`.
    pub variable: usize,
    pub offset: usize,
    pub size: usize,
    /// What is written.
    pub value: u64,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub threads: Vec<Vec<Access>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arch {
    X86_64,
    AArch64,
}

pub const VARIABLES: [&str; 2] = ["x", "y"];

impl Arch {
    pub fn name(self) -> &'static str {
        match self {
            Arch::X86_64 => "X86_64",
            Arch::AArch64 => "AArch64",
        }
    }

    /// What the report calls the register that gets what the access at this place of its thread reads.
    pub fn register(self, thread: usize, at: usize) -> String {
        match self {
            Arch::X86_64 => format!("{thread}:r{}", 8 + at),
            Arch::AArch64 => format!("{thread}:X{}", 8 + at),
        }
    }
}

impl Access {
    pub fn reads(&self) -> bool {
        matches!(self.kind, Kind::Load | Kind::Exchange)
    }

    pub fn writes(&self) -> bool {
        matches!(self.kind, Kind::Store | Kind::Exchange)
    }

    /// The bytes that it accesses, among those of all variables.
    pub fn bytes(&self) -> std::ops::Range<usize> {
        let first = self.variable * SIZE + self.offset;
        if self.kind == Kind::Fence { first..first } else { first..first + self.size }
    }

    /// The byte that it writes to a place.
    pub fn byte(&self, place: usize) -> u8 {
        (self.value >> (8 * (place - self.bytes().start))) as u8
    }
}

/// The number that some bytes are.
pub fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

impl Program {
    /// `swaps`: with exchanges.
    pub fn random(rng: &mut Rng, accesses: u64, sizes: &[usize], swaps: bool) -> Program {
        let mut threads = vec![Vec::new(), Vec::new()];
        let widest = sizes.iter().copied().max().unwrap_or(1);
        for written in 1..=accesses.min(8) {
            let size = sizes[rng.below(sizes.len() as u64) as usize];
            let offset = size * rng.below((widest / size) as u64) as usize;
            let kind = match rng.below(if swaps { 10 } else { 9 }) {
                0..4 => Kind::Load,
                4..8 => Kind::Store,
                8 => Kind::Fence,
                _ => Kind::Exchange,
            };
            // Most accesses meet at one variable.
            let variable = usize::from(rng.below(4) == 0);
            let value = (0..size).fold(0, |value, _| value << 8 | written);
            threads[rng.below(2) as usize].push(Access { kind, variable, offset, size, value });
        }
        Program { threads }
    }

    /// As a litmus test.
    pub fn text(&self, arch: Arch) -> String {
        let columns: Vec<Vec<String>> = self
            .threads
            .iter()
            .map(|thread| thread.iter().enumerate().flat_map(|(at, access)| instructions(arch, at, access)).collect())
            .collect();
        let rows = columns.iter().map(Vec::len).max().unwrap_or(0).max(1);
        let cell = |column: &Vec<String>, row: usize| column.get(row).cloned().unwrap_or_default();
        let rows = (0..rows).map(|row| columns.iter().map(|c| cell(c, row)).collect::<Vec<_>>().join(" | ") + " ;\n");
        let registers = match arch {
            Arch::X86_64 => "0:rbx=x; 0:rsi=y; 1:rbx=x; 1:rsi=y;",
            Arch::AArch64 => "0:X1=x; 0:X2=y; 1:X1=x; 1:X2=y;",
        };
        let looked_at: Vec<String> = self.looked_at(arch).into_iter().map(|name| format!("{name};")).collect();
        format!(
            "{} random\n{{ uint32_t x; uint32_t y; {registers} }}\n P0 | P1 ;\n{}locations [{} x; y;]\nforall (true)\n",
            arch.name(),
            rows.collect::<String>(),
            looked_at.join(" ")
        )
    }

    /// The registers that something is read into.
    fn looked_at(&self, arch: Arch) -> Vec<String> {
        let reads = |t: usize| {
            let accesses = self.threads[t].iter().enumerate().filter(|(_, access)| access.reads());
            accesses.map(move |(at, _)| arch.register(t, at)).collect::<Vec<String>>()
        };
        (0..self.threads.len()).flat_map(reads).collect()
    }
}

fn instructions(arch: Arch, at: usize, access: &Access) -> Vec<String> {
    let &Access { kind, variable, offset, size, value } = access;
    let n = 8 + at;
    match arch {
        Arch::X86_64 => {
            let (suffix, part) = [("b", "b"), ("w", "w"), ("l", "d")][size.ilog2() as usize];
            let place = format!("{offset}(%{})", ["rbx", "rsi"][variable]);
            match kind {
                Kind::Load => vec![format!("mov{suffix} {place},%r{n}{part}")],
                Kind::Store => vec![format!("mov{suffix} ${value},{place}")],
                Kind::Exchange => {
                    vec![format!("mov{suffix} ${value},%r{n}{part}"), format!("xchg{suffix} %r{n}{part},{place}")]
                }
                Kind::Fence => vec!["mfence".to_owned()],
            }
        }
        Arch::AArch64 => {
            let suffix = ["B", "H", ""][size.ilog2() as usize];
            let place = format!("[X{},#{offset}]", 1 + variable);
            match kind {
                Kind::Load => vec![format!("LDR{suffix} W{n},{place}")],
                Kind::Store => vec![format!("MOV W{n},#{value}"), format!("STR{suffix} W{n},{place}")],
                Kind::Exchange => panic!("no exchanges are made for this architecture"),
                Kind::Fence => vec!["DMB SY".to_owned()],
            }
        }
    }
}
