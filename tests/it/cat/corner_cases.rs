//! The corner cases of the language, one test each, numbered as in the language reference (its section 10).
//!
//! Each runs on both evaluators: the staged model and the reference evaluator have to give the same answer. Cases that are about
//! litmus tests (35, 37) run those.

use hmc::algebra::{Role, naive::judge};
use hmc::cat::def::{self, MacroTable};
use hmc::cat::diagnostics::Diagnostic;
use hmc::cat::reference::{Branch, Choices, Options, run};
use hmc::cat::{Dialect, LoadRequest, Loaded, Vocabulary, load};
use hmc::driver::inputs::models::Models;
use hmc::driver::{Settings, check};
use hmc::relation::candidate::{Candidate, EventSet, Relation};
use hmc::verdict::{Sources, Verdict};
use std::collections::BTreeSet;

/// Message passing with a stale read: thread 0 writes x (0) and y (1), thread 1 reads y (2) and x (3); initial writes 4 and 5.
fn execution() -> Candidate {
    let thread = |e: u32| e / 2;
    let location = |e: u32| [0, 1, 1, 0, 0, 1][e as usize];
    let all = || (0..6_u32).flat_map(|a| (0..6_u32).map(move |b| (a, b)));
    let mut c = Candidate { universe: (0..6).collect(), ..Candidate::default() };
    let sets: [(&str, &[u32]); 5] =
        [("W", &[0, 1, 4, 5]), ("IW", &[4, 5]), ("R", &[2, 3]), ("M", &[0, 1, 2, 3, 4, 5]), ("FW", &[0, 1])];
    for (name, events) in sets {
        c.sets.insert(name.into(), events.iter().copied().collect::<EventSet>());
    }
    let relations: [(&str, Relation); 7] = [
        ("po", [(0, 1), (2, 3)].into()),
        ("rf", [(1, 2), (4, 3)].into()),
        ("co", [(4, 0), (5, 1)].into()),
        ("loc", all().filter(|(a, b)| location(*a) == location(*b)).collect()),
        ("int", all().filter(|(a, b)| thread(*a) == thread(*b) && thread(*a) < 2).collect()),
        ("ext", all().filter(|(a, b)| thread(*a) != thread(*b)).collect()),
        ("si", (0..6).map(|e| (e, e)).collect()),
    ];
    c.relations = relations.into_iter().map(|(n, r)| (n.to_owned(), r)).collect();
    c.locations = (0..6).map(|e| (e, location(e))).collect();
    c
}

fn try_load(text: &str) -> Result<Loaded, Vec<Diagnostic>> {
    let request = LoadRequest { dialect: Some(Dialect::Herd), ..LoadRequest::text("case.cat", text) };
    load(&request, &Vocabulary::default()).map_err(|e| e.diagnostics)
}

fn errors(text: &str) -> Vec<&'static str> {
    try_load(text).err().unwrap_or_default().iter().map(Diagnostic::code).collect()
}

/// All branches, with the choices that are asked for; the staged model must agree where there is one.
fn branches(text: &str, choices: Choices, skip: &[&str]) -> Vec<Branch> {
    let skip_checks = skip.iter().map(|s| (*s).to_owned()).collect();
    let request = LoadRequest { dialect: Some(Dialect::Herd), skip_checks, ..LoadRequest::text("case.cat", text) };
    let loaded = load(&request, &Vocabulary::default()).unwrap_or_else(|e| panic!("{text}: {:?}", e.diagnostics));
    let found = run(&loaded, &execution(), &Options { choices, ..Options::default() })
        .unwrap_or_else(|e| panic!("{text}: {e:?}"));
    if !loaded.dynamic && choices == Choices::Native {
        let judged = judge(&loaded.model, &execution());
        assert_eq!(
            judged.violated.is_empty(),
            found.iter().any(Branch::accepted),
            "staged and reference differ on {text}"
        );
        if judged.violated.is_empty() {
            let flag = |i: &usize| {
                (loaded.model.checks[*i].role == Role::Flag).then(|| loaded.model.checks[*i].name.clone()).flatten()
            };
            let flags: BTreeSet<String> = judged.fired.iter().filter_map(flag).collect();
            assert_eq!(found.iter().find(|b| b.accepted()).map(|b| b.flags.clone()), Some(flags), "{text}");
        }
    }
    found
}

