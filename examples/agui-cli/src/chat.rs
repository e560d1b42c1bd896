//! The conversation: lines in, turns, follow-up questions.

use std::io;
use std::pin::Pin;
use std::time::SystemTime;

use agui_runtime::client::{
    ClientError, FinishedTurn, ResumeValue, RunOutcome, Session, Turn, TurnUpdate, is_expired,
};
use agui_runtime::protocol::{Event, Interrupt, Message, RunStartedEvent, ToolCallId};
use serde_json::Value;

use crate::arguments::Chat;
use crate::aside;
use crate::connect::{self, CliError};
use crate::interrupts::Interrupts;
use crate::lines::Lines;
use crate::paint::Paint;
use crate::question::Wanted;
use crate::request;
use crate::screen::{Screen, call};
use crate::tools::FrontendTools;
use crate::went::Went;

const HELP: &str = "\
/state     shows the state
/messages  shows the conversation as JSON
/quit      leaves; so does Ctrl-D
/help      shows this
Ctrl-C stops a run; a second one leaves it.
A line that answers a question may be JSON or text, and /cancel cancels
the question. The arrows edit a line, and bring back those before.";

/// A conversation, on a screen.
struct Conversation {
    session: Session,
    /// The tools that the agent leaves to its user interface.
    tools: FrontendTools,
    interrupts: Interrupts,
    screen: Screen<io::Stdout>,
    shows_state: bool,
    /// True if the input of each run is shown too. A user who typed it has seen it.
    shows_requests: bool,
    /// True if the open questions have answers that are not sent yet.
    is_answered: bool,
}

