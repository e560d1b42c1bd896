//! The typed output with which a model ends a chat.

use std::sync::Arc;

use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Chat;
use crate::agent::tool::{FINAL_RESULT, read_final};
use crate::agent::{Stop, ToolSet};
use crate::bundle::bundle;
use crate::manifest::TypeSource;
use crate::manifest::bounds::Bounds;
use crate::model::end::ChatEnd;
use crate::model::prompt::ToolSpec;
use crate::protocol::ToolSide;

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

/// The tool with which a model gives its output. The calls are not sent: the client has no use for them.
#[derive(Debug)]
pub(in crate::model) struct OutputTool {
    pub(in crate::model) spec: ToolSpec,
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
        let about = purpose.map(|purpose| format!("{} ", purpose.trim_end())).unwrap_or_default();
        let description = format!(
            "{about}Call this once, alone in its turn, when you have the result. It ends the conversation."
        );
        let is_wrapped = !is_plain_object(&parameters);
        if is_wrapped {
            parameters = wrapped(parameters);
        }
        let form = OutputForm { is_wrapped, bounds: Bounds::of_schema(&parameters) };
        let spec =
            ToolSpec { side: ToolSide::Backend, ..ToolSpec::new(FINAL_RESULT, description, parameters) };
        Self { spec, form, check: |form, text| form.read::<T>(text).map(drop) }
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
    /// The model sees the type as an additional tool, `final_result`, whose arguments are the value: descriptions on the type and
    /// its members tell the model what to fill in. A value that does not fit the type goes back to the model with path and reason,
    /// and so does a turn without a call; each counts as a bad turn, see [`max_bad_calls`](Self::max_bad_calls). The client sees
    /// the model's text, but no `final_result` calls.
    ///
    /// Return the value from the agent to send it as the run's result, in RUN_FINISHED.
    ///
    /// # Errors
    /// The errors that [`step`](Self::step) returns; a [`Stop`] for an [end](ChatEnd::into_result) without a value, for example at
    /// a limit or with an interrupt for the user.
    // Boxed: the compiler would report a type that is no `FinalOutput` again for a future that names the bound.
    pub fn output<T: FinalOutput>(mut self) -> BoxFuture<'r, Result<T, Stop>> {
        Box::pin(async move {
            let tool = Arc::new(OutputTool::from_type::<T>());
            self.output = Some(Arc::clone(&tool));
            loop {
                match self.step().await?.end {
                    None => {}
                    Some(ChatEnd::Done { text }) => return tool.form.read(&text).map_err(Stop::error),
                    Some(ChatEnd::HandedOver(agent)) => {
                        let why = format!(
                            "the agent `{agent}` took the conversation over, so there is no result of the type"
                        );
                        return Err(Stop::error(why).with_code("handed_over"));
                    }
                    Some(end) => end.into_result()?,
                }
            }
        })
    }
}
