//! The sites of a program in C, C++ or LLVM IR: its atomic instructions, fences, and calls of a model's own primitives, by their places in the source.
//!
//! What stands at one place is one site: instances of a template, or what a macro makes, change together. Instructions in headers of the system count as
//! what they were put into; where that is such a header, they are left alone. An ordinary access is no site: to make it atomic is another change.

use super::Site;
use super::cxx;
use super::strength::{Kind, word};
use crate::llvm::ir::{Arg, Function, Global, Instruction, Metadata, Module, Op, Order, Type, Value};
use crate::verdict::Place;
use crate::verdict::picture::frames::SYSTEM;
use std::collections::BTreeMap;

/// Where an instruction stands in its module: function, block, instruction.
type Spot = (usize, usize, usize);

/// The sites of a module, and where they are.
pub struct Sites {
    /// As they are shown.
    pub sites: Vec<Site>,
    spots: Vec<Vec<Spot>>,
}

/// How the calls begin that a model's primitives become.
const PRIMITIVE: &str = "__hmc_";
/// Longer chains of inlined functions are cut.
const MAX_INLINED: usize = 32;

/// The sites of a module; with gaps for fences where `gaps`.
pub fn sites(module: &Module, gaps: bool) -> Sites {
    let mut found: BTreeMap<(Place, Kind, Order), Vec<Spot>> = BTreeMap::new();
    let mut add = |debug: Option<u32>, kind, order, spot| {
        if let Some(place) = debug.and_then(|d| place(&module.metadata, d)) {
            found.entry((place, kind, order)).or_default().push(spot);
        }
    };
    for (f, function) in module.functions.iter().enumerate() {
        for (b, i, instruction) in instructions(function) {
            let Instruction { op, debug, .. } = instruction;
            let own = strengths(module, op).into_iter().map(|(kind, order)| (kind, order, *debug));
            let is_inlined = cxx::is_in_one(module, function, op, *debug);
            let own = own.filter(|_| !is_inlined).chain(cxx::strengths(module, function, op, *debug));
            for (kind, order, debug) in own {
                if kind == Kind::Fence && order == Order::Rlx {
                    continue;
                }
                add(debug, kind, order, (f, b, i));
                if !gaps || kind == Kind::Failure || kind == Kind::Fence {
                    continue;
                }
                add(debug, Kind::Before, Order::Na, (f, b, i));
                // Behind an order that is handed over comes the access.
                if kind != Kind::Store && !matches!(op, Op::Store { .. }) {
                    add(debug, Kind::Behind, Order::Na, (f, b, i));
                }
            }
        }
    }
    let (mut sites, mut spots) = (Vec::new(), Vec::new());
    for ((place, kind, today), at) in found {
        let is_primitive = at.iter().all(|&spot| is_primitive(op(module, spot)));
        let is_known = |order: Order| match (is_primitive, kind) {
            // No order of a failing compare-and-swap releases.
            (false, Kind::Failure) => order != Order::Sc,
            (_, Kind::Fence | Kind::Before | Kind::Behind) => !is_primitive || order != Order::AcqRel,
            (true, Kind::Load | Kind::Store) => order != Order::Sc,
            (true, _) => order != Order::AcqRel,
            (false, _) => true,
        };
        let usable = |order: &Order| *order == today || *order != Order::Con && is_known(*order);
        let orders: Vec<Order> = kind.orders().iter().copied().filter(usable).collect();
        let name = |&order: &Order| if is_primitive { primitive_name(kind, order) } else { word(order) }.to_owned();
        let names = orders.iter().map(name).collect();
        sites.push(Site { kind, place, thread: None, today, orders, names, is_named: !is_primitive });
        spots.push(at);
    }
    Sites { sites, spots }
}

