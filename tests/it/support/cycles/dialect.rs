//! What an architecture offers, and the columns of a test of assembly.

use super::cycle::{Access, Action, Cycle, Dependency, Means, Offer, Order};
use std::fmt::Write;

/// The instructions of an architecture. Registers are given by their names.
pub trait Dialect: Offer {
    fn header(&self) -> &'static str;
    fn models(&self) -> &'static [&'static str];
    /// The instructions of a thread; architectures without load and store instructions have their own.
    fn thread(&self, index: usize, accesses: &[Access]) -> Column;
}

/// The instructions of a load-store architecture.
pub trait LoadStore {
    /// The register of a number.
    fn name(&self, number: usize) -> String;
    fn constant(&self, to: &str, value: u32) -> String;
    /// `to` is zero, and depends on `from`.
    fn zero(&self, to: &str, from: &str) -> String;
    fn plus(&self, to: &str, from: &str, value: u32) -> String;
    /// An address and a zero.
    fn address(&self, to: &str, base: &str, zero: &str) -> String;
    /// A branch on a register to the label that follows.
    fn branch(&self, on: &str, label: &str) -> Vec<String>;
    fn load(&self, order: Order, to: &str, address: &str) -> String;
    fn store(&self, order: Order, from: &str, address: &str) -> String;
    fn load_exclusive(&self, order: Order, to: &str, address: &str) -> String;
    fn store_exclusive(&self, order: Order, status: &str, from: &str, address: &str) -> Vec<String>;
    /// Whether the status can be shown in a register.
    fn shows_status(&self) -> bool {
        true
    }
    /// A branch that is taken when a store-exclusive failed.
    fn on_failure(&self, status: &str, label: &str) -> String;
    fn exchange(&self, _: Order, _to: &str, _from: &str, _address: &str) -> String {
        unreachable!("the architecture has no exchange")
    }
    fn add(&self, _: Order, _to: &str, _from: &str, _address: &str) -> String {
        unreachable!("the architecture has no atomic addition")
    }
    /// `compared` holds the old value afterwards.
    fn compare_and_swap(&self, _: Order, _compared: &str, _from: &str, _address: &str) -> String {
        unreachable!("the architecture has no compare-and-swap")
    }
}

/// A thread as text.
#[derive(Default)]
pub struct Column {
    /// Registers that hold addresses.
    pub addresses: Vec<(String, usize)>,
    pub lines: Vec<String>,
    /// Registers that are shown, with what they hold where the outcome goes around the cycle.
    pub shown: Vec<(String, Option<u32>)>,
}

/// The name of a location.
pub fn location(number: usize) -> &'static str {
    ["x", "y", "z", "a", "b", "c"][number]
}

/// The whole test.
pub fn assembly(dialect: &dyn Dialect, cycle: &Cycle) -> String {
    let columns: Vec<Column> =
        cycle.threads.iter().enumerate().map(|(t, accesses)| dialect.thread(t, accesses)).collect();
    let mut text = format!("{} generated\n\"{}\"\n{{", dialect.header(), cycle.name());
    for (t, column) in columns.iter().enumerate() {
        column.addresses.iter().for_each(|(register, n)| text += &format!(" {t}:{register}={};", location(*n)));
    }
    text += " }\n";
    let widths: Vec<usize> =
        columns.iter().map(|column| column.lines.iter().map(String::len).max().unwrap_or(0).max(2)).collect();
    let longest = columns.iter().map(|column| column.lines.len()).max().unwrap_or(0);
    let row = |cell: &dyn Fn(usize) -> String| {
        let cells: Vec<String> = widths.iter().enumerate().map(|(t, width)| format!("{:width$}", cell(t))).collect();
        format!(" {} ;\n", cells.join(" | "))
    };
    text += &row(&|t| format!("P{t}"));
    for i in 0..longest {
        text += &row(&|t| columns[t].lines.get(i).cloned().unwrap_or_default());
    }
    let shown: Vec<(String, Option<u32>)> = columns
        .iter()
        .enumerate()
        .flat_map(|(t, column)| column.shown.iter().map(move |(name, value)| (format!("{t}:{name}"), *value)))
        .collect();
    text + &condition(cycle, &shown)
}

