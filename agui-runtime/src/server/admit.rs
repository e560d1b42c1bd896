//! What an input may hold that is not AG-UI 1.0, and yet is no reason to refuse it: retired shapes and unknown material, as a client
//! reads them in events.

use serde_json::Value;
use serde_path_to_error::{Path, Segment};

use super::place;
use crate::protocol::RunAgentInput;
use crate::receive::enforce::leave_out_unknown;
use crate::receive::{Compat, What};

/// Brings retired shapes up to date and leaves out what is unknown; gives what is gone.
pub(super) fn admit(input: &mut Value) -> LeftOut {
    let mut left_out = LeftOut::default();
    Compat::input(input, &mut |warning| {
        if *warning.what() == What::Repeated {
            left_out.repeated.push(warning.path().to_owned());
        } else {
            tracing::warn!(path = warning.path(), "{warning}");
        }
    });
    left_out.unknown = leave_out_unknown::<RunAgentInput>(input);
    for path in &left_out.unknown {
        tracing::warn!(path, "left out of the input: AG-UI 1.0 does not know it");
    }
    left_out
}

/// Where something was left out, so that the places in what remains can be told as the client counts them.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    /// First went these, by their places in the document as it was sent.
    repeated: Vec<String>,
    /// Then these, by their places in what was left.
    unknown: Vec<String>,
}

impl LeftOut {
    /// A place in the document as the client sent it.
    pub(super) fn original(&self, path: &Path) -> String {
        let mut text = String::new();
        let (mut as_sent, mut as_left) = (String::new(), String::new());
        for segment in path {
            let index = match segment {
                Segment::Seq { index } => {
                    let left = counted(*index, &as_left, &self.unknown);
                    let sent = counted(left, &as_sent, &self.repeated);
                    as_left.push_str(&format!("/{left}"));
                    as_sent.push_str(&format!("/{sent}"));
                    Some(sent)
                }
                Segment::Map { key } => {
                    as_left.push_str(&format!("/{key}"));
                    as_sent.push_str(&format!("/{key}"));
                    None
                }
                Segment::Enum { .. } | Segment::Unknown => None,
            };
            place::push(&mut text, segment, index);
        }
        place::or_root(text)
    }
}

/// The place an element of a list had before others of that list went. Those that went are told in ascending order.
fn counted(index: usize, list: &str, gone: &[String]) -> usize {
    let in_list = |place: &String| place.strip_prefix(list)?.strip_prefix('/')?.parse::<usize>().ok();
    let gone = gone.iter().filter_map(in_list);
    gone.fold(index, |index, gone| if gone <= index { index + 1 } else { index })
}
