//! The sites of a litmus test: its instructions, as the compilation mapping of its architecture knows them. Where a memory order of C11 is an instruction
//! with other tags and nothing else, the instruction can have that order; where it is a fence, the fence can be put in.

use super::Site;
use super::strength::{Kind, word};
use crate::ids::{FuncId, SpanId};
use crate::litmus::{Arch, Test};
use crate::llvm::Mapping;
use crate::llvm::ir::Order;
use crate::llvm::mapping::{Access, Step};
use crate::program::{Half, Instr, Pc, Program, edit};
use crate::verdict::Place;

/// What a site is in the program.
#[derive(Clone, Copy)]
struct Spot {
    function: FuncId,
    /// The instruction, or its read.
    pc: Pc,
    /// Its write, if it is an update.
    write: Option<Pc>,
}

/// The sites of a test, and where they are.
pub struct Sites {
    /// As they are shown.
    pub sites: Vec<Site>,
    spots: Vec<Spot>,
    mapping: Mapping,
    is_kernel: bool,
    is_c: bool,
}

/// The kernel's fences by what they are read as: its mapping knows the full one only.
const KERNEL_FENCES: [(Order, &str); 3] = [(Order::Acq, "rmb"), (Order::Rel, "wmb"), (Order::Sc, "MB")];

/// The sites of a test; with gaps for fences where `gaps`. `is_kernel`: the model declares the kernel's annotations.
pub fn sites(test: &Test, is_kernel: bool, gaps: bool) -> Sites {
    let arch = test.arch.name();
    let mapping = Mapping::for_model(Some(arch), |_| is_kernel && test.arch == Arch::C);
    let mut sites = Sites {
        sites: Vec::new(),
        spots: Vec::new(),
        mapping,
        is_kernel: is_kernel && test.arch == Arch::C,
        is_c: test.arch == Arch::C,
    };
    for (f, function) in test.program.functions.iter().enumerate() {
        for (at, instr) in function.code.iter().enumerate() {
            let spot = Spot { function: FuncId(f as u32), pc: at as Pc, write: write_of(&function.code, at) };
            let place = place(&test.program, function.spans.get(at).copied().unwrap_or_default());
            sites.add(&test.program, instr, spot, place, gaps);
        }
    }
    sites
}

/// The write of the update that begins at an instruction.
fn write_of(code: &[Instr], at: usize) -> Option<Pc> {
    let Instr::Load(load) = &code[at] else { return None };
    let half = match load.half {
        Half::AmoRead => Half::AmoWrite,
        Half::FusedRead => Half::FusedWrite,
        _ => return None,
    };
    let is_write = |instr: &Instr| matches!(instr, Instr::Store(store) if store.half == half);
    code[at..].iter().position(is_write).map(|n| (at + n) as Pc)
}

fn place(program: &Program, span: SpanId) -> Place {
    let span = &program.spans[span.index()];
    let file = program.files.get(span.file as usize).cloned().unwrap_or_default();
    Place { file, line: span.line, column: span.column }
}

impl Sites {
    fn add(&mut self, program: &Program, instr: &Instr, spot: Spot, place: Place, gaps: bool) {
        let kind = match instr {
            // Which exclusive accesses there are is not for a mapping to say.
            Instr::Load(load) if load.hidden || load.half == Half::ExRead => return,
            Instr::Load(_) if spot.write.is_some() => Kind::Update,
            Instr::Load(_) => Kind::Load,
            Instr::Store(store) if store.hidden || store.half != Half::None => return,
            Instr::Store(_) => Kind::Store,
            Instr::Fence { addr: None, is_fence: true, .. } => Kind::Fence,
            _ => return,
        };
        let orders = self.distinct(kind);
        let own = |pc: Pc| tags_at(program, spot.function, pc);
        let has = |order: &Order| {
            self.tags(kind, *order).is_some_and(|(read, write)| {
                let is_in = |tags: &[String], at: Pc| tags.iter().all(|tag| own(at).contains(tag));
                is_in(&read, spot.pc) && spot.write.is_none_or(|at| is_in(&write, at))
            })
        };
        // The strongest whose tags are there.
        let today = match kind {
            Kind::Fence => orders.iter().rev().find(|order| **order != Order::Na && has(order)),
            _ => orders.iter().rev().find(|order| has(order)),
        };
        if let (Some(&today), true) = (today, orders.len() > 1) {
            self.push(kind, place.clone(), today, orders, spot);
        }
        if gaps && kind != Kind::Fence {
            self.gap(Kind::Before, &place, spot);
            if kind != Kind::Store {
                self.gap(Kind::Behind, &place, spot);
            }
        }
    }

    fn gap(&mut self, kind: Kind, place: &Place, spot: Spot) {
        let orders = self.distinct(kind);
        if orders.len() > 1 {
            self.push(kind, place.clone(), Order::Na, orders, spot);
        }
    }

    fn push(&mut self, kind: Kind, place: Place, today: Order, orders: Vec<Order>, spot: Spot) {
        let names = orders.iter().map(|&order| self.name(kind, order)).collect();
        let thread = Some(format!("P{}", spot.function.0));
        self.sites.push(Site { kind, place, thread, today, orders, names, is_named: false });
        self.spots.push(spot);
    }

