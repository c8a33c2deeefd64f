//! A picture of an execution as SVG: threads as columns, one row an event, edges as curves at the right of their source.
//! It follows the reader's preference for light or dark.

use super::columns::shorten;
use super::xml::escape;
use crate::verdict::Picture;
use crate::verdict::picture::{Edge, Origin};

const ROW: f64 = 44.0;
const BOX_HEIGHT: f64 = 30.0;
const TOP: f64 = 74.0;
const LEFT: f64 = 44.0;
const GAP: f64 = 64.0;
const CHARACTER: f64 = 7.3;
/// Longer texts are cut; the whole text is in the tooltip.
const LONGEST: usize = 44;

const STYLE: &str = "
  svg { background: #ffffff; } text { font: 12px ui-monospace, monospace; fill: #1b1f24; }
  .title { font-weight: bold; } .head { font-weight: bold; } .source, .number { fill: #6e7781; font-size: 10px; }
  .event { fill: #f6f8fa; stroke: #8c959f; } .marked { stroke: #cf222e; stroke-width: 2.5; }
  .po { stroke: #8c959f; } path { fill: none; stroke-width: 1.6; }
  .rf { stroke: #1a7f37; } .co { stroke: #0969da; stroke-dasharray: 5 3; } .other { stroke: #cf222e; stroke-width: 2.2; }
  .rf-text { fill: #1a7f37; font-size: 10px; } .co-text { fill: #0969da; font-size: 10px; } .other-text { fill: #cf222e; font-size: 10px; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; } text { fill: #e6edf3; } .source, .number { fill: #8d96a0; }
    .event { fill: #161b22; stroke: #6e7681; } .po { stroke: #6e7681; }
    .rf { stroke: #3fb950; } .co { stroke: #58a6ff; } .other { stroke: #f85149; } .marked { stroke: #f85149; }
    .rf-text { fill: #3fb950; } .co-text { fill: #58a6ff; } .other-text { fill: #f85149; }
  }";

/// Where the boxes are.
struct Layout {
    /// Left edge and width of each thread's boxes.
    columns: Vec<(f64, f64)>,
    width: f64,
    height: f64,
}

impl Layout {
    fn new(picture: &Picture) -> Layout {
        let mut x = LEFT;
        let mut columns = Vec::new();
        for (t, thread) in picture.threads.iter().enumerate() {
            let own: Vec<_> = picture.events.iter().filter(|e| e.thread as usize == t).collect();
            let head = thread.name.chars().count() + 1 + thread.function.chars().count();
            let texts = own.iter().flat_map(|e| [e.label().chars().count(), e.source.chars().count() * 4 / 5 + 5]);
            let characters = texts.chain([head]).max().unwrap_or(0).min(LONGEST);
            // A thread without events takes no room.
            let width = if own.is_empty() { 0.0 } else { characters as f64 * CHARACTER + 20.0 };
            columns.push((x, width));
            x += if own.is_empty() { 0.0 } else { width + GAP };
        }
        Layout { columns, width: x + 8.0, height: TOP + ROW * picture.events.len() as f64 + 16.0 }
    }

    fn row(row: usize) -> f64 {
        TOP + ROW * row as f64
    }
}

/// The drawing. `marked` events are drawn with a thick border.
pub fn picture(picture: &Picture, title: &str, marked: &[u32]) -> String {
    let layout = Layout::new(picture);
    let width = layout.width.max(title.chars().count() as f64 * CHARACTER + 2.0 * LEFT);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{:.0}\" viewBox=\"0 0 {width:.0} {:.0}\" role=\"img\">\n",
        layout.height, layout.height
    );
    out += &format!("<title>{}</title>\n<style>{STYLE}\n</style>\n", escape(title));
    out += "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" style=\"fill:context-stroke;stroke:none\"/></marker></defs>\n";
    out += &format!("<text class=\"title\" x=\"8\" y=\"20\">{}</text>\n", escape(title));
    threads(picture, &layout, &mut out);
    for edge in &picture.edges {
        out += &curve(picture, &layout, edge);
    }
    events(picture, &layout, marked, &mut out);
    out + "</svg>\n"
}

fn threads(picture: &Picture, layout: &Layout, out: &mut String) {
    for (t, (thread, &(x, width))) in picture.threads.iter().zip(&layout.columns).enumerate() {
        let rows: Vec<usize> = (0..picture.events.len()).filter(|&e| picture.events[e].thread as usize == t).collect();
        let (Some(&first), Some(&last)) = (rows.first(), rows.last()) else { continue };
        let name = format!("{} {}", thread.name, thread.function);
        *out += &format!(
            "<text class=\"head\" x=\"{x:.0}\" y=\"{:.0}\">{}</text>\n",
            TOP - 26.0,
            escape(&shorten(name.trim(), LONGEST))
        );
        let middle = x + width.min(40.0) / 2.0;
        let (from, to) = (Layout::row(first), Layout::row(last));
        *out += &format!("<path class=\"po\" d=\"M{middle:.0},{from:.0} L{middle:.0},{to:.0}\"/>\n");
    }
}

fn events(picture: &Picture, layout: &Layout, marked: &[u32], out: &mut String) {
    for (i, event) in picture.events.iter().enumerate() {
        let Some(&(x, width)) = layout.columns.get(event.thread as usize) else { continue };
        let y = Layout::row(i) - BOX_HEIGHT / 2.0;
        let class = if marked.contains(&(i as u32)) { "event marked" } else { "event" };
        let place = event.place.as_ref().map(|p| format!("{}:{}", p.file, p.line)).unwrap_or_default();
        let line = event.place.as_ref().map(|p| format!("{}: ", p.line)).unwrap_or_default();
        let from = match event.reads_from {
            Some(Origin::Initial) => " (initial)",
            _ => "",
        };
        *out += &format!(
            "<text class=\"number\" x=\"8\" y=\"{:.0}\">e{i}</text>\n<g><title>{}</title><rect class=\"{class}\" x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" height=\"{BOX_HEIGHT}\" rx=\"5\"/>",
            Layout::row(i) + 4.0,
            escape(&format!("{place} {}", event.source)),
        );
        let room = ((width - 16.0) / CHARACTER) as usize;
        *out += &format!(
            "<text x=\"{:.0}\" y=\"{:.0}\">{}</text><text class=\"source\" x=\"{:.0}\" y=\"{:.0}\">{}</text></g>\n",
            x + 8.0,
            y + 13.0,
            escape(&shorten(&format!("{}{from}", event.label()), room.max(4))),
            x + 8.0,
            y + 25.0,
            escape(&shorten(&format!("{line}{}", event.source), (room * 6 / 5).max(4))),
        );
    }
}

fn curve(picture: &Picture, layout: &Layout, edge: &Edge) -> String {
    let column = |e: u32| {
        let event = picture.events.get(e as usize)?;
        layout.columns.get(event.thread as usize).copied()
    };
    let (Some((x1, w1)), Some((x2, w2))) = (column(edge.from), column(edge.to)) else { return String::new() };
    let (y1, y2) = (Layout::row(edge.from as usize), Layout::row(edge.to as usize));
    let class = if edge.name == "rf" || edge.name == "co" { edge.name.as_str() } else { "other" };
    let bend = if class == "co" { 0.75 } else { 0.5 };
    let (start, end, control) = if x1 < x2 {
        (x1 + w1, x2, [x1 + w1 + GAP * bend, x2 - GAP * bend])
    } else if x1 > x2 {
        (x1, x2 + w2, [x1 - GAP * bend, x2 + w2 + GAP * bend])
    } else {
        (x1 + w1, x2 + w2, [x1 + w1 + GAP * bend, x2 + w2 + GAP * bend])
    };
    let middle = ((start + 3.0 * control[0] + 3.0 * control[1] + end) / 8.0, (y1 + y2) / 2.0);
    format!(
        "<path class=\"{class}\" marker-end=\"url(#arrow)\" d=\"M{start:.0},{y1:.0} C{:.0},{y1:.0} {:.0},{y2:.0} {end:.0},{y2:.0}\"/>\n<text class=\"{class}-text\" x=\"{:.0}\" y=\"{:.0}\">{}</text>\n",
        control[0],
        control[1],
        middle.0 + 3.0,
        middle.1 - 3.0,
        escape(&edge.name)
    )
}

#[cfg(test)]
mod tests {
    use super::super::sample;

    #[test]
    fn draws_every_event_edge_and_thread() {
        let text = super::picture(&sample::picture(), "mp.c: <violated>", &[3]);
        assert_eq!(text.matches("<rect").count(), 4);
        assert_eq!(text.matches("marker-end").count(), 2);
        assert!(text.contains("event marked") && text.contains("prefers-color-scheme: dark"));
        assert!(text.contains("&lt;violated&gt;") && !text.contains("<violated>"));
        assert_eq!(text.matches("class=\"head\"").count(), 2);
    }
}
