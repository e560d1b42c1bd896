//! Recorded runs.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use futures_util::{StreamExt, stream};

use super::Upstream;
use crate::client::{ClientError, Frame, Frames};
use crate::protocol::{Event, RunAgentInput};

/// A recording of runs: each request gets the next recorded run, whatever the input.
///
/// A recording lists the frames of one or more runs; a run begins where `RUN_STARTED` follows another run's end. In a file the
/// format is JSON Lines: one event per line, as [`record`](crate::client::middleware::record) writes them.
///
/// ```
/// use agui_runtime::client::{RunOutcome, Replay, Session};
/// use futures::FutureExt;
///
/// let recording = r#"{"type":"RUN_STARTED","threadId":"t","runId":"1"}
/// {"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hi"}
/// {"type":"RUN_FINISHED","threadId":"t","runId":"1"}
/// {"type":"RUN_STARTED","threadId":"t","runId":"2"}
/// {"type":"RUN_ERROR","message":"no more"}
/// "#;
/// let replay = Replay::from_lines(recording);
/// assert_eq!(replay.runs_left(), 2);
///
/// let mut session: Session = Session::new(replay);
/// assert_eq!(session.run().now_or_never().unwrap()?.text(), "Hi");
/// assert!(matches!(session.run().now_or_never().unwrap()?.outcome, RunOutcome::Failed { .. }));
/// assert!(session.run().now_or_never().unwrap().is_err(), "the recording is over");
/// # Ok::<(), agui_runtime::client::ClientError>(())
/// ```
#[derive(Debug, Default)]
pub struct Replay {
    runs: Mutex<VecDeque<Vec<Frame>>>,
}

/// The error for a request after the recording's last run.
///
/// ```
/// use agui_runtime::client::{Replay, Session};
/// use futures::FutureExt;
///
/// let mut session: Session = Session::new(Replay::default());
/// let error = session.run().now_or_never().unwrap().unwrap_err();
/// assert_eq!(error.to_string(), "the recording has no more runs");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the recording has no more runs")]
pub struct ReplayError;

impl Replay {
    /// Creates a recording from frames.
    ///
    /// ```
    /// use agui_runtime::client::{Frame, Replay};
    ///
    /// let cut_off = Frame::from(r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#.to_owned());
    /// assert_eq!(Replay::new([cut_off]).runs_left(), 1);
    /// ```
    #[must_use]
    pub fn new(frames: impl IntoIterator<Item = Frame>) -> Self {
        let mut runs = VecDeque::new();
        let mut run = Vec::new();
        // True if a start begins another run: the previous one has ended, or was cut off.
        let mut begun = false;
        for frame in frames {
            match frame.head().event_type.as_deref() {
                Some("RUN_STARTED") => {
                    if begun {
                        runs.push_back(std::mem::take(&mut run));
                    }
                    begun = true;
                }
                Some("RUN_FINISHED" | "RUN_ERROR") => begun = true,
                _ => {}
            }
            run.push(frame);
        }
        if !run.is_empty() {
            runs.push_back(run);
        }
        Self { runs: Mutex::new(runs) }
    }

    /// Creates a recording from events.
    ///
    /// ```
    /// use agui_runtime::client::Replay;
    /// use agui_runtime::protocol::RunErrorEvent;
    ///
    /// assert_eq!(Replay::of_events([RunErrorEvent::new("no flour").into()]).runs_left(), 1);
    /// ```
    #[must_use]
    pub fn of_events(events: impl IntoIterator<Item = Event>) -> Self {
        Self::new(events.into_iter().map(Frame::from))
    }

    /// Creates a recording from JSON Lines. Empty lines are skipped; a malformed line fails when read, as during the recorded run.
    ///
    /// ```
    /// use agui_runtime::client::Replay;
    ///
    /// let cut_off = r#"{"type":"RUN_STARTED","threadId":"t","runId":"1"}"#;
    /// assert_eq!(Replay::from_lines(&format!("{cut_off}\n\n{cut_off}\n")).runs_left(), 2);
    /// ```
    #[must_use]
    pub fn from_lines(lines: &str) -> Self {
        let lines = lines.lines().filter(|line| !line.trim().is_empty());
        Self::new(lines.map(|line| Frame::Text(line.to_owned())))
    }

    /// Returns the number of runs left.
    #[must_use]
    pub fn runs_left(&self) -> usize {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl Upstream for Replay {
    fn open(&self, _: RunAgentInput) -> Frames {
        match self.runs.lock().unwrap_or_else(PoisonError::into_inner).pop_front() {
            Some(frames) => stream::iter(frames.into_iter().map(Ok)).boxed(),
            None => stream::iter([Err(ClientError::other(ReplayError))]).boxed(),
        }
    }
}
