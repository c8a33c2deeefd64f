//! Disks against all sets of writes, one by one: those that have with a write all that persists before it, as the plain evaluator says.

use super::{MEMORY, each, fence, model, prepared, programs, takes_no_part};
use crate::support::random::Rng;
use hmc::algebra::Model;
use hmc::algebra::naive::{Naive, Value};
use hmc::cat::{self, LoadRequest, Vocabulary};
use hmc::crash::recovery::Recovery;
use hmc::explore::{Execution, Go};
use hmc::graph::event::Kind;
use hmc::graph::view;
use hmc::program::crash::Unit;
use hmc::program::*;
use std::collections::BTreeSet;

/// The sets of the events of a disk, for random programs.
const WRITES: [&[&str]; 7] =
    [&["DATA"], &["SIZE", "ALL"], &["SIZE", "GROWN"], &["SIZE", "TRUNC"], &["DIR"], &["JBEGIN"], &["JEND"]];
const FORCES: [&str; 5] = ["FSYNC", "FDATASYNC", "SYNC", "JPOINT", "PBARRIER"];
/// Bytes of an inode, and of a block of it.
const INODE: u64 = 64;
const BLOCK: u64 = 2;

/// A program that writes to two inodes at random, and a recovery that reads some of it.
fn disk_program(rng: &mut Rng) -> Program {
    let mut builder = ProgramBuilder::new("disk", 0x1000);
    let plain = builder.tag_set([]);
    let mut entries = Vec::new();
    let mut places = BTreeSet::new();
    let mut writes = 0;
    for n in 0..1 + rng.below(2) {
        let mut f = FunctionBuilder::new(format!("P{n}"), 0);
        for _ in 0..2 + rng.below(5) {
            let inode = MEMORY + INODE * rng.below(2);
            f.next_group();
            if writes == 9 || rng.below(4) == 0 {
                let force = FORCES[rng.below(5) as usize];
                f.push(fence(&mut builder, force, Some(inode), false));
                continue;
            }
            writes += 1;
            let sets = WRITES[rng.below(7) as usize];
            let offset = match sets[0] {
                "DATA" => rng.below(4),
                "SIZE" => 16,
                "DIR" => 24 + 8 * rng.below(2),
                _ => 40,
            };
            let value = match sets[0] {
                "DIR" => MEMORY + INODE * rng.below(2),
                _ => rng.below(4),
            };
            places.insert(inode + offset);
            let (addr, value) = (Operand::Const(inode + offset), Operand::Const(value));
            let tags = builder.tag_set(sets.iter().copied());
            f.push(Instr::Store(Store {
                addr,
                value,
                size: 4.min(if offset < 4 { 1 } else { 4 }),
                tags,
                half: Half::None,
                hidden: false,
            }));
        }
        f.push(Instr::Return { value: None });
        let function = builder.declare(&format!("P{n}"));
        builder.define(function, f.finish());
        entries.push(Entry { function, args: Vec::new(), name: format!("P{n}"), tags: plain });
    }
    let mut f = FunctionBuilder::new("recovery", 0);
    for &place in &places {
        let dst = f.reg();
        f.next_group();
        let size = if (place - MEMORY) % INODE < 4 { 1 } else { 4 };
        let addr = Operand::Const(place);
        f.push(Instr::Load(Load { dst, addr, size, tags: plain, half: Half::None, unless: None, hidden: false }));
    }
    f.push(Instr::Return { value: None });
    let recovery = builder.declare("recovery");
    builder.define(recovery, f.finish());
    let mut program = builder.program;
    program.objects.push(Object {
        name: "disk".into(),
        address: MEMORY,
        bytes: vec![0; 2 * INODE as usize],
        cells: Vec::new(),
        thread_local: false,
        read_only: false,
    });
    program.start = Start::Together(entries);
    program.persistence.memory.push((MEMORY, MEMORY + 2 * INODE - 1));
    program.persistence.recovery = Some(recovery);
    program.persistence.units.set(Unit::Block, BLOCK);
    program.persistence.units.set(Unit::Inode, INODE);
    program.persistence.fences_name_places = true;
    program.persistence.is_explored = true;
    prepared(program)
}

