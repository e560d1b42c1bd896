//! The parts that were left out of an input.

use std::collections::HashMap;

use serde_path_to_error::{Path, Segment};

use crate::quoted::quoted;
use crate::receive::{Warning, WarningKind};
use crate::server::request::json_path;

/// The number of log lines that one input may cause; further findings are only counted.
const LINES: usize = 8;

/// The findings in an input that are not AG-UI 1.0, for the log: the first ones, and their number.
#[derive(Debug, Default)]
pub(in crate::server) struct Findings {
    first: Vec<Warning>,
    count: usize,
}

/// A number of findings.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl Findings {
    pub(in crate::server) fn say(&mut self, warning: Warning) {
        self.count += 1;
        if self.first.len() < LINES {
            self.first.push(warning);
        }
    }

    pub(super) fn add(&mut self, place: &str, what: WarningKind) {
        self.say(Warning::new("", quoted(place).to_string(), what));
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.count)
    }

    /// Removes the findings since `mark`.
    pub(super) fn back_to(&mut self, mark: Mark) {
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

/// The elements that were removed from lists, so that places in the result can be reported as the client counts them.
#[derive(Debug, Default)]
pub(in crate::server) struct LeftOut {
    /// By the place of the list in the result; in ascending order.
    gone: HashMap<String, Vec<usize>>,
}

impl LeftOut {
    /// Records that the list at a place in the result lost the element at `index` of the sent list.
    pub(super) fn note(&mut self, list: &str, index: usize) {
        match self.gone.get_mut(list) {
            Some(gone) => gone.push(index),
            None => drop(self.gone.insert(list.to_owned(), vec![index])),
        }
    }

    /// Returns a place in the document as the client sent it.
    pub(in crate::server) fn original(&self, path: &Path) -> String {
        let mut text = String::new();
        let mut remains = String::new();
        for segment in path {
            let index = match segment {
                Segment::Seq { index } => {
                    let sent = self.gone.get(&remains).map_or(*index, |gone| counted(*index, gone));
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

/// Returns the index of an element before others of its list were removed. `gone` is in ascending order.
fn counted(index: usize, gone: &[usize]) -> usize {
    gone.iter().fold(index, |index, gone| if *gone <= index { index + 1 } else { index })
}
