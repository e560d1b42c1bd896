//! The records at which a run starts and ends, told from their first bytes.

use std::borrow::Cow;
use std::fmt;

use serde::Deserializer as _;
use serde::de::{IgnoredAny, MapAccess, Visitor};

use crate::protocol::RunId;

pub(super) fn starts_run(record: &[u8]) -> bool {
    record.starts_with(br#"{"type":"RUN_STARTED""#)
}

/// Returns the id of the run that an event starts, and parses nothing further: `runId` is one of the first members.
pub(super) fn started_run_id(record: &[u8]) -> Option<RunId> {
    let mut run = None;
    // It stops at the member, which serde_json takes for an error.
    let _ = serde_json::Deserializer::from_slice(record).deserialize_map(RunIdVisitor(&mut run));
    run
}

/// Stops parsing at the run id.
struct RunIdVisitor<'r>(&'r mut Option<RunId>);

impl<'de> Visitor<'de> for RunIdVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the start of a run")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut members: M) -> Result<(), M::Error> {
        while let Some(name) = members.next_key::<Cow<'de, str>>()? {
            if name == "runId" {
                *self.0 = Some(members.next_value()?);
                return Ok(());
            }
            members.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

pub(in crate::server::threads) fn is_run_end(record: &[u8]) -> bool {
    record.starts_with(br#"{"type":"RUN_FINISHED""#) || record.starts_with(br#"{"type":"RUN_ERROR""#)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{RunAgentInput, RunStartedEvent, UserMessage};
    use crate::server::threads::conversation::record::event_record;

    #[test]
    fn the_run_of_a_start_is_found_whatever_follows() {
        let input = RunAgentInput::new("t", "another", [UserMessage::new("u", "\"runId\":\"x\"").into()]);
        let started = RunStartedEvent::new("a \"t\"", "r \"1\"").with_input(Box::new(input));
        let record = event_record(&started.into());
        assert_eq!(started_run_id(&record), Some("r \"1\"".into()));
        assert_eq!(started_run_id(br#"{"type":"RUN_STARTED","runId":7}"#), None);
        assert_eq!(started_run_id(br#"{"type":"RUN_STARTED""#), None);
    }
}
