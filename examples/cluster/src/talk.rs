//! The conversation, and the comparison of what was shown with what is stored.

use std::time::Duration;

use agui_runtime::client::middleware::Retry;
use agui_runtime::client::{HttpAgent, RunOutcome, Session, TurnUpdate};
use agui_runtime::protocol::{Event, Message, MessageId};

use crate::error::ClusterError;
use crate::screen::{note, show};
use crate::teller::Place;

const WISH: &str = "Go on, please.";

pub struct Talk {
    session: Session<Place>,
    /// Everything that the user saw, written down beside the session: messages in order, with their text.
    pub shown: Vec<(MessageId, String)>,
    /// The number of runs that were lost with their node.
    pub lost: u32,
}

impl Talk {
    pub fn new(url: &str) -> Result<Self, ClusterError> {
        Ok(Self { session: Session::new(agent(url)?), shown: Vec::new(), lost: 0 })
    }

    pub async fn turns(&mut self, turns: u32) -> Result<(), ClusterError> {
        for _ in 0..turns {
            while !self.ask().await? {
                self.lost += 1;
                note("the run was lost with its node: asking again");
            }
        }
        Ok(())
    }

    /// The number of words that the agent told.
    pub fn words(&self) -> usize {
        let told = self.shown.iter().filter(|(_, text)| text != WISH);
        told.map(|(_, text)| text.split_whitespace().count()).sum()
    }

    /// Asks for more, and shows the answer. False if the node of the run was lost.
    async fn ask(&mut self) -> Result<bool, ClusterError> {
        let id = self.session.say(WISH);
        self.shown.push((id, WISH.to_owned()));
        show(&format!("\n\n> {WISH}\n"));
        let mut turn = self.session.start();
        while let Some(update) = turn.next().await? {
            match update {
                TurnUpdate::Event { event: Event::TextMessageStart(start), .. } => {
                    self.shown.push((start.message_id, String::new()));
                }
                TurnUpdate::Event { event: Event::TextMessageContent(content), .. } => {
                    show(&content.delta);
                    let message = self.shown.iter_mut().rfind(|(id, _)| *id == content.message_id);
                    if let Some((_, text)) = message {
                        text.push_str(&content.delta);
                    }
                }
                _ => {}
            }
        }
        match turn.finish().await?.outcome {
            RunOutcome::Success { .. } => Ok(true),
            RunOutcome::Failed { code: Some(code), .. } if code == "node_lost" => Ok(false),
            other => Err(ClusterError::Run { outcome: format!("{other:?}") }),
        }
    }

    /// Connects anew, as another device would, and compares the stored conversation with what was shown.
    pub async fn check(&self, url: &str) -> Result<(), ClusterError> {
        let thread = self.session.thread_id().clone();
        let mut stored: Session<Place> = Session::new(agent(url)?).with_thread_id(thread);
        if let Some(turn) = stored.connect().await? {
            turn.finish().await?;
        }
        let kept: Vec<_> = stored.messages().iter().map(text_of).collect();
        let (shown, kept) = ((&self.shown, self.session.state()?), (&kept, stored.state()?));
        if shown == kept {
            return Ok(());
        }
        Err(ClusterError::NotKept { shown: format!("{shown:?}"), kept: format!("{kept:?}") })
    }
}

/// A client that waits for a node that comes back.
fn agent(url: &str) -> Result<HttpAgent, ClusterError> {
    let patient =
        Retry::times(100).first_pause(Duration::from_millis(50)).longest_pause(Duration::from_millis(500));
    Ok(HttpAgent::new(url)?.reconnect(patient).resumable())
}

fn text_of(message: &Message) -> (MessageId, String) {
    let text = match message {
        Message::User(message) => message.content.text().into_owned(),
        Message::Assistant(message) => message.content.clone().unwrap_or_default(),
        other => format!("{other:?}"),
    };
    (message.id().clone(), text)
}