/// Whether the execution is accepted.
fn accepted(text: &str) -> bool {
    branches(text, Choices::Native, &[]).iter().any(Branch::accepted)
}

/// Whether two expressions have the same value here.
fn same(before: &str, a: &str, b: &str) -> bool {
    accepted(&format!("{before}\nempty (({a}) \\ ({b})) | (({b}) \\ ({a}))"))
}

/// Whether the model is right to load and wrong to run.
fn fails_to_run(text: &str) -> bool {
    try_load(text).is_ok_and(|loaded| run(&loaded, &execution(), &Options::default()).is_err())
}

#[test]
fn case_01_comments() {
    assert!(same("let q = (* a (* b *) c *) po // tail\n# more", "q", "po"));
}

#[test]
fn case_02_arrow_glued() {
    assert_eq!(errors("let f = fun x->x"), ["C105"]);
    assert!(errors("let f = fun x -> x").is_empty());
}

#[test]
fn case_03_minus_one() {
    assert_eq!(errors("let d = po-1\nempty d"), ["C301"]);
    assert!(errors("let d = po-1").is_empty());
    assert_eq!(errors("let d = po -1"), ["C110"]);
    assert!(errors("let d = po^ -1").is_empty());
}

#[test]
fn case_04_difference() {
    assert!(same("", "M \\ W \\ R", "(M \\ W) \\ R"));
    assert!(same("", "M \\ W & R", "M \\ (W & R)") && !same("", "M \\ IW & R", "(M \\ IW) & R"));
}

#[test]
fn case_05_complement_of_closure() {
    assert_eq!(errors("let x = ~po+"), ["C108"]);
    assert!(errors("let x = ~(po+)\nlet y = (~po)+\nempty x & y & 0").is_empty());
    let dartagnan =
        LoadRequest { dialect: Some(Dialect::Dartagnan), ..LoadRequest::text("d", "let x = ~po+\nacyclic po & x") };
    assert!(load(&dartagnan, &Vocabulary::default()).is_ok());
}

#[test]
fn case_06_closure_or_product() {
    assert_eq!(errors("let r = po*\n~empty r as e"), ["C109"]);
    assert!(errors("let r = (po*)\n~empty r as e").is_empty());
    assert!(errors("let r = po* in\n~empty r as e").is_empty());
}

#[test]
fn case_07_application_by_juxtaposition() {
    assert_eq!(errors("let g = fencerel [F]\nempty g"), ["C401"]);
    assert!(errors("let g = fencerel(F)\nempty g").is_empty());
}

#[test]
fn case_08_empty_values() {
    assert_eq!(errors("let e = 0 | W\nempty e"), ["C402"]);
    assert!(same("let e = {} | W", "e", "W") && same("let e = {} | po", "e", "po"));
    assert!(accepted("empty {}\nacyclic {}"));
}

#[test]
fn case_09_universe_in_sequences() {
    assert!(accepted("empty (rf ; _) \\ rf"));
    assert!(!accepted("empty (rf ; (_*_)) \\ rf"));
}

#[test]
fn case_10_identity_of_everything() {
    assert!(branches("flag ~empty ([_];[_]) \\ id as k", Choices::Native, &[])[0].flags.contains("k"));
    assert!(accepted("empty [_] \\ id"));
}

#[test]
fn case_11_laziness() {
    assert!(accepted("let u = nosuchname\nlet h(x) = nosuchname"));
    assert_eq!(errors("let rec u = nosuchname | u"), ["C301"]);
}

