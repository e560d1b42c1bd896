//! Every legal stream of a few events over text, tools and custom events is what some typed program says.
//!
//! `AGUI_PROGRAM_EVENTS` says how many events streams have at most, 8 when not said, RUN_STARTED and the last event included.
//!
//! The streams are those the verifier takes from a producer, over these events: TEXT_MESSAGE_START, CONTENT, END; TOOL_CALL_START,
//! ARGS, END of a backend and of a frontend tool, TOOL_CALL_RESULT; CUSTOM; RUN_FINISHED with each of its outcomes; RUN_ERROR. Ids
//! are named in the order they appear, as the run itself names them, so a stream stands for all that differ from it in ids alone.
//! Which texts are said makes no difference to order; the pieces of arguments are such that arguments read at any END.
//!
//! Left out is what typed guards do not say, on purpose, though the verifier takes it:
//!
//! - a START with an id that was used before: ids are fresh;
//! - RUN_ERROR with a text or a backend call still open: what can be closed is closed first;
//! - a backend call that nobody answers, unless the run is interrupted by a question about it: providers refuse such a history;
//! - RUN_FINISHED without an outcome, or without `pendingToolCallIds` where calls are pending: both are always said to those who
//!   read them.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

use agui_runtime::manifest::AgentSource;
use agui_runtime::order::Verifier;
use agui_runtime::prelude::*;
use agui_runtime::protocol::{
    Content, CustomEvent as CustomProtocolEvent, Event, Interrupt, Interrupts, MessageId, RunAgentInput,
    RunErrorEvent, RunFinishedCancelledOutcome, RunFinishedEvent, RunFinishedInterruptOutcome,
    RunFinishedOutcome, RunFinishedSuccessOutcome, RunStartedEvent, TextMessageContentEvent,
    TextMessageEndEvent, TextMessageRole, TextMessageStartEvent, ToolCallArgsEvent, ToolCallEndEvent,
    ToolCallId, ToolCallResultEvent, ToolCallStartEvent,
};
use agui_runtime::{Called, EventOf, Finished, Streaming, TextMessage, ToolCall, ToolOf, start, testing};
use schemars::JsonSchema;
use serde::Serialize;

use super::children::source;
use super::{drive, number, say};

/// One event, by what it is about: the numbers count messages and calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Letter {
    Text,
    Content(usize),
    End(usize),
    Backend,
    Frontend,
    Arguments(usize),
    CallEnd(usize),
    Result(usize),
    Custom,
    Succeeded,
    Interrupted,
    Cancelled,
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Open { pieces: usize },
    Ended,
    Answered,
}

#[derive(Clone, Debug)]
struct Call {
    id: ToolCallId,
    backend: bool,
    stage: Stage,
}

/// A stream so far: who is in it, what the verifier makes of it.
#[derive(Clone)]
struct Stream {
    letters: Vec<Letter>,
    events: Vec<Event>,
    verifier: Verifier,
    /// How many ids were made.
    ids: usize,
    texts: Vec<(MessageId, bool)>,
    calls: Vec<Call>,
}

fn input() -> RunAgentInput {
    RunAgentInput::new("thread", "run", []).with_protocol_version("1.0")
}

impl Stream {
    fn started() -> Self {
        let mut verifier = Verifier::producer().answering(&input()).with_frontend_tools(["question"]);
        let event: Event = RunStartedEvent::new("thread", "run").with_protocol_version("1.0").into();
        verifier.check(&event).unwrap();
        Self { letters: vec![], events: vec![event], verifier, ids: 0, texts: vec![], calls: vec![] }
    }

