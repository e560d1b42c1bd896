//! Frontend tools and their handlers.

use std::fmt;
use std::future::Future;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use indexmap::IndexMap;
use serde::Serialize;

use crate::agent::tool::{FrontendSide, Tool, failure_content, read_arguments, value_content};
use crate::protocol::{self, NonNull, ToolCall, ToolMessage};

/// A call's result: content, or the reason for a failure.
type Returned = Result<String, String>;
type Handler = Box<dyn FnMut(&str) -> BoxFuture<'static, Returned> + Send>;

/// A session's frontend tools, in registration order.
#[derive(Default)]
pub(super) struct Tools {
    tools: IndexMap<String, FrontendTool>,
}

struct FrontendTool {
    declared: protocol::Tool,
    /// The handler; `None` if the caller gives the results.
    handler: Option<Handler>,
}

/// Returns a tool's declaration for an input.
fn declaration<T: Tool>() -> protocol::Tool {
    let mut declared = protocol::Tool::new(T::NAME, T::DESCRIPTION);
    declared.parameters = NonNull::new(T::source().arguments.root_schema().to_value());
    declared
}

impl Tools {
    pub(super) fn register<T, F, E>(&mut self, mut handler: impl FnMut(T) -> F + Send + 'static)
    where
        T: Tool<Side = FrontendSide>,
        T::Returns: Serialize,
        F: Future<Output = Result<T::Returns, E>> + Send + 'static,
        E: fmt::Display,
    {
        let handler: Handler = Box::new(move |arguments| match read_arguments::<T>(arguments) {
            Ok(arguments) => {
                let result = handler(arguments);
                async move {
                    let value = result.await.map_err(|error| error.to_string())?;
                    value_content(&value).map_err(|error| error.to_string())
                }
                .boxed()
            }
            Err(error) => futures_util::future::ready(Err(error.to_string())).boxed(),
        });
        let tool = FrontendTool { declared: declaration::<T>(), handler: Some(handler) };
        self.tools.insert(T::NAME.to_owned(), tool);
    }

    pub(super) fn declare_typed<T: Tool<Side = FrontendSide>>(&mut self) {
        self.declare(declaration::<T>());
    }

    pub(super) fn declare(&mut self, declared: protocol::Tool) {
        self.tools.insert(declared.name.clone(), FrontendTool { declared, handler: None });
    }

    /// Returns the tools that an input declares.
    pub(super) fn declared(&self) -> Vec<protocol::Tool> {
        self.tools.values().map(|tool| tool.declared.clone()).collect()
    }

    /// True if the tool has a handler.
    pub(super) fn has_handler(&self, name: &str) -> bool {
        self.tools.get(name).is_some_and(|tool| tool.handler.is_some())
    }

    /// True if the tool is declared without a handler.
    pub(super) fn leaves(&self, name: &str) -> bool {
        self.tools.get(name).is_some_and(|tool| tool.handler.is_none())
    }

    /// Calls the handler and returns the result message; `None` for tools without a handler.
    pub(super) fn handle(&mut self, call: &ToolCall) -> Option<BoxFuture<'static, ToolMessage>> {
        let handler = self.tools.get_mut(call.function.name.as_str())?.handler.as_mut()?;
        let said = handler(&call.function.arguments);
        let id = call.id.clone();
        Some(said.map(move |said| message(id, said)).boxed())
    }
}

/// Builds a call's result message. A failure is written twice: as `error` for programs, and as content for models.
fn message(call: protocol::ToolCallId, returned: Returned) -> ToolMessage {
    let id = format!("{call}-answer");
    match returned {
        Ok(content) => ToolMessage::new(id, content, call),
        Err(why) => ToolMessage::new(id, failure_content(&why), call).with_error(why),
    }
}

impl fmt::Debug for Tools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.tools.keys()).finish()
    }
}
