//! A dashboard as a picture: panels of bars, from one scrape.

use super::picture::{BLUE, GREEN, ORANGE, RED, ROW, Svg, WIDTH};
use super::prometheus::{Metrics, label};

/// The place of the bars, within a panel that is half as wide as the picture.
const PANEL: usize = WIDTH / 2;
const LEFT: usize = 190;
const LONGEST: f64 = 190.0;

struct Panel {
    title: &'static str,
    colour: &'static str,
    bars: Vec<Bar>,
}

#[derive(Clone)]
struct Bar {
    name: String,
    value: f64,
    shown: String,
}

pub(crate) fn draw(metrics: &Metrics) -> String {
    let panels = [
        Panel { title: "Runs by their end", colour: BLUE, bars: ends(metrics) },
        Panel { title: "Tokens", colour: ORANGE, bars: tokens(metrics) },
        Panel {
            title: "Mean duration of tools and models",
            colour: GREEN,
            bars: [
                means(metrics, "gen_ai_execute_tool_duration", "gen_ai_tool_name"),
                means(metrics, "gen_ai_client_operation_duration", "gen_ai_request_model"),
            ]
            .concat(),
        },
        Panel {
            title: "Refused requests",
            colour: RED,
            bars: counts(metrics, "agui_requests_refused_total", "code"),
        },
        Panel { title: "Events by type", colour: BLUE, bars: counts(metrics, "agui_events_total", "type") },
    ];
    let mut svg = Svg::default();
    svg.text((16, 28), 16, "The server after four requests");
    let mut heights = [56, 56];
    for panel in &panels {
        let column = usize::from(heights[1] < heights[0]);
        heights[column] += place(&mut svg, (column * PANEL, heights[column]), panel);
    }
    svg.finish(heights[0].max(heights[1]))
}

/// Draws a panel, and returns its height.
fn place(svg: &mut Svg, (x, y): (usize, usize), panel: &Panel) -> usize {
    svg.text((x + 16, y + 12), 13, panel.title);
    let most = panel.bars.iter().map(|bar| bar.value).fold(f64::MIN_POSITIVE, f64::max);
    for (row, bar) in panel.bars.iter().enumerate() {
        let y = y + 24 + row * ROW;
        svg.text((x + 16, y + 11), 11, &bar.name);
        svg.bar(((x + LEFT) as f64, y), bar.value / most * LONGEST, panel.colour);
        svg.text((x + LEFT + 200, y + 11), 11, &bar.shown);
    }
    24 + panel.bars.len() * ROW + 20
}

fn sorted(mut bars: Vec<Bar>) -> Vec<Bar> {
    bars.sort_by(|a, b| a.name.cmp(&b.name));
    bars
}

fn ends(metrics: &Metrics) -> Vec<Bar> {
    let runs = metrics.all("gen_ai_invoke_agent_duration_count");
    sorted(
        runs.map(|(labels, count)| {
            let name = label(labels, "error_type").unwrap_or("success").to_owned();
            Bar { name, value: count, shown: count.to_string() }
        })
        .collect(),
    )
}

fn counts(metrics: &Metrics, metric: &str, by: &str) -> Vec<Bar> {
    let bars = metrics.all(metric).filter(|(_, count)| *count > 0.0).map(|(labels, count)| Bar {
        name: label(labels, by).unwrap().to_owned(),
        value: count,
        shown: count.to_string(),
    });
    sorted(bars.collect())
}

fn tokens(metrics: &Metrics) -> Vec<Bar> {
    let bars = metrics.all("gen_ai_client_token_usage_sum").map(|(labels, tokens)| {
        let name = label(labels, "gen_ai_token_type").unwrap().to_owned();
        Bar { name, value: tokens, shown: tokens.to_string() }
    });
    sorted(bars.collect())
}

fn means(metrics: &Metrics, metric: &str, by: &str) -> Vec<Bar> {
    let sums = format!("{metric}_sum");
    let sums = metrics.all(&sums).filter(|(labels, _)| !labels.contains("error_type"));
    let bars = sums.map(|(labels, sum)| {
        let mean = sum / metrics.value(&format!("{metric}_count"), labels).unwrap();
        let name = label(labels, by).unwrap().to_owned();
        Bar { name, value: mean, shown: format!("{:.1} ms", mean * 1e3) }
    });
    sorted(bars.collect())
}
