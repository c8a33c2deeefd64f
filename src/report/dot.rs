//! Graphviz: threads as clusters, program order downwards.

use crate::verdict::Picture;

/// The graph.
pub fn picture(picture: &Picture, title: &str) -> String {
    let mut out = String::from("digraph execution {\n");
    out += &format!("  label=\"{}\"; labelloc=t; fontname=monospace;\n", escape(title));
    out += "  node [shape=box, style=rounded, fontname=monospace]; edge [fontname=monospace, fontsize=10];\n";
    for (t, thread) in picture.threads.iter().enumerate() {
        let own: Vec<usize> = (0..picture.events.len()).filter(|&e| picture.events[e].thread as usize == t).collect();
        if own.is_empty() {
            continue;
        }
        let name = format!("{} {}", thread.name, thread.function);
        out += &format!("  subgraph cluster_{t} {{\n    label=\"{}\"; style=dotted;\n", escape(name.trim()));
        for &e in &own {
            let event = &picture.events[e];
            let line = event.place.as_ref().map(|p| format!("\\l{}:{}", escape(&p.file), p.line)).unwrap_or_default();
            out += &format!("    e{e} [label=\"e{e}: {}{line}\"];\n", escape(&event.label()));
        }
        for pair in own.windows(2) {
            out += &format!("    e{} -> e{} [color=gray];\n", pair[0], pair[1]);
        }
        out += "  }\n";
    }
    for edge in &picture.edges {
        let (color, constraint) = match edge.name.as_str() {
            "rf" => ("darkgreen", "false"),
            "co" => ("blue", "false"),
            _ => ("red", "false"),
        };
        out += &format!(
            "  e{} -> e{} [label=\"{}\", color={color}, fontcolor={color}, constraint={constraint}];\n",
            edge.from,
            edge.to,
            escape(&edge.name)
        );
    }
    out + "}\n"
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::super::sample;

    #[test]
    fn names_every_event_and_edge() {
        let text = super::picture(&sample::picture(), "a \"title\"");
        for part in
            ["e0 [label=", "e3 [label=", "e1 -> e2 [label=\"rf\"", "e0 -> e3 [label=\"race\"", "a \\\"title\\\""]
        {
            assert!(text.contains(part), "{part} is missing in\n{text}");
        }
    }
}
