//! Titles that the server writes: once for each thread, after the first exchange.

#[cfg(feature = "model")]
mod model_titles;

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::time::timeout;

use super::conversation::fold::FoldedThread;
use super::conversation::last_message::{excerpt, is_for_user};
use super::conversation::note::{ThreadDescription, ThreadNote};
use super::description::MAX_TITLE;
use super::store::ServerThreads;
use crate::protocol::Message;
use crate::quoted::quoted;
use crate::server::response::rejection::Rejection;
use crate::thread::ThreadKey;
#[cfg(feature = "model")]
pub use model_titles::ModelTitles;

/// The maximum length of each text in an exchange, in characters.
const MAX_TEXT: usize = 2_000;

/// The maximum time for one title.
const LIMIT: Duration = Duration::from_secs(30);

/// The number of attempts for a thread, at most one after each run.
const ATTEMPTS: u64 = 3;

/// The number of titles that a server writes at once; a run that ends meanwhile gives no title.
pub(super) const AT_ONCE: usize = 16;

/// A conversation's beginning: the user's first text, and the agent's first text after that. Each is cut at 2,000 characters.
///
/// ```
/// use agui_runtime::http::FirstExchange;
///
/// let exchange = FirstExchange::new("/desk", "Where is my parcel?", "In the van.");
/// assert_eq!((exchange.question(), exchange.answer()), ("Where is my parcel?", "In the van."));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstExchange {
    agent_path: String,
    question: String,
    answer: String,
}

impl FirstExchange {
    /// Returns an exchange, for tests of a strategy; see [`FirstExchange`].
    #[must_use]
    pub fn new(
        agent_path: impl Into<String>,
        question: impl Into<String>,
        answer: impl Into<String>,
    ) -> Self {
        Self { agent_path: agent_path.into(), question: question.into(), answer: answer.into() }
    }

    /// Returns the path of the thread's agent.
    #[must_use]
    pub fn agent_path(&self) -> &str {
        &self.agent_path
    }

    /// Returns the user's text.
    #[must_use]
    pub fn question(&self) -> &str {
        &self.question
    }

    /// Returns the agent's text.
    #[must_use]
    pub fn answer(&self) -> &str {
        &self.answer
    }

    /// Returns the exchange in a conversation; `None` before the agent has said something.
    fn from_messages(agent_path: &str, messages: &[Message]) -> Option<Self> {
        let mut messages = messages.iter().filter(|message| is_for_user(message));
        let cut = |text: &str| {
            let text = text.trim();
            (!text.is_empty()).then(|| text.chars().take(MAX_TEXT).collect::<String>())
        };
        let question = messages.find_map(|message| match message {
            Message::User(user) => cut(&user.content.text()),
            _ => None,
        })?;
        let answer = messages.find_map(|message| match message {
            Message::Assistant(assistant) => cut(assistant.content.as_deref().unwrap_or_default()),
            _ => None,
        })?;
        Some(Self::new(agent_path, question, answer))
    }
}