    /// Every letter there is, whether or not it may come next.
    fn alphabet(&self) -> Vec<Letter> {
        let mut letters = vec![Letter::Text, Letter::Backend, Letter::Frontend, Letter::Custom];
        letters.extend((0..self.texts.len()).flat_map(|text| [Letter::Content(text), Letter::End(text)]));
        letters.extend(
            (0..self.calls.len())
                .flat_map(|call| [Letter::Arguments(call), Letter::CallEnd(call), Letter::Result(call)]),
        );
        letters.extend([Letter::Succeeded, Letter::Interrupted, Letter::Cancelled, Letter::Failed]);
        letters
    }

    /// With one event more, if that is legal.
    fn then(&self, letter: Letter) -> Option<Self> {
        let mut next = self.clone();
        let event = next.write(letter);
        next.verifier.check(&event).ok()?;
        next.events.push(event);
        next.letters.push(letter);
        Some(next)
    }

    fn id(&mut self, kind: &str) -> String {
        self.ids += 1;
        format!("test-{kind}-{}", self.ids)
    }

    fn write(&mut self, letter: Letter) -> Event {
        match letter {
            Letter::Text => {
                let id = MessageId::from(self.id("message"));
                self.texts.push((id.clone(), true));
                TextMessageStartEvent::new(id).with_role(TextMessageRole::Assistant).into()
            }
            Letter::Content(text) => TextMessageContentEvent::new(self.texts[text].0.clone(), "word").into(),
            Letter::End(text) => {
                self.texts[text].1 = false;
                TextMessageEndEvent::new(self.texts[text].0.clone()).into()
            }
            Letter::Backend | Letter::Frontend => {
                let backend = letter == Letter::Backend;
                let id = ToolCallId::from(self.id("call"));
                self.calls.push(Call { id: id.clone(), backend, stage: Stage::Open { pieces: 0 } });
                ToolCallStartEvent::new(id, if backend { "search" } else { "question" }).into()
            }
            Letter::Arguments(call) => {
                let Call { id, stage, .. } = &mut self.calls[call];
                let piece = match stage {
                    Stage::Open { pieces } => {
                        *pieces += 1;
                        piece(*pieces)
                    }
                    _ => "",
                };
                ToolCallArgsEvent::new(id.clone(), piece).into()
            }
            Letter::CallEnd(call) => {
                self.calls[call].stage = Stage::Ended;
                ToolCallEndEvent::new(self.calls[call].id.clone()).into()
            }
            Letter::Result(call) => {
                let message = MessageId::from(self.id("message"));
                self.calls[call].stage = Stage::Answered;
                ToolCallResultEvent::new(message, self.calls[call].id.clone(), Content::Text("2".to_owned()))
                    .into()
            }
            Letter::Custom => CustomProtocolEvent::new(Ding::NAME, serde_json::json!({})).into(),
            Letter::Failed => RunErrorEvent::new("no rice").into(),
            Letter::Succeeded => {
                let mut success = RunFinishedSuccessOutcome::new();
                let pending: Vec<ToolCallId> = self.unanswered().map(|call| call.id.clone()).collect();
                success.pending_tool_call_ids = (!pending.is_empty()).then_some(pending);
                finished(RunFinishedOutcome::Success(success))
            }
            Letter::Interrupted => {
                let asked = self.unanswered().filter(|call| call.backend).map(|call| Some(call.id.clone()));
                let interrupts = questions(asked.collect());
                finished(RunFinishedOutcome::Interrupt(RunFinishedInterruptOutcome::new(interrupts)))
            }
            Letter::Cancelled => finished(RunFinishedOutcome::Cancelled(RunFinishedCancelledOutcome::new())),
        }
    }

    fn unanswered(&self) -> impl Iterator<Item = &Call> {
        self.calls.iter().filter(|call| call.stage != Stage::Answered)
    }

    fn has_ended(&self) -> bool {
        matches!(
            self.letters.last(),
            Some(Letter::Succeeded | Letter::Interrupted | Letter::Cancelled | Letter::Failed)
        )
    }

