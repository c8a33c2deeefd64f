//! Splitters that are broken on purpose: a part lost, named twice, or off by one. The report is another then, or merging says that something is wrong.

use crate::jobs::{Parted, hmc, without_times};
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
    assert_eq!(parted.search(&first, 300).code, 0);
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
    let lost = (0..6).filter(|&n| {
        is_noticed(|items| {
            let all = lefts(items);
            items.remove(all[n % all.len()]);
        })
    });
    assert!(lost.count() > 0, "a part that is lost");
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
    let noticed = (0..6).filter(|&n| {
        is_noticed(|items| {
            let changed = changes(items, -1);
            if let Some((at, path)) = changed.get(n % changed.len().max(1)) {
                items[*at] = Item::Left(path.clone());
            }
        })
    });
    assert!(noticed.count() > 0, "off by one");
}
