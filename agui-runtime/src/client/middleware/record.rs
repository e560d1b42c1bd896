//! Keeps a conversation.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use futures::StreamExt;

use super::{Middleware, Next};
use crate::client::{Frame, Frames};
use crate::protocol::{
    Event, Message, MessageId, MessagesSnapshotEvent, RunAgentInput, RunStartedEvent, StateSnapshotEvent,
};
use crate::receive::{Intake, Pipeline};

/// Keeps a conversation, both sides of it: shows somebody else every frame as it comes, and with each start of a run what was asked.
///
/// What is shown is a stream of AG-UI that any client folds to the conversation there was.
/// [`Session::restore_lines`](crate::client::Session::restore_lines) goes on with it, [`Replay`](crate::client::Replay) shows it again.
/// The request is in the `input` of `RUN_STARTED` (AG-UI 1.0, section "Run events"): tools, context, answers to questions as they were
/// sent, and of messages and state what the recording does not hold already, so that it grows with the conversation and not with its
/// square. What only a snapshot can say, a state the caller has set or a conversation the caller has edited, follows as one.
///
/// A request that no run came of is recorded with the next run. Frames as they are, without requests, are for
/// [`inspect`](super::inspect).
///
/// The recording is one of its own: what the session knows already comes with the first request. To go on with one that is there, use
/// [`record_after`].
///
/// ```
/// use std::fs::File;
/// use std::io::Write;
///
/// use agui_runtime::client::{Session, middleware};
///
/// # fn example(upstream: impl agui_runtime::client::Upstream) -> std::io::Result<()> {
/// let mut file = File::create("conversation.jsonl")?;
/// let session: Session = Session::new(upstream).with(middleware::record(move |frame| {
///     if let Ok(line) = frame.to_text() {
///         writeln!(file, "{line}").expect("there is room");
///     }
/// }));
/// # Ok(())
/// # }
/// ```
pub fn record(each: impl FnMut(&Frame) + Send + 'static) -> impl Middleware {
    recording(Recorder { each, recorded: Pipeline::new() })
}

/// Goes on with a recording: [`record`], but for what these lines hold already.
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
/// // The message that is recorded already is not said again.
/// assert_eq!(lines.lock().unwrap().iter().filter(|line| line.contains("Hi")).count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn record_after<L: Into<String>>(
    lines: impl IntoIterator<Item = L>,
    each: impl FnMut(&Frame) + Send + 'static,
) -> impl Middleware {
    let mut recorder = Recorder { each, recorded: Pipeline::new() };
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
    /// What the recording folds to so far.
    recorded: Pipeline,
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
        // Whoever reads the frames says what is odd about them, or refuses them; so does who reads the recording.
        frame.push_to(&mut self.recorded, &mut |_| {});
        let _ = self.recorded.drain(|_, _, _| {});
    }

    /// What comes now is another run, whatever the one before left open.
    fn renew(&mut self) {
        let reducer = std::mem::take(&mut self.recorded).into_reducer();
        self.recorded = Pipeline::new().with_reducer(reducer);
    }

    /// The start of a run with its request. What no reader takes stays as it came.
    fn start(&mut self, frame: &Frame, mut request: RunAgentInput) {
        self.renew();
        let started = match frame.clone().read(&mut Intake::new(), &mut |_| {}) {
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
            // A snapshot leaves what it knows in its place, so what comes behind the first difference has to go before it comes again.
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
            // What was read as an event has a JSON value, and an input is nothing else.
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

/// The messages of the agent's own echo that the request did not have: a client takes them over.
fn echoed(started: &RunStartedEvent, sent: &[Message]) -> Vec<Message> {
    let sent: HashSet<&MessageId> = sent.iter().map(Message::id).collect();
    let echo = started.input.iter().flat_map(|input| &input.messages);
    echo.filter(|message| !sent.contains(message.id())).cloned().collect()
}
