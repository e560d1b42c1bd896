use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::Agent;
use super::index::Index;
use crate::emit::QuestionId;
use crate::protocol::{Content, LazyJson, Message, ResumeEntry, RunAgentInput, ToolCallId};
use crate::state::StateError;
use crate::tool::{AnsweredByClient, ToolDataError, ToolOf, read_answer};

/// What the client sent for this run, with the typed reading that agent `A` knows.
///
/// It derefs to [`RunAgentInput`]: ids, the whole conversation, tools, context, resume entries.
pub struct Input<A: Agent> {
    input: Arc<RunAgentInput>,
    /// The path of this agent among those that were delegated to.
    asker: String,
    index: OnceLock<Index>,
    agent: PhantomData<fn() -> A>,
}

impl<A: Agent> Input<A> {
    pub(crate) fn new(input: Arc<RunAgentInput>, asker: String) -> Self {
        Self { input, asker, index: OnceLock::new(), agent: PhantomData }
    }

    /// The calls and answers of the conversation by their ids.
    pub(crate) fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::of(&self.input.messages))
    }

    /// The answers to typed questions, whoever asked them.
    pub(super) fn typed_answers(&self) -> impl Iterator<Item = (&ResumeEntry, QuestionId<'_>)> {
        self.resume().iter().filter_map(|entry| Some((entry, QuestionId::of(&entry.interrupt_id)?)))
    }

    /// Whether this agent asked it, and no subagent.
    pub(super) fn is_own(&self, question: QuestionId<'_>) -> bool {
        question.asker == self.asker
    }

    /// The text of the newest message, when a person wrote it; the text parts joined where it has parts.
    ///
    /// `None` when the conversation is empty or ends with something else, such as the answer of a frontend tool.
    ///
    /// ```
    /// # use agui_runtime::{Agent, Input, Run};
    /// # async fn example<A: Agent>(run: &mut Run<A>, input: Input<A>) {
    /// let asked = input.user_text().unwrap_or_default();
    /// # }
    /// ```
    #[must_use]
    pub fn user_text(&self) -> Option<String> {
        match self.input.messages.last()? {
            Message::User(user) => Some(text(&user.content)),
            _ => None,
        }
    }

    /// The text of the newest message, when it is the answer to a tool call, whatever the tool; the text parts joined where it
    /// has parts.
    ///
    /// For tools whose answers have no type here: those of [`Emit::client_tool`](crate::Emit::client_tool), or where it only
    /// matters that there is one. Otherwise [`answer`](Self::answer) reads it as what the tool declares.
    ///
    /// ```
    /// # use agui_runtime::{Agent, Input, Run};
    /// # async fn example<A: Agent>(run: &mut Run<A>, input: Input<A>) {
    /// if let Some(answer) = input.answer_text() {
    ///     run.say(format!("You chose {answer}.")).await;
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn answer_text(&self) -> Option<String> {
        match self.input.messages.last()? {
            Message::Tool(answer) => Some(text(&answer.content)),
            _ => None,
        }
    }

    /// The user interface's answer to a frontend tool, when this run was started to bring it: the newest of
    /// [`answers`](Self::answers).
    ///
    /// # Errors
    /// Those of [`answers`](Self::answers).
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    ///
    /// /// Asks the person whether that is all.
    /// #[tool(frontend)]
    /// async fn checkout(total: u32) -> bool;
    ///
    /// /// Sells things.
    /// #[agent(tools = [checkout])]
    /// async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
    ///     match input.answer::<checkout>()? {
    ///         Some(true) => run.say("Thank you!").await,
    ///         Some(false) => run.say("What else?").await,
    ///         None => {
    ///             let ask = run.call(checkout { total: 180 }).await?;
    ///             return Err(Stop::await_frontend(ask));
    ///         }
    ///     };
    ///     Ok(())
    /// }
    /// ```
    pub fn answer<T>(&self) -> Result<Option<T::Returns>, ToolDataError>
    where
        T: ToolOf<A>,
        T::Side: AnsweredByClient,
        T::Returns: DeserializeOwned,
    {
        Ok(self.answers::<T>()?.pop().map(|(_, answer)| answer))
    }

    /// All answers to a frontend tool that this run was started to bring, with the ids of their calls, oldest first.
    ///
    /// These are the tool messages the conversation ends with: what stands further up was answered to a run that has
    /// seen it, and must not be acted upon again.
    ///
    /// # Errors
    /// [`ToolDataError`] when an answer is not what the tool declares, or says that the tool failed.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    ///
    /// /// Asks the person for a dish.
    /// #[tool(frontend)]
    /// async fn choose(course: String) -> String;
    ///
    /// /// Plans a dinner.
    /// #[agent(tools = [choose])]
    /// async fn host(run: &mut Run<Host>, input: Input<Host>) -> Result<(), Stop> {
    ///     let dishes = input.answers::<choose>()?;
    ///     if dishes.is_empty() {
    ///         let starter = run.call(choose { course: "starter".to_owned() }).await?;
    ///         let main = run.call(choose { course: "main".to_owned() }).await?;
    ///         return Err(Stop::await_frontend([starter, main]));
    ///     }
    ///     for (call, dish) in dishes {
    ///         run.say(format!("{dish}, as you said in {call}. ")).await;
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn answers<T>(&self) -> Result<Vec<(ToolCallId, T::Returns)>, ToolDataError>
    where
        T: ToolOf<A>,
        T::Side: AnsweredByClient,
        T::Returns: DeserializeOwned,
    {
        let newest_first = self.input.messages.iter().rev().map_while(|message| match message {
            Message::Tool(answer) => Some(answer),
            _ => None,
        });
        let is_of_tool = |id| self.index().is_call_of(&self.input.messages, id, T::NAME);
        let mut answers = newest_first
            .filter(|answer| is_of_tool(&answer.tool_call_id))
            .map(|answer| match &answer.error {
                Some(error) => Err(ToolDataError::refused::<T>(error)),
                None => Ok((answer.tool_call_id.clone(), read_answer::<T>(&text(&answer.content))?)),
            })
            .collect::<Result<Vec<_>, _>>()?;
        answers.reverse();
        Ok(answers)
    }

    /// The state the client sent, typed; `None` when it sent none.
    ///
    /// Clients send an empty object when they hold no state, so `{}` counts as none, unless that is exactly what the
    /// state type writes.
    ///
    /// # Errors
    /// [`StateError::Client`] when what it sent is not a state of this agent.
    ///
    /// ```
    /// # use agui_runtime::{Agent, Input, StateError};
    /// # fn example<A: Agent<State = Vec<String>>>(input: Input<A>) -> Result<(), StateError> {
    /// let held = input.state()?.map_or(0, |list| list.len());
    /// # Ok(())
    /// # }
    /// ```
    pub fn state(&self) -> Result<Option<A::State>, StateError> {
        let Some(sent) = &self.input.state else { return Ok(None) };
        let sent = sent.lazy();
        let is_empty = is_empty_object(sent);
        match sent.read::<A::State>() {
            Ok(state) if is_empty && crate::state::text_value(&state)? != json!({}) => Ok(None),
            Ok(state) => Ok(Some(state)),
            Err(_) if is_empty => Ok(None),
            Err(error) => {
                let message = crate::json::message(error.inner());
                Err(StateError::Client { path: error.path().to_string(), message })
            }
        }
    }
}

/// Without parsing the whole of it.
fn is_empty_object(json: &LazyJson<Value>) -> bool {
    match json.text() {
        Some(text) => text.strip_prefix('{').is_some_and(|rest| rest.trim_start() == "}"),
        None => json.as_object().is_some_and(Map::is_empty),
    }
}

fn text(content: &Content) -> String {
    content.text().into_owned()
}

impl<A: Agent> Deref for Input<A> {
    type Target = RunAgentInput;

    fn deref(&self) -> &RunAgentInput {
        &self.input
    }
}

impl<A: Agent> fmt::Debug for Input<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.input.fmt(f)
    }
}
