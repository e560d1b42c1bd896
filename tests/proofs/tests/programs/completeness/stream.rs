//! Streams, extended event by event while the verifier accepts them.

use agui_runtime::CustomEvent as _;
use agui_runtime::order::OrderVerifier;
use agui_runtime::protocol::{
    Content, CustomEvent, Event, Interrupt, InterruptList, MessageId, RunAgentInput, RunErrorEvent,
    RunFinishedCancelledOutcome, RunFinishedEvent, RunFinishedInterruptOutcome, RunFinishedOutcome,
    RunFinishedSuccessOutcome, RunStartedEvent, TextMessageContentEvent, TextMessageEndEvent,
    TextMessageRole, TextMessageStartEvent, ToolCallArgsEvent, ToolCallEndEvent, ToolCallId,
    ToolCallResultEvent, ToolCallStartEvent,
};

use super::copyist::Ding;

/// One event, by its subject: the numbers count messages and calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Letter {
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
pub(super) enum Stage {
    Open { pieces: usize },
    Ended,
    Answered,
}

#[derive(Clone, Debug)]
pub(super) struct Call {
    id: ToolCallId,
    backend: bool,
    stage: Stage,
}

/// A stream so far: its items, and the state of the verifier.
#[derive(Clone)]
pub(super) struct Stream {
    pub(super) letters: Vec<Letter>,
    pub(super) events: Vec<Event>,
    pub(super) verifier: OrderVerifier,
    /// The number of ids.
    ids: usize,
    texts: Vec<(MessageId, bool)>,
    calls: Vec<Call>,
}

pub(super) fn input() -> RunAgentInput {
    RunAgentInput::new("thread", "run", []).with_protocol_version("1.0")
}

impl Stream {
    pub(super) fn started() -> Self {
        let mut verifier = OrderVerifier::producer().for_input(&input()).with_frontend_tools(["question"]);
        let event: Event = RunStartedEvent::new("thread", "run").with_protocol_version("1.0").into();
        verifier.check(&event).unwrap();
        Self { letters: vec![], events: vec![event], verifier, ids: 0, texts: vec![], calls: vec![] }
    }

    /// Every event, legal or not as the next one.
    pub(super) fn alphabet(&self) -> Vec<Letter> {
        let mut letters = vec![Letter::Text, Letter::Backend, Letter::Frontend, Letter::Custom];
        letters.extend((0..self.texts.len()).flat_map(|text| [Letter::Content(text), Letter::End(text)]));
        letters.extend(
            (0..self.calls.len())
                .flat_map(|call| [Letter::Arguments(call), Letter::CallEnd(call), Letter::Result(call)]),
        );
        letters.extend([Letter::Succeeded, Letter::Interrupted, Letter::Cancelled, Letter::Failed]);
        letters
    }

    /// The stream with one more event, if that is legal.
    pub(super) fn then(&self, letter: Letter) -> Option<Self> {
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
            Letter::Custom => CustomEvent::new(Ding::NAME, serde_json::json!({})).into(),
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

    pub(super) fn has_ended(&self) -> bool {
        matches!(
            self.letters.last(),
            Some(Letter::Succeeded | Letter::Interrupted | Letter::Cancelled | Letter::Failed)
        )
    }

    /// The least number of events until the stream has ended and is not left out.
    pub(super) fn missing(&self) -> usize {
        let texts = self.texts.iter().filter(|(_, open)| *open).count();
        let count = |backend: bool, open: bool| {
            let is_open = |call: &&Call| matches!(call.stage, Stage::Open { .. });
            self.unanswered().filter(|call| call.backend == backend && is_open(call) == open).count()
        };
        // A failing run may cut frontend calls off, an interrupt may ask about backend calls.
        let failed = 2 * count(true, true) + count(true, false);
        let interrupted = count(true, true) + count(false, true);
        texts + failed.min(interrupted) + 1
    }

    /// True for streams that typed guards do not write: see the head of this file.
    pub(super) fn is_left_out(&self) -> bool {
        let interrupted = self.letters.last() == Some(&Letter::Interrupted);
        let text_open = self.texts.iter().any(|(_, open)| *open);
        text_open || (!interrupted && self.unanswered().any(|call| call.backend))
    }
}

pub(super) fn finished(outcome: RunFinishedOutcome) -> Event {
    RunFinishedEvent::new("thread", "run").with_outcome(outcome).into()
}

pub(super) fn question_about(number: usize) -> Interrupt {
    Interrupt::new(format!("question-{number}"), "confirmation")
}

pub(super) fn questions(mut about: Vec<Option<ToolCallId>>) -> InterruptList {
    if about.is_empty() {
        about.push(None);
    }
    let mut questions = about.into_iter().enumerate().map(|(number, call)| {
        let mut question = question_about(number);
        question.tool_call_id = call;
        question
    });
    let mut all = InterruptList::from(questions.next().unwrap());
    questions.for_each(|question| all.push(question));
    all
}

/// The n-th piece of arguments: they can be read after each.
pub(super) fn piece(number: usize) -> &'static str {
    if number == 1 { "{}" } else { " " }
}
