//! Middleware that records a conversation.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::StreamExt;

use super::{Middleware, Next};
use crate::client::{Frame, Frames};
use crate::protocol::{
    Event, Message, MessageId, MessagesSnapshotEvent, RunAgentInput, RunStartedEvent, StateSnapshotEvent,
};
use crate::receive::{FrameIntake, ReceivePipeline};

/// Records both sides of a conversation: calls a function with every frame, and adds the request to each run start.
///
/// The recorded frames are an AG-UI stream that any client folds to the same conversation.
/// [`Session::restore_lines`](crate::client::Session::restore_lines) continues the stream, [`Replay`](crate::client::Replay)
/// replays the stream. The request is in `RUN_STARTED`'s `input` (AG-UI 1.0, section "Run events"): tools, context and resume
/// entries as sent, but only the messages and the state that the recording does not contain yet, so a recording grows with the
/// conversation and not with the square. Changes that only a snapshot can express, such as a conversation that the caller edited,
/// follow as a snapshot.
///
/// A request without a run is recorded with the next run. To see frames without requests, use [`inspect`](super::inspect).
///
/// A recording is complete: the first request contains everything that the session already has. To continue an existing recording,
/// use [`record_after`].
///
/// ```
/// use std::sync::{Arc, Mutex};
///
/// use agui_runtime::client::{Replay, Session, middleware};
/// # use futures::FutureExt;
/// # let agent = Replay::from_lines(concat!(
/// #     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#, "\n",
/// #     r#"{"type":"TEXT_MESSAGE_CHUNK","messageId":"m","delta":"Hello!"}"#, "\n",
/// #     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#));
///
/// let lines = Arc::new(Mutex::new(String::new()));
/// let kept = Arc::clone(&lines);
/// let mut session: Session = Session::new(agent).with(middleware::record(move |frame| {
///     if let Ok(line) = frame.to_text() {
///         *kept.lock().unwrap() += &format!("{line}\n");
///     }
/// }));
/// session.say("Hi");
/// session.run().now_or_never().unwrap()?;
///
/// let later: Session = Session::new(Replay::default()).restore_lines(&lines.lock().unwrap())?;
/// assert_eq!(later.messages(), session.messages());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn record(each: impl FnMut(&Frame) + Send + 'static) -> impl Middleware {
    recording(Recorder { each, recorded: ReceivePipeline::new() })
}

/// Continues a recording: like [`record`], without the content that `lines` already contain.
///
/// ```
/// use agui_runtime::client::{Replay, Session, middleware};
/// use futures::FutureExt;
/// use std::sync::{Arc, Mutex};
///
/// let held = concat!(
///     r#"{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[{"id":"u","role":"user","content":"Hi"}]}}"#,
///     "\n",
///     r#"{"type":"RUN_FINISHED","threadId":"t","runId":"r"}"#,
/// );
/// let lines = Arc::new(Mutex::new(Vec::new()));
/// let more = Arc::clone(&lines);
/// let mut session: Session = Session::new(Replay::from_lines(&held.replace(r#""r""#, r#""s""#)))
///     .restore_lines(held)?
///     .with(middleware::record_after(held.lines(), move |frame| {
///         more.lock().unwrap().push(frame.to_text().unwrap().into_owned());
///     }));
/// session.run().now_or_never().unwrap()?;
/// // The message is already recorded, so it is not recorded again.
/// assert_eq!(lines.lock().unwrap().iter().filter(|line| line.contains("Hi")).count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn record_after<L: Into<String>>(
    lines: impl IntoIterator<Item = L>,
    each: impl FnMut(&Frame) + Send + 'static,
) -> impl Middleware {
    let mut recorder = Recorder { each, recorded: ReceivePipeline::new() };
    for line in lines {
        let frame = Frame::from(line.into());
        if is_start(&frame) {
            recorder.renew();
        }
        recorder.hear(frame);
    }
    recording(recorder)
}

