//! Typed run input.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::untyped_input::UntypedInput;
use crate::agent::Agent;
use crate::agent::tool::{SettledByClient, ToolDataError, ToolOf, read_frontend_result};
use crate::protocol::any_json::meter::JsonMeter;
use crate::protocol::{Content, LazyJson, Message, RunAgentInput, ToolCallId};
use crate::quoted::quoted;
use crate::state::{StateError, read_sent};

/// A run's input, with typed accessors for agent `A`.
///
/// Derefs to [`RunAgentInput`]: ids, conversation, tools, context, resume entries.
///
/// ```
/// use agui_runtime::prelude::*;
///
/// /// Repeats the text of the user.
/// #[agent]
/// async fn parrot(run: &mut Run<Parrot>, input: Input<Parrot>) -> Result<(), Stop> {
///     let words = input.user_text().unwrap_or_default();
///     run.say(format!("Message {}: {words}", input.messages.len())).await;
///     Ok(())
/// }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Parrot::new(), agui_runtime::testing::input("Rice")));
/// # assert_eq!(agui_runtime::testing::texts(&events), ["Message 1: Rice"]);
/// ```
pub struct Input<A: Agent> {
    pub(crate) untyped: UntypedInput,
    agent: PhantomData<fn() -> A>,
}

impl<A: Agent> Input<A> {
    pub(in crate::agent) fn new(untyped: UntypedInput) -> Self {
        Self { untyped, agent: PhantomData }
    }

    /// Returns the newest message's text if a user wrote that message. Text parts are joined.
    ///
    /// `None` if the conversation is empty or ends with another message, such as a frontend tool's result.
    #[must_use]
    pub fn user_text(&self) -> Option<String> {
        match self.untyped.messages().last()? {
            Message::User(user) => Some(text(&user.content)),
            _ => None,
        }
    }

    /// Returns the newest message's text if that message is a tool result, for any tool. Text parts are joined.
    ///
    /// For tools without a type here ([`Emit::client_tool`](crate::Emit::client_tool)), or where only the presence counts.
    /// Otherwise [`frontend_result`](Self::frontend_result) parses the result as the tool's declared type.
    ///
    /// ```
    /// # use agui_runtime::{Agent, Input, Run};
    /// # async fn example<A: Agent>(run: &mut Run<A>, input: Input<A>) {
    /// if let Some(answer) = input.tool_result_text() {
    ///     run.say(format!("You chose {answer}.")).await;
    /// }
    /// # }
    /// ```
    #[must_use]
    pub fn tool_result_text(&self) -> Option<String> {
        match self.untyped.messages().last()? {
            Message::Tool(result) => Some(text(&result.content)),
            _ => None,
        }
    }

    /// Returns the result from a frontend tool if the client started this run to deliver one: the last entry from
    /// [`frontend_results`](Self::frontend_results).
    ///
    /// # Errors
    /// As [`frontend_results`](Self::frontend_results).
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
    ///     match input.frontend_result::<checkout>()? {
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
    pub fn frontend_result<T>(&self) -> Result<Option<T::Returns>, ToolDataError>
    where
        T: ToolOf<A>,
        T::Side: SettledByClient,
        T::Returns: DeserializeOwned,
    {
        Ok(self.frontend_results::<T>()?.pop().map(|(_, result)| result))
    }

    /// Returns all results from a frontend tool that the client started this run to deliver, with their call ids, oldest first.
    ///
    /// Only tool messages at the conversation's end count: an earlier run has already seen the others, and must not act on them
    /// again.
    ///
    /// # Errors
    /// [`ToolDataError`] if a result does not match the tool's declared type or reports a tool failure; also if untyped parts,
    /// such as a `serde_json::Value`, would together take more than 8 MiB and more than half their text.
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
    ///     let dishes = input.frontend_results::<choose>()?;
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
    pub fn frontend_results<T>(&self) -> Result<Vec<(ToolCallId, T::Returns)>, ToolDataError>
    where
        T: ToolOf<A>,
        T::Side: SettledByClient,
        T::Returns: DeserializeOwned,
    {
        let newest_first = self.untyped.messages().iter().rev().map_while(|message| match message {
            Message::Tool(result) => Some(result),
            _ => None,
        });
        let is_of_tool = |id| self.untyped.index().is_call_of(self.untyped.messages(), id, T::NAME);
        let results = newest_first.filter(|result| is_of_tool(&result.tool_call_id));
        let len = results.clone().map(|result| result.content.text().len()).sum();
        let meter = JsonMeter::new(len, self.untyped.allowance(), T::NAME);
        let mut results = results
            .map(|result| match &result.error {
                Some(error) => Err(ToolDataError::refused::<T>(error)),
                None => Ok((
                    result.tool_call_id.clone(),
                    read_frontend_result::<T>(&text(&result.content), &meter)?,
                )),
            })
            .collect::<Result<Vec<_>, _>>()?;
        results.reverse();
        Ok(results)
    }

    /// Returns the client's state, typed; `None` if the client sent none.
    ///
    /// Clients without state send an empty object, so `{}` counts as none, unless the state type serializes to exactly that.
    ///
    /// # Errors
    /// [`StateError::Client`] if the client sent something that is not this agent's state; [`StateError::TooLarge`] if an untyped
    /// part, such as a `serde_json::Value`, would take too much memory.
    pub fn state(&self) -> Result<Option<A::State>, StateError> {
        let Some(sent) = &self.untyped.sent.state else { return Ok(None) };
        let sent = sent.lazy();
        let is_empty = is_empty_object(sent);
        let read = read_sent::<A::State>(sent, self.untyped.allowance(), "/state");
        match read.map_err(|bytes| StateError::TooLarge { bytes })? {
            Ok(state) if is_empty && crate::state::text_value(&state)? != json!({}) => Ok(None),
            Ok(state) => Ok(Some(state)),
            Err(_) if is_empty => Ok(None),
            Err(error) => {
                let message = quoted(crate::json::message(error.inner())).to_string();
                Err(StateError::Client { path: quoted(error.path()).to_string(), message })
            }
        }
    }
}

/// True for an empty object; does not parse the whole document.
pub(in crate::agent) fn is_empty_object(json: &LazyJson<Value>) -> bool {
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
        &self.untyped.sent
    }
}

impl<A: Agent> fmt::Debug for Input<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.untyped.sent.fmt(f)
    }
}
