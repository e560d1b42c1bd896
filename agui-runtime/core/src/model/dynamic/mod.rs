//! Dynamic tools, which exist only at run time.

mod approval;
mod call;
mod error;
mod schema;
#[cfg(feature = "schema-validation")]
mod validation;

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

use self::approval::DynApprovalPolicy;
use super::prompt::ToolSpec;
use crate::agent::tool::{
    ErrorKind, MAX_RESULT, PublicError, PublicErrors, ToolData, ToolFailure, limited, timed, value_or_parts,
};
use crate::agent::{Stop, ToolInterrupt, ToolResume};
use crate::emit::Emit;
use crate::kernel::Timer;
use crate::manifest::bounds::OutOfBounds;
use crate::manifest::structure::check_whole;
use crate::protocol::{Content, ToolAnnotations, ToolCallId, ToolSide};

/// A tool that exists only at run time: a name, a JSON Schema, and a closure. [`Chat::tools`](super::Chat::tools) offers the tool
/// to a model.
///
/// Use dynamic tools for definitions from a file, a database or another server. A tool known at compile time belongs into
/// `#[tool]`: there, arguments have types, and clients know the tool.
///
/// The closure gets arguments that match the schema's structure and bounds: types, constants, required and unknown members,
/// alternatives, ranges and lengths; with the feature `schema-validation` all of JSON Schema, such as `pattern`, `format`, `not` and
/// `if`. Invalid arguments go back to the model with path and reason. The closure's `Err` is the result of a failed call, as with a typed tool: see [`PublicError`]; a
/// [fatal](Stop::fatal) error ends the run. A panic fails only that call.
///
/// A clone shares the tool and is cheap: make the tools once, and clone them in each run.
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
    #[cfg(feature = "schema-validation")]
    schema: validation::CompiledSchema,
    /// True if another program supplied the tool in a list: a chat can work without it.
    is_foreign: bool,
    /// The approval policy, if there is one.
    asks: Option<DynApprovalPolicy<'t>>,
    body: Arc<dyn DynToolBody + 't>,
}

/// A tool's closure. The future borrows the closure for each call, so a long-lived tool fits where a shorter lifetime is expected.
trait DynToolBody: Send + Sync {
    fn run(&self, arguments: Value, run: DynToolRun) -> BoxFuture<'_, DynToolReturn>;
}

/// The call of a tool that may raise interrupts.
#[doc(hidden)]
#[derive(Debug)]
pub struct DynToolRun {
    /// The resume entry for the interrupt that an earlier run of the call raised.
    pub resume: Option<ToolResume>,
    /// The call id on the wire.
    pub call: ToolCallId,
    /// The run, for progress.
    pub emit: Emit,
}

/// The end of a call of a tool that may raise interrupts.
#[doc(hidden)]
#[derive(Debug)]
pub enum DynToolEnd {
    /// The call's result.
    Content(Content),
    /// The call is made again when the user has resumed the interrupt.
    Interrupt(Box<ToolInterrupt>),
}

enum DynToolReturn {
    /// The content for the model, and the stop if the tool ended the run.
    Ended { content: Result<Content, ToolFailure>, stop: Option<Stop> },
    /// The call is made again in a later run.
    Interrupted(Box<ToolInterrupt>),
}

impl DynToolReturn {
    fn failed<E: PublicError>(mut error: E) -> Self {
        let failure = <PublicErrors as ErrorKind<E>>::failure(&error);
        let stop = <PublicErrors as ErrorKind<E>>::stop(&mut error);
        Self::Ended { content: Err(failure), stop: stop.map(Stop::take) }
    }
}

struct DynToolClosure<F, Fut>(F, PhantomData<fn() -> Fut>);

impl<F, Fut, R, E> DynToolBody for DynToolClosure<F, Fut>
where
    F: Fn(Value) -> Fut + Send + Sync,
    Fut: Future<Output = Result<R, E>> + Send,
    R: Serialize + 'static,
    E: PublicError,
{
    fn run(&self, arguments: Value, run: DynToolRun) -> BoxFuture<'_, DynToolReturn> {
        if run.resume.is_some() {
            // The tool raised no interrupt: another tool had its name.
            let content = Err(ToolFailure::Public { text: NO_INTERRUPT.to_owned(), causes: None });
            return Box::pin(std::future::ready(DynToolReturn::Ended { content, stop: None }));
        }
        let running = (self.0)(arguments);
        Box::pin(async move {
            match running.await {
                Ok(value) => DynToolReturn::Ended { content: value_or_parts(&value), stop: None },
                Err(error) => DynToolReturn::failed(error),
            }
        })
    }
}

/// The result of a call that resumes another tool's interrupt.
const NO_INTERRUPT: &str = "the tool did not ask for input";

struct InterruptingClosure<F, Fut>(F, PhantomData<fn() -> Fut>);

