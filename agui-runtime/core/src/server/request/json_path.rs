//! Paths in an input, in JavaScript notation: `messages[0].content`.

use std::fmt::Write;

#[cfg(feature = "dialect")]
use serde_path_to_error::Path;
use serde_path_to_error::Segment;

/// The whole document's path.
pub(in crate::server) const ROOT: &str = ".";

/// Returns a path as text.
#[cfg(feature = "dialect")]
pub(in crate::server) fn written(path: &Path) -> String {
    let mut text = String::new();
    for segment in path {
        push(&mut text, segment, None);
    }
    or_root(text)
}

/// Appends one step; `index` replaces the index of a sequence step.
pub(super) fn push(text: &mut String, segment: &Segment, index: Option<usize>) {
    match segment {
        Segment::Seq { index: found } => {
            // Writing to a string cannot fail.
            let _ = write!(text, "[{}]", index.unwrap_or(*found));
        }
        Segment::Map { key: name } | Segment::Enum { variant: name } => {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(name);
        }
        Segment::Unknown => {}
    }
}

pub(super) fn or_root(text: String) -> String {
    if text.is_empty() { ROOT.to_owned() } else { text }
}
