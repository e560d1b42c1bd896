//! The conversation: lines in, turns, follow-up questions.

use std::io::{self, Write as _};
use std::sync::Arc;
use std::time::SystemTime;

use agui_runtime::client::{Answer, Outcome, Session, Update, is_expired};
use agui_runtime::protocol::{Interrupt, ToolCallId};

use crate::arguments::Chat;
use crate::connect::{self, CliError, warn};
use crate::lines::Lines;
use crate::paint::Paint;
use crate::question::Wanted;
use crate::screen::{Screen, call};

/// A conversation, on a screen.
struct Conversation {
    session: Session,
    screen: Screen<io::Stdout>,
    shows_state: bool,
}

/// Has a conversation, or shows one; whether it went well.
pub async fn chat(options: &Chat) -> Result<bool, CliError> {
    let screen = Screen::new(io::stdout(), Paint::of_output());
    let shows_state = !options.no_state;
    match (&options.replay, &options.url) {
        (Some(file), _) => {
            let replay = Arc::new(connect::replay(file)?);
            let session = Session::new(Arc::clone(&replay));
            let mut conversation = Conversation { session, screen, shows_state };
            let mut well = true;
            while replay.runs_left() > 0 {
                conversation.give_up_questions()?;
                well &= !matches!(conversation.turn().await?, Turn::Over(false));
            }
            Ok(well)
        }
        (None, url) => {
            let session = connect::session(url.as_deref().unwrap_or_default(), options)?;
            let lines =
                if options.message.is_empty() { Lines::start() } else { Lines::given(&options.message) };
            Conversation { session, screen, shows_state }.talk(lines).await
        }
    }
}

/// How a turn went.
enum Turn {
    /// It is over, well or not.
    Over(bool),
    /// The agent wants to know something.
    Asks(Vec<Interrupt>),
    /// The agent waits for calls to be answered.
    Calls(Vec<ToolCallId>),
}

impl Conversation {
    async fn talk(mut self, mut lines: Lines) -> Result<bool, CliError> {
        let mut well = true;
        // A restored conversation may have stopped with questions.
        if !self.session.pending_interrupts().is_empty() {
            let open = self.session.pending_interrupts().to_vec();
            well &= self.follow(Turn::Asks(open), &mut lines).await?;
        }
        while let Some(line) = lines.next("> ").await {
            match line.trim() {
                "" => {}
                "/quit" => break,
                "/state" => self.screen.note(&format!("{:#}", self.session.state_value()))?,
                "/messages" => {
                    let messages = serde_json::to_string_pretty(self.session.messages());
                    self.screen.note(&messages.map_err(io::Error::other)?)?;
                }
                said => {
                    self.session.say(said);
                    let turn = self.turn().await?;
                    well &= self.follow(turn, &mut lines).await?;
                }
            }
        }
        Ok(well)
    }

    /// Answers what the agent asks, until it asks no more; whether that went well.
    async fn follow(&mut self, mut turn: Turn, lines: &mut Lines) -> Result<bool, CliError> {
        loop {
            let answered = match turn {
                Turn::Over(well) => return Ok(well),
                Turn::Asks(interrupts) => self.answer_questions(&interrupts, lines).await?,
                Turn::Calls(calls) => self.answer_calls(&calls, lines).await,
            };
            if !answered {
                let _ = writeln!(io::stderr(), "nobody answers");
                return Ok(false);
            }
            turn = self.turn().await?;
        }
    }

    /// Runs the agent, and shows what comes. Who is there can stop it.
    async fn turn(&mut self) -> Result<Turn, CliError> {
        let before = self.shows_state.then(|| self.session.state_value().clone());
        let mut turn = self.session.start();
        loop {
            let update = tokio::select! {
                update = turn.next() => update?,
                _ = tokio::signal::ctrl_c() => {
                    drop(turn);
                    self.screen.note("stopped")?;
                    return Ok(Turn::Over(false));
                }
            };
            match update {
                Some(Update::Event { event, applied }) => {
                    if let Some(warning) = &applied.warning {
                        warn(warning);
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
            Outcome::Interrupted { interrupts } => Turn::Asks(interrupts),
            Outcome::Success { pending, .. } if !pending.is_empty() => Turn::Calls(pending),
            _ => Turn::Over(well),
        })
    }

    async fn answer_questions(&mut self, open: &[Interrupt], lines: &mut Lines) -> Result<bool, CliError> {
        let mut answers = Vec::new();
        for interrupt in open {
            let question = interrupt.message.as_deref().unwrap_or(&interrupt.reason);
            let _ = writeln!(io::stderr(), "? {question}");
            if is_expired(interrupt, SystemTime::now()) {
                let _ = writeln!(io::stderr(), "  it is too late to answer that");
                answers.push((interrupt.id.clone(), Answer::cancelled()));
                continue;
            }
            let wanted = Wanted::of(interrupt);
            let prompt = format!("  ({}) ", wanted.hint());
            let answer = loop {
                let Some(line) = lines.next(&prompt).await else { return Ok(false) };
                match wanted.read(&line) {
                    Some(answer) => break answer,
                    None => {
                        let _ = writeln!(io::stderr(), "  that is neither yes nor no nor JSON");
                    }
                }
            };
            answers.push((interrupt.id.clone(), answer));
        }
        self.session.resume(answers).map_err(agui_runtime::client::ClientError::from)?;
        Ok(true)
    }

    /// Answers calls of tools that run here; an empty line leaves the call, and the rest, unanswered.
    async fn answer_calls(&mut self, calls: &[ToolCallId], lines: &mut Lines) -> bool {
        for id in calls {
            let (name, arguments) = call(&self.session, id).unwrap_or_default();
            let _ = writeln!(io::stderr(), "? {name} {arguments}");
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
        self.session.resume(answers).map_err(agui_runtime::client::ClientError::from)?;
        Ok(())
    }
}
