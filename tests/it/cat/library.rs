//! The library files: every name that published models take from them is there, and means what it should.

use hmc::cat::reference::{Branch, Choices, Options, run};
use hmc::cat::{Dialect, LoadRequest, Loaded, Vocabulary, load};
use hmc::relation::candidate::{Candidate, EventSet, Relation};

fn loaded(text: &str) -> Loaded {
    let request = LoadRequest { dialect: Some(Dialect::Herd), ..LoadRequest::text("library.cat", text) };
    load(&request, &Vocabulary::default()).unwrap_or_else(|e| panic!("{text}: {:?}", e.diagnostics))
}

/// By file: the names that models expect of it.
const NAMES: &[(&str, &str)] = &[
    (
        "stdlib.cat",
        "emptyset NDATA partition tag2instrs PoD BR po-loc rfe rfi co0 toid fencerel ctrlcfence inv-field imply nodetour \
         singlestep subseteq inclusion total udr map LKW PTE EX X lxsx amo rmw",
    ),
    ("cross.cat", "co_locs cross generate_orders generate_cos"),
    ("ncross.cat", "co_locs cross generate_orders generate_cos"),
    ("filters.cat", "WW WR RW RR RM MR WM MW MM AA AP PA PP AM MA noid invrf atom A P"),
    ("aarch64util.cat", "intervening included equal co fr dmb.full"),
    ("enumerations.cat", "add_pair add_both_choices enumerate-ordered-pairs"),
    ("choices.cat", "choices"),
    ("ctrl.cat", "roots succs mapset2rel mapset2set sibling addD combine case_disjunction"),
    ("x86fences.cat", "mfence lfence sfence"),
    ("ppcfences.cat", "sync lwsync eieio isync ctrlisync"),
    ("armfences.cat", "dmb dsb dmb.st dsb.st dmb.ish isb ctrlisb"),
    ("mipsfences.cat", "sync"),
    ("aarch64fences.cat", "dmb.full dmb.ld dmb.st dsb.full dsb.ld dsb.st"),
    ("fences.cat", "mfence lfence sfence sync lwsync eieio isync ctrlisync dmb dsb isb ctrlisb dmb.full dsb.full"),
    ("cos.cat", "co coi coe fr fri fre ca"),
    ("cos-no-opt.cat", "co coi coe fr fri fre"),
    ("cos-opt.cat", "co coi coe fr fri fre"),
    ("cos-ok-opt.cat", "co coi coe fr fri fre"),
    ("cosllh.cat", "co coi coe fr fri fre"),
    ("ncos.cat", "co coi coe fr fri fre"),
    ("coscat.cat", "co coi coe fr fri fre"),
    ("uniproccat.cat", "co fr"),
];

#[test]
fn every_name_is_there() {
    for (file, names) in NAMES {
        for name in names.split_whitespace() {
            // A set of one value needs its element.
            loaded(&format!("include \"{file}\"\nforall x in {{{name}}} do end"));
        }
    }
}

/// One thread: a read (0) of x, a branch (1), and writes of y (2) and z (3) on its two ways; a second thread writes x twice (4, 5);
/// initial writes of x, y, z (6, 7, 8).
fn branching() -> Candidate {
    let mut c = Candidate { universe: (0..9).collect(), ..Candidate::default() };
    let sets: [(&str, &[u32]); 5] =
        [("W", &[2, 3, 4, 5, 6, 7, 8]), ("IW", &[6, 7, 8]), ("R", &[0]), ("M", &[0, 2, 3, 4, 5, 6, 7, 8]), ("B", &[1])];
    for (name, events) in sets {
        c.sets.insert(name.into(), events.iter().copied().collect::<EventSet>());
    }
    c.locations = [(0, 0), (2, 1), (3, 2), (4, 0), (5, 0), (6, 0), (7, 1), (8, 2)].into();
    let location = |e: u32| c.locations.get(&e).copied();
    let all = || (0..9_u32).flat_map(|a| (0..9_u32).map(move |b| (a, b)));
    let thread = |e: u32| if e < 4 { 0 } else { e.min(6) };
    let relations: [(&str, Relation); 6] = [
        // The two writes are on different ways.
        ("po", [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (4, 5)].into()),
        ("rf", [(4, 0)].into()),
        ("co", [(6, 4), (6, 5), (4, 5), (7, 2), (8, 3)].into()),
        ("loc", all().filter(|(a, b)| location(*a).is_some() && location(*a) == location(*b)).collect()),
        ("int", all().filter(|(a, b)| thread(*a) == thread(*b) && *a < 6).collect()),
        ("ext", all().filter(|(a, b)| thread(*a) != thread(*b)).collect()),
    ];
    c.relations = relations.into_iter().map(|(n, r)| (n.to_owned(), r)).collect();
    c
}