    /// How many events the stream needs at least until it has ended and is not left out.
    fn missing(&self) -> usize {
        let texts = self.texts.iter().filter(|(_, open)| *open).count();
        let count = |backend: bool, open: bool| {
            let is_open = |call: &&Call| matches!(call.stage, Stage::Open { .. });
            self.unanswered().filter(|call| call.backend == backend && is_open(call) == open).count()
        };
        // A run that fails may cut frontend calls off, an interrupt may ask about backend calls.
        let failed = 2 * count(true, true) + count(true, false);
        let interrupted = count(true, true) + count(false, true);
        texts + failed.min(interrupted) + 1
    }

    /// What typed guards do not say: see the head of this file.
    fn is_left_out(&self) -> bool {
        let interrupted = self.letters.last() == Some(&Letter::Interrupted);
        let text_open = self.texts.iter().any(|(_, open)| *open);
        text_open || (!interrupted && self.unanswered().any(|call| call.backend))
    }
}

fn finished(outcome: RunFinishedOutcome) -> Event {
    RunFinishedEvent::new("thread", "run").with_outcome(outcome).into()
}

fn question_about(number: usize) -> Interrupt {
    Interrupt::new(format!("question-{number}"), "confirmation")
}

fn questions(mut about: Vec<Option<ToolCallId>>) -> Interrupts {
    if about.is_empty() {
        about.push(None);
    }
    let mut questions = about.into_iter().enumerate().map(|(number, call)| {
        let mut question = question_about(number);
        question.tool_call_id = call;
        question
    });
    let mut all = Interrupts::from(questions.next().unwrap());
    questions.for_each(|question| all.push(question));
    all
}

/// The n-th piece of arguments: they read after each.
fn piece(number: usize) -> &'static str {
    if number == 1 { "{}" } else { " " }
}

/// Looks something up.
#[tool]
async fn search() -> u32 {
    2
}

/// Asks the person.
#[tool(frontend)]
async fn question() -> bool;

/// Rings.
#[derive(CustomEvent, Serialize, JsonSchema)]
struct Ding {}

impl ToolOf<Copyist> for search {}
impl ToolOf<Copyist> for question {}
impl EventOf<Copyist> for Ding {}

/// Says what is asked for, with typed guards.
struct Copyist(Vec<Letter>);

enum Held<'w> {
    Backend(ToolCall<'w, Copyist, search, Streaming>, usize),
    Called(ToolCall<'w, Copyist, search, Called>),
    Frontend(ToolCall<'w, Copyist, question, Streaming>, usize),
    Gone,
}

impl Copyist {
    async fn copy(&self, run: &Run<Self>) -> Result<(), Stop> {
        let mut texts: Vec<Option<TextMessage<'_>>> = Vec::new();
        let mut calls: Vec<Held<'_>> = Vec::new();
        let mut pending = Vec::new();
        for letter in &self.0 {
            match *letter {
                Letter::Text => texts.push(Some(run.message().await)),
                Letter::Content(text) => texts[text].as_mut().unwrap().push("word").await,
                Letter::End(text) => drop(texts[text].take().unwrap().end()),
                Letter::Backend => calls.push(Held::Backend(run.tool::<search>().await, 0)),
                Letter::Frontend => calls.push(Held::Frontend(run.tool::<question>().await, 0)),
                Letter::Arguments(call) => match &mut calls[call] {
                    Held::Backend(call, pieces) => {
                        *pieces += 1;
                        call.push(piece(*pieces)).await;
                    }
                    Held::Frontend(call, pieces) => {
                        *pieces += 1;
                        call.push(piece(*pieces)).await;
                    }
                    Held::Called(_) | Held::Gone => panic!("arguments after their end"),
                },
                Letter::CallEnd(number) => {
                    calls[number] = match std::mem::replace(&mut calls[number], Held::Gone) {
                        Held::Backend(call, _) => Held::Called(call.end()?),
                        Held::Frontend(call, _) => {
                            pending.push(call.end()?);
                            Held::Gone
                        }
                        Held::Called(_) | Held::Gone => panic!("ended twice"),
                    }
                }
                Letter::Result(number) => match std::mem::replace(&mut calls[number], Held::Gone) {
                    Held::Called(call) => call.result(2).await?,
                    _ => panic!("answered before its end, or twice"),
                },
                Letter::Custom => run.custom(Ding {}).await?,
                Letter::Succeeded if pending.is_empty() => return Ok(()),
                Letter::Succeeded => return Err(Stop::await_frontend(pending)),
                Letter::Interrupted => {
                    let called = calls.into_iter().filter_map(|held| match held {
                        Held::Called(call) => Some(call),
                        _ => None,
                    });
                    let stops =
                        called.enumerate().map(|(number, call)| call.interrupt(question_about(number)));
                    let stop = stops.reduce(Stop::and);
                    return Err(stop.unwrap_or_else(|| Stop::interrupt(question_about(0))));
                }
                Letter::Cancelled => return Err(Stop::cancelled()),
                Letter::Failed => return Err(Stop::error("no rice")),
            }
        }
        Ok(())
    }
}

impl Agent for Copyist {
    type State = ();
    type Output = ();

    async fn run<'r>(&self, run: &'r mut Run<Self>, _: Input<Self>) -> Result<Finished<'r, ()>, Stop> {
        self.copy(run).await?;
        Ok(run.finish(()))
    }

    fn source() -> AgentSource {
        source("copyist")
    }
}

