//! The typed output with which a model ends a chat.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Chat;
use super::output_watch::{OutputWatch, PartialOutput};
use crate::agent::tool::{FINAL_RESULT, read_final};
use crate::agent::{Stop, ToolSet};
use crate::bundle::bundle;
use crate::emit::StateHandle;
use crate::manifest::TypeSource;
use crate::manifest::bounds::Bounds;
use crate::model::end::ChatEnd;
use crate::model::output_spec::OutputSpec;
use crate::model::prompt::ToolSpec;
use crate::protocol::ToolSide;
use crate::state::State;

/// The message to a model that ended its turn without output.
pub(super) const MISSING: &str =
    "Text alone is not the result. Call the tool `final_result`, alone in its turn, with the result.";

/// A type that a model can fill, for [`Chat::output`]. Derive `Deserialize` and `JsonSchema`; nothing else is needed.
///
/// ```
/// # use agui_runtime::{ToolSet, Run, Stop, model::Model};
/// use schemars::JsonSchema;
/// use serde::Deserialize;
///
/// /// A city that the user speaks of.
/// #[derive(Deserialize, JsonSchema)]
/// struct City {
///     name: String,
/// }
///
/// # async fn example<A: ToolSet>(run: &mut Run<A>, model: &Model) -> Result<(), Stop> {
/// let city: City = run.chat(model).output().await?;
/// run.say(format!("You live in {}.", city.name)).await;
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the output of a model",
    label = "cannot be read from JSON, or has no schema",
    note = "if the type is `!` or `()`, none was written: write `.output::<Plan>()`",
    note = "any other type needs `#[derive(Deserialize, JsonSchema)]`",
    note = "`JsonSchema` is the trait of schemars 1: with `schemars = \"0.8\"` in `Cargo.toml`, the derive implements another one"
)]
pub trait FinalOutput: DeserializeOwned + JsonSchema + 'static {}

