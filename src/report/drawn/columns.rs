//! An execution as text: threads as columns, one row an event, its source line at the right.

use crate::report::style::Style;
use crate::verdict::picture::frames::SYSTEM;
use crate::verdict::picture::{Action, Edge, Origin, Row, RowOrder};
use crate::verdict::reasons::orders::NOT_KEPT;
use crate::verdict::{Picture, Place};
use rustc_hash::FxHashSet;

/// Wider tables are shown as a list, with the thread's name in front of each event.
const WIDEST: usize = 110;
/// The widest that a line of source is shown.
const SOURCE: usize = 64;
/// Where there is less room than this for the source beside a table, it is a list.
const LEAST_SOURCE: usize = 24;
/// Beside a list, a source without room for so many characters is left out, and the calls of one without room for so many.
const LEAST_SHOWN: usize = 6;
const SOURCE_AND_CALLS: usize = 24;
/// In front of the columns: the number of the event.
const NUMBER: usize = 7;

/// What explains the order of the rows, in words.
pub fn order_text(order: RowOrder) -> &'static str {
    match order {
        RowOrder::Interleaving => "an interleaving that does it (each read gives the latest write above it)",
        RowOrder::Causal => {
            "an execution that does it; no interleaving explains it: look for reads that do not give the latest write above them"
        }
        RowOrder::ProgramOrder => {
            "an execution that does it; a read gives a write that depends on nothing above it, so rows follow program order only"
        }
    }
}

/// The same for an execution that satisfies the condition of a litmus test.
pub fn witness_text(order: RowOrder) -> &'static str {
    match order {
        RowOrder::Interleaving => "an interleaving that satisfies the condition",
        RowOrder::Causal => "an execution that satisfies the condition; no interleaving explains it",
        RowOrder::ProgramOrder => {
            "an execution that satisfies the condition; reads-from does not go downwards, rows follow program order only"
        }
    }
}

/// Shorter stretches of events that no other thread can notice are shown in full.
const FOLDED_FROM: usize = 4;

/// A stretch of one thread's events that is shown as one line.
#[derive(Clone, Copy)]
struct Fold {
    first: usize,
    last: usize,
    /// Whether all of it is on memory that no other thread accesses.
    is_private: bool,
}

fn is_system(place: &Place) -> bool {
    SYSTEM.iter().any(|directory| place.file.starts_with(directory))
}

/// Whether an event is an ordinary access of a library that nothing of the user's has called: the start of a thread of C++, say.
fn is_inner(event: &Row, picture: &Picture) -> bool {
    let is_ordinary = event.tags.iter().all(|tag| tag == "NA");
    let is_access = matches!(event.action, Action::Read | Action::Write | Action::Allocate | Action::Free);
    // Of a program without places nothing is known.
    let is_known = picture.events.iter().any(|event| event.place.is_some());
    is_known && is_access && is_ordinary && event.place.as_ref().is_none_or(is_system)
}

/// Whether an event is in a function of a library, though a line of the user's has called it. Functions that only wrap an atomic access do not count.
fn is_in_library(event: &Row) -> bool {
    const WRAPPERS: [&str; 4] = ["atomic", "atomic_base.h", "atomic.rs", "stdatomic.h"];
    let is_wrapper = |place: &&Place| WRAPPERS.contains(&place.file.rsplit('/').next().unwrap_or_default());
    let caller = event.frames.iter().find(|place| !is_wrapper(place));
    caller.is_some_and(is_system)
}

/// For each event whether it is a library's own: on memory that nothing else accesses than functions of libraries, which is on the heap where accesses are atomic.
fn of_libraries(picture: &Picture) -> Vec<bool> {
    let events = || picture.events.iter();
    let outside: FxHashSet<&str> =
        events().filter(|e| !is_in_library(e)).filter_map(|e| e.location.as_deref()).collect();
    let is_own = |event: &Row| {
        let is_heap = || event.location.as_ref().is_some_and(|location| location.starts_with("heap#"));
        match event.action {
            Action::Allocate | Action::Free => true,
            Action::Read | Action::Write => event.tags.iter().all(|tag| tag == "NA") || is_heap(),
            _ => false,
        }
    };
    let is_apart = |event: &Row| event.location.as_deref().is_none_or(|location| !outside.contains(location));
    events().map(|event| is_in_library(event) && is_own(event) && is_apart(event)).collect()
}