impl<F, Fut, E> DynToolBody for InterruptingClosure<F, Fut>
where
    F: Fn(Value, DynToolRun) -> Fut + Send + Sync,
    Fut: Future<Output = Result<DynToolEnd, E>> + Send,
    E: PublicError,
{
    fn run(&self, arguments: Value, run: DynToolRun) -> BoxFuture<'_, DynToolReturn> {
        let running = (self.0)(arguments, run);
        Box::pin(async move {
            match running.await {
                Ok(DynToolEnd::Content(content)) => DynToolReturn::Ended { content: Ok(content), stop: None },
                Ok(DynToolEnd::Interrupt(raised)) => DynToolReturn::Interrupted(raised),
                Err(error) => DynToolReturn::failed(error),
            }
        })
    }
}

impl<'t> DynTool<'t> {
    /// Returns a tool. `parameters` is the JSON Schema (2020-12) for the argument object that the closure gets. The closure
    /// returns the same types as a typed tool: a serializable value, [`ContentParts`](crate::tools::ContentParts), or [`Content`].
    ///
    /// # Errors
    /// [`DynToolError`] if the name is reserved or not accepted by all providers, the description is empty or longer than 1,024
    /// characters, or the schema does not describe an object.
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
        let spec = ToolSpec::new(name, description, parameters);
        Self::with_body(spec, Arc::new(DynToolClosure(run, PhantomData)))
    }

    /// Returns a tool that may raise interrupts, for packages beside this one.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    #[doc(hidden)]
    pub fn interrupting<F, Fut, E>(
        name: impl Into<String>,
        description: impl Into<String>,
        parameters: Value,
        run: F,
    ) -> Result<Self, DynToolError>
    where
        F: Fn(Value, DynToolRun) -> Fut + Send + Sync + 't,
        Fut: Future<Output = Result<DynToolEnd, E>> + Send + 't,
        E: PublicError,
    {
        let spec = ToolSpec::new(name, description, parameters);
        Self::with_body(spec, Arc::new(InterruptingClosure(run, PhantomData)))
    }

    fn with_body(spec: ToolSpec, body: Arc<dyn DynToolBody + 't>) -> Result<Self, DynToolError> {
        let spec = ToolSpec { side: ToolSide::Backend, ..spec };
        error::check(&spec)?;
        Ok(Self {
            #[cfg(feature = "schema-validation")]
            schema: validation::compile(&spec.name, &spec.parameters),
            spec: Arc::new(spec),
            timeout: None,
            max_result: MAX_RESULT,
            is_foreign: false,
            asks: None,
            body,
        })
    }

    /// Marks the tool as foreign: if the provider cannot take its schema, a chat leaves the tool out with a logged warning,
    /// instead of ending the run.
    #[cfg(feature = "tool-servers")]
    pub(crate) fn foreign(self) -> Self {
        Self { is_foreign: true, ..self }
    }

    pub(super) fn is_foreign(&self) -> bool {
        self.is_foreign
    }

    /// Limits a call's duration: at the timeout the closure's future is dropped, and the model reads that the call took too long.
    /// There is no default limit. The timeout needs [`RunOptions::timer`](crate::RunOptions::timer), which this crate's servers
    /// set; without a timer the call fails and does not run.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        Self { timeout: Some(timeout), ..self }
    }

    /// Limits the result's size, in bytes. The default is 1 MiB. A larger result is not truncated: the call fails, and the model
    /// reads that it must request less.
    #[must_use]
    pub fn max_result(self, bytes: usize) -> Self {
        Self { max_result: bytes, ..self }
    }

    /// Sets the title, and hints about the tool's behaviour.
    #[must_use]
    pub fn annotations(mut self, annotations: ToolAnnotations) -> Self {
        Arc::make_mut(&mut self.spec).annotations = annotations;
        self
    }

    /// Returns the tool name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// Parses the model's arguments; empty text means an empty object.
    pub(super) fn parse_arguments(&self, text: &str) -> Result<Value, String> {
        let read = || -> Result<Value, OutOfBounds> {
            let text = if text.trim().is_empty() { "{}" } else { text };
            let value = serde_json::from_str(text)
                .map_err(|error| OutOfBounds { path: ".".to_owned(), message: error.to_string() })?;
            check_whole(&self.spec.parameters, &value)?;
            #[cfg(feature = "schema-validation")]
            validation::check(&self.schema, &value)?;
            Ok(value)
        };
        read().map_err(|OutOfBounds { path, message }| {
            format!("{} of tool `{}` at `{path}`: {message}", ToolData::Arguments, self.name())
        })
    }

    /// Runs the closure, within the tool's limits.
    async fn run(&self, arguments: Value, run: DynToolRun, timer: Option<&dyn Timer>) -> DynToolReturn {
        let running = async { self.body.run(arguments, run).await };
        let returned = match self.timeout {
            None => running.await,
            Some(timeout) => match timed(timer, self.name().to_owned().into(), timeout, running).await {
                Ok(returned) => returned,
                Err(late) => DynToolReturn::Ended { content: Err(ToolFailure::Late(late)), stop: None },
            },
        };
        match returned {
            DynToolReturn::Ended { content, stop } => {
                DynToolReturn::Ended { content: limited(content, self.max_result), stop }
            }
            interrupted @ DynToolReturn::Interrupted(_) => interrupted,
        }
    }
}

impl fmt::Debug for DynTool<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DynTool").field("name", &self.name()).finish_non_exhaustive()
    }
}
