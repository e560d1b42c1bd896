//! Frontend tools and who answers their calls.

use std::fmt;
use std::future::Future;

use futures::FutureExt;
use futures::future::BoxFuture;
use indexmap::IndexMap;
use serde::Serialize;

use crate::protocol::{self, NonNull, ToolCall, ToolMessage};
use crate::tool::{Frontend, Tool, failure_content, read_arguments, value_content};

/// What is said to a call: content, or why there is none.
type Said = Result<String, String>;
type Handler = Box<dyn FnMut(&str) -> BoxFuture<'static, Said> + Send>;

/// The frontend tools of a session, in the order in which they were registered.
#[derive(Default)]
pub(super) struct Tools {
    tools: IndexMap<&'static str, FrontendTool>,
}

struct FrontendTool {
    declared: protocol::Tool,
    handler: Handler,
}

impl Tools {
    pub(super) fn register<T, F, E>(&mut self, mut handler: impl FnMut(T) -> F + Send + 'static)
    where
        T: Tool<Side = Frontend>,
        T::Returns: Serialize,
        F: Future<Output = Result<T::Returns, E>> + Send + 'static,
        E: fmt::Display,
    {
        let mut declared = protocol::Tool::new(T::NAME, T::DESCRIPTION);
        declared.parameters = NonNull::new(T::source().arguments.root_schema().to_value());
        let handler: Handler = Box::new(move |arguments| match read_arguments::<T>(arguments) {
            Ok(arguments) => {
                let answer = handler(arguments);
                async move {
                    let value = answer.await.map_err(|error| error.to_string())?;
                    value_content(&value).map_err(|error| error.to_string())
                }
                .boxed()
            }
            Err(error) => futures::future::ready(Err(error.to_string())).boxed(),
        });
        self.tools.insert(T::NAME, FrontendTool { declared, handler });
    }

    /// What an input offers to the agent.
    pub(super) fn declared(&self) -> Vec<protocol::Tool> {
        self.tools.values().map(|tool| tool.declared.clone()).collect()
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.tools.contains_key(name)
    }

    /// The message that answers a call, once its handler has said something; `None` for other tools.
    pub(super) fn answer(&mut self, call: &ToolCall) -> Option<BoxFuture<'static, ToolMessage>> {
        let tool = self.tools.get_mut(call.function.name.as_str())?;
        let said = (tool.handler)(&call.function.arguments);
        let id = call.id.clone();
        Some(said.map(move |said| message(id, said)).boxed())
    }
}

/// A tool message that answers a call. A failure is said twice: to programs that know `error`, and to models that read content.
fn message(call: protocol::ToolCallId, said: Said) -> ToolMessage {
    let id = format!("{call}-answer");
    match said {
        Ok(content) => ToolMessage::new(id, content, call),
        Err(why) => ToolMessage::new(id, failure_content(&why), call).with_error(why),
    }
}

impl fmt::Debug for Tools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.tools.keys()).finish()
    }
}
