//! A conversation with an agent through an official JavaScript client, of either generation.

use std::collections::HashMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Node, finish};

const LIMIT: Duration = Duration::from_secs(180);

/// A generation of `@ag-ui/client`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Generation {
    /// 1.0.0, which declares protocol version 1.0.
    #[serde(rename = "1.0.0")]
    V1,
    /// 0.0.59, the last before 1.0: it declares no version and fails on unknown events.
    #[serde(rename = "0.0.59")]
    Legacy,
}

impl Generation {
    /// Both, the newer first.
    pub const ALL: [Self; 2] = [Self::V1, Self::Legacy];

    /// The version of the package.
    #[must_use]
    pub fn version(self) -> &'static str {
        match self {
            Self::V1 => "1.0.0",
            Self::Legacy => "0.0.59",
        }
    }

    /// Returns a bundled program, which imports the package of version 1.0.0, with this one in its place.
    ///
    /// # Panics
    /// If the program does not import the package.
    #[must_use]
    pub fn imported_by(self, program: &str) -> String {
        const PACKAGE: &str = "\"@ag-ui/client\"";
        assert!(program.contains(PACKAGE), "the program imports no official client");
        match self {
            Self::V1 => program.to_owned(),
            Self::Legacy => program.replace(PACKAGE, "\"ag-ui-client-legacy\""),
        }
    }
}

/// The messages to an agent, in one or more runs on one thread.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Conversation {
    url: String,
    generation: Generation,
    #[serde(skip_serializing_if = "Option::is_none")]
    thread_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accept: Option<String>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    headers: Map<String, Value>,
    compact: Vec<Generation>,
    turns: Vec<Turn>,
}

/// One run of a conversation: the additions of the client before it sends its input.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Turn {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    messages: Vec<Value>,
    #[serde(skip_serializing_if = "Map::is_empty")]
    answers: Map<String, Value>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

impl Conversation {
    /// A conversation with the agent at `url`, so far without a turn.
    #[must_use]
    pub fn new(url: impl Into<String>, generation: Generation) -> Self {
        Self {
            url: url.into(),
            generation,
            thread_id: None,
            accept: None,
            headers: Map::new(),
            compact: Vec::new(),
            turns: Vec::new(),
        }
    }

    /// The thread's id, instead of a random one.
    #[must_use]
    pub fn thread(mut self, id: impl Into<String>) -> Self {
        self.thread_id = Some(id.into());
        self
    }

    /// The requested media type, instead of server-sent events.
    #[must_use]
    pub fn accept(mut self, media: impl Into<String>) -> Self {
        self.accept = Some(media.into());
        self
    }

    /// A header that the client sends with every run.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.insert(name.to_owned(), value.into());
        self
    }

    /// Gives each run also to `compactEvents` of these: see [`TurnReport::compacted`].
    #[must_use]
    pub fn compacted_by(mut self, generations: &[Generation]) -> Self {
        self.compact = generations.to_vec();
        self
    }

    /// One more run.
    #[must_use]
    pub fn then(mut self, turn: Turn) -> Self {
        self.turns.push(turn);
        self
    }
}

impl Turn {
    /// A user message.
    #[must_use]
    pub fn say(text: impl Into<String>) -> Self {
        Self::default().message(json!({ "role": "user", "content": text.into() }))
    }

    /// The result of every open call of the frontend tool `tool`; a string is sent as it is, other values as JSON.
    #[must_use]
    pub fn answer(tool: impl Into<String>, result: Value) -> Self {
        let mut turn = Self::default();
        turn.answers.insert(tool.into(), result);
        turn
    }

    /// The same for one more tool.
    #[must_use]
    pub fn and_answer(mut self, tool: impl Into<String>, result: Value) -> Self {
        self.answers.insert(tool.into(), result);
        self
    }

    /// The same answer to every open interrupt: `resolved` with a payload, or `cancelled`.
    #[must_use]
    pub fn resume(status: &str, payload: Option<Value>) -> Self {
        let mut entry = json!({ "status": status });
        if let (Some(payload), Some(entry)) = (payload, entry.as_object_mut()) {
            entry.insert("payload".to_owned(), payload);
        }
        Self::default().with("resumeAll", entry)
    }

    /// The next action of a user: answers every open question with this payload, or else every open call (with these
    /// results, `done` for other tools), or else sends the text.
    #[must_use]
    pub fn go_on(text: &str, answers: &Value, payload: &Value) -> Self {
        let next = json!({ "text": text, "answers": answers, "payload": payload });
        Self::default().with("goOn", next)
    }

    /// One more message before the run, of any role; it gets an id if it has none.
    #[must_use]
    pub fn message(mut self, message: Value) -> Self {
        self.messages.push(message);
        self
    }

