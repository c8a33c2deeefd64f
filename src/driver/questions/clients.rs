//! A file that has only a structure, with every client of a few calls.
//!
//! Of each choice of operations there is one program: each call has a thread of its own. Which orders clients could impose on these calls is asked of each execution
//! ([`crate::verdict::calls::linearizable`]). The smallest client that fails is told as C, with flags that order its calls.

use super::specified;
use crate::driver::code;
use crate::driver::inputs::messages;
use crate::driver::inputs::models::Usable;
use crate::driver::inputs::settings::Settings;
use crate::linearizability::library::Linearizable;
use crate::llvm;
use crate::program::{Instr, Program, Told};
use crate::verdict::calls::linearizable::Specified;
use crate::verdict::picture::place::Place;
use crate::verdict::reasons::unordered::own_order;
use crate::verdict::result::Finding;
use crate::verdict::{FileResult, Property, Sources, Verdict};
use std::fmt::Write;
use std::path::Path;

/// What a client sets up with, if the file defines it.
const SETUP: &str = "hmc_setup";
/// What the functions of a structure are handed, where they take an address.
const OBJECT: &str = "hmc_object";

/// How the files of clients begin.
const WRITTEN: &str = "client-of-";

/// The arguments of each operation.
type Forms = Vec<Vec<Told>>;

/// Checks a structure with all clients of up to so many calls.
pub(in crate::driver) fn check(
    file: &Path,
    usable: &Usable,
    wanted: &Linearizable,
    most: usize,
    settings: &Settings,
    sources: &Sources,
    mut result: FileResult,
) -> FileResult {
    if !usable.knows_threads {
        let reason = "the model does not read what the creation and joining of threads orders, so it cannot be asked about clients";
        return result.failed(vec![messages::not_specified(reason)], Verdict::Unsupported);
    }
    let operations = match specified::prepare(wanted, settings, sources) {
        Ok(prepared) => prepared.operations().to_vec(),
        Err((reasons, verdict)) => return result.failed(reasons, verdict),
    };
    let client = |body: &str| format!("#include \"{}\"\n{body}", absolute(file));
    let used: Vec<String> = operations.iter().map(|name| format!("(void *){name}")).collect();
    let alone = client(&format!("void *hmc_used[] = {{{}}};\nint main(void) {{ return 0; }}\n", used.join(", ")));
    let (library, specified) = match compiled(file, &alone, wanted, usable, settings, sources) {
        Ok(found) => found,
        Err((reasons, verdict)) => return result.failed(reasons, verdict),
    };
    let forms = forms(&library);
    let has_setup = library.functions.iter().any(|function| function.name == SETUP);
    // A call that waits may do so for ever: another client would have gone on.
    let mut settings = settings.clone();
    settings.properties.retain(|&property| property != Property::Liveness);
    let settings = &settings;
    let (mut clients, mut histories) = (0u64, 0u64);
    for calls in 1..=most {
        for choice in choices(forms.len(), calls) {
            let text = client(&body(&specified, &forms, &choice, &[], has_setup, &wanted.value()));
            let (program, specified) = match compiled(file, &text, wanted, usable, settings, sources) {
                Ok(found) => found,
                Err((reasons, verdict)) => return result.failed(reasons, verdict),
            };
            let operations = specified.clone();
            let begun = FileResult { notes: Vec::new(), ..result.clone() };
            let (one, looked, edges) = code::examine_calls(
                &program,
                code::Asked { specified: Some(specified), ..code::Asked::default() },
                usable,
                settings,
                sources,
                begun,
            );
            clients += 1;
            histories += looked.histories;
            result.executions.complete += one.executions.complete;
            result.executions.blocked += one.executions.blocked;
            if one.verdict != Verdict::Holds {
                let mut one = FileResult { executions: result.executions, ..one };
                let edges = edges.unwrap_or_default();
                let text = body(&operations, &forms, &choice, &edges, has_setup, &wanted.value());
                // A flag orders calls where the model says so.
                if one.verdict == Verdict::Violated && own_order(&usable.model).is_some() {
                    one.client = Some(client(&text));
                }
                one.violation.iter_mut().for_each(forget_places);
                return one;
            }
            result.notes.extend(one.notes.into_iter().filter(|note| !note.contains("looked at")));
        }
    }
    result.notes.dedup();
    result.notes.push(format!(
        "{clients} choices of up to {most} calls were looked at, {histories} histories, with every order that a client can impose on them"
    ));
    result
}

