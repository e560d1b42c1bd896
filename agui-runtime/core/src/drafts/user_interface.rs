//! The draft "Generative User Interfaces".

use std::marker::PhantomData;

use agui_runtime_macros::tool;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::agent::PublicError;
use crate::manifest::TypeSource;
use crate::quoted::quoted;

/// Shows an interface that the page generates from a description, and returns the data that the user submits.
///
/// The tool of the draft "Generative User Interfaces", which the page runs: list it in `#[agent(tools = [..])]`, and a model may call it. An
/// agent that calls it itself knows the data as a type: [`UserInterface`].
///
/// ```
/// use agui_runtime::drafts::generate_user_interface;
/// use agui_runtime::prelude::*;
/// use serde_json::json;
///
/// /// Asks for an address.
/// #[agent(tools = [generate_user_interface])]
/// async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
///     if let Some(submitted) = input.frontend_result::<generate_user_interface>()? {
///         run.say(format!("It goes to {}.", submitted["city"])).await;
///         return Ok(());
///     }
///     let form = generate_user_interface {
///         description: "A form for an address".to_owned(),
///         data: json!({ "city": "London" }),
///         output: json!({ "type": "object", "properties": { "city": { "type": "string" } }, "required": ["city"] }),
///     };
///     Err(Stop::await_frontend(run.call(form).await?))
/// }
/// ```
#[tool(
    frontend,
    name = "generateUserInterface",
    description = "Shows an interface that the page generates from a description, and returns the data that the user submits."
)]
pub async fn generate_user_interface(
    /// a description of the interface, such as "A form for an address"
    description: String,
    /// data that the interface shows at first
    data: Value,
    /// the JSON Schema of the data that the user submits
    output: Value,
) -> Value;

/// An interface that the page generates, for data of the type `T`.
///
/// ```
/// use agui_runtime::drafts::{UserInterface, generate_user_interface};
/// use agui_runtime::prelude::*;
/// use schemars::JsonSchema;
/// use serde::Deserialize;
/// use serde_json::json;
///
/// #[derive(Deserialize, JsonSchema)]
/// struct Address {
///     street: String,
///     city: String,
/// }
///
/// const FORM: UserInterface<Address> = UserInterface::new();
///
/// /// Sends parcels.
/// #[agent(tools = [generate_user_interface])]
/// async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
///     if let Some(submitted) = input.frontend_result::<generate_user_interface>()? {
///         let address = FORM.read(submitted)?;
///         run.say(format!("It goes to {}, {}.", address.street, address.city)).await;
///         return Ok(());
///     }
///     let form = FORM.call("A form for an address", json!({ "city": "London" }));
///     Err(Stop::await_frontend(run.call(form).await?))
/// }
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Clerk::new(), agui_runtime::testing::input("?")));
/// # assert!(serde_json::to_string(&events).unwrap().contains("generateUserInterface"));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct UserInterface<T>(PhantomData<fn() -> T>);

impl<T: DeserializeOwned + JsonSchema + 'static> UserInterface<T> {
    /// Returns the interface for this type.
    ///
    /// ```
    /// let form = agui_runtime::drafts::UserInterface::<Vec<String>>::new();
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self(PhantomData)
    }

    /// Returns the call that shows it, with a description for the page's generator and the data that it shows at first.
    ///
    /// ```
    /// use agui_runtime::drafts::UserInterface;
    ///
    /// let call = UserInterface::<Vec<String>>::new().call("A list of names", serde_json::json!([]));
    /// assert_eq!(call.output["type"], "array");
    /// ```
    #[must_use]
    pub fn call(self, description: impl Into<String>, data: Value) -> generate_user_interface {
        let output = TypeSource::of::<T>().root_schema().to_value();
        generate_user_interface { description: description.into(), data, output }
    }

    /// Reads the data that the user submitted.
    ///
    /// # Errors
    /// [`UserInterfaceError`] if it is not of the type: the page need not keep the schema.
    ///
    /// ```
    /// use agui_runtime::drafts::UserInterface;
    ///
    /// let names = UserInterface::<Vec<String>>::new().read(serde_json::json!(["Ada"]))?;
    /// assert_eq!(names, ["Ada"]);
    /// # Ok::<(), agui_runtime::drafts::UserInterfaceError>(())
    /// ```
    pub fn read(self, submitted: Value) -> Result<T, UserInterfaceError> {
        serde_path_to_error::deserialize(submitted).map_err(|error| UserInterfaceError {
            path: quoted(error.path()).to_string(),
            message: quoted(crate::json::message(error.inner())).to_string(),
        })
    }
}

/// Submitted data that is not of the type of its interface.
///
/// ```
/// use agui_runtime::drafts::UserInterface;
///
/// let error = UserInterface::<Vec<String>>::new().read(serde_json::json!([7])).unwrap_err();
/// assert_eq!(error.path, "[0]");
/// ```
#[derive(Debug, thiserror::Error)]
#[error("the submitted data does not fit at `{path}`: {message}")]
#[non_exhaustive]
pub struct UserInterfaceError {
    /// The place at which reading stopped, `.` for the whole.
    pub path: String,
    /// The value that was expected there.
    pub message: String,
}

impl PublicError for UserInterfaceError {}