#[derive(Default)]
struct Count {
    legal: AtomicUsize,
    said: AtomicUsize,
}

#[test]
fn every_legal_stream_is_said_by_a_program() {
    let length = number("AGUI_PROGRAM_EVENTS", 8);
    let begun = Instant::now();
    let count = Count::default();
    // Divided where three events are said.
    let jobs = Mutex::new(Vec::new());
    beginnings(Stream::started(), length.min(3), &mut |stream| jobs.lock().unwrap().push(stream), &count);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, NonZero::get) {
            scope.spawn(|| {
                loop {
                    let job = jobs.lock().unwrap().pop();
                    let Some(stream) = job else { break };
                    extend(&stream, length, &count);
                }
            });
        }
    });
    let [legal, said] = [&count.legal, &count.said].map(|of| of.load(Ordering::Relaxed));
    say(&format!(
        "programs: {said} of {legal} legal streams of up to {length} events are said by a program, {:.1?}",
        begun.elapsed(),
    ));
    assert_eq!(said, legal);
    assert!(legal > 100, "the search went nowhere");
}

/// Streams of that many events that go on; those that end before are judged at once.
fn beginnings(stream: Stream, length: usize, found: &mut impl FnMut(Stream), count: &Count) {
    if stream.has_ended() {
        return judge(&stream, count);
    }
    if stream.events.len() == length {
        return found(stream);
    }
    for next in stream.alphabet().into_iter().filter_map(|letter| stream.then(letter)) {
        beginnings(next, length, found, count);
    }
}

fn extend(stream: &Stream, length: usize, count: &Count) {
    for letter in stream.alphabet() {
        let Some(next) = stream.then(letter) else { continue };
        if next.has_ended() {
            judge(&next, count);
        } else if next.events.len() + next.missing() <= length {
            extend(&next, length, count);
        }
    }
}

fn judge(stream: &Stream, count: &Count) {
    if stream.verifier.end().is_err() || stream.is_left_out() {
        return;
    }
    count.legal.fetch_add(1, Ordering::Relaxed);
    let mut run = start(Arc::new(Copyist(stream.letters.clone())), input(), testing::options());
    let said: Vec<Event> = std::iter::from_fn(|| drive::next(&mut run).unwrap()).collect();
    assert!(
        said == stream.events,
        "{:?}\n  asked for:\n{}\n  said:\n{}",
        stream.letters,
        testing::lines(&stream.events),
        testing::lines(&said)
    );
    count.said.fetch_add(1, Ordering::Relaxed);
}