/// Lines of a client that is gone say nothing.
fn forget_places(finding: &mut Finding) {
    let is_gone = |place: &Option<Place>| place.as_ref().is_some_and(|place| place.file.contains(WRITTEN));
    let events = finding.execution.events.iter_mut();
    events.map(|row| &mut row.place).chain([&mut finding.place]).filter(|place| is_gone(place)).for_each(|place| {
        *place = None;
    });
}

fn absolute(file: &Path) -> String {
    std::path::absolute(file).unwrap_or_else(|_| file.to_owned()).display().to_string()
}

type Compiled = Result<(Program, Specified), specified::Refused>;

/// The program of a text that includes the file.
fn compiled(
    file: &Path,
    text: &str,
    wanted: &Linearizable,
    usable: &Usable,
    settings: &Settings,
    sources: &Sources,
) -> Compiled {
    let name = format!("{WRITTEN}{}", file.file_name().and_then(|name| name.to_str()).unwrap_or("file.c"));
    let written = llvm::TempFile::new(&name, text)
        .map_err(|e| (vec![messages::bare("hmc::file-unwritable", format!("`{name}`: {e}"), None)], Verdict::Error))?;
    let (program, specified) = code::specified_program(written.path(), wanted, usable, settings, sources)?;
    Ok((program, Specified { any_client: true, ..specified }))
}

/// How each operation is called, by what its definition tells of its arguments.
fn forms(program: &Program) -> Forms {
    let mut forms = vec![Vec::new(); program.operations.len()];
    for function in &program.functions {
        let told = function.code.iter().filter_map(|instr| match instr {
            Instr::Mark { mark, .. } if matches!(mark.told, Told::Number | Told::Address) => Some(*mark),
            _ => None,
        });
        let marks: Vec<_> = told.collect();
        if let Some(first) = marks.first() {
            forms[first.operation as usize] = marks.iter().map(|mark| mark.told).collect();
        }
    }
    forms
}

/// All choices of so many of these operations, without an order.
fn choices(operations: usize, calls: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..calls {
        let longer = |choice: &Vec<usize>| {
            let from = choice.last().copied().unwrap_or(0);
            let choice = choice.clone();
            (from..operations).map(move |next| choice.iter().copied().chain([next]).collect::<Vec<_>>())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// A client: a thread for each call. An edge orders the call of one thread behind that of another; threads are counted from 1.
fn body(
    specified: &Specified,
    forms: &Forms,
    choice: &[usize],
    edges: &[(usize, usize)],
    has_setup: bool,
    value: &str,
) -> String {
    let mut text = String::from("#include <pthread.h>\n#include <stdatomic.h>\n\n");
    // Writing to a text does not fail.
    for (number, _) in edges.iter().enumerate() {
        let _ = writeln!(text, "static atomic_int behind_{number};");
    }
    for (at, &operation) in choice.iter().enumerate() {
        let thread = at + 1;
        let mut arguments = Vec::new();
        for (place, told) in forms[operation].iter().enumerate() {
            arguments.push(match told {
                Told::Address if place == 0 => format!("&{OBJECT}"),
                Told::Address => format!("&given_{thread}"),
                _ => thread.to_string(),
            });
        }
        if arguments.iter().any(|argument| argument.contains("given")) {
            let _ = writeln!(text, "static {value} given_{thread};");
        }
        let _ = writeln!(text, "static void *call_{thread}(void *unused) {{");
        for (number, _) in edges.iter().enumerate().filter(|(_, edge)| edge.1 == thread) {
            let _ =
                writeln!(text, "    while (!atomic_load_explicit(&behind_{number}, memory_order_acquire))\n        ;");
        }
        let _ = writeln!(text, "    {}({});", specified.operations[operation], arguments.join(", "));
        for (number, _) in edges.iter().enumerate().filter(|(_, edge)| edge.0 == thread) {
            let _ = writeln!(text, "    atomic_store_explicit(&behind_{number}, 1, memory_order_release);");
        }
        text += "    return 0;\n}\n\n";
    }
    let threads = choice.len();
    let _ = writeln!(text, "int main(void) {{\n    pthread_t threads[{threads}];");
    if has_setup {
        let _ = writeln!(text, "    {SETUP}();");
    }
    for at in 0..threads {
        let _ = writeln!(text, "    pthread_create(&threads[{at}], 0, call_{}, 0);", at + 1);
    }
    for at in 0..threads {
        let _ = writeln!(text, "    pthread_join(threads[{at}], 0);");
    }
    text += "    return 0;\n}\n";
    text
}
