//! A picture as a person reads it: rows of texts with a bar.

use super::CALLER;
use super::collector::{Span, below};
use super::picture::{ROW, WIDTH};
use super::prometheus::Metrics;

/// The pixels by which a bar may be wrong: coordinates have one decimal, and the shortest bar is a pixel wide.
const PIXEL: f64 = 1.05;

#[derive(Debug)]
struct Row {
    column: usize,
    y: usize,
    left: f64,
    width: f64,
    texts: Vec<String>,
}

/// Returns the rows of a picture with one column or several.
fn rows(svg: &str, columns: usize) -> Vec<Row> {
    let column = |x: f64| x as usize * columns / WIDTH;
    let bars = svg.lines().filter(|line| line.starts_with("<rect x="));
    let mut rows: Vec<_> = bars
        .map(|line| {
            let (left, y) = (number(line, "x"), number(line, "y") as usize);
            Row { column: column(left), y, left, width: number(line, "width"), texts: Vec::new() }
        })
        .collect();
    for line in svg.lines().filter(|line| line.starts_with("<text ")) {
        // The foot of a text is eleven pixels below the top of its bar.
        let place = (column(number(line, "x")), number(line, "y") as usize - 11);
        if let Some(row) = rows.iter_mut().find(|row| (row.column, row.y) == place) {
            let text = line.split_once('>').unwrap().1.strip_suffix("</text>").unwrap();
            row.texts.push(text.to_owned());
        }
    }
    rows
}

fn number(line: &str, attribute: &str) -> f64 {
    let (_, rest) = line.split_once(&format!(" {attribute}=\"")).unwrap();
    rest.split('"').next().unwrap().parse().unwrap()
}

/// Returns the number at the beginning of a text, such as that of `12.5 ms`.
fn shown(text: &str) -> f64 {
    text.split(' ').next().unwrap().parse().unwrap()
}

/// Checks that the bars and the times of a picture are those of a trace.
pub(crate) fn check_trace(svg: &str, trace: &[Span]) {
    let spans = below(trace, CALLER, 0);
    let rows = rows(svg, 1);
    assert_eq!(rows.len(), spans.len(), "{svg}");
    let (_, request) = &spans[0];
    let pixels = rows[0].width / (request.end - request.begin) as f64;
    for (row, (_, span)) in rows.iter().zip(&spans) {
        let taken = (span.end - span.begin) as f64;
        assert_eq!(row.texts, [span.name.clone(), format!("{:.1} ms", taken / 1e6)]);
        let left = rows[0].left + (span.begin - request.begin) as f64 * pixels;
        assert!((row.left - left).abs() < PIXEL, "{row:?} does not begin at {left}");
        assert!((row.width - taken * pixels).abs() < PIXEL, "{row:?} is not {} wide", taken * pixels);
    }
}

/// Checks that the bars of a dashboard are as long as its numbers say, and that the numbers are those of a scrape.
pub(crate) fn check_dashboard(svg: &str, metrics: &Metrics) {
    check_proportions(svg, 2);
    let rows = rows(svg, 2);
    let of = |name: &str, labels: &str| metrics.value(name, labels).unwrap();
    let mean = |name: &str, labels: &str| {
        1e3 * of(&format!("{name}_sum"), labels) / of(&format!("{name}_count"), labels)
    };
    let tool = |name: &str| format!(r#"gen_ai_tool_name="{name}",gen_ai_tool_type="function""#);
    let runs = "gen_ai_invoke_agent_duration_count";
    for (name, expected) in [
        ("success", of(runs, r#"gen_ai_agent_name="cook""#)),
        ("model_failed", of(runs, r#"gen_ai_agent_name="cook",error_type="model_failed""#)),
        ("price", mean("gen_ai_execute_tool_duration", &tool("price"))),
        ("pantry", mean("gen_ai_execute_tool_duration", &tool("pantry"))),
        ("invalid_json", of("agui_requests_refused_total", r#"code="invalid_json""#)),
        ("RUN_STARTED", of("agui_events_total", r#"type="RUN_STARTED""#)),
        ("TEXT_MESSAGE_CONTENT", of("agui_events_total", r#"type="TEXT_MESSAGE_CONTENT""#)),
    ] {
        let row =
            rows.iter().find(|row| row.texts[0] == name).unwrap_or_else(|| panic!("no {name}: {rows:#?}"));
        assert!((shown(&row.texts[1]) - expected).abs() < 0.051, "{row:?} is not {expected}");
    }
}

/// Checks that within each panel the bars have the proportions of their numbers.
pub(crate) fn check_proportions(svg: &str, columns: usize) {
    let mut rows = rows(svg, columns);
    rows.sort_by_key(|row| (row.column, row.y));
    assert!(rows.len() > 3, "{svg}");
    // The rows of a panel are next to each other.
    for panel in rows.chunk_by(|above, below| above.column == below.column && above.y + ROW == below.y) {
        let most = panel.iter().max_by(|a, b| a.width.total_cmp(&b.width)).unwrap();
        // Times are shown with one decimal.
        let room = PIXEL + 0.05 * most.width / shown(&most.texts[1]);
        for row in panel {
            let width = shown(&row.texts[1]) / shown(&most.texts[1]) * most.width;
            assert!((row.width - width).abs() < room, "{row:?} is not {width} wide, beside {most:?}");
        }
    }
}
