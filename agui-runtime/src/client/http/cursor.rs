//! The ids of the events of a run, as servers that store threads write them.

use std::fmt::Write as _;

use crate::protocol::RunId;

/// Recognizes the ids of one run: `<run>.<number>`. Other servers number their events in other ways, and would start
/// a second run where this one is to be continued.
pub(super) struct RunCursors {
    start: String,
}

impl RunCursors {
    pub(super) fn of(run: &RunId) -> Self {
        let mut start = String::new();
        for byte in run.as_str().bytes() {
            if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~') {
                start.push(char::from(byte));
            } else {
                // Writing to a string cannot fail.
                let _ = write!(start, "%{byte:02X}");
            }
        }
        start.push('.');
        Self { start }
    }

    pub(super) fn contains(&self, id: &str) -> bool {
        let number = id.strip_prefix(&self.start);
        number.is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_other_servers_are_not_taken_for_places_of_a_run() {
        let cursors = RunCursors::of(&"trip 7.é".into());
        assert!(cursors.contains("trip%207%2E%C3%A9.42"));
        for other in ["42", "7", "", "trip%207%2E%C3%A9.", "trip%207%2E%C3%A9.4x", "trip 7.é.42", "q.1"] {
            assert!(!cursors.contains(other), "{other}");
        }
    }
}
