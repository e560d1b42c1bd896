//! The trait of a model, and the handle that an agent holds.

use std::fmt;
use std::sync::Arc;

use futures_util::stream::BoxStream;

use super::delta::Delta;
use super::error::ModelError;
use super::prompt::Prompt;
use super::schema::SchemaDialect;

/// The answer of a model as a stream, as in the example of [`ChatModel`]. Dropping it cancels the request.
pub type ModelStream<'a> = BoxStream<'a, Result<Delta, ModelError>>;

/// A language model: it reads a [`Prompt`] and writes a stream of [`Delta`]s.
///
/// Implement it for a provider of your own. The stream does all the work when it is polled, and nothing after it was
/// dropped. [`ScriptedModel`](super::ScriptedModel) is an implementation without a network.
///
/// ```
/// use agui_runtime::model::{ChatModel, Delta, EndReason, Model, ModelStream, Prompt};
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
///         stream::iter([Ok(Delta::Text(text)), Ok(Delta::End(EndReason::Stop))]).boxed()
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
    /// Returns the name of the provider, lower case by convention: `provider` of the usage in RUN_FINISHED.
    fn provider(&self) -> &str;

    /// Returns the name of the model at its provider: `model` of the usage in RUN_FINISHED.
    fn name(&self) -> &str;

    /// Returns the subset of JSON Schema that the provider accepts for tools. A tool of the client whose schema has no
    /// form in it is not shown to the model, and one of the agent fails the run. By default, everything is accepted.
    ///
    /// ```
    /// use agui_runtime::model::{ChatModel, Model, ModelStream, Prompt, SchemaDialect};
    /// use futures::{StreamExt, stream};
    ///
    /// /// A model behind an API that takes schemas as OpenAI's does.
    /// struct Hosted;
    ///
    /// impl ChatModel for Hosted {
    ///     fn dialect(&self) -> SchemaDialect {
    ///         SchemaDialect::OpenAi
    ///     }
    /// #     fn provider(&self) -> &str { "hosted" }
    /// #     fn name(&self) -> &str { "hosted-1" }
    /// #     fn respond<'a>(&'a self, _: &'a Prompt) -> ModelStream<'a> { stream::empty().boxed() }
    /// }
    ///
    /// assert_eq!(Model::from(Hosted).dialect(), SchemaDialect::OpenAi);
    /// ```
    fn dialect(&self) -> SchemaDialect {
        SchemaDialect::JsonSchema
    }

    /// Asks the model for its next turn.
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

    fn respond<'a>(&'a self, prompt: &'a Prompt) -> ModelStream<'a> {
        (**self).respond(prompt)
    }
}

/// A model of any provider, as an agent holds it. Clones share the model.
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
    /// Returns the name of the provider.
    ///
    /// ```
    /// use agui_runtime::model::{Model, ScriptedModel};
    ///
    /// assert_eq!(Model::from(ScriptedModel::new([])).provider(), "scripted");
    /// ```
    #[must_use]
    pub fn provider(&self) -> &str {
        self.0.provider()
    }

    /// Returns the name of the model at its provider.
    ///
    /// ```
    /// use agui_runtime::model::{Model, ScriptedModel};
    ///
    /// assert_eq!(Model::from(ScriptedModel::new([])).name(), "script");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.name()
    }

    /// Returns the subset of JSON Schema that the provider accepts for tools.
    ///
    /// ```
    /// use agui_runtime::model::{Model, SchemaDialect, ScriptedModel};
    ///
    /// assert_eq!(Model::from(ScriptedModel::new([])).dialect(), SchemaDialect::JsonSchema);
    /// ```
    #[must_use]
    pub fn dialect(&self) -> SchemaDialect {
        self.0.dialect()
    }

    /// Asks the model for its next turn. For agents that drive the model themselves; [`Run::chat`](crate::Run::chat)
    /// does it otherwise.
    ///
    /// ```
    /// use agui_runtime::model::{Delta, Model, Prompt, Reply, ScriptedModel};
    /// use futures::StreamExt;
    ///
    /// # futures::executor::block_on(async {
    /// let model = Model::from(ScriptedModel::new([Reply::text("Hello!")]));
    /// let prompt = Prompt::new([]);
    /// let first = model.respond(&prompt).next().await;
    /// assert!(matches!(first, Some(Ok(Delta::Text(text))) if text == "Hello!"));
    /// # });
    /// ```
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
