//! The relation kernel: adding an event and checking it, under the bundled models, beside the plain evaluator.
//!
//! `cargo bench --bench kernel`

mod workload;

use divan::Bencher;
use divan::counter::ItemsCount;
use hmc::cat::{LoadRequest, Vocabulary, load};
use hmc::kernel::plan::Plan;
use hmc::kernel::session::Session;
use std::sync::Arc;
use workload::{Form, Message, Rng, grow, present};

/// A plan of a bundled model for such executions.
fn plan(model: &str, all_tags: bool) -> Plan {
    let loaded = load(&LoadRequest::named(model), &Vocabulary::default()).unwrap_or_else(|e| panic!("{model}: {e:?}"));
    Plan::compile(&loaded.model, &|base| present(base, all_tags), false)
}

fn main() {
    divan::main();
}

const MODELS: [&str; 8] = ["sc", "tso", "pso", "rc11", "imm", "armv7", "aarch64", "lkmm"];

const THIRTY: Form = Form { threads: 4, locations: 3, events: 30, wandering: 30, fences: 10, tags: 20 };

/// A few executions of about thirty events, as messages.
fn messages(plan: &Arc<Plan>, form: Form, count: usize) -> Vec<Vec<Message>> {
    let mut session = Session::new(plan.clone());
    let mut rng = Rng(7);
    let mut all = Vec::new();
    while all.len() < count {
        let execution = grow(plan, &mut session, &mut rng, form);
        if execution.events.len() == form.events {
            all.push((0..execution.events.len()).map(|x| execution.message(plan, x)).collect());
        }
    }
    all
}

/// From the initial writes to thirty events, a frame and a check for each, then all undone.
#[divan::bench(args = MODELS)]
fn add_and_check(bencher: Bencher, model: &str) {
    let plan = Arc::new(plan(model, false));
    let executions = messages(&plan, THIRTY, 20);
    let mut session = Session::new(plan);
    bencher.counter(ItemsCount::new(executions.len() * (THIRTY.events - THIRTY.locations))).bench_local(|| {
        for messages in &executions {
            session.reset();
            let (initial, rest) = messages.split_at(THIRTY.locations);
            initial.iter().for_each(|m| m.send(&mut session));
            for message in rest {
                session.push();
                message.send(&mut session);
                divan::black_box(session.violated_partial());
            }
            for _ in rest {
                session.pop();
            }
        }
    });
}

/// The last three of thirty events, added, checked and undone: where exploration spends its time.
#[divan::bench(args = MODELS)]
fn last_events(bencher: Bencher, model: &str) {
    let plan = Arc::new(plan(model, false));
    let executions = messages(&plan, THIRTY, 20);
    let mut sessions: Vec<Session> = Vec::new();
    for messages in &executions {
        let mut session = Session::new(plan.clone());
        messages[..27].iter().for_each(|m| m.send(&mut session));
        session.violated_partial();
        sessions.push(session);
    }
    bencher.counter(ItemsCount::new(executions.len() * 3)).bench_local(|| {
        for (messages, session) in executions.iter().zip(&mut sessions) {
            for message in &messages[27..] {
                session.push();
                message.send(session);
                divan::black_box(session.violated_partial());
            }
            (0..3).for_each(|_| session.pop());
        }
    });
}

/// The checks that only complete executions are given, and the flags.
#[divan::bench(args = MODELS)]
fn complete(bencher: Bencher, model: &str) {
    let plan = Arc::new(plan(model, false));
    let executions = messages(&plan, THIRTY, 20);
    let mut sessions: Vec<Session> = Vec::new();
    for messages in &executions {
        let mut session = Session::new(plan.clone());
        messages.iter().for_each(|m| m.send(&mut session));
        session.violated_partial();
        sessions.push(session);
    }
    let mut flags = Vec::new();
    bencher.counter(ItemsCount::new(executions.len())).bench_local(|| {
        for session in &mut sessions {
            flags.clear();
            divan::black_box(session.violated_final());
            session.flags(&mut flags);
            divan::black_box(&flags);
        }
    });
}

/// One long execution, event by event: the cost of an event must grow no faster than the execution.
#[divan::bench(args = [100, 300, 1000, 3000], sample_count = 3)]
fn chain(bencher: Bencher, events: usize) {
    let plan = Arc::new(plan("sc", false));
    let form = Form { threads: 2, locations: 2, events, wandering: 0, fences: 0, tags: 0 };
    let execution = messages(&plan, form, 1).remove(0);
    let mut session = Session::new(plan);
    bencher.counter(ItemsCount::new(events)).bench_local(|| {
        session.reset();
        for message in &execution {
            session.push();
            message.send(&mut session);
            divan::black_box(session.violated_partial());
        }
    });
}

/// The plain evaluator on the same thirty events.
#[divan::bench(args = MODELS, sample_count = 5)]
fn plain_evaluator(bencher: Bencher, model: &str) {
    let plan = Arc::new(plan(model, false));
    let mut session = Session::new(plan.clone());
    let execution = grow(&plan, &mut session, &mut Rng(7), THIRTY);
    let candidate = execution.candidate(&plan);
    let Ok(loaded) = load(&LoadRequest::named(model), &Vocabulary::default()) else { return };
    bencher.bench_local(|| hmc::algebra::naive::judge(&loaded.model, &candidate));
}
