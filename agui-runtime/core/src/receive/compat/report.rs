//! The path of a change in a frame, for its warning.

use serde_json::Value;

use crate::receive::place::FramePath;
use crate::receive::{FrameWarning, WarningKind};

/// The current event, the path in the event, and the warning function.
pub(super) struct WarningReporter<'a> {
    event: &'a str,
    place: FramePath,
    warn: &'a mut dyn FnMut(FrameWarning),
}

impl<'a> WarningReporter<'a> {
    pub(super) fn new(event: &'a str, warn: &'a mut dyn FnMut(FrameWarning)) -> Self {
        Self { event, place: FramePath::default(), warn }
    }

    pub(super) fn event(&self) -> &'a str {
        self.event
    }

    /// Reports a change at this path.
    pub(super) fn warn(&mut self, what: WarningKind) {
        (self.warn)(FrameWarning::new(self.event, self.place.as_str(), what));
    }

    /// Calls `visit` one step deeper.
    pub(super) fn at<T>(&mut self, segment: impl std::fmt::Display, visit: impl FnOnce(&mut Self) -> T) -> T {
        let above = self.place.enter(segment);
        let result = visit(self);
        self.place.leave(&above);
        result
    }

    /// Calls `visit` with every element in the list under `key`, if there is such a list.
    pub(super) fn each(
        &mut self,
        value: &mut Value,
        key: &str,
        mut visit: impl FnMut(&mut Value, &mut Self),
    ) {
        let Some(Value::Array(items)) = value.get_mut(key) else { return };
        self.at(key, |report| {
            for (index, item) in items.iter_mut().enumerate() {
                report.at(index, |report| visit(item, report));
            }
        });
    }
}
