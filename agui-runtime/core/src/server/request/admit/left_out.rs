//! Parts that were left out of an input.

use std::collections::HashMap;

use serde_path_to_error::{Path, Segment};

use crate::quoted::quoted;
use crate::receive::{FrameWarning, WarningKind};
use crate::server::request::json_path;

/// Log lines that one input may cause; further findings are only counted.
const LINES: usize = 8;

/// Deviations from AG-UI 1.0 in an input, for the log: the first ones, and the total.
#[derive(Debug, Default)]
pub(in crate::server) struct InputFindings {
    first: Vec<FrameWarning>,
    count: usize,
}

/// The number of findings at some point, to go back to.
#[derive(Clone, Copy)]
pub(super) struct FindingsMark(usize);

impl InputFindings {
    pub(in crate::server) fn push(&mut self, warning: FrameWarning) {
        self.count += 1;
        if self.first.len() < LINES {
            self.first.push(warning);
        }
    }

    pub(super) fn push_at(&mut self, place: &str, what: WarningKind) {
        self.push(FrameWarning::new("", quoted(place).to_string(), what));
    }

    pub(super) fn mark(&self) -> FindingsMark {
        FindingsMark(self.count)
    }

    /// Removes the findings since `mark`.
    pub(super) fn back_to(&mut self, mark: FindingsMark) {
        self.count = mark.0;
        self.first.truncate(mark.0);
    }

    pub(in crate::server) fn log(self) {
        let rest = self.count - self.first.len();
        for warning in self.first {
            tracing::warn!(path = %quoted(warning.path()), "{}", quoted(&warning));
        }
        if rest > 0 {
            tracing::warn!(places = rest, "more parts of the input are left out or converted to 1.0");
        }
    }
}

/// List elements that were removed, so that errors name the path that the client sent.
#[derive(Debug, Default)]
pub(in crate::server) struct RemovedElements {
    /// Removed indices in ascending order, by the list's path in the converted input.
    gone: HashMap<String, Vec<usize>>,
}

impl RemovedElements {
    /// Records that the list at `list` in the converted input lost the element at `index` of the sent list.
    pub(super) fn record_removal(&mut self, list: &str, index: usize) {
        match self.gone.get_mut(list) {
            Some(gone) => gone.push(index),
            None => drop(self.gone.insert(list.to_owned(), vec![index])),
        }
    }

    /// Returns a path of the converted input as a path in the sent document.
    pub(in crate::server) fn sent_path(&self, path: &Path) -> String {
        let mut text = String::new();
        let mut remains = String::new();
        for segment in path {
            let index = match segment {
                Segment::Seq { index } => {
                    let sent = self.gone.get(&remains).map_or(*index, |gone| sent_index(*index, gone));
                    remains.push_str(&format!("/{index}"));
                    Some(sent)
                }
                Segment::Map { key } => {
                    remains.push_str(&format!("/{key}"));
                    None
                }
                Segment::Enum { .. } | Segment::Unknown => None,
            };
            json_path::push(&mut text, segment, index);
        }
        json_path::or_root(text)
    }
}

/// Returns the sent index of an element. `gone` has the removed indices in ascending order.
fn sent_index(index: usize, gone: &[usize]) -> usize {
    gone.iter().fold(index, |index, gone| if *gone <= index { index + 1 } else { index })
}
