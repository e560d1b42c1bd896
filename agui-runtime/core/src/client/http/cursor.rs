//! Event ids as servers that store threads write them.

use std::fmt::Write as _;

use crate::protocol::RunId;

/// Recognizes one run's event ids: `<run>.<number>`. Servers with other ids would start a second run where the client means to
/// continue this one.
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