#[test]
fn case_12_simultaneous_definitions() {
    assert!(
        same("let a = R and b = W\nlet a = b and b = a", "a", "W")
            && same("let a = R and b = W\nlet a = b and b = a", "b", "R")
    );
    assert!(same("let a = R and a = W", "a", "R"));
}

#[test]
fn case_13_lexical_scope() {
    assert!(same("let k = po\nlet f(x) = k | x\nlet k = rf", "f(0)", "po"));
}

#[test]
fn case_14_recursion_that_is_not_monotone() {
    assert!(accepted("let rec x = W \\ x\nempty x"));
    assert_eq!(errors("let rec (a,b) = (po,rf)"), ["C409"]);
}

#[test]
fn case_15_recursion_over_sets() {
    assert!(same("let rec s = IW | range([s];po)", "s", "IW"));
    assert!(!errors("let rec s = W | po").is_empty());
}

#[test]
fn case_16_when() {
    assert!(!accepted("let rec r = po when empty r as nope"));
    assert!(branches("let rec r = po when empty r as nope\nempty 0", Choices::Native, &["nope"])[0].accepted());
}

#[test]
fn case_17_choices() {
    assert_eq!(branches("with x from {po,rf}", Choices::Free, &[]).len(), 2);
    assert!(!accepted("with x from {}"));
    assert_eq!(errors("with x from W"), ["C408"]);
    assert!(accepted("with x from {W}"));
}

#[test]
fn case_18_includes_run_each_time() {
    let mut c = execution();
    // A third write of x gives two orders.
    c.sets.insert("W".into(), [0, 1, 2, 4, 5].into());
    c.sets.insert("R".into(), [3].into());
    c.locations.insert(2, 0);
    let loc =
        (0..6).flat_map(|a| (0..6).map(move |b| (a, b))).filter(|(a, b)| c.locations[a] == c.locations[b]).collect();
    c.relations.insert("loc".into(), loc);
    c.sets.remove("FW");
    let count = |text: &str| {
        let loaded = try_load(text).expect("loads");
        run(&loaded, &c, &Options { choices: Choices::Free, ..Options::default() }).expect("runs").len()
    };
    assert_eq!(count("include \"cos.cat\""), 2);
    assert_eq!(count("include \"cos.cat\"\ninclude \"cos.cat\""), 4);
}

#[test]
fn case_19_procedures_have_their_own_scope() {
    let p = "procedure p() = let z = po flag ~empty z as inside end\ncall p()";
    assert!(branches(p, Choices::Native, &[])[0].flags.contains("inside"));
    assert_eq!(errors(&format!("{p}\nempty z")), ["C301"]);
}

#[test]
fn case_20_calls() {
    let text = "procedure p(r) = acyclic r end\ncall p(_) as c";
    assert!(!accepted(text));
    for skipped in ["c", "p"] {
        assert!(branches(text, Choices::Native, &[skipped])[0].accepted());
    }
    assert_eq!(errors("procedure p(r) = acyclic r end\ncall p po"), ["C106"]);
}

#[test]
fn case_21_tags() {
    let e = "enum e = 'a || 'b\nenum f = 'c\n";
    for equal in ["~{'a} = {'b}", "'a | 'b = e", "'a ++ {'b} = e"] {
        assert!(accepted(&format!("{e}empty (if {equal} then 0 else po)")), "{equal}");
    }
    assert_eq!(errors(&format!("{e}empty (if {{'a,'c}} = e then 0 else po)")), ["C415"]);
    assert_eq!(errors(&format!("{e}empty {{'a}}")), ["C405"]);
}

#[test]
fn case_22_tags_declared_twice() {
    let e = "enum e = 'a\nenum f = 'a\n";
    assert_eq!(errors(&format!("{e}empty (if 'a in e then 0 else po)")), ["C413"]);
    assert!(accepted(&format!("{e}empty (match 'a with 'a -> 0 end)")));
}

