//! `hmc relax` on ten locks and queues whose memory orders are known: with every order made `seq_cst`, what is found is held against what is known, and
//! `docs/relaxed.md` has the table. The quick ones are run each time, all with `HMC_RELAX=all`; `BLESS=1` then writes the page again.

use crate::cli::support::{Files, clang, hmc};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A structure with its known orders.
struct Known {
    /// Its file below `tests`.
    file: &'static str,
    /// As the table calls it.
    name: &'static str,
    flags: &'static [&'static str],
    /// Where the orders come from.
    source: &'static str,
    /// Why what is found is not what is known, where it is not.
    why: &'static str,
    /// Whether it takes no more than two seconds in a debug build.
    is_quick: bool,
}

const fn known(file: &'static str, name: &'static str, source: &'static str) -> Known {
    Known { file, name, flags: &[], source, why: "", is_quick: false }
}

const KNOWN: [Known; 10] = [
    known(
        "c/correct/lock/mcs",
        "MCS lock",
        "Mellor-Crummey, Scott 1991: the tail exchanged with acq_rel, hand-over by release and acquire",
    ),
    Known {
        is_quick: true,
        ..known(
            "c/correct/lock/ticket",
            "ticket lock",
            "Mellor-Crummey, Scott 1991: one acquire when it is served, one release when it serves the next",
        )
    },
    known("c/correct/lock/clh", "CLH lock", "Magnusson, Landin, Hagersten 1994: as for MCS"),
    Known {
        flags: &["-DT=3"],
        why: "One acquire at the update that takes the lock (line 46) replaces three before it (lines 41, 43, 65). Links of the queue carry no data (lines 59, 77).",
        ..known("c/correct/lock/qspinlock", "lock like Linux's qspinlock", "Linux 4.2, `kernel/locking/qspinlock.c`")
    },
    known("tune/known/treiber", "Treiber's stack", "Treiber 1986: a push releases, a pop acquires"),
    Known {
        flags: &["-DCONSUMERS=2"],
        why: "With two producers, nobody goes on from what a helping enqueue has set: its release is for a third one.",
        ..known(
            "tune/known/ms_queue",
            "Michael and Scott's queue",
            "PODC 1996: a link is read with acquire and set with release",
        )
    },
    Known {
        is_quick: true,
        ..known(
            "c/correct/structure/spsc_ring",
            "ring of one producer and one consumer",
            "Lamport 1977: each index is written with release and read with acquire by the other side",
        )
    },
    Known {
        flags: &["-DTWICE"],
        why: "A thief that reads the array too early gets nothing, which this client does not notice: the release of a push is for clients that do. A `seq_cst` read of `bottom` replaces the thief's `seq_cst` fence.",
        ..known("c/correct/structure/chase_lev", "Chase and Lev's deque", "Lê, Pop, Cohen, Zappa Nardelli, PPoPP 2013")
    },
    Known {
        why: "Two answers are as weak: a release fence in front of relaxed writes of the data, or releasing writes without a fence.",
        ..known("c/correct/lock/seqlock", "sequence lock", "Boehm, MSPC 2012, figure 6")
    },
    Known {
        is_quick: true,
        ..known(
            "tune/known/rcu_publish",
            "publication as in RCU",
            "McKenney: `rcu_assign_pointer` releases, a reader acquires",
        )
    },
];

/// An access or fence: its line, and what it is.
type Place = (u64, String);

/// What `relax` says of a program: of each access or fence the order that it has, and the order that is possible.
fn relaxed(file: &str, flags: &[&str]) -> BTreeMap<Place, (String, String)> {
    let arguments = [&["relax", "--json", "--cat", "rc11", file, "--"], flags].concat();
    let report = hmc(&arguments).expect(0).json()[0].take();
    let text = |value: &Value| value.as_str().unwrap_or("none").to_owned();
    let mut found = BTreeMap::new();
    let mut add = |all: &Value, possible: &dyn Fn(&Value) -> String| {
        for access in all.as_array().into_iter().flatten() {
            let place = (access["place"]["line"].as_u64().expect("a line"), text(&access["kind"]));
            found.insert(place, (text(&access["today"]), possible(access)));
        }
    };
    add(&report["kept"], &|access| text(&access["today"]));
    add(&report["unreached"], &|_| "not reached".to_owned());
    add(&report["changes"][0], &|access| text(&access["to"]));
    found
}

