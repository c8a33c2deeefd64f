use super::*;
use crate::cat::testing::load;

/// Two threads; thread 0: W x, W y; thread 1: R y, R x (reading the initial value of x); initial writes 4 (x) and 5 (y).
fn message_passing() -> Candidate {
    let mut c = Candidate { universe: (0..6).collect(), ..Candidate::default() };
    c.sets.insert("W".into(), [0, 1, 4, 5].into());
    c.sets.insert("IW".into(), [4, 5].into());
    c.sets.insert("R".into(), [2, 3].into());
    c.sets.insert("M".into(), (0..6).collect());
    let thread = |e: u32| match e {
        0 | 1 => 0,
        2 | 3 => 1,
        _ => 2,
    };
    let all = || (0..6_u32).flat_map(|a| (0..6_u32).map(move |b| (a, b)));
    c.locations = [(0, 0), (1, 1), (2, 1), (3, 0), (4, 0), (5, 1)].into();
    c.relations.insert("po".into(), [(0, 1), (2, 3)].into());
    c.relations.insert("int".into(), all().filter(|(a, b)| thread(*a) == thread(*b) && thread(*a) < 2).collect());
    c.relations.insert("ext".into(), all().filter(|(a, b)| thread(*a) != thread(*b)).collect());
    c.relations.insert("loc".into(), all().filter(|(a, b)| c.locations[a] == c.locations[b]).collect());
    c.relations.insert("rf".into(), [(1, 2), (4, 3)].into());
    c.relations.insert("co".into(), [(4, 0), (5, 1)].into());
    c
}

fn branches(text: &str, options: Options) -> Vec<Branch> {
    let loaded = load(text).expect("loads");
    run(&loaded, &message_passing(), &options).expect("runs")
}

#[test]
fn sequential_consistency_forbids_the_stale_read() {
    let sc = branches("include \"cos.cat\"\nacyclic po | rf | co | fr as sc", Options::default());
    assert_eq!(sc[0].failed[0].name.as_deref(), Some("sc"));
    let weak = branches("include \"cos.cat\"\nacyclic po-loc | rf | co | fr", Options::default());
    assert!(weak[0].accepted() && weak.len() == 1);
}

#[test]
fn free_choices_agree_with_native_ones() {
    // Three writes of one location besides the initial one: six orders.
    let mut c = message_passing();
    c.sets.insert("W".into(), [0, 1, 2, 4, 5].into());
    c.sets.insert("R".into(), [3].into());
    c.locations = (0..6).map(|e| (e, u32::from(e == 5))).collect();
    c.relations.insert("loc".into(), (0..5).flat_map(|a| (0..5).map(move |b| (a, b))).chain([(5, 5)]).collect());
    c.relations.insert("rf".into(), [(1, 3)].into());
    c.relations.insert("co".into(), [(4, 0), (4, 1), (4, 2), (1, 0), (1, 2), (0, 2)].into());
    let loaded = load("include \"cos.cat\"\nflag ~empty co as chosen\nirreflexive fr ; fr").expect("loads");
    let free =
        run(&loaded, &c, &Options { choices: Choices::Free, definitions: true, ..Options::default() }).expect("runs");
    assert_eq!(free.len(), 6);
    let native = run(&loaded, &c, &Options { definitions: true, ..Options::default() }).expect("runs");
    assert_eq!(native.len(), 1);
    let _ = native[0].relations.get("coe");
    assert!(free.iter().any(|b| b.relations.get("fr") == native[0].relations.get("fr")));
    let cyclic = load("with co from linearisations(W, po | po^-1)").expect("loads");
    assert!(cyclic.dynamic);
    assert!(run(&cyclic, &c, &Options::default()).expect("runs").iter().all(|b| !b.accepted()));
}

#[test]
fn forks_multiply_and_flags_stay_apart() {
    let found = branches(
        "with x from {po,rf}\nflag ~empty x & po as program\nwith y from {R,W}\nempty y & IW",
        Options::default(),
    );
    assert_eq!(found.len(), 4);
    assert_eq!(found.iter().filter(|b| b.accepted()).count(), 2);
    assert_eq!(found.iter().filter(|b| b.flags.contains("program")).count(), 2);
}

#[test]
fn non_monotone_recursion_is_the_loop() {
    let found = branches("let rec x = W \\ x\nempty x", Options::default());
    assert!(found[0].accepted());
}

#[test]
fn classes_and_bisimulation() {
    let found = branches(
        "let cs = classes-loc(W)\nlet c = lift(cs, ext)\nempty delift(c) \\ (W * W)\n~empty delift(c)\n\
         ~empty bisimulation(po, _*_)\nempty bisimulation(po, (R*W) & 0)",
        Options { through: true, ..Options::default() },
    );
    assert!(found[0].accepted(), "{found:?}");
}

#[test]
fn endless_recursion_is_an_error() {
    let loaded = load("let rec f x = match x with {} -> 0 || e ++ es -> f x end\nempty f W").expect("loads");
    assert!(loaded.dynamic);
    assert!(run(&loaded, &message_passing(), &Options::default()).is_err());
}

#[test]
fn free_choices_of_the_dartagnan_dialect() {
    use crate::cat::{Dialect, testing::load_as};
    // Of the 64 sets of events those that contain all writes: one for each set of the two reads.
    let loaded = load_as("let s = newSet()\nempty W \\ s as all\nflag ~empty s & R as reads", Some(Dialect::Dartagnan));
    let loaded = loaded.expect("loads");
    assert!(loaded.dynamic);
    let found = run(&loaded, &message_passing(), &Options::default()).expect("runs");
    assert_eq!((found.len(), found.iter().filter(|b| b.accepted()).count()), (64, 4));
    assert_eq!(found.iter().filter(|b| b.accepted() && b.flags.contains("reads")).count(), 3);
    let raised = accepts(&loaded, &message_passing()).expect("runs").expect("accepted");
    assert_eq!(raised.len(), 1);
    // Relations over four events are tried, over six they are not.
    let relation =
        load_as("let r = newRelation()\nempty po \\ r\nempty r \\ po", Some(Dialect::Dartagnan)).expect("loads");
    let error = run(&relation, &message_passing(), &Options::default()).expect_err("too many");
    assert!(error.message.contains("2^36"), "{}", error.message);
    let mut small = message_passing();
    small.universe = (0..4).collect();
    let found = run(&relation, &small, &Options::default()).expect("runs");
    assert_eq!(found.iter().filter(|b| b.accepted()).count(), 1);
}
