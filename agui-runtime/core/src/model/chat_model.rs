//! The model trait, and the handle that an agent holds.

use std::fmt;
use std::sync::Arc;

use futures_util::stream::BoxStream;

use super::delta::ReplyDelta;
use super::error::ModelError;
use super::output_spec::OutputSpec;
use super::prompt::{Prompt, ToolSpec};
use super::schema::{SchemaDialect, UnsupportedSchema};

/// A model's reply stream, as in the [`ChatModel`] example. Dropping the stream cancels the request.
pub type ModelStream<'a> = BoxStream<'a, Result<ReplyDelta, ModelError>>;

/// A language model: reads a [`Prompt`] and writes a stream of [`ReplyDelta`]s.
///
/// Implement the trait for your own provider. A method that a later version adds has a default, so existing models still compile.
/// The stream does all work inside `poll`, and none after drop.
/// [`ScriptedModel`](super::ScriptedModel) is an implementation without a network.
///
/// ```
/// use agui_runtime::model::{ChatModel, ReplyDelta, EndReason, Model, ModelStream, Prompt};
/// use futures::{StreamExt, stream};
///
/// /// Repeats the text of the user.
/// struct Parrot;
///
/// impl ChatModel for Parrot {
///     fn provider(&self) -> &str {
///         "aviary"
///     }
///
///     fn name(&self) -> &str {
///         "parrot-1"
///     }
///
///     fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
///         let text = prompt.last_user_text().unwrap_or_default();
///         stream::iter([Ok(ReplyDelta::Text(text)), Ok(ReplyDelta::End(EndReason::Stop))]).boxed()
///     }
/// }
///
/// let model = Model::from(Parrot);
/// assert_eq!(model.name(), "parrot-1");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a model",
    label = "does not implement `ChatModel`",
    note = "take a `&Model` from `agui_runtime::model`, or implement `ChatModel` for a provider of your own"
)]
pub trait ChatModel: Send + Sync + 'static {
    /// Returns the provider name, lower case by convention: `provider` in RUN_FINISHED's usage.
    fn provider(&self) -> &str;

    /// Returns the model name at its provider: `model` in RUN_FINISHED's usage.
    fn name(&self) -> &str;

    /// Returns the JSON Schema subset that the provider accepts for tools. If the subset cannot express a tool's schema, a client
    /// tool is hidden from the model, and an agent tool fails the run. By default, everything is accepted.
    fn dialect(&self) -> SchemaDialect {
        SchemaDialect::JsonSchema
    }

    /// Checks that the provider accepts a tool: the default translates the tool's schema into the [`dialect`](Self::dialect).
    ///
    /// # Errors
    /// [`UnsupportedSchema`] names the part that has no form at the provider.
    fn check_tool(&self, tool: &ToolSpec) -> Result<(), UnsupportedSchema> {
        self.dialect().translate(&tool.name, &tool.parameters).map(drop)
    }

    /// Returns true if the provider has structured output of its own for this schema, beside these tools: the chat then puts the
    /// output into [`Prompt::output`], and the reply's text is the value. Otherwise, and by default, the model gives the output by
    /// calling a tool.
    fn takes_output(&self, output: &OutputSpec, tools: &[ToolSpec]) -> bool {
        let _ = (output, tools);
        false
    }

    /// Requests the model's next turn.
    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a>;
}

impl<M: ChatModel + ?Sized> ChatModel for Arc<M> {
    fn provider(&self) -> &str {
        (**self).provider()
    }

    fn name(&self) -> &str {
        (**self).name()
    }

    fn dialect(&self) -> SchemaDialect {
        (**self).dialect()
    }

    fn check_tool(&self, tool: &ToolSpec) -> Result<(), UnsupportedSchema> {
        (**self).check_tool(tool)
    }

    fn takes_output(&self, output: &OutputSpec, tools: &[ToolSpec]) -> bool {
        (**self).takes_output(output, tools)
    }

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        (**self).respond(prompt)
    }
}

/// A model from any provider, as an agent holds it. Clones share the model.
///
/// ```
/// use agui_runtime::model::{Model, Reply, ScriptedModel};
/// use agui_runtime::prelude::*;
///
/// /// Talks with you.
/// #[agent]
/// async fn chatty(run: &mut Run<Chatty>, input: Input<Chatty>, model: &Model) -> Result<(), Stop> {
///     run.chat(model).instructions("Be brief.").await
/// }
///
/// let agent = Chatty::new(Model::from(ScriptedModel::new([Reply::text("Hello!")])));
/// # let events = futures::executor::block_on(agui_runtime::testing::run(agent, agui_runtime::testing::input("Hi")));
/// # assert_eq!(agui_runtime::testing::texts(&events), ["Hello!"]);
/// ```
#[derive(Clone)]
pub struct Model(Arc<dyn ChatModel>);

impl Model {
    /// Returns the provider name.
    #[must_use]
    pub fn provider(&self) -> &str {
        self.0.provider()
    }

    /// Returns the model name at its provider.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Returns the JSON Schema subset that the provider accepts for tools.
    #[must_use]
    pub fn dialect(&self) -> SchemaDialect {
        self.0.dialect()
    }

    /// Checks that the provider accepts a tool.
    ///
    /// # Errors
    /// [`UnsupportedSchema`] names the part that has no form at the provider.
    pub fn check_tool(&self, tool: &ToolSpec) -> Result<(), UnsupportedSchema> {
        self.0.check_tool(tool)
    }

    /// Returns true if the provider has structured output of its own for this schema, beside these tools.
    #[must_use]
    pub fn takes_output(&self, output: &OutputSpec, tools: &[ToolSpec]) -> bool {
        self.0.takes_output(output, tools)
    }

    /// Requests the model's next turn, for agents that drive the model themselves instead of using
    /// [`Run::chat`](crate::Run::chat).
    #[must_use = "a stream does nothing unless it is polled"]
    pub fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        self.0.respond(prompt)
    }
}

impl<M: ChatModel> From<M> for Model {
    fn from(model: M) -> Self {
        Self(Arc::new(model))
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Model").field("provider", &self.provider()).field("name", &self.name()).finish()
    }
}
