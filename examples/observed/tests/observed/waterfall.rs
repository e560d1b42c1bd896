//! A trace as a picture: a row for each span, in the order in which they began.

use super::CALLER;
use super::collector::{Span, below};
use super::picture::{BLUE, GREEN, ORANGE, RED, ROW, Svg, WIDTH};

/// The place of the bars.
const LEFT: usize = 260;
const RIGHT: usize = WIDTH - 90;

pub(crate) fn draw(trace: &[Span]) -> String {
    let rows = below(trace, CALLER, 0);
    let begin = rows.iter().map(|(_, span)| span.begin).min().unwrap();
    let end = rows.iter().map(|(_, span)| span.end).max().unwrap();
    let scale = (RIGHT - LEFT) as f64 / (end - begin) as f64;
    let mut svg = Svg::default();
    svg.text((16, 28), 16, "One run with a model and two tools");
    for (row, (depth, span)) in rows.iter().enumerate() {
        let y = 56 + row * ROW;
        svg.text((16 + depth * 14, y + 11), 12, &span.name);
        let (from, to) = ((span.begin - begin) as f64 * scale, (span.end - begin) as f64 * scale);
        let bar = (LEFT as f64 + from, y);
        svg.bar(bar, to - from, colour(span));
        let millis = (span.end - span.begin) as f64 / 1e6;
        svg.text((RIGHT + 10, y + 11), 12, &format!("{millis:.1} ms"));
    }
    svg.finish(56 + rows.len() * ROW + 12)
}

fn colour(span: &Span) -> &'static str {
    match span.name.split(' ').next() {
        _ if span.is_error => RED,
        Some("chat") => ORANGE,
        Some("execute_tool") => GREEN,
        _ => BLUE,
    }
}
