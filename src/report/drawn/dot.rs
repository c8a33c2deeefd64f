//! Graphviz: threads as clusters, program order downwards, edges named as models name them. What a finding is about is drawn in red and bold.

use crate::report::Drawing;
use crate::verdict::Picture;
use crate::verdict::picture::related::ORDINARY;
use crate::verdict::picture::{Action, Edge, Origin, Row};
use crate::verdict::reasons::orders::NOT_KEPT;

/// The graph.
pub fn picture(drawing: &Drawing<'_>) -> String {
    let picture = drawing.picture;
    let mut out = String::from("digraph execution {\n");
    out += &format!("  label=\"{}\"; labelloc=t; fontname=monospace;\n", escape(drawing.title));
    out += "  node [shape=box, style=rounded, fontname=monospace]; edge [fontname=monospace, fontsize=10];\n";
    initial(picture, &mut out);
    let edges = edges(drawing);
    for (t, thread) in picture.threads.iter().enumerate() {
        let own: Vec<u32> =
            (0..picture.events.len() as u32).filter(|&e| picture.events[e as usize].thread as usize == t).collect();
        if own.is_empty() {
            continue;
        }
        let name = format!("{} {}", thread.name, thread.function);
        out += &format!("  subgraph cluster_{t} {{\n    label=\"{}\"; style=dotted;\n", escape(name.trim()));
        for &e in &own {
            out += &node(drawing, e);
        }
        let drawn = |pair: &[u32]| edges.iter().any(|e| e.name.starts_with("po") && [e.from, e.to] == *pair);
        for pair in own.windows(2).filter(|pair| !drawn(pair)) {
            out += &format!("  {}", line(&format!("e{}", pair[0]), &format!("e{}", pair[1]), "po", false));
        }
        out += "  }\n";
    }
    for (i, event) in picture.events.iter().enumerate() {
        if event.reads_from == Some(Origin::Initial) {
            out += &line("initial", &format!("e{i}"), "rf", false);
        }
    }
    for (from, to, name) in threads(picture) {
        out += &line(&format!("e{from}"), &format!("e{to}"), name, false);
    }
    for edge in &edges {
        let is_told = !ORDINARY.contains(&edge.name.as_str()) && !picture.related.contains(edge);
        let told = drawing.cycle.contains(edge) || is_told;
        out += &line(&format!("e{}", edge.from), &format!("e{}", edge.to), &edge.name, told);
    }
    out + "}\n"
}

/// From the creation of a thread to its first event, and from its last to the join with it.
fn threads(picture: &Picture) -> Vec<(usize, usize, &'static str)> {
    let of = |thread: &Option<String>| {
        let number = picture.threads.iter().position(|t| Some(&t.name) == thread.as_ref());
        let events = picture.events.iter().enumerate();
        let own: Vec<usize> = events.filter(|(_, e)| Some(e.thread as usize) == number).map(|(i, _)| i).collect();
        own.first().copied().zip(own.last().copied())
    };
    let events = picture.events.iter().enumerate();
    let edge = |(i, event): (usize, &Row)| match (event.action, of(&event.value)) {
        (Action::Create, Some((first, _))) => Some((i, first, "create")),
        (Action::Join, Some((_, last))) => Some((last, i, "join")),
        _ => None,
    };
    events.filter_map(edge).collect()
}

/// All edges but program order from one event to the next, each once.
fn edges(drawing: &Drawing<'_>) -> Vec<Edge> {
    let picture = drawing.picture;
    let not_kept =
        |edge: &Edge| picture.edges.iter().any(|e| e.name == NOT_KEPT && (e.from, e.to) == (edge.from, edge.to));
    let mut edges = drawing.edges(true);
    edges.retain(|edge| edge.name != NOT_KEPT);
    for edge in edges.iter_mut().filter(|e| e.name == "po" && not_kept(e)) {
        edge.name = format!("po, {NOT_KEPT}");
    }
    // For a race there is no cycle to have them.
    for edge in picture.edges.iter().filter(|e| e.name == NOT_KEPT) {
        let named = Edge { name: format!("po, {NOT_KEPT}"), ..edge.clone() };
        if !edges.contains(&named) {
            edges.push(named);
        }
    }
    edges
}

/// The initial state, when something reads from it.
fn initial(picture: &Picture, out: &mut String) {
    if picture.events.iter().any(|e| e.reads_from == Some(Origin::Initial)) {
        let values: Vec<String> =
            picture.initial.iter().map(|(l, v)| format!("{}\\l", escape(&format!("{l} = {v}")))).collect();
        *out += &format!("  initial [label=\"initially\\l{}\", shape=note, style=\"\"];\n", values.concat());
    }
}

fn node(drawing: &Drawing<'_>, e: u32) -> String {
    let event = &drawing.picture.events[e as usize];
    let name = drawing.name(e);
    let place =
        event.place.as_ref().map(|p| format!("{}\\l", escape(&format!("{}:{}", p.file, p.line)))).unwrap_or_default();
    let marked = if drawing.marked.contains(&e) { ", color=red, penwidth=2.5" } else { "" };
    format!("    e{e} [label=\"{name}: {}\\l{place}\"{marked}];\n", escape(&event.label()))
}

/// An edge; `told`: the finding is about it. Only program order and what threads are created and joined by decides what stands below what.
fn line(from: &str, to: &str, name: &str, told: bool) -> String {
    let order = name.starts_with("po");
    let color = match name {
        _ if told => "red",
        "po" | "create" | "join" => "gray45",
        "rf" => "darkgreen",
        "co" => "blue",
        "fr" => "darkorange3",
        _ => "purple",
    };
    let mut rest = if told { ", penwidth=2.5" } else { "" }.to_owned();
    rest += match name {
        _ if order => ", weight=8",
        "create" | "join" => ", style=dotted",
        "addr" | "data" | "ctrl" | "casdep" => ", style=dashed, constraint=false",
        _ => ", constraint=false",
    };
    // A race has no direction.
    if told && !order && !name.contains("fr") && !ORDINARY.contains(&name) {
        rest += ", dir=none";
    }
    format!("  {from} -> {to} [label=\"{}\", color={color}, fontcolor={color}{rest}];\n", escape(name))
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use crate::report::{Drawing, EVENT, sample};
    use crate::verdict::picture::Edge;

    #[test]
    fn names_every_event_and_edge() {
        let picture = sample::picture();
        let cycle = [Edge { from: 1, to: 2, name: "rf".into() }];
        let text = super::picture(&Drawing {
            picture: &picture,
            title: "a \"title\"",
            marked: &[3],
            cycle: &cycle,
            relations: None,
            numbers: None,
            letter: EVENT,
        });
        for part in [
            "e0 [label=",
            "e3 [label=\"e3: R x = 0\\lmp.c:9\\l\", color=red",
            "e0 -> e1 [label=\"po\"",
            "e1 -> e2 [label=\"rf\", color=red",
            "e0 -> e3 [label=\"race\", color=red",
            "e3 -> e0 [label=\"fr\"",
            "e2 -> e3 [label=\"ctrl\"",
            "initial -> e3 [label=\"rf\"",
            "a \\\"title\\\"",
        ] {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
        assert_eq!(text.matches("e1 -> e2").count(), 1, "{text}");
        assert_eq!(text.matches('{').count(), text.matches('}').count());
    }
}