#[test]
fn case_23_events_are_no_sets() {
    assert!(fails_to_run("empty (match W with {} -> {} || e ++ es -> e | R end)"));
    assert!(fails_to_run("empty (match W with {} -> {} || e ++ es -> [e] end)"));
    assert!(!fails_to_run("empty (match W with {} -> {} || e ++ es -> {e} | R end)"));
    assert!(!fails_to_run("empty (match W with {} -> 0 || e ++ es -> e * R end)"));
}

#[test]
fn case_24_adding_to_nothing() {
    assert!(accepted("with x from po ++ {}\nacyclic x"));
    assert!(!errors("let x = po ++ 0\nempty x").is_empty());
    assert_eq!(branches("with x from map (fun p -> p ++ 0) po", Choices::Free, &[]).len(), 2);
}

#[test]
fn case_25_images_of_edges() {
    assert!(accepted("let m = map (fun p -> p^-1) po\nempty (m \\ po^-1) | (po^-1 \\ m)"));
    assert!(fails_to_run("with x from map (fun p -> p^-1) po"));
    assert_eq!(branches("with x from map (fun e -> {e}) W", Choices::Free, &[]).len(), 4);
}

#[test]
fn case_26_loops() {
    assert!(accepted("forall x in {po,rf} do acyclic x end\nforall x in {} do acyclic _ end"));
    assert_eq!(errors("forall e in W do acyclic po end"), ["C408"]);
}

#[test]
fn case_27_undefined_and_assert() {
    let found = branches("undefined_unless acyclic po | po^-1 as u", Choices::Native, &[]);
    assert!(found[0].accepted() && found[0].undefined);
    assert!(fails_to_run("assert acyclic po | po^-1 as a"));
}

#[test]
fn case_28_flags() {
    let loaded = try_load("flag ~empty po").expect("loads");
    assert_eq!(loaded.warnings[0].code(), "C602");
    assert!(branches("flag empty 0 & po as n", Choices::Native, &[])[0].flags.contains("n"));
}

#[test]
fn case_29_skipped_checks() {
    let text = "acyclic _ as q\nirreflexive po as r";
    assert!(!accepted(text));
    assert!(branches(text, Choices::Native, &["q", "r"])[0].accepted());
    // Strictly, exactly the skipped checks have to fail.
    let strictly = |text: &str, skip: &[&str]| {
        let skip_checks = skip.iter().map(|s| (*s).to_owned()).collect();
        let request = LoadRequest { skip_checks, strict_skip: true, ..LoadRequest::text("case.cat", text) };
        let loaded = load(&request, &Vocabulary::default()).expect("loads");
        let reference = run(&loaded, &execution(), &Options::default()).expect("runs").iter().any(Branch::accepted);
        assert_eq!(judge(&loaded.model, &execution()).violated.is_empty(), reference, "{text}");
        reference
    };
    assert!(!strictly(text, &["q", "r"]) && strictly(text, &["q"]));
    assert!(strictly("acyclic _ as q\nirreflexive po | po^-1 ; po as r", &["q", "r"]));
    // Of checks that share a name one is enough; what nothing is called cannot fail.
    assert!(strictly("acyclic po as q\n~empty 0 as q\nempty W as q", &["q"]) && !strictly("empty 0", &["q"]));
    let call = "procedure p(r) = acyclic r end\ncall p(_) as c\ncall p(po)";
    assert!(
        strictly(call, &["c"])
            && strictly(call, &["p"])
            && !strictly("procedure p(r) = acyclic r end\ncall p(po)", &["p"])
    );
}

#[test]
fn case_30_comparisons() {
    assert_eq!(errors("empty (if R = po then 0 else 0)"), ["C413"]);
    assert!(accepted("empty (if po = 0 then po else 0)\nempty (if {} = 0 then 0 else po)"));
}

#[test]
fn case_31_tuples() {
    assert!(same("let (a,b) = R", "a", "R"));
    assert_eq!(errors("let (a,b) = R\nempty b"), ["C404"]);
    assert_eq!(errors("let f(x,y) = x|y\nempty f(R)"), ["C404"]);
    assert_eq!(errors("let f x = x\nempty f(R,W)"), ["C405"]);
}

