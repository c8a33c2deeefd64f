//! The search for an order of calls, against one that tries all orders. `HMC_RANDOM=CASES cargo test --test it random::linearizable` tries another number of histories.

use crate::support::clang_is_there;
use crate::support::random::Rng;
use hmc::linearizability::history::{Argument, Call, Calls, History};
use hmc::linearizability::library::{KNOWN, Shape, Wanted};
use hmc::linearizability::search::{Answer, Explanation, Synchronised, search, unseen};
use hmc::linearizability::specification::{Specification, State};
use hmc::llvm::{CompileRequest, functions_of};

const USUAL: u64 = 20_000;

/// What an operation looks like: whether it takes a number, and gives one.
type Form = (bool, bool);

/// A specification, and the forms of its operations.
fn specification(name: &str, settings: &str) -> (Specification, Vec<Form>) {
    let wanted = Wanted::read(&format!("{name}{settings}")).expect("a specification of the library");
    let returns = Shape { returns: true, stores: false };
    let text = wanted.text(&[returns; 3]);
    let request = CompileRequest { path: "specification.c".into(), ..CompileRequest::default() };
    let program = functions_of(&request, &text).expect("it is compiled");
    let forms: &[Form] = match name {
        "queue" | "stack" | "priority-queue" => &[(true, true), (false, true)],
        "set" => &[(true, true), (true, true), (true, true)],
        "register" => &[(true, false), (false, true)],
        "counter" => &[(false, true), (false, true)],
        "lock" => &[(false, true), (false, false)],
        "deque" => &[(true, true), (false, true), (false, true)],
        _ => panic!("{name} has no forms here"),
    };
    let specification = Specification::new(program, &wanted.operations).expect("it has all operations");
    (specification, forms.to_vec())
}

/// Calls with random results, of which many are those of some order.
fn random_history(rng: &mut Rng, specification: &Specification, forms: &[Form]) -> History {
    let count = 1 + rng.below(5) as usize;
    let mut history = History::default();
    let mut state = specification.initial();
    for _ in 0..count {
        let operation = rng.below(forms.len() as u64) as usize;
        let (takes, gives) = forms[operation];
        let arguments = if takes { vec![Argument::Number(1 + rng.below(3))] } else { Vec::new() };
        let mut call = Call { operation, arguments, object: None, result: None };
        let outcomes = specification.run(&state, &call).expect("it runs");
        let right = outcomes.into_iter().next();
        call.result = match (&right, rng.below(8)) {
            (_, 0) => None,
            (Some((outcome, _)), 2..) => Some(outcome.result.clone()),
            _ if gives => Some(vec![rng.below(4)]),
            _ => Some(Vec::new()),
        };
        if let (Some((_, behind)), Some(_)) = (right, &call.result) {
            state = behind;
        }
        history.calls.push(call);
    }
    // The order in which they stand is not the one that holds between them: some of it is kept.
    for last in 0..count {
        let mut before: Calls = 0;
        let mut sees: Calls = 0;
        for first in 0..last {
            if history.calls[first].result.is_some() && rng.below(3) == 0 {
                before |= history.before[first] | 1 << first;
            }
            sees |= u64::from(rng.below(3) > 0) << first;
        }
        for later in last + 1..count {
            sees |= u64::from(rng.below(3) > 0) << later;
        }
        history.before.push(before);
        history.sees.push(sees | before);
    }
    // Others are swapped, so that it does not count which stands first.
    if rng.below(2) == 0 {
        let order: Vec<usize> = (0..count).rev().collect();
        let moved = |set: Calls| (0..count).filter(|at| set & 1 << order[*at] != 0).map(|at| 1 << at).sum();
        history = History {
            calls: order.iter().map(|&at| history.calls[at].clone()).collect(),
            before: order.iter().map(|&at| moved(history.before[at])).collect(),
            sees: order.iter().map(|&at| moved(history.sees[at])).collect(),
        };
    }
    history
}

/// Whether an order of the calls that are left explains their results, by trying all.
fn explains(
    specification: &Specification,
    history: &History,
    synchronised: Synchronised,
    state: &State,
    found: &mut Explanation,
) -> bool {
    let returned = |at: &usize| history.calls[*at].result.is_some();
    if (0..history.calls.len()).filter(returned).all(|at| found.order.contains(&at))
        && unseen(history, found, synchronised).is_none()
    {
        return true;
    }
    (0..history.calls.len()).any(|next| {
        let may_come = !found.order.contains(&next)
            && (0..history.calls.len()).all(|at| history.before[next] & 1 << at == 0 || found.order.contains(&at));
        if !may_come {
            return false;
        }
        let outcomes = specification.run(state, &history.calls[next]).expect("it runs");
        outcomes.iter().any(|(outcome, behind)| {
            if history.calls[next].result.as_ref().is_some_and(|result| *result != outcome.result) {
                return false;
            }
            let before = found.clone();
            found.order.push(next);
            found.changing |= u64::from(behind.key() != state.key()) << next;
            let explains = explains(specification, history, synchronised, behind, found);
            *found = before;
            explains
        })
    })
}

#[test]
fn the_search_finds_an_order_where_there_is_one() {
    if !clang_is_there() {
        return;
    }
    let cases: u64 = std::env::var("HMC_RANDOM").ok().and_then(|text| text.parse().ok()).unwrap_or(USUAL);
    let mut rng = Rng(66);
    let mut specifications: Vec<_> = KNOWN.iter().map(|known| specification(known.name, "")).collect();
    specifications.push(specification("queue", ";capacity=1;waits"));
    let [mut right, mut wrong, mut unsynchronised] = [0u64; 3];
    for case in 0..cases {
        let (specification, forms) = &specifications[(case % specifications.len() as u64) as usize];
        let history = random_history(&mut rng, specification, forms);
        let [values, inserts, removes] = [(); 3].map(|()| rng.below(3) == 0);
        for synchronised in [Synchronised::default(), Synchronised { values, inserts, removes }] {
            let found = search(specification, &history, synchronised).expect("it runs");
            let plain =
                explains(specification, &history, synchronised, &specification.initial(), &mut Explanation::default());
            assert_eq!(matches!(found, Answer::Linearizable(_)), plain, "case {case}: {history:?} {synchronised:?}");
            if let Answer::Linearizable(found) = &found {
                assert!(unseen(&history, found, synchronised).is_none(), "case {case}: {found:?}");
            }
            match (plain, synchronised == Synchronised::default()) {
                (true, _) => right += 1,
                (false, true) => wrong += 1,
                (false, false) => unsynchronised += 1,
            }
        }
    }
    // A test of histories of one kind only would show nothing.
    assert!(right > cases / 8 && wrong > cases / 8 && unsynchronised > cases / 8, "{right} {wrong} {unsynchronised}");
}
