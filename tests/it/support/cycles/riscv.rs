//! RISC-V.

use super::cycle::{Access, Action, Dependency, Means, Offer, Order};
use super::dialect::{Column, Dialect, LoadStore, load_store};

pub struct RiscV;

impl Offer for RiscV {
    fn fences(&self) -> &'static [&'static str] {
        &["fence rw,rw", "fence r,rw", "fence rw,w", "fence w,w", "fence r,r", "fence w,r", "fence.tso", "fence r,w"]
    }
    fn dependencies(&self) -> &'static [Dependency] {
        &[Dependency::Address, Dependency::Data, Dependency::Control]
    }
    fn orders(&self, action: Action, means: Means) -> &'static [Order] {
        match (action, means) {
            (Action::Read | Action::Write, Means::Instruction) => &[Order::Plain],
            (Action::Update, Means::Instruction) | (_, Means::Compare) => &[],
            _ => &[Order::Plain, Order::Acquire, Order::Release, Order::Both],
        }
    }
}

impl Dialect for RiscV {
    fn header(&self) -> &'static str {
        "RISCV"
    }
    fn models(&self) -> &'static [&'static str] {
        &["riscv"]
    }
    fn thread(&self, index: usize, accesses: &[Access]) -> Column {
        load_store(self, self.fences(), index, accesses)
    }
}

/// The ending of an instruction.
fn ending(order: Order) -> &'static str {
    match order {
        Order::Acquire => ".aq",
        Order::Release => ".rl",
        Order::Both => ".aqrl",
        _ => "",
    }
}

impl LoadStore for RiscV {
    fn name(&self, number: usize) -> String {
        format!("x{}", number + 5)
    }
    fn constant(&self, to: &str, value: u32) -> String {
        format!("ori {to},x0,{value}")
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
        vec![format!("bne {on},x0,{label}")]
    }
    fn load(&self, _: Order, to: &str, address: &str) -> String {
        format!("lw {to},0({address})")
    }
    fn store(&self, _: Order, from: &str, address: &str) -> String {
        format!("sw {from},0({address})")
    }
    fn load_exclusive(&self, order: Order, to: &str, address: &str) -> String {
        let ending = if matches!(order, Order::Acquire | Order::Both) { ".aq" } else { "" };
        format!("lr.w{ending} {to},0({address})")
    }
    fn store_exclusive(&self, order: Order, status: &str, from: &str, address: &str) -> Vec<String> {
        let ending = if matches!(order, Order::Release | Order::Both) { ".rl" } else { "" };
        vec![format!("sc.w{ending} {status},{from},0({address})")]
    }
    fn on_failure(&self, status: &str, label: &str) -> String {
        format!("bne {status},x0,{label}")
    }
    fn exchange(&self, order: Order, to: &str, from: &str, address: &str) -> String {
        format!("amoswap.w{} {to},{from},({address})", ending(order))
    }
    fn add(&self, order: Order, to: &str, from: &str, address: &str) -> String {
        format!("amoadd.w{} {to},{from},({address})", ending(order))
    }
}