#[test]
fn case_32_show() {
    assert!(accepted("show undefinedthing\nshow undefinedthing | po as z"));
}

#[test]
fn case_33_closures_in_unions() {
    // Other tools lose the closure here; this one computes what is written.
    let c = "let c = po | rf | (rf^-1 ; po^-1)\n";
    assert!(same(c, "id ; (c+ | 0)", "c+") && !same(c, "id ; (c+ | 0)", "c"));
}

#[test]
fn case_34_library_keeps_its_names() {
    assert!(same(
        "let keep = po-loc\nlet fenced = fencerel(F)\nlet po = 0",
        "po-loc | fencerel(M)",
        "keep | fencerel(M)"
    ));
    assert!(accepted("let po = 0\nempty (fencerel(M) \\ fromto(M)) | (fromto(M) \\ fencerel(M))"));
}

/// The flags that a model raises on a litmus test, and the verdict.
fn flags_of(model: &str, test: &str) -> (Vec<String>, Verdict) {
    let file = tempfile::Builder::new().suffix(".litmus").tempfile().expect("a file");
    std::fs::write(file.path(), test).expect("a file");
    let request = LoadRequest { dialect: Some(Dialect::Herd), ..LoadRequest::text("case.cat", model) };
    let models = Models::new(request, Vec::new(), false);
    let result = check(file.path(), "case.cat", &models, &Settings::default(), &Sources::default());
    assert!(result.messages.is_empty(), "{:?}", result.messages);
    (result.flags.into_iter().map(|flag| flag.name).collect(), result.verdict)
}

#[test]
fn case_35_halves_of_updates_and_program_order() {
    let model =
        "include \"cos.cat\"\nacyclic po | rf | co | fr\nflag ~empty rmw as updates\nflag ~empty rmw \\ po as apart";
    let x86 = "X86 update\n{ }\n P0 ;\n MOV EAX,$1 ;\n XCHG [x],EAX ;\nexists (x=1)\n";
    assert_eq!(flags_of(model, x86).0, ["apart", "updates"]);
    let c = "C update\n{ }\nP0 (atomic_int* x) { int r0 = atomic_exchange_explicit(x, 1, memory_order_relaxed); }\n\
             exists (x=1)\n";
    // One event that reads and writes.
    assert_eq!(flags_of(model, c).0, [""; 0]);
}

#[test]
fn case_37_order_within_statements_and_branches() {
    let model = "include \"cos.cat\"\nacyclic po | rf | co | fr\nlet explicit = [M \\ IW] ; po ; [M \\ IW]\n\
                 flag ~empty [R] ; explicit ; [R] as reads-ordered\nflag ~empty ctrl ; [W] ; po ; [W] as guarded-then\n\
                 flag ~empty ([domain(ctrl)] ; po ; [W]) \\ ctrl as after";
    let operands = "C operands\n{ }\nP0 (int* x, int* y) { int r0 = *x + *y; }\nexists (0:r0=0)\n";
    assert_eq!(flags_of(model, operands).0, [""; 0]);
    let branch = "C branch\n{ }\nP0 (int* x, int* y, int* z) { int r0 = *x; if (r0) *y = 1; *z = 1; }\n\
                  P1 (int* x) { *x = 1; }\nexists (0:r0=1)\n";
    assert_eq!(flags_of(model, branch).0, ["after", "guarded-then"]);
    // Two updates in one statement, which herd cannot run.
    let updates = "C updates\n{ }\nP0 (atomic_int* x) { int r0 = atomic_exchange_explicit(x, 1, memory_order_relaxed) + \
                   atomic_exchange_explicit(x, 2, memory_order_relaxed); }\nexists (0:r0=1)\n";
    assert!(
        matches!(flags_of(model, updates).1, Verdict::Holds | Verdict::Violated),
        "{:?}",
        flags_of(model, updates).1
    );
}

