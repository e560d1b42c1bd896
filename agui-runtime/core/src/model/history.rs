//! Converts an AG-UI conversation to prompt messages.

use std::collections::{HashMap, HashSet};

use super::broken_off;
use super::data_url::data_url;
use super::private::{self, PrivateHistory};
use super::prompt::{AssistantPart, ModelCall, PromptMessage, ToolResult};
use crate::agent::tool::reads_as_failure;
use crate::emit::{PrivateTurn, SettledPrivateCall};
use crate::kernel::awaited_author;
use crate::protocol::{
    AssistantMessage, Content, ContentPart, Message, PartSource, ReasoningMessage, TextPart, ToolCallId,
    ToolMessage,
};
use crate::quoted::quoted;

/// Rules that turn a client's conversation into a model's.
///
/// The client sends the conversation with each run and controls its content. By default, the client's system and developer
/// messages are left out. Files pass only with `https` addresses; bytes in a `data` URL become a
/// [`DataSource`](crate::protocol::DataSource). A call without a result gets the result `{"error":"no result"}`, because providers
/// refuse unsettled calls.
///
/// ```
/// use agui_runtime::model::HistoryPolicy;
/// use agui_runtime::protocol::{Message, SystemMessage, UserMessage};
///
/// let messages: [Message; 2] =
///     [SystemMessage::new("1", "Obey the user.").into(), UserMessage::new("2", "Rice?").into()];
/// assert_eq!(HistoryPolicy::default().read(&messages).len(), 1);
/// assert_eq!(HistoryPolicy::default().allow_system_messages().read(&messages).len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct HistoryPolicy {
    system_messages: bool,
    schemes: Vec<String>,
    drop_dangling: bool,
}

impl Default for HistoryPolicy {
    fn default() -> Self {
        Self { system_messages: false, schemes: vec!["https".to_owned()], drop_dangling: false }
    }
}

impl HistoryPolicy {
    /// Passes on the client's system and developer messages. Every user can then direct the model.
    #[must_use]
    pub fn allow_system_messages(mut self) -> Self {
        self.system_messages = true;
        self
    }

    /// Sets the URL schemes that the provider may fetch. A text replaces each image or file with another scheme, and says so.
    #[must_use]
    pub fn url_schemes<S: Into<String>>(mut self, schemes: impl IntoIterator<Item = S>) -> Self {
        self.schemes = schemes.into_iter().map(Into::into).collect();
        self
    }

    /// Leaves out calls without a result, instead of adding an error result.
    #[must_use]
    pub fn drop_dangling_calls(mut self) -> Self {
        self.drop_dangling = true;
        self
    }

    /// Returns prompt messages that follow the [`Prompt`](super::Prompt) rules for any conversation: activities, results without a
    /// call and repeated calls are left out, consecutive messages from one side are joined, and results move behind their calls. A
    /// subagent's messages for a call are left out too: the call's result has everything the agent may know.
    #[must_use]
    pub fn read(&self, messages: &[Message]) -> Vec<PromptMessage> {
        self.read_with(messages, &HashMap::new(), None, &PrivateHistory::default())
    }

    /// Reads a conversation with extra results, from calls that this run has resumed, and with the messages that the subagent
    /// `own` wrote, if the agent is one; private turns follow the messages behind which they were made.
    pub(super) fn read_with(
        &self,
        messages: &[Message],
        results: &HashMap<ToolCallId, Content>,
        own: Option<&str>,
        private: &PrivateHistory,
    ) -> Vec<PromptMessage> {
        let mut reading = HistoryReader::new(self, messages, results, private);
        private.behind(None).iter().for_each(|turn| reading.private(turn));
        // A client may repeat a message; the turn behind it was made once.
        let mut passed = HashSet::new();
        for message in messages {
            if awaited_author(message).is_none_or(|author| Some(author) == own) {
                reading.add(message);
            }
            if passed.insert(message.id()) {
                private.behind(Some(message.id())).iter().for_each(|turn| reading.private(turn));
            }
        }
        reading.end_turn();
        reading.read
    }
}

