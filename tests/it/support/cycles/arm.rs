//! ARM: Armv7, with the acquire and release forms of Armv8.

use super::cycle::{Access, Action, Dependency, Means, Offer, Order};
use super::dialect::{Column, Dialect, LoadStore, load_store};

pub struct Arm;

impl Offer for Arm {
    fn fences(&self) -> &'static [&'static str] {
        &["DMB", "DSB", "ISB", "DMB ST"]
    }
    fn dependencies(&self) -> &'static [Dependency] {
        &[Dependency::Address, Dependency::Data, Dependency::Control]
    }
    fn orders(&self, action: Action, means: Means) -> &'static [Order] {
        match (action, means) {
            (Action::Read, Means::Instruction) => &[Order::Plain, Order::Acquire],
            (Action::Write, Means::Instruction) => &[Order::Plain, Order::Release],
            (_, Means::Once | Means::Retried) => &[Order::Plain, Order::Acquire, Order::Release, Order::Both],
            _ => &[],
        }
    }
}

impl Dialect for Arm {
    fn header(&self) -> &'static str {
        "ARM"
    }
    fn models(&self) -> &'static [&'static str] {
        &["armv7"]
    }
    fn thread(&self, index: usize, accesses: &[Access]) -> Column {
        load_store(self, self.fences(), index, accesses)
    }
}

impl LoadStore for Arm {
    fn name(&self, number: usize) -> String {
        format!("R{number}")
    }
    fn constant(&self, to: &str, value: u32) -> String {
        format!("MOV {to},#{value}")
    }
    fn zero(&self, to: &str, from: &str) -> String {
        format!("EOR {to},{from},{from}")
    }
    fn plus(&self, to: &str, from: &str, value: u32) -> String {
        format!("ADD {to},{from},#{value}")
    }
    fn address(&self, to: &str, base: &str, zero: &str) -> String {
        format!("ADD {to},{base},{zero}")
    }
    fn branch(&self, on: &str, label: &str) -> Vec<String> {
        vec![format!("CMP {on},#0"), format!("BNE {label}")]
    }
    fn load(&self, order: Order, to: &str, address: &str) -> String {
        let name = if order == Order::Acquire { "LDA" } else { "LDR" };
        format!("{name} {to},[{address}]")
    }
    fn store(&self, order: Order, from: &str, address: &str) -> String {
        let name = if order == Order::Release { "STL" } else { "STR" };
        format!("{name} {from},[{address}]")
    }
    fn load_exclusive(&self, order: Order, to: &str, address: &str) -> String {
        let name = if matches!(order, Order::Acquire | Order::Both) { "LDAEX" } else { "LDREX" };
        format!("{name} {to},[{address}]")
    }
    fn store_exclusive(&self, order: Order, status: &str, from: &str, address: &str) -> Vec<String> {
        let name = if matches!(order, Order::Release | Order::Both) { "STLEX" } else { "STREX" };
        vec![format!("{name} {status},{from},[{address}]"), format!("CMP {status},#0")]
    }
    fn on_failure(&self, _: &str, label: &str) -> String {
        format!("BNE {label}")
    }
}