#[test]
fn case_36_initial_writes() {
    let mut c = execution();
    // Initial writes are one process of their own, neither internal nor external to each other.
    let ext: Relation = c.relations["ext"].iter().copied().filter(|(a, b)| *a < 4 || *b < 4).collect();
    c.relations.insert("ext".into(), ext);
    for text in
        ["empty (~(int | ext) \\ (IW*IW)) | ((IW*IW) \\ ~(int | ext))", "~empty [IW];ext;[W\\IW]", "empty id \\ si"]
    {
        let loaded = try_load(text).expect("loads");
        assert!(run(&loaded, &c, &Options::default()).expect("runs")[0].accepted(), "{text}");
    }
}

#[test]
fn case_38_macros_by_position() {
    let (macros, found) = def::parse("xchg(X,V) __xchg{mb}(X,V)\nsmp_mb() { __fence{mb}; }");
    assert!(found.is_empty());
    let table = MacroTable::new(macros);
    assert!(table.statement("xchg").is_none() && table.expression("xchg").is_some());
    assert!(table.expression("smp_mb").is_none() && table.statement("smp_mb").is_some());
}

#[test]
fn case_39_two_passes_over_a_bell_file() {
    let with_bell = |bell: &str| {
        let file = tempfile::Builder::new().suffix(".bell").tempfile().expect("a file");
        std::fs::write(file.path(), bell).expect("a file");
        let request = LoadRequest { bell: Some(file.path().to_owned()), ..LoadRequest::text("case.cat", "acyclic po") };
        load(&request, &Vocabulary::default())
            .map(|l| l.bell)
            .map_err(|e| e.diagnostics.iter().map(Diagnostic::code).collect::<Vec<_>>())
    };
    assert_eq!(with_bell("flag ~empty undefinedX as z"), Err(vec!["C301"]));
    assert_eq!(with_bell("enum q = 'a\ninstructions Q[q]"), Err(vec!["C501"]));
    let bell = with_bell("enum q = 'a || 'mb\ninstructions R[q \\ {'a}]\nlet x = R ; po")
        .expect("loads")
        .expect("a bell file");
    assert_eq!(bell.annotations().into_iter().collect::<Vec<_>>(), ["mb"]);
}

#[test]
fn case_40_titles_claim_architectures() {
    let request =
        |arch: &str| LoadRequest { arch: Some(arch.into()), ..LoadRequest::text("case.cat", "X86 TSO\nacyclic po") };
    let wrong = load(&request("AArch64"), &Vocabulary::new(Some("AArch64")));
    assert_eq!(wrong.err().map(|e| e.diagnostics[0].code()), Some("C204"));
    // X86_64 is the same processor with wider registers.
    for arch in ["X86", "X86_64"] {
        assert!(load(&request(arch), &Vocabulary::new(Some(arch))).is_ok());
    }
    let unchecked = LoadRequest { arch_check: false, ..request("AArch64") };
    assert!(load(&unchecked, &Vocabulary::new(Some("AArch64"))).is_ok());
}

/// One relation under two names, in one model: `si` is `sm`. Only the name that came last had edges.
#[test]
fn two_names_of_one_relation() {
    let model = "include \"cos.cat\"\nacyclic po | rf | co | fr\nflag ~empty si & sm as both\n\
                 flag ~empty (si \\ sm) | (sm \\ si) as apart";
    let x86 = "X86 two\n{ }\n P0 ;\n MOV EAX,$1 ;\n XCHG [x],EAX ;\nexists (x=1)\n";
    assert_eq!(flags_of(model, x86).0, ["both"]);
    // The same in an execution that is too large for the kernel's small form.
    let large = format!("X86 large\n{{ }}\n P0 ;\n{}exists (x=1)\n", " MOV [x],$1 ;\n".repeat(300));
    assert_eq!(flags_of(model, &large).0, ["both"]);
}