/// The state while a conversation is converted.
struct HistoryReader<'m> {
    policy: &'m HistoryPolicy,
    /// Each call's first result.
    tool_messages: HashMap<&'m ToolCallId, &'m ToolMessage>,
    /// Results that the conversation lacks.
    results: &'m HashMap<ToolCallId, Content>,
    known_calls: HashSet<&'m ToolCallId>,
    private_turns: &'m PrivateHistory,
    /// Results of private calls. No message can replace them.
    private_results: HashMap<ToolCallId, ToolResult>,
    read: Vec<PromptMessage>,
    /// The model turn being read.
    turn: Vec<AssistantPart>,
    /// True after a result in this turn: the next assistant message begins a new turn.
    has_results: bool,
}

impl<'m> HistoryReader<'m> {
    fn new(
        policy: &'m HistoryPolicy,
        messages: &'m [Message],
        results: &'m HashMap<ToolCallId, Content>,
        private_turns: &'m PrivateHistory,
    ) -> Self {
        let mut tool_messages = HashMap::new();
        for message in messages {
            if let Message::Tool(message) = message {
                tool_messages.entry(&message.tool_call_id).or_insert(message);
            }
        }
        Self {
            policy,
            tool_messages,
            results,
            known_calls: HashSet::new(),
            private_turns,
            private_results: HashMap::new(),
            read: Vec::new(),
            turn: Vec::new(),
            has_results: false,
        }
    }

    fn add(&mut self, message: &'m Message) {
        match message {
            Message::System(system) => self.system(&system.content),
            Message::Developer(developer) => self.system(&developer.content),
            Message::User(user) => self.user(&user.content),
            Message::Assistant(assistant) => self.assistant(assistant),
            Message::Reasoning(reasoning) => self.reasoning(reasoning),
            Message::Tool(message) => self.has_results |= self.known_calls.contains(&message.tool_call_id),
            Message::Activity(_) => {}
        }
    }

    fn system(&mut self, text: &str) {
        if !self.policy.system_messages {
            tracing::debug!("a system message of the client is left out");
        } else if !text.is_empty() {
            self.end_turn();
            self.read.push(PromptMessage::System(text.to_owned()));
        }
    }

    fn user(&mut self, content: &Content) {
        let parts = self.parts(content);
        if parts.is_empty() {
            return;
        }
        self.end_turn();
        match self.read.last_mut() {
            Some(PromptMessage::User(before)) => before.extend(parts),
            _ => self.read.push(PromptMessage::User(parts)),
        }
    }

    fn assistant(&mut self, message: &'m AssistantMessage) {
        if broken_off::is_marked(message.metadata.as_ref()) {
            let kept = self.turn.iter().rposition(|part| !matches!(part, AssistantPart::Reasoning { .. }));
            // The thoughts behind the text that broke off.
            self.turn.truncate(kept.map_or(0, |last| last + 1));
            return;
        }
        self.continue_turn();
        let text = message.content.as_deref().unwrap_or_default();
        let encrypted = message.encrypted();
        if !text.is_empty() || encrypted.is_some() {
            self.turn.push(AssistantPart::Text { text: text.to_owned(), encrypted });
        }
        for call in message.tool_calls() {
            let is_dangling =
                !self.tool_messages.contains_key(&call.id) && !self.results.contains_key(&call.id);
            // No client knows of a private call, so one that a client brings was invented.
            let is_invented =
                self.private_turns.is_private(&call.function.name) || private::is_private_id(&call.id);
            if is_invented || (is_dangling && self.policy.drop_dangling) || !self.known_calls.insert(&call.id)
            {
                continue;
            }
            self.turn.push(AssistantPart::Call(ModelCall {
                id: call.id.clone(),
                tool: call.function.name.clone(),
                arguments: call.function.arguments.clone(),
                encrypted: call.encrypted(),
            }));
        }
    }

    fn reasoning(&mut self, message: &ReasoningMessage) {
        if broken_off::is_marked(message.metadata.as_ref()) || private::sealed_text(message).is_some() {
            return;
        }
        self.continue_turn();
        let (text, encrypted) = (message.content.clone(), message.encrypted());
        if !text.is_empty() || encrypted.is_some() {
            self.turn.push(AssistantPart::Reasoning { text, encrypted });
        }
    }

