//! Resume entries under the interrupted run's id: CopilotKit's `useInterrupt` sends them so, though AG-UI 1.0 forbids reusing a
//! run id on the thread. The run that they start gets a new id.

use super::conversation::note::ThreadNote;
use crate::protocol::{RunAgentInput, RunId};
use crate::thread::ThreadCursor;

/// The length of the request digest prefix in the new id.
const DIGITS: usize = 16;

/// Returns the new id if a request resumes interrupts under an earlier run's id. The same request, sent again, gets the same id.
pub(super) fn own_id(
    note: &ThreadNote,
    input: &RunAgentInput,
    cursor: Option<&ThreadCursor>,
    request: &str,
) -> Option<RunId> {
    let earlier = note.run(&input.run_id).filter(|run| run.request != request)?;
    let reads_earlier = cursor.is_some_and(|cursor| *cursor.run() == earlier.id);
    let digits = request.get(..DIGITS).unwrap_or(request);
    let answers = !input.resume().is_empty();
    (answers && !reads_earlier).then(|| RunId::from(format!("{}-{digits}", input.run_id)))
}