/// A copy with every order as strong as can be, and one as it is, where includes are found.
fn copies(known: &Known, files: &Files) -> [String; 2] {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let path = root.join(known.file).with_extension("c");
    let up = |text: &str, part: &str, folder: PathBuf| {
        text.replace(&format!("\"{part}"), &format!("\"{}/", folder.display()))
    };
    let text = std::fs::read_to_string(&path).expect("a program");
    let text = up(&up(&text, "../../", root.join("c")), "../", root.join("c/correct"));
    let strong = ["relaxed", "acquire", "release", "acq_rel"];
    let strong = strong
        .iter()
        .fold(text.clone(), |text, order| text.replace(&format!("memory_order_{order}"), "memory_order_seq_cst"));
    let name = path.file_stem().and_then(|stem| stem.to_str()).expect("a name");
    [files.file(&format!("{name}.c"), strong), files.file(&format!("{name}_known.c"), text)]
}

/// The row of the table, and what differs.
fn row(known: &Known) -> (String, Vec<String>) {
    let files = Files::new();
    let [strong, as_known] = copies(known, &files);
    let (found, own) = (relaxed(&strong, known.flags), relaxed(&as_known, known.flags));
    let mut counts = [0, 0, 0];
    let mut differences = Vec::new();
    for (place, (_, possible)) in &found {
        let order = own.get(place).map_or("none", |(today, _)| today.as_str());
        let at = match (possible == order, is_weaker(possible, order)) {
            (true, _) => 0,
            (_, true) => 1,
            _ => 2,
        };
        counts[at] += 1;
        if at > 0 {
            differences.push(format!("line {}, {}: known {order}, found {possible}", place.0, place.1));
        }
    }
    let [same, weaker, other] = counts;
    let (name, source) = (known.name, known.source);
    (format!("| {name} | {source} | {} | {same} | {weaker} | {other} |", found.len()), differences)
}

fn is_weaker(order: &str, than: &str) -> bool {
    let rank = |order: &str| {
        ["not reached", "none", "relaxed", "acquire", "acq_rel", "seq_cst"].iter().position(|o| *o == order)
    };
    let of = |order: &str| rank(if order == "release" { "acquire" } else { order });
    of(order) < of(than)
}

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/relaxed.md")
}

#[test]
fn known_orders_are_found_again() {
    if !clang() {
        return;
    }
    let all = std::env::var_os("HMC_RELAX").is_some_and(|which| which == "all");
    let text = std::fs::read_to_string(page()).unwrap_or_default();
    let mut written = String::from(INTRODUCTION);
    let mut sections = String::new();
    for known in KNOWN.iter().filter(|known| all || known.is_quick) {
        let (row, differences) = row(known);
        written += &format!("{row}\n");
        if !all {
            assert!(text.contains(&row) && differences.is_empty(), "{row}\n{differences:?}");
            continue;
        }
        assert_eq!(differences.is_empty(), known.why.is_empty(), "{}: {differences:#?}", known.name);
        if !differences.is_empty() {
            sections += &format!("\n## {}\n\n`tests/{}.c`. {}\n\n", known.name, known.file, known.why);
            differences.iter().for_each(|line| sections += &format!("- {line}\n"));
        }
    }
    written += &sections;
    if all && std::env::var_os("BLESS").is_some() {
        std::fs::write(page(), &written).expect("a page");
    }
    assert!(!all || std::fs::read_to_string(page()).is_ok_and(|text| text == written), "{written}");
}

const INTRODUCTION: &str = "# How weak locks and queues can be

`HMC_RELAX=all cargo test --test it cli::relaxed` makes this page. Ten structures have the memory orders that are known to be enough.
In a copy every order is made `seq_cst`. `hmc relax --cat rc11` weakens the copy.

The columns: accesses and fences of the program; how many get the known order again; how many a weaker one; how many another one.
A weaker one is right for the client that the file has: `hmc relax` says that another program may need more.

| structure | orders from | accesses and fences | as known | weaker | other |
|---|---|---|---|---|---|
";
