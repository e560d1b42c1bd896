//! Answers that come under the id of the run that asked: CopilotKit's `useInterrupt` sends them so, though AG-UI 1.0 says
//! that the id of a run is never used again on its thread. The run that they start gets an id of its own.

use super::conversation::note::Note;
use crate::protocol::{RunAgentInput, RunId};
use crate::thread::Cursor;

/// The length of the part of the request's digest that makes the new id.
const DIGITS: usize = 16;

/// Returns the new id if a request answers questions under the id of an earlier run. The same request, sent again, gets the
/// same id.
pub(super) fn own_id(
    note: &Note,
    input: &RunAgentInput,
    cursor: Option<&Cursor>,
    request: &str,
) -> Option<RunId> {
    let earlier = note.run(&input.run_id).filter(|run| run.request != request)?;
    let reads_earlier = cursor.is_some_and(|cursor| *cursor.run() == earlier.id);
    let digits = request.get(..DIGITS).unwrap_or(request);
    let answers = !input.resume().is_empty();
    (answers && !reads_earlier).then(|| RunId::from(format!("{}-{digits}", input.run_id)))
}
