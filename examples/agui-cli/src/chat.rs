//! The conversation: lines in, turns, follow-up questions.

use std::io;
use std::time::SystemTime;

use agui_runtime::client::{Answer, ClientError, Outcome, Session, Update, is_expired};
use agui_runtime::protocol::{Event, Interrupt, ToolCallId};

use crate::arguments::Chat;
use crate::aside;
use crate::connect::{self, CliError};
use crate::lines::Lines;
use crate::paint::Paint;
use crate::question::Wanted;
use crate::request;
use crate::screen::{Screen, call};
use crate::went::Went;

/// A conversation, on a screen.
struct Conversation {
    session: Session,
    screen: Screen<io::Stdout>,
    shows_state: bool,
    /// Whether what was asked is shown, too: who typed it has seen it.
    shows_requests: bool,
    /// Whether the open questions are answered, and the answers on their way.
    is_answered: bool,
}

/// Has a conversation, or shows one.
pub async fn chat(options: &Chat) -> Result<Went, CliError> {
    let conversation = |session, shows_requests| Conversation {
        session,
        screen: Screen::new(io::stdout(), Paint::of_output()),
        shows_state: !options.no_state,
        shows_requests,
        is_answered: false,
    };
    let Some(file) = &options.replay else {
        let session = connect::session(options.url.as_deref().unwrap_or_default(), options)?;
        let lines = if options.message.is_empty() { Lines::start() } else { Lines::given(&options.message) };
        return conversation(session, false).talk(lines).await;
    };
    let (session, replay) = connect::replay(file, options)?;
    let mut conversation = conversation(session, true);
    let mut went = Went::Well;
    while replay.runs_left() > 0 {
        conversation.give_up_questions()?;
        match conversation.turn().await {
            Ok(Step::Over(how)) => went = went.max(how),
            Ok(_) => {}
            // So it was when it was recorded, and went on.
            Err(CliError::Client(error)) => {
                aside::say(format_args!("error: {error}"));
                went = Went::Nowhere;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(went)
}

/// What is to be done next.
enum Step {
    /// The agent is to be asked.
    Run,
    /// The agent wants to know something.
    Questions(Vec<Interrupt>),
    /// The agent waits for calls to be answered.
    Calls(Vec<ToolCallId>),
    /// Nothing: it is over.
    Over(Went),
}

impl Conversation {
    async fn talk(mut self, mut lines: Lines) -> Result<Went, CliError> {
        let mut went = Went::Well;
        // A restored conversation may have stopped with questions.
        let mut next = self.left_open();
        // Whether the agent has not heard of what was said last.
        let mut is_unheard = false;
        loop {
            if let Some(step) = next.take() {
                is_unheard = false;
                match self.follow(step, &mut lines).await {
                    Ok(how) => went = went.max(how),
                    Err(CliError::Client(error)) if lines.go_on() => {
                        aside::say(format_args!("error: {error}"));
                        aside::say("an empty line asks again");
                        // What it is too late for is asked again, to be given up.
                        self.is_answered &= !matches!(error, ClientError::Resume(_));
                        is_unheard = true;
                        went = Went::Nowhere;
                    }
                    Err(error) => return Err(error),
                }
            }
            let Some(line) = lines.next("> ").await else { return Ok(went) };
            match line.trim() {
                "" if !is_unheard => {}
                "/quit" => return Ok(went),
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

    /// What the run before left to be answered.
    fn left_open(&self) -> Option<Step> {
        let calls = self.session.pending_calls();
        self.questions().or_else(|| (!calls.is_empty()).then_some(Step::Calls(calls)))
    }

    /// The questions without whose answers no run can be asked for.
    fn questions(&self) -> Option<Step> {
        let open = self.session.pending_interrupts();
        (!open.is_empty() && !self.is_answered).then(|| Step::Questions(open.to_vec()))
    }

    /// Goes on until nothing is left to do.
    async fn follow(&mut self, mut step: Step, lines: &mut Lines) -> Result<Went, CliError> {
        loop {
            let answered = match step {
                Step::Over(went) => return Ok(went),
                Step::Run => true,
                Step::Questions(open) => self.answer_questions(&open, lines).await?,
                Step::Calls(calls) => self.answer_calls(&calls, lines).await,
            };
            if !answered {
                aside::say("nobody answers");
                return Ok(Went::Badly);
            }
            step = self.turn().await?;
        }
    }

    /// Runs the agent, and shows what comes. Who is there can stop it.
    async fn turn(&mut self) -> Result<Step, CliError> {
        let before = self.shows_state.then(|| self.session.state_value().clone());
        let known = self.shows_requests.then(|| request::known(self.session.messages()));
        self.screen.begin(self.session.messages());
        let mut turn = self.session.start();
        loop {
            let update = tokio::select! {
                update = turn.next() => update,
                _ = tokio::signal::ctrl_c() => {
                    drop(turn);
                    self.screen.line("stopped")?;
                    return Ok(Step::Over(Went::Badly));
                }
            };
            let update = match update {
                Ok(update) => update,
                Err(error) => {
                    self.screen.break_line()?;
                    return Err(error.into());
                }
            };
            match update {
                Some(Update::Event { event, .. }) => {
                    if let Event::RunStarted(started) = &event {
                        // It has the answers now.
                        self.is_answered = false;
                        if let (Some(known), Some(input)) = (&known, &started.input) {
                            request::show(input, known);
                        }
                    }
                    self.screen.event(&event, turn.session())?;
                }
                Some(_) => {}
                None => break,
            }
        }
        let done = turn.finish().await?;
        let well = self.screen.outcome(&done.outcome)?;
        if let Some(before) = before {
            self.screen.state(&before, self.session.state_value())?;
        }
        Ok(match done.outcome {
            Outcome::Interrupted { interrupts } => Step::Questions(interrupts),
            Outcome::Success { pending, .. } if !pending.is_empty() => Step::Calls(pending),
            _ => Step::Over(if well { Went::Well } else { Went::Badly }),
        })
    }

    async fn answer_questions(&mut self, open: &[Interrupt], lines: &mut Lines) -> Result<bool, CliError> {
        let mut answers = Vec::new();
        for interrupt in open {
            let question = interrupt.message.as_deref().unwrap_or(&interrupt.reason);
            aside::say(format_args!("? {question}"));
            if is_expired(interrupt, SystemTime::now()) {
                aside::say("  it is too late to answer that");
                answers.push((interrupt.id.clone(), Answer::cancelled()));
                continue;
            }
            let wanted = Wanted::of(interrupt);
            let prompt = format!("  ({}) ", wanted.hint());
            let answer = loop {
                let Some(line) = lines.next(&prompt).await else { return Ok(false) };
                match wanted.read(&line) {
                    Some(answer) => break answer,
                    None => aside::say("  that is neither yes nor no nor JSON"),
                }
            };
            answers.push((interrupt.id.clone(), answer));
        }
        self.session.resume(answers).map_err(ClientError::from)?;
        self.is_answered = true;
        Ok(true)
    }

    /// Answers calls of tools that run here; an empty line leaves the call, and the rest, unanswered.
    async fn answer_calls(&mut self, calls: &[ToolCallId], lines: &mut Lines) -> bool {
        for id in calls {
            let (name, arguments) = call(&self.session, id).unwrap_or_default();
            aside::say(format_args!("? {name} {arguments}"));
            match lines.next("  (JSON or text) ").await {
                Some(line) if !line.trim().is_empty() => self.session.answer_call(id, line.trim()),
                _ => return false,
            }
        }
        true
    }

    /// A recording goes on, whatever was answered when it was made.
    fn give_up_questions(&mut self) -> Result<(), CliError> {
        let open = self.session.pending_interrupts().iter();
        let answers: Vec<_> = open.map(|open| (open.id.clone(), Answer::cancelled())).collect();
        self.session.resume(answers).map_err(ClientError::from)?;
        Ok(())
    }
}