/// Holds a conversation, or shows a recorded one.
pub async fn chat(options: &Chat) -> Result<Went, CliError> {
    let interrupts = Interrupts::listen().map_err(CliError::Interrupts)?;
    let conversation = |session, tools, shows_requests| Conversation {
        session,
        tools,
        interrupts,
        screen: Screen::new(io::stdout(), Paint::of_output()),
        shows_state: !options.no_state,
        shows_requests,
        is_answered: false,
    };
    let Some(file) = &options.replay else {
        let (session, tools) = connect::session(options.url.as_deref().unwrap_or_default(), options).await?;
        let lines = if options.message.is_empty() { Lines::start() } else { Lines::given(&options.message) };
        let mut conversation = conversation(session, tools, false);
        // A restored conversation has the history of its thread.
        let is_kept = options.thread.is_some() && options.restore.is_none();
        let first = if is_kept { conversation.continue_thread().await? } else { conversation.left_open() };
        return conversation.talk(first, lines).await;
    };
    let (session, replay) = connect::replay(file, options)?;
    let mut conversation = conversation(session, FrontendTools::default(), true);
    let mut went = Went::Well;
    while replay.runs_left() > 0 {
        conversation.give_up_questions()?;
        match conversation.turn().await {
            Ok(Step::Over(how)) => went = went.max(how),
            Ok(Step::Failed) => went = went.max(Went::Badly),
            Ok(_) => {}
            // The recorded conversation failed here, and continued.
            Err(CliError::Client(error)) => {
                aside::say(format_args!("error: {error}"));
                went = Went::Nowhere;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(went)
}

/// The request to stop a run.
type Stop = Pin<Box<dyn Future<Output = Result<bool, ClientError>> + Send>>;

/// Shows the events of a turn. The user can stop it: then the server is asked to stop the run, and the turn is followed to its
/// end. Nothing if the user left the run, because the server cannot stop it, or by a second Ctrl-C.
async fn follow(
    mut turn: Turn<'_, Value>,
    mut stop: Stop,
    screen: &mut Screen<io::Stdout>,
    interrupts: &mut Interrupts,
    is_answered: &mut bool,
    begin: impl Fn(&RunStartedEvent),
) -> Result<Option<FinishedTurn>, CliError> {
    let (mut is_asked, mut is_stopping) = (false, false);
    loop {
        let update = tokio::select! {
            update = turn.next() => update,
            () = interrupts.next() => {
                if is_asked {
                    drop(turn);
                    screen.break_line()?;
                    aside::say("you left the run; it may go on");
                    return Ok(None);
                }
                is_asked = true;
                continue;
            }
            stopped = &mut stop, if is_asked && !is_stopping => {
                if let Ok(true) = stopped {
                    is_stopping = true;
                    continue;
                }
                drop(turn);
                screen.break_line()?;
                aside::say(left(&stopped));
                return Ok(None);
            }
        };
        let update = match update {
            Ok(update) => update,
            Err(error) => {
                screen.break_line()?;
                return Err(error.into());
            }
        };
        match update {
            Some(TurnUpdate::Event { event, .. }) => {
                if let Event::RunStarted(started) = &event {
                    // The agent has received the answers.
                    *is_answered = false;
                    begin(started);
                }
                screen.event(&event, turn.session())?;
            }
            Some(_) => {}
            None => return Ok(Some(turn.finish().await?)),
        }
    }
}

/// Returns a sentence about a run that the server did not stop: the connection is closed, and that is all that is known.
fn left(stopped: &Result<bool, ClientError>) -> String {
    match stopped {
        Err(ClientError::Status { status: 404 | 405 | 501, .. } | ClientError::NoThreads) | Ok(_) => {
            "you left the run: this server stops no runs, and an agent without a client ends as it likes"
                .to_owned()
        }
        Err(error) => format!("you left the run, which may go on: {error}"),
    }
}

/// The next step of a conversation.
enum Step {
    /// Run the agent.
    Run,
    /// ResumeValue the agent's questions.
    Questions(Vec<Interrupt>),
    /// ResumeValue the calls of tools that run here.
    Calls(Vec<ToolCallId>),
    /// The run failed. Calls that it answered are asked again.
    Failed,
    /// End with this result.
    Over(Went),
}

impl Conversation {
    /// Begins with a step, if the conversation left something open.
    async fn talk(mut self, mut next: Option<Step>, mut lines: Lines) -> Result<Went, CliError> {
        let mut went = Went::Well;
        if lines.is_typed() {
            aside::say("Each line is a message to the agent. /help lists the commands.");
        }
        // True if the agent has not received the last message.
        let mut is_unheard = false;
        loop {
            if let Some(step) = next.take() {
                is_unheard = false;
                match self.follow(step, &mut lines).await {
                    Ok(how) => went = went.max(how),
                    Err(CliError::Client(error)) if lines.go_on() => {
                        aside::say(format_args!("error: {error}"));
                        aside::say("an empty line tries again");
                        // A question that expired is asked again, so that the user can cancel it.
                        self.is_answered &= !matches!(error, ClientError::Resume(_));
                        is_unheard = true;
                        went = Went::Nowhere;
                    }
                    Err(error) => return Err(error),
                }
            }
            let Some(line) = lines.next("> ", &mut self.interrupts).await else { return Ok(went) };
            match line.trim() {
                "" if !is_unheard => {}
                "/quit" => return Ok(went),
                "/help" => aside::say(HELP),
                "/state" => self.screen.line(format_args!("{:#}", self.session.state_value()))?,
                "/messages" => {
                    let messages = serde_json::to_string_pretty(self.session.messages());
                    self.screen.line(messages.map_err(io::Error::other)?)?;
                }
                said => {
                    if !said.is_empty() {
                        self.session.say(said);
                    }
                    next = Some(self.questions().unwrap_or(Step::Run));
                }
            }
        }
    }

    /// The open questions or calls of the last run.
    fn left_open(&self) -> Option<Step> {
        let calls = self.session.pending_calls();
        self.questions().or_else(|| (!calls.is_empty()).then_some(Step::Calls(calls)))
    }

    /// The questions that must be answered before the next run.
    fn questions(&self) -> Option<Step> {
        let open = self.session.pending_interrupts();
        (!open.is_empty() && !self.is_answered).then(|| Step::Questions(open.to_vec()))
    }

    /// Takes steps until the user's turn.
    async fn follow(&mut self, mut step: Step, lines: &mut Lines) -> Result<Went, CliError> {
        // The calls that the last run answered.
        let mut calls = Vec::new();
        loop {
            let answered = match step {
                Step::Over(went) => return Ok(went),
                // The answer was not what the tool expects, as far as the agent says.
                Step::Failed if !calls.is_empty() && lines.go_on() => {
                    self.withdraw_answers(&calls);
                    aside::say(
                        "the answer was not accepted: answer again, or enter an empty line to give up",
                    );
                    self.answer_calls(&calls, lines).await
                }
                Step::Failed => return Ok(Went::Badly),
                Step::Run => true,
                Step::Questions(open) => self.answer_questions(&open, lines).await?,
                Step::Calls(asked) => {
                    calls = asked;
                    self.answer_calls(&calls, lines).await
                }
            };
            if !answered {
                aside::say("there is no answer");
                return Ok(Went::Badly);
            }
            step = self.turn().await?;
            if !matches!(step, Step::Failed) {
                calls.clear();
            }
        }
    }

    /// Removes the answers to these calls from the conversation.
    fn withdraw_answers(&mut self, calls: &[ToolCallId]) {
        let is_answer = |message: &Message| matches!(message, Message::Tool(answer) if calls.contains(&answer.tool_call_id));
        let kept = self.session.messages().iter().filter(|message| !is_answer(message)).cloned().collect();
        self.session.set_messages(kept);
    }

    /// Runs the agent, and shows the events. The user can stop it.
    async fn turn(&mut self) -> Result<Step, CliError> {
        let before = self.shows_state.then(|| self.session.state_value().clone());
        let known = self.shows_requests.then(|| request::known(self.session.messages()));
        self.screen.begin(self.session.messages());
        let stop = Box::pin(self.session.stop());
        let turn = self.session.start();
        let show = |started: &RunStartedEvent| {
            if let (Some(known), Some(input)) = (&known, &started.input) {
                request::show(input, known);
            }
        };
        let Some(done) =
            follow(turn, stop, &mut self.screen, &mut self.interrupts, &mut self.is_answered, show).await?
        else {
            return Ok(Step::Over(Went::Badly));
        };
        self.ended(&done.outcome, before)
    }

    /// Shows a thread that the agent keeps, and follows the run that goes on.
    async fn continue_thread(&mut self) -> Result<Option<Step>, CliError> {
        let before = self.shows_state.then(|| self.session.state_value().clone());
        self.screen.begin_history();
        let stop = Box::pin(self.session.stop());
        let turn = match self.session.connect().await {
            Ok(Some(turn)) => turn,
            Ok(None) => return Ok(None),
            Err(ClientError::Status { status: 404 | 405 | 501, .. }) => {
                aside::say("the agent stores no threads: it gets the id of this one, and what is said now");
                return Ok(None);
            }
            Err(error) => return Err(error.into()),
        };
        let Some(done) =
            follow(turn, stop, &mut self.screen, &mut self.interrupts, &mut self.is_answered, |_| {}).await?
        else {
            return Ok(Some(Step::Over(Went::Badly)));
        };
        self.ended(&done.outcome, before).map(Some)
    }

    /// Shows the end of a turn; returns the next step.
    fn ended(&mut self, outcome: &RunOutcome, before: Option<Value>) -> Result<Step, CliError> {
        let well = self.screen.outcome(outcome)?;
        if let Some(before) = before {
            self.screen.state(&before, self.session.state_value())?;
        }
        Ok(match outcome {
            RunOutcome::Interrupted { interrupts } => Step::Questions(interrupts.clone()),
            RunOutcome::Success { pending, .. } if !pending.is_empty() => Step::Calls(pending.to_vec()),
            RunOutcome::Failed { .. } => Step::Failed,
            _ => Step::Over(if well { Went::Well } else { Went::Badly }),
        })
    }

    async fn answer_questions(&mut self, open: &[Interrupt], lines: &mut Lines) -> Result<bool, CliError> {
        let mut answers = Vec::new();
        for interrupt in open {
            let question = interrupt.message.as_deref().unwrap_or(&interrupt.reason);
            aside::say(format_args!("? {question}"));
            if is_expired(interrupt, SystemTime::now()) {
                aside::say("  the question has expired");
                answers.push((interrupt.id.clone(), ResumeValue::cancelled()));
                continue;
            }
            let wanted = Wanted::of(interrupt);
            let prompt = format!("  ({}) ", wanted.hint());
            let answer = loop {
                let Some(line) = lines.next(&prompt, &mut self.interrupts).await else { return Ok(false) };
                match wanted.read(&line) {
                    Some(answer) => break answer,
                    None => aside::say("  expected yes, no or JSON"),
                }
            };
            answers.push((interrupt.id.clone(), answer));
        }
        self.session.resume(answers).map_err(ClientError::from)?;
        self.is_answered = true;
        Ok(true)
    }

    /// Answers calls of tools that run here; an empty line leaves this call and the others unanswered.
    async fn answer_calls(&mut self, calls: &[ToolCallId], lines: &mut Lines) -> bool {
        for id in calls {
            let (name, arguments) = call(&self.session, id).unwrap_or_default();
            aside::say(format_args!("? {name} {arguments}"));
            let answer = match self.tools.form(name) {
                Some(form) => form.ask(lines, &mut self.interrupts).await,
                None => lines.next("  (JSON or text) ", &mut self.interrupts).await,
            };
            match answer.as_deref().map(str::trim) {
                Some(answer) if !answer.is_empty() => self.session.settle_call(id, answer),
                _ => return false,
            }
        }
        true
    }

    /// A recording continues, whatever its answers were.
    fn give_up_questions(&mut self) -> Result<(), CliError> {
        let open = self.session.pending_interrupts().iter();
        let answers: Vec<_> = open.map(|open| (open.id.clone(), ResumeValue::cancelled())).collect();
        self.session.resume(answers).map_err(ClientError::from)?;
        Ok(())
    }
}