    /// A member of the run's input: `tools`, `context`, `forwardedProps`, `resume`, `runId`; or `state`,
    /// which replaces the state the client has.
    #[must_use]
    pub fn with(mut self, member: &str, value: Value) -> Self {
        self.other.insert(member.to_owned(), value);
        self
    }
}

/// The report of a conversation.
#[derive(Debug, Deserialize)]
pub struct ConversationReport {
    /// The generation of the client.
    pub generation: Generation,
    /// The report of each run; a failed run is the last.
    pub turns: Vec<TurnReport>,
    /// The complaints after the last run.
    pub complaints: Vec<Complaint>,
}

/// The report of one run.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TurnReport {
    /// The body the client posted.
    #[serde(default)]
    pub request: Value,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// The content type of the response.
    pub content_type: Option<String>,
    /// The body of the response, as far as the client read it; in hexadecimal digits if it is binary.
    #[serde(default)]
    pub body: String,
    /// The events in that body.
    pub wire: Vec<Value>,
    /// The events as the client passed them to its subscribers.
    pub events: Vec<Value>,
    /// The error of a failed run.
    pub error: Option<String>,
    /// The content of `RUN_ERROR`.
    pub run_errors: Vec<Value>,
    /// The content of `RUN_FINISHED`, as the client's hook sees it.
    pub finished: Vec<Value>,
    /// The run's result.
    #[serde(default)]
    pub result: Value,
    /// The messages that this run added.
    pub new_messages: Vec<Value>,
    /// All messages of the thread after the run.
    pub messages: Vec<Value>,
    /// The shared state after the run.
    #[serde(default)]
    pub state: Value,
    /// The result of `compactEvents` of each generation in [`Conversation::compacted_by`].
    #[serde(default)]
    pub compacted: HashMap<Generation, Compacted>,
    /// The interrupts the client has to answer.
    pub pending_interrupts: Vec<Value>,
    /// The complaints on the console during the run.
    pub complaints: Vec<Complaint>,
}

/// The state of a run after `compactEvents`.
#[derive(Debug, Deserialize)]
pub struct Compacted {
    /// The state that the shorter list folds to, from the state before the run.
    pub state: Option<Value>,
    /// The error that `compactEvents` threw.
    pub error: Option<String>,
}

/// One complaint of the client.
#[derive(Debug, Deserialize)]
pub struct Complaint {
    /// `warn`, `error`, `process` or `unhandledRejection`.
    pub level: String,
    /// The whole text.
    pub text: String,
}

impl Node {
    /// Holds a conversation and reports it. A client that does not start fails the test; a failed run is in the report.
    #[must_use]
    pub fn converse(&self, conversation: &Conversation) -> ConversationReport {
        finish(self.command("clients/run.mjs"), &json!(conversation).to_string(), LIMIT).json()
    }

    /// Holds many conversations side by side in one process, and reports them in the same order. A complaint may be in
    /// the report of another one.
    #[must_use]
    pub fn converse_all(&self, conversations: &[Conversation]) -> Vec<ConversationReport> {
        let jobs = json!({ "jobs": conversations });
        finish(self.command("clients/run.mjs"), &jobs.to_string(), LIMIT).json()
    }
}

impl ConversationReport {
    /// Fails the test, with the whole report, unless every run finished without complaints.
    pub fn assert_clean(&self) {
        let troubles: Vec<String> = self.troubles().collect();
        assert!(troubles.is_empty(), "{:?} is not content: {troubles:#?}\n{self:#?}", self.generation);
    }

    /// Everything that went wrong, in words; empty for a conversation without fault.
    pub fn troubles(&self) -> impl Iterator<Item = String> {
        let of_turns = self.turns.iter().enumerate().flat_map(|(index, turn)| {
            let error = turn.error.iter().map(|text| format!("error: {text}"));
            let run_errors = turn.run_errors.iter().map(|error| format!("RUN_ERROR: {error}"));
            let complaints = turn.complaints.iter().map(|heard| format!("{}: {}", heard.level, heard.text));
            let unfinished = turn.finished.is_empty().then(|| "no RUN_FINISHED".to_owned());
            let all = error.chain(run_errors).chain(complaints).chain(unfinished);
            all.map(move |text| format!("turn {index}: {text}"))
        });
        let none = self.turns.is_empty().then(|| "no turn at all".to_owned());
        of_turns
            .chain(self.complaints.iter().map(|heard| format!("{}: {}", heard.level, heard.text)))
            .chain(none)
    }
}

impl TurnReport {
    /// The types of the events on the wire, in order.
    #[must_use]
    pub fn types(&self) -> Vec<&str> {
        self.wire.iter().map(|event| event.get("type").and_then(Value::as_str).unwrap_or("?")).collect()
    }

    /// The text of the assistant messages this run added, one after the other.
    #[must_use]
    pub fn said(&self) -> String {
        let of_agent = self.new_messages.iter().filter(|message| message["role"] == "assistant");
        of_agent.filter_map(|message| message["content"].as_str()).collect()
    }
}
