//! Tools that exist only at run time.

mod approval;
mod call;
mod error;
mod schema;

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde::Serialize;
use serde_json::Value;

pub(super) use approval::resume;
pub(super) use call::open;
pub use error::DynToolError;

use self::approval::Policy;
use super::prompt::ToolSpec;
use crate::agent::Stop;
use crate::agent::tool::{
    ErrorKind, MAX_RESULT, Public, PublicError, ToolData, ToolFailure, limited, timed, value_or_parts,
};
use crate::kernel::Timer;
use crate::manifest::bounds::OutOfBounds;
use crate::manifest::structure::check_whole;
use crate::protocol::{Content, ToolAnnotations, ToolSide};

/// A tool that exists only at run time: a name, a JSON Schema, and a closure. [`Chat::tools`](super::Chat::tools) offers
/// it to a model.
///
/// For tools that a program reads from a file, a database or another server. If you know a tool beforehand, write it as
/// `#[tool]`: then its arguments have types, and clients know it.
///
/// The arguments come to the closure when they have the structure and the bounds that the schema states: types,
/// constants, required and unknown members, alternatives, ranges and lengths. `pattern`, `format`, `not` and `if` are not
/// checked. Wrong arguments go back to the model with the place and the reason. The closure's `Err` is the result of a
/// failed call, as with a typed tool: see [`PublicError`]; a [fatal](Stop::fatal) error ends the run. A panic fails
/// that call alone.
///
/// A clone is the same tool, and costs little: make the tools once, and clone them in each run.
///
/// ```
/// use agui_runtime::model::{DynTool, Model, Reply, ScriptedModel};
/// use agui_runtime::prelude::*;
/// use agui_runtime::testing;
/// use serde_json::json;
///
/// /// Answers with the tools that the shop's file describes.
/// #[agent]
/// async fn clerk(run: &mut Run<Clerk>, _: Input<Clerk>, model: &Model) -> Result<(), Stop> {
///     let schema = json!({
///         "type": "object",
///         "properties": { "name": { "type": "string" } },
///         "required": ["name"],
///     });
///     let stock = DynTool::new("stock", "Counts what is in stock.", schema, async |arguments| {
///         match arguments["name"].as_str() {
///             Some("rice") => Ok(7),
///             _ => Err(Stop::error("there is no such thing")),
///         }
///     })?;
///     run.chat(model).tools([stock]).await
/// }
///
/// # futures::executor::block_on(async {
/// let script = [Reply::call("stock", json!({ "name": "rice" })), Reply::text("There are seven.")];
/// let events = testing::run(Clerk::new(ScriptedModel::new(script).into()), testing::input("Rice?")).await;
/// agui_runtime::assert_events!(events, [
///     RunStarted,
///     ToolCallStart, ToolCallArgs, ToolCallEnd, ToolCallResult,
///     TextMessageStart, TextMessageContent, TextMessageEnd,
///     RunFinished,
/// ]);
/// # });
/// ```
#[derive(Clone)]
pub struct DynTool<'t> {
    pub(super) spec: Arc<ToolSpec>,
    timeout: Option<Duration>,
    max_result: usize,
    /// True if the tool is one of many that another program describes: a chat can do without it.
    is_foreign: bool,
    /// The policy of the approval, if there is one.
    asks: Option<Policy<'t>>,
    body: Arc<dyn Body + 't>,
}

/// The closure of a tool. It borrows itself for each call, so that a tool that lives longer fits where a shorter one is
/// expected.
trait Body: Send + Sync {
    fn run(&self, arguments: Value) -> BoxFuture<'_, Returned>;
}

/// The content for the model, and the stop if the tool ended the run.
struct Returned {
    content: Result<Content, ToolFailure>,
    stop: Option<Stop>,
}

struct Closure<F, Fut>(F, PhantomData<fn() -> Fut>);

impl<F, Fut, R, E> Body for Closure<F, Fut>
where
    F: Fn(Value) -> Fut + Send + Sync,
    Fut: Future<Output = Result<R, E>> + Send,
    R: Serialize + 'static,
    E: PublicError,
{
    fn run(&self, arguments: Value) -> BoxFuture<'_, Returned> {
        let running = (self.0)(arguments);
        Box::pin(async move {
            match running.await {
                Ok(value) => Returned { content: value_or_parts(&value), stop: None },
                Err(mut error) => {
                    let failure = <Public as ErrorKind<E>>::failure(&error);
                    let stop = <Public as ErrorKind<E>>::stop(&mut error);
                    Returned { content: Err(failure), stop: stop.map(Stop::take) }
                }
            }
        })
    }
}

