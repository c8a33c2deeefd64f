//! AArch64.

use super::cycle::{Access, Action, Dependency, Means, Offer, Order};
use super::dialect::{Column, Dialect, LoadStore, load_store};

pub struct AArch64;

impl Offer for AArch64 {
    fn fences(&self) -> &'static [&'static str] {
        &["DMB SY", "DMB LD", "DMB ST", "ISB", "DMB ISHLD"]
    }
    fn dependencies(&self) -> &'static [Dependency] {
        &[Dependency::Address, Dependency::Data, Dependency::Control]
    }
    fn orders(&self, action: Action, means: Means) -> &'static [Order] {
        match (action, means) {
            (Action::Read, Means::Instruction) => &[Order::Plain, Order::Acquire, Order::AcquirePc],
            (Action::Write, Means::Instruction) => &[Order::Plain, Order::Release],
            (Action::Update, Means::Instruction) | (Action::Read | Action::Write, Means::Compare) => &[],
            _ => &[Order::Plain, Order::Acquire, Order::Release, Order::Both],
        }
    }
}

impl Dialect for AArch64 {
    fn header(&self) -> &'static str {
        "AArch64"
    }
    fn models(&self) -> &'static [&'static str] {
        &["aarch64"]
    }
    fn thread(&self, index: usize, accesses: &[Access]) -> Column {
        load_store(self, self.fences(), index, accesses)
    }
}

fn word(register: &str) -> String {
    register.replace('X', "W")
}

/// The letters of an atomic instruction.
fn letters(order: Order) -> &'static str {
    match order {
        Order::Acquire => "A",
        Order::Release => "L",
        Order::Both => "AL",
        _ => "",
    }
}

impl LoadStore for AArch64 {
    fn name(&self, number: usize) -> String {
        format!("X{number}")
    }
    fn constant(&self, to: &str, value: u32) -> String {
        format!("MOV {},#{value}", word(to))
    }
    fn zero(&self, to: &str, from: &str) -> String {
        format!("EOR {to},{from},{from}")
    }
    fn plus(&self, to: &str, from: &str, value: u32) -> String {
        format!("ADD {},{},#{value}", word(to), word(from))
    }
    fn address(&self, to: &str, base: &str, zero: &str) -> String {
        format!("ADD {to},{base},{zero}")
    }
    fn branch(&self, on: &str, label: &str) -> Vec<String> {
        vec![format!("CBNZ {},{label}", word(on))]
    }
    fn load(&self, order: Order, to: &str, address: &str) -> String {
        let name = match order {
            Order::Acquire => "LDAR",
            Order::AcquirePc => "LDAPR",
            _ => "LDR",
        };
        format!("{name} {},[{address}]", word(to))
    }
    fn store(&self, order: Order, from: &str, address: &str) -> String {
        let name = if order == Order::Release { "STLR" } else { "STR" };
        format!("{name} {},[{address}]", word(from))
    }
    fn load_exclusive(&self, order: Order, to: &str, address: &str) -> String {
        let name = if matches!(order, Order::Acquire | Order::Both) { "LDAXR" } else { "LDXR" };
        format!("{name} {},[{address}]", word(to))
    }
    fn store_exclusive(&self, order: Order, status: &str, from: &str, address: &str) -> Vec<String> {
        let name = if matches!(order, Order::Release | Order::Both) { "STLXR" } else { "STXR" };
        vec![format!("{name} {},{},[{address}]", word(status), word(from))]
    }
    fn on_failure(&self, status: &str, label: &str) -> String {
        format!("CBNZ {},{label}", word(status))
    }
    fn exchange(&self, order: Order, to: &str, from: &str, address: &str) -> String {
        format!("SWP{} {},{},[{address}]", letters(order), word(from), word(to))
    }
    fn add(&self, order: Order, to: &str, from: &str, address: &str) -> String {
        format!("LDADD{} {},{},[{address}]", letters(order), word(from), word(to))
    }
    fn compare_and_swap(&self, order: Order, compared: &str, from: &str, address: &str) -> String {
        format!("CAS{} {},{},[{address}]", letters(order), word(compared), word(from))
    }
}