fn recording(recorder: Recorder<impl FnMut(&Frame) + Send + 'static>) -> impl Middleware {
    let recorder = Arc::new(Mutex::new(recorder));
    move |input: RunAgentInput, next: Next| -> Frames {
        let recorder = Arc::clone(&recorder);
        let mut request = Some(input.clone());
        next.open(input)
            .inspect(move |frame| {
                if let Ok(frame) = frame {
                    let mut recorder = recorder.lock().unwrap_or_else(PoisonError::into_inner);
                    recorder.take(frame, &mut request);
                }
            })
            .boxed()
    }
}

struct Recorder<E> {
    each: E,
    /// The result of folding the recording so far.
    recorded: ReceivePipeline,
}

impl<E: FnMut(&Frame)> Recorder<E> {
    fn take(&mut self, frame: &Frame, request: &mut Option<RunAgentInput>) {
        if request.is_some()
            && is_start(frame)
            && let Some(request) = request.take()
        {
            self.start(frame, request);
        } else {
            self.tell(frame.clone());
        }
    }

    fn tell(&mut self, frame: Frame) {
        (self.each)(&frame);
        self.hear(frame);
    }

    fn hear(&mut self, frame: Frame) {
        // The session reports warnings and errors of these frames, and so does a later reader of the
        // recording.
        frame.push_to(&mut self.recorded, &mut |_| {});
        let _ = self.recorded.drain(|_, _, _| {});
    }

    /// Begins another run, even if the previous run is still open.
    fn renew(&mut self) {
        let reducer = std::mem::take(&mut self.recorded).into_reducer();
        self.recorded = ReceivePipeline::new().with_reducer(reducer);
    }

    /// Records a run's start with the request. An unreadable start is recorded unchanged.
    fn start(&mut self, frame: &Frame, mut request: RunAgentInput) {
        self.renew();
        let started = match frame.clone().read(&mut FrameIntake::new(), &mut |_| {}) {
            Ok(Some(Event::RunStarted(started))) => started,
            _ => return self.tell(frame.clone()),
        };
        let reducer = self.recorded.reducer();
        request.messages.extend(echoed(&started, &request.messages));
        let whole = std::mem::take(&mut request.messages);
        let known: Vec<_> =
            reducer.messages().iter().filter(|message| !matches!(message, Message::Activity(_))).collect();
        let common = known.iter().zip(&whole).take_while(|(known, sent)| *known == sent).count();
        let mut restated: Vec<Event> = Vec::new();
        if common == known.len() {
            request.messages.extend(whole.into_iter().skip(common));
        } else {
            // A snapshot keeps known messages in their place, so messages after the first difference must
            // be removed before they are added again.
            let kept: Vec<Message> = whole.iter().take(common).cloned().collect();
            restated.push(MessagesSnapshotEvent::new(kept).into());
            if common < whole.len() {
                restated.push(MessagesSnapshotEvent::new(whole).into());
            }
        }
        match &request.state {
            Some(state) if **state != *reducer.state() => {
                restated.push(StateSnapshotEvent::new(state.clone().into_value()).into());
            }
            _ => request.state = None,
        }
        match (frame.to_json(), crate::json::to_value(&request)) {
            (Ok(mut json), Ok(request)) => {
                if let Some(members) = json.as_object_mut() {
                    members.insert("input".to_owned(), request);
                }
                self.tell(Frame::Json(json));
            }
            // This does not happen: a frame that was read has a JSON value, and an input too.
            _ => self.tell(frame.clone()),
        }
        for event in restated {
            self.tell(event.into());
        }
    }
}

fn is_start(frame: &Frame) -> bool {
    frame.head().event_type.as_deref() == Some("RUN_STARTED")
}

/// Returns the messages of the agent's echo that the request lacked: a client adds them.
fn echoed(started: &RunStartedEvent, sent: &[Message]) -> Vec<Message> {
    let sent: HashSet<&MessageId> = sent.iter().map(Message::id).collect();
    let echo = started.input.iter().flat_map(|input| &input.messages);
    echo.filter(|message| !sent.contains(message.id())).cloned().collect()
}
