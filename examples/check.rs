//! Checks files under a model: `cargo run --example check rc11 examples/message_passing.c`.

use hmc::{Checker, Model, Problems, Program, Verdict};
use std::process::ExitCode;
use std::time::Duration;

fn main() -> Result<ExitCode, Problems> {
    let mut arguments = std::env::args().skip(1);
    let Some(model) = arguments.next() else {
        eprintln!("usage: check MODEL FILE...");
        return Ok(ExitCode::from(2));
    };
    let model = Model::named(&model)?;
    let checker = Checker::new().timeout(Duration::from_secs(60));
    let mut all_hold = true;
    for file in arguments {
        let report = checker.check(&Program::file(file), &model);
        all_hold &= report.verdict() == Verdict::Holds;
        println!("{report}");
    }
    Ok(if all_hold { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