impl Sites {
    /// The module with other orders: one for each site.
    pub fn changed(&self, module: &Module, orders: &[Order]) -> Module {
        let mut module = module.clone();
        let mut fences: Vec<(Spot, bool, Order, bool)> = Vec::new();
        for ((site, spots), &order) in self.sites.iter().zip(&self.spots).zip(orders) {
            if order == site.today {
                continue;
            }
            for &(f, b, i) in spots {
                match site.kind {
                    Kind::Before => fences.push(((f, b, i), false, order, !site.is_named)),
                    Kind::Behind => fences.push(((f, b, i + 1), true, order, !site.is_named)),
                    kind => {
                        let tag = (!site.is_named).then(|| tag(&mut module, kind, order));
                        change(&mut module.functions[f].blocks[b].instructions[i].op, kind, order, tag);
                    }
                }
            }
        }
        // From the back, so that places in front stay where they are; a fence behind one access comes before one in front of the next.
        fences.sort_by_key(|&(spot, is_behind, ..)| (spot, !is_behind));
        for ((f, b, i), is_behind, order, is_primitive) in fences.into_iter().rev() {
            let op = match is_primitive {
                true => {
                    let tag = tag(&mut module, Kind::Fence, order);
                    primitive_fence(&mut module, tag)
                }
                false => Op::Fence { order: Some(order) },
            };
            let instructions = &mut module.functions[f].blocks[b].instructions;
            let beside = if is_behind { i - 1 } else { i };
            let debug = instructions[beside].debug;
            instructions.insert(i, Instruction { result: None, op, debug });
        }
        module
    }
}

fn instructions(function: &Function) -> impl Iterator<Item = (usize, usize, &Instruction)> {
    function
        .blocks
        .iter()
        .enumerate()
        .flat_map(|(b, block)| block.instructions.iter().enumerate().map(move |(i, instruction)| (b, i, instruction)))
}

fn op(module: &Module, (f, b, i): Spot) -> &Op {
    &module.functions[f].blocks[b].instructions[i].op
}

/// The innermost place that is not in a header of the system.
fn place(metadata: &Metadata, debug: u32) -> Option<Place> {
    let mut debug = debug;
    for _ in 0..MAX_INLINED {
        let place = metadata.place(debug)?;
        if !SYSTEM.iter().any(|directory| place.file.starts_with(directory)) {
            return Some(Place { file: place.file, line: place.line, column: place.column });
        }
        debug = metadata.inlined_at(debug)?;
    }
    None
}

fn is_primitive(op: &Op) -> bool {
    matches!(op, Op::Call { callee: Value::Global(name), .. } if name.starts_with(PRIMITIVE))
}

