//! Power.

use super::cycle::{Access, Action, Dependency, Means, Offer, Order};
use super::dialect::{Column, Dialect, LoadStore, load_store};

pub struct Ppc;

impl Offer for Ppc {
    fn fences(&self) -> &'static [&'static str] {
        &["sync", "lwsync", "isync", "eieio"]
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

impl Dialect for Ppc {
    fn header(&self) -> &'static str {
        "PPC"
    }
    fn models(&self) -> &'static [&'static str] {
        &["power"]
    }
    fn thread(&self, index: usize, accesses: &[Access]) -> Column {
        load_store(self, self.fences(), index, accesses)
    }
}

impl LoadStore for Ppc {
    fn name(&self, number: usize) -> String {
        format!("r{}", number + 1)
    }
    fn constant(&self, to: &str, value: u32) -> String {
        format!("li {to},{value}")
    }
    fn zero(&self, to: &str, from: &str) -> String {
        format!("xor {to},{from},{from}")
    }
    fn plus(&self, to: &str, from: &str, value: u32) -> String {
        format!("addi {to},{from},{value}")
    }
    fn address(&self, to: &str, base: &str, zero: &str) -> String {
        format!("add {to},{base},{zero}")
    }
    fn branch(&self, on: &str, label: &str) -> Vec<String> {
        vec![format!("cmpwi {on},0"), format!("bne {label}")]
    }
    fn load(&self, _: Order, to: &str, address: &str) -> String {
        format!("lwz {to},0({address})")
    }
    fn store(&self, _: Order, from: &str, address: &str) -> String {
        format!("stw {from},0({address})")
    }
    fn load_exclusive(&self, _: Order, to: &str, address: &str) -> String {
        format!("lwarx {to},r0,{address}")
    }
    fn store_exclusive(&self, _: Order, _: &str, from: &str, address: &str) -> Vec<String> {
        vec![format!("stwcx. {from},r0,{address}")]
    }
    fn shows_status(&self) -> bool {
        false
    }
    fn on_failure(&self, _: &str, label: &str) -> String {
        format!("bne {label}")
    }
}
