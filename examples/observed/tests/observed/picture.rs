//! Pictures as SVG, and the ones that the repository keeps.

use std::fs;
use std::path::PathBuf;

pub(crate) const WIDTH: usize = 960;
pub(crate) const ROW: usize = 22;

/// The colours of the rows of a picture.
pub(crate) const BLUE: &str = "#3b6ea8";
pub(crate) const GREEN: &str = "#3f8f5b";
pub(crate) const ORANGE: &str = "#c27a2c";
pub(crate) const RED: &str = "#b5443c";

/// An SVG in the making.
#[derive(Default)]
pub(crate) struct Svg(String);

impl Svg {
    pub(crate) fn text(&mut self, (x, y): (usize, usize), size: usize, text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        self.0 += &format!("<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{text}</text>\n");
    }

    pub(crate) fn bar(&mut self, (x, y): (f64, usize), width: f64, colour: &str) {
        let width = width.max(1.0);
        self.0 += &format!(
            "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"14\" rx=\"2\" fill=\"{colour}\"/>\n"
        );
    }

    pub(crate) fn finish(self, height: usize) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
             fill=\"#222\">\n<rect width=\"{WIDTH}\" height=\"{height}\" fill=\"#fff\"/>\n{}</svg>\n",
            self.0
        )
    }
}

/// Compares a picture with the kept one, of which only the measured numbers may differ, and returns the kept one.
/// `AGUI_UPDATE=1` keeps the new one.
pub(crate) fn keep(name: &str, svg: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("pictures").join(format!("{name}.svg"));
    if std::env::var_os("AGUI_UPDATE").is_some() {
        fs::write(&path, svg).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    let update = format!("run with AGUI_UPDATE=1, and look at {}", path.display());
    assert_eq!(without_numbers(&kept), without_numbers(svg), "{update}");
    kept
}

/// Returns a picture without its measured numbers: those with a decimal point.
fn without_numbers(svg: &str) -> String {
    let is_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let mut text = String::new();
    let mut rest = svg;
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        let end = from.find(|letter| !is_number(letter)).unwrap_or(from.len());
        let (number, after) = from.split_at(end);
        text += before;
        text += if number.contains('.') { "#" } else { number };
        rest = after;
    }
    text + rest
}

#[test]
fn only_measured_numbers_may_differ() {
    assert_eq!(without_numbers("x=\"12.5\" y=\"40\">35.2 ms"), without_numbers("x=\"9.0\" y=\"40\">7.1 ms"));
    assert_ne!(without_numbers("3 runs"), without_numbers("4 runs"));
}
