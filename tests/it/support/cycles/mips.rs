//! MIPS.

use super::cycle::{Access, Action, Dependency, Means, Offer, Order};
use super::dialect::{Column, Dialect, LoadStore, load_store};

pub struct Mips;

impl Offer for Mips {
    fn fences(&self) -> &'static [&'static str] {
        &["sync"]
    }
    fn dependencies(&self) -> &'static [Dependency] {
        &[Dependency::Address, Dependency::Data, Dependency::Control]
    }
    fn orders(&self, action: Action, means: Means) -> &'static [Order] {
        match (action, means) {
            (Action::Update, Means::Instruction) | (_, Means::Atomic | Means::Compare) => &[],
            _ => &[Order::Plain],
        }
    }
}

impl Dialect for Mips {
    fn header(&self) -> &'static str {
        "MIPS"
    }
    fn models(&self) -> &'static [&'static str] {
        &["mips"]
    }
    fn thread(&self, index: usize, accesses: &[Access]) -> Column {
        load_store(self, self.fences(), index, accesses)
    }
}

impl LoadStore for Mips {
    fn name(&self, number: usize) -> String {
        format!("r{}", number + 2)
    }
    fn constant(&self, to: &str, value: u32) -> String {
        format!("ori {to},r0,{value}")
    }
    fn zero(&self, to: &str, from: &str) -> String {
        format!("xor {to},{from},{from}")
    }
    fn plus(&self, to: &str, from: &str, value: u32) -> String {
        format!("addiu {to},{from},{value}")
    }
    fn address(&self, to: &str, base: &str, zero: &str) -> String {
        format!("addu {to},{base},{zero}")
    }
    fn branch(&self, on: &str, label: &str) -> Vec<String> {
        vec![format!("bne {on},r0,{label}")]
    }
    fn load(&self, _: Order, to: &str, address: &str) -> String {
        format!("lw {to},0({address})")
    }
    fn store(&self, _: Order, from: &str, address: &str) -> String {
        format!("sw {from},0({address})")
    }
    fn load_exclusive(&self, _: Order, to: &str, address: &str) -> String {
        format!("ll {to},0({address})")
    }
    fn store_exclusive(&self, _: Order, status: &str, from: &str, address: &str) -> Vec<String> {
        vec![format!("move {status},{from}"), format!("sc {status},0({address})")]
    }
    fn on_failure(&self, status: &str, label: &str) -> String {
        format!("beq {status},r0,{label}")
    }
}
