//! What was left out of an input.

use std::collections::HashMap;

use serde_path_to_error::{Path, Segment};

use crate::receive::{Warning, What};
use crate::server::excerpt::excerpt;
use crate::server::place;

/// So many lines one input may write into the log, before the rest is counted.
const LINES: usize = 8;

/// What an input says that is not AG-UI 1.0, for the log: the first few places, and how many there are.
#[derive(Debug, Default)]
pub(in crate::server) struct News {
    first: Vec<Warning>,
    count: usize,
}

/// How much there was to say.
#[derive(Clone, Copy)]
pub(super) struct Mark(usize);

impl News {
    pub(in crate::server) fn say(&mut self, warning: Warning) {
        self.count += 1;
        if self.first.len() < LINES {
            self.first.push(warning);
        }
    }

    pub(super) fn add(&mut self, place: &str, what: What) {
        self.say(Warning::new("", excerpt(place), what));
    }

    pub(super) fn mark(&self) -> Mark {
        Mark(self.count)
    }

    /// Takes back what was said since.
    pub(super) fn back_to(&mut self, mark: Mark) {
        self.count = mark.0;
        self.first.truncate(mark.0);
    }

    pub(in crate::server) fn log(self) {
        let rest = self.count - self.first.len();
        for warning in self.first {
            tracing::warn!(path = %excerpt(warning.path()), "{}", excerpt(&warning.to_string()));
        }
        if rest > 0 {
            tracing::warn!(places = rest, "more of the input is left out or brought up to date");
        }
    }
}

/// The elements that lists lost, so that places in what remains can be told as the client counts them.
#[derive(Debug, Default)]
pub(in crate::server) struct LeftOut {
    /// By the place of the list in what remains; in ascending order.
    gone: HashMap<String, Vec<usize>>,
}

impl LeftOut {
    /// Notes that the list at a place in what remains lost the element that was sent there.
    pub(super) fn note(&mut self, list: &str, index: usize) {
        match self.gone.get_mut(list) {
            Some(gone) => gone.push(index),
            None => drop(self.gone.insert(list.to_owned(), vec![index])),
        }
    }

    /// A place in the document as the client sent it.
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
            place::push(&mut text, segment, index);
        }
        place::or_root(text)
    }
}

/// The place an element of a list had before others of that list went. Those that went are told in ascending order.
fn counted(index: usize, gone: &[usize]) -> usize {
    gone.iter().fold(index, |index, gone| if *gone <= index { index + 1 } else { index })
}
