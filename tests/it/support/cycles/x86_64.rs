//! X86_64. Memory is named directly; only control depends on what was read.

use super::cycle::{Access, Action, Dependency, Means, Offer, Order};
use super::dialect::{Column, Dialect, location};

pub struct X86;

/// `eax` is for what compare-and-swap compares.
const REGISTERS: [&str; 8] = ["rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10"];

impl Offer for X86 {
    fn fences(&self) -> &'static [&'static str] {
        &["mfence", "lfence", "sfence"]
    }
    fn dependencies(&self) -> &'static [Dependency] {
        &[Dependency::Control, Dependency::Data]
    }
    fn orders(&self, action: Action, means: Means) -> &'static [Order] {
        match (action, means) {
            (Action::Read | Action::Write, Means::Instruction)
            | (_, Means::Atomic)
            | (Action::Update, Means::Compare) => &[Order::Plain],
            _ => &[],
        }
    }
}

impl Dialect for X86 {
    fn header(&self) -> &'static str {
        "X86_64"
    }
    fn models(&self) -> &'static [&'static str] {
        &["x86tso-mixed"]
    }
    fn thread(&self, index: usize, accesses: &[Access]) -> Column {
        let mut column = Column::default();
        let (mut used, mut last) = (0, None::<String>);
        for (i, access) in accesses.iter().enumerate() {
            let memory = format!("({})", location(access.location));
            let name = REGISTERS[used].to_owned();
            used += 1;
            let register = narrow(&name);
            let mut depends = None;
            match (access.dependency, &last) {
                (Some(Dependency::Control), Some(from)) => {
                    column.lines.push(format!("cmpl $0,%{from}"));
                    column.lines.push(format!("jne C{index}{i}"));
                    column.lines.push(format!("C{index}{i}:"));
                }
                (Some(_), Some(from)) => depends = Some(from.clone()),
                _ => {}
            }
            column.lines.extend(access.fence.map(|fence| self.fences()[fence].to_owned()));
            let set = |column: &mut Column, value: u32| match &depends {
                Some(from) => {
                    column.lines.push(format!("movl %{from},%{register}"));
                    column.lines.push(format!("xorl %{from},%{register}"));
                    column.lines.push(format!("addl ${value},%{register}"));
                }
                None => column.lines.push(format!("movl ${value},%{register}")),
            };
            let adds = access.action == Action::Read || access.action == Action::Update && access.increments;
            match access.means {
                Means::Atomic if adds => {
                    set(&mut column, u32::from(access.action == Action::Update));
                    column.lines.push(format!("lock xaddl %{register},{memory}"));
                }
                Means::Atomic => {
                    set(&mut column, access.written);
                    column.lines.push(format!("xchgl %{register},{memory}"));
                }
                Means::Compare => {
                    set(&mut column, access.written);
                    column.lines.push(format!("movl ${},%eax", access.found));
                    column.lines.push(format!("lock cmpxchgl %{register},{memory}"));
                    column.lines.push(format!("movl %eax,%{register}"));
                }
                _ if access.action == Action::Read => column.lines.push(format!("movl {memory},%{register}")),
                _ => {
                    set(&mut column, access.written);
                    column.lines.push(format!("movl %{register},{memory}"));
                }
            }
            if access.action != Action::Write {
                column.shown.push((name.clone(), Some(access.found)));
                last = Some(register);
            }
        }
        column
    }
}

/// The name of the lower half of a register.
fn narrow(register: &str) -> String {
    match register.strip_prefix("r") {
        Some(number) if number.starts_with(|c: char| c.is_ascii_digit()) => format!("{register}d"),
        Some(letters) => format!("e{letters}"),
        None => register.to_owned(),
    }
}