/// Stretches of one thread's events on memory that no other thread accesses, or in libraries. An event that an edge
/// leads to, other than reads-from and coherence, or that is to be kept, is not in one.
fn folds(picture: &Picture, keep: &[u32], style: Style) -> Vec<Fold> {
    let shared = |location: &str, thread: u32| {
        picture.events.iter().any(|e| e.thread != thread && e.location.as_deref() == Some(location))
    };
    let marked: Vec<u32> = picture
        .edges
        .iter()
        .filter(|e| !["rf", "co"].contains(&e.name.as_str()))
        .flat_map(|e| [e.from, e.to])
        .chain(keep.iter().copied())
        .collect();
    let private = |event: &Row| match (&event.location, event.action) {
        (Some(location), Action::Read | Action::Write) => !shared(location, event.thread),
        // What is given back is a value, the name of an object.
        (_, Action::Free) => event.value.as_ref().is_some_and(|name| {
            let others = picture.events.iter().filter(|other| other.thread != event.thread);
            others.filter_map(|other| other.location.as_ref()).all(|location| !location.starts_with(name.as_str()))
        }),
        (_, action) => action == Action::Allocate,
    };
    let is_marked = |row: usize| marked.contains(&(row as u32));
    let of_libraries = of_libraries(picture);
    let events = picture.events.iter().enumerate();
    // Whether an event may be folded, and whether it is the library's.
    let kinds: Vec<(bool, bool)> = events
        .map(|(row, event)| {
            let is_inner = is_inner(event, picture) || of_libraries[row];
            (private(event) && !is_marked(row), is_inner && !is_marked(row) && !style.frames)
        })
        .collect();
    let mut found = Vec::new();
    let mut first = 0;
    while first < kinds.len() {
        let thread = picture.events[first].thread;
        let rest = picture.events[first..].iter().zip(&kinds[first..]);
        let stretch = rest.take_while(|(event, (private, inner))| (*private || *inner) && event.thread == thread);
        let (mut length, mut is_private, mut is_all_inner) = (0, true, true);
        for (_, (private, inner)) in stretch {
            length += 1;
            is_private &= private;
            is_all_inner &= inner;
        }
        if length >= FOLDED_FROM || length > 0 && is_all_inner {
            found.push(Fold { first, last: first + length - 1, is_private });
        }
        first += length.max(1);
    }
    found
}

/// An interleaving as one list of steps; nothing when there is none.
pub fn trace(picture: &Picture, shown: Shown<'_>, style: Style) -> Option<String> {
    if picture.order != RowOrder::Interleaving {
        return None;
    }
    let mut out = String::new();
    list(picture, shown, style, &mut out);
    ends(picture, &mut out);
    footer(picture, shown, style, &mut out);
    Some(out)
}

/// Which events of an execution are shown.
#[derive(Clone, Copy, Default)]
pub struct Shown<'a> {
    /// Events that are not folded away.
    pub keep: &'a [u32],
    /// What all that matters depends on, if that is known: the rest is folded away.
    pub past: Option<&'a [bool]>,
}

/// The table.
pub fn table(picture: &Picture, which: Shown<'_>, style: Style) -> String {
    let labels: Vec<String> = picture.events.iter().map(label).collect();
    let heads: Vec<String> = picture.threads.iter().map(head).collect();
    let visible = visible(picture, which, style);
    let width = |t: usize| {
        let own = picture
            .events
            .iter()
            .zip(&labels)
            .zip(&visible)
            .filter(|((e, _), shown)| e.thread as usize == t && **shown);
        own.map(|((_, l), _)| l.chars().count()).chain([heads[t].chars().count()]).max().unwrap_or(0)
    };
    // A thread without an event needs no column.
    let shown: Vec<usize> =
        (0..heads.len()).filter(|&t| picture.events.iter().any(|e| e.thread as usize == t)).collect();
    let widths: Vec<usize> = shown.iter().map(|&t| width(t)).collect();
    let mut out = String::new();
    let wide = widths.iter().map(|w| w + 2).sum::<usize>();
    let is_too_wide =
        style.width > 0 && NUMBER + wide + Places::new(picture, &visible).width + LEAST_SOURCE > style.width;
    if wide > WIDEST || is_too_wide {
        list(picture, which, style, &mut out);
    } else {
        let cells = |text: &dyn Fn(usize) -> String| -> String {
            shown.iter().zip(&widths).map(|(&t, w)| pad(&text(t), *w) + "  ").collect()
        };
        let head = format!("       {}", cells(&|t| heads[t].clone()));
        out += &format!("{}\n", style.bold(head.trim_end()));
        rows(picture, which, style, &mut out, &|i, event| {
            cells(&|t| if event.thread as usize == t { labels[i].clone() } else { String::new() })
        });
    }
    ends(picture, &mut out);
    footer(picture, which, style, &mut out);
    out
}