impl<'t> DynTool<'t> {
    /// Returns a tool. `parameters` is the JSON Schema (2020-12) of its arguments, an object; the closure gets them as
    /// one. It returns what a typed tool returns: a value that serde can write, [`Parts`](crate::tools::Parts), or
    /// [`Content`].
    ///
    /// # Errors
    /// [`DynToolError`] if the name is not one that all providers accept or is reserved, the description is empty or has
    /// more than 1,024 characters, or the schema is not one of an object.
    ///
    /// ```
    /// use agui_runtime::Stop;
    /// use agui_runtime::model::{DynTool, DynToolError};
    /// use serde_json::json;
    ///
    /// let echo = |parameters| DynTool::new("echo", "Repeats.", parameters, async |said| Ok::<_, Stop>(said));
    /// assert_eq!(echo(json!({ "type": "object" })).unwrap().name(), "echo");
    /// let error = echo(json!({ "type": "array" })).unwrap_err();
    /// assert!(matches!(&error, DynToolError::Schema { tool, path, .. } if tool == "echo" && path == "/type"));
    /// ```
    pub fn new<F, Fut, R, E>(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: Value,
        run: F,
    ) -> Result<Self, DynToolError>
    where
        F: Fn(Value) -> Fut + Send + Sync + 't,
        Fut: Future<Output = Result<R, E>> + Send + 't,
        R: Serialize + 'static,
        E: PublicError,
    {
        let spec = ToolSpec { side: ToolSide::Backend, ..ToolSpec::new(name, description, parameters) };
        error::check(&spec)?;
        Ok(Self {
            spec: Arc::new(spec),
            timeout: None,
            max_result: MAX_RESULT,
            is_foreign: false,
            asks: None,
            body: Arc::new(Closure(run, PhantomData)),
        })
    }

    /// Leaves the tool out of a chat whose provider cannot take its schema, with a warning in the log, instead of ending the
    /// run.
    #[cfg(feature = "mcp")]
    pub(crate) fn foreign(self) -> Self {
        Self { is_foreign: true, ..self }
    }

    pub(super) fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// Sets the time that a call may take: the closure's future is dropped then, and the model reads that it took too
    /// long. By default there is no limit. It needs [`RunOptions::timer`](crate::RunOptions::timer), which servers of this
    /// crate set; without one the call fails and does not run.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use agui_runtime::Stop;
    /// use agui_runtime::model::DynTool;
    /// # use serde_json::json;
    ///
    /// let hour = DynTool::new("hour", "Tells the hour.", json!({ "type": "object" }), async |_| Ok::<_, Stop>(12))?;
    /// let hour = hour.timeout(Duration::from_secs(10));
    /// # Ok::<_, agui_runtime::model::DynToolError>(())
    /// ```
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..self }
    }

    /// Sets the size that a result may have, in bytes. The default is 1 MiB. A larger one is not cut: the call fails, and
    /// the model reads that it must ask for less.
    ///
    /// ```
    /// use agui_runtime::Stop;
    /// use agui_runtime::model::DynTool;
    /// # use serde_json::json;
    ///
    /// let hour = DynTool::new("hour", "Tells the hour.", json!({ "type": "object" }), async |_| Ok::<_, Stop>(12))?;
    /// let hour = hour.max_result(4096);
    /// # Ok::<_, agui_runtime::model::DynToolError>(())
    /// ```
    #[must_use]
    pub fn max_result(self, bytes: usize) -> Self {
        Self { max_result: bytes, ..self }
    }

    /// Sets the title, and the hints about the tool's behaviour.
    ///
    /// ```
    /// use agui_runtime::Stop;
    /// use agui_runtime::model::DynTool;
    /// use agui_runtime::protocol::ToolAnnotations;
    /// # use serde_json::json;
    ///
    /// let hour = DynTool::new("hour", "Tells the hour.", json!({ "type": "object" }), async |_| Ok::<_, Stop>(12))?;
    /// let hour = hour.annotations(ToolAnnotations::NONE);
    /// # Ok::<_, agui_runtime::model::DynToolError>(())
    /// ```
    #[must_use]
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        Arc::make_mut(&mut self.spec).annotations = annotations;
        self
    }

    /// Returns the name of the tool.
    ///
    /// ```
    /// use agui_runtime::Stop;
    /// use agui_runtime::model::DynTool;
    /// # use serde_json::json;
    ///
    /// let hour = DynTool::new("hour", "Tells the hour.", json!({ "type": "object" }), async |_| Ok::<_, Stop>(12))?;
    /// assert_eq!(hour.name(), "hour");
    /// # Ok::<_, agui_runtime::model::DynToolError>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Reads the arguments that a model wrote; an empty text means none.
    pub(super) fn read(&self, text: &str) -> Result<Value, String> {
        let read = || -> Result<Value, OutOfBounds> {
            let text = if text.trim().is_empty() { "{}" } else { text };
            let value = serde_json::from_str(text)
                .map_err(|error| OutOfBounds { path: ".".to_owned(), message: error.to_string() })?;
            check_whole(&self.spec.parameters, &value)?;
            Ok(value)
        };
        read().map_err(|OutOfBounds { path, message }| {
            format!("{} of tool `{}` at `{path}`: {message}", ToolData::Arguments, self.name())
        })
    }

    /// Runs the closure, within the limits of the tool.
    async fn run(&self, arguments: Value, timer: Option<&dyn Timer>) -> Returned {
        let running = async { self.body.run(arguments).await };
        let Returned { content, stop } = match self.timeout {
            None => running.await,
            Some(timeout) => match timed(timer, self.name().to_owned().into(), timeout, running).await {
                Ok(returned) => returned,
                Err(late) => Returned { content: Err(ToolFailure::Late(late)), stop: None },
            },
        };
        Returned { content: limited(content, self.max_result), stop }
    }
}

impl fmt::Debug for DynTool<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynTool").field("name", &self.name()).finish_non_exhaustive()
    }
}