    /// Adds a private turn, or the private part of the current turn.
    fn private(&mut self, private: &PrivateTurn) {
        if !private.continues {
            self.continue_turn();
        }
        for call in &private.calls {
            let SettledPrivateCall { id, tool, arguments, encrypted, content, failed } = call.clone();
            let result =
                ToolResult { id: id.clone(), tool: tool.clone(), content, failed, found_tools: Vec::new() };
            self.private_results.insert(id.clone(), result);
            self.turn.push(AssistantPart::Call(ModelCall { id, tool, arguments, encrypted }));
        }
        self.has_results = true;
    }

    /// Begins a new turn if the current turn's results were read.
    fn continue_turn(&mut self) {
        if self.has_results {
            self.end_turn();
        }
    }

    /// Adds the turn, then its results.
    fn end_turn(&mut self) {
        self.has_results = false;
        let turn = std::mem::take(&mut self.turn);
        // Reasoning belongs to the parts after it: reasoning alone is not a turn for any provider.
        if turn.iter().all(|part| matches!(part, AssistantPart::Reasoning { .. })) {
            return;
        }
        let results: Vec<_> = turn
            .iter()
            .filter_map(|part| match part {
                AssistantPart::Call(call) => Some(self.result(call)),
                _ => None,
            })
            .collect();
        match self.read.last_mut() {
            Some(PromptMessage::Assistant(before)) => before.extend(turn),
            _ => self.read.push(PromptMessage::Assistant(turn)),
        }
        if !results.is_empty() {
            self.read.push(PromptMessage::Tools(results));
        }
    }

    fn result(&self, call: &ModelCall) -> ToolResult {
        if let Some(result) = self.private_results.get(&call.id) {
            return result.clone();
        }
        let (id, tool) = (call.id.clone(), call.tool.clone());
        let message = self.tool_messages.get(&call.id);
        let error = message.and_then(|message| message.error.as_ref());
        match (message.map(|message| &message.content).or_else(|| self.results.get(&call.id)), error) {
            // The parts of a failure may show it.
            (Some(content @ Content::Parts(parts)), error) if !parts.is_empty() || error.is_none() => {
                let (content, failed) = (Content::Parts(self.parts(content)), error.is_some());
                ToolResult { id, tool, content, failed, found_tools: Vec::new() }
            }
            (_, Some(error)) => ToolResult::failed(id, tool, error),
            (None, None) => ToolResult::failed(id, tool, "no result"),
            (Some(content), None) => {
                let failed = matches!(content, Content::Text(text) if reads_as_failure(text));
                ToolResult { id, tool, content: content.clone(), failed, found_tools: Vec::new() }
            }
        }
    }

    /// Returns the parts that the provider may read.
    fn parts(&self, content: &Content) -> Vec<ContentPart> {
        match content {
            Content::Text(text) if text.is_empty() => Vec::new(),
            Content::Text(text) => vec![TextPart::new(text.clone()).into()],
            Content::Parts(parts) => parts.iter().map(|part| self.part(part)).collect(),
        }
    }

    fn part(&self, part: &ContentPart) -> ContentPart {
        let mut part = part.clone();
        let source = match &mut part {
            ContentPart::Text(_) => return part,
            ContentPart::Image(image) => &mut image.source,
            ContentPart::Audio(audio) => &mut audio.source,
            ContentPart::Video(video) => &mut video.source,
            ContentPart::Document(document) => &mut document.source,
        };
        let PartSource::Url(url) = &*source else { return part };
        // The bytes stand in the address, so that nothing is fetched.
        if let Some(data) = data_url(&url.value) {
            *source = data.into();
            return part;
        }
        let scheme = url.value.split_once(':').map_or("", |(scheme, _)| scheme);
        if self.policy.schemes.iter().any(|allowed| allowed.eq_ignore_ascii_case(scheme)) {
            return part;
        }
        let scheme = quoted(scheme);
        tracing::warn!(%scheme, "a file of the client is left out");
        TextPart::new(format!("[a file was left out: addresses of the scheme `{scheme}` are not allowed]"))
            .into()
    }
}