/// Shows registers and locations, and asks for the outcome that goes around the cycle.
pub fn condition(cycle: &Cycle, registers: &[(String, Option<u32>)]) -> String {
    let mut text = String::from("locations [");
    (0..cycle.locations).for_each(|n| text += &format!("{}; ", location(n)));
    registers.iter().for_each(|(name, _)| text += &format!("{name}; "));
    let mut wanted: Vec<String> =
        registers.iter().filter_map(|(name, value)| value.map(|value| format!("{name}={value}"))).collect();
    wanted.extend(cycle.last.iter().enumerate().filter(|(_, n)| **n > 0).map(|(l, n)| format!("{}={n}", location(l))));
    let _ = writeln!(text, "]\nexists ({})", wanted.join(" /\\ "));
    text
}

/// A thread of a load-store architecture.
pub fn load_store(with: &dyn LoadStore, fences: &[&str], index: usize, accesses: &[Access]) -> Column {
    let [zero, computed, value, status, scratch] = [0, 1, 2, 3, 4].map(|n| with.name(n));
    let mut column = Column::default();
    let (mut used, mut labels, mut last) = (5, 0, None::<String>);
    let mut fresh = || {
        used += 1;
        with.name(used - 1)
    };
    for access in accesses {
        let known = column.addresses.iter().find(|(_, n)| *n == access.location).map(|(register, _)| register.clone());
        let mut address = known.unwrap_or_else(|| {
            let register = fresh();
            column.addresses.push((register.clone(), access.location));
            register
        });
        let mut depends = None;
        if let (Some(dependency), Some(from)) = (access.dependency, &last) {
            match dependency {
                Dependency::Control => {
                    let label = format!("C{index}{labels}");
                    labels += 1;
                    column.lines.extend(with.branch(from, &label));
                    column.lines.push(format!("{label}:"));
                }
                Dependency::Address => {
                    column.lines.push(with.zero(&zero, from));
                    column.lines.push(with.address(&computed, &address, &zero));
                    address.clone_from(&computed);
                }
                Dependency::Data => {
                    column.lines.push(with.zero(&zero, from));
                    depends = Some(&zero);
                }
            }
        }
        column.lines.extend(access.fence.map(|fence| fences[fence].to_owned()));
        let set = |column: &mut Column, number: u32| {
            column.lines.push(match depends {
                Some(zero) => with.plus(&value, zero, number),
                None => with.constant(&value, number),
            });
        };
        let old = if access.action == Action::Write { scratch.clone() } else { fresh() };
        match access.means {
            Means::Instruction if access.action == Action::Read => {
                column.lines.push(with.load(access.order, &old, &address));
            }
            Means::Instruction => {
                set(&mut column, access.written);
                column.lines.push(with.store(access.order, &value, &address));
            }
            Means::Atomic => {
                let adds = access.action == Action::Read || access.action == Action::Update && access.increments;
                set(&mut column, if adds { u32::from(access.action == Action::Update) } else { access.written });
                column.lines.push(match adds {
                    true => with.add(access.order, &old, &value, &address),
                    false => with.exchange(access.order, &old, &value, &address),
                });
            }
            Means::Compare => {
                column.lines.push(with.constant(&old, access.found));
                set(&mut column, access.written);
                column.lines.push(with.compare_and_swap(access.order, &old, &value, &address));
            }
            Means::Once | Means::Retried => {
                let retried = access.means == Means::Retried;
                let increments = access.action == Action::Update && access.increments && depends.is_none();
                if access.action != Action::Read && !increments {
                    set(&mut column, access.written);
                }
                let label = format!("L{index}{labels}");
                labels += 1;
                if retried {
                    column.lines.push(format!("{label}:"));
                }
                column.lines.push(with.load_exclusive(access.order, &old, &address));
                if increments {
                    column.lines.push(with.plus(&value, &old, 1));
                }
                let stored = if access.action == Action::Read { &old } else { &value };
                let shown = !retried && with.shows_status();
                let status = if shown { fresh() } else { status.clone() };
                column.lines.extend(with.store_exclusive(access.order, &status, stored, &address));
                if retried {
                    column.lines.push(with.on_failure(&status, &label));
                }
                if shown {
                    column.shown.push((status, None));
                }
            }
        }
        if access.action != Action::Write {
            column.shown.push((old.clone(), Some(access.found)));
            last = Some(old);
        }
    }
    column
}
