//! Errors whose text the client may see.

use std::fmt::Display;

use crate::agent::Stop;

/// An error whose text is written for the model and the page's users.
///
/// A tool that returns an `Err` sends the result `{"error": "…"}`. Model and page see the text only if the error implements this
/// trait; otherwise they see that the tool failed, and the log has the error with its causes, run id and call id. The log also has
/// the causes behind a public error. Implement this trait for your own error if none of its texts repeats another error's text.
///
/// | a tool returns | TOOL_CALL_RESULT content |
/// |---|---|
/// | `Result<T, ShopError>` with `impl PublicError for ShopError` | `{"error":"saffron is sold out"}` |
/// | `Result<T, Stop>`, and `Err` holds a [`Stop::error("sold out")`](Stop::error) | `{"error":"sold out"}` |
/// | `Result<T, Stop>`, and `Err` holds a [fatal](Stop::fatal) error | the same, and the run ends in RUN_ERROR |
/// | `Result<T, Stop>`, and `Err` holds a stop that is no error, such as an interrupt | `{"error":"the tool did not finish: the run ends"}`, and the run ends with that stop |
/// | `Result<T, Stop>`, and `?` made the `Err`; any other error, such as `anyhow::Error`, `Box<dyn Error>`, `io::Error` or `String` | ``{"error":"the tool `price` failed"}`` |
///
/// [`RunOptions::reveal_errors`](crate::RunOptions::reveal_errors) shows all texts; a server that is a debug build on a loopback
/// address does so by default.
///
/// ```
/// use agui_runtime::PublicError;
/// use agui_runtime::prelude::*;
///
/// #[derive(Debug, thiserror::Error)]
/// enum ShopError {
///     #[error("{0} is sold out")]
///     SoldOut(String),
///     #[error("the shop does not answer")] // not: `#[error("the shop: {0}")]`, which repeats the other text
///     Connection(#[from] std::io::Error),
/// }
///
/// impl PublicError for ShopError {}
///
/// /// Looks up what something costs, in cents.
/// #[tool]
/// async fn price(name: String) -> Result<u32, ShopError> {
///     Err(ShopError::SoldOut(name))
/// }
/// # /// Sells.
/// # #[agent(tools = [price])]
/// # async fn clerk(run: &mut Run<Clerk>, input: Input<Clerk>) -> Result<(), Stop> {
/// #     drop(run.call(price { name: "saffron".to_owned() }).await?.run().await);
/// #     Ok(())
/// # }
/// # let input = agui_runtime::protocol::RunAgentInput::new("thread", "run", vec![]);
/// # let events = futures::executor::block_on(agui_runtime::testing::run(Clerk::new(), input));
/// # assert!(serde_json::to_string(&events).unwrap().contains("saffron is sold out"));
/// ```
#[diagnostic::on_unimplemented(
    message = "the text of `{Self}` is not for the model",
    label = "not a `PublicError`",
    note = "if none of its texts repeats that of another error: `impl agui_runtime::PublicError for {Self} {{}}`"
)]
pub trait PublicError: Display + 'static {}

/// Its `Display` is a text that clients may see.
impl PublicError for Stop {}