bundle!(FinalOutput: DeserializeOwned + JsonSchema + 'static);

/// Returns the message to a model whose output, in the provider's own form, does not fit the type.
pub(super) fn misfit(why: &str) -> String {
    format!("The result does not fit: {why}. Call the tool `{FINAL_RESULT}` with the whole result.")
}

/// The tool with which a model gives its output. The calls are not sent: the client has no use for them.
#[derive(Debug)]
pub(in crate::model) struct OutputTool {
    pub(in crate::model) spec: ToolSpec,
    /// The same output, for providers with structured output of their own.
    pub(in crate::model) native: Arc<OutputSpec>,
    form: OutputForm,
    check: fn(&OutputForm, &str) -> Result<(), String>,
}

/// The JSON form in which the model writes the output.
#[derive(Debug)]
struct OutputForm {
    is_wrapped: bool,
    bounds: Bounds,
}

/// Wraps an output that is not an object: tool arguments must be an object.
#[derive(Serialize, Deserialize)]
struct WrappedOutput<T> {
    result: T,
}

impl OutputTool {
    fn from_type<T: FinalOutput>() -> Self {
        let mut parameters = schema::<T>();
        let purpose = parameters.get("description").and_then(Value::as_str);
        let about = purpose.unwrap_or_default().trim_end().to_owned();
        let begin = purpose.map(|purpose| format!("{} ", purpose.trim_end())).unwrap_or_default();
        let description = format!(
            "{begin}Call this once, alone in its turn, when you have the result. It ends the conversation."
        );
        let is_wrapped = !is_plain_object(&parameters);
        if is_wrapped {
            parameters = wrapped(parameters);
        }
        let form = OutputForm { is_wrapped, bounds: Bounds::of_schema(&parameters) };
        let native = Arc::new(OutputSpec::new(about, parameters.clone()));
        let spec =
            ToolSpec { side: ToolSide::Backend, ..ToolSpec::new(FINAL_RESULT, description, parameters) };
        Self { spec, native, form, check: |form, text| form.read::<T>(text).map(drop) }
    }

    /// True if the value is the member `result` of the JSON object that the model writes.
    pub(super) fn is_wrapped(&self) -> bool {
        self.form.is_wrapped
    }

    pub(in crate::model) fn check(&self, arguments: &str) -> Result<(), String> {
        (self.check)(&self.form, arguments)
    }
}

impl OutputForm {
    fn read<T: FinalOutput>(&self, text: &str) -> Result<T, String> {
        match self.is_wrapped {
            true => {
                read_final::<WrappedOutput<T>>(FINAL_RESULT, text, &self.bounds).map(|wrapped| wrapped.result)
            }
            false => read_final(FINAL_RESULT, text, &self.bounds),
        }
    }
}

/// Returns the arguments with which a model gives this output.
pub(in crate::model) fn arguments_of<T: JsonSchema + Serialize>(
    output: T,
) -> Result<Value, serde_json::Error> {
    match is_plain_object(&schema::<T>()) {
        true => serde_json::to_value(output),
        false => serde_json::to_value(WrappedOutput { result: output }),
    }
}

fn schema<T: JsonSchema>() -> Value {
    TypeSource::of::<T>().root_schema().to_value()
}

/// True if providers accept the schema for tool arguments.
fn is_plain_object(schema: &Value) -> bool {
    schema["type"] == "object"
        && ["anyOf", "oneOf", "allOf", "$ref"].iter().all(|key| schema.get(key).is_none())
}

fn wrapped(mut value: Value) -> Value {
    let definitions = value.as_object_mut().and_then(|schema| {
        schema.remove("$schema");
        schema.remove("$defs")
    });
    let mut object = json!({ "type": "object", "properties": { "result": value }, "required": ["result"] });
    if let (Some(definitions), Some(object)) = (definitions, object.as_object_mut()) {
        object.insert("$defs".to_owned(), definitions);
    }
    object
}

impl<'r, A: ToolSet> Chat<'r, A> {
    /// Performs all turns and returns the model's output as a typed value, as in the [`FinalOutput`] example.
    ///
    /// At a provider with structured output (see [`ChatModel::takes_output`](super::super::ChatModel::takes_output)) the last reply
    /// is the value. If the provider refuses the request, or ignores the schema and writes something else, the chat goes on with the
    /// other form, which a call forced by [`ToolChoice::Tool`](crate::model::ToolChoice::Tool) with `final_result` has too: the model sees the type as an additional tool, `final_result`, whose arguments are the value. In both forms,
    /// descriptions on the type and its members tell the model what to fill in. A value that does not fit the type goes back to
    /// the model with path and reason, and a turn without a value is asked again; each counts as a bad turn, see
    /// [`max_bad_calls`](Self::max_bad_calls). The client sees the model's other text, but neither the value nor `final_result`
    /// calls.
    ///
    /// Return the value from the agent to send it as the run's result, in RUN_FINISHED.
    ///
    /// # Errors
    /// The errors that [`step`](Self::step) returns; a [`Stop`] for an [end](ChatEnd::into_result) without a value, for example at
    /// a limit, with an interrupt for the user, for a value that is cut off (`output_limit`) or refused (`model_refused`).
    // Boxed: the compiler would report a type that is no `FinalOutput` again for a future that names the bound.
    pub fn output<T: FinalOutput>(self) -> BoxFuture<'r, Result<T, Stop>> {
        Box::pin(self.into_output(None))
    }

    /// Performs all turns and returns the typed output, as [`output`](Self::output) does. While the model writes the value, the
    /// function writes the part so far into the state, and the client sees the state grow.
    ///
    /// `P` is a type that reads an incomplete value: its members have defaults (`#[serde(default)]`). A text grows piece by piece; a
    /// number or a list item appears when whole. Beyond the first 64 bytes the function runs whenever the value has grown by 1/64.
    /// `P` may be the output's own type. The function gets the last, whole value too; a value that does not fit is replaced by the
    /// next. A value that is cut off or refused leaves its part in the state, and the agent takes the part out if the state must not
    /// keep it. An update of the state costs what changes: for a long text, see
    /// [`ChunkedText::stream_to`](crate::state::ChunkedText::stream_to).
    ///
    /// ```
    /// use agui_runtime::model::{Model, Reply, ScriptedModel};
    /// use agui_runtime::prelude::*;
    /// use schemars::JsonSchema;
    /// use serde::{Deserialize, Serialize};
    ///
    /// /// A plan for a meal.
    /// #[derive(State, Serialize, Deserialize, JsonSchema, Clone, Default)]
    /// #[serde(default)]
    /// struct Plan {
    ///     title: String,
    ///     steps: Vec<String>,
    /// }
    ///
    /// /// Plans meals.
    /// #[agent(state = Plan)]
    /// async fn planner(run: &mut Run<Planner>, input: Input<Planner>, model: &Model) -> Result<Plan, Stop> {
    ///     let state = run.state().adopt_or_snapshot(&input).await?;
    ///     run.chat(model).stream_output(state, |state, plan: Plan| *state = plan).await
    /// }
    /// # use agui_runtime::testing;
    /// # let plan = Plan { title: "Soup".to_owned(), steps: vec!["Stir.".to_owned()] };
    /// # let model = ScriptedModel::new([Reply::output(plan)]).pieces(4);
    /// # let events = futures::executor::block_on(testing::run(Planner::new(model.into()), testing::input("Soup!")));
    /// # assert!(matches!(testing::end(&events), testing::RunEnd::Success { result: Some(_), .. }));
    /// ```
    ///
    /// # Errors
    /// The errors that [`output`](Self::output) returns, and the state's errors: no baseline before the first request, or a state
    /// without a JSON form.
    pub fn stream_output<T: FinalOutput, S: State, P: PartialOutput>(
        self,
        state: &'r StateHandle<S>,
        show: impl FnMut(&mut S, P) + Send + 'r,
    ) -> BoxFuture<'r, Result<T, Stop>> {
        let has_baseline = state.read(|_| ());
        let watch = OutputWatch::new(state, show);
        Box::pin(async move {
            has_baseline?;
            self.into_output(Some(watch)).await
        })
    }

    async fn into_output<T: FinalOutput>(mut self, watch: Option<OutputWatch<'r>>) -> Result<T, Stop> {
        let tool = Arc::new(OutputTool::from_type::<T>());
        self.watch = watch.map(|watch| watch.wrapped(tool.is_wrapped()));
        self.output = Some(Arc::clone(&tool));
        loop {
            match self.step().await?.end {
                None => {}
                Some(ChatEnd::Done { text }) => {
                    if let Some(watch) = self.watch {
                        watch.finish(&text).await?;
                    }
                    return tool.form.read(&text).map_err(Stop::error);
                }
                Some(ChatEnd::HandedOver(agent)) => {
                    let why = format!(
                        "the agent `{agent}` took the conversation over, so there is no result of the type"
                    );
                    return Err(Stop::error(why).with_code("handed_over"));
                }
                Some(end) => end.into_result()?,
            }
        }
    }
}