/// The events one below the other, with the thread's name in front of each.
fn list(picture: &Picture, shown: Shown<'_>, style: Style, out: &mut String) {
    let names: Vec<String> = picture.events.iter().map(|e| head(&picture.threads[e.thread as usize])).collect();
    // One that is long would take the room of all sources.
    let room = if style.width > 0 { style.width / 2 } else { usize::MAX };
    let labels: Vec<String> = picture.events.iter().map(|event| shorten(&label(event), room)).collect();
    let visible = visible(picture, shown, style);
    let widest = |texts: &[String]| {
        texts.iter().zip(&visible).filter(|(_, is_shown)| **is_shown).map(|(t, _)| t.chars().count()).max().unwrap_or(0)
    };
    let (name, width) = (widest(&names), widest(&labels));
    rows(picture, shown, style, out, &|i, _| format!("{}  {}  ", pad(&names[i], name), pad(&labels[i], width)));
}

/// A line an event: its number, its text, its place; a stretch of events that nobody else can notice is one line.
fn rows(picture: &Picture, shown: Shown<'_>, style: Style, out: &mut String, text: &dyn Fn(usize, &Row) -> String) {
    let (folds, places) = (folds(picture, shown.keep, style), Places::new(picture, &visible(picture, shown, style)));
    let is_past = |i: usize| shown.past.is_none_or(|past| past[i]) || shown.keep.contains(&(i as u32));
    for (i, event) in picture.events.iter().enumerate() {
        if !is_past(i) {
            if i == 0 || is_past(i - 1) {
                let n = (i..picture.events.len()).take_while(|&i| !is_past(i)).count();
                let s = if n == 1 { "" } else { "s" };
                let which = if n == 1 { format!("e{i}") } else { format!("e{i} to e{}", i + n - 1) };
                let text = format!("       … {n} event{s} that this does not depend on ({which})");
                *out += &format!("{}\n", style.dim(&text));
            }
            continue;
        }
        match folds.iter().find(|fold| (fold.first..=fold.last).contains(&i)) {
            Some(&Fold { first, last, is_private }) if i == first => {
                let name = &picture.threads[event.thread as usize].name;
                let n = last - first + 1;
                let s = if n == 1 { "" } else { "s" };
                let which = if n == 1 { format!("e{first}") } else { format!("e{first} to e{last}") };
                let on = if is_private { "on memory of its own" } else { "in libraries" };
                let text = format!("       … {n} event{s} of {name} {on} ({which})");
                *out += &format!("{}\n", style.dim(&text));
            }
            // Its beginning may have been left out, but not a part of it: a thread's past has no holes.
            Some(_) => {}
            None => finish(out, format!("  {:>4} {}", format!("e{i}"), text(i, event)), event, places, style),
        }
    }
}

/// How threads ended that did not end in the normal way.
fn ends(picture: &Picture, out: &mut String) {
    for thread in &picture.threads {
        if let Some(end) = &thread.end {
            *out += &format!("       {} {end}\n", thread.name);
        }
    }
}

/// A cycle in one line, its edges named.
pub fn cycle(edges: &[Edge]) -> String {
    let mut out = edges.first().map(|edge| format!("e{}", edge.from)).unwrap_or_default();
    for edge in edges {
        out += &format!(" –{}→ e{}", edge.name, edge.to);
    }
    out
}

/// The file that all events are in, when there is only one: its name is then said once, above the table.
pub fn only_file(picture: &Picture) -> Option<&str> {
    let mut files = picture.events.iter().filter_map(|e| e.place.as_ref()).map(|p| p.file.as_str());
    let first = files.next()?;
    files.all(|f| f == first).then_some(first)
}

/// How places are written: the file is left out when there is only one.
#[derive(Clone, Copy)]
struct Places {
    one_file: bool,
    width: usize,
}

impl Places {
    fn new(picture: &Picture, visible: &[bool]) -> Places {
        let mut places = Places { one_file: only_file(picture).is_some(), width: 5 };
        let own = picture.events.iter().zip(visible).filter(|(_, is_shown)| **is_shown);
        let texts = own.filter_map(|(e, _)| e.place.as_ref()).map(|p| places.text(p).chars().count());
        places.width = texts.max().unwrap_or(0).max(places.width);
        places
    }

    fn text(self, place: &Place) -> String {
        // Where a library is installed is of no interest.
        let file = if is_system(place) { place.file.rsplit('/').next().unwrap_or_default() } else { &place.file };
        if self.one_file { place.line.to_string() } else { format!("{file}:{}", place.line) }
    }
}

