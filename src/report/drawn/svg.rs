//! A picture of an execution as SVG: threads as columns, one row an event. It follows the reader's preference for light or dark.
//!
//! No row has two events, so an edge runs along the row of its source to a lane between two columns, down the lane, and along the row of
//! its target, and crosses no box. Edges whose stretches of a gap overlap get lanes of their own, and a gap is as wide as its lanes. Reads-from,
//! coherence and from-reads inside a thread are not drawn: the text of a read says what it reads.

use super::columns::shorten;
use crate::report::Drawing;
use crate::report::formats::xml::escape;
use crate::verdict::Picture;
use crate::verdict::picture::{Edge, Origin, Row};

const ROW: f64 = 44.0;
const BOX_HEIGHT: f64 = 30.0;
const TOP: f64 = 74.0;
const LEFT: f64 = 44.0;
/// Room beside the lanes of a gap.
const MARGIN: f64 = 20.0;
/// Distance between lanes.
const LANE: f64 = 16.0;
/// Edges leave a box below its middle and arrive above it.
const SHIFT: f64 = 6.0;
const CHARACTER: f64 = 7.3;
/// Longer texts are cut; the whole text is in the tooltip.
const LONGEST: usize = 44;

const STYLE: &str = "
  svg { background: #ffffff; } text { font: 12px ui-monospace, monospace; fill: #1b1f24; }
  .title { font-weight: bold; } .head { font-weight: bold; } .source, .number { fill: #6e7781; font-size: 10px; }
  .event { fill: #f6f8fa; stroke: #8c959f; } .marked { stroke: #cf222e; stroke-width: 2.5; }
  .po { stroke: #8c959f; } path { fill: none; stroke-width: 1.6; stroke-linejoin: round; }
  .rf { stroke: #1a7f37; } .co { stroke: #0969da; stroke-dasharray: 5 3; } .fr { stroke: #b35900; stroke-dasharray: 2 3; } .shown { stroke: #8250df; } .other { stroke: #cf222e; stroke-width: 2.2; }
  .told { stroke-width: 3; } .name { font-size: 10px; paint-order: stroke; stroke: #ffffff; stroke-width: 4px; }
  .rf-text { fill: #1a7f37; } .co-text { fill: #0969da; } .fr-text { fill: #b35900; } .shown-text { fill: #8250df; } .other-text { fill: #cf222e; }
  .rf-head { fill: #1a7f37; } .co-head { fill: #0969da; } .fr-head { fill: #b35900; } .shown-head { fill: #8250df; } .other-head { fill: #cf222e; }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117; } text { fill: #e6edf3; } .source, .number { fill: #8d96a0; }
    .event { fill: #161b22; stroke: #6e7681; } .po { stroke: #6e7681; } .name { stroke: #0d1117; }
    .rf { stroke: #3fb950; } .co { stroke: #58a6ff; } .fr { stroke: #f0a35e; } .shown { stroke: #bc8cff; } .other { stroke: #f85149; } .marked { stroke: #f85149; }
    .rf-text { fill: #3fb950; } .co-text { fill: #58a6ff; } .fr-text { fill: #f0a35e; } .shown-text { fill: #bc8cff; } .other-text { fill: #f85149; }
    .rf-head { fill: #3fb950; } .co-head { fill: #58a6ff; } .fr-head { fill: #f0a35e; } .shown-head { fill: #bc8cff; } .other-head { fill: #f85149; }
  }";

/// The class of an edge: what everybody knows, relations that are shown, and what the finding is about.
fn class(picture: &Picture, edge: &Edge) -> &'static str {
    match edge.name.as_str() {
        "rf" => "rf",
        "co" => "co",
        "fr" => "fr",
        _ if picture.related.contains(edge) || picture.dependencies.contains(edge) => "shown",
        _ => "other",
    }
}

/// Whether edges of a class have their names beside them.
fn is_named(class: &str) -> bool {
    class == "shown" || class == "other"
}

/// An edge with its way.
struct Route<'e> {
    edge: &'e Edge,
    class: &'static str,
    /// The gap that its lane is in: the one at the right of this column.
    gap: usize,
    lane: usize,
}

/// Gives each edge that is drawn a gap and a lane.
fn routes<'e>(picture: &Picture, edges: &'e [Edge]) -> Vec<Route<'e>> {
    let column = |e: u32| picture.events.get(e as usize).map(|event| event.thread as usize);
    let mut routes: Vec<Route<'_>> = Vec::new();
    for edge in edges {
        let (Some(from), Some(to)) = (column(edge.from), column(edge.to)) else { continue };
        let class = class(picture, edge);
        if edge.from == edge.to || from == to && !is_named(class) {
            continue;
        }
        // Beside the target, on the side of the source.
        let gap = if from < to { to - 1 } else { to };
        let span = |e: &Edge| (e.from.min(e.to), e.from.max(e.to));
        let (first, last) = span(edge);
        let taken = |lane: usize| {
            routes.iter().any(|r| r.gap == gap && r.lane == lane && span(r.edge).0 <= last && first <= span(r.edge).1)
        };
        let lane = (0..).find(|&lane| !taken(lane)).unwrap_or(0);
        routes.push(Route { edge, class, gap, lane });
    }
    routes
}

/// Where the boxes are.
struct Layout {
    /// Left edge and width of each thread's boxes.
    columns: Vec<(f64, f64)>,
    width: f64,
    height: f64,
}

impl Layout {
    fn new(drawing: &Drawing<'_>, routes: &[Route<'_>]) -> Layout {
        let picture = drawing.picture;
        let mut x = LEFT;
        let mut columns = Vec::new();
        for (t, thread) in picture.threads.iter().enumerate() {
            let own: Vec<_> = picture.events.iter().filter(|e| e.thread as usize == t).collect();
            let head = thread.name.chars().count() + 1 + thread.function.chars().count();
            let texts =
                own.iter().flat_map(|e| [label(drawing, e).chars().count(), e.source.chars().count() * 4 / 5 + 5]);
            let characters = texts.chain([head]).max().unwrap_or(0).min(LONGEST);
            // A thread without events takes no room.
            let width = if own.is_empty() { 0.0 } else { characters as f64 * CHARACTER + 20.0 };
            columns.push((x, width));
            let lanes = routes.iter().filter(|r| r.gap == t).map(|r| r.lane + 1).max().unwrap_or(0);
            let names = routes.iter().filter(|r| r.gap == t && is_named(r.class));
            let name = names.map(|r| r.edge.name.chars().count()).max().unwrap_or(0) as f64 * 6.0;
            x += if own.is_empty() && lanes == 0 { 0.0 } else { width + 2.0 * MARGIN + LANE * lanes as f64 + name };
        }
        Layout { columns, width: x + 8.0, height: TOP + ROW * picture.events.len() as f64 + 16.0 }
    }

    fn row(row: usize) -> f64 {
        TOP + ROW * row as f64
    }
}

/// The drawing. What the finding is about has thick borders and lines.
pub fn picture(drawing: &Drawing<'_>) -> String {
    let &Drawing { picture, title, cycle, .. } = drawing;
    let edges = drawing.edges(false);
    let routes = routes(picture, &edges);
    let layout = Layout::new(drawing, &routes);
    let width = layout.width.max(title.chars().count() as f64 * CHARACTER + 2.0 * LEFT);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{:.0}\" viewBox=\"0 0 {width:.0} {:.0}\" role=\"img\">\n",
        layout.height, layout.height
    );
    out += &format!("<title>{}</title>\n<style>{STYLE}\n</style>\n", escape(title));
    out += "<defs>";
    for class in ["rf", "co", "fr", "shown", "other"] {
        out += &format!(
            "<marker id=\"{class}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerUnits=\"userSpaceOnUse\" markerWidth=\"10\" markerHeight=\"10\" orient=\"auto\"><path class=\"{class}-head\" d=\"M0,0 L8,4 L0,8 z\"/></marker>"
        );
    }
    out += "</defs>\n";
    out += &format!("<text class=\"title\" x=\"8\" y=\"20\">{}</text>\n", escape(title));
    threads(picture, &layout, &mut out);
    legend(&routes, &mut out);
    for route in &routes {
        out += &line(picture, &layout, route, cycle.contains(route.edge));
    }
    events(drawing, &layout, &mut out);
    // Names last, so that no line is drawn over them.
    for route in &routes {
        out += &name(&layout, route);
    }
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

fn events(drawing: &Drawing<'_>, layout: &Layout, out: &mut String) {
    for (i, event) in drawing.picture.events.iter().enumerate() {
        let Some(&(x, width)) = layout.columns.get(event.thread as usize) else { continue };
        let y = Layout::row(i) - BOX_HEIGHT / 2.0;
        let class = if drawing.marked.contains(&(i as u32)) { "event marked" } else { "event" };
        let place = event.place.as_ref().map(|p| format!("{}:{}", p.file, p.line)).unwrap_or_default();
        let line = event.place.as_ref().map(|p| format!("{}: ", p.line)).unwrap_or_default();
        *out += &format!(
            "<text class=\"number\" x=\"8\" y=\"{:.0}\">{}</text>\n<g><title>{}</title><rect class=\"{class}\" x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" height=\"{BOX_HEIGHT}\" rx=\"5\"/>",
            Layout::row(i) + 4.0,
            drawing.name(i as u32),
            escape(&format!("{place} {}", event.source)),
        );
        let room = ((width - 16.0) / CHARACTER) as usize;
        *out += &format!(
            "<text x=\"{:.0}\" y=\"{:.0}\">{}</text><text class=\"source\" x=\"{:.0}\" y=\"{:.0}\">{}</text></g>\n",
            x + 8.0,
            y + 13.0,
            escape(&shorten(&label(drawing, event), room.max(4))),
            x + 8.0,
            y + 25.0,
            escape(&shorten(&format!("{line}{}", event.source), (room * 6 / 5).max(4))),
        );
    }
}

/// The event, and for a read what it reads from.
fn label(drawing: &Drawing<'_>, event: &Row) -> String {
    match event.reads_from {
        Some(Origin::Initial) => event.label() + " (initial)",
        Some(Origin::Event(e)) => format!("{} ← {}", event.label(), drawing.name(e)),
        None => event.label(),
    }
}

/// What the colours mean, for those that are there.
fn legend(routes: &[Route<'_>], out: &mut String) {
    let mut x = 8.0;
    for (class, text) in
        [("rf", "rf: reads from"), ("co", "co: coherence order between threads"), ("fr", "fr: reads what comes before")]
    {
        if routes.iter().any(|r| r.class == class) {
            *out += &format!("<text class=\"name {class}-text\" x=\"{x:.0}\" y=\"34\">{text}</text>\n");
            x += text.chars().count() as f64 * 6.1 + 16.0;
        }
    }
}

/// The x coordinate of a lane.
fn lane(layout: &Layout, route: &Route<'_>) -> f64 {
    let (x, width) = layout.columns.get(route.gap).copied().unwrap_or_default();
    x + width + MARGIN + LANE * route.lane as f64
}

fn line(picture: &Picture, layout: &Layout, route: &Route<'_>, told: bool) -> String {
    let side = |e: u32| {
        let thread = picture.events.get(e as usize)?.thread as usize;
        let &(x, width) = layout.columns.get(thread)?;
        // The side of the box that the lane is at.
        Some(if thread <= route.gap { x + width } else { x })
    };
    let edge = route.edge;
    let (Some(start), Some(end)) = (side(edge.from), side(edge.to)) else { return String::new() };
    let (y1, y2) = (Layout::row(edge.from as usize) + SHIFT, Layout::row(edge.to as usize) - SHIFT);
    let (class, lane) = (route.class, lane(layout, route));
    let told = if told { " told" } else { "" };
    format!(
        "<path class=\"{class}{told}\" marker-end=\"url(#{class})\" d=\"M{start:.0},{y1:.0} L{lane:.0},{y1:.0} L{lane:.0},{y2:.0} L{end:.0},{y2:.0}\"/>\n"
    )
}

/// The name of an edge beside its lane; reads-from and coherence are told by their colours.
fn name(layout: &Layout, route: &Route<'_>) -> String {
    if !is_named(route.class) {
        return String::new();
    }
    let middle = (Layout::row(route.edge.from as usize) + Layout::row(route.edge.to as usize)) / 2.0 + 4.0;
    let x = lane(layout, route) + 4.0;
    format!(
        "<text class=\"name {}-text\" x=\"{x:.0}\" y=\"{middle:.0}\">{}</text>\n",
        route.class,
        escape(&route.edge.name)
    )
}

#[cfg(test)]
mod tests {
    use crate::report::drawn::svg::*;
    use crate::report::{Drawing, EVENT, sample};
    use crate::verdict::picture::{Action, Column, RowOrder};

    fn drawn(picture: &Picture, marked: &[u32]) -> String {
        let cycle = [picture.edges[0].clone()];
        super::picture(&Drawing {
            picture,
            title: "mp.c: <violated>",
            marked,
            cycle: &cycle,
            relations: None,
            numbers: None,
            letter: EVENT,
        })
    }

    #[test]
    fn draws_every_event_edge_and_thread() {
        let text = drawn(&sample::picture(), &[3]);
        assert_eq!(text.matches("<rect").count(), 4);
        // Reads-from, the race, and from-reads.
        assert_eq!(text.matches("marker-end").count(), 3);
        assert!(text.contains("path class=\"fr\""), "{text}");
        assert!(text.contains("event marked") && text.contains("class=\"rf told\""), "{text}");
        assert!(text.contains("&lt;violated&gt;") && !text.contains("<violated>"));
        assert_eq!(text.matches("class=\"head\"").count(), 2);
    }

    #[test]
    fn edges_that_overlap_have_lanes_of_their_own() {
        let mut picture = sample::picture();
        picture.edges.push(picture.edges[1].clone());
        let routes = super::routes(&picture, &picture.edges);
        let lanes: Vec<(usize, usize)> = routes.iter().map(|r| (r.gap, r.lane)).collect();
        assert_eq!(lanes, [(0, 0), (0, 1), (0, 2)]);
    }

    /// So many events by so many threads, with long names and many edges.
    fn large(events: u32, threads: u32) -> Picture {
        let mut picture = sample::picture();
        let column = |t: u32| Column {
            name: format!("T{t}"),
            function: "a_function_of_its_own".into(),
            end: None,
            fails: false,
        };
        picture.threads = (0..threads).map(column).collect();
        let row = |e: u32| {
            let mut row = picture.events[(e % 4) as usize].clone();
            (row.thread, row.location) = (e * 7 % threads, Some(format!("nodes[{e}].waiting_for_the_next")));
            row.action = if e.is_multiple_of(3) { Action::Write } else { Action::Read };
            row.reads_from = None;
            row
        };
        picture.events = (0..events).map(row).collect();
        let name = |e: u32| ["rf", "co", "fr", "data-race"][(e % 4) as usize].to_owned();
        let edge = |e: u32| Edge { from: e, to: (e * 7 + 3) % events, name: name(e) };
        picture.edges = (1..events).map(edge).filter(|e| e.from != e.to).collect();
        picture.order = RowOrder::Causal;
        picture
    }

    /// The number after `name="` in an element.
    fn number(element: &str, name: &str) -> f64 {
        let rest = element.split_once(&format!(" {name}=\"")).expect("an attribute").1;
        rest.split('"').next().and_then(|n| n.parse().ok()).expect("a number")
    }

    /// Left, top, right, bottom.
    type Area = (f64, f64, f64, f64);

    fn boxes(text: &str) -> Vec<Area> {
        let element = |part: &str| {
            let (x, y) = (number(part, "x"), number(part, "y"));
            (x, y, x + number(part, "width"), y + number(part, "height"))
        };
        text.split("<rect").skip(1).map(element).collect()
    }

    fn overlap(a: Area, b: Area) -> bool {
        a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
    }

    /// The straight pieces of the edges, as areas without breadth; their ends, which touch boxes, are cut off.
    fn pieces(text: &str) -> Vec<Area> {
        let mut pieces = Vec::new();
        for path in text.split("<path").skip(1).filter(|p| p.contains("marker-end")) {
            let way = path.split_once(" d=\"M").expect("a way").1.split('"').next().expect("its end");
            let points: Vec<(f64, f64)> = way
                .split(" L")
                .filter_map(|p| p.split_once(','))
                .map(|(x, y)| (x.parse().expect("a number"), y.parse().expect("a number")))
                .collect();
            for pair in points.windows(2) {
                let ((x1, y1), (x2, y2)) = (pair[0], pair[1]);
                pieces.push((x1.min(x2) + 1.0, y1.min(y2) - 0.5, x1.max(x2) - 1.0, y1.max(y2) + 0.5));
            }
        }
        pieces
    }

    #[test]
    fn nothing_lies_over_anything_else() {
        for (events, threads) in [(10, 2), (10, 4), (60, 3), (60, 8)] {
            let picture = large(events, threads);
            let text = drawn(&picture, &[1]);
            let boxes = boxes(&text);
            assert_eq!(boxes.len(), events as usize);
            let (width, height) = (number(&text, "width"), number(&text, "height"));
            for (i, &a) in boxes.iter().enumerate() {
                assert!(a.0 >= 0.0 && a.1 >= 0.0 && a.2 <= width && a.3 <= height, "{a:?} is outside");
                assert!(boxes[i + 1..].iter().all(|&b| !overlap(a, b)), "{a:?} is covered");
            }
            for piece in pieces(&text) {
                assert!(boxes.iter().all(|&b| !overlap(piece, b)), "{piece:?} crosses a box");
                assert!(piece.2 <= width && piece.3 <= height, "{piece:?} is outside");
            }
            texts_are_inside(&text, &boxes, width);
        }
    }

    /// The texts of a box fit into it, and no text goes beyond the picture.
    fn texts_are_inside(text: &str, boxes: &[Area], width: f64) {
        for (element, area) in text.split("<rect").skip(1).zip(boxes) {
            for part in element.split("<text").skip(1).take(2) {
                let content = part.split_once('>').and_then(|(_, rest)| rest.split_once("</text>")).expect("a text").0;
                let characters =
                    content.replace("&lt;", "<").replace("&amp;", "&").replace("&quot;", "\"").chars().count();
                let character = if part.contains("class=\"source\"") { 6.1 } else { CHARACTER };
                let end = number(part, "x") + characters as f64 * character;
                assert!(end <= area.2 + 1.0, "{content} ends at {end}, its box at {}", area.2);
                assert!(end <= width, "{content} is cut");
            }
        }
    }

    #[test]
    fn every_colour_has_one_for_the_dark() {
        let (light, dark) = STYLE.split_once("@media (prefers-color-scheme: dark)").expect("both");
        for class in [
            ".rf {",
            ".co {",
            ".fr {",
            ".other {",
            ".marked {",
            ".event {",
            ".po {",
            "text {",
            "svg {",
            ".rf-text {",
            ".co-text {",
            ".other-text {",
            ".rf-head {",
        ] {
            assert!(light.contains(class) && dark.contains(class), "{class} is missing");
        }
    }
}
