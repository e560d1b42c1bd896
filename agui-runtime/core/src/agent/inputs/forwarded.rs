//! A run's typed `forwardedProps`.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::input::is_empty_object;
use crate::agent::{Agent, Input};
use crate::bundle::bundle;
use crate::quoted::quoted;
use crate::state::read_sent;

/// Serde and schemars derives that forwarded props need. Every type with these derives implements this trait.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the type of forwarded props",
    label = "cannot be read from JSON, or has no schema",
    note = "write `#[derive(Deserialize, JsonSchema)]` on it",
    note = "`JsonSchema` is the trait of schemars 1: with `schemars = \"0.8\"` in `Cargo.toml`, the derive implements another one"
)]
pub trait ForwardedData: DeserializeOwned + JsonSchema {}

bundle!(ForwardedData: DeserializeOwned + JsonSchema);

/// Declares that clients forward this type to agent `A`. Implemented by `#[agent(forwarded = ..)]`.
///
/// ```
/// use agui_runtime::runs::{ForwardedError, PropsOf};
/// use agui_runtime::{Agent, Input};
///
/// /// Reads the props, for any agent that takes them.
/// fn props<A: Agent, P: PropsOf<A>>(input: &Input<A>) -> Result<Option<P>, ForwardedError> {
///     input.forwarded()
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{A}` does not say that `{Self}` is forwarded to it",
    label = "not the type of the agent's forwarded props",
    note = "write `#[agent(forwarded = ..)]` with the type: the generated clients only know what is declared there; \
            `input.forwarded_props` is the JSON itself"
)]
pub trait PropsOf<A: ?Sized>: ForwardedData {}

/// Error for forwarded props that do not match the agent's declared type; see [`Input::forwarded`](crate::Input::forwarded).
#[derive(Debug, thiserror::Error)]
#[error("the forwarded props do not fit at `{path}`: {message}")]
#[non_exhaustive]
pub struct ForwardedError {
    /// JSON path where parsing stopped, `.` for the root.
    pub path: String,
    /// The expected value.
    pub message: String,
}

impl ForwardedError {
    /// RUN_ERROR's code when the error is passed on with `?`.
    pub(in crate::agent) const CODE: &'static str = "forwarded_props_invalid";
}

impl<A: Agent> Input<A> {
    /// Returns the client's `forwardedProps` (AG-UI 1.0, section "`RunAgentInput`"), typed as `#[agent(forwarded = ..)]` declares;
    /// `None` if the client sent none. Each call parses them again; `input.forwarded_props` is the JSON itself.
    ///
    /// Clients that forward nothing send an empty object, so `{}` counts as none, unless the type parses from `{}`.
    ///
    /// The client can send anything, so never derive a permission from forwarded props.
    ///
    /// # Errors
    /// [`ForwardedError`] if the client sent something else, or untyped parts, such as a `serde_json::Value`, would take more than
    /// 8 MiB and more than half the text. Passed on with `?`, the error ends the run with code `forwarded_props_invalid`.
    ///
    /// ```
    /// use agui_runtime::prelude::*;
    /// use schemars::JsonSchema;
    /// use serde::Deserialize;
    ///
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Page {
    ///     theme: String,
    /// }
    ///
    /// /// Reads the theme of the page.
    /// #[agent(forwarded = Page)]
    /// async fn painter(run: &mut Run<Painter>, input: Input<Painter>) -> Result<(), Stop> {
    ///     if let Some(page) = input.forwarded::<Page>()? {
    ///         run.say(page.theme).await;
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn forwarded<P: PropsOf<A>>(&self) -> Result<Option<P>, ForwardedError> {
        let Some(sent) = &self.forwarded_props else { return Ok(None) };
        let sent = sent.lazy();
        let read =
            read_sent(sent, self.untyped.allowance(), "/forwardedProps").map_err(|bytes| ForwardedError {
                path: ".".to_owned(),
                message: format!("it takes more than {bytes} bytes in parts without a type"),
            })?;
        match read {
            Ok(props) => Ok(Some(props)),
            Err(_) if is_empty_object(sent) => Ok(None),
            Err(error) => Err(ForwardedError {
                path: quoted(error.path()).to_string(),
                message: quoted(crate::json::message(error.inner())).to_string(),
            }),
        }
    }
}