/// A strategy that writes titles for stored threads; see [`ThreadOptions::titles`](super::ThreadOptions::titles).
///
/// Any function from a [`FirstExchange`] to a future is a strategy, and `ModelTitles` asks a model (feature `model`).
///
/// ```
/// use agui_runtime::http::{FirstExchange, ThreadOptions};
///
/// // The beginning of the question, without a model.
/// let options = ThreadOptions::default().titles(|exchange: FirstExchange| async move {
///     Some(exchange.question().chars().take(40).collect())
/// });
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` writes no titles for threads",
    label = "not a strategy for titles",
    note = "pass `ModelTitles::new(model)`, or a closure `|exchange: FirstExchange| async move {{ .. }}` that returns `Option<String>`"
)]
pub trait ThreadTitles: Send + Sync + 'static {
    /// Returns a title. The server keeps one line with at most 200 characters. `None`, and a future that takes longer than 30
    /// seconds, leave the thread without a title until the next run.
    fn title<'a>(&'a self, exchange: &'a FirstExchange) -> BoxFuture<'a, Option<String>>;
}

impl<F, R> ThreadTitles for F
where
    F: Fn(FirstExchange) -> R + Send + Sync + 'static,
    R: Future<Output = Option<String>> + Send + 'static,
{
    fn title<'a>(&'a self, exchange: &'a FirstExchange) -> BoxFuture<'a, Option<String>> {
        Box::pin(self(exchange.clone()))
    }
}

/// The chosen strategy; without one, the server writes no titles.
#[derive(Clone, Default)]
pub(super) struct TitleStrategy(pub(super) Option<Arc<dyn ThreadTitles>>);

impl fmt::Debug for TitleStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "a strategy" } else { "none" })
    }
}

/// True if the server should write a title after a run.
fn needs_title(note: &ThreadNote) -> bool {
    let ThreadDescription { title, title_attempts, .. } = &note.description;
    let is_answered = note.last_message.as_ref().is_some_and(|last| last.role == "assistant");
    title.is_none() && *title_attempts < ATTEMPTS && is_answered
}

impl ServerThreads {
    /// Writes a thread's title in a separate task, if the thread needs one: the run has ended, whatever becomes of the title.
    pub(super) fn write_title(self: &Arc<Self>, key: &ThreadKey, note: &ThreadNote) {
        let Some(titles) = self.options.titles.0.clone().filter(|_| needs_title(note)) else { return };
        // A queue could grow for ever: the next run's end is another attempt, and this one is not counted.
        let Ok(turn) = Arc::clone(&self.title_turns).try_acquire_owned() else {
            tracing::debug!(thread = %quoted(key.thread()), "too many titles are being written: a thread gets none now");
            return;
        };
        let (threads, key, born) = (Arc::clone(self), key.clone(), note.born);
        tokio::spawn(async move {
            let _turn = turn;
            let written = tokio::select! {
                biased;
                () = threads.closed() => return,
                written = threads.write_title_now(&key, born, titles) => written,
            };
            if let Err(error) = written {
                tracing::warn!(error = %quoted(&error), thread = %quoted(key.thread()), "a thread got no title");
            }
        });
    }

    async fn write_title_now(
        self: &Arc<Self>,
        key: &ThreadKey,
        born: u64,
        titles: Arc<dyn ThreadTitles>,
    ) -> Result<(), Rejection> {
        let Some(exchange) = self.first_exchange(key, born).await? else { return Ok(()) };
        // The strategy is the program's, and may panic.
        let asked = AssertUnwindSafe(async { timeout(LIMIT, titles.title(&exchange)).await }).catch_unwind();
        let title = match asked.await {
            Ok(Ok(title)) => title.map(|title| excerpt(&title, MAX_TITLE)).filter(|title| !title.is_empty()),
            Ok(Err(_)) => {
                tracing::warn!(thread = %quoted(key.thread()), "the title of a thread took too long");
                None
            }
            Err(_) => {
                tracing::warn!(thread = %quoted(key.thread()), "the title of a thread failed: the strategy panicked");
                None
            }
        };
        self.end_title_attempt(key, born, title).await
    }

    /// Writes the title, or counts the attempt that gave none.
    async fn end_title_attempt(
        self: &Arc<Self>,
        key: &ThreadKey,
        born: u64,
        title: Option<String>,
    ) -> Result<(), Rejection> {
        self.describe(key, |note| {
            // The user, or another server, was faster; or the thread was deleted and has begun anew.
            if note.description.title.is_some() || note.born != born {
                return Ok(false);
            }
            match &title {
                Some(title) => note.description.title = Some(title.clone()),
                None => note.description.title_attempts += 1,
            }
            Ok(true)
        })
        .await
    }

    /// Reads the exchange of a thread that needs a title. A thread without an exchange has used an attempt: reading the thread again
    /// after each run would cost more with each run.
    async fn first_exchange(
        self: &Arc<Self>,
        key: &ThreadKey,
        born: u64,
    ) -> Result<Option<FirstExchange>, Rejection> {
        loop {
            let (head, note) = self.head(key).await?;
            if note.born != born || !needs_title(&note) {
                return Ok(None);
            }
            let _memory = self.fold_for_reader(&note).await?;
            if let Some(thread) = self.folded(key, head, note).await? {
                let exchange = FirstExchange::from_messages(key.agent(), FoldedThread::messages(&thread));
                if exchange.is_none() {
                    self.end_title_attempt(key, born, None).await?;
                }
                return Ok(exchange);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{AssistantMessage, SystemMessage, UserMessage};

    fn said(id: &str, text: &str) -> Message {
        AssistantMessage { content: Some(text.to_owned()), ..AssistantMessage::new(id) }.into()
    }

    #[test]
    fn the_first_exchange_is_the_first_question_and_what_answers_it() {
        let long = "ü".repeat(9_000);
        let messages = [
            SystemMessage::new("s", "Be brief.").into(),
            said("m-0", "Welcome."),
            UserMessage::new("u-0", " ").into(),
            UserMessage::new("u-1", " Where is it? ").into(),
            AssistantMessage::new("m-1").into(),
            said("m-2", &long),
            UserMessage::new("u-2", "And now?").into(),
        ];
        let exchange = FirstExchange::from_messages("/desk", &messages).unwrap();
        assert_eq!((exchange.agent_path(), exchange.question()), ("/desk", "Where is it?"));
        assert_eq!(exchange.answer().chars().count(), MAX_TEXT);
        let by = |author: &str| match said("m-1", author) {
            Message::Assistant(message) => {
                AssistantMessage { subagent_run_id: Some(author.into()), ..message }.into()
            }
            other => other,
        };
        let handed_over = [messages[3].clone(), by("called-c"), by("handoff-c")];
        assert_eq!(FirstExchange::from_messages("/", &handed_over).unwrap().answer(), "handoff-c");
        assert_eq!(FirstExchange::from_messages("/desk", &messages[..5]), None);
    }
}