fn branches(text: &str, choices: Choices) -> Vec<Branch> {
    run(&loaded(text), &branching(), &Options { choices, ..Options::default() })
        .unwrap_or_else(|e| panic!("{text}: {e:?}"))
}

fn holds(text: &str) -> bool {
    branches(text, Choices::Native).iter().any(Branch::accepted)
}

fn same(file: &str, a: &str, b: &str) -> bool {
    holds(&format!("include \"{file}\"\nempty (({a}) \\ ({b})) | (({b}) \\ ({a}))"))
}

#[test]
fn orders_of_pairs() {
    let count = |arguments: &str| {
        let text = format!("include \"enumerations.cat\"\nwith r from enumerate-ordered-pairs({arguments})\nacyclic r");
        branches(&text, Choices::Free).len()
    };
    // Two pairs: four ways when nothing is known of them, fewer when something is.
    assert_eq!(count("[B] ; po ; [W], 0"), 4);
    assert_eq!(count("[B] ; po ; [W], po^-1"), 1);
    assert_eq!(count("[R] ; po ; [B | W], po^-1 ; [R]"), 1);
    assert_eq!(count("0, po"), 1);
}

#[test]
fn sources_of_reads() {
    // Two sources for the one read: two relations of one edge.
    let found = branches(
        "include \"choices.cat\"\nwith r from choices(rf | [W] ; loc ; [R])\nempty r & rf & 0\nflag ~empty r & rf as kept",
        Choices::Free,
    );
    assert_eq!(found.len(), 3);
    assert_eq!(found.iter().filter(|b| b.flags.contains("kept")).count(), 1);
}

#[test]
fn writes_on_all_ways_of_a_branch() {
    let branch = "let b = match B with {} -> {} || b ++ _ -> b end\n";
    let text = format!("include \"ctrl.cat\"\n{branch}let (writes, found) = case_disjunction");
    // Nothing in common when the writes are not equivalent.
    assert!(holds(&format!("{text}(0, b)\nempty found\nempty writes")));
    let branching = "(W & range([B] ; po))";
    let equivalent = format!("({branching} * {branching}, b)");
    assert!(holds(&format!("{text}{equivalent}\nempty (B * {branching}) \\ found\nempty writes \\ {branching}")));
    assert!(same("ctrl.cat", "roots(po)", "R | (domain po \\ range po)"));
    assert!(
        same("ctrl.cat", "mapset2rel (fun e -> e * e) W", "[W]")
            && same("ctrl.cat", "mapset2set (fun e -> {e}) W", "W")
    );
    assert!(same("ctrl.cat", "sibling(W)", "[range([B];po)] ; ~id ; [range([B];po)]"));
}

#[test]
fn coherence_follows_what_threads_see() {
    // The second thread's writes in the wrong order.
    let mut wrong = branching();
    wrong.relations.insert("co".into(), [(6, 4), (6, 5), (5, 4), (7, 2), (8, 3)].into());
    let accepts = |file: &str, c: &Candidate| {
        let model = loaded(&format!("include \"{file}\""));
        run(&model, c, &Options::default()).expect("runs").iter().any(Branch::accepted)
    };
    for file in ["cos-opt.cat", "cosllh.cat"] {
        assert!(accepts(file, &branching()) && !accepts(file, &wrong), "{file}");
    }
    assert!(accepts("cos.cat", &wrong));
    // A later read of the older write: only load-load hazards are let through by cosllh.
    let mut hazard = branching();
    for set in ["R", "M"] {
        hazard.sets.entry(set.into()).or_default().extend([2, 3]);
    }
    hazard.sets.insert("W".into(), [4, 5, 6, 7, 8].into());
    hazard.locations.extend([(2, 0), (3, 0)]);
    hazard.relations.insert("po".into(), [(2, 3), (4, 5)].into());
    hazard.relations.insert("rf".into(), [(4, 0), (5, 2), (4, 3)].into());
    hazard.relations.insert("co".into(), [(6, 4), (6, 5), (4, 5)].into());
    let at_x = [0_u32, 2, 3, 4, 5, 6];
    hazard.relations.insert("loc".into(), at_x.iter().flat_map(|a| at_x.iter().map(|b| (*a, *b))).collect());
    assert!(!accepts("cos-opt.cat", &hazard) && accepts("cosllh.cat", &hazard));
}

#[test]
fn coherence_without_a_choice() {
    // The order of the two writes of one thread is known, and the read of the first comes before the second.
    assert!(same("coscat.cat", "co", "[W] ; po-loc ; [W] | [IW] ; loc ; [W \\ IW]"));
    assert!(same("coscat.cat", "fr", "rf^-1 ; po-loc"));
    assert!(holds("include \"uniproccat.cat\"\nempty fr \\ (R * W)"));
}