    /// The orders that are instructions, each instruction once.
    fn distinct(&self, kind: Kind) -> Vec<Order> {
        let mut orders: Vec<Order> = Vec::new();
        for &order in kind.orders().iter().filter(|order| **order != Order::Con) {
            let tags = self.tags(kind, order);
            if tags.is_some() && !orders.iter().any(|&other| self.tags(kind, other) == tags) {
                orders.push(order);
            }
        }
        orders
    }

    /// How an order is called: by its tags.
    fn name(&self, kind: Kind, order: Order) -> String {
        let (mut tags, write) = self.tags(kind, order).unwrap_or_default();
        tags.extend(write);
        // That it is atomic, or one half, is no order.
        let says_nothing = |tag: &str| tag == "X" || tag == "RMW" || self.is_c && tag == "A";
        tags.retain(|tag| !says_nothing(tag));
        tags.dedup();
        match (tags.is_empty(), order) {
            (false, _) => tags.join(" "),
            (true, Order::Na) => word(order).to_owned(),
            (true, _) => "plain".to_owned(),
        }
    }

    /// The tags of an access of an order (of its read and of its write), if the order is an instruction and nothing else.
    fn tags(&self, kind: Kind, order: Order) -> Option<(Vec<String>, Vec<String>)> {
        let access = match kind {
            Kind::Load | Kind::Failure => Access::Load,
            Kind::Store => Access::Store,
            Kind::Update => Access::Rmw,
            Kind::Fence | Kind::Before | Kind::Behind => Access::Fence,
        };
        if access == Access::Fence && order == Order::Na {
            return Some(Default::default());
        }
        if access == Access::Fence && self.is_kernel {
            let tag = KERNEL_FENCES.iter().find(|(known, _)| *known == order)?.1;
            return Some((vec![tag.to_owned()], Vec::new()));
        }
        match (access, self.mapping.steps(access, order)) {
            (Access::Load, [Step::Read(tags)])
            | (Access::Store, [Step::Write(tags)])
            | (Access::Fence, [Step::Fence(tags)]) => Some((tags.clone(), Vec::new())),
            (Access::Rmw, [Step::Read(read), Step::Write(write)]) => Some((read.clone(), write.clone())),
            _ => None,
        }
    }

    /// The program with other orders: one for each site.
    pub fn changed(&self, program: &Program, orders: &[Order]) -> Program {
        let mut program = program.clone();
        let mut fences: Vec<(Spot, Pc, bool, Order)> = Vec::new();
        for ((site, spot), &order) in self.sites.iter().zip(&self.spots).zip(orders) {
            if order == site.today {
                continue;
            }
            match site.kind {
                Kind::Before => fences.push((*spot, spot.pc, false, order)),
                Kind::Behind => fences.push((*spot, spot.write.unwrap_or(spot.pc) + 1, true, order)),
                Kind::Fence if order == Order::Na => {
                    let function = &mut program.functions[spot.function.index()];
                    function.code[spot.pc as usize] = Instr::Jump(spot.pc + 1);
                }
                kind => self.retag(&mut program, kind, *spot, site.today, order),
            }
        }
        fences.sort_by_key(|&(spot, pc, is_behind, _)| (spot.function.0, pc, !is_behind));
        for (spot, pc, _, order) in fences.into_iter().rev() {
            let names = self.tags(Kind::Fence, order).unwrap_or_default().0;
            let tags = program.intern_tags(&names);
            let fence = Instr::Fence { tags, addr: None, is_fence: true };
            edit::insert(&mut program.functions[spot.function.index()], pc, fence);
        }
        program
    }

    fn retag(&self, program: &mut Program, kind: Kind, spot: Spot, from: Order, to: Order) {
        let (old, new) = (self.tags(kind, from).unwrap_or_default(), self.tags(kind, to).unwrap_or_default());
        let mut set = |pc: Pc, old: &[String], new: &[String]| {
            let kept = tags_at(program, spot.function, pc).into_iter().filter(|tag| !old.contains(tag));
            let mut names: Vec<String> = kept.collect();
            names.extend(new.iter().cloned());
            let tags = program.intern_tags(&names);
            match &mut program.functions[spot.function.index()].code[pc as usize] {
                Instr::Load(load) => load.tags = tags,
                Instr::Store(store) => store.tags = tags,
                Instr::Fence { tags: own, .. } => *own = tags,
                _ => {}
            }
        };
        set(spot.pc, &old.0, &new.0);
        if let Some(write) = spot.write {
            set(write, &old.1, &new.1);
        }
    }
}

fn tags_at(program: &Program, function: FuncId, pc: Pc) -> Vec<String> {
    let tags = match &program.functions[function.index()].code[pc as usize] {
        Instr::Load(load) => load.tags,
        Instr::Store(store) => store.tags,
        Instr::Fence { tags, .. } => *tags,
        _ => return Vec::new(),
    };
    program.tags_of(tags).map(str::to_owned).collect()
}