/// What an instruction is, and how strong.
fn strengths(module: &Module, op: &Op) -> Vec<(Kind, Order)> {
    match op {
        Op::Load { order, .. } if *order != Order::Na => vec![(Kind::Load, *order)],
        Op::Store { order, .. } if *order != Order::Na => vec![(Kind::Store, *order)],
        Op::AtomicRmw { order, .. } => vec![(Kind::Update, *order)],
        Op::CmpXchg { success, failure, .. } => vec![(Kind::Update, *success), (Kind::Failure, *failure)],
        Op::Fence { order: Some(order) } if *order != Order::Rlx => vec![(Kind::Fence, *order)],
        Op::Call { callee: Value::Global(name), args, .. } => {
            let Some(name) = name.strip_prefix(PRIMITIVE) else { return Vec::new() };
            let kind = match name {
                "load" => Kind::Load,
                "store" => Kind::Store,
                "fence" => Kind::Fence,
                "xchg" | "cmpxchg" | "atomic_op_return" | "atomic_fetch_op" => Kind::Update,
                _ => return Vec::new(),
            };
            let text = args.first().and_then(|arg| text(module, &arg.value)).unwrap_or_default();
            TAGS.iter()
                .find(|(k, _, tag)| *k == kind && *tag == text)
                .map(|&(k, order, _)| (k, order))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// The kernel's annotations, by what they are read as.
const TAGS: [(Kind, Order, &str); 11] = [
    (Kind::Load, Order::Rlx, "ONCE"),
    (Kind::Load, Order::Acq, "ACQUIRE"),
    (Kind::Store, Order::Rlx, "ONCE"),
    (Kind::Store, Order::Rel, "RELEASE"),
    (Kind::Update, Order::Rlx, "ONCE"),
    (Kind::Update, Order::Acq, "ACQUIRE"),
    (Kind::Update, Order::Rel, "RELEASE"),
    (Kind::Update, Order::Sc, "MB"),
    (Kind::Fence, Order::Acq, "rmb"),
    (Kind::Fence, Order::Rel, "wmb"),
    (Kind::Fence, Order::Sc, "MB"),
];

/// How the kernel calls it.
fn primitive_name(kind: Kind, order: Order) -> &'static str {
    match (kind, order) {
        (Kind::Fence | Kind::Before | Kind::Behind, Order::Acq) => "smp_rmb",
        (Kind::Fence | Kind::Before | Kind::Behind, Order::Rel) => "smp_wmb",
        (Kind::Fence | Kind::Before | Kind::Behind, Order::Sc) => "smp_mb",
        (Kind::Load | Kind::Store, Order::Rlx) => "once",
        (_, Order::Sc) => "full",
        (_, order) => word(order),
    }
}

/// The text constant that an argument is.
fn text(module: &Module, value: &Value) -> Option<String> {
    let Value::Global(name) = value else { return None };
    match module.globals.iter().find(|g| g.name == *name)?.init.as_ref()? {
        Value::Bytes(bytes) => Some(String::from_utf8_lossy(bytes.strip_suffix(b"\0").unwrap_or(bytes)).into_owned()),
        _ => None,
    }
}

/// A constant with the annotation of an order; none is a compiler's barrier.
fn tag(module: &mut Module, kind: Kind, order: Order) -> Value {
    let tag = TAGS.iter().find(|(k, o, _)| (*k, *o) == (kind, order)).map_or("barrier", |(.., tag)| tag);
    let name = format!("hmc.tag.{tag}");
    if !module.globals.iter().any(|global| global.name == name) {
        let bytes: Vec<u8> = tag.bytes().chain([0]).collect();
        let byte = module.types.add(Type::Int(8));
        let ty = module.types.add(Type::Array(bytes.len() as u64, byte));
        let init = Some(Value::Bytes(bytes));
        module.globals.push(Global {
            private: false,
            name: name.clone(),
            ty,
            init,
            constant: true,
            thread_local: false,
            section: None,
            align: 1,
            debug: None,
        });
    }
    Value::Global(name)
}

fn primitive_fence(module: &mut Module, tag: Value) -> Op {
    let (ret, ty) = (module.types.add(Type::Int(64)), module.types.add(Type::Ptr));
    Op::Call { ret, callee: Value::Global(format!("{PRIMITIVE}fence")), args: vec![Arg { ty, value: tag, align: 1 }] }
}

fn change(op: &mut Op, kind: Kind, to: Order, tag: Option<Value>) {
    if tag.is_none() && cxx::hands_over(op) {
        return cxx::change(op, kind, to);
    }
    match (op, kind) {
        (Op::Load { order, .. }, Kind::Load)
        | (Op::Store { order, .. }, Kind::Store)
        | (Op::AtomicRmw { order, .. }, Kind::Update) => *order = to,
        (Op::CmpXchg { success, .. }, Kind::Update) => *success = to,
        (Op::CmpXchg { failure, .. }, Kind::Failure) => *failure = to,
        // A relaxed fence is none.
        (Op::Fence { order }, Kind::Fence) => *order = Some(if to == Order::Na { Order::Rlx } else { to }),
        (Op::Call { args, .. }, _) => {
            if let (Some(first), Some(tag)) = (args.first_mut(), tag) {
                first.value = tag;
            }
        }
        _ => {}
    }
}