/// By address, the writes that may be the last ones there: of every set of writes that is closed.
fn closed_sets(execution: &Execution<'_, '_>, model: &Model) -> BTreeSet<Vec<(u64, u32)>> {
    let (graph, world) = (execution.graph, execution.world);
    let candidate = view::candidate(graph, &world.deps, world.program);
    let named = |name: &str| model.checks.iter().find(|check| check.name.as_deref() == Some(name)).expect("a check");
    let mut naive = Naive::new(&model.pool, &candidate);
    let Some(Value::Rel(before)) = naive.value(named("persist-order").expr) else { panic!("no relation") };
    let writes: Vec<_> = graph.ids().filter(|&e| graph.event(e).kind == Kind::Write).collect();
    // What the barrier is behind has survived.
    let barriers: Vec<_> =
        graph.ids().filter(|&e| world.program.tags_of(graph.event(e).tags).any(|tag| tag == "PBARRIER")).collect();
    let is_behind = |write: hmc::ids::EventId| {
        let thread = &graph.lane(graph.event(write).thread).order;
        let at = thread.iter().position(|&e| e == write).expect("in its thread");
        barriers.iter().any(|barrier| thread[at..].contains(barrier))
    };
    let mut all = BTreeSet::new();
    'sets: for set in 0_u32..1 << writes.len() {
        let has = |n: usize| set >> n & 1 == 1;
        for (n, &write) in writes.iter().enumerate() {
            if !has(n) && is_behind(write) {
                continue 'sets;
            }
            for (m, &other) in writes.iter().enumerate() {
                if has(n) && !has(m) && before.contains(&(graph.row(other), graph.row(write))) {
                    continue 'sets;
                }
            }
        }
        let mut state = Vec::new();
        for (loc, place) in graph.places() {
            let is_in = |e: &&hmc::ids::EventId| writes.iter().position(|w| w == *e).is_none_or(has);
            let last = place.co.iter().rev().find(is_in).expect("the initial write");
            state.push((world.locs.get(loc).0, last.0));
        }
        state.sort_unstable();
        all.insert(state);
    }
    all
}

#[test]
fn disks_leave_the_closed_sets_of_writes() {
    let mut sets: Vec<&str> = WRITES.iter().flat_map(|sets| sets.iter().copied()).collect();
    sets.extend(FORCES);
    sets.push("ACK");
    let anything = cat::load(
        &LoadRequest::text("any", "\"any\"\ninclude \"cos.cat\"\nacyclic po | rf | co | fr as sc\n"),
        &Vocabulary::default(),
    );
    let anything = anything.unwrap_or_else(|errors| panic!("{errors:?}")).model;
    for name in ["ext4", "posix", "persevere"] {
        let model = model(&format!("persistency/{name}.cat"), &sets);
        let mut rng = Rng(0x2545_f491_4f6c_dd1d);
        let mut states = 0;
        for n in 0..programs(60) {
            let program = disk_program(&mut rng);
            let recovery = Recovery::new(&program, &model);
            each(&program, &anything, |execution| {
                let mut found = BTreeSet::new();
                recovery.explore(execution, &mut |recovered| {
                    takes_no_part(recovered, execution, &model);
                    let graph = recovered.graph;
                    let reads = graph.lane(recovered.thread).order.iter().map(|&read| {
                        let event = graph.event(read);
                        (execution.world.locs.get(event.loc).0, event.rf.0)
                    });
                    let mut state: Vec<(u64, u32)> = reads.collect();
                    state.sort_unstable();
                    found.insert(state);
                    Go::On
                });
                let closed = closed_sets(execution, &model);
                assert_eq!(found, closed, "{name}, program {n}:\n{program}");
                states += found.len();
            });
        }
        assert!(states > 200, "{name}: {states}");
    }
}