/// Ends a line with the event's place in the source.
fn finish(out: &mut String, line: String, event: &Row, places: Places, style: Style) {
    let room = match style.width {
        0 => SOURCE,
        width => SOURCE.min(width.saturating_sub(line.chars().count() + places.width + 1)),
    };
    let source = event.place.as_ref().map(|p| {
        // The line itself says more than what it calls.
        let calls = if room < SOURCE_AND_CALLS && !style.frames { String::new() } else { calls(event, style) };
        let source = shorten(&event.source, room.saturating_sub(calls.chars().count()).max(room / 2));
        let source = if room < LEAST_SHOWN { String::new() } else { shorten(&format!("{source}{calls}"), room) };
        format!("{} {source}", pad(&places.text(p), places.width))
    });
    let source = source.unwrap_or_default();
    let text = if source.is_empty() { line } else { format!("{line}{}", style.dim(source.trim_end())) };
    *out += text.trim_end();
    out.push('\n');
}

/// How the place that is shown comes to the access: the calls between, inwards; with `--frames`, those around it, too.
fn calls(event: &Row, style: Style) -> String {
    let Some(shown) = event.frames.iter().position(|frame| Some(frame) == event.place.as_ref()) else {
        return String::new();
    };
    let name = |place: &Place| format!("{}:{}", place.file.rsplit('/').next().unwrap_or_default(), place.line);
    let mut out: String = event.frames[..shown].iter().rev().map(|place| format!(" › {}", name(place))).collect();
    if style.frames {
        out += &event.frames[shown + 1..].iter().map(|place| format!(" ‹ {}", name(place))).collect::<String>();
    }
    out
}

/// Which rows have a line of their own.
fn visible(picture: &Picture, which: Shown<'_>, style: Style) -> Vec<bool> {
    let folds = folds(picture, which.keep, style);
    let is_shown = |i: usize| {
        let is_past = which.past.is_none_or(|past| past[i]) || which.keep.contains(&(i as u32));
        is_past && !folds.iter().any(|fold| (fold.first..=fold.last).contains(&i))
    };
    (0..picture.events.len()).map(is_shown).collect()
}

/// Whether a place in memory is one of those that only rows without a line access.
fn hidden<'p>(picture: &'p Picture, which: Shown<'_>, style: Style) -> impl Fn(&str) -> bool + use<'p> {
    let events = picture.events.iter().zip(visible(picture, which, style));
    let located = events.filter_map(|(event, is_shown)| Some((event.location.as_deref()?, is_shown)));
    let (shown, hidden): (Vec<_>, Vec<_>) = located.partition(|(_, is_shown)| *is_shown);
    move |location| {
        let is_in = |all: &[(&str, bool)]| all.iter().any(|(own, _)| *own == location);
        is_in(&hidden) && !is_in(&shown)
    }
}

fn footer(picture: &Picture, which: Shown<'_>, style: Style, out: &mut String) {
    let hidden = hidden(picture, which, style);
    let values = picture.initial.iter().filter(|(location, _)| !hidden(location));
    let values: Vec<String> = values.map(|(location, value)| format!("{location} = {value}")).collect();
    if !values.is_empty() {
        *out += &format!("  initially: {}\n", values.join(", "));
    }
    for (location, writes) in picture.coherence.iter().filter(|(location, _)| !hidden(location)) {
        let order: Vec<String> = writes.iter().map(|w| format!("e{w}")).collect();
        *out += &format!("  coherence of {location}: initial, {}\n", order.join(", "));
    }
    // From-reads and steps that the model does not keep are told in words.
    let told = |e: &&Edge| ["rf", "co", NOT_KEPT].contains(&e.name.as_str()) || e.name.contains("fr");
    for edge in picture.edges.iter().filter(|e| !told(e)) {
        *out += &format!("  {}: e{} – e{}\n", edge.name, edge.from, edge.to);
    }
}

fn head(column: &crate::verdict::picture::Column) -> String {
    match column.function.is_empty() {
        true => column.name.clone(),
        false => format!("{} {}", column.name, column.function),
    }
}

/// The event and, for a read, where its value comes from.
fn label(event: &Row) -> String {
    let from = match event.reads_from {
        Some(Origin::Initial) => " ← initial".to_owned(),
        Some(Origin::Event(e)) => format!(" ← e{e}"),
        None => String::new(),
    };
    event.label() + &from
}

fn pad(text: &str, width: usize) -> String {
    let length = text.chars().count();
    format!("{text}{}", " ".repeat(width.saturating_sub(length)))
}

/// At most `width` characters.
pub fn shorten(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().take(width.saturating_sub(1)).collect();
    format!("{kept}…")
}
