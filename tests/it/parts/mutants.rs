//! Splitters that are broken on purpose: a part lost, named twice, or off by one. The report is another then, or merging says that something is wrong.

use crate::cli::support::Files;
use crate::parts::jobs::{Parted, hmc, without_times};
use crate::support::clang_is_there;
use hmc::explore::parallel::divide::Item;
use hmc::parts::results::Record;
use serde_json::Value;

const CHECK: [&str; 4] = ["--cat", "rc11", "--keep-going", "tests/c/bench/lamport.c"];

fn record(line: &str) -> Record {
    let value: Value = serde_json::from_str(line).expect("a line");
    serde_json::from_value(value["result"].clone()).expect("a result")
}

/// Changes what the first result with several parts leaves, has the rest searched, and says whether that is noticed.
fn is_noticed(change: impl Fn(&mut Vec<Item>)) -> bool {
    let mut whole = vec!["--format", "json"];
    whole.extend(CHECK);
    let expected = without_times(&hmc(&whole).out);
    let parted = Parted::split(&CHECK);
    let first = parted.open().remove(0);
    assert_eq!(parted.search(&first, 150).code, 0);
    let mut first = record(&parted.lines()[0]);
    assert!(first.left().count() > 2);
    change(&mut first.items);
    parted.replace(&[first.line().expect("a line").trim_end().to_owned()]);
    let ran = parted.run(&["--slice-events", "1000", "--format", "json"]);
    ran.code == 2 || without_times(&ran.out) != expected
}

fn lefts(items: &[Item]) -> Vec<usize> {
    items.iter().enumerate().filter(|(_, item)| matches!(item, Item::Left(_))).map(|(at, _)| at).collect()
}

#[test]
fn broken_splitters_are_caught() {
    if !clang_is_there() {
        return;
    }
    assert!(!is_noticed(|_| {}), "what is right is taken");
    // Behind some parts there is nothing.
    let lost = (0..6).any(|n| {
        is_noticed(|items| {
            let all = lefts(items);
            items.remove(all[n % all.len()]);
        })
    });
    assert!(lost, "a part that is lost");
    assert!(
        is_noticed(|items| {
            let first = lefts(items)[0];
            let twice = items[first].clone();
            items.insert(first, twice);
        }),
        "a part that is given twice"
    );
    // What is left of the last choice, one less than it is.
    let changes = |items: &[Item], by: i64| -> Vec<(usize, String)> {
        let changed = |at: &usize| {
            let Item::Left(path) = &items[*at] else { return None };
            let mut words: Vec<String> = path.split(' ').map(str::to_owned).collect();
            let next: i64 = words.get(2)?.split('/').next()?.parse().ok()?;
            words[2] = words[2].replacen(&next.to_string(), &(next + by).to_string(), 1);
            Some((*at, words.join(" ")))
        };
        lefts(items).iter().filter_map(changed).collect()
    };
    let noticed = (0..6).any(|n| {
        is_noticed(|items| {
            let changed = changes(items, -1);
            if let Some((at, path)) = changed.get(n % changed.len().max(1)) {
                items[*at] = Item::Left(path.clone());
            }
        })
    });
    assert!(noticed, "off by one");
}

/// The first thread reads `data` only where it finds 0, and writes `y` only where it finds 1. So it does both only in an execution in which it fails to swap at first. That it fails is left out, and
/// the write that races with the read is in another part.
const RACE_OF_A_FAILED_ATTEMPT: &str = "\
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static int data;
static void *adder(void *arg) {
    int r = atomic_load_explicit(&x, memory_order_acquire);
    if (r == 0) (void)*(volatile int *)&data;
    while (!atomic_compare_exchange_strong_explicit(&x, &r, r + 1, memory_order_acq_rel, memory_order_acquire)) {}
    if (r == 1) atomic_store_explicit(&y, 1, memory_order_relaxed);
    return arg;
}
static void *other(void *arg) {
    atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
    return arg;
}
static void *writer(void *arg) {
    if (atomic_load_explicit(&y, memory_order_relaxed) == 1) data = 7;
    return arg;
}
int main(void) {
    pthread_t t[3];
    pthread_create(&t[0], 0, adder, 0);
    pthread_create(&t[1], 0, other, 0);
    pthread_create(&t[2], 0, writer, 0);
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    return 0;
}
";

/// What parts note says only together that a search has to begin anew.
#[test]
fn notes_that_are_lost_are_caught() {
    if !clang_is_there() {
        return;
    }
    let files = Files::new();
    let program = files.file("race.c", RACE_OF_A_FAILED_ATTEMPT);
    let check = ["--cat", "rc11", "--keep-going", &program];
    let whole = hmc(&[&["--format", "json"][..], &check].concat());
    let expected = without_times(&whole.out);
    assert_eq!(expected["results"][0]["verdict"], "violated");
    for slice in ["1", "5"] {
        let parted = Parted::split(&check);
        let ran = parted.run(&["--slice-events", slice, "--format", "json"]);
        assert_eq!(without_times(&ran.out), expected, "{}", ran.err);
        let forgetful = |line: &String| {
            let mut record = record(line);
            for item in &mut record.items {
                if let Item::Seen(seen) = item {
                    seen.notes = Default::default();
                }
            }
            record.line().expect("a line").trim_end().to_owned()
        };
        parted.replace(&parted.lines().iter().map(forgetful).collect::<Vec<_>>());
        let ran = parted.merge(&["--format", "json"]);
        assert_eq!(ran.json()["results"][0]["verdict"], "holds", "in slices of {slice}: {}", ran.err);
    }
}
